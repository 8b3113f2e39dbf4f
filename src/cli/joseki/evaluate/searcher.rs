//! Who finds out what positions are worth: our own search, or an engine that speaks USI.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use komadai::joseki::evaluate::{Assessment, mate};
use komadai::kyokumen::{Kyokumen, PackedKyokumen, Rireki};
use komadai::sikou::{Answer, Config, Limits, Report, Score, Sikou, StopSignal, Tansaku, Task};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::program::Sum;
use super::usi::Engine;
use crate::cli::Failure;

const NAME: &str = concat!("Komadai ", env!("CARGO_PKG_VERSION"));
/// Values that are no mates end here.
const MAX_CP: i32 = 31_000;

/// What all searches have in common.
pub struct Plan {
    /// The program of another engine.
    pub engine: Option<PathBuf>,
    /// `NAME=VALUE` each.
    pub options: Vec<(String, String)>,
    pub nodes: u64,
    /// How long an engine may take for an answer.
    pub timeout: Duration,
    /// Set from outside to break the work off; our own search looks at it.
    pub stop: StopSignal,
    /// Set then, and where one of several searchers has failed.
    pub over: StopSignal,
}

impl Plan {
    /// Starts a searcher.
    pub fn searcher(&self) -> Result<Searcher<'_>, Failure> {
        Ok(match &self.engine {
            Some(path) => Searcher::Usi(Box::new(Engine::start(path, self)?)),
            None => Searcher::Own(Box::new(Own::new(self))),
        })
    }
}

pub enum Searcher<'a> {
    Own(Box<Own<'a>>),
    Usi(Box<Engine<'a>>),
}

impl Searcher<'_> {
    /// Who it is, for people, with the options that it was given.
    pub fn name(&self) -> String {
        match self {
            Searcher::Own(_) => NAME.to_owned(),
            Searcher::Usi(engine) => engine.name().to_owned() + &engine.given_options(),
        }
    }

    /// What the results depend on, besides the nodes: the name, a sum over the program and over the options that it
    /// has, and those that it was given. What else it may read, such as a file of weights, is not looked at.
    pub fn origin(&self) -> String {
        match self {
            Searcher::Own(_) => {
                let Sum(sum) = std::env::current_exe().map(|path| Sum::of_program(&path)).unwrap_or_default();
                format!("{NAME} [{sum:016x}]")
            }
            Searcher::Usi(engine) => format!("{} [{:016x}]{}", engine.name(), engine.sum().0, engine.given_options()),
        }
    }

    /// The value of a position, as a game of its own that begins there. `None` where the engine tells none, or was
    /// stopped.
    pub fn search(&mut self, packed: &PackedKyokumen) -> Result<Option<Assessment>, Failure> {
        let Some(kyokumen) = packed.unpack() else { return Ok(None) };
        if !kyokumen.has_legal_te() {
            return Ok(Some(Assessment { value: mate(0), depth: Some(0) }));
        }
        match self {
            Searcher::Own(own) => Ok(own.search(&kyokumen)),
            Searcher::Usi(engine) => engine.search(&kyokumen),
        }
    }
}

/// A value as it stands in books.
pub fn value_of(score: Score) -> i32 {
    match score {
        Score::Cp(value) => value.clamp(-MAX_CP, MAX_CP),
        Score::Mate(plies) => mate(plies),
    }
}

/// Our own search.
pub struct Own<'a> {
    plan: &'a Plan,
    config: Config,
    sikou: Box<dyn Sikou>,
}

impl<'a> Own<'a> {
    fn new(plan: &'a Plan) -> Own<'a> {
        // The table is emptied for each position, so it is no larger than the nodes need.
        let hash_mb = (plan.nodes >> 15).clamp(1, 256) as usize;
        let config = Config { hash_mb, ..Config::default() };
        let mut sikou = Box::new(Tansaku::default());
        sikou.configure(&config);
        Own { plan, config, sikou }
    }

    fn search(&mut self, kyokumen: &Kyokumen) -> Option<Assessment> {
        let limits = Limits { nodes: Some(self.plan.nodes), ..Limits::new(Instant::now()) };
        let mut last = None;
        self.sikou.new_game();
        let answer = self.sikou.think(&mut Task {
            kyokumen,
            rireki: &Rireki::new(kyokumen),
            limits: &limits,
            config: &self.config,
            stop: &self.plan.stop,
            rng: &mut ChaCha8Rng::seed_from_u64(0),
            report: &mut |report| {
                if let Report::Line(line) = report
                    && let Some(score) = line.score
                {
                    last = Some(Assessment { value: value_of(score), depth: Some(line.depth) });
                }
            },
        });
        // A declared win is not searched.
        last.or((answer == Answer::Win).then(|| Assessment { value: mate(1), depth: Some(0) }))
    }
}
