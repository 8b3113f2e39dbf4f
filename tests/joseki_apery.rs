//! Apery's format, `.bin`.

mod joseki_support;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use joseki_support::*;
use komadai::joseki::{AperyWriter, Entry, Format, Joseki, JosekiTe, Select, Selection, Stored};
use komadai::kyokumen::{Kyokumen, PackedKyokumen};
use rand::{Rng, RngExt};

fn sample(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/shogihome").join(name)
}

fn open(bytes: &[u8]) -> Result<Joseki, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.bin");
    std::fs::write(&path, bytes).unwrap();
    Joseki::open(&path).map_err(|error| error.to_string())
}

/// All that is copied of a book, and what is lost.
fn stored(book: &Joseki, parts: usize) -> (Vec<(PackedKyokumen, Entry)>, Vec<String>) {
    let (mut positions, mut lost) = (Vec::new(), Vec::new());
    for stored in book.parts(parts).into_iter().flatten() {
        match stored {
            Stored::Position(packed, entry) => positions.push((packed, entry)),
            Stored::Lost(what) => lost.push(what),
        }
    }
    (positions, lost)
}

/// Writes positions, sorted as the format asks; returns the file and what was left out.
fn written(entries: &[(PackedKyokumen, Entry)]) -> (Vec<u8>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.bin");
    let mut output = AperyWriter::create(&path, "").unwrap();
    let mut sorted: Vec<_> = entries.iter().collect();
    sorted.sort_by_cached_key(|(packed, _)| AperyWriter::sort_key(packed));
    sorted.iter().for_each(|(packed, entry)| output.push(packed, entry).unwrap());
    let figures = output.finish().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!((figures.bytes, figures.moves), (bytes.len() as u64, bytes.len() as u64 / 16));
    (bytes, figures.left_out)
}

fn counted(usi: &str, count: u64) -> JosekiTe {
    JosekiTe { count: Some(count), value: Some(0), ..JosekiTe::new(te(usi)) }
}

fn entry(moves: impl IntoIterator<Item = JosekiTe>) -> Entry {
    Entry { moves: moves.into_iter().collect(), ..Entry::default() }
}

fn packed(kyokumen: &Kyokumen) -> PackedKyokumen {
    kyokumen.pack().unwrap()
}

fn sfen(sfen: &str) -> Kyokumen {
    Kyokumen::from_sfen(sfen).unwrap()
}

/// A book of some moves from the even start, each with the moves after which it is played.
fn lines(moves: &[(&str, &str)]) -> Vec<(PackedKyokumen, Entry)> {
    moves.iter().map(|(before, usi)| (packed(&after(before)), entry([counted(usi, 1)]))).collect()
}

/// Random games, every move of which is in the book.
fn random_entries(games: usize, seed: u64) -> Vec<(PackedKyokumen, Entry)> {
    let mut rng = rng(seed);
    let mut entries = std::collections::BTreeMap::<PackedKyokumen, Entry>::new();
    for _ in 0..games {
        let mut kyokumen = Kyokumen::hirate();
        for _ in 0..80 {
            let legal = kyokumen.legal_te();
            if legal.is_empty() {
                break;
            }
            let te = legal[rng.random_range(0..legal.len())];
            let moves = &mut entries.entry(packed(&kyokumen)).or_default().moves;
            if moves.iter().all(|known| known.te != te) {
                let (count, value) = (Some(rng.random_range(0..65536)), Some(rng.random::<i32>()));
                moves.push(JosekiTe { count, value, ..JosekiTe::new(te) });
            }
            kyokumen.do_te(te);
        }
    }
    entries.into_iter().collect()
}

#[test]
fn a_sample_book_is_read_as_it_is() {
    let book = Joseki::open(&sample("apery.bin")).unwrap();
    assert_eq!((book.format(), book.warnings().len()), (Format::Apery, 0));
    let start = book.lookup(&Kyokumen::hirate()).unwrap();
    let only = JosekiTe { value: Some(30), ..counted("2g2f", 100) };
    assert_eq!(start, entry([only]));
    assert_eq!(book.lookup(&after("2g2f")).unwrap().moves[0].value, Some(-30));
    assert!(book.lookup(&after("1g1f")).is_none());
}

