//! `komadai joseki stat`: figures of a book.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use komadai::joseki::{Joseki, JosekiTe, Record};
use komadai::kifu;
use komadai::kyokumen::{Kyokumen, Te, Tesu};

use super::columns::{self, TERMINAL, known};
use super::copying::ReadArguments;
use super::figures::{self, Figures, WinRate};
use super::print_json;
use crate::cli::{Failure, name_of, one_line, out};

/// How many of the most played lines are shown, and how long.
const LINES: usize = 5;
const LINE_LENGTH: usize = 10;

/// Shows figures of a book
#[derive(Args)]
pub struct Arguments {
    /// The book
    book: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    read: ReadArguments,
}

/// Sums over all positions.
#[derive(Default)]
struct Sums {
    positions: u64,
    moves: u64,
    plies: Option<(Tesu, Tesu)>,
    /// Moves of which the count is known.
    counts: u64,
    /// Moves of which wins and losses are known.
    results: u64,
    values: u64,
    ratings: u64,
    /// Comments on positions and moves.
    comments: u64,
    /// The position of the smallest ply, the first one of these.
    first: Option<(Tesu, Kyokumen)>,
}

/// A most played line, with the count of its first move.
struct Line {
    count: Option<u64>,
    moves: Vec<Te>,
    japanese: Vec<String>,
}

/// Where the lines start, and what is known there.
struct Start {
    kyokumen: Kyokumen,
    /// Sum of the counts of the legal moves, if any is known.
    games: Option<u128>,
    /// Of the side to move.
    win_rate: Option<WinRate>,
    lines: Vec<Line>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let book = arguments.read.open(&arguments.book)?;
    let mut sums = Sums::default();
    for record in book.records() {
        sums.add(record);
    }
    let hirate = Kyokumen::hirate();
    let start = match &sums.first {
        Some((_, first)) if book.lookup(&hirate).is_none() => Start::of(&book, first.clone()),
        _ => Start::of(&book, hirate),
    };
    let name = name_of(&arguments.book);
    if arguments.json {
        print_json(&to_json(&name, &book, &sums, &start))
    } else {
        out(&text(&name, &book, &sums, &start))
    }
}

impl Sums {
    fn add(&mut self, record: Record) {
        let entry = record.entry;
        self.positions += 1;
        self.moves += entry.moves.len() as u64;
        if let Some(tesu) = entry.tesu {
            self.plies = Some(self.plies.map_or((tesu, tesu), |(first, last)| (first.min(tesu), last.max(tesu))));
        }
        self.comments += u64::from(entry.comment.is_some());
        for te in &entry.moves {
            self.counts += u64::from(te.known_count().is_some());
            self.results += u64::from(te.wins.is_some() && te.losses.is_some());
            self.values += u64::from(te.known_value().is_some());
            self.ratings += u64::from(te.rating.is_some());
            self.comments += u64::from(te.comment.is_some());
        }
        let tesu = entry.tesu.unwrap_or(Tesu::MAX);
        if let Some(kyokumen) = record.kyokumen.filter(|_| self.first.as_ref().is_none_or(|(first, _)| tesu < *first)) {
            self.first = Some((tesu, kyokumen));
        }
    }

