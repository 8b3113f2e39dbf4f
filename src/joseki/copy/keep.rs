//! Which moves of a book stay.

use crate::joseki::Entry;
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
        let mut total = 0;
        if self.min_share > 0.0 {
            let kyokumen = packed.unpack();
            let is_legal = |te| kyokumen.as_ref().is_some_and(|kyokumen| kyokumen.is_legal(te));
            let legal = entry.moves.iter().filter(|te| is_legal(te.te));
            total = legal.filter_map(|te| te.known_count()).map(u128::from).sum::<u128>();
        }
        entry.moves.retain(|te| {
            te.known_count()
                .is_none_or(|count| count >= self.min_count && count as f64 * 100.0 >= self.min_share * total as f64)
                && te.known_value().zip(self.min_value).is_none_or(|(value, least)| value >= least)
        });
        !entry.moves.is_empty()
    }
}
