//! Writing `.ybb`: records and moves go to temporary files, for only the end tells whether the moves have depths, and
//! with that how long they are.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::{DEPTHS, MAGIC, RECORD, UNKNOWN};
use crate::atomic::Replacement;
use crate::joseki::left_out::{Kind, LeftOut};
use crate::joseki::{Entry, JosekiError, JosekiTe, Written};
use crate::kyokumen::PackedKyokumen;

/// Writes a `.ybb`, position by position in the order of their bytes.
pub struct Writer {
    target: PathBuf,
    file: Replacement,
    /// The records, with the number of moves before them as the offset.
    records: BufWriter<File>,
    /// The moves, with depths.
    moves: BufWriter<File>,
    last: Option<PackedKyokumen>,
    written: Written,
    /// How many moves have a known depth, and how many have not.
    depths: [u64; 2],
    left_out: LeftOut,
}

impl Writer {
    /// Starts a book. The format has no place for the provenance, which is counted as left out.
    ///
    /// # Errors
    /// [`JosekiError::Write`] where no file can be made in the folder of `target`, or `target` is no plain file.
    pub fn create(target: &Path, provenance: &str) -> Result<Writer, JosekiError> {
        let start = || {
            let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let mut left_out = LeftOut::default();
            left_out.add_if(Kind::Provenances, !provenance.is_empty());
            let temporary = || tempfile::tempfile_in(folder).map(BufWriter::new);
            Ok(Writer {
                target: target.to_owned(),
                file: Replacement::begin(target)?,
                records: temporary()?,
                moves: temporary()?,
                last: None,
                written: Written::default(),
                depths: [0; 2],
                left_out,
            })
        };
        start().map_err(JosekiError::write(target))
    }

    /// Adds a position. What the format can't hold is left out and counted: all but the moves, their values and depths,
    /// and the ply.
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
    pub fn finish(self) -> Result<Written, JosekiError> {
        let path = self.target.clone();
        self.complete().map_err(JosekiError::write(&path))
    }

    fn add(&mut self, packed: &PackedKyokumen, entry: &Entry) -> io::Result<()> {
        if self.last.is_some_and(|last| last >= *packed) {
            return Err(io::Error::other("positions are not in the order of their bytes"));
        }
        self.last = Some(*packed);
        self.left_out.add_remarks(entry);
        let number = u16::try_from(entry.moves.len()).unwrap_or(u16::MAX);
        self.left_out.add_some(Kind::Moves, (entry.moves.len() - usize::from(number)) as u64);
        let tesu = u16::try_from(entry.tesu.unwrap_or(0)).unwrap_or_else(|_| {
            self.left_out.add(Kind::Plies);
            0
        });
        self.records.write_all(&packed.0)?;
        self.records.write_all(&self.written.moves.to_le_bytes())?;
        self.records.write_all(&tesu.to_le_bytes())?;
        self.records.write_all(&number.to_le_bytes())?;
        for te in entry.moves.iter().take(number.into()) {
            let te = self.bytes_of(te);
            self.moves.write_all(&te)?;
        }
        self.written.positions += 1;
        self.written.moves += u64::from(number);
        Ok(())
    }

    fn bytes_of(&mut self, te: &JosekiTe) -> [u8; 6] {
        self.left_out.add_figures(te);
        self.left_out.add_if(Kind::Counts, te.count.is_some());
        let value = match te.known_value() {
            // The lowest value would be taken for an unknown one.
            Some(value) => {
                let clamped = value.clamp((UNKNOWN + 1).into(), i16::MAX.into());
                self.left_out.add_if(Kind::ClampedValues, clamped != value);
                clamped as i16
            }
            None => UNKNOWN,
        };
        self.depths[usize::from(te.depth.is_none())] += 1;
        let depth = u16::try_from(te.depth.unwrap_or(0)).unwrap_or_else(|_| {
            self.left_out.add(Kind::ClampedDepths);
            u16::MAX
        });
        let ([a, b], [c, d], [e, f]) = (te.te.bits().to_le_bytes(), value.to_le_bytes(), depth.to_le_bytes());
        [a, b, c, d, e, f]
    }

    fn complete(mut self) -> io::Result<Written> {
        let has_depths = self.depths[0] > 0;
        if has_depths {
            self.left_out.add_some(Kind::UnknownDepths, self.depths[1]);
        }
        self.written.left_out = self.left_out.sentences();
        let move_length = if has_depths { 6 } else { 4 };
        let mut file = BufWriter::new(self.file);
        file.write_all(MAGIC)?;
        file.write_all(&self.written.positions.to_le_bytes())?;
        file.write_all(&(if has_depths { DEPTHS } else { 0 }).to_le_bytes())?;
        let mut records = rewind(self.records)?;
        let mut record = [0; RECORD];
        for _ in 0..self.written.positions {
            records.read_exact(&mut record)?;
            let (_, rest) = record.split_at_mut(32);
            if let Some(offset) = rest.first_chunk_mut() {
                *offset = (u64::from_le_bytes(*offset) * move_length as u64).to_le_bytes();
            }
            file.write_all(&record)?;
        }
        let mut moves = rewind(self.moves)?;
        let mut te = [0; 6];
        for _ in 0..self.written.moves {
            moves.read_exact(&mut te)?;
            file.write_all(&te[..move_length])?;
        }
        self.written.bytes = file.stream_position()?;
        file.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?;
        Ok(self.written)
    }
}

#[cfg(feature = "workshop")]
impl crate::joseki::output::Output for Writer {
    fn sort_key(&self, packed: &PackedKyokumen, key: &mut Vec<u8>) {
        key.extend_from_slice(&packed.0);
    }

    fn push(&mut self, packed: &PackedKyokumen, entry: &Entry) -> Result<(), JosekiError> {
        Writer::push(self, packed, entry)
    }

    fn finish(self: Box<Self>) -> Result<Written, JosekiError> {
        Writer::finish(*self)
    }
}

/// The beginning of a temporary file that was written.
fn rewind(file: BufWriter<File>) -> io::Result<BufReader<File>> {
    let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.rewind()?;
    Ok(BufReader::new(file))
}
