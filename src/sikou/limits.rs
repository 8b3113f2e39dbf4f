//! How long and how deep to think: the arguments of `go`.

use std::time::{Duration, Instant};

use crate::kyokumen::{ByTeban, Te};

/// The arguments of a `go`. What is absent does not limit the search.
#[derive(Clone, Debug)]
pub struct Limits {
    /// When the command arrived: all times count from here.
    pub received: Instant,
    /// The clocks of both sides.
    pub clocks: Clocks,
    /// Think for this long.
    pub movetime: Option<Duration>,
    /// Think this deep, in plies.
    pub depth: Option<u32>,
    /// Look at this many positions.
    pub nodes: Option<u64>,
    /// Think until told to stop.
    pub infinite: bool,
    /// Think on the opponent's time, until told to stop or that he played as expected.
    pub ponder: bool,
    /// Only these moves may be chosen, unless empty.
    pub searchmoves: Vec<Te>,
}

impl Limits {
    /// No limit at all, from this moment on.
    pub fn new(received: Instant) -> Limits {
        Limits {
            received,
            clocks: Clocks::default(),
            movetime: None,
            depth: None,
            nodes: None,
            infinite: false,
            ponder: false,
            searchmoves: Vec::new(),
        }
    }
}

/// The clocks of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
    /// Time left on each side's clock; `None` where the GUI did not say.
    pub time: ByTeban<Option<Duration>>,
    /// Time added after each move (Fischer).
    pub increment: ByTeban<Option<Duration>>,
    /// Time for each move once the clock has run out.
    pub byoyomi: Option<Duration>,
}

impl Clocks {
    /// Whether no clock was given.
    pub fn is_empty(&self) -> bool {
        *self == Clocks::default()
    }
}
