//! An index of hashes over the packed positions, 16 bytes each, for files whose records are not in order.

use std::sync::atomic::{AtomicBool, Ordering};

use super::table::Table;
use crate::joseki::key::{KeyScheme, SEED};
use crate::kyokumen::PackedKyokumen;

/// So many records are read before it is asked whether to go on.
const CHUNK: usize = 1 << 16;

/// The hash of each position and its record, by the highest byte of the hash, each part sorted.
#[derive(Debug)]
pub(super) struct Index(Vec<Vec<(u64, u64)>>);

impl Index {
    /// Reads all records; `None` if told to stop.
    pub(super) fn build(table: &Table, stop: &AtomicBool) -> Option<Index> {
        // Counted first: parts that grow would take twice the memory.
        let mut counts = [0; 256];
        each_hash(table, stop, |hash, _| counts[bucket(hash)] += 1)?;
        let mut buckets = counts.map(Vec::with_capacity);
        each_hash(table, stop, |hash, record| buckets[bucket(hash)].push((hash, record)))?;
        for bucket in &mut buckets {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            bucket.sort_unstable();
        }
        Some(Index(buckets.into()))
    }

    /// The records that may be those of a position, in the order of the file.
    pub(super) fn find(&self, packed: &PackedKyokumen) -> impl Iterator<Item = usize> {
        let hash = KeyScheme::new(SEED).key(packed);
        let places = self.0.get(bucket(hash)).map_or(&[][..], Vec::as_slice);
        let first = places.partition_point(|&(other, _)| other < hash);
        places[first..].iter().take_while(move |&&(other, _)| other == hash).map(|&(_, record)| record as usize)
    }
}

fn bucket(hash: u64) -> usize {
    (hash >> 56) as usize
}

/// Hands on the hash of each position and its record; `None` if told to stop.
fn each_hash(table: &Table, stop: &AtomicBool, mut take: impl FnMut(u64, u64)) -> Option<()> {
    let scheme = KeyScheme::new(SEED);
    for begin in (0..table.positions).step_by(CHUNK) {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        for record in begin..table.positions.min(begin + CHUNK) {
            if let Some(packed) = table.packed(record) {
                take(scheme.key(&PackedKyokumen(*packed)), record as u64);
            }
        }
    }
    Some(())
}
