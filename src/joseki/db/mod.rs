//! YaneuraOu's text format, `.db` ("DB2016").
//!
//! A `sfen` line, then a line a move: `move ponder value depth count`, of which all but the move may be missing. What
//! users' files hold in fact is read all the same: a byte order mark, CR LF, blank lines, no header or an unknown one,
//! runs of blanks and tabs, comments, moves `none` and `resign`, hands in any order, a missing ply or one of 0,
//! positions in any order and several times, a last line without an end. Positions are the same whatever their ply.
//!
//! A comment (`#` or `//`, of which one blank behind is no part) belongs to the move before it, before the first move
//! to the position, and before the first position to the book, of which it says where it comes from. What stands behind
//! the count of a move is a comment too.
//!
//! A file whose positions are in [order] is searched where it is, another gets an [index]. Small files are looked at
//! wholly to see which; of large ones samples decide when they are opened, and a thread then reads the rest: should
//! that show that the samples were wrong, the index takes over once it is made. Otherwise the thread leaves [samples]
//! of its own in memory, from which searches begin from then on.

mod blocks;
mod entry;
mod gate;
mod index;
mod line;
mod lines;
mod order;
mod samples;
mod writer;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};

use parking_lot::Mutex;

use super::bytes::Bytes;
use super::records::first_descent;
use super::{Entry, Record, Stored, book};
use crate::kyokumen::{Kyokumen, sfen};

use blocks::{Block, Blocks, Part};
use entry::Collector;
use gate::Gate;
use index::Index;
use line::Line;
use lines::Lines;
use order::Unfit;
use samples::Samples;
pub use writer::{DbOptions, DbWriter};

/// The header that every writer is expected to put first.
const HEADER: &[u8] = b"#YANEURAOU-DB2016 1.00";
/// Up to this length a file is looked at wholly before it is opened, which takes a few milliseconds.
const SMALL: usize = 1 << 20;

/// No more is kept of the comments before the first position than, roughly, this.
const LONGEST_HEAD: usize = 2 << 20;

/// An open book in this format.
#[derive(Debug)]
pub(super) struct Book {
    file: Arc<File>,
    /// The look at the whole file, as long as nobody has waited for its end.
    check: Mutex<Option<JoinHandle<()>>>,
    warnings: Vec<String>,
}

/// What the check shares with the book.
#[derive(Debug)]
struct File {
    bytes: Bytes,
    /// Only where the file can't be searched in place.
    index: OnceLock<Index>,
    /// Where it can be, once the whole of it was looked at.
    samples: OnceLock<Samples>,
    stop: AtomicBool,
    gate: Gate,
    /// What the check found, until it is asked for.
    late: Mutex<Vec<String>>,
}

/// Whether the content is of this format: the first line that is no comment is a position.
pub(super) fn recognises(bytes: &[u8]) -> bool {
    let mut lines = Lines::from(bytes, 0).map(|(_, line)| line);
    let first = lines.find(|line| !matches!(Line::read(line), Line::Blank));
    match first.map(|line| (Line::read(line), line)) {
        None => false,
        Some((Line::Comment(_), line)) if line.starts_with(b"#YANEURAOU-DB") => true,
        Some((Line::Comment(_), line)) if line.starts_with(b"#YANEURAOU-") => false,
        Some((Line::Comment(_), _)) => {
            // A comment says little; the next line that is none decides, if it comes soon.
            let next = lines.take(1000).find(|line| !matches!(Line::read(line), Line::Blank | Line::Comment(_)));
            next.is_some_and(|line| matches!(Line::read(line), Line::Position))
        }
        Some((line, _)) => matches!(line, Line::Position),
    }
}

impl Book {
    pub(super) fn open(bytes: Bytes) -> Book {
        let file = File {
            bytes,
            index: OnceLock::new(),
            samples: OnceLock::new(),
            stop: AtomicBool::new(false),
            gate: Gate::default(),
            late: Mutex::default(),
        };
        let small = file.bytes.len() < SMALL;
        let judged = small.then(|| file.judge()).flatten();
        let unreadable = match judged {
            Some(Ok(unreadable)) => unreadable,
            None if order::probably_fit(&file.bytes) => 0,
            _ => file.make_index(thread::available_parallelism().map_or(1, usize::from)),
        };
        let mut warnings: Vec<String> = file.strange_header().into_iter().collect();
        warnings.extend(unreadable_positions(unreadable));
        let file = Arc::new(file);
        let needs_check = judged.is_none() && file.index.get().is_none();
        let check = needs_check.then(|| File::start_check(&file)).flatten();
        Book { file, check: Mutex::new(check), warnings }
    }

    /// The texts of the positions with their line numbers, in the order of the file.
    fn sfens(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let numbered = (1..).zip(Lines::from(&self.file.bytes, 0));
        numbered.filter_map(|(number, (_, line))| Some((number, line::position(line)?.trim_ascii())))
    }
}

impl Drop for Book {
    fn drop(&mut self) {
        self.file.stop.store(true, Ordering::Relaxed);
        book::Book::settle(self);
    }
}

impl File {
    fn strange_header(&self) -> Option<String> {
        let first = Lines::from(&self.bytes, 0).next().map_or(&b""[..], |(_, line)| line);
        let header = first[..first.len().min(60)].escape_ascii();
        (first.starts_with(b"#YANEURAOU-DB") && first != HEADER)
            .then(|| format!("header {header} is unknown, read as {}", HEADER.escape_ascii()))
    }

    /// Has all positions found through an index from now on; returns how many positions are none.
    fn make_index(&self, threads: usize) -> u64 {
        let index = Index::build(&self.bytes, threads, &self.stop);
        index.map_or(0, |index| self.index.get_or_init(|| index).unreadable)
    }

