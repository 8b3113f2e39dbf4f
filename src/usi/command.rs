//! The commands of the protocol, read from the words of a line.
//!
//! Lenient as the protocol wants it: unknown words are skipped, numbers that are none are passed over, negative times
//! count as 0 and huge ones as a very long time.

use std::time::{Duration, Instant};

use crate::kyokumen::{ByTeban, Te, Teban};
use crate::sikou::{Clocks, Limits, StopSignal};
use crate::text;

/// One command.
#[derive(Debug)]
pub(super) enum Command {
    Usi,
    IsReady,
    SetOption(SetOption),
    UsiNewGame,
    /// With all that follows the word.
    Position(String),
    Go(Box<Go>),
    Stop,
    PonderHit(Option<Clocks>),
    GameOver,
    /// `quit`, or the end of input.
    Quit,
    /// Asks whose turn it is; some clients of YaneuraOu do.
    Side,
    /// Draws the board, for people.
    Draw,
    /// Evaluates the position, for people.
    Eval,
}

/// `setoption name NAME [value VALUE]`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SetOption {
    pub name: String,
    /// The rest of the line, blanks inside kept; `None` without the word `value`.
    pub value: Option<String>,
}

impl SetOption {
    /// Whether the log is to be another one from here on.
    pub fn names_log(&self) -> bool {
        self.name.eq_ignore_ascii_case("LogFile")
    }
}

/// A `go`, with the signal that belongs to it alone.
#[derive(Debug)]
pub(super) struct Go {
    pub purpose: Purpose,
    pub limits: Limits,
    pub stop: StopSignal,
}

/// What a `go` is after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A move to play.
    Move,
    /// A forced mate.
    Mate,
    /// A count of the paths of legal moves, for people.
    Perft(u32),
}

/// No time is longer than this (some thirty years), so that adding one to a moment can't overflow.
const LONGEST_MS: u64 = 1_000_000_000_000;

impl Command {
    /// Reads a line without its end; `None` where it is no command.
    pub fn read(line: &[u8], received: Instant) -> Option<Command> {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let words: Vec<&[u8]> = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
        let (&name, rest) = words.split_first()?;
        Some(match name {
            b"usi" => Command::Usi,
            b"isready" => Command::IsReady,
            b"setoption" => Command::SetOption(read_setoption(line)?),
            b"usinewgame" => Command::UsiNewGame,
            b"position" => Command::Position(String::from_utf8_lossy(&rest.join(&b' ')).into_owned()),
            b"go" => Command::Go(Box::new(read_go(rest, received))),
            b"stop" => Command::Stop,
            b"ponderhit" => Command::PonderHit(Some(read_limits(rest, received).clocks).filter(|c| !c.is_empty())),
            b"gameover" => Command::GameOver,
            b"quit" => Command::Quit,
            b"side" => Command::Side,
            b"d" => Command::Draw,
            b"eval" => Command::Eval,
            _ => return None,
        })
    }
}

fn read_setoption(line: &[u8]) -> Option<SetOption> {
    let text = text::decode(line);
    let rest = after_word(text.trim().strip_prefix("setoption")?, "name")?;
    let (name, value) = match split_at_word(rest, "value") {
        Some((name, value)) => (name, Some(value.trim().to_owned())),
        None => (rest, None),
    };
    let name = name.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    (!name.is_empty()).then_some(SetOption { name, value })
}

/// What follows a word that must come first.
fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.trim_ascii_start().strip_prefix(word)?;
    (rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_whitespace())).then_some(rest)
}

/// The parts before and after the first place where a word stands by itself.
fn split_at_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    text.match_indices(word).map(|(index, _)| (&text[..index], &text[index + word.len()..])).find(|(before, after)| {
        before.ends_with(|c: char| c.is_ascii_whitespace())
            && (after.is_empty() || after.starts_with(|c: char| c.is_ascii_whitespace()))
    })
}

