//! The quiescence search: captures and promotions until nothing hangs, so that the evaluation sees quiet positions.

use super::order;
use super::search::Search;
use super::value::{DRAW, INFINITE, MAX_PLY, Value, loss_at};
use crate::hyoka::{Hyoka, material};
use crate::kyokumen::Te;

/// What a capture may win beyond its material, at most.
const MARGIN: Value = 200;

impl<H: Hyoka> Search<'_, H> {
    /// Value of the position from the side to move, within a window, when only captures and promotions are played, and
    /// all answers to check.
    pub(super) fn quiesce(&mut self, alpha: Value, beta: Value, ply: usize) -> Value {
        self.clear_line(ply);
        if self.enter_node() {
            return DRAW;
        }
        if let Some(value) = self.end_of_game(ply) {
            return value;
        }
        if ply >= MAX_PLY {
            return self.evaluate();
        }
        if self.kyokumen.is_oute() { self.quiesce_oute(alpha, beta, ply) } else { self.quiesce_quiet(alpha, beta, ply) }
    }

    /// Not in check: assumes that the side to move has something no worse than to do nothing.
    fn quiesce_quiet(&mut self, alpha: Value, beta: Value, ply: usize) -> Value {
        let stand_pat = self.evaluate();
        if stand_pat >= beta {
            return stand_pat;
        }
        let mut best = stand_pat;
        self.fill_captures(ply);
        while let Some(te) = self.next_te(ply) {
            // Assumes that the evaluation changes little but for the material won.
            let won = material::capture_value(self.kyokumen.koma(te.to()));
            let at_most = stand_pat + won + MARGIN;
            if at_most <= alpha && !te.promotes() {
                best = best.max(at_most);
                continue;
            }
            if order::seems_to_lose(&self.kyokumen, te) {
                continue;
            }
            if self.try_te(te, (alpha, beta), &mut best, ply) {
                break;
            }
        }
        best
    }

    /// In check: every answer counts, and none means mate.
    fn quiesce_oute(&mut self, alpha: Value, beta: Value, ply: usize) -> Value {
        let mut best = -INFINITE;
        self.fill_answers(ply);
        while let Some(te) = self.next_te(ply) {
            if self.try_te(te, (alpha, beta), &mut best, ply) {
                break;
            }
        }
        if best == -INFINITE { loss_at(ply) } else { best }
    }

    /// Searches a move, and raises `best` to its value. Says whether that is enough, or the search must end.
    fn try_te(&mut self, te: Te, (alpha, beta): (Value, Value), best: &mut Value, ply: usize) -> bool {
        let value = self.descend(te, ply, |search| -search.quiesce(-beta, -alpha.max(*best), ply + 1));
        if self.stopped {
            return true;
        }
        if value > *best {
            *best = value;
            if value > alpha {
                self.take_line(te, ply);
            }
        }
        *best >= beta
    }
}
