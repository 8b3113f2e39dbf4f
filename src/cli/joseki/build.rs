//! `komadai joseki build`: from game records to a book.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use rayon::prelude::*;

use komadai::atomic::Replacement;
use komadai::joseki::build::{self, Rules, Side};
use komadai::joseki::{Format, WriteOptions, Written, copy};
use komadai::kifu::{Chunk, Date, Ending, Game, Handicap, SourceError, Sources};

use super::progress::Progress;
use crate::cli::{Failure, out, tell};

/// Builds a book from game records
///
/// Games of the same day with the same moves count once.
#[derive(Args)]
pub struct Arguments {
    /// Records: files, folders, - for standard input; USI lines and the tab-separated games file, also in .gz
    #[arg(required = true, value_name = "RECORD")]
    records: Vec<PathBuf>,
    /// The book to write, in the format of its extension; .joseki for unknown ones
    #[arg(short, long, value_name = "BOOK")]
    output: PathBuf,
    /// Take moves up to this ply
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    max_ply: u32,
    /// Take moves seen at least so often in their position, after all is added up
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_count: u64,
    /// Take moves of players rated at least so
    #[arg(long, value_name = "R")]
    min_rating: Option<u32>,
    /// Take games of at least so many plies
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_plies: usize,
    /// Whose moves to take
    #[arg(long, value_enum, default_value_t = SideName::Both)]
    side: SideName,
    /// Take games with this handicap: even, any, or its name (lance, bishop, rook, rook-lance, 2-piece, ...)
    #[arg(long, value_name = "NAME", default_value = "even", value_parser = parse_handicap)]
    handicap: HandicapName,
    /// Take games of this day or later, such as 2024-05-31
    #[arg(long, value_name = "DATE")]
    since: Option<Date>,
    /// Take games of this day or earlier
    #[arg(long, value_name = "DATE")]
    until: Option<Date>,
    /// Take games with these endings, separated by commas: resign, timeup, illegal, abort, draw
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = parse_ending)]
    ending: Vec<Ending>,
    /// Where the numbers come from, in a sentence that is kept in the book
    #[arg(long, value_name = "TEXT", default_value = "")]
    provenance: String,
    /// Write every line that could not be used, and why, to this file
    #[arg(long, value_name = "FILE")]
    errors: Option<PathBuf>,
    /// Threads to work with; all processors by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
}

#[derive(Clone, Copy, ValueEnum)]
enum SideName {
    Both,
    Sente,
    Gote,
    Winner,
    Loser,
}

#[derive(Clone, Copy)]
struct HandicapName(Option<Handicap>);

fn parse_handicap(name: &str) -> Result<HandicapName, String> {
    if name == "any" {
        return Ok(HandicapName(None));
    }
    let names = || Handicap::all().map(Handicap::name).collect::<Vec<_>>().join(", ");
    Handicap::from_name(name).map(|handicap| HandicapName(Some(handicap))).ok_or_else(|| format!("any, {}", names()))
}

fn parse_ending(name: &str) -> Result<Ending, String> {
    let names = || Ending::ALL.map(Ending::name).join(", ");
    Ending::from_name(name).ok_or_else(|| format!("one of {}", names()))
}