    /// What is counted by moves, with the name of it.
    fn of_moves(&self) -> [(&'static str, u64); 4] {
        [("counts", self.counts), ("results", self.results), ("values", self.values), ("ratings", self.ratings)]
    }
}

impl Start {
    fn of(book: &Joseki, kyokumen: Kyokumen) -> Start {
        let figures = Figures::of(book, &kyokumen, None);
        let rows = figures.main_moves();
        let legal = || rows.iter().map(|row| &row.te);
        let counts: Vec<u64> = legal().filter_map(JosekiTe::known_count).collect();
        let line = |te: &JosekiTe| {
            let moves = figures::main_line(book, &kyokumen, te.te, LINE_LENGTH);
            Line { count: te.count, japanese: figures::names(&kyokumen, None, &moves), moves }
        };
        Start {
            games: (!counts.is_empty()).then(|| counts.into_iter().map(u128::from).sum()),
            win_rate: win_rate(legal()),
            lines: legal().take(LINES).map(line).collect(),
            kyokumen,
        }
    }
}

/// Of all moves together of which results are known.
fn win_rate<'a>(moves: impl Iterator<Item = &'a JosekiTe>) -> Option<WinRate> {
    let mut all: Option<JosekiTe> = None;
    for te in moves.filter(|te| te.wins.is_some() && te.losses.is_some()) {
        let Some(all) = &mut all else {
            all = Some(te.clone());
            continue;
        };
        for (sum, more) in [(&mut all.wins, te.wins), (&mut all.draws, te.draws), (&mut all.losses, te.losses)] {
            *sum = sum.zip(more).map_or(sum.or(more), |(a, b)| Some(a.saturating_add(b)));
        }
    }
    WinRate::of(&all?)
}

fn to_json(name: &str, book: &Joseki, sums: &Sums, start: &Start) -> Value {
    let lines = start.lines.iter().map(|line| {
        let moves = line.moves.iter().map(Te::to_string).collect::<Vec<_>>().join(" ");
        json!({ "count": line.count, "moves": moves, "japanese": line.japanese.join(" ") })
    });
    let lines: Vec<Value> = lines.collect();
    let mut value = json!({
        "file": name, "format": book.format().name(), "bytes": book.size(), "positions": sums.positions,
        "moves": sums.moves, "first_ply": sums.plies.map(|plies| plies.0), "last_ply": sums.plies.map(|plies| plies.1),
        "sorted": book.is_sorted(), "provenance": book.provenance(), "lines": lines,
    });
    for (name, number) in sums.of_moves() {
        value[format!("{name}_known")] = json!(number);
    }
    let win_rate = start.win_rate;
    value["comments"] = json!(sums.comments);
    value["start"] = json!({
        "sfen": start.kyokumen.to_sfen(),
        "count": start.games.map(|games| u64::try_from(games).unwrap_or(u64::MAX)),
        "win_rate": win_rate.map(|win_rate| win_rate.rate),
        "win_low": win_rate.map(|win_rate| win_rate.low),
        "win_high": win_rate.map(|win_rate| win_rate.high),
    });
    value
}

fn text(name: &str, book: &Joseki, sums: &Sums, start: &Start) -> String {
    let mut text = String::new();
    let mut say = |what: &str, words: &str| text += &format!("{what:<10} {words}\n");
    say("file", &one_line(name));
    say("format", book.format().name());
    say("bytes", &book.size().to_string());
    say("positions", &sums.positions.to_string());
    say("moves", &sums.moves.to_string());
    for (name, number) in sums.of_moves() {
        let of = match number {
            0 => "unknown".to_owned(),
            number if number == sums.moves => "of all moves".to_owned(),
            number => format!("of {number} of {} moves", sums.moves),
        };
        say(name, &of);
    }
    if sums.comments > 0 {
        say("comments", &sums.comments.to_string());
    }
    if let Some((first, last)) = sums.plies {
        say("plies", &format!("{first} to {last}"));
    }
    say("sorted", if book.is_sorted() { "yes" } else { "no" });
    for line in book.provenance().iter().flat_map(|provenance| provenance.lines()) {
        say("provenance", &one_line(line));
    }
    if start.kyokumen != Kyokumen::hirate() {
        say("start", &start.kyokumen.to_sfen());
    }
    if let Some(WinRate { rate, low, high }) = start.win_rate {
        let mark = kifu::mark(start.kyokumen.teban());
        say("wins", &format!("{mark} {rate:.1}% (95%: {low:.1}-{high:.1}) at the start"));
    }
    if !start.lines.is_empty() {
        text.push('\n');
    }
    for line in &start.lines {
        let line = (known(line.count.filter(|&count| count > 0)), columns::fitting(&line.japanese, TERMINAL - 11));
        text += &format!("{:>9}  {}\n", line.0, line.1);
    }
    text
}
