//! Reading whole books by several threads, which also encode what they read: in the order of the file, or to be sorted.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, Scope};

use parking_lot::Mutex;

use super::copy::{Losses, Watch};
use super::merge::Trouble;
use super::sort::{Cursor, Keyer, Row, Sorter};
use super::{Entry, Joseki, MAX_MOVES, Stored};
use crate::kyokumen::PackedKyokumen;

/// Of a file one part is read for each so many bytes.
const PART: u64 = 1 << 20;
/// Bytes of rows that are handed on at once, and how many such batches may wait in the parts of all books.
const BATCH: usize = 1 << 16;
const WAITING: usize = 64;

type Part<'a> = Box<dyn Iterator<Item = Stored> + Send + 'a>;

/// What all threads share that read for one purpose.
pub(super) struct Reading<'a> {
    watch: &'a dyn Watch,
    /// A position that is passed over.
    skip: Option<PackedKyokumen>,
    parts: AtomicU64,
    done: AtomicU64,
    positions: AtomicU64,
    stopped: AtomicBool,
    losses: Mutex<Losses>,
}

/// Where a position stands: number of the book, of the part, within the part.
fn ordinal(input: usize, part: usize, nth: u64) -> u64 {
    (input as u64) << 48 | (part as u64) << 32 | nth.min(u64::from(u32::MAX))
}

/// The number of the book in an ordinal.
pub(super) fn input_of(ordinal: u64) -> usize {
    (ordinal >> 48) as usize
}

/// How many threads read.
fn workers() -> usize {
    thread::available_parallelism().map_or(1, usize::from).min(8)
}

impl<'a> Reading<'a> {
    pub(super) fn new(skip: Option<PackedKyokumen>, watch: &'a dyn Watch) -> Reading<'a> {
        Reading {
            watch,
            skip,
            parts: AtomicU64::new(0),
            done: AtomicU64::new(0),
            positions: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
            losses: Mutex::default(),
        }
    }

    /// Positions read so far.
    pub(super) fn positions(&self) -> u64 {
        self.positions.load(Relaxed)
    }

    /// What was lost so far.
    pub(super) fn losses(&self) -> Losses {
        self.losses.lock().clone()
    }

    /// Fails where the work was broken off, so that no reader's end passes for the end of the book.
    pub(super) fn check(&self) -> Result<(), Trouble> {
        if self.watch.stops() {
            self.stopped.store(true, Relaxed);
        }
        if self.stopped.load(Relaxed) { Err(Trouble::Stopped) } else { Ok(()) }
    }

    /// Reads a part and hands on what is a position. `keep` says whether the position could be kept.
    fn read(
        &self,
        input: usize,
        number: usize,
        part: Part<'_>,
        keep: &mut dyn FnMut(&PackedKyokumen, u64, &Entry) -> Result<bool, Trouble>,
    ) -> Result<(), Trouble> {
        let mut counted = 0;
        for (nth, stored) in (0..).zip(part) {
            if nth % 1024 == 0 {
                self.check()?;
            }
            let ordinal = ordinal(input, number, nth);
            match stored {
                Stored::Position(packed, _) if self.skip == Some(packed) => {}
                Stored::Position(packed, mut entry) => {
                    counted += 1;
                    let crowd = thin_out(&packed, &mut entry);
                    if crowd > 0 {
                        let what = || format!("illegal moves of a position with more than {MAX_MOVES}");
                        self.lose(ordinal, crowd, what);
                    }
                    if !keep(&packed, ordinal, &entry)? {
                        self.lose(ordinal, 1, || "a position with 4 GiB of moves".to_owned());
                    }
                }
                Stored::Lost(what) => self.lose(ordinal, 1, || what),
            }
        }
        self.positions.fetch_add(counted, Relaxed);
        let done = self.done.fetch_add(1, Relaxed) + 1;
        self.watch.read(done, self.parts.load(Relaxed));
        Ok(())
    }

    fn cut<'b>(&self, book: &'b Joseki) -> Vec<Part<'b>> {
        let parts = book.parts((book.size() / PART).clamp(1, 4096) as usize);
        self.parts.fetch_add(parts.len() as u64, Relaxed);
        parts
    }

    fn lose(&self, ordinal: u64, number: u64, what: impl FnOnce() -> String) {
        self.losses.lock().add(ordinal, number, what);
    }

    /// Starts to read a book, numbered, in its order, as one of `books` at the same time.
    pub(super) fn stream<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        (input, book): (usize, &'scope Joseki),
        books: usize,
    ) -> Stream {
        let workers = (workers() / books.max(1)).max(1);
        let waiting = (WAITING / books.max(1)).clamp(1, WAITING / 2);
        let (order, parts) = sync_channel(workers);
        let queue = Arc::new(Mutex::new(Queue { parts: self.cut(book).into_iter().enumerate(), order, waiting }));
        for _ in 0..workers {
            let queue = queue.clone();
            scope.spawn(move || {
                while let Some((number, part, batches)) = next_part(&queue) {
                    if self.send(input, number, part, &batches).is_err() {
                        break;
                    }
                }
            });
        }
        Stream { input, parts, part: None, batch: Vec::new(), at: 0, key: Vec::new(), last: Vec::new() }
    }

    fn send(&self, input: usize, number: usize, part: Part<'_>, batches: &SyncSender<Vec<u8>>) -> Result<(), Trouble> {
        let mut batch = Vec::with_capacity(BATCH + BATCH / 8);
        self.read(input, number, part, &mut |packed, ordinal, entry| {
            let fits = Row::write(&mut batch, None, packed, ordinal, entry);
            if batch.len() >= BATCH {
                let full = std::mem::replace(&mut batch, Vec::with_capacity(BATCH + BATCH / 8));
                batches.send(full).map_err(|_| Trouble::Stopped)?;
            }
            Ok(fits)
        })?;
        batches.send(batch).map_err(|_| Trouble::Stopped)
    }

    /// Reads books, numbered, in any order and sorts them, with so many bytes of memory and temporary files in
    /// `folder`.
    pub(super) fn sort(
        &self,
        books: &[(usize, &Joseki)],
        keyer: Keyer<'_>,
        memory: usize,
        folder: &Path,
    ) -> Result<Vec<Cursor>, Trouble> {
        let parts = books.iter().flat_map(|&(input, book)| {
            self.cut(book).into_iter().enumerate().map(move |(number, part)| (input, number, part))
        });
        let parts: Vec<_> = parts.collect();
        let workers = workers().min(parts.len().max(1));
        let queue = Mutex::new(parts.into_iter());
        let work = || -> Result<Vec<Cursor>, Trouble> {
            let mut sorter = Sorter::new(memory / workers, folder);
            loop {
                let next = queue.lock().next();
                let Some((input, number, part)) = next else { break };
                self.read(input, number, part, &mut |packed, ordinal, entry| {
                    sorter.push(keyer, packed, ordinal, entry).map_err(Trouble::Io)
                })?;
            }
            Ok(sorter.finish())
        };
        let sorted: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            let join = |thread: thread::ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            threads.into_iter().map(join).collect()
        });
        let cursors = sorted.into_iter().collect::<Result<Vec<_>, _>>()?;
        self.check()?;
        Ok(cursors.into_iter().flatten().collect())
    }
}

