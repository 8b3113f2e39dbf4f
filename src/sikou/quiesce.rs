//! The quiescence search: captures and promotions until nothing hangs, so that the evaluation sees quiet positions.

use super::history;
use super::picker::{self, Wanted};
use super::search::{bound_of, settles};
use super::tree::Search;
use super::tt::Entry;
use super::value::{DRAW, INFINITE, MATE_IN_MAX, MAX_PLY, Value, loss_at, win_at};
use crate::hyoka::Hyoka;
use crate::hyoka::material::EXCHANGE_VALUES;
use crate::kyokumen::Te;

/// What a capture may win beyond its material, at most.
const MARGIN: Value = 200;

/// What goes on in a node: the best value so far, and its move.
struct Best {
    value: Value,
    te: Option<Te>,
}

impl<H: Hyoka> Search<'_, H> {
    /// Value of the position from the side to move, within a window, when only captures and promotions are played, and
    /// all answers to check. `depth` is 0 at first and falls.
    pub(super) fn quiesce(&mut self, alpha: Value, beta: Value, ply: usize, depth: i32) -> Value {
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
        let key = self.kyokumen.key();
        let known = self.table.probe(key, ply);
        if let Some(entry) = known
            && beta - alpha == 1
            && settles(entry, beta)
        {
            return entry.value;
        }
        let oute = self.kyokumen.is_oute();
        let (static_eval, eval) = self.evaluations(known, oute, ply);
        let hash = known.and_then(|entry| entry.te);
        // Not in check: assumes that the side to move has something no worse than to do nothing.
        let mut best = Best { value: if oute { -INFINITE } else { eval }, te: None };
        if best.value < beta {
            if depth >= -1 && known.is_none() && !oute && self.mates_at_once(ply) {
                return win_at(ply);
            }
            self.try_moves((alpha, beta), &mut best, (ply, depth), hash);
        }
        if best.value == -INFINITE {
            return loss_at(ply);
        }
        if !self.stopped {
            let bound = bound_of(best.value, alpha, beta);
            self.table.store(key, ply, Entry { te: best.te, value: best.value, eval: static_eval, depth: 0, bound });
        }
        best.value
    }

    fn try_moves(&mut self, window: (Value, Value), best: &mut Best, (ply, depth): (usize, i32), hash: Option<Te>) {
        let (oute, stand_pat) = (self.kyokumen.is_oute(), best.value);
        let before = self.before(ply);
        self.frames[ply].picker.start(&self.kyokumen, Wanted::Captures, hash, [None; 3], before);
        let mut quiet = 0;
        while let Some(te) = self.next_te(ply, None) {
            if oute {
                // Assumes that of the answers which take nothing the first few tell whether there is a defence.
                quiet += i32::from(!picker::is_tactical(&self.kyokumen, te));
                if quiet > 12 && best.value > -MATE_IN_MAX {
                    break;
                }
            } else {
                // Assumes that the evaluation changes little but for the material won.
                let at_most = stand_pat + history::won_by(&self.kyokumen, te) + MARGIN;
                if at_most <= window.0 {
                    best.value = best.value.max(at_most);
                    continue;
                }
                if !self.kyokumen.see_at_least(te, &EXCHANGE_VALUES, 0) {
                    continue;
                }
            }
            if self.try_te(te, window, best, (ply, depth)) {
                return;
            }
        }
        if depth == 0 && !oute {
            self.try_checks(window, best, ply);
        }
    }

    /// Tries quiet checks that lose nothing on their square. Assumes that below the first ply they only put off what is
    /// to come.
    fn try_checks(&mut self, window: (Value, Value), best: &mut Best, ply: usize) {
        for te in self.kyokumen.legal_checks() {
            let is_worth_it =
                !picker::is_tactical(&self.kyokumen, te) && self.kyokumen.see_at_least(te, &EXCHANGE_VALUES, 0);
            if is_worth_it && self.try_te(te, window, best, (ply, 0)) {
                return;
            }
        }
    }

    /// Searches a move, and raises `best` to its value. Says whether that is enough, or the search must end.
    fn try_te(&mut self, te: Te, (alpha, beta): (Value, Value), best: &mut Best, (ply, depth): (usize, i32)) -> bool {
        // Answers to a check are forced, and don't count.
        let depth = depth - i32::from(!self.kyokumen.is_oute());
        let value = self.descend(te, ply, |search| -search.quiesce(-beta, -alpha.max(best.value), ply + 1, depth));
        if self.stopped {
            return true;
        }
        if value > best.value {
            best.value = value;
            if value > alpha {
                best.te = Some(te);
                self.take_line(te, ply);
            }
        }
        best.value >= beta
    }
}
