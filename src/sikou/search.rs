//! The main search: principal variation search over a tree of legal moves.

use super::history::History;
use super::order::{self, Picker};
use super::time::Timer;
use super::tt::{Entry, TranspositionTable};
use super::value::{DRAW, INFINITE, MATE_IN_MAX, MAX_EVAL, MAX_PLY, RULE_WIN, Value, is_mate, loss_at, win_at};
use super::{Bound, Config};
use crate::hyoka::Hyoka;
use crate::kyokumen::{Change, Declaration, Kyokumen, NyugyokuRule, Rireki, Sennichite, Syurui, Te, Tesu};

/// Nodes between two looks at the clock and the stop signal: a millisecond or so where nodes have most moves.
const POLL: u64 = 64;

/// One search from a root: what it works on, and what it found so far.
pub(super) struct Search<'a, H> {
    pub(super) kyokumen: Kyokumen,
    rireki: Rireki,
    hyoka: &'a mut H,
    table: &'a TranspositionTable,
    history: &'a mut History,
    pub(super) timer: Timer<'a>,
    nyugyoku_rule: NyugyokuRule,
    /// The number of the last move before the game is a draw.
    last_tesu: Tesu,
    /// Positions looked at.
    pub(super) nodes: u64,
    node_limit: u64,
    next_poll: u64,
    /// Longest line looked at, in plies.
    pub(super) seldepth: usize,
    /// Set once the search must end; values returned from then on mean nothing.
    pub(super) stopped: bool,
    root_moves: usize,
    root_depth: i32,
    /// Whether a position of the game could occur for the fourth time.
    near_sennichite: bool,
    frames: Vec<Frame>,
}

/// What the search keeps for each ply.
#[derive(Default)]
struct Frame {
    picker: Picker,
    killers: [Option<Te>; 2],
    /// The best line from here.
    pv: Vec<Te>,
}

impl<'a, H: Hyoka> Search<'a, H> {
    pub(super) fn new(
        (kyokumen, rireki): (&Kyokumen, &Rireki),
        (hyoka, table, history): (&'a mut H, &'a TranspositionTable, &'a mut History),
        (timer, config, node_limit): (Timer<'a>, &'a Config, Option<u64>),
    ) -> Search<'a, H> {
        hyoka.reset(kyokumen);
        let last_tesu = match config.max_moves_to_draw {
            0 => Tesu::MAX,
            // A game that goes on beyond its end: all moves would be equal.
            limit if kyokumen.tesu() > limit => Tesu::MAX,
            limit => limit,
        };
        Search {
            kyokumen: kyokumen.clone(),
            rireki: rireki.clone(),
            hyoka,
            table,
            history,
            timer,
            nyugyoku_rule: config.nyugyoku_rule,
            last_tesu,
            nodes: 0,
            node_limit: node_limit.unwrap_or(u64::MAX),
            next_poll: 0,
            seldepth: 0,
            stopped: false,
            root_moves: rireki.moves(),
            root_depth: 0,
            near_sennichite: has_threefold(rireki),
            frames: (0..=MAX_PLY + 1).map(|_| Frame::default()).collect(),
        }
    }

    /// Value of a move at the root, searched to a depth within a window.
    pub(super) fn search_root_move(&mut self, te: Te, depth: i32, alpha: Value, beta: Value) -> Value {
        self.root_depth = depth;
        self.descend(te, 0, |search| -search.search(depth - 1, -beta, -alpha, 1))
    }

    /// The line behind the root move that was searched last.
    pub(super) fn root_line(&self) -> &[Te] {
        &self.frames[1].pv
    }

