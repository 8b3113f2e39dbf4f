//! Who attacks the squares around the own king, and how often.

use super::{PLACED, View};
use crate::kyokumen::around::AROUND;
use crate::kyokumen::{Kyokumen, Teban};

/// Squares around its king that a side looks at: all up to two steps away.
pub(super) const SQUARES: usize = AROUND;
/// What can be said of one: 0 to 3 or more attacks by either side.
const GRADES: usize = 16;
/// Kinds of rows.
pub(super) const KINDS: usize = SQUARES * GRADES;

/// The attacks on the squares around a king, in the order in which its side sees them; a square beyond the edge is like
/// one without attacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Around {
    words: [u64; SQUARES],
    features: [u16; SQUARES],
}

impl Around {
    /// None at all.
    pub(super) fn none(teban: Teban) -> Around {
        Around { words: [0; SQUARES], features: std::array::from_fn(|place| feature(place, 0, teban)) }
    }

    /// Those of a position.
    pub(super) fn new(view: View, kyokumen: &Kyokumen) -> Around {
        let words = words(view, kyokumen);
        Around { words, features: std::array::from_fn(|place| feature(place, words[place], view.teban)) }
    }

    /// The features of all squares.
    pub(super) fn features(&self) -> [u16; SQUARES] {
        self.features
    }

    /// Goes over to another position of the same side, and hands over the features that are new, each with the one in
    /// whose place it is.
    #[inline]
    pub(super) fn change(&mut self, view: View, kyokumen: &Kyokumen, mut take: impl FnMut([u16; 2])) {
        let words = words(view, kyokumen);
        // Without a branch for each square, since nobody can foretell which of them changes.
        let pairs = words.iter().zip(&self.words).enumerate();
        let mut differ = pairs.fold(0, |differ, (place, (new, old))| differ | u32::from(new != old) << place);
        while differ != 0 {
            let place = differ.trailing_zeros() as usize;
            differ &= differ - 1;
            let new = feature(place, words[place], view.teban);
            let old = std::mem::replace(&mut self.features[place], new);
            if new != old {
                take([new, old]);
            }
        }
        self.words = words;
    }
}

#[inline]
fn words(view: View, kyokumen: &Kyokumen) -> [u64; SQUARES] {
    kyokumen.ou(view.teban).map_or([0; SQUARES], |ou| kyokumen.attacks_around(ou, view.teban, view.mirrored))
}

#[inline]
fn feature(place: usize, word: u64, side: Teban) -> u16 {
    let counts = [word as u32, (word >> 32) as u32].map(up_to_three);
    (PLACED + place * GRADES) as u16 + counts[side.index()] * 4 + counts[(!side).index()]
}

/// The number of bits, if it is less than 3: quicker than counting all.
#[inline]
fn up_to_three(bits: u32) -> u16 {
    let without_one = bits & bits.wrapping_sub(1);
    let without_two = without_one & without_one.wrapping_sub(1);
    u16::from(bits != 0) + u16::from(without_one != 0) + u16::from(without_two != 0)
}
