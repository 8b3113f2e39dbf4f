//! Records of one line a game.
//!
//! - USI: `[position] startpos|sfen SFEN [moves TE...]`, perhaps with `resign` behind the moves.
//! - The tab-separated games file: date, handicap, colour of the engine player, rating of Sente, of Gote, ending,
//!   number of moves, moves in USI; `-` stands for what is unknown.

use thiserror::Error;

use super::{Cut, Date, Ending, Game, Handicap, Reading, Start};
use crate::kyokumen::{ByTeban, Kyokumen, SfenError, Te, TeError};

/// What is wrong with a line.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LineError {
    /// It is in no known format.
    #[error("no game: it starts with neither startpos, sfen nor position, and has not 8 columns")]
    Unknown,
    /// It is longer than any game.
    #[error("no game: it has more than 4 MiB")]
    TooLong,
    /// The start position can't be read.
    #[error(transparent)]
    Sfen(#[from] SfenError),
    /// A move can't be read.
    #[error("move {number}: {error}")]
    Te {
        /// Its number, 1 for the first.
        number: usize,
        /// What is wrong with it.
        error: TeError,
    },
    /// A column of the games file can't be read.
    #[error("column {column}, {name}: {text:?} can't be read")]
    Column {
        /// Its number, 1 for the first.
        column: usize,
        /// What it should hold.
        name: &'static str,
        /// What it holds.
        text: String,
    },
}

/// Reads a game from a line; `None` for a blank line and a comment, which starts with `#`.
///
/// # Errors
/// [`LineError`] where the line is no game. An illegal move is no error: see [`Game::cut`].
pub fn read_line(line: &str) -> Result<Option<Game>, LineError> {
    let line = line.trim_start_matches('\u{feff}').trim_end_matches(['\r', '\n']);
    if line.trim().is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    if line.matches('\t').count() >= 7 { read_columns(line) } else { read_usi(line) }.map(Some)
}

/// The games of a text, a line each.
pub(super) fn games(text: &str, first_line: u64) -> impl Iterator<Item = Reading> + '_ {
    let numbered = (first_line..).zip(text.split(char::from(line_end(text.as_bytes()))));
    numbered.filter_map(|(line, text)| Some(Reading { line, game: read_line(text).map_err(Into::into).transpose()? }))
}

/// What ends a line: a line feed, or, in texts without any, a carriage return.
pub(super) fn line_end(text: &[u8]) -> u8 {
    if memchr::memchr(b'\n', text).is_some() { b'\n' } else { b'\r' }
}

fn read_usi(line: &str) -> Result<Game, LineError> {
    let mut words = line.split_ascii_whitespace().peekable();
    words.next_if_eq(&"position");
    let start = match words.next() {
        Some("startpos") => Start::default(),
        Some("sfen") => {
            let mut sfen = String::new();
            while let Some(word) = words.next_if(|&word| word != "moves") {
                sfen.push_str(word);
                sfen.push(' ');
            }
            Kyokumen::from_sfen(&sfen)?.into()
        }
        _ => return Err(LineError::Unknown),
    };
    if words.next().is_some_and(|word| word != "moves") {
        return Err(LineError::Unknown);
    }
    let mut words: Vec<&str> = words.collect();
    let ending = words.pop_if(|word| *word == "resign").map(|_| Ending::Resign);
    Ok(Game::from_moves(start, read_moves(words.into_iter())?, ending))
}

fn read_moves<'a>(words: impl Iterator<Item = &'a str>) -> Result<Vec<Te>, LineError> {
    let read = |(index, word): (usize, &str)| word.parse().map_err(|error| LineError::Te { number: index + 1, error });
    words.enumerate().map(read).collect()
}

fn read_columns(line: &str) -> Result<Game, LineError> {
    let columns: Vec<&str> = line.splitn(9, '\t').collect();
    let error = |index: usize, name| LineError::Column {
        column: index + 1,
        name,
        text: columns[index].chars().take(40).collect(),
    };
    let known = |index: usize| Some(columns[index]).filter(|text| !matches!(*text, "-" | "" | "none"));
    let rating = |index, name| known(index).map(|text| text.parse().map_err(|_| error(index, name))).transpose();
    let date: Option<Date> = known(0).map(|text| text.parse().map_err(|_| error(0, "date"))).transpose()?;
    let handicap = Handicap::from_name(columns[1]).ok_or_else(|| error(1, "handicap"))?;
    let ratings = ByTeban([rating(3, "rating of Sente")?, rating(4, "rating of Gote")?]);
    let ending = known(5).map(|text| Ending::from_name(text).ok_or_else(|| error(5, "ending"))).transpose()?;
    let stated: Option<usize> =
        known(6).map(|text| text.parse().map_err(|_| error(6, "number of moves"))).transpose()?;
    let moves = read_moves(columns[7].split_ascii_whitespace())?;
    let found = moves.len();
    let mut game = Game::from_moves(Start::Handicap(handicap), moves, ending);
    if let Some(stated) = stated.filter(|&stated| stated != found) {
        game.cut_by(Cut::Moves { stated, found });
    }
    Ok(Game { date, ratings, ..game })
}
