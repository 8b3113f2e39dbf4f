//! Books through every format and back: nothing is missing that was not said to be left out, and nothing is said to be
//! left out that is there.
#![cfg(feature = "workshop")]

mod joseki_support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use joseki_support::*;
use komadai::joseki::copy::{self, Copied, Rules};
use komadai::joseki::{Annotation, Entry, Format, Joseki, JosekiTe, ReadOptions, Stored, WriteOptions};
use komadai::kyokumen::{Kyokumen, PackedKyokumen};

/// Formats that can be written, as the ending of a file names them.
const WRITTEN: [Format; 6] = [Format::Own, Format::Db, Format::Sbk, Format::Psb, Format::Ybb, Format::Apery];

/// What a book knows of its positions.
type Known = BTreeMap<PackedKyokumen, Entry>;

/// What may be lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Thing {
    Provenance,
    Position,
    Ply,
    Remark,
    Move,
    Order,
    Ponder,
    Count,
    Results,
    Ratings,
    Annotation,
    Comment,
    Value,
    Depth,
}
use Thing::*;

const EVERYTHING: [Thing; 14] = [
    Provenance, Position, Ply, Remark, Move, Order, Ponder, Count, Results, Ratings, Annotation, Comment, Value, Depth,
];

/// What each format holds, whatever its limits; the rest is always left out.
fn held(format: Format) -> Vec<Thing> {
    match format {
        Format::Own => EVERYTHING.to_vec(),
        // Moves are sorted by count and value.
        Format::Db => vec![Position, Ply, Remark, Move, Order, Ponder, Count, Comment, Value, Depth],
        // Illegal moves are left out, and what belongs to the position after a move is the same for all ways there.
        Format::Sbk => vec![Provenance, Position, Ply, Remark, Move, Order, Count, Results, Annotation, Value, Depth],
        // Positions without moves are left out.
        Format::Psb => {
            vec![Provenance, Position, Ply, Move, Order, Ponder, Count, Results, Ratings, Annotation, Value, Depth]
        }
        Format::Ybb => vec![Position, Ply, Move, Order, Value, Depth],
        // Positions without moves are left out.
        Format::Apery => vec![Position, Move, Order, Count, Value],
        Format::LesserKai => Vec::new(),
    }
}

/// The sentences on what is left out: one, several, and what they are about.
const SENTENCES: [(&str, &str, &[Thing]); 31] = [
    ("note on where the numbers come from", "notes on where the numbers come from", &[Provenance]),
    ("comment on a position", "comments on positions", &[Remark]),
    ("ply", "plies", &[Ply]),
    ("ply that is too large, cut down", "plies that are too large, cut down", &[Ply]),
    ("unknown ply, written as 1", "unknown plies, written as 1", &[Ply]),
    ("ply that will be read as another", "plies that will be read as others", &[Ply]),
    ("position that can't be read", "positions that can't be read", &[Position]),
    ("position without moves", "positions without moves", &[Position]),
    ("order of moves other than by count and value", "orders of moves other than by count and value", &[Order]),
    ("move of a position with too many", "moves of positions with too many", &[Move]),
    ("illegal move", "illegal moves", &[Move]),
    (
        "position that shares its key with another, merged",
        "positions that share their keys with others, merged",
        &[Position],
    ),
    ("ponder move", "ponder moves", &[Ponder]),
    ("count", "counts", &[Count]),
    ("count that is too large, cut down", "counts that are too large, cut down", &[Count]),
    ("unknown count, written as 0", "unknown counts, written as 0", &[Count]),
    ("set of results", "sets of results", &[Results]),
    ("number of draws", "numbers of draws", &[Results]),
    (
        "number of wins or losses that is too large, cut down",
        "numbers of wins or losses that are too large, cut down",
        &[Results],
    ),
    (
        "set of results, joined with that of another move to the same position",
        "sets of results, joined with those of other moves to the same positions",
        &[Results],
    ),
    ("set of ratings", "sets of ratings", &[Ratings]),
    ("annotation", "annotations", &[Annotation]),
    ("comment on a move", "comments on moves", &[Comment]),
    ("line end of another kind in a comment", "line ends of another kind in comments", &[Remark, Comment]),
    ("depth", "depths", &[Depth]),
    ("depth without a value", "depths without a value", &[Depth]),
    ("depth that is too large, cut down", "depths that are too large, cut down", &[Depth]),
    ("unknown depth, written as 0", "unknown depths, written as 0", &[Depth]),
    ("value that is too large, cut down", "values that are too large, cut down", &[Value]),
    ("unknown value, written as 0", "unknown values, written as 0", &[Value]),
    (
        "value, replaced by that of another move to the same position",
        "values, replaced by those of other moves to the same positions",
        &[Value, Depth],
    ),
];

