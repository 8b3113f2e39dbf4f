//! ShogiGUI's books: what is read of them, and that damage costs no more than what it hits.

mod joseki_support;

use joseki_support::{after, book, counts, find, open_bytes, te};
use komadai::joseki::{Annotation, Format, Joseki, Stored};
use komadai::kyokumen::Kyokumen;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const GUI01: &[u8] = include_bytes!("data/shogihome/shogigui01.sbk");
const GUI02: &[u8] = include_bytes!("data/shogihome/shogigui02.sbk");
const MERGE: &[u8] = include_bytes!("data/shogihome/sbk-merge.sbk");

fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 128 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}

fn number(tag: u64, number: i64) -> Vec<u8> {
    [varint(tag << 3), varint(number as u64)].concat()
}

fn bytes(tag: u64, content: &[u8]) -> Vec<u8> {
    [varint(tag << 3 | 2), varint(content.len() as u64), content.to_vec()].concat()
}

/// A move: its word, and the state it leads to.
fn step(word: u32, next: i64) -> Vec<u8> {
    bytes(9, &[number(1, i64::from(word as i32)), number(3, 1), number(4, next)].concat())
}

fn state(id: i64, fields: &[Vec<u8>]) -> Vec<u8> {
    bytes(3, &[number(1, id), fields.concat()].concat())
}

/// Opens a file by the name of the format, so that it may be damaged from the start.
fn named_so(bytes: &[u8]) -> Result<Joseki, komadai::joseki::JosekiError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.sbk");
    std::fs::write(&path, bytes).unwrap();
    Joseki::open(&path)
}

/// What can't be taken along in a copy.
fn lost_of(book: &Joseki) -> Vec<String> {
    let lost = book.parts(2).into_iter().flatten().filter_map(|stored| match stored {
        Stored::Lost(what) => Some(what),
        Stored::Position(..) => None,
    });
    lost.collect()
}

const P7G7F: u32 = 0x0100_7677;
const P3C3D: u32 = 0x9100_3433;
const P2G2F: u32 = 0x0100_2627;

#[test]
fn moves_have_weights_annotations_and_the_results_of_where_they_lead() {
    let book = book(GUI02);
    assert_eq!(book.format(), Format::Sbk);
    assert_eq!(book.warnings(), [""; 0]);
    let start = book.lookup(&Kyokumen::hirate()).unwrap();
    let played = [("7g7f", 68), ("2g2f", 175), ("2h7h", 5), ("5g5f", 27)];
    let want: Vec<_> = played.iter().map(|&(usi, count)| (usi.to_owned(), Some(count))).collect();
    assert_eq!(counts(&start), want);
    assert_eq!(start.tesu, Some(1));
    assert_eq!(start.comment.as_deref(), Some("278 games, 16 won by Sente, 9 by Gote"));
    let pawn = find(&start, "7g7f");
    assert_eq!((pawn.wins, pawn.losses, pawn.draws), (Some(8), Some(1), None));
    // Gote moves: what Gote won are the wins.
    let reply = find(&book.lookup(&after("7g7f")).unwrap(), "3c3d");
    assert_eq!((reply.count, reply.wins, reply.losses), (Some(29), Some(1), Some(7)));
    assert_eq!(book.lookup(&after("7g7f 3c3d")).unwrap().tesu, Some(3));
}

#[test]
fn comments_and_what_engines_found_are_kept() {
    let book = book(GUI01);
    assert_eq!(book.provenance().as_deref(), Some("Author: Kubo, Ryosuke\nTest Book Data"));
    let (mut commented, mut valued, mut annotated) = (0, Vec::new(), Vec::new());
    for record in book.records() {
        assert_eq!(record.faults, [""; 0]);
        let kyokumen = record.kyokumen.unwrap();
        assert_eq!(book.lookup(&kyokumen).unwrap(), record.entry);
        commented += u32::from(record.entry.comment.is_some());
        for te in record.entry.moves {
            assert!(kyokumen.is_legal(te.te));
            valued.extend(te.value.map(|value| (te.te.to_string(), value, te.depth)));
            annotated.extend(te.annotation);
        }
    }
    assert_eq!(commented, 2);
    assert_eq!(valued, [("7i7h".to_owned(), 5, Some(28))]);
    let times = |wanted| annotated.iter().filter(|&&annotation| annotation == wanted).count();
    use Annotation::*;
    assert_eq!([Forced, Good, Bad, Blunder].map(times), [7, 1, 3, 2]);
    let comment = book.lookup(&after(LINE)).unwrap().comment.unwrap();
    assert!(comment.contains("value 5, depth 28/44, 62668437 nodes, △５四歩(53)"), "{comment}");
}

