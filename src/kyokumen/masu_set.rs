//! Sets of squares, as 81 bits, and which squares each piece reaches on an empty or an occupied board.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::direction::{MOVES, OFFSETS, each};
use super::sink::{NEAR_BEFORE, Near};
use super::{Koma, Masu, Syurui, Teban};

/// A set of squares; bit `i` stands for the square with index `i`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MasuSet(u128);

impl MasuSet {
    /// No square.
    pub const EMPTY: MasuSet = MasuSet(0);
    /// All 81 squares.
    pub const ALL: MasuSet = MasuSet((1 << 81) - 1);

    /// Dan 1 of every suji; shifted by n it is dan 1 + n.
    const DAN_1: u128 = {
        let mut dan = 0;
        let mut suji = 0;
        while suji < 9 {
            dan |= 1 << (suji * 9);
            suji += 1;
        }
        dan
    };

    /// The set of one square.
    #[inline(always)]
    pub const fn of(masu: Masu) -> MasuSet {
        MasuSet(1 << masu.index())
    }

    /// The squares around one, to which a king there could step: eight, fewer at the edges.
    ///
    /// ```
    /// use komadai::kyokumen::{Kyokumen, MasuSet, Teban};
    ///
    /// let kyokumen = Kyokumen::hirate();
    /// let ou = kyokumen.ou(Teban::Sente).unwrap();
    /// let around = MasuSet::around(ou);
    /// assert_eq!((around.len(), (around & kyokumen.pieces(Teban::Sente)).len()), (5, 2));
    /// let attacks: u32 = around.map(|masu| kyokumen.control(Teban::Gote, masu).count_ones()).sum();
    /// assert_eq!(attacks, 0);
    /// ```
    #[inline(always)]
    pub fn around(masu: Masu) -> MasuSet {
        steps(Koma::new(Syurui::Ou, Teban::Sente), masu)
    }

    /// The first `dans` ranks as a side sees them: 3 are the camp in which it promotes.
    ///
    /// # Panics
    /// If there are not so many ranks.
    #[inline(always)]
    pub const fn far_dans(teban: Teban, dans: u8) -> MasuSet {
        const FAR: [[MasuSet; 10]; 2] = {
            let mut table = [[MasuSet(0); 10]; 2];
            let mut dans = 1;
            while dans < 10 {
                table[0][dans] = MasuSet(table[0][dans - 1].0 | MasuSet::DAN_1 << (dans - 1));
                table[1][dans] = MasuSet(table[1][dans - 1].0 | MasuSet::DAN_1 << (9 - dans));
                dans += 1;
            }
            table
        };
        FAR[teban.index()][dans as usize]
    }

    /// Whether the set holds a square.
    #[inline(always)]
    pub const fn contains(self, masu: Masu) -> bool {
        self.0 >> masu.index() & 1 != 0
    }

    /// Whether the set holds nothing.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many squares the set holds.
    #[inline(always)]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The bits, lowest square first.
    #[inline(always)]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// All squares one dan ahead of these, as a side sees it. None of them may stand on its last rank.
    #[inline(always)]
    pub(super) const fn ahead(self, teban: Teban) -> MasuSet {
        match teban {
            Teban::Sente => MasuSet(self.0 >> 1),
            Teban::Gote => MasuSet(self.0 << 1),
        }
    }

    /// The whole suji of each of these squares.
    #[inline(always)]
    pub(super) const fn whole_sujis(self) -> MasuSet {
        const DAN_9: u128 = MasuSet::DAN_1 << 8;
        // Taking 1 from each suji's number borrows its highest bit only where the other eight are empty.
        let any = ((self.0 | DAN_9).wrapping_sub(MasuSet::DAN_1) | self.0) & DAN_9;
        MasuSet((any << 1).wrapping_sub(any >> 8))
    }
}

impl Iterator for MasuSet {
    type Item = Masu;

    /// Takes the lowest square out.
    #[inline(always)]
    fn next(&mut self) -> Option<Masu> {
        let low = self.0 as u64;
        let index = if low != 0 { low.trailing_zeros() } else { 64 + ((self.0 >> 64) as u64).trailing_zeros() };
        self.0 &= self.0.wrapping_sub(1);
        Masu::from_index(index as usize)
    }
}

impl FromIterator<Masu> for MasuSet {
    fn from_iter<I: IntoIterator<Item = Masu>>(squares: I) -> MasuSet {
        squares.into_iter().fold(MasuSet::EMPTY, |set, masu| set | MasuSet::of(masu))
    }
}

