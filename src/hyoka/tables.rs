//! The numbers of komagumi, tabulated: for either king, every square of his, every piece and its square.

use std::fmt;

use super::weights::{Pair, Weights, in_hand, place, to_enemy_ou, to_own_ou};
use crate::kyokumen::{Koma, Masu, Syurui, Teban};

/// Rows for the pieces of both sides, and one for an empty square, which counts nothing.
const CODES: usize = 32;

/// The row of what stands on a square.
#[inline(always)]
pub(super) fn row(koma: Koma) -> usize {
    // Codes have 16 for Sente's pieces and 32 for Gote's.
    koma.index() & 15 | koma.index() >> 1 & 16
}

/// What each piece on each square is worth, from Sente's side, with one king where he is.
pub(super) type Rows = [[Pair; Masu::COUNT]; CODES];

/// The tables; the place of a piece by itself is among what stands to the king of its own side.
pub(super) struct Tables {
    /// By the king's side, and his square; the last one: no king, and nothing counts.
    rows: Box<[[Rows; Masu::COUNT + 1]; 2]>,
    hand: [[Pair; 32]; 8],
}

impl Tables {
    pub(super) fn new(weights: &Weights) -> Tables {
        let mut rows = bytemuck::zeroed_box::<[[Rows; Masu::COUNT + 1]; 2]>();
        for owner in Teban::ALL {
            for ou in Masu::all() {
                fill(&mut rows[owner.index()][ou.index()], weights, owner, ou);
            }
        }
        let mut hand = [[[0; 2]; 32]; 8];
        for syurui in Syurui::HAND {
            for number in 1..=syurui.in_set() {
                hand[syurui.index()][usize::from(number)] = weights.pairs()[in_hand(syurui, number)];
            }
        }
        Tables { rows, hand }
    }

    /// The rows for a king of this side.
    #[inline(always)]
    pub(super) fn rows(&self, owner: Teban, ou: Option<Masu>) -> &Rows {
        &self.rows[owner.index()][ou.map_or(Masu::COUNT, Masu::index)]
    }

    /// What this one of the pieces of a kind in hand adds, for its owner.
    #[inline(always)]
    pub(super) fn hand(&self, syurui: Syurui, number: u8) -> Pair {
        self.hand[syurui.index() & 7][usize::from(number & 31)]
    }
}

fn fill(rows: &mut Rows, weights: &Weights, owner: Teban, ou: Masu) {
    let pairs = weights.pairs();
    for teban in Teban::ALL {
        for syurui in Syurui::ALL {
            let row = &mut rows[row(Koma::new(syurui, teban))];
            for masu in Masu::all() {
                let is_ou = syurui == Syurui::Ou;
                let mut sum = [0; 2];
                let mut add = |index: usize| sum = [0, 1].map(|phase| sum[phase] + i32::from(pairs[index][phase]));
                if teban == owner {
                    add(place(syurui, teban, masu));
                    if !is_ou {
                        add(to_own_ou(syurui, teban, masu, ou));
                    }
                } else if !is_ou {
                    add(to_enemy_ou(syurui, teban, masu, ou));
                }
                let sign = if teban == Teban::Sente { 1 } else { -1 };
                row[masu.index()] = sum.map(|number| (sign * number).clamp(i16::MIN.into(), i16::MAX.into()) as i16);
            }
        }
    }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables").finish_non_exhaustive()
    }
}
