//! What a format can't hold of the entries that are written in it, counted.

use super::{Entry, JosekiTe};

/// A kind of things that are left out.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Provenances,
    ProvenanceEnds,
    PositionComments,
    Plies,
    ClampedPlies,
    UnknownPlies,
    ChangedPlies,
    Positions,
    EmptyPositions,
    Orders,
    Moves,
    IllegalMoves,
    MergedPositions,
    Ponders,
    Counts,
    ClampedCounts,
    UnknownCounts,
    Results,
    Draws,
    ClampedResults,
    SharedResults,
    Ratings,
    RatingRests,
    Annotations,
    Comments,
    LineEnds,
    Depths,
    LoneDepths,
    ClampedDepths,
    UnknownDepths,
    ClampedValues,
    UnknownValues,
    SharedValues,
}

/// One of a kind, and several of it; the order is that of [`Kind`].
const NAMES: [(&str, &str); 33] = [
    ("note on where the numbers come from", "notes on where the numbers come from"),
    ("end of a note on where the numbers come from", "ends of notes on where the numbers come from"),
    ("comment on a position", "comments on positions"),
    ("ply", "plies"),
    ("ply that is too large, cut down", "plies that are too large, cut down"),
    ("unknown ply, written as 1", "unknown plies, written as 1"),
    ("ply that will be read as another", "plies that will be read as others"),
    ("position that can't be read", "positions that can't be read"),
    ("position without moves", "positions without moves"),
    ("order of moves other than by count and value", "orders of moves other than by count and value"),
    ("move of a position with too many", "moves of positions with too many"),
    ("illegal move", "illegal moves"),
    ("position that shares its key with another, merged", "positions that share their keys with others, merged"),
    ("ponder move", "ponder moves"),
    ("count", "counts"),
    ("count that is too large, cut down", "counts that are too large, cut down"),
    ("unknown count, written as 0", "unknown counts, written as 0"),
    ("set of results", "sets of results"),
    ("number of draws", "numbers of draws"),
    ("number of wins or losses that is too large, cut down", "numbers of wins or losses that are too large, cut down"),
    (
        "set of results, joined with that of another move to the same position",
        "sets of results, joined with those of other moves to the same positions",
    ),
    ("set of ratings", "sets of ratings"),
    ("rest that a mean rating leaves", "rests that mean ratings leave"),
    ("annotation", "annotations"),
    ("comment on a move", "comments on moves"),
    ("line end of another kind in a comment", "line ends of another kind in comments"),
    ("depth", "depths"),
    ("depth without a value", "depths without a value"),
    ("depth that is too large, cut down", "depths that are too large, cut down"),
    ("unknown depth, written as 0", "unknown depths, written as 0"),
    ("value that is too large, cut down", "values that are too large, cut down"),
    ("unknown value, written as 0", "unknown values, written as 0"),
    (
        "value, replaced by that of another move to the same position",
        "values, replaced by those of other moves to the same positions",
    ),
];

const _: () = assert!(Kind::SharedValues as usize + 1 == NAMES.len());

/// How many of each kind.
#[derive(Clone, Debug)]
pub(super) struct LeftOut {
    numbers: [u64; NAMES.len()],
}

impl Default for LeftOut {
    fn default() -> LeftOut {
        LeftOut { numbers: [0; NAMES.len()] }
    }
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
        self.add_if(Kind::Results, te.wins.or(te.draws).or(te.losses).is_some());
        self.add_if(Kind::Ratings, te.rating.or(te.opponent_rating).is_some());
        self.add_if(Kind::Annotations, te.annotation.is_some());
        self.add_if(Kind::Comments, te.comment.is_some());
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
