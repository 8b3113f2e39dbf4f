//! Recorded games: positions to begin with, and moves of strong players.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use clap::Args;
use flate2::read::MultiGzDecoder;
use komadai::kifu::{self, Game};
use komadai::kyokumen::{Te, Teban};

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

/// Lines from which matches begin
#[derive(Args)]
pub struct StartLines {
    /// Start lines, each as startpos moves ...
    #[arg(long)]
    pub lines: PathBuf,
    /// Moves of each line that are played
    #[arg(long, default_value_t = 24)]
    pub plies: usize,
}

impl StartLines {
    /// The lines, cut; at least one.
    pub fn read(&self) -> Result<Vec<Vec<Te>>, Failure> {
        let path = &self.lines;
        let text = std::fs::read_to_string(path).map_err(|error| named(path, &error))?;
        let mut lines: Vec<Vec<Te>> = Vec::new();
        for line in text.lines() {
            lines.extend(kifu::read_line(line)?.map(|game| game.moves));
        }
        lines.iter_mut().for_each(|line| line.truncate(self.plies));
        if lines.is_empty() { Err(format!("{}: no lines", path.display()).into()) } else { Ok(lines) }
    }
}
