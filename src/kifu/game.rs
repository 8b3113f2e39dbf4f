//! A recorded game.

use std::time::Duration;

use super::builder::GameBuilder;
use super::{Date, Ending, Handicap, Variation};
use crate::kyokumen::{ByTeban, Kyokumen, Te, Teban};

/// A recorded game. What the record does not tell is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Game {
    /// The day on which it was played.
    pub date: Option<Date>,
    /// The position in which it started.
    pub start: Start,
    /// The players.
    pub names: ByTeban<Option<String>>,
    /// Their ratings.
    pub ratings: ByTeban<Option<u32>>,
    /// How it ended.
    pub ending: Option<Ending>,
    /// Who won; `None` also for a draw.
    pub winner: Option<Teban>,
    /// The moves, all legal.
    pub moves: Vec<Te>,
    /// The time that each move took; shorter than the moves, or empty, where the record has no times any more.
    pub times: Vec<Option<Duration>>,
    /// Remarks, in their order: each with the number of moves before it, and its text, of one or more lines.
    pub comments: Vec<(usize, String)>,
    /// Lines that leave the main one, in the order of the record.
    pub variations: Vec<Variation>,
    /// What ended the moves before the record's end; ending and winner are then unknown.
    pub cut: Option<Cut>,
}

/// The position in which a game starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The even start, or that of a usual handicap.
    Handicap(Handicap),
    /// Any other.
    Position(Box<Kyokumen>),
}

/// Where a record stops making sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    /// This move, the given one of the game from 1 on, is illegal.
    IllegalTe {
        /// Its number, 1 for the first.
        number: usize,
        /// The move.
        te: Te,
    },
    /// Where this move should stand, the given one of the game from 1 on, no move can be read.
    Unreadable {
        /// Its number, 1 for the first.
        number: usize,
        /// What stands there, shortened.
        text: String,
    },
    /// The record states another number of moves than it has.
    Moves {
        /// What it states.
        stated: usize,
        /// What it has.
        found: usize,
    },
}

impl Cut {
    /// The fault in a word or two, the same for all of its kind.
    pub const fn kind(&self) -> &'static str {
        match self {
            Cut::IllegalTe { .. } => "illegal move",
            Cut::Unreadable { .. } => "unreadable move",
            Cut::Moves { .. } => "wrong number of moves",
        }
    }
}

impl std::fmt::Display for Cut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Cut::IllegalTe { number, te } => write!(f, "move {number}, {te}, is illegal; the moves before it are kept"),
            Cut::Unreadable { number, text } => {
                write!(f, "move {number}, {text:?}, can't be read; the moves before it are kept")
            }
            Cut::Moves { stated, found } => {
                write!(f, "{found} moves instead of {stated}; they are kept, the result is not")
            }
        }
    }
}

impl Default for Start {
    fn default() -> Start {
        Start::Handicap(Handicap::Even)
    }
}

impl From<Kyokumen> for Start {
    fn from(kyokumen: Kyokumen) -> Start {
        let same = |handicap: &Handicap| handicap.kyokumen() == kyokumen;
        Handicap::all().find(same).map_or_else(|| Start::Position(Box::new(kyokumen)), Start::Handicap)
    }
}

impl Start {
    /// The position.
    pub fn kyokumen(&self) -> Kyokumen {
        match self {
            Start::Handicap(Handicap::Even) => Kyokumen::hirate(),
            Start::Handicap(handicap) => handicap.kyokumen(),
            Start::Position(kyokumen) => (**kyokumen).clone(),
        }
    }

    /// The handicap; `None` for a start that is none of the usual ones.
    pub fn handicap(&self) -> Option<Handicap> {
        match self {
            Start::Handicap(handicap) => Some(*handicap),
            Start::Position(_) => None,
        }
    }
}

impl Game {
    /// A game of these moves, cut before the first illegal one, which also makes the ending unknown; the winner follows
    /// from the ending and from whose turn it is then.
    pub(super) fn from_moves(start: Start, moves: Vec<Te>, ending: Option<Ending>) -> Game {
        let mut builder = GameBuilder::new(start);
        builder.reserve(moves.len());
        if moves.into_iter().all(|te| builder.push(te))
            && let Some(ending) = ending
        {
            builder.end(ending);
        }
        builder.finish()
    }

    /// Forgets the result because the record does not hold together.
    pub(super) fn cut_by(&mut self, cut: Cut) {
        if self.cut.is_none() {
            (self.cut, self.ending, self.winner) = (Some(cut), None, None);
        }
    }
}
