//! What the parts of the search share: the position with all that goes along with it, the way down the tree and back,
//! and where the tree ends by the rules.

use std::sync::atomic::Ordering;

use super::history::{self, Before, History, NOWHERE};
use super::picker::Picker;
use super::sharing::{SHARED_DEPTH, Sharing, Turns};
use super::time::Timer;
use super::tt::{Entry, TranspositionTable};
use super::value::{DRAW, MAX_EVAL, MAX_PLY, RULE_WIN, Value, is_mate, win_at};
use super::{Bound, Config};
use crate::hyoka::Hyoka;
use crate::kyokumen::{Change, Declaration, Kyokumen, NyugyokuRule, Rireki, Sennichite, Te, Tesu};

/// Nodes between two looks at the clock and the stop signal: a millisecond or so where nodes have most moves.
const POLL: u64 = 64;

/// One search from a root: what it works on, and what it found so far.
pub(super) struct Search<'a, H> {
    pub(super) kyokumen: Kyokumen,
    rireki: Rireki,
    hyoka: &'a mut H,
    pub(super) table: &'a TranspositionTable,
    pub(super) history: &'a History,
    pub(super) timer: Timer<'a>,
    nyugyoku_rule: NyugyokuRule,
    /// The number of the last move before the game is a draw.
    last_tesu: Tesu,
    /// Positions looked at.
    pub(super) nodes: u64,
    node_limit: u64,
    next_poll: u64,
    /// What the threads tell each other, if there are several.
    pub(super) sharing: Option<&'a Sharing>,
    /// Whether this one helps the first.
    helps: bool,
    /// How many of the own nodes the others know of.
    told: u64,
    /// Longest line looked at, in plies.
    pub(super) seldepth: usize,
    /// Set once the search must end; values returned from then on mean nothing.
    pub(super) stopped: bool,
    /// Set as well where it must end only because another thread has finished this depth.
    pub(super) overtaken: bool,
    /// The moves of the game before what counts for repetition in the tree: the root, or the last pass.
    first_moves: usize,
    pub(super) root_depth: i32,
    /// No pass is tried above this ply, while another is verified.
    pub(super) pass_from: usize,
    /// Whether a position of the game could occur for the fourth time.
    near_sennichite: bool,
    pub(super) frames: Vec<Frame>,
}

/// What the search keeps for each ply.
#[derive(Default)]
pub(super) struct Frame {
    pub(super) picker: Picker,
    pub(super) killers: [Option<Te>; 2],
    /// The moves that were searched in vain.
    pub(super) tried: Vec<Te>,
    /// The best line from here.
    pub(super) pv: Vec<Te>,
    pub(super) eval: Value,
    /// Where the move that is being searched has gone.
    place: usize,
}

impl<'a, H: Hyoka> Search<'a, H> {
    /// A search by one thread alone.
    pub(super) fn new(
        (kyokumen, rireki): (&Kyokumen, &Rireki),
        (hyoka, table, history): (&'a mut H, &'a TranspositionTable, &'a History),
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
            sharing: None,
            helps: false,
            told: 0,
            seldepth: 0,
            stopped: false,
            overtaken: false,
            first_moves: rireki.moves(),
            root_depth: 0,
            pass_from: 0,
            near_sennichite: has_threefold(rireki),
            frames: (0..=MAX_PLY + 1).map(|_| Frame::default()).collect(),
        }
    }

