//! PgnScanner's layout carried to shogi, `.psb`; docs/psb-format.md describes it byte by byte.
//!
//! Three blocks of lines. `[parameters]`: `name=value` lines, among them the radix of all numbers, how many moves there
//! are, and how many bits each of their figures has. `[moves]`: for each move three numbers, a line each: the main and
//! the control key of its position, and the move with its figures; sorted by the keys, so the moves of a position stand
//! together. `[zTab]`: the random numbers that make the keys. All lines of a kind are equally long, so any record can be
//! gone to, and a position is found by bisection in the file.
//!
//! The keys say which position is meant, but not what it looks like: positions can be listed only by walking from the
//! roots, which the parameters name, along the moves.

mod layout;
mod radix;
mod table;
#[cfg(test)]
mod tests;
mod writer;

use std::ops::Range;

use super::bytes::Bytes;
use super::walk::Walk;
use super::{Entry, REPEATED, Record, SATURATED, Stored, book};
use crate::kyokumen::{Kyokumen, PackedKyokumen};

use layout::Layout;
pub(super) use layout::MAGIC;
use table::{Keys, Table};
pub(super) use writer::Writer;

/// No position has more legal moves.
const MAX_MOVES: usize = 593;

/// An open book in this format.
#[derive(Debug)]
pub(super) struct Book {
    bytes: Bytes,
    layout: Layout,
    table: Table,
    surplus: usize,
}

impl Book {
    /// Opens the book; on failure a sentence on what is wrong with it.
    pub(super) fn open(bytes: Bytes) -> Result<Book, String> {
        let layout = Layout::read(&bytes)?;
        let end = layout.moves.checked_mul(layout.record()).and_then(|length| length.checked_add(layout.start));
        let rest = end.and_then(|end| bytes.get(end..)).ok_or("it is cut short; fetch it again")?;
        let table = rest.strip_prefix(layout::TABLE).ok_or("its moves do not end where its parameters say")?;
        let (read, length) = Table::read(table, layout.radix).ok_or("its table [zTab] is damaged")?;
        let surplus = table.len() - length;
        Ok(Book { layout, table: read, surplus, bytes })
    }

    /// The bytes of a record.
    fn record(&self, nth: usize) -> &[u8] {
        let length = self.layout.record();
        self.bytes.get(self.layout.start + nth * length..).and_then(|rest| rest.get(..length)).unwrap_or_default()
    }

    /// The keys of a record; of a damaged one none, which is smaller than any.
    fn keys(&self, nth: usize) -> Option<Keys> {
        let (line, radix) = (self.layout.key_line, self.layout.radix);
        let key = |nth: usize| radix::read_u64(self.record(nth / 2).get(nth % 2 * line..)?.get(..line - 1)?, radix);
        Some((key(2 * nth)?, key(2 * nth + 1)?))
    }

    /// The records of a position.
    fn find(&self, kyokumen: &Kyokumen) -> Range<usize> {
        let keys = Some(self.table.keys(kyokumen));
        let (mut low, mut high) = (0, self.layout.moves);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.keys(middle) < keys { low = middle + 1 } else { high = middle }
        }
        let count = (low..self.layout.moves).take(MAX_MOVES).take_while(|&nth| self.keys(nth) == keys).count();
        low..low + count
    }

    /// The moves of these records, and what is wrong with them.
    fn entry(&self, records: Range<usize>) -> (Entry, Vec<String>) {
        let (mut entry, mut faults) = (Entry::default(), Vec::new());
        for nth in records {
            let mut fault = |what: &str| faults.push(format!("record {}: {what}", nth + 1));
            let digits = self.record(nth).get(2 * self.layout.key_line..).unwrap_or_default().strip_suffix(b"\n");
            let figures = digits.and_then(|digits| self.layout.figures(digits));
            let Some((te, tesu)) = figures.and_then(|figures| layout::of_figures(&figures)) else {
                fault("this is no move");
                continue;
            };
            entry.tesu = match (entry.tesu, tesu) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
            match entry.moves.iter_mut().find(|known| known.te == te.te) {
                Some(known) => fault(if known.merge(te) { REPEATED } else { SATURATED }),
                None => entry.moves.push(te),
            }
        }
        (entry, faults)
    }

    /// All positions that follow from the roots, with their records.
    fn walk(&self) -> impl Iterator<Item = (Kyokumen, PackedKyokumen, Range<usize>)> + Send + '_ {
        let hirate = [Kyokumen::hirate()];
        let roots = if self.layout.roots.is_empty() { hirate.to_vec() } else { self.layout.roots.clone() };
        let lookup = |kyokumen: &Kyokumen| book::Book::lookup(self, kyokumen);
        let found = Walk::new(roots, lookup).map(|(kyokumen, packed, _)| {
            let records = self.find(&kyokumen);
            (kyokumen, packed, records)
        });
        // A table of zeros, say, gives all positions the same keys: then the walk would go on for ever.
        let mut left = self.layout.moves;
        found.map_while(move |(kyokumen, packed, records)| {
            left = left.checked_sub(records.len())?;
            Some((kyokumen, packed, records))
        })
    }
}

/// What is said of moves that a walk did not come to.
fn lost(moves: usize) -> Option<String> {
    (moves > 0).then(|| format!("{moves} moves of positions that no root leads to"))
}

impl book::Book for Book {
    fn lookup(&self, kyokumen: &Kyokumen) -> Option<Entry> {
        // Keys are made of the board and hands alone, but a book holds no position without both kings.
        kyokumen.pack()?;
        let records = self.find(kyokumen);
        (!records.is_empty()).then(|| self.entry(records).0)
    }

    fn records(&self) -> Box<dyn Iterator<Item = Record> + '_> {
        Box::new(self.walk().map(|(kyokumen, _, records)| {
            let place = format!("record {}", records.start + 1);
            let (entry, faults) = self.entry(records);
            Record { place, kyokumen: Some(kyokumen), entry, faults }
        }))
    }

    fn first_out_of_order(&self) -> Option<String> {
        let descent = (1..self.layout.moves).find(|&nth| self.keys(nth - 1) > self.keys(nth));
        descent.map(|nth| format!("record {}", nth + 1))
    }

    fn warnings(&self) -> Vec<String> {
        let surplus = self.surplus;
        (surplus > 0).then(|| format!("{surplus} bytes behind the end of the book are ignored")).into_iter().collect()
    }

    fn faults(&self) -> Vec<String> {
        let reached: usize = self.walk().map(|(_, _, records)| records.len()).sum();
        lost(self.layout.moves.saturating_sub(reached)).into_iter().collect()
    }

    fn provenance(&self) -> Option<String> {
        self.layout.source.clone()
    }

    fn parts(&self, _parts: usize) -> Vec<Box<dyn Iterator<Item = Stored> + Send + '_>> {
        let mut walk = self.walk();
        let mut left = self.layout.moves;
        let positions = std::iter::from_fn(move || match walk.next() {
            Some((_, packed, records)) => {
                left = left.saturating_sub(records.len());
                Some(Stored::Position(packed, self.entry(records).0))
            }
            None => lost(std::mem::take(&mut left)).map(Stored::Lost),
        });
        vec![Box::new(positions)]
    }
}
