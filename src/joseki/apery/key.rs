//! The key of a position in Apery's books: numbers from the Mersenne Twister, XORed.

use crate::kyokumen::{Koma, Kyokumen, Masu, Syurui, Te, Teban};

/// How many codes of pieces the numbers are drawn for; 0, 15 and 16 belong to none.
const PIECES: usize = 31;
/// A side holds 0 to 18 pieces of a kind.
const COUNTS: usize = 19;

/// The kinds in hand in the order in which their numbers are drawn.
const HAND: [Syurui; 7] = {
    use Syurui::*;
    [Fu, Ky, Ke, Gi, Ki, Ka, Hi]
};

/// The numbers, in the order in which they are drawn.
struct Numbers {
    pieces: [[u64; Masu::COUNT]; PIECES],
    hands: [[u64; COUNTS]; HAND.len()],
    turn: u64,
}

static NUMBERS: Numbers = {
    let mut twister = Twister::new();
    let mut numbers = Numbers { pieces: [[0; Masu::COUNT]; PIECES], hands: [[0; COUNTS]; HAND.len()], turn: 0 };
    let mut piece = 0;
    while piece < PIECES {
        twister.fill(&mut numbers.pieces[piece]);
        piece += 1;
    }
    let mut hand = 0;
    while hand < HAND.len() {
        twister.fill(&mut numbers.hands[hand]);
        hand += 1;
    }
    numbers.turn = twister.draw();
    numbers
};

/// The key of a position: the pieces on the board, what the side that moves has in hand, and the turn. What the other
/// side has in hand is no part of it.
pub(super) fn key(kyokumen: &Kyokumen) -> u64 {
    board(kyokumen) ^ side(kyokumen, kyokumen.teban())
}

fn board(kyokumen: &Kyokumen) -> u64 {
    kyokumen.occupied().map(|masu| piece(kyokumen.koma(masu), masu)).fold(0, |key, number| key ^ number)
}

/// What it adds to the key that this side moves.
fn side(kyokumen: &Kyokumen, teban: Teban) -> u64 {
    let mut key = if teban == Teban::Gote { NUMBERS.turn } else { 0 };
    let hand = kyokumen.motigoma(teban);
    for (syurui, numbers) in HAND.into_iter().zip(&NUMBERS.hands) {
        key ^= numbers[usize::from(hand.count(syurui)).min(COUNTS - 1)];
    }
    key
}

/// The number of a piece on a square; 0 for none.
#[inline]
fn piece(koma: Koma, masu: Masu) -> u64 {
    match (koma.syurui(), koma.teban()) {
        (Some(syurui), Some(teban)) => NUMBERS.pieces[syurui.index() + 16 * teban.index()][masu.index()],
        _ => 0,
    }
}

/// The keys of the positions that follow on one, without playing the moves: what the next side holds, a move does not
/// change.
pub(super) struct KeysAfter<'a> {
    kyokumen: &'a Kyokumen,
    /// The key before the move, but with the other side to move.
    base: u64,
}

impl KeysAfter<'_> {
    pub(super) fn of(kyokumen: &Kyokumen) -> KeysAfter<'_> {
        KeysAfter { kyokumen, base: board(kyokumen) ^ side(kyokumen, !kyokumen.teban()) }
    }

    /// The key after a legal move.
    #[inline]
    pub(super) fn key(&self, te: Te) -> u64 {
        let (to, teban) = (te.to(), self.kyokumen.teban());
        if let Some(kind) = te.dropped() {
            return self.base ^ piece(Koma::new(kind, teban), to);
        }
        let Some(from) = te.from() else { return self.base };
        let before = self.kyokumen.koma(from);
        let after = if te.promotes() { before.promoted() } else { before };
        self.base ^ piece(before, from) ^ piece(after, to) ^ piece(self.kyokumen.koma(to), to)
    }
}

/// The 64-bit Mersenne Twister of Matsumoto and Nishimura (mt19937-64) with its default seed.
struct Twister {
    state: [u64; Twister::N],
    next: usize,
}

impl Twister {
    const N: usize = 312;
    const M: usize = 156;

    const fn new() -> Twister {
        let mut state = [5489; Twister::N];
        let mut i = 1;
        while i < Twister::N {
            let last = state[i - 1];
            state[i] = 6_364_136_223_846_793_005_u64.wrapping_mul(last ^ last >> 62).wrapping_add(i as u64);
            i += 1;
        }
        Twister { state, next: Twister::N }
    }

    const fn draw(&mut self) -> u64 {
        if self.next == Twister::N {
            self.twist();
        }
        let mut x = self.state[self.next];
        self.next += 1;
        x ^= x >> 29 & 0x5555_5555_5555_5555;
        x ^= x << 17 & 0x71d6_7fff_eda6_0000;
        x ^= x << 37 & 0xfff7_eee0_0000_0000;
        x ^ x >> 43
    }

