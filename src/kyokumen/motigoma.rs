//! Pieces in hand.

use super::Syurui;

/// The pieces that a side holds in hand, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Motigoma {
    counts: [u8; 8],
}

impl Motigoma {
    /// No pieces.
    pub const EMPTY: Motigoma = Motigoma { counts: [0; 8] };

    /// How many pieces of a kind are held; promoted kinds and the king never are.
    #[inline(always)]
    pub const fn count(&self, syurui: Syurui) -> u8 {
        if syurui.code() < 8 { self.counts[syurui.index()] } else { 0 }
    }

    /// Whether nothing is held.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        u64::from_ne_bytes(self.counts) == 0
    }

    /// The kinds held with their counts, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (Syurui, u8)> + '_ {
        Syurui::HAND.into_iter().map(|syurui| (syurui, self.count(syurui))).filter(|&(_, count)| count > 0)
    }

    /// Sets a count; promoted kinds go in unpromoted, a king is not taken.
    pub(super) fn set(&mut self, syurui: Syurui, count: u8) {
        self.counts[syurui.unpromoted().index() & 7] = count;
    }

    /// One more of an unpromoted kind.
    #[inline(always)]
    pub(super) fn put(&mut self, syurui: Syurui) {
        self.counts[syurui.index() & 7] += 1;
    }

    /// One less of a kind that is held.
    #[inline(always)]
    pub(super) fn take(&mut self, syurui: Syurui) {
        debug_assert!(self.count(syurui) > 0, "{syurui:?} is not in hand");
        self.counts[syurui.index() & 7] -= 1;
    }
}
