//! The sums of the first layer, kept through moves.

use std::sync::Arc;

use super::features::{Features, Step, for_each_row, own_ou};
use super::layers::{Net, Row};
use super::simd::{self, Job, Kernel};
use crate::kyokumen::level::Level;
use crate::kyokumen::{Change, Kyokumen, Masu, Teban};

/// A net at work: with the sums of the position and of those before it.
pub(super) struct Work<F, const L1: usize> {
    net: Arc<Net<F, L1>>,
    pub(super) level: Level,
    /// The position, and those before it; what lies above is kept for later.
    frames: Vec<Frame<L1>>,
    top: usize,
    /// The rows of a position, when its sums are made anew.
    rows: Vec<usize>,
}

/// A position on the way to the present one.
#[derive(Clone)]
struct Frame<const L1: usize> {
    /// The move that led here.
    step: Step,
    /// As each side sees the position; made only when asked for.
    sums: [Row<L1>; 2],
    is_made: [bool; 2],
}

impl<const L1: usize> Frame<L1> {
    const NEW: Frame<L1> = Frame { step: Step::NONE, sums: [Row::ZERO; 2], is_made: [false; 2] };
}

impl<F, const L1: usize> Clone for Work<F, L1> {
    fn clone(&self) -> Work<F, L1> {
        let (net, frames, rows) = (Arc::clone(&self.net), self.frames.clone(), self.rows.clone());
        Work { net, level: self.level, frames, top: self.top, rows }
    }
}

impl<F: Features, const L1: usize> Work<F, L1> {
    pub(super) fn new(net: Net<F, L1>) -> Work<F, L1> {
        Work { net: Arc::new(net), level: Level::best(), frames: vec![Frame::NEW], top: 0, rows: Vec::new() }
    }

    pub(super) fn reset(&mut self) {
        self.top = 0;
        self.frames[0].is_made = [false; 2];
    }

    /// A move has led to `kyokumen`.
    #[inline]
    pub(super) fn push(&mut self, kyokumen: &Kyokumen, change: &Change) {
        self.top += 1;
        if self.top == self.frames.len() {
            self.frames.push(Frame::NEW);
        }
        let frame = &mut self.frames[self.top];
        frame.step = Step::new(kyokumen, change);
        frame.is_made = [false; 2];
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        self.top = self.top.saturating_sub(1);
    }

    /// What the net makes of the position.
    #[inline]
    pub(super) fn output(&mut self, kyokumen: &Kyokumen) -> i32 {
        simd::run(self.level, Output { work: self, kyokumen })
    }

    /// Makes the sums of a side: from the last ones known by the moves since, or anew.
    #[inline(always)]
    fn make(&mut self, kyokumen: &Kyokumen, viewer: Teban) {
        let side = viewer.index();
        let mut known = self.top;
        while !self.frames[known].is_made[side] {
            if known == 0 || self.frames[known].step.renews::<F>(viewer) {
                return self.make_anew(kyokumen, viewer);
            }
            known -= 1;
        }
        let ou = own_ou(kyokumen, viewer);
        for index in known + 1..=self.top {
            self.make_from_last(index, viewer, ou);
        }
    }

    #[inline(always)]
    fn make_anew(&mut self, kyokumen: &Kyokumen, viewer: Teban) {
        self.rows.clear();
        for_each_row::<F>(kyokumen, viewer, |row| self.rows.push(row));
        let (net, frame) = (&*self.net, &mut self.frames[self.top]);
        let sums = &mut frame.sums[viewer.index()];
        *sums = net.start;
        for &row in &self.rows {
            sums.add(&net.rows[row]);
        }
        frame.is_made[viewer.index()] = true;
    }

    #[inline(always)]
    fn make_from_last(&mut self, index: usize, viewer: Teban, ou: Option<Masu>) {
        let net = &*self.net;
        let (before, rest) = self.frames.split_at_mut(index);
        let (last, frame) = (&before[index - 1].sums[viewer.index()], &mut rest[0]);
        let (moved, captured) = frame.step.rows::<F>(viewer, ou);
        let sums = &mut frame.sums[viewer.index()];
        match moved {
            (Some(less), Some(more)) => sums.become_with(last, &net.rows[less], &net.rows[more]),
            // The enemy king, where he does not count.
            _ => *sums = *last,
        }
        if let (Some(less), Some(more)) = captured {
            sums.subtract(&net.rows[less]);
            sums.add(&net.rows[more]);
        }
        frame.is_made[viewer.index()] = true;
    }
}

struct Output<'a, F, const L1: usize> {
    work: &'a mut Work<F, L1>,
    kyokumen: &'a Kyokumen,
}

impl<F: Features, const L1: usize> Job for Output<'_, F, L1> {
    #[inline(always)]
    fn run(self, kernel: impl Kernel) -> i32 {
        let Output { work, kyokumen } = self;
        for viewer in Teban::ALL {
            work.make(kyokumen, viewer);
        }
        let sums = &work.frames[work.top].sums;
        let teban = kyokumen.teban();
        work.net.output([teban, !teban].map(|viewer| &sums[viewer.index()]), kernel)
    }
}
