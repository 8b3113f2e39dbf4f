//! Opening books: which moves are known in a position, with what figures, and which of them to play.
//!
//! [`Joseki`] is one open book over every readable [`Format`], recognised by content. [`Selection`] holds the rules by
//! which a move is chosen; its [`probe`](Selection::probe) answers with a [`Probe`]: the moves known, the one chosen,
//! and why none was. With the feature `workshop`, `build` makes books of game records, `copy` makes books of books,
//! `evaluate` carries values back through a book, and `diff` compares two.
//!
//! Nothing here thinks or prints. Damaged or illegal entries never hide their legal neighbours.

mod apery;
mod book;
#[cfg(feature = "workshop")]
pub mod build;
mod bytes;
#[cfg(feature = "workshop")]
pub mod copy;
mod db;
#[cfg(feature = "workshop")]
pub mod diff;
mod draw;
mod error;
#[cfg(feature = "workshop")]
pub mod evaluate;
mod format;
mod gather;
mod key;
mod left_out;
mod lesserkai;
mod links;
#[cfg(feature = "workshop")]
mod merge;
mod options;
#[cfg(feature = "workshop")]
mod output;
mod own;
mod probe;
mod psb;
mod rated;
mod records;
mod sbk;
mod selection;
mod shelf;
#[cfg(feature = "workshop")]
mod sort;
mod spool;
#[cfg(feature = "workshop")]
mod stream;
mod walk;
mod ybb;
mod zigzag;

use std::path::Path;

use bytes::Bytes;

use crate::kyokumen::{Kyokumen, Te, Tesu};

pub use apery::Writer as AperyWriter;
pub use book::Stored;
pub use db::{DbOptions, DbWriter};
pub use error::JosekiError;
pub use format::Format;
pub use options::{ReadOptions, WriteOptions};
pub use own::{Writer, Written};
pub use probe::{Candidate, Probe};
pub use psb::Writer as PsbWriter;
pub use rated::Rated;
pub use records::{Record, Verdict};
pub use sbk::Writer as SbkWriter;
pub use selection::{Select, Selection};
pub use ybb::Writer as YbbWriter;

/// One open book.
#[derive(Debug)]
pub struct Joseki {
    format: Format,
    book: Box<dyn book::Book>,
    file_name: String,
    warnings: Vec<String>,
    size: u64,
}

/// What a book knows of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The smallest number of the next move with which the position occurred.
    pub tesu: Option<Tesu>,
    /// A remark on the position.
    pub comment: Option<String>,
    /// The moves, in the book's order. They need not be legal.
    pub moves: Vec<JosekiTe>,
}

/// A move of a book with its figures, each of which may be unknown, which is not 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JosekiTe {
    /// The move.
    pub te: Te,
    /// The reply that is expected.
    pub ponder: Option<Te>,
    /// How often the move was played.
    pub count: Option<u64>,
    /// Games that the side that moves won.
    pub wins: Option<u64>,
    /// Drawn games.
    pub draws: Option<u64>,
    /// Games that the side that moves lost.
    pub losses: Option<u64>,
    /// Value in centipawns for the side that moves.
    pub value: Option<i32>,
    /// Depth in plies of the search that gave the value.
    pub depth: Option<u32>,
    /// Mean rating of those who played the move.
    pub rating: Option<u32>,
    /// Mean rating of their opponents.
    pub opponent_rating: Option<u32>,
    /// What [`rating`](JosekiTe::rating) leaves out.
    pub rated: Option<Rated>,
    /// What [`opponent_rating`](JosekiTe::opponent_rating) leaves out.
    pub opponent_rated: Option<Rated>,
    /// A judgement by people.
    pub annotation: Option<Annotation>,
    /// A remark on the move.
    pub comment: Option<String>,
}

/// No position has more legal moves.
pub(crate) const MAX_MOVES: usize = 593;
/// The fault of a move that stands twice in its position.
pub(crate) const REPEATED: &str = "the move is there already";
/// The fault of a count that adds up to more than can be kept.
pub(crate) const SATURATED: &str = "the count is too large and stays at 18446744073709551615";

