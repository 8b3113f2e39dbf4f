//! The 12 directions and how each piece uses them.
//!
//! Directions 0-7 are the eight neighbours, numbered so that the opposite of `d` is `7 - d`; 8 and 9 are the knight's
//! jumps of Sente, 10 and 11 those of Gote. A word of `control` has bit `d` for a step that arrives along direction
//! `d`, and bit `16 + d` for a slide.

use super::{Koma, Syurui, Teban};

/// Number of directions.
pub(super) const DIRECTIONS: usize = 12;

/// What to add to an index of the padded arrays to go one step in a direction.
pub(super) const OFFSETS: [i8; 16] = [10, -1, -12, 11, -11, 12, 1, -10, 9, -13, 13, -9, 0, 0, 0, 0];

const DIAGONAL: u32 = 0b1010_0101;
const STRAIGHT: u32 = 0b0101_1010;

/// The steps (bits 0-11) and slides (bits 16-23) of a piece, in the layout of a control word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moves(pub(super) u32);

impl Moves {
    /// The directions of single steps, as a mask.
    #[inline(always)]
    pub(super) const fn steps(self) -> u32 {
        self.0 & 0xfff
    }

    /// The directions of slides, as a mask that starts at bit 0.
    #[inline(always)]
    pub(super) const fn slides(self) -> u32 {
        self.0 >> 16
    }
}

/// The directions whose bits are set in a mask, lowest first.
#[inline(always)]
pub(super) fn each(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let direction = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            direction
        })
    })
}

/// [`Moves`] by [`Koma::index`].
pub(super) const MOVES: [Moves; Koma::CODES] = {
    let mut table = [Moves(0); Koma::CODES];
    let mut i = 0;
    while i < Syurui::ALL.len() {
        let syurui = Syurui::ALL[i];
        let sente = sente_moves(syurui);
        table[Koma::new(syurui, Teban::Sente).index()] = Moves(sente);
        table[Koma::new(syurui, Teban::Gote).index()] = Moves(turned(sente));
        i += 1;
    }
    table
};

const fn sente_moves(syurui: Syurui) -> u32 {
    const FORWARD: u32 = 1 << forward(Teban::Sente);
    const GOLD: u32 = 0b0101_1111;
    match syurui {
        Syurui::Fu => FORWARD,
        Syurui::Ky => FORWARD << 16,
        Syurui::Ke => 0b11 << 8,
        Syurui::Gi => DIAGONAL | FORWARD,
        Syurui::Ka => DIAGONAL << 16,
        Syurui::Hi => STRAIGHT << 16,
        Syurui::Ki | Syurui::To | Syurui::Ny | Syurui::Nk | Syurui::Ng => GOLD,
        Syurui::Ou => DIAGONAL | STRAIGHT,
        Syurui::Um => DIAGONAL << 16 | STRAIGHT,
        Syurui::Ry => STRAIGHT << 16 | DIAGONAL,
    }
}

/// The same moves seen from the other side of the board.
const fn turned(moves: u32) -> u32 {
    let mut result = 0;
    let mut d = 0;
    while d < DIRECTIONS {
        if moves >> d & 1 != 0 {
            result |= 1 << opposite(d);
        }
        if d < 8 && moves >> (16 + d) & 1 != 0 {
            result |= 1 << (16 + opposite(d));
        }
        d += 1;
    }
    result
}

/// The direction that leads back.
#[inline(always)]
pub(super) const fn opposite(direction: usize) -> usize {
    if direction < 8 { 7 - direction } else { 19 - direction }
}

/// The direction in which a side's pawns and lances go.
#[inline(always)]
pub(super) const fn forward(teban: Teban) -> usize {
    match teban {
        Teban::Sente => 1,
        Teban::Gote => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposite_directions_cancel() {
        for d in 0..DIRECTIONS {
            assert_eq!(OFFSETS[d] + OFFSETS[opposite(d)], 0);
        }
    }

    #[test]
    fn pieces_have_as_many_directions_as_the_rules_give_them() {
        let count = |syurui| {
            let moves = MOVES[Koma::new(syurui, Teban::Sente).index()];
            let turned = MOVES[Koma::new(syurui, Teban::Gote).index()];
            assert_eq!(moves.0.count_ones(), turned.0.count_ones());
            (moves.steps().count_ones(), moves.slides().count_ones())
        };
        assert_eq!(count(Syurui::Fu), (1, 0));
        assert_eq!(count(Syurui::Ky), (0, 1));
        assert_eq!(count(Syurui::Ke), (2, 0));
        assert_eq!(count(Syurui::Gi), (5, 0));
        assert_eq!(count(Syurui::Ki), (6, 0));
        assert_eq!(count(Syurui::Ka), (0, 4));
        assert_eq!(count(Syurui::Hi), (0, 4));
        assert_eq!(count(Syurui::Ou), (8, 0));
        assert_eq!(count(Syurui::Um), (4, 4));
        assert_eq!(count(Syurui::Ry), (4, 4));
    }
}
