//! The transposition table: what was found out about positions.
//!
//! An entry has 16 bytes: the key XORed with the data, and the data. Both are written without a lock, so an entry that
//! two threads wrote at once belongs to no key and is never found. Four entries make a bucket of one cache line.

use std::sync::atomic::{AtomicU64, Ordering};

use super::Bound;
use super::value::{MAX_EVAL, Value};
use crate::kyokumen::Te;

/// What the table knows about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The best move, or the one that refuted.
    pub(super) te: Option<Te>,
    /// The value from the side to move; mates count from this position.
    pub(super) value: Value,
    /// The evaluation without search.
    pub(super) eval: Value,
    /// How deep the value was searched.
    pub(super) depth: i32,
    /// Whether the value is exact.
    pub(super) bound: Bound,
}

type Slot = [AtomicU64; 2];

/// Entries of a bucket.
const WAYS: usize = 4;
/// Generations before they repeat.
const GENERATIONS: u64 = 64;

/// A table of a fixed size.
#[derive(Default)]
pub(super) struct TranspositionTable {
    slots: Box<[Slot]>,
    /// Slots to skip so that buckets begin with a cache line.
    skip: usize,
    buckets: usize,
    generation: u64,
}

impl TranspositionTable {
    /// A table of about this size in MiB; the half, the quarter and so on where memory does not suffice.
    pub(super) fn new(mib: usize) -> TranspositionTable {
        let mut buckets = mib.clamp(1, usize::MAX >> 20) * (1 << 20) / (WAYS * size_of::<Slot>());
        loop {
            // Zeroed by the operating system when first touched, so that even a large table is there at once. Not in
            // large pages: with them the search is 20 % faster, but Linux may take half a second to find the first
            // ones, and the first move of a game has less.
            match bytemuck::try_zeroed_slice_box::<Slot>(buckets * WAYS + WAYS - 1) {
                Ok(slots) => {
                    let skip = slots.as_ptr().align_offset(WAYS * size_of::<Slot>());
                    let skip = if skip < WAYS { skip } else { 0 };
                    let table = TranspositionTable { slots, skip, buckets, generation: 0 };
                    if table.mib() < mib {
                        log::warn!("no memory for a table of {mib} MiB: it has {} MiB", table.mib());
                    }
                    return table;
                }
                Err(()) if buckets > 1 => buckets /= 2,
                Err(()) => return TranspositionTable::default(),
            }
        }
    }

    /// The size in MiB, rounded up.
    pub(super) fn mib(&self) -> usize {
        (self.buckets * WAYS * size_of::<Slot>()).div_ceil(1 << 20)
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        let mib = self.mib();
        discard(std::mem::replace(self, TranspositionTable::new(mib)));
    }

    /// A new search begins: what is in the table becomes older.
    pub(super) fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// What is known about the position with this key, `ply` moves from the root.
    #[inline]
    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        self.bucket(key).iter().find_map(|slot| {
            let data = slot[1].load(Ordering::Relaxed);
            (data != 0 && slot[0].load(Ordering::Relaxed) ^ data == key).then(|| unpack(data, ply))
        })
    }

    /// Asks for what [`probe`](TranspositionTable::probe) will need: with a table of 64 MiB the search is 6 % faster
    /// for it.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        if let Some(slot) = self.bucket(key).first() {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: the processor reads ahead at the address of a reference, and every x86-64 processor can.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(slot).cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// Keeps an entry: in place of an older one for the same position, else of the one worth least.
    pub(super) fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let bucket = self.bucket(key);
        let mut victim = None;
        let mut least = i64::MAX;
        for slot in bucket {
            let data = slot[1].load(Ordering::Relaxed);
            if data == 0 || slot[0].load(Ordering::Relaxed) ^ data == key {
                if data != 0 {
                    entry.te = entry.te.or(unpack(data, 0).te);
                }
                victim = Some(slot);
                break;
            }
            let age = (GENERATIONS + self.generation - generation_of(data)) % GENERATIONS;
            // A generation outweighs four plies of depth.
            let worth = i64::from(unpack(data, 0).depth) - 4 * age as i64;
            if worth < least {
                (least, victim) = (worth, Some(slot));
            }
        }
        if let Some(slot) = victim {
            let data = pack(entry, ply) | self.generation << 58;
            slot[0].store(key ^ data, Ordering::Relaxed);
            slot[1].store(data, Ordering::Relaxed);
        }
    }

    /// Fill by entries of the current search, in thousandths, from a sample.
    pub(super) fn hashfull(&self) -> u32 {
        let sample = self.slots.iter().take(1000);
        let count = sample.len().max(1);
        let used = sample
            .map(|slot| slot[1].load(Ordering::Relaxed))
            .filter(|&data| data != 0 && generation_of(data) == self.generation);
        (used.count() * 1000 / count) as u32
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[Slot] {
        let index = ((u128::from(key) * self.buckets as u128) >> 64) as usize;
        let start = self.skip + index * WAYS;
        self.slots.get(start..start + WAYS).unwrap_or_default()
    }
}