/// The parts that nobody reads yet, where to announce that one is read, and how much of it may wait.
struct Queue<'a> {
    parts: std::iter::Enumerate<std::vec::IntoIter<Part<'a>>>,
    order: SyncSender<Receiver<Vec<u8>>>,
    waiting: usize,
}

/// The next part that nobody reads yet. Its place among the parts is held by the channel on which it will come, and so
/// few of these may wait that the readers can't run far ahead.
fn next_part<'a>(queue: &Mutex<Queue<'a>>) -> Option<(usize, Part<'a>, SyncSender<Vec<u8>>)> {
    let mut queue = queue.lock();
    let (number, part) = queue.parts.next()?;
    let (batches, receiver) = sync_channel(queue.waiting);
    queue.order.send(receiver).ok()?;
    Some((number, part, batches))
}

/// Where there are more moves than any position has, only legal ones stay. Says how many went.
pub(super) fn thin_out(packed: &PackedKyokumen, entry: &mut Entry) -> u64 {
    let all = entry.moves.len();
    if all > MAX_MOVES {
        let kyokumen = packed.unpack();
        entry.moves.retain(|te| kyokumen.as_ref().is_some_and(|kyokumen| kyokumen.is_legal(te.te)));
        entry.moves.truncate(MAX_MOVES);
    }
    (all - entry.moves.len()) as u64
}

/// A book that is being read in its order, which must be that of the target.
pub(super) struct Stream {
    input: usize,
    parts: Receiver<Receiver<Vec<u8>>>,
    part: Option<Receiver<Vec<u8>>>,
    batch: Vec<u8>,
    at: usize,
    key: Vec<u8>,
    /// Key and packed position of the row before.
    last: Vec<u8>,
}

impl Stream {
    /// The row it stands on; `None` at the end.
    pub(super) fn row(&self) -> Option<Row<'_>> {
        let (row, _) = Row::read(self.batch.get(self.at..)?)?;
        Some(Row { key: &self.key, ..row })
    }

    /// Goes to the first row.
    pub(super) fn begin(&mut self, keyer: Keyer<'_>) -> Result<(), Trouble> {
        self.arrive(keyer)
    }

    pub(super) fn advance(&mut self, keyer: Keyer<'_>) -> Result<(), Trouble> {
        if let Some((row, length)) = self.batch.get(self.at..).and_then(Row::read) {
            self.last.clear();
            self.last.extend_from_slice(&self.key);
            self.last.extend_from_slice(row.packed);
            self.at += length;
        }
        self.arrive(keyer)
    }

    /// Fetches rows where there are no more, and finds the key of the one it stands on.
    fn arrive(&mut self, keyer: Keyer<'_>) -> Result<(), Trouble> {
        while self.at >= self.batch.len() {
            self.at = 0;
            self.batch.clear();
            match self.part.as_ref().map(Receiver::recv) {
                Some(Ok(batch)) => self.batch = batch,
                // A part is done, or there was none yet.
                Some(Err(_)) | None => match self.parts.recv() {
                    Ok(part) => self.part = Some(part),
                    Err(_) => return Ok(()),
                },
            }
        }
        let Some((row, _)) = Row::read(&self.batch[self.at..]) else { return Ok(()) };
        self.key.clear();
        keyer(&PackedKyokumen(*row.packed), &mut self.key);
        // Repeated positions may stand side by side.
        let (key, packed) = self.last.split_at(self.last.len().saturating_sub(row.packed.len()));
        if (key, packed) > (&self.key[..], &row.packed[..]) {
            return Err(Trouble::Unsorted(self.input));
        }
        Ok(())
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Trouble {
        Trouble::Io(error)
    }
}
