//! What `convert`, `merge`, `prune` and `edit` share: making a book of books, and saying what came of it.

use std::path::{Path, PathBuf};

use clap::Args;

use komadai::joseki::copy::{self, Copied, Rules};
use komadai::joseki::{Format, Joseki, ReadOptions, WriteOptions};
use komadai::kyokumen::Kyokumen;

use super::NO_KINGS;
use super::place::Place;
use super::progress::Progress;
use crate::cli::{Failure, name_of, one_line, out, tell};

/// How books are read.
#[derive(Args, Default)]
pub struct ReadArguments {
    /// A further position to start from, a SFEN in one argument, perhaps with moves, for books that have keys in place
    /// of positions (.bin, .psb); may be repeated
    #[arg(long, value_name = "SFEN")]
    root: Vec<String>,
}

/// How books are written.
#[derive(Args, Default)]
pub struct WriteArguments {
    /// In a .db, write only what every reader of the format understands
    #[arg(long)]
    plain: bool,
    /// Where the numbers come from, in a sentence that is kept in the book instead of what its sources say
    #[arg(long, value_name = "TEXT")]
    provenance: Option<String>,
}

impl ReadArguments {
    /// Opens a book and tells what was odd about it.
    pub fn open(&self, path: &Path) -> Result<Joseki, Failure> {
        let roots = self.root.iter().map(|text| read_root(text)).collect::<Result<Vec<_>, _>>()?;
        let book = Joseki::open_with(path, &ReadOptions { roots })?;
        for warning in book.warnings() {
            tell(&format!("{}: {warning}", one_line(&name_of(path))));
        }
        Ok(book)
    }

    pub fn open_all(&self, paths: &[PathBuf]) -> Result<Vec<Joseki>, Failure> {
        paths.iter().map(|path| self.open(path)).collect()
    }
}

fn read_root(text: &str) -> Result<Kyokumen, Failure> {
    let root = Place::read(text)?.kyokumen();
    if root.pack().is_none() { Err(format!("--root {text}: {NO_KINGS}").into()) } else { Ok(root) }
}

/// The format of a book to be written, by the extension of its name.
pub fn format_of(output: &Path) -> Result<Format, Failure> {
    Format::of_extension(output).ok_or_else(|| {
        let known = Format::EXTENSIONS;
        format!("{}: the name must end like one of the formats: {known}", output.display()).into()
    })
}

/// What is to be known of a new book: what its sources say of themselves, and what was done. Only the own format has a
/// place for the latter; the former is handed to all, so that it is told where it gets lost.
pub fn provenance(books: &[Joseki], done: &str, format: Format) -> String {
    let mut text = String::new();
    for book in books {
        let Some(known) = book.provenance() else { continue };
        if books.len() > 1 {
            text += &format!("{}: ", book.file_name());
        }
        text += known.trim_end();
        text.push('\n');
    }
    if format == Format::Own {
        text = text + done + " by Komadai " + env!("CARGO_PKG_VERSION");
    }
    text
}

/// Makes a book of books and prints its figures.
pub fn copy(
    books: Vec<Joseki>,
    output: &Path,
    format: Format,
    options: &WriteOptions,
    rules: &Rules,
) -> Result<(), Failure> {
    copy_watched(books, output, format, options, rules, &Progress::of_copying())
}

/// The same, with a line of progress that there is already.
pub fn copy_watched(
    books: Vec<Joseki>,
    output: &Path,
    format: Format,
    options: &WriteOptions,
    rules: &Rules,
    progress: &Progress,
) -> Result<(), Failure> {
    let copied = copy::copy(books, output, format, options, rules, progress);
    progress.clear();
    report(&copied?, rules)
}

impl WriteArguments {
    pub fn options(&self, provenance: String) -> WriteOptions {
        WriteOptions { provenance: self.provenance.clone().unwrap_or(provenance), plain: self.plain }
    }
}

/// Figures of the new book on standard output, what is not in it on standard error.
fn report(copied: &Copied, rules: &Rules) -> Result<(), Failure> {
    let losses = &copied.losses;
    if losses.number > 0 {
        tell(&format!("{} positions, moves or pieces of the file can't be taken along:", losses.number));
        let mut examples = 0;
        for example in losses.examples() {
            tell(&format!("  {}", one_line(example)));
            examples += 1;
        }
        if losses.number > examples {
            tell("  ...");
        }
    }
    for what in &copied.written.left_out {
        tell(&format!("the format can't hold {what}"));
    }
    if copied.repeated > 0 {
        let fate = if rules.first_wins { "the first book's stay" } else { "their moves are joined" };
        tell(&format!("{} positions were there already; {fate}", copied.repeated));
    }
    if copied.saturated > 0 {
        tell(&format!("{} moves have counts that grow too large and stay at {}", copied.saturated, u64::MAX));
    }
    let written = &copied.written;
    if written.moves == 0 {
        tell("there is no move in the new book");
    }
    let (positions, moves, bytes) = (written.positions, written.moves, written.bytes);
    out(&format!("positions {positions} moves {moves} bytes {bytes}\n"))
}
