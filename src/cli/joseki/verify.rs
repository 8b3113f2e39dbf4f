//! `komadai joseki verify`: is a book in order?

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use super::copying::ReadArguments;
use super::print_json;
use crate::cli::{Failure, name_of, one_line, out};

/// How many faults are shown.
const SHOWN: usize = 20;

/// Checks every entry of a book: legal, sorted, not repeated, not damaged
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

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let book = arguments.read.open(&arguments.book)?;
    let mut faults = Vec::new();
    let mut number = 0;
    let verdict = book.verify(&mut |fault| {
        number += 1;
        if number <= SHOWN {
            faults.push(fault.to_owned());
        }
    });
    if arguments.json {
        print_json(&json!({
            "file": name_of(&arguments.book), "format": book.format().name(), "good": verdict.is_good(),
            "positions": verdict.positions, "moves": verdict.moves, "sorted": verdict.sorted,
            "illegal": verdict.illegal, "repeated": verdict.repeated, "damaged": verdict.damaged, "faults": faults,
        }))?;
    } else {
        let mut text: String = faults.iter().map(|fault| format!("{}\n", one_line(fault))).collect();
        if number > faults.len() {
            text += &format!("... and {} more\n", number - faults.len());
        }
        let sorted = if verdict.sorted { "yes" } else { "no" };
        text += &format!("positions {} moves {} sorted {sorted}", verdict.positions, verdict.moves);
        text += &format!(" illegal {} repeated {} damaged {}\n", verdict.illegal, verdict.repeated, verdict.damaged);
        out(&text)?;
    }
    if verdict.is_good() {
        Ok(())
    } else {
        Err(format!("{} is not in order", one_line(&name_of(&arguments.book))).into())
    }
}
