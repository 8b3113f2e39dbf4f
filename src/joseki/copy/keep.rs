//! Which moves of a book stay.

use crate::joseki::{Entry, JosekiTe};
use crate::kyokumen::{PackedKyokumen, Tesu};

/// Which moves stay. A move of which a figure is unknown is not judged by it, and positions without a known ply stay.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Keep {
    /// Moves seen at least so often; a count of 0 is an unknown one.
    pub min_count: u64,
    /// Positions that occurred at this ply or before.
    pub max_ply: Option<Tesu>,
    /// Moves with at least so many percent of the counts of the position's legal moves.
    pub min_share: f64,
    /// Moves of at least this value; -32768 is an unknown one.
    pub min_value: Option<i32>,
}

impl Keep {
    /// Takes moves out; `false` where nothing is left.
    pub(super) fn prune(&self, packed: &PackedKyokumen, entry: &mut Entry) -> bool {
        if *self == Keep::default() {
            return true;
        }
        if let (Some(tesu), Some(limit)) = (entry.tesu, self.max_ply)
            && tesu > limit
        {
            return false;
        }
        let total = self.total(packed, &entry.moves);
        entry.moves.retain(|te| {
            te.known_count().is_none_or(|count| count >= self.min_count && self.is_share(count, total))
                && te.known_value().zip(self.min_value).is_none_or(|(value, least)| value >= least)
        });
        !entry.moves.is_empty()
    }

    fn is_share(&self, count: u64, total: u128) -> bool {
        count as f64 * 100.0 >= self.min_share * total as f64
    }

    /// The sum of the counts of which moves must have a share.
    fn total(&self, packed: &PackedKyokumen, moves: &[JosekiTe]) -> u128 {
        let counts = || moves.iter().filter_map(JosekiTe::known_count);
        let all = counts().map(u128::from).sum();
        // Whether moves are legal costs much to know, and matters only where one falls short of its share.
        if self.min_share <= 0.0 || counts().all(|count| self.is_share(count, all)) {
            return all;
        }
        let kyokumen = packed.unpack();
        let is_legal = |te| kyokumen.as_ref().is_some_and(|kyokumen| kyokumen.is_legal(te));
        moves.iter().filter(|te| is_legal(te.te)).filter_map(JosekiTe::known_count).map(u128::from).sum()
    }
}
