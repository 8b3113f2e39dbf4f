//! Thinking: from a position, limits and a stop signal to a move.
//!
//! [`Sikou`] is the trait that the USI session drives; a whole engine is one implementation of
//! [`think`](Sikou::think). Nothing here reads input or prints: progress goes through [`Task::report`]. [`Tansaku`] is
//! the default: a search over any [`Hyoka`](crate::hyoka::Hyoka).

mod correction;
mod history;
mod limits;
mod mate;
mod own_option;
mod picker;
mod prune;
mod quiesce;
mod root;
mod search;
mod sharing;
mod skill;
mod stop;
mod tansaku;
mod time;
mod tree;
mod tt;
mod value;

use std::time::Duration;

use rand::Rng;

use crate::hyoka::{Centipawn, Nnue};
use crate::kyokumen::{Kyokumen, NyugyokuRule, Rireki, Te, TeList, Tesu};

pub use limits::{Clocks, Limits};
pub use own_option::OwnOption;
pub(crate) use own_option::{Declared, OwnKind, OwnValue, Put};
pub use stop::{PonderHit, StopSignal};
pub use tansaku::Tansaku;
pub use time::Timer;

/// A way of choosing moves: what an author of an engine writes.
///
/// Only [`think`](Sikou::think) is needed.
///
/// # Threads
/// The session moves the engine to a thread of its own, with a stack of 64 MiB, and calls all methods there, one at a
/// time. So nothing needs a lock, and any of them may block, at a price: while an engine thinks, the session listens
/// on; during [`configure`](Sikou::configure), [`use_nnue`](Sikou::use_nnue) and the setting of own options, `readyok`
/// or the next search waits for it; after [`new_game`](Sikou::new_game) the next search. Threads that an engine starts
/// itself must have ended when `think` returns, for nothing may be reported after that; scoped threads see to it.
///
/// # Order
/// First each own option is set once, then `configure` is called, then the rest, as often as the GUI asks for it. A
/// changed option reaches the engine between two searches, at the latest right before the next one.
///
/// # Panics
/// A panic costs the answer and nothing else: the session says so and plays some legal move, and the same engine is
/// asked again the next time, with its fields as the panic left them. For `go mate` it answers `timeout`.
///
/// # Checking
/// [`testing::check`](crate::testing::check) holds an engine to all this, and to the rules of the protocol.
pub trait Sikou: Send {
    /// Chooses a move.
    ///
    /// *When to return.* Within a few milliseconds once [`StopSignal::is_stopped`] says so, which has to be asked for
    /// every millisecond or so; and by itself when what [`Task::limits`] sets is used up: [`Task::timer`] does that for
    /// clocks and times, depth and nodes are for the engine to count. The signal is set by `stop`, `gameover`, `quit`,
    /// the end of input, and whatever begins something new: `go`, `position`, `usinewgame`. In every mode it is allowed
    /// to return early, also in analysis (`infinite`) and while pondering: the session holds the answer back until the
    /// GUI may have it.
    ///
    /// *Pondering.* With [`Limits::ponder`] the position is the one after the move that is expected of the opponent,
    /// and no clock runs. [`StopSignal::ponder_hit_at`] says when he has played it, and from then on this is a search
    /// like any other, of which the clocks may be new; `think` is not called again. If he plays something else, it is
    /// stopped, and the answer is thrown away.
    ///
    /// *What to return.* One of the moves of [`Task::choices`], which are all legal ones unless the GUI asks for some.
    /// The session replaces an illegal one by some legal move, and says so. The expected reply is what the GUI lets the
    /// engine ponder on; an illegal one is left out. [`Answer::Win`] must be true by [`Config::nyugyoku_rule`].
    /// [`Config::resign_value`] is for the engine to obey, and giving up for it to decide.
    ///
    /// *What to report.* A [`Line`] when there is something new, by [`Task::report`]; with [`Config::multi_pv`] above
    /// 1, so many of them, each with its rank. The best one is repeated by the session if others came after it, since
    /// some GUIs show the last one as the value of the move; so the line of the answer should have been reported.
    ///
    /// *What never gets here.* A position without legal moves, a win that can be declared, a book move, and anything
    /// that the position's game does not contain: moves of the GUI have been checked.
    fn think(&mut self, task: &mut Task<'_>) -> Answer;

    /// Looks for a forced mate by checks, for `go mate`, from the side to move; stops like [`think`](Sikou::think). The
    /// position may have no legal move. A mate whose moves can't be played is answered as a timeout.
    fn solve_mate(&mut self, task: &mut Task<'_>) -> MateAnswer {
        let _ = task;
        MateAnswer::NotImplemented
    }

    /// Takes over the session's options that concern thinking; called before the first search and where they have
    /// changed. Here is the place to allocate tables. Each task brings them too, so an engine without tables need not
    /// implement it.
    fn configure(&mut self, config: &Config) {
        let _ = config;
    }

    /// Options of the engine's own, in the order in which they are printed; asked for once, before anything else.
    fn options(&self) -> Vec<OwnOption<Self>>
    where
        Self: Sized,
    {
        Vec::new()
    }

    /// Plays by this net instead of an evaluation of its own, or for `None` by its own again; called while idle. Says
    /// whether it does: an engine without an evaluation, or with one that must stay, has no use for a net.
    fn use_nnue(&mut self, nnue: Option<Nnue>) -> bool {
        nnue.is_none()
    }

    /// A new game begins: forget what was learned in the last one. Not every GUI says so.
    fn new_game(&mut self) {}

    /// The static value of a position in centipawns from the side to move, for people who type `eval`; `None` where
    /// there is none to tell.
    fn evaluate(&mut self, kyokumen: &Kyokumen) -> Option<Centipawn> {
        let _ = kyokumen;
        None
    }
}

/// One order to think.
pub struct Task<'a> {
    /// The position; clone it to make moves.
    pub kyokumen: &'a Kyokumen,
    /// The game that led to it, by which a search sees repetition.
    pub rireki: &'a Rireki,
    /// How long and how deep.
    pub limits: &'a Limits,
    /// The options that concern thinking.
    pub config: &'a Config,
    /// Says when to stop, and when the opponent has played the expected move.
    pub stop: &'a StopSignal,
    /// Random numbers of the session, repeatable where the user fixed the seed.
    pub rng: &'a mut dyn Rng,
    /// Takes progress; it is printed as `info` lines at once. It may wait where the GUI does not read.
    pub report: &'a mut dyn FnMut(&Report),
}

impl<'a> Task<'a> {
    /// The moves to choose from: those of [`Limits::searchmoves`] that are legal, or, without any, all legal ones.
    pub fn choices(&self) -> TeList {
        let mut choices = self.kyokumen.legal_te();
        let asked = &self.limits.searchmoves;
        if choices.iter().any(|te| asked.contains(te)) {
            choices.retain(|te| asked.contains(&te));
        }
        choices
    }

    /// Holds a search to the limits in time, and to the stop signal.
    pub fn timer(&self) -> Timer<'a> {
        Timer::new(self.limits, self.config, self.stop, self.kyokumen.teban())
    }
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
    /// A mate: checks and the longest defence in turn, ending in mate. Not empty.
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
    /// A remark of one line; what is not ASCII is escaped.
    Text(String),
}

/// A line of play, as an `info ... pv` reports it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Depth in plies.
    pub depth: u32,
    /// Depth of the longest line looked at; 0 leaves it out.
    pub seldepth: u32,
    /// Rank of this line, 1 for the best; 0 leaves it out.
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
    /// The moves, from the position of the task on, all legal.
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
