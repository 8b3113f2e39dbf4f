//! Records in Kakinoki's format, KIF: a head, then a numbered line a move, each with the square that it comes from.
//!
//! Read is what Kakinoki's programs, Shogidokoro, ShogiGUI, servers and converters write: digits of any width, blanks
//! of any kind or none, 王 and 玉, 竜 and 龍, 杏 圭 全 and 成香 成桂 成銀, (00) for a drop, times of all shapes or none,
//! variations, several games one after another. A line between the moves that is no move cuts the game, as does a
//! number that does not follow: such a line is never passed over, for the moves behind it would be others.

mod body;
mod head;
mod reader;
pub(super) mod words;

use std::time::Duration;

pub(super) use body::Body;
pub(super) use reader::{Games, Notation};
use words::{skip_blanks, take};

use super::Reading;
use crate::kyokumen::{Syurui, Te};

/// The games of a text.
pub(super) fn games(text: &str, first_line: u64) -> impl Iterator<Item = Reading> + '_ {
    Games::<Kif>::new(text, first_line)
}

enum Kif {}

impl Notation for Kif {
    fn has_moves(line: &str) -> bool {
        line.starts_with(|character: char| character.is_ascii_digit()) || words::ending(words::word(line)).is_some()
    }

    fn read(body: &mut Body, line: &str) {
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let text = line[digits..].trim_start_matches(|character| words::is_blank(character) || character == '.');
        if body.is_closed() {
            return body.pass(words::word(text));
        }
        if body.is_ended() && words::ending(words::word(text)).is_some() {
            return;
        }
        if digits > 0 && !line[..digits].parse().is_ok_and(|number| body.may_number(number)) {
            return body.unreadable(line);
        }
        let Some((te, rest)) = read_te(body, text) else {
            if !body.end(words::word(text)) {
                body.unreadable(line);
            }
            return;
        };
        if body.push(te, line)
            && let Some(time) = read_time(rest)
        {
            body.time(time);
        }
    }
}

/// A move such as ７六歩(77), ２二角成(88) or ５五角打, with what stands behind it; `None` also for one whose piece is
/// another than that on the board.
fn read_te<'a>(body: &Body, text: &'a str) -> Option<(Te, &'a str)> {
    let (first, after) = take(text)?;
    let text = if words::mark(first).is_some() { skip_blanks(after) } else { text };
    let (to, rest) = match text.strip_prefix('同') {
        Some(rest) => (body.last_to()?, skip_blanks(rest)),
        None => words::masu(text)?,
    };
    let (syurui, rest) = words::syurui(rest)?;
    let (promotes, rest) = if let Some(rest) = rest.strip_prefix('成') {
        (true, rest)
    } else {
        (false, rest.strip_prefix("不成").or_else(|| rest.strip_prefix('生')).unwrap_or(rest))
    };
    let (is_drop, rest) = rest.strip_prefix('打').map_or((false, rest), |rest| (true, rest));
    let origin = read_origin(skip_blanks(rest));
    match origin {
        Some((None, rest)) => drop(syurui, to, promotes).map(|te| (te, rest)),
        None if is_drop => drop(syurui, to, promotes).map(|te| (te, rest)),
        Some((Some(from), rest)) if !is_drop => {
            let koma = body.kyokumen().koma(from);
            let is_other = koma.belongs_to(body.kyokumen().teban()) && koma.syurui() != Some(syurui);
            (!is_other && from != to).then(|| (Te::board(from, to, promotes), rest))
        }
        _ => None,
    }
}

fn drop(syurui: Syurui, to: crate::kyokumen::Masu, promotes: bool) -> Option<Te> {
    (!promotes && Syurui::HAND.contains(&syurui)).then(|| Te::drop(syurui, to))
}

/// The square in brackets behind a move; `None` in it for (00), which stands for a drop.
fn read_origin(text: &str) -> Option<(Option<crate::kyokumen::Masu>, &str)> {
    let inside = text.strip_prefix(['(', '（'])?;
    if let Some(rest) = inside.strip_prefix("00").or_else(|| inside.strip_prefix("００")) {
        return Some((None, rest.strip_prefix([')', '）'])?));
    }
    let (masu, rest) = words::masu(inside)?;
    Some((Some(masu), rest.strip_prefix([')', '）'])?))
}

/// The time that the move took: the first in brackets, such as ( 0:05/00:00:05), (00:05 / 00:00:05) or (0:05).
fn read_time(text: &str) -> Option<Duration> {
    let mut text = skip_blanks(skip_blanks(text).strip_prefix(['(', '（'])?);
    let (mut seconds, mut parts) = (0u64, 0);
    loop {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        // A number of ten digits is no time.
        let number: u64 = text.get(..digits).filter(|_| digits < 10)?.parse().ok()?;
        (seconds, parts) = (seconds.checked_mul(60)?.checked_add(number)?, parts + 1);
        text = skip_blanks(&text[digits..]);
        match take(text)? {
            (':' | '：', rest) if parts < 3 => text = skip_blanks(rest),
            ('/' | ')' | '）' | '／' | '.', _) => return (parts > 1).then(|| Duration::from_secs(seconds)),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_in_all_shapes() {
        for text in [
            "( 0:05/00:00:05)",
            "(00:05 / 00:01:05)+",
            "  (0:05)",
            "( 0:5/)",
            "(0:5/0:0:5)",
            "(0:00:05/1:0)",
            "（0：05）",
        ] {
            assert_eq!(read_time(text), Some(Duration::from_secs(5)), "{text}");
        }
        assert_eq!(read_time("(10:11/"), Some(Duration::from_secs(611)));
        for text in ["", "+", "(5)", "( 0:0x/00:00:05)", "(:/:)", "(1:2:3:4)", "(99999999999:00/)", "(0:05"] {
            assert_eq!(read_time(text), None, "{text}");
        }
    }
}
