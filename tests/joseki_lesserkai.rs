//! LesserKai's game lines, `public.bin`.

mod joseki_support;

use std::collections::HashMap;

use joseki_support::*;
use komadai::joseki::{AperyWriter, Entry, Format, Joseki, Selection, Stored};
use komadai::kyokumen::{Kyokumen, Te};
use rand::RngExt;

/// The kinds in LesserKai's own order, by their letters.
const KINDS: &str = "PLNSGBR";

fn square(file: u8, rank: u8) -> u8 {
    (rank - b'a') * 9 + (file - b'0')
}

/// The two bytes of a move; `owner` is added to the code of a dropped piece, as LesserKai does.
fn te_bytes(usi: &str, owner: u8) -> [u8; 2] {
    match *usi.as_bytes() {
        [kind, b'*', file, rank] => [square(file, rank), 101 + owner + KINDS.find(char::from(kind)).unwrap() as u8],
        [from_file, from_rank, file, rank, ref promotion @ ..] => {
            let to = square(file, rank) + if promotion.is_empty() { 0 } else { 100 };
            [to, square(from_file, from_rank)]
        }
        _ => panic!("{usi}"),
    }
}

/// A line of these moves, filled up with this byte.
fn line(moves: &str, rest: u8) -> Vec<u8> {
    let mut bytes: Vec<u8> =
        moves.split_whitespace().enumerate().flat_map(|(nth, usi)| te_bytes(usi, 16 << (nth % 2))).collect();
    bytes.resize(512, rest);
    bytes
}

fn lines(games: &[&str]) -> Vec<u8> {
    games.iter().flat_map(|game| line(game, 0)).collect()
}

fn faults(book: &Joseki) -> Vec<String> {
    let mut faults = Vec::new();
    book.verify(&mut |fault| faults.push(fault.to_owned()));
    faults
}

fn stored(book: &Joseki, parts: usize) -> (HashMap<String, Entry>, Vec<String>) {
    let (mut positions, mut lost) = (HashMap::new(), Vec::new());
    for stored in book.parts(parts).into_iter().flatten() {
        match stored {
            Stored::Position(packed, entry) => {
                let sfen = packed.unpack().unwrap().to_sfen_without_ply();
                assert!(positions.insert(sfen, entry).is_none());
            }
            Stored::Lost(what) => lost.push(what),
        }
    }
    (positions, lost)
}

#[test]
fn moves_of_games_are_counted_by_position() {
    let bytes = [
        line("7g7f 3c3d 2g2f", 0),
        line("2g2f 3c3d 7g7f 4c4d", 255),
        line("7g7f 8c8d", 255),
        line("7g7f 3c3d 8h2b+ 3a2b B*4e", 0),
    ]
    .concat();
    let book = book(bytes);
    assert_eq!((book.format(), book.warnings().len()), (Format::LesserKai, 0));
    let start = book.lookup(&Kyokumen::hirate()).unwrap();
    assert_eq!(counts(&start), [("7g7f".into(), Some(3)), ("2g2f".into(), Some(1))]);
    assert_eq!((start.tesu, start.moves[0].wins, start.moves[0].value), (Some(1), None, None));
    // Two ways lead here.
    let met = book.lookup(&after("7g7f 3c3d 2g2f")).unwrap();
    assert_eq!((counts(&met), met.tesu), (vec![("4c4d".to_owned(), Some(1))], Some(4)));
    assert_eq!(counts(&book.lookup(&after("7g7f 3c3d 8h2b+ 3a2b")).unwrap()), [("B*4e".into(), Some(1))]);
    assert!(book.lookup(&after("7g7f 3c3d 8h2b+ 3a2b B*4e")).is_none());
    // The same board with other hands is another position.
    let other = "lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL b Bb 5";
    assert!(book.lookup(&Kyokumen::from_sfen(other).unwrap()).is_some());
    assert!(book.lookup(&Kyokumen::from_sfen(&other.replace("Bb", "2B")).unwrap()).is_none());
    assert!(book.verify(&mut |fault| panic!("{fault}")).is_good());
}

