//! Lists of moves on the stack, filled from sets of squares.

use std::fmt;
use std::mem::MaybeUninit;
use std::ops::Deref;

use super::{Masu, Te};

/// Room for the moves of any position: 593 is the most with two kings, and one without an own king has hardly more.
pub const MAX_TE: usize = 640;

/// A list of moves without heap, long enough for all moves of a position: see [`MAX_TE`].
#[derive(Clone)]
pub struct TeList {
    len: usize,
    bits: [MaybeUninit<u16>; MAX_TE + ROOM],
}

impl TeList {
    /// An empty list.
    #[inline(always)]
    pub fn new() -> TeList {
        TeList { len: 0, bits: [MaybeUninit::uninit(); MAX_TE + ROOM] }
    }

    /// Adds a move.
    ///
    /// # Panics
    /// If the list is full, which the moves of one position never make it.
    #[inline(always)]
    pub fn push(&mut self, te: Te) {
        assert!(self.len < MAX_TE, "a list of moves is full");
        self.bits[self.len].write(te.bits());
        self.len += 1;
    }

    /// Keeps the moves for which `keep` says so, in their order.
    pub fn retain(&mut self, mut keep: impl FnMut(Te) -> bool) {
        let mut kept = 0;
        for index in 0..self.len {
            let te = self[index];
            self.bits[kept].write(te.bits());
            kept += usize::from(keep(te));
        }
        self.len = kept;
    }

    /// Swaps two moves.
    #[inline]
    pub fn swap(&mut self, a: usize, b: usize) {
        self.bits[..self.len].swap(a, b);
    }

    /// The end of the list, where a set of moves may be written.
    #[inline(always)]
    pub(super) fn room(&mut self) -> Room<'_> {
        assert!(self.len <= MAX_TE, "a list of moves is full");
        Room { left: ROOM, list: self }
    }
}

/// Up to so many moves may follow on a list that is not full: those of one set, and what is written past their end.
const ROOM: usize = Masu::COUNT + 32;

/// Writes past the end of a list, the moves of one set.
pub(super) struct Room<'a> {
    list: &'a mut TeList,
    /// How many moves may still be written; for debug builds only.
    left: usize,
}

impl Room<'_> {
    /// Writes the bits of moves to the end, without making the list longer.
    ///
    /// # Safety
    /// `N` is at most 32, and the list has become longer by at most the 81 moves of a set since the room was made.
    #[inline(always)]
    pub(super) unsafe fn write<const N: usize>(&mut self, moves: [u16; N]) {
        debug_assert!(N <= self.left);
        // SAFETY: `room` made sure that ROOM elements follow, and the caller, that so many of them are left.
        unsafe { self.list.bits.as_mut_ptr().add(self.list.len).cast::<[u16; N]>().write_unaligned(moves) }
    }

    /// Makes the list longer by moves that were written.
    ///
    /// # Safety
    /// So many were written last, and their bits are those of well-formed moves.
    #[inline(always)]
    pub(super) unsafe fn count_on(&mut self, moves: usize) {
        self.left -= moves;
        self.list.len += moves;
    }
}

impl Deref for TeList {
    type Target = [Te];

    #[inline(always)]
    fn deref(&self) -> &[Te] {
        let written = &self.bits[..self.len];
        // SAFETY: the first `len` elements were written with the bits of moves, by `push` or before `Room::count_on`;
        // `Te` is a transparent wrapper of 16 bits that are not 0.
        unsafe { std::slice::from_raw_parts(written.as_ptr().cast(), written.len()) }
    }
}

impl Default for TeList {
    fn default() -> TeList {
        TeList::new()
    }
}

impl fmt::Debug for TeList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<'a> IntoIterator for &'a TeList {
    type Item = &'a Te;
    type IntoIter = std::slice::Iter<'a, Te>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The moves of a list, by value.
#[derive(Clone, Debug)]
pub struct IntoIter {
    list: TeList,
    next: usize,
}

impl Iterator for IntoIter {
    type Item = Te;

    #[inline(always)]
    fn next(&mut self) -> Option<Te> {
        let te = self.list.get(self.next).copied();
        self.next += 1;
        te
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.list.len().saturating_sub(self.next);
        (left, Some(left))
    }
}

impl ExactSizeIterator for IntoIter {}

impl IntoIterator for TeList {
    type Item = Te;
    type IntoIter = IntoIter;

    #[inline(always)]
    fn into_iter(self) -> IntoIter {
        IntoIter { list: self, next: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kyokumen::Syurui;

    #[test]
    fn what_is_kept_stays_in_order() {
        let mut list = TeList::new();
        Masu::all().for_each(|to| list.push(Te::drop(Syurui::Ki, to)));
        list.retain(|te| te.to().index() % 3 == 0);
        assert!(list.iter().map(|te| te.to().index()).eq((0..81).step_by(3)));
        list.swap(0, 26);
        assert_eq!((list.len(), list[0].to().index()), (27, 78));
        assert_eq!(list.clone().into_iter().len(), 27);
    }

    #[test]
    #[should_panic(expected = "full")]
    fn a_full_list_takes_no_more() {
        let mut list = TeList::new();
        let te: Te = "P*5e".parse().unwrap();
        (0..=MAX_TE).for_each(|_| list.push(te));
    }

    #[test]
    #[should_panic(expected = "full")]
    fn no_set_follows_on_a_full_list() {
        let mut list = TeList::new();
        let te: Te = "P*5e".parse().unwrap();
        for _ in 0..=MAX_TE / 32 + 1 {
            let mut room = list.room();
            // SAFETY: 32 moves are written, and counted on once.
            unsafe {
                room.write([te.bits(); 32]);
                room.count_on(32);
            }
        }
    }
}
