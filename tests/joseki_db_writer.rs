//! Writing books in the `.db` format, and copying them in parts.

mod joseki_support;

use std::path::Path;

use joseki_support::*;
use komadai::joseki::{Annotation, DbOptions, DbWriter, Entry, Joseki, JosekiTe, Record, Stored, Writer};
use komadai::kyokumen::{Kyokumen, PackedKyokumen};
use rand::Rng;
use rand::RngExt;
use rand::seq::IndexedRandom;

const HEADER: &str = "#YANEURAOU-DB2016 1.00\n";

fn parts(book: &Joseki, parts: usize) -> Vec<Stored> {
    book.parts(parts).into_iter().flatten().collect()
}

/// All positions, in the order of the format; nothing may be lost.
fn sorted(book: &Joseki) -> Vec<(PackedKyokumen, Entry)> {
    let of_stored = |stored| match stored {
        Stored::Position(packed, entry) => (packed, entry),
        Stored::Lost(what) => panic!("{what}"),
    };
    let mut positions: Vec<_> = parts(book, 3).into_iter().map(of_stored).collect();
    positions.sort_by_key(|(packed, _)| key(packed));
    positions
}

fn key(packed: &PackedKyokumen) -> Vec<u8> {
    let mut key = Vec::new();
    DbWriter::sort_key(packed, &mut key);
    key
}

/// The book as it is written, and what was left out.
fn db(positions: &[(PackedKyokumen, Entry)], options: DbOptions) -> (String, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let mut writer = DbWriter::create(&path, options).unwrap();
    for (packed, entry) in positions {
        writer.push(packed, entry).unwrap();
    }
    let written = writer.finish().unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let moves: usize = positions.iter().map(|(_, entry)| entry.moves.len()).sum();
    assert_eq!((written.moves, written.bytes), (moves as u64, text.len() as u64));
    (text, written.left_out)
}

fn written(positions: &[(PackedKyokumen, Entry)]) -> String {
    db(positions, DbOptions::default()).0
}

fn one(moves: Vec<JosekiTe>) -> Vec<(PackedKyokumen, Entry)> {
    vec![(Kyokumen::hirate().pack().unwrap(), Entry { tesu: Some(1), comment: None, moves })]
}

fn sample(name: &str) -> Joseki {
    Joseki::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/shogihome").join(name)).unwrap()
}

#[test]
fn a_sample_book_is_written_in_the_form_that_most_programs_read() {
    let text = written(&sorted(&sample("yaneuraou.db")));
    let want = "sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
                2g2f 3c3d 63 27 935\n#multi line comment 1\n#multi line comment 2\n\
                7g7f none 20 25 6\n#single line comment\n5g5f none -32 23 3\n2h7h none -55 22 1\n3g3f none -74 18 1\n\
                sfen lnsgkgsnl/1r7/p1ppp1bpp/1p3pp2/7P1/2P6/PP1PPPP1P/1B3S1R1/LNSGKG1NL b - 1\n\
                7i6h none 8 none none\n3g3f none 1 none none\n6i7h none 1 none none\n";
    assert!(text.starts_with(HEADER) && text.ends_with(want), "{text}");
    assert!(text.contains(" w - 1\n#position comment 1\n#position comment 2\n7a6b none none none 3\n"));
}

#[test]
fn what_was_written_is_read_back_and_written_again_the_same() {
    for name in ["yaneuraou.db", "yaneuraou-copy.db", "yaneuraou-merge.db", "yaneuraou-bom-crlf.db"] {
        let positions = sorted(&sample(name));
        let options = DbOptions { keep_order: true, ..DbOptions::default() };
        let text = db(&positions, options).0;
        let again = book(&text);
        assert_eq!(sorted(&again), positions, "{name}");
        let verdict = again.verify(&mut |fault| assert!(fault.ends_with("illegal"), "{name}: {fault}"));
        assert!(verdict.sorted && verdict.damaged + verdict.repeated == 0);
        assert_eq!(db(&sorted(&again), options).0, text);
        let by_count = written(&positions);
        assert_eq!(written(&sorted(&book(&by_count))), by_count);
    }
}

