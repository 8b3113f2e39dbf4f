//! The thread on which the engine lives: it thinks there while the session goes on listening.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use rand_chacha::ChaCha8Rng;

use crate::hyoka::{Centipawn, Nnue};
use crate::kyokumen::{Kyokumen, Taikyoku};
use crate::sikou::{Answer, Config, Limits, MateAnswer, OwnValue, Put, Report, Sikou, StopSignal, Task};

use super::command::Purpose;
use super::console;
use super::output::{Output, info};
use super::queue::{Event, Queue};

/// Hands orders to the engine, one after the other. Ends its thread when dropped.
pub(super) struct Thinker {
    orders: Sender<Order>,
}

/// All that one search needs, as it is when it starts.
pub(super) struct Job {
    pub purpose: Purpose,
    pub taikyoku: Taikyoku,
    pub limits: Limits,
    pub config: Config,
    pub stop: StopSignal,
    pub rng: ChaCha8Rng,
}

/// How a search ended.
#[derive(Debug)]
pub(super) enum Outcome {
    Move(Answer),
    Mate(MateAnswer),
    Perft,
    /// The engine panicked.
    Failed,
}

enum Order {
    Configure(Config, Sender<()>),
    Put(usize, OwnValue),
    Settle(Sender<Vec<String>>),
    UseNnue(Option<Nnue>, Sender<bool>),
    NewGame,
    Evaluate(Box<Kyokumen>, Sender<Option<Centipawn>>),
    Think(Box<Job>),
}

/// Room for deep recursion in engines that know no better; only what is used takes memory.
const STACK_BYTES: usize = 64 << 20;

impl Thinker {
    /// Starts the thread. It reports to `output` and posts the end of each search to `queue`. The engine's own options
    /// are set by `puts`.
    pub fn start<S: Sikou + 'static>(
        sikou: S,
        puts: Vec<Put<S>>,
        output: Output,
        queue: Arc<Queue>,
    ) -> io::Result<Thinker> {
        let (orders, receiver) = channel();
        let work = move || obey(sikou, puts, &receiver, &output, &queue);
        thread::Builder::new().name("sikou".into()).stack_size(STACK_BYTES).spawn(work)?;
        Ok(Thinker { orders })
    }

    /// Hands over changed options and waits until the engine has taken them in.
    pub fn configure(&self, config: Config) {
        let (done, wait) = channel();
        self.order(Order::Configure(config, done));
        let _ = wait.recv();
    }

    /// Hands over a value of the option at this place among the engine's own.
    pub fn put(&self, index: usize, value: OwnValue) {
        self.order(Order::Put(index, value));
    }

    /// Waits until the engine has taken in all such values, and returns what it says against them.
    pub fn settle(&self) -> Vec<String> {
        let (done, wait) = channel();
        self.order(Order::Settle(done));
        wait.recv().unwrap_or_default()
    }

    /// Hands over a net, or takes it away, and waits; says whether the engine does as told.
    pub fn use_nnue(&self, nnue: Option<Nnue>) -> bool {
        let (done, wait) = channel();
        self.order(Order::UseNnue(nnue, done));
        wait.recv().unwrap_or(false)
    }

    pub fn new_game(&self) {
        self.order(Order::NewGame);
    }

    /// The engine's value of a position, if it has any to tell.
    pub fn evaluate(&self, kyokumen: &Kyokumen) -> Option<Centipawn> {
        let (answer, wait) = channel();
        self.order(Order::Evaluate(Box::new(kyokumen.clone()), answer));
        wait.recv().ok().flatten()
    }

    pub fn think(&self, job: Job) {
        self.order(Order::Think(Box::new(job)));
    }

    fn order(&self, order: Order) {
        // The thread outlives its engine's panics, so there is always somebody to receive.
        let _ = self.orders.send(order);
    }
}

fn obey<S: Sikou>(mut sikou: S, mut puts: Vec<Put<S>>, orders: &Receiver<Order>, output: &Output, queue: &Queue) {
    let mut objections = Vec::new();
    while let Ok(order) = orders.recv() {
        match order {
            Order::Configure(config, done) => {
                guarded(|| sikou.configure(&config));
                let _ = done.send(());
            }
            Order::Put(index, value) => {
                if let Some(put) = puts.get_mut(index) {
                    let failed = || Err("the engine has failed to take an option in".into());
                    objections.extend(guarded(|| put(&mut sikou, value)).unwrap_or_else(failed).err());
                }
            }
            Order::Settle(done) => {
                let _ = done.send(std::mem::take(&mut objections));
            }
            Order::UseNnue(nnue, done) => {
                let _ = done.send(guarded(|| sikou.use_nnue(nnue)).unwrap_or(false));
            }
            Order::NewGame => {
                guarded(|| sikou.new_game());
            }
            Order::Evaluate(kyokumen, answer) => {
                let _ = answer.send(guarded(|| sikou.evaluate(&kyokumen)).flatten());
            }
            Order::Think(job) => {
                let outcome = guarded(|| think(&mut sikou, *job, output)).unwrap_or(Outcome::Failed);
                queue.push(Event::Finished(outcome));
            }
        }
    }
}

/// Runs the engine's code; a panic there costs the answer and nothing more.
fn guarded<T>(work: impl FnOnce() -> T) -> Option<T> {
    let result = catch_unwind(AssertUnwindSafe(work));
    if result.is_err() {
        log::error!("the engine panicked");
    }
    result.ok()
}

fn think(sikou: &mut impl Sikou, mut job: Job, output: &Output) -> Outcome {
    if let Purpose::Perft(depth) = job.purpose {
        return perft(&job, depth, output);
    }
    let mut last_lines = LastLines::default();
    let mut report = |report: &Report| {
        let text = info(report);
        output.line(&text);
        last_lines.take(report, text);
        if output.failed() {
            job.stop.stop();
        }
    };
    let mut task = Task {
        kyokumen: job.taikyoku.kyokumen(),
        rireki: job.taikyoku.rireki(),
        limits: &job.limits,
        config: &job.config,
        stop: &job.stop,
        rng: &mut job.rng,
        report: &mut report,
    };
    if job.purpose == Purpose::Mate {
        return Outcome::Mate(sikou.solve_mate(&mut task));
    }
    let answer = sikou.think(&mut task);
    if let Some(line) = last_lines.to_repeat(&answer) {
        output.line(line);
    }
    Outcome::Move(answer)
}

fn perft(job: &Job, depth: u32, output: &Output) -> Outcome {
    let nodes = console::divide(job.taikyoku.kyokumen(), depth, &job.stop, |line| output.line(line));
    let seconds = job.limits.received.elapsed().as_secs_f64();
    match nodes {
        Some(nodes) => output.line(format_args!("nodes {nodes} seconds {seconds:.3}")),
        None => output.remark("perft was stopped"),
    }
    Outcome::Perft
}

/// Some clients take the score from the line directly before `bestmove`, so the best line must be the last one.
#[derive(Default)]
struct LastLines {
    best: Option<(crate::kyokumen::Te, String)>,
    best_is_last: bool,
}

impl LastLines {
    fn take(&mut self, report: &Report, text: String) {
        self.best_is_last = false;
        if let Report::Line(line) = report
            && line.multipv <= 1
            && let Some(&te) = line.pv.first()
        {
            self.best = Some((te, text));
            self.best_is_last = true;
        }
    }

    fn to_repeat(&self, answer: &Answer) -> Option<&str> {
        match (answer, &self.best) {
            (Answer::Play { te, .. }, Some((best, text))) if te == best && !self.best_is_last => Some(text),
            _ => None,
        }
    }
}
