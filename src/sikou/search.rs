//! The main search: principal variation search over a tree of legal moves.

use super::Bound;
use super::picker::{self, Wanted};
use super::tree::{Frame, Search};
use super::tt::Entry;
use super::value::{DRAW, INFINITE, MATE_IN_MAX, MAX_PLY, Value, is_mate, loss_at, win_at};
use crate::hyoka::Hyoka;
use crate::hyoka::material::EXCHANGE_VALUES;
use crate::kyokumen::Te;

impl<H: Hyoka> Search<'_, H> {
    /// Value of a move at the root, searched to a depth within a window.
    pub(super) fn search_root_move(&mut self, te: Te, depth: i32, alpha: Value, beta: Value) -> Value {
        self.root_depth = depth;
        self.descend(te, 0, |search| -search.search(depth - 1, -beta, -alpha, 1, beta - alpha == 1))
    }

    /// The same for a move that has this number among all, and is not the first: exact only if it proves better.
    pub(super) fn search_late_root_move(&mut self, te: Te, depth: i32, window: (Value, Value), number: usize) -> Value {
        self.root_depth = depth;
        let mut node = Node::at_root(depth, window);
        node.oute = self.kyokumen.is_oute();
        let candidate = self.candidate(&node, te, number);
        self.descend(te, 0, |search| search.search_move(&node, window.0, &candidate, 0))
    }

    /// Value of the position from the side to move, within a window; fail-soft. `cut`: whether a refutation is
    /// expected.
    pub(super) fn search(&mut self, depth: i32, alpha: Value, beta: Value, ply: usize, cut: bool) -> Value {
        if depth <= 0 {
            return self.quiesce(alpha, beta, ply, 0);
        }
        self.frames[ply].pv.clear();
        if self.enter_node() {
            return DRAW;
        }
        if let Some(value) = self.end_of_game(ply) {
            return value;
        }
        if ply >= MAX_PLY {
            return self.evaluate();
        }
        // Mate distance: assumes nothing. No line from here is worth more than a mate next move, or less than mate now.
        let (alpha, beta) = (alpha.max(loss_at(ply)), beta.min(win_at(ply)));
        if alpha >= beta {
            return alpha;
        }
        let is_pv = beta - alpha > 1;
        let key = self.kyokumen.key();
        let known = self.table.probe(key, ply);
        if let Some(entry) = known
            && !is_pv
            && entry.depth >= depth
            && settles(entry, beta)
        {
            return entry.value;
        }
        let oute = self.kyokumen.is_oute();
        // What the quiescence search has left in the table may come from where it does not look for mates.
        if known.is_none_or(|entry| entry.depth == 0) && !oute && self.mates_at_once(ply) {
            return win_at(ply);
        }
        let (static_eval, eval) = self.evaluations(known, oute, ply);
        let hash = known.and_then(|entry| entry.te);
        // Internal iterative reduction: assumes that without a move from the table a shallower search, which leaves
        // one, is the better start. Worth 0 Elo (-54 to 54).
        let depth = depth - i32::from(depth >= 4 && hash.is_none() && (is_pv || cut));
        let improving = self.is_improving(ply);
        let node = Node { alpha, beta, ply, depth, eval, is_pv, cut, oute, improving, hash, known, excluded: None };
        if let Some(value) = self.prune(&node) {
            return value;
        }
        let (best, te) = match self.extension_of_hash(&node) {
            Ok(extension) => self.search_moves(&node, extension),
            Err(value) => return value,
        };
        if !self.stopped {
            let bound = bound_of(best, alpha, beta);
            self.correct(&node, best, bound, te);
            self.table.store(key, ply, Entry { te, value: best, eval: static_eval, depth, bound });
        }
        best
    }

    /// Whether the side to move stands better than before its last move.
    fn is_improving(&self, ply: usize) -> bool {
        ply < 2 || self.frames[ply].eval > self.frames[ply - 2].eval
    }

    /// Looks for a mate with the next move, and makes it the line.
    pub(super) fn mates_at_once(&mut self, ply: usize) -> bool {
        let mate = self.kyokumen.mate_in_one();
        self.frames[ply].pv.extend(mate);
        mate.is_some()
    }

    /// Searches the moves of a node; the best value, and the move behind it where it is above alpha. The move of the
    /// table is searched so much deeper.
    pub(super) fn search_moves(&mut self, node: &Node, extension: i32) -> (Value, Option<Te>) {
        self.start_picker(node);
        let (mut alpha, mut best, mut best_te) = (node.alpha, -INFINITE, None);
        let mut turns = self.turns(node.depth, node.excluded.is_some());
        while let Some(turn) = turns.next(self.next_te(node.ply, node.excluded)) {
            let te = turn.te;
            let candidate = self.candidate(node, te, turn.number);
            if best > -MATE_IN_MAX && self.is_hopeless(node, &candidate) {
                best = best.max(alpha);
                continue;
            }
            let Some(claim) = turns.claim(turn) else { continue };
            let extension = if Some(te) == node.hash { extension } else { self.extends(node, &candidate).into() };
            let value = self.descend(te, node.ply, |search| search.search_move(node, alpha, &candidate, extension));
            drop(claim);
            if self.stopped {
                return (best, best_te);
            }
            best = best.max(value);
            if value > alpha {
                (alpha, best_te) = (value, Some(te));
                if node.is_pv {
                    self.take_line(te, node.ply);
                }
                if value >= node.beta {
                    self.learn(node, &candidate);
                    break;
                }
            }
            self.frames[node.ply].tried.push(te);
        }
        // Without a legal move the game is lost, in check or not.
        let none = if node.excluded.is_some() { node.alpha } else { loss_at(node.ply) };
        if turns.count == 0 { (none, None) } else { (best.max(-INFINITE + 1), best_te) }
    }

    /// Remembers by how much the evaluation was wrong, where it could have been right: no capture decides, and what was
    /// found is not on the side of a bound that says nothing.
    fn correct(&mut self, node: &Node, best: Value, bound: Bound, te: Option<Te>) {
        let eval = self.frames[node.ply].eval;
        let says_nothing = match bound {
            Bound::Exact => false,
            Bound::Lower => best <= eval,
            Bound::Upper => best >= eval,
        };
        let decides = te.is_some_and(|te| picker::is_tactical(&self.kyokumen, te));
        if !(node.oute || decides || says_nothing || is_mate(best)) {
            let place = self.before(node.ply)[0];
            self.history.corrections.learn(&self.kyokumen, place, best - eval, node.depth);
        }
    }

    fn start_picker(&mut self, node: &Node) {
        let before = self.before(node.ply);
        self.frames[node.ply + 1].killers = [None; 2];
        let Frame { picker, killers, tried, .. } = &mut self.frames[node.ply];
        tried.clear();
        let refutations = [killers[0], killers[1], self.history.counter(before)];
        picker.start(&self.kyokumen, Wanted::All, node.hash, refutations, before);
    }

    fn candidate(&self, node: &Node, te: Te, count: usize) -> Candidate {
        let quiet = !picker::is_tactical(&self.kyokumen, te);
        let history = if quiet {
            self.history.quiet(&self.kyokumen, te, self.before(node.ply))
        } else {
            self.history.capture(&self.kyokumen, te)
        };
        let refutes = self.frames[node.ply].killers.contains(&Some(te));
        let check = self.kyokumen.gives_check(te);
        let mut candidate = Candidate { te, count, quiet, check, refutes, history, reduction: 0 };
        candidate.reduction = node.reduction(&candidate);
        candidate
    }

    /// Check extension: assumes that answers to a check are few, and that it may only put off what is to come. Won
    /// 80 Elo (28 to 134) at 8,000 nodes a move, and later, with a network, lost 24 (-30 to 79).
    fn extends(&self, node: &Node, candidate: &Candidate) -> bool {
        candidate.check
            && (node.ply as i32 + 1) < 2 * self.root_depth
            && self.kyokumen.see_at_least(candidate.te, &EXCHANGE_VALUES, 0)
    }

    /// Searches the position after a move: the first with the whole window, others with none, until one proves better.
    fn search_move(&mut self, node: &Node, alpha: Value, candidate: &Candidate, extension: i32) -> Value {
        let ply = node.ply + 1;
        let depth = node.depth - 1 + extension;
        if candidate.count == 1 {
            return -self.search(depth, -node.beta, -alpha, ply, !node.is_pv && !node.cut);
        }
        // Late move reductions: assumes that the order is good, so that late moves seldom are the best. Worth 64 Elo
        // (11 to 120).
        let reduced = if node.depth >= 2 { (depth - candidate.reduction).clamp(1, depth.max(1)) } else { depth };
        let mut value = -self.search(reduced, -alpha - 1, -alpha, ply, reduced < depth || !node.cut);
        if value > alpha && reduced < depth {
            value = -self.search(depth, -alpha - 1, -alpha, ply, !node.cut);
        }
        if value > alpha && value < node.beta {
            value = -self.search(depth, -node.beta, -alpha, ply, false);
        }
        value
    }

    /// Remembers a move that refuted, and that those tried before it did not.
    fn learn(&mut self, node: &Node, candidate: &Candidate) {
        let (te, before) = (candidate.te, self.before(node.ply));
        let bonus = (160 * node.depth - 60).min(1_800);
        let Frame { killers, tried, .. } = &mut self.frames[node.ply];
        if candidate.quiet {
            if killers[0] != Some(te) {
                *killers = [Some(te), killers[0]];
            }
            self.history.learn_counter(te, before);
            self.history.learn_quiet(&self.kyokumen, te, before, bonus);
        } else {
            self.history.learn_capture(&self.kyokumen, te, bonus);
        }
        for &te in tried.iter() {
            if picker::is_tactical(&self.kyokumen, te) {
                self.history.learn_capture(&self.kyokumen, te, -bonus);
            } else if candidate.quiet {
                self.history.learn_quiet(&self.kyokumen, te, before, -bonus);
            }
        }
    }
}

