//! Damaged books of every format: whatever stands in a file, it is read without a panic, without end, or in the memory
//! that its size allows, and no illegal move is played from it.
#![cfg(feature = "workshop")]

mod joseki_damage;
mod joseki_support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use joseki_damage::{Samples, copied, damage, samples};
use joseki_support::*;
use komadai::joseki::copy::{self, Rules};
use komadai::joseki::{Format, Joseki, Select, Selection, Stored, WriteOptions};
use komadai::kyokumen::Kyokumen;

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

/// The steps of which each has its own limit of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Open,
    Play,
    Verify,
    Read,
}

/// Memory that was in use beyond what was before, at most.
fn measured<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = IN_USE.load(Relaxed);
    PEAK.store(before, Relaxed);
    let result = work();
    (result, PEAK.load(Relaxed).saturating_sub(before))
}

/// Asks everything of a book that can be asked, and hands on what each step took.
fn use_up(book: &Joseki, tell: &mut dyn FnMut(Step, usize)) {
    tell(Step::Play, measured(|| play(book)).1);
    let (verdict, used) = measured(|| book.verify(&mut |fault| assert!(fault.is_ascii(), "{fault}")));
    tell(Step::Verify, used);
    let whole = || book.parts(1).into_iter().flatten();
    let (listed, used) = measured(|| whole().filter(|stored| matches!(stored, Stored::Position(..))).count());
    tell(Step::Read, used);
    assert!(listed as u64 <= verdict.positions);
    assert!(book.parts(3).into_iter().flatten().eq(whole()));
    book.provenance();
}

fn play(book: &Joseki) {
    for moves in ["", "7g7f", "2g2f 8c8d", "7g7f 3c3d 2g2f"] {
        let kyokumen = &after(moves);
        book.lookup(kyokumen);
        for select in [Select::Count, Select::Best, Select::Value] {
            let selection = Selection { select, ..Selection::default() };
            let probe = selection.probe(std::slice::from_ref(book), kyokumen, &mut rng(1));
            assert!(probe.answer().is_none_or(|(te, _)| kyokumen.is_legal(te)));
            assert!(probe.candidates.iter().all(|candidate| kyokumen.is_legal(candidate.te.te)));
            assert!(probe.notes.iter().all(|note| note.is_ascii()), "{:?}", probe.notes);
        }
    }
    assert!(book.warnings().iter().all(|warning| warning.is_ascii()), "{:?}", book.warnings());
}

/// Copies a book to all formats.
fn copy_everywhere(path: &Path) {
    let target = path.with_file_name("copy");
    for format in [Format::Own, Format::Db, Format::Sbk, Format::Psb, Format::Ybb, Format::Apery] {
        let book = Joseki::open(path).unwrap();
        let listed = book.parts(1).into_iter().flatten().filter(|stored| matches!(stored, Stored::Position(..)));
        let listed = listed.count() as u64;
        let known = copy::copy(vec![book], &target, format, &WriteOptions::default(), &Rules::default(), &());
        assert!(known.unwrap().written.positions <= listed);
    }
}

/// So much memory a step may take for this file: twice its length, and what does not depend on it, but for what is
/// named here.
fn limit(format: Format, step: Step, bytes: &[u8]) -> usize {
    let times = match (format, step) {
        // All positions are kept as texts to find those that come twice. A record here may have no more than 16 bytes,
        (Format::Apery, Step::Verify) => 6,
        // or 44.
        (Format::Ybb, Step::Verify) => 3,
        _ => 2,
    };
    // Every root that the parameters name is kept with its board, in a list that grows.
    let roots = if format == Format::Psb { bytes.windows(5).filter(|window| window == b"root=").count() } else { 0 };
    times * bytes.len() + 3 * roots * size_of::<Kyokumen>() + (64 << 10)
}

/// What became of the damaged books of one format.
#[derive(Debug, Default)]
struct Report {
    opened: usize,
    /// The most memory that each step took beyond twice the file.
    beyond_twice: BTreeMap<Step, usize>,
    slowest: Duration,
}

impl Report {
    /// Opens a file of these bytes, and asks everything of it; says whether it is a book.
    fn use_up(&mut self, case: &str, format: Format, path: &Path, bytes: &[u8]) -> bool {
        std::fs::write(path, bytes).unwrap();
        let start = Instant::now();
        let mut tell = |step, used: usize| {
            let (length, most) = (bytes.len(), self.beyond_twice.entry(step).or_default());
            *most = (*most).max(used.saturating_sub(2 * length));
            assert!(used <= limit(format, step, bytes), "{format:?}, {case}: {step:?} takes {used} for {length} bytes");
        };
        let (opened, used) = measured(|| Joseki::open(path));
        tell(Step::Open, used);
        match &opened {
            Ok(book) => use_up(book, &mut tell),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        self.opened += usize::from(opened.is_ok());
        self.slowest = self.slowest.max(start.elapsed());
        opened.is_ok()
    }
}

/// Damages books of a format so many times; of each `copies` one is copied to all formats.
fn run(samples: &Samples, rounds: usize, copies: usize) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book").with_extension(samples.format.name());
    let mut rng = rng(samples.format as u64 + 1);
    let mut report = Report::default();
    for round in 0..rounds {
        let bytes = samples.damaged(round, &mut rng);
        let is_book = report.use_up(&format!("round {round}"), samples.format, &path, &bytes);
        if is_book && round % copies == copies - 1 {
            copy_everywhere(&path);
        }
    }
    assert!(report.opened > rounds / 4, "{:?}: {report:?}", samples.format);
    report
}

/// Whole and damaged books that are large enough for memory to depend on their size.
fn run_large(rounds: usize) {
    let book = own_format(&random_book(30, 9), "A note.");
    let folder = tempfile::tempdir().unwrap();
    for format in [Format::Own, Format::Db, Format::Sbk, Format::Psb, Format::Ybb, Format::Apery] {
        let whole = copied(&book, format);
        let path = folder.path().join("book").with_extension(format.name());
        let mut rng = rng(format as u64);
        let mut report = Report::default();
        for round in 0..rounds {
            let mut bytes = whole.clone();
            if round > 0 {
                damage(&mut bytes, |at| at, &mut rng);
            }
            report.use_up(&format!("large, round {round}"), format, &path, &bytes);
        }
        println!("{format:?}, {} bytes: {report:?}", whole.len());
    }
}

// Both in one, for memory is counted for all threads together.
fn run_all(rounds: usize, copies: usize) {
    run_large((rounds / 100).max(2));
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
