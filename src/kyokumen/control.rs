//! `control` and `ban`, kept up while pieces come and go.
//!
//! All toggles here are of single bytes: see [`Control`].

use super::direction::{OFFSETS, each};
use super::masu::{BAN_SIZE, Ichi};
use super::masu_set::direction_between;
use super::{Koma, Kyokumen, Masu};

/// For each cell the words of both sides, each as its bytes, lowest first.
///
/// Given whole words, the compiler toggles a bit that it knows in the one byte that holds it, and where the word is
/// read again soon after, the processor waits until the byte has reached the cache. So whatever runs at each move keeps
/// to bytes, for reading too: two of them are steps, one ([`SLIDES`]) is slides, the last is 0.
pub(super) type Control = [[[u8; 4]; 2]; BAN_SIZE];

/// The byte of a word that holds its slides.
const SLIDES: usize = 2;

/// A piece that goes from one square to another, by a move or when one is taken back.
pub(super) struct Passage {
    pub(super) source: Masu,
    pub(super) target: Masu,
    /// The piece as it stands on the source.
    pub(super) before: Koma,
    /// The piece as it stands on the target.
    pub(super) after: Koma,
    /// What stands on the target until then: nothing, or the piece that is captured.
    pub(super) found: Koma,
    /// What stands on the source from then on: nothing, or the piece whose capture is taken back.
    pub(super) left: Koma,
}

impl Kyokumen {
    /// Carries a passage out on the board and in all slides, the piece's own and those through source and target.
    ///
    /// Of the piece's own slides on the line on which it goes, the one ahead stays as it is beyond the target and the
    /// one back stays beyond the source; between, both change.
    #[inline(always)]
    pub(super) fn pass(&mut self, passage: Passage) {
        let Passage { source, target, before, after, found, left } = passage;
        let side = before.side();
        let (removed, added) = (before.moves().slides(), after.moves().slides());
        let both = removed & added;
        let direction = if both != 0 { direction_between(source, target) } else { 8 };
        let (ahead, back) = (both & 1 << direction, both & 0x80 >> direction);
        let (source, target) = (source.ichi(), target.ichi());

        // Filled first and emptied then: a slide that arrives over the one square ends at the other.
        if found.is_empty() {
            self.toggle_rays(target, side, self.slides_at(target, side) & !ahead);
            self.toggle_rays(target, 1 - side, self.slides_at(target, 1 - side));
        }
        self.ban[target.index()] = after;
        if left.is_empty() {
            self.toggle_slides_through(source);
        }
        self.ban[source.index()] = left;

        if removed == added {
            for direction in each(both & !ahead & !back) {
                self.toggle_ray(source, side, direction);
                self.toggle_ray(target, side, direction);
            }
        } else {
            self.toggle_rays(source, side, removed & !ahead & !back);
            self.toggle_rays(target, side, added & !ahead & !back);
        }
        if ahead | back != 0 {
            self.toggle_between(source, target, side, direction, ahead as u8, back as u8);
            if !found.is_empty() {
                self.toggle_rays(target, side, ahead);
            }
            if !left.is_empty() {
                self.toggle_rays(source, side, back);
            }
        }
    }

    /// Toggles the slide ahead up to the target, and the slide back from before it to the source.
    #[inline(always)]
    fn toggle_between(&mut self, source: Ichi, target: Ichi, side: usize, direction: usize, ahead: u8, back: u8) {
        let mut cell = source;
        while cell != target {
            self.control[cell.index()][side][SLIDES] ^= back;
            cell = cell.step(OFFSETS[direction]);
            self.control[cell.index()][side][SLIDES] ^= ahead;
        }
    }

    /// Adds or removes the control of a piece on a cell, with the slides as the board is now.
    #[inline(always)]
    pub(super) fn toggle_control(&mut self, koma: Koma, cell: Ichi) {
        self.toggle_steps(koma, cell);
        self.toggle_rays(cell, koma.side(), koma.moves().slides());
    }

    /// Adds or removes the steps of a piece on a cell. Where the piece is a constant, this is a write for each step.
    #[inline(always)]
    pub(super) fn toggle_steps(&mut self, koma: Koma, cell: Ichi) {
        /// The farthest steps, by a knight.
        const REACH: usize = 13;
        let around = self.control[cell.index() - REACH..].first_chunk_mut::<{ 2 * REACH + 1 }>();
        let Some(around) = around else { unreachable!("no cell of the board is so near to the end") };
        let mut direction = 0;
        while direction < 12 {
            if koma.moves().steps() >> direction & 1 != 0 {
                let at = REACH.wrapping_add_signed(OFFSETS[direction].into());
                around[at][koma.side()][direction / 8] ^= 1 << (direction % 8);
            }
            direction += 1;
        }
    }

    /// Lengthens or cuts all slides that arrive at a cell that is being emptied or filled.
    #[inline(always)]
    pub(super) fn toggle_slides_through(&mut self, cell: Ichi) {
        for side in 0..2 {
            self.toggle_rays(cell, side, self.slides_at(cell, side));
        }
    }

    /// The directions in which a side's slides arrive at a cell, as a mask.
    #[inline(always)]
    fn slides_at(&self, cell: Ichi, side: usize) -> u32 {
        self.control[cell.index()][side][SLIDES].into()
    }

    #[inline(always)]
    fn toggle_rays(&mut self, cell: Ichi, side: usize, directions: u32) {
        for direction in each(directions) {
            self.toggle_ray(cell, side, direction);
        }
    }

    /// Toggles a slide's bit from the neighbour of a cell up to and including the first cell that is not empty.
    #[inline(always)]
    fn toggle_ray(&mut self, cell: Ichi, side: usize, direction: usize) {
        let (offset, mut index) = (OFFSETS[direction & 7] as usize, cell.index());
        loop {
            index = index.wrapping_add(offset) % BAN_SIZE;
            self.control[index][side][SLIDES] ^= 1 << (direction & 7);
            if !self.ban[index].is_empty() {
                break;
            }
        }
    }
}
