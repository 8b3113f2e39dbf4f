//! Sorting more positions than fit into memory.
//!
//! Positions with their encoded moves are rows in an [`Arena`] of bounded size. A full one is sorted and goes to a
//! temporary file without a name, which the system removes with the last handle, however the process ends: at once on
//! Unix, on closing on Windows. In the end the sorted runs are merged through [`Cursor`]s.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;
use rayon::prelude::*;

use super::{Entry, own};
use crate::kyokumen::PackedKyokumen;

/// Appends the bytes by which a position is sorted.
pub(super) type Keyer<'a> = &'a (dyn Fn(&PackedKyokumen, &mut Vec<u8>) + Sync);

/// Bytes that are written at once.
const WRITE_BUFFER: usize = 1 << 20;

/// A position on its way. In memory and in files: length of what follows (4 bytes), length of the key (2), key, packed
/// position, ordinal (8), moves.
#[derive(Clone, Copy)]
pub(super) struct Row<'a> {
    /// What the target sorts by; empty where it is not known yet.
    pub(super) key: &'a [u8],
    pub(super) packed: &'a [u8; 32],
    /// Where it comes from: of rows for one position the one with the smallest comes first.
    pub(super) ordinal: u64,
    /// Its moves as the own format has them.
    pub(super) block: &'a [u8],
}

impl<'a> Row<'a> {
    /// The row at the start of `bytes` and its length; `None` where it is not there as a whole.
    pub(super) fn read(bytes: &'a [u8]) -> Option<(Row<'a>, usize)> {
        let (length, rest) = bytes.split_first_chunk()?;
        let length = u32::from_le_bytes(*length) as usize;
        let (key_length, rest) = rest.get(..length)?.split_first_chunk()?;
        let (key, rest) = rest.split_at_checked(u16::from_le_bytes(*key_length).into())?;
        let (packed, rest) = rest.split_first_chunk()?;
        let (ordinal, block) = rest.split_first_chunk()?;
        Some((Row { key, packed, ordinal: u64::from_le_bytes(*ordinal), block }, length + 4))
    }

    /// Appends a row; `false`, and nothing appended, where its moves take 4 GiB or more.
    pub(super) fn write(
        bytes: &mut Vec<u8>,
        keyer: Option<Keyer<'_>>,
        packed: &PackedKyokumen,
        ordinal: u64,
        entry: &Entry,
    ) -> bool {
        let key = |bytes: &mut Vec<u8>| {
            if let Some(keyer) = keyer {
                keyer(packed, bytes);
            }
        };
        Row::write_with(bytes, key, packed, ordinal, |bytes| own::encode(entry, bytes))
    }

    /// The same, with a key and a block that are written by the caller.
    pub(super) fn write_with(
        bytes: &mut Vec<u8>,
        key: impl FnOnce(&mut Vec<u8>),
        packed: &PackedKyokumen,
        ordinal: u64,
        block: impl FnOnce(&mut Vec<u8>),
    ) -> bool {
        let start = bytes.len();
        bytes.extend_from_slice(&[0; 6]);
        key(bytes);
        let key_length = bytes.len() - start - 6;
        bytes.extend_from_slice(&packed.0);
        bytes.extend_from_slice(&ordinal.to_le_bytes());
        block(bytes);
        match (u32::try_from(bytes.len() - start - 4), u16::try_from(key_length)) {
            (Ok(length), Ok(key_length)) => {
                bytes[start..start + 4].copy_from_slice(&length.to_le_bytes());
                bytes[start + 4..start + 6].copy_from_slice(&key_length.to_le_bytes());
                true
            }
            _ => {
                bytes.truncate(start);
                false
            }
        }
    }

    /// What rows are sorted by.
    pub(super) fn place(&self) -> (&'a [u8], &'a [u8; 32], u64) {
        (self.key, self.packed, self.ordinal)
    }
}

/// Rows in memory.
#[derive(Default)]
pub(super) struct Arena {
    bytes: Vec<u8>,
    rows: Vec<Place>,
}

/// Where a row stands, with the part of its key that is being compared.
#[derive(Clone, Copy)]
struct Place {
    chunk: u64,
    at: usize,
}

impl Arena {
    fn size(&self) -> usize {
        self.bytes.len() + self.rows.len() * size_of::<Place>()
    }

    /// Adds a position; `false` where it is too large.
    pub(super) fn push(&mut self, keyer: Keyer<'_>, packed: &PackedKyokumen, ordinal: u64, entry: &Entry) -> bool {
        self.add(|bytes| Row::write(bytes, Some(keyer), packed, ordinal, entry))
    }

    /// Adds a row that `write` appends, if it says that it did.
    fn add(&mut self, write: impl FnOnce(&mut Vec<u8>) -> bool) -> bool {
        let at = self.bytes.len();
        let fits = write(&mut self.bytes);
        if fits {
            self.rows.push(Place { chunk: 0, at });
        }
        fits
    }

