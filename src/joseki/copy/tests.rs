//! Copying against a map in memory, into outputs that sort by anything.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::joseki::{JosekiTe, Writer};
use crate::kyokumen::{Kyokumen, Tesu};

/// Where positions sorted by some key end up.
struct List {
    key: fn(&PackedKyokumen) -> Vec<u8>,
    positions: Arc<Mutex<Vec<(PackedKyokumen, Entry)>>>,
}

impl Output for List {
    fn sort_key(&self, packed: &PackedKyokumen, key: &mut Vec<u8>) {
        key.extend((self.key)(packed));
    }

    fn push(&mut self, packed: &PackedKyokumen, entry: &Entry) -> Result<(), JosekiError> {
        self.positions.lock().unwrap().push((*packed, entry.clone()));
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Written, JosekiError> {
        unreachable!()
    }
}

/// As a text format sorts.
fn by_sfen(packed: &PackedKyokumen) -> Vec<u8> {
    packed.unpack().unwrap().to_sfen_without_ply().into_bytes()
}

/// Keys that positions share.
fn by_few_bits(packed: &PackedKyokumen) -> Vec<u8> {
    vec![packed.0[5] & 3]
}

fn by_packed(packed: &PackedKyokumen) -> Vec<u8> {
    packed.0.to_vec()
}

fn by_own_key(packed: &PackedKyokumen) -> Vec<u8> {
    Writer::sort_key(packed).0.to_be_bytes().to_vec()
}

type Known = BTreeMap<PackedKyokumen, Entry>;

/// Positions of random games from the even start.
fn random_positions(games: usize, rng: &mut ChaCha8Rng) -> Known {
    let mut known = Known::new();
    for _ in 0..games {
        let mut kyokumen = Kyokumen::hirate();
        for _ in 0..20 {
            let legal = kyokumen.legal_te();
            let te = legal[rng.random_range(0..legal.len())];
            let moves = legal.iter().take(rng.random_range(1..4)).map(|&te| JosekiTe {
                count: rng.random_bool(0.8).then(|| rng.random_range(0..100)),
                value: rng.random_bool(0.5).then(|| rng.random_range(-500..500)),
                ..JosekiTe::new(te)
            });
            let moves = moves.collect();
            let comment = rng.random_bool(0.1).then(|| "a remark\nof two lines".to_owned());
            known.insert(kyokumen.pack().unwrap(), Entry { tesu: Some(kyokumen.tesu()), comment, moves });
            kyokumen.do_te(te);
        }
    }
    known
}

fn own_book(known: &Known) -> Joseki {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.joseki");
    let mut writer = Writer::create(&path, "").unwrap();
    let mut positions: Vec<_> = known.iter().collect();
    positions.sort_by_key(|(packed, _)| Writer::sort_key(packed));
    positions.into_iter().for_each(|(packed, entry)| writer.push(packed, entry).unwrap());
    writer.finish().unwrap();
    Joseki::open(&path).unwrap()
}

/// Ply, comments and moves by their bits, as the books say it one after the other.
type Said = (Option<Tesu>, Vec<String>, BTreeMap<u16, Vec<JosekiTe>>);

/// What all books together know, by another way than the one that is tested.
fn joined(books: &[&Known]) -> Known {
    let mut all: BTreeMap<PackedKyokumen, Said> = BTreeMap::new();
    for (packed, entry) in books.iter().flat_map(|book| book.iter()) {
        let (tesu, comments, moves) = all.entry(*packed).or_default();
        *tesu = [*tesu, entry.tesu].into_iter().flatten().min();
        comments.extend(entry.comment.clone().filter(|comment| !comments.contains(comment)));
        for te in &entry.moves {
            moves.entry(te.te.bits()).or_default().push(te.clone());
        }
    }
    let join = |moves: Vec<JosekiTe>| {
        let counts: Vec<u64> = moves.iter().filter_map(|te| te.count).collect();
        let count = (!counts.is_empty()).then(|| counts.iter().sum());
        let value = moves.iter().rev().find_map(|te| te.value);
        JosekiTe { count, value, ..JosekiTe::new(moves[0].te) }
    };
    let entry = |(tesu, comments, moves): Said| Entry {
        tesu,
        comment: (!comments.is_empty()).then(|| comments.join("\n")),
        moves: moves.into_values().map(join).collect(),
    };
    all.into_iter().map(|(packed, all)| (packed, entry(all))).collect()
}

fn by_bits(mut entry: Entry) -> Entry {
    entry.moves.sort_by_key(|te| te.te.bits());
    entry
}

fn run(
    books: &[Joseki],
    sorts: &[bool],
    key: fn(&PackedKyokumen) -> Vec<u8>,
    rules: &Rules,
) -> Result<(Vec<(PackedKyokumen, Entry)>, Copied), Trouble> {
    let folder = tempfile::tempdir().unwrap();
    let positions = Arc::default();
    let list = Box::new(List { key, positions: Arc::clone(&positions) });
    let (_, copied) = attempt(books, sorts, list, &folder.path().join("target"), rules, &())?;
    let positions = std::mem::take(&mut *positions.lock().unwrap());
    Ok((positions, copied))
}

#[test]
fn books_are_joined_whatever_the_order_of_the_target_and_however_little_memory_there_is() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let known: [Known; 3] = std::array::from_fn(|_| random_positions(60, &mut rng));
    let books = known.each_ref().map(own_book);
    let want = joined(&known.each_ref());
    let all: usize = known.iter().map(Known::len).sum();
    assert!(want.len() + 50 < all, "too few positions are in several books");
    for key in [by_sfen, by_few_bits, by_packed, by_own_key] {
        for memory in [MEMORY, 20_000] {
            let (found, copied) = run(&books, &[true; 3], key, &Rules { memory, ..Rules::default() }).unwrap();
            assert!(found.is_sorted_by_key(|(packed, _)| (key(packed), *packed)));
            assert_eq!((copied.read, copied.repeated), (all as u64, (all - want.len()) as u64));
            let found: Known = found.into_iter().map(|(packed, entry)| (packed, by_bits(entry))).collect();
            assert_eq!(found, want);
        }
    }
}

