//! Where the generator's sets of moves go: into a count, or into a list.
//!
//! Writing moves out one by one would mispredict the end of nearly every set, so a list takes a whole piece of a set at
//! once and then counts on as many moves as the piece has bits; what was written beyond is overwritten by the next.

use super::te_list::TeList;
use super::{Masu, MasuSet};

/// Squares around a square, as bits counted from the one with an index lower by [`NEAR_BEFORE`].
pub(super) type Near = u32;

/// By how much the lowest index that a step leads to is lower than that of the square it starts from.
pub(super) const NEAR_BEFORE: u32 = 11;

/// Takes sets of moves. Each stands for the moves whose bits are `base` plus what its squares give. That these moves
/// are well-formed is the generator's business, and relied on, by `unsafe` code too.
pub(super) trait Sink {
    /// One move for each square, adding the square's index.
    fn scattered(&mut self, base: u16, to: MasuSet);

    /// One move for each square, adding 129 times the square's index, so that its origin moves along with it.
    fn pawns(&mut self, base: u16, to: MasuSet);

    /// One move for each square near an origin, adding the square's index. `base` names the origin already.
    fn near(&mut self, base: u16, from: Masu, to: Near);
}

impl Sink for usize {
    #[inline(always)]
    fn scattered(&mut self, _: u16, to: MasuSet) {
        *self += to.len();
    }

    #[inline(always)]
    fn pawns(&mut self, _: u16, to: MasuSet) {
        *self += to.len();
    }

    #[inline(always)]
    fn near(&mut self, _: u16, _: Masu, to: Near) {
        *self += to.count_ones() as usize;
    }
}

/// Adds the index of the first square of `Near` to a base.
#[inline(always)]
fn near_base(base: u16, from: Masu) -> u16 {
    base.wrapping_add(from.index() as u16).wrapping_sub(NEAR_BEFORE as u16)
}

/// Fills a list eight squares at a time, by a table of what each byte's bits stand for. Asks for no instruction set.
pub(super) struct ByTable<'a>(pub(super) &'a mut TeList);

impl ByTable<'_> {
    #[inline(always)]
    fn add_bytes<const FACTOR: u16, const BYTES: usize>(&mut self, base: u16, bits: u128) {
        let mut room = self.0.room();
        let halves = [bits as u64, (bits >> 64) as u64];
        // Left to itself, the compiler makes this a loop, and shifts by a variable.
        macro_rules! unroll {
            ($($byte:literal)*) => {$(
                if $byte < BYTES {
                    let squares = usize::from((halves[$byte / 8] >> (8 * ($byte % 8))) as u8);
                    let base = base.wrapping_add(8 * $byte * FACTOR);
                    let moves = const { &offsets(FACTOR) }[squares].map(|offset| base.wrapping_add(offset));
                    // Without an instruction for it, counting bits takes longer than looking them up.
                    let count = usize::from(const { &lengths() }[squares]);
                    // SAFETY: eight are written, and those counted on that the set stands for.
                    unsafe {
                        room.write(moves);
                        room.count_on(count);
                    }
                }
            )*};
        }
        unroll!(0 1 2 3 4 5 6 7 8 9 10);
    }
}

impl Sink for ByTable<'_> {
    #[inline(always)]
    fn scattered(&mut self, base: u16, to: MasuSet) {
        // Sliders are often shut in.
        if !to.is_empty() {
            self.add_bytes::<1, 11>(base, to.bits());
        }
    }

    #[inline(always)]
    fn pawns(&mut self, base: u16, to: MasuSet) {
        self.add_bytes::<129, 11>(base, to.bits());
    }

    #[inline(always)]
    fn near(&mut self, base: u16, from: Masu, to: Near) {
        self.add_bytes::<1, 3>(near_base(base, from), to.into());
    }
}

/// For each byte the numbers of its bits, times a factor.
const fn offsets(factor: u16) -> [[u16; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                table[byte][count] = bit as u16 * factor;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
}

/// For each byte how many bits it has.
const fn lengths() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = (byte as u8).count_ones() as u8;
        byte += 1;
    }
    table
}

/// Fills a list 32 squares at a time, by AVX-512 with VBMI2.
#[cfg(target_arch = "x86_64")]
pub(super) struct ByCompress<'a>(&'a mut TeList);

