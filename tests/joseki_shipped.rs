//! The books that come with the program.
#![cfg(feature = "cli")]

mod joseki_support;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use joseki_support::*;
use komadai::joseki::Joseki;
use komadai::kyokumen::{Kyokumen, Syurui, Te, Teban};

const BOOKS: [&str; 3] = ["standard.joseki", "static-rook.joseki", "ranging-rook.joseki"];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("joseki")
}

fn open(name: &str) -> Joseki {
    Joseki::open(&folder().join(name)).unwrap()
}

/// Whether the move swings a rook that is still at home, as its player sees it: to the middle file or further left.
fn swings(kyokumen: &Kyokumen, te: Te) -> bool {
    let (home, camp, left) = match kyokumen.teban() {
        Teban::Sente => ("2h", 7..=9, 5..=9),
        Teban::Gote => ("8b", 1..=3, 1..=5),
    };
    kyokumen.moved_syurui(te) == Some(Syurui::Hi)
        && te.from().is_some_and(|masu| masu.to_string() == home)
        && camp.contains(&te.to().dan().number())
        && left.contains(&te.to().suji().number())
}

#[test]
fn they_are_in_order_small_and_say_where_they_come_from() {
    for name in BOOKS {
        let book = open(name);
        assert!(book.verify(&mut |fault| panic!("{name}: {fault}")).is_good());
        assert!(book.provenance().unwrap().contains("no records, no names"), "{name}");
        assert!(name == "standard.joseki" || book.size() < 600_000, "{name}");
    }
}

#[test]
fn the_static_book_never_swings_from_home() {
    let book = open("static-rook.joseki");
    let (mut open, mut seen) = (vec![Kyokumen::hirate()], HashSet::new());
    let mut moves = 0;
    while let Some(kyokumen) = open.pop() {
        for te in book.lookup(&kyokumen).into_iter().flat_map(|entry| entry.moves) {
            assert!(!swings(&kyokumen, te.te), "{} {}", kyokumen.to_sfen(), te.te);
            moves += 1;
            let mut next = kyokumen.clone();
            next.do_te(te.te);
            if seen.insert(next.pack().unwrap()) {
                open.push(next);
            }
        }
    }
    assert!(moves > 4_000, "{moves}");
}

#[test]
fn the_ranging_book_swings_as_either_side_against_what_is_usual() {
    let book = open("ranging-rook.joseki");
    // The other side's moves; the book's own are its most played ones.
    let usual = [
        (Teban::Sente, "8c8d 8d8e 7a6b 5a4b 4b3b"),
        (Teban::Sente, "3c3d 8c8d 8d8e 7a6b 5a4b"),
        (Teban::Gote, "7g7f 2g2f 2f2e 3i4h 5i6h"),
        (Teban::Gote, "2g2f 2f2e 7g7f 3i4h 5i6h"),
    ];
    for (side, replies) in usual {
        let (mut kyokumen, mut replies) = (Kyokumen::hirate(), replies.split(' '));
        let mut line = Vec::new();
        let swung = loop {
            let te = if kyokumen.teban() == side {
                book.lookup(&kyokumen).and_then(|entry| Some(entry.moves.first()?.te))
            } else {
                replies.next().map(te)
            };
            let Some(te) = te.filter(|&te| kyokumen.is_legal(te)) else { break false };
            line.push(te.to_string());
            if kyokumen.teban() == side && swings(&kyokumen, te) {
                break true;
            }
            kyokumen.do_te(te);
        };
        assert!(swung, "{side:?}: {}", line.join(" "));
    }
}

/// Only where the games are at hand: the commands of `joseki/README.md` give the same bytes.
#[test]
fn they_come_out_of_the_commands_that_the_note_names() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/games/club_games.tsv.gz");
    if !games.is_file() {
        return;
    }
    let note = std::fs::read_to_string(folder().join("README.md")).unwrap().replace("\\\n", " ");
    let commands: Vec<&str> = note.lines().filter(|line| line.starts_with("komadai joseki build")).collect();
    assert_eq!(commands.len(), BOOKS.len());
    for (command, name) in commands.iter().zip(BOOKS) {
        let target = tempfile::tempdir().unwrap();
        let (options, provenance) = command.split_once(" --provenance ").unwrap();
        let words = options.split_whitespace().skip(3).filter(|word| *word != "club_games.tsv.gz");
        let output = Command::new(env!("CARGO_BIN_EXE_komadai"))
            .args(["joseki", "build"])
            .arg(&games)
            .args(words)
            .args(["--provenance", provenance.trim_matches('"')])
            .current_dir(target.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let same = std::fs::read(target.path().join(name)).unwrap() == std::fs::read(folder().join(name)).unwrap();
        assert!(same, "{name} is another");
    }
}
