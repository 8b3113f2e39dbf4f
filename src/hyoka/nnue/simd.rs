//! The arithmetic of a net, compiled for what the processor at hand can do.
//!
//! Most of it the compiler makes good use of by itself, once it may use the instructions; sums of products are written
//! out. All is exact, so every level gives the same values.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

use crate::kyokumen::level::Level;

/// Something to compute, by the instructions of any level. What is to know of the level must be inlined, down to the
/// last function; so what takes the time is loops, and no closures.
pub(super) trait Job {
    /// Does it.
    fn run(self, kernel: impl Kernel) -> i32;
}

/// Does a job by the instructions of a level.
#[inline(always)]
pub(super) fn run(level: Level, job: impl Job) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if level.has_avx2() {
        // SAFETY: a level is made only after the processor was asked.
        return unsafe { run_avx2(job) };
    }
    let _ = level;
    job.run(Plain)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2(job: impl Job) -> i32 {
    // SAFETY: this function is called only where the processor has AVX2.
    job.run(unsafe { ByAvx2::new() })
}

/// Inputs are taken in blocks of so many.
pub(super) const BLOCK: usize = 32;

/// Rows of weights are taken so many at a time.
const ROWS: usize = 4;

/// How sums of products are made.
pub(super) trait Kernel: Copy {
    /// Adds to each sum the products of its row of weights with the inputs, none of which is above 127. There are as
    /// many rows as sums, a multiple of four, and a whole number of blocks of inputs.
    fn add_products(self, sums: &mut [i32], weights: &[i8], inputs: &[u8]);
}

/// Asks for no instruction set.
#[derive(Clone, Copy)]
struct Plain;

impl Kernel for Plain {
    #[inline(always)]
    fn add_products(self, sums: &mut [i32], weights: &[i8], inputs: &[u8]) {
        for (sum, row) in sums.iter_mut().zip(weights.chunks_exact(inputs.len())) {
            let products = row.iter().zip(inputs).map(|(&weight, &input)| i32::from(weight) * i32::from(input));
            *sum = sum.wrapping_add(products.sum());
        }
    }
}

/// Takes 32 products by two instructions.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
struct ByAvx2(());

#[cfg(target_arch = "x86_64")]
impl ByAvx2 {
    /// # Safety
    /// The processor must have AVX2.
    unsafe fn new() -> ByAvx2 {
        ByAvx2(())
    }

    /// The products of a block, added up to eight sums. Two products of up to 127 times 128 fit into 16 bits.
    #[inline(always)]
    fn add_block(self, sums: __m256i, weights: &[i8; BLOCK], inputs: __m256i) -> __m256i {
        // SAFETY: whoever has made a `ByAvx2` vouches for AVX2; the load takes 32 bytes, at any address.
        unsafe {
            let weights = _mm256_loadu_si256(weights.as_ptr().cast());
            let pairs = _mm256_maddubs_epi16(inputs, weights);
            _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl Kernel for ByAvx2 {
    #[inline(always)]
    fn add_products(self, sums: &mut [i32], weights: &[i8], inputs: &[u8]) {
        let (inputs, blocks) = (inputs.as_chunks::<BLOCK>().0, inputs.len() / BLOCK);
        let weights = weights.as_chunks::<BLOCK>().0.chunks_exact(ROWS * blocks);
        for (sums, rows) in sums.as_chunks_mut::<ROWS>().0.iter_mut().zip(weights) {
            let rows: [&[[i8; BLOCK]]; ROWS] = std::array::from_fn(|row| &rows[row * blocks..][..blocks]);
            // SAFETY: whoever has made a `ByAvx2` vouches for AVX2.
            let mut by_eight = [unsafe { _mm256_setzero_si256() }; ROWS];
            for (block, input) in inputs.iter().enumerate() {
                // SAFETY: as above; the load takes 32 bytes, at any address.
                let input = unsafe { _mm256_loadu_si256(input.as_ptr().cast()) };
                for (sum, row) in by_eight.iter_mut().zip(rows) {
                    *sum = self.add_block(*sum, &row[block], input);
                }
            }
            // SAFETY: as above; load and store take 16 bytes, at any address.
            unsafe {
                let [a, b, c, d] = by_eight;
                let by_two = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
                let four = _mm_add_epi32(_mm256_castsi256_si128(by_two), _mm256_extracti128_si256::<1>(by_two));
                let before = _mm_loadu_si128(sums.as_ptr().cast());
                _mm_storeu_si128(sums.as_mut_ptr().cast(), _mm_add_epi32(before, four));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    struct Products<'a>(&'a mut [i32], &'a [i8], &'a [u8]);

    impl Job for Products<'_> {
        fn run(self, kernel: impl Kernel) -> i32 {
            kernel.add_products(self.0, self.1, self.2);
            0
        }
    }

    #[test]
    fn every_level_gives_the_sums_of_products_that_plain_counting_gives() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for (rows, columns, extreme) in [(32, 512, false), (4, 32, false), (32, 128, true), (8, 512, true)] {
            let weights: Vec<i8> =
                (0..rows * columns).map(|_| if extreme { i8::MIN } else { rng.next_u32() as i8 }).collect();
            let inputs: Vec<u8> =
                (0..columns).map(|_| if extreme { 127 } else { rng.next_u32() as u8 & 127 }).collect();
            let before: Vec<i32> =
                (0..rows).map(|row| if row % 3 == 0 { i32::MAX } else { rng.next_u32() as i32 }).collect();
            let expected: Vec<i32> = (0..rows)
                .map(|row| {
                    let products = (0..columns)
                        .map(|column| i64::from(weights[row * columns + column]) * i64::from(inputs[column]));
                    (i64::from(before[row]) + products.sum::<i64>()) as i32
                })
                .collect();
            for level in Level::all() {
                let mut sums = before.clone();
                run(level, Products(&mut sums, &weights, &inputs));
                assert_eq!(sums, expected, "{level:?} {rows} {columns}");
            }
        }
    }
}
