//! Thinking: from a position, limits and a stop signal to a move.
//!
//! [`Sikou`] is the trait that the USI session drives; a whole engine is one implementation of
//! [`think`](Sikou::think). Nothing here reads input or prints: progress goes through [`Task::report`]. [`Tansaku`] is
//! the default: a search over any [`Hyoka`](crate::hyoka::Hyoka).

mod correction;
mod history;
mod limits;
mod mate;
mod picker;
mod prune;
mod quiesce;
mod root;
mod search;
mod skill;
mod stop;
mod tansaku;
mod time;
mod tree;
mod tt;
mod value;

use std::time::Duration;

use rand::Rng;

use crate::hyoka::Centipawn;
use crate::kyokumen::{Kyokumen, NyugyokuRule, Rireki, Te, Tesu};

pub use limits::{Clocks, Limits};
pub use stop::{PonderHit, StopSignal};
pub use tansaku::Tansaku;

/// A way of choosing moves.
pub trait Sikou: Send {
    /// Chooses a move.
    ///
    /// May take its time, on a thread of its own, but must return within a few milliseconds once
    /// [`StopSignal::is_stopped`] says so, and keeps to [`Task::limits`] by itself. May return early in every mode: the
    /// session holds an answer back until the GUI may have it. The answer need not be checked: the session replaces
    /// an illegal one by a legal move. A position without legal moves, a declared win or a book move never get here.
    fn think(&mut self, task: &mut Task<'_>) -> Answer;

    /// Looks for a forced mate by checks, for `go mate`.
    fn solve_mate(&mut self, task: &mut Task<'_>) -> MateAnswer {
        let _ = task;
        MateAnswer::NotImplemented
    }

    /// Takes over changed options; called while idle, before the first use and at `isready`. Here is the place to
    /// allocate tables.
    fn configure(&mut self, config: &Config) {
        let _ = config;
    }

    /// A new game begins: forget what was learned in the last one.
    fn new_game(&mut self) {}

    /// The static value of a position from the side to move, for people who ask; `None` where there is none to tell.
    fn evaluate(&mut self, kyokumen: &Kyokumen) -> Option<Centipawn> {
        let _ = kyokumen;
        None
    }
}

/// One order to think.
pub struct Task<'a> {
    /// The position.
    pub kyokumen: &'a Kyokumen,
    /// The game that led to it.
    pub rireki: &'a Rireki,
    /// How long and how deep.
    pub limits: &'a Limits,
    /// The options that concern thinking.
    pub config: &'a Config,
    /// Says when to stop, and when the opponent has played the expected move.
    pub stop: &'a StopSignal,
    /// Random numbers of the session, repeatable where the user fixed the seed.
    pub rng: &'a mut dyn Rng,
    /// Takes progress; it is printed as `info` lines.
    pub report: &'a mut dyn FnMut(&Report),
}

/// What thinking came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Play this move.
    Play {
        /// The move.
        te: Te,
        /// The reply that is expected, to ponder on.
        ponder: Option<Te>,
    },
    /// Give up.
    Resign,
    /// Declare a win by nyugyoku.
    Win,
}

impl From<Te> for Answer {
    fn from(te: Te) -> Answer {
        Answer::Play { te, ponder: None }
    }
}

/// No move means to resign.
impl From<Option<Te>> for Answer {
    fn from(te: Option<Te>) -> Answer {
        te.map_or(Answer::Resign, Answer::from)
    }
}

/// What a mate search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateAnswer {
    /// A mate: checks and the longest defence in turn, ending in mate.
    Checkmate(Vec<Te>),
    /// There is none.
    NoMate,
    /// Time or stop came first.
    Timeout,
    /// This engine does not solve mates.
    NotImplemented,
}

/// The value of a position from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// In hundredths of a pawn.
    Cp(Centipawn),
    /// Mate in this many plies; negative when it is the side to move that is mated.
    Mate(i32),
}

/// Whether a score is exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// The value itself.
    #[default]
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

/// A piece of progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// A line of play and its value.
    Line(Line),
    /// A remark in ASCII.
    Text(String),
}

/// A line of play, as an `info ... pv` reports it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Depth in plies.
    pub depth: u32,
    /// Depth of the longest line looked at.
    pub seldepth: u32,
    /// Rank of this line, 1 for the best.
    pub multipv: u32,
    /// Its value; `None` where there is none to tell.
    pub score: Option<Score>,
    /// Whether the value is exact.
    pub bound: Bound,
    /// Positions looked at so far.
    pub nodes: u64,
    /// Time since the `go`.
    pub time: Duration,
    /// Fill of the transposition table in thousandths.
    pub hashfull: Option<u32>,
    /// The moves.
    pub pv: Vec<Te>,
}

/// The options that concern thinking, without their USI names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Size of the transposition table, in MiB.
    pub hash_mb: usize,
    /// Number of search threads.
    pub threads: usize,
    /// Number of lines to report.
    pub multi_pv: usize,
    /// Which declaration counts.
    pub nyugyoku_rule: NyugyokuRule,
    /// The game is a draw after this many moves; 0 for no limit.
    pub max_moves_to_draw: Tesu,
    /// Resign when the score is this low or lower, as a positive number.
    pub resign_value: Centipawn,
    /// 0 to 20, 20 for full strength.
    pub skill_level: u32,
    /// Time kept back of each move for the way to the GUI and back.
    pub network_delay: Duration,
    /// Time to take at the least.
    pub minimum_thinking_time: Duration,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            hash_mb: 256,
            threads: 1,
            multi_pv: 1,
            nyugyoku_rule: NyugyokuRule::default(),
            max_moves_to_draw: 0,
            resign_value: 99_999,
            skill_level: 20,
            network_delay: Duration::from_millis(50),
            minimum_thinking_time: Duration::ZERO,
        }
    }
}
