//! What the search leaves out: whole nodes whose value is foreseen, and moves that seem hopeless.
//!
//! Everything here assumes something that need not hold; it is said where it is done. Margins are in centipawns, and
//! the capture of a pawn is worth 210.

use super::Bound;
use super::picker::Wanted;
use super::search::{Candidate, Node};
use super::tree::Search;
use super::tt::Entry;
use super::value::{MATE_IN_MAX, Value, is_mate};
use crate::hyoka::Hyoka;
use crate::hyoka::material::EXCHANGE_VALUES;

/// A ply of reduction, as it is added up.
const PLY: i32 = 1024;
/// From this depth on a pass that refutes is verified.
const VERIFIED: i32 = 12;

impl<H: Hyoka> Search<'_, H> {
    /// The value of a node where it can be foreseen without searching all moves.
    pub(super) fn prune(&mut self, node: &Node) -> Option<Value> {
        if node.is_pv || node.oute || is_mate(node.beta) {
            return None;
        }
        self.razor(node)
            .or_else(|| node.is_far_above())
            .or_else(|| self.pass(node))
            .or_else(|| self.probe_captures(node))
    }

    /// Razoring: assumes that a side far below alpha near the leaves can only capture its way up. Worth 7 Elo (-47 to
    /// 61); this and the figures below are those of a match without the rule, of which docs/strength.md tells.
    fn razor(&mut self, node: &Node) -> Option<Value> {
        if node.depth > 3 || node.eval + 250 + 250 * node.depth * node.depth >= node.alpha {
            return None;
        }
        let value = self.quiesce(node.alpha, node.beta, node.ply, 0);
        (value <= node.alpha).then_some(value)
    }

    /// Null move: assumes that to move is always better than to pass, so that where even a pass keeps the other side
    /// below beta, some move does. Worth 37 Elo (-11 to 86).
    fn pass(&mut self, node: &Node) -> Option<Value> {
        let Node { depth, beta, ply, .. } = *node;
        let passed = ply > 0 && self.has_passed(ply - 1);
        let static_eval = self.frames[ply].eval;
        if passed || depth < 2 || node.eval < beta || ply < self.pass_from || static_eval + 20 * depth < beta + 100 {
            return None;
        }
        let reduction = 3 + depth / 4 + ((node.eval - beta) / 250).min(3);
        let reduced = depth - reduction;
        let value = self.descend_by_pass(ply, |search| -search.search(reduced, -beta, 1 - beta, ply + 1, !node.cut));
        if self.stopped || value < beta {
            return None;
        }
        // A mate that the other side allows by a pass is none.
        let value = if value >= MATE_IN_MAX { beta } else { value };
        if depth < VERIFIED || self.pass_from > 0 {
            return Some(value);
        }
        self.pass_from = ply + (3 * reduced / 4).max(1) as usize;
        let verified = self.search(reduced, beta - 1, beta, ply, false);
        self.pass_from = 0;
        (verified >= beta).then_some(value)
    }

    /// ProbCut: assumes that a capture which is far above beta in a shallower search is above beta in a deeper one.
    /// Worth -11 Elo (-65 to 42) in short searches, which seldom get there.
    fn probe_captures(&mut self, node: &Node) -> Option<Value> {
        let Node { depth, ply, .. } = *node;
        let beta = node.beta + 250;
        let contradicted = node.known.is_some_and(|entry| entry.depth >= depth - 3 && entry.value < beta);
        if depth < 5 || is_mate(beta) || contradicted {
            return None;
        }
        let least = beta - self.frames[ply].eval;
        let before = self.before(ply);
        self.frames[ply].picker.start(&self.kyokumen, Wanted::Winning(least), node.hash, [None; 3], before);
        while let Some(te) = self.next_te(ply, None) {
            let value = self.descend(te, ply, |search| {
                let value = -search.quiesce(-beta, 1 - beta, ply + 1, 0);
                if value < beta { value } else { -search.search(depth - 4, -beta, 1 - beta, ply + 1, !node.cut) }
            });
            if self.stopped {
                return None;
            }
            if value >= beta {
                let entry =
                    Entry { te: Some(te), value, eval: self.frames[ply].eval, depth: depth - 3, bound: Bound::Lower };
                self.table.store(self.kyokumen.key(), ply, entry);
                return Some(if is_mate(value) { value } else { value - (beta - node.beta) });
            }
        }
        None
    }

    /// By how much the move of the table is searched deeper, or the value of the node (`Err`), if that is foreseen.
    ///
    /// Singular extension: assumes that a move without which the node is worth clearly less deserves a deeper look.
    /// Multi-cut: that a node in which another move, too, reaches beta in a shallow search reaches it. Worth -24 Elo
    /// (-78 to 29) in short searches, which seldom get there.
    pub(super) fn extension_of_hash(&mut self, node: &Node) -> Result<i32, Value> {
        let Some(entry) = node.known.filter(|entry| {
            node.depth >= 7
                && entry.depth >= node.depth - 3
                && entry.bound != Bound::Upper
                && !is_mate(entry.value)
                && (node.ply as i32) < 2 * self.root_depth
        }) else {
            return Ok(0);
        };
        let Some(te) = node.hash.filter(|&te| self.kyokumen.is_legal(te)) else { return Ok(0) };
        let beta = entry.value - 2 * node.depth;
        let shallow = Node {
            alpha: beta - 1,
            beta,
            depth: (node.depth - 1) / 2,
            is_pv: false,
            hash: None,
            excluded: Some(te),
            ..*node
        };
        let (value, _) = self.search_moves(&shallow, 0);
        self.clear_line(node.ply);
        if self.stopped {
            Ok(0)
        } else if value < beta {
            Ok(1 + i32::from(!node.is_pv && value < beta - 40))
        } else if value >= node.beta && !node.is_pv && !is_mate(value) {
            Err(value)
        } else {
            Ok(-i32::from(entry.value >= node.beta || node.cut))
        }
    }

    /// Whether a move, of which there are better ones, can't be expected to reach alpha. In the nodes of the principal
    /// variation, too: that won 166 Elo (110 to 231) at 8,000 nodes a move.
    pub(super) fn is_hopeless(&mut self, node: &Node, candidate: &Candidate) -> bool {
        if node.oute || is_mate(node.alpha) {
            return false;
        }
        let depth = (node.depth - candidate.reduction).max(0);
        // Exchanges: assumes that what a move loses on its square is not won back elsewhere. Worth 37 Elo (-16 to 92)
        // for captures and promotions without check, 39 (-14 to 94) for others.
        let loses = |most: i32| !self.kyokumen.see_at_least(candidate.te, &EXCHANGE_VALUES, -most);
        if candidate.check || !candidate.quiet {
            return node.depth <= 6 && !candidate.check && loses(200 * node.depth);
        }
        // Late move pruning: assumes that the order is good. Worth 166 Elo (110 to 231).
        if node.depth <= 8 && candidate.count > node.most_moves() {
            self.frames[node.ply].picker.skip_quiet();
            return true;
        }
        // Futility: assumes that a quiet move wins no more than a margin. Worth 37 Elo (-16 to 92).
        if depth <= 7 && node.eval + 250 + 150 * depth <= node.alpha {
            return true;
        }
        // History: assumes that what has failed often fails again. Worth -4 Elo (-58 to 49)
        // but for moves to which reductions leave no depth, where it was not taken out.
        depth <= 4 && candidate.history < -4_000 * node.depth || node.depth <= 8 && loses(50 * depth * depth)
    }
}