    fn row(&self, nth: usize) -> Option<Row<'_>> {
        row_at(&self.bytes, self.rows.get(nth)?.at)
    }

    fn sort(&mut self) {
        sort_from(&mut self.rows, &self.bytes, 0);
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.rows.clear();
    }
}

fn row_at(bytes: &[u8], at: usize) -> Option<Row<'_>> {
    bytes.get(at..).and_then(Row::read).map(|(row, _)| row)
}

/// Sorts rows whose keys agree up to `depth`: by the next eight bytes, and those that agree in them once more. Keys
/// that are text begin alike for long, and comparing them whole each time would cost several times as much.
fn sort_from(rows: &mut [Place], bytes: &[u8], depth: usize) {
    const SMALL: usize = 24;
    let place = |row: &Place| row_at(bytes, row.at).map(|row| row.place());
    if rows.len() <= SMALL {
        return rows.sort_unstable_by(|a, b| place(a).cmp(&place(b)));
    }
    let chunk = |row: &Place| row_at(bytes, row.at)?.key.get(depth..)?.first_chunk().copied().map(u64::from_be_bytes);
    for row in rows.iter_mut() {
        match chunk(row) {
            Some(chunk) => row.chunk = chunk,
            // A key ends here.
            None => return rows.sort_unstable_by(|a, b| place(a).cmp(&place(b))),
        }
    }
    rows.par_sort_unstable_by_key(|row| row.chunk);
    let groups = rows.chunk_by_mut(|a, b| a.chunk == b.chunk).filter(|group| group.len() > 1);
    groups.par_bridge().for_each(|group| sort_from(group, bytes, depth + 8));
}

/// Gathers rows, and puts them on the disk whenever there are too many.
pub(super) struct Sorter<'a> {
    arena: Arena,
    limit: usize,
    folder: &'a Path,
    file: Option<File>,
    runs: Vec<Range<u64>>,
}

impl<'a> Sorter<'a> {
    /// `limit` is the memory in bytes that is used for rows; temporary files go into `folder`.
    pub(super) fn new(limit: usize, folder: &'a Path) -> Sorter<'a> {
        Sorter { arena: Arena::default(), limit, folder, file: None, runs: Vec::new() }
    }

    /// Adds a position; `false` where it is too large for any book.
    pub(super) fn push(
        &mut self,
        keyer: Keyer<'_>,
        packed: &PackedKyokumen,
        ordinal: u64,
        entry: &Entry,
    ) -> io::Result<bool> {
        self.add(|bytes| Row::write(bytes, Some(keyer), packed, ordinal, entry))
    }

    /// Adds a row that `write` appends, if it says that it did.
    pub(super) fn add(&mut self, write: impl FnOnce(&mut Vec<u8>) -> bool) -> io::Result<bool> {
        if self.arena.size() >= self.limit {
            self.spill()?;
        }
        if self.arena.bytes.capacity() == 0 {
            // Room for a whole run from the start: growing would need it twice for a moment. Untouched, it costs
            // nothing. Where the system has not so much, what is needed may still fit.
            let _ = self.arena.bytes.try_reserve(self.limit);
        }
        Ok(self.arena.add(write))
    }

    fn spill(&mut self) -> io::Result<()> {
        self.arena.sort();
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(tempfile::tempfile_in(self.folder)?),
        };
        let start = self.runs.last().map_or(0, |run| run.end);
        let mut end = start;
        let mut writer = BufWriter::with_capacity(WRITE_BUFFER, file);
        for row in &self.arena.rows {
            let length = self.arena.bytes.get(row.at..).and_then(Row::read).map_or(0, |(_, length)| length);
            writer.write_all(&self.arena.bytes[row.at..row.at + length])?;
            end += length as u64;
        }
        writer.flush()?;
        drop(writer);
        self.runs.push(start..end);
        self.arena.clear();
        Ok(())
    }

    /// The sorted runs.
    pub(super) fn finish(mut self) -> Vec<Cursor> {
        self.arena.sort();
        let mut cursors = vec![Cursor::Memory { arena: self.arena, next: 0 }];
        if let Some(file) = self.file.map(|file| Arc::new(Mutex::new(file))) {
            cursors.extend(self.runs.into_iter().map(|run| Cursor::Spilled(Spilled::new(&file, run))));
        }
        cursors
    }
}

/// A place in a sorted run.
pub(super) enum Cursor {
    Memory { arena: Arena, next: usize },
    Spilled(Spilled),
}

/// A run on the disk.
pub(super) struct Spilled {
    file: Arc<Mutex<File>>,
    /// What was not read yet.
    rest: Range<u64>,
    buffer: Vec<u8>,
    /// Where in the buffer the next row begins.
    from: usize,
    room: usize,
}

