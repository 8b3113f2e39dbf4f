//! Books in the `.db` format that other programs wrote.

mod joseki_support;

use std::path::{Path, PathBuf};

use joseki_support::*;
use komadai::joseki::{Entry, Joseki};
use komadai::kyokumen::Kyokumen;

fn sample(name: &str) -> Joseki {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/shogihome");
    Joseki::open(&folder.join(name)).unwrap()
}

fn entries(book: &Joseki) -> Vec<Entry> {
    let records = book.records().collect::<Vec<_>>();
    records.into_iter().map(|record| book.lookup(&record.kyokumen.unwrap()).unwrap()).collect()
}

#[test]
fn a_sample_book_is_read_as_its_lines_say() {
    let book = sample("yaneuraou.db");
    assert_eq!((book.format().name(), book.file_name()), ("db", "yaneuraou.db"));
    let start = book.lookup(&Kyokumen::hirate()).unwrap();
    let counted = |usi: &str, count| (usi.to_owned(), Some(count));
    assert_eq!(
        counts(&start),
        [counted("2g2f", 935), counted("7g7f", 6), counted("5g5f", 3), counted("2h7h", 1), counted("3g3f", 1)]
    );
    assert_eq!(start.tesu, Some(1));
    let most = find(&start, "2g2f");
    assert_eq!((most.ponder, most.value, most.depth), (Some(te("3c3d")), Some(63), Some(27)));
    assert_eq!(most.comment.as_deref(), Some("multi line comment 1\nmulti line comment 2"));
    assert_eq!(find(&start, "7g7f").comment.as_deref(), Some("single line comment"));
    assert_eq!((most.wins, most.draws, most.losses, most.rating), (None, None, None, None));
    let commented = book.records().find_map(|record| record.entry.comment);
    assert_eq!(commented.as_deref(), Some("position comment 1\nposition comment 2"));
    assert!(book.verify(&mut |fault| panic!("{fault}")).is_good());
}

#[test]
fn line_ends_marks_and_headers_make_no_difference() {
    let plain = entries(&sample("yaneuraou.db"));
    assert_eq!(plain.len(), 5);
    for name in [
        "yaneuraou-bom-crlf.db",
        "yaneuraou-bom-no-header.db",
        "yaneuraou-crlf.db",
        "yaneuraou-no-header.db",
        "yaneuraou-invalid-header.db",
    ] {
        let book = sample(name);
        assert_eq!(entries(&book), plain, "{name}");
        assert_eq!(book.warnings().len(), usize::from(name == "yaneuraou-invalid-header.db"), "{name}");
    }
}

#[test]
fn positions_that_stand_twice_are_one_and_their_counts_add_up() {
    let book = book(format!(
        "sfen {START} 5\n7g7f none 10 3 20\n2g2f none 0 0 1\n# first\nsfen {AFTER_7G7F} 2\n3c3d\n\
         sfen {START} 3\n7g7f 3c3d -5 7 30 twice\n5g5f\n2g2f none none none 18446744073709551615\n"
    ));
    let entry = book.lookup(&Kyokumen::hirate()).unwrap();
    assert_eq!(entry.tesu, Some(3));
    let merged = find(&entry, "7g7f");
    assert_eq!((merged.count, merged.value, merged.depth), (Some(50), Some(-5), Some(7)));
    assert_eq!((merged.ponder, merged.comment.as_deref()), (Some(te("3c3d")), Some("twice")));
    // The largest number there is stays; what the later line does not know, the earlier does.
    let largest = find(&entry, "2g2f");
    assert_eq!((largest.count, largest.value), (Some(u64::MAX), Some(0)));
    assert_eq!(entry.moves.len(), 3);
    let mut faults = Vec::new();
    let verdict = book.verify(&mut |fault| faults.push(fault.to_owned()));
    assert_eq!((verdict.repeated, verdict.sorted), (1, false));
    assert_eq!(faults, ["line 7: the position is there already", "line 5: not in the order of the format"]);
}

#[test]
fn a_check_names_the_line_of_each_fault() {
    let book = book(format!(
        "#YANEURAOU-DB2016 1.00\nsfen {AFTER_7G7F} 2\n3c3e none 0 0 1\nwhatever\n3c3d\n3c3d\nsfen 9/9 b - 1\n7g7f\n"
    ));
    assert_eq!(book.warnings(), ["1 of its positions can't be read"]);
    let mut faults = Vec::new();
    let verdict = book.verify(&mut |fault| faults.push(fault.to_owned()));
    assert_eq!(
        faults,
        [
            "line 4: this is no move",
            "line 6: the move is there already",
            "line 2: 3c3e is illegal",
            "line 7: this is no position",
            "line 7: not in the order of the format",
        ]
    );
    assert_eq!((verdict.illegal, verdict.repeated, verdict.damaged, verdict.is_good()), (1, 1, 2, false));
}

#[test]
fn a_name_that_is_not_ascii_is_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("定跡 1.db");
    std::fs::write(&path, format!("sfen {START} 1\n7g7f\n")).unwrap();
    assert_eq!(Joseki::open(&path).unwrap().file_name(), "\\u{5b9a}\\u{8de1} 1.db");
}

#[test]
fn the_ending_of_the_name_does_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let (text, own) = (folder.path().join("a.joseki"), folder.path().join("b.db"));
    std::fs::write(&text, format!("sfen {START} 1\n7g7f\n")).unwrap();
    std::fs::write(&own, own_format(&[(Kyokumen::hirate(), Entry::default())], "")).unwrap();
    assert_eq!(Joseki::open(&text).unwrap().format().name(), "db");
    assert_eq!(Joseki::open(&own).unwrap().format().name(), "joseki");
}

#[test]
fn books_of_other_programs_are_in_order() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/books");
    let shared: Vec<PathBuf> = ["peta-sample/mini_user_book_head99.db", "shogihome/yaneuraou-copy.db"]
        .map(|name| folder.join(name))
        .into_iter()
        .filter(|path| path.exists())
        .collect();
    for path in shared {
        let book = Joseki::open(&path).unwrap();
        let verdict = book.verify(&mut |fault| panic!("{}: {fault}", path.display()));
        assert!(verdict.positions >= 5 && verdict.moves >= 18);
    }
}