/// How many things are said to be left out, and how many of them in sentences on them alone; these must be right in
/// number.
fn said(left_out: &[String]) -> (BTreeMap<Thing, u64>, BTreeMap<Thing, u64>) {
    let (mut said, mut alone) = (BTreeMap::new(), BTreeMap::new());
    for sentence in left_out {
        let (number, what) = sentence.split_once(' ').unwrap();
        let number: u64 = number.parse().unwrap();
        let things = SENTENCES.iter().find(|(one, several, _)| what == if number == 1 { *one } else { *several });
        let things = things.unwrap_or_else(|| panic!("{sentence:?} is no sentence that is known")).2;
        things.iter().for_each(|&thing| *said.entry(thing).or_default() += number);
        if let [thing] = things {
            *alone.entry(*thing).or_default() += number;
        }
    }
    (said, alone)
}

/// How many things differ.
fn differences(before: &Known, after: &Known, format: Format) -> BTreeMap<Thing, u64> {
    let mut counts = BTreeMap::new();
    let mut add = |thing, differs: bool| *counts.entry(thing).or_default() += u64::from(differs);
    assert!(after.keys().all(|packed| before.contains_key(packed)), "{format:?} has positions of its own");
    for (packed, a) in before {
        let Some(b) = after.get(packed) else {
            add(Position, true);
            a.moves.iter().for_each(|_| add(Move, true));
            continue;
        };
        // A ply of 0 is an unknown one; where the way to a position tells its ply, it becomes known, which is no loss.
        let tesu = a.tesu.filter(|&tesu| tesu > 0);
        add(Ply, tesu != b.tesu && (tesu.is_some() || format != Format::Apery));
        add(Remark, a.comment != b.comment);
        let places: Vec<_> =
            a.moves.iter().map(|te| (te, b.moves.iter().position(|other| other.te == te.te))).collect();
        add(Order, !places.iter().filter_map(|(_, place)| *place).is_sorted());
        assert!(
            b.moves.iter().all(|te| a.moves.iter().any(|other| other.te == te.te)),
            "{format:?} has moves of its own"
        );
        for (a, place) in places {
            let Some(b) = place.map(|place| &b.moves[place]) else {
                add(Move, true);
                continue;
            };
            add(Ponder, a.ponder != b.ponder);
            add(Count, a.count != b.count);
            add(Results, (a.wins, a.draws, a.losses) != (b.wins, b.draws, b.losses));
            add(Ratings, (a.rating, a.opponent_rating) != (b.rating, b.opponent_rating));
            add(Annotation, a.annotation != b.annotation);
            add(Comment, a.comment != b.comment);
            // A value of -32768 is an unknown one, which is what it stands for in a `.ybb`.
            let as_it_is = format != Format::Ybb;
            add(Value, if as_it_is { a.value != b.value } else { a.known_value() != b.value });
            add(Depth, a.depth != b.depth);
        }
    }
    counts
}

/// All positions that can be listed, as a lookup knows them. Where only the way to a position tells its ply, the list
/// alone has it.
fn known(book: &Joseki) -> Known {
    let mut known = Known::new();
    for stored in book.parts(3).into_iter().flatten() {
        if let Stored::Position(packed, Entry { tesu, .. }) = stored {
            let entry = known.entry(packed).or_insert_with(|| book.lookup(&packed.unpack().unwrap()).unwrap());
            entry.tesu = entry.tesu.or(tesu);
        }
    }
    known
}

fn copy(book: Joseki, target: &Path, format: Format, options: &WriteOptions) -> Copied {
    let copied = copy::copy(vec![book], target, format, options, &Rules::default(), &()).unwrap();
    assert_eq!(copied.written.bytes, std::fs::metadata(target).unwrap().len());
    copied
}

