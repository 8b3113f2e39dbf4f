//! A position that somebody names: a start, and moves from there.

use komadai::kifu::{self, Cut, LineError};
use komadai::kyokumen::{Kyokumen, Masu, Te};

use crate::cli::Failure;

/// The most characters of a text that are shown again where it can't be read.
const EXCERPT: usize = 100;

/// A way to a position.
pub struct Place {
    pub start: Kyokumen,
    /// Legal moves, one after the other.
    pub moves: Vec<Te>,
}

impl Place {
    /// Reads `startpos` or a SFEN, then, if wanted, the word `moves` and moves in USI.
    pub fn read(text: &str) -> Result<Place, Failure> {
        let first = text.split_ascii_whitespace().next().unwrap_or_default();
        let is_line = ["startpos", "sfen", "position"].contains(&first);
        let line = if is_line { text.to_owned() } else { format!("sfen {text}") };
        let game = match kifu::read_line(&line) {
            Err(LineError::Unknown) | Ok(None) => {
                let excerpt: String = text.chars().take(EXCERPT).collect();
                return Err(format!("{excerpt:?} is no position: startpos or a SFEN, then moves").into());
            }
            Err(error) => return Err(error.into()),
            Ok(Some(game)) => game,
        };
        match game.cut {
            Some(Cut::IllegalTe { number, te }) => Err(format!("move {number}, {te}, is illegal").into()),
            _ => Ok(Place { start: game.start.kyokumen(), moves: game.moves }),
        }
    }

    /// The position behind the moves.
    pub fn kyokumen(&self) -> Kyokumen {
        let mut kyokumen = self.start.clone();
        for &te in &self.moves {
            kyokumen.do_te(te);
        }
        kyokumen
    }

    /// Where the last move went, which is what 同 means for the next.
    pub fn before(&self) -> Option<Masu> {
        self.moves.last().map(|te| te.to())
    }
}
