//! The signal by which a running search learns that it must stop, or that pondering has become playing.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use super::Clocks;

/// One for each `go`: a late `stop` can't reach the next search, and an early one can't get lost. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct StopSignal {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    stopped: AtomicBool,
    ponder_hit: OnceLock<PonderHit>,
}

/// When the opponent played the expected move, and the clocks then, if the GUI sent them anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PonderHit {
    /// When the command arrived: thinking time counts from here.
    pub received: Instant,
    /// Clocks that take the place of those of the `go`, each where it was given; `None` to keep all.
    pub clocks: Option<Clocks>,
}

impl StopSignal {
    /// A signal that is not set.
    pub fn new() -> StopSignal {
        StopSignal::default()
    }

    /// Tells the search to stop. It stays told.
    pub fn stop(&self) {
        self.shared.stopped.store(true, Ordering::Release);
    }

    /// Whether the search was told to stop.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.shared.stopped.load(Ordering::Acquire)
    }

    /// Tells the search that the opponent played the expected move; only the first time counts.
    pub fn ponder_hit(&self, hit: PonderHit) {
        let _ = self.shared.ponder_hit.set(hit);
    }

    /// The expected move, once it was played.
    #[inline]
    pub fn ponder_hit_at(&self) -> Option<PonderHit> {
        self.shared.ponder_hit.get().copied()
    }
}
