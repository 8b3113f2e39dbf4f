//! `komadai joseki stat`: figures of a book.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use komadai::joseki::{Joseki, JosekiTe};
use komadai::kyokumen::{Kyokumen, Te, Tesu};

use super::{open, print_json};
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
}

/// A most played line, with the count of its first move.
struct Line {
    count: Option<u64>,
    moves: Vec<Te>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let book = open(&arguments.book)?;
    let (mut positions, mut moves) = (0u64, 0u64);
    let mut plies: Option<(Tesu, Tesu)> = None;
    for record in book.records() {
        positions += 1;
        moves += record.entry.moves.len() as u64;
        if let Some(tesu) = record.entry.tesu {
            plies = Some(plies.map_or((tesu, tesu), |(first, last)| (first.min(tesu), last.max(tesu))));
        }
    }
    let sorted = book.is_sorted();
    let lines = most_played(&book);
    if arguments.json {
        let lines = lines.iter().map(|line| json!({ "count": line.count, "moves": names(&line.moves) }));
        return print_json(&json!({
            "file": name_of(&arguments.book), "format": book.format().name(), "bytes": book.size(), "positions": positions,
            "moves": moves, "first_ply": plies.map(|plies| plies.0), "last_ply": plies.map(|plies| plies.1),
            "sorted": sorted, "provenance": book.provenance(), "lines": lines.collect::<Vec<_>>(),
        }));
    }
    let mut text = format!("file       {}\n", one_line(&name_of(&arguments.book)));
    text += &format!("format     {}\n", book.format().name());
    text += &format!("bytes      {}\n", book.size());
    text += &format!("positions  {positions}\n");
    text += &format!("moves      {moves}\n");
    if let Some((first, last)) = plies {
        text += &format!("plies      {first} to {last}\n");
    }
    text += &format!("sorted     {}\n", if sorted { "yes" } else { "no" });
    if let Some(provenance) = book.provenance() {
        text += &format!("provenance {}\n", one_line(&provenance));
    }
    for line in lines {
        let count = line.count.map_or("-".to_owned(), |count| count.to_string());
        text += &format!("{count:>9}  {}\n", names(&line.moves));
    }
    out(&text)
}

/// From the even start, the most played first moves, each followed by the most played reply, and so on.
fn most_played(book: &Joseki) -> Vec<Line> {
    let start = Kyokumen::hirate();
    let mut lines = legal_moves(book, &start);
    lines.truncate(LINES);
    let follow = |first: JosekiTe| {
        let (mut kyokumen, mut moves) = (start.clone(), vec![first.te]);
        kyokumen.do_te(first.te);
        while moves.len() < LINE_LENGTH {
            let Some(next) = legal_moves(book, &kyokumen).into_iter().next() else { break };
            moves.push(next.te);
            kyokumen.do_te(next.te);
        }
        Line { count: first.count, moves }
    };
    lines.into_iter().map(follow).collect()
}

/// The legal moves of a position, most played first.
fn legal_moves(book: &Joseki, kyokumen: &Kyokumen) -> Vec<JosekiTe> {
    let mut moves = book.lookup(kyokumen).unwrap_or_default().moves;
    moves.retain(|te| kyokumen.is_legal(te.te));
    moves.sort_by_key(|te| std::cmp::Reverse(te.known_count()));
    moves
}

fn names(moves: &[Te]) -> String {
    moves.iter().map(Te::to_string).collect::<Vec<_>>().join(" ")
}
