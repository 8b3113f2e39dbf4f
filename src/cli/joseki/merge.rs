//! `komadai joseki merge`: several books as one.

use std::path::PathBuf;

use clap::Args;

use komadai::joseki::Joseki;
use komadai::joseki::copy::Rules;

use super::copying::{ReadArguments, WriteArguments, copy, format_of, provenance};
use crate::cli::Failure;

/// Puts several books into one
///
/// Counts and results of the same move add up; of other figures the last book's stay. Comments are joined.
#[derive(Args)]
pub struct Arguments {
    /// The books, in any formats
    #[arg(required = true, num_args = 1.., value_name = "BOOK")]
    books: Vec<PathBuf>,
    /// The book to write; it may be one of the books
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Take each position from the first book that has it alone, instead of adding up
    #[arg(long)]
    first_wins: bool,
    #[command(flatten)]
    read: ReadArguments,
    #[command(flatten)]
    write: WriteArguments,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let format = format_of(&arguments.output)?;
    let books = arguments.read.open_all(&arguments.books)?;
    let names = books.iter().map(Joseki::file_name).collect::<Vec<_>>().join(", ");
    let how = if arguments.first_wins { ", each position from the first that has it," } else { "" };
    let options = arguments.write.options(provenance(&books, &format!("merged from {names}{how}"), format));
    let rules = Rules { first_wins: arguments.first_wins, nonempty: true, ..Rules::default() };
    copy(books, &arguments.output, format, &options, &rules)
}
