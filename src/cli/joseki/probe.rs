//! `komadai joseki probe`: the moves of one position.

use std::path::PathBuf;

use clap::Args;

use komadai::kifu::{self, LineError};
use komadai::kyokumen::Kyokumen;

use super::figures::{Figures, Row};
use super::{open, print_json};
use crate::cli::{Failure, out};

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
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let kyokumen = read_position(&arguments.position)?;
    let book = open(&arguments.book)?;
    let figures = Figures::of(&book, &kyokumen, None);
    if arguments.json {
        return print_json(&figures.to_json());
    }
    let rows = &figures.rows;
    let moves = if rows.is_empty() { "no move known\n".to_owned() } else { table(rows) };
    out(&format!("{}\n{moves}", kyokumen.to_sfen()))
}

/// Reads the position behind the words `startpos`, a SFEN, perhaps cut into words, and `moves`.
pub(super) fn read_position(words: &[String]) -> Result<Kyokumen, Failure> {
    let mut line = words.join(" ");
    if !["startpos", "sfen", "position"].contains(&line.split_ascii_whitespace().next().unwrap_or_default()) {
        line.insert_str(0, "sfen ");
    }
    let game = match kifu::read_line(&line) {
        Err(LineError::Unknown) => {
            return Err(format!("{line:?} is no position: startpos or a SFEN, then moves").into());
        }
        game => game?,
    };
    let game = game.ok_or("the position is empty: give startpos or a SFEN")?;
    if let Some(kifu::Cut::IllegalTe { number, te }) = game.cut {
        return Err(format!("move {number}, {te}, is illegal").into());
    }
    let mut kyokumen = game.start.kyokumen();
    for te in game.moves {
        kyokumen.do_te(te);
    }
    Ok(kyokumen)
}

impl Row {
    fn cells(&self) -> [String; 11] {
        fn known(figure: Option<impl ToString>) -> String {
            figure.map_or("-".to_owned(), |figure| figure.to_string())
        }
        let te = &self.te;
        let percent = |figure: Option<f64>| known(figure.map(|figure| format!("{figure:.1}%")));
        [
            te.te.to_string(),
            known(self.name.as_ref()),
            known(te.count),
            percent(self.share),
            percent(self.win_rate.map(|win_rate| win_rate.rate)),
            known(te.known_value()),
            known(te.depth),
            known(te.rating),
            known(te.opponent_rating),
            known(te.ponder),
            match (self.legal, self.leads_to) {
                (false, _) => "illegal".to_owned(),
                (true, 0) => "-".to_owned(),
                (true, 1) => "1 move".to_owned(),
                (true, number) => format!("{number} moves"),
            },
        ]
    }
}

fn table(rows: &[Row]) -> String {
    let heads = ["move", "", "count", "share", "wins", "value", "depth", "rating", "against", "reply", "leads to"];
    let mut table = vec![heads.map(str::to_owned)];
    table.extend(rows.iter().map(|row| row.cells()));
    let widths: [usize; 11] =
        std::array::from_fn(|column| table.iter().map(|row| width(&row[column])).max().unwrap_or(0));
    let mut text = String::new();
    for row in &table {
        let cells = row.iter().zip(widths).enumerate().map(|(column, (cell, room))| {
            let blanks = " ".repeat(room - width(cell));
            // Names stand on the left, figures on the right of their column.
            if matches!(column, 2..=8) { format!("{blanks}{cell}") } else { format!("{cell}{blanks}") }
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

/// Columns that a text takes on a terminal, on which Japanese characters are twice as wide.
fn width(text: &str) -> usize {
    text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum()
}
