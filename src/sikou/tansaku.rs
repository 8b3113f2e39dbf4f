//! The default engine: the threads that search, and what they keep between searches.

use std::sync::atomic::AtomicU64;
use std::thread;

use super::history::History;
use super::root::Root;
use super::skill::Skill;
use super::time::Timer;
use super::tree::Search;
use super::tt::TranspositionTable;
use super::value::MAX_PLY;
use super::{Answer, Config, Limits, MateAnswer, Sikou, StopSignal, Task, mate};
use crate::hyoka::{Centipawn, Hyoka, Learned};
use crate::kyokumen::{Declaration, Kyokumen};

/// Room for the recursion of a helping thread; only what is used takes memory.
const STACK_BYTES: usize = 16 << 20;

/// An engine that searches a tree of moves, with any evaluation that can be cloned: each thread has its own.
///
/// With one thread and limits other than time, equal tasks after equal games give equal answers. More threads search
/// the same tree at once and share what they find in one table ("lazy SMP").
///
/// The search tries what came of passing. Of a pass the evaluation is not told: it is only asked for a value with the
/// other side to move.
pub struct Tansaku<H> {
    table: TranspositionTable,
    first: Worker<H>,
    helpers: Vec<Worker<H>>,
}

/// What a thread has for itself.
struct Worker<H> {
    hyoka: H,
    history: History,
}

impl<H> Worker<H> {
    fn new(hyoka: H) -> Worker<H> {
        Worker { hyoka, history: History::default() }
    }
}

impl<H: Hyoka + Clone> Tansaku<H> {
    /// An engine with this evaluation. Its table is allocated by [`configure`](Sikou::configure), and of the smallest
    /// size until then.
    pub fn new(hyoka: H) -> Tansaku<H> {
        Tansaku { table: TranspositionTable::new(1), first: Worker::new(hyoka), helpers: Vec::new() }
    }

    /// Searches with another evaluation from now on, and forgets what was found with the old one. Meant for options of
    /// an evaluation, or for numbers from a file.
    pub fn set_hyoka(&mut self, hyoka: H) {
        self.helpers.clear();
        self.first.hyoka = hyoka;
        self.table.clear();
    }

    fn use_threads(&mut self, threads: usize) {
        let hyoka = &self.first.hyoka;
        self.helpers.resize_with(threads.max(1) - 1, || Worker::new(hyoka.clone()));
    }
}

impl Default for Tansaku<Learned> {
    fn default() -> Tansaku<Learned> {
        Tansaku::new(Learned::default())
    }
}

/// Ends the helping threads when dropped, even by a panic.
struct Dismissal(StopSignal);

impl Drop for Dismissal {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl<H: Hyoka + Clone> Sikou for Tansaku<H> {
    fn think(&mut self, task: &mut Task<'_>) -> Answer {
        match task.kyokumen.nyugyoku(task.config.nyugyoku_rule) {
            Some(Declaration::Win) => return Answer::Win,
            Some(Declaration::Move(te)) => return te.into(),
            Some(Declaration::Draw) | None => {}
        }
        if !task.kyokumen.has_legal_te() {
            return Answer::Resign;
        }
        let skill = Skill::of(task.config);
        // Below full strength, playing repeatably counts for more.
        self.use_threads(if skill.is_some() { 1 } else { task.config.threads });
        self.table.age();
        self.helpers.iter_mut().chain([&mut self.first]).for_each(|worker| worker.history.age());
        let (table, others) = (&self.table, &AtomicU64::new(0));
        let stop = &StopSignal::new();
        // They go on until they are dismissed.
        let endless = &Limits { infinite: true, ..Limits::new(task.limits.received) };
        thread::scope(|scope| {
            let _dismissal = Dismissal(stop.clone());
            let config = task.config;
            let (kyokumen, rireki, asked) = (task.kyokumen, task.rireki, task.limits.searchmoves.as_slice());
            for worker in &mut self.helpers {
                let work = move || {
                    let timer = Timer::new(endless, config, stop, kyokumen.teban());
                    let own = (&mut worker.hyoka, table, &mut worker.history);
                    let search = Search::new((kyokumen, rireki), own, (timer, config, None)).helping(others);
                    Root::new(search, asked, config.multi_pv).deepen(MAX_PLY, |_| false);
                };
                let builder = thread::Builder::new().name("helper".into()).stack_size(STACK_BYTES);
                if let Err(error) = builder.spawn_scoped(scope, work) {
                    log::warn!("searching with fewer threads: {error}");
                    break;
                }
            }
            lead(task, skill, (&mut self.first, table, others))
        })
    }

    fn solve_mate(&mut self, task: &mut Task<'_>) -> MateAnswer {
        mate::solve(task)
    }

    fn evaluate(&mut self, kyokumen: &Kyokumen) -> Option<Centipawn> {
        self.first.hyoka.reset(kyokumen);
        Some(self.first.hyoka.value(kyokumen))
    }

    fn configure(&mut self, config: &Config) {
        self.use_threads(config.threads);
        if config.hash_mb != self.table.mib() {
            // The old table goes first, so that there is never need for both.
            self.table = TranspositionTable::default();
            self.table = TranspositionTable::new(config.hash_mb);
        }
    }

    fn new_game(&mut self) {
        self.table.clear();
        self.helpers.iter_mut().chain([&mut self.first]).for_each(|worker| worker.history.clear());
    }
}

/// The search of the first thread, which keeps to the limits, reports and decides.
fn lead<H: Hyoka>(
    task: &mut Task<'_>,
    skill: Option<Skill>,
    (worker, table, others): (&mut Worker<H>, &TranspositionTable, &AtomicU64),
) -> Answer {
    let node_limit = [task.limits.nodes, skill.map(|skill| skill.nodes)].into_iter().flatten().min();
    let timer = Timer::new(task.limits, task.config, task.stop, task.kyokumen.teban());
    let own = (&mut worker.hyoka, table, &mut worker.history);
    let search = Search::new((task.kyokumen, task.rireki), own, (timer, task.config, node_limit)).led(others);
    let lines = task.config.multi_pv.max(skill.map_or(1, |skill| skill.lines));
    let mut root = Root::new(search, &task.limits.searchmoves, lines);
    let deepest = task.limits.depth.map_or(MAX_PLY, |depth| depth as usize);
    root.deepen(deepest, |root| root.tell_and_decide(task));
    let chosen = skill.map_or(0, |skill| skill.choose(&root.values(), task.rng));
    root.answer(task, chosen)
}
