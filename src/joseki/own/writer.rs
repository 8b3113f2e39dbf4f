//! Writing the own format: blocks go straight to a temporary file beside the target, the index to a second one; the
//! header is filled in at the end, and the file takes its name when it is complete.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::atomic::Replacement;

use super::header::{self, Header};
use super::{RECORD, block};
use crate::joseki::key::{KeyScheme, SEED};
use crate::joseki::left_out::{Kind, LeftOut};
use crate::joseki::{Entry, JosekiError, MAX_MOVES, folder_of};
use crate::kyokumen::PackedKyokumen;

/// Writes a book, position by position in the order of [`Writer::sort_key`].
pub struct Writer {
    target: PathBuf,
    provenance: String,
    scheme: KeyScheme,
    blocks: BufWriter<Replacement>,
    index: BufWriter<File>,
    header: Header,
    last: Option<(u64, PackedKyokumen)>,
    buffer: Vec<u8>,
    left_out: LeftOut,
}

/// Figures of a book that was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Positions in the book.
    pub positions: u64,
    /// Moves in the book.
    pub moves: u64,
    /// Length of the file.
    pub bytes: u64,
    /// What the format can't hold and was left out or changed, as sentences such as `12 ponder moves`.
    pub left_out: Vec<String>,
}

impl Writer {
    /// Starts a book. `provenance` says in plain text where its numbers come from; it is cut at 1 MiB.
    ///
    /// # Errors
    /// [`JosekiError::Write`] where no file can be made in the folder of `target`, or `target` is no plain file.
    pub fn create(target: &Path, provenance: &str) -> Result<Writer, JosekiError> {
        let start = || {
            let mut blocks = BufWriter::new(Replacement::begin(target)?);
            let index = BufWriter::new(tempfile::tempfile_in(folder_of(target))?);
            let mut end = provenance.len().min(header::MAX_PROVENANCE);
            while !provenance.is_char_boundary(end) {
                end -= 1;
            }
            let mut left_out = LeftOut::default();
            left_out.add_if(Kind::ProvenanceEnds, end < provenance.len());
            let provenance = provenance[..end].to_owned();
            blocks.write_all(&[0; header::LENGTH])?;
            blocks.write_all(provenance.as_bytes())?;
            let header = Header {
                seed: SEED,
                provenance: provenance.len(),
                blocks: header::LENGTH + provenance.len(),
                blocks_sum: header::sum(b""),
                index_sum: header::sum(b""),
                ..Header::default()
            };
            let scheme = KeyScheme::new(SEED);
            Ok(Writer {
                target: target.to_owned(),
                provenance,
                scheme,
                blocks,
                index,
                header,
                last: None,
                buffer: Vec::new(),
                left_out,
            })
        };
        start().map_err(JosekiError::write(target))
    }

    /// What positions must be sorted by: the main key, then the packed position.
    pub fn sort_key(packed: &PackedKyokumen) -> (u64, PackedKyokumen) {
        (KeyScheme::new(SEED).key(packed), *packed)
    }

    /// Adds a position.
    ///
    /// # Errors
    /// [`JosekiError::Write`] where it comes before or repeats the one before it, has more than 593 moves, or the
    /// disk is full.
    pub fn push(&mut self, packed: &PackedKyokumen, entry: &Entry) -> Result<(), JosekiError> {
        let place = (self.scheme.key(packed), *packed);
        if self.last.is_some_and(|last| last >= place) {
            return Err(self.error(io::Error::other("positions are not in the order of their keys")));
        }
        if entry.moves.len() > MAX_MOVES {
            return Err(self.error(io::Error::other("a position has more moves than any can have")));
        }
        self.last = Some(place);
        self.buffer.clear();
        block::write(entry, &mut self.buffer);
        let mut record = [0; RECORD];
        record[..32].copy_from_slice(&packed.0);
        record[32..].copy_from_slice(&(self.header.blocks_length as u64).to_le_bytes());
        self.header.blocks_length += self.buffer.len();
        self.header.positions += 1;
        self.header.moves += entry.moves.len() as u64;
        self.header.blocks_sum = header::sum_on(self.header.blocks_sum, &self.buffer);
        self.header.index_sum = header::sum_on(self.header.index_sum, &record);
        let written = self.blocks.write_all(&self.buffer).and_then(|()| self.index.write_all(&record));
        written.map_err(|source| self.error(source))
    }

    /// Completes the file and gives it its name.
    ///
    /// # Errors
    /// [`JosekiError::Write`] where the file can't be completed; what stood at the target before is then still there.
    pub fn finish(mut self) -> Result<Written, JosekiError> {
        let path = self.target.clone();
        let complete = move || {
            self.blocks.write_all(&[0; 8][..padding(self.header.blocks + self.header.blocks_length)])?;
            let end = self.header.blocks + self.header.blocks_length;
            self.header.index = end + padding(end);
            self.header.length = self.header.index + self.header.positions * RECORD;
            self.index.seek(SeekFrom::Start(0))?;
            let mut index = self.index.into_inner().map_err(io::IntoInnerError::into_error)?;
            io::copy(&mut index, &mut self.blocks)?;
            self.blocks.seek(SeekFrom::Start(0))?;
            self.blocks.write_all(&self.header.to_bytes(self.provenance.as_bytes()))?;
            let file = self.blocks.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.finish()?;
            let (positions, bytes) = (self.header.positions as u64, self.header.length as u64);
            Ok(Written { positions, moves: self.header.moves, bytes, left_out: self.left_out.sentences() })
        };
        complete().map_err(JosekiError::write(&path))
    }

    fn error(&self, source: io::Error) -> JosekiError {
        JosekiError::Write { path: self.target.clone(), source }
    }
}

#[cfg(feature = "workshop")]
impl crate::joseki::output::Output for Writer {
    fn sort_key(&self, packed: &PackedKyokumen, key: &mut Vec<u8>) {
        key.extend_from_slice(&self.scheme.key(packed).to_be_bytes());
        key.extend_from_slice(&packed.0);
    }

    fn push(&mut self, packed: &PackedKyokumen, entry: &Entry) -> Result<(), JosekiError> {
        Writer::push(self, packed, entry)
    }

    fn finish(self: Box<Self>) -> Result<Written, JosekiError> {
        Writer::finish(*self)
    }
}

/// How many bytes are missing to a multiple of 8.
fn padding(length: usize) -> usize {
    length.wrapping_neg() % 8
}
