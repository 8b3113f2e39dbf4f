//! Writing a `.db` as most programs can read it: the header, LF, no byte order mark, positions sorted by their bytes,
//! each once, with a ply; moves with all five columns, those played most first. Comments are lines of their own behind
//! what they belong to, as ShogiHome writes them.

use std::cmp::Reverse;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::HEADER;
use crate::atomic::Replacement;
use crate::joseki::left_out::{Kind, LeftOut};
use crate::joseki::{Entry, JosekiError, JosekiTe, Written};
use crate::kyokumen::{PackedKyokumen, sfen};

/// So many bytes are written at once.
const BUFFER: usize = 1 << 18;

/// How a `.db` is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DbOptions {
    /// Unknown figures are written as 0 rather than `none`, for programs that need a number.
    pub plain: bool,
    /// Moves stay in the order that they have, rather than being sorted by count, then by value, the highest first.
    pub keep_order: bool,
}

/// Writes a `.db`, position by position in the order of [`DbWriter::sort_key`].
pub struct DbWriter {
    target: PathBuf,
    options: DbOptions,
    file: Replacement,
    buffer: Vec<u8>,
    /// Text of the position before.
    last: Vec<u8>,
    /// Text of this one.
    text: Vec<u8>,
    written: Written,
    left_out: LeftOut,
}

impl DbWriter {
    /// Starts a book.
    ///
    /// # Errors
    /// [`JosekiError::Write`] where no file can be made in the folder of `target`, or `target` is no plain file.
    pub fn create(target: &Path, options: DbOptions) -> Result<DbWriter, JosekiError> {
        let target = target.to_owned();
        let file = match Replacement::begin(&target) {
            Ok(file) => file,
            Err(source) => return Err(JosekiError::Write { path: target, source }),
        };
        Ok(DbWriter {
            target,
            options,
            file,
            buffer: [HEADER, b"\n"].concat(),
            last: Vec::new(),
            text: Vec::new(),
            written: Written::default(),
            left_out: LeftOut::default(),
        })
    }

    /// Counts a note on where the numbers come from, which the format has no place for.
    #[cfg(feature = "workshop")]
    pub(in crate::joseki) fn leave_out_provenance(&mut self, provenance: &str) {
        self.left_out.add_if(Kind::Provenances, !provenance.is_empty());
    }

    /// What positions must be sorted by: their text without ply, appended to `key`. Nothing for what is no position.
    pub fn sort_key(packed: &PackedKyokumen, key: &mut Vec<u8>) {
        packed.push_sfen(key);
    }

    /// Adds a position. One that can't be unpacked is left out.
    ///
    /// # Errors
    /// [`JosekiError::Write`] where it comes before or repeats the one before it, or the disk is full.
    pub fn push(&mut self, packed: &PackedKyokumen, entry: &Entry) -> Result<(), JosekiError> {
        self.text.clear();
        packed.push_sfen(&mut self.text);
        self.push_text(entry)
    }

    /// Adds the position whose text stands in `text`; an empty one is none.
    fn push_text(&mut self, entry: &Entry) -> Result<(), JosekiError> {
        if self.text.is_empty() {
            self.left_out.add(Kind::Positions);
            return Ok(());
        }
        if self.text <= self.last {
            return Err(self.error(io::Error::other("positions are not in the order of their texts")));
        }
        std::mem::swap(&mut self.text, &mut self.last);
        self.buffer.extend_from_slice(b"sfen ");
        self.buffer.extend_from_slice(&self.last);
        self.buffer.push(b' ');
        let tesu = entry.tesu.filter(|&tesu| tesu > 0);
        self.left_out.add_if(Kind::UnknownPlies, tesu.is_none());
        self.left_out.add_if(Kind::ClampedPlies, tesu.is_some_and(|tesu| tesu > sfen::MAX_PLY));
        push_number(u64::from(tesu.unwrap_or(1).min(sfen::MAX_PLY)), &mut self.buffer);
        self.buffer.push(b'\n');
        self.push_comment(entry.comment.as_deref());
        self.written.positions += 1;
        self.written.moves += entry.moves.len() as u64;
        let key = |te: &JosekiTe| Reverse((self.figure(te.count), self.figure(te.value)));
        if self.options.keep_order || entry.moves.is_sorted_by_key(key) {
            entry.moves.iter().for_each(|te| self.push_te(te));
        } else {
            let mut moves: Vec<&JosekiTe> = entry.moves.iter().collect();
            moves.sort_by_key(|te| key(te));
            moves.into_iter().for_each(|te| self.push_te(te));
            self.left_out.add(Kind::Orders);
        }
        if self.buffer.len() >= BUFFER { self.flush() } else { Ok(()) }
    }

