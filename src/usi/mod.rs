//! The protocol: what an engine says to a GUI and when.
//!
//! [`run`] makes a USI engine of anything that can choose a move. Inside, a thread receives
//! commands and acts on those that concern a running search; the session takes them from a queue one by one; the
//! engine thinks on a third thread. Only the session answers, so every `go` gets exactly one answer, and none before
//! its time.
//!
//! Without asking the engine, the session answers a `go` where there is no legal move (`resign`), where a win can be
//! declared by the option `EnteringKingRule`, and where the opening book has a move to play. All else is for
//! [`Sikou`], whose documentation says what is expected of it.

mod books;
mod command;
mod console;
mod evaluation;
mod inspect;
mod log;
mod options;
mod output;
mod own;
mod places;
mod position;
mod queue;
mod receive;
mod reply;
mod session;
mod thinker;

use std::io::{self, ErrorKind, Read, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

use crate::settings::Settings;
use crate::sikou::{OwnOption, Sikou};

use log::Log;
use output::Output;
use own::OwnOptions;
use queue::Queue;
use session::Session;
use thinker::Thinker;

pub use inspect::{BookOrigin, FoundBook, FoundLog, FoundNet, Inspection, Setting, inspect};

/// Who an engine is, for the GUI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Name and version.
    pub name: String,
    /// Who made it.
    pub author: String,
}

impl Identity {
    /// An engine of this name by this author.
    pub fn new(name: impl Into<String>, author: impl Into<String>) -> Identity {
        Identity { name: name.into(), author: author.into() }
    }
}

/// Speaks USI on standard input and output until `quit` or the end of input, with the settings of this user in
/// `komadai.ini`.
///
/// What the engine says by the macros of the `log` crate goes to the file of the option `LogFile`, unless the program
/// has set up a logger of its own before. The exit code tells a failure where the system gives no threads, and where
/// the engine declares options that can't be; why stands on standard error.
pub fn run(identity: Identity, sikou: impl Sikou + 'static) -> ExitCode {
    run_with(identity, sikou, Settings::load())
}

/// As [`run`], with other settings: those of [`Settings::load_for`] give an engine a file of its own name.
pub fn run_with(identity: Identity, sikou: impl Sikou + 'static, settings: Settings) -> ExitCode {
    let log = Log::default();
    log.take_all_remarks();
    match serve_logging(log, identity, sikou, settings, io::stdin(), io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // A full or closed standard error must not turn this into a panic.
            let _ = writeln!(io::stderr(), "can't start: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Speaks USI on any streams until `quit` or the end of input.
///
/// Its threads are told to end then, and it doesn't wait for them: an engine that goes on thinking must not hold up a
/// GUI.
///
/// # Errors
/// Where the system gives no threads; of kind [`InvalidInput`](io::ErrorKind::InvalidInput) where the engine declares
/// options that can't be. A closed output ends the session without an error.
pub fn serve(
    identity: Identity,
    sikou: impl Sikou + 'static,
    settings: Settings,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    serve_logging(Log::default(), identity, sikou, settings, input, output)
}

fn serve_logging(
    log: Log,
    identity: Identity,
    sikou: impl Sikou + 'static,
    settings: Settings,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let (declared, puts) = sikou.options().into_iter().map(OwnOption::split).unzip();
    let own = OwnOptions::new(declared, &settings).map_err(|fault| io::Error::new(ErrorKind::InvalidInput, fault))?;
    let queue = Arc::new(Queue::default());
    let output = Output::new(output, log.clone());
    let thinker = Thinker::start(sikou, puts, output.clone(), Arc::clone(&queue))?;
    let session = Session::new(identity, settings, own, output, Arc::clone(&queue), thinker, log.clone());
    let receiving = log.clone();
    thread::Builder::new().name("receive".into()).spawn(move || receive::receive(input, &queue, &receiving))?;
    session.run();
    log.close();
    Ok(())
}
