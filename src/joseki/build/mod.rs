//! Building a book from games: counts, results and ratings of the moves, position by position.
//!
//! The outcome depends on the games alone, neither on their order nor on the number of threads. What does not fit into
//! the memory that is allowed goes to temporary files beside the book, which have no name on Unix and are gone with the
//! process.
//!
//! A [`Builder`] lends every thread a [`Collector`] for the games that it reads. Games without a date are counted at
//! once. The others are sorted, for of those of one day with the same start and moves one counts: a game that was
//! recorded twice, or was broken off after a move or two, tells nothing more the second time. Then [`Builder::finish`]
//! counts them, and [`Counted::write`] writes the book.

mod contribution;
mod games;
mod names;
mod rook;
mod rules;
mod tallies;
mod tally;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use parking_lot::Mutex;

use super::copy::{self, Watch};
use super::merge::Trouble;
use super::sort::Cursor;
use super::{Entry, Format, JosekiError, WriteOptions, Written};
use crate::kifu::Game;
use crate::kyokumen::PackedKyokumen;

pub use rook::Rook;
pub use rules::{Rules, Side};

use contribution::{Contribution, Given, identity};
use games::{Games, Gathered};
use tallies::{PARTS, Tallies};

/// Bytes of memory for counting, if nobody asks for more or less.
pub const MEMORY: usize = 256 << 20;

/// A book that is being built.
pub struct Builder {
    rules: Rules,
    target: PathBuf,
    memory: usize,
    jobs: usize,
    tallies: Tallies,
    taken: AtomicU64,
    unpackable: AtomicU64,
    /// Sorted games of the collectors that are done.
    runs: Mutex<Vec<Cursor>>,
}

/// Takes in the games that one thread reads.
pub struct Collector<'a> {
    builder: &'a Builder,
    games: Gathered<'a>,
}

/// Counted moves, ready to be written.
pub struct Counted {
    builder: Builder,
    /// Games whose moves were counted.
    pub games: u64,
    /// Games left out because another of the same day has the same moves.
    pub repeated: u64,
    /// Games in which a king is missing, which no book can hold.
    pub unpackable: u64,
}

impl Builder {
    /// Begins a book that is to be written to `target`. `memory` is what is used for counting, in bytes, of which a
    /// fourth is for games; in all it takes somewhat more. `jobs` is the number of threads.
    pub fn new(target: &Path, rules: Rules, memory: usize, jobs: usize) -> Builder {
        let (games, jobs) = (memory / 4, jobs.max(1));
        let tallies = Tallies::new(memory - games, super::folder_of(target));
        let (taken, unpackable) = (AtomicU64::new(0), AtomicU64::new(0));
        Builder { rules, target: target.to_owned(), memory, jobs, tallies, taken, unpackable, runs: Mutex::default() }
    }

    /// For the games that one of the threads reads.
    pub fn collector(&self) -> Collector<'_> {
        Collector { builder: self, games: Gathered::new(self.memory / 4 / self.jobs, super::folder_of(&self.target)) }
    }

    /// Counts the games that are sorted.
    ///
    /// # Errors
    /// [`JosekiError::Write`] where a temporary file can't be written or read, [`JosekiError::Stopped`].
    pub fn finish(self, watch: &dyn Watch) -> Result<Counted, JosekiError> {
        let runs = std::mem::take(&mut *self.runs.lock());
        let failure = |trouble| copy::failure(trouble, &self.target);
        let games = Games::new(runs, self.memory / 8).map_err(failure)?;
        let count = || -> Result<(), Trouble> {
            loop {
                let games = games.take()?;
                if games.is_empty() {
                    return Ok(());
                }
                if watch.stops() {
                    return Err(Trouble::Stopped);
                }
                games.iter().try_for_each(|game| self.tallies.add(game))?;
            }
        };
        thread::scope(|scope| {
            let threads: Vec<_> = (0..self.jobs).map(|_| scope.spawn(count)).collect();
            threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|p| std::panic::resume_unwind(p)))
        })
        .map_err(failure)?;
        let (repeated, unpackable) = (games.repeated.load(Relaxed), self.unpackable.load(Relaxed));
        Ok(Counted { games: self.taken.load(Relaxed) - repeated, repeated, unpackable, builder: self })
    }
}