fn read_go(words: &[&[u8]], received: Instant) -> Go {
    let (purpose, limits) = match words {
        [b"mate", rest @ ..] => {
            let movetime = rest.first().and_then(|word| read_ms(word));
            (Purpose::Mate, Limits { movetime, infinite: movetime.is_none(), ..Limits::new(received) })
        }
        [b"perft", rest @ ..] => {
            let depth = rest.first().and_then(|word| read_number(word)).unwrap_or(1).min(100);
            (Purpose::Perft(depth as u32), Limits::new(received))
        }
        _ => (Purpose::Move, read_limits(words, received)),
    };
    Go { purpose, limits, stop: StopSignal::new() }
}

fn read_limits(words: &[&[u8]], received: Instant) -> Limits {
    let mut limits = Limits::new(received);
    let mut limited = false;
    let mut rest = words;
    while let [word, after @ ..] = rest {
        rest = after;
        let number = after.first().and_then(|next| read_number(next));
        let time = after.first().and_then(|next| read_ms(next));
        limited |= !matches!(*word, b"searchmoves");
        match *word {
            b"btime" => set(&mut limits.clocks.time, Teban::Sente, time),
            b"wtime" => set(&mut limits.clocks.time, Teban::Gote, time),
            b"binc" => set(&mut limits.clocks.increment, Teban::Sente, time),
            b"winc" => set(&mut limits.clocks.increment, Teban::Gote, time),
            b"byoyomi" => limits.clocks.byoyomi = time.or(limits.clocks.byoyomi),
            b"movetime" => limits.movetime = time.or(limits.movetime),
            b"depth" => limits.depth = number.map(|n| n.clamp(1, 1000) as u32).or(limits.depth),
            b"nodes" => limits.nodes = number.map(|n| n.max(1)).or(limits.nodes),
            b"infinite" => limits.infinite = true,
            b"ponder" => limits.ponder = true,
            b"searchmoves" => {
                while let Some(te) = rest.first().and_then(|word| read_te(word)) {
                    limits.searchmoves.push(te);
                    rest = &rest[1..];
                }
                continue;
            }
            _ => {}
        }
        if number.is_some() {
            rest = &rest[1..];
        }
    }
    limits.infinite |= !limited;
    limits
}

fn set(times: &mut ByTeban<Option<Duration>>, teban: Teban, time: Option<Duration>) {
    times[teban] = time.or(times[teban]);
}

