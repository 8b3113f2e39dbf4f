//! Books out of books: converting, merging, pruning, editing, whatever the formats.
//!
//! Where the order of a book is that of the target, it is read in one pass; else it is sorted, in memory of bounded
//! size and temporary files. The target takes its name when it is complete, and may be one of the books that are read.

mod keep;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::Arc;
use std::thread;

use super::evaluate::Graph;
use super::merge::{Merge, Position, Run, Trouble};
use super::output::Output;
use super::sort::{Cursor, Sorter};
use super::stream::{Reading, thin_out};
use super::{Entry, Format, Joseki, JosekiError, WriteOptions, Written, folder_of};
use crate::kyokumen::PackedKyokumen;

pub use keep::Keep;

/// Bytes of memory for sorting, if nobody asks for more or less.
pub const MEMORY: usize = 96 << 20;

/// What is made of the books. The default takes all as it is, and joins what they know of a position.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Whether a position is taken from the first book that has it, instead of adding figures up.
    pub first_wins: bool,
    /// What stays.
    pub keep: Keep,
    /// What a position is to have instead of what it has.
    pub change: Option<Change>,
    /// Values and depths that moves get instead of what they have.
    pub values: Option<Arc<Graph>>,
    /// Whether to give up rather than to leave out something that can't be taken along.
    pub whole: bool,
    /// Whether to give up where no position stays by the rules. A format that holds moves only can still be left
    /// without any, where positions have none.
    pub nonempty: bool,
    /// Bytes of memory for sorting; in all it takes somewhat more.
    pub memory: usize,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            first_wins: false,
            keep: Keep::default(),
            change: None,
            values: None,
            whole: false,
            nonempty: false,
            memory: MEMORY,
        }
    }
}

/// A position whose entry is replaced.
#[derive(Clone, Debug)]
pub struct Change {
    /// The position.
    pub packed: PackedKyokumen,
    /// Its new moves; `None` takes it out.
    pub entry: Option<Entry>,
}

/// Looks on while long work is done, from several threads.
pub trait Watch: Sync {
    /// Whether the work is to be broken off. Nothing is left of it then.
    fn stops(&self) -> bool {
        false
    }
    /// So many parts of the books are read.
    fn read(&self, _done: u64, _of: u64) {}
    /// So many positions are written; how many there are at most is known where they were sorted before.
    fn written(&self, _done: u64, _of: Option<u64>) {}
}

/// Nobody looks on.
impl Watch for () {}

/// What could not be taken along.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    /// How many positions, moves and pieces of the file.
    pub number: u64,
    /// The first of them, with their places.
    examples: Vec<(u64, String)>,
}

impl Losses {
    const EXAMPLES: usize = 5;

    /// Sentences on the first of them, in the order of the files.
    pub fn examples(&self) -> impl Iterator<Item = &str> {
        self.examples.iter().map(|(_, what)| what.as_str())
    }

    fn append(&mut self, other: Losses) {
        self.number += other.number;
        other.examples.into_iter().for_each(|(ordinal, what)| self.add(ordinal, 0, || what));
    }