#[test]
fn books_of_other_programs_are_written_back_byte_for_byte() {
    for (name, number) in [("apery.bin", 0), ("apery-merge.bin", 1)] {
        let bytes = std::fs::read(sample(name)).unwrap();
        let book = Joseki::open(&sample(name)).unwrap();
        for parts in [1, 3, 50] {
            let (positions, lost) = stored(&book, parts);
            // What no walk reaches is missing, and counted.
            let (rewritten, left_out) = written(&positions);
            let keys: HashSet<_> = rewritten.chunks(16).map(|record| record[..8].to_vec()).collect();
            let reached: Vec<u8> =
                bytes.chunks(16).filter(|record| keys.contains(&record[..8])).flatten().copied().collect();
            assert_eq!(rewritten, reached);
            let all = bytes.len() / 16;
            assert_eq!(bytes.len(), reached.len() + number * 16);
            let sentence =
                format!("{number} of {all} records belong to positions that can't be reached from the known ones");
            assert_eq!(lost, if number == 0 { vec![] } else { vec![sentence] });
            // The walk tells the plies, which the format has no room for.
            assert_eq!(left_out, [format!("{} plies", keys.len())]);
        }
    }
}

#[test]
fn every_position_of_a_large_book_is_found_and_no_other() {
    let entries = random_entries(120, 1);
    let (bytes, left_out) = written(&entries);
    assert!(bytes.len() / 16 > 8000);
    assert_eq!(left_out, [] as [&str; 0]);
    let book = open(&bytes).unwrap();
    for (packed, entry) in &entries {
        assert_eq!(book.lookup(&packed.unpack().unwrap()).as_ref(), Some(entry));
    }
    for (packed, _) in random_entries(5, 2) {
        let is_there = entries.binary_search_by_key(&packed, |(packed, _)| *packed).is_ok();
        assert_eq!(book.lookup(&packed.unpack().unwrap()).is_some(), is_there);
    }
    // The walk finds all, each once, and the smallest ply of each.
    let (positions, lost) = stored(&book, 7);
    assert!(lost.is_empty() && positions.len() == entries.len());
    assert_eq!(positions[0].1.tesu, Some(1));
    assert!(positions.is_sorted_by_key(|(_, entry)| entry.tesu));
    let without_plies = |(packed, entry): &(PackedKyokumen, Entry)| (*packed, Entry { tesu: None, ..entry.clone() });
    let mut found: Vec<_> = positions.iter().map(without_plies).collect();
    found.sort_by_key(|(packed, _)| *packed);
    assert_eq!(found, entries);
    assert_eq!(written(&found).0, bytes);
    assert!(book.verify(&mut |fault| panic!("{fault}")).is_good());
}

#[test]
fn a_move_that_is_added_stands_once_in_its_place() {
    // As a user does who adds a move to a position that the book has already.
    let mut positions = stored(&Joseki::open(&sample("apery.bin")).unwrap(), 1).0;
    let at = after("2g2f");
    let entry = &mut positions.iter_mut().find(|(packed, _)| *packed == at.pack().unwrap()).unwrap().1;
    entry.moves.push(counted("8c8d", 7));
    let (bytes, _) = written(&positions);
    assert!(bytes.chunks(16).is_sorted_by_key(|record| u64::from_le_bytes(*record.first_chunk().unwrap())));
    let old = std::fs::read(sample("apery.bin")).unwrap();
    assert!(bytes.len() <= old.len() + 16);
    let key: [u8; 8] = [0xf1, 0xf0, 0xe4, 0x9b, 0x18, 0xda, 0x1b, 0x72];
    let records: Vec<_> = bytes.chunks(16).filter(|record| record[..8] == key).collect();
    assert_eq!(records.len(), 2);
    assert_eq!(
        counts(&open(&bytes).unwrap().lookup(&at).unwrap()),
        [("3c3d".into(), Some(100)), ("8c8d".into(), Some(7))]
    );
    // All others stand as they did.
    let others = |bytes: &[u8]| -> Vec<Vec<u8>> {
        bytes.chunks(16).filter(|record| record[..8] != key).map(<[u8]>::to_vec).collect()
    };
    let kept: HashSet<_> = others(&bytes).into_iter().collect();
    assert_eq!(others(&old).into_iter().filter(|record| kept.contains(record)).collect::<Vec<_>>(), others(&bytes));
}

