//! Komagumi, formation: material, and what pieces do by their place and by their distance to both kings.

use std::sync::Arc;

use super::material::{self, signed};
use super::phase;
use super::tables::{Rows, Tables, row};
use super::weights::{UNIT, Weights};
use super::{Centipawn, Hyoka};
use crate::kyokumen::{Change, Koma, Kyokumen, Syurui, Teban};

/// The default evaluation: the material, and for every piece numbers that were learned, by its square and its place
/// relative to both kings, once for the opening and once for the endgame, between which a position lies.
///
/// Sums are kept through `push` and `pop`; only a king's move counts anew, and only what stands to this king.
#[derive(Clone, Debug)]
pub struct Komagumi {
    tables: Arc<Tables>,
    sums: Sums,
    /// The sums before each move.
    before: Vec<Sums>,
}

/// All that is summed up over the pieces: Sente's minus Gote's, but the phase, which is common to both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sums {
    material: Centipawn,
    /// For the opening and for the endgame: by the place relative to the king of Sente, of Gote.
    by_ou: [[i32; 2]; 2],
    hand: [i32; 2],
    phase: i32,
}

impl Default for Komagumi {
    fn default() -> Komagumi {
        Komagumi::new(&Weights::standard())
    }
}

impl Komagumi {
    /// The evaluation with these numbers.
    pub fn new(weights: &Weights) -> Komagumi {
        Komagumi { tables: Arc::new(Tables::new(weights)), sums: Sums::default(), before: Vec::new() }
    }

    /// How far the game has gone.
    pub(super) fn phase(&self) -> i32 {
        self.sums.phase
    }

    fn count(&self, kyokumen: &Kyokumen) -> Sums {
        let mut sums = Sums { material: material::balance(kyokumen), phase: phase::of(kyokumen), ..Sums::default() };
        for teban in Teban::ALL {
            sums.by_ou[teban.index()] = self.count_by_ou(kyokumen, teban);
            for (syurui, count) in kyokumen.motigoma(teban).iter() {
                for number in 1..=count {
                    add(&mut sums.hand, self.tables.hand(syurui, number), signed(teban, 1));
                }
            }
        }
        sums
    }

    fn count_by_ou(&self, kyokumen: &Kyokumen, teban: Teban) -> [i32; 2] {
        let rows = self.tables.rows(teban, kyokumen.ou(teban));
        let mut sum = [0; 2];
        for masu in kyokumen.occupied() {
            add(&mut sum, rows[row(kyokumen.koma(masu))][masu.index()], 1);
        }
        sum
    }

    /// The sums after a move to `kyokumen`.
    #[inline]
    fn after(&self, kyokumen: &Kyokumen, change: &Change) -> Sums {
        let (teban, mut sums) = (change.teban(), self.sums);
        sums.material += signed(teban, material::gain(change));
        sums.phase += phase::gain(change);
        let hand = kyokumen.motigoma(teban);
        if let Some(captured) = change.captured.syurui() {
            let captured = captured.unpromoted();
            add(&mut sums.hand, self.tables.hand(captured, hand.count(captured)), signed(teban, 1));
        } else if let Some(dropped) = change.te.dropped() {
            add(&mut sums.hand, self.tables.hand(dropped, hand.count(dropped) + 1), signed(teban, -1));
        }
        for side in Teban::ALL {
            sums.by_ou[side.index()] = if change.before == Koma::new(Syurui::Ou, side) {
                self.count_by_ou(kyokumen, side)
            } else {
                let rows = self.tables.rows(side, kyokumen.ou(side));
                by_difference(rows, sums.by_ou[side.index()], change)
            };
        }
        sums
    }

    /// From Sente's side.
    fn total(&self) -> Centipawn {
        let sums = &self.sums;
        let [opening, endgame] = [0, 1].map(|phase| sums.by_ou[0][phase] + sums.by_ou[1][phase] + sums.hand[phase]);
        sums.material + phase::between(sums.phase, opening, endgame) / UNIT
    }
}

/// A sum after a move, of which the king of these rows knows nothing but that pieces have moved.
#[inline(always)]
fn by_difference(rows: &Rows, mut sum: [i32; 2], change: &Change) -> [i32; 2] {
    let to = change.te.to().index();
    if let Some(from) = change.te.from() {
        add(&mut sum, rows[row(change.before)][from.index()], -1);
        // An empty square counts nothing.
        add(&mut sum, rows[row(change.captured)][to], -1);
    }
    add(&mut sum, rows[row(change.after)][to], 1);
    sum
}

#[inline(always)]
fn add(sum: &mut [i32; 2], pair: [i16; 2], sign: i32) {
    sum[0] += sign * i32::from(pair[0]);
    sum[1] += sign * i32::from(pair[1]);
}

impl Hyoka for Komagumi {
    fn reset(&mut self, kyokumen: &Kyokumen) {
        self.before.clear();
        self.sums = self.count(kyokumen);
    }

    #[inline]
    fn push(&mut self, kyokumen: &Kyokumen, change: &Change) {
        self.before.push(self.sums);
        self.sums = self.after(kyokumen, change);
    }

    #[inline]
    fn pop(&mut self, _: &Kyokumen, _: &Change) {
        self.sums = self.before.pop().unwrap_or_default();
    }

    #[inline]
    fn value(&mut self, kyokumen: &Kyokumen) -> Centipawn {
        debug_assert_eq!(self.sums, self.count(kyokumen), "{kyokumen:?}");
        signed(kyokumen.teban(), self.total())
    }
}
