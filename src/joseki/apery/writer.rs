//! Writing Apery's format.
//!
//! A position's moves keep their order. Positions that share a key become one, whose counts are those of both. A count
//! that is not known is written as 0, a value too; counts are cut down to 65535.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::bits_of;
use super::key::key;
use crate::atomic::Replacement;
use crate::joseki::gather::Gathered;
use crate::joseki::left_out::{Kind, LeftOut};
use crate::joseki::{Entry, JosekiError, JosekiTe, Written};
use crate::kyokumen::PackedKyokumen;

/// Writes Apery's `.bin`, position by position in the order of [`Writer::sort_key`].
pub struct Writer {
    target: PathBuf,
    file: BufWriter<Replacement>,
    /// The position that came last.
    last: Option<(u64, PackedKyokumen)>,
    /// The moves of its key, which are not written yet.
    moves: Gathered,
    written: Written,
    left_out: LeftOut,
}

impl Writer {
    /// Starts a book. The format has no place for the provenance, which is counted as left out.
    ///
    /// # Errors
    /// [`JosekiError::Write`] where no file can be made in the folder of `target`, or `target` is no plain file.
    pub fn create(target: &Path, provenance: &str) -> Result<Writer, JosekiError> {
        let file = Replacement::begin(target);
        let file = file.map_err(JosekiError::write(target))?;
        let mut left_out = LeftOut::default();
        left_out.add_if(Kind::Provenances, !provenance.is_empty());
        Ok(Writer {
            target: target.to_owned(),
            file: BufWriter::new(file),
            last: None,
            moves: Gathered::default(),
            written: Written::default(),
            left_out,
        })
    }

    /// What positions must be sorted by: the key, then the packed position. What is no position comes last.
    pub fn sort_key(packed: &PackedKyokumen) -> (u64, PackedKyokumen) {
        (packed.unpack().map_or(u64::MAX, |kyokumen| key(&kyokumen)), *packed)
    }

    /// Adds a position. What the format can't hold is left out and counted: all but the moves, their counts and values.
    ///
    /// # Errors
    /// [`JosekiError::Write`] where the position comes before or repeats the one before it, or the disk is full.
    pub fn push(&mut self, packed: &PackedKyokumen, entry: &Entry) -> Result<(), JosekiError> {
        self.add(packed, entry).map_err(JosekiError::write(&self.target))
    }

    /// Completes the file and gives it its name.
    ///
    /// # Errors
    /// [`JosekiError::Write`] where the file can't be completed; what stood at the target before is then still there.
    pub fn finish(mut self) -> Result<Written, JosekiError> {
        let path = self.target.clone();
        let complete = || {
            self.write_moves()?;
            self.written.left_out = self.left_out.sentences();
            self.file.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?;
            Ok(self.written)
        };
        complete().map_err(JosekiError::write(&path))
    }

    fn add(&mut self, packed: &PackedKyokumen, entry: &Entry) -> io::Result<()> {
        let Some(kyokumen) = packed.unpack() else {
            self.left_out.add(Kind::Positions);
            return Ok(());
        };
        let place = (key(&kyokumen), *packed);
        if self.last.is_some_and(|last| last >= place) {
            return Err(io::Error::other("positions are not in the order of their keys"));
        }
        if self.last.is_some_and(|last| last.0 != place.0) {
            self.write_moves()?;
        }
        self.last = Some(place);
        self.left_out.add_remarks(entry);
        self.left_out.add_if(Kind::Plies, entry.tesu.is_some());
        self.left_out.add_if(Kind::EmptyPositions, entry.moves.is_empty());
        self.left_out.add_if(Kind::MergedPositions, !self.moves.moves().is_empty() && !entry.moves.is_empty());
        for te in &entry.moves {
            self.left_out.add_figures(te);
            self.left_out.add_if(Kind::Depths, te.depth.is_some());
            self.moves.add(te.clone());
        }
        Ok(())
    }

    /// Writes the moves of the last key.
    fn write_moves(&mut self) -> io::Result<()> {
        let moves = std::mem::take(&mut self.moves).into_moves();
        let Some((key, _)) = self.last.filter(|_| !moves.is_empty()) else { return Ok(()) };
        count_changes(&moves, &mut self.left_out);
        for te in &moves {
            self.file.write_all(&key.to_le_bytes())?;
            self.file.write_all(&bits_of(te.te).to_le_bytes())?;
            self.file.write_all(&count(te).unwrap_or(u16::MAX).to_le_bytes())?;
            self.file.write_all(&te.value.unwrap_or(0).to_le_bytes())?;
        }
        self.written.positions += 1;
        self.written.moves += moves.len() as u64;
        self.written.bytes += moves.len() as u64 * super::RECORD as u64;
        Ok(())
    }
}

#[cfg(feature = "workshop")]
impl crate::joseki::output::Output for Writer {
    fn sort_key(&self, packed: &PackedKyokumen, sort_key: &mut Vec<u8>) {
        let (key, packed) = Writer::sort_key(packed);
        sort_key.extend_from_slice(&key.to_be_bytes());
        sort_key.extend_from_slice(&packed.0);
    }

    fn push(&mut self, packed: &PackedKyokumen, entry: &Entry) -> Result<(), JosekiError> {
        Writer::push(self, packed, entry)
    }

    fn finish(self: Box<Self>) -> Result<Written, JosekiError> {
        Writer::finish(*self)
    }
}

/// The count as it is written; `None` where it is too large.
fn count(te: &JosekiTe) -> Option<u16> {
    te.count.unwrap_or(0).try_into().ok()
}

/// Counts the figures that are written as others than they are.
fn count_changes(moves: &[JosekiTe], left_out: &mut LeftOut) {
    for te in moves {
        left_out.add_if(Kind::ClampedCounts, count(te).is_none());
        left_out.add_if(Kind::UnknownCounts, te.count.is_none());
        left_out.add_if(Kind::UnknownValues, te.value.is_none());
    }
}