/// A whole number; below 0 counts as 0, too large a one as the largest.
fn read_number(word: &[u8]) -> Option<u64> {
    let (negative, digits) = match word {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let add = |sum: u64, digit: &u8| sum.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
    Some(if negative { 0 } else { digits.iter().fold(0, add) })
}

fn read_ms(word: &[u8]) -> Option<Duration> {
    read_number(word).map(|number| Duration::from_millis(number.min(LONGEST_MS)))
}

fn read_te(word: &[u8]) -> Option<Te> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<Command> {
        Command::read(line.as_bytes(), Instant::now())
    }

    fn go(line: &str) -> Go {
        match read(line) {
            Some(Command::Go(go)) => *go,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn setoption(line: &str) -> Option<(String, Option<String>)> {
        match read(line) {
            Some(Command::SetOption(set)) => Some((set.name, set.value)),
            None => None,
            other => panic!("{line}: {other:?}"),
        }
    }

    fn ms(ms: u64) -> Option<Duration> {
        Some(Duration::from_millis(ms))
    }

    #[test]
    fn every_clock_is_read_in_any_order() {
        let limits = go("go byoyomi 400 wtime 2 btime 1 winc 4 binc 3").limits;
        assert_eq!(limits.clocks.time, ByTeban([ms(1), ms(2)]));
        assert_eq!(limits.clocks.increment, ByTeban([ms(3), ms(4)]));
        assert_eq!(limits.clocks.byoyomi, ms(400));
        assert!(!limits.infinite);
    }

    #[test]
    fn an_increment_of_one_side_stays_with_that_side() {
        let limits = go("go btime 1000 wtime 1000 winc 5000").limits;
        assert_eq!(limits.clocks.increment, ByTeban([None, ms(5000)]));
    }

    #[test]
    fn a_bare_go_is_infinite_and_so_is_one_that_only_names_moves() {
        assert!(go("go").limits.infinite);
        assert!(go("go infinite ").limits.infinite);
        let limits = go("go searchmoves 7g7f 2g2f").limits;
        assert!(limits.infinite);
        assert_eq!(limits.searchmoves.len(), 2);
    }

    #[test]
    fn unknown_words_and_what_is_no_number_are_passed_over() {
        let limits = go("go btime abc wtime 0 foo 7 byoyomi 300 movestogo 3 depth").limits;
        assert_eq!(limits.clocks.time, ByTeban([None, ms(0)]));
        assert_eq!(limits.clocks.byoyomi, ms(300));
        assert_eq!(limits.depth, None);
        assert!(!limits.infinite);
        let limits = go("go searchmoves 7g7f xxxx nodes 1000 depth 8").limits;
        assert_eq!((limits.nodes, limits.depth, limits.searchmoves.len()), (Some(1000), Some(8), 1));
    }

    #[test]
    fn a_clock_without_any_number_is_no_clock_but_not_infinite_either() {
        for line in ["go btime", "go btime abc wtime x", "go byoyomi -", "go foo"] {
            let limits = go(line).limits;
            assert!(!limits.infinite && limits.clocks.is_empty(), "{line}");
            assert!(limits.is_unlimited_for(Teban::Sente));
        }
        assert!(go("go wtime 500").limits.is_unlimited_for(Teban::Sente));
        assert!(!go("go wtime 500").limits.is_unlimited_for(Teban::Gote));
        assert!(!go("go nodes 5").limits.is_unlimited_for(Teban::Sente));
    }

    #[test]
    fn a_ponderhit_brings_clocks_only_where_it_names_some() {
        let clocks = |line| match read(line) {
            Some(Command::PonderHit(clocks)) => clocks,
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(clocks("ponderhit"), None);
        assert_eq!(clocks("ponderhit foo"), None);
        assert_eq!(clocks("ponderhit btime 7").map(|clocks| clocks.time[Teban::Sente]), Some(ms(7)));
    }

    #[test]
    fn negative_times_are_zero_and_huge_numbers_saturate() {
        let limits = go("go btime -100 wtime 99999999999999999999999 nodes 99999999999999999999999").limits;
        assert_eq!(limits.clocks.time, ByTeban([ms(0), ms(LONGEST_MS)]));
        assert_eq!(limits.nodes, Some(u64::MAX));
    }

    #[test]
    fn go_mate_takes_a_time_or_none() {
        let Go { purpose, limits, .. } = go("go mate 5000");
        assert_eq!((purpose, limits.movetime, limits.infinite), (Purpose::Mate, ms(5000), false));
        for line in ["go mate infinite", "go mate"] {
            let Go { purpose, limits, .. } = go(line);
            assert_eq!((purpose, limits.movetime, limits.infinite), (Purpose::Mate, None, true));
        }
    }

    #[test]
    fn ponderhit_comes_with_or_without_clocks() {
        assert!(matches!(read("ponderhit"), Some(Command::PonderHit(None))));
        match read("ponderhit btime 60000 wtime 50000 byoyomi 0") {
            Some(Command::PonderHit(Some(clocks))) => assert_eq!(clocks.time, ByTeban([ms(60000), ms(50000)])),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_value_of_an_option_is_the_rest_of_the_line() {
        let set = |name: &str, value: Option<&str>| Some((name.to_owned(), value.map(str::to_owned)));
        assert_eq!(
            setoption("setoption name BookFile value /tmp/my books/a  b.db \t"),
            set("BookFile", Some("/tmp/my books/a  b.db"))
        );
        assert_eq!(setoption("setoption  name  USI_Hash  value  16 "), set("USI_Hash", Some("16")));
        assert_eq!(setoption("setoption name BookFile value"), set("BookFile", Some("")));
        assert_eq!(setoption("setoption name BookFile value "), set("BookFile", Some("")));
        assert_eq!(setoption("setoption name Clear Hash"), set("Clear Hash", None));
        assert_eq!(setoption("setoption name X value my value"), set("X", Some("my value")));
        for nothing in ["setoption", "setoption name", "setoption value 3", "setoption foo bar", "setoption named x"] {
            assert_eq!(setoption(nothing), None);
        }
    }
}