/// What holds for all moves of a node.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) alpha: Value,
    pub(super) beta: Value,
    pub(super) ply: usize,
    pub(super) depth: i32,
    /// The evaluation, or better what the table says.
    pub(super) eval: Value,
    pub(super) is_pv: bool,
    /// Whether a refutation is expected.
    pub(super) cut: bool,
    pub(super) oute: bool,
    pub(super) improving: bool,
    pub(super) hash: Option<Te>,
    pub(super) known: Option<Entry>,
    /// A move that is not searched.
    pub(super) excluded: Option<Te>,
}

impl Node {
    /// The root, of which nothing is known here.
    fn at_root(depth: i32, (alpha, beta): (Value, Value)) -> Node {
        let (eval, improving, cut, oute) = (0, true, false, false);
        let is_pv = true;
        Node { alpha, beta, ply: 0, depth, eval, is_pv, cut, oute, improving, hash: None, known: None, excluded: None }
    }
}

/// A move of a node, and what the search goes by.
pub(super) struct Candidate {
    pub(super) te: Te,
    /// Its number, from 1 on.
    pub(super) count: usize,
    /// Whether it neither captures nor promotes.
    pub(super) quiet: bool,
    pub(super) check: bool,
    /// Whether it has refuted something in another position of this ply.
    pub(super) refutes: bool,
    /// What the history says about it.
    pub(super) history: i32,
    /// Plies by which its search is cut.
    pub(super) reduction: i32,
}

/// Whether what the table knows decides about a window of no width below `beta`.
pub(super) fn settles(entry: Entry, beta: Value) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.value >= beta,
        Bound::Upper => entry.value < beta,
    }
}

pub(super) fn bound_of(value: Value, alpha: Value, beta: Value) -> Bound {
    if value >= beta {
        Bound::Lower
    } else if value > alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_entry_settles_a_window_only_on_its_own_side() {
        let entry = |value, bound| Entry { te: None, value, eval: 0, depth: 1, bound };
        assert!(settles(entry(10, Bound::Lower), 10) && !settles(entry(9, Bound::Lower), 10));
        assert!(settles(entry(9, Bound::Upper), 10) && !settles(entry(10, Bound::Upper), 10));
        assert!(settles(entry(3, Bound::Exact), 10));
    }
}
