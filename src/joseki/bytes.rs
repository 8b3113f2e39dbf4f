//! The bytes of a book: mapped, or part of the program.

use std::fs::File;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

use super::JosekiError;

/// Bytes that stay where they are as long as the book is open.
#[derive(Debug)]
pub(super) enum Bytes {
    Mapped(Mmap),
    Fixed(&'static [u8]),
}

impl Bytes {
    pub(super) fn open(path: &Path) -> Result<Bytes, JosekiError> {
        let error = |source| JosekiError::Read { path: path.to_owned(), source };
        let file = File::open(path).map_err(error)?;
        let metadata = file.metadata().map_err(error)?;
        if !metadata.is_file() {
            return Err(error(std::io::Error::other("it is no file")));
        }
        if metadata.len() == 0 {
            return Ok(Bytes::Fixed(&[]));
        }
        // SAFETY: the bytes are only ever read through `&[u8]`, every value in them is checked before it is used, and
        // nothing is assumed to stay the same between two reads. This program replaces books by renaming, never in
        // place; whoever cuts a book short while it is open ends the process with SIGBUS, as with every mapped file.
        let mapped = unsafe { Mmap::map(&file) }.map_err(error)?;
        Ok(Bytes::Mapped(mapped))
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(mapped) => mapped,
            Bytes::Fixed(bytes) => bytes,
        }
    }
}
