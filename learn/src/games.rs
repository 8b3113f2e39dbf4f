//! Recorded games: positions to begin with, and moves of strong players.

use std::io::{BufRead, BufReader};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use komadai::kifu::{self, Game};
use komadai::kyokumen::Teban;

use crate::{Failure, named};

/// Even games of the tab-separated games file, compressed, with the side of the stronger player where it is told.
pub fn read_games(path: &Path) -> Result<Vec<(Game, Option<Teban>)>, Failure> {
    let file = std::fs::File::open(path).map_err(|error| named(path, &error))?;
    let mut games = Vec::new();
    for line in BufReader::new(MultiGzDecoder::new(file)).lines() {
        let line = line.map_err(|error| named(path, &error))?;
        let Some(game) = kifu::read_line(&line).map_err(|error| named(path, &error))? else { continue };
        let strong = match line.split('\t').nth(2) {
            Some("b") => Some(Teban::Sente),
            Some("w") => Some(Teban::Gote),
            _ => None,
        };
        if game.start.handicap() == Some(kifu::Handicap::Even) {
            games.push((game, strong));
        }
    }
    Ok(games)
}
