//! The receiving end: the only place that reads the input.
//!
//! Whatever concerns a running search takes effect here and at once, not when its turn in the queue comes: each `go`
//! gets a signal of its own, and `stop`, `gameover`, `quit`, the end of input and `ponderhit` go to the newest one. So
//! a `stop` that arrives before its search has begun is not lost, and a late one can't reach the next search.

use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::time::Instant;

use crate::sikou::{PonderHit, StopSignal};

use super::command::Command;
use super::log::Log;
use super::queue::{Event, Queue};

/// Longer lines are dropped: a game of 100,000 moves takes half a megabyte.
const LONGEST_LINE: usize = 8 << 20;

/// Reads commands into the queue until `quit` or the end of input, either of which arrives there as `Quit`.
pub(super) fn receive(input: impl Read, queue: &Queue, log: &Log) {
    let mut input = BufReader::with_capacity(1 << 16, input);
    let mut newest = StopSignal::new();
    let mut line = Vec::new();
    loop {
        let command = match read_line(&mut input, &mut line) {
            Line::End => Command::Quit,
            Line::TooLong => {
                log.note("a line of more than 8 MiB was dropped");
                continue;
            }
            Line::Whole => {
                log.received(&line);
                match Command::read(&line, Instant::now()) {
                    Some(command) => command,
                    None => continue,
                }
            }
        };
        match &command {
            Command::Go(go) => newest = go.stop.clone(),
            Command::Stop | Command::GameOver | Command::Quit => newest.stop(),
            Command::SetOption(set) if set.names_log() => log.hold(),
            Command::PonderHit(clocks) => {
                newest.ponder_hit(PonderHit { received: Instant::now(), clocks: *clocks });
            }
            _ => {}
        }
        let last = matches!(command, Command::Quit);
        queue.push(Event::Command(command));
        if last {
            return;
        }
    }
}

enum Line {
    Whole,
    TooLong,
    End,
}

/// Reads the next line without its end; the last one need not have an end. Never keeps more than the longest line.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> Line {
    line.clear();
    let mut too_long = false;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => &[],
        };
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        too_long |= line.len() + part.len() > LONGEST_LINE;
        if !too_long {
            line.extend_from_slice(part);
        }
        let at_end_of_input = chunk.is_empty();
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if at_end_of_input && line.is_empty() && !too_long {
            return Line::End;
        }
        if end.is_some() || at_end_of_input {
            return if too_long { Line::TooLong } else { Line::Whole };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(input: &[u8]) -> Vec<Vec<u8>> {
        let mut input = BufReader::with_capacity(7, input);
        let mut line = Vec::new();
        let mut lines = Vec::new();
        loop {
            match read_line(&mut input, &mut line) {
                Line::Whole => lines.push(line.clone()),
                Line::TooLong => lines.push(b"too long".to_vec()),
                Line::End => return lines,
            }
        }
    }

    fn received(input: &[u8]) -> Vec<Command> {
        let queue = Queue::default();
        receive(input, &queue, &Log::default());
        let mut commands = Vec::new();
        loop {
            match queue.pop() {
                Event::Command(Command::Quit) => return commands,
                Event::Command(command) => commands.push(command),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn the_last_line_needs_no_end() {
        assert_eq!(lines(b"usi\nisready"), [b"usi".to_vec(), b"isready".to_vec()]);
        assert_eq!(lines(b"usi\n\n"), [b"usi".to_vec(), b"".to_vec()]);
        assert!(lines(b"").is_empty());
    }

    #[test]
    fn an_endless_line_is_dropped_and_the_next_one_read() {
        let mut input = vec![b'x'; LONGEST_LINE + 1];
        input.extend_from_slice(b"\nusi\n");
        assert_eq!(lines(&input), [b"too long".to_vec(), b"usi".to_vec()]);
        assert_eq!(lines(&input[..LONGEST_LINE + 1]), [b"too long".to_vec()]);
        assert_eq!(lines(&input[1..LONGEST_LINE + 2])[0].len(), LONGEST_LINE);
    }

    #[test]
    fn a_stop_reaches_the_go_before_it_and_no_other() {
        let commands = received(b"stop\ngo infinite\nstop\ngo ponder\nponderhit\nusi\n");
        let signals: Vec<&StopSignal> = commands
            .iter()
            .filter_map(|command| match command {
                Command::Go(go) => Some(&go.stop),
                _ => None,
            })
            .collect();
        assert!(signals[0].is_stopped());
        assert!(signals[0].ponder_hit_at().is_none());
        assert!(signals[1].ponder_hit_at().is_some());
        assert!(signals[1].is_stopped(), "by the end of input");
    }

    /// The worst that can happen: all is received before the session looks at the first command.
    #[test]
    fn what_follows_the_name_of_a_log_is_written_to_that_log_and_to_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a.log", "b.log"].map(|name| folder.path().join(name));
        let (queue, log) = (Queue::default(), Log::default());
        let input: &[u8] = b"usi\nsetoption name LogFile value a\nisready\nsetoption name MultiPV value 2\n\
            setoption name logfile value b\nusinewgame\nsetoption name LogFile\nposition startpos\n";
        receive(input, &queue, &log);
        let mut paths = [Some(&a), Some(&b), None].into_iter();
        loop {
            match queue.pop() {
                Event::Command(Command::SetOption(set)) if set.names_log() => {
                    match paths.next().unwrap() {
                        Some(path) => log.open(path, |error| panic!("{error}")).unwrap(),
                        None => log.close(),
                    }
                    log.release();
                }
                Event::Command(Command::Quit) => break,
                _ => {}
            }
        }
        let heard = |path: &std::path::Path| -> Vec<String> {
            let text = std::fs::read_to_string(path).unwrap();
            text.lines().filter_map(|line| Some(line.split_once(" > ")?.1.to_owned())).collect()
        };
        let second = "setoption name logfile value b";
        assert_eq!(heard(&a), ["isready", "setoption name MultiPV value 2", second]);
        assert_eq!(heard(&b), ["usinewgame", "setoption name LogFile"]);
        log.received(b"nobody hears it");
        assert!(log.open(&a, |error| panic!("{error}")).is_ok());
        log.release();
        log.close();
        assert_eq!(heard(&a).len(), 3);
    }

    #[test]
    fn quit_ends_reading() {
        assert_eq!(received(b"usi\r\n\r\n \t \nquit\r\nusi\n").len(), 1);
    }
}
