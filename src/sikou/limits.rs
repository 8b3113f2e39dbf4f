//! How long and how deep to think: the arguments of `go`.

use std::time::{Duration, Instant};

use crate::kyokumen::{ByTeban, Te, Teban};

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

    /// Whether neither a clock of this side nor anything else ends the search.
    pub fn is_unlimited_for(&self, teban: Teban) -> bool {
        self.clocks.is_empty_for(teban) && self.movetime.is_none() && self.depth.is_none() && self.nodes.is_none()
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

    /// Whether nothing was given that limits the time of a side.
    pub fn is_empty_for(&self, teban: Teban) -> bool {
        self.time[teban].is_none() && self.increment[teban].is_none() && self.byoyomi.is_none()
    }

    /// These clocks; where one was not given, that of `others`.
    pub fn or(&self, others: &Clocks) -> Clocks {
        let each = |ours: &ByTeban<Option<Duration>>, theirs: &ByTeban<Option<Duration>>| {
            ByTeban(Teban::ALL.map(|teban| ours[teban].or(theirs[teban])))
        };
        Clocks {
            time: each(&self.time, &others.time),
            increment: each(&self.increment, &others.increment),
            byoyomi: self.byoyomi.or(others.byoyomi),
        }
    }
}
