//! Games of the engine against itself.

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use komadai::hyoka::Learned;
use komadai::kyokumen::{Taikyoku, Te, Teban};
use komadai::sikou::Score;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::games::read_games;
use crate::player::{Choice, LONGEST, Player, ended_by_repetition};
use crate::quiet;
use crate::sample::Sample;
use crate::{Failure, bar, named, read_learned};

/// Plays games of the engine against itself, and keeps quiet positions with values and results
#[derive(Args)]
pub struct Arguments {
    /// Games to begin with, tab-separated, in .gz
    #[arg(long)]
    start: PathBuf,
    /// The evaluation to play with: a table, a file, standard or zero; or a table and a network, with + between
    #[arg(long, default_value = "standard")]
    table: String,
    /// How many games
    #[arg(long, default_value_t = 10_000)]
    games: u64,
    /// Number of the first game, to go on with a series
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Nodes for each move
    #[arg(long, default_value_t = 1_000)]
    nodes: u64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where the positions go
    #[arg(short, long)]
    output: PathBuf,
}

/// Games begin in recorded games between these plies,
const FIRST_PLY: usize = 10;
const LAST_PLY: usize = 90;
/// at least so many plies before their end,
const BEFORE_END: usize = 10;
/// and up to so many random moves later.
const RANDOM_MOVES: usize = 3;
/// Whoever stands so well has won, and such positions teach nothing.
const DECIDED: i32 = 3_000;
/// Positions before this ply are not kept.
const FIRST_KEPT: u32 = 12;
/// Games between two writes.
const BATCH: u64 = 64;

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let hyoka = read_learned(&arguments.table)?;
    let starts: Vec<Vec<_>> = read_games(&arguments.start)?
        .into_iter()
        .map(|(game, _)| game.moves)
        .filter(|moves| moves.len() >= FIRST_PLY + BEFORE_END)
        .collect();
    if starts.is_empty() {
        return Err("no game is long enough to begin with".into());
    }
    let file = std::fs::File::create(&arguments.output).map_err(|error| named(&arguments.output, &error))?;
    let mut output = BufWriter::new(file);
    let progress = bar(arguments.games, "games");
    let (last, mut kept) = (arguments.first + arguments.games, 0);
    for batch in (arguments.first..last).step_by(BATCH as usize) {
        let numbers = batch..last.min(batch + BATCH);
        let games: Vec<Vec<Sample>> = numbers
            .into_par_iter()
            .map_init(
                || Players::new(&hyoka, arguments.nodes),
                |players, number| {
                    let mut rng = ChaCha8Rng::seed_from_u64(arguments.seed);
                    rng.set_stream(number);
                    let samples = players.play(&starts[rng.random_range(0..starts.len())], &mut rng);
                    progress.inc(1);
                    samples
                },
            )
            .collect();
        for sample in games.iter().flatten() {
            output.write_all(&sample.to_bytes())?;
            kept += 1;
        }
    }
    output.flush()?;
    progress.finish();
    println!("games {} positions {kept}", arguments.games);
    Ok(())
}

struct Players {
    player: Player,
    /// To find quiet positions.
    hyoka: Learned,
}

impl Players {
    fn new(hyoka: &Learned, nodes: u64) -> Players {
        Players { player: Player::new(hyoka, nodes), hyoka: hyoka.clone() }
    }

    fn play(&mut self, start: &[Te], rng: &mut ChaCha8Rng) -> Vec<Sample> {
        let mut taikyoku = begin(start, rng);
        self.player.new_game();
        let mut positions = Vec::new();
        let winner = loop {
            if let Some(winner) = ended_by_repetition(&taikyoku) {
                break winner;
            }
            let turn = taikyoku.kyokumen().teban();
            let (te, score) = match self.player.choose(&taikyoku, rng) {
                Choice::Lost => break Some(!turn),
                Choice::Won => break Some(turn),
                Choice::Move { te, score } => (te, score),
            };
            match score {
                Score::Cp(score) if score.abs() < DECIDED => positions.extend(self.keep(&taikyoku, score)),
                Score::Cp(score) | Score::Mate(score) => break Some(if score > 0 { turn } else { !turn }),
            }
            if taikyoku.kyokumen().tesu() > LONGEST || !taikyoku.play(te) {
                break None;
            }
        };
        positions.into_iter().map(|(sample, turn)| Sample { result: result(winner, turn), ..sample }).collect()
    }

    /// The quiet position behind this one, with its side to move.
    fn keep(&mut self, taikyoku: &Taikyoku, score: i32) -> Option<(Sample, Teban)> {
        let kyokumen = taikyoku.kyokumen();
        if kyokumen.tesu() <= FIRST_KEPT || kyokumen.is_oute() {
            return None;
        }
        let (quiet, turned) = quiet::leaf(kyokumen, &mut self.hyoka);
        let score = if turned { -score } else { score };
        let packed = quiet.pack().filter(|_| !quiet.is_oute())?;
        Some((Sample { packed, score: score as i16, result: 0 }, quiet.teban()))
    }
}

fn result(winner: Option<Teban>, turn: Teban) -> i8 {
    match winner {
        None => 0,
        Some(winner) if winner == turn => 1,
        Some(_) => -1,
    }
}

/// A recorded game up to some ply, and some random moves.
fn begin(start: &[Te], rng: &mut ChaCha8Rng) -> Taikyoku {
    let mut taikyoku = Taikyoku::default();
    let plies = rng.random_range(FIRST_PLY..=LAST_PLY.min(start.len() - BEFORE_END));
    let recorded = start[..plies].iter().all(|&te| taikyoku.play(te));
    for _ in 0..rng.random_range(0..=RANDOM_MOVES) {
        let moves = taikyoku.kyokumen().legal_te();
        if !recorded || moves.is_empty() || !taikyoku.play(moves[rng.random_range(0..moves.len())]) {
            break;
        }
    }
    taikyoku
}
