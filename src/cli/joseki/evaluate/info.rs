//! What an engine's `info` line says of the value.

use std::str::SplitAsciiWhitespace;

use komadai::joseki::evaluate::Assessment;
use komadai::sikou::Score;

use super::searcher::value_of;

/// A value that an engine tells of its best line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Info {
    score: Score,
    depth: Option<u32>,
    /// Whether the value is not only a bound.
    pub is_exact: bool,
}

impl Info {
    pub fn assessment(self) -> Assessment {
        Assessment { value: value_of(self.score), depth: self.depth }
    }
}

/// Reads a line; `None` where it is no `info`, tells no value, or is of a line that is not the best.
pub fn read_info(line: &str) -> Option<Info> {
    let mut words = line.split_ascii_whitespace();
    if words.next() != Some("info") {
        return None;
    }
    let (mut score, mut depth, mut is_exact) = (None, None, true);
    while let Some(word) = words.next() {
        match word {
            // Moves, or free text.
            "pv" | "string" => break,
            "multipv" if words.next() != Some("1") => return None,
            "depth" => depth = words.next().and_then(|word| word.parse().ok()),
            "score" => score = Some(read_score(&mut words)?),
            "lowerbound" | "upperbound" => is_exact = false,
            _ => {}
        }
    }
    Some(Info { score: score?, depth, is_exact })
}

/// `cp 31`, `mate 5`, `mate -4`, and `mate +` or `mate -` where the number of plies is not known.
fn read_score(words: &mut SplitAsciiWhitespace<'_>) -> Option<Score> {
    let (kind, number) = (words.next()?, words.next()?);
    let far = |sign: i32| Score::Mate(sign * i32::from(i16::MAX));
    match (kind, number) {
        ("mate", "+") => Some(far(1)),
        ("mate", "-") => Some(far(-1)),
        // Numbers may be larger than any that we keep.
        ("mate", _) => number.parse::<i64>().ok().map(|plies| Score::Mate(plies.clamp(-32_767, 32_767) as i32)),
        ("cp", _) => number.parse::<i64>().ok().map(|value| Score::Cp(value.clamp(-1_000_000, 1_000_000) as i32)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(line: &str) -> Option<(i32, Option<u32>, bool)> {
        read_info(line).map(|info| (info.assessment().value, info.assessment().depth, info.is_exact))
    }

    #[test]
    fn values_of_the_best_line_are_read_with_depth_and_whether_they_are_bounds() {
        assert_eq!(value("info depth 7 seldepth 9 score cp -31 nodes 5 pv 7g7f 3c3d"), Some((-31, Some(7), true)));
        assert_eq!(value("info score cp +31 lowerbound depth 3 multipv 1"), Some((31, Some(3), false)));
        assert_eq!(value("info  multipv 1  score\tmate 5 upperbound"), Some((31_995, None, false)));
        assert_eq!(value("info score mate -4"), Some((-31_996, None, true)));
        assert_eq!(value("info score mate +5 pv score cp 3"), Some((31_995, None, true)));
        assert_eq!(
            (value("info score mate +"), value("info score mate -")),
            (Some((31_100, None, true)), Some((-31_100, None, true)))
        );
        assert_eq!(value("info score cp 99999999999"), Some((31_000, None, true)));
        assert_eq!(value("info depth x score cp 1"), Some((1, None, true)));
    }

    #[test]
    fn what_tells_no_value_is_passed_over() {
        for line in [
            "",
            "score cp 3",
            "information score cp 3",
            "info string score cp 3",
            "info depth 3 pv score cp 3",
            "info multipv 2 score cp 3",
            "info score",
            "info score cp",
            "info score cp much",
            "info score lowerbound 3",
            "info depth 3 currmove 7g7f",
            "bestmove 7g7f",
        ] {
            assert_eq!(value(line), None, "{line}");
        }
    }
}
