//! An engine of a match, and what it tells of its searches.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use komadai::client::{self, Info, Played};

use crate::Failure;

pub struct Engine {
    engine: client::Engine,
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
        let mut command = Command::new(program);
        let mut engine = client::Engine::spawn(command.args(words).env("KOMADAI_INI", settings).stderr(Stdio::null()))?;
        engine.handshake()?;
        for (name, value) in options {
            engine.set_option(name, value)?;
        }
        Ok(Engine { engine, figures: Figures::default() })
    }

    pub fn new_game(&mut self) -> Result<(), Failure> {
        Ok(self.engine.new_game()?)
    }

    /// Lets it think; fails if it takes longer than it could have.
    pub fn go(&mut self, position: &str, limits: &str, patience: Duration) -> Result<Played, Failure> {
        let mut last = None;
        self.engine.position(position)?;
        let played = self.engine.go(limits, patience, |info| {
            if info.nodes.is_some() {
                last = Some(*info);
            }
        });
        let played = played.map_err(|error| format!("{error}; position {position}"))?;
        self.count(last);
        Ok(played)
    }

    /// Notes by how much a move was late.
    pub fn note_late(&mut self, late: Duration) {
        self.figures.latest = self.figures.latest.max(late.as_millis() as u64);
    }

    /// The figures since the last call.
    pub fn take_figures(&mut self) -> Figures {
        std::mem::take(&mut self.figures)
    }

    fn count(&mut self, last: Option<Info>) {
        if let Some(Info { depth: Some(depth), nodes: Some(nodes), time: Some(time), .. }) = last {
            let time = time.as_millis() as u64;
            self.figures.add(Figures { moves: 1, depths: depth.into(), nodes, time, latest: 0 });
        }
    }
}
