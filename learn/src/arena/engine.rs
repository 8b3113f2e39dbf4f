//! An engine in a process of its own, spoken to by USI.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::Failure;

/// How long an engine may take to get ready.
const START: Duration = Duration::from_secs(60);

pub struct Engine {
    name: String,
    process: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    figures: Figures,
}

/// What an engine has told of its searches.
#[derive(Clone, Copy, Default)]
pub struct Figures {
    pub moves: u64,
    pub depths: u64,
    pub nodes: u64,
    /// Milliseconds.
    pub time: u64,
    /// The longest that a move took beyond what was allowed, in milliseconds.
    pub latest: u64,
}

impl Figures {
    pub fn add(&mut self, other: Figures) {
        self.moves += other.moves;
        self.depths += other.depths;
        self.nodes += other.nodes;
        self.time += other.time;
        self.latest = self.latest.max(other.latest);
    }
}

impl Engine {
    /// Starts a command, words with blanks between, with these options; Komadai's own settings are kept in a folder
    /// of the match.
    pub fn start(command: &str, options: &[(String, String)], settings: &Path) -> Result<Engine, Failure> {
        let mut words = command.split_whitespace();
        let program = words.next().ok_or("no command for an engine")?;
        let mut process = Command::new(program)
            .args(words)
            .env("KOMADAI_INI", settings)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{program}: {error}"))?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err("no pipes to an engine".into());
        };
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                if sender.send(String::from_utf8_lossy(&line).trim_end().to_owned()).is_err() {
                    break;
                }
            }
        });
        let mut engine = Engine { name: command.into(), process, input, lines, figures: Figures::default() };
        engine.say("usi")?;
        engine.wait("usiok", START)?;
        for (name, value) in options {
            engine.say(&format!("setoption name {name} value {value}"))?;
        }
        Ok(engine)
    }

    pub fn new_game(&mut self) -> Result<(), Failure> {
        self.say("isready")?;
        self.wait("readyok", START)?;
        self.say("usinewgame")
    }

    pub fn say(&mut self, line: &str) -> Result<(), Failure> {
        let said = self.input.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.input.flush());
        said.map_err(|error| format!("{}: {error}", self.name).into())
    }

    /// Lets it think; its move and how long it took, or none if it took longer than it could have.
    pub fn go(
        &mut self,
        position: &str,
        limits: &str,
        patience: Duration,
    ) -> Result<Option<(String, Duration)>, Failure> {
        self.say(position)?;
        let start = Instant::now();
        self.say(limits)?;
        let mut last = String::new();
        loop {
            let line = match self.lines.recv_timeout(patience.saturating_sub(start.elapsed())) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => return Ok(None),
                Err(RecvTimeoutError::Disconnected) => return Err(format!("{}: ended", self.name).into()),
            };
            if let Some(rest) = line.strip_prefix("bestmove ") {
                let took = start.elapsed();
                self.count(&last);
                let te = rest.split(' ').next().unwrap_or_default();
                return Ok(Some((te.into(), took)));
            }
            if line.starts_with("info ") && line.contains(" nodes ") {
                last = line;
            }
        }
    }

    /// Notes by how much a move was late.
    pub fn note_late(&mut self, late: Duration) {
        self.figures.latest = self.figures.latest.max(late.as_millis() as u64);
    }

    /// The figures since the last call.
    pub fn take_figures(&mut self) -> Figures {
        std::mem::take(&mut self.figures)
    }

    fn count(&mut self, info: &str) {
        let words: Vec<&str> = info.split(' ').collect();
        let figure = |name: &str| {
            let at = words.iter().position(|&word| word == name)?;
            words.get(at + 1)?.parse::<u64>().ok()
        };
        if let (Some(depth), Some(nodes), Some(time)) = (figure("depth"), figure("nodes"), figure("time")) {
            self.figures.add(Figures { moves: 1, depths: depth, nodes, time, latest: 0 });
        }
    }

    fn wait(&mut self, word: &str, patience: Duration) -> Result<(), Failure> {
        let start = Instant::now();
        loop {
            match self.lines.recv_timeout(patience.saturating_sub(start.elapsed())) {
                Ok(line) if line == word => return Ok(()),
                Ok(_) => {}
                Err(_) => return Err(format!("{}: no {word}", self.name).into()),
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It may have ended by itself, and must not outlive the match in any case.
        let _ = self.say("quit");
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(2) {
            if !matches!(self.process.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
