//! Files whose positions stand in the order of their texts are searched in place, by bisection.
//!
//! The order is that of the bytes behind `sfen`, ply included. Whatever follows a position's hands is less than what
//! could continue them (a letter or a digit), so all lines of a position stand together, before those of positions whose
//! text goes on, and are found by their text without ply. That takes positions written in the one usual way, since a
//! lookup knows no other, and no long stretches without any.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};

use super::line;
use super::lines::Lines;

/// How many places are looked at to judge a whole file.
const SAMPLES: usize = 256;
/// How much of the start and the end of the file is looked at wholly.
const EDGE: usize = 1 << 16;
/// How far apart positions may stand.
const GAP: usize = 1 << 20;

/// Why a file can't be searched in place, with the offset of the position that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unfit {
    /// It comes before the one before it.
    Order(usize),
    /// It is not written in the usual way.
    Spelling(usize),
    /// A long stretch begins behind it.
    Gap(usize),
}

/// Looks at positions in the order of the file.
#[derive(Default)]
struct Check<'a> {
    last: &'a [u8],
    last_offset: usize,
    /// How many positions are none.
    unreadable: u64,
}

impl<'a> Check<'a> {
    fn take(&mut self, offset: usize, sfen: &'a [u8]) -> Result<(), Unfit> {
        let text = sfen.trim_ascii();
        match line::normalised(text) {
            Some(Cow::Borrowed(_)) => {}
            Some(Cow::Owned(_)) => return Err(Unfit::Spelling(offset)),
            None => self.unreadable += 1,
        }
        if text < self.last {
            return Err(Unfit::Order(offset));
        }
        (self.last, self.last_offset) = (text, offset);
        Ok(())
    }
}

/// Looks at the whole file: how many of its positions can't be read, or why it can't be searched in place; `None` if told
/// to stop.
pub(super) fn check(bytes: &[u8], stop: &AtomicBool) -> Option<Result<u64, Unfit>> {
    let mut check = Check::default();
    let mut lines = Lines::from(bytes, 0);
    while lines.offset() < bytes.len() {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let end = bytes.len().min(lines.offset() + GAP);
        while let Some((offset, sfen)) = lines.next_position(end) {
            if let Err(unfit) = check.take(offset, sfen) {
                return Some(Err(unfit));
            }
        }
        if lines.offset() - check.last_offset > GAP {
            return Some(Err(Unfit::Gap(check.last_offset)));
        }
    }
    Some(Ok(check.unreadable))
}

/// Whether the file is fit as far as the samples show, and so probably as a whole.
pub(super) fn probably_fit(bytes: &[u8]) -> bool {
    let length = bytes.len();
    let mut check = Check::default();
    let mut fits = |begin: usize, end: usize, most: usize| {
        let mut lines = Lines::at_or_after(bytes, begin, end);
        for _ in 0..most {
            let Some((offset, sfen)) = lines.next_position(end) else { break };
            // Where positions are long, the sample before has seen it.
            let is_seen = offset < check.last_offset;
            if !is_seen && check.take(offset, sfen).is_err() {
                return false;
            }
        }
        // Nothing within a long stretch means that it is too long.
        check.last_offset >= begin || end == length
    };
    let last_edge = length.saturating_sub(EDGE);
    fits(0, EDGE.min(length), usize::MAX)
        && (1..SAMPLES)
            .map(|nth| (length as u128 * nth as u128 / SAMPLES as u128) as usize)
            .filter(|begin| (EDGE..last_edge).contains(begin))
            // Neighbours tell more than places far apart.
            .all(|begin| fits(begin, length.min(begin + GAP), 2))
        && fits(last_edge, length, usize::MAX)
}

/// Where a position stands in a file that is fit, in the order of the file.
pub(super) fn find<'a>(bytes: &'a [u8], position: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let mut lines = Lines::from(bytes, first_from(bytes, position));
    std::iter::from_fn(move || {
        loop {
            let (offset, sfen) = lines.next_position(bytes.len())?;
            match sfen.trim_ascii().strip_prefix(position)?.first() {
                None => return Some(offset),
                Some(next) if next.is_ascii_whitespace() => return Some(offset),
                Some(next) if next > &b' ' => return None,
                Some(_) => {}
            }
        }
    })
}

/// An offset from which on the first position is the first whose text is not less.
fn first_from(bytes: &[u8], text: &[u8]) -> usize {
    // Positions before `low` are less; the first one from `high` on is not.
    let (mut low, mut high) = (0, bytes.len());
    while low < high {
        let middle = low.midpoint(high);
        let mut lines = Lines::at_or_after(bytes, middle, high);
        match lines.next_position(high) {
            Some((_, sfen)) if sfen.trim_ascii() < text => low = lines.offset(),
            _ => high = middle,
        }
    }
    low
}
