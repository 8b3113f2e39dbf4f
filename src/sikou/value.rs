//! Values as the search counts them: centipawns, with mates at the ends of the scale.

use super::Score;

/// A value from the side to move.
pub(super) type Value = i32;

/// Deepest ply from the root that is looked at.
pub(super) const MAX_PLY: usize = 127;

/// Mate now. A mate in n plies is worth n less, so that a short one is better.
pub(super) const MATE: Value = 32_000;
/// Beyond every value.
pub(super) const INFINITE: Value = MATE + 1;
/// The value of the longest mate.
pub(super) const MATE_IN_MAX: Value = MATE - 2 * MAX_PLY as Value;
/// A game won by the rules of repetition: better than any position, worse than any mate.
pub(super) const RULE_WIN: Value = MATE_IN_MAX - 500;
/// Largest evaluation.
pub(super) const MAX_EVAL: Value = 30_000;
/// A drawn game.
pub(super) const DRAW: Value = 0;

/// The side to move wins, `ply` moves from the root, with its next move.
pub(super) const fn win_at(ply: usize) -> Value {
    MATE - ply as Value - 1
}

/// The side to move is mated, `ply` moves from the root.
pub(super) const fn loss_at(ply: usize) -> Value {
    ply as Value - MATE
}

/// Whether a value stands for a mate or a declaration, either way.
pub(super) const fn is_mate(value: Value) -> bool {
    value >= MATE_IN_MAX || value <= -MATE_IN_MAX
}

/// A value at the root as others are told it.
pub(super) fn score(value: Value) -> Score {
    if is_mate(value) { Score::Mate(value.signum() * MATE - value) } else { Score::Cp(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_told_in_plies_with_the_sign_of_the_winner() {
        assert_eq!(score(win_at(0)), Score::Mate(1));
        assert_eq!(score(win_at(4)), Score::Mate(5));
        assert_eq!(score(loss_at(2)), Score::Mate(-2));
        assert_eq!(score(-57), Score::Cp(-57));
    }

    #[test]
    fn the_ranges_do_not_overlap() {
        const { assert!(MAX_EVAL < RULE_WIN && RULE_WIN < MATE_IN_MAX) }
        assert!(is_mate(win_at(MAX_PLY)) && is_mate(loss_at(MAX_PLY)) && !is_mate(RULE_WIN));
        assert!(MATE <= Value::from(i16::MAX));
    }
}
