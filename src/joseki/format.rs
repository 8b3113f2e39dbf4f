//! The formats, recognised by content first and by extension second.

use std::path::Path;

use super::book::{Book, Output};
use super::bytes::Bytes;
use super::{JosekiError, WriteOptions, db, own};

/// A format of books.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// The own format, `.joseki`.
    Own,
    /// YaneuraOu's text format, `.db`.
    Db,
}

impl Format {
    /// The name of the format, as its files end.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Own => "joseki",
            Format::Db => "db",
        }
    }

    /// The format that a file to be written gets by its extension; `None` for unknown ones.
    pub fn of_extension(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match extension.as_str() {
            "joseki" => Format::Own,
            "db" => Format::Db,
            _ => return None,
        })
    }

    /// The extensions of all formats, as a sentence names them.
    pub const EXTENSIONS: &str = ".joseki, .db";

    /// The format of a file by its content; where that says nothing, by its extension.
    pub(super) fn recognise(bytes: &[u8], path: &Path) -> Option<Format> {
        if bytes.starts_with(own::MAGIC) {
            return Some(Format::Own);
        }
        if db::recognises(bytes) || bytes.is_empty() && Format::of_extension(path) == Some(Format::Db) {
            return Some(Format::Db);
        }
        None
    }

    /// Opens a book; the error is a sentence on what is wrong with it.
    pub(super) fn open(self, bytes: Bytes) -> Result<Box<dyn Book>, String> {
        Ok(match self {
            Format::Own => Box::new(own::Book::open(bytes)?),
            Format::Db => Box::new(db::Book::open(bytes)),
        })
    }

    /// Starts a book of this format; `None` where it can be read only.
    #[cfg_attr(not(feature = "workshop"), allow(dead_code))]
    pub(super) fn create(self, target: &Path, options: &WriteOptions) -> Option<Result<Box<dyn Output>, JosekiError>> {
        match self {
            Format::Own => Some(own::Writer::create(target, &options.provenance).map(|writer| Box::new(writer) as _)),
            Format::Db => None,
        }
    }
}
