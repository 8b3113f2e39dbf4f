//! Pieces: the kind ([`Syurui`]) and the kind with its owner ([`Koma`]).

use super::Teban;
use super::direction::{self, Moves};

/// The kind of a piece, promoted kinds included. The numbers are those of the packed book formats; a promoted kind is
/// its base kind plus 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Syurui {
    /// Pawn.
    Fu = 1,
    /// Lance.
    Ky = 2,
    /// Knight.
    Ke = 3,
    /// Silver.
    Gi = 4,
    /// Bishop.
    Ka = 5,
    /// Rook.
    Hi = 6,
    /// Gold.
    Ki = 7,
    /// King.
    Ou = 8,
    /// Promoted pawn.
    To = 9,
    /// Promoted lance.
    Ny = 10,
    /// Promoted knight.
    Nk = 11,
    /// Promoted silver.
    Ng = 12,
    /// Promoted bishop, horse.
    Um = 13,
    /// Promoted rook, dragon.
    Ry = 14,
}

impl Syurui {
    /// All kinds in the order of their numbers.
    pub const ALL: [Syurui; 14] = {
        use Syurui::*;
        [Fu, Ky, Ke, Gi, Ka, Hi, Ki, Ou, To, Ny, Nk, Ng, Um, Ry]
    };

    /// The kinds that can be held in hand, in the order of their numbers.
    pub const HAND: [Syurui; 7] = {
        use Syurui::*;
        [Fu, Ky, Ke, Gi, Ka, Hi, Ki]
    };

    /// The kind with this number.
    #[inline]
    pub const fn from_code(code: u8) -> Option<Syurui> {
        if code >= 1 && code <= 14 { Some(Syurui::ALL[code as usize - 1]) } else { None }
    }

    /// 1 to 14.
    #[inline]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// 1 to 14, to index tables of 16.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Whether this is a promoted kind.
    #[inline]
    pub const fn is_promoted(self) -> bool {
        self.code() > 8
    }

    /// The promoted kind; `None` for gold, king and what is promoted already.
    #[inline]
    pub const fn promoted(self) -> Option<Syurui> {
        if self.code() <= 6 { Some(Syurui::ALL[self as usize + 7]) } else { None }
    }

    /// The kind as it goes into the hand: unpromoted.
    #[inline]
    pub const fn unpromoted(self) -> Syurui {
        if self.is_promoted() { Syurui::ALL[self as usize - 9] } else { self }
    }

    /// How many pieces of this kind a set holds, promoted ones counted with their base kind; 2 kings.
    pub const fn in_set(self) -> u8 {
        match self.unpromoted() {
            Syurui::Fu => 18,
            Syurui::Ka | Syurui::Hi | Syurui::Ou => 2,
            _ => 4,
        }
    }

    /// The letter of the base kind in SFEN and USI, upper case.
    pub const fn letter(self) -> char {
        match self.unpromoted() {
            Syurui::Fu => 'P',
            Syurui::Ky => 'L',
            Syurui::Ke => 'N',
            Syurui::Gi => 'S',
            Syurui::Ka => 'B',
            Syurui::Hi => 'R',
            Syurui::Ki => 'G',
            _ => 'K',
        }
    }

    /// The unpromoted kind with this upper-case letter.
    pub const fn from_letter(letter: char) -> Option<Syurui> {
        Some(match letter {
            'P' => Syurui::Fu,
            'L' => Syurui::Ky,
            'N' => Syurui::Ke,
            'S' => Syurui::Gi,
            'B' => Syurui::Ka,
            'R' => Syurui::Hi,
            'G' => Syurui::Ki,
            'K' => Syurui::Ou,
            _ => return None,
        })
    }

    /// The lowest rank, as the owner counts ranks, on which this kind can still move: 2 for pawn and lance, 3 for the
    /// knight, 1 for all else. On a lower one the piece would be dead.
    #[inline]
    pub const fn first_live_dan(self) -> u8 {
        match self {
            Syurui::Fu | Syurui::Ky => 2,
            Syurui::Ke => 3,
            _ => 1,
        }
    }
}

/// A piece on the board, with its owner; or an empty square, or the wall around the board.
///
/// Bits 0-3 are the kind, bit 4 marks Sente's pieces, bit 5 Gote's; the wall has both, and so belongs to neither.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Koma(u8);

