//! By how much the evaluation has been wrong lately, in positions that have something in common.

use std::sync::atomic::AtomicI16;

use bytemuck::try_zeroed_box;

use super::history::{self, LIMIT, PLACES};
use super::value::Value;
use crate::kyokumen::{Kyokumen, Masu};

/// Hands share numbers by the lower bits of their key.
const HANDS: usize = 1 << 14;
/// What a number of 1 centipawn is.
const UNIT: i32 = 256;

/// For either side to move: by what is in hand, by where the kings are, and by the move before.
pub(super) struct Corrections {
    hands: Box<[[AtomicI16; HANDS]; 2]>,
    kings: Box<[[AtomicI16; Masu::COUNT * Masu::COUNT]; 2]>,
    moves: Box<[[AtomicI16; PLACES]; 2]>,
}

impl Corrections {
    /// None so far, if there is memory for them.
    pub(super) fn try_new() -> Option<Corrections> {
        let (hands, kings, moves) = (try_zeroed_box().ok()?, try_zeroed_box().ok()?, try_zeroed_box().ok()?);
        Some(Corrections { hands, kings, moves })
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        history::forget(self.hands.as_flattened_mut());
        history::forget(self.kings.as_flattened_mut());
        history::forget(self.moves.as_flattened_mut());
    }

    /// What is to be added to the evaluation, in centipawns, after the move to this place.
    #[inline]
    pub(super) fn of(&self, kyokumen: &Kyokumen, place: usize) -> Value {
        let side = kyokumen.teban().index();
        let [hands, kings] = keys(kyokumen);
        let numbers = [&self.hands[side][hands], &self.kings[side][kings], &self.moves[side][place]];
        numbers.map(history::get).iter().sum::<i32>() / UNIT
    }

    /// A search to this depth has found so much more than the evaluation.
    pub(super) fn learn(&self, kyokumen: &Kyokumen, place: usize, difference: Value, depth: i32) {
        let bonus = (difference * depth * 4).clamp(-LIMIT / 8, LIMIT / 8);
        let side = kyokumen.teban().index();
        let [hands, kings] = keys(kyokumen);
        for number in [&self.hands[side][hands], &self.kings[side][kings], &self.moves[side][place]] {
            history::add(number, bonus);
        }
    }
}

fn keys(kyokumen: &Kyokumen) -> [usize; 2] {
    let [own, enemy] = [kyokumen.teban(), !kyokumen.teban()].map(|teban| kyokumen.ou(teban).map_or(0, Masu::index));
    [kyokumen.hand_key() as usize % HANDS, own * Masu::COUNT + enemy]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_wrong_before_is_corrected_a_little_and_never_without_end() {
        let kyokumen = Kyokumen::hirate();
        let mut corrections = Corrections::try_new().unwrap();
        assert_eq!(corrections.of(&kyokumen, 5), 0);
        corrections.learn(&kyokumen, 5, -100, 6);
        let once = corrections.of(&kyokumen, 5);
        assert!((-100..0).contains(&once), "{once}");
        for _ in 0..1_000 {
            corrections.learn(&kyokumen, 5, -3_000, 60);
        }
        let often = corrections.of(&kyokumen, 5);
        assert!((-3 * LIMIT / UNIT..once).contains(&often), "{often}");
        // Another move before, and the same of all else.
        assert!((often..often / 2).contains(&corrections.of(&kyokumen, 6)));
        corrections.clear();
        assert_eq!(corrections.of(&kyokumen, 5), 0);
    }
}
