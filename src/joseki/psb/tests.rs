//! What goes in comes out again; lookups, roots, damage.

use std::path::Path;

use super::Writer;
use super::table::Table;
use crate::joseki::{Annotation, Entry, Joseki, JosekiTe, Stored};
use crate::kyokumen::{Kyokumen, PackedKyokumen};

/// Writes a book of these positions in the order of the format; also returns what was left out.
fn write(positions: &[(PackedKyokumen, Entry)], provenance: &str, path: &Path) -> Vec<String> {
    let mut writer = Writer::create(path, provenance).unwrap();
    let mut sorted = positions.to_vec();
    sorted.sort_by_key(|(packed, _)| writer.sort_key(packed));
    for (packed, entry) in &sorted {
        writer.push(packed, entry).unwrap();
    }
    let written = writer.finish().unwrap();
    assert_eq!(written.bytes, std::fs::metadata(path).unwrap().len());
    written.left_out
}

fn positions(joseki: &Joseki) -> Vec<(PackedKyokumen, Entry)> {
    let stored = joseki.parts(2).into_iter().flatten();
    let mut positions: Vec<_> = stored
        .map(|stored| match stored {
            Stored::Position(packed, entry) => (packed, entry),
            Stored::Lost(what) => panic!("{what}"),
        })
        .collect();
    positions.sort_by_key(|(packed, _)| *packed);
    positions
}

fn sample() -> Vec<(PackedKyokumen, Entry)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/shogihome/sbk-merge.sbk");
    let mut positions = positions(&Joseki::open(&path).unwrap());
    positions.iter_mut().for_each(|(_, entry)| entry.comment = None);
    positions.retain(|(_, entry)| !entry.moves.is_empty());
    positions
}

#[test]
fn books_are_the_same_after_writing_with_all_figures() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.psb");
    let mut before = sample();
    for (entry, all) in before.iter_mut().map(|(_, entry)| entry).zip([true, false].into_iter().cycle()) {
        let te = &mut entry.moves[0];
        if all {
            (te.count, te.wins, te.draws, te.losses) = (Some(u64::MAX), Some(0), Some(1), Some(1 << 40));
            (te.rating, te.opponent_rating, te.depth) = (Some(u32::MAX), Some(0), Some(3));
            (te.value, te.ponder) = (Some(i32::MIN), "P*5e".parse().ok());
            te.annotation = Some(Annotation::Blunder);
            entry.tesu = Some(u32::MAX);
        } else {
            te.value = Some(i32::MAX);
        }
    }
    assert_eq!(write(&before, "two\nlines", &path), [""; 0]);
    let book = Joseki::open(&path).unwrap();
    assert_eq!(book.provenance().as_deref(), Some("two\nlines"));
    assert_eq!(positions(&book), before);
    let verdict = book.verify(&mut |fault| panic!("{fault}"));
    assert!(verdict.is_good() && verdict.positions == before.len() as u64);
    for (packed, entry) in &before {
        assert_eq!(book.lookup(&packed.unpack().unwrap()).as_ref(), Some(entry));
    }
    assert!(book.lookup(&Kyokumen::hirate().rotated()).is_none());
    // Written again it is the same byte for byte.
    let again = folder.path().join("b.psb");
    write(&positions(&book), "two\nlines", &again);
    assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(&again).unwrap());
}

#[test]
fn a_book_is_laid_out_as_its_description_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.psb");
    let mut te = JosekiTe::new("7g7f".parse().unwrap());
    te.count = Some(20);
    let start = Kyokumen::hirate().pack().unwrap();
    let comment = Some("lost".to_owned());
    let left_out = write(&[(start, Entry { tesu: Some(1), comment, moves: vec![te] })], "", &path);
    assert_eq!(left_out, ["1 comment on a position"]);
    let bytes = std::fs::read(&path).unwrap();
    let head = "[parameters]\ngame=shogi\nhashSz=64\nnumBase=224\nmoves=1\nfields=move:13 games:5 ply:1\n\
                root=lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n[moves]\n";
    let rest = bytes.strip_prefix(head.as_bytes()).unwrap();
    // 7g7f is 59 + 128 * 60, its games are 20 + 1, its ply 1: the number is 7739 + 8192 * (21 + 32).
    let number = 7739 + 8192 * (21 + 32);
    let digits = [number % 224, number / 224 % 224, number / (224 * 224)].map(|digit| 32 + digit as u8);
    assert_eq!(rest[20..24], [&digits[..], b"\n"].concat());
    let keys = Table::new().keys(&Kyokumen::hirate());
    let key = |line: &[u8]| line.iter().rev().fold(0u64, |key, &byte| key * 224 + u64::from(byte - 32));
    assert_eq!((key(&rest[..9]), key(&rest[10..19])), keys);
    assert!(rest[24..].starts_with(b"[zTab]\n"));
    assert_eq!(rest.len(), 24 + 7 + 2 * 2521 * 10);
}

#[test]
fn keys_differ_in_turn_board_and_hands() {
    let table = Table::new();
    let sfens = [
        "4k4/9/9/9/9/9/9/9/4K4 b - 1",
        "4k4/9/9/9/9/9/9/9/4K4 w - 1",
        "4k4/9/9/9/9/9/9/9/4K4 b P 1",
        "4k4/9/9/9/9/9/9/9/4K4 b 2P 1",
        "4k4/9/9/9/9/9/9/9/4K4 b 3P 1",
        "4k4/9/9/9/9/9/9/9/4K4 b p 1",
        "4k4/9/9/9/9/9/9/9/4K4 b L 1",
        "4k4/9/9/9/4P4/9/9/9/4K4 b - 1",
        "4k4/9/9/9/4p4/9/9/9/4K4 b - 1",
        "4k4/9/9/9/4+P4/9/9/9/4K4 b - 1",
        "4k4/9/9/9/5P3/9/9/9/4K4 b - 1",
    ];
    let mut keys: Vec<_> = sfens.iter().map(|sfen| table.keys(&Kyokumen::from_sfen(sfen).unwrap())).collect();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), sfens.len());
}

