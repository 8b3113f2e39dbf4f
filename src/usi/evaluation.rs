//! The net that an option names, handed to the engine.

use std::path::PathBuf;
use std::time::SystemTime;

use crate::hyoka::Nnue;
use crate::text::quoted;

use super::places;
use super::thinker::Thinker;

/// What was made of the option so far.
#[derive(Debug, Default)]
pub(super) struct Evaluation {
    /// The name and the file that was opened; no file where that did not succeed.
    opened: Option<(String, Option<Source>)>,
    /// Whether the engine has a net.
    in_use: bool,
}

/// A file, with its time of change and its length when it was looked at.
#[derive(Debug, PartialEq, Eq)]
struct Source(PathBuf, Option<SystemTime>, u64);

impl Source {
    fn of(path: PathBuf) -> Source {
        let data = path.metadata();
        let (changed, length) = data.map_or((None, 0), |data| (data.modified().ok(), data.len()));
        Source(path, changed, length)
    }
}

impl Evaluation {
    /// Opens what the option names, unless just that is open already, and hands it to the engine; with `look_again` it
    /// also matters whether the file has changed. Returns what the user should know.
    pub fn update(&mut self, name: &str, look_again: bool, thinker: &Thinker) -> Option<String> {
        let same_name = self.opened.as_ref().is_some_and(|(opened, _)| opened == name);
        if same_name && !look_again {
            return None;
        }
        let source = (!name.trim().is_empty()).then(|| Source::of(places::path_to_read(name)));
        if same_name && self.opened.as_ref().is_some_and(|(_, opened)| *opened == source) {
            return None;
        }
        if self.in_use {
            // The old one goes first, so that there is never need for both.
            thinker.use_nnue(None);
            self.in_use = false;
        }
        let (source, note) = match source {
            Some(source) => self.open(source, thinker),
            None => (None, None),
        };
        self.opened = Some((name.to_owned(), source));
        note
    }

    /// What failed has no source, and so is tried again the next time that somebody looks.
    fn open(&mut self, source: Source, thinker: &Thinker) -> (Option<Source>, Option<String>) {
        let path = &source.0;
        let nnue = match Nnue::open(path) {
            Ok(nnue) => nnue,
            Err(error) => {
                let note = format!("EvalFile: {} is not used: {error}", quoted(path));
                return (None, Some(note));
            }
        };
        let architecture = nnue.architecture();
        self.in_use = thinker.use_nnue(Some(nnue));
        let note = if self.in_use {
            format!("EvalFile: playing by {}, {architecture}", quoted(path))
        } else {
            "EvalFile: this engine has no use for it".into()
        };
        (Some(source), Some(note))
    }
}
