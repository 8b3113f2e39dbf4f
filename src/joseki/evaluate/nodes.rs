//! Positions by number, and numbers by position: 32 bytes a position, and 8 to 16 for finding it.

use std::hash::{BuildHasher, RandomState};

use crate::kyokumen::PackedKyokumen;

/// A place in the table where no position stands.
const FREE: u32 = u32::MAX;

/// A set of positions that keeps the order in which they came.
#[derive(Default)]
pub(super) struct Nodes {
    packed: Vec<PackedKyokumen>,
    /// Numbers of positions; searched from the place that the hash names on. A power of two, at most half full.
    table: Vec<u32>,
    /// Of random seed, so that no book can be made of positions that meet in one place.
    hasher: RandomState,
}

impl Nodes {
    pub(super) fn len(&self) -> u32 {
        self.packed.len() as u32
    }

    pub(super) fn packed(&self, node: u32) -> &PackedKyokumen {
        &self.packed[node as usize]
    }

    pub(super) fn find(&self, packed: &PackedKyokumen) -> Option<u32> {
        let node = *self.table.get(self.place(packed)?)?;
        (node != FREE).then_some(node)
    }

    /// The number of a position, which is new if it is not there yet; `None` where there is no number left.
    pub(super) fn add(&mut self, packed: &PackedKyokumen) -> Option<u32> {
        if self.packed.len() * 2 >= self.table.len() {
            self.grow();
        }
        let place = self.place(packed)?;
        if self.table[place] == FREE {
            let node = u32::try_from(self.packed.len()).ok().filter(|&node| node != FREE)?;
            self.table[place] = node;
            self.packed.push(*packed);
        }
        Some(self.table[place])
    }

    /// Where the position stands, or would stand; `None` in an empty table.
    fn place(&self, packed: &PackedKyokumen) -> Option<usize> {
        let mask = self.table.len().checked_sub(1)?;
        let mut place = self.hasher.hash_one(packed.0) as usize & mask;
        while self.table[place] != FREE && self.packed[self.table[place] as usize] != *packed {
            place = (place + 1) & mask;
        }
        Some(place)
    }

    fn grow(&mut self) {
        let size = (self.table.len() * 2).max(64);
        self.table.clear();
        self.table.resize(size, FREE);
        for (node, packed) in (0..).zip(&self.packed) {
            let mut place = self.hasher.hash_one(packed.0) as usize & (size - 1);
            while self.table[place] != FREE {
                place = (place + 1) & (size - 1);
            }
            self.table[place] = node;
        }
    }
}