macro_rules! operators {
    ($($operator:ident $method:ident $assign:ident $assign_method:ident $symbol:tt;)*) => {$(
        impl $operator for MasuSet {
            type Output = MasuSet;

            #[inline(always)]
            fn $method(self, other: MasuSet) -> MasuSet {
                MasuSet(self.0 $symbol other.0)
            }
        }

        impl $assign for MasuSet {
            #[inline(always)]
            fn $assign_method(&mut self, other: MasuSet) {
                self.0 = self.0 $symbol other.0;
            }
        }
    )*};
}

operators! {
    BitAnd bitand BitAndAssign bitand_assign &;
    BitOr bitor BitOrAssign bitor_assign |;
    BitXor bitxor BitXorAssign bitxor_assign ^;
}

impl Not for MasuSet {
    type Output = MasuSet;

    #[inline(always)]
    fn not(self) -> MasuSet {
        MasuSet(!self.0 & MasuSet::ALL.0)
    }
}

/// The squares that single steps of a piece lead to.
#[inline(always)]
pub(super) fn steps(koma: Koma, from: Masu) -> MasuSet {
    STEPS[koma.index()][from.index()]
}

/// The squares that single steps of a piece lead to, as bits around the origin.
#[inline(always)]
pub(super) fn near(koma: Koma, from: Masu) -> Near {
    NEAR[koma.index()][from.index()]
}

/// The squares around another that a set holds.
#[inline(always)]
pub(super) fn window(set: MasuSet, around: Masu) -> Near {
    ((set.0 << NEAR_BEFORE) >> around.index()) as Near
}

/// The squares seen from a square along both diagonals, on an empty board.
#[inline(always)]
pub(super) fn diagonals(from: Masu) -> MasuSet {
    LINES[from.index()][0]
}

/// The squares seen from a square along its suji and its dan, on an empty board.
#[inline(always)]
pub(super) fn straights(from: Masu) -> MasuSet {
    LINES[from.index()][1]
}

/// The squares between two squares on a line, both excluded.
#[inline(always)]
pub(super) fn between(a: Masu, b: Masu) -> MasuSet {
    let direction = direction_between(a, b);
    if direction == 8 { MasuSet::EMPTY } else { ray(direction, a) & ray(7 - direction, b) }
}

/// What a bishop reaches.
#[inline(always)]
pub(super) fn slide_diagonally(from: Masu, occupied: MasuSet) -> MasuSet {
    slide(0, from, occupied) | slide(2, from, occupied) | slide(5, from, occupied) | slide(7, from, occupied)
}

/// What a rook reaches.
#[inline(always)]
pub(super) fn slide_straight(from: Masu, occupied: MasuSet) -> MasuSet {
    slide(1, from, occupied) | slide(3, from, occupied) | slide(4, from, occupied) | slide(6, from, occupied)
}

/// The squares seen from a square in one of the eight directions, on an empty board.
#[inline(always)]
pub(super) fn ray(direction: usize, from: Masu) -> MasuSet {
    RAYS[direction][from.index()]
}

/// The squares that a slide reaches, the first occupied one included.
#[inline(always)]
pub(super) fn slide(direction: usize, from: Masu, occupied: MasuSet) -> MasuSet {
    let ray = RAYS[direction][from.index()].0;
    let blockers = ray & occupied.0;
    // Where nothing blocks, both masks come out as all ones.
    let reached = if OFFSETS_81[direction] > 0 {
        blockers ^ blockers.wrapping_sub(1)
    } else {
        u128::MAX << (127 - (blockers | 1).leading_zeros())
    };
    MasuSet(ray & reached)
}

/// The squares that a piece reaches from a square, own pieces in the way or not.
#[inline(always)]
pub(super) fn reach(koma: Koma, from: Masu, occupied: MasuSet) -> MasuSet {
    each(koma.moves().slides()).fold(steps(koma, from), |to, direction| to | slide(direction, from, occupied))
}

/// The direction, one of the eight, in which one square is seen from another; 8 where they are on no line.
#[inline(always)]
pub(super) fn direction_between(from: Masu, to: Masu) -> usize {
    DIRECTION[from.index()][to.index()] as usize
}

/// Differences of square indices by direction.
pub(super) const OFFSETS_81: [i8; 8] = [8, -1, -10, 9, -9, 10, 1, -8];

static STEPS: [[MasuSet; Masu::COUNT]; Koma::CODES] = {
    let mut table = [[MasuSet(0); Masu::COUNT]; Koma::CODES];
    let mut koma = 0;
    while koma < Koma::CODES {
        let mut from = 0;
        while from < Masu::COUNT {
            let mut direction = 0;
            while direction < 12 {
                if MOVES[koma].steps() >> direction & 1 != 0
                    && let Some(to) = next(from, direction)
                {
                    table[koma][from].0 |= 1 << to;
                }
                direction += 1;
            }
            from += 1;
        }
        koma += 1;
    }
    table
};

