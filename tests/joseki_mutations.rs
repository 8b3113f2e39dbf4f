//! Damaged books of every format: whatever stands in a file, it is read without a panic, without end, or in the memory
//! that its size allows, and no illegal move is played from it.
#![cfg(feature = "workshop")]

mod joseki_support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use joseki_support::*;
use komadai::joseki::copy::{self, Rules};
use komadai::joseki::{Format, Joseki, Select, Selection, Stored, WriteOptions};
use komadai::kyokumen::Kyokumen;
use rand::{Rng, RngExt};

/// Tells how much memory is in use, and how much was at most.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: all is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        PEAK.fetch_max(IN_USE.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        // SAFETY: the caller keeps the promises that the system asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as above; the memory came from the system.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Good books of one format.
struct Samples {
    format: Format,
    books: Vec<Vec<u8>>,
    /// Where most of the damage goes, out of so many bytes.
    aim: fn(usize) -> usize,
}

fn samples() -> Vec<Samples> {
    let file = |name: &str| {
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/shogihome").join(name)).unwrap()
    };
    let small = own_format(&random_book(1, 5)[..20], "A note.");
    let of = |format, books: Vec<Vec<u8>>, aim| Samples { format, books, aim };
    vec![
        of(Format::Own, vec![small.clone(), own_format(&[], "")], |at| at),
        of(Format::Db, vec![file("yaneuraou-crlf.db"), file("yaneuraou-merge.db")], |at| at),
        of(Format::Sbk, vec![file("sbk-merge.sbk"), file("shogigui01.sbk")], |at| at % 900),
        // The parameters and the first moves; the table behind is long.
        of(Format::Psb, vec![copied(&file("sbk-merge.sbk"), Format::Psb), copied(&small, Format::Psb)], |at| at % 700),
        of(Format::Ybb, vec![file("yaneuraou.ybb"), copied(&small, Format::Ybb)], |at| at),
        of(Format::Apery, vec![file("apery.bin"), copied(&small, Format::Apery)], |at| at),
        // Lines of 512 bytes, most of which begin with a few moves.
        of(Format::LesserKai, vec![game_lines()], |at| at / 512 * 512 + at % 20),
    ]
}

/// The book in another format.
fn copied(book: &[u8], format: Format) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("copy");
    copy::copy(vec![self::book(book)], &path, format, &WriteOptions::default(), &Rules::default(), &()).unwrap();
    std::fs::read(path).unwrap()
}

/// Games as LesserKai has them: two bytes a move, 512 a game.
fn game_lines() -> Vec<u8> {
    let square = |file: u8, rank: u8| (file - 1) + (rank - 1) * 9 + 1;
    let moves = [[7, 7, 7, 6], [3, 3, 3, 4], [2, 7, 2, 6], [8, 3, 8, 4]];
    let mut lines = Vec::new();
    for length in 1..=moves.len() {
        let line = moves[..length].iter().flat_map(|&[a, b, c, d]| [square(c, d), square(a, b)]);
        lines.extend(line);
        lines.resize(lines.len().next_multiple_of(512), 0);
    }
    lines
}

/// Bytes that often mean something: lengths, numbers, line ends.
fn telling_bytes(length: usize, rng: &mut dyn Rng) -> Vec<u8> {
    let number = match rng.random_range(0..8) {
        0 => 0,
        1 => u64::MAX,
        2 => 1 << rng.random_range(0..64),
        3 => (1u64 << rng.random_range(0..64)) - 1,
        4 => length as u64,
        5 => (length as u64).wrapping_neg(),
        6 => i32::MAX as u64,
        _ => rng.random(),
    };
    let fixed = number.to_le_bytes();
    match rng.random_range(0..5) {
        0 => fixed[..2].to_vec(),
        1 => fixed[..4].to_vec(),
        2 => fixed.to_vec(),
        3 => number.to_string().into_bytes(),
        // LEB128.
        _ => {
            let mut rest = number;
            let mut bytes = Vec::new();
            while rest >= 128 {
                bytes.push(rest as u8 | 128);
                rest >>= 7;
            }
            bytes.push(rest as u8);
            bytes
        }
    }
}

fn damage(bytes: &mut Vec<u8>, aim: fn(usize) -> usize, rng: &mut dyn Rng) {
    for _ in 0..rng.random_range(1..5) {
        if bytes.is_empty() {
            return;
        }
        let anywhere = rng.random_range(0..bytes.len());
        let at = if rng.random_bool(0.8) { aim(anywhere) } else { anywhere }.min(bytes.len() - 1);
        let end = (at + rng.random_range(1..64)).min(bytes.len());
        match rng.random_range(0..9) {
            0 | 1 => bytes[at] ^= 1 << rng.random_range(0..8),
            2 => {
                bytes[at] =
                    *[0, 0xff, 0x80, b'\n', b'\r', b' ', b'\t', b'9', b'+', b'#', b'/', b'='].get(at % 12).unwrap()
            }
            3 => bytes.truncate(anywhere),
            4 => bytes.insert(at, rng.random()),
            5 => {
                let part = bytes[at..end].to_vec();
                let to = rng.random_range(0..bytes.len());
                bytes.splice(to..to, part);
            }
            6 => drop(bytes.drain(at..end)),
            _ => {
                let new = telling_bytes(bytes.len(), rng);
                let end = (at + new.len()).min(bytes.len());
                bytes.splice(at..end, new);
            }
        }
    }
}

