//! A recorded game.

use super::{Date, Handicap};
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

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ending {
    /// The side to move resigned.
    Resign,
    /// The side to move overstepped the time.
    Timeup,
    /// The side that had just moved made an illegal move, which is not among the moves.
    Illegal,
    /// The game was broken off.
    Abort,
    /// A draw.
    Draw,
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
    /// The record states another number of moves than it has.
    Moves {
        /// What it states.
        stated: usize,
        /// What it has.
        found: usize,
    },
}

impl std::fmt::Display for Cut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Cut::IllegalTe { number, te } => write!(f, "move {number}, {te}, is illegal; the moves before it are kept"),
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

impl Ending {
    /// All endings.
    pub const ALL: [Ending; 5] = [Ending::Resign, Ending::Timeup, Ending::Illegal, Ending::Abort, Ending::Draw];

    /// The name on the command line and in the games file.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Resign => "resign",
            Ending::Timeup => "timeup",
            Ending::Illegal => "illegal",
            Ending::Abort => "abort",
            Ending::Draw => "draw",
        }
    }

    /// The ending with this name.
    pub fn from_name(name: &str) -> Option<Ending> {
        Ending::ALL.into_iter().find(|ending| ending.name() == name)
    }

    /// Who won, when it was this side's turn at the end.
    pub const fn winner(self, turn: Teban) -> Option<Teban> {
        match self {
            Ending::Resign | Ending::Timeup => Some(turn.opponent()),
            Ending::Illegal => Some(turn),
            Ending::Abort | Ending::Draw => None,
        }
    }
}

impl Game {
    /// A game of these moves, cut before the first illegal one, which also makes the ending unknown; the winner follows
    /// from the ending and from whose turn it is then.
    pub(super) fn from_moves(start: Start, mut moves: Vec<Te>, ending: Option<Ending>) -> Game {
        let mut kyokumen = start.kyokumen();
        let illegal = moves.iter().position(|&te| {
            let legal = kyokumen.is_legal(te);
            if legal {
                kyokumen.do_te(te);
            }
            !legal
        });
        let cut = illegal.map(|index| Cut::IllegalTe { number: index + 1, te: moves[index] });
        moves.truncate(illegal.unwrap_or(moves.len()));
        moves.shrink_to_fit();
        let ending = if cut.is_some() { None } else { ending };
        let winner = ending.and_then(|ending| ending.winner(kyokumen.teban()));
        Game { start, moves, ending, winner, cut, ..Game::default() }
    }

    /// Forgets the result because the record does not hold together.
    pub(super) fn cut_by(&mut self, cut: Cut) {
        if self.cut.is_none() {
            (self.cut, self.ending, self.winner) = (Some(cut), None, None);
        }
    }
}
