//! Attacks on the squares around a square.

use super::masu::BAN_SIZE;
use super::{Kyokumen, Masu, Teban};

/// Squares up to two steps away.
pub(crate) const AROUND: usize = 24;

/// A cell far from the board, which no piece reaches.
const NOWHERE: u8 = BAN_SIZE as u8 - 1;

impl Kyokumen {
    /// The attacks on the squares around one, in the order in which a side sees them, its right and left changed if
    /// `mirrored`: in each word those of Sente, as [`control`](Kyokumen::control) has them, and above them those of
    /// Gote. 0 beyond the edge of the board.
    #[inline]
    pub(crate) fn attacks_around(&self, centre: Masu, seen_by: Teban, mirrored: bool) -> [u64; AROUND] {
        let cells = &CELLS[seen_by.index()][usize::from(mirrored)][centre.index()];
        cells.map(|cell| {
            let [sente, gote] = self.control[usize::from(cell) % BAN_SIZE].map(u32::from_le_bytes);
            u64::from(gote) << 32 | u64::from(sente)
        })
    }
}

/// By side, mirrored or not, and square: the cells around it.
static CELLS: [[[[u8; AROUND]; Masu::COUNT]; 2]; 2] = {
    let mut cells = [[[[NOWHERE; AROUND]; Masu::COUNT]; 2]; 2];
    let mut number = 0;
    while number < 4 * Masu::COUNT {
        let (gote, mirrored, centre) = (number & 1, number >> 1 & 1, number >> 2);
        let (mut place, mut step) = (0, 0);
        while step < 25 {
            let (suji, dan) = (step / 5, step % 5);
            // What is ahead of one side is behind the other, and left of it on its right.
            let suji = centre / 9 + if gote == mirrored { suji } else { 4 - suji };
            let dan = centre % 9 + if gote == 0 { dan } else { 4 - dan };
            if step != 12 {
                if suji >= 2 && suji < 11 && dan >= 2 && dan < 11 {
                    let masu = Masu::from_index((suji - 2) * 9 + dan - 2);
                    if let Some(masu) = masu {
                        cells[gote][mirrored][centre][place] = masu.ichi().index() as u8;
                    }
                }
                place += 1;
            }
            step += 1;
        }
        number += 1;
    }
    cells
};

#[cfg(test)]
mod tests {
    use super::super::direction::OFFSETS;
    use super::*;

    #[test]
    fn no_piece_reaches_nowhere() {
        for masu in Masu::all() {
            assert!(OFFSETS.into_iter().all(|offset| masu.ichi().step(offset).index() != usize::from(NOWHERE)));
        }
    }

    #[test]
    fn each_side_sees_the_squares_ahead_of_it_alike() {
        let sfen = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
        let kyokumen = Kyokumen::from_sfen(sfen).unwrap();
        let word = |masu| {
            let [sente, gote] = Teban::ALL.map(|teban| u64::from(kyokumen.control(teban, masu)));
            sente | gote << 32
        };
        let at = |usi: &[u8; 2]| word(Masu::from_usi(*usi).unwrap());
        let centre = Masu::from_usi(*b"2b").unwrap();
        // Place 6 is one file to the right and one rank ahead, 15 one to the left and one ahead.
        for (side, mirrored, right, left) in [
            (Teban::Sente, false, b"1a", b"3a"),
            (Teban::Sente, true, b"3a", b"1a"),
            (Teban::Gote, false, b"3c", b"1c"),
            (Teban::Gote, true, b"1c", b"3c"),
        ] {
            let around = kyokumen.attacks_around(centre, side, mirrored);
            assert_eq!([around[6], around[15]], [at(right), at(left)], "{side:?} {mirrored}");
        }
        // Two ranks above the board, and no file to the right.
        let around = kyokumen.attacks_around(centre, Teban::Sente, false);
        assert!([0, 1, 5, 10, 14, 19].into_iter().all(|place| around[place] == 0));
        assert!(Masu::all().any(|masu| word(masu) != 0));
    }
}
