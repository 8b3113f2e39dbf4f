//! What was said in a session, and what went wrong there.

use std::fmt;

/// Lines of the end of a session that are shown with a failure.
const SHOWN: usize = 40;

/// What an engine did wrong, with the session that led to it.
///
/// `Debug` shows it as `Display` does, so that a test which returns it is easy to read.
#[derive(Clone)]
pub struct Failure {
    what: String,
    transcript: Vec<String>,
}

impl Failure {
    pub(super) fn new(what: impl Into<String>, transcript: &[String]) -> Failure {
        Failure { what: what.into(), transcript: transcript.to_vec() }
    }

    /// The same, with the name of the session before it.
    pub(super) fn in_session(self, name: &str) -> Failure {
        Failure { what: format!("{name}: {}", self.what), ..self }
    }

    /// What is wrong, in a sentence.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// All lines of the session: to the engine after `> `, from it after `< `.
    pub fn transcript(&self) -> &[String] {
        &self.transcript
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n\nThe session (> to the engine, < from it):", self.what)?;
        let left_out = self.transcript.len().saturating_sub(SHOWN);
        if left_out > 0 {
            writeln!(f, "  ... {left_out} lines")?;
        }
        self.transcript[left_out..].iter().try_for_each(|line| writeln!(f, "  {line}"))
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Failure {}