#[test]
fn a_book_in_that_form_comes_back_from_the_own_format_byte_for_byte() {
    let mut rng = rng(1);
    let mut positions = std::collections::BTreeMap::new();
    while positions.len() < 3_000 {
        let mut kyokumen = Kyokumen::hirate();
        for _ in 0..60 {
            let legal = kyokumen.legal_te();
            let Some(&te) = legal.choose(&mut rng) else { break };
            let some = |rng: &mut dyn Rng, limit: u64| rng.random_ratio(2, 3).then(|| rng.random_range(0..limit));
            let number = rng.random_range(0..5);
            let moves = legal.sample(&mut rng.clone(), number).map(|&te| JosekiTe {
                ponder: some(&mut rng, 2).map(|_| te),
                count: some(&mut rng, 4),
                value: some(&mut rng, 6).map(|value| value as i32 - 3),
                depth: some(&mut rng, 40).map(|depth| depth as u32),
                comment: some(&mut rng, 2).map(|_| "one\n two\n\n#three".to_owned()),
                ..JosekiTe::new(te)
            });
            let entry = Entry { tesu: Some(kyokumen.tesu()), comment: None, moves: moves.collect() };
            let packed = kyokumen.pack().unwrap();
            positions.insert(key(&packed), (packed, entry));
            kyokumen.do_te(te);
        }
    }
    let positions: Vec<_> = positions.into_values().collect();
    for plain in [false, true] {
        let options = DbOptions { plain, keep_order: false };
        let (text, left_out) = db(&positions, options);
        assert!(left_out[0].ends_with("of moves other than by count and value"), "{left_out:?}");
        assert_eq!(left_out.len(), if plain { 4 } else { 1 }, "{left_out:?}");
        assert_eq!(text.contains(" none none"), !plain);
        let first = sorted(&book(&text));
        assert_eq!(first.len(), positions.len());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("own.joseki");
        let mut by_own_key = first.clone();
        by_own_key.sort_by_key(|(packed, _)| Writer::sort_key(packed));
        let mut own = Writer::create(&path, "from a test").unwrap();
        by_own_key.iter().for_each(|(packed, entry)| own.push(packed, entry).unwrap());
        own.finish().unwrap();
        let (again, left_out) = db(&sorted(&Joseki::open(&path).unwrap()), options);
        assert_eq!((again == text, left_out), (true, Vec::new()));
    }
}

#[test]
fn moves_stand_by_count_then_by_value_unless_their_order_is_to_be_kept() {
    let te = |usi: &str, count, value| JosekiTe { count, value, ..JosekiTe::new(te(usi)) };
    let moves = vec![
        te("1g1f", None, None),
        te("9g9f", None, None),
        te("7g7f", Some(1), Some(10)),
        te("2g2f", Some(1), Some(50)),
        te("5g5f", Some(2), Some(-7)),
        te("3g3f", Some(0), None),
        te("4g4f", None, Some(i32::MIN)),
        te("6g6f", Some(u64::MAX), Some(i32::MAX)),
    ];
    let order = |options| {
        let (text, left_out) = db(&one(moves.clone()), options);
        let order: Vec<String> = text.lines().skip(2).map(|line| line[..2].to_owned()).collect();
        let orders = left_out.into_iter().filter(|what| what.contains("order"));
        (order.join(" "), orders.collect::<Vec<_>>())
    };
    let told = vec!["1 order of moves other than by count and value".to_owned()];
    assert_eq!(order(DbOptions::default()), ("6g 5g 2g 7g 3g 4g 1g 9g".into(), told.clone()));
    assert_eq!(order(DbOptions { plain: true, keep_order: false }), ("6g 5g 2g 7g 1g 9g 3g 4g".into(), told));
    assert_eq!(order(DbOptions { plain: true, keep_order: true }), ("1g 9g 7g 2g 5g 3g 4g 6g".into(), vec![]));
    let (text, _) = db(&one(moves), DbOptions { plain: true, keep_order: false });
    assert!(text.contains("\n6g6f none 2147483647 0 18446744073709551615\n"), "{text}");
    assert!(text.contains("\n4g4f none -2147483648 0 0\n") && text.contains("\n1g1f none 0 0 0\n"), "{text}");
}

