//! Where records come from: files, folders and standard input, plain or compressed by gzip.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::read::MultiGzDecoder;
use thiserror::Error;

use super::{Game, LineError, read_line};

/// Text is handed on in pieces of about this many bytes.
const CHUNK: usize = 1 << 20;
/// A longer line is no game, and must not fill the memory.
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
    /// What the system says.
    pub source: io::Error,
}

/// The lines of all files that were named, in the order of the names; a folder stands for the files in it and in its
/// folders, in the order of their names.
pub struct Sources {
    paths: std::vec::IntoIter<PathBuf>,
    current: Option<Reader>,
}

struct Reader {
    path: Arc<Path>,
    input: Box<dyn Read + Send>,
    next_line: u64,
    /// The start of a line whose end has not been read yet.
    rest: Vec<u8>,
    /// What ended the reading; told after the lines before it.
    failure: Option<io::Error>,
}

impl Chunk {
    /// The games with the numbers of their lines; lines without a game are passed over.
    pub fn games(&self) -> impl Iterator<Item = (u64, Result<Game, LineError>)> + '_ {
        let lines = (self.first_line..).zip(self.text.split(|&byte| byte == b'\n'));
        lines.filter_map(|(number, line)| Some((number, read_line(&String::from_utf8_lossy(line)).transpose()?)))
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
                collect(name, &mut paths)?;
            }
        }
        Ok(Sources { paths: paths.into_iter(), current: None })
    }
}

fn collect(path: &Path, paths: &mut Vec<PathBuf>) -> Result<(), SourceError> {
    let error = |source| SourceError { path: path.to_owned(), source };
    let metadata = std::fs::metadata(path).map_err(error)?;
    if metadata.is_file() {
        paths.push(path.to_owned());
        return Ok(());
    }
    let entries: io::Result<Vec<PathBuf>> =
        std::fs::read_dir(path).map_err(error)?.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut entries = entries.map_err(error)?;
    entries.sort();
    for entry in entries {
        // A folder behind a link may hold itself.
        let metadata = std::fs::symlink_metadata(&entry).map_err(error)?;
        if !metadata.is_symlink() || entry.is_file() {
            collect(&entry, paths)?;
        }
    }
    Ok(())
}

impl Iterator for Sources {
    type Item = Result<Chunk, SourceError>;

    fn next(&mut self) -> Option<Result<Chunk, SourceError>> {
        loop {
            let Some(reader) = &mut self.current else {
                let path = self.paths.next()?;
                match Reader::open(&path) {
                    Ok(reader) => self.current = Some(reader),
                    Err(source) => return Some(Err(SourceError { path, source })),
                }
                continue;
            };
            match reader.next_chunk() {
                Ok(Some(chunk)) => return Some(Ok(chunk)),
                Ok(None) => self.current = None,
                Err(source) => {
                    let path = reader.path.to_path_buf();
                    self.current = None;
                    return Some(Err(SourceError { path, source }));
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
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let mut text = std::mem::take(&mut self.rest);
        loop {
            let before = text.len();
            if let Err(failure) = self.input.by_ref().take(CHUNK as u64).read_to_end(&mut text) {
                // The line in which the reading failed is not whole.
                text.truncate(memchr::memrchr(b'\n', &text).map_or(0, |end| end + 1));
                self.failure = Some(failure);
                return Ok(Some(self.chunk(text)));
            }
            let at_end = text.len() - before < CHUNK;
            if let Some(end) = memchr::memrchr(b'\n', &text[before..]).filter(|_| !at_end) {
                self.rest = text.split_off(before + end + 1);
            } else if !at_end {
                if text.len() > LONGEST_LINE {
                    return Err(io::Error::other(format!("line {} has more than 4 MiB", self.next_line)));
                }
                continue;
            }
            if text.is_empty() {
                return Ok(None);
            }
            return Ok(Some(self.chunk(text)));
        }
    }

    fn chunk(&mut self, text: Vec<u8>) -> Chunk {
        let first_line = self.next_line;
        self.next_line += memchr::memchr_iter(b'\n', &text).count() as u64;
        Chunk { path: self.path.clone(), first_line, text }
    }
}
