//! The numbers behind komagumi: what a piece of a kind is worth by its square, by how it stands to its own and to the
//! enemy king, and in hand, in the opening and in the endgame.
//!
//! They are few because squares are folded: a side's own view, the left and the right of the board alike. The file that
//! holds them is made by the workspace member `learn`:
//!
//! ```text
//! file    = magic version numbers
//! magic   = "KOMAGUMI"                     8 bytes
//! version = 1                              u32, little-endian
//! numbers = COUNT * (opening endgame)      i16 each, little-endian, in the order of the indices below
//! ```

use thiserror::Error;

use crate::kyokumen::{Masu, Syurui, Teban};

/// Numbers are in this part of a centipawn.
pub const UNIT: i32 = 8;

const MAGIC: &[u8; 8] = b"KOMAGUMI";
const VERSION: u32 = 1;

/// Kinds of pieces, by [`Syurui::index`].
const SYURUI: usize = 16;
/// Squares, the left half folded onto the right one.
const PLACES: usize = 5 * 9;
/// Ranks from a king, and files from him.
const DANS: usize = 17;
const SUJIS: usize = 9;
/// Most pieces of a kind in hand.
const MOST_IN_HAND: usize = 18;

const OWN_OU: usize = SYURUI * PLACES;
const ENEMY_OU: usize = OWN_OU + SYURUI * DANS * SUJIS;
const HAND: usize = ENEMY_OU + SYURUI * DANS * SUJIS;

/// How many numbers there are for each phase; those that no piece uses are 0.
pub const COUNT: usize = HAND + 8 * (MOST_IN_HAND + 1);

/// A number for the opening and one for the endgame.
pub type Pair = [i16; 2];

/// All numbers, each under the index that the functions of this module give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    pairs: Vec<Pair>,
}

/// Why a file holds no numbers for komagumi.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum WeightsError {
    /// It begins otherwise.
    #[error("no table for the evaluation: it does not begin with KOMAGUMI")]
    Magic,
    /// Another version of the format.
    #[error("a table for the evaluation of version {0}, and this program knows version {VERSION}")]
    Version(u32),
    /// It ends too soon, or goes on.
    #[error("a table for the evaluation with {0} bytes instead of {LENGTH}")]
    Length(usize),
}

const LENGTH: usize = 12 + COUNT * 4;

impl Default for Weights {
    /// All numbers 0.
    fn default() -> Weights {
        Weights { pairs: vec![[0; 2]; COUNT] }
    }
}

impl Weights {
    /// The numbers that come with the engine.
    pub fn standard() -> Weights {
        // The file is part of the program, and a test reads it.
        Weights::from_bytes(include_bytes!("komagumi.bin")).unwrap_or_default()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`WeightsError`] where it is none.
    pub fn from_bytes(bytes: &[u8]) -> Result<Weights, WeightsError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(WeightsError::Magic)?;
        let (version, numbers) = rest.split_first_chunk().ok_or(WeightsError::Length(bytes.len()))?;
        match u32::from_le_bytes(*version) {
            VERSION if bytes.len() == LENGTH => {}
            VERSION => return Err(WeightsError::Length(bytes.len())),
            version => return Err(WeightsError::Version(version)),
        }
        let pair =
            |bytes: &[u8; 4]| [i16::from_le_bytes([bytes[0], bytes[1]]), i16::from_le_bytes([bytes[2], bytes[3]])];
        Ok(Weights { pairs: numbers.as_chunks().0.iter().map(pair).collect() })
    }

    /// The file that holds these numbers.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = [&MAGIC[..], &VERSION.to_le_bytes()].concat();
        bytes.extend(self.pairs.iter().flatten().flat_map(|number| number.to_le_bytes()));
        bytes
    }

    /// The pairs by their indices.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The pairs by their indices, to change them.
    pub fn pairs_mut(&mut self) -> &mut [Pair] {
        &mut self.pairs
    }
}

/// Index of a piece's worth by its square.
pub fn place(syurui: Syurui, teban: Teban, masu: Masu) -> usize {
    let (suji, dan) = seen(masu, teban);
    syurui.index() * PLACES + suji.min(8 - suji) * 9 + dan
}

/// Index of a piece's worth by how it stands to the king of its own side; the king himself has none.
pub fn to_own_ou(syurui: Syurui, teban: Teban, masu: Masu, ou: Masu) -> usize {
    OWN_OU + relative(syurui, teban, masu, ou)
}

/// Index of a piece's worth by how it stands to the enemy king; the king himself has none.
pub fn to_enemy_ou(syurui: Syurui, teban: Teban, masu: Masu, ou: Masu) -> usize {
    ENEMY_OU + relative(syurui, teban, masu, ou)
}

/// Index of what the `number`th piece of a kind in hand adds, from 1 on.
pub fn in_hand(syurui: Syurui, number: u8) -> usize {
    HAND + (syurui.index() & 7) * (MOST_IN_HAND + 1) + usize::from(number).min(MOST_IN_HAND)
}

fn relative(syurui: Syurui, teban: Teban, masu: Masu, ou: Masu) -> usize {
    let ((suji, dan), (ou_suji, ou_dan)) = (seen(masu, teban), seen(ou, teban));
    (syurui.index() * DANS + (8 + dan - ou_dan)) * SUJIS + suji.abs_diff(ou_suji)
}

/// File and rank from 0 to 8, as a side sees them.
fn seen(masu: Masu, teban: Teban) -> (usize, usize) {
    let masu = if teban == Teban::Sente { masu } else { masu.rotated() };
    (masu.index() / 9, masu.index() % 9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_is_in_its_own_part() {
        for syurui in Syurui::ALL {
            for teban in Teban::ALL {
                for masu in Masu::all() {
                    assert!(place(syurui, teban, masu) < OWN_OU);
                    for ou in Masu::all() {
                        assert!((OWN_OU..ENEMY_OU).contains(&to_own_ou(syurui, teban, masu, ou)));
                        assert!((ENEMY_OU..HAND).contains(&to_enemy_ou(syurui, teban, masu, ou)));
                    }
                }
            }
        }
        for syurui in Syurui::HAND {
            assert!((HAND..COUNT).contains(&in_hand(syurui, 1)) && in_hand(syurui, 18) < COUNT);
            assert_ne!(in_hand(syurui, 1), in_hand(syurui, 2));
        }
    }

    #[test]
    fn a_file_gives_its_numbers_back_and_anything_else_an_error() {
        let mut weights = Weights::default();
        weights.pairs_mut()[COUNT - 1] = [-3, 1000];
        let bytes = weights.to_bytes();
        assert_eq!(Weights::from_bytes(&bytes), Ok(weights));
        assert_eq!(Weights::from_bytes(&bytes[1..]), Err(WeightsError::Magic));
        assert_eq!(Weights::from_bytes(&bytes[..bytes.len() - 1]), Err(WeightsError::Length(bytes.len() - 1)));
        assert_eq!(Weights::from_bytes(b"KOMAGUMI\x02\0\0\0"), Err(WeightsError::Version(2)));
        assert_eq!(Weights::from_bytes(b"KOMAGUMI\x02"), Err(WeightsError::Length(9)));
    }

    #[test]
    fn the_numbers_that_come_along_can_be_read() {
        assert_ne!(Weights::standard(), Weights::default());
    }
}