#[cfg(target_arch = "x86_64")]
impl<'a> ByCompress<'a> {
    /// # Safety
    /// The processor must have AVX512F, BW and VBMI2.
    #[inline(always)]
    pub(super) unsafe fn new(list: &'a mut TeList) -> ByCompress<'a> {
        ByCompress(list)
    }

    #[inline(always)]
    fn add<const FACTOR: u16, const PARTS: usize>(&mut self, base: u16, bits: u128) {
        use std::arch::x86_64::*;
        let mut room = self.0.room();
        for part in 0..PARTS {
            let squares = (bits >> (32 * part)) as u32;
            let base = base.wrapping_add(32 * part as u16 * FACTOR);
            // SAFETY: whoever made this value promised that the processor has these instructions.
            let moves: [u16; 32] = unsafe {
                let offsets = std::mem::transmute::<[u16; 32], __m512i>(const { numbers(FACTOR) });
                let moves = _mm512_add_epi16(offsets, _mm512_set1_epi16(base as i16));
                std::mem::transmute(_mm512_maskz_compress_epi16(squares, moves))
            };
            // SAFETY: 32 are written, and those counted on that the set stands for.
            unsafe {
                room.write(moves);
                room.count_on(squares.count_ones() as usize);
            }
        }
    }
}

/// The multiples of a factor.
#[cfg(target_arch = "x86_64")]
const fn numbers(factor: u16) -> [u16; 32] {
    let mut numbers = [0; 32];
    let mut i = 0;
    while i < 32 {
        numbers[i] = i as u16 * factor;
        i += 1;
    }
    numbers
}

#[cfg(target_arch = "x86_64")]
impl Sink for ByCompress<'_> {
    #[inline(always)]
    fn scattered(&mut self, base: u16, to: MasuSet) {
        self.add::<1, 3>(base, to.bits());
    }

    #[inline(always)]
    fn pawns(&mut self, base: u16, to: MasuSet) {
        self.add::<129, 3>(base, to.bits());
    }

    #[inline(always)]
    fn near(&mut self, base: u16, from: Masu, to: Near) {
        self.add::<1, 1>(near_base(base, from), to.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kyokumen::{Te, masu_set};

    /// A set of each size, scattered over the board.
    fn sets() -> impl Iterator<Item = MasuSet> {
        (0..=81).map(|size| (0..size).filter_map(|i| Masu::from_index((i * 37 + size) % 81)).collect())
    }

    /// Checks every way in which a sink adds to its list.
    fn compare(add: fn(Part, &mut TeList)) {
        const BASE: u16 = 1 << 14 | 7 << 7;
        for set in sets() {
            let expect = |part: fn(MasuSet) -> Part, want: &dyn Fn(Masu) -> u16| {
                let mut moves = TeList::new();
                add(part(set), &mut moves);
                assert!(moves.iter().map(|te| te.bits()).eq(set.map(want)), "{set:?}");
            };
            expect(|set| Part::Scattered(BASE, set), &|to| BASE + to.index() as u16);
            expect(|set| Part::Pawns(1 << 7, set), &|to| (1 << 7) + 129 * to.index() as u16);
        }
        for from in Masu::all() {
            let set: MasuSet =
                Masu::all().filter(|to| to.index().abs_diff(from.index()) <= 11 && *to != from).collect();
            let mut moves = TeList::new();
            add(Part::Near((from.index() as u16) << 7, from, masu_set::window(set, from)), &mut moves);
            assert!(moves.iter().copied().eq(set.map(|to| Te::board(from, to, false))), "{from}");
        }
    }

    enum Part {
        Scattered(u16, MasuSet),
        Pawns(u16, MasuSet),
        Near(u16, Masu, Near),
    }

    impl Part {
        fn add(self, sink: &mut impl Sink) {
            match self {
                Part::Scattered(base, to) => sink.scattered(base, to),
                Part::Pawns(base, to) => sink.pawns(base, to),
                Part::Near(base, from, to) => sink.near(base, from, to),
            }
        }
    }

    #[test]
    fn sets_of_every_size_become_the_moves_they_stand_for() {
        compare(|part, moves| part.add(&mut ByTable(moves)));
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn the_same_by_compress_where_the_processor_has_it() {
        if std::arch::is_x86_feature_detected!("avx512vbmi2") && std::arch::is_x86_feature_detected!("avx512bw") {
            // SAFETY: just asked.
            compare(|part, moves| part.add(&mut unsafe { ByCompress::new(moves) }));
        }
    }
}
