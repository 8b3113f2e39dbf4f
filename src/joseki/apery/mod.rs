//! Apery's format, `.bin`, which dlshogi, YaneuraOu and ShogiHome use too.
//!
//! Records of 16 bytes, little-endian, ascending by their key, one for each move, and nothing else:
//!
//! - the key of the position, 8 bytes; see [`key`](key::key);
//! - the move, 2 bytes: the square it goes to in bits 0-6, the square it comes from in bits 7-13, or 80 plus the kind
//!   that is dropped; bit 14 marks a promotion;
//! - how often it was played, 2 bytes; the value, with its sign, 4 bytes.
//!
//! The records of a position stand side by side, in any order. 0 may stand for an unknown count or value: programs that
//! choose by count never play a move with a count of 0 beside counted ones.
//!
//! The file is read in place, by bisection. It holds no positions, so all that goes through a whole book walks from the
//! even start, and from further roots if there are any, and can't take along what such a walk doesn't reach.

mod key;
mod writer;

use std::sync::OnceLock;

use crate::kyokumen::{Kyokumen, Masu, Syurui, Te};

use super::bytes::Bytes;
use super::gather::{Gathered, pairs_to_compare};
use super::records::first_descent;
use super::walk::{Keyed, Reached, Walk};
use super::{Entry, JosekiTe, Record, Stored, book};

use key::{KeysAfter, key};
pub use writer::Writer;

const RECORD: usize = 16;
const PROMOTE: u16 = 1 << 14;
/// A file without the usual ending needs so many records to be taken for a book by its content alone.
const MIN_UNNAMED: usize = 4;

/// An open book in this format.
#[derive(Debug)]
pub(super) struct Book {
    bytes: Bytes,
    /// Of a file that is not in order: the keys and their records, sorted.
    index: Option<Vec<(u64, u64)>>,
    roots: Vec<Kyokumen>,
    walk: OnceLock<Walk>,
}

/// What a look at the records, or at some hundreds of many, tells.
struct Look {
    ascends: bool,
    looked_at: usize,
    well_formed: usize,
}

/// Whether the content is of this format, whatever the file is called.
pub(super) fn recognises(bytes: &[u8]) -> bool {
    let Some(records) = records_of(bytes).filter(|records| records.len() >= MIN_UNNAMED) else { return false };
    let look = Look::at(records);
    look.ascends && look.well_formed == look.looked_at
}

fn records_of(bytes: &[u8]) -> Option<&[[u8; RECORD]]> {
    let (records, rest) = bytes.as_chunks();
    rest.is_empty().then_some(records)
}

fn key_of(record: &[u8; RECORD]) -> u64 {
    record.first_chunk().map_or(0, |key| u64::from_le_bytes(*key))
}

/// The move of a record; `None` where it is none.
fn te_of(record: &[u8; RECORD]) -> Option<Te> {
    let bits = u16::from_le_bytes([record[8], record[9]]);
    let to = Masu::from_index(usize::from(bits & 127))?;
    let (from, promotes) = (usize::from(bits >> 7 & 127), bits & PROMOTE != 0);
    if bits & 1 << 15 != 0 {
        return None;
    }
    match from.checked_sub(Masu::COUNT - 1).filter(|&kind| kind > 0) {
        Some(kind) if kind <= 7 && !promotes => Some(Te::drop(Syurui::from_code(kind as u8)?, to)),
        Some(_) => None,
        None => Masu::from_index(from).filter(|&from| from != to).map(|from| Te::board(from, to, promotes)),
    }
}

/// The bits that stand for a move.
fn bits_of(te: Te) -> u16 {
    let from = match (te.from(), te.dropped()) {
        (Some(from), _) => from.index(),
        (None, kind) => Masu::COUNT - 1 + kind.map_or(0, Syurui::index),
    };
    te.to().index() as u16 | (from as u16) << 7 | if te.promotes() { PROMOTE } else { 0 }
}

impl Look {
    fn at(records: &[[u8; RECORD]]) -> Look {
        let mut look = Look { ascends: true, looked_at: 0, well_formed: 0 };
        let mut count = |record| {
            look.looked_at += 1;
            look.well_formed += usize::from(te_of(record).is_some());
        };
        records.first().into_iter().for_each(&mut count);
        for (a, b) in pairs_to_compare(records.len()) {
            count(&records[b]);
            look.ascends &= key_of(&records[a]) <= key_of(&records[b]);
        }
        look
    }
}

impl Book {
    /// Opens the book; on failure a sentence on what is wrong with it.
    pub(super) fn open(bytes: Bytes) -> Result<Book, String> {
        let records = records_of(&bytes).ok_or_else(|| {
            format!("its {} bytes are no records of 16 bytes, as an Apery book has; it may be cut short", bytes.len())
        })?;
        let look = Look::at(records);
        let nearly_all = look.well_formed * 4 >= look.looked_at * 3;
        if !(look.well_formed == look.looked_at || look.ascends && nearly_all) {
            let what = if nearly_all { "its keys are not in order" } else { "it holds other things than moves" };
            return Err(format!("{what}: it is neither an Apery book nor a file of LesserKai's game lines"));
        }
        let index = (!look.ascends).then(|| {
            let mut index: Vec<(u64, u64)> = (0..).zip(records).map(|(nth, record)| (key_of(record), nth)).collect();
            index.sort_unstable();
            index
        });
        Ok(Book { bytes, index, roots: vec![Kyokumen::hirate()], walk: OnceLock::new() })
    }