    /// The same search as one of several threads, of which all but one help the first.
    pub(super) fn join(self, sharing: Option<&'a Sharing>, helps: bool) -> Search<'a, H> {
        Search { sharing, helps, ..self }
    }

    /// Positions looked at, and those of the helping threads, unless this is one of them.
    pub(super) fn all_nodes(&self) -> u64 {
        self.nodes + self.sharing.filter(|_| !self.helps).map_or(0, |sharing| sharing.nodes.load(Ordering::Relaxed))
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
        self.frames[ply].place = history::place_of(&change);
        self.seldepth = self.seldepth.max(ply + 1);
        let result = then(self);
        self.unmake(&change);
        result
    }

    /// Passes, does something, and takes the pass back. The evaluation is not told. What repeats a position from before
    /// the pass is no repetition.
    pub(super) fn descend_by_pass<R>(&mut self, ply: usize, then: impl FnOnce(&mut Self) -> R) -> R {
        self.kyokumen.do_pass();
        self.rireki.push(&self.kyokumen);
        let first_moves = std::mem::replace(&mut self.first_moves, self.rireki.moves());
        self.frames[ply].place = NOWHERE;
        let result = then(self);
        self.first_moves = first_moves;
        self.rireki.pop();
        self.kyokumen.undo_pass();
        result
    }

    #[inline]
    fn make(&mut self, te: Te) -> Change {
        let change = self.kyokumen.do_te(te);
        self.table.prefetch(self.kyokumen.key());
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

    /// Whether a pass led from this ply to the next.
    pub(super) fn has_passed(&self, ply: usize) -> bool {
        self.frames[ply].place == NOWHERE
    }

    /// Counts a node; says whether the search must end.
    #[inline]
    pub(super) fn enter_node(&mut self) -> bool {
        if self.nodes >= self.next_poll && !self.stopped {
            self.poll();
        }
        self.nodes += u64::from(!self.stopped);
        self.stopped
    }

    fn poll(&mut self) {
        self.stopped = self.all_nodes() >= self.node_limit || self.timer.must_stop(self.root_depth <= 1);
        if let Some(sharing) = self.sharing {
            if self.helps {
                sharing.nodes.fetch_add(self.nodes - self.told, Ordering::Relaxed);
                self.told = self.nodes;
            }
            self.overtaken = !self.stopped && sharing.depth() >= self.root_depth;
            self.stopped |= self.overtaken;
        }
        self.next_poll = (self.nodes + POLL).min(self.node_limit);
    }

    /// The evaluation of a node, and what the table makes of it; both as the last own one where the king is in check,
    /// since what is about to happen then counts more than what stands on the board.
    pub(super) fn evaluations(&mut self, known: Option<Entry>, oute: bool, ply: usize) -> (Value, Value) {
        let static_eval = known.map_or_else(|| self.evaluate(), |entry| entry.eval);
        let corrected =
            (static_eval + self.history.corrections.of(&self.kyokumen, self.before(ply)[0])).clamp(-MAX_EVAL, MAX_EVAL);
        self.frames[ply].eval = if oute && ply >= 2 { self.frames[ply - 2].eval } else { corrected };
        let better = known.filter(|&entry| {
            let limit = if entry.value > corrected { Bound::Lower } else { Bound::Upper };
            !oute && !is_mate(entry.value) && (entry.bound == Bound::Exact || entry.bound == limit)
        });
        (static_eval, better.map_or(corrected, |entry| entry.value))
    }

    /// The places to which the two moves before went.
    pub(super) fn before(&self, ply: usize) -> Before {
        [1, 2].map(|back| ply.checked_sub(back).map_or(NOWHERE, |ply| self.frames[ply].place))
    }

    /// The value of a game that ends here by the rules, other than by mate.
    pub(super) fn end_of_game(&mut self, ply: usize) -> Option<Value> {
        // A position that comes back within the tree would come back again: the second time is as good as the fourth.
        let sennichite = self
            .rireki
            .repetition(2, self.first_moves)
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

    /// The next move of a node, other than the excluded one.
    #[inline]
    pub(super) fn next_te(&mut self, ply: usize, excluded: Option<Te>) -> Option<Te> {
        let picker = &mut self.frames[ply].picker;
        let te = picker.next(&self.kyokumen, self.history)?;
        if Some(te) == excluded { picker.next(&self.kyokumen, self.history) } else { Some(te) }
    }

    /// How to take the moves of the node: with an eye on the other threads, where what they find will be of use.
    pub(super) fn turns(&self, depth: i32, is_singular: bool) -> Turns<'a> {
        let sharing = self.sharing.filter(|_| depth >= SHARED_DEPTH && !is_singular);
        Turns::new(sharing, self.kyokumen.key())
    }

    pub(super) fn clear_line(&mut self, ply: usize) {
        self.frames[ply].pv.clear();
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
