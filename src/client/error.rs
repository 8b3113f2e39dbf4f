//! Why there is no answer.

use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use thiserror::Error;

/// What went wrong with an engine.
#[derive(Debug, Error)]
pub enum ClientError {
    /// The program can't be started.
    #[error("can't start the engine \"{program}\": {error}")]
    Start {
        /// The program, with its arguments.
        program: String,
        /// Why.
        error: io::Error,
    },
    /// What is to be sent is not one line.
    #[error("a command is one line, and {0:?} is not")]
    Command(String),
    /// No answer came in time. The engine may still be at it.
    #[error("the engine \"{program}\", {}, has not answered \"{asked}\" within {} seconds", whose(.last), .patience.as_secs_f64())]
    Late {
        /// The program, with its arguments.
        program: String,
        /// The last command.
        asked: String,
        /// How long it had.
        patience: Duration,
        /// The last line that it said, empty for none.
        last: String,
    },
    /// It does not read its input. It can't be spoken to any more.
    #[error("the engine \"{program}\", {}, has not taken \"{asked}\" within {} seconds", whose(.last), .patience.as_secs_f64())]
    Deaf {
        /// The program, with its arguments.
        program: String,
        /// The command that it has not taken.
        asked: String,
        /// How long it had.
        patience: Duration,
        /// The last line that it said, empty for none.
        last: String,
    },
    /// It has ended, or closed its input or output.
    #[error("the engine \"{program}\" has ended at \"{asked}\": {}; {}", fate(.status), words(.last))]
    Ended {
        /// The program, with its arguments.
        program: String,
        /// The last command.
        asked: String,
        /// How it has ended; `None` where it has closed its input or output, and goes on.
        status: Option<ExitStatus>,
        /// The last line that it said, empty for none.
        last: String,
    },
    /// The signal of [`Engine::watch`](super::Engine::watch) is set.
    #[error("broken off")]
    Stopped,
}

fn fate(status: &Option<ExitStatus>) -> String {
    status.map_or_else(|| "it has closed its input or output".into(), |status| status.to_string())
}

fn words(last: &str) -> String {
    if last.is_empty() { "it said nothing".into() } else { format!("its last words were \"{last}\"") }
}

fn whose(last: &str) -> String {
    if last.is_empty() { "which said nothing".into() } else { format!("whose last words were \"{last}\"") }
}

/// The beginning of a line, for a message.
pub(super) fn shown(line: &str) -> String {
    const MOST: usize = 200;
    let mut shown: String = line.escape_debug().take(MOST).collect();
    if line.escape_debug().nth(MOST).is_some() {
        shown.push_str("...");
    }
    shown
}