impl Collector<'_> {
    /// Takes in a game.
    ///
    /// # Errors
    /// Where a temporary file can't be written.
    pub fn add(&mut self, game: &Game) -> Result<(), JosekiError> {
        let contribution = match Contribution::of(game, &self.builder.rules) {
            Given::Contribution(contribution) => contribution,
            Given::Nothing => return Ok(()),
            Given::Unpackable => {
                self.builder.unpackable.fetch_add(1, Relaxed);
                return Ok(());
            }
        };
        self.builder.taken.fetch_add(1, Relaxed);
        let mut put = || -> io::Result<()> {
            if game.date.is_some() {
                let identity = identity(game, &contribution.start, contribution.tesu);
                if self.games.push(identity, &contribution)? {
                    return Ok(());
                }
            }
            self.builder.tallies.add(&contribution)
        };
        put().map_err(JosekiError::write(&self.builder.target))
    }

    /// Hands over what was gathered.
    pub fn finish(self) {
        let mut runs = self.builder.runs.lock();
        runs.extend(self.games.finish());
    }
}

/// Positions of a part, some at a time.
type Batch = Result<Vec<(PackedKyokumen, Entry)>, Trouble>;

impl Counted {
    /// Writes the book; `None`, and nothing written, where no move is within the limits.
    ///
    /// # Errors
    /// [`JosekiError::Write`] where the book or a temporary file can't be written, [`JosekiError::ReadOnly`] where the
    /// format can't be, [`JosekiError::Stopped`].
    pub fn write(
        self,
        format: Format,
        options: &WriteOptions,
        watch: &dyn Watch,
    ) -> Result<Option<Written>, JosekiError> {
        let target = &self.builder.target;
        let mut positions = 0;
        let mut output = copy::create(target, format, options)?;
        if format == Format::Own {
            let push = |packed: PackedKyokumen, entry: Entry| {
                positions += 1;
                output.push(&packed, &entry).map_err(Trouble::Target)
            };
            self.each(watch, push).map_err(|trouble| copy::failure(trouble, target))?;
        } else {
            let positions = &mut positions;
            let each = |take: &mut dyn FnMut(PackedKyokumen, Entry) -> Result<(), Trouble>| {
                self.each(watch, |packed, entry| {
                    *positions += 1;
                    take(packed, entry)
                })
            };
            copy::write_sorted(each, &mut *output, target)?;
        }
        if positions > 0 { output.finish().map(Some) } else { Ok(None) }
    }

    /// Hands on all positions in the order of the own format, while several threads prepare those that follow.
    fn each(
        &self,
        watch: &dyn Watch,
        mut take: impl FnMut(PackedKyokumen, Entry) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        let builder = &self.builder;
        let (order, parts) = sync_channel(builder.jobs);
        let queue = Mutex::new((0..PARTS, order));
        let mut done = 0;
        thread::scope(|scope| {
            for _ in 0..builder.jobs {
                scope.spawn(|| {
                    while let Some((part, batches)) = next_part(&queue) {
                        if self.send(part, &batches).is_err() {
                            break;
                        }
                    }
                });
            }
            // In here, so that a failure lets those go who wait for room.
            let parts: Receiver<Receiver<Batch>> = parts;
            for _ in 0..PARTS {
                let Ok(batches) = parts.recv() else { return Err(Trouble::Stopped) };
                for batch in batches {
                    let batch = batch?;
                    done += batch.len() as u64;
                    watch.written(done, None);
                    if watch.stops() {
                        return Err(Trouble::Stopped);
                    }
                    batch.into_iter().try_for_each(|(packed, entry)| take(packed, entry))?;
                }
            }
            Ok(())
        })
    }

    /// Sends the positions of a part; an error where nobody wants them any more.
    fn send(&self, part: usize, batches: &SyncSender<Batch>) -> Result<(), Trouble> {
        const BATCH: usize = 512;
        let rules = &self.builder.rules;
        let mut batch = Vec::with_capacity(BATCH);
        let send = |batch: Batch| batches.send(batch).map_err(|_| Trouble::Stopped);
        let sent = self.builder.tallies.take(part).map_err(Trouble::Io).and_then(|rows| {
            // Where moves are left out nothing can be added up exactly any more.
            rows.positions(rules.min_count, rules.min_count <= 1, |packed, entry| {
                batch.push((packed, entry));
                if batch.len() < BATCH {
                    return Ok(());
                }
                send(Ok(std::mem::replace(&mut batch, Vec::with_capacity(BATCH))))
            })
        });
        match sent {
            Ok(()) => send(Ok(batch)),
            Err(trouble) => send(Err(trouble)),
        }
    }
}

/// The next part that nobody prepares yet. Its place among the parts is held by the channel on which it will come, and
/// so few of these may wait that nobody runs far ahead.
fn next_part(
    queue: &Mutex<(std::ops::Range<usize>, SyncSender<Receiver<Batch>>)>,
) -> Option<(usize, SyncSender<Batch>)> {
    let mut queue = queue.lock();
    let part = queue.0.next()?;
    let (batches, receiver) = sync_channel(4);
    queue.1.send(receiver).ok()?;
    Some((part, batches))
}
