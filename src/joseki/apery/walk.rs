//! Which positions a book of keys holds: found by walking from known ones.
//!
//! Breadth first along the moves of the book. Where records are left that no such walk reaches, all legal moves are
//! tried: those of the positions that were found, and the replies to book moves that lead out of the book, as they do
//! where a book holds one side's positions alone.

use super::Book;
use super::key::{KeysAfter, key};
use crate::kyokumen::{Kyokumen, PackedKyokumen, Te, Tesu};

/// What a walk found.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// Each position of the book that was reached, once for each key, in the order in which they were.
    pub(super) reached: Vec<Reached>,
    /// How many records belong to none of them.
    pub(super) lost: usize,
}

/// A position, with the smallest number of the next move with which it was reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached {
    pub(super) packed: PackedKyokumen,
    pub(super) tesu: Tesu,
}

struct Walker<'a> {
    book: &'a Book,
    filter: Filter,
    /// A bit for each record, set where the run of records that it begins was reached.
    seen: Vec<u64>,
    walk: Walk,
}

impl Walk {
    /// Walks from these positions.
    pub(super) fn new(book: &Book, roots: &[Kyokumen]) -> Walk {
        let records = book.len();
        let walk = Walk { reached: Vec::new(), lost: records };
        let mut walker = Walker { book, filter: Filter::of(book), seen: vec![0; records.div_ceil(64)], walk };
        for root in roots {
            if !walker.visit(root, key(root), root.tesu()) {
                walker.try_moves(root, root.tesu(), &root.legal_te());
            }
        }
        walker.follow_book_moves(0);
        let mut next = 0;
        while walker.walk.lost > 0
            && let Some((kyokumen, tesu)) = walker.reached(next)
        {
            let before = walker.walk.reached.len();
            walker.look_around(&kyokumen, tesu);
            walker.follow_book_moves(before);
            next += 1;
        }
        walker.walk
    }
}

impl Walker<'_> {
    fn reached(&self, index: usize) -> Option<(Kyokumen, Tesu)> {
        let reached = self.walk.reached.get(index)?;
        Some((reached.packed.unpack()?, reached.tesu))
    }

    fn is_in_book(&self, key: u64) -> bool {
        self.filter.may_have(key) && self.book.run(key).next().is_some()
    }

    /// Takes a position up if the book has it and its key is new; says whether the book has it.
    fn visit(&mut self, kyokumen: &Kyokumen, key: u64, tesu: Tesu) -> bool {
        let run = self.book.run(key);
        let Some(first) = run.clone().next() else { return false };
        let (word, bit) = (first / 64, 1 << (first % 64));
        if self.seen[word] & bit == 0 {
            // A position that can't be packed can't be kept either; it stays lost.
            if let Some(packed) = kyokumen.pack() {
                self.seen[word] |= bit;
                self.walk.reached.push(Reached { packed, tesu });
                self.walk.lost -= run.count().min(self.walk.lost);
            }
        }
        true
    }

    /// Plays the book's moves in all positions from this one on, those that join on the way included.
    fn follow_book_moves(&mut self, mut next: usize) {
        while let Some((kyokumen, tesu)) = self.reached(next) {
            self.try_moves(&kyokumen, tesu, &self.book_moves(&kyokumen));
            next += 1;
        }
    }

    /// Plays all moves of a position, and all replies to those of the book that lead out of it.
    fn look_around(&mut self, kyokumen: &Kyokumen, tesu: Tesu) {
        self.try_moves(kyokumen, tesu, &kyokumen.legal_te());
        let keys = KeysAfter::of(kyokumen);
        for te in self.book_moves(kyokumen) {
            if !self.is_in_book(keys.key(te)) {
                let mut after = kyokumen.clone();
                after.do_te(te);
                self.try_moves(&after, tesu.saturating_add(1), &after.legal_te());
            }
        }
    }

    /// Takes up the positions after legal moves.
    fn try_moves(&mut self, kyokumen: &Kyokumen, tesu: Tesu, moves: &[Te]) {
        let keys = KeysAfter::of(kyokumen);
        let mut after = kyokumen.clone();
        for &te in moves {
            let key = keys.key(te);
            if self.is_in_book(key) {
                let change = after.do_te(te);
                self.visit(&after, key, tesu.saturating_add(1));
                after.undo_te(&change);
            }
        }
    }

    /// The legal moves of the book.
    fn book_moves(&self, kyokumen: &Kyokumen) -> Vec<Te> {
        let run = self.book.run(key(kyokumen));
        run.filter_map(|record| self.book.te(record)).filter(|&te| kyokumen.is_legal(te)).collect()
    }
}

/// A bit for each of 8 to 16 times as many classes of keys as there are records: nearly all keys that the book does not
/// have are turned away by one look.
struct Filter {
    bits: Vec<u64>,
    /// How far a key is moved to leave its class.
    shift: u32,
}

impl Filter {
    fn of(book: &Book) -> Filter {
        let classes = (book.len().max(8) * 8).next_power_of_two();
        let mut filter = Filter { bits: vec![0; classes / 64], shift: 64 - classes.trailing_zeros() };
        for record in book.records() {
            let (word, bit) = filter.place(super::key_of(record));
            filter.bits[word] |= bit;
        }
        filter
    }

    #[inline]
    fn place(&self, key: u64) -> (usize, u64) {
        let class = key >> self.shift;
        ((class / 64) as usize, 1 << (class % 64))
    }

    #[inline]
    fn may_have(&self, key: u64) -> bool {
        let (word, bit) = self.place(key);
        self.bits[word] & bit != 0
    }
}
