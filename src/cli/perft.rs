//! `komadai perft`: counts paths of legal moves.

use std::time::Instant;

use clap::{Args, ValueEnum};

use komadai::kyokumen::{self, PerftMode};

use super::{Failure, out, read_kyokumen};

/// Counts the paths of legal moves
#[derive(Args)]
pub struct Arguments {
    /// Length of the paths, in plies
    #[arg(value_parser = clap::value_parser!(u32).range(..=20))]
    depth: u32,
    /// The position: startpos, or a SFEN as one argument
    #[arg(default_value = "startpos")]
    sfen: String,
    /// How the last ply is counted
    #[arg(long, value_enum, default_value_t = Mode::Count)]
    mode: Mode,
    /// Print the count behind each first move
    #[arg(long)]
    divide: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Mode {
    /// Its moves are counted without a list
    Count,
    /// Its list is built
    List,
    /// Its moves are played and taken back
    Play,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut kyokumen = read_kyokumen(&arguments.sfen)?;
    let mode = match arguments.mode {
        Mode::Count => PerftMode::Count,
        Mode::List => PerftMode::List,
        Mode::Play => PerftMode::Play,
    };
    let start = Instant::now();
    let nodes = if arguments.divide && arguments.depth > 0 {
        let mut total = 0;
        for te in kyokumen.legal_te() {
            let change = kyokumen.do_te(te);
            let nodes = kyokumen::perft(&mut kyokumen, arguments.depth - 1, mode);
            kyokumen.undo_te(&change);
            out(&format!("{te} {nodes}\n"))?;
            total += nodes;
        }
        total
    } else {
        kyokumen::perft(&mut kyokumen, arguments.depth, mode)
    };
    let seconds = start.elapsed().as_secs_f64();
    out(&format!("nodes {nodes} seconds {seconds:.3} mnps {:.1}\n", nodes as f64 / seconds.max(1e-9) / 1e6))
}
