//! The own format: its description, its exactness, and what damage does to it.

mod joseki_support;

use joseki_support::*;
use komadai::joseki::{Entry, Joseki, JosekiTe, Writer};
use komadai::kyokumen::Kyokumen;
use rand::RngExt;

/// The book whose bytes docs/joseki-format.md shows.
fn example() -> Vec<(Kyokumen, Entry)> {
    let first = JosekiTe { comment: Some("角道".into()), ..full("7g7f") };
    let second = JosekiTe { count: Some(300), ..JosekiTe::new(te("2g2f")) };
    let drop = JosekiTe::new(te("P*5e"));
    let endgame = Kyokumen::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b P 99").unwrap();
    vec![
        (Kyokumen::hirate(), Entry { tesu: Some(1), comment: Some("start".into()), moves: vec![first, second] }),
        (endgame, Entry { tesu: None, comment: None, moves: vec![drop] }),
    ]
}

/// Reads `offset: hexadecimal bytes` lines of the first block that is fenced as `hexdump`.
fn documented_bytes() -> Vec<u8> {
    let text = include_str!("../docs/joseki-format.md");
    let dump = text.split("```hexdump\n").nth(1).unwrap().split("```").next().unwrap();
    let bytes = dump.lines().flat_map(|line| line.split_once(": ").unwrap().1.split_whitespace());
    bytes.map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

#[test]
fn the_writer_writes_the_bytes_that_are_documented() {
    let bytes = own_format(&example(), "An example.");
    let dump: Vec<String> = bytes
        .chunks(16)
        .enumerate()
        .map(|(row, chunk)| {
            let bytes: Vec<String> = chunk.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("{:04x}: {}", row * 16, bytes.join(" "))
        })
        .collect();
    assert_eq!(bytes, documented_bytes(), "\n{}", dump.join("\n"));
}

#[test]
fn the_documented_bytes_are_read_as_what_they_say() {
    let book = book(documented_bytes());
    for (kyokumen, entry) in example() {
        assert_eq!(book.lookup(&kyokumen), Some(entry));
    }
    assert_eq!(book.lookup(&after("7g7f")), None);
    assert_eq!(book.provenance().as_deref(), Some("An example."));
    assert_eq!((book.format().name(), book.records().count()), ("joseki", 2));
}

#[test]
fn every_position_of_a_large_book_is_found_and_no_other() {
    let entries = random_book(100, 1);
    assert!(entries.len() > 4_000);
    let book = book(own_format(&entries, ""));
    for (kyokumen, entry) in &entries {
        assert_eq!(book.lookup(kyokumen).as_ref(), Some(entry));
    }
    let others = random_book(40, 2);
    let known: std::collections::HashSet<_> = entries.iter().map(|(kyokumen, _)| kyokumen.pack()).collect();
    for (kyokumen, _) in others {
        assert_eq!(book.lookup(&kyokumen).is_some(), known.contains(&kyokumen.pack()));
    }
    let verdict = book.verify(&mut |fault| panic!("{fault}"));
    assert_eq!(verdict.positions, entries.len() as u64);
}

#[test]
fn a_book_of_no_positions_is_a_book() {
    let empty = book(own_format(&[], ""));
    assert_eq!(empty.lookup(&Kyokumen::hirate()), None);
    assert!(empty.verify(&mut |fault| panic!("{fault}")).is_good());
    assert_eq!(empty.provenance(), None);
}

#[test]
fn positions_out_of_order_are_refused_and_leave_the_old_book() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.joseki");
    std::fs::write(&path, "old").unwrap();
    let packed = Kyokumen::hirate().pack().unwrap();
    let mut writer = Writer::create(&path, "").unwrap();
    writer.push(&packed, &Entry::default()).unwrap();
    assert!(writer.push(&packed, &Entry::default()).unwrap_err().to_string().contains("order"));
    drop(writer);
    assert_eq!(std::fs::read(&path).unwrap(), b"old");
    // No temporary file is left either.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn what_is_no_plain_file_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    assert!(Writer::create(folder.path(), "").is_err());
    assert!(Writer::create(&folder.path().join("no/such/folder.joseki"), "").is_err());
}

#[test]
fn a_book_cut_short_says_so() {
    let bytes = own_format(&example(), "An example.");
    for length in 8..bytes.len() {
        let error = open_bytes(&bytes[..length]).unwrap_err().to_string();
        assert!(error.contains("cut short"), "{length}: {error}");
    }
    let mut longer = bytes;
    longer.extend_from_slice(b"surplus");
    assert_eq!(book(&longer).warnings(), ["7 bytes behind the end of the book are ignored"]);
}

