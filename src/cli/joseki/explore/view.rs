//! What is shown of a position.

use serde_json::{Value, json};

use komadai::joseki::Joseki;
use komadai::kyokumen::{Kyokumen, Masu, Te};

use super::western;
use crate::cli::Failure;
use crate::cli::joseki::figures::{self, Figures};
use crate::cli::joseki::place::Place;

/// How many moves are shown of the line that is played most.
const MAIN_LINE: usize = 12;

/// The position behind a start, the even one where it is empty, and moves. As JSON: what `probe --json` says of it, and
/// beyond that its legal moves, the names of its moves in English, the way to it and the most played way on.
pub fn show(book: &Joseki, start: &str, moves: &str) -> Result<Value, Failure> {
    let place = read(start, moves)?;
    let (kyokumen, before) = (place.kyokumen(), place.before());
    let figures = Figures::of(book, &kyokumen, before);
    let main = figures.main_moves().first().map(|row| row.te.te);
    let main = main.map_or(Vec::new(), |te| figures::main_line(book, &kyokumen, te, MAIN_LINE));
    let mut shown = figures.to_json();
    for (row, te) in shown["moves"].as_array_mut().into_iter().flatten().zip(&figures.rows) {
        row["english"] = western::name(&kyokumen, te.te.te).into();
    }
    // An even start is the usual one, and is not named in addresses.
    let even = place.start.to_sfen() == Kyokumen::hirate().to_sfen();
    shown["start"] = if even { Value::Null } else { place.start.to_sfen().into() };
    shown["line"] = named(&place.start, None, &place.moves);
    shown["main"] = named(&kyokumen, before, &main);
    shown["legal"] = kyokumen.legal_te().iter().map(Te::to_string).collect();
    shown["check"] = kyokumen.is_oute().into();
    shown["kings"] = kyokumen.pack().is_some().into();
    Ok(shown)
}

/// Reads `startpos` or a SFEN, perhaps with moves, and further moves behind it.
fn read(start: &str, moves: &str) -> Result<Place, Failure> {
    let mut text = if start.trim().is_empty() { "startpos" } else { start }.to_owned();
    if !moves.trim().is_empty() {
        let there_are_some = text.split_ascii_whitespace().any(|word| word == "moves");
        text += if there_are_some { " " } else { " moves " };
        text += moves;
    }
    Place::read(&text)
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