    /// The evaluation of the position, without search.
    pub(super) fn evaluate(&mut self) -> Value {
        self.hyoka.value(&self.kyokumen).clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// Plays a move, does something, and takes the move back.
    #[inline]
    pub(super) fn descend<R>(&mut self, te: Te, ply: usize, then: impl FnOnce(&mut Self) -> R) -> R {
        let change = self.make(te);
        self.seldepth = self.seldepth.max(ply + 1);
        let result = then(self);
        self.unmake(&change);
        result
    }

    #[inline]
    fn make(&mut self, te: Te) -> Change {
        let change = self.kyokumen.do_te(te);
        self.rireki.push(&self.kyokumen);
        self.hyoka.push(&self.kyokumen, &change);
        change
    }

    #[inline]
    fn unmake(&mut self, change: &Change) {
        self.kyokumen.undo_te(change);
        self.rireki.pop();
        self.hyoka.pop(&self.kyokumen, change);
    }

    /// Counts a node; says whether the search must end.
    #[inline]
    pub(super) fn enter_node(&mut self) -> bool {
        if self.nodes >= self.next_poll {
            let is_first = self.root_depth <= 1;
            self.stopped |= self.nodes >= self.node_limit || self.timer.must_stop(is_first);
            self.next_poll = (self.nodes + POLL).min(self.node_limit);
        }
        self.nodes += u64::from(!self.stopped);
        self.stopped
    }

    /// Value of the position from the side to move, within a window; fail-soft.
    fn search(&mut self, depth: i32, alpha: Value, beta: Value, ply: usize) -> Value {
        if depth <= 0 {
            return self.quiesce(alpha, beta, ply);
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
        let eval = known.map_or_else(|| self.evaluate(), |entry| entry.eval);
        // Reverse futility: assumes that a side far above beta that is not in check finds a move that keeps it there.
        if !is_pv && !oute && depth <= 6 && !is_mate(beta) && eval - 120 * depth >= beta {
            return eval;
        }
        let hash = known.and_then(|entry| entry.te);
        // Assumes that without a move from the table a shallower search, which leaves one, is the better start.
        let depth = depth - i32::from(depth >= 5 && hash.is_none());
        let node = Node { alpha, beta, ply, is_pv, oute, eval, depth };
        let (best, te) = self.search_moves(&node, hash);
        if !self.stopped {
            let bound = bound_of(best, alpha, beta);
            self.table.store(key, ply, Entry { te, value: best, eval, depth, bound });
        }
        best
    }

    /// Searches the moves of a node; the best value, and the move behind it where it is above alpha.
    fn search_moves(&mut self, node: &Node, hash: Option<Te>) -> (Value, Option<Te>) {
        self.fill_picker(node.ply, hash);
        let (mut alpha, mut best, mut best_te) = (node.alpha, -INFINITE, None);
        let mut count = 0;
        while let Some(te) = self.frames[node.ply].picker.next() {
            let quiet = !order::is_tactical(&self.kyokumen, te);
            let loses = order::seems_to_lose(&self.kyokumen, te);
            count += 1;
            let strong = !loses && self.kyokumen.gives_check(te);
            if quiet && !strong && best > -MATE_IN_MAX && node.is_hopeless(count) {
                best = best.max(alpha);
                continue;
            }
            let kind = if !quiet || strong { Kind::Forcing { check: strong } } else { Kind::Quiet };
            let value = self.descend(te, node.ply, |search| search.search_move(node, alpha, count, kind));
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
                    self.learn(node, te, quiet);
                    break;
                }
            }
        }
        // Without a legal move the game is lost, in check or not.
        if count == 0 { (loss_at(node.ply), None) } else { (best.max(-INFINITE + 1), best_te) }
    }

    fn fill_picker(&mut self, ply: usize, hash: Option<Te>) {
        self.frames[ply + 1].killers = [None; 2];
        let list = self.kyokumen.legal_te();
        let Frame { picker, killers, .. } = &mut self.frames[ply];
        picker.fill(&self.kyokumen, &list, hash, killers, self.history);
    }

    /// Searches the position after a move: the first with the whole window, others with none, until one proves better.
    fn search_move(&mut self, node: &Node, alpha: Value, count: usize, kind: Kind) -> Value {
        let ply = node.ply + 1;
        // Check extension: assumes that answers to a check are few, and that it may only put off what is to come.
        let extends = matches!(kind, Kind::Forcing { check: true }) && (ply as i32) < 2 * self.root_depth;
        let depth = node.depth - 1 + i32::from(extends);
        if count == 1 {
            return -self.search(depth, -node.beta, -alpha, ply);
        }
        let mut reduction = 0;
        // Late move reductions: assumes that the order is good, so that late quiet moves seldom are the best.
        if kind == Kind::Quiet && node.depth >= 3 {
            reduction = reduction_of(node.depth, count) - i32::from(node.is_pv) - i32::from(node.oute);
            reduction = reduction.min(depth - 1).max(0);
        }
        let mut value = -self.search(depth - reduction, -alpha - 1, -alpha, ply);
        if value > alpha && reduction > 0 {
            value = -self.search(depth, -alpha - 1, -alpha, ply);
        }
        if value > alpha && value < node.beta {
            value = -self.search(depth, -node.beta, -alpha, ply);
        }
        value
    }

    /// The value of a game that ends here by the rules, other than by mate.
    pub(super) fn end_of_game(&mut self, ply: usize) -> Option<Value> {
        // A position that comes back within the tree would come back again: the second time is as good as the fourth.
        let sennichite = self
            .rireki
            .repetition(2, self.root_moves)
            .or_else(|| self.near_sennichite.then(|| self.rireki.sennichite()).flatten());
        match sennichite {
            Some(Sennichite::Draw) => return Some(DRAW),
            Some(Sennichite::Win) => return Some(RULE_WIN - ply as Value),
            Some(Sennichite::Loss) => return Some(ply as Value - RULE_WIN),
            None => {}
        }
        match self.kyokumen.nyugyoku(self.nyugyoku_rule) {
            Some(Declaration::Win) => return Some(win_at(ply)),
            Some(Declaration::Move(te)) => {
                self.frames[ply].pv = vec![te];
                return Some(win_at(ply));
            }
            Some(Declaration::Draw) | None => {}
        }
        (self.kyokumen.tesu() > self.last_tesu && self.kyokumen.has_legal_te()).then_some(DRAW)
    }