#[test]
fn other_versions_and_schemes_are_refused_by_name() {
    let bytes = own_format(&example(), "An example.");
    let mut later = bytes.clone();
    later[8] = 2;
    assert!(open_bytes(&later).unwrap_err().to_string().contains("version 2"));
    let mut damaged = bytes.clone();
    damaged[40] ^= 1;
    assert!(open_bytes(&damaged).unwrap_err().to_string().contains("header is damaged"));
    for not_a_book in [&b"\x89JOSEKI\r\n"[..], b"<html>", b"7g7f none 0 0 1\n", &[0; 64]] {
        let error = open_bytes(not_a_book).unwrap_err().to_string();
        assert!(error.contains("no book"), "{error}");
    }
    assert!(Joseki::open("no/such/file.joseki".as_ref()).unwrap_err().to_string().contains("no/such/file.joseki"));
    assert!(Joseki::open(std::env::temp_dir().as_path()).is_err());
}

#[test]
fn damage_outside_the_header_is_found_by_a_check_and_spares_the_rest() {
    let entries = random_book(4, 3);
    let bytes = own_format(&entries, "");
    let mut rng = rng(4);
    for _ in 0..100 {
        let mut damaged = bytes.clone();
        let place = rng.random_range(128..bytes.len());
        damaged[place] ^= 1 << rng.random_range(0..8);
        let book = book(&damaged);
        let mut faults = 0;
        let verdict = book.verify(&mut |_| faults += 1);
        // The few bytes of padding are the only ones that nobody reads.
        let index = bytes.len() - entries.len() * 40;
        assert!(!verdict.is_good() && faults > 0 || (index - 7..index).contains(&place), "{place}");
        let lost = entries.iter().filter(|(kyokumen, entry)| book.lookup(kyokumen).as_ref() != Some(entry)).count();
        assert!(lost <= 8, "{lost} of {} lost by a bit at {place}", entries.len());
    }
}

/// The header's sum, made to fit what was changed.
fn seal(bytes: &mut [u8]) {
    let provenance = u64::from_le_bytes(bytes[56..64].try_into().unwrap()) as usize;
    let summed = bytes[..120].iter().chain(&bytes[128..128 + provenance]);
    let sum =
        summed.fold(0xcbf2_9ce4_8422_2325_u64, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    bytes[120..128].copy_from_slice(&sum.to_le_bytes());
}

#[test]
fn the_order_is_that_of_the_books_own_seed() {
    let sorted = |seed: u64| {
        let mut bytes = documented_bytes();
        bytes[32..40].copy_from_slice(&seed.to_le_bytes());
        seal(&mut bytes);
        book(bytes).is_sorted()
    };
    let number = (0..32).filter(|&seed| sorted(seed)).count();
    assert!((1..32).contains(&number), "{number}");
}

#[test]
fn a_header_of_another_length_or_number_of_moves_is_noticed() {
    let mut bytes = documented_bytes();
    bytes[12] = 64;
    seal(&mut bytes);
    assert!(open_bytes(&bytes).is_err());
    let mut bytes = documented_bytes();
    bytes[48] = 4;
    seal(&mut bytes);
    assert_eq!(book(bytes).verify(&mut |_| {}).damaged, 1);
}

#[test]
fn a_move_that_stands_twice_is_merged_and_reported() {
    let counted = |count| JosekiTe { count: Some(count), wins: Some(1), ..JosekiTe::new(te("7g7f")) };
    let entry = Entry { tesu: Some(1), comment: None, moves: vec![counted(3), counted(4)] };
    let book = book(own_format(&[(Kyokumen::hirate(), entry)], ""));
    let found = book.lookup(&Kyokumen::hirate()).unwrap();
    assert_eq!(counts(&found), [("7g7f".into(), Some(7))]);
    assert_eq!(found.moves[0].wins, Some(2));
    let verdict = book.verify(&mut |_| {});
    assert_eq!((verdict.repeated, verdict.damaged), (1, 0));
}

#[test]
fn more_moves_than_a_position_can_have_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = Writer::create(&folder.path().join("many.joseki"), "").unwrap();
    let packed = Kyokumen::hirate().pack().unwrap();
    let entry = |number| Entry { moves: vec![JosekiTe::new(te("7g7f")); number], ..Entry::default() };
    assert!(writer.push(&packed, &entry(594)).is_err());
    assert!(writer.push(&packed, &entry(593)).is_ok());
}

#[test]
fn counts_that_grow_too_large_are_reported() {
    let most = JosekiTe { count: Some(u64::MAX), ..JosekiTe::new(te("7g7f")) };
    let entry = Entry { moves: vec![most.clone(), most], ..Entry::default() };
    let own = book(own_format(&[(Kyokumen::hirate(), entry)], ""));
    let line = format!("7g7f none 0 0 {}\n", u64::MAX);
    for book in [own, book(format!("sfen {START} 1\n{line}{line}"))] {
        assert_eq!(book.lookup(&Kyokumen::hirate()).unwrap().moves[0].count, Some(u64::MAX));
        assert_eq!(book.verify(&mut |_| {}).damaged, 1);
    }
}

#[cfg(unix)]
#[test]
fn a_device_is_no_book() {
    assert!(Joseki::open(std::path::Path::new("/dev/zero")).is_err());
    // Opening a pipe would wait for ever.
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.joseki");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert!(Joseki::open(&pipe).is_err());
}
