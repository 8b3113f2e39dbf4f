//! `komadai joseki probe`: the moves of one position.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use komadai::joseki::{Annotation, Joseki, JosekiTe};
use komadai::kifu::{self, LineError};
use komadai::kyokumen::{Kyokumen, Te};

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

/// A move with what follows from it in this position.
struct Row {
    te: JosekiTe,
    legal: bool,
    /// Percentage of the games with legal moves in the position; none for an illegal move, which nobody can play.
    share: Option<f64>,
    /// How many moves the book knows in the position after it.
    leads_to: usize,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let kyokumen = read_position(&arguments.position)?;
    let book = open(&arguments.book)?;
    let entry = book.lookup(&kyokumen).unwrap_or_default();
    let rows = rows(&book, &kyokumen, entry.moves);
    if arguments.json {
        let moves: Vec<Value> = rows.iter().map(|row| row.to_json()).collect();
        let (tesu, comment) = (entry.tesu, entry.comment);
        return print_json(&json!({ "sfen": kyokumen.to_sfen(), "ply": tesu, "comment": comment, "moves": moves }));
    }
    let moves = if rows.is_empty() { "no move known\n".to_owned() } else { table(&kyokumen, &rows) };
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

fn rows(book: &Joseki, kyokumen: &Kyokumen, moves: Vec<JosekiTe>) -> Vec<Row> {
    let legal = moves.iter().filter(|te| kyokumen.is_legal(te.te));
    let total: u128 = legal.filter_map(JosekiTe::known_count).map(u128::from).sum();
    let row = |te: JosekiTe| {
        let legal = kyokumen.is_legal(te.te);
        let share = te.known_count().filter(|_| legal).map(|count| count as f64 * 100.0 / total as f64);
        let leads_to = if legal { known_after(book, kyokumen, te.te) } else { 0 };
        Row { te, legal, share, leads_to }
    };
    moves.into_iter().map(row).collect()
}

fn known_after(book: &Joseki, kyokumen: &Kyokumen, te: Te) -> usize {
    let mut after = kyokumen.clone();
    after.do_te(te);
    book.lookup(&after).map_or(0, |entry| entry.moves.len())
}

impl Row {
    fn to_json(&self) -> Value {
        let te = &self.te;
        json!({
            "usi": te.te.to_string(),
            "count": te.count,
            "share": self.share,
            "wins": te.wins,
            "draws": te.draws,
            "losses": te.losses,
            "value": te.known_value(),
            "depth": te.depth,
            "ponder": te.ponder.map(|te| te.to_string()),
            "rating": te.rating,
            "opponent_rating": te.opponent_rating,
            "annotation": te.annotation.map(Annotation::name),
            "comment": te.comment,
            "legal": self.legal,
            "leads_to": self.leads_to,
        })
    }

    fn cells(&self, kyokumen: &Kyokumen) -> [String; 11] {
        fn known(figure: Option<impl ToString>) -> String {
            figure.map_or("-".to_owned(), |figure| figure.to_string())
        }
        let te = &self.te;
        let percent = |figure: Option<f64>| known(figure.map(|figure| format!("{figure:.1}%")));
        let results = te.wins.zip(te.draws).zip(te.losses);
        let won = results.and_then(|((wins, draws), losses)| {
            let (wins, draws, losses) = (wins as f64, draws as f64, losses as f64);
            let games = wins + draws + losses;
            (games > 0.0).then(|| (wins + draws / 2.0) * 100.0 / games)
        });
        [
            te.te.to_string(),
            kifu::japanese(kyokumen, te.te).unwrap_or("-".to_owned()),
            known(te.count),
            percent(self.share),
            percent(won),
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

fn table(kyokumen: &Kyokumen, rows: &[Row]) -> String {
    let heads = ["move", "", "count", "share", "wins", "value", "depth", "rating", "against", "reply", "leads to"];
    let mut table = vec![heads.map(str::to_owned)];
    table.extend(rows.iter().map(|row| row.cells(kyokumen)));
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
