//! `komadai joseki diff`: how two books differ.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use komadai::joseki::diff::{Difference, Side, Summary, diff};
use komadai::kyokumen::{PackedKyokumen, Te};

use super::copying::ReadArguments;
use super::print_json;
use super::progress::Progress;
use crate::cli::{Failure, name_of, one_line, out, tell};

/// Shows what one book has and the other has not, and where they differ
#[derive(Args)]
pub struct Arguments {
    /// The first book
    #[arg(value_name = "A")]
    a: PathBuf,
    /// The second book
    #[arg(value_name = "B")]
    b: PathBuf,
    /// Show so many differences
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,
    /// Print JSON; unknown figures are null
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    read: ReadArguments,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let books = [arguments.read.open(&arguments.a)?, arguments.read.open(&arguments.b)?];
    let progress = Progress::of_copying();
    let (mut shown, mut all) = (Vec::new(), 0u64);
    let summary = diff(&books, &progress, &mut |packed, difference| {
        all += 1;
        if shown.len() < arguments.limit {
            shown.push((*packed, difference.clone()));
        }
    });
    progress.clear();
    let summary = summary?;
    if summary.lost > 0 {
        tell(&format!("{} positions, moves or pieces of the files can't be read and are not compared", summary.lost));
    }
    if arguments.json {
        let differences: Vec<Value> = shown.iter().map(|(packed, difference)| to_json(packed, difference)).collect();
        let [a, b] = [&arguments.a, &arguments.b].map(|path| name_of(path));
        return print_json(&json!({
            "a": a, "b": b, "equal": summary.is_equal(),
            "positions": {
                "only_a": summary.positions[0], "only_b": summary.positions[1], "differing": summary.differing,
                "equal": summary.equal,
            },
            "moves": { "only_a": summary.moves[0], "only_b": summary.moves[1] },
            "figures": summary.figures, "lost": summary.lost, "all": all, "differences": differences,
        }));
    }
    let mut text: String = shown.iter().map(|(packed, difference)| line(packed, difference) + "\n").collect();
    if all > shown.len() as u64 {
        text += &format!("... and {} more\n", all - shown.len() as u64);
    }
    out(&(text + &in_numbers(&summary)))
}

fn in_numbers(summary: &Summary) -> String {
    format!(
        "positions only-A {} only-B {} differing {} equal {} moves only-A {} only-B {} figures {}\n",
        summary.positions[0],
        summary.positions[1],
        summary.differing,
        summary.equal,
        summary.moves[0],
        summary.moves[1],
        summary.figures,
    )
}

const fn name(side: Side) -> &'static str {
    match side {
        Side::A => "A",
        Side::B => "B",
    }
}

/// The position as text; what is no position as its bytes.
fn sfen(packed: &PackedKyokumen) -> String {
    match packed.unpack() {
        Some(kyokumen) => kyokumen.to_sfen_without_ply(),
        None => packed.0.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}

fn line(packed: &PackedKyokumen, difference: &Difference) -> String {
    let sfen = sfen(packed);
    let known = |figure: &Option<String>| match figure {
        Some(figure) => one_line(figure),
        None => "-".to_owned(),
    };
    match difference {
        Difference::Position(side, moves) => format!("{sfen}: only {}: {}", name(*side), names(moves).join(" ")),
        Difference::Te(side, te) => format!("{sfen}: {te} only {}", name(*side)),
        Difference::Figure { te: Some(te), name, a, b } => format!("{sfen}: {te} {name} {} {}", known(a), known(b)),
        Difference::Figure { te: None, name, a, b } => format!("{sfen}: {name} {} {}", known(a), known(b)),
    }
}

fn names(moves: &[Te]) -> Vec<String> {
    moves.iter().map(Te::to_string).collect()
}

fn to_json(packed: &PackedKyokumen, difference: &Difference) -> Value {
    let sfen = sfen(packed);
    match difference {
        Difference::Position(side, moves) => json!({ "sfen": sfen, "only": name(*side), "moves": names(moves) }),
        Difference::Te(side, te) => json!({ "sfen": sfen, "only": name(*side), "usi": te.to_string() }),
        Difference::Figure { te, name, a, b } => {
            let is_text = ["comment", "annotation", "ponder"].contains(name);
            let value = |figure: &Option<String>| match figure {
                Some(number) if !is_text => serde_json::from_str(number).unwrap_or(Value::Null),
                figure => json!(figure),
            };
            let usi = te.map(|te| te.to_string());
            json!({ "sfen": sfen, "usi": usi, "figure": name, "a": value(a), "b": value(b) })
        }
    }
}
