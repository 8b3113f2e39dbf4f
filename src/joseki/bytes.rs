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
        // Asked before it is opened: opening a pipe waits for somebody to write.
        if !std::fs::metadata(path).map_err(error)?.is_file() {
            return Err(error(std::io::Error::other("it is no plain file")));
        }
        let file = File::open(path).map_err(error)?;
        let metadata = file.metadata().map_err(error)?;
        if metadata.len() == 0 {
            return Ok(Bytes::Fixed(&[]));
        }
        // SAFETY: sound as long as nobody changes the file in place while it is open. This program replaces books by
        // renaming only, and the documentation asks the same of others: as with every mapped file, cutting it short in
        // place ends the process, and rewriting it in place shows through.
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
