//! Several sorted runs as one, with each position once.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::io;

use super::sort::{Cursor, Keyer, Row};
use super::stream::{Stream, input_of};
use super::{Entry, JosekiError, JosekiTe, own};
use crate::kyokumen::PackedKyokumen;

/// What ends the work early.
#[derive(Debug)]
pub(super) enum Trouble {
    /// A temporary file can't be written or read.
    Io(io::Error),
    /// The target can't be written.
    Target(JosekiError),
    /// Somebody wants no more of it.
    Stopped,
    /// The book of this number is not in the order that was expected.
    Unsorted(usize),
}

/// A sorted run of rows.
pub(super) enum Run {
    Sorted(Cursor),
    Book(Stream),
}

impl Run {
    fn row(&self) -> Option<Row<'_>> {
        match self {
            Run::Sorted(cursor) => cursor.row(),
            Run::Book(stream) => stream.row(),
        }
    }
}

/// A run among others: the one with the smallest row is the largest.
struct Head {
    /// The first bytes of the key.
    chunk: u64,
    run: Run,
}

impl Head {
    fn new(run: Run) -> Head {
        let mut head = Head { chunk: 0, run };
        head.arrive();
        head
    }

    fn arrive(&mut self) {
        let mut chunk = [0; 8];
        let key = self.run.row().map_or(&[][..], |row| row.key);
        let length = key.len().min(8);
        chunk[..length].copy_from_slice(&key[..length]);
        self.chunk = u64::from_be_bytes(chunk);
    }
}

impl Ord for Head {
    fn cmp(&self, other: &Head) -> Ordering {
        let (a, b) = (self.run.row(), other.run.row());
        let places = || b.map(|row| row.place()).cmp(&a.map(|row| row.place()));
        other.chunk.cmp(&self.chunk).then_with(places)
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Head) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Head) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Head {}

/// A position that comes out.
pub(super) struct Position {
    pub(super) key: Vec<u8>,
    pub(super) packed: PackedKyokumen,
    pub(super) entry: Entry,
}

impl Default for Position {
    fn default() -> Position {
        Position { key: Vec::new(), packed: PackedKyokumen([0; 32]), entry: Entry::default() }
    }
}

/// Runs that are being merged.
pub(super) struct Merge {
    heads: BinaryHeap<Head>,
    /// Whether a position is taken from the first book that has it alone.
    first_wins: bool,
    spare: Entry,
    /// Rows that were joined to another one of their position, or left out for it.
    pub(super) repeated: u64,
    /// Sums that would have grown too large.
    pub(super) saturated: u64,
}

impl Merge {
    /// Begins to read, with about so many bytes of memory for runs on the disk.
    pub(super) fn new(runs: Vec<Run>, first_wins: bool, memory: usize, keyer: Keyer<'_>) -> Result<Merge, Trouble> {
        let room = (memory / runs.len().max(1)).clamp(1 << 14, 1 << 20);
        let mut heads = BinaryHeap::new();
        for mut run in runs {
            match &mut run {
                Run::Sorted(cursor) => cursor.begin(room)?,
                Run::Book(stream) => stream.begin(keyer)?,
            }
            if run.row().is_some() {
                heads.push(Head::new(run));
            }
        }
        Ok(Merge { heads, first_wins, spare: Entry::default(), repeated: 0, saturated: 0 })
    }

    /// The next position, with all that is known of it; `false` at the end.
    pub(super) fn next(&mut self, keyer: Keyer<'_>, position: &mut Position) -> Result<bool, Trouble> {
        let Some(row) = self.row() else { return Ok(false) };
        position.key.clear();
        position.key.extend_from_slice(row.key);
        position.packed = PackedKyokumen(*row.packed);
        own::decode(row.block, &mut position.entry);
        let input = input_of(row.ordinal);
        self.advance(keyer)?;
        let mut joined = false;
        while let Some(row) = self.heads.peek().and_then(|head| head.run.row()) {
            if *row.packed != position.packed.0 {
                break;
            }
            self.repeated += 1;
            if !self.first_wins || input_of(row.ordinal) == input {
                own::decode(row.block, &mut self.spare);
                self.saturated += position.entry.merge(&mut self.spare);
                joined = true;
            }
            self.advance(keyer)?;
        }
        if joined {
            position.entry.moves.sort_by(by_count);
        }
        Ok(true)
    }

    /// The next row; `None` at the end.
    pub(super) fn row(&self) -> Option<Row<'_>> {
        self.heads.peek().and_then(|head| head.run.row())
    }

    /// Goes on to the next row.
    pub(super) fn advance(&mut self, keyer: Keyer<'_>) -> Result<(), Trouble> {
        let Some(mut head) = self.heads.peek_mut() else { return Ok(()) };
        match &mut head.run {
            Run::Sorted(cursor) => cursor.advance()?,
            Run::Book(stream) => stream.advance(keyer)?,
        }
        if head.run.row().is_none() {
            PeekMut::pop(head);
        } else {
            head.arrive();
        }
        Ok(())
    }
}

/// The order of moves: the most played first, of these that with the higher value. Moves with nothing but the same
/// count stand as `build` has them, so that a book made of parts is the book made at once; others as they came.
fn by_count(a: &JosekiTe, b: &JosekiTe) -> Ordering {
    let figures = |te: &JosekiTe| (te.known_count(), te.known_value());
    let only_counted = a.known_count().is_some() && a.known_value().is_none();
    let by_te = if only_counted { a.te.cmp(&b.te) } else { Ordering::Equal };
    figures(b).cmp(&figures(a)).then(by_te)
}
