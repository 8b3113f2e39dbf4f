//! Text of records, and the games in it.

use std::path::Path;
use std::sync::Arc;

use encoding_rs::{SHIFT_JIS, UTF_8};

use super::encoding;
use crate::kifu::line::line_end;
use crate::kifu::{LineError, Reading, RecordError, RecordFormat, read_line, read_records, recognise};
use crate::text;

/// A longer line is no game, and must not fill the memory: only its start is kept.
pub(super) const LONGEST_LINE: usize = 4 << 20;
/// So much of a text tells its format.
const START: usize = 64 << 10;

/// Whole records of a file.
#[derive(Clone, Debug)]
pub struct Chunk {
    /// The file; `-` for standard input. Of a member of an archive its name stands behind that of the archive.
    pub path: Arc<Path>,
    /// Number of the first line, from 1.
    pub first_line: u64,
    /// The format, where the start of the file told it.
    pub(super) format: Option<RecordFormat>,
    /// The records, or why there are none.
    pub(super) content: Result<Vec<u8>, RecordError>,
}

impl Chunk {
    /// Length of the text in bytes.
    pub fn length(&self) -> u64 {
        self.content.as_ref().map_or(0, |text| text.len() as u64)
    }

    /// Hands on the games, and what is wrong with those that can't be read.
    pub fn read(&self, take: &mut dyn FnMut(Reading)) {
        let fault = |error| Reading { line: self.first_line, game: Err(error) };
        let bytes = match &self.content {
            Ok(bytes) => bytes,
            Err(error) => return take(fault(error.clone())),
        };
        // Lines may come from several files, each in an encoding of its own, so one that is not UTF-8 is no matter of
        // the others.
        match self.format.map_or_else(|| format_of(bytes, &self.path), Ok) {
            Err(error) => take(fault(error)),
            Ok(RecordFormat::Lines) if has_lines_of_their_own(bytes) => self.read_lines(bytes, take),
            Ok(format) => read_records(&encoding::decode(bytes), format, self.first_line).for_each(take),
        }
    }

    fn read_lines(&self, bytes: &[u8], take: &mut dyn FnMut(Reading)) {
        let end = line_end(bytes);
        for (line, bytes) in (self.first_line..).zip(bytes.split(|&byte| byte == end)) {
            let game = if bytes.len() > LONGEST_LINE {
                Some(Err(LineError::TooLong.into()))
            } else {
                read_line(&text::decode(bytes)).map_err(RecordError::from).transpose()
            };
            if let Some(game) = game {
                take(Reading { line, game });
            }
        }
    }
}

/// Whether lines are to be decoded one by one: they are neither all UTF-8, nor in an encoding in which they hang
/// together.
fn has_lines_of_their_own(bytes: &[u8]) -> bool {
    let found = encoding::of(bytes);
    bytes.len() > LONGEST_LINE || found == SHIFT_JIS || found == UTF_8 && std::str::from_utf8(bytes).is_err()
}

/// The format of a record by its content, or by its name where the content tells nothing.
pub(super) fn format_of(bytes: &[u8], name: &Path) -> Result<RecordFormat, RecordError> {
    let start = &bytes[..bytes.len().min(START)];
    recognise(&encoding::of(bytes).decode_with_bom_removal(start).0).or_else(|error| match error {
        RecordError::Unknown => of_extension(name).ok_or(error),
        error => Err(error),
    })
}

fn of_extension(name: &Path) -> Option<RecordFormat> {
    Some(match name.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "csa" => RecordFormat::Csa,
        "kif" | "kifu" => RecordFormat::Kif,
        "ki2" | "ki2u" => RecordFormat::Ki2,
        "jkf" => RecordFormat::Jkf,
        "tsv" | "usi" | "sfen" => RecordFormat::Lines,
        _ => return None,
    })
}