#[test]
fn what_is_no_such_book_is_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.psb");
    write(&sample(), "", &path);
    let bytes = std::fs::read(&path).unwrap();
    let refused = |bytes: &[u8], why: &str| {
        std::fs::write(&path, bytes).unwrap();
        let error = Joseki::open(&path).unwrap_err().to_string();
        assert!(error.ends_with(why), "{error}");
    };
    refused(b"[parameters]\nhashSz=64\nnumBase=224\n[moves]\n", "it is no book of shogi");
    refused(b"[parameters]\nhashSz=32\n[moves]\n", "its keys have 32 bits, this program reads 64");
    refused(b"[parameters]\n", "it has no block [moves]");
    refused(&bytes[..1000], "it is cut short; fetch it again");
    refused(&bytes[..bytes.len() - 1], "its table [zTab] is damaged");
    refused(&bytes.iter().map(|&byte| if byte == b'7' { b'6' } else { byte }).collect::<Vec<_>>(), "say");
}

#[test]
fn a_walk_ends_where_a_strange_table_gives_all_positions_the_same_keys() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.psb");
    let moves = ["7g7f", "2g2f"].map(|usi| JosekiTe::new(usi.parse().unwrap())).to_vec();
    let start = Kyokumen::hirate().pack().unwrap();
    write(&[(start, Entry { tesu: Some(1), comment: None, moves })], "", &path);
    let mut bytes = std::fs::read(&path).unwrap();
    let zeros = bytes.windows(8).position(|window| window == b"[moves]\n").unwrap() + 8;
    let figures = bytes[zeros + 20..].iter().position(|&byte| byte == b'\n').unwrap() + 1;
    for nth in 0..2 {
        let keys = zeros + nth * (20 + figures);
        bytes[keys..keys + 20].copy_from_slice(b"         \n         \n");
    }
    let table = bytes.windows(7).position(|window| window == b"[zTab]\n").unwrap() + 7;
    bytes[table..].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    std::fs::write(&path, &bytes).unwrap();
    let book = Joseki::open(&path).unwrap();
    assert_eq!(book.records().count(), 1);
    assert_eq!(book.lookup(&Kyokumen::hirate().rotated()).unwrap().moves.len(), 2);
}

#[test]
fn moves_that_no_root_leads_to_are_looked_up_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.psb");
    let root = Kyokumen::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b P 5").unwrap();
    let entry = Entry { tesu: Some(5), comment: None, moves: vec![JosekiTe::new("P*5e".parse().unwrap())] };
    write(&[(root.pack().unwrap(), entry.clone())], "", &path);
    // Without its root the book starts at the even start.
    let bytes = std::fs::read(&path).unwrap();
    let named = bytes.windows(5).position(|window| window == b"root=").unwrap();
    std::fs::write(&path, [&bytes[..named], b"toor=", &bytes[named + 5..]].concat()).unwrap();
    let book = Joseki::open(&path).unwrap();
    assert_eq!(book.lookup(&root), Some(entry));
    let lost = Stored::Lost("1 of 1 records belong to positions that can't be reached from the known ones".into());
    assert_eq!(book.parts(1).into_iter().flatten().collect::<Vec<_>>(), [lost]);
    assert_eq!(book.verify(&mut |_| ()).damaged, 1);
    // Named from outside it is a root like any other.
    let mut book = book;
    book.add_roots(std::slice::from_ref(&root));
    assert_eq!(positions(&book).iter().map(|(packed, _)| *packed).collect::<Vec<_>>(), [root.pack().unwrap()]);
    assert!(book.verify(&mut |fault| panic!("{fault}")).is_good());
    // One that can't be read is told.
    std::fs::write(&path, [&bytes[..named], b"root=5", &bytes[named + 6..]].concat()).unwrap();
    let warnings = Joseki::open(&path).unwrap().warnings().to_vec();
    assert_eq!(warnings, ["1 of its roots are no position that a book can hold"]);
}

#[test]
fn a_move_that_can_not_be_read_is_told_and_hides_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.psb");
    let moves = ["7g7f", "2g2f", "5g5f"].map(|usi| JosekiTe::new(usi.parse().unwrap())).to_vec();
    let start = Kyokumen::hirate().pack().unwrap();
    write(&[(start, Entry { tesu: Some(1), comment: None, moves: moves.clone() })], "", &path);
    let mut bytes = std::fs::read(&path).unwrap();
    let records = bytes.windows(8).position(|window| window == b"[moves]\n").unwrap() + 8;
    let figures = bytes[records + 20..].iter().position(|&byte| byte == b'\n').unwrap() + 1;
    // The second record's figures lose a digit: a control character is none.
    bytes[records + 20 + figures + 20] = 1;
    std::fs::write(&path, &bytes).unwrap();
    let book = Joseki::open(&path).unwrap();
    let left = Entry { tesu: Some(1), comment: None, moves: vec![moves[0].clone(), moves[2].clone()] };
    let want = [Stored::Position(start, left), Stored::Lost("record 2: this is no move".into())];
    assert_eq!(book.parts(3).into_iter().flatten().collect::<Vec<_>>(), want);
}
