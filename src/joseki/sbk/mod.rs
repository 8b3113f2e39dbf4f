//! ShogiGUI's books, `.sbk`.
//!
//! A protobuf message: author, description, and states. A state is a position: games played and won, a comment, moves,
//! values that engines found, for Sente. A move names the state that it leads to by its index; only roots say which
//! position they are, in SFEN, and the first state may leave out that it is the even start. Each state has an Id, its
//! index, and two hashes whose making is ShogiGUI's secret: programs other than ShogiGUI write 0 in all of them. Every
//! move leads to a state, so a book is full of states that have nothing but their place; they are no positions of the
//! book here.
//!
//! So nothing can be looked up before all states were walked through from the roots: opening does that, and keeps 53
//! bytes for each state. The states themselves stay in the file, and are decoded when they are asked for. Files may
//! have cycles, links that lead astray, illegal moves, the same position in several states, and states that no root
//! leads to; those are counted, and only they are lost.

mod entry;
mod index;
mod messages;
mod scan;
#[cfg(test)]
mod tests;
mod word;
mod writer;

use std::borrow::Cow;

use prost::Message;

use super::bytes::Bytes;
use super::{Entry, Record, Stored, book};
use crate::kyokumen::{Kyokumen, PackedKyokumen};

use entry::Surroundings;
use index::{Counted, Index};
use messages::{Results, State};
pub(super) use scan::recognises;
pub use writer::Writer;

/// What stands before the name of the author in the provenance.
const AUTHOR: &str = "Author: ";

/// An open book in this format.
#[derive(Debug)]
pub(super) struct Book {
    bytes: Bytes,
    index: Index,
}

impl Book {
    /// Opens the book; on failure a sentence on what is wrong with it.
    pub(super) fn open(bytes: Bytes) -> Result<Book, String> {
        Ok(Book { index: Index::build(&bytes)?, bytes })
    }

    /// What the moves to a state take over from it, if it is this position.
    fn results(&self, state: usize, packed: &PackedKyokumen) -> Option<Results> {
        self.index.row(state).filter(|row| row.packed == *packed)?;
        let mut results = Results::default();
        // Of a damaged state what stands before the damage.
        let _ = results.merge(self.index.bytes(&self.bytes, state));
        Some(results)
    }

    /// A state with its position; `None` where it has nothing but its place.
    fn record(&self, nth: usize) -> Option<Record> {
        let place = format!("state {nth}");
        let (state, is_whole) = self.index.state(&self.bytes, nth);
        let kyokumen = self.index.row(nth).and_then(|row| row.packed.unpack());
        let (entry, faults) = self.entry(nth, &state, kyokumen.as_ref());
        let mut faults: Vec<_> = faults.into_iter().map(|fault| format!("{place}: {fault}")).collect();
        if !is_whole {
            faults.push(format!("{place}: it is damaged, and read up to the damage"));
        }
        let has_content = !entry.moves.is_empty() || entry.comment.is_some() || !faults.is_empty();
        has_content.then_some(Record { place, kyokumen, entry, faults })
    }

    /// A record for copying.
    fn stored(&self, nth: usize, record: Record) -> impl Iterator<Item = Stored> + use<> {
        let (there, lost) = match self.index.row(nth) {
            Some(row) => (Some(Stored::of(row.packed, record)), None),
            None => (None, Some(Stored::Lost(format!("{}: no root leads to it", record.place)))),
        };
        there.into_iter().flatten().chain(lost)
    }

    fn entry(&self, nth: usize, state: &State, kyokumen: Option<&Kyokumen>) -> (Entry, Vec<String>) {
        let results = |state: usize, packed: &PackedKyokumen| self.results(state, packed);
        let around = Surroundings { kyokumen, is_linked: self.index.is_linked(nth), results: &results };
        let (mut entry, faults) = entry::entry(state, &around);
        entry.tesu = self.index.row(nth).map(|row| row.tesu).filter(|&tesu| tesu > 0);
        (entry, faults)
    }
}

impl book::Book for Book {
    fn lookup(&self, kyokumen: &Kyokumen) -> Option<Entry> {
        let mut found: Option<Entry> = None;
        for row in self.index.find(&kyokumen.pack()?) {
            let (state, _) = self.index.state(&self.bytes, row.state as usize);
            let (mut entry, _) = self.entry(row.state as usize, &state, Some(kyokumen));
            if !entry.moves.is_empty() || entry.comment.is_some() {
                match &mut found {
                    None => found = Some(entry),
                    Some(found) => drop(found.merge(&mut entry)),
                }
            }
        }
        found
    }

    fn records(&self) -> Box<dyn Iterator<Item = Record> + '_> {
        Box::new((0..self.index.states()).filter_map(|nth| self.record(nth)))
    }

    fn first_out_of_order(&self) -> Option<String> {
        None
    }

    fn warnings(&self) -> Vec<String> {
        self.index.oddities.all().into_iter().filter_map(told).collect()
    }

    fn provenance(&self) -> Option<String> {
        let author = self.index.author.as_deref().filter(|author| !author.is_empty());
        let author = author.map(|author| Cow::from(format!("{AUTHOR}{author}")));
        let description = self.index.description.as_deref().filter(|text| !text.is_empty()).map(Cow::from);
        let lines: Vec<_> = author.into_iter().chain(description).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    /// What can't be read of the file itself, and links that lead astray; states and moves are told one by one.
    fn faults(&self) -> Vec<String> {
        let odd = &self.index.oddities;
        odd.unread().into_iter().chain([odd.astray()]).filter_map(told).collect()
    }

    fn parts(&self, parts: usize) -> Vec<Box<dyn Iterator<Item = Stored> + Send + '_>> {
        let (count, parts) = (self.index.states(), parts.max(1));
        let part = |nth: usize| {
            let states = count * nth / parts..count * (nth + 1) / parts;
            let unread = (nth + 1 == parts).then(|| self.index.oddities.unread());
            let unread = unread.into_iter().flatten().filter_map(told);
            let stored = states.filter_map(|nth| Some((nth, self.record(nth)?)));
            let stored = stored.flat_map(|(nth, record)| self.stored(nth, record));
            Box::new(stored.chain(unread.map(Stored::Lost))) as Box<dyn Iterator<Item = Stored> + Send + '_>
        };
        (0..parts).map(part).collect()
    }
}

/// A sentence of a number and what it counts, if that is not 0.
fn told((count, what): Counted) -> Option<String> {
    (count > 0).then(|| format!("{count} {what}"))
}