#[test]
fn all_moves_of_random_games_are_counted_as_a_slow_count_counts_them() {
    let mut rng = rng(1);
    let mut bytes = Vec::new();
    let mut slow: HashMap<String, (u32, HashMap<Te, u64>)> = HashMap::new();
    for _ in 0..60 {
        let (mut kyokumen, mut moves) = (Kyokumen::hirate(), Vec::new());
        // Games as long as a line, which then has no end, and short ones; few first moves, so that games meet.
        for ply in 0..rng.random_range(1..300) {
            let mut legal: Vec<Te> = kyokumen.legal_te().into_iter().collect();
            legal.sort();
            if legal.is_empty() {
                break;
            }
            let te = legal[rng.random_range(0..if ply < 4 { 2 } else { legal.len() })];
            if ply < 256 {
                let (tesu, counts) = slow.entry(kyokumen.to_sfen_without_ply()).or_insert((u32::MAX, HashMap::new()));
                *tesu = (*tesu).min(kyokumen.tesu());
                *counts.entry(te).or_default() += 1;
            }
            moves.push(te.to_string());
            kyokumen.do_te(te);
        }
        bytes.extend(line(&moves[..moves.len().min(256)].join(" "), 0));
    }
    let book = book(bytes);
    for parts in [1, 4] {
        let (positions, lost) = stored(&book, parts);
        assert_eq!((positions.len(), lost.len()), (slow.len(), 0));
        for (sfen, (tesu, moves)) in &slow {
            let entry = &positions[sfen];
            assert_eq!(entry.tesu, Some(*tesu), "{sfen}");
            assert_eq!(entry.moves.iter().map(|te| (te.te, te.count.unwrap())).collect::<HashMap<_, _>>(), *moves);
            assert!(entry.moves.is_sorted_by_key(|te| std::cmp::Reverse(te.count)));
            assert_eq!(book.lookup(&Kyokumen::from_sfen(sfen).unwrap()).as_ref(), Some(entry));
        }
    }
    assert!(slow.len() > 1000);
    assert!(book.verify(&mut |fault| panic!("{fault}")).is_good());
}

#[test]
fn choices_are_in_proportion_to_the_counts() {
    let book = book(lines(&["7g7f", "7g7f", "7g7f", "2g2f"]));
    let times = frequencies(&Selection::default(), &[book], &Kyokumen::hirate(), 4000);
    assert!((2880..3120).contains(&times[0]) && times[0] + times[1] == 4000, "{times:?}");
}

#[test]
fn a_line_counts_up_to_its_first_illegal_move() {
    let mut bytes = lines(&["7g7f 3c3d 2g2f", "7g7f 3c3d 5e5d 8c8d", "2g2f 8c8d 2f2e"]);
    // A square that there is not, in the middle of the last line.
    bytes[1024 + 2] = 90;
    let book = book(bytes);
    let cuts = ["line 2: move 3 is illegal and ends it", "line 3: move 2 is illegal and ends it"];
    assert_eq!(book.warnings(), ["2 of 3 lines end in an illegal move"]);
    assert_eq!(faults(&book), cuts);
    assert_eq!(stored(&book, 2).1, cuts);
    assert_eq!(
        counts(&book.lookup(&Kyokumen::hirate()).unwrap()),
        [("7g7f".into(), Some(2)), ("2g2f".into(), Some(1))]
    );
    assert_eq!(counts(&book.lookup(&after("7g7f 3c3d")).unwrap()), [("2g2f".into(), Some(1))]);
    let places: Vec<_> = book.records().map(|record| record.place).collect();
    assert_eq!(places, ["line 1, move 1", "line 1, move 2", "line 1, move 3"]);
}

#[test]
fn a_damaged_first_line_or_end_hides_no_other_line() {
    let mut bytes = lines(&["7g7f 3c3d", "2g2f 8c8d", "2g2f 3c3d"]);
    bytes[0] = 99;
    bytes.extend([0; 100]);
    let book = book(bytes);
    assert_eq!(
        book.warnings(),
        ["1 of 3 lines end in an illegal move", "100 bytes behind the last whole line are ignored"]
    );
    assert_eq!(counts(&book.lookup(&Kyokumen::hirate()).unwrap()), [("2g2f".into(), Some(2))]);
}

#[test]
fn game_lines_and_records_of_apery_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("public.bin");
    std::fs::write(&path, lines(&["7g7f"])).unwrap();
    assert_eq!(Joseki::open(&path).unwrap().format(), Format::LesserKai);
    // 32 records of 16 bytes under the name of the other format.
    let mut output = AperyWriter::create(&path, "").unwrap();
    let moves = Kyokumen::hirate().legal_te().into_iter().map(komadai::joseki::JosekiTe::new);
    let start = Entry { moves: moves.collect(), ..Entry::default() };
    let reply = Entry { moves: start.moves[..2].to_vec(), ..Entry::default() };
    output.push(&after("7g7f").pack().unwrap(), &reply).unwrap();
    output.push(&Kyokumen::hirate().pack().unwrap(), &start).unwrap();
    assert_eq!(output.finish().unwrap().bytes, 512);
    assert_eq!(Joseki::open(&path).unwrap().format(), Format::Apery);
    // Neither of them.
    for bytes in [vec![0; 512], vec![255; 1024], b"no book at all, ".repeat(64)] {
        std::fs::write(&path, bytes).unwrap();
        let error = Joseki::open(&path).unwrap_err().to_string();
        assert!(error.ends_with("it is neither an Apery book nor a file of LesserKai's game lines"), "{error}");
    }
    assert!(folder.path().join("public.bin").exists());
}

#[test]
fn a_file_that_would_take_too_long_is_refused() {
    let mut bytes = lines(&["7g7f"]);
    bytes.resize((32 << 20) + 512, 0);
    let error = open_bytes(&bytes).unwrap_err().to_string();
    assert!(error.ends_with("its 33554944 bytes are too many for game lines: 33554432 are the most"), "{error}");
}
