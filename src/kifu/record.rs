//! Records of every format: what they are, and the games in them.

use thiserror::Error;

use super::{Game, LineError, csa, ki2, kif, line};
use crate::kyokumen::SfenError;

/// The formats of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordFormat {
    /// One line a game: USI lines, or the tab-separated games file.
    Lines,
    /// CSA's format, of any version, with one game or several.
    Csa,
    /// Kakinoki's format, moves with their origin, one a line.
    Kif,
    /// The format of printed records, moves without their origin.
    Ki2,
    /// JSON of Kifu for JS.
    Jkf,
}

/// What is wrong with a record from which no move can be taken.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RecordError {
    /// A line that is no game.
    #[error(transparent)]
    Line(#[from] LineError),
    /// A page of the web instead of a record, as servers send for what they lack.
    #[error("a web page, not a record")]
    Html,
    /// It has nothing of a record in it.
    #[error("not a record of any known format")]
    Unknown,
    /// The start position can't be read.
    #[error("the start position can't be read: {0}")]
    Start(String),
    /// The start position is a SFEN that can't be read.
    #[error(transparent)]
    Sfen(#[from] SfenError),
    /// The text does not keep to the format as a whole.
    #[error("{format}: {what}", format = .format.name())]
    Malformed {
        /// The format.
        format: RecordFormat,
        /// What does not fit.
        what: String,
    },
    /// It is longer than any record.
    #[error("no record: it has more than {} MiB", .0 >> 20)]
    TooLong(u64),
}

/// A game of a record, or what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Number of the line, from 1: of the fault, where the record has one, else of the game's first.
    pub line: u64,
    /// The game, which may be [cut](Game::cut).
    pub game: Result<Game, RecordError>,
}

impl RecordFormat {
    /// All formats.
    pub const ALL: [RecordFormat; 5] =
        [RecordFormat::Lines, RecordFormat::Csa, RecordFormat::Kif, RecordFormat::Ki2, RecordFormat::Jkf];

    /// The name, as in texts.
    pub const fn name(self) -> &'static str {
        match self {
            RecordFormat::Lines => "USI lines",
            RecordFormat::Csa => "CSA",
            RecordFormat::Kif => "KIF",
            RecordFormat::Ki2 => "KI2",
            RecordFormat::Jkf => "JKF",
        }
    }
}

impl RecordError {
    /// The fault in a few words, the same for all of its kind.
    pub const fn kind(&self) -> &'static str {
        match self {
            RecordError::Line(_) => "unreadable line",
            RecordError::Html => "web page",
            RecordError::Unknown => "unknown format",
            RecordError::Start(_) | RecordError::Sfen(_) => "unreadable start position",
            RecordError::Malformed { .. } => "malformed record",
            RecordError::TooLong(_) => "too long",
        }
    }
}

/// Reads the games of a text in their order, each when it is asked for; `first_line` is the number of its first line.
///
/// Lines without a game are passed over. A damaged game costs itself, not those after it.
pub fn read_records(text: &str, format: RecordFormat, first_line: u64) -> Box<dyn Iterator<Item = Reading> + '_> {
    match format {
        RecordFormat::Lines => Box::new(line::games(text, first_line)),
        RecordFormat::Csa => Box::new(csa::games(text, first_line)),
        RecordFormat::Kif => Box::new(kif::games(text, first_line)),
        RecordFormat::Ki2 => Box::new(ki2::games(text, first_line)),
        #[cfg(feature = "workshop")]
        RecordFormat::Jkf => Box::new(super::jkf::games(text, first_line)),
        #[cfg(not(feature = "workshop"))]
        RecordFormat::Jkf => Box::new(std::iter::once(Reading { line: first_line, game: Err(RecordError::Unknown) })),
    }
}
