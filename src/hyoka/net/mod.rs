//! A small network: what the numbers of komagumi can't say, because pieces work together.
//!
//! Each side looks at the board in its own view, mirrored so that its king is on the right or in the middle. What it
//! sees is the sum of rows of [`WIDTH`] numbers, one for each of these:
//!
//! - every piece, by kind, side and square, or as one more in hand;
//! - the 24 squares up to two steps from its king, by how often either side attacks them: 0, 1, 2, or 3 times and more;
//! - every piece on the board but the kings, by kind and side, and by how often either side attacks its square: 0, 1,
//!   or 2 times and more.
//!
//! The sums of both sides, held between 0 and 1 and squared, are weighed and added up, by other weights in each phase
//! of the game.
//!
//! The file that holds the numbers is made by the workspace member `learn`:
//!
//! ```text
//! file    = magic version biases rows outputs constants
//! magic   = "KOMANET\n"                    8 bytes
//! version = 2                              u32
//! biases  = WIDTH numbers                  i16, 1 is ONE
//! rows    = FEATURES * WIDTH numbers       i16, 1 is ONE
//! outputs = PHASES * 2 * WIDTH numbers     i16, 1 is OUTPUT_ONE; the side to move first
//! constants = PHASES numbers               i32, 1 is ONE * ONE * OUTPUT_ONE
//! ```
//!
//! All are little-endian.

mod around;
mod attacks;
mod layers;
mod sums;

use thiserror::Error;

use super::phase;
use crate::kyokumen::{Koma, Kyokumen, Masu, Syurui, Teban};

pub use attacks::MOST_ATTACKS;
pub(super) use sums::Stack;

/// Numbers that each side sees of a position.
pub const WIDTH: usize = 128;
/// Kinds of rows of pieces: one on a square, and one more of a kind in hand, of either side.
pub const PLACED: usize = 2 * (KINDS * Masu::COUNT + HELD);
/// Where those of guarded pieces begin: behind 16 for each square around the own king, in the order of files and of
/// ranks as its side sees them; 4 for each own attack, and 1 for each of the other side.
pub const GUARDED: usize = PLACED + around::KINDS;
/// All kinds of rows. Of guarded pieces, 9 for each kind, own ones first; 3 for each own attack, and 1 for each of the
/// other side.
pub const FEATURES: usize = GUARDED + attacks::KINDS_OF_GUARDS;
/// Phases that have weights of their own.
pub const PHASES: usize = 4;
/// What stands for 1 in sums.
pub const ONE: i32 = 255;
/// What stands for 1 in the weights of the output.
pub const OUTPUT_ONE: i32 = 64;
/// The largest weight of the output: so large that no sum of two products leaves 32 bits.
pub const OUTPUT_MOST: i16 = 127;
/// Centipawns that an output of 1 is worth.
pub const SCALE: i32 = 600;

const KINDS: usize = 14;
/// Pieces of one side that can be in hand.
const HELD: usize = 38;
const MAGIC: &[u8; 8] = b"KOMANET\n";
const VERSION: u32 = 2;
const LENGTH: usize = 12 + 2 * (WIDTH + FEATURES * WIDTH + PHASES * 2 * WIDTH) + 4 * PHASES;

/// What one side sees, or what one piece adds to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Row(pub [i16; WIDTH]);

/// The numbers of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Net {
    /// What a side sees of an empty board.
    pub biases: Row,
    /// What each feature adds.
    pub rows: Vec<Row>,
    /// Weights for the side to move and for the other, by phase.
    pub outputs: [[Row; 2]; PHASES],
    /// What is added to the output, by phase.
    pub constants: [i32; PHASES],
}

/// Why a file holds no network.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NetError {
    /// It begins otherwise.
    #[error("no network of this program: it does not begin with KOMANET")]
    Magic,
    /// Another version of the format.
    #[error("a network of version {0}, and this program knows version {VERSION}")]
    Version(u32),
    /// It ends too soon, or goes on.
    #[error("a network with {0} bytes instead of {LENGTH}")]
    Length(usize),
    /// A weight by which sums could leave their range.
    #[error("a network with a weight of its output beyond {OUTPUT_MOST}")]
    Weight,
}

impl Default for Net {
    /// All numbers 0.
    fn default() -> Net {
        const NONE: Row = Row([0; WIDTH]);
        Net { biases: NONE, rows: vec![NONE; FEATURES], outputs: [[NONE; 2]; PHASES], constants: [0; PHASES] }
    }
}

impl Net {
    /// The network that comes with the engine.
    pub fn standard() -> Net {
        // The file is part of the program, and a test reads it.
        Net::from_bytes(include_bytes!("../net.bin")).unwrap_or_default()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`NetError`] where it is none.
    pub fn from_bytes(bytes: &[u8]) -> Result<Net, NetError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(NetError::Magic)?;
        let (version, numbers) = rest.split_first_chunk().ok_or(NetError::Length(bytes.len()))?;
        match u32::from_le_bytes(*version) {
            VERSION if bytes.len() == LENGTH => {}
            VERSION => return Err(NetError::Length(bytes.len())),
            version => return Err(NetError::Version(version)),
        }
        let (small, large) = numbers.split_at(numbers.len() - 4 * PHASES);
        let mut small = small.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes));
        let mut row = || Row(std::array::from_fn(|_| small.next().unwrap_or_default()));
        let biases = row();
        let rows = (0..FEATURES).map(|_| row()).collect();
        let outputs = std::array::from_fn(|_| std::array::from_fn(|_| row()));
        let mut large = large.as_chunks().0.iter().map(|&bytes| i32::from_le_bytes(bytes));
        let constants = std::array::from_fn(|_| large.next().unwrap_or_default());
        if outputs
            .iter()
            .flatten()
            .flat_map(|row: &Row| row.0)
            .any(|weight| weight.unsigned_abs() > OUTPUT_MOST.unsigned_abs())
        {
            return Err(NetError::Weight);
        }
        Ok(Net { biases, rows, outputs, constants })
    }

    /// The file that holds these numbers.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = [&MAGIC[..], &VERSION.to_le_bytes()].concat();
        let rows = [self.biases].into_iter().chain(self.rows.iter().copied());
        let small = rows.chain(self.outputs.into_iter().flatten()).flat_map(|row| row.0);
        bytes.extend(small.flat_map(i16::to_le_bytes));
        bytes.extend(self.constants.into_iter().flat_map(i32::to_le_bytes));
        bytes
    }
}