#[test]
fn records_that_no_walk_reaches_are_counted_and_found_from_their_root() {
    let handicap = sfen("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
    let mut other = handicap.clone();
    other.do_te(te("3c3d"));
    let mut entries = lines(&[("", "7g7f"), ("7g7f", "3c3d")]);
    entries.push((packed(&handicap), entry([counted("3c3d", 1), counted("7c7d", 1)])));
    entries.push((packed(&other), entry([counted("7g7f", 1)])));
    let (bytes, _) = written(&entries);
    let mut book = open(&bytes).unwrap();
    let sentence = "3 of 5 records belong to positions that can't be reached from the known ones";
    let mut faults = Vec::new();
    let verdict = book.verify(&mut |fault| faults.push(fault.to_owned()));
    assert_eq!((faults.as_slice(), verdict.damaged, verdict.positions), (&[sentence.to_owned()][..], 1, 2));
    assert_eq!(stored(&book, 2).1, [sentence]);
    // A lookup finds them all the same.
    assert_eq!(book.lookup(&other).unwrap().moves.len(), 1);
    book.add_roots(&[sfen("4k4/9/9/9/9/9/9/9/9 b - 1"), handicap.clone()]);
    let (positions, lost) = stored(&book, 2);
    assert_eq!((positions.len(), lost.len()), (4, 0));
    assert!(book.verify(&mut |fault| panic!("{fault}")).is_good());
}

#[test]
fn positions_after_moves_that_the_book_lacks_are_found() {
    // A book of Sente's moves alone; and one whose line is joined by a move that is not in it.
    for moves in [
        [("", "7g7f"), ("7g7f 3c3d", "2g2f"), ("7g7f 3c3d 2g2f 8c8d", "2f2e"), ("7g7f 8c8d", "2g2f")],
        [("", "7g7f"), ("2g2f", "8c8d"), ("7g7f", "3c3d"), ("2g2f 8c8d", "2f2e")],
    ] {
        let book = open(&written(&lines(&moves)).0).unwrap();
        let (positions, lost) = stored(&book, 1);
        assert_eq!((positions.len(), lost.len()), (4, 0), "{moves:?}");
        for (before, _) in moves {
            let kyokumen = after(before);
            let found = positions.iter().find(|(packed, _)| *packed == kyokumen.pack().unwrap());
            assert_eq!(found.unwrap().1.tesu, Some(kyokumen.tesu()), "{before:?}");
        }
    }
    // Even where the start itself is not in it.
    let book = open(&written(&lines(&[("7g7f", "3c3d"), ("7g7f 3c3d", "2g2f")])).0).unwrap();
    assert_eq!(stored(&book, 1).0.len(), 2);
}

#[test]
fn positions_that_share_a_key_become_one() {
    // The key does not know what the other side holds.
    let (a, b) = (sfen("4k4/9/9/9/9/9/9/9/4K4 b P 1"), sfen("4k4/9/9/9/9/9/9/9/4K4 b Pr 1"));
    let entries = [
        (packed(&a), entry([counted("P*5e", 40_000), counted("5i5h", 3)])),
        (packed(&b), entry([counted("5i4i", 2), counted("P*5e", 40_000)])),
    ];
    let (bytes, left_out) = written(&entries);
    assert_eq!(
        left_out,
        ["1 position that shares its key with another, merged", "1 count that is too large, cut down"]
    );
    let book = open(&bytes).unwrap();
    let found = book.lookup(&b).unwrap();
    assert_eq!(book.lookup(&a), Some(found.clone()));
    let mut moves = counts(&found);
    moves.sort();
    let expected = [("5i4i", 2), ("5i5h", 3), ("P*5e", 65535)];
    assert_eq!(moves, expected.map(|(usi, count)| (usi.to_owned(), Some(count))));
}

#[test]
fn what_the_format_has_no_room_for_is_counted() {
    let full = JosekiTe { count: Some(70_000), value: Some(-40_000), depth: Some(20), ..full("7g7f") };
    let moves = vec![full, JosekiTe::new(te("2g2f"))];
    let start = (packed(&Kyokumen::hirate()), Entry { tesu: Some(1), comment: Some("b".into()), moves });
    let no_position = (PackedKyokumen([0; 32]), entry([counted("7g7f", 1)]));
    let (bytes, left_out) = written(&[start, no_position, (packed(&after("7g7f")), Entry::default())]);
    assert_eq!(
        left_out,
        [
            "1 comment on a position",
            "1 ply",
            "1 position that can't be read",
            "1 position without moves",
            "1 ponder move",
            "1 count that is too large, cut down",
            "1 unknown count, written as 0",
            "1 set of results",
            "1 set of ratings",
            "1 annotation",
            "1 comment on a move",
            "1 depth",
            "1 unknown value, written as 0",
        ]
    );
    let known = JosekiTe { value: Some(-40_000), ..counted("7g7f", 65_535) };
    assert_eq!(open(&bytes).unwrap().lookup(&Kyokumen::hirate()), Some(entry([known, counted("2g2f", 0)])));
}

#[test]
fn positions_out_of_order_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.bin");
    let mut output = AperyWriter::create(&path, "").unwrap();
    // The key of the start is the larger one.
    let (start, reply) = (packed(&Kyokumen::hirate()), packed(&after("7g7f")));
    output.push(&start, &Entry::default()).unwrap();
    assert!(output.push(&start, &Entry::default()).is_err());
    assert!(output.push(&reply, &Entry::default()).is_err());
    drop(output);
    assert!(!path.exists());
}

