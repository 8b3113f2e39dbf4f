//! What can go wrong with a book.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::Format;
use crate::text::quoted;

/// Why a book can't be opened or written.
#[derive(Debug, Error)]
pub enum JosekiError {
    /// The file can't be read.
    #[error("can't read the book {path}: {source}", path = quoted(.path))]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file can't be written.
    #[error("can't write the book {path}: {source}", path = quoted(.path))]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Books of this format can be read only.
    #[error("can't write {path}: books of the format {format} can only be read", path = quoted(.path))]
    ReadOnly {
        /// The file.
        path: PathBuf,
        /// The format.
        format: &'static str,
    },
    /// Something would be lost that must not be.
    #[error("{path} is left as it is, for {number} of its entries would be lost: {what}", path = quoted(.path))]
    Lossy {
        /// The file.
        path: PathBuf,
        /// How many.
        number: u64,
        /// The first of them.
        what: String,
    },
    /// Nothing would be in it.
    #[error("{path} is not written, for nothing would be in it: of {read} positions read none is left{lost}",
        path = quoted(.path), lost = and_lost(.lost.as_deref()))]
    Empty {
        /// The file.
        path: PathBuf,
        /// How many positions were read.
        read: u64,
        /// The first thing that could not be taken along, if there was one.
        lost: Option<String>,
    },
    /// Whoever watches has broken the work off.
    #[error("broken off; nothing was written")]
    Stopped,
    /// The content is of no known format.
    #[error("{path} is no book: its content is of none of the formats {known}", known = Format::EXTENSIONS, path = quoted(.path))]
    Unknown {
        /// The file.
        path: PathBuf,
    },
    /// The file is in a known format, but damaged, or of a later version.
    #[error("{path} can't be used: {what}", path = quoted(.path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
}

fn and_lost(what: Option<&str>) -> String {
    what.map(|what| format!("; what can't be taken along begins with {what}")).unwrap_or_default()
}

impl JosekiError {
    /// Makes an error of what the system says when a file can't be written.
    pub(super) fn write(path: &Path) -> impl FnOnce(io::Error) -> JosekiError {
        move |source| JosekiError::Write { path: path.to_owned(), source }
    }
}