    /// Looks at the whole file, as [`order::check`] does, and keeps samples for searching it.
    fn judge(&self) -> Option<Result<u64, Unfit>> {
        let mut samples = Samples::new(self.bytes.len());
        let judged = order::check(&self.bytes, &mut samples, &|| {
            self.gate.pass();
            !self.stop.load(Ordering::Relaxed)
        });
        if let Some(Ok(_)) = judged {
            self.samples.get_or_init(|| samples.finish());
        }
        judged
    }

    /// Looks at the whole file in a thread of its own; where none can be had, at once.
    fn start_check(file: &Arc<File>) -> Option<JoinHandle<()>> {
        let shared = Arc::clone(file);
        let started = thread::Builder::new().name("joseki".into()).spawn(move || shared.check());
        started.map_err(|_| file.check()).ok()
    }

    fn check(&self) {
        let mut late = Vec::new();
        let unreadable = match self.judge() {
            Some(Ok(unreadable)) => unreadable,
            Some(Err(unfit)) => {
                let unreadable = self.make_index(1);
                late.push(self.tell(unfit));
                unreadable
            }
            None => return,
        };
        late.extend(unreadable_positions(unreadable));
        *self.late.lock() = late;
    }

    fn tell(&self, unfit: Unfit) -> String {
        let (offset, what) = match unfit {
            Unfit::Order(offset) => (offset, "is out of order"),
            Unfit::Spelling(offset) => (offset, "does not write its position in the usual way"),
            Unfit::Gap(offset) => (offset, "has a position, and the next is far away"),
        };
        let line = memchr::memchr_iter(b'\n', &self.bytes[..offset]).count() + 1;
        format!("line {line} {what}, so all positions are found through an index now")
    }
}

/// Whether a comment before the first position is a header, or the number of entries that stands behind one.
fn is_for_programs(line: &[u8]) -> bool {
    line.starts_with(b"#YANEURAOU-") || line.starts_with(b"# NOE:")
}

fn unreadable_positions(count: u64) -> Option<String> {
    (count > 0).then(|| format!("{count} of its positions can't be read"))
}

impl book::Book for Book {
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    fn late_warnings(&self) -> Vec<String> {
        std::mem::take(&mut *self.file.late.lock())
    }

    fn settle(&self) {
        self.file.gate.open_for_good();
        if let Some(check) = self.check.lock().take() {
            let _ = check.join();
        }
    }

    /// All that the file says about the position, in all its places.
    fn lookup(&self, kyokumen: &Kyokumen) -> Option<Entry> {
        self.file.gate.open();
        let mut position = Vec::with_capacity(128);
        // The shorter way, but only for positions with both kings.
        if !kyokumen.pack().is_some_and(|packed| packed.push_sfen(&mut position)) {
            position = kyokumen.to_sfen_without_ply().into_bytes();
        }
        let position = &position[..];
        let bytes = &self.file.bytes;
        let mut found: Option<Collector> = None;
        let mut add = |offset| {
            let mut lines = Lines::from(bytes, offset);
            let Some(sfen) = lines.next().and_then(|(_, line)| line::position(line)) else { return };
            if line::normalised(sfen).as_deref() == Some(position) {
                let collector = found.get_or_insert_default();
                collector.add_tesu(sfen);
                collector.add_moves(&mut lines, &mut |_, _| {});
            }
        };
        match self.file.index.get() {
            Some(index) => index.find(position).for_each(&mut add),
            None => order::find(bytes, self.file.samples.get(), position).for_each(&mut add),
        }
        found.map(|collector| collector.entry)
    }

    fn records(&self) -> Box<dyn Iterator<Item = Record> + '_> {
        let blocks = Blocks::new(Lines::from(&self.file.bytes, 0), self.file.bytes.len());
        Box::new(blocks.map(|block| Record {
            place: format!("line {}", block.line),
            kyokumen: kyokumen(&block),
            faults: block.tell_faults(0),
            entry: block.entry,
        }))
    }

    /// What comments say before the first position, but for what other programs write there for themselves.
    fn provenance(&self) -> Option<String> {
        let mut text = String::new();
        for (_, line) in Lines::from(&self.file.bytes, 0) {
            match Line::read(line) {
                Line::Comment(line) if is_for_programs(line) => {}
                Line::Comment(line) => {
                    text += &line::comment(line);
                    text.push('\n');
                }
                Line::Position => break,
                _ => {}
            }
            if text.len() > LONGEST_HEAD {
                break;
            }
        }
        text.pop();
        Some(text).filter(|text| !text.trim().is_empty())
    }

    fn first_out_of_order(&self) -> Option<String> {
        first_descent(self.sfens()).map(|line| format!("line {line}"))
    }

    fn faults(&self) -> Vec<String> {
        blocks::orphans(&self.file.bytes)
    }

    fn parts(&self, parts: usize) -> Vec<Box<dyn Iterator<Item = Stored> + Send + '_>> {
        self.file.gate.shut();
        let parts = parts.max(1);
        (0..parts).map(|nth| Box::new(Part::new(&self.file.bytes, nth, parts)) as _).collect()
    }
}

/// The position of a block. Like a lookup, it does not depend on what stands behind the hands.
fn kyokumen(block: &Block<'_>) -> Option<Kyokumen> {
    let position = line::normalised(block.sfen)?;
    let tesu = block.entry.tesu.unwrap_or(1).min(sfen::MAX_PLY);
    Kyokumen::from_sfen(&format!("{} {tesu}", std::str::from_utf8(&position).ok()?)).ok()
}
