//! Seeds of the two hash keys, drawn at compile time by SplitMix64 from a fixed seed, so that keys are the same on
//! every machine and in every run. Books don't use them: they have keys of their own.

use super::{Koma, Masu, Syurui, Teban};

/// The generator of Steele, Lea and Flood (2014), as published by Vigna.
struct SplitMix64(u64);

impl SplitMix64 {
    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

struct Seeds {
    board: [[u64; Masu::COUNT]; Koma::CODES],
    /// Of the counts, 0 to 18 occur.
    hand: [[[u64; 32]; 8]; 2],
    turn: u64,
}

static SEEDS: Seeds = {
    // "komadai" in ASCII.
    let mut random = SplitMix64(0x006b_6f6d_6164_6169);
    let mut seeds = Seeds { board: [[0; Masu::COUNT]; Koma::CODES], hand: [[[0; 32]; 8]; 2], turn: random.next() };
    let mut side = 0;
    while side < 2 {
        let mut kind = 0;
        while kind < Syurui::ALL.len() {
            let koma = Koma::new(Syurui::ALL[kind], Teban::ALL[side]);
            let mut masu = 0;
            while masu < Masu::COUNT {
                seeds.board[koma.index()][masu] = random.next();
                masu += 1;
            }
            kind += 1;
        }
        let mut kind = 1;
        while kind < 8 {
            // A count of 0 has no number, so that empty hands have key 0.
            let mut count = 1;
            while count < 19 {
                seeds.hand[side][kind][count] = random.next();
                count += 1;
            }
            kind += 1;
        }
        side += 1;
    }
    seeds
};

/// What a piece on a square adds to the board key.
#[inline(always)]
pub(super) fn board(koma: Koma, masu: Masu) -> u64 {
    SEEDS.board[koma.index()][masu.index()]
}

/// What a number of pieces in hand adds to the hand key.
#[inline(always)]
pub(super) fn hand(teban: Teban, syurui: Syurui, count: u8) -> u64 {
    SEEDS.hand[teban.index()][syurui.index() & 7][count as usize & 31]
}

/// What the board key holds while Gote is to move.
#[inline(always)]
pub(super) fn turn() -> u64 {
    SEEDS.turn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_gives_its_published_first_numbers() {
        // First outputs for seed 1234567, from the reference implementation's test.
        let mut random = SplitMix64(1_234_567);
        assert_eq!(
            [random.next(), random.next(), random.next()],
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn no_seed_occurs_twice() {
        let mut all: Vec<u64> = SEEDS.board.iter().flatten().copied().filter(|&seed| seed != 0).collect();
        all.extend(SEEDS.hand.iter().flatten().flatten().copied().filter(|&seed| seed != 0));
        all.push(SEEDS.turn);
        let total = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!((total, all.len()), (28 * 81 + 2 * 7 * 18 + 1, total));
    }
}