    /// The best line of a node becomes this move with the best line of the next node.
    pub(super) fn take_line(&mut self, te: Te, ply: usize) {
        let (here, below) = self.frames.split_at_mut(ply + 1);
        let pv = &mut here[ply].pv;
        pv.clear();
        pv.push(te);
        pv.extend_from_slice(&below[0].pv);
    }

    /// Remembers a quiet move that refuted, and that those tried before it did not.
    fn learn(&mut self, node: &Node, te: Te, quiet: bool) {
        if !quiet {
            return;
        }
        let frame = &mut self.frames[node.ply];
        if frame.killers[0] != Some(te) {
            frame.killers = [Some(te), frame.killers[0]];
        }
        let bonus = (node.depth * node.depth * 16).min(2_000);
        self.history.update(&self.kyokumen, te, bonus);
        for tried in frame.picker.tried().iter().rev().skip(1) {
            if !order::is_tactical(&self.kyokumen, tried.te) {
                self.history.update(&self.kyokumen, tried.te, -bonus);
            }
        }
    }

    /// The picker of a ply, filled with captures; for the quiescence search.
    pub(super) fn fill_captures(&mut self, ply: usize) {
        let mut list = self.kyokumen.legal_captures();
        // Of promotions that take nothing only those of pawns gain enough.
        list.retain(|te| !self.kyokumen.koma(te.to()).is_empty() || self.kyokumen.moved_syurui(te) == Some(Syurui::Fu));
        self.frames[ply].picker.fill_captures(&self.kyokumen, &list);
    }

    /// The picker of a ply, filled with the answers to a check; for the quiescence search.
    pub(super) fn fill_answers(&mut self, ply: usize) {
        self.fill_picker(ply, None);
    }

    pub(super) fn next_te(&mut self, ply: usize) -> Option<Te> {
        self.frames[ply].picker.next()
    }

    pub(super) fn clear_line(&mut self, ply: usize) {
        self.frames[ply].pv.clear();
    }
}

/// What a move is, as far as cutting its search goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A capture, a promotion, or a check that does not give a piece away.
    Forcing { check: bool },
    /// Any other.
    Quiet,
}

/// What holds for all moves of a node.
struct Node {
    alpha: Value,
    beta: Value,
    ply: usize,
    depth: i32,
    eval: Value,
    is_pv: bool,
    oute: bool,
}

impl Node {
    /// Whether the quiet move with this number, unless it gives check, can't be expected to reach alpha.
    fn is_hopeless(&self, count: usize) -> bool {
        if self.is_pv || self.oute || self.depth > 5 || is_mate(self.alpha) {
            return false;
        }
        // Futility: assumes that a quiet move wins no more than a margin. Late move pruning: that the order is good.
        self.eval + 120 + 130 * self.depth <= self.alpha || count > (6 + 4 * self.depth * self.depth) as usize
    }
}

/// Whether some position has occurred three times lately, so that a fourth is near.
fn has_threefold(rireki: &Rireki) -> bool {
    const LOOK_BACK: usize = 512;
    let mut rireki = rireki.clone();
    (0..rireki.moves().min(LOOK_BACK)).any(|_| {
        let found = rireki.occurrences() >= 3;
        rireki.pop();
        found
    })
}

/// Whether what the table knows decides about a window of no width below `beta`.
fn settles(entry: Entry, beta: Value) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.value >= beta,
        Bound::Upper => entry.value < beta,
    }
}

fn bound_of(value: Value, alpha: Value, beta: Value) -> Bound {
    if value >= beta {
        Bound::Lower
    } else if value > alpha {
        Bound::Exact
    } else {
        Bound::Upper
    }
}

/// Plies by which the search of a late move is cut: grows with the logarithms of depth and number.
fn reduction_of(depth: i32, count: usize) -> i32 {
    let logarithms = (depth.max(1) as u32).ilog2() * (count.max(1) as u32).ilog2();
    (logarithms as i32 + 1) / 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_moves_are_cut_more_and_early_ones_not_at_all() {
        assert_eq!((reduction_of(3, 1), reduction_of(3, 4), reduction_of(8, 16)), (0, 1, 4));
    }

    #[test]
    fn a_table_entry_settles_a_window_only_on_its_own_side() {
        let entry = |value, bound| Entry { te: None, value, eval: 0, depth: 1, bound };
        assert!(settles(entry(10, Bound::Lower), 10) && !settles(entry(9, Bound::Lower), 10));
        assert!(settles(entry(9, Bound::Upper), 10) && !settles(entry(10, Bound::Upper), 10));
        assert!(settles(entry(3, Bound::Exact), 10));
    }
}
