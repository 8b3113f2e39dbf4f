//! YaneuraOu's binary format, `.ybb`.

mod joseki_support;

use std::path::PathBuf;

use joseki_support::*;
use komadai::joseki::{Entry, Format, Joseki, JosekiTe, Stored, YbbWriter};
use komadai::kyokumen::{Kyokumen, PackedKyokumen};
use rand::RngExt;

fn sample(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/shogihome").join(name)
}

/// All positions of a book as they are copied.
fn stored(book: &Joseki, parts: usize) -> Vec<(PackedKyokumen, Entry)> {
    let all = book.parts(parts).into_iter().flatten();
    all.map(|stored| match stored {
        Stored::Position(packed, entry) => (packed, entry),
        Stored::Lost(what) => panic!("{what}"),
    })
    .collect()
}

/// Writes positions in this order; returns the file and what was left out.
fn written(entries: &[(PackedKyokumen, Entry)]) -> (Vec<u8>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.ybb");
    let mut output = YbbWriter::create(&path, "").unwrap();
    entries.iter().for_each(|(packed, entry)| output.push(packed, entry).unwrap());
    let figures = output.finish().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let moves = entries.iter().map(|(_, entry)| entry.moves.len() as u64).sum::<u64>();
    assert_eq!((figures.positions, figures.moves), (entries.len() as u64, moves));
    assert_eq!(figures.bytes, bytes.len() as u64);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    (bytes, figures.left_out)
}