    const fn twist(&mut self) {
        let mut i = 0;
        while i < Twister::N {
            let x = self.state[i] & !0x7fff_ffff | self.state[(i + 1) % Twister::N] & 0x7fff_ffff;
            let odd = if x & 1 == 0 { 0 } else { 0xb502_6f5a_a966_19e9 };
            self.state[i] = self.state[(i + Twister::M) % Twister::N] ^ x >> 1 ^ odd;
            i += 1;
        }
        self.next = 0;
    }

    const fn fill<const COUNT: usize>(&mut self, numbers: &mut [u64; COUNT]) {
        let mut i = 0;
        while i < COUNT {
            numbers[i] = self.draw();
            i += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_drawn_in_the_order_of_the_format() {
        let mut twister = Twister::new();
        let first = [twister.draw(), twister.draw(), twister.draw()];
        assert_eq!(first, [0xc96d_191c_f6f6_aea6, 0x401f_7ac7_8bc8_0f1c, 0xb5ee_8cb6_abe4_57f8]);
        assert_eq!(NUMBERS.pieces[0][..3], first);
        assert_eq!(NUMBERS.pieces[1][0], 0xbc87_a781_b474_62ce);
        assert_eq!(NUMBERS.pieces[30][80], 0x40e5_359d_a7c5_ef45);
        assert_eq!(NUMBERS.hands[0][0], 0xcf51_18f1_2bfe_fdbd);
        assert_eq!(NUMBERS.hands[6][18], 0x0aeb_f1ee_abed_4988);
        assert_eq!(NUMBERS.turn, 0x3fa5_1fd0_a8bb_5298);
    }

    #[test]
    fn the_twister_is_the_one_of_the_standard() {
        // What the C++ standard says of its default-constructed mt19937_64.
        let mut twister = Twister::new();
        (1..10_000).for_each(|_| _ = twister.draw());
        assert_eq!(twister.draw(), 9_981_545_732_273_789_042);
    }

    #[test]
    fn keys_are_those_of_other_programs() {
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9";
        let cases = [
            (format!("{start}/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"), 0xeebe_8ee7_e1ad_7e15),
            (format!("{start}/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"), 0x3e7b_1f82_5672_20d5),
            (format!("{start}/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL w - 2"), 0x721b_da18_9be4_f0f1),
            (
                "lnsgk1snl/1r4g2/pppppp1pp/6p2/7P1/2P6/PP1PPPP1P/1+b5R1/LNSGKGSNL b b 7".to_owned(),
                0x9a08_ce50_69be_bcda,
            ),
            (
                "lnsgk1snl/1r4g2/p1pppp1pp/6p2/1p5P1/2P6/PPSPPPP1P/7R1/LN1GKGSNL w Bb 12".to_owned(),
                0xe783_dab6_ffe8_59ac,
            ),
            (
                "ln1gk1snl/6gb1/2sppppp1/p7p/2R6/Pr4P2/2PPPPN1P/1BGK2S2/LNS2G2L w 3Pp 26".to_owned(),
                0x7020_a21a_d03a_a7ff,
            ),
            ("lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1".to_owned(), 0x66d7_ca47_c857_ee6c),
            ("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1".to_owned(), 0x04ee_d137_8748_c9bc),
        ];
        for (sfen, expected) in cases {
            assert_eq!(key(&Kyokumen::from_sfen(&sfen).unwrap()), expected, "{sfen}");
        }
    }

    #[test]
    fn keys_after_a_move_are_those_of_the_positions_after_it() {
        let mut kyokumen = Kyokumen::hirate();
        for step in 0..2000 {
            let legal = kyokumen.legal_te();
            if legal.is_empty() || kyokumen.tesu() > 200 {
                kyokumen = Kyokumen::hirate();
                continue;
            }
            let keys = KeysAfter::of(&kyokumen);
            let mut after = kyokumen.clone();
            for &te in &legal {
                let change = after.do_te(te);
                assert_eq!(keys.key(te), key(&after), "{te} in {kyokumen:?}");
                after.undo_te(&change);
            }
            kyokumen.do_te(legal[step * 7919 % legal.len()]);
        }
    }

    #[test]
    fn what_the_other_side_holds_is_no_part_of_the_key() {
        let key = |hands| key(&Kyokumen::from_sfen(&format!("4k4/9/9/9/9/9/9/9/4K4 b {hands} 1")).unwrap());
        assert_eq!(key("P"), key("Pr2b17p"));
        assert_ne!(key("P"), key("2P"));
    }
}
