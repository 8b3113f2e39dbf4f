//! An index of hashes over the normalised text of the positions, 16 bytes each, for files that can't be searched in
//! place.

use std::hash::{DefaultHasher, Hasher};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use parking_lot::Mutex;

use super::line;
use super::lines::Lines;

/// How much of the file is read in one go.
const CHUNK: usize = 1 << 24;

/// Hash of the normalised position and offset of its line.
type Place = (u64, u64);

#[derive(Debug)]
pub(super) struct Index {
    /// The places by the highest byte of their hash, each sorted.
    buckets: Vec<Vec<Place>>,
    /// How many positions are none.
    pub(super) unreadable: u64,
}

impl Index {
    /// Reads the whole file, with so many threads of the standard library; `None` if told to stop.
    pub(super) fn build(bytes: &[u8], threads: usize, stop: &AtomicBool) -> Option<Index> {
        let unreadable = AtomicUsize::new(0);
        let chunks = in_parallel(bytes.len().div_ceil(CHUNK), threads, stop, |nth| {
            let (begin, end) = (nth * CHUNK, bytes.len().min((nth + 1) * CHUNK));
            let mut lines = Lines::at_or_after(bytes, begin, end);
            let mut places = Vec::new();
            while let Some((offset, sfen)) = lines.next_position(end) {
                match line::normalised(sfen) {
                    Some(position) => places.push((hash(&position), offset as u64)),
                    None => drop(unreadable.fetch_add(1, Ordering::Relaxed)),
                }
            }
            places.sort_unstable();
            places.shrink_to_fit();
            places
        })?;
        let buckets = in_parallel(256, threads, stop, |nth| {
            let of_bucket = |chunk: &Vec<Place>| {
                let begin = chunk.partition_point(|&(hash, _)| hash >> 56 < nth as u64);
                begin..chunk.partition_point(|&(hash, _)| hash >> 56 <= nth as u64)
            };
            let ranges = chunks.iter().map(of_bucket);
            let mut bucket = Vec::with_capacity(ranges.clone().map(|range| range.len()).sum());
            chunks.iter().zip(ranges).for_each(|(chunk, range)| bucket.extend_from_slice(&chunk[range]));
            bucket.sort_unstable();
            bucket
        })?;
        Some(Index { buckets, unreadable: unreadable.into_inner() as u64 })
    }

    /// Where a position may stand, in the order of the file.
    pub(super) fn find(&self, position: &[u8]) -> impl Iterator<Item = usize> {
        let hash = hash(position);
        let bucket = self.buckets.get((hash >> 56) as usize).map_or(&[][..], Vec::as_slice);
        let first = bucket.partition_point(|&(other, _)| other < hash);
        bucket[first..].iter().take_while(move |&&(other, _)| other == hash).map(|&(_, offset)| offset as usize)
    }
}

/// What `work` makes of each number below `count`, in order; `None` if told to stop.
fn in_parallel<T: Send>(
    count: usize,
    threads: usize,
    stop: &AtomicBool,
    work: impl Fn(usize) -> T + Sync,
) -> Option<Vec<T>> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(count)));
    let run = || {
        while !stop.load(Ordering::Relaxed) {
            let nth = next.fetch_add(1, Ordering::Relaxed);
            if nth >= count {
                break;
            }
            let made = work(nth);
            done.lock().push((nth, made));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(count) {
            // Where no thread can be had, the others do its share.
            let _ = thread::Builder::new().spawn_scoped(scope, run);
        }
        run();
    });
    let mut done = done.into_inner();
    done.sort_unstable_by_key(|&(nth, _)| nth);
    (done.len() == count).then(|| done.into_iter().map(|(_, made)| made).collect())
}

fn hash(position: &[u8]) -> u64 {
    // Never stored, so it may change with the standard library.
    let mut hasher = DefaultHasher::new();
    hasher.write(position);
    hasher.finish()
}
