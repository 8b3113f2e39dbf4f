//! What has proved useful so far: moves that refuted others.

use crate::kyokumen::{Koma, Kyokumen, Masu, Te};

/// A value stays within this, either way.
const LIMIT: i32 = 16_384;

/// For each piece and square, and for each drop, how often going there refuted the opponent's move.
pub(super) struct History {
    board: Box<[[i16; Masu::COUNT]; Koma::CODES]>,
    drops: Box<[[i16; Masu::COUNT]; Koma::CODES]>,
}

impl Default for History {
    fn default() -> History {
        let zero = || Box::new([[0; Masu::COUNT]; Koma::CODES]);
        History { board: zero(), drops: zero() }
    }
}

impl History {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = History::default();
    }

    /// A new search begins: what is known counts half.
    pub(super) fn age(&mut self) {
        for table in [&mut self.board, &mut self.drops] {
            table.as_flattened_mut().iter_mut().for_each(|value| *value /= 2);
        }
    }

    /// From -16,384 to 16,384.
    #[inline]
    pub(super) fn get(&self, kyokumen: &Kyokumen, te: Te) -> i32 {
        let (table, koma) = match te.from() {
            Some(from) => (&self.board, kyokumen.koma(from)),
            None => (&self.drops, dropped(kyokumen, te)),
        };
        i32::from(table[koma.index()][te.to().index()])
    }

    /// A move refuted (bonus above 0), or was tried in vain before one that did (below 0). The nearer a value is to its
    /// end, the less is added.
    pub(super) fn update(&mut self, kyokumen: &Kyokumen, te: Te, bonus: i32) {
        let (table, koma) = match te.from() {
            Some(from) => (&mut self.board, kyokumen.koma(from)),
            None => (&mut self.drops, dropped(kyokumen, te)),
        };
        let value = &mut table[koma.index()][te.to().index()];
        let (old, bonus) = (i32::from(*value), bonus.clamp(-LIMIT, LIMIT));
        *value = (old + bonus - old * bonus.abs() / LIMIT) as i16;
    }
}

fn dropped(kyokumen: &Kyokumen, te: Te) -> Koma {
    te.dropped().map_or(Koma::EMPTY, |syurui| Koma::new(syurui, kyokumen.teban()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_grow_to_their_limit_and_not_beyond() {
        let kyokumen = Kyokumen::hirate();
        let te = "7g7f".parse().unwrap();
        let mut history = History::default();
        for bonus in [400, -400, 99_999_999, -99_999_999] {
            for _ in 0..1_000 {
                history.update(&kyokumen, te, bonus);
            }
            let value = history.get(&kyokumen, te);
            assert!(value.abs() <= LIMIT && value.signum() == bonus.signum(), "{value}");
        }
        history.age();
        assert_eq!(history.get(&kyokumen, te), -LIMIT / 2);
        history.clear();
        assert_eq!(history.get(&kyokumen, te), 0);
    }

    #[test]
    fn a_drop_is_another_move_than_one_on_the_board() {
        let kyokumen = Kyokumen::from_sfen("4k4/9/9/9/9/4P4/9/9/4K4 b P 1").unwrap();
        let mut history = History::default();
        history.update(&kyokumen, "P*5e".parse().unwrap(), 100);
        assert_eq!(history.get(&kyokumen, "5f5e".parse().unwrap()), 0);
    }
}
