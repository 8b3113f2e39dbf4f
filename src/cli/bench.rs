//! `komadai bench`: the speed of the search, and a number that changes whenever the search does.

use std::thread;
use std::time::Instant;

use clap::Args;

use komadai::kyokumen::{Kyokumen, Rireki};
use komadai::sikou::{Config, Limits, Sikou, StopSignal, Tansaku, Task};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::{Failure, out};

/// Searches fixed positions to a fixed depth, and tells nodes and speed
///
/// With one thread the number of nodes is the same on every machine.
#[derive(Args)]
pub struct Arguments {
    /// Depth of each search, in plies
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// Size of the transposition table, in MiB
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// Number of search threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
}

/// Positions of all kinds: openings, middle games, endgames, full hands, a king in check, a king
/// that enters the enemy camp.
const POSITIONS: [&str; 12] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "lnsgk1snl/1r4gb1/p1pppp1pp/6p2/1p5P1/2P6/PPSPPPP1P/1B5R1/LN1GKGSNL b - 11",
    "ln1g3nl/1ks1gr3/1ppppsbpp/p4pp2/7P1/P1P1P1P2/1PBPSP1SP/2GR2GK1/LN5NL b - 31",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "ln3gsnl/1r1sk4/p1ppppgpp/1p4p2/7P1/2P1P4/PP1P1PP1P/1S2G2R1/LN1GK1SNL w Bb 19",
    "1n1g3+Rl/lks6/1ppp3p1/p4pp1p/3P5/P1P1P1P1P/1PS2P3/1KG1G4/LN5+rL b BGSN2Pbsn 71",
    "l2gk2nl/4g4/3p1ppp1/p1p1p3p/1p5P1/P1P1P1P1P/1P1P1P3/2G1G4/LN2K2NL b RB2Srb2sn 43",
    "4k4/9/4P4/9/9/9/9/9/4K4 b 2G4Sr2b2g3n4l8p 1",
    "lR1B3nl/2gp5/ks3p3/pp4p1p/4P4/P1P2P1PP/1PS3P2/1KG6/LN3+r1NL b GSN2Pbgs2p 89",
    "+P+N+P1K1+P2/1+S+R2+P3/3g5/9/9/9/3p1p3/2+b1k1+n2/9 b BRGSNL4P2g2sn3l7p 200",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
    "lnsgkg1nl/6r2/p1ppppspp/1p4p2/9/2P6/PPSPPPPPP/7R1/LN1GKGSNL b Bb 9",
];

/// Room for the deepest search; the stack that Windows gives the first thread is too small.
const STACK_BYTES: usize = 64 << 20;

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, || search_all(arguments))?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn search_all(arguments: &Arguments) -> Result<(), Failure> {
    let config = Config { hash_mb: arguments.hash as usize, threads: arguments.threads as usize, ..Config::default() };
    let mut engine = Tansaku::default();
    engine.configure(&config);
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let start = Instant::now();
    let mut total = 0;
    for sfen in POSITIONS {
        let kyokumen = Kyokumen::from_sfen(sfen)?;
        let limits = Limits { depth: Some(arguments.depth), ..Limits::new(Instant::now()) };
        let mut nodes = 0;
        engine.new_game();
        engine.think(&mut Task {
            kyokumen: &kyokumen,
            rireki: &Rireki::new(&kyokumen),
            limits: &limits,
            config: &config,
            stop: &StopSignal::new(),
            rng: &mut rng,
            report: &mut |report| {
                if let komadai::sikou::Report::Line(line) = report {
                    nodes = line.nodes;
                }
            },
        });
        out(&format!("{nodes:>10} {sfen}\n"))?;
        total += nodes;
    }
    let seconds = start.elapsed().as_secs_f64();
    out(&format!("nodes {total} seconds {seconds:.3} nps {:.0}\n", total as f64 / seconds.max(1e-9)))
}
