//! The arithmetic, compiled for what the processor at hand can do. The code is the same for all.

use super::{ONE, Row, WIDTH};
use crate::kyokumen::level::{Job, Level};

/// What a side sees after a move: `from`, and each pair's first row more and second row less.
#[inline(always)]
pub(super) fn advance<const PAIRS: usize>(from: &Row, pairs: [[&Row; 2]; PAIRS], to: &mut Row) {
    Level::best().run(Advance { from, pairs, to });
}

struct Advance<'a, const PAIRS: usize> {
    from: &'a Row,
    pairs: [[&'a Row; 2]; PAIRS],
    to: &'a mut Row,
}

impl<const PAIRS: usize> Job for Advance<'_, PAIRS> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        for index in 0..WIDTH {
            let mut sum = self.from.0[index];
            for [more, less] in self.pairs {
                sum = sum.wrapping_add(more.0[index]).wrapping_sub(less.0[index]);
            }
            self.to.0[index] = sum;
        }
    }
}

/// Adds some rows to a sum, and takes others away.
#[inline(always)]
pub(super) fn exchange(sum: &mut Row, rows: &[Row], more: &[u16], less: &[u16]) {
    Level::best().run(Exchange { sum, rows, more, less });
}

struct Exchange<'a> {
    sum: &'a mut Row,
    rows: &'a [Row],
    more: &'a [u16],
    less: &'a [u16],
}

/// Numbers that stay in registers while all rows are added up.
const PART: usize = 64;

impl Job for Exchange<'_> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        for (number, part) in self.sum.0.as_chunks_mut::<PART>().0.iter_mut().enumerate() {
            let mut sum = *part;
            let row = |&row: &u16| &self.rows[usize::from(row)].0.as_chunks::<PART>().0[number];
            for more in self.more.iter().map(row) {
                (0..PART).for_each(|index| sum[index] = sum[index].wrapping_add(more[index]));
            }
            for less in self.less.iter().map(row) {
                (0..PART).for_each(|index| sum[index] = sum[index].wrapping_sub(less[index]));
            }
            *part = sum;
        }
    }
}

/// The weighed sum of what both sides see: of pieces, and of attacks.
#[inline(always)]
pub(super) fn output(seen: [[&Row; 2]; 2], weights: &[Row; 2]) -> i32 {
    Level::best().run(Output { seen, weights })
}

struct Output<'a> {
    seen: [[&'a Row; 2]; 2],
    weights: &'a [Row; 2],
}

impl Job for Output<'_> {
    type Result = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let mut sum = 0;
        for ([pieces, attacks], weights) in self.seen.into_iter().zip(self.weights) {
            for ((&pieces, &attacks), &weight) in pieces.0.iter().zip(&attacks.0).zip(&weights.0) {
                let held = pieces.saturating_add(attacks).clamp(0, ONE as i16);
                // At most 255 * 127, which fits; so two 16-bit numbers are multiplied, which processors do many of at
                // once.
                sum += i32::from(held.wrapping_mul(weight)) * i32::from(held);
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, RngExt, SeedableRng};

    fn row(rng: &mut impl Rng, most: i16) -> Row {
        Row(std::array::from_fn(|_| rng.random_range(-most..=most)))
    }

    #[test]
    fn every_level_computes_what_long_numbers_do() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        for _ in 0..200 {
            let rows: [Row; 5] = std::array::from_fn(|_| row(&mut rng, 300));
            let weights = [row(&mut rng, 127), row(&mut rng, 127)];
            let seen = [[&rows[0], &rows[2]], [&rows[1], &rows[3]]];
            let expected: i64 = (0..2 * WIDTH)
                .map(|index| {
                    let held = seen[index / WIDTH]
                        .map(|row| i64::from(row.0[index % WIDTH]))
                        .iter()
                        .sum::<i64>()
                        .clamp(0, 255);
                    held * held * i64::from(weights[index / WIDTH].0[index % WIDTH])
                })
                .sum();
            for level in Level::all() {
                assert_eq!(i64::from(level.run(Output { seen, weights: &weights })), expected, "{level:?}");
                let mut to = Row([0; WIDTH]);
                let pairs = [[&rows[1], &rows[2]], [&rows[3], &rows[4]]];
                level.run(Advance { from: &rows[0], pairs, to: &mut to });
                for index in 0..WIDTH {
                    let [from, a, b, c, d] = [0, 1, 2, 3, 4].map(|number: usize| rows[number].0[index]);
                    assert_eq!(to.0[index], from + a - b + c - d, "{level:?}");
                }
                let mut sum = rows[0];
                level.run(Exchange { sum: &mut sum, rows: &rows, more: &[1, 3], less: &[4, 2] });
                assert_eq!(sum, to, "{level:?}");
            }
        }
    }

    #[test]
    fn the_largest_sum_fits() {
        let (seen, weights) = (Row([i16::MAX; WIDTH]), [Row([127; WIDTH]); 2]);
        for level in Level::all() {
            assert_eq!(
                level.run(Output { seen: [[&seen, &seen]; 2], weights: &weights }),
                255 * 255 * 127 * 2 * WIDTH as i32
            );
        }
    }
}