impl Node {
    /// Reverse futility: assumes that a side far above beta that is not in check finds a move that keeps it there.
    /// Worth 145 Elo (95 to 201).
    fn is_far_above(&self) -> Option<Value> {
        let margin = 120 * (self.depth - i32::from(self.improving));
        (self.depth <= 8 && self.eval - margin >= self.beta && !is_mate(self.eval)).then_some(self.eval)
    }

    /// How many moves are worth a try near the leaves.
    fn most_moves(&self) -> usize {
        let most = 5 + 2 * self.depth * self.depth;
        (if self.improving { most } else { most * 2 / 3 }) as usize
    }

    /// Plies by which the search of a move is cut.
    pub(super) fn reduction(&self, candidate: &Candidate) -> i32 {
        let [depth, count] = [self.depth as usize, candidate.count].map(|number| number.min(63));
        let mut reduction = LOGARITHMS[depth] * LOGARITHMS[count] / PLY / 4 + PLY / 4;
        reduction += PLY * (i32::from(self.cut) - i32::from(self.is_pv) - i32::from(self.oute));
        reduction += PLY / 2 * i32::from(!self.improving);
        reduction -= PLY * (i32::from(candidate.check) + i32::from(candidate.refutes) + i32::from(!candidate.quiet));
        (reduction - candidate.history / 10) / PLY
    }
}

/// Binary logarithms, a `PLY` each, in whole numbers, so that they are the same on every machine.
const LOGARITHMS: [i32; 64] = {
    let mut table = [0; 64];
    let mut number = 2;
    while number < 64 {
        let whole = (number as u64).ilog2();
        // The fraction bit by bit: squaring doubles a logarithm.
        let (mut mantissa, mut bit) = ((number as u64) << 20 >> whole, PLY / 2);
        table[number] = whole as i32 * PLY;
        while bit > 0 {
            mantissa = (mantissa * mantissa) >> 20;
            if mantissa >= 2 << 20 {
                mantissa >>= 1;
                table[number] += bit;
            }
            bit /= 2;
        }
        number += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    fn reduction(depth: i32, count: usize) -> i32 {
        let (alpha, beta, known, hash) = (0, 1, None, None);
        let node = Node {
            alpha,
            beta,
            ply: 3,
            depth,
            eval: 0,
            is_pv: false,
            cut: false,
            oute: false,
            improving: true,
            hash,
            known,
            excluded: None,
        };
        let te = "7g7f".parse().unwrap();
        node.reduction(&Candidate { te, count, quiet: true, check: false, refutes: false, history: 0, reduction: 0 })
    }

    #[test]
    fn late_moves_are_cut_more_and_early_ones_not_at_all() {
        assert_eq!((reduction(3, 1), reduction(3, 6), reduction(8, 16), reduction(63, 600)), (0, 1, 3, 9));
    }

    #[test]
    fn logarithms_are_right() {
        for (number, logarithm) in (0_u32..).zip(LOGARITHMS).skip(1) {
            let exact = f64::from(number).log2() * f64::from(PLY);
            assert!((f64::from(logarithm) - exact).abs() <= 1.0, "{number}");
        }
    }
}