#[test]
fn comments_are_given_back_as_they_were() {
    let comments =
        ["", " ", "a", " a", "  a ", "#a", "//a", "# a", "/", "\n", "a\n\n b\n", "定跡 \t", "sfen x", "7g7f none"];
    for comment in comments {
        let moves =
            vec![JosekiTe { comment: Some(comment.into()), ..JosekiTe::new(te("7g7f")) }, JosekiTe::new(te("2g2f"))];
        let mut positions = one(moves);
        positions[0].1.comment = Some(comment.into());
        assert_eq!(sorted(&book(written(&positions))), positions, "{comment:?}");
    }
}

#[test]
fn plies_are_at_least_one() {
    for (tesu, want) in
        [(None, " b - 1\n"), (Some(0), " b - 1\n"), (Some(77), " b - 77\n"), (Some(u32::MAX), " b - 1000000\n")]
    {
        let mut positions = one(vec![]);
        positions[0].1.tesu = tesu;
        let text = written(&positions);
        assert!(text.ends_with(want), "{text}");
        assert!(book(&text).lookup(&Kyokumen::hirate()).is_some());
    }
}

#[test]
fn what_the_format_has_no_place_for_is_counted() {
    let all = JosekiTe {
        wins: Some(1),
        draws: Some(2),
        rating: Some(1500),
        annotation: Some(Annotation::Good),
        ..JosekiTe::new(te("7g7f"))
    };
    let lost = JosekiTe { losses: Some(0), opponent_rating: Some(1), ..JosekiTe::new(te("2g2f")) };
    let mut positions = one(vec![all, lost, JosekiTe::new(te("5g5f"))]);
    positions.insert(0, (PackedKyokumen([0xff; 32]), Entry::default()));
    let folder = tempfile::tempdir().unwrap();
    let mut writer = DbWriter::create(&folder.path().join("test.db"), DbOptions::default()).unwrap();
    positions.iter().for_each(|(packed, entry)| writer.push(packed, entry).unwrap());
    let written = writer.finish().unwrap();
    assert_eq!(
        written.left_out,
        ["1 position that can't be read", "2 sets of results", "2 sets of ratings", "1 annotation",]
    );
    assert_eq!(written.positions, 1);
}

#[test]
fn positions_out_of_order_are_refused_and_leave_the_old_book() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    std::fs::write(&path, "old").unwrap();
    let (start, later) = (Kyokumen::hirate().pack().unwrap(), after("7g7f").pack().unwrap());
    assert!(key(&later) < key(&start));
    for (first, second) in [(start, later), (start, start)] {
        let mut writer = DbWriter::create(&path, DbOptions::default()).unwrap();
        writer.push(&first, &Entry::default()).unwrap();
        assert!(writer.push(&second, &Entry::default()).unwrap_err().to_string().contains("order"));
    }
    assert_eq!(std::fs::read(&path).unwrap(), b"old");
    assert!(DbWriter::create(folder.path(), DbOptions::default()).is_err(), "a folder");
    DbWriter::create(&path, DbOptions::default()).unwrap().finish().unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), HEADER);
    assert_eq!(Joseki::open(&path).unwrap().records().count(), 0);
}

/// What the long way makes of a record: faults that lose something come behind their position.
fn stored(record: Record) -> Vec<Stored> {
    let faults = record.faults.clone().into_iter().filter(|fault| !fault.ends_with("the move is there already"));
    let place = record.place.clone();
    let mut all = vec![match Stored::from(record) {
        Stored::Lost(_) => Stored::Lost(format!("{place}: no position that a book can hold")),
        position => position,
    }];
    all.extend(faults.map(Stored::Lost));
    all
}

/// The same without what stands before the first position, which is in no record.
fn of_positions(mut parts: Vec<Stored>) -> Vec<Stored> {
    let is_orphan = |stored: &Stored| matches!(stored, Stored::Lost(what) if what.ends_with("it belongs to no position") || what.ends_with("more faults follow"));
    let orphans = parts.iter().take_while(|stored| is_orphan(stored)).count();
    parts.split_off(orphans)
}

