//! The main key: a 64-bit hash of the packed position, by which the own format is sorted and found.

use crate::kyokumen::PackedKyokumen;

/// The name of the scheme in the header of a book.
pub(super) const SCHEME: &[u8; 16] = b"fold128-1\0\0\0\0\0\0\0";

/// The seed of new books: "komadai" in ASCII.
pub(super) const SEED: u64 = 0x006b_6f6d_6164_6169;

/// Sebastiano Vigna's generator, from which formats of our own draw the numbers of their keys.
pub(super) struct SplitMix64(pub(super) u64);

impl SplitMix64 {
    pub(super) const fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// A key function, made from the seed in a book's header.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyScheme {
    numbers: [u64; 5],
}

impl KeyScheme {
    /// Draws the numbers of the scheme from the seed, by SplitMix64.
    pub(super) const fn new(seed: u64) -> KeyScheme {
        let mut numbers = [0; 5];
        let mut random = SplitMix64(seed);
        let mut i = 0;
        while i < numbers.len() {
            numbers[i] = random.draw();
            i += 1;
        }
        KeyScheme { numbers }
    }

    /// The main key of a position.
    #[inline]
    pub(super) fn key(&self, packed: &PackedKyokumen) -> u64 {
        let [a, b, c, d] = packed.words();
        let [p, q, r, s, t] = self.numbers;
        fold(fold(a ^ p, b ^ q) ^ t, fold(c ^ r, d ^ s))
    }
}

/// The two halves of the 128-bit product, XORed.
#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kyokumen::Kyokumen;

    #[test]
    fn keys_are_those_of_the_format_description() {
        let scheme = KeyScheme::new(SEED);
        let mut kyokumen = Kyokumen::hirate();
        assert_eq!(scheme.key(&kyokumen.pack().unwrap()), 0x4161_d582_a2ba_8b69);
        kyokumen.do_te("7g7f".parse().unwrap());
        assert_eq!(scheme.key(&kyokumen.pack().unwrap()), 0xd16d_8721_54a2_fd32);
    }

    #[test]
    fn keys_of_similar_positions_spread_evenly() {
        // All positions after three plies, into 64 classes by their highest bits: the search by interpolation needs it.
        let scheme = KeyScheme::new(SEED);
        let mut classes = [0u32; 64];
        let mut kyokumen = Kyokumen::hirate();
        each_position(&mut kyokumen, 3, &mut |kyokumen| {
            classes[(scheme.key(&kyokumen.pack().unwrap()) >> 58) as usize] += 1;
        });
        let total: u32 = classes.iter().sum();
        let mean = f64::from(total) / 64.0;
        let chi_square: f64 = classes.iter().map(|&n| (f64::from(n) - mean).powi(2) / mean).sum();
        // 63 degrees of freedom; transpositions count several times, which widens it.
        assert!(total > 25_000 && chi_square < 300.0, "{chi_square} of {total}");
    }

    fn each_position(kyokumen: &mut Kyokumen, depth: u32, visit: &mut dyn FnMut(&Kyokumen)) {
        if depth == 0 {
            return visit(kyokumen);
        }
        for te in kyokumen.legal_te() {
            let change = kyokumen.do_te(te);
            each_position(kyokumen, depth - 1, visit);
            kyokumen.undo_te(&change);
        }
    }
}
