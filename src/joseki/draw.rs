//! Random draws, by an algorithm of our own over the generator's 64-bit words, so that a seed gives the same choices
//! with every version of the random number crates.

use rand::Rng;

/// A number below `n`, each as likely as the others; 0 for `n` of 0.
///
/// Takes as many low bits as `n - 1` has, from one word (two above 64 bits, the low one first), and draws again where
/// the number is too large.
pub(super) fn below(rng: &mut dyn Rng, n: u128) -> u128 {
    let Some(highest) = n.checked_sub(1) else { return 0 };
    let bits = u128::BITS - highest.leading_zeros();
    let mask = u128::MAX.checked_shr(u128::BITS - bits).unwrap_or(0);
    let mut number = 0;
    // A proper generator fails half the time at worst; one that always gives the same word must not hang us.
    for _ in 0..128 {
        number = u128::from(rng.next_u64());
        if bits > 64 {
            number |= u128::from(rng.next_u64()) << 64;
        }
        number &= mask;
        if number < n {
            return number;
        }
    }
    number % n
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn a_seed_always_gives_the_same_numbers() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let numbers: Vec<u128> = (0..8).map(|_| below(&mut rng, 50)).collect();
        assert_eq!(numbers, [49, 43, 37, 2, 37, 24, 23, 14]);
    }

    #[test]
    fn every_number_below_the_limit_occurs_and_no_other() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        for n in [1, 2, 3, 5, 8, 13] {
            let mut seen = vec![0; n];
            (0..1000).for_each(|_| seen[below(&mut rng, n as u128) as usize] += 1);
            assert!(seen.iter().all(|&times| times > 500 / n), "{n}: {seen:?}");
        }
        assert_eq!(below(&mut rng, 0), 0);
    }

    #[test]
    fn large_limits_use_all_their_bits() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let limit = u128::from(u64::MAX) * 3;
        let above = (0..1000).filter(|_| below(&mut rng, limit) > u128::from(u64::MAX)).count();
        assert!((600..730).contains(&above), "{above}");
    }

    #[test]
    fn a_generator_that_is_stuck_does_not_hang() {
        struct Stuck;
        impl rand::rand_core::TryRng for Stuck {
            type Error = std::convert::Infallible;
            fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
                Ok(u32::MAX)
            }
            fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
                Ok(u64::MAX)
            }
            fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
                bytes.fill(0xff);
                Ok(())
            }
        }
        assert!(below(&mut Stuck, 5) < 5);
    }
}
