//! YaneuraOu's binary format, `.ybb`.
//!
//! All numbers are little-endian.
//!
//! - Header, 32 bytes: `YANE-BINBOOK-V1` and a zero; the number of positions, 8 bytes; flags, 8 bytes, of which bit 0
//!   says that moves have a depth. Other flags are refused, for they may change all that follows.
//! - A record of 44 bytes for each position, ascending by its first 32 bytes, no position twice: the packed position;
//!   where its moves begin, counted from the end of the last record, 8 bytes; the ply, 2 bytes; the number of moves, 2.
//! - The moves, 4 or 6 bytes each: the move, as [`Te`] has it; the value, with its sign, 2 bytes; the depth, 2 bytes.
//!
//! A ply of 0 stands for an unknown one, a value of -32768 too. A depth of 0 is 0, for writers put it everywhere.
//!
//! The file is read in place. Small files are looked at wholly when they are opened; of large ones some hundreds of
//! records are, and a thread then looks at the rest. A file whose records turn out not to ascend gets an index of its
//! own.

mod check;
mod index;
mod table;
mod writer;

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};

use parking_lot::Mutex;

use crate::kyokumen::{Kyokumen, PackedKyokumen};

use super::bytes::Bytes;
use super::gather::{Gathered, pairs_to_compare};
use super::records::first_descent;
use super::{Entry, REPEATED, Record, Stored, book};

use index::Index;
use table::Table;
pub use writer::Writer;

/// The first bytes of every version.
pub(super) const FAMILY: &[u8] = b"YANE-BINBOOK-";
/// The first bytes of the version that is read and written.
const MAGIC: &[u8; 16] = b"YANE-BINBOOK-V1\0";
const HEADER: usize = 32;
const RECORD: usize = 44;
/// The flag which says that moves have a depth.
const DEPTHS: u64 = 1;
/// The value that stands for an unknown one.
const UNKNOWN: i16 = i16::MIN;
/// No position has more moves.
const MAX_MOVES: usize = 593;
/// So many records of one position are read; a file that has more is no serious book.
const MAX_REPEATED: usize = 256;
/// Up to so many positions a file is looked at wholly before it is opened.
const SMALL: usize = 4096;
const UNSORTED: &str = "its positions are not in the order of the format; they are found all the same";
const CUT: &str = "the moves of its last position lie outside the file; it may be cut short";

/// An open book in this format.
#[derive(Debug)]
pub(super) struct Book {
    file: Arc<File>,
    /// The look at the whole file, as long as nobody has waited for its end.
    check: Mutex<Option<JoinHandle<()>>>,
    warnings: Vec<String>,
}

/// What the check shares with the book.
#[derive(Debug)]
struct File {
    table: Table,
    /// Only of a file that is not in order.
    index: OnceLock<Index>,
    stop: AtomicBool,
    /// What the check found, until it is asked for.
    late: Mutex<Vec<String>>,
}

impl Book {
    /// Opens the book; on failure a sentence on what is wrong with it.
    pub(super) fn open(bytes: Bytes) -> Result<Book, String> {
        let table = Table::open(bytes)?;
        let file = File { table, index: OnceLock::new(), stop: AtomicBool::new(false), late: Mutex::default() };
        let table = &file.table;
        let findings = (table.positions <= SMALL).then(|| check::check(table, &|| true)).flatten();
        let in_pairs = || pairs_to_compare(table.positions).all(|(a, b)| table.packed(a) <= table.packed(b));
        let is_sorted = findings.map_or_else(in_pairs, |findings| findings.descent.is_none());
        let mut warnings = Vec::new();
        if !is_sorted {
            file.make_index();
            warnings.push(UNSORTED.to_owned());
        }
        let last = table.positions.checked_sub(1).and_then(|last| table.span(last));
        if last.is_some_and(|(_, end)| end > table.moves().len() as u64) {
            warnings.push(CUT.to_owned());
        }
        warnings.extend(findings.and_then(check::Findings::tell_outside));
        let file = Arc::new(file);
        let check = findings.is_none().then(|| File::start_check(&file)).flatten();
        Ok(Book { file, check: Mutex::new(check), warnings })
    }

