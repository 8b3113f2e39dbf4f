//! Walking through a whole book, and checking it.

use std::collections::HashSet;

use super::{Entry, Joseki, REPEATED, Stored};
use crate::kyokumen::Kyokumen;

/// A position as it stands in a book.
#[derive(Clone, Debug)]
pub struct Record {
    /// Where it stands, such as `line 7`.
    pub place: String,
    /// The position; `None` where it can't be read.
    pub kyokumen: Option<Kyokumen>,
    /// Its moves; of a damaged record those that can be read.
    pub entry: Entry,
    /// What can't be read, each with its place.
    pub faults: Vec<String>,
}

/// What a check of a book found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Positions.
    pub positions: u64,
    /// Moves, legal or not.
    pub moves: u64,
    /// Whether positions stand in the order of the format.
    pub sorted: bool,
    /// Illegal moves.
    pub illegal: u64,
    /// Positions that are there already, and moves that stand twice in a position.
    pub repeated: u64,
    /// Positions, moves and parts of the file that can't be read, or not be found by a lookup.
    pub damaged: u64,
    /// Whether there are positions besides that were not checked.
    pub partial: bool,
}

impl Verdict {
    /// Whether nothing is wrong.
    pub fn is_good(&self) -> bool {
        self.sorted && self.illegal + self.repeated + self.damaged == 0
    }
}

impl Joseki {
    /// All positions in the order of the file, as they are stored: positions that stand there twice come twice.
    pub fn records(&self) -> Box<dyn Iterator<Item = Record> + '_> {
        self.book.records()
    }

    /// All positions for copying: at most `parts` runs that together are the file in its order, and that several
    /// threads can read at once.
    pub fn parts(&self, parts: usize) -> Vec<Box<dyn Iterator<Item = Stored> + Send + '_>> {
        self.book.parts(parts)
    }

    /// Checks that every position and move can be read, found and played, that the order is that of the format, and
    /// that nothing stands twice. `tell` hears of each fault, in ASCII.
    pub fn verify(&self, tell: &mut dyn FnMut(&str)) -> Verdict {
        self.verify_first(u64::MAX, tell)
    }

    /// The same for so many positions at most, the first of the file. Of a book that has more of them, what concerns
    /// the file as a whole is not checked, such as its order and its sums.
    pub fn verify_first(&self, most: u64, tell: &mut dyn FnMut(&str)) -> Verdict {
        let mut verdict = Verdict { sorted: true, ..Verdict::default() };
        // Only a position without both kings can't be packed.
        let (mut seen, mut odd) = (HashSet::new(), HashSet::new());
        self.settle();
        for record in self.records() {
            if verdict.positions == most {
                return Verdict { partial: true, ..verdict };
            }
            verdict.positions += 1;
            verdict.moves += record.entry.moves.len() as u64;
            for fault in &record.faults {
                tell(fault);
                let is_repeated = fault.ends_with(REPEATED);
                *if is_repeated { &mut verdict.repeated } else { &mut verdict.damaged } += 1;
            }
            let Some(kyokumen) = &record.kyokumen else {
                verdict.damaged += 1;
                tell(&format!("{}: this is no position", record.place));
                continue;
            };
            let is_new = match kyokumen.pack() {
                Some(packed) => seen.insert(packed),
                None => odd.insert(kyokumen.to_sfen_without_ply()),
            };
            if !is_new {
                verdict.repeated += 1;
                tell(&format!("{}: the position is there already", record.place));
            }
            for te in record.entry.moves.iter().filter(|te| !kyokumen.is_legal(te.te)) {
                verdict.illegal += 1;
                tell(&format!("{}: {} is illegal", record.place, te.te));
            }
            if self.lookup(kyokumen).is_none() {
                verdict.damaged += 1;
                tell(&format!("{}: a lookup does not find it", record.place));
            }
        }
        for fault in self.book.faults() {
            verdict.damaged += 1;
            tell(&fault);
        }
        if let Some(place) = self.book.first_out_of_order() {
            verdict.sorted = false;
            tell(&format!("{place}: not in the order of the format"));
        }
        verdict
    }

    /// Whether positions stand in the order of the format.
    pub fn is_sorted(&self) -> bool {
        self.book.first_out_of_order().is_none()
    }
}

/// The place of the first item that is not larger than the one before it.
pub(super) fn first_descent<P, T: PartialOrd>(items: impl Iterator<Item = (P, T)>) -> Option<P> {
    let mut last = None;
    for (place, item) in items {
        if last.is_some_and(|last| last >= item) {
            return Some(place);
        }
        last = Some(item);
    }
    None
}
