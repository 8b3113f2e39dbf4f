//! Lines of a record that leave the main one.

use super::{Cut, Game};
use crate::kyokumen::Te;

/// Moves that might have been played instead.
///
/// It follows another line of its game, the main one or an earlier variation, for some moves, and then goes its own
/// way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation {
    /// The line that it leaves: a variation that stands before it, or `None` for the main line.
    pub leaves: Option<usize>,
    /// How many moves from the start of the game are those of that line.
    pub shared: usize,
    /// Its own moves, all legal.
    pub moves: Vec<Te>,
    /// What ended its moves before the record's end.
    pub cut: Option<Cut>,
}

impl Game {
    /// All moves of a variation from the start of the game; none where the game has no such variation.
    pub fn line(&self, variation: usize) -> Vec<Te> {
        let Some(variation) = self.variations.get(variation) else { return Vec::new() };
        let mut moves = self.shared_moves(variation.leaves, variation.shared);
        moves.extend_from_slice(&variation.moves);
        moves
    }

    /// The first moves of a line, the main one or a variation.
    pub(super) fn shared_moves(&self, line: Option<usize>, count: usize) -> Vec<Te> {
        // From the last piece to the first, for each line knows only where it leaves another.
        let mut pieces = Vec::new();
        let (mut line, mut count) = (line, count);
        while let Some(variation) = line.map(|index| &self.variations[index]) {
            pieces.push(&variation.moves[..count.saturating_sub(variation.shared)]);
            (line, count) = (variation.leaves, count.min(variation.shared));
        }
        pieces.push(&self.moves[..count]);
        pieces.into_iter().rev().flatten().copied().collect()
    }
}
