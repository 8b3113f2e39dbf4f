//! `komadai joseki build`: from game records to a book.

mod arguments;
mod faults;

use std::path::{Path, PathBuf};

use parking_lot::Mutex;

use komadai::joseki::build::{Builder, Collector};
use komadai::joseki::{Format, WriteOptions, Written, copy};
use komadai::kifu::{Chunk, Portion, Reading, SourceError, Sources};

use super::progress::Progress;
use crate::cli::{Failure, out, tell};

pub use arguments::Arguments;
use faults::{Fault, Faults};

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let format = Format::of_extension(&arguments.output).unwrap_or(Format::Own);
    refuse_other_formats(&arguments.output)?;
    // Of compressed files the whole length is not known, so there is no end in sight.
    let progress = Progress::of_building("reading games: {bytes} in {elapsed}");
    let sources = Sources::new(&arguments.records)?;
    refuse_clashes(arguments, &sources)?;
    copy::check_target(&arguments.output, format)?;
    if let Some(errors) = &arguments.errors {
        faults::check_target(errors)?;
    }
    let builder = Builder::new(&arguments.output, arguments.rules(), arguments.memory(), arguments.jobs());
    let read = read_all(sources, &builder, arguments, &progress);
    progress.clear();
    let mut read = read?;
    let (games, faults) = (read.games, read.faults.number());
    if let Some(errors) = &arguments.errors {
        read.faults.write(errors)?;
    }
    if games == 0 {
        let first = read.faults.first().map(|first| format!(": {first}")).unwrap_or_default();
        return Err(format!("no game in the records{first}").into());
    }
    let progress = progress.next("counting and writing: {msg}in {elapsed}");
    let written = write(builder, arguments, format, &progress);
    progress.clear();
    let written = written?;
    read.faults.tell();
    let Some((written, figures)) = written else {
        let hint = "loosen --min-count, --min-rating, --min-plies, --max-ply, or the choice of games";
        return Err(format!("of {games} games no move is within the limits, so no book is written: {hint}").into());
    };
    for what in &written.left_out {
        tell(&format!("the format can't hold {what}"));
    }
    let Figures { used, repeated, unpackable } = figures;
    let taken = used + repeated + unpackable;
    tell(&format!(
        "{games} games read, {taken} taken, {repeated} of them repeated and counted once, {unpackable} without a king left \
         out, {} not chosen by the options, {faults} faults",
        games.saturating_sub(taken),
    ));
    let Written { positions, moves, bytes, .. } = written;
    out(&format!("positions {positions} moves {moves} games {used} bytes {bytes}\n"))
}

/// What became of the games.
struct Figures {
    used: u64,
    repeated: u64,
    unpackable: u64,
}

fn write(
    builder: Builder,
    arguments: &Arguments,
    format: Format,
    progress: &Progress,
) -> Result<Option<(Written, Figures)>, Failure> {
    let counted = builder.finish(progress)?;
    let figures = Figures { used: counted.games, repeated: counted.repeated, unpackable: counted.unpackable };
    let options = WriteOptions { provenance: arguments.provenance.clone(), ..WriteOptions::default() };
    Ok(counted.write(format, &options, progress)?.map(|written| (written, figures)))
}

/// Refuses names by which other programs, and this one, would take the book for one of another format.
fn refuse_other_formats(output: &Path) -> Result<(), Failure> {
    let extension = output.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if ["ybb", "bin", "sbk", "psb"].contains(&extension.as_str()) && Format::of_extension(output).is_none() {
        return Err(format!("{}: books of this format can't be written", output.display()).into());
    }
    Ok(())
}

/// Refuses to write over a record, or two things to one file.
fn refuse_clashes(arguments: &Arguments, records: &Sources) -> Result<(), Failure> {
    let book = ("the book", &arguments.output);
    if let Some(errors) = &arguments.errors {
        if is_same(&place(errors), &place(&arguments.output)) {
            return Err(format!("{}: the book and the list of errors can't be one file", errors.display()).into());
        }
        refuse_record(("the list of errors", errors), records)?;
    }
    refuse_record(book, records)
}

fn refuse_record((what, path): (&str, &PathBuf), records: &Sources) -> Result<(), Failure> {
    // What is not there yet is no record, and of devices none is written over.
    if path.is_file() && records.contain(path).unwrap_or(false) {
        return Err(format!("{}: {what} can't be written over one of the records", path.display()).into());
    }
    Ok(())
}