#[test]
fn books_in_the_order_of_the_target_are_not_sorted_and_others_are_noticed() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let known: [Known; 2] = std::array::from_fn(|_| random_positions(60, &mut rng));
    let books = known.each_ref().map(own_book);
    let (direct, _) = run(&books, &[false; 2], by_own_key, &Rules::default()).unwrap();
    for sorts in [[true, true], [true, false], [false, true]] {
        assert_eq!(run(&books, &sorts, by_own_key, &Rules::default()).unwrap().0, direct);
    }
    for (sorts, unsorted) in [([false, true], 0), ([true, false], 1)] {
        let trouble = run(&books, &sorts, by_packed, &Rules::default()).unwrap_err();
        assert!(matches!(trouble, Trouble::Unsorted(book) if book == unsorted), "{trouble:?}");
    }
}

#[test]
fn the_first_book_wins_where_that_is_asked_for() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let known: [Known; 2] = std::array::from_fn(|_| random_positions(60, &mut rng));
    let books = known.each_ref().map(own_book);
    let rules = Rules { first_wins: true, ..Rules::default() };
    let mut want = known[1].clone();
    want.extend(known[0].clone());
    for sorts in [[true; 2], [false; 2]] {
        let (found, _) = run(&books, &sorts, by_own_key, &rules).unwrap();
        assert_eq!(found.into_iter().collect::<Known>(), want);
    }
}

#[test]
fn a_change_replaces_adds_or_removes_one_position_alone() {
    let known = random_positions(30, &mut ChaCha8Rng::seed_from_u64(4));
    let book = [own_book(&known)];
    let (&there, _) = known.iter().nth(100).unwrap();
    let new = Kyokumen::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b P 1").unwrap().pack().unwrap();
    let entry = Entry { moves: vec![JosekiTe::new("P*5e".parse().unwrap())], ..Entry::default() };
    for (packed, entry) in [(there, Some(entry.clone())), (there, None), (new, Some(entry)), (new, None)] {
        let mut want = known.clone();
        want.remove(&packed);
        want.extend(entry.clone().map(|entry| (packed, entry)));
        let rules = Rules { change: Some(Change { packed, entry }), ..Rules::default() };
        for (sorts, key) in [([true], by_sfen as fn(&PackedKyokumen) -> _), ([false], by_own_key)] {
            let (found, _) = run(&book, &sorts, key, &rules).unwrap();
            assert!(found.is_sorted_by_key(|(packed, _)| (key(packed), *packed)));
            assert_eq!(found.into_iter().collect::<Known>(), want);
        }
    }
}

#[test]
fn losses_are_counted_and_the_first_of_the_file_are_named() {
    let mut losses = Losses::default();
    for ordinal in [7, 3, 9, 1, 8, 2, 6, 4, 5] {
        losses.add(ordinal, 1, || format!("number {ordinal}"));
    }
    assert_eq!(losses.number, 9);
    let examples: Vec<&str> = losses.examples().collect();
    assert_eq!(examples, ["number 1", "number 2", "number 3", "number 4", "number 5"]);
}