    fn records(&self) -> &[[u8; RECORD]] {
        self.bytes.as_chunks().0
    }

    /// The key of the record that comes at this place in the order of keys, and its number.
    #[inline]
    fn at(&self, rank: usize) -> Option<(u64, usize)> {
        match &self.index {
            None => self.records().get(rank).map(|record| (key_of(record), rank)),
            Some(index) => index.get(rank).map(|&(key, record)| (key, record as usize)),
        }
    }

    /// The moves of the records with this key; `fault` hears what can't be read, and of repeated moves.
    fn moves(&self, key: u64, fault: &mut dyn FnMut(usize, &'static str)) -> Vec<JosekiTe> {
        let mut moves = Gathered::default();
        for number in self.run(key) {
            let Some((record, te)) = self.records().get(number).zip(self.te(number)) else {
                fault(number, "this is no move");
                continue;
            };
            let [.., a, b, c, d, e, f] = *record;
            let te = JosekiTe {
                count: Some(u16::from_le_bytes([a, b]).into()),
                value: Some(i32::from_le_bytes([c, d, e, f])),
                ..JosekiTe::new(te)
            };
            moves.add(te).into_iter().for_each(|what| fault(number, what));
        }
        moves.into_moves()
    }

    fn walk(&self) -> &Walk {
        self.walk.get_or_init(|| Walk::new(self, self.roots.iter().cloned()))
    }
}

impl Keyed for Book {
    type Key = u64;

    fn key(&self, kyokumen: &Kyokumen) -> u64 {
        key(kyokumen)
    }

    fn keys_after(&self, kyokumen: &Kyokumen) -> impl FnMut(Te) -> u64 {
        let keys = KeysAfter::of(kyokumen);
        move |te| keys.key(te)
    }

    fn bits(key: u64) -> u64 {
        key
    }

    fn all_bits(&self) -> impl Iterator<Item = u64> {
        self.records().iter().map(key_of)
    }

    fn len(&self) -> usize {
        self.records().len()
    }

    fn run(&self, key: u64) -> impl Iterator<Item = usize> + Clone {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.at(middle) {
                Some((found, _)) if found < key => low = middle + 1,
                _ => high = middle,
            }
        }
        (low..).map_while(move |rank| self.at(rank).filter(|&(found, _)| found == key).map(|(_, record)| record))
    }

    fn te(&self, record: usize) -> Option<Te> {
        te_of(self.records().get(record)?)
    }

    fn record(&self, reached: &Reached) -> Record {
        let kyokumen = reached.packed.unpack();
        let key = kyokumen.as_ref().map_or(0, key);
        let place = |number| format!("record {}", number + 1);
        let mut faults = Vec::new();
        let moves = self.moves(key, &mut |number, what| faults.push(format!("{}: {what}", place(number))));
        let entry = Entry { tesu: Some(reached.tesu), comment: None, moves };
        Record { place: self.run(key).next().map_or_else(String::new, place), kyokumen, entry, faults }
    }
}

impl book::Book for Book {
    fn lookup(&self, kyokumen: &Kyokumen) -> Option<Entry> {
        let key = key(kyokumen);
        self.run(key).next()?;
        Some(Entry { tesu: None, comment: None, moves: self.moves(key, &mut |_, _| {}) })
    }

    /// The positions in the order in which the walk reaches them.
    fn records(&self) -> Box<dyn Iterator<Item = Record> + '_> {
        Box::new(self.walk().reached.iter().map(|reached| self.record(reached)))
    }

    fn first_out_of_order(&self) -> Option<String> {
        // Equal keys are in order, so the numbers decide between them.
        let keys = (0..).zip(self.records()).map(|(number, record)| (number, (key_of(record), number)));
        first_descent(keys).map(|number| format!("record {}", number + 1))
    }

    fn warnings(&self) -> Vec<String> {
        let unsorted = self.index.as_ref().map(|_| "its keys are not in order; positions are found all the same");
        unsorted.map(str::to_owned).into_iter().collect()
    }

    fn faults(&self) -> Vec<String> {
        self.walk().lost().into_iter().collect()
    }

    fn add_roots(&mut self, roots: &[Kyokumen]) {
        self.roots.extend_from_slice(roots);
        self.walk = OnceLock::new();
    }

    fn parts(&self, parts: usize) -> Vec<Box<dyn Iterator<Item = Stored> + Send + '_>> {
        self.walk().parts(self, parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_is_read_back_and_all_else_is_none() {
        let record = |bits: u16| {
            let mut record = [0; RECORD];
            record[8..10].copy_from_slice(&bits.to_le_bytes());
            record
        };
        let mut well_formed = 0;
        for bits in 0..=u16::MAX {
            if let Some(te) = te_of(&record(bits)) {
                well_formed += 1;
                assert_eq!(bits_of(te), bits, "{te}");
            }
        }
        assert_eq!(well_formed, 81 * 80 * 2 + 7 * 81);
        for (usi, bits) in [("7g7f", 0x1e3b), ("2g2f", 0x078e), ("8h2b+", 0x630a), ("P*5e", 0x28a8)] {
            assert_eq!(te_of(&record(bits)).map(|te| te.to_string()).as_deref(), Some(usi), "{bits:x}");
        }
    }
}
