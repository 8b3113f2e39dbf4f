//! `komadai joseki convert`: a book in another format.

use std::path::PathBuf;

use clap::Args;

use komadai::joseki::copy::Rules;

use super::copying::{ReadArguments, WriteArguments, copy, format_of, provenance};
use crate::cli::Failure;

/// Writes a book in another format
///
/// The format of OUT is that of its extension. What it can't hold is left out, and told.
#[derive(Args)]
pub struct Arguments {
    /// The book, in any format
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The book to write
    #[arg(value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    read: ReadArguments,
    #[command(flatten)]
    write: WriteArguments,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let format = format_of(&arguments.output)?;
    let book = arguments.read.open(&arguments.input)?;
    let done = format!("converted from {} (.{})", book.file_name(), book.format().name());
    let books = vec![book];
    let options = arguments.write.options(provenance(&books, &done, format));
    copy(books, &arguments.output, format, &options, &Rules { nonempty: true, ..Rules::default() })
}
