//! `komadai joseki`: the book workshop, one file a subcommand.

mod build;
mod columns;
mod convert;
mod copying;
mod diff;
mod edit;
mod evaluate;
mod explore;
mod figures;
mod merge;
mod place;
mod probe;
mod progress;
mod prune;
mod stat;
mod tree;
mod verify;

use clap::Subcommand;
use serde_json::Value;

use super::{Failure, out};

/// Opening books: build, look into, check, convert, merge, prune, compare, edit, evaluate
#[derive(Subcommand)]
pub enum Command {
    Build(Box<build::Arguments>),
    Convert(convert::Arguments),
    Diff(diff::Arguments),
    Edit(Box<edit::Arguments>),
    Evaluate(Box<evaluate::Arguments>),
    Explore(explore::Arguments),
    Merge(merge::Arguments),
    Probe(probe::Arguments),
    Prune(prune::Arguments),
    Stat(stat::Arguments),
    Tree(tree::Arguments),
    Verify(verify::Arguments),
}

pub fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Build(arguments) => build::run(arguments),
        Command::Convert(arguments) => convert::run(arguments),
        Command::Diff(arguments) => diff::run(arguments),
        Command::Edit(arguments) => edit::run(arguments),
        Command::Evaluate(arguments) => evaluate::run(arguments),
        Command::Explore(arguments) => explore::run(arguments),
        Command::Merge(arguments) => merge::run(arguments),
        Command::Prune(arguments) => prune::run(arguments),
        Command::Probe(arguments) => probe::run(arguments),
        Command::Stat(arguments) => stat::run(arguments),
        Command::Tree(arguments) => tree::run(arguments),
        Command::Verify(arguments) => verify::run(arguments),
    }
}

/// Why a position can't be in a book.
const NO_KINGS: &str = "a position without both kings is in no book";

/// Prints JSON in one line of ASCII.
pub fn print_json(value: &Value) -> Result<(), Failure> {
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
