//! `komadai joseki`: the book workshop, one file a subcommand.

mod build;
mod probe;
mod stat;
mod verify;

use std::path::Path;

use clap::Subcommand;
use serde_json::Value;

use komadai::joseki::Joseki;

use super::{Failure, out, tell};

/// Opening books: build, look into, check
#[derive(Subcommand)]
pub enum Command {
    Build(build::Arguments),
    Probe(probe::Arguments),
    Stat(stat::Arguments),
    Verify(verify::Arguments),
}

pub fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Build(arguments) => build::run(arguments),
        Command::Probe(arguments) => probe::run(arguments),
        Command::Stat(arguments) => stat::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
    }
}

/// Opens a book and tells what was odd about it.
fn open(path: &Path) -> Result<Joseki, Failure> {
    let book = Joseki::open(path)?;
    for warning in book.warnings() {
        tell(&format!("{}: {warning}", book.file_name()));
    }
    Ok(book)
}

/// Prints JSON in one line of ASCII.
fn print_json(value: &Value) -> Result<(), Failure> {
    let mut text = String::new();
    for c in value.to_string().chars() {
        if c.is_ascii() {
            text.push(c);
        } else {
            let mut units = [0; 2];
            text.extend(c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    text.push('\n');
    out(&text)
}
