//! The numbers of a net, and how it gets from sums to a value.

use super::features::Features;
use super::simd::Kernel;
use std::marker::PhantomData;

/// What each of the two layers in between puts out.
pub(super) const HIDDEN: usize = 32;

/// The largest output of a neuron.
const ONE: u8 = 127;

/// By so many bits products are larger than outputs.
const SHIFT: u32 = 6;

/// Numbers of the first layer: a row of its weights, or sums of such rows. They wrap round, as in other programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Row<const L1: usize>(pub(super) [i16; L1]);

impl<const L1: usize> Row<L1> {
    pub(super) const ZERO: Row<L1> = Row([0; L1]);

    #[inline(always)]
    pub(super) fn add(&mut self, row: &Row<L1>) {
        for (sum, number) in self.0.iter_mut().zip(&row.0) {
            *sum = sum.wrapping_add(*number);
        }
    }

    #[inline(always)]
    pub(super) fn subtract(&mut self, row: &Row<L1>) {
        for (sum, number) in self.0.iter_mut().zip(&row.0) {
            *sum = sum.wrapping_sub(*number);
        }
    }

    /// Becomes another row with one row less and one more.
    #[inline(always)]
    pub(super) fn become_with(&mut self, other: &Row<L1>, less: &Row<L1>, more: &Row<L1>) {
        for (index, sum) in self.0.iter_mut().enumerate() {
            *sum = other.0[index].wrapping_sub(less.0[index]).wrapping_add(more.0[index]);
        }
    }
}

/// A net: for each side `L1` sums over the rows of its features, then two layers of 32, then one number.
pub(super) struct Net<F, const L1: usize> {
    /// What the sums begin with.
    pub(super) start: Row<L1>,
    /// [`Features::ROWS`] of them.
    pub(super) rows: Box<[Row<L1>]>,
    pub(super) first_start: [i32; HIDDEN],
    /// For each output, the weights of the sums of the side to move, then those of the other.
    pub(super) first: Box<[[[i8; L1]; 2]; HIDDEN]>,
    pub(super) second_start: [i32; HIDDEN],
    pub(super) second: [[i8; HIDDEN]; HIDDEN],
    pub(super) last_start: i32,
    pub(super) last: [i8; HIDDEN],
    pub(super) features: PhantomData<F>,
}

impl<F: Features, const L1: usize> Net<F, L1> {
    /// The number that comes out, from the sums of the side to move and of the other.
    #[inline(always)]
    pub(super) fn output(&self, sums: [&Row<L1>; 2], kernel: impl Kernel) -> i32 {
        let mut inputs = [[0; L1]; 2];
        for (inputs, sums) in inputs.iter_mut().zip(sums) {
            for (input, sum) in inputs.iter_mut().zip(&sums.0) {
                *input = (*sum).clamp(0, i16::from(ONE)) as u8;
            }
        }
        let mut sums = self.first_start;
        kernel.add_products(&mut sums, self.first.as_flattened().as_flattened(), inputs.as_flattened());
        let inputs = activated(&sums);
        let mut sums = self.second_start;
        kernel.add_products(&mut sums, self.second.as_flattened(), &inputs);
        let inputs = activated(&sums);
        let mut sum = self.last_start;
        for (&weight, &input) in self.last.iter().zip(&inputs) {
            sum = sum.wrapping_add(i32::from(weight) * i32::from(input));
        }
        sum
    }
}

#[inline(always)]
fn activated(sums: &[i32; HIDDEN]) -> [u8; HIDDEN] {
    let mut outputs = [0; HIDDEN];
    for (output, sum) in outputs.iter_mut().zip(sums) {
        *output = (sum >> SHIFT).clamp(0, i32::from(ONE)) as u8;
    }
    outputs
}
