//! Prints perft speeds of Komadai beside other crates, measured in turn in one run, as a table for docs/performance.md.

use std::process::ExitCode;
use std::time::Duration;

use peers::{COUNT, Peer, PerftMode};

struct Position {
    name: &'static str,
    sfen: &'static str,
    depth: u32,
    /// Where moves are only counted or listed and more depth is asked for.
    deep: u32,
}

const POSITIONS: [Position; 3] = [
    Position {
        name: "start",
        sfen: "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
        depth: 5,
        deep: 6,
    },
    Position {
        name: "matsuri",
        sfen: "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        depth: 3,
        deep: 4,
    },
    Position { name: "max moves", sfen: "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", depth: 3, deep: 4 },
];

const MODES: [(&str, PerftMode); 3] =
    [("count", PerftMode::Count), ("list", PerftMode::List), ("play", PerftMode::Play)];

const USAGE: &str = "peers [count] [list] [play] [deep] [ROUNDS]
  count, list, play   only these modes
  deep                one ply more in count and list
  ROUNDS              how often each is measured, 5 without it; the fastest counts";

struct Task {
    modes: Vec<(&'static str, PerftMode)>,
    deep: bool,
    rounds: u32,
}

fn main() -> ExitCode {
    let Some(task) = read_task(std::env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::FAILURE;
    };
    let mut differences = Vec::new();
    println!("| mode | position | depth | Komadai | shunsai | haitaka | rsshogi | ratio |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for &(name, mode) in &task.modes {
        for position in &POSITIONS {
            let depth = if task.deep && mode != PerftMode::Play { position.deep } else { position.depth };
            let mut peers = peers::all(position.sfen);
            let speeds = speeds(&mut peers, depth, mode, task.rounds, |peer, paths, ours| {
                differences
                    .push(format!("{peer} counts {paths} paths and not {ours}: perft {depth} of {}", position.sfen));
            });
            let best = speeds[1..].iter().flatten().copied().fold(0.0, f64::max);
            let [ours, ..] = speeds;
            let ratio = ours.unwrap_or(f64::NAN) / best;
            let figures = speeds.map(|speed| speed.map_or("-".to_owned(), |speed| format!("{speed:.0}"))).join(" | ");
            println!("| {name} | {} | {depth} | {figures} | {ratio:.2} |", position.name);
        }
    }
    differences.dedup();
    differences.iter().for_each(|difference| println!("\n{difference}"));
    ExitCode::SUCCESS
}

fn read_task(words: impl Iterator<Item = String>) -> Option<Task> {
    let mut task = Task { modes: Vec::new(), deep: false, rounds: 5 };
    for word in words {
        if let Some(&mode) = MODES.iter().find(|(name, _)| *name == word) {
            task.modes.push(mode);
        } else if word == "deep" {
            task.deep = true;
        } else {
            task.rounds = word.parse().ok().filter(|&rounds| rounds > 0)?;
        }
    }
    if task.modes.is_empty() {
        task.modes = MODES.to_vec();
    }
    Some(task)
}

/// How long a peer works at least before the next one has its turn.
const TURN: Duration = Duration::from_millis(100);

/// Million paths a second for each peer, the fastest perft of all rounds; `differs` hears of peers that count otherwise
/// than the first.
fn speeds(
    peers: &mut [Box<dyn Peer>; COUNT],
    depth: u32,
    mode: PerftMode,
    rounds: u32,
    mut differs: impl FnMut(&str, u64, u64),
) -> [Option<f64>; COUNT] {
    let mut speeds = [None; COUNT];
    for round in 0..rounds {
        let mut ours = 0;
        for (index, (peer, best)) in peers.iter_mut().zip(&mut speeds).enumerate() {
            let turn = cpu_time();
            while cpu_time() - turn < TURN {
                let start = cpu_time();
                let Some(paths) = peer.perft(depth, mode) else { break };
                let speed = paths as f64 / (cpu_time() - start).as_secs_f64() / 1e6;
                *best = Some(best.map_or(speed, |best: f64| best.max(speed)));
                if index == 0 {
                    ours = paths;
                } else if round == 0 && paths != ours {
                    differs(peer.name(), paths, ours);
                }
            }
        }
    }
    speeds
}

/// The CPU time that this thread has used: other programs on the machine cost less of it than of the wall clock.
#[cfg(unix)]
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The time since the first call.
#[cfg(not(unix))]
fn cpu_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}
