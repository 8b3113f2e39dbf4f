//! `komadai joseki evaluate`: values for the moves of a book.

mod journal;
mod program;
mod searcher;
mod usi;

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use clap::Args;

use komadai::joseki::Joseki;
use komadai::joseki::copy::{self, Rules, Watch};
use komadai::joseki::evaluate::{Assessment, Graph};
use komadai::kyokumen::PackedKyokumen;
use komadai::sikou::StopSignal;

use super::copying::{ReadArguments, WriteArguments, copy_watched, format_of, provenance};
use super::progress::{COPYING, Progress};
use crate::cli::{Failure, tell};

use journal::Journal;
use searcher::{Plan, Searcher};

/// Gives the moves of a book values
///
/// A move is worth minus what the position after it is worth, which a search finds out: our own, or a USI engine. With
/// --propagate only the positions at the ends of the book's lines are searched, and the others are worth their best
/// move. Counts and all other figures stay, and so does the order of the moves.
///
/// Results are kept in OUT.journal until OUT is complete: broken off, the same command goes on where it stopped.
#[derive(Args)]
pub struct Arguments {
    /// The book, in any format
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The book to write; it may be the same
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// A USI engine that searches, instead of our own
    #[arg(long, value_name = "PATH")]
    engine: Option<PathBuf>,
    /// An option for the engine; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = option, requires = "engine")]
    option: Vec<(String, String)>,
    /// Positions to look at in each search; 0 to use only the values that the book has, with --propagate. By default
    /// 100000, or 0 where nothing but --propagate is asked for and the ends of the book's lines have values
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Carry values from the ends of the lines back to all moves by min-max, repetitions as draws
    #[arg(long)]
    propagate: bool,
    /// Searches at the same time; by default as many as there are processors, and one of another engine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: Option<u16>,
    /// How long an engine may take for a search or for getting ready
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..))]
    timeout: u32,
    /// Keep OUT.journal
    #[arg(long)]
    keep_journal: bool,
    #[command(flatten)]
    read: ReadArguments,
    #[command(flatten)]
    write: WriteArguments,
}

fn option(text: &str) -> Result<(String, String), String> {
    if text.contains(char::is_control) {
        return Err("it must be one line of text".to_owned());
    }
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        _ => Err("NAME=VALUE is expected".to_owned()),
    }
}

/// Positions to look at in a search, if nobody says.
const NODES: u64 = 100_000;
/// Room for deep recursion; only what is used takes memory.
const STACK_BYTES: usize = 64 << 20;

/// What came of searching.
struct Searched {
    name: String,
    nodes: u64,
    number: u64,
    /// Taken from the journal.
    known: u64,
    /// Searched for nothing.
    without: u64,
    journal: Journal,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let format = format_of(&arguments.output)?;
    let book = arguments.read.open(&arguments.input)?;
    copy::check_target(&arguments.output, format)?;
    let progress = Progress::of_copying();
    let graph = Graph::read(&book, &progress);
    progress.clear();
    let mut graph = graph?;
    let nodes = arguments.nodes(&graph)?;
    let mut searched = None;
    if nodes > 0 {
        searched = Some(search_all(arguments, nodes, &mut graph, &progress)?);
    }
    if arguments.propagate {
        graph.propagate();
    }
    finish(arguments, book, graph, searched, &progress)
}

impl Arguments {
    /// How far to search; 0 for not at all.
    fn nodes(&self, graph: &Graph) -> Result<u64, Failure> {
        let valued = graph.valued_leaves();
        let nodes = match self.nodes {
            Some(nodes) => nodes,
            None if self.propagate && self.engine.is_none() && valued > 0 => {
                tell(&format!("nothing is searched, for {valued} moves at the ends of lines have values; see --nodes"));
                0
            }
            None => NODES,
        };
        match nodes {
            0 if !self.propagate => Err("with --nodes 0 there is nothing to do without --propagate".into()),
            0 if self.engine.is_some() => Err("with --nodes 0 an engine has nothing to search".into()),
            0 if valued == 0 && graph.moves() > 0 => {
                Err("no move at the end of a line has a value in the book; give --nodes to search".into())
            }
            nodes => Ok(nodes),
        }
    }

    fn jobs(&self) -> usize {
        let processors = thread::available_parallelism().map_or(1, NonZero::get);
        self.jobs.map_or(if self.engine.is_some() { 1 } else { processors }, usize::from)
    }
}

