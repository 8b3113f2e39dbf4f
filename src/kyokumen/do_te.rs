//! Making and unmaking moves, with `control` kept up by the difference.
//!
//! Four things change the attacks: the moving piece leaves, a captured piece disappears, the moving piece arrives, and
//! sliders see through an emptied square or stop at a filled one.

use super::direction::{OFFSETS, SLIDES, each};
use super::masu::Ichi;
use super::{Koma, Kyokumen, Masu, Syurui, Te, Teban, hash};

/// What a move changed: handed out by [`Kyokumen::do_te`], asked back by [`Kyokumen::undo_te`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The move.
    pub te: Te,
    /// The piece before the move, unpromoted if it promotes; for a drop the dropped piece.
    pub before: Koma,
    /// The piece as it stands after the move.
    pub after: Koma,
    /// The captured piece as it stood on the board; [`Koma::EMPTY`] if none.
    pub captured: Koma,
    board_key: u64,
    hand_key: u64,
}

impl Change {
    /// The side that moved.
    #[inline]
    pub fn teban(&self) -> Teban {
        if self.before.belongs_to(Teban::Sente) { Teban::Sente } else { Teban::Gote }
    }
}

impl Kyokumen {
    /// Plays a move, which must be legal, or at least come from a list of this very position.
    ///
    /// # Panics
    /// May panic, or leave a position without meaning, on a move that is not legal; ask [`Kyokumen::is_legal`] first
    /// about moves from outside.
    pub fn do_te(&mut self, te: Te) -> Change {
        let (teban, to) = (self.teban, te.to());
        let (keys, captured, before, after);
        keys = (self.board_key, self.hand_key);
        if let Some(from) = te.from() {
            before = self.koma(from);
            after = if te.promotes() { before.promoted() } else { before };
            captured = self.koma(to);
            debug_assert!(before.belongs_to(teban) && !captured.belongs_to(teban), "{te} in {self:?}");
            self.move_piece(from, to, before, after, captured);
        } else {
            let syurui = te.dropped().unwrap_or(Syurui::Fu);
            (before, captured) = (Koma::new(syurui, teban), Koma::EMPTY);
            after = before;
            debug_assert!(self.koma(to).is_empty(), "{te} in {self:?}");
            self.take_from_hand(teban, syurui);
            self.fill(to.ichi(), after);
            self.toggle_sets(after, to);
            self.board_key ^= hash::board(after, to);
        }
        self.board_key ^= hash::turn();
        self.teban = !teban;
        self.tesu += 1;
        self.check_now_and_then();
        Change { te, before, after, captured, board_key: keys.0, hand_key: keys.1 }
    }

    /// Takes back the move that was played last.
    pub fn undo_te(&mut self, change: &Change) {
        let to = change.te.to();
        let teban = !self.teban;
        self.teban = teban;
        self.tesu -= 1;
        self.board_key = change.board_key;
        self.hand_key = change.hand_key;
        self.toggle_sets(change.after, to);
        if let Some(from) = change.te.from() {
            self.toggle_sets(change.before, from);
            self.toggle_control(change.after, to.ichi());
            self.ban[to.ichi().index()] = change.captured;
            if change.captured.is_empty() {
                self.toggle_slides_through(to.ichi());
            } else if let Some(syurui) = change.captured.syurui() {
                self.toggle_sets(change.captured, to);
                self.motigoma[teban].take(syurui.unpromoted());
            }
            self.fill(from.ichi(), change.before);
            self.toggle_control(change.captured, to.ichi());
            self.track_ou(change.before, from);
        } else {
            self.toggle_control(change.after, to.ichi());
            self.ban[to.ichi().index()] = Koma::EMPTY;
            self.toggle_slides_through(to.ichi());
            if let Some(syurui) = change.te.dropped() {
                self.motigoma[teban].put(syurui);
            }
        }
        self.check_now_and_then();
    }

    /// In debug builds, compares with a rebuild from the board, in one position of a thousand, for the tests' sake:
    /// it takes much longer than a move.
    #[inline(always)]
    fn check_now_and_then(&self) {
        debug_assert!(!self.key().is_multiple_of(1024) || self.is_consistent(), "{self:?}");
    }

    fn move_piece(&mut self, from: Masu, to: Masu, before: Koma, after: Koma, captured: Koma) {
        self.toggle_control(before, from.ichi());
        self.toggle_control(captured, to.ichi());
        self.ban[from.ichi().index()] = Koma::EMPTY;
        self.toggle_slides_through(from.ichi());
        self.toggle_sets(before, from);
        self.toggle_sets(after, to);
        self.board_key ^= hash::board(before, from) ^ hash::board(after, to);
        if let Some(syurui) = captured.syurui() {
            self.toggle_sets(captured, to);
            self.board_key ^= hash::board(captured, to);
            self.put_in_hand(self.teban, syurui.unpromoted());
            self.ban[to.ichi().index()] = after;
            self.toggle_control(after, to.ichi());
        } else {
            self.fill(to.ichi(), after);
        }
        self.track_ou(after, to);
    }

    /// Puts a piece on an empty cell.
    #[inline(always)]
    fn fill(&mut self, cell: Ichi, koma: Koma) {
        self.toggle_slides_through(cell);
        self.ban[cell.index()] = koma;
        self.toggle_control(koma, cell);
    }

    #[inline(always)]
    fn track_ou(&mut self, koma: Koma, masu: Masu) {
        if let (Some(Syurui::Ou), Some(teban)) = (koma.syurui(), koma.teban()) {
            self.ou[teban] = Some(masu);
        }
    }

    fn put_in_hand(&mut self, teban: Teban, syurui: Syurui) {
        let count = self.motigoma[teban].count(syurui);
        self.hand_key ^= hash::hand(teban, syurui, count) ^ hash::hand(teban, syurui, count + 1);
        self.motigoma[teban].put(syurui);
    }

    fn take_from_hand(&mut self, teban: Teban, syurui: Syurui) {
        let count = self.motigoma[teban].count(syurui);
        self.hand_key ^= hash::hand(teban, syurui, count) ^ hash::hand(teban, syurui, count - 1);
        self.motigoma[teban].take(syurui);
    }

    /// Adds or removes the control of a piece that stands on a cell; nothing for an empty one.
    #[inline(always)]
    fn toggle_control(&mut self, koma: Koma, cell: Ichi) {
        let moves = koma.moves();
        let control = &mut self.control.0[usize::from(koma.belongs_to(Teban::Gote))];
        for direction in each(moves.steps()) {
            control[cell.step(OFFSETS[direction]).index()] ^= 1 << direction;
        }
        for direction in each(moves.slides()) {
            toggle_ray(&self.ban, control, cell, direction);
        }
    }

    /// Lengthens or cuts all slides that arrive at a cell that is being emptied or filled.
    #[inline(always)]
    fn toggle_slides_through(&mut self, cell: Ichi) {
        for control in &mut self.control.0 {
            for direction in each((control[cell.index()] & SLIDES) >> 16) {
                toggle_ray(&self.ban, control, cell, direction);
            }
        }
    }
}

/// Toggles a slide's bit from the neighbour of a cell up to and including the first cell that is not empty.
#[inline(always)]
fn toggle_ray(ban: &[Koma; 128], control: &mut [u32; 128], mut cell: Ichi, direction: usize) {
    loop {
        cell = cell.step(OFFSETS[direction]);
        control[cell.index()] ^= 1 << (16 + direction);
        if !ban[cell.index()].is_empty() {
            break;
        }
    }
}