/// Records of `key of these moves, move, count`, in this order.
fn raw(records: &[(&str, &str, u16)]) -> Vec<u8> {
    let record = |&(before, usi, count): &(&str, &str, u16)| {
        let mut bytes = written(&lines(&[(before, usi)])).0;
        bytes[10..12].copy_from_slice(&count.to_le_bytes());
        bytes
    };
    records.iter().flat_map(record).collect()
}

#[test]
fn counts_of_0_and_empty_files_are_no_trouble() {
    for select in [Select::Count, Select::Best, Select::Value] {
        let selection = Selection { select, ..Selection::default() };
        let books = [open(&raw(&[("", "7g7f", 0), ("", "2g2f", 0)])).unwrap()];
        let choices: HashSet<_> =
            (0..50).map(|seed| selection.probe(&books, &Kyokumen::hirate(), &mut rng(seed)).chosen).collect();
        assert!(!choices.contains(&None));
        // A first record without a count does not keep the second from being played.
        let books = [open(&raw(&[("", "7g7f", 0), ("", "2g2f", 5)])).unwrap()];
        let answer = selection.probe(&books, &Kyokumen::hirate(), &mut rng(1)).answer().unwrap();
        assert!(select == Select::Value || answer.0 == te("2g2f"));
        let empty = selection.probe(&[open(b"").unwrap()], &Kyokumen::hirate(), &mut rng(1));
        assert_eq!((empty.answer(), empty.candidates.len()), (None, 0));
    }
    let empty = open(b"").unwrap();
    assert!(empty.lookup(&Kyokumen::hirate()).is_none() && empty.verify(&mut |fault| panic!("{fault}")).is_good());
}

#[test]
fn a_hit_whose_next_position_is_not_in_the_book_has_no_reply() {
    let probe = probe(&Selection::default(), open(&raw(&[("", "7g7f", 1)])).unwrap(), &Kyokumen::hirate());
    assert_eq!(probe.answer(), Some((te("7g7f"), None)));
}

