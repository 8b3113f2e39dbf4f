//! PgnScanner's layout carried to shogi, `.psb`; docs/psb-format.md describes it byte by byte.
//!
//! Three blocks of lines. `[parameters]`: `name=value` lines, among them the radix of all numbers, how many moves there
//! are, and how many bits each of their figures has. `[moves]`: for each move three numbers, a line each: the main and
//! the control key of its position, and the move with its figures; sorted by the keys, so the moves of a position stand
//! together. `[zTab]`: the random numbers that make the keys. All lines of a kind are equally long, so any record can
//! be gone to, and a position is found by bisection in the file.
//!
//! The keys say which position is meant, but not what it looks like: positions can be listed only by walking from known
//! ones, the roots, which the parameters name, and further ones if there are any.

mod layout;
mod radix;
mod table;
#[cfg(test)]
mod tests;
mod writer;

use std::ops::Range;
use std::sync::OnceLock;

use super::bytes::Bytes;
use super::walk::{Keyed, Reached, Walk};
use super::{Entry, JosekiTe, MAX_MOVES, REPEATED, Record, SATURATED, Stored, book, least};
use crate::kyokumen::{Kyokumen, Te, Tesu};

use layout::Layout;
pub(super) use layout::MAGIC;
use table::{Keys, Table};
pub use writer::Writer;

/// An open book in this format.
#[derive(Debug)]
pub(super) struct Book {
    bytes: Bytes,
    layout: Layout,
    table: Table,
    surplus: usize,
    walk: OnceLock<Walk>,
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
        Ok(Book { layout, table: read, surplus, bytes, walk: OnceLock::new() })
    }

    /// The lines of a record.
    fn lines(&self, nth: usize) -> &[u8] {
        let length = self.layout.record();
        self.bytes.get(self.layout.start + nth * length..).and_then(|rest| rest.get(..length)).unwrap_or_default()
    }

    /// The keys of a record; of a damaged one none, which is smaller than any.
    fn keys(&self, nth: usize) -> Option<Keys> {
        let (line, radix) = (self.layout.key_line, self.layout.radix);
        let key = |nth: usize| radix::read_u64(self.lines(nth / 2).get(nth % 2 * line..)?.get(..line - 1)?, radix);
        Some((key(2 * nth)?, key(2 * nth + 1)?))
    }

    /// The records with these keys.
    fn find(&self, keys: Keys) -> Range<usize> {
        let keys = Some(keys);
        let (mut low, mut high) = (0, self.layout.moves);
        while low < high {
            let middle = low.midpoint(high);
            if self.keys(middle) < keys { low = middle + 1 } else { high = middle }
        }
        let count = (low..self.layout.moves).take(MAX_MOVES).take_while(|&nth| self.keys(nth) == keys).count();
        low..low + count
    }

    /// The move of a record with its figures, and the ply; `None` where it is none.
    fn read(&self, nth: usize) -> Option<(JosekiTe, Option<Tesu>)> {
        let digits = self.lines(nth).get(2 * self.layout.key_line..)?.strip_suffix(b"\n")?;
        layout::of_figures(&self.layout.figures(digits)?)
    }

    /// The moves of these records, and what is wrong with them.
    fn entry(&self, records: Range<usize>) -> (Entry, Vec<String>) {
        let (mut entry, mut faults) = (Entry::default(), Vec::new());
        for nth in records {
            let mut fault = |what: &str| faults.push(format!("record {}: {what}", nth + 1));
            let Some((te, tesu)) = self.read(nth) else {
                fault("this is no move");
                continue;
            };
            entry.tesu = least(entry.tesu, tesu);
            match entry.moves.iter_mut().find(|known| known.te == te.te) {
                Some(known) => fault(if known.merge(te) { REPEATED } else { SATURATED }),
                None => entry.moves.push(te),
            }
        }
        (entry, faults)
    }

    /// All positions that follow from the roots; from the even start where there are none.
    fn walk(&self) -> &Walk {
        let hirate = if self.layout.roots.is_empty() { Some(Kyokumen::hirate()) } else { None };
        let roots = self.layout.roots.iter().filter_map(|root| root.unpack());
        self.walk.get_or_init(|| Walk::new(self, roots.chain(hirate)))
    }
}

impl Keyed for Book {
    type Key = Keys;

    fn key(&self, kyokumen: &Kyokumen) -> Keys {
        self.table.keys(kyokumen)
    }

    fn keys_after(&self, kyokumen: &Kyokumen) -> impl FnMut(Te) -> Keys {
        let mut after = kyokumen.clone();
        move |te| {
            let change = after.do_te(te);
            let keys = self.table.keys(&after);
            after.undo_te(&change);
            keys
        }
    }

    fn bits((main, _): Keys) -> u64 {
        main
    }

    fn all_bits(&self) -> impl Iterator<Item = u64> {
        (0..self.layout.moves).filter_map(|nth| self.keys(nth)).map(Self::bits)
    }

    fn len(&self) -> usize {
        self.layout.moves
    }

    fn run(&self, keys: Keys) -> impl Iterator<Item = usize> + Clone {
        self.find(keys)
    }

    fn te(&self, record: usize) -> Option<Te> {
        self.read(record).map(|(te, _)| te.te)
    }

    fn record(&self, reached: &Reached) -> Record {
        let kyokumen = reached.packed.unpack();
        let records = kyokumen.as_ref().map_or(0..0, |kyokumen| self.find(self.key(kyokumen)));
        let place = format!("record {}", records.start + 1);
        let (entry, faults) = self.entry(records);
        Record { place, kyokumen, entry, faults }
    }
}

impl book::Book for Book {
    fn lookup(&self, kyokumen: &Kyokumen) -> Option<Entry> {
        // Keys are made of the board and hands alone, but a book holds no position without both kings.
        kyokumen.pack()?;
        let records = self.find(self.key(kyokumen));
        (!records.is_empty()).then(|| self.entry(records).0)
    }

    /// The positions in the order in which the walk reaches them.
    fn records(&self) -> Box<dyn Iterator<Item = Record> + '_> {
        Box::new(self.walk().reached.iter().map(|reached| self.record(reached)))
    }

    fn first_out_of_order(&self) -> Option<String> {
        let descent = (1..self.layout.moves).find(|&nth| self.keys(nth - 1) > self.keys(nth));
        descent.map(|nth| format!("record {}", nth + 1))
    }

    fn warnings(&self) -> Vec<String> {
        let sentences = [
            (self.surplus as u64, "bytes behind the end of the book are ignored"),
            (self.layout.bad_roots, "of its roots are no position that a book can hold"),
        ];
        let odd = sentences.into_iter().filter(|&(count, _)| count > 0);
        odd.map(|(count, what)| format!("{count} {what}")).collect()
    }

    fn faults(&self) -> Vec<String> {
        self.walk().lost().into_iter().collect()
    }

    fn provenance(&self) -> Option<String> {
        self.layout.source.clone()
    }

    /// Besides the roots that the book names, or the even start where it names none.
    fn add_roots(&mut self, roots: &[Kyokumen]) {
        let known = if self.layout.roots.is_empty() { Some(Kyokumen::hirate()) } else { None };
        self.layout.roots.extend(known.iter().chain(roots).filter_map(Kyokumen::pack));
        self.walk = OnceLock::new();
    }

    fn parts(&self, parts: usize) -> Vec<Box<dyn Iterator<Item = Stored> + Send + '_>> {
        self.walk().parts(self, parts)
    }
}
