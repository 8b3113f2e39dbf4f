//! Values for the moves of a book: what is known of positions, carried back to the moves that lead to them.
//!
//! The value of a move is minus the value of the position after it. With [`Graph::propagate`] a position of the book is
//! worth the highest value among its moves, and only positions at the ends of lines need a value from elsewhere.
//! Nothing here thinks: whoever calls brings the values.
//!
//! # Repetition
//!
//! What is worked out is the value of a game on the graph: the sides move by turns along the moves of the book; who
//! reaches the end of a line gets what it is worth, and a game that never ends is a draw, 0, perpetual checks included.
//! Such a game has one value in every position, whatever the order in which it is looked at. It is also the value from
//! that position on if the first position that comes again ends the game with 0: a side that can force an end has a way
//! there that repeats nothing, and one that can avoid it has a fixed answer in each position by which it does.
//!
//! Only a move, worth minus the value of the position after it *as a game of its own*, may differ from a count that
//! remembers where the game came from: a move after which the opponent can do no better than to go back has the value
//! of the position that it left. Its depth is larger than that of the move which makes progress.

mod graph;
mod nodes;
mod propagate;
#[cfg(test)]
mod tests;

use super::Entry;
use crate::kyokumen::{Kyokumen, PackedKyokumen, Te};

use propagate::{Figure, NO_DEPTH, UNKNOWN};

pub use graph::Graph;

/// The value of a side that has won; a mate in n plies is worth n less.
pub const MATE: i32 = 32_000;

/// What a search found out about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assessment {
    /// In centipawns from the side to move; mates by [`mate`].
    pub value: i32,
    /// Depth of the search in plies; `None` where it is unknown.
    pub depth: Option<u32>,
}

/// The value of a mate in so many plies, negative where the side to move is mated. Mates in more than 900 plies count
/// as that.
pub fn mate(plies: i32) -> i32 {
    let distance = plies.unsigned_abs().min(900) as i32;
    if plies > 0 { MATE - distance } else { distance - MATE }
}

impl Graph {
    /// The positions that need a value from elsewhere: with `propagate` those at the ends of lines, that a move of the
    /// book leads to and that have no legal move in the book themselves; else all that a move leads to.
    pub fn wanted(&self, propagate: bool) -> impl Iterator<Item = &PackedKyokumen> {
        let is_wanted = move |&node: &u32| self.is_entered(node) && (!propagate || self.is_leaf(node));
        (0..self.nodes.len()).filter(is_wanted).map(|node| self.nodes.packed(node))
    }

    /// How many moves at the ends of lines have a value in the book itself.
    pub fn valued_leaves(&self) -> usize {
        self.edges.iter().filter(|edge| edge.value != UNKNOWN && self.is_leaf(edge.to)).count()
    }

    /// Takes in what was found out about a position.
    pub fn assess(&mut self, packed: &PackedKyokumen, assessment: Assessment) {
        if let Some(node) = self.nodes.find(packed) {
            let value = assessment.value.max(-i32::MAX);
            self.figures[node as usize] = Figure { value, depth: assessment.depth.unwrap_or(NO_DEPTH) };
        }
    }

    /// Carries values from the ends of the lines to all positions. What positions within the book were assessed with is
    /// forgotten. A move to an end has the depth 0, others the number of book moves that follow to the end on which the
    /// value rests; it is unknown where that is a repetition.
    pub fn propagate(&mut self) {
        propagate::propagate(&self.edges, &self.moves, &mut self.figures);
        self.propagated = true;
    }

    /// Writes values and depths into the moves of a position. Moves after whose positions nothing is known stay as they
    /// are.
    pub(super) fn apply(&self, packed: &PackedKyokumen, entry: &mut Entry) {
        let Some(mut kyokumen) = packed.unpack() else { return };
        for te in &mut entry.moves {
            if !kyokumen.is_legal(te.te) {
                continue;
            }
            let Some(node) = after(&mut kyokumen, te.te).and_then(|packed| self.nodes.find(&packed)) else { continue };
            let figure = self.figures[node as usize];
            if figure.value != UNKNOWN {
                // -32768 would mean no value.
                te.value = Some(if figure.value == 32_768 { -32_767 } else { -figure.value });
                te.depth = (figure.depth != NO_DEPTH).then_some(figure.depth);
            } else if self.propagated && te.known_value().is_some() {
                te.depth = Some(0);
            }
        }
    }
}

/// The position after a legal move.
fn after(kyokumen: &mut Kyokumen, te: Te) -> Option<PackedKyokumen> {
    let change = kyokumen.do_te(te);
    let packed = kyokumen.pack();
    kyokumen.undo_te(&change);
    packed
}