fn odd_book() -> String {
    format!(
        "\u{feff}#YANEURAOU-DB2016 1.00\r\n# NOE:7\r\n7g7f\r\nsfen {START} 1\r\n7g7f 3c3d 5 6 7\r\n#a\r\n\r\n7g7f none 1 1 1\r\n\
         what\r\nsfen  {AFTER_7G7F}\t2 \n3c3d # x\n resign\nsfen 9/9 b - 1\n7g7f\nsfen 4k4/9/9/9/9/9/9/9/9 b - 1\n5a5b\n\
         sfen 4k4/9/9/9/9/9/9/9/4K4 b pP x y\n\n5i5h none 1\n?\n\nsfen {AFTER_2G2F}\n# only a remark"
    )
}

#[test]
fn parts_are_together_the_file_as_records_give_it() {
    for text in [odd_book(), odd_book().replace('\n', "\n\n"), written(&sorted(&sample("yaneuraou.db")))] {
        let book = book(&text);
        let want: Vec<Stored> = book.records().flat_map(stored).collect();
        assert!(want.len() >= 5);
        for number in (0..40).chain([1000, 5000]) {
            assert_eq!(of_positions(parts(&book, number)), want, "{number} parts");
        }
    }
    let lost: Vec<_> =
        parts(&book(odd_book()), 2).into_iter().filter(|stored| matches!(stored, Stored::Lost(_))).collect();
    let want = [
        "line 3: it belongs to no position",
        "line 9: this is no move",
        "line 13: no position that a book can hold",
        "line 15: no position that a book can hold",
        "line 20: this is no move",
    ];
    assert_eq!(lost, want.map(|what| Stored::Lost(what.into())));
}

#[test]
fn no_damage_does_more_than_lose_what_it_hits() {
    let samples = [odd_book().into_bytes(), written(&sorted(&sample("yaneuraou-merge.db"))).into_bytes()];
    let mut rng = rng(9);
    let mut opened = 0;
    for round in 0..2_000 {
        let mut bytes = samples[round % 2].clone();
        for _ in 0..rng.random_range(1..4) {
            let place = rng.random_range(0..bytes.len());
            match rng.random_range(0..5) {
                0 => bytes[place] ^= 1 << rng.random_range(0..8),
                1 => bytes[place] = *b"\0\xff\x80\n\r \t9+/#Pp".choose(&mut rng).unwrap(),
                2 => bytes.truncate(place.max(1)),
                3 => bytes.insert(place, rng.random_range(0..=255)),
                _ => {
                    let end = (place + rng.random_range(1..60)).min(bytes.len());
                    let part = bytes[place..end].to_vec();
                    bytes.splice(place..place, part);
                }
            }
        }
        let Ok(book) = open_bytes(&bytes) else { continue };
        opened += 1;
        let want: Vec<Stored> = book.records().flat_map(stored).collect();
        assert_eq!(of_positions(parts(&book, 1 + round % 5)), want, "{}", bytes.escape_ascii());
        // Whatever can be read can be found, and can be written.
        let verdict = book.verify(&mut |fault| assert!(fault.is_ascii() && !fault.contains("lookup"), "{fault}"));
        if round % 100 > 1 {
            // Safely on the disk takes its time.
            continue;
        }
        let known: std::collections::BTreeMap<Vec<u8>, (PackedKyokumen, Entry)> = book
            .records()
            .filter_map(|record| {
                let kyokumen = record.kyokumen?;
                Some((key(&kyokumen.pack()?), (kyokumen.pack()?, book.lookup(&kyokumen)?)))
            })
            .collect();
        assert!(known.len() as u64 <= verdict.positions);
        let known: Vec<_> = known.into_values().collect();
        let again = sorted(&self::book(db(&known, DbOptions { keep_order: true, plain: false }).0));
        assert_eq!(again.len(), known.len());
        for ((packed, entry), (_, want)) in again.iter().zip(&known) {
            let want = Entry { tesu: Some(want.tesu.unwrap_or(1).min(1_000_000)), ..want.clone() };
            assert_eq!(*entry, want, "{packed:?} in {}", bytes.escape_ascii());
        }
    }
    assert!(opened > 1_500, "{opened}");
}
