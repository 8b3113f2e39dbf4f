//! Matches between two evaluations.

use std::sync::Mutex;

use clap::Args;
use komadai::kyokumen::{Taikyoku, Te, Teban};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::elo::Score;
use crate::games::StartLines;
use crate::player::{Choice, LONGEST, Player, ended_by_repetition};
use crate::{Failure, bar, read_learned};

/// Plays a match between two evaluations: every start line, with both colours
#[derive(Args)]
pub struct Arguments {
    /// One evaluation: a table, a file, standard or zero; or a table and a network, with + between
    a: String,
    /// The other
    b: String,
    #[command(flatten)]
    start: StartLines,
    /// Nodes for each move
    #[arg(long, default_value_t = 2_000)]
    nodes: u64,
    /// Play so many lines only
    #[arg(long)]
    first: Option<usize>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (a, b) = (read_learned(&arguments.a)?, read_learned(&arguments.b)?);
    let mut lines = arguments.start.read()?;
    lines.truncate(arguments.first.unwrap_or(usize::MAX));
    let progress = bar(2 * lines.len() as u64, "games");
    let score = Mutex::new(Score::default());
    (0..2 * lines.len()).into_par_iter().for_each_init(
        || [Player::new(&a, arguments.nodes), Player::new(&b, arguments.nodes)],
        |players, game| {
            let line = &lines[game / 2];
            let a_is = if game % 2 == 0 { Teban::Sente } else { Teban::Gote };
            let winner = play(players, line, a_is);
            let mut score = score.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            match winner {
                None => score.draws += 1,
                Some(winner) if winner == a_is => score.wins += 1,
                Some(_) => score.losses += 1,
            }
            progress.inc(1);
        },
    );
    progress.finish();
    let score = score.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let [elo, low, high] = score.elo();
    println!("{}-{}-{} elo {elo:+.0} [{low:+.0}, {high:+.0}]", score.wins, score.losses, score.draws);
    Ok(())
}

/// Plays a game; its winner.
fn play(players: &mut [Player; 2], line: &[Te], a_is: Teban) -> Option<Teban> {
    let mut taikyoku = Taikyoku::default();
    if !line.iter().all(|&te| taikyoku.play(te)) {
        return None;
    }
    players.iter_mut().for_each(Player::new_game);
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    loop {
        if let Some(winner) = ended_by_repetition(&taikyoku) {
            return winner;
        }
        let turn = taikyoku.kyokumen().teban();
        let te = match players[usize::from(turn != a_is)].choose(&taikyoku, &mut rng) {
            Choice::Move { te, .. } => te,
            Choice::Lost => return Some(!turn),
            Choice::Won => return Some(turn),
        };
        if !taikyoku.play(te) {
            return Some(!turn);
        }
        if taikyoku.kyokumen().tesu() > LONGEST {
            return None;
        }
    }
}
