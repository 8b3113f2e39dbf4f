//! Positions of strong players, with the moves they chose and others.

use std::path::PathBuf;

use clap::Args;
use komadai::hyoka::Komagumi;
use komadai::kifu::Game;
use komadai::kyokumen::{Kyokumen, PackedKyokumen, Te, Teban};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::games::read_games;
use crate::quiet;
use crate::{Failure, bar, read, read_weights, write};

/// Picks moves of strong players from recorded games, each with other moves of its position
#[derive(Args)]
pub struct Arguments {
    /// Tab-separated games, in .gz
    games: PathBuf,
    /// The table by which positions are followed to a quiet one: a file, standard or zero
    #[arg(long, default_value = "standard")]
    table: PathBuf,
    /// How many moves
    #[arg(long, default_value_t = 300_000)]
    count: u64,
    /// Other moves beside each
    #[arg(long, default_value_t = 15)]
    siblings: usize,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where the positions go
    #[arg(short, long)]
    output: PathBuf,
}

/// Moves before this ply come from books.
const FIRST_PLY: usize = 12;
/// Tries to find a position before one of the moves is given up.
const TRIES: usize = 16;

/// A choice: the quiet positions behind the moves, that of the move played first.
pub struct Choice {
    pub mover: Teban,
    pub behind: Vec<PackedKyokumen>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let weights = read_weights(&arguments.table)?;
    let games: Vec<(Game, Teban)> = read_games(&arguments.games)?
        .into_iter()
        .filter_map(|(game, strong)| Some((game, strong?)))
        .filter(|(game, _)| game.moves.len() > FIRST_PLY + 1)
        .collect();
    if games.is_empty() || arguments.siblings > 200 {
        return Err("no game tells which side is the stronger one, or too many siblings".into());
    }
    let progress = bar(arguments.count, "moves");
    let choices: Vec<Option<Choice>> = (0..arguments.count)
        .into_par_iter()
        .map_init(
            || Komagumi::new(&weights),
            |hyoka, number| {
                let mut rng = ChaCha8Rng::seed_from_u64(arguments.seed);
                rng.set_stream(number);
                progress.inc(1);
                (0..TRIES).find_map(|_| {
                    let (game, strong) = &games[rng.random_range(0..games.len())];
                    pick(game, *strong, arguments.siblings, hyoka, &mut rng)
                })
            },
        )
        .collect();
    progress.finish();
    let mut bytes = Vec::new();
    let mut written = 0;
    for choice in choices.into_iter().flatten() {
        bytes.extend([choice.mover.index() as u8, choice.behind.len() as u8]);
        choice.behind.iter().for_each(|packed| bytes.extend(packed.0));
        written += 1;
    }
    println!("moves {written}");
    write(&arguments.output, &bytes)
}

/// A move of the stronger side, anywhere in a game, unless it is in check there.
fn pick(game: &Game, strong: Teban, siblings: usize, hyoka: &mut Komagumi, rng: &mut ChaCha8Rng) -> Option<Choice> {
    let ply = rng.random_range(FIRST_PLY..game.moves.len());
    let mut kyokumen = game.start.kyokumen();
    for &te in &game.moves[..ply] {
        kyokumen.do_te(te);
    }
    if kyokumen.teban() != strong || kyokumen.is_oute() {
        return None;
    }
    let mut others: Vec<Te> = kyokumen.legal_te().into_iter().filter(|&te| te != game.moves[ply]).collect();
    others.shuffle(rng);
    others.truncate(siblings);
    let played = behind(&kyokumen, game.moves[ply], hyoka)?;
    let mut all = vec![played];
    all.extend(others.into_iter().filter_map(|te| behind(&kyokumen, te, hyoka)));
    (all.len() > 1).then_some(Choice { mover: strong, behind: all })
}

fn behind(kyokumen: &Kyokumen, te: Te, hyoka: &mut Komagumi) -> Option<PackedKyokumen> {
    let mut after = kyokumen.clone();
    after.do_te(te);
    quiet::leaf(&after, hyoka).0.pack()
}

/// Reads a file of choices.
pub fn read_choices(path: &std::path::Path) -> Result<Vec<Choice>, Failure> {
    let bytes = read(path)?;
    let mut rest = &bytes[..];
    let mut choices = Vec::new();
    while let Some((&[mover, count], more)) = rest.split_first_chunk() {
        let (positions, more) = more.split_at_checked(usize::from(count) * 32).ok_or("the file of moves is cut")?;
        let mover = if mover == 0 { Teban::Sente } else { Teban::Gote };
        let behind = positions.as_chunks::<32>().0.iter().map(|&packed| PackedKyokumen(packed)).collect();
        choices.push(Choice { mover, behind });
        rest = more;
    }
    Ok(choices)
}