/// Takes a book through a format; `open` opens the book.
fn check(name: &str, open: &dyn Fn() -> Joseki, format: Format) -> Copied {
    let folder = tempfile::tempdir().unwrap();
    let there = folder.path().join(format!("there.{}", format.name()));
    let back = folder.path().join("back.joseki");
    let before = known(&open());
    let options = WriteOptions { provenance: "from\nthere".into(), ..WriteOptions::default() };
    let copied = copy(open(), &there, format, &options);
    let roots: Vec<_> = before.keys().filter_map(PackedKyokumen::unpack).collect();
    let open_there = || Joseki::open_with(&there, &ReadOptions { roots: roots.clone() }).unwrap();
    let book = open_there();
    assert_eq!(book.format(), format, "{name}");
    assert_eq!(book.warnings(), [""; 0], "{name} as {format:?}");
    let has_note = book.provenance().as_deref() == Some("from\nthere");
    let after = known(&book);
    let lost = book.parts(1).into_iter().flatten().filter(|stored| matches!(stored, Stored::Lost(_))).count();
    assert_eq!(lost, 0, "{name} as {format:?}");
    // Each file that is written costs a wait for the disk.
    if before.len() > 1 {
        copy(open_there(), &back, Format::Own, &WriteOptions::default());
        assert!(known(&Joseki::open(&back).unwrap()) == after, "{name} as {format:?}");
    }
    let ((said, alone), mut differ) = (said(&copied.written.left_out), differences(&before, &after, format));
    differ.insert(Provenance, u64::from(!has_note));
    for thing in EVERYTHING {
        let [said, alone, differ] = [&said, &alone, &differ].map(|counts| counts.get(&thing).copied().unwrap_or(0));
        let context = || format!("{name} as {format:?}: {thing:?}, {:?}", copied.written.left_out);
        assert!(differ <= said, "{differ} differ, {}", context());
        let wolf = alone > 0 && differ == 0 && held(format).contains(&thing);
        assert!(!wolf, "nothing differs, {}", context());
    }
    copied
}

/// The sample books here, and those beside the repository where there are any.
fn samples() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = BTreeMap::new();
    for folder in ["tests/data/shogihome", "../shared/data/books/shogihome", "../shared/data/books/peta-sample"] {
        let Ok(entries) = std::fs::read_dir(root.join(folder)) else { continue };
        let paths = entries.map(|entry| entry.unwrap().path()).filter(|path| Format::of_extension(path).is_some());
        files.extend(paths.map(|path| (path.file_name().unwrap().to_owned(), path)));
    }
    assert!(files.len() >= 19, "{files:?}");
    files.into_values().collect()
}

fn options_of(format: Format) -> WriteOptions {
    let provenance = if held(format).contains(&Provenance) { "a note".into() } else { String::new() };
    WriteOptions { provenance, ..WriteOptions::default() }
}

#[test]
fn sample_books_lose_nothing_silently_in_any_format() {
    for path in samples() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for format in WRITTEN {
            check(&name, &|| Joseki::open(&path).unwrap(), format);
        }
    }
}

#[test]
fn the_standard_book_loses_nothing_silently_in_any_format() {
    for format in WRITTEN {
        let copied = check("the standard book", &|| Joseki::standard().unwrap(), format);
        assert!(copied.written.positions > 1_000);
    }
}

#[test]
fn a_text_book_comes_back_from_the_own_format_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let compare = |book: Joseki, name: &str| {
        let options = WriteOptions::default();
        copy(book, &path("a.db"), Format::Db, &options);
        copy(Joseki::open(&path("a.db")).unwrap(), &path("b.joseki"), Format::Own, &options);
        copy(Joseki::open(&path("b.joseki")).unwrap(), &path("c.db"), Format::Db, &options);
        let [before, after] = ["a.db", "c.db"].map(|name| std::fs::read(path(name)).unwrap());
        assert!(before == after, "{name}");
    };
    compare(Joseki::standard().unwrap(), "the standard book");
    for sample in samples() {
        compare(Joseki::open(&sample).unwrap(), &sample.to_string_lossy());
    }
}

/// The moves of the even start, each with something that formats may not hold.
fn extremes() -> Vec<JosekiTe> {
    let figures = |usi, set: &dyn Fn(&mut JosekiTe)| {
        let mut known = JosekiTe::new(te(usi));
        set(&mut known);
        known
    };
    vec![
        figures("9g9f", &|te| te.count = Some(0)),
        figures("7g7f", &|te| {
            (te.count, te.wins, te.draws, te.losses) = (Some(u64::MAX), Some(u64::MAX), Some(u64::MAX), Some(u64::MAX));
            (te.value, te.depth) = (Some(i32::MAX), Some(u32::MAX));
            (te.rating, te.opponent_rating) = (Some(u32::MAX), Some(u32::MAX));
            (te.ponder, te.annotation) = (Some(self::te("3c3d")), Some(Annotation::Blunder));
            te.comment = Some("one\r\n#two\n\n //three\n".into());
        }),
        figures("2g2f", &|te| (te.value, te.depth) = (Some(-i32::MAX), Some(0))),
        figures("5g5f", &|te| (te.value, te.depth, te.count) = (Some(-32_768), Some(65_536), Some(65_536))),
        figures("3g3f", &|te| (te.value, te.count) = (Some(i32::MIN), Some(1 << 31))),
        figures("4g4f", &|te| te.depth = Some(7)),
        figures("6g6f", &|te| (te.value, te.wins) = (Some(0), Some(0))),
        figures("8g8f", &|te| te.losses = Some(1)),
        figures("1g1f", &|te| te.comment = Some(String::new())),
        figures("2h3h", &|te| te.opponent_rating = Some(0)),
        figures("2h4h", &|te| te.value = Some(-32_769)),
        figures("2h5h", &|te| te.value = Some(32_768)),
        figures("2h6h", &|te| (te.value, te.annotation) = (Some(32_767), Some(Annotation::Forced))),
        figures("2h7h", &|te| te.ponder = Some(self::te("9i1a+"))),
        // Illegal.
        figures("7g7e", &|te| te.count = Some(3)),
    ]
}

