//! Squares: suji (files 1-9 from Sente's right), dan (ranks 1-9 from the top) and their product, masu.

use std::fmt;

use super::Teban;

/// A file, 1 to 9, counted from Sente's right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Suji(u8);

impl Suji {
    /// The file with this number; `None` outside 1 to 9.
    #[inline]
    pub const fn new(number: u8) -> Option<Suji> {
        if number >= 1 && number <= 9 { Some(Suji(number)) } else { None }
    }

    /// 1 to 9.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// All files, 1 first.
    pub fn all() -> impl DoubleEndedIterator<Item = Suji> {
        (1..=9).map(Suji)
    }
}

/// A rank, 1 to 9, counted from the top, which is Gote's camp; written `a` to `i` in USI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Dan(u8);

impl Dan {
    /// The rank with this number; `None` outside 1 to 9.
    #[inline]
    pub const fn new(number: u8) -> Option<Dan> {
        if number >= 1 && number <= 9 { Some(Dan(number)) } else { None }
    }

    /// 1 to 9.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// All ranks, 1 first.
    pub fn all() -> impl DoubleEndedIterator<Item = Dan> {
        (1..=9).map(Dan)
    }

    /// The rank as `teban` counts it: 1 is the farthest rank of the enemy camp, 9 the side's own first rank.
    #[inline]
    pub const fn seen_by(self, teban: Teban) -> Dan {
        match teban {
            Teban::Sente => self,
            Teban::Gote => Dan(10 - self.0),
        }
    }

    /// Whether this rank belongs to the camp in which `teban` promotes.
    #[inline]
    pub const fn promotes(self, teban: Teban) -> bool {
        self.seen_by(teban).0 <= 3
    }
}

/// A square. Its index is `(suji - 1) * 9 + (dan - 1)`: 1a is 0, 1i is 8, 9i is 80, as in the packed book formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Masu(u8);

impl Masu {
    /// How many squares there are.
    pub const COUNT: usize = 81;

    /// The square where a file and a rank meet.
    #[inline]
    pub const fn new(suji: Suji, dan: Dan) -> Masu {
        Masu((suji.0 - 1) * 9 + dan.0 - 1)
    }

    /// The square with this index; `None` from 81 on.
    #[inline]
    pub const fn from_index(index: usize) -> Option<Masu> {
        if index < Self::COUNT { Some(Masu(index as u8)) } else { None }
    }

    /// 0 to 80.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The file.
    #[inline]
    pub const fn suji(self) -> Suji {
        Suji(self.0 / 9 + 1)
    }

    /// The rank.
    #[inline]
    pub const fn dan(self) -> Dan {
        Dan(self.0 % 9 + 1)
    }

    /// The square after turning the board by 180 degrees.
    #[inline]
    pub const fn rotated(self) -> Masu {
        Masu(80 - self.0)
    }

    /// All squares in the order of their indices.
    pub fn all() -> impl DoubleEndedIterator<Item = Masu> + ExactSizeIterator {
        (0..Self::COUNT as u8).map(Masu)
    }

    /// Reads the two characters of a square in USI, such as `7g`.
    pub const fn from_usi(text: [u8; 2]) -> Option<Masu> {
        let (Some(suji), Some(dan)) =
            (Suji::new(text[0].wrapping_sub(b'0')), Dan::new(text[1].wrapping_sub(b'a').wrapping_add(1)))
        else {
            return None;
        };
        Some(Masu::new(suji, dan))
    }

    /// The two characters of the square in USI.
    pub const fn usi(self) -> [u8; 2] {
        [b'0' + self.suji().number(), b'a' - 1 + self.dan().number()]
    }
}

/// Writes the square as in USI: `7g`.
impl fmt::Display for Masu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.suji().number(), char::from(b'a' + self.dan().number() - 1))
    }
}

/// Place of a square in the padded arrays (`ban`, `control`): `suji * 11 + dan + 1`.
///
/// Between two files lie two cells of wall and beyond the outer files one file of it, so that a step in any of the 12
/// directions, a knight's jump included, stays inside the array and off the neighbouring file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ichi(u8);

/// Length of the padded arrays; a power of two, so that a masked index needs no bounds check.
pub(super) const BAN_SIZE: usize = 128;

impl Ichi {
    /// Index into a padded array.
    #[inline(always)]
    pub(super) const fn index(self) -> usize {
        self.0 as usize & (BAN_SIZE - 1)
    }

    /// The next cell in a direction with this offset. From a square of the board the result is inside the array.
    #[inline(always)]
    pub(super) const fn step(self, offset: i8) -> Ichi {
        Ichi(self.0.wrapping_add_signed(offset))
    }

    /// The square of the board here; `None` for the wall.
    #[inline(always)]
    pub(super) const fn on_board(self) -> Option<Masu> {
        Masu::from_index(MASU_OF_ICHI[self.index()] as usize)
    }

    /// The square of the board here; must not be asked of the wall.
    #[inline(always)]
    pub(super) const fn masu(self) -> Masu {
        debug_assert!(MASU_OF_ICHI[self.index()] < 81, "wall");
        Masu(MASU_OF_ICHI[self.index()])
    }
}

impl Masu {
    /// Where the square lies in the padded arrays.
    #[inline(always)]
    pub(super) const fn ichi(self) -> Ichi {
        Ichi(ICHI_OF_MASU[self.0 as usize])
    }
}

const ICHI_OF_MASU: [u8; 81] = {
    let mut table = [0; 81];
    let mut i = 0;
    while i < 81 {
        table[i as usize] = (i / 9 + 1) * 11 + i % 9 + 2;
        i += 1;
    }
    table
};

const MASU_OF_ICHI: [u8; BAN_SIZE] = {
    let mut table = [0xff; BAN_SIZE];
    let mut i = 0;
    while i < 81 {
        table[ICHI_OF_MASU[i] as usize] = i as u8;
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_numbered_as_in_the_packed_formats() {
        let index = |text: &[u8; 2]| Masu::from_usi(*text).map(Masu::index);
        assert_eq!(index(b"1a"), Some(0));
        assert_eq!(index(b"1i"), Some(8));
        assert_eq!(index(b"9i"), Some(80));
        assert_eq!(index(b"0a"), None);
        assert_eq!(index(b"1j"), None);
        assert_eq!(index(b"1`"), None);
    }

    #[test]
    fn every_square_reads_back_as_it_is_written() {
        for masu in Masu::all() {
            let text = masu.to_string();
            let bytes = text.as_bytes();
            assert_eq!(Masu::from_usi([bytes[0], bytes[1]]), Some(masu));
            assert_eq!(masu.ichi().masu(), masu);
        }
    }

    #[test]
    fn no_jump_leaves_the_padded_array_or_lands_on_a_wrong_square() {
        for from in Masu::all() {
            for (suji_step, dan_step) in (-1i8..=1).flat_map(|s| (-2i8..=2).map(move |d| (s, d))) {
                let cell = from.ichi().step(suji_step * 11 + dan_step);
                assert!((cell.0 as usize) < BAN_SIZE);
                let want = Suji::new(from.suji().number().wrapping_add_signed(suji_step))
                    .zip(Dan::new(from.dan().number().wrapping_add_signed(dan_step)))
                    .map(|(suji, dan)| Masu::new(suji, dan).0);
                assert_eq!(MASU_OF_ICHI[cell.index()], want.unwrap_or(0xff));
            }
        }
    }
}
