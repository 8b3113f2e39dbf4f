//! The two sides.

use std::fmt;
use std::ops::{Index, IndexMut, Not};

/// A side, and also whose turn it is: Sente moves first in an even game (`b` in a SFEN), Gote second (`w`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Teban {
    /// The first player, who plays up the board, towards dan 1.
    Sente = 0,
    /// The second player, who plays down the board, towards dan 9.
    Gote = 1,
}

impl Teban {
    /// Both sides, Sente first.
    pub const ALL: [Teban; 2] = [Teban::Sente, Teban::Gote];

    /// 0 for Sente, 1 for Gote.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side.
    #[inline]
    pub const fn opponent(self) -> Teban {
        match self {
            Teban::Sente => Teban::Gote,
            Teban::Gote => Teban::Sente,
        }
    }
}

impl Not for Teban {
    type Output = Teban;

    #[inline]
    fn not(self) -> Teban {
        self.opponent()
    }
}

/// Writes the letter of a SFEN: `b` or `w`.
impl fmt::Display for Teban {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Teban::Sente => "b",
            Teban::Gote => "w",
        })
    }
}

/// One value for each side, indexed by [`Teban`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ByTeban<T>(pub [T; 2]);

impl<T> Index<Teban> for ByTeban<T> {
    type Output = T;

    #[inline]
    fn index(&self, teban: Teban) -> &T {
        &self.0[teban.index()]
    }
}

impl<T> IndexMut<Teban> for ByTeban<T> {
    #[inline]
    fn index_mut(&mut self, teban: Teban) -> &mut T {
        &mut self.0[teban.index()]
    }
}
