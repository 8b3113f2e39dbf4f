//! Where records come from: files, folders and standard input, plain or compressed by gzip.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::read::MultiGzDecoder;
use thiserror::Error;

use super::{Game, LineError, read_line};
use crate::text;

/// Text is handed on in pieces of about this many bytes.
const CHUNK: usize = 1 << 20;
/// A longer line is no game, and must not fill the memory: only its start is kept.
const LONGEST_LINE: usize = 4 << 20;

/// Whole lines of a file.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// The file; `-` for standard input.
    pub path: Arc<Path>,
    /// Number of the first line, from 1.
    pub first_line: u64,
    /// The lines.
    pub text: Vec<u8>,
}

/// Why a file can't be read, or not to its end.
#[derive(Debug, Error)]
#[error("{path}: {source}", path = path.display())]
pub struct SourceError {
    /// The file or folder.
    pub path: PathBuf,
    /// Whether it could be opened, so that only its rest is missing.
    pub opened: bool,
    /// What the system says.
    pub source: io::Error,
}

/// The lines of all files that were named, in the order of the names; a folder stands for the plain files in it and in
/// its folders, in the order of their names. Pipes are read where they are named themselves.
pub struct Sources {
    paths: std::vec::IntoIter<PathBuf>,
    current: Option<Reader>,
}

struct Reader {
    path: Arc<Path>,
    input: Box<dyn Read + Send>,
    next_line: u64,
    /// What has been read already; the end of its last line is not among it.
    rest: Vec<u8>,
    /// What ended the reading; told after the lines before it.
    failure: Option<io::Error>,
}

impl Chunk {
    /// The games with the numbers of their lines; lines without a game are passed over.
    pub fn games(&self) -> impl Iterator<Item = (u64, Result<Game, LineError>)> + '_ {
        let lines = (self.first_line..).zip(self.text.split(|&byte| byte == b'\n'));
        lines.filter_map(|(number, line)| {
            if line.len() > LONGEST_LINE {
                return Some((number, Err(LineError::TooLong)));
            }
            Some((number, read_line(&text::decode(line)).transpose()?))
        })
    }
}

impl Sources {
    /// Finds the files.
    ///
    /// # Errors
    /// [`SourceError`] where a name leads to nothing, or a folder can't be listed.
    pub fn new(names: &[PathBuf]) -> Result<Sources, SourceError> {
        let mut paths = Vec::new();
        for name in names {
            if name.as_os_str() == "-" {
                paths.push(name.clone());
            } else {
                let metadata = std::fs::metadata(name).map_err(|source| unopened(name, source))?;
                if metadata.is_dir() { collect(name, &mut paths)? } else { paths.push(name.clone()) }
            }
        }
        Ok(Sources { paths: paths.into_iter(), current: None })
    }

    /// The files that are still to be opened; `-` for standard input.
    pub fn paths(&self) -> &[PathBuf] {
        self.paths.as_slice()
    }
}

/// Finds the plain files in a folder, also behind links, and in its own folders; one behind a link may hold itself.
fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), SourceError> {
    let listed = std::fs::read_dir(folder).and_then(|entries| entries.collect::<io::Result<Vec<_>>>());
    let mut entries = listed.map_err(|source| unopened(folder, source))?;
    entries.sort_by_key(std::fs::DirEntry::path);
    for entry in entries {
        let path = entry.path();
        if entry.file_type().map_err(|source| unopened(&path, source))?.is_dir() {
            collect(&path, paths)?;
        } else if path.is_file() {
            paths.push(path);
        }
    }
    Ok(())
}

fn unopened(path: &Path, source: io::Error) -> SourceError {
    SourceError { path: path.to_owned(), opened: false, source }
}

impl Iterator for Sources {
    type Item = Result<Chunk, SourceError>;

    fn next(&mut self) -> Option<Result<Chunk, SourceError>> {
        loop {
            let Some(reader) = &mut self.current else {
                let path = self.paths.next()?;
                match Reader::open(&path) {
                    Ok(reader) => self.current = Some(reader),
                    Err(source) => return Some(Err(unopened(&path, source))),
                }
                continue;
            };
            match reader.next_chunk() {
                Ok(Some(chunk)) => return Some(Ok(chunk)),
                Ok(None) => self.current = None,
                Err(source) => {
                    let path = reader.path.to_path_buf();
                    self.current = None;
                    return Some(Err(SourceError { path, opened: true, source }));
                }
            }
        }
    }
}

impl Reader {
    fn open(path: &Path) -> io::Result<Reader> {
        let mut input: Box<dyn Read + Send> =
            if path.as_os_str() == "-" { Box::new(io::stdin()) } else { Box::new(File::open(path)?) };
        let mut start = Vec::new();
        input.by_ref().take(2).read_to_end(&mut start)?;
        let is_gzip = start == [0x1f, 0x8b];
        let whole = BufReader::with_capacity(CHUNK, io::Cursor::new(start).chain(input));
        let input: Box<dyn Read + Send> = if is_gzip { Box::new(MultiGzDecoder::new(whole)) } else { Box::new(whole) };
        Ok(Reader { path: path.into(), input, next_line: 1, rest: Vec::new(), failure: None })
    }

    fn next_chunk(&mut self) -> io::Result<Option<Chunk>> {
        let mut text = std::mem::take(&mut self.rest);
        if self.failure.is_some() && !text.is_empty() {
            return Ok(Some(self.chunk(text)));
        }
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        loop {
            let before = text.len();
            if let Err(failure) = self.input.by_ref().take(CHUNK as u64).read_to_end(&mut text) {
                // The line in which the reading failed is not whole.
                text.truncate(memchr::memrchr(b'\n', &text).map_or(0, |end| end + 1));
                self.failure = Some(failure);
                return Ok(Some(self.chunk(text)));
            }
            let at_end = text.len() - before < CHUNK;
            if !at_end {
                if let Some(end) = memchr::memrchr(b'\n', &text) {
                    self.rest = text.split_off(end + 1);
                } else if text.len() > LONGEST_LINE {
                    self.skip_line();
                    text.push(b'\n');
                } else {
                    continue;
                }
            }
            if text.is_empty() {
                return Ok(None);
            }
            return Ok(Some(self.chunk(text)));
        }
    }

    /// Passes over the rest of a line.
    fn skip_line(&mut self) {
        let mut skipped = Vec::new();
        loop {
            skipped.clear();
            let read = self.input.by_ref().take(CHUNK as u64).read_to_end(&mut skipped);
            if let Some(end) = memchr::memchr(b'\n', &skipped) {
                self.rest = skipped.split_off(end + 1);
            }
            match read {
                Ok(CHUNK) if self.rest.is_empty() && !skipped.ends_with(b"\n") => {}
                Ok(_) => return,
                Err(failure) => {
                    // As above, the last line is not whole.
                    self.rest.truncate(memchr::memrchr(b'\n', &self.rest).map_or(0, |end| end + 1));
                    self.failure = Some(failure);
                    return;
                }
            }
        }
    }

    fn chunk(&mut self, text: Vec<u8>) -> Chunk {
        let first_line = self.next_line;
        self.next_line += memchr::memchr_iter(b'\n', &text).count() as u64;
        Chunk { path: self.path.clone(), first_line, text }
    }
}