impl Arguments {
    fn rules(&self) -> Rules {
        Rules {
            max_ply: self.max_ply,
            min_count: self.min_count,
            min_rating: self.min_rating,
            side: match self.side {
                SideName::Both => Side::Both,
                SideName::Sente => Side::Sente,
                SideName::Gote => Side::Gote,
                SideName::Winner => Side::Winner,
                SideName::Loser => Side::Loser,
            },
            handicap: self.handicap.0,
            min_game: self.min_plies,
            since: self.since,
            until: self.until,
            endings: self.ending.clone(),
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let format = Format::of_extension(&arguments.output).unwrap_or(Format::Own);
    refuse_other_formats(&arguments.output)?;
    let rules = arguments.rules();
    let sources = Sources::new(&arguments.records)?;
    refuse_clashes(arguments, sources.paths())?;
    copy::check_target(&arguments.output, format)?;
    let jobs = arguments.jobs.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build()?;
    // Of compressed files the whole length is not known, so there is no end in sight.
    let progress = Progress::new("reading games: {bytes} in {elapsed}");
    let mut read = pool.install(|| read_all(sources, &rules, &progress));
    progress.clear();
    if let Some(error) = read.unopened {
        return Err(error.into());
    }
    if let Some(path) = &arguments.errors {
        write_faults(path, &read.faults)?;
    }
    let faults: usize = read.faults.values().map(Vec::len).sum();
    if read.all == 0 {
        let first = read.faults.iter().next().and_then(|((path, _), faults)| Some((path, faults.first()?)));
        let first = first.map(|(path, fault)| format!(": {}: {fault}", path.display())).unwrap_or_default();
        return Err(format!("no game in the records{first}").into());
    }
    let counted = pool.install(|| build::count(std::mem::take(&mut read.games), &rules));
    if counted.positions() == 0 {
        let hint = "loosen --min-count, --min-rating, --min-plies, --max-ply, or the choice of games";
        return Err(format!("of {} games no move is within the limits, so no book is written: {hint}", read.all).into());
    }
    let options = WriteOptions { provenance: arguments.provenance.clone(), ..WriteOptions::default() };
    let written = counted.write_as(&arguments.output, format, &options)?;
    for what in &written.left_out {
        tell(&format!("the format can't hold {what}"));
    }
    tell(&format!(
        "{} games read, {} taken, {} of them repeated and counted once, {} without a king left out, {faults} faults",
        read.all,
        counted.games + counted.repeated + counted.unpackable,
        counted.repeated,
        counted.unpackable,
    ));
    let Written { positions, moves, bytes, .. } = written;
    out(&format!("positions {positions} moves {moves} games {} bytes {bytes}\n", counted.games))
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
fn refuse_clashes(arguments: &Arguments, records: &[PathBuf]) -> Result<(), Failure> {
    let mut targets = vec![("the book", &arguments.output)];
    targets.extend(arguments.errors.as_ref().map(|path| ("the list of errors", path)));
    let places: Vec<PathBuf> = targets.iter().map(|(_, path)| place(path)).collect();
    if places.get(1) == Some(&places[0]) {
        return Err(format!("{}: the book and the list of errors can't be one file", targets[1].1.display()).into());
    }
    for record in records.iter().filter(|record| record.as_os_str() != "-") {
        let record = place(record);
        if let Some(index) = places.iter().position(|target| *target == record) {
            let (what, path) = targets[index];
            return Err(format!("{}: {what} can't be written over one of the records", path.display()).into());
        }
    }
    Ok(())
}

/// Where a file is, behind links, or would be.
fn place(path: &Path) -> PathBuf {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let would_be = || Some(parent.canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(would_be).unwrap_or_else(|| path.to_owned())
}

/// What the records hold.
#[derive(Default)]
struct Read {
    /// Games that the rules accept, and of which a move is taken.
    games: Vec<Game>,
    /// Number of all games.
    all: u64,
    /// Lines with faults by file and number of the first line of the piece, so that their order is that of the files.
    faults: BTreeMap<(Arc<Path>, u64), Vec<String>>,
    /// A file that could not be opened.
    unopened: Option<SourceError>,
}

impl Read {
    fn merge(mut self, mut other: Read) -> Read {
        if self.games.len() < other.games.len() {
            std::mem::swap(&mut self, &mut other);
        }
        self.games.append(&mut other.games);
        self.all += other.all;
        self.faults.append(&mut other.faults);
        self.unopened = self.unopened.or(other.unopened);
        self
    }
}

fn read_all(sources: Sources, rules: &Rules, progress: &Progress) -> Read {
    let read_chunk = |chunk: Result<Chunk, SourceError>| {
        let mut read = Read::default();
        let chunk = match chunk {
            Ok(chunk) => chunk,
            Err(error) if !error.opened => {
                read.unopened = Some(error);
                return read;
            }
            Err(error) => {
                read.faults.insert((error.path.as_path().into(), u64::MAX), vec![error.source.to_string()]);
                return read;
            }
        };
        let mut faults = Vec::new();
        for (line, game) in chunk.games() {
            match game {
                Ok(game) => {
                    read.all += 1;
                    faults.extend(game.cut.as_ref().map(|cut| format!("line {line}: {cut}")));
                    if rules.accepts(&game) {
                        read.games.push(game);
                    }
                }
                Err(error) => faults.push(format!("line {line}: {error}")),
            }
        }
        if !faults.is_empty() {
            read.faults.insert((chunk.path.clone(), chunk.first_line), faults);
        }
        progress.add(chunk.text.len() as u64);
        read
    };
    sources.par_bridge().map(read_chunk).reduce(Read::default, Read::merge)
}

/// Writes the list of errors; a file takes its name when it is complete.
fn write_faults(path: &Path, faults: &BTreeMap<(Arc<Path>, u64), Vec<String>>) -> Result<(), Failure> {
    let list = |file: &mut dyn Write| {
        for ((record, _), faults) in faults {
            for fault in faults {
                writeln!(file, "{}: {fault}", record.display())?;
            }
        }
        file.flush()
    };
    let write = || -> io::Result<()> {
        if std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            // A terminal or pipe, such as /dev/stderr, is not to be replaced.
            return list(&mut io::BufWriter::new(std::fs::OpenOptions::new().write(true).open(path)?));
        }
        let mut file = io::BufWriter::new(Replacement::begin(path)?);
        list(&mut file)?;
        file.into_inner().map_err(io::IntoInnerError::into_error)?.finish()
    };
    write().map_err(|error| format!("can't write {}: {error}", path.display()).into())
}