/// The moves to the position of which an engine gave a value.
const LINE: &str = "2g2f 3c3d 7g7f 8c8d 2f2e 8d8e 2e2d 2c2d 2h2d 4a3b 5i5h 8e8f 8g8f 8b8f 8h2b+ 3a2b B*7g 8f8b P*8c 8b5b \
                    7i7h";

#[test]
fn a_second_root_is_found_with_all_that_follows() {
    let book = book(MERGE);
    assert_eq!(book.warnings(), [""; 0]);
    let root = "lnsgkgsnl/1r7/p1ppppb1p/6pR1/1p7/2P6/PP1PPPP1P/1S7/LN1GKGSNL b BPp 1";
    let entry = book.lookup(&Kyokumen::from_sfen(root).unwrap()).unwrap();
    assert_eq!(counts(&entry), [("2d2h".to_owned(), Some(3))]);
    assert_eq!(entry.moves[0].annotation, Some(Annotation::Good));
    // States that have nothing but their place are no positions of the book.
    assert_eq!(book.verify(&mut |fault| panic!("{fault}")).positions, book.records().count() as u64);
}

#[test]
fn copies_by_another_program_are_the_same_book() {
    let (book, copy) = (book(GUI02), book(include_bytes!("data/shogihome/shogigui02-copy.sbk")));
    let mut positions = 0;
    for record in book.records() {
        let kyokumen = record.kyokumen.unwrap();
        let copied = copy.lookup(&kyokumen).unwrap();
        // It writes neither its zeros nor some positions that no move leads on from.
        assert_eq!(counts(&copied), counts(&record.entry));
        positions += 1;
    }
    assert!(positions > 80);
}

#[test]
fn the_first_state_is_the_even_start_unless_it_says_otherwise() {
    let file = [state(0, &[step(P7G7F, 1)]), state(1, &[step(P3C3D, -1)])].concat();
    let book = book(&file);
    assert_eq!(counts(&book.lookup(&Kyokumen::hirate()).unwrap()), [("7g7f".to_owned(), Some(1))]);
    assert_eq!(counts(&book.lookup(&after("7g7f")).unwrap()), [("3c3d".to_owned(), Some(1))]);
    assert_eq!(book.warnings(), [""; 0]);
}

#[test]
fn states_of_one_position_are_one() {
    // Both ways to the same position, each with a state of its own.
    let states = [
        state(0, &[step(P7G7F, 1), step(P2G2F, 3)]),
        state(1, &[step(P3C3D, 2)]),
        state(2, &[step(P2G2F, 5), bytes(8, b"one")]),
        state(3, &[step(P3C3D, 4)]),
        state(4, &[step(P7G7F, 6), bytes(8, b"other")]),
        state(5, &[bytes(8, "同".as_bytes()), step(0x9100_8483, -1)]),
        state(6, &[bytes(8, "同".as_bytes()), step(0x9100_8483, -1)]),
    ];
    let book = book(states.concat());
    assert_eq!(book.warnings(), [""; 0]);
    let merged = book.lookup(&after("7g7f 3c3d 2g2f")).unwrap();
    assert_eq!(counts(&merged), [("8c8d".to_owned(), Some(2))]);
    assert_eq!(merged.comment.as_deref(), Some("同"));
    assert_eq!(book.lookup(&after("2g2f 3c3d 7g7f")).unwrap(), merged);
    assert_eq!(book.verify(&mut |_| ()).repeated, 1);
}

