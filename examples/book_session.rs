//! Measures what opening books cost an engine in play: `book_session ENGINE BOOK...` drives a USI engine once without a
//! book and once with each, in several rounds, and prints how long `isready` took, memory that is no part of a file,
//! and the median time from `go` to `bestmove` beside that of a round trip from `isready` to `readyok`.
//!
//! Of all rounds the fastest counts, for other programs get in the way. Positions are taken from the book by the
//! library.

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use komadai::joseki::{Joseki, Stored};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// How often each session is held.
const ROUNDS: usize = 5;
/// How many positions are asked for in each.
const POSITIONS: usize = 2000;
/// How long an engine may look at its books in the background before the times are taken.
const PAUSE: Duration = Duration::from_secs(1);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match &arguments[..] {
        [engine, books @ ..] if !books.is_empty() => measure(engine, books),
        _ => Err("usage: book_session ENGINE BOOK...".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn measure(engine: &str, books: &[String]) -> Result<(), Box<dyn Error>> {
    let positions = books.iter().map(|book| some_positions(Path::new(book))).collect::<Result<Vec<_>, _>>()?;
    let mut best = vec![Figures::default(); books.len() + 1];
    for _ in 0..ROUNDS {
        best[0].keep_lower(session(engine, "", &[])?);
        for ((book, positions), best) in books.iter().zip(&positions).zip(&mut best[1..]) {
            best.keep_lower(session(engine, book, positions)?);
        }
    }
    println!("{:32} {:>12} {:>12} {:>12} {:>12}", "book", "isready", "RssAnon", "round trip", "go");
    for (name, best) in std::iter::once("none").chain(books.iter().map(String::as_str)).zip(&best) {
        let time =
            |time: Option<Duration>| time.map_or("-".into(), |time| format!("{:.4} ms", time.as_secs_f64() * 1e3));
        let memory = best.memory.map_or("-".into(), |memory| format!("{memory} kB"));
        let [ready, round_trip, go] = [best.ready, best.round_trip, best.go].map(time);
        println!("{name:32} {ready:>12} {memory:>12} {round_trip:>12} {go:>12}");
    }
    Ok(())
}

#[derive(Clone, Default)]
struct Figures {
    ready: Option<Duration>,
    memory: Option<u64>,
    round_trip: Option<Duration>,
    go: Option<Duration>,
}

impl Figures {
    /// Keeps the better of both; go and round trip stay together, for only their difference tells something.
    fn keep_lower(&mut self, other: Figures) {
        self.ready = self.ready.into_iter().chain(other.ready).min();
        self.memory = self.memory.into_iter().chain(other.memory).min();
        if self.go.is_none_or(|go| other.go.is_some_and(|other| other < go)) {
            (self.go, self.round_trip) = (other.go, other.round_trip);
        }
    }
}

/// Holds one session. Every position gets a round trip before its time is taken, so that it is set up by then.
fn session(engine: &str, book: &str, positions: &[String]) -> Result<Figures, Box<dyn Error>> {
    let mut engine = Engine::start(engine)?;
    engine.ask("usi", "usiok")?;
    let book = if book.is_empty() { String::new() } else { std::path::absolute(book)?.display().to_string() };
    engine.tell(&format!("setoption name BookFile value {book}"))?;
    let ready = engine.ask("isready", "readyok")?;
    thread::sleep(PAUSE);
    let (mut round_trips, mut answers) = (Vec::new(), Vec::new());
    for position in positions {
        engine.tell(position)?;
        engine.ask("isready", "readyok")?;
        round_trips.push(engine.ask("isready", "readyok")?);
        answers.push(engine.ask("go btime 0 wtime 0 byoyomi 0", "bestmove")?);
    }
    if positions.is_empty() {
        for _ in 0..POSITIONS {
            round_trips.push(engine.ask("isready", "readyok")?);
        }
    }
    let memory = engine.memory();
    engine.tell("quit")?;
    engine.process.wait()?;
    Ok(Figures { ready: Some(ready), memory, round_trip: median(round_trips), go: median(answers) })
}

fn median(mut times: Vec<Duration>) -> Option<Duration> {
    times.sort_unstable();
    times.get(times.len() / 2).copied()
}

/// `position` commands for positions spread over a book, in an order that tells nothing.
fn some_positions(book: &Path) -> Result<Vec<String>, Box<dyn Error>> {
    let book = Joseki::open(book)?;
    let parts = book.parts(POSITIONS).into_iter();
    let firsts = parts.filter_map(|mut part| {
        part.find_map(|stored| match stored {
            Stored::Position(packed, entry) if !entry.moves.is_empty() => packed.unpack(),
            _ => None,
        })
    });
    let mut positions: Vec<_> = firsts.map(|kyokumen| format!("position sfen {}", kyokumen.to_sfen())).collect();
    positions.shuffle(&mut ChaCha8Rng::seed_from_u64(1));
    Ok(positions)
}

struct Engine {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(path: &str) -> Result<Engine, Box<dyn Error>> {
        let mut process = Command::new(path).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = process.stdin.take().ok_or("no input")?;
        let output = process.stdout.take().ok_or("no output")?;
        Ok(Engine { process, input, output: BufReader::new(output) })
    }

    fn tell(&mut self, line: &str) -> std::io::Result<()> {
        self.input.write_all(format!("{line}\n").as_bytes())
    }

    /// How long it takes to answer by a line that begins with this word.
    fn ask(&mut self, line: &str, answer: &str) -> Result<Duration, Box<dyn Error>> {
        let mut text = String::new();
        let start = Instant::now();
        self.tell(line)?;
        loop {
            text.clear();
            if self.output.read_line(&mut text)? == 0 {
                return Err(format!("the engine ended at {line}").into());
            }
            if text.split_whitespace().next() == Some(answer) {
                return Ok(start.elapsed());
            }
        }
    }

    /// Memory that is no part of a file, in kB; known on Linux only.
    fn memory(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).ok()?;
        status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?.split_whitespace().next()?.parse().ok()
    }
}
