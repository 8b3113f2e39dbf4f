//! What is shown of a position.

use serde_json::{Value, json};

use komadai::joseki::Joseki;
use komadai::kifu::{self, Cut, LineError};
use komadai::kyokumen::{Kyokumen, Masu, Te};

use super::western;
use crate::cli::Failure;
use crate::cli::joseki::figures::{self, Figures};

/// How many moves are shown of the line that is played most.
const MAIN_LINE: usize = 12;

/// A way to a position.
struct Walk {
    start: Kyokumen,
    moves: Vec<Te>,
}

/// The position behind a start, the even one where it is empty, and moves. As JSON: what `probe --json` says of it, and
/// beyond that its legal moves, the names of its moves in English, the way to it and the most played way on.
pub fn show(book: &Joseki, start: &str, moves: &str) -> Result<Value, Failure> {
    let Walk { start, moves } = read(start, moves)?;
    let mut kyokumen = start.clone();
    for &te in &moves {
        kyokumen.do_te(te);
    }
    let before = moves.last().map(|te| te.to());
    let figures = Figures::of(book, &kyokumen, before);
    let main = figures.main_moves().first().map(|row| row.te.te);
    let main = main.map_or(Vec::new(), |te| figures::main_line(book, &kyokumen, te, MAIN_LINE));
    let mut shown = figures.to_json();
    for (row, te) in shown["moves"].as_array_mut().into_iter().flatten().zip(&figures.rows) {
        row["english"] = western::name(&kyokumen, te.te.te).into();
    }
    // An even start is the usual one, and is not named in addresses.
    let even = start.to_sfen() == Kyokumen::hirate().to_sfen();
    shown["start"] = if even { Value::Null } else { start.to_sfen().into() };
    shown["line"] = named(&start, None, &moves);
    shown["main"] = named(&kyokumen, before, &main);
    shown["legal"] = kyokumen.legal_te().iter().map(Te::to_string).collect();
    shown["check"] = kyokumen.is_oute().into();
    shown["kings"] = kyokumen.pack().is_some().into();
    Ok(shown)
}

/// Reads `startpos` or a SFEN, perhaps with moves, and further moves behind it.
fn read(start: &str, moves: &str) -> Result<Walk, Failure> {
    let start = if start.trim().is_empty() { "startpos" } else { start };
    let mut line = start.to_owned();
    if !["startpos", "sfen", "position"].contains(&line.split_ascii_whitespace().next().unwrap_or_default()) {
        line.insert_str(0, "sfen ");
    }
    if !moves.trim().is_empty() {
        let there_are_some = line.split_ascii_whitespace().any(|word| word == "moves");
        line += if there_are_some { " " } else { " moves " };
        line += moves;
    }
    let game = match kifu::read_line(&line) {
        Err(LineError::Unknown) | Ok(None) => {
            let excerpt: String = start.chars().take(100).collect();
            return Err(format!("{excerpt:?} is no position: startpos or a SFEN, then moves").into());
        }
        Err(error) => return Err(error.into()),
        Ok(Some(game)) => game,
    };
    match game.cut {
        Some(Cut::IllegalTe { number, te }) => Err(format!("move {number}, {te}, is illegal").into()),
        _ => Ok(Walk { start: game.start.kyokumen(), moves: game.moves }),
    }
}

/// Legal moves from a position, each with its names.
fn named(kyokumen: &Kyokumen, before: Option<Masu>, line: &[Te]) -> Value {
    let mut kyokumen = kyokumen.clone();
    let japanese = figures::names(&kyokumen, before, line);
    let name = |(&te, japanese): (&Te, String)| {
        let english = western::name(&kyokumen, te);
        kyokumen.do_te(te);
        json!({ "usi": te.to_string(), "japanese": japanese, "english": english })
    };
    line.iter().zip(japanese).map(name).collect()
}
