//! The default engine: iterative deepening over the moves at the root.

use super::history::History;
use super::search::Search;
use super::skill::Skill;
use super::time::Timer;
use super::tt::TranspositionTable;
use super::value::{INFINITE, MATE, MAX_PLY, Value, is_mate, score};
use super::{Answer, Bound, Config, Line, MateAnswer, Report, Sikou, Task, mate};
use crate::hyoka::{Centipawn, Hyoka, Komagumi};
use crate::kyokumen::{Declaration, Kyokumen, Te};

/// An engine that searches a tree of moves, with any evaluation.
///
/// With one thread and limits other than time, equal tasks after equal games give equal answers.
pub struct Tansaku<H> {
    hyoka: H,
    table: TranspositionTable,
    history: History,
}

impl<H: Hyoka> Tansaku<H> {
    /// An engine with this evaluation. Its table is allocated by [`configure`](Sikou::configure), and of the smallest
    /// size until then.
    pub fn new(hyoka: H) -> Tansaku<H> {
        Tansaku { hyoka, table: TranspositionTable::new(1), history: History::default() }
    }
}

impl Default for Tansaku<Komagumi> {
    fn default() -> Tansaku<Komagumi> {
        Tansaku::new(Komagumi::default())
    }
}

/// A move at the root with what the search found out about it.
#[derive(Clone, Debug)]
struct RootMove {
    te: Te,
    value: Value,
    /// From this move on; empty until the move was once the best of those behind the better lines.
    pv: Vec<Te>,
}

impl<H: Hyoka> Sikou for Tansaku<H> {
    fn think(&mut self, task: &mut Task<'_>) -> Answer {
        match task.kyokumen.nyugyoku(task.config.nyugyoku_rule) {
            Some(Declaration::Win) => return Answer::Win,
            Some(Declaration::Move(te)) => return te.into(),
            Some(Declaration::Draw) | None => {}
        }
        let moves = root_moves(task);
        if moves.is_empty() {
            return Answer::Resign;
        }
        self.table.age();
        self.history.age();
        let skill = Skill::of(task.config);
        let node_limit = [task.limits.nodes, skill.map(|skill| skill.nodes)].into_iter().flatten().min();
        let timer = Timer::new(task.limits, task.config, task.stop, task.kyokumen.teban());
        let search = Search::new(
            (task.kyokumen, task.rireki),
            (&mut self.hyoka, &self.table, &mut self.history),
            (timer, task.config, node_limit),
        );
        let lines = task.config.multi_pv.max(skill.map_or(1, |skill| skill.lines)).clamp(1, moves.len());
        let mut root = Root { search, moves, lines, table: &self.table, depth: 0, last_told: None };
        root.deepen(task);
        let chosen = skill.map_or(0, |skill| skill.choose(&root.values(), task.rng));
        root.answer(task, chosen)
    }

    fn solve_mate(&mut self, task: &mut Task<'_>) -> MateAnswer {
        mate::solve(task)
    }

    fn evaluate(&mut self, kyokumen: &Kyokumen) -> Option<Centipawn> {
        self.hyoka.reset(kyokumen);
        Some(self.hyoka.value(kyokumen))
    }

    fn configure(&mut self, config: &Config) {
        if config.hash_mb != self.table.mib() {
            // The old table goes first, so that there is never need for both.
            self.table = TranspositionTable::default();
            self.table = TranspositionTable::new(config.hash_mb);
        }
    }

    fn new_game(&mut self) {
        self.table.clear();
        self.history.clear();
    }
}

/// The moves that may be chosen: those asked for, or all.
fn root_moves(task: &Task<'_>) -> Vec<RootMove> {
    let asked = &task.limits.searchmoves;
    let legal = task.kyokumen.legal_te();
    let any = legal.iter().any(|te| asked.contains(te));
    let chosen = legal.into_iter().filter(|te| !any || asked.contains(te));
    chosen.map(|te| RootMove { te, value: -INFINITE, pv: Vec::new() }).collect()
}

/// A search seen from its root.
struct Root<'a, H> {
    search: Search<'a, H>,
    /// Best first.
    moves: Vec<RootMove>,
    /// How many of them are searched for their exact value.
    lines: usize,
    table: &'a TranspositionTable,
    /// The depth that was finished last.
    depth: i32,
    /// The first move of the line that was reported last.
    last_told: Option<Te>,
}

impl<H: Hyoka> Root<'_, H> {
    /// Searches deeper and deeper until a limit is reached.
    fn deepen(&mut self, task: &mut Task<'_>) {
        let deepest = task.limits.depth.unwrap_or(u32::MAX).clamp(1, MAX_PLY as u32 - 1) as i32;
        for depth in 1..=deepest {
            self.search.seldepth = 0;
            for rank in 0..self.lines {
                self.search_line(depth, rank);
                if self.search.stopped {
                    return;
                }
            }
            self.depth = depth;
            for rank in 0..self.lines.min(task.config.multi_pv.max(1)) {
                self.report(task, rank);
            }
            if self.is_decided(task, depth) || self.search.timer.is_enough() {
                return;
            }
        }
    }

    /// Whether a deeper search would change nothing: a mate was found, or there is one move only.
    fn is_decided(&mut self, task: &Task<'_>, depth: i32) -> bool {
        if task.limits.infinite || self.lines > 1 {
            return false;
        }
        let best = self.moves[0].value;
        let mated = is_mate(best) && MATE - best.abs() <= depth;
        let has_clock = task.limits.depth.is_none() && task.limits.nodes.is_none() && !task.limits.clocks.is_empty();
        (mated || self.moves.len() == 1 && has_clock) && self.search.timer.may_answer()
    }

    /// Searches the moves from `rank` on, and brings the best of them to this rank.
    fn search_line(&mut self, depth: i32, rank: usize) {
        let mut alpha = -INFINITE;
        for index in rank..self.moves.len() {
            let te = self.moves[index].te;
            let mut value = if index == rank {
                self.search.search_root_move(te, depth, alpha, INFINITE)
            } else {
                self.search.search_root_move(te, depth, alpha, alpha + 1)
            };
            if index > rank && value > alpha && !self.search.stopped {
                value = self.search.search_root_move(te, depth, alpha, INFINITE);
            }
            if self.search.stopped {
                break;
            }
            if value > alpha {
                alpha = value;
                let pv = std::iter::once(te).chain(self.search.root_line().iter().copied()).collect();
                // The order of the others stays: they were sorted by earlier searches.
                self.moves[rank..=index].rotate_right(1);
                self.moves[rank] = RootMove { te, value, pv };
            }
        }
        // Lines finished earlier in this iteration can be overtaken by a later one.
        self.moves[..=rank].sort_by_key(|line| -line.value);
    }

    /// The values of the lines that have one, the best first.
    fn values(&self) -> Vec<Value> {
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
            nodes: self.search.nodes,
            time: self.search.timer.elapsed(),
            hashfull: Some(self.table.hashfull()),
            pv: root.pv.clone(),
        };
        (task.report)(&Report::Line(line));
    }

    /// The answer with this rank; tells its line once more if another one was told last.
    fn answer(mut self, task: &mut Task<'_>, rank: usize) -> Answer {
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
        self.table.probe(kyokumen.key(), 1)?.te.filter(|&te| kyokumen.is_legal(te))
    }
}
