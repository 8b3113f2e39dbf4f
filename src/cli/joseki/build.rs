//! `komadai joseki build`: from game records to a book.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

use komadai::joseki::Written;
use komadai::joseki::build::{self, Rules, Side};
use komadai::kifu::{Chunk, Date, Ending, Game, Handicap, SourceError, Sources};

use super::print;
use crate::cli::Failure;

/// Builds a book from game records
///
/// Games of the same day with the same moves count once.
#[derive(Args)]
pub struct Arguments {
    /// Records: files, folders, - for standard input; USI lines and the tab-separated games file, also in .gz
    #[arg(required = true, value_name = "RECORD")]
    records: Vec<PathBuf>,
    /// The book to write
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
    /// Take the moves of this player
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
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
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    jobs: usize,
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
    if let Some(player) = &arguments.player {
        return Err(format!("--player {player}: these kinds of records carry no names").into());
    }
    let rules = arguments.rules();
    let sources = Sources::new(&arguments.records)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.jobs).build()?;
    let progress = progress_bar();
    let mut read = pool.install(|| read_all(sources, &rules, &progress));
    progress.finish_and_clear();
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
    let written = counted.write(&arguments.output, &arguments.provenance)?;
    eprintln!(
        "{} games read, {} taken, {} of them repeated and counted once, {} without a king left out, {faults} faults",
        read.all,
        counted.games + counted.repeated + counted.unpackable,
        counted.repeated,
        counted.unpackable,
    );
    let Written { positions, moves, bytes } = written;
    print(&format!("positions {positions} moves {moves} games {} bytes {bytes}\n", counted.games))
}

/// What the records hold.
#[derive(Default)]
struct Read {
    /// Games that the rules accept.
    games: Vec<Game>,
    /// Number of all games.
    all: u64,
    /// Lines with faults by file and number of the first line of the piece, so that their order is that of the files.
    faults: BTreeMap<(Arc<Path>, u64), Vec<String>>,
}

impl Read {
    fn merge(mut self, mut other: Read) -> Read {
        if self.games.len() < other.games.len() {
            std::mem::swap(&mut self, &mut other);
        }
        self.games.append(&mut other.games);
        self.all += other.all;
        self.faults.append(&mut other.faults);
        self
    }
}

fn read_all(sources: Sources, rules: &Rules, progress: &ProgressBar) -> Read {
    let read_chunk = |chunk: Result<Chunk, SourceError>| {
        let mut read = Read::default();
        let chunk = match chunk {
            Ok(chunk) => chunk,
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
        progress.inc(chunk.text.len() as u64);
        read
    };
    sources.par_bridge().map(read_chunk).reduce(Read::default, Read::merge)
}

fn write_faults(path: &Path, faults: &BTreeMap<(Arc<Path>, u64), Vec<String>>) -> Result<(), Failure> {
    let write = || {
        let mut file = std::io::BufWriter::new(std::fs::File::create(path)?);
        for ((record, _), faults) in faults {
            for fault in faults {
                writeln!(file, "{}: {fault}", record.display())?;
            }
        }
        file.flush()
    };
    write().map_err(|error| format!("can't write {}: {error}", path.display()).into())
}

/// Shows how much text was read. Of compressed files the whole length is not known, so there is no end in sight.
fn progress_bar() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} reading games: {bytes} in {elapsed}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
