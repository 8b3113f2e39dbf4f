//! Which positions a book holds that has keys in their place: found by walking from known ones.
//!
//! Breadth first along the moves of the book. Where records are left that no such walk reaches, all legal moves are
//! tried: those of the positions that were found, and the replies to book moves that lead out of the book, as they do
//! where a book holds one side's positions alone.

use super::{Record, Stored};
use crate::kyokumen::{Kyokumen, PackedKyokumen, Te, Tesu};

/// A book of records, one for each move, that stand under the key of their position.
pub(super) trait Keyed {
    /// What stands for a position.
    type Key: Copy;

    /// The key of a position.
    fn key(&self, kyokumen: &Kyokumen) -> Self::Key;

    /// The keys of the positions after legal moves.
    fn keys_after(&self, kyokumen: &Kyokumen) -> impl FnMut(Te) -> Self::Key;

    /// Bits of a key, spread evenly; the highest count most.
    fn bits(key: Self::Key) -> u64;

    /// The bits of the keys of all records.
    fn all_bits(&self) -> impl Iterator<Item = u64>;

    /// The number of records.
    fn len(&self) -> usize;

    /// The records with this key.
    fn run(&self, key: Self::Key) -> impl Iterator<Item = usize> + Clone;

    /// The move of a record; `None` where it is none.
    fn te(&self, record: usize) -> Option<Te>;

    /// All that stands under the key of a position that was reached.
    fn record(&self, reached: &Reached) -> Record;
}

/// What a walk found. It keeps 36 bytes for each position.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// Each position of the book that was reached, once for each key, in the order in which they were.
    pub(super) reached: Vec<Reached>,
    /// The number of records, and of those that belong to no position that was reached.
    records: usize,
    lost: usize,
}

/// A position, with the smallest number of the next move with which it was reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached {
    pub(super) packed: PackedKyokumen,
    pub(super) tesu: Tesu,
}

impl Walk {
    /// Walks from these positions.
    pub(super) fn new(book: &impl Keyed, roots: impl IntoIterator<Item = Kyokumen>) -> Walk {
        let records = book.len();
        let walk = Walk { reached: Vec::new(), records, lost: records };
        let mut walker = Walker { book, filter: Filter::of(book), seen: vec![0; records.div_ceil(64)], walk };
        for root in roots {
            if !walker.visit(&root, book.key(&root), root.tesu()) {
                walker.try_moves(&root, root.tesu(), &root.legal_te());
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

    /// A sentence on what was not reached, if there is any.
    pub(super) fn lost(&self) -> Option<String> {
        let (lost, all) = (self.lost, self.records);
        let what = || format!("{lost} of {all} records belong to positions that can't be reached from the known ones");
        (lost > 0).then(what)
    }

    /// The positions for copying, as [`Book::parts`](super::book::Book::parts) has them; last comes what was not
    /// reached.
    pub(super) fn parts<'a, B: Keyed + Sync>(
        &'a self,
        book: &'a B,
        parts: usize,
    ) -> Vec<Box<dyn Iterator<Item = Stored> + Send + 'a>> {
        let parts = parts.max(1);
        let share = |nth: usize| self.reached.len() * nth / parts;
        let part = |nth: usize| {
            let lost = if nth + 1 == parts { self.lost() } else { None };
            let positions = self.reached[share(nth)..share(nth + 1)].iter();
            let stored = positions.flat_map(|reached| Stored::of(reached.packed, book.record(reached)));
            Box::new(stored.chain(lost.map(Stored::Lost))) as Box<dyn Iterator<Item = Stored> + Send + 'a>
        };
        (0..parts).map(part).collect()
    }
}

struct Walker<'a, B> {
    book: &'a B,
    filter: Filter,
    /// A bit for each record, set where the run of records that it begins was reached.
    seen: Vec<u64>,
    walk: Walk,
}

