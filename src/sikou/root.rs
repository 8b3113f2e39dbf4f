//! The search seen from its root: iterative deepening, lines, and the choice.

use super::sharing::Turns;
use super::tree::Search;
use super::value::{INFINITE, MATE, MAX_PLY, Value, is_mate, score};
use super::{Answer, Bound, Line, Report, Task};
use crate::hyoka::Hyoka;
use crate::kyokumen::{Kyokumen, Te};

/// Half the first aspiration window.
const WINDOW: Value = 35;
/// A wider window is as good as none.
const WIDEST: Value = 1_000;

/// A move at the root with what the search found out about it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) te: Te,
    pub(super) value: Value,
    /// From this move on; empty until the move was once the best of those behind the better lines.
    pub(super) pv: Vec<Te>,
}

/// A search with the moves of its root.
pub(super) struct Root<'a, H> {
    search: Search<'a, H>,
    /// Best first.
    moves: Vec<RootMove>,
    /// How many of them are searched for their exact value.
    lines: usize,
    /// The depth that was finished last.
    depth: i32,
    /// The first move of the line that was reported last.
    last_told: Option<Te>,
    /// The best move of the iteration before, its value, and for how many iterations it has been the best.
    last_best: (Option<Te>, Value, u32),
}

impl<'a, H: Hyoka> Root<'a, H> {
    /// A search of the moves asked for, if there are any, else of all.
    pub(super) fn new(search: Search<'a, H>, asked: &[Te], lines: usize) -> Root<'a, H> {
        let legal = search.kyokumen.legal_te();
        let any = legal.iter().any(|te| asked.contains(te));
        let chosen = legal.into_iter().filter(|te| !any || asked.contains(te));
        let moves: Vec<_> = chosen.map(|te| RootMove { te, value: -INFINITE, pv: Vec::new() }).collect();
        let lines = lines.clamp(1, moves.len());
        Root { search, moves, lines, depth: 0, last_told: None, last_best: (None, 0, 0) }
    }

    /// Searches deeper and deeper, until told to stop, or `decided` says so after a depth.
    pub(super) fn deepen(&mut self, deepest: usize, mut decided: impl FnMut(&mut Self) -> bool) {
        while self.depth < deepest.clamp(1, MAX_PLY - 1) as i32 {
            self.search_depth(self.depth + 1);
            if self.search.stopped && !self.catch_up() || decided(self) {
                return;
            }
        }
    }

    fn search_depth(&mut self, depth: i32) {
        self.search.seldepth = 0;
        for rank in 0..self.lines {
            self.search_line(depth, rank);
            if self.search.stopped {
                return;
            }
        }
        self.depth = depth;
        if let Some(sharing) = self.search.sharing {
            sharing.finish(depth, &self.moves, self.search.seldepth);
        }
    }

    /// Takes over what another thread has found that was faster. Says whether that was why the search stopped.
    fn catch_up(&mut self) -> bool {
        let Some(sharing) = self.search.sharing.filter(|_| self.search.overtaken) else { return false };
        let (depth, found) = sharing.latest();
        (self.depth, self.search.seldepth) = (depth, found.seldepth);
        self.moves.clone_from(&found.moves);
        (self.search.stopped, self.search.overtaken) = (false, false);
        true
    }

    /// Reports a finished depth. Says whether that is enough.
    pub(super) fn tell_and_decide(&mut self, task: &mut Task<'_>) -> bool {
        for rank in 0..self.lines.min(task.config.multi_pv.max(1)) {
            self.report(task, rank);
        }
        let percent = self.percent_of_time();
        self.is_decided(task) || self.search.timer.is_enough(percent)
    }

    /// How much of the usual time this move deserves: less, the longer the best move has stayed the same; more where
    /// it has become worse.
    fn percent_of_time(&mut self) -> u32 {
        let RootMove { te, value, .. } = self.moves[0];
        let (last, last_value, stable) = self.last_best;
        let stable = if last == Some(te) { stable + 1 } else { 0 };
        self.last_best = (Some(te), value, stable);
        let loss = if last.is_some() { (last_value - value).clamp(0, 150) as u32 } else { 0 };
        150 - 15 * stable.min(6) + loss
    }

    /// Whether a deeper search would change nothing: a mate was found, or there is one move only.
    fn is_decided(&mut self, task: &Task<'_>) -> bool {
        if task.limits.infinite || self.lines > 1 {
            return false;
        }
        let best = self.moves[0].value;
        let mated = is_mate(best) && MATE - best.abs() <= self.depth;
        let has_clock = task.limits.depth.is_none() && task.limits.nodes.is_none() && !task.limits.clocks.is_empty();
        (mated || self.moves.len() == 1 && has_clock) && self.search.timer.may_answer()
    }

    /// Searches the moves from `rank` on, and brings the best of them to this rank.
    ///
    /// Aspiration: assumes that the value is about that of the iteration before; if it is not, the window grows. Worth
    /// 33 Elo (-21 to 87).
    fn search_line(&mut self, depth: i32, rank: usize) {
        let last = self.moves[rank].value;
        let mut width = WINDOW;
        let is_known = depth >= 5 && last > -INFINITE && !is_mate(last);
        let (mut alpha, mut beta) = if is_known { (last - width, last + width) } else { (-INFINITE, INFINITE) };
        loop {
            let value = self.search_window(depth, rank, alpha, beta);
            if self.search.stopped {
                break;
            }
            width = if width < WIDEST { width * 2 } else { 2 * INFINITE };
            if value <= alpha && alpha > -INFINITE {
                (alpha, beta) = ((value - width).max(-INFINITE), (alpha + beta) / 2);
            } else if value >= beta && beta < INFINITE {
                beta = (value + width).min(INFINITE);
            } else {
                break;
            }
        }
        // Lines finished earlier in this iteration can be overtaken by a later one.
        self.moves[..=rank].sort_by_key(|line| -line.value);
    }

    /// The value of the best move from `rank` on, within a window.
    fn search_window(&mut self, depth: i32, rank: usize, mut alpha: Value, beta: Value) -> Value {
        let mut best = -INFINITE;
        let mut turns = Turns::new(self.search.sharing, self.search.kyokumen.key());
        while let Some(turn) = turns.next(self.moves.get(rank + turns.count).map(|root| root.te)) {
            let Some(claim) = turns.claim(turn) else { continue };
            let te = turn.te;
            let value = if turn.number == 1 {
                self.search.search_root_move(te, depth, alpha, beta)
            } else {
                self.search.search_late_root_move(te, depth, (alpha, beta), turn.number)
            };
            drop(claim);
            if self.search.stopped {
                break;
            }
            best = best.max(value);
            if value > alpha {
                alpha = value;
                let pv = std::iter::once(te).chain(self.search.root_line().iter().copied()).collect();
                // The order of the others stays: they were sorted by earlier searches.
                if let Some(before) = self.moves[rank..].iter().position(|root| root.te == te) {
                    self.moves[rank..=rank + before].rotate_right(1);
                }
                self.moves[rank] = RootMove { te, value, pv };
            }
            if value >= beta {
                break;
            }
        }
        best
    }

    /// The values of the lines that have one, the best first.
    pub(super) fn values(&self) -> Vec<Value> {
        self.moves.iter().take(self.lines).filter(|line| !line.pv.is_empty()).map(|line| line.value).collect()
    }

    fn report(&mut self, task: &mut Task<'_>, rank: usize) {
        let Some(root) = self.moves.get(rank) else { return };
        self.last_told = Some(root.te);
        let line = Line {
            depth: self.depth.max(1) as u32,
            seldepth: self.search.seldepth.max(root.pv.len()) as u32,
            multipv: rank as u32 + 1,
            score: Some(score(root.value)),
            bound: Bound::Exact,
            nodes: self.search.all_nodes(),
            time: self.search.timer.elapsed(),
            hashfull: Some(self.search.table.hashfull()),
            pv: root.pv.clone(),
        };
        (task.report)(&Report::Line(line));
    }

    /// The answer with this rank; tells its line once more if another one was told last.
    pub(super) fn answer(mut self, task: &mut Task<'_>, rank: usize) -> Answer {
        if self.moves[rank].pv.is_empty() {
            // Stopped before anything was found out: the evaluation must do.
            let value = self.search.evaluate();
            let root = &mut self.moves[rank];
            (root.value, root.pv) = (value, vec![root.te]);
        }
        let RootMove { te, value, ref pv } = self.moves[rank];
        let ponder = pv.get(1).copied().or_else(|| self.expected_reply(task.kyokumen, te));
        if self.last_told != Some(te) || self.search.stopped {
            self.report_chosen(task, rank);
        }
        if value <= -task.config.resign_value && !task.limits.infinite && !self.search.timer.is_pondering() {
            return Answer::Resign;
        }
        Answer::Play { te, ponder }
    }

    fn report_chosen(&mut self, task: &mut Task<'_>, rank: usize) {
        self.moves.swap(0, rank);
        self.report(task, 0);
    }

    /// The reply that the table knows, where the line is too short to have one.
    fn expected_reply(&self, kyokumen: &Kyokumen, te: Te) -> Option<Te> {
        let mut kyokumen = kyokumen.clone();
        kyokumen.do_te(te);
        self.search.table.probe(kyokumen.key(), 1)?.te.filter(|&te| kyokumen.is_legal(te))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::super::history::History;
    use super::super::sharing::Sharing;
    use super::super::tt::TranspositionTable;
    use super::super::{Config, Limits, StopSignal, Timer};
    use super::*;
    use crate::hyoka::Material;
    use crate::kyokumen::Rireki;

    /// What a search of the even start works on, and what other threads tell it.
    struct Surroundings {
        kyokumen: Kyokumen,
        rireki: Rireki,
        table: TranspositionTable,
        history: History,
        sharing: Sharing,
        config: Config,
        limits: Limits,
        stop: StopSignal,
    }

    impl Surroundings {
        fn new() -> Surroundings {
            let kyokumen = Kyokumen::hirate();
            Surroundings {
                rireki: Rireki::new(&kyokumen),
                kyokumen,
                table: TranspositionTable::new(1),
                history: History::default(),
                sharing: Sharing::default(),
                config: Config::default(),
                limits: Limits { infinite: true, ..Limits::new(Instant::now()) },
                stop: StopSignal::new(),
            }
        }

        fn root<'a>(&'a self, hyoka: &'a mut Material) -> Root<'a, Material> {
            let timer = Timer::new(&self.limits, &self.config, &self.stop, self.kyokumen.teban());
            let own = (hyoka, &self.table, &self.history);
            let search = Search::new((&self.kyokumen, &self.rireki), own, (timer, &self.config, None));
            Root::new(search.join(Some(&self.sharing), true), &[], 1)
        }

        /// Another thread finishes a depth, with a line that no search of ours would find.
        fn finish_elsewhere(&self, depth: i32) {
            let mut moves: Vec<RootMove> = self.root(&mut Material::default()).moves;
            let found = moves.iter().position(|root| root.te == te("9i9h")).unwrap();
            moves.swap(0, found);
            (moves[0].value, moves[0].pv) = (1234, vec![te("9i9h"), te("1a1b")]);
            self.sharing.finish(depth, &moves, 77);
        }
    }

    fn te(usi: &str) -> Te {
        usi.parse().unwrap()
    }

    /// What is known after a depth: its number, the best move, its value, and how deep the longest line was.
    fn state<H>(root: &Root<'_, H>) -> (i32, Te, Value, usize) {
        (root.depth, root.moves[0].te, root.moves[0].value, root.search.seldepth)
    }

    #[test]
    fn a_thread_that_is_overtaken_goes_on_from_the_depth_of_the_other() {
        let around = Surroundings::new();
        let mut hyoka = Material::default();
        let mut root = around.root(&mut hyoka);
        let mut states = Vec::new();
        root.deepen(6, |root| {
            assert!(!root.search.stopped && !root.search.overtaken);
            states.push(state(root));
            if root.depth == 2 {
                around.finish_elsewhere(5);
            }
            false
        });
        assert_eq!(states.iter().map(|state| state.0).collect::<Vec<_>>(), [1, 2, 5, 6]);
        assert_eq!(states[2], (5, te("9i9h"), 1234, 77));
        // The last depth is one of our own again, which the others hear of.
        assert!(states[3].2 != 1234 && states[3].3 < 77, "{states:?}");
        let (depth, found) = around.sharing.latest();
        assert_eq!((depth, found.moves[0].te, found.seldepth), (6, states[3].1, states[3].3));
    }

    #[test]
    fn what_another_thread_has_found_beyond_the_deepest_depth_ends_the_search() {
        let around = Surroundings::new();
        around.finish_elsewhere(6);
        let mut hyoka = Material::default();
        let mut root = around.root(&mut hyoka);
        let mut states = Vec::new();
        root.deepen(4, |root| {
            states.push(state(root));
            false
        });
        assert_eq!(states, [(6, te("9i9h"), 1234, 77)]);
    }

    #[test]
    fn a_stop_ends_the_search_whatever_other_threads_have_found() {
        let around = Surroundings::new();
        around.finish_elsewhere(3);
        around.stop.stop();
        let mut hyoka = Material::default();
        let mut root = around.root(&mut hyoka);
        root.deepen(9, |_| panic!("no depth was finished"));
        assert!(root.search.stopped && !root.search.overtaken);
        assert_eq!(root.depth, 0);
        assert_eq!(around.sharing.depth(), 3);
    }

    #[test]
    fn after_a_stop_within_a_depth_the_others_hear_of_the_depth_before() {
        let around = Surroundings::new();
        let mut hyoka = Material::default();
        let mut root = around.root(&mut hyoka);
        let mut last = None;
        root.deepen(9, |root| {
            last = Some((root.depth, root.moves[0].te, root.moves[0].value));
            if root.depth == 2 {
                around.stop.stop();
            }
            false
        });
        assert!(root.search.stopped && root.depth == 2);
        let (depth, found) = around.sharing.latest();
        assert_eq!(last, Some((depth, found.moves[0].te, found.moves[0].value)));
        assert_eq!(depth, 2);
    }
}
