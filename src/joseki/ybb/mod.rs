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
//! The file is read in place. Opening it looks at some hundreds of records; a file whose records turn out not to ascend
//! gets an index of its own.

mod writer;

use std::borrow::Cow;

use crate::kyokumen::{Kyokumen, PackedKyokumen, Te};

use super::bytes::Bytes;
use super::gather::{Gathered, pairs_to_compare};
use super::key::{KeyScheme, SEED};
use super::records::first_descent;
use super::{Entry, JosekiTe, REPEATED, Record, Stored, book};

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
const OUTSIDE: &str = "its moves lie outside the file";

/// An open book in this format.
#[derive(Debug)]
pub(super) struct Book {
    bytes: Bytes,
    positions: usize,
    /// Length of a move, 4 or 6.
    move_length: usize,
    /// Of a file that is not in order: a hash of each position and its record, sorted.
    index: Option<Vec<(u64, u64)>>,
}

/// A record of the index, without the packed position.
#[derive(Clone, Copy)]
struct Position {
    offset: u64,
    tesu: u16,
    moves: u16,
}

impl Book {
    /// Opens the book; on failure a sentence on what is wrong with it.
    pub(super) fn open(bytes: Bytes) -> Result<Book, String> {
        let cut = |what: &str| format!("it is cut short: {} bytes are left, {what}; fetch it again", bytes.len());
        let header: &[u8; HEADER] = bytes.first_chunk().ok_or_else(|| cut("not even a header"))?;
        if header[..16] != *MAGIC {
            let magic = header[..16].escape_ascii();
            return Err(format!("its first bytes, {magic}, are those of no .ybb book that this program knows"));
        }
        let number = |at: usize| header[at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let (positions, flags) = (number(16), number(24));
        if flags & !DEPTHS != 0 {
            return Err(format!("its flags, {flags:#x}, ask for something that this program does not know"));
        }
        let end = positions.checked_mul(RECORD as u64).and_then(|length| length.checked_add(HEADER as u64));
        if end.is_none_or(|end| end > bytes.len() as u64) {
            return Err(cut(&format!("too few for the {positions} positions that it should have")));
        }
        let move_length = if flags & DEPTHS == 0 { 4 } else { 6 };
        let mut book = Book { positions: positions as usize, move_length, index: None, bytes };
        if !pairs_to_compare(book.positions).all(|(a, b)| book.packed(a) <= book.packed(b)) {
            book.index = Some(book.make_index());
        }
        Ok(book)
    }

    fn make_index(&self) -> Vec<(u64, u64)> {
        let scheme = KeyScheme::new(SEED);
        let mut index: Vec<(u64, u64)> = (0..self.positions)
            .filter_map(|record| Some((scheme.key(&PackedKyokumen(*self.packed(record)?)), record as u64)))
            .collect();
        index.sort_unstable();
        index
    }

    #[inline]
    fn record(&self, record: usize) -> Option<&[u8; RECORD]> {
        self.bytes.get(HEADER..)?.as_chunks::<RECORD>().0[..self.positions].get(record)
    }

    #[inline]
    fn packed(&self, record: usize) -> Option<&[u8; 32]> {
        self.record(record)?.first_chunk()
    }

    fn position(&self, record: usize) -> Option<Position> {
        let (_, rest) = self.record(record)?.split_first_chunk::<32>()?;
        let (offset, rest) = rest.split_first_chunk()?;
        let [a, b, c, d] = *rest.first_chunk()?;
        Some(Position {
            offset: u64::from_le_bytes(*offset),
            tesu: u16::from_le_bytes([a, b]),
            moves: u16::from_le_bytes([c, d]),
        })
    }

    /// What follows on the index.
    fn moves(&self) -> &[u8] {
        self.bytes.get(HEADER + self.positions * RECORD..).unwrap_or_default()
    }

    /// Adds what a record says to an entry and to its moves; `fault` hears what can't be read.
    fn read(&self, record: usize, entry: &mut Entry, moves: &mut Gathered, fault: &mut dyn FnMut(Cow<'static, str>)) {
        let Some(position) = self.position(record) else { return };
        if position.tesu > 0 {
            entry.tesu = Some(entry.tesu.map_or(position.tesu.into(), |tesu| tesu.min(position.tesu.into())));
        }
        let number = usize::from(position.moves);
        let rest = usize::try_from(position.offset).ok().and_then(|offset| self.moves().get(offset..));
        let there = rest.unwrap_or_default().chunks_exact(self.move_length).take(number.min(MAX_MOVES));
        let found = there.len();
        for (nth, bytes) in (1..).zip(there) {
            match read_te(bytes) {
                Some(te) => moves.add(te).into_iter().for_each(|what| fault(what.into())),
                None => fault(format!("move {nth} is none").into()),
            }
        }
        if number > MAX_MOVES {
            fault(format!("it states {number} moves, more than any position has").into());
        } else if found < number {
            fault(OUTSIDE.into());
        }
    }

    fn entry(&self, record: usize, fault: &mut dyn FnMut(Cow<'static, str>)) -> Entry {
        let (mut entry, mut moves) = (Entry::default(), Gathered::default());
        self.read(record, &mut entry, &mut moves, fault);
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
        let position = self.packed(record).map(|packed| Stored::Position(PackedKyokumen(*packed), entry));
        position.into_iter().chain(lost)
    }

    /// The records of a position: one, unless the file is wrong.
    fn find(&self, packed: &PackedKyokumen) -> Vec<usize> {
        let is_it = |record: &usize| self.packed(*record) == Some(&packed.0);
        if let Some(index) = &self.index {
            let hash = KeyScheme::new(SEED).key(packed);
            let first = index.partition_point(|&(other, _)| other < hash);
            let same = index[first..].iter().take_while(|&&(other, _)| other == hash);
            return same.map(|&(_, record)| record as usize).filter(is_it).take(MAX_REPEATED).collect();
        }
        let (mut low, mut high) = (0, self.positions);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.packed(middle) {
                Some(found) if *found < packed.0 => low = middle + 1,
                _ => high = middle,
            }
        }
        (low..self.positions).take_while(is_it).take(MAX_REPEATED).collect()
    }

    /// Where the moves of each position begin and end, as the records state it, in their order.
    fn spans(&self) -> impl Iterator<Item = (u64, u64)> {
        let position = |record| self.position(record);
        (0..self.positions).filter_map(position).map(|position| {
            let length = u64::from(position.moves) * self.move_length as u64;
            (position.offset, position.offset.saturating_add(length))
        })
    }
}

fn read_te(bytes: &[u8]) -> Option<JosekiTe> {
    let number = |at: usize| Some(u16::from_le_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]));
    let value = number(2)?.cast_signed();
    Some(JosekiTe {
        value: (value != UNKNOWN).then_some(value.into()),
        depth: number(4).map(u32::from),
        ..JosekiTe::new(Te::from_bits(number(0)?)?)
    })
}