/// [`STEPS`] as bits around the origin.
static NEAR: [[Near; Masu::COUNT]; Koma::CODES] = {
    let mut table = [[0; Masu::COUNT]; Koma::CODES];
    let mut koma = 0;
    while koma < Koma::CODES {
        let mut from = 0;
        while from < Masu::COUNT {
            table[koma][from] = ((STEPS[koma][from].0 << NEAR_BEFORE) >> from) as Near;
            from += 1;
        }
        koma += 1;
    }
    table
};

static RAYS: [[MasuSet; Masu::COUNT]; 8] = {
    let mut table = [[MasuSet(0); Masu::COUNT]; 8];
    let mut direction = 0;
    while direction < 8 {
        let mut from = 0;
        while from < Masu::COUNT {
            let mut at = next(from, direction);
            while let Some(to) = at {
                table[direction][from].0 |= 1 << to;
                at = next(to, direction);
            }
            from += 1;
        }
        direction += 1;
    }
    table
};

/// Diagonals and straights of each square.
static LINES: [[MasuSet; 2]; Masu::COUNT] = {
    let mut table = [[MasuSet(0); 2]; Masu::COUNT];
    let mut from = 0;
    while from < Masu::COUNT {
        table[from][0] = MasuSet(RAYS[0][from].0 | RAYS[2][from].0 | RAYS[5][from].0 | RAYS[7][from].0);
        table[from][1] = MasuSet(RAYS[1][from].0 | RAYS[3][from].0 | RAYS[4][from].0 | RAYS[6][from].0);
        from += 1;
    }
    table
};

static DIRECTION: [[u8; Masu::COUNT]; Masu::COUNT] = {
    let mut table = [[8; Masu::COUNT]; Masu::COUNT];
    let mut direction = 0;
    while direction < 8 {
        let mut from = 0;
        while from < Masu::COUNT {
            let mut at = next(from, direction);
            while let Some(to) = at {
                table[from][to] = direction as u8;
                at = next(to, direction);
            }
            from += 1;
        }
        direction += 1;
    }
    table
};

/// The square next to another in a direction, as indices.
const fn next(from: usize, direction: usize) -> Option<usize> {
    match Masu::from_index(from) {
        Some(masu) => match masu.ichi().step(OFFSETS[direction]).on_board() {
            Some(masu) => Some(masu.index()),
            None => None,
        },
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slides_end_at_the_first_piece() {
        let mut occupied = MasuSet::EMPTY;
        for index in [3, 12, 20, 40, 44, 52, 60, 70, 77] {
            occupied |= MasuSet(1 << index);
        }
        for from in Masu::all() {
            for direction in 0..8 {
                let mut want = MasuSet::EMPTY;
                let mut at = next(from.index(), direction);
                while let Some(to) = at {
                    want |= MasuSet(1 << to);
                    at = if occupied.0 >> to & 1 != 0 { None } else { next(to, direction) };
                }
                assert_eq!(slide(direction, from, occupied), want, "{from} {direction}");
                assert!(want.into_iter().all(|to| direction_between(from, to) == direction));
            }
        }
    }

    #[test]
    fn a_square_stands_for_its_suji() {
        for masu in Masu::all() {
            let suji: MasuSet = Masu::all().filter(|other| other.suji() == masu.suji()).collect();
            assert_eq!(MasuSet::of(masu).whole_sujis(), suji);
        }
        assert_eq!(MasuSet::ALL.whole_sujis(), MasuSet::ALL);
        assert_eq!(MasuSet::EMPTY.whole_sujis(), MasuSet::EMPTY);
    }

    #[test]
    fn around_a_square_are_those_that_touch_it() {
        for masu in Masu::all() {
            let near = |a: u8, b: u8| a.abs_diff(b) <= 1;
            let touches = |other: &Masu| {
                near(masu.suji().number(), other.suji().number()) && near(masu.dan().number(), other.dan().number())
            };
            let want: MasuSet = Masu::all().filter(|other| *other != masu && touches(other)).collect();
            assert_eq!(MasuSet::around(masu), want, "{masu}");
        }
    }

    #[test]
    fn far_dans_are_the_camp() {
        for teban in Teban::ALL {
            assert!(Masu::all().all(|m| MasuSet::far_dans(teban, 3).contains(m) == m.dan().promotes(teban)));
            assert_eq!(MasuSet::far_dans(teban, 9), MasuSet::ALL);
        }
    }
}