#[test]
fn an_illegal_move_does_not_cost_its_neighbours() {
    let mut bytes = raw(&[("7g7f", "3c3d", 1), ("", "7g7e", 9), ("", "7g7f", 3), ("", "2g2f", 1)]);
    // A move that is none: from and to the same square.
    bytes[40..42].copy_from_slice(&[0, 0]);
    let book = open(&bytes).unwrap();
    assert_eq!(
        counts(&book.lookup(&Kyokumen::hirate()).unwrap()),
        [("7g7e".into(), Some(9)), ("2g2f".into(), Some(1))]
    );
    let mut faults = Vec::new();
    book.verify(&mut |fault| faults.push(fault.to_owned()));
    assert_eq!(faults, ["record 3: this is no move", "record 2: 7g7e is illegal"]);
    assert_eq!(stored(&book, 1).1, ["record 3: this is no move"]);
    let probe = probe(&Selection::default(), book, &Kyokumen::hirate());
    assert_eq!(probe.answer(), Some((te("2g2f"), None)));
}

#[test]
fn a_move_that_stands_twice_is_one_and_reported() {
    let book = open(&raw(&[("", "7g7f", 3), ("", "2g2f", 1), ("", "7g7f", 4)])).unwrap();
    assert_eq!(
        counts(&book.lookup(&Kyokumen::hirate()).unwrap()),
        [("7g7f".into(), Some(7)), ("2g2f".into(), Some(1))]
    );
    let mut faults = Vec::new();
    assert_eq!(book.verify(&mut |fault| faults.push(fault.to_owned())).repeated, 1);
    assert_eq!(faults, ["record 3: the move is there already"]);
}

#[test]
fn positions_out_of_order_are_found_all_the_same() {
    let mut bytes = std::fs::read(sample("apery.bin")).unwrap();
    bytes.rotate_left(64);
    let book = open(&bytes).unwrap();
    assert_eq!(book.warnings(), ["its keys are not in order; positions are found all the same"]);
    assert_eq!(book.lookup(&Kyokumen::hirate()).unwrap().moves.len(), 1);
    assert!(!book.is_sorted());
    // The order of the moves of a position stays.
    let sorted = stored(&Joseki::open(&sample("apery.bin")).unwrap(), 1);
    assert_eq!(stored(&book, 1), sorted);
}

#[test]
fn what_is_no_book_is_refused_in_a_sentence() {
    let ends = |bytes: &[u8], end: &str| {
        let error = open(bytes).unwrap_err();
        assert!(error.ends_with(end), "{error}");
    };
    let good = std::fs::read(sample("apery.bin")).unwrap();
    ends(&good[..330], "its 330 bytes are no records of 16 bytes, as an Apery book has; it may be cut short");
    let mut rng = rng(1);
    let mut noise = vec![0; 4096];
    rng.fill_bytes(&mut noise);
    ends(&noise, "it holds other things than moves: it is neither an Apery book nor a file of LesserKai's game lines");
    // Some moves that are none, and no order.
    let mut bytes = good.clone();
    bytes[8..10].fill(255);
    bytes.rotate_left(64);
    ends(&bytes, "its keys are not in order: it is neither an Apery book nor a file of LesserKai's game lines");
}

#[test]
fn a_book_is_recognised_by_its_content() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("any.name");
    std::fs::copy(sample("apery.bin"), &path).unwrap();
    assert_eq!(Joseki::open(&path).unwrap().format(), Format::Apery);
    for text in ["a text of some length, that is no book of any format whatever it says, I say.", "16 bytes, look!!"] {
        std::fs::write(&path, text).unwrap();
        assert!(Joseki::open(&path).is_err());
    }
    assert_eq!(Format::of_extension(Path::new("a/book.BIN")), Some(Format::Apery));
    assert_eq!(Format::of_extension(Path::new("a/public.bin")), Some(Format::LesserKai));
}