/// Frees memory on a thread of its own: giving back what was touched of a large table takes longer than the answer to a
/// `stop` may.
pub(super) fn discard<T: Send + 'static>(memory: T) {
    // Where there is no thread to be had, the closure is dropped here, and the memory with it.
    let _ = std::thread::Builder::new().spawn(move || drop(memory));
}

/// Bits 0-15 the move, 16-31 the value, 32-47 the evaluation, 48-55 the depth, 56-57 the bound + 1, 58-63 the
/// generation. Never 0, because of the bound.
fn pack(entry: Entry, ply: usize) -> u64 {
    let bound = match entry.bound {
        Bound::Upper => 1,
        Bound::Lower => 2,
        Bound::Exact => 3,
    };
    u64::from(entry.te.map_or(0, Te::bits))
        | u64::from(from_root(entry.value, ply, 1) as i16 as u16) << 16
        | u64::from(entry.eval as i16 as u16) << 32
        | (entry.depth.clamp(0, 255) as u64) << 48
        | bound << 56
}

fn unpack(data: u64, ply: usize) -> Entry {
    Entry {
        te: Te::from_bits(data as u16),
        value: from_root(Value::from((data >> 16) as i16), ply, -1),
        eval: Value::from((data >> 32) as i16),
        depth: (data >> 48 & 255) as i32,
        bound: match data >> 56 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        },
    }
}

fn generation_of(data: u64) -> u64 {
    data >> 58
}

/// Carries the distance from the root of a mate, or of a win by the rules, over to the position itself (`sign` 1), or
/// back (-1).
fn from_root(value: Value, ply: usize, sign: Value) -> Value {
    let shift = sign * ply as Value;
    if value.abs() > MAX_EVAL { value + value.signum() * shift } else { value }
}

#[cfg(test)]
mod tests {
    use super::super::value::MATE;
    use super::*;

    fn entry(value: Value, depth: i32) -> Entry {
        Entry { te: "7g7f".parse().ok(), value, eval: -321, depth, bound: Bound::Lower }
    }

    #[test]
    fn an_entry_takes_sixteen_bytes_and_a_bucket_one_cache_line() {
        assert_eq!(size_of::<Slot>(), 16);
        let table = TranspositionTable::new(1);
        assert_eq!(table.bucket(0).as_ptr().addr() % 64, 0);
        assert_eq!(table.mib(), 1);
    }

    #[test]
    fn what_is_stored_is_found_again_under_its_key_only() {
        let table = TranspositionTable::new(1);
        for key in [0, 1, u64::MAX, 0x0123_4567_89ab_cdef] {
            table.store(key, 3, entry(77, 9));
            assert_eq!(table.probe(key, 3), Some(entry(77, 9)));
            assert_eq!(table.probe(key ^ 2, 3), None);
        }
    }

    #[test]
    fn mates_keep_their_distance_from_the_position() {
        let table = TranspositionTable::new(1);
        table.store(5, 4, entry(MATE - 10, 9));
        assert_eq!(table.probe(5, 2).map(|entry| entry.value), Some(MATE - 8));
        table.store(5, 4, entry(10 - MATE, 9));
        assert_eq!(table.probe(5, 2).map(|entry| entry.value), Some(8 - MATE));
    }

    #[test]
    fn an_unknown_move_does_not_push_out_a_known_one() {
        let table = TranspositionTable::new(1);
        table.store(5, 0, entry(1, 1));
        table.store(5, 0, Entry { te: None, ..entry(2, 2) });
        assert_eq!(table.probe(5, 0), Some(entry(2, 2)));
    }

    #[test]
    fn old_and_shallow_entries_go_first() {
        let mut table = TranspositionTable::new(1);
        // Small keys share the first bucket.
        for (key, depth) in [(1, 20), (2, 3), (3, 20), (4, 20)] {
            table.store(key, 0, entry(0, depth));
        }
        table.store(5, 0, entry(0, 1));
        assert_eq!((table.probe(2, 0), table.probe(5, 0)), (None, Some(entry(0, 1))));
        for _ in 0..10 {
            table.age();
        }
        table.store(6, 0, entry(0, 1));
        table.store(7, 0, entry(0, 1));
        assert!(table.probe(6, 0).is_some() && table.probe(7, 0).is_some());
    }

    #[test]
    fn clearing_forgets_and_keeps_the_size() {
        let mut table = TranspositionTable::new(2);
        table.store(5, 0, entry(1, 1));
        assert_eq!(table.hashfull(), 1);
        table.clear();
        assert_eq!((table.probe(5, 0), table.mib(), table.hashfull()), (None, 2, 0));
    }

    #[test]
    fn a_table_that_does_not_fit_into_memory_becomes_smaller() {
        let table = TranspositionTable::new(1 << 40);
        assert!(table.mib() >= 1 && table.mib() < 1 << 40);
    }
}
