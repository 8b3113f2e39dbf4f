//! Attacks.

use super::direction::OFFSETS;
use super::masu::{BAN_SIZE, Ichi};
use super::masu_set::direction_between;
use super::{Koma, Kyokumen, Masu};

pub(super) type Control = [[[u8; 4]; 2]; BAN_SIZE];

/// The byte of a word that holds the slides.
const SLIDES: usize = 2;

/// A piece that goes from one square to another, forth or back.
pub(super) struct Passage {
    pub(super) source: Masu,
    pub(super) target: Masu,
    /// The piece as it stands on the source.
    pub(super) before: Koma,
    /// The piece as it stands on the target.
    pub(super) after: Koma,
    /// What stands on the target before.
    pub(super) found: Koma,
    /// What stands on the source afterwards.
    pub(super) left: Koma,
}

impl Kyokumen {
    /// Carries a passage out on the board, and in all slides.
    #[inline(always)]
    pub(super) fn pass(&mut self, passage: Passage) {
        let Passage { source, target, before, after, found, left } = passage;
        let side = before.side();
        let (removed, added) = (before.moves().slides(), after.moves().slides());
        let direction = if removed & added != 0 { direction_between(source, target) } else { 8 };
        let (source, target) = (source.ichi(), target.ichi());
        let ahead = removed & added & 1 << direction;
        let back = removed & added & 0x80 >> direction;
        if found.is_empty() {
            self.toggle_rays(target, side, u32::from(self.control[target.index()][side][SLIDES]) & !ahead);
            self.toggle_rays(target, 1 - side, self.control[target.index()][1 - side][SLIDES].into());
        }
        self.ban[target.index()] = after;
        if left.is_empty() {
            self.toggle_slides_through(source);
        }
        self.ban[source.index()] = left;
        self.toggle_rays(source, side, removed & !ahead & !back);
        self.toggle_rays(target, side, added & !ahead & !back);
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

    /// The same for a piece that is known when this is compiled.
    #[inline(always)]
    pub(super) fn toggle_control_of(&mut self, koma: Koma, cell: Ichi) {
        steps(&mut self.control, koma, cell);
        self.toggle_rays(cell, koma.side(), koma.moves().slides());
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
    pub(super) fn toggle_steps_of_move<const KOMA: usize>(&mut self, promotes: bool, from: Ichi, to: Ichi) {
        steps(&mut self.control, Koma::from_index(KOMA), from);
        if promotes {
            steps(&mut self.control, Koma::from_index(KOMA).promoted(), to)
        } else {
            steps(&mut self.control, Koma::from_index(KOMA), to)
        }
    }

    #[inline(always)]
    fn toggle_steps(&mut self, koma: Koma, cell: Ichi) {
        let control = &mut self.control;
        macro_rules! dispatch {
            ($($index:literal)*) => { match koma.index() { $($index => steps(control, Koma::from_index($index), cell),)* _ => {} } };
        }
        dispatch!(17 19 20 23 24 25 26 27 28 29 30 33 35 36 39 40 41 42 43 44 45 46)
    }
}

#[inline(always)]
fn steps(control: &mut Control, koma: Koma, cell: Ichi) {
    let side = koma.side();
    let start = cell.index() - 13;
    let Some(window) = control[start..].first_chunk_mut::<27>() else { return };
    let mut direction = 0;
    while direction < 12 {
        if koma.moves().steps() >> direction & 1 != 0 {
            window[(13 + OFFSETS[direction]) as usize][side][direction / 8] ^= 1 << (direction % 8);
        }
        direction += 1;
    }
}