fn entry(tesu: Option<u32>, comment: Option<&str>, moves: Vec<JosekiTe>) -> Entry {
    Entry { tesu, comment: comment.map(String::from), moves }
}

/// Positions each of which some format can't hold as it is.
fn odd_positions() -> Vec<(Kyokumen, Entry)> {
    let sfen = |sfen| Kyokumen::from_sfen(sfen).unwrap();
    let one = |usi| vec![JosekiTe { count: Some(5), ..JosekiTe::new(te(usi)) }];
    let result = |usi, wins, value, depth| {
        vec![JosekiTe { wins: Some(wins), value: Some(value), depth: Some(depth), ..JosekiTe::new(te(usi)) }]
    };
    vec![
        (Kyokumen::hirate(), entry(Some(1), Some("a\nb\r\n# c\r\n\n  d\n//e\r\r\n"), extremes())),
        (after("7g7f"), entry(None, None, Vec::new())),
        (after("2g2f"), entry(Some(0), Some("#"), Vec::new())),
        (after("5g5f"), entry(Some(2), Some(""), Vec::new())),
        (after("3g3f"), entry(Some(u32::MAX), Some("\r"), one("3c3d"))),
        // No move of the book leads to those.
        (after("9g9f 1c1d 9f9e"), entry(Some(4), None, one("1d1e"))),
        (after("9g9f 1c1d 9f9e 1d1e 1i1h 9a9b"), entry(Some(65_536), None, one("2g2f"))),
        (sfen("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"), entry(Some(1), None, one("3c3d"))),
        (sfen("4k4/9/9/9/9/9/9/9/4K4 b 2r2b4g4s4n4l18p 1"), entry(Some(1_000_001), None, one("5i5h"))),
        (sfen("4k4/9/9/9/9/9/9/9/4K4 w RB2GS 300"), entry(Some(300), Some("\u{feff}sfen 9"), one("5a5b"))),
        // Two ways to one position, with other figures.
        (after("1g1f 1c1d"), entry(Some(3), None, result("9g9f", 4, 50, 9))),
        (after("9g9f 1c1d"), entry(Some(9), None, result("1g1f", 2, -50, 10))),
        (after("9g9f 1c1d 1g1f"), entry(Some(40), None, one("9c9d"))),
    ]
}

fn check_written(name: &str, entries: &[(Kyokumen, Entry)]) {
    let bytes = own_format(entries, "");
    for format in WRITTEN {
        let copied = check(name, &|| book(&bytes), format);
        assert!(copied.written.positions <= entries.len() as u64);
    }
}

#[test]
fn odd_positions_lose_nothing_silently_alone_or_together() {
    let all = odd_positions();
    check_written("all", &all);
    for odd in &all {
        check_written(&odd.0.to_sfen(), std::slice::from_ref(odd));
    }
    for te in extremes() {
        let name = te.te.to_string();
        check_written(&name, &[(Kyokumen::hirate(), entry(Some(1), None, vec![te]))]);
    }
}

#[test]
fn random_figures_lose_nothing_silently() {
    for seed in 0..4 {
        check_written("random", &random_book(3, seed));
    }
}

#[test]
fn a_book_without_positions_is_one_in_every_format() {
    let bytes = own_format(&[], "");
    for format in WRITTEN {
        let copied = check("empty", &|| book(&bytes), format);
        assert_eq!((copied.written.positions, copied.written.moves, copied.read), (0, 0, 0));
    }
}

#[test]
fn what_is_no_position_costs_only_itself() {
    let mut bytes = own_format(&odd_positions()[5..7], "");
    let index = bytes.len() - 2 * 40;
    bytes[index + 1..index + 32].fill(0xff);
    for format in WRITTEN {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(format!("a.{}", format.name()));
        let copied = copy(book(&bytes), &path, format, &options_of(format));
        let told = copied.written.left_out.iter().any(|what| what == "1 position that can't be read");
        assert!(told || matches!(format, Format::Own | Format::Ybb), "{format:?}: {:?}", copied.written.left_out);
    }
}
