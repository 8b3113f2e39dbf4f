//! Where records come from: files, folders, archives and standard input.
//!
//! [`Sources`] lists what was named and hands out [`Portion`]s, each a piece of work for one thread: a batch of small
//! files, which that thread opens itself, or a [`Chunk`] of a large one, which is read only once and by one thread at a
//! time. Neither a large file nor a bomb of an archive fills the memory.

mod archive;
mod chunk;
mod document;
mod encoding;
mod listing;
mod open;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

pub use chunk::Chunk;

use document::Document;
use listing::Listed;
use open::{Item, Opened};

/// Files up to this length are opened by the thread that reads their games.
const SMALL: u64 = 256 << 10;
/// So many of them, or so many bytes, are handed out at once.
const BATCH: usize = 64;
const BATCH_BYTES: u64 = 1 << 20;

/// Why a file can't be read, or not to its end.
#[derive(Debug, Error)]
#[error("{path}: {source}", path = path.display())]
pub struct SourceError {
    /// The file or folder; of a member of an archive its name stands behind that of the archive.
    pub path: PathBuf,
    /// Whether somebody named it, and it could not even be opened: then it is a mistake rather than damage.
    pub missing: bool,
    /// What the system says.
    pub source: io::Error,
}

impl SourceError {
    /// The fault in a few words, the same for all of its kind.
    pub const fn kind(&self) -> &'static str {
        "unreadable file"
    }
}

/// All records that were named, in the order of the names.
///
/// A folder stands for the plain files in it and in its folders, in the order of their names, and a `.zip` for its
/// members, likewise. Pipes are read where they are named themselves. What is compressed by gzip, and what is a `.zip`,
/// is known by content.
pub struct Sources {
    files: std::vec::IntoIter<Listed>,
    /// Folders that can't be listed.
    failures: Vec<SourceError>,
    /// Members of a large archive.
    members: std::vec::IntoIter<Item>,
    /// A large file that is being read.
    current: Option<Document>,
}

/// A piece of work: some records.
pub struct Portion(Content);

enum Content {
    Chunk(Chunk),
    Items(Vec<Item>),
    Failure(SourceError),
}

impl Sources {
    /// Finds the files.
    ///
    /// # Errors
    /// [`SourceError`] where a name leads to nothing, or to a folder that can't be listed.
    pub fn new(names: &[PathBuf]) -> Result<Sources, SourceError> {
        let (files, failures) = listing::list(names)?;
        let members = Vec::new().into_iter();
        Ok(Sources { files: files.into_iter(), failures, members, current: None })
    }

    /// Whether a file, which exists, is one of those that are still to be opened.
    ///
    /// # Errors
    /// Where that file can't be looked at.
    pub fn contain(&self, path: &Path) -> io::Result<bool> {
        let (place, length) = (path.canonicalize()?, std::fs::metadata(path)?.len());
        // The same file has the same length, so few of very many have to be followed to their places.
        let mut alike = self.files.as_slice().iter().filter(|file| file.length == length && !file.is_stdin());
        Ok(alike.any(|file| file.path.canonicalize().is_ok_and(|other| other == place)))
    }

    /// The next record, if the test holds for it.
    fn next_item(&mut self, test: impl Fn(u64) -> bool) -> Option<Item> {
        if let Some(member) = self.members.as_slice().first() {
            return if test(member.length) { self.members.next() } else { None };
        }
        let file = self.files.as_slice().first()?;
        if test(file.length) { self.files.next().map(Item::from) } else { None }
    }

    fn next_batch(&mut self) -> Vec<Item> {
        let (mut items, mut bytes) = (Vec::new(), 0);
        while items.len() < BATCH
            && bytes < BATCH_BYTES
            && let Some(item) = self.next_item(|length| length <= SMALL)
        {
            bytes += item.length;
            items.push(item);
        }
        items
    }
}

impl Iterator for Sources {
    type Item = Portion;

    fn next(&mut self) -> Option<Portion> {
        if let Some(failure) = self.failures.pop() {
            return Some(Portion(Content::Failure(failure)));
        }
        loop {
            if let Some(document) = &mut self.current {
                match document.next() {
                    Some(Ok(chunk)) => return Some(Portion(Content::Chunk(chunk))),
                    Some(Err(failure)) => return Some(Portion(Content::Failure(failure))),
                    None => self.current = None,
                }
            }
            let batch = self.next_batch();
            if !batch.is_empty() {
                return Some(Portion(Content::Items(batch)));
            }
            match self.next_item(|_| true)?.open() {
                Ok(Opened::Document(document)) => self.current = Some(document),
                Ok(Opened::Members(members)) => self.members = members.into_iter(),
                Err(failure) => return Some(Portion(Content::Failure(failure))),
            }
        }
    }
}

impl Portion {
    /// Hands on the text of the records, piece by piece, and what can't be read of them.
    pub fn read(self, take: &mut dyn FnMut(Result<Chunk, SourceError>)) {
        match self.0 {
            Content::Chunk(chunk) => take(Ok(chunk)),
            Content::Failure(failure) => take(Err(failure)),
            Content::Items(items) => items.into_iter().for_each(|item| read_item(item, take)),
        }
    }
}

fn read_item(item: Item, take: &mut dyn FnMut(Result<Chunk, SourceError>)) {
    match item.open() {
        Ok(Opened::Document(document)) => document.for_each(take),
        Ok(Opened::Members(members)) => members.into_iter().for_each(|member| read_item(member, take)),
        Err(failure) => take(Err(failure)),
    }
}

/// The name of standard input.
fn stdin_name() -> Arc<Path> {
    Path::new("-").into()
}