impl<B: Keyed> Walker<'_, B> {
    fn reached(&self, index: usize) -> Option<(Kyokumen, Tesu)> {
        let reached = self.walk.reached.get(index)?;
        Some((reached.packed.unpack()?, reached.tesu))
    }

    fn is_in_book(&self, key: B::Key) -> bool {
        self.filter.may_have(B::bits(key)) && self.book.run(key).next().is_some()
    }

    /// Takes a position up if the book has it and its key is new; says whether the book has it.
    fn visit(&mut self, kyokumen: &Kyokumen, key: B::Key, tesu: Tesu) -> bool {
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
        let mut key_after = self.book.keys_after(kyokumen);
        for te in self.book_moves(kyokumen) {
            if !self.is_in_book(key_after(te)) {
                let mut after = kyokumen.clone();
                after.do_te(te);
                self.try_moves(&after, tesu.saturating_add(1), &after.legal_te());
            }
        }
    }

    /// Takes up the positions after legal moves.
    fn try_moves(&mut self, kyokumen: &Kyokumen, tesu: Tesu, moves: &[Te]) {
        let mut key_after = self.book.keys_after(kyokumen);
        let mut after = kyokumen.clone();
        for &te in moves {
            let key = key_after(te);
            if self.is_in_book(key) {
                let change = after.do_te(te);
                self.visit(&after, key, tesu.saturating_add(1));
                after.undo_te(&change);
            }
        }
    }

    /// The legal moves of the book.
    fn book_moves(&self, kyokumen: &Kyokumen) -> Vec<Te> {
        let run = self.book.run(self.book.key(kyokumen));
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
    fn of(book: &impl Keyed) -> Filter {
        let classes = (book.len().max(8) * 8).next_power_of_two();
        let mut filter = Filter { bits: vec![0; classes / 64], shift: 64 - classes.trailing_zeros() };
        for key in book.all_bits() {
            let (word, bit) = filter.place(key);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joseki::{Entry, REPEATED};

    /// Records of a key and a move, sorted by the keys.
    struct Few(Vec<(u64, Te)>);

    impl Few {
        fn of(positions: &[(&str, &[&str])]) -> Few {
            let records = positions.iter().flat_map(|(board, moves)| {
                let key = sfen(board).key();
                moves.iter().map(move |usi| (key, usi.parse().unwrap()))
            });
            let mut records: Vec<_> = records.collect();
            records.sort_by_key(|&(key, _)| key);
            Few(records)
        }

        fn walk(&self, roots: &[&str]) -> Walk {
            Walk::new(self, roots.iter().map(|board| sfen(board)))
        }
    }

    impl Keyed for Few {
        type Key = u64;

        fn key(&self, kyokumen: &Kyokumen) -> u64 {
            kyokumen.key()
        }

        fn keys_after(&self, kyokumen: &Kyokumen) -> impl FnMut(Te) -> u64 {
            let kyokumen = kyokumen.clone();
            move |te| {
                let mut after = kyokumen.clone();
                after.do_te(te);
                after.key()
            }
        }

        fn bits(key: u64) -> u64 {
            key
        }

        fn all_bits(&self) -> impl Iterator<Item = u64> {
            self.0.iter().map(|&(key, _)| key)
        }

        fn len(&self) -> usize {
            self.0.len()
        }

        fn run(&self, key: u64) -> impl Iterator<Item = usize> + Clone {
            (0..self.0.len()).filter(move |&record| self.0[record].0 == key)
        }

        fn te(&self, record: usize) -> Option<Te> {
            self.0.get(record).map(|&(_, te)| te)
        }

        fn record(&self, reached: &Reached) -> Record {
            let entry = Entry { tesu: Some(reached.tesu), ..Entry::default() };
            let faults = vec![format!("here: {REPEATED}"), "here: odd".to_owned()];
            Record { place: "here".to_owned(), kyokumen: reached.packed.unpack(), entry, faults }
        }
    }

    fn sfen(board: &str) -> Kyokumen {
        Kyokumen::from_sfen(&format!("{board} - 1")).unwrap()
    }

    fn boards(walk: &Walk) -> Vec<(String, Tesu)> {
        let board = |reached: &Reached| reached.packed.unpack().unwrap().to_sfen_without_ply();
        walk.reached.iter().map(|reached| (board(reached).trim_end_matches(" -").to_owned(), reached.tesu)).collect()
    }

    const START: &str = "4k4/9/9/9/9/9/9/9/4K4 b";
    const RIGHT: &str = "4k4/9/9/9/9/9/9/9/5K3 w";
    const LEFT: &str = "4k4/9/9/9/9/9/9/9/3K5 w";
    const BOTH: &str = "5k3/9/9/9/9/9/9/9/5K3 b";
    const BACK: &str = "5k3/9/9/9/9/9/9/9/4K4 w";

    #[test]
    fn each_position_of_the_book_comes_once_and_no_other() {
        // Two ways to a position, an illegal move, one out of the book, and a way back.
        let book = Few::of(&[
            (START, &["5i4i", "5i6i", "5i5a", "5i5h"]),
            (RIGHT, &["5a4a", "5a6a"]),
            (LEFT, &["5a4a"]),
            (BOTH, &["4i5i"]),
        ]);
        let walk = book.walk(&["9/4k4/9/9/9/9/9/9/4K4 b", START, START]);
        let want = [(START, 1), (RIGHT, 2), (LEFT, 2), (BOTH, 3)].map(|(board, tesu)| (board.to_owned(), tesu));
        assert_eq!(boards(&walk), want);
        assert_eq!(walk.lost(), None);
        for parts in [0, 1, 3, 9] {
            let stored: Vec<Stored> = walk.parts(&book, parts).into_iter().flatten().collect();
            let position = |reached: &Reached| {
                let entry = Entry { tesu: Some(reached.tesu), ..Entry::default() };
                [Stored::Position(reached.packed, entry), Stored::Lost("here: odd".into())]
            };
            assert_eq!(stored, walk.reached.iter().flat_map(position).collect::<Vec<_>>(), "{parts}");
        }
    }

    #[test]
    fn positions_beside_the_moves_of_the_book_are_found_and_far_ones_are_told() {
        // One side's positions alone; then one that no way leads to.
        let book = Few::of(&[(START, &["5i4i"]), (BOTH, &["4i5i"]), ("9/9/9/9/9/9/9/k8/4K4 b", &["5i5h"])]);
        let walk = book.walk(&[START]);
        assert_eq!(boards(&walk), [(START.to_owned(), 1), (BOTH.to_owned(), 3)]);
        let lost = "1 of 3 records belong to positions that can't be reached from the known ones";
        assert_eq!(walk.lost().as_deref(), Some(lost));
        assert_eq!(walk.parts(&book, 2).into_iter().flatten().last(), Some(Stored::Lost(lost.into())));
        // From outside the book the first move leads in.
        assert_eq!(boards(&Few::of(&[(BACK, &["4a5a"])]).walk(&[BOTH])), [(BACK.to_owned(), 2)]);
    }
}
