//! `komadai joseki prune`: a book without what matters less.

use std::path::PathBuf;

use clap::Args;

use komadai::joseki::JosekiError;
use komadai::joseki::copy::{Keep, Rules};

use super::copying::{ReadArguments, WriteArguments, copy, format_of, provenance};
use crate::cli::{Failure, Usage};

/// Takes moves and positions out of a book
///
/// A move of which a figure is unknown is not judged by it; a count of 0 and a value of -32768 are unknown. Positions
/// left without moves are taken out. Where none is left no book is written, and the exit code is 1.
#[derive(Args)]
pub struct Arguments {
    /// The book
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The book to write; it may be the same
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// Keep moves seen at least so often
    #[arg(long, value_name = "N")]
    min_count: Option<u64>,
    /// Keep positions up to this ply
    #[arg(long, value_name = "N")]
    max_ply: Option<u32>,
    /// Keep moves that have so many percent of the counts of the position's legal moves
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    min_share: Option<f64>,
    /// Keep moves of at least this value in centipawns
    #[arg(long, value_name = "CP", allow_negative_numbers = true)]
    min_value: Option<i32>,
    #[command(flatten)]
    read: ReadArguments,
    #[command(flatten)]
    write: WriteArguments,
}

fn percent(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=100.0).contains(share));
    share.ok_or_else(|| "a number from 0 to 100".to_owned())
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let limits = [
        arguments.min_count.map(|limit| format!("--min-count {limit}")),
        arguments.max_ply.map(|limit| format!("--max-ply {limit}")),
        arguments.min_share.map(|limit| format!("--min-share {limit}")),
        arguments.min_value.map(|limit| format!("--min-value {limit}")),
    ];
    let limits = limits.into_iter().flatten().collect::<Vec<_>>().join(" ");
    if limits.is_empty() {
        return Err(Usage("no limit is given: --min-count, --max-ply, --min-share, --min-value").into());
    }
    let keep = Keep {
        min_count: arguments.min_count.unwrap_or(0),
        max_ply: arguments.max_ply,
        min_share: arguments.min_share.unwrap_or(0.0),
        min_value: arguments.min_value,
    };
    let format = format_of(&arguments.output)?;
    let books = vec![arguments.read.open(&arguments.input)?];
    let options = arguments.write.options(provenance(&books, &format!("pruned by {limits}"), format));
    let copied = copy(books, &arguments.output, format, &options, &Rules { keep, nonempty: true, ..Rules::default() });
    copied.map_err(|failure| match failure.downcast_ref() {
        Some(JosekiError::Empty { read: 1.., .. }) => format!("{failure}; loosen {limits}").into(),
        _ => failure,
    })
}