    pub(super) fn add(&mut self, ordinal: u64, number: u64, what: impl FnOnce() -> String) {
        self.number += number;
        let place = self.examples.partition_point(|&(other, _)| other <= ordinal);
        if place < Losses::EXAMPLES {
            self.examples.insert(place, (ordinal, what()));
            self.examples.truncate(Losses::EXAMPLES);
        }
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Figures of the new book.
    pub written: Written,
    /// Positions that were read.
    pub read: u64,
    /// Positions that stay by the rules; a format that can't hold them has fewer.
    pub kept: u64,
    /// Positions that were there already, and were joined to the first or left out for it.
    pub repeated: u64,
    /// Counts that would have grown too large and stay at the largest number.
    pub saturated: u64,
    /// What could not be read, or is in no book's power to hold.
    pub losses: Losses,
}

/// Writes what books know into a new one. Of figures that can't be added up the last book's stay.
///
/// # Errors
/// [`JosekiError::Write`] where target or temporary files can't be written, [`JosekiError::ReadOnly`] where the format
/// can't be, [`JosekiError::Lossy`] by [`Rules::whole`], [`JosekiError::Empty`] by [`Rules::nonempty`],
/// [`JosekiError::Stopped`] by the one who watches. What stood at `target` is still there then.
pub fn copy(
    books: Vec<Joseki>,
    target: &Path,
    format: Format,
    options: &WriteOptions,
    rules: &Rules,
    watch: &dyn Watch,
) -> Result<Copied, JosekiError> {
    let mut sorts: Vec<bool> = books.iter().map(|book| book.format() != format).collect();
    let (output, mut copied) = loop {
        let output = create(target, format, options)?;
        match attempt(&books, &sorts, output, target, rules, watch) {
            Ok(done) => break done,
            // Nothing is won yet in most cases: a book in another order shows it within a few positions.
            Err(Trouble::Unsorted(book)) => sorts[book] = true,
            Err(trouble) => return Err(failure(trouble, target)),
        }
    };
    if rules.whole && copied.losses.number > 0 {
        let what = copied.losses.examples().next().unwrap_or_default().to_owned();
        return Err(JosekiError::Lossy { path: target.to_owned(), number: copied.losses.number, what });
    }
    if rules.nonempty && copied.kept == 0 {
        let (read, lost) = (copied.read, copied.losses.examples().next().map(str::to_owned));
        return Err(JosekiError::Empty { path: target.to_owned(), read, lost });
    }
    // Where a file is mapped, Windows does not let another take its place.
    drop(books);
    copied.written = output.finish()?;
    Ok(copied)
}

/// Says early whether a book can be written there.
///
/// # Errors
/// As [`copy`] on its way to the first position.
pub fn check_target(target: &Path, format: Format) -> Result<(), JosekiError> {
    create(target, format, &WriteOptions::default()).map(drop)
}

/// What a book of this format holds of a position that is written into it, and sentences on what it can't hold.
///
/// # Errors
/// As [`copy`]; the book is written into the system's folder for temporary files.
pub fn held(
    packed: &PackedKyokumen,
    entry: &Entry,
    format: Format,
    options: &WriteOptions,
) -> Result<(Option<Entry>, Vec<String>), JosekiError> {
    let folder = tempfile::tempdir().map_err(JosekiError::write(&std::env::temp_dir()))?;
    let path = folder.path().join(format!("book.{}", format.name()));
    let mut output = create(&path, format, options)?;
    let mut entry = entry.clone();
    thin_out(packed, &mut entry);
    output.push(packed, &entry)?;
    let written = output.finish()?;
    let book = Joseki::open(&path)?;
    Ok((packed.unpack().and_then(|kyokumen| book.lookup(&kyokumen)), written.left_out))
}

pub(super) fn create(target: &Path, format: Format, options: &WriteOptions) -> Result<Box<dyn Output>, JosekiError> {
    let read_only = || JosekiError::ReadOnly { path: target.to_owned(), format: format.name() };
    format.create(target, options).ok_or_else(read_only)?
}

/// What is said of trouble on the way to a file, or beside it.
pub(super) fn failure(trouble: Trouble, target: &Path) -> JosekiError {
    match trouble {
        Trouble::Target(error) => error,
        Trouble::Io(source) => JosekiError::Write { path: target.to_owned(), source },
        Trouble::Stopped | Trouble::Unsorted(_) => JosekiError::Stopped,
    }
}

/// Sorts the books that need it, and writes all of them.
fn attempt(
    books: &[Joseki],
    sorts: &[bool],
    mut output: Box<dyn Output>,
    target: &Path,
    rules: &Rules,
    watch: &dyn Watch,
) -> Result<(Box<dyn Output>, Copied), Trouble> {
    let reading = Reading::new(rules.change.as_ref().map(|change| change.packed), watch);
    let unsorted: Vec<_> = books.iter().enumerate().filter(|&(input, _)| sorts[input]).collect();
    let mut runs = Vec::new();
    if !unsorted.is_empty() {
        let keyer = |packed: &PackedKyokumen, key: &mut Vec<u8>| output.sort_key(packed, key);
        let sorted = reading.sort(&unsorted, &keyer, rules.memory, folder_of(target))?;
        runs.extend(sorted.into_iter().map(Run::Sorted));
    }
    if let Some(Change { packed, entry: Some(entry) }) = &rules.change {
        let keyer = |packed: &PackedKyokumen, key: &mut Vec<u8>| output.sort_key(packed, key);
        runs.push(Run::Sorted(Cursor::of_one(&keyer, packed, 0, entry)));
    }
    let expected = (unsorted.len() == books.len()).then(|| reading.positions());
    let mut copied = thread::scope(|scope| {
        let in_order: Vec<_> = books.iter().enumerate().filter(|&(input, _)| !sorts[input]).collect();
        runs.extend(in_order.iter().map(|&book| Run::Book(reading.stream(scope, book, in_order.len()))));
        write(runs, &mut *output, rules, &|done| {
            watch.written(done, expected);
            reading.check()
        })
    })?;
    reading.check()?;
    copied.read = reading.positions();
    copied.losses.append(reading.losses());
    Ok((output, copied))
}

/// Merges runs into the output. Figures of the reading are still missing in what it returns, and those of the file.
fn write(
    runs: Vec<Run>,
    output: &mut dyn Output,
    rules: &Rules,
    tell: &dyn Fn(u64) -> Result<(), Trouble>,
) -> Result<Copied, Trouble> {
    let (mut done, mut kept, mut crowd) = (0, 0, 0);
    let mut position = Position::default();
    let mut merge = {
        let keyer = |packed: &PackedKyokumen, key: &mut Vec<u8>| output.sort_key(packed, key);
        Merge::new(runs, rules.first_wins, rules.memory / 4, &keyer)?
    };
    loop {
        let keyer = |packed: &PackedKyokumen, key: &mut Vec<u8>| output.sort_key(packed, key);
        if !merge.next(&keyer, &mut position)? {
            break;
        }
        crowd += thin_out(&position.packed, &mut position.entry);
        if let Some(values) = &rules.values {
            values.apply(&position.packed, &mut position.entry);
        }
        if rules.keep.prune(&position.packed, &mut position.entry) {
            output.push_keyed(&position.key, &position.packed, &position.entry).map_err(Trouble::Target)?;
            kept += 1;
        }
        done += 1;
        if done % 1024 == 0 {
            tell(done)?;
        }
    }
    let mut losses = Losses::default();
    if crowd > 0 {
        losses.add(u64::MAX, crowd, || "illegal moves where there were more than any position has".to_owned());
    }
    let Merge { repeated, saturated, .. } = merge;
    Ok(Copied { written: Written::default(), read: 0, kept, repeated, saturated, losses })
}

/// Positions on their way, each handed to a closure that may fail.
pub(super) type Each<'a> = &'a mut dyn FnMut(PackedKyokumen, Entry) -> Result<(), Trouble>;

/// Sorts positions that `each` hands on, each once, in the order of an output, and writes them there.
pub(super) fn write_sorted(
    each: impl FnOnce(Each<'_>) -> Result<(), Trouble>,
    output: &mut dyn Output,
    target: &Path,
) -> Result<(), JosekiError> {
    let gather = || -> Result<Vec<Run>, Trouble> {
        let keyer = |packed: &PackedKyokumen, key: &mut Vec<u8>| output.sort_key(packed, key);
        let mut sorter = Sorter::new(MEMORY, folder_of(target));
        each(&mut |packed, entry| sorter.push(&keyer, &packed, 0, &entry).map(drop).map_err(Trouble::Io))?;
        Ok(sorter.finish().into_iter().map(Run::Sorted).collect())
    };
    let written = gather().and_then(|runs| write(runs, output, &Rules::default(), &|_| Ok(())));
    written.map(drop).map_err(|trouble| failure(trouble, target))
}
