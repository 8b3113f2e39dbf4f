//! What every format offers for reading, a [`Book`]; `output` has the same for writing.
//!
//! A format is one file or folder with its grammar at the head. All else, looking up with illegal moves sorted out,
//! choosing, converting, merging, is written once, over these two traits.

use std::fmt::Debug;

use super::{Entry, REPEATED, Record};
use crate::kyokumen::{Kyokumen, PackedKyokumen};

/// An open book of some format.
pub(super) trait Book: Debug + Send + Sync {
    /// What the book knows of exactly this position, whatever its ply; moves are not checked to be legal.
    fn lookup(&self, kyokumen: &Kyokumen) -> Option<Entry>;

    /// All positions in the order of the file, as they are stored: positions that stand there twice come twice.
    fn records(&self) -> Box<dyn Iterator<Item = Record> + '_>;

    /// The first place at which the order of the format is broken; `None` too where the format has none.
    fn first_out_of_order(&self) -> Option<String>;

    /// What was odd about the file when it was opened, in ASCII sentences.
    fn warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// What was found odd about the file since it was opened, each told once, in ASCII sentences.
    fn late_warnings(&self) -> Vec<String> {
        Vec::new()
    }

    /// Waits until nothing is looked at in the background any more.
    fn settle(&self) {}

    /// What is wrong with the file as a whole, such as sums that don't agree, found by reading all of it.
    fn faults(&self) -> Vec<String> {
        Vec::new()
    }

    /// Where the book says that its numbers come from.
    fn provenance(&self) -> Option<String> {
        None
    }

    /// Further positions, besides those that the format itself starts from, from which a book that has keys in place of
    /// positions is walked; nothing elsewhere.
    fn add_roots(&mut self, _roots: &[Kyokumen]) {}

    /// All positions once more, for copying: cut into at most `parts` runs that together are the file in its order, and
    /// that several threads can read at once.
    fn parts(&self, _parts: usize) -> Vec<Box<dyn Iterator<Item = Stored> + Send + '_>>;
}

/// A position on its way from one book to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stored {
    /// A position with its moves as they are stored.
    Position(PackedKyokumen, Entry),
    /// Something that can't be taken along, with its place: a position that no book can hold, or what can't be read.
    Lost(String),
}

impl Stored {
    /// A record of this position for copying, then what of it can't be read. Of a repeated move nothing is lost.
    pub(super) fn of(packed: PackedKyokumen, record: Record) -> impl Iterator<Item = Stored> {
        let lost = record.faults.into_iter().filter(|fault| !fault.ends_with(REPEATED));
        std::iter::once(Stored::Position(packed, record.entry)).chain(lost.map(Stored::Lost))
    }
}

impl From<Record> for Stored {
    fn from(record: Record) -> Stored {
        match record.kyokumen.map(|kyokumen| kyokumen.pack()) {
            Some(Some(packed)) => Stored::Position(packed, record.entry),
            Some(None) => Stored::Lost(format!("{}: a position without both kings", record.place)),
            None => Stored::Lost(format!("{}: this is no position", record.place)),
        }
    }
}