impl Entry {
    /// Takes in what a second place says of the same position, and says how many sums would have grown too large.
    pub(crate) fn merge(&mut self, other: &mut Entry) -> u64 {
        self.tesu = least(self.tesu, other.tesu);
        self.comment = join(self.comment.take(), other.comment.take());
        let mut saturated = 0;
        for te in other.moves.drain(..) {
            match self.moves.iter_mut().find(|known| known.te == te.te) {
                Some(known) => saturated += u64::from(!known.merge(te)),
                None => self.moves.push(te),
            }
        }
        saturated
    }
}

impl JosekiTe {
    /// A move of which nothing else is known.
    pub fn new(te: Te) -> JosekiTe {
        JosekiTe {
            te,
            ponder: None,
            count: None,
            wins: None,
            draws: None,
            losses: None,
            value: None,
            depth: None,
            rating: None,
            opponent_rating: None,
            rated: None,
            opponent_rated: None,
            annotation: None,
            comment: None,
        }
    }

    /// Takes in the same move from a second place in the position: counts and results add up, so do ratings, weighed by
    /// their numbers, comments are joined, and what else the later one knows replaces the earlier. Says whether the
    /// sums are whole; one that would grow too large stays at the largest.
    pub(crate) fn merge(&mut self, other: JosekiTe) -> bool {
        let counts = [self.count, other.count];
        let ratings = [self.rating, other.rating];
        (self.rating, self.rated) = rated::merged(ratings, [self.rated, other.rated], counts);
        let ratings = [self.opponent_rating, other.opponent_rating];
        let rated = [self.opponent_rated, other.opponent_rated];
        (self.opponent_rating, self.opponent_rated) = rated::merged(ratings, rated, counts);
        let mut whole = true;
        let mut add = |sum: &mut Option<u64>, more: Option<u64>| {
            *sum = match (*sum, more) {
                (Some(a), Some(b)) => {
                    whole &= a.checked_add(b).is_some();
                    Some(a.saturating_add(b))
                }
                (a, b) => a.or(b),
            };
        };
        add(&mut self.count, other.count);
        add(&mut self.wins, other.wins);
        add(&mut self.draws, other.draws);
        add(&mut self.losses, other.losses);
        self.ponder = other.ponder.or(self.ponder);
        if other.value.is_some() {
            (self.value, self.depth) = (other.value, other.depth);
        }
        self.drop_implied();
        self.annotation = other.annotation.or(self.annotation);
        self.comment = join(self.comment.take(), other.comment);
        whole
    }

    /// The count; 0 counts as unknown, for some writers mean nothing else by it.
    pub fn known_count(&self) -> Option<u64> {
        self.count.filter(|&count| count > 0)
    }

    /// The value; -32768 counts as unknown, for some writers mean nothing else by it.
    pub fn known_value(&self) -> Option<i32> {
        self.value.filter(|&value| value != -32_768)
    }

    /// The same move on a board turned by 180 degrees, its figures unchanged.
    pub fn rotated(self) -> JosekiTe {
        JosekiTe { te: self.te.rotated(), ponder: self.ponder.map(Te::rotated), ..self }
    }
}

/// A judgement of a move by people. The numbers are those of the own format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Annotation {
    /// The only move.
    Forced = 1,
    /// A good move.
    Good = 2,
    /// A bad move.
    Bad = 3,
    /// A blunder.
    Blunder = 4,
}

impl Annotation {
    /// All of them.
    pub const ALL: [Annotation; 4] = [Annotation::Forced, Annotation::Good, Annotation::Bad, Annotation::Blunder];

    /// Its name, in small letters.
    pub const fn name(self) -> &'static str {
        match self {
            Annotation::Forced => "forced",
            Annotation::Good => "good",
            Annotation::Bad => "bad",
            Annotation::Blunder => "blunder",
        }
    }

    /// The annotation with this number in the own format; unknown ones are none.
    pub(crate) const fn from_number(number: u64) -> Option<Annotation> {
        Some(match number {
            1 => Annotation::Forced,
            2 => Annotation::Good,
            3 => Annotation::Bad,
            4 => Annotation::Blunder,
            _ => return None,
        })
    }
}