/// A book made byte by byte: records of position, offset, ply and number of moves, then the area of moves.
fn raw(flags: u64, records: &[(PackedKyokumen, u64, u16, u16)], moves: &[u8]) -> Vec<u8> {
    let mut bytes = b"YANE-BINBOOK-V1\0".to_vec();
    bytes.extend((records.len() as u64).to_le_bytes());
    bytes.extend(flags.to_le_bytes());
    for (packed, offset, tesu, number) in records {
        bytes.extend(packed.0);
        bytes.extend(offset.to_le_bytes());
        bytes.extend(tesu.to_le_bytes());
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(moves);
    bytes
}

fn raw_te(usi: &str, value: i16) -> Vec<u8> {
    [te(usi).bits().to_le_bytes(), value.to_le_bytes()].concat()
}

fn packed(moves: &str) -> PackedKyokumen {
    after(moves).pack().unwrap()
}

/// Positions of random games in the order of the format, each with some legal moves.
fn random_entries(games: usize, seed: u64, depths: bool) -> Vec<(PackedKyokumen, Entry)> {
    let mut rng = rng(seed);
    let mut entries = std::collections::BTreeMap::new();
    for _ in 0..games {
        let mut kyokumen = Kyokumen::hirate();
        for _ in 0..80 {
            let legal = kyokumen.legal_te();
            if legal.is_empty() {
                break;
            }
            let moves = legal.iter().take(1 + rng.random_range(0..4)).map(|&te| JosekiTe {
                value: rng.random_bool(0.8).then(|| rng.random_range(-32767..=32767)),
                depth: depths.then(|| rng.random_range(0..=65535)),
                ..JosekiTe::new(te)
            });
            let entry = Entry { tesu: Some(kyokumen.tesu()), comment: None, moves: moves.collect() };
            entries.entry(kyokumen.pack().unwrap()).or_insert(entry);
            kyokumen.do_te(legal[rng.random_range(0..legal.len())]);
        }
    }
    entries.into_iter().collect()
}

#[test]
fn a_sample_book_is_read_as_it_is() {
    let book = Joseki::open(&sample("yaneuraou.ybb")).unwrap();
    assert_eq!(book.format(), Format::Ybb);
    let start = book.lookup(&Kyokumen::hirate()).unwrap();
    let figures: Vec<_> = start.moves.iter().map(|te| (te.te.to_string(), te.value, te.depth)).collect();
    let figures: Vec<_> =
        figures.iter().map(|(usi, value, depth)| (usi.as_str(), value.unwrap(), depth.unwrap())).collect();
    let expected = [("2g2f", 63, 27), ("7g7f", 20, 25), ("5g5f", -32, 23), ("2h7h", -55, 22), ("3g3f", -74, 18)];
    assert_eq!(figures, expected);
    assert_eq!((start.tesu, &start.comment), (Some(1), &None));
    let first = &start.moves[0];
    assert_eq!((first.count, first.ponder, first.wins), (None, None, None));
    assert_eq!(book.lookup(&after("1g1f")), None);
    assert_eq!(book.lookup(&Kyokumen::from_sfen("4k4/9/9/9/9/9/9/9/9 b - 1").unwrap()), None);
    for name in ["yaneuraou.ybb", "yaneuraou-edit.ybb"] {
        let book = Joseki::open(&sample(name)).unwrap();
        assert_eq!(book.warnings(), [] as [&str; 0]);
        let verdict = book.verify(&mut |fault| panic!("{fault}"));
        assert!(verdict.is_good() && verdict.positions >= 5 && verdict.moves >= 18, "{verdict:?}");
    }
}

#[test]
fn the_binary_sample_says_the_same_as_the_text_it_was_made_from() {
    let (binary, text) = ["yaneuraou.ybb", "yaneuraou.db"].map(|name| Joseki::open(&sample(name)).unwrap()).into();
    let mut compared = 0;
    for record in text.records() {
        let kyokumen = record.kyokumen.unwrap();
        let entry = binary.lookup(&kyokumen).unwrap();
        let moves = |entry: &Entry| entry.moves.iter().map(|te| te.te).collect::<Vec<_>>();
        assert_eq!(moves(&entry), moves(&record.entry));
        for (a, b) in entry.moves.iter().zip(&record.entry.moves) {
            // What the text does not know is 0 in the binary file. Three blanks in a row hide unknown figures.
            if b.value.is_none() || b.depth.is_some() {
                assert_eq!((a.value, a.depth), (b.value.or(Some(0)), b.depth.or(Some(0))));
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 15);
}

#[test]
fn books_of_other_programs_are_written_back_byte_for_byte() {
    for name in ["yaneuraou.ybb", "yaneuraou-edit.ybb"] {
        let book = Joseki::open(&sample(name)).unwrap();
        for parts in [1, 2, 3, 100] {
            let (bytes, left_out) = written(&stored(&book, parts));
            assert_eq!(bytes, std::fs::read(sample(name)).unwrap(), "{name}");
            assert_eq!(left_out, [] as [&str; 0]);
        }
    }
}

#[test]
fn every_position_of_a_large_book_is_found_and_no_other() {
    for depths in [true, false] {
        // More positions than are all looked at when the book is opened.
        let entries = random_entries(120, 1, depths);
        assert!(entries.len() > 8000, "{}", entries.len());
        let (bytes, left_out) = written(&entries);
        assert_eq!(bytes[24], u8::from(depths));
        assert_eq!(left_out, [] as [&str; 0]);
        let book = book(&bytes);
        assert_eq!(stored(&book, 3), entries);
        for (packed, entry) in &entries {
            assert_eq!(book.lookup(&packed.unpack().unwrap()).as_ref(), Some(entry));
        }
        for (packed, _) in random_entries(5, 2, depths) {
            let is_there = entries.binary_search_by_key(&packed, |(packed, _)| *packed).is_ok();
            assert_eq!(book.lookup(&packed.unpack().unwrap()).is_some(), is_there);
        }
        assert!(book.is_sorted());
    }
}

#[test]
fn positions_out_of_order_are_found_all_the_same() {
    let mut entries = random_entries(120, 3, true);
    let (sorted, _) = written(&entries);
    // The second half of the records first: the samples tell. Then two neighbours changed in a small book.
    let records = &sorted[32..32 + entries.len() * 44];
    let (first, second) = records.split_at(entries.len() / 2 * 44);
    let moved = [&sorted[..32], second, first, &sorted[32 + records.len()..]].concat();
    entries.truncate(10);
    let (mut few, _) = written(&entries);
    few[32..120].rotate_left(44);
    for (bytes, place) in [(moved, entries_place(&sorted)), (few, 2)] {
        let book = book(&bytes);
        assert_eq!(book.warnings(), ["its positions are not in the order of the format; they are found all the same"]);
        for (packed, entry) in stored(&book, 1) {
            assert_eq!(book.lookup(&packed.unpack().unwrap()), Some(entry));
        }
        let mut faults = Vec::new();
        let verdict = book.verify(&mut |fault| faults.push(fault.to_owned()));
        assert!(!verdict.sorted);
        assert_eq!(faults, [format!("record {place}: not in the order of the format")]);
    }
}

/// Where the record is, from 1, that comes first in order when the second half of the records stands first.
fn entries_place(bytes: &[u8]) -> usize {
    let positions = u64::from_le_bytes(*bytes[16..].first_chunk().unwrap()) as usize;
    positions - positions / 2 + 1
}

/// A sorted book that is too large to be looked at wholly when it is opened.
fn large(seed: u64) -> (Vec<(PackedKyokumen, Entry)>, Vec<u8>) {
    let entries = random_entries(120, seed, true);
    assert!(entries.len() > 8000, "{}", entries.len());
    let (bytes, _) = written(&entries);
    (entries, bytes)
}

fn assert_finds_all(book: &Joseki, entries: &[(PackedKyokumen, Entry)]) {
    for (packed, entry) in entries {
        assert_eq!(book.lookup(&packed.unpack().unwrap()).as_ref(), Some(entry));
    }
}

#[test]
fn an_order_that_the_samples_took_for_good_is_found_out_later_and_told_once() {
    let (entries, sorted) = large(6);
    let mut rng = rng(7);
    let mut late = 0;
    for round in 0..12 {
        let mut bytes = sorted.clone();
        let from = rng.random_range(1000..entries.len() - 1000);
        let record = |nth: usize| 32 + nth * 44;
        let place = if round % 2 == 0 {
            bytes[record(from)..record(from + 2)].rotate_left(44);
            from + 2
        } else {
            // One record far before its place.
            bytes[record(from - 700)..record(from + 1)].rotate_right(44);
            from - 700 + 2
        };
        let book = book(&bytes);
        book.settle();
        assert_finds_all(&book, &entries);
        let warnings = [book.warnings().to_vec(), book.late_warnings()].concat();
        if book.warnings().is_empty() {
            late += 1;
            assert_eq!(
                warnings,
                [format!("record {place} is out of order, so all positions are found through an index now")]
            );
        }
        assert_eq!(warnings.len(), 1);
        assert!(book.late_warnings().is_empty());
        let mut faults = Vec::new();
        assert!(!book.verify(&mut |fault| faults.push(fault.to_owned())).sorted);
        assert_eq!(faults, [format!("record {place}: not in the order of the format")]);
    }
    assert!(late >= 6, "only {late} of 12 were missed by the samples");
}

#[test]
fn a_large_book_in_order_gives_no_warning() {
    let (entries, bytes) = large(8);
    let book = book(&bytes);
    book.settle();
    assert_finds_all(&book, &entries);
    assert_eq!((book.warnings().len(), book.late_warnings().len()), (0, 0));
}

#[test]
fn positions_whose_moves_lie_outside_the_file_are_counted_at_once_or_later() {
    let (entries, mut bytes) = large(9);
    let few = {
        let (mut bytes, _) = written(&entries[..20]);
        bytes.truncate(bytes.len() - entries[18..20].iter().map(|(_, entry)| entry.moves.len() * 6).sum::<usize>());
        book(&bytes)
    };
    let cut = "the moves of its last position lie outside the file; it may be cut short";
    let before = |number: u32| format!("{number} of its positions before the last one have moves outside the file");
    assert_eq!(few.warnings(), [cut.to_owned(), before(1)]);
    assert_eq!(few.late_warnings(), [] as [&str; 0]);
    for record in [3000, 5000, 5001] {
        bytes[32 + record * 44 + 32..][..8].fill(0xff);
    }
    let many = book(&bytes);
    assert_eq!(many.warnings(), [] as [&str; 0]);
    many.settle();
    assert_eq!(many.late_warnings(), [before(3)]);
    assert_eq!(many.late_warnings(), [] as [&str; 0]);
    // Out of order for the samples too: both are told.
    let last = entries.len() - 1;
    bytes[32..32 + 32].fill(0xff);
    let many = book(&bytes);
    assert_eq!(many.warnings().len(), 1);
    many.settle();
    assert_eq!(many.late_warnings(), [before(3)]);
    assert_eq!(many.lookup(&entries[last].0.unpack().unwrap()).as_ref(), Some(&entries[last].1));
}

#[test]
fn a_book_may_be_closed_while_it_is_looked_at() {
    let (_, mut bytes) = large(10);
    bytes[32 + 5000 * 44..][..88].rotate_left(44);
    for _ in 0..20 {
        drop(book(&bytes));
    }
}

#[test]
fn what_the_format_has_no_room_for_is_counted() {
    let full = JosekiTe { value: Some(40_000), depth: Some(70_000), ..full("7g7f") };
    let low = JosekiTe { value: Some(-32_769), ..JosekiTe::new(te("2g2f")) };
    let unknown = JosekiTe { value: Some(-32_768), ..JosekiTe::new(te("5g5f")) };
    let moves = vec![full, low, unknown, JosekiTe::new(te("3g3f"))];
    let entry = Entry { tesu: Some(65_536), comment: Some("b".into()), moves };
    let (bytes, left_out) = written(&[(packed(""), entry)]);
    assert_eq!(
        left_out,
        [
            "1 comment on a position",
            "1 ply",
            "1 ponder move",
            "1 count",
            "1 set of results",
            "1 set of ratings",
            "1 annotation",
            "1 comment on a move",
            "1 depth that is too large, cut down",
            "3 unknown depths, written as 0",
            "2 values that are too large, cut down",
        ]
    );
    let entry = book(bytes).lookup(&Kyokumen::hirate()).unwrap();
    let figures: Vec<_> = entry.moves.iter().map(|te| (te.value, te.depth)).collect();
    let expected = [(Some(32_767), Some(65_535)), (Some(-32_767), Some(0)), (None, Some(0)), (None, Some(0))];
    assert_eq!((figures.as_slice(), entry.tesu), (&expected[..], None));
}

#[test]
fn unknown_depths_alone_take_no_room_and_a_depth_of_0_does() {
    let entry = |depth| Entry { moves: vec![JosekiTe { depth, ..JosekiTe::new(te("7g7f")) }], ..Entry::default() };
    assert_eq!(written(&[(packed(""), entry(None))]).0.len(), 32 + 44 + 4);
    assert_eq!(written(&[(packed(""), entry(Some(0)))]).0.len(), 32 + 44 + 6);
}

#[test]
fn positions_out_of_order_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.ybb");
    std::fs::write(&path, "old").unwrap();
    let entries = random_entries(1, 4, true);
    let mut output = YbbWriter::create(&path, "").unwrap();
    output.push(&entries[1].0, &entries[1].1).unwrap();
    assert!(output.push(&entries[1].0, &entries[1].1).is_err());
    assert!(output.push(&entries[0].0, &entries[0].1).is_err());
    drop(output);
    assert_eq!(std::fs::read(&path).unwrap(), b"old");
}

#[test]
fn a_book_without_positions_is_a_book() {
    let (bytes, _) = written(&[]);
    assert_eq!(bytes.len(), 32);
    let book = book(bytes);
    assert!(book.lookup(&Kyokumen::hirate()).is_none() && book.verify(&mut |fault| panic!("{fault}")).is_good());
}

#[test]
fn what_can_not_be_read_is_refused_in_a_sentence() {
    let good = std::fs::read(sample("yaneuraou.ybb")).unwrap();
    let changed = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = good.clone();
        change(&mut bytes);
        open_bytes(&bytes).unwrap_err().to_string()
    };
    let ends = |error: String, end: &str| assert!(error.ends_with(end), "{error}");
    ends(changed(&|bytes| bytes[24] = 3), "its flags, 0x3, ask for something that this program does not know");
    ends(changed(&|bytes| bytes[14] = b'2'), "YANE-BINBOOK-V2\\x00, are those of no .ybb book that this program knows");
    ends(
        changed(&|bytes| bytes.truncate(251)),
        "it is cut short: 251 bytes are left, too few for the 5 positions that it should have; fetch it again",
    );
    ends(changed(&|bytes| bytes.truncate(20)), "it is cut short: 20 bytes are left, not even a header; fetch it again");
    // Numbers of positions whose length overflows.
    for byte in 16..24 {
        ends(changed(&|bytes| bytes[byte] = 255), "positions that it should have; fetch it again");
    }
    ends(changed(&|bytes| bytes[16..24].fill(255)), "positions that it should have; fetch it again");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.ybb");
    std::fs::write(&path, "something else that is long enough").unwrap();
    ends(Joseki::open(&path).unwrap_err().to_string(), "are those of no .ybb book that this program knows");
}

#[test]
fn damage_costs_the_moves_that_it_hits_and_is_reported() {
    let moves = [raw_te("7g7f", 5), vec![0; 4], raw_te("2g2f", i16::MIN), raw_te("3c3d", 1)].concat();
    let mut records = vec![
        (packed(""), 0, 1, 3),
        (packed("7g7f"), 12, 0, 2),
        (packed("2g2f"), u64::MAX, 2, 1),
        (packed("5g5f"), 8, 2, 1),
        (packed("3g3f"), 16, 2, 0),
        (packed("1g1f"), 4, 2, 65535),
    ];
    records.sort();
    let place = |moves: &str| records.iter().position(|record| record.0 == packed(moves)).unwrap() + 1;
    let book = book(raw(0, &records, &moves));
    let start = book.lookup(&Kyokumen::hirate()).unwrap();
    let values: Vec<_> = start.moves.iter().map(|te| (te.te.to_string(), te.value, te.depth)).collect();
    assert_eq!(values, [("7g7f".to_owned(), Some(5), None), ("2g2f".to_owned(), None, None)]);
    let reply = book.lookup(&after("7g7f")).unwrap();
    assert_eq!((reply.tesu, reply.moves.len(), reply.moves[0].te), (None, 1, te("3c3d")));
    assert_eq!(book.lookup(&after("2g2f")).unwrap().moves.len(), 0);
    let mut faults = Vec::new();
    book.verify(&mut |fault| faults.push(fault.to_owned()));
    for fault in [
        format!("record {}: move 2 is none", place("")),
        format!("record {}: its moves lie outside the file", place("7g7f")),
        format!("record {}: its moves lie outside the file", place("2g2f")),
        format!("record {}: it states 65535 moves, more than any position has", place("1g1f")),
        format!("record {}: 2g2f is illegal", place("5g5f")),
        "the positions state 65541 moves, the file has room for 4".to_owned(),
        "the moves of 3 positions overlap those of others".to_owned(),
    ] {
        assert!(faults.contains(&fault), "{fault}: {faults:#?}");
    }
    // A copy takes all positions along, and tells what it can't.
    let (mut positions, mut lost) = (0, Vec::new());
    for stored in book.parts(2).into_iter().flatten() {
        match stored {
            Stored::Position(..) => positions += 1,
            Stored::Lost(what) => lost.push(what),
        }
    }
    assert_eq!((positions, lost.len()), (6, 5), "{lost:?}");
    assert!(lost.iter().all(|what| faults.contains(what)));
}

#[test]
fn bytes_that_belong_to_no_position_are_reported() {
    let faults = |records: &[(PackedKyokumen, u64, u16, u16)], moves: &[u8]| {
        let mut faults = Vec::new();
        book(raw(0, records, moves)).verify(&mut |fault| faults.push(fault.to_owned()));
        faults
    };
    let moves = [vec![1; 3], raw_te("7g7f", 5), vec![1; 2], raw_te("3c3d", 1), vec![1; 4]].concat();
    let (start, reply) = ((packed(""), 3, 1, 1), (packed("7g7f"), 9, 2, 1));
    assert_eq!(faults(&[start, reply], &moves), ["9 bytes among the moves belong to no position"]);
    // Moves need not stand in the order of the positions.
    let moves = [raw_te("3c3d", 5), raw_te("7g7f", 1)].concat();
    let (start, reply) = ((packed(""), 4, 1, 1), (packed("7g7f"), 0, 2, 1));
    assert_eq!(faults(&[start, reply], &moves), [] as [&str; 0]);
}

#[test]
fn a_position_or_a_move_that_stands_twice_is_one_and_reported() {
    let moves = [raw_te("7g7f", 5), raw_te("7g7f", 6), raw_te("2g2f", 1)].concat();
    let book = book(raw(0, &[(packed(""), 0, 3, 2), (packed(""), 8, 2, 1)], &moves));
    let entry = book.lookup(&Kyokumen::hirate()).unwrap();
    let values: Vec<_> = entry.moves.iter().map(|te| (te.te.to_string(), te.value)).collect();
    assert_eq!(values, [("7g7f".to_owned(), Some(6)), ("2g2f".to_owned(), Some(1))]);
    assert_eq!(entry.tesu, Some(2));
    let mut faults = Vec::new();
    let verdict = book.verify(&mut |fault| faults.push(fault.to_owned()));
    assert_eq!(
        faults,
        [
            "record 1: the move is there already",
            "record 2: the position is there already",
            "record 2: not in the order of the format"
        ]
    );
    assert_eq!(verdict.repeated, 2);
}

#[test]
fn a_book_whose_end_is_missing_warns() {
    let (mut bytes, _) = written(&random_entries(2, 5, true));
    bytes.truncate(bytes.len() - 1);
    assert_eq!(book(&bytes).warnings(), ["the moves of its last position lie outside the file; it may be cut short"]);
}
