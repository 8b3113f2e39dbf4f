//! What an engine's `info` line tells, read without holding it to anything.

use std::str::SplitAsciiWhitespace;
use std::time::Duration;

use crate::sikou::{Bound, Score};

/// What an engine tells of its search; what it does not tell, or nobody can read, is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Info {
    /// In plies.
    pub depth: Option<u32>,
    /// Rank of the line of play, 1 for the best and where none is told.
    pub multipv: u32,
    /// The value from the side to move, within a million centipawns and 32,767 plies; a mate in a number of plies that
    /// the engine does not know is one in 32,767.
    pub score: Option<Score>,
    /// Whether the value is only a bound.
    pub bound: Bound,
    /// Positions looked at.
    pub nodes: Option<u64>,
    /// Since the search began, in the engine's own eyes.
    pub time: Option<Duration>,
}

impl Info {
    /// Reads a line; `None` where it is no `info`, tells nothing but text, or has a rank that can't be read.
    #[must_use]
    pub fn read(line: &str) -> Option<Info> {
        let mut words = line.split_ascii_whitespace();
        if words.next() != Some("info") {
            return None;
        }
        let mut info = Info { depth: None, multipv: 1, score: None, bound: Bound::Exact, nodes: None, time: None };
        let mut tells = false;
        while let Some(word) = words.next() {
            match word {
                // Moves, or free text.
                "pv" => return Some(info),
                "string" => break,
                "multipv" => info.multipv = words.next()?.parse().ok()?,
                "depth" => info.depth = number(&mut words),
                "score" => info.score = read_score(&mut words),
                "lowerbound" => info.bound = Bound::Lower,
                "upperbound" => info.bound = Bound::Upper,
                "nodes" => info.nodes = number(&mut words),
                "time" => info.time = number(&mut words).map(Duration::from_millis),
                _ => {}
            }
            tells = true;
        }
        tells.then_some(info)
    }
}

fn number<T: std::str::FromStr>(words: &mut SplitAsciiWhitespace<'_>) -> Option<T> {
    words.next()?.parse().ok()
}

/// `cp 31`, `mate 5`, `mate -4`, and `mate +` or `mate -` where the number of plies is not known.
fn read_score(words: &mut SplitAsciiWhitespace<'_>) -> Option<Score> {
    const FAR: i64 = i16::MAX as i64;
    let (kind, number) = (words.next()?, words.next()?);
    match (kind, number) {
        ("mate", "+") => Some(Score::Mate(FAR as i32)),
        ("mate", "-") => Some(Score::Mate(-FAR as i32)),
        // Numbers may be larger than any that we keep.
        ("mate", _) => number.parse::<i64>().ok().map(|plies| Score::Mate(plies.clamp(-FAR, FAR) as i32)),
        ("cp", _) => number.parse::<i64>().ok().map(|value| Score::Cp(value.clamp(-1_000_000, 1_000_000) as i32)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Value = (Option<Score>, Option<u32>, Bound, u32);

    fn value(line: &str) -> Option<Value> {
        Info::read(line).map(|info| (info.score, info.depth, info.bound, info.multipv))
    }

    fn cp(value: i32) -> Option<Score> {
        Some(Score::Cp(value))
    }

    fn mate(plies: i32) -> Option<Score> {
        Some(Score::Mate(plies))
    }

    #[test]
    fn values_are_read_with_depth_rank_and_whether_they_are_bounds() {
        let (exact, lower, upper) = (Bound::Exact, Bound::Lower, Bound::Upper);
        for (line, expected) in [
            ("info depth 7 seldepth 9 score cp -31 nodes 5 pv 7g7f 3c3d", (cp(-31), Some(7), exact, 1)),
            ("info score cp +31 lowerbound depth 3 multipv 1", (cp(31), Some(3), lower, 1)),
            ("info  multipv 2  score\tmate 5 upperbound", (mate(5), None, upper, 2)),
            ("info score mate -4", (mate(-4), None, exact, 1)),
            ("info score mate +5 pv score cp 3", (mate(5), None, exact, 1)),
            ("info score mate +", (mate(32_767), None, exact, 1)),
            ("info score mate -", (mate(-32_767), None, exact, 1)),
            ("info score mate 99999999999", (mate(32_767), None, exact, 1)),
            ("info score cp -99999999999", (cp(-1_000_000), None, exact, 1)),
            ("info depth x score cp 1 string depth 3", (cp(1), None, exact, 1)),
        ] {
            assert_eq!(value(line), Some(expected), "{line}");
        }
    }

    #[test]
    fn nodes_and_time_are_read() {
        let info = Info::read("info depth 3 time 1250 nodes 123456789012 nps 7 pv 7g7f nodes 3").unwrap();
        assert_eq!((info.nodes, info.time), (Some(123_456_789_012), Some(Duration::from_millis(1250))));
        let info = Info::read("info time -1 nodes many string time 3 nodes 3").unwrap();
        assert_eq!((info.nodes, info.time), (None, None));
    }

    #[test]
    fn what_tells_no_value_has_none() {
        for line in [
            "info depth 3 pv score cp 3",
            "info score",
            "info score cp",
            "info score cp much",
            "info score lowerbound 3",
            "info depth 3 currmove 7g7f",
        ] {
            assert_eq!(value(line).map(|value| value.0), Some(None), "{line}");
        }
        for line in [
            "",
            "info",
            "score cp 3",
            "information score cp 3",
            "info string score cp 3",
            "info multipv first score cp 3",
            "info multipv",
            "bestmove 7g7f",
        ] {
            assert_eq!(value(line), None, "{line}");
        }
    }
}