impl Cursor {
    /// A run of a single position.
    pub(super) fn of_one(keyer: Keyer<'_>, packed: &PackedKyokumen, ordinal: u64, entry: &Entry) -> Cursor {
        let mut arena = Arena::default();
        arena.push(keyer, packed, ordinal, entry);
        Cursor::Memory { arena, next: 0 }
    }

    /// Makes ready for reading, with about so many bytes for a buffer.
    pub(super) fn begin(&mut self, room: usize) -> io::Result<()> {
        match self {
            Cursor::Memory { .. } => Ok(()),
            Cursor::Spilled(run) => run.begin(room),
        }
    }

    /// The row it stands on; `None` at the end.
    pub(super) fn row(&self) -> Option<Row<'_>> {
        match self {
            Cursor::Memory { arena, next } => arena.row(*next),
            Cursor::Spilled(run) => run.row(),
        }
    }

    pub(super) fn advance(&mut self) -> io::Result<()> {
        match self {
            Cursor::Memory { next, .. } => {
                *next += 1;
                Ok(())
            }
            Cursor::Spilled(run) => run.advance(),
        }
    }
}

impl Spilled {
    /// A run at this place of a file; other threads may read other runs of it.
    pub(super) fn new(file: &Arc<Mutex<File>>, run: Range<u64>) -> Spilled {
        Spilled { file: file.clone(), rest: run, buffer: Vec::new(), from: 0, room: 0 }
    }

    /// Makes ready for reading, with about so many bytes for a buffer.
    pub(super) fn begin(&mut self, room: usize) -> io::Result<()> {
        self.room = room;
        self.fill()
    }

    /// The row it stands on; `None` at the end.
    pub(super) fn row(&self) -> Option<Row<'_>> {
        row_at(&self.buffer, self.from)
    }

    pub(super) fn advance(&mut self) -> io::Result<()> {
        self.from += Row::read(&self.buffer[self.from..]).map_or(0, |(_, length)| length);
        self.fill()
    }

    /// Sees to it that a whole row is in the buffer, if there is one more.
    fn fill(&mut self) -> io::Result<()> {
        while row_at(&self.buffer, self.from).is_none() && !self.rest.is_empty() {
            self.buffer.drain(..self.from);
            self.from = 0;
            let old = self.buffer.len();
            // A row that is larger than the buffer makes it grow.
            let more = self.room.max(old).min(usize::try_from(self.rest.end - self.rest.start).unwrap_or(usize::MAX));
            self.buffer.resize(old + more, 0);
            let mut file = self.file.lock();
            file.seek(SeekFrom::Start(self.rest.start))?;
            file.read_exact(&mut self.buffer[old..])?;
            self.rest.start += more as u64;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    /// Keys of many lengths, with zeros and long common beginnings.
    fn odd_key(packed: &PackedKyokumen, key: &mut Vec<u8>) {
        key.extend(std::iter::repeat_n(packed.0[0] & 1, 20));
        key.extend(&packed.0[1..1 + usize::from(packed.0[1] % 24)]);
    }

    #[test]
    fn rows_come_out_as_a_plain_sort_has_them_whether_they_fit_into_memory_or_not() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(5);
        let mut rows: Vec<(PackedKyokumen, u64)> =
            (0..20_000u64).map(|nth| (PackedKyokumen(std::array::from_fn(|_| rng.random_range(0..3))), nth)).collect();
        rows.extend_from_within(..2_000);
        for (nth, row) in rows.iter_mut().enumerate() {
            row.1 = nth as u64;
        }
        let want = {
            let key = |packed: &PackedKyokumen| {
                let mut key = Vec::new();
                odd_key(packed, &mut key);
                key
            };
            let mut want = rows.clone();
            want.sort_by_key(|(packed, ordinal)| (key(packed), *packed, *ordinal));
            want
        };
        for limit in [1 << 30, 100_000, 3_000] {
            let folder = tempfile::tempdir().unwrap();
            let mut sorter = Sorter::new(limit, folder.path());
            for (packed, ordinal) in &rows {
                let entry = Entry { comment: Some("x".repeat((*ordinal % 50) as usize)), ..Entry::default() };
                assert!(sorter.push(&odd_key, packed, *ordinal, &entry).unwrap());
            }
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), if cfg!(unix) { 0 } else { 1 });
            let mut found = Vec::new();
            for mut cursor in sorter.finish() {
                cursor.begin(64).unwrap();
                let mut run = Vec::new();
                while let Some(row) = cursor.row() {
                    run.push((row.key.to_vec(), PackedKyokumen(*row.packed), row.ordinal));
                    cursor.advance().unwrap();
                }
                assert!(run.is_sorted());
                found.append(&mut run);
            }
            found.sort();
            assert!(found.iter().map(|(_, packed, ordinal)| (*packed, *ordinal)).eq(want.iter().copied()));
        }
    }
}
