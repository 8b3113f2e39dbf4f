//! An engine that speaks USI, asked for values.

use std::path::{Path, PathBuf};

use komadai::client::{self, ClientError};
use komadai::joseki::evaluate::{Assessment, mate};
use komadai::kyokumen::Kyokumen;
use komadai::sikou::Bound;

use super::program::Sum;
use super::searcher::{Plan, value_of};
use crate::cli::Failure;

pub struct Engine<'a> {
    plan: &'a Plan,
    program: PathBuf,
    engine: client::Engine,
    name: String,
    /// A sum over the options that it has, as it tells them.
    options: Sum,
}

impl<'a> Engine<'a> {
    /// Starts the program, in its own folder as GUIs do, and shakes hands.
    pub fn start(path: &Path, plan: &'a Plan) -> Result<Engine<'a>, Failure> {
        let mut engine = client::Engine::start(path)?.patience(plan.timeout).watch(plan.over.clone());
        let introduction = engine.handshake().map_err(explain)?;
        // Values are to come from a search.
        if introduction.has_option("USI_OwnBook") {
            engine.set_option("USI_OwnBook", "false").map_err(explain)?;
        }
        for (name, value) in &plan.options {
            engine.set_option(name, value).map_err(explain)?;
        }
        let mut options = Sum::default();
        introduction.options.iter().for_each(|line| options.add(line.as_bytes()));
        let name = match introduction.name {
            name if name.is_empty() => path.display().to_string(),
            name => name,
        };
        Ok(Engine { plan, program: path.to_owned(), engine, name, options })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The options that it was given, with a blank before each.
    pub fn given_options(&self) -> String {
        self.plan.options.iter().map(|(name, value)| format!(" {name}={value}")).collect()
    }

    /// A sum over the program and over the options that it has, with what they are before anybody sets them.
    pub fn sum(&self) -> Sum {
        let mut sum = Sum::of_program(&self.program);
        sum.add(&self.options.0.to_le_bytes());
        sum
    }

    /// Searches a position as a game of its own, so that no value depends on what was searched before.
    pub fn search(&mut self, kyokumen: &Kyokumen) -> Result<Option<Assessment>, Failure> {
        self.ask(kyokumen).map_err(explain)
    }

    fn ask(&mut self, kyokumen: &Kyokumen) -> Result<Option<Assessment>, ClientError> {
        self.engine.new_game()?;
        self.engine.position(&format!("sfen {}", kyokumen.to_sfen()))?;
        // The last value of the best line; one that is only a bound counts where there is no other.
        let mut best: Option<(Assessment, Bound)> = None;
        let played = self.engine.go(&format!("nodes {}", self.plan.nodes), self.plan.timeout, |info| {
            if let Some(score) = info.score
                && info.multipv == 1
                && (info.bound == Bound::Exact || best.is_none_or(|(_, bound)| bound != Bound::Exact))
            {
                best = Some((Assessment { value: value_of(score), depth: info.depth }, info.bound));
            }
        })?;
        let told = best.map(|(assessment, _)| assessment);
        Ok(match &*played.te {
            "win" => Some(Assessment { value: mate(1), depth: Some(0) }),
            "resign" => told.or(Some(Assessment { value: mate(0), depth: None })),
            _ => told,
        })
    }
}

fn explain(error: ClientError) -> Failure {
    match error {
        ClientError::Late { .. } | ClientError::Deaf { .. } => format!("{error}; --timeout gives it more").into(),
        error => error.into(),
    }
}
