//! What a format can't hold of the entries that are written in it, counted.

use super::{Entry, JosekiTe};

/// A kind of things that are left out.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Provenance,
    PositionComments,
    Plies,
    Positions,
    EmptyPositions,
    Moves,
    MergedPositions,
    Orders,
    IllegalMoves,
    Ponders,
    Counts,
    ClampedCounts,
    Results,
    Draws,
    Ratings,
    Annotations,
    Comments,
    Depths,
    ClampedDepths,
    UnknownDepths,
    ValuelessDepths,
    ClampedValues,
    UnknownValues,
    ClampedNumbers,
}

/// One of a kind, and several of it; the order is that of [`Kind`].
const NAMES: [(&str, &str); 24] = [
    ("note on where the numbers come from", "notes on where the numbers come from"),
    ("comment on a position", "comments on positions"),
    ("ply", "plies"),
    ("position that can't be read", "positions that can't be read"),
    ("position without moves", "positions without moves"),
    ("move of a position with too many", "moves of positions with too many"),
    ("position that shares its key with another, merged", "positions that share their keys with others, merged"),
    ("order of moves other than by count and value", "orders of moves other than by count and value"),
    ("illegal move", "illegal moves"),
    ("ponder move", "ponder moves"),
    ("count", "counts"),
    ("count that is too large, cut down", "counts that are too large, cut down"),
    ("set of results", "sets of results"),
    ("number of draws", "numbers of draws"),
    ("set of ratings", "sets of ratings"),
    ("annotation", "annotations"),
    ("comment on a move", "comments on moves"),
    ("depth", "depths"),
    ("depth that is too large, cut down", "depths that are too large, cut down"),
    ("unknown depth, written as 0", "unknown depths, written as 0"),
    ("depth without a value", "depths without a value"),
    ("value that is too large, cut down", "values that are too large, cut down"),
    ("unknown value, written as 0", "unknown values, written as 0"),
    ("number beyond 2147483647, cut down", "numbers beyond 2147483647, cut down"),
];

/// How many of each kind.
#[derive(Clone, Debug, Default)]
pub(super) struct LeftOut {
    numbers: [u64; NAMES.len()],
}

impl LeftOut {
    pub(super) fn add(&mut self, kind: Kind) {
        self.add_some(kind, 1);
    }

    pub(super) fn add_some(&mut self, kind: Kind, number: u64) {
        self.numbers[kind as usize] += number;
    }

    /// Counts one if there is any.
    pub(super) fn add_if(&mut self, kind: Kind, any: bool) {
        self.add_some(kind, u64::from(any));
    }

    /// Counts what the small formats of other programs have no room for: in the position.
    pub(super) fn add_remarks(&mut self, entry: &Entry) {
        self.add_if(Kind::PositionComments, entry.comment.is_some());
    }

    /// Counts what the small formats of other programs have no room for: in a move.
    pub(super) fn add_figures(&mut self, te: &JosekiTe) {
        self.add_if(Kind::Ponders, te.ponder.is_some());
        self.add_results(te);
        self.add_if(Kind::Annotations, te.annotation.is_some());
        self.add_if(Kind::Comments, te.comment.is_some());
    }

    /// Counts results and ratings of a move.
    pub(super) fn add_results(&mut self, te: &JosekiTe) {
        self.add_if(Kind::Results, te.wins.or(te.draws).or(te.losses).is_some());
        self.add_if(Kind::Ratings, te.rating.or(te.opponent_rating).is_some());
    }

    /// Sentences such as `12 ponder moves`.
    pub(super) fn sentences(&self) -> Vec<String> {
        let sentence = |(&number, (one, several)): (&u64, (&str, &str))| match number {
            0 => None,
            1 => Some(format!("1 {one}")),
            _ => Some(format!("{number} {several}")),
        };
        self.numbers.iter().zip(NAMES).filter_map(sentence).collect()
    }
}
