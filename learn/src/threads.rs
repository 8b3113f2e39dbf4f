//! What more threads are worth: nodes a second, and the time to a depth.

use std::time::Instant;

use clap::Args;
use komadai::hyoka::Learned;
use komadai::kyokumen::Taikyoku;
use komadai::sikou::{Config, Limits, Report, Sikou, StopSignal, Tansaku, Task};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::Failure;
use crate::games::StartLines;

/// Searches positions with one thread and with several, and compares
#[derive(Args)]
pub struct Arguments {
    #[command(flatten)]
    start: StartLines,
    /// How many lines, evenly among all
    #[arg(long, default_value_t = 30)]
    positions: usize,
    /// Depth of each search
    #[arg(long, default_value_t = 14)]
    depth: u32,
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// MiB of the transposition table
    #[arg(long, default_value_t = 256)]
    hash: usize,
}

/// What a search took.
#[derive(Clone, Copy, Default)]
struct Taken {
    seconds: f64,
    nodes: u64,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let lines = arguments.start.read()?;
    let count = arguments.positions.clamp(1, lines.len());
    let mut searchers = [1, arguments.threads].map(|threads| Searcher::new(threads, arguments));
    let (mut sums, mut logarithms) = ([Taken::default(); 2], 0.0);
    for number in 0..count {
        let mut taikyoku = Taikyoku::default();
        if !lines[number * lines.len() / count].iter().all(|&te| taikyoku.play(te)) {
            return Err("a line with an illegal move".into());
        }
        // In turn, so that both see the machine alike.
        let taken = searchers.each_mut().map(|searcher| searcher.search(&taikyoku, arguments.depth));
        for (sum, taken) in sums.iter_mut().zip(taken) {
            sum.seconds += taken.seconds;
            sum.nodes += taken.nodes;
        }
        logarithms += (taken[0].seconds / taken[1].seconds).ln();
    }
    let speed = |taken: Taken| taken.nodes as f64 / taken.seconds / 1e6;
    let [one, many] = sums;
    println!("{count} positions to depth {}", arguments.depth);
    println!("M nodes a second: {:.3} and {:.3}, ratio {:.2}", speed(one), speed(many), speed(many) / speed(one));
    println!("seconds in all: {:.1} and {:.1}, ratio {:.2}", one.seconds, many.seconds, one.seconds / many.seconds);
    println!("geometric mean of the ratios of time: {:.2}", (logarithms / count as f64).exp());
    Ok(())
}

/// An engine that keeps its memory from position to position, as it does in a game: the first touch of each page takes
/// time, and hinders other threads.
struct Searcher {
    engine: Tansaku<Learned>,
    config: Config,
}

impl Searcher {
    fn new(threads: usize, arguments: &Arguments) -> Searcher {
        let config = Config { threads, hash_mb: arguments.hash, ..Config::default() };
        let mut engine = Tansaku::default();
        engine.configure(&config);
        let mut searcher = Searcher { engine, config };
        searcher.search(&Taikyoku::default(), arguments.depth);
        searcher
    }

    fn search(&mut self, taikyoku: &Taikyoku, depth: u32) -> Taken {
        let limits = Limits { depth: Some(depth), ..Limits::new(Instant::now()) };
        let (mut nodes, start) = (0, Instant::now());
        self.engine.think(&mut Task {
            kyokumen: taikyoku.kyokumen(),
            rireki: taikyoku.rireki(),
            limits: &limits,
            config: &self.config,
            stop: &StopSignal::new(),
            rng: &mut ChaCha8Rng::seed_from_u64(0),
            report: &mut |report| {
                if let Report::Line(line) = report {
                    nodes = line.nodes;
                }
            },
        });
        Taken { seconds: start.elapsed().as_secs_f64(), nodes }
    }
}
