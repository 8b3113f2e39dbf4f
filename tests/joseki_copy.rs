//! Books out of books by the library: what is kept, what is joined, what is pruned, and how two differ.
#![cfg(feature = "workshop")]

mod joseki_support;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use joseki_support::*;
use komadai::joseki::copy::{self, Copied, Keep, Rules, Watch};
use komadai::joseki::diff::{Difference, Side, Summary, diff};
use komadai::joseki::{Entry, Format, Joseki, JosekiError, JosekiTe, WriteOptions};
use komadai::kyokumen::Kyokumen;
use tempfile::TempDir;

fn copy(books: Vec<Joseki>, target: &Path, rules: &Rules) -> Result<Copied, JosekiError> {
    copy::copy(books, target, Format::Own, &WriteOptions::default(), rules, &())
}

/// A folder with a book in the own format.
fn folder_with(entries: &[(Kyokumen, Entry)]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.joseki");
    write(entries, "", &path);
    (folder, path)
}

fn open(path: &Path) -> Joseki {
    Joseki::open(path).unwrap()
}

fn counted(usi: &str, count: u64) -> JosekiTe {
    JosekiTe { count: Some(count), ..JosekiTe::new(te(usi)) }
}

#[test]
fn a_copy_is_the_same_byte_for_byte_even_over_the_book_itself() {
    let (folder, path) = folder_with(&random_book(50, 1));
    let bytes = std::fs::read(&path).unwrap();
    let copied = copy(vec![open(&path)], &folder.path().join("copy.joseki"), &Rules::default()).unwrap();
    assert_eq!(std::fs::read(folder.path().join("copy.joseki")).unwrap(), bytes);
    assert_eq!((copied.written.bytes, copied.read), (bytes.len() as u64, copied.written.positions));
    copy(vec![open(&path)], &path, &Rules::default()).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn a_text_book_keeps_all_that_a_lookup_finds_in_it() {
    let text = format!(
        "#YANEURAOU-DB2016 1.00\nsfen {AFTER_7G7F} 2\n3c3d 2g2f -12 20 7 # good\n8c8d none none none 3\n\
         sfen {START} 1\n# the start\n7g7f 3c3d 35 22 9\n7g7e none 0 0 1\nsfen {AFTER_7G7F} 1\n3c3d none 5 6 2\n\
         sfen nonsense b - 1\n7g7f none 0 0 1\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("copy.joseki");
    let copied = copy(vec![book(&text)], &target, &Rules::default()).unwrap();
    let (old, new) = (book(&text), open(&target));
    for kyokumen in [Kyokumen::hirate(), after("7g7f")] {
        let (old, new) = (old.lookup(&kyokumen).unwrap(), new.lookup(&kyokumen).unwrap());
        assert_eq!((old.tesu, old.moves), (new.tesu, new.moves));
    }
    // Illegal moves are kept as they are, what can't be read is counted.
    assert!(new.lookup(&Kyokumen::hirate()).unwrap().moves.iter().any(|known| known.te == te("7g7e")));
    assert_eq!((copied.written.positions, copied.read, copied.repeated), (2, 3, 1));
    assert_eq!(copied.losses.number, 1);
    assert!(copied.losses.examples().all(|place| place.starts_with("line 11: ")));
}

#[test]
fn figures_add_up_and_the_most_played_move_comes_first() {
    let start = |moves: Vec<JosekiTe>, tesu: u32, comment: &str| {
        let comment = Some(comment.to_owned());
        book(own_format(&[(Kyokumen::hirate(), Entry { tesu: Some(tesu), comment, moves })], ""))
    };
    let first = JosekiTe { value: Some(10), depth: Some(5), wins: Some(2), ..counted("2g2f", 4) };
    let second = JosekiTe { value: Some(-3), wins: Some(1), ..counted("7g7f", 5) };
    let again = JosekiTe { value: Some(20), comment: Some("sharp".into()), ..counted("2g2f", u64::MAX) };
    let books = || {
        vec![
            start(vec![second.clone(), first.clone()], 3, "one"),
            start(vec![again.clone(), JosekiTe::new(te("1g1f"))], 1, "two"),
        ]
    };
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("all.joseki");
    let copied = copy(books(), &target, &Rules::default()).unwrap();
    let entry = open(&target).lookup(&Kyokumen::hirate()).unwrap();
    let joined = JosekiTe { depth: None, count: Some(u64::MAX), wins: Some(2), ..again.clone() };
    assert_eq!(entry.moves, [joined, second.clone(), JosekiTe::new(te("1g1f"))]);
    assert_eq!((entry.tesu, entry.comment.as_deref()), (Some(1), Some("one\ntwo")));
    assert_eq!((copied.repeated, copied.saturated), (1, 1));
    let rules = Rules { first_wins: true, ..Rules::default() };
    assert_eq!(copy(books(), &target, &rules).unwrap().saturated, 0);
    assert_eq!(open(&target).lookup(&Kyokumen::hirate()).unwrap().moves, [second, first]);
}

#[test]
fn many_books_are_merged_at_once() {
    let bytes: Vec<Vec<u8>> = (0..70).map(|seed| own_format(&random_book(3, seed), "")).collect();
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("all.joseki");
    let copied = copy(bytes.iter().map(book).collect(), &target, &Rules::default()).unwrap();
    let all = open(&target);
    let mut read = 0;
    for record in bytes.iter().flat_map(|bytes| book(bytes).records().collect::<Vec<_>>()) {
        read += 1;
        assert!(all.lookup(&record.kyokumen.unwrap()).is_some());
    }
    assert_eq!((copied.read, copied.written.positions + copied.repeated), (read, read));
}

#[test]
fn unknown_figures_are_not_judged_and_positions_without_moves_vanish() {
    let valued = |usi, value| JosekiTe { value: Some(value), ..JosekiTe::new(te(usi)) };
    let start = Entry {
        tesu: Some(1),
        comment: None,
        // The illegal move's count is no part of the whole.
        moves: vec![counted("7g7f", 60), counted("2g2f", 30), counted("1g1f", 10), counted("7g7e", 9000)],
    };
    let second = Entry {
        tesu: Some(2),
        comment: Some("kept".into()),
        moves: vec![counted("8c8d", 0), valued("3c3d", -32768), valued("1c1d", -200), valued("9c9d", 0)],
    };
    let unknown = Entry { tesu: None, comment: None, moves: vec![counted("8c8d", 1)] };
    let bytes = own_format(&[(Kyokumen::hirate(), start), (after("7g7f"), second), (after("2g2f"), unknown)], "");
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("pruned.joseki");
    let positions = [Kyokumen::hirate(), after("7g7f"), after("2g2f")];
    let check = |keep: Keep, want: [&str; 3]| {
        copy(vec![book(&bytes)], &target, &Rules { keep, ..Rules::default() }).unwrap();
        let pruned = open(&target);
        let moves = positions.each_ref().map(|kyokumen| match pruned.lookup(kyokumen) {
            Some(entry) => entry.moves.iter().map(|te| te.te.to_string()).collect::<Vec<_>>().join(" "),
            None => "gone".to_owned(),
        });
        assert_eq!(moves, want, "{keep:?}");
    };
    let all = "8c8d 3c3d 1c1d 9c9d";
    check(Keep::default(), ["7g7f 2g2f 1g1f 7g7e", all, "8c8d"]);
    check(Keep { min_count: 31, ..Keep::default() }, ["7g7f 7g7e", all, "gone"]);
    check(Keep { min_share: 30.0, ..Keep::default() }, ["7g7f 2g2f 7g7e", all, "8c8d"]);
    check(Keep { min_share: 30.1, ..Keep::default() }, ["7g7f 7g7e", all, "8c8d"]);
    check(Keep { max_ply: Some(1), ..Keep::default() }, ["7g7f 2g2f 1g1f 7g7e", "gone", "8c8d"]);
    check(Keep { min_value: Some(-199), ..Keep::default() }, ["7g7f 2g2f 1g1f 7g7e", "8c8d 3c3d 9c9d", "8c8d"]);
}

#[test]
fn a_text_book_with_more_moves_than_any_position_has_keeps_the_legal_ones() {
    let mut text = format!("sfen {START} 1\n");
    let drops =
        "PLNSGBR".chars().flat_map(|koma| (1..=9).flat_map(move |suji| ('a'..='i').map(move |dan| (koma, suji, dan))));
    drops.for_each(|(koma, suji, dan)| text += &format!("{koma}*{suji}{dan}\n"));
    for from in ('a'..='i').flat_map(|dan| (1..=9).map(move |suji| format!("{suji}{dan}"))) {
        text += &format!("{from}5e\n");
    }
    text += "7g7f none none none 5\n";
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("book.joseki");
    let copied = copy(vec![book(&text)], &target, &Rules::default()).unwrap();
    let moves = open(&target).lookup(&Kyokumen::hirate()).unwrap().moves;
    assert_eq!(moves.iter().map(|te| te.count).collect::<Vec<_>>(), [Some(5)]);
    assert!(copied.losses.number > 593);
    assert!(copied.losses.examples().any(|what| what.starts_with("illegal moves of a position with more than 593")));
}

#[test]
fn what_must_stay_whole_is_not_written_where_something_is_lost() {
    let (folder, path) = folder_with(&random_book(10, 1));
    let old = std::fs::read(&path).unwrap();
    let text = format!("sfen {START} 1\n7g7f none none none 5\nsfen nonsense b - 2\n");
    let rules = Rules { whole: true, ..Rules::default() };
    let error = copy(vec![book(&text)], &path, &rules).unwrap_err();
    assert!(matches!(error, JosekiError::Lossy { number: 1, .. }), "{error}");
    assert!(error.to_string().contains("line 3"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), old);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn of_a_damaged_position_the_readable_moves_are_kept_and_the_rest_is_told() {
    let entries = random_book(10, 1);
    let mut bytes = own_format(&entries, "");
    // The first figures of the first block, after number of moves, ply and move, become those of a later version.
    bytes[128 + 4..128 + 6].copy_from_slice(&[0x80, 0x7f]);
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("copy.joseki");
    let copied = copy(vec![book(&bytes)], &target, &Rules::default()).unwrap();
    assert_eq!(copied.losses.number, 1);
    assert!(copied.losses.examples().all(|what| what.starts_with("record 1: ")));
    let new = open(&target);
    let kept = entries.iter().filter(|(kyokumen, entry)| new.lookup(kyokumen).as_ref() == Some(entry)).count();
    assert_eq!((kept, copied.written.positions), (entries.len() - 1, entries.len() as u64));
}

struct StopAfter(AtomicU64);

impl Watch for StopAfter {
    fn stops(&self) -> bool {
        self.0.fetch_sub(1, Relaxed) == 0 || self.0.load(Relaxed) > 1 << 60
    }
}

#[test]
fn work_that_is_broken_off_leaves_the_old_book_and_nothing_else() {
    let text = format!("sfen {START} 1\n7g7f none none none 5\n");
    let (folder, path) = folder_with(&random_book(100, 1));
    let old = std::fs::read(&path).unwrap();
    for asked in 0..12 {
        for other in [open(&path), book(&text)] {
            let watch = StopAfter(AtomicU64::new(asked));
            let options = WriteOptions::default();
            let result = copy::copy(vec![open(&path), other], &path, Format::Own, &options, &Rules::default(), &watch);
            match result {
                Err(JosekiError::Stopped) => assert_eq!(std::fs::read(&path).unwrap(), old),
                Err(error) => panic!("{error}"),
                // It was done before it was asked so often.
                Ok(_) => std::fs::write(&path, &old).unwrap(),
            }
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
            assert!(asked > 3 || watch.0.load(Relaxed) > 1 << 60, "nobody asked whether to stop");
        }
    }
}

fn differences(a: Joseki, b: Joseki) -> (Vec<(String, Difference)>, Summary) {
    let mut found = Vec::new();
    let summary = diff(&[a, b], &(), &mut |packed, difference| {
        found.push((packed.unpack().unwrap().to_sfen_without_ply(), difference.clone()));
    });
    (found, summary.unwrap())
}

#[test]
fn differences_are_found_across_formats_and_orders() {
    let known = random_book(40, 9);
    let a = own_format(&known, "");
    let (found, summary) = differences(book(&a), book(own_format(&known, "other words")));
    assert_eq!((found, summary.equal), (Vec::new(), known.len() as u64));
    assert!(summary.is_equal());

    let mut changed = known.clone();
    let (gone, _) = changed.remove(500);
    changed[3].1.comment = Some("new".into());
    changed[5].1.moves[0].count = Some(12345);
    changed[5].1.moves.reverse();
    let lost = changed[7].1.moves.remove(0);
    changed.push((Kyokumen::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b P 1").unwrap(), Entry::default()));
    let (mut found, summary) = differences(book(&a), book(own_format(&changed, "")));
    let text = |kyokumen: &Kyokumen| kyokumen.to_sfen_without_ply();
    let figure = |te, name, a: Option<String>, b: &str| Difference::Figure { te, name, a, b: Some(b.to_owned()) };
    let before = &known[5].1.moves[0];
    let moves = known.iter().find(|(kyokumen, _)| *kyokumen == gone).unwrap().1.moves.iter().map(|te| te.te).collect();
    let mut want = vec![
        (text(&gone), Difference::Position(Side::A, moves)),
        (text(&changed[3].0), figure(None, "comment", None, "new")),
        (text(&changed[5].0), figure(Some(before.te), "count", before.count.map(|count| count.to_string()), "12345")),
        (text(&changed[7].0), Difference::Te(Side::A, lost.te)),
        ("4k4/9/9/9/9/9/9/9/4K4 b P".to_owned(), Difference::Position(Side::B, Vec::new())),
    ];
    let order = |(sfen, _): &(String, Difference)| sfen.clone();
    found.sort_by_key(order);
    want.sort_by_key(order);
    assert_eq!(found, want);
    let want =
        Summary { positions: [1, 1], differing: 3, equal: known.len() as u64 - 4, moves: [1, 0], figures: 2, lost: 0 };
    assert_eq!(summary, want);
}

#[test]
fn a_text_book_is_compared_with_its_copy_without_a_difference() {
    let text = format!(
        "sfen {START} 1\n7g7f 3c3d 35 22 9\nsfen {AFTER_7G7F} 2\n3c3d 2g2f -12 20 7\nsfen {AFTER_2G2F} 2\n8c8d\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("copy.joseki");
    copy(vec![book(&text)], &target, &Rules::default()).unwrap();
    let (found, summary) = differences(book(&text), open(&target));
    assert_eq!((found, summary.equal), (Vec::new(), 3));
}
