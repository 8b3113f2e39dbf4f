//! The default engine: the threads that search, and what they keep between searches.

use std::thread::{self, Scope};

use super::history::History;
use super::root::Root;
use super::sharing::Sharing;
use super::skill::Skill;
use super::time::Timer;
use super::tree::Search;
use super::tt::TranspositionTable;
use super::value::MAX_PLY;
use super::{Answer, Config, Limits, MateAnswer, Sikou, StopSignal, Task, mate};
use crate::hyoka::{Centipawn, Hyoka, Learned, Nnue};
use crate::kyokumen::{Declaration, Kyokumen, Rireki};

/// Room for the recursion of a helping thread; only what is used takes memory.
const STACK_BYTES: usize = 16 << 20;

/// An engine that searches a tree of moves, with any evaluation that can be cloned: each thread has its own.
///
/// With one thread and limits other than time, equal tasks after equal games give equal answers. More threads search
/// the same tree at once. They share what they find, as positions and as moves that refute, put off moves at which
/// another thread is just then, and go on together from the depth that one of them was the first to finish.
///
/// The search tries what came of passing. Of a pass the evaluation is not told: it is only asked for a value with the
/// other side to move.
pub struct Tansaku<H> {
    table: TranspositionTable,
    history: History,
    sharing: Sharing,
    first: Worker<H>,
    helpers: Vec<Worker<H>>,
}

/// What a thread has for itself.
#[derive(Clone)]
struct Worker<H> {
    hyoka: H,
    /// Stands in for the evaluation.
    nnue: Option<Nnue>,
}

/// What the threads of a search have in common.
#[derive(Clone, Copy)]
struct Common<'a> {
    table: &'a TranspositionTable,
    history: &'a History,
    /// None if there is one thread only.
    sharing: Option<&'a Sharing>,
    kyokumen: &'a Kyokumen,
    rireki: &'a Rireki,
    config: &'a Config,
    limits: &'a Limits,
}

impl Common<'_> {
    fn deepest(&self) -> usize {
        self.limits.depth.map_or(MAX_PLY, |depth| depth as usize)
    }
}

impl<H: Hyoka + Clone> Tansaku<H> {
    /// An engine with this evaluation. Its table is allocated by [`configure`](Sikou::configure), and of the smallest
    /// size until then.
    pub fn new(hyoka: H) -> Tansaku<H> {
        Tansaku {
            table: TranspositionTable::new(1),
            history: History::default(),
            sharing: Sharing::default(),
            first: Worker { hyoka, nnue: None },
            helpers: Vec::new(),
        }
    }

    /// Searches with another evaluation from now on, and forgets what was found with the old one. Meant for options of
    /// an evaluation, or for numbers from a file. As long as a net of [`use_nnue`](Sikou::use_nnue) is in use, that one
    /// counts.
    pub fn set_hyoka(&mut self, hyoka: H) {
        self.helpers.clear();
        self.first.hyoka = hyoka;
        self.table.clear();
        self.history.clear();
    }

    fn use_threads(&mut self, threads: usize) {
        let first = &self.first;
        self.helpers.resize_with(threads.max(1) - 1, || first.clone());
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
        if let Some(answer) = answer_by_rules(task) {
            return answer;
        }
        let skill = Skill::of(task.config);
        // Below full strength, playing repeatably counts for more.
        self.use_threads(if skill.is_some() { 1 } else { task.config.threads });
        self.table.age();
        self.history.age();
        self.sharing.restart();
        let common = Common {
            table: &self.table,
            history: &self.history,
            sharing: (!self.helpers.is_empty()).then_some(&self.sharing),
            kyokumen: task.kyokumen,
            rireki: task.rireki,
            config: task.config,
            limits: task.limits,
        };
        let stop = &StopSignal::new();
        thread::scope(|scope| {
            let _dismissal = Dismissal(stop.clone());
            spawn_helpers(scope, &mut self.helpers, common, stop);
            let Worker { hyoka, nnue } = &mut self.first;
            match nnue {
                Some(nnue) => lead(task, skill, nnue, common),
                None => lead(task, skill, hyoka, common),
            }
        })
    }