impl Koma {
    /// No piece.
    pub const EMPTY: Koma = Koma(0);
    /// Outside the board.
    pub(super) const WALL: Koma = Koma(48);
    /// One more than the highest code: the length of a table over all codes.
    pub const CODES: usize = 64;

    const OWNER: u8 = 48;

    /// A piece of this kind and owner.
    #[inline]
    pub const fn new(syurui: Syurui, teban: Teban) -> Koma {
        Koma(syurui.code() | 16 << teban.index())
    }

    /// The code, 0 for an empty square; below [`Koma::CODES`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize & (Koma::CODES - 1)
    }

    /// Whether no piece stands here.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The kind; `None` for an empty square.
    #[inline]
    pub const fn syurui(self) -> Option<Syurui> {
        Syurui::from_code(self.0 & 15)
    }

    /// The owner; `None` for an empty square.
    #[inline]
    pub const fn teban(self) -> Option<Teban> {
        match self.0 & Koma::OWNER {
            16 => Some(Teban::Sente),
            32 => Some(Teban::Gote),
            _ => None,
        }
    }

    /// The piece with this code.
    #[inline(always)]
    pub(super) const fn from_index(index: usize) -> Koma {
        Koma(index as u8)
    }

    /// The owner of a piece.
    #[inline(always)]
    pub(super) const fn owner(self) -> Teban {
        if self.0 & 32 != 0 { Teban::Gote } else { Teban::Sente }
    }

    /// The kind of a piece.
    #[inline(always)]
    pub(super) const fn kind(self) -> Syurui {
        match self.syurui() {
            Some(syurui) => syurui,
            None => unreachable!(),
        }
    }

    /// The index of the owner of a piece.
    #[inline(always)]
    pub(super) const fn side(self) -> usize {
        (self.0 >> 5 & 1) as usize
    }

    /// Whether this is a piece of `teban`.
    #[inline(always)]
    pub const fn belongs_to(self, teban: Teban) -> bool {
        self.0 & Koma::OWNER == 16 << teban.index()
    }

    /// The same piece, promoted; unchanged where it can't promote.
    #[inline]
    pub const fn promoted(self) -> Koma {
        if matches!(self.0 & 15, 1..=6) { Koma(self.0 | 8) } else { self }
    }

    /// The same piece for the other side.
    #[inline]
    pub const fn swapped(self) -> Koma {
        if self.0 == 0 { self } else { Koma(self.0 ^ Koma::OWNER) }
    }

    /// Where this piece steps and slides.
    #[inline(always)]
    pub(super) const fn moves(self) -> Moves {
        direction::MOVES[self.index()]
    }
}

/// The piece as in a SFEN: `P`, `+p`; a blank for an empty square.
impl std::fmt::Display for Koma {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Some(syurui), Some(teban)) = (self.syurui(), self.teban()) else {
            return f.write_str(if *self == Koma::EMPTY { " " } else { "#" });
        };
        let letter = match teban {
            Teban::Sente => syurui.letter(),
            Teban::Gote => syurui.letter().to_ascii_lowercase(),
        };
        write!(f, "{}{letter}", if syurui.is_promoted() { "+" } else { "" })
    }
}

impl std::fmt::Debug for Koma {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Koma({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promotion_adds_eight_and_undoes() {
        for syurui in Syurui::ALL {
            match syurui.promoted() {
                Some(promoted) => {
                    assert_eq!(promoted.code(), syurui.code() + 8);
                    assert_eq!(promoted.unpromoted(), syurui);
                }
                None => assert!(syurui.is_promoted() || matches!(syurui, Syurui::Ki | Syurui::Ou)),
            }
            assert_eq!(Syurui::from_code(syurui.code()), Some(syurui));
        }
        assert_eq!(Syurui::from_code(0), None);
        assert_eq!(Syurui::from_code(15), None);
    }

    #[test]
    fn neither_the_wall_nor_an_empty_square_belongs_to_a_side() {
        for teban in Teban::ALL {
            assert!(!Koma::WALL.belongs_to(teban));
            assert!(!Koma::EMPTY.belongs_to(teban));
            assert!(!Koma::WALL.is_empty());
            assert_eq!(Koma::new(Syurui::Fu, teban).swapped().teban(), Some(!teban));
        }
    }
}