    fn entry(&self, record: usize, fault: &mut dyn FnMut(Cow<'static, str>)) -> Entry {
        let (mut entry, mut moves) = (Entry::default(), Gathered::default());
        self.file.table.read(record, &mut entry, &mut moves, fault);
        entry.moves = moves.into_moves();
        entry
    }

    /// A record for copying, then what of it can't be read.
    fn stored(&self, record: usize) -> impl Iterator<Item = Stored> {
        let mut lost = Vec::new();
        let entry = self.entry(record, &mut |fault| {
            if fault != REPEATED {
                lost.push(Stored::Lost(format!("record {}: {fault}", record + 1)));
            }
        });
        let position = self.file.table.packed(record).map(|packed| Stored::Position(PackedKyokumen(*packed), entry));
        position.into_iter().chain(lost)
    }

    /// The records of a position: one, unless the file is wrong.
    fn find(&self, packed: &PackedKyokumen) -> Vec<usize> {
        let table = &self.file.table;
        let is_it = |record: &usize| table.packed(*record) == Some(&packed.0);
        if let Some(index) = self.file.index.get() {
            return index.find(packed).filter(is_it).take(MAX_REPEATED).collect();
        }
        let (mut low, mut high) = (0, table.positions);
        while low < high {
            let middle = low.midpoint(high);
            match table.packed(middle) {
                Some(found) if *found < packed.0 => low = middle + 1,
                _ => high = middle,
            }
        }
        (low..table.positions).take_while(is_it).take(MAX_REPEATED).collect()
    }
}

impl Drop for Book {
    fn drop(&mut self) {
        self.file.stop.store(true, Ordering::Relaxed);
        book::Book::settle(self);
    }
}

impl File {
    /// Has all positions found through an index from now on, unless told to stop.
    fn make_index(&self) {
        if let Some(index) = Index::build(&self.table, &self.stop) {
            self.index.get_or_init(|| index);
        }
    }

    /// Looks at the whole file in a thread of its own; where none can be had, at once.
    fn start_check(file: &Arc<File>) -> Option<JoinHandle<()>> {
        let shared = Arc::clone(file);
        let started = thread::Builder::new().name("joseki".into()).spawn(move || shared.check());
        started.map_err(|_| file.check()).ok()
    }

    fn check(&self) {
        let Some(findings) = check::check(&self.table, &|| !self.stop.load(Ordering::Relaxed)) else { return };
        let mut late = Vec::new();
        if let Some(record) = findings.descent.filter(|_| self.index.get().is_none()) {
            self.make_index();
            let place = record + 1;
            late.push(format!("record {place} is out of order, so all positions are found through an index now"));
        }
        late.extend(findings.tell_outside());
        *self.late.lock() = late;
    }
}

impl book::Book for Book {
    fn lookup(&self, kyokumen: &Kyokumen) -> Option<Entry> {
        let records = self.find(&kyokumen.pack()?);
        let (mut entry, mut moves) = (Entry::default(), Gathered::default());
        records.iter().for_each(|&record| self.file.table.read(record, &mut entry, &mut moves, &mut |_| {}));
        entry.moves = moves.into_moves();
        (!records.is_empty()).then_some(entry)
    }

    fn records(&self) -> Box<dyn Iterator<Item = Record> + '_> {
        let table = &self.file.table;
        Box::new((0..table.positions).map(|record| {
            let place = format!("record {}", record + 1);
            let mut faults = Vec::new();
            let entry = self.entry(record, &mut |fault| faults.push(format!("{place}: {fault}")));
            let kyokumen = table.packed(record).and_then(|packed| PackedKyokumen(*packed).unpack());
            Record { place, kyokumen, entry, faults }
        }))
    }

    fn first_out_of_order(&self) -> Option<String> {
        let table = &self.file.table;
        let positions = (0..table.positions).map(|record| (record, table.packed(record)));
        first_descent(positions).map(|record| format!("record {}", record + 1))
    }

    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    fn late_warnings(&self) -> Vec<String> {
        std::mem::take(&mut *self.file.late.lock())
    }

    fn settle(&self) {
        if let Some(check) = self.check.lock().take() {
            let _ = check.join();
        }
    }

    fn faults(&self) -> Vec<String> {
        let table = &self.file.table;
        let there = table.moves().len() as u64;
        let (mut overlapping, mut surplus, mut end) = (0, 0, 0);
        let mut count = |(begin, this_end): (u64, u64)| {
            overlapping += u64::from(begin < end && this_end > begin);
            surplus += begin.min(there).saturating_sub(end);
            end = end.max(this_end.min(there));
        };
        // Nearly every file has the moves in the order of the records; only for others they are sorted.
        if table.spans().is_sorted() {
            table.spans().for_each(&mut count);
        } else {
            let mut spans = Vec::with_capacity(table.positions);
            spans.extend(table.spans());
            spans.sort_unstable();
            spans.into_iter().for_each(&mut count);
        }
        surplus += there - end;
        let mut faults = Vec::new();
        let stated: u64 = table.spans().map(|(begin, end)| end - begin).sum();
        if stated > there {
            let room = there / table.move_length as u64;
            let stated = stated / table.move_length as u64;
            faults.push(format!("the positions state {stated} moves, the file has room for {room}"));
        }
        if overlapping > 0 {
            faults.push(format!("the moves of {overlapping} positions overlap those of others"));
        }
        if surplus > 0 {
            faults.push(format!("{surplus} bytes among the moves belong to no position"));
        }
        faults
    }

    fn parts(&self, parts: usize) -> Vec<Box<dyn Iterator<Item = Stored> + Send + '_>> {
        let parts = parts.max(1);
        let positions = self.file.table.positions as u128;
        let share = |nth: usize| (positions * nth as u128 / parts as u128) as usize;
        let part = |nth: usize| {
            let records = share(nth)..share(nth + 1);
            Box::new(records.flat_map(|record| self.stored(record))) as Box<dyn Iterator<Item = Stored> + Send + '_>
        };
        (0..parts).map(part).collect()
    }
}