/// Makes the sums of a book in the own format fit, so that what was changed is looked at.
fn seal(bytes: &mut [u8]) {
    if bytes.len() < 128 {
        return;
    }
    let length = u64::from_le_bytes(bytes[56..64].try_into().unwrap()).min(bytes.len() as u64 - 128) as usize;
    let summed = bytes[..120].iter().chain(&bytes[128..128 + length]);
    let sum =
        summed.fold(0xcbf2_9ce4_8422_2325_u64, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    bytes[120..128].copy_from_slice(&sum.to_le_bytes());
}

/// Asks everything of a book that can be asked.
fn use_up(book: Joseki, folder: &Path, copies: bool) {
    let positions = [Kyokumen::hirate(), after("7g7f"), after("2g2f 8c8d"), after("7g7f 3c3d 2g2f")];
    for kyokumen in &positions {
        book.lookup(kyokumen);
        for select in [Select::Count, Select::Best, Select::Value] {
            let selection = Selection { select, ..Selection::default() };
            let probe = selection.probe(std::slice::from_ref(&book), kyokumen, &mut rng(1));
            assert!(probe.answer().is_none_or(|(te, _)| kyokumen.is_legal(te)));
            assert!(probe.candidates.iter().all(|candidate| kyokumen.is_legal(candidate.te.te)));
            assert!(probe.notes.iter().all(|note| note.is_ascii()), "{:?}", probe.notes);
        }
    }
    assert!(book.warnings().iter().all(|warning| warning.is_ascii()), "{:?}", book.warnings());
    let verdict = book.verify(&mut |fault| assert!(fault.is_ascii(), "{fault}"));
    let whole: Vec<Stored> = book.parts(1).into_iter().flatten().collect();
    let listed = whole.iter().filter(|stored| matches!(stored, Stored::Position(..))).count() as u64;
    assert!(listed <= verdict.positions);
    assert_eq!(book.parts(3).into_iter().flatten().collect::<Vec<_>>(), whole);
    book.provenance();
    if copies {
        for format in [Format::Own, Format::Db, Format::Sbk, Format::Psb, Format::Ybb, Format::Apery] {
            let path = folder.join("copy");
            let book = Joseki::open(&folder.join("book").with_extension(book.format().name())).unwrap();
            let known = copy::copy(vec![book], &path, format, &WriteOptions::default(), &Rules::default(), &());
            assert!(known.unwrap().written.positions <= listed);
        }
    }
}

/// What became of the damaged books of one format.
#[derive(Debug, Default)]
struct Report {
    opened: usize,
    most_memory: usize,
    slowest: Duration,
}

/// Damages books of a format so many times; of each `copies` one is copied to all formats.
fn run(samples: &Samples, rounds: usize, copies: usize) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book").with_extension(samples.format.name());
    let mut rng = rng(samples.format as u64 + 1);
    let mut report = Report::default();
    for round in 0..rounds {
        let mut bytes = samples.books[round % samples.books.len()].clone();
        damage(&mut bytes, samples.aim, &mut rng);
        if samples.format == Format::Own && round % 4 != 0 {
            seal(&mut bytes);
        }
        if samples.format == Format::Apery && round % 4 != 0 {
            bytes.truncate(bytes.len() / 16 * 16);
        }
        let cap = 4 * bytes.len() + (1 << 20);
        std::fs::write(&path, &bytes).unwrap();
        // What a failure shows.
        let case = format!("{:?}, round {round}", samples.format);
        let (start, before) = (Instant::now(), IN_USE.load(Relaxed));
        PEAK.store(before, Relaxed);
        let opened = Joseki::open(&path);
        match opened {
            Ok(book) => {
                report.opened += 1;
                use_up(book, folder.path(), false);
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        let used = PEAK.load(Relaxed).saturating_sub(before);
        assert!(used <= cap, "{case}: {used} bytes of memory for {} of the file", bytes.len());
        report.most_memory = report.most_memory.max(used);
        report.slowest = report.slowest.max(start.elapsed());
        if round % copies == copies - 1
            && let Ok(book) = Joseki::open(&path)
        {
            use_up(book, folder.path(), true);
        }
    }
    assert!(report.opened > rounds / 4, "{:?}: {report:?}", samples.format);
    report
}

// Both in one, for memory is counted for all threads together.
fn run_all(rounds: usize, copies: usize) {
    for samples in samples() {
        let report = run(&samples, rounds, copies);
        println!("{:?}: {report:?}", samples.format);
    }
}

#[test]
fn no_damage_to_a_book_does_more_than_lose_moves() {
    run_all(300, 300);
}

#[test]
#[ignore = "takes a minute in a release build"]
fn no_damage_to_ten_thousand_books_of_each_format_does_more_than_lose_moves() {
    run_all(10_000, 100);
}