    /// Completes the file and gives it its name.
    ///
    /// # Errors
    /// [`JosekiError::Write`] where the file can't be completed; what stood at the target before is then still there.
    pub fn finish(mut self) -> Result<Written, JosekiError> {
        self.flush()?;
        match self.file.finish() {
            Ok(()) => Ok(Written { left_out: self.left_out.sentences(), ..self.written }),
            Err(source) => Err(JosekiError::Write { path: self.target, source }),
        }
    }

    /// A figure as it is written.
    fn figure<T: Default>(&self, figure: Option<T>) -> Option<T> {
        if self.options.plain { figure.or_else(|| Some(T::default())) } else { figure }
    }

    fn push_te(&mut self, te: &JosekiTe) {
        let numbers = [
            self.figure(te.value).map(|value| (value < 0, u64::from(value.unsigned_abs()))),
            self.figure(te.depth).map(|depth| (false, depth.into())),
            self.figure(te.count).map(|count| (false, count)),
        ];
        let buffer = &mut self.buffer;
        te.te.push_usi(buffer);
        buffer.push(b' ');
        match te.ponder {
            Some(ponder) => ponder.push_usi(buffer),
            None => buffer.extend_from_slice(b"none"),
        }
        for number in numbers {
            match number {
                Some((negative, number)) => {
                    buffer.extend_from_slice(if negative { b" -" } else { b" " });
                    push_number(number, buffer);
                }
                None => buffer.extend_from_slice(b" none"),
            }
        }
        buffer.push(b'\n');
        self.push_comment(te.comment.as_deref());
        self.left_out.add_if(Kind::Results, te.wins.or(te.draws).or(te.losses).is_some());
        self.left_out.add_if(Kind::Ratings, te.rating.or(te.opponent_rating).is_some());
        self.left_out.add_if(Kind::Annotations, te.annotation.is_some());
        if self.options.plain {
            self.left_out.add_if(Kind::UnknownCounts, te.count.is_none());
            self.left_out.add_if(Kind::UnknownValues, te.value.is_none());
            self.left_out.add_if(Kind::UnknownDepths, te.depth.is_none());
        }
    }

    fn push_comment(&mut self, comment: Option<&str>) {
        for line in comment.into_iter().flat_map(|comment| comment.split('\n')) {
            self.left_out.add_if(Kind::LineEnds, line.ends_with('\r'));
            // The first blank is taken for a part of the mark.
            self.buffer.extend_from_slice(if line.starts_with(' ') { b"# " } else { b"#" });
            self.buffer.extend_from_slice(line.as_bytes());
            self.buffer.push(b'\n');
        }
    }

    fn flush(&mut self) -> Result<(), JosekiError> {
        self.file.write_all(&self.buffer).map_err(|source| self.error(source))?;
        self.written.bytes += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    fn error(&self, source: io::Error) -> JosekiError {
        JosekiError::Write { path: self.target.clone(), source }
    }
}

#[cfg(feature = "workshop")]
impl crate::joseki::output::Output for DbWriter {
    fn sort_key(&self, packed: &PackedKyokumen, key: &mut Vec<u8>) {
        DbWriter::sort_key(packed, key);
    }

    fn push(&mut self, packed: &PackedKyokumen, entry: &Entry) -> Result<(), JosekiError> {
        DbWriter::push(self, packed, entry)
    }

    fn push_keyed(&mut self, key: &[u8], _packed: &PackedKyokumen, entry: &Entry) -> Result<(), JosekiError> {
        self.text.clear();
        self.text.extend_from_slice(key);
        self.push_text(entry)
    }

    fn finish(self: Box<Self>) -> Result<Written, JosekiError> {
        DbWriter::finish(*self)
    }
}

fn push_number(mut number: u64, text: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    text.extend_from_slice(&digits[first..]);
}