#[test]
fn what_leads_astray_is_counted_and_hides_nothing() {
    let states = [
        // A number that is no state, one below -1, an illegal move, a word that is no move, a state of another
        // position.
        state(0, &[step(P7G7F, 1), step(P2G2F, 99), step(0x0100_2527, 2), step(0, 2), step(0x0100_9697, -7)]),
        state(1, &[step(P3C3D, 2), step(0x9100_8483, 2)]),
        state(2, &[step(P2G2F, 0)]),
        state(7, &[step(P2G2F, 3)]),
        bytes(3, &[bytes(7, b"no sfen"), step(P2G2F, -1)].concat()),
    ];
    let book = named_so(&states.concat()).unwrap();
    assert_eq!(
        book.warnings(),
        [
            "2 of its states have a number that is not their place; their place counts",
            "1 of its roots are no position that a book can hold",
            "4 of its moves lead to a state that is not there or is another position",
            "2 of its states are lost, for no root leads to them",
        ]
    );
    let start = book.lookup(&Kyokumen::hirate()).unwrap();
    let moves: Vec<_> = start.moves.iter().map(|te| te.te).collect();
    assert_eq!(moves, [te("7g7f"), te("2g2f"), te("2g2e"), te("9g9f")]);
    assert!(book.lookup(&after("7g7f 3c3d")).is_some());
    assert!(book.lookup(&after("7g7f 8c8d")).is_none());
    let lost = ["state 0: it has a move that is none", "state 3: no root leads to it", "state 4: no root leads to it"];
    assert_eq!(lost_of(&book), lost);
}

#[test]
fn long_chains_and_cycles_take_neither_stack_nor_time() {
    // A rook goes to and fro, 50,000 states long, and the end leads back to the beginning.
    let words = [0x0700_1828, 0x9700_9282, 0x0700_2818, 0x9700_8292];
    let states = 50_000;
    let file: Vec<_> =
        (0..states).map(|nth| state(nth, &[step(words[nth as usize % 4], (nth + 1) % states)])).collect();
    let book = book(file.concat());
    assert_eq!(book.warnings(), [""; 0]);
    let count = book.lookup(&Kyokumen::hirate()).unwrap().moves[0].count;
    assert_eq!(count, Some(states as u64 / 4));
}

#[test]
fn a_file_that_was_cut_short_keeps_what_is_left() {
    let whole = book(GUI01).records().count();
    let (mut last, mut cut) = (0, 0);
    for length in (200..GUI01.len()).step_by(37) {
        let book = named_so(&GUI01[..length]).unwrap();
        let left = book.records().filter(|record| record.kyokumen.is_some() && !record.entry.moves.is_empty()).count();
        assert!(left >= last && left <= whole && !book.warnings().is_empty(), "{length}");
        // A check doesn't take it for a whole book, nor does a copy, unless it ends where a state does.
        assert!(!book.verify(&mut |_| ()).is_good(), "{length}");
        let is_cut = |told: &[String]| told.iter().any(|what| what.contains("cut short"));
        assert_eq!(is_cut(&lost_of(&book)), is_cut(book.warnings()), "{length}");
        cut += usize::from(is_cut(book.warnings()));
        last = left;
    }
    assert!(last > 50 && cut > 20, "{last} {cut}");
}

#[test]
fn nothing_else_is_taken_for_this_format() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let folder = tempfile::tempdir().unwrap();
    for named in ["a.sbk", "a.bin"] {
        let path = folder.path().join(named);
        for _ in 0..300 {
            let mut bytes: Vec<u8> = (0..random.random_range(0..400)).map(|_| random.random()).collect();
            if let Some(first) = bytes.first_mut() {
                *first = [0x0a, 0x12, 0x1a, 0x1a][random.random_range(0..4)];
            }
            std::fs::write(&path, &bytes).unwrap();
            assert!(!matches!(Joseki::open(&path), Ok(book) if book.format() == Format::Sbk), "{bytes:x?}");
        }
    }
    for text in ["", "\n", "\n\n\nhello\n", "\x1a\x00", "\x1a\x02\x08\x00", "{\n}\n"] {
        assert!(open_bytes(text.as_bytes()).is_err(), "{text:?}");
    }
}