    fn solve_mate(&mut self, task: &mut Task<'_>) -> MateAnswer {
        mate::solve(task)
    }

    fn evaluate(&mut self, kyokumen: &Kyokumen) -> Option<Centipawn> {
        fn fresh(hyoka: &mut impl Hyoka, kyokumen: &Kyokumen) -> Centipawn {
            hyoka.reset(kyokumen);
            hyoka.value(kyokumen)
        }
        Some(match &mut self.first.nnue {
            Some(nnue) => fresh(nnue, kyokumen),
            None => fresh(&mut self.first.hyoka, kyokumen),
        })
    }

    fn use_nnue(&mut self, nnue: Option<Nnue>) -> bool {
        // What was learned by one evaluation means nothing to another.
        self.new_game();
        self.helpers.iter_mut().for_each(|helper| helper.nnue.clone_from(&nnue));
        self.first.nnue = nnue;
        true
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
        self.history.clear();
    }
}

/// The answer where nothing is to be searched: a win can be declared, or there is no move.
fn answer_by_rules(task: &Task<'_>) -> Option<Answer> {
    match task.kyokumen.nyugyoku(task.config.nyugyoku_rule) {
        Some(Declaration::Win) => Some(Answer::Win),
        Some(Declaration::Move(te)) => Some(te.into()),
        Some(Declaration::Draw) | None => (!task.kyokumen.has_legal_te()).then_some(Answer::Resign),
    }
}

/// Has each helper search in a thread of its own, until `stop` dismisses them or the deepest depth is done.
fn spawn_helpers<'scope, H: Hyoka>(
    scope: &'scope Scope<'scope, '_>,
    helpers: &'scope mut [Worker<H>],
    common: Common<'scope>,
    stop: &'scope StopSignal,
) {
    for Worker { hyoka, nnue } in helpers {
        let work = move || match nnue {
            Some(nnue) => help(nnue, common, stop),
            None => help(hyoka, common, stop),
        };
        let builder = thread::Builder::new().name("helper".into()).stack_size(STACK_BYTES);
        if let Err(error) = builder.spawn_scoped(scope, work) {
            log::warn!("searching with fewer threads: {error}");
            break;
        }
    }
}

/// The search of a thread that helps the first, until it is dismissed, or the deepest depth is done.
fn help<H: Hyoka>(hyoka: &mut H, common: Common<'_>, stop: &StopSignal) {
    let Common { table, history, sharing, kyokumen, rireki, config, limits } = common;
    let endless = Limits { infinite: true, ..Limits::new(limits.received) };
    let timer = Timer::new(&endless, config, stop, kyokumen.teban());
    let search = Search::new((kyokumen, rireki), (hyoka, table, history), (timer, config, None));
    let mut root = Root::new(search.join(sharing, true), &limits.searchmoves, config.multi_pv);
    root.deepen(common.deepest(), |_| false);
}

/// The search of the first thread, which keeps to the limits, reports and decides.
fn lead<H: Hyoka>(task: &mut Task<'_>, skill: Option<Skill>, hyoka: &mut H, common: Common<'_>) -> Answer {
    let Common { table, history, sharing, kyokumen, rireki, config, limits } = common;
    let node_limit = [limits.nodes, skill.map(|skill| skill.nodes)].into_iter().flatten().min();
    let timer = Timer::new(limits, config, task.stop, kyokumen.teban());
    let search = Search::new((kyokumen, rireki), (hyoka, table, history), (timer, config, node_limit));
    let lines = config.multi_pv.max(skill.map_or(1, |skill| skill.lines));
    let mut root = Root::new(search.join(sharing, false), &limits.searchmoves, lines);
    root.deepen(common.deepest(), |root| root.tell_and_decide(task));
    let chosen = skill.map_or(0, |skill| skill.choose(&root.values(), task.rng));
    root.answer(task, chosen)
}
