//! `komadai joseki probe`: the moves of one position.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use komadai::joseki::{Annotation, Joseki, JosekiTe};
use komadai::kifu;
use komadai::kyokumen::{Kyokumen, Masu, Te};

use super::columns::{self, Column, TERMINAL, known, percent};
use super::copying::ReadArguments;
use super::figures::{self, Figures, Row, WinRate};
use super::place::Place;
use super::print_json;
use crate::cli::{Failure, one_line, out};

/// How many plies of a line are followed.
const LINE_LENGTH: usize = 8;

/// Shows the moves that a book knows in one position
#[derive(Args)]
pub struct Arguments {
    /// The book
    book: PathBuf,
    /// The position: startpos or a SFEN as one argument; then, if wanted, the word moves and moves in USI
    #[arg(default_value = "startpos", value_name = "POSITION")]
    position: Vec<String>,
    /// Print JSON; unknown figures are null
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    read: ReadArguments,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let place = Place::read(&arguments.position.join(" "))?;
    let (kyokumen, before) = (place.kyokumen(), place.before());
    let book = arguments.read.open(&arguments.book)?;
    let figures = Figures::of(&book, &kyokumen, before);
    let lines: Vec<Vec<Te>> = figures.rows.iter().map(|row| line(&book, &kyokumen, row)).collect();
    if arguments.json {
        let mut value = figures.to_json();
        for (at, line) in lines.iter().enumerate() {
            let row = &mut value["moves"][at];
            row["line"] = json!(line.iter().map(Te::to_string).collect::<Vec<_>>());
            row["line_japanese"] = json!(figures::names(&kyokumen, before, line));
        }
        return print_json(&value);
    }
    let mut text = format!("{}\n{}\n", kyokumen.to_sfen(), columns::board(&kyokumen));
    if let Some(comment) = &figures.comment {
        text += &format!("{}\n", remark("", comment));
    }
    if figures.rows.is_empty() {
        return out(&(text + "no move known\n"));
    }
    text += &table(&figures);
    text += &remarks(&figures.rows);
    out(&(text + &continuations(&figures, before, &lines)))
}

/// The move and what follows it; nothing for an illegal one.
fn line(book: &Joseki, kyokumen: &Kyokumen, row: &Row) -> Vec<Te> {
    if row.legal { figures::main_line(book, kyokumen, row.te.te, LINE_LENGTH) } else { Vec::new() }
}

fn table(figures: &Figures) -> String {
    let mark = kifu::mark(figures.kyokumen.teban()).to_string();
    let column = |head, figure: bool, cell: &dyn Fn(&JosekiTe) -> String| Column {
        head,
        figures: figure,
        cells: figures.rows.iter().map(|row| cell(&row.te)).collect(),
    };
    let of_row = |head, figure: bool, cell: &dyn Fn(&Row) -> String| Column {
        head,
        figures: figure,
        cells: figures.rows.iter().map(cell).collect(),
    };
    columns::table(&[
        column("move", false, &|te| te.te.to_string()),
        of_row(&mark, false, &|row| known(row.name.as_ref())),
        column("count", true, &|te| known(te.known_count())),
        of_row("share", true, &|row| percent(row.share)),
        of_row("wins", true, &|row| percent(row.win_rate.map(|win_rate| win_rate.rate))),
        of_row("95%", true, &|row| known(row.win_rate.map(bounds))),
        column("value", true, &|te| known(te.known_value())),
        column("depth", true, &|te| known(te.depth)),
        column("rating", true, &|te| known(te.rating)),
        column("against", true, &|te| known(te.opponent_rating)),
        column("reply", false, &|te| known(te.ponder)),
        column("note", false, &|te| known(te.annotation.map(Annotation::name))),
        of_row("leads to", false, &leads_to),
    ])
}

fn bounds(win_rate: WinRate) -> String {
    format!("{:.1}-{:.1}", win_rate.low, win_rate.high)
}

fn leads_to(row: &Row) -> String {
    match (row.legal, row.leads_to) {
        (false, _) => "illegal".to_owned(),
        (true, 0) => columns::UNKNOWN.to_owned(),
        (true, 1) => "1 move".to_owned(),
        (true, number) => format!("{number} moves"),
    }
}

/// What the book says of the moves in words.
fn remarks(rows: &[Row]) -> String {
    let remark = |row: &Row| Some(remark(&row.te.te.to_string(), row.te.comment.as_ref()?));
    let remarks: String = rows.iter().filter_map(remark).collect();
    if remarks.is_empty() { remarks } else { format!("\n{remarks}") }
}

/// A comment line by line, what it belongs to before each.
fn remark(of: &str, comment: &str) -> String {
    let of = if of.is_empty() { String::new() } else { format!("{of:<5}  ") };
    comment.lines().map(|line| format!("{of}{}\n", one_line(line))).collect()
}

/// Where the moves lead, each in one line.
fn continuations(figures: &Figures, before: Option<Masu>, lines: &[Vec<Te>]) -> String {
    let mut text = String::new();
    for (row, line) in figures.rows.iter().zip(lines).filter(|(_, line)| line.len() > 1) {
        let names = figures::names(&figures.kyokumen, before, line);
        text += &format!("{:<5}  {}\n", row.te.te.to_string(), columns::fitting(&names, TERMINAL - 7));
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}