/// Writes the book, and tells what was done.
fn finish(
    arguments: &Arguments,
    book: Joseki,
    graph: Graph,
    searched: Option<Searched>,
    progress: &Progress,
) -> Result<(), Failure> {
    let how = if arguments.propagate { ", carried back through the book" } else { "" };
    let mut done = format!("values of the book{how},");
    if let Some(searched) = &searched {
        let Searched { name, nodes, number, known, without, .. } = searched;
        done = format!("values by {name} with nodes {nodes}{how},");
        tell(&format!("searched {number} positions, {known} more were in the journal; {without} are without a value"));
    }
    let books = vec![book];
    let format = format_of(&arguments.output)?;
    let options = arguments.write.options(provenance(&books, &done, format));
    let rules = Rules { values: Some(Arc::new(graph)), ..Rules::default() };
    copy_watched(books, &arguments.output, format, &options, &rules, &progress.next(COPYING))?;
    match searched {
        Some(searched) if !arguments.keep_journal => searched.journal.remove(),
        _ => Ok(()),
    }
}

/// Searches what is wanted and not in the journal yet.
fn search_all(arguments: &Arguments, nodes: u64, graph: &mut Graph, progress: &Progress) -> Result<Searched, Failure> {
    let plan = Plan {
        engine: arguments.engine.clone(),
        options: arguments.option.clone(),
        nodes,
        timeout: Duration::from_secs(arguments.timeout.into()),
        stop: StopSignal::new(),
        over: StopSignal::new(),
    };
    let first = plan.searcher()?;
    let name = first.name();
    let mut journal = Journal::open(&Journal::path_of(&arguments.output), &first.origin(), nodes)?;
    let known = std::mem::take(&mut journal.known);
    let all: Vec<PackedKyokumen> = graph.wanted(arguments.propagate).copied().collect();
    let missing: Vec<PackedKyokumen> = all.iter().filter(|packed| !known.contains_key(packed)).copied().collect();
    let mut without = 0;
    let mut take = |graph: &mut Graph, packed: &PackedKyokumen, result: Option<Assessment>| match result {
        Some(result) => graph.assess(packed, result),
        None => without += 1,
    };
    for packed in all.iter().filter(|packed| known.contains_key(packed)) {
        take(graph, packed, known[packed]);
    }
    let counter = progress.next("searching: {pos} of {len} positions in {elapsed}, {eta} left");
    counter.set_length(missing.len() as u64);
    let outcome = search(&plan, first, arguments.jobs(), &missing, progress, &mut |packed, result| {
        counter.add(1);
        take(graph, packed, result);
        journal.add(packed, result)
    });
    counter.clear();
    outcome.map_err(|error| left_off(&error, journal.path()))?;
    let (number, known) = (missing.len() as u64, (all.len() - missing.len()) as u64);
    Ok(Searched { name, nodes, number, known, without, journal })
}

fn left_off(error: &Failure, journal: &Path) -> Failure {
    format!("{error}; what was searched is in {journal:?}, and the same command goes on from there").into()
}

type Taker<'a> = dyn FnMut(&PackedKyokumen, Option<Assessment>) -> Result<(), Failure> + 'a;

/// Has several searchers search, and hands on what they find.
fn search(
    plan: &Plan,
    first: Searcher<'_>,
    jobs: usize,
    missing: &[PackedKyokumen],
    watch: &dyn Watch,
    take: &mut Taker<'_>,
) -> Result<(), Failure> {
    let queue = Mutex::new(missing.iter());
    thread::scope(|scope| {
        let (sender, results) = sync_channel(64);
        let mut first = Some(first);
        for _ in 0..jobs.min(missing.len()) {
            let (sender, queue, searcher) = (sender.clone(), &queue, first.take());
            let work = move || {
                if let Err(error) = work(plan, searcher, queue, &sender) {
                    // Others may fail because it did, so it is told first.
                    let _ = sender.send(Err(error));
                    plan.over.stop();
                }
            };
            thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work)?;
        }
        drop(sender);
        let mut outcome = Ok(());
        loop {
            let more = match results.recv_timeout(Duration::from_millis(100)) {
                Ok(Ok((packed, result))) if outcome.is_ok() => take(packed, result),
                Ok(Err(error)) => Err(error),
                Ok(Ok(_)) | Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if watch.stops() {
                plan.stop.stop();
                plan.over.stop();
                outcome = Err("broken off".into());
            } else if outcome.is_ok() && more.is_err() {
                plan.over.stop();
                outcome = more;
            }
        }
        outcome
    })
}

type Found<'a> = Result<(&'a PackedKyokumen, Option<Assessment>), Failure>;

fn work<'a>(
    plan: &Plan,
    searcher: Option<Searcher<'_>>,
    queue: &Mutex<std::slice::Iter<'a, PackedKyokumen>>,
    sender: &SyncSender<Found<'a>>,
) -> Result<(), Failure> {
    let mut searcher = searcher.map_or_else(|| plan.searcher(), Ok)?;
    while !plan.over.is_stopped() {
        let Some(packed) = queue.lock().unwrap_or_else(|error| error.into_inner()).next() else { break };
        let result = searcher.search(packed)?;
        // A search that was broken off says little.
        if plan.stop.is_stopped() || sender.send(Ok((packed, result))).is_err() {
            break;
        }
    }
    Ok(())
}