impl Joseki {
    /// Opens a book, whose format is recognised by its content.
    ///
    /// # Errors
    /// [`JosekiError`] where the file can't be read, is in no known format, or is damaged as a whole.
    pub fn open(path: &Path) -> Result<Joseki, JosekiError> {
        Joseki::open_with(path, &ReadOptions::default())
    }

    /// Opens a book with options.
    ///
    /// # Errors
    /// As [`Joseki::open`].
    pub fn open_with(path: &Path, options: &ReadOptions) -> Result<Joseki, JosekiError> {
        let bytes = Bytes::open(path)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let format = Format::recognise(&bytes, path).ok_or_else(|| JosekiError::Unknown { path: path.to_owned() })?;
        let damaged = |what| JosekiError::Damaged { path: path.to_owned(), what };
        let mut joseki = Joseki::from_bytes(format, bytes, &name).map_err(damaged)?;
        joseki.book.add_roots(&options.roots);
        Ok(joseki)
    }

    /// The book that is part of the program.
    ///
    /// # Errors
    /// None in a program that was built and tested properly.
    pub fn standard() -> Result<Joseki, JosekiError> {
        let name = "standard.joseki";
        let bytes = Bytes::Fixed(include_bytes!("../../joseki/standard.joseki"));
        Joseki::from_bytes(Format::Own, bytes, name).map_err(|what| JosekiError::Damaged { path: name.into(), what })
    }

    fn from_bytes(format: Format, bytes: Bytes, name: &str) -> Result<Joseki, String> {
        let size = bytes.len() as u64;
        let book = format.open(bytes)?;
        let warnings = book.warnings();
        let file_name = name.chars().map(|c| if c.is_ascii_graphic() || c == ' ' { c.into() } else { escaped(c) });
        Ok(Joseki { format, book, file_name: file_name.collect(), warnings, size })
    }

    /// The name of the file without its folder, in ASCII: other characters are escaped.
    pub fn file_name(&self) -> &str {
        &self.file_name
    }

    /// What was odd about the file when it was opened, in ASCII sentences.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// What was found odd about the file since it was opened, in ASCII sentences; each is told once. A large `.db` or
    /// `.ybb` is looked at wholly only after it was opened.
    pub fn late_warnings(&self) -> Vec<String> {
        self.book.late_warnings()
    }

    /// Waits until the whole file has been looked at, where that goes on in the background.
    pub fn settle(&self) {
        self.book.settle();
    }

    /// The format of the book.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Length of the file in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Where the book says that its numbers come from.
    pub fn provenance(&self) -> Option<String> {
        self.book.provenance()
    }

    /// Names further positions from which a book that has keys in place of positions, Apery's or a `.psb`, is walked.
    /// Those that it is walked from at any rate are the even start, and in a `.psb` its roots instead, if it names any.
    /// Positions without both kings are passed over.
    pub fn add_roots(&mut self, roots: &[Kyokumen]) {
        self.book.add_roots(roots);
    }

    /// What the book knows of exactly this position, whatever its ply; moves are not checked to be legal.
    pub fn lookup(&self, kyokumen: &Kyokumen) -> Option<Entry> {
        self.book.lookup(kyokumen)
    }
}

/// The smaller of two numbers, each of which may be unknown.
pub(crate) fn least<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    a.into_iter().chain(b).min()
}

/// The folder in which a file is or will be.
pub(crate) fn folder_of(target: &Path) -> &Path {
    target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Two comments as one, the same only once.
pub(crate) fn join(a: Option<String>, b: Option<String>) -> Option<String> {
    match (a, b) {
        (Some(mut a), Some(b)) => {
            if a != b {
                a.push('\n');
                a.push_str(&b);
            }
            Some(a)
        }
        (a, b) => a.or(b),
    }
}

fn escaped(c: char) -> String {
    c.escape_unicode().collect()
}