/// Whether two places are one; on Windows and macOS mostly the case of names does not count.
fn is_same(one: &Path, other: &Path) -> bool {
    let small = |path: &Path| path.to_string_lossy().to_lowercase();
    one == other || cfg!(any(windows, target_os = "macos")) && small(one) == small(other)
}

/// Where a file is, behind links, or would be.
fn place(path: &Path) -> PathBuf {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let would_be = || Some(parent.canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(would_be).unwrap_or_else(|| path.to_owned())
}

/// What the records hold, besides what the builder took.
struct Read {
    /// Number of all games.
    games: u64,
    faults: Faults,
}

/// What the threads share that read records.
struct Readers<'a> {
    sources: Mutex<std::iter::Enumerate<Sources>>,
    read: Mutex<Read>,
    /// What ends the work.
    failure: Mutex<Option<Failure>>,
    builder: &'a Builder,
    progress: &'a Progress,
}

fn read_all(sources: Sources, builder: &Builder, arguments: &Arguments, progress: &Progress) -> Result<Read, Failure> {
    let faults = Faults::new(arguments.errors.is_some())?;
    let readers = Readers {
        sources: Mutex::new(sources.enumerate()),
        read: Mutex::new(Read { games: 0, faults }),
        failure: Mutex::new(None),
        builder,
        progress,
    };
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs() {
            scope.spawn(|| readers.work());
        }
    });
    match readers.failure.into_inner() {
        Some(failure) => Err(failure),
        None => Ok(readers.read.into_inner()),
    }
}

impl Readers<'_> {
    /// Reads portion after portion.
    fn work(&self) {
        let mut collector = self.builder.collector();
        loop {
            let next = self.sources.lock().next();
            let Some((number, portion)) = next else { break };
            if let Err(failure) = self.read(number as u64, portion, &mut collector) {
                self.failure.lock().get_or_insert(failure);
            }
            if self.failure.lock().is_some() {
                return;
            }
        }
        collector.finish();
    }

    fn read(&self, number: u64, portion: Portion, collector: &mut Collector<'_>) -> Result<(), Failure> {
        let (read, faults) = (&self.read, Vec::new());
        let mut share = Share { number, games: 0, faults, told: 0, read, collector, failure: None };
        portion.read(&mut |chunk| share.take(chunk, self.progress));
        share.hand_over();
        self.read.lock().games += share.games;
        share.failure.map_or(Ok(()), Err)
    }
}

/// So many faults at most are kept before they are handed over; there may be one in every other byte.
const FAULTS: usize = 256;

/// What one thread finds in a portion.
struct Share<'a, 'b> {
    number: u64,
    games: u64,
    faults: Vec<Fault>,
    /// How many were handed over already.
    told: u64,
    /// To whom.
    read: &'a Mutex<Read>,
    collector: &'a mut Collector<'b>,
    failure: Option<Failure>,
}

impl Share<'_, '_> {
    fn take(&mut self, chunk: Result<Chunk, SourceError>, progress: &Progress) {
        match chunk {
            _ if self.failure.is_some() => {}
            Ok(chunk) => {
                progress.add(chunk.length());
                chunk.read(&mut |reading| self.take_game(reading, &chunk.path));
            }
            Err(error) if error.missing => self.failure = Some(error.into()),
            Err(error) => self.blame(&error.path, None, (error.kind(), false), error.source.to_string()),
        }
    }

    fn take_game(&mut self, reading: Reading, path: &Path) {
        let line = Some(reading.line);
        match reading.game {
            Ok(game) => {
                self.games += 1;
                if let Some(cut) = &game.cut {
                    self.blame(path, line, (cut.kind(), true), cut.to_string());
                }
                if self.failure.is_none()
                    && let Err(error) = self.collector.add(&game)
                {
                    self.failure = Some(error.into());
                }
            }
            Err(error) => self.blame(path, line, (error.kind(), false), error.to_string()),
        }
    }

    fn blame(&mut self, path: &Path, line: Option<u64>, (kind, kept): (&'static str, bool), what: String) {
        let place = (self.number, self.told + self.faults.len() as u64);
        self.faults.push(Fault { place, file: path.display().to_string(), line, kind, kept, what });
        if self.faults.len() >= FAULTS {
            self.hand_over();
        }
    }

    fn hand_over(&mut self) {
        self.told += self.faults.len() as u64;
        let mut read = self.read.lock();
        if let Err(error) = self.faults.drain(..).try_for_each(|fault| read.faults.add(&fault)) {
            self.failure.get_or_insert(error.into());
        }
    }
}
