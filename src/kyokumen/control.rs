//! Attacks.

use super::direction::{MOVES, OFFSETS};
use super::masu::{BAN_SIZE, Ichi};
use super::masu_set::direction_between;
use super::{Koma, Kyokumen, Masu};

pub(super) type Control = [[[u8; 4]; 2]; BAN_SIZE];

/// The byte of a word that holds the slides.
const SLIDES: usize = 2;

impl Kyokumen {
    /// The control of a piece that goes from `from` to the empty or emptied square `to`. The board is changed as well.
    #[inline(always)]
    pub(super) fn shift(&mut self, from: Masu, to: Masu, before: Koma, after: Koma, captured: Koma) {
        if before.moves().slides() | after.moves().slides() != 0 {
            return self.shift_slider(from, to, before, after, captured, Koma::EMPTY);
        }
        let (source, target) = (from.ichi(), to.ichi());
        self.toggle_steps_of_move(before, after, source, target);
        if captured.is_empty() {
            self.toggle_slides_through(target);
        }
        self.ban[target.index()] = after;
        self.toggle_slides_through(source);
        self.ban[source.index()] = Koma::EMPTY;
    }

    #[inline(always)]
    pub(super) fn shift_back(&mut self, from: Masu, to: Masu, before: Koma, after: Koma, captured: Koma) {
        if before.moves().slides() | after.moves().slides() != 0 {
            return self.shift_slider(to, from, after, before, Koma::EMPTY, captured);
        }
        let (source, target) = (from.ichi(), to.ichi());
        self.toggle_steps_of_move(before, after, source, target);
        self.toggle_slides_through(source);
        self.ban[source.index()] = before;
        if captured.is_empty() {
            self.toggle_slides_through(target);
        }
        self.ban[target.index()] = captured;
    }

    #[inline(never)]
    fn shift_slider(&mut self, source: Masu, target: Masu, before: Koma, after: Koma, found: Koma, left: Koma) {
        let side = before.side();
        let direction = direction_between(source, target);
        let (source, target) = (source.ichi(), target.ichi());
        let slides = [before.moves().slides(), after.moves().slides()];
        let kept = slides[0] & slides[1];
        let ahead = kept & 1 << direction;
        let back = kept & 0x80 >> direction;
        if found.is_empty() {
            self.control[target.index()][side][SLIDES] ^= ahead as u8;
            self.toggle_slides_through(target);
            self.control[target.index()][side][SLIDES] ^= ahead as u8;
        }
        self.ban[target.index()] = after;
        if left.is_empty() {
            self.toggle_slides_through(source);
        }
        self.ban[source.index()] = left;
        self.toggle_steps(before, source);
        self.toggle_steps(after, target);
        self.toggle_rays(source, side, slides[0] & !ahead & !back);
        self.toggle_rays(target, side, slides[1] & !ahead & !back);
        if ahead | back != 0 {
            let mut cell = source;
            loop {
                self.control[cell.index()][side][SLIDES] ^= back as u8;
                cell = cell.step(OFFSETS[direction]);
                self.control[cell.index()][side][SLIDES] ^= ahead as u8;
                if cell == target {
                    break;
                }
            }
            if !found.is_empty() {
                self.toggle_rays(target, side, ahead);
            }
            if !left.is_empty() {
                self.toggle_rays(source, side, back);
            }
        }
    }

    /// Adds or removes the control of a piece that stands on a cell.
    #[inline(always)]
    pub(super) fn toggle_control(&mut self, koma: Koma, cell: Ichi) {
        self.toggle_steps(koma, cell);
        self.toggle_rays(cell, koma.side(), koma.moves().slides());
    }

    #[inline(always)]
    pub(super) fn toggle_slides_through(&mut self, cell: Ichi) {
        for side in 0..2 {
            self.toggle_rays(cell, side, self.control[cell.index()][side][SLIDES].into());
        }
    }

    #[inline(always)]
    fn toggle_rays(&mut self, cell: Ichi, side: usize, mut slides: u32) {
        while slides != 0 {
            let direction = slides.trailing_zeros() as usize & 7;
            slides &= slides - 1;
            let offset = OFFSETS[direction] as usize;
            let mut index = cell.index();
            loop {
                index = index.wrapping_add(offset) & (BAN_SIZE - 1);
                self.control[index][side][SLIDES] ^= 1 << direction;
                if !self.ban[index].is_empty() {
                    break;
                }
            }
        }
    }

    #[inline(always)]
    fn toggle_steps_of_move(&mut self, before: Koma, after: Koma, from: Ichi, to: Ichi) {
        let control = &mut self.control;
        let promotes = before != after;
        macro_rules! dispatch {
            ($($index:literal)*) => { match before.index() { $($index => {
                steps::<$index>(control, from);
                if promotes { steps::<{ $index | 8 }>(control, to) } else { steps::<$index>(control, to) }
            })* _ => {} } };
        }
        dispatch!(17 19 20 23 24 25 26 27 28 29 30 33 35 36 39 40 41 42 43 44 45 46)
    }

    #[inline(always)]
    fn toggle_steps(&mut self, koma: Koma, cell: Ichi) {
        let control = &mut self.control;
        macro_rules! dispatch {
            ($($index:literal)*) => { match koma.index() { $($index => steps::<$index>(control, cell),)* _ => {} } };
        }
        dispatch!(17 19 20 23 24 25 26 27 28 29 30 33 35 36 39 40 41 42 43 44 45 46)
    }
}

#[inline(always)]
fn steps<const KOMA: usize>(control: &mut Control, cell: Ichi) {
    let side = KOMA >> 5;
    let start = cell.index() - 13;
    let Some(window) = control[start..].first_chunk_mut::<27>() else { return };
    let mut direction = 0;
    while direction < 12 {
        if MOVES[KOMA].steps() >> direction & 1 != 0 {
            window[(13 + OFFSETS[direction]) as usize][side][direction / 8] ^= 1 << (direction % 8);
        }
        direction += 1;
    }
}
