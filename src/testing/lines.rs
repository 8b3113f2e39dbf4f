//! Single lines of an engine: what they hold, and whether they are well formed.

use crate::kyokumen::Te;

/// What an `info` line tells of play.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Info {
    /// The moves behind `pv`; `None` without that word.
    pub pv: Option<Vec<Te>>,
    /// Whether it tells of a search, and is no mere remark.
    pub tells: bool,
}

/// Words that may end a `pv`: how the game ends there.
const ENDINGS: [&str; 7] = ["resign", "win", "rep_draw", "rep_inf", "rep_sup", "rep_win", "rep_lose"];

/// Reads what follows `info`.
pub(super) fn read_info(words: &[&str]) -> Result<Info, String> {
    let mut info = Info::default();
    let mut seen: Vec<&str> = Vec::new();
    let mut rest = words;
    if rest.is_empty() {
        return Err("an info without any field".into());
    }
    while let [field, after @ ..] = rest {
        if seen.contains(field) {
            return Err(format!("the field {field} comes twice"));
        }
        seen.push(field);
        info.tells |= *field != "string";
        rest = match *field {
            "string" => return Ok(info),
            "pv" => {
                info.pv = Some(read_pv(after)?);
                return finish(info, &seen);
            }
            "score" => read_score(after)?,
            "currmove" => {
                read_te(after.first().ok_or("currmove without a move")?)?;
                &after[1..]
            }
            _ => read_number(field, after)?,
        };
    }
    finish(info, &seen)
}

fn finish(info: Info, seen: &[&str]) -> Result<Info, String> {
    if seen.contains(&"seldepth") && !seen.contains(&"depth") {
        return Err("seldepth without depth".into());
    }
    Ok(info)
}

fn read_number<'a, 'b>(field: &str, after: &'a [&'b str]) -> Result<&'a [&'b str], String> {
    let range = match field {
        "depth" | "seldepth" | "time" | "nodes" | "nps" | "currmovenumber" => 0..=u64::MAX,
        "multipv" => 1..=u64::MAX,
        "hashfull" | "cpuload" => 0..=1000,
        _ => return Err(format!("{field:?} is no field of info, or stands where none can be")),
    };
    let (word, rest) = after.split_first().ok_or_else(|| format!("{field} without a number"))?;
    let number = word.parse().ok().filter(|number| range.contains(number));
    number.map(|_| rest).ok_or_else(|| format!("{field} can't be {word:?}"))
}

fn read_score<'a, 'b>(after: &'a [&'b str]) -> Result<&'a [&'b str], String> {
    let rest = match after {
        ["cp", value, rest @ ..] if value.parse::<i32>().is_ok() => rest,
        ["mate", "+" | "-", rest @ ..] => rest,
        ["mate", value, rest @ ..] if value.parse::<i32>().is_ok_and(|plies| plies != 0) => rest,
        _ => return Err(format!("a score can't be {:?}", after.iter().take(2).collect::<Vec<_>>())),
    };
    Ok(match rest {
        ["lowerbound" | "upperbound", rest @ ..] => rest,
        _ => rest,
    })
}

fn read_pv(words: &[&str]) -> Result<Vec<Te>, String> {
    let moves = match words {
        [moves @ .., last] if ENDINGS.contains(last) => moves,
        _ => words,
    };
    if words.is_empty() {
        return Err("a pv without moves".into());
    }
    moves.iter().map(|word| read_te(word)).collect()
}

/// Reads a move.
pub(super) fn read_te(word: &str) -> Result<Te, String> {
    word.parse().map_err(|_| format!("{word:?} is no move"))
}

/// Reads what follows `option`; the name.
pub(super) fn read_option<'a>(words: &[&'a str]) -> Result<&'a str, String> {
    let ["name", name, "type", kind, rest @ ..] = words else {
        return Err("an option begins with `name`, one word, `type` and its type".into());
    };
    let wrong = |what: String| Err(format!("the option {name}: {what}"));
    match (*kind, rest) {
        ("check", ["default", "true" | "false"]) | ("button", []) => {}
        ("string" | "filename", ["default", _]) => {}
        ("spin", ["default", default, "min", min, "max", max]) => {
            let [default, min, max] = [default, min, max].map(|word| word.parse::<i64>().ok());
            match (default, min, max) {
                (Some(default), Some(min), Some(max)) if (min..=max).contains(&default) => {}
                _ => return wrong("its default is no number of its range".into()),
            }
        }
        ("combo", ["default", default, rest @ ..]) => {
            let (pairs, left) = rest.as_chunks();
            if !left.is_empty() || !pairs.iter().all(|[var, _]| *var == "var") {
                return wrong("each choice of a combo is one word behind `var`".into());
            }
            if !pairs.iter().any(|[_, choice]| choice == default) {
                return wrong("its default is none of its choices".into());
            }
        }
        _ => return wrong(format!("{:?} can't follow the type {kind}", rest.join(" "))),
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<&str> {
        line.split(' ').collect()
    }

    #[test]
    fn well_formed_info_is_taken() {
        for line in [
            "depth 8 seldepth 13 multipv 1 score cp -35 lowerbound time 250 nodes 5000 nps 20000 hashfull 4 pv 7g7f",
            "score mate -4 pv 7g7f rep_draw",
            "score mate +",
            "currmove 7g7f currmovenumber 1",
            "nodes 5 string anything, goes  here pv 9z9z",
        ] {
            assert!(read_info(&words(line)).is_ok(), "{line}");
        }
        let info = read_info(&words("depth 1 pv 7g7f 3c3d")).unwrap();
        assert_eq!(info.pv.map(|pv| pv.len()), Some(2));
        assert!(info.tells && !read_info(&words("string hello")).unwrap().tells);
    }

    #[test]
    fn ill_formed_info_is_refused() {
        for line in [
            "depth",
            "depth x",
            "depth -1",
            "depth 1 depth 2",
            "seldepth 3",
            "multipv 0",
            "hashfull 1001",
            "score 30",
            "score cp",
            "score cp 0.3",
            "score mate 0",
            "pv",
            "pv 7g7f depth 3",
            "pv 9z9z",
            "best 7g7f",
            "lowerbound",
        ] {
            assert!(read_info(&words(line)).is_err(), "{line}");
        }
        assert!(read_info(&[]).is_err());
    }

    #[test]
    fn well_formed_options_are_taken_and_no_others() {
        for line in [
            "name A type check default true",
            "name A type spin default -3 min -5 max 5",
            "name A type combo default x var x var y",
            "name A type string default <empty>",
            "name A type filename default a/b.c",
            "name A type button",
        ] {
            assert_eq!(read_option(&words(line)), Ok("A"), "{line}");
        }
        for line in [
            "A",
            "name type check default true",
            "name A B type check default true",
            "name A type check",
            "name A type check default yes",
            "name A type spin default 6 min -5 max 5",
            "name A type spin default 1",
            "name A type combo default z var x var y",
            "name A type combo default x var x y",
            "name A type string default",
            "name A type string default two words",
            "name A type button default 1",
            "name A type slider default 1",
        ] {
            assert!(read_option(&words(line)).is_err(), "{line}");
        }
    }
}
