//! Makes large `.db` books of random positions, and measures how fast such books are read and written:
//! `synthetic_book make POSITIONS SEED FILE`, then `synthetic_book measure FILE`.
//!
//! The positions come from games of random moves and are all different; a book depends on its seed alone.

use std::collections::HashMap;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use komadai::joseki::{DbOptions, DbWriter, Entry, Joseki, JosekiTe, Stored};
use komadai::kyokumen::{Kyokumen, PackedKyokumen, Tesu};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Random games are broken off after so many moves.
const PLIES: usize = 80;
/// So many lookups are measured, each one alone.
const LOOKUPS: usize = 100_000;
/// At most so many positions are written again.
const WRITTEN: usize = 1_000_000;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["make", positions, seed, file] => match (positions.parse(), seed.parse()) {
            (Ok(positions), Ok(seed)) => make(positions, seed, Path::new(file)),
            _ => Err("POSITIONS and SEED are numbers".into()),
        },
        ["measure", file] => measure(Path::new(file)),
        _ => Err("usage: synthetic_book make POSITIONS SEED FILE | synthetic_book measure FILE".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn make(positions: usize, seed: u64, file: &Path) -> Result<(), Box<dyn Error>> {
    let mut found: HashMap<PackedKyokumen, Tesu> = HashMap::new();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    while found.len() < positions {
        let mut kyokumen = Kyokumen::hirate();
        for _ in 0..PLIES {
            if let Some(packed) = kyokumen.pack().filter(|_| found.len() < positions) {
                found.entry(packed).or_insert(kyokumen.tesu());
            }
            let Some(&te) = kyokumen.legal_te().choose(&mut rng) else { break };
            kyokumen.do_te(te);
        }
    }
    // All texts in one piece: an allocation for each would take more room than they do.
    let (mut texts, mut places) = (Vec::new(), Vec::with_capacity(found.len()));
    for (packed, tesu) in found {
        let begin = texts.len();
        DbWriter::sort_key(&packed, &mut texts);
        places.push((begin..texts.len(), packed, tesu));
    }
    places.sort_unstable_by(|(a, ..), (b, ..)| texts[a.clone()].cmp(&texts[b.clone()]));
    let mut writer = DbWriter::create(file, DbOptions::default())?;
    for (_, packed, tesu) in places {
        writer.push(&packed, &entry(&packed, tesu, seed))?;
    }
    let written = writer.finish()?;
    println!("{} positions, {} moves, {} bytes", written.positions, written.moves, written.bytes);
    Ok(())
}

/// Figures that depend on position and seed alone.
fn entry(packed: &PackedKyokumen, tesu: Tesu, seed: u64) -> Entry {
    let mut rng = ChaCha8Rng::seed_from_u64(packed.words().iter().fold(seed, |sum, word| sum.rotate_left(7) ^ word));
    let Some(kyokumen) = packed.unpack() else { return Entry::default() };
    let legal = kyokumen.legal_te();
    let number = rng.random_range(1..=3).min(legal.len());
    let mut count = rng.random_range(1..500u64);
    let chosen: Vec<_> = legal.sample(&mut rng, number).copied().collect();
    let moves = chosen.into_iter().map(|te| {
        count = 1 + count / 2;
        let mut after = kyokumen.clone();
        after.do_te(te);
        let ponder = after.legal_te().choose(&mut rng).copied().filter(|_| rng.random_ratio(1, 2));
        JosekiTe {
            ponder,
            count: Some(count),
            value: Some(rng.random_range(-300..300)),
            depth: Some(rng.random_range(1..40)),
            ..JosekiTe::new(te)
        }
    });
    Entry { tesu: Some(tesu), comment: None, moves: moves.collect() }
}

fn measure(file: &Path) -> Result<(), Box<dyn Error>> {
    // What is needed once, however many books there are.
    drop(Joseki::standard()?);
    let before = rss_anon();
    let book = Joseki::open(file)?;
    println!("RssAnon      {} -> {} by opening", kilobytes(before), kilobytes(rss_anon()));
    drop(book);
    let openings = (0..5).map(|_| opening(file)).collect::<Result<Vec<_>, _>>()?;
    println!("opening      {}", openings.join("; "));
    let book = Joseki::open(file)?;
    let mut positions = some_positions(&book);
    positions.shuffle(&mut ChaCha8Rng::seed_from_u64(1));
    println!("lookups      {} while the file is checked", lookups(&book, &positions));
    let before = rss_anon();
    let start = Instant::now();
    book.settle();
    println!("checked      {:?} later, RssAnon {} -> {}", start.elapsed(), kilobytes(before), kilobytes(rss_anon()));
    book.late_warnings().iter().for_each(|warning| println!("warning      {warning}"));
    println!("lookups      {}", lookups(&book, &positions));
    println!("warm         {:?} on average", warm_lookups(&book, &positions));
    drop(positions);
    for threads in [1, 2] {
        let clock = Clock::start();
        let (positions, moves) = read(&book, threads);
        let rate = clock.rate(positions);
        println!("parts        {positions} positions, {moves} moves, {threads} threads: {rate}");
    }
    write(&book, file)
}

/// Positions spread over the book.
fn some_positions(book: &Joseki) -> Vec<Kyokumen> {
    // Of a thousand parts the first ones each: without reading all of the file.
    let parts = book.parts(1000);
    let positions = parts.into_iter().flat_map(|part| part.take(LOOKUPS / 1000)).filter_map(|stored| match stored {
        Stored::Position(packed, _) => packed.unpack(),
        Stored::Lost(_) => None,
    });
    positions.collect()
}

fn lookups(book: &Joseki, positions: &[Kyokumen]) -> String {
    let mut times: Vec<Duration> = positions
        .iter()
        .map(|kyokumen| {
            let start = Instant::now();
            let found = book.lookup(kyokumen);
            let time = start.elapsed();
            assert!(found.is_some(), "{kyokumen:?} is not found");
            time
        })
        .collect();
    times.sort_unstable();
    let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default();
    format!("{} hits, median {:?}, 99% {:?}", times.len(), at(50), at(99))
}

/// How long a lookup takes on average in the fastest of several rounds over a few positions.
fn warm_lookups(book: &Joseki, positions: &[Kyokumen]) -> Duration {
    const FEW: usize = 500;
    let few = &positions[..positions.len().min(FEW)];
    let rounds = (0..200).map(|_| {
        let start = Instant::now();
        let found = few.iter().filter_map(|kyokumen| book.lookup(kyokumen)).count();
        assert!(found == few.len());
        start.elapsed()
    });
    rounds.min().unwrap_or_default() / few.len().max(1) as u32
}

/// Reads all positions; how many there are, and how many moves.
fn read(book: &Joseki, threads: usize) -> (usize, usize) {
    std::thread::scope(|scope| {
        let parts = book.parts(threads).into_iter().map(|part| {
            scope.spawn(move || {
                part.fold((0, 0), |(positions, moves), stored| match stored {
                    Stored::Position(_, entry) => (positions + 1, moves + entry.moves.len()),
                    Stored::Lost(what) => panic!("{what}"),
                })
            })
        });
        let parts: Vec<_> = parts.collect();
        parts.into_iter().filter_map(|part| part.join().ok()).fold((0, 0), |(a, b), (c, d)| (a + c, b + d))
    })
}

fn write(book: &Joseki, file: &Path) -> Result<(), Box<dyn Error>> {
    let stored = book.parts(1).into_iter().flatten().take(WRITTEN);
    let positions: Vec<_> = stored
        .filter_map(|stored| match stored {
            Stored::Position(packed, entry) => Some((packed, entry)),
            Stored::Lost(_) => None,
        })
        .collect();
    let clock = Clock::start();
    let mut key = Vec::new();
    for (packed, _) in &positions {
        key.clear();
        DbWriter::sort_key(packed, &mut key);
    }
    println!("sort keys    {}", clock.rate(positions.len()));
    let copy = file.with_extension("copy");
    let clock = Clock::start();
    let mut writer = DbWriter::create(&copy, DbOptions::default())?;
    for (packed, entry) in &positions {
        writer.push(packed, entry)?;
    }
    println!("pushing      {}", clock.rate(positions.len()));
    writer.finish()?;
    println!("to the disk  {}", clock.rate(positions.len()));
    let same = std::fs::read(file)?.starts_with(&std::fs::read(&copy)?);
    println!("the copy     {}", if same { "is the same" } else { "DIFFERS" });
    std::fs::remove_file(copy)?;
    Ok(())
}

fn opening(file: &Path) -> Result<String, Box<dyn Error>> {
    let start = Instant::now();
    let _book = Joseki::open(file)?;
    Ok(format!("{:?}", start.elapsed()))
}

/// Time that passes, and seconds that processors spend on this program: less where it has to wait for its turn.
struct Clock {
    start: Instant,
    spent: Option<f64>,
}

impl Clock {
    fn start() -> Clock {
        Clock { start: Instant::now(), spent: process_time() }
    }

    fn rate(&self, positions: usize) -> String {
        let rate = |seconds: f64| format!("{:.3} million positions/s", positions as f64 / seconds / 1e6);
        let spent = process_time().zip(self.spent).map(|(now, before)| now - before);
        let of_processors = spent.map(|spent| format!(", {} of processors", rate(spent))).unwrap_or_default();
        format!("{}{of_processors}", rate(self.start.elapsed().as_secs_f64()))
    }
}

/// Seconds, in hundredths, that processors spent on this program so far; known on Linux only.
fn process_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // Counted behind the name in brackets, which may hold blanks: user and system time.
    let mut numbers = text.rsplit_once(')')?.1.split_whitespace().skip(11).map(str::parse::<f64>);
    Some((numbers.next()?.ok()? + numbers.next()?.ok()?) / 100.0)
}

/// Memory of the process that is no part of a file, in kB; known on Linux only.
fn rss_anon() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?.split_whitespace().next()?.parse().ok()
}

fn kilobytes(rss: Option<u64>) -> String {
    rss.map_or("unknown".into(), |rss| format!("{rss} kB"))
}