/// How a side looks at the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    teban: Teban,
    mirrored: bool,
}

impl View {
    /// The view of a side with its king there.
    #[inline]
    pub fn new(teban: Teban, ou: Option<Masu>) -> View {
        View { teban, mirrored: ou.is_some_and(|ou| seen(ou, teban) >= 5 * 9) }
    }

    /// The feature of a piece on a square.
    #[inline]
    pub fn on_board(self, koma: Koma, masu: Masu) -> usize {
        let masu = seen(masu, self.teban);
        let masu = if self.mirrored { mirror(masu) } else { masu };
        let kind = (koma.index() & 15).saturating_sub(1) + if koma.belongs_to(self.teban) { 0 } else { KINDS };
        kind * Masu::COUNT + masu
    }

    /// The feature of the `number`th piece of a kind in the hand of a side, from 1 on.
    #[inline]
    pub fn in_hand(self, syurui: Syurui, teban: Teban, number: u8) -> usize {
        let place = HELD_FROM[syurui.index() & 7] + usize::from(number.max(1)) - 1;
        2 * KINDS * Masu::COUNT + place + if teban == self.teban { 0 } else { HELD }
    }

    /// Hands over every feature of the pieces of a position; those of attacks come by [`View::each_attack`].
    pub fn each(self, kyokumen: &Kyokumen, mut take: impl FnMut(usize)) {
        for masu in kyokumen.occupied() {
            take(self.on_board(kyokumen.koma(masu), masu));
        }
        for teban in Teban::ALL {
            for (syurui, count) in kyokumen.motigoma(teban).iter() {
                (1..=count).for_each(|number| take(self.in_hand(syurui, teban, number)));
            }
        }
    }
}

/// Which weights hold in a phase, as [`phase::of`] counts.
#[inline]
pub fn phase_index(phase: i32) -> usize {
    (phase.clamp(0, phase::ENDGAME - 1) * PHASES as i32 / phase::ENDGAME) as usize
}

/// Where the pieces of a kind begin among those in hand.
const HELD_FROM: [usize; 8] = {
    let (mut from, mut next, mut index) = ([0; 8], 0, 0);
    while index < Syurui::HAND.len() {
        from[Syurui::HAND[index].index()] = next;
        next += Syurui::HAND[index].in_set() as usize;
        index += 1;
    }
    assert!(next == HELD);
    from
};

const fn mirror(masu: usize) -> usize {
    (8 - masu / 9) * 9 + masu % 9
}

/// Index of a square as a side sees it.
#[inline]
fn seen(masu: Masu, teban: Teban) -> usize {
    if teban == Teban::Sente { masu.index() } else { masu.rotated().index() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_feature_has_its_own_index() {
        let view = View::new(Teban::Gote, None);
        let mut found = vec![false; FEATURES];
        let mut mark = |index: usize| assert!(!std::mem::replace(&mut found[index], true), "{index}");
        for teban in Teban::ALL {
            for syurui in Syurui::ALL {
                Masu::all().for_each(|masu| mark(view.on_board(Koma::new(syurui, teban), masu)));
            }
            for syurui in Syurui::HAND {
                (1..=syurui.in_set()).for_each(|number| mark(view.in_hand(syurui, teban, number)));
            }
        }
        assert!(found.iter().take(PLACED).all(|&found| found));
        assert!(!found.into_iter().skip(PLACED).any(|found| found));
    }

    #[test]
    fn a_file_gives_its_numbers_back_and_anything_else_an_error() {
        let mut net = Net::default();
        net.rows[FEATURES - 1].0[3] = -5;
        net.outputs[2][1].0[WIDTH - 1] = 127;
        net.constants[3] = -70_000;
        let mut bytes = net.to_bytes();
        assert_eq!(Net::from_bytes(&bytes), Ok(net));
        assert_eq!(Net::from_bytes(&bytes[1..]), Err(NetError::Magic));
        assert_eq!(Net::from_bytes(&bytes[..bytes.len() - 1]), Err(NetError::Length(bytes.len() - 1)));
        assert_eq!(Net::from_bytes(b"KOMANET\n\x01\0\0\0"), Err(NetError::Version(1)));
        let last_weight = bytes.len() - 4 * PHASES - 2;
        bytes[last_weight..last_weight + 2].copy_from_slice(&(-128_i16).to_le_bytes());
        assert_eq!(Net::from_bytes(&bytes), Err(NetError::Weight));
    }

    #[test]
    fn the_numbers_that_come_along_can_be_read() {
        assert_ne!(Net::standard(), Net::default());
    }
}