impl book::Book for Book {
    fn lookup(&self, kyokumen: &Kyokumen) -> Option<Entry> {
        let records = self.find(&kyokumen.pack()?);
        let (mut entry, mut moves) = (Entry::default(), Gathered::default());
        records.iter().for_each(|&record| self.read(record, &mut entry, &mut moves, &mut |_| {}));
        entry.moves = moves.into_moves();
        (!records.is_empty()).then_some(entry)
    }

    fn records(&self) -> Box<dyn Iterator<Item = Record> + '_> {
        Box::new((0..self.positions).map(|record| {
            let place = format!("record {}", record + 1);
            let mut faults = Vec::new();
            let entry = self.entry(record, &mut |fault| faults.push(format!("{place}: {fault}")));
            let kyokumen = self.packed(record).and_then(|packed| PackedKyokumen(*packed).unpack());
            Record { place, kyokumen, entry, faults }
        }))
    }

    fn first_out_of_order(&self) -> Option<String> {
        let positions = (0..self.positions).map(|record| (record, self.packed(record)));
        first_descent(positions).map(|record| format!("record {}", record + 1))
    }

    fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.index.is_some() {
            warnings.push("its positions are not in the order of the format; they are found all the same".to_owned());
        }
        let last = self.positions.checked_sub(1).and_then(|last| self.position(last));
        let end = last.map_or(0, |last| u64::from(last.moves) * self.move_length as u64 + last.offset.min(1 << 62));
        if end > self.moves().len() as u64 {
            warnings.push("the moves of its last position lie outside the file; it may be cut short".to_owned());
        }
        warnings
    }

    fn faults(&self) -> Vec<String> {
        let there = self.moves().len() as u64;
        let (mut overlapping, mut surplus, mut end) = (0, 0, 0);
        let mut count = |(begin, this_end): (u64, u64)| {
            overlapping += u64::from(begin < end && this_end > begin);
            surplus += begin.min(there).saturating_sub(end);
            end = end.max(this_end.min(there));
        };
        // Nearly every file has the moves in the order of the records; only for others they are sorted.
        if self.spans().is_sorted() {
            self.spans().for_each(&mut count);
        } else {
            let mut spans: Vec<(u64, u64)> = self.spans().collect();
            spans.sort_unstable();
            spans.into_iter().for_each(&mut count);
        }
        surplus += there - end;
        let mut faults = Vec::new();
        let stated: u64 = self.spans().map(|(begin, end)| end - begin).sum();
        if stated > there {
            let room = there / self.move_length as u64;
            let stated = stated / self.move_length as u64;
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
        let share = |nth: usize| (self.positions as u128 * nth as u128 / parts as u128) as usize;
        let part = |nth: usize| {
            let records = share(nth)..share(nth + 1);
            Box::new(records.flat_map(|record| self.stored(record))) as Box<dyn Iterator<Item = Stored> + Send + '_>
        };
        (0..parts).map(part).collect()
    }
}
