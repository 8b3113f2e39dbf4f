//! A text that is read piece by piece, cut between its records.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use encoding_rs::{UTF_16BE, UTF_16LE};

use super::chunk::{Chunk, LONGEST_LINE, format_of};
use super::{SourceError, encoding};
use crate::kifu::{RecordError, RecordFormat, csa};

/// Text is handed on in pieces of about this many bytes.
pub(super) const CHUNK: usize = 1 << 20;
/// A longer record of several lines is none.
const LONGEST_RECORD: usize = 16 << 20;

/// Where a text can be cut into records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cutter {
    /// At every line end.
    Lines,
    /// Behind lines of a single slash, and between moves and a head.
    Csa,
}

impl Cutter {
    fn of(format: RecordFormat, bytes: &[u8]) -> Option<Cutter> {
        // There the bytes of a line end may be those of something else.
        if [UTF_16LE, UTF_16BE].contains(&encoding::of(bytes)) {
            return None;
        }
        match format {
            RecordFormat::Lines => Some(Cutter::Lines),
            RecordFormat::Csa => Some(Cutter::Csa),
            RecordFormat::Kif | RecordFormat::Ki2 | RecordFormat::Jkf => None,
        }
    }

    /// The end of the last whole record.
    fn last(self, bytes: &[u8]) -> Option<usize> {
        memchr::memrchr_iter(b'\n', bytes).find(|&end| self.cuts(bytes, end)).map(|end| end + 1)
    }

    /// The end of the first record.
    fn first(self, bytes: &[u8]) -> Option<usize> {
        memchr::memchr_iter(b'\n', bytes).find(|&end| self.cuts(bytes, end)).map(|end| end + 1)
    }

    /// Whether a record ends with this line end.
    fn cuts(self, bytes: &[u8], end: usize) -> bool {
        let line = bytes[..end].strip_suffix(b"\r").unwrap_or(&bytes[..end]);
        match self {
            Cutter::Lines => true,
            Cutter::Csa => line.ends_with(b"\n/") || line == b"/" || is_between_games(line, &bytes[end + 1..]),
        }
    }

    fn longest(self) -> usize {
        match self {
            Cutter::Lines => LONGEST_LINE,
            Cutter::Csa => LONGEST_RECORD,
        }
    }
}

/// Whether a text in CSA's format ends with a game, and another begins behind it.
fn is_between_games(before: &[u8], after: &[u8]) -> bool {
    // Remarks and times belong to what stands before them.
    let is_passed = |line: &&[u8]| line.is_empty() || line[0] == b'T' || line[0] == b'\'' && !csa::is_head(line);
    let mut lines = before.rsplit(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    csa::is_head(after) && lines.find(|line| !is_passed(line)).is_some_and(csa::is_move)
}

/// How far the reading is.
enum State {
    /// Nothing is read yet.
    Start,
    /// Records come one after the other.
    Cut(Cutter),
    /// All is read, but for a failure that is still to be told.
    End(Option<io::Error>),
}

/// A text, perhaps of several records.
pub(super) struct Document {
    name: Arc<Path>,
    input: Box<dyn Read + Send>,
    /// The format, once the start has told it.
    format: Option<RecordFormat>,
    state: State,
    next_line: u64,
    /// What has been read already; it holds the end of no record.
    rest: Vec<u8>,
}

impl Document {
    pub(super) fn new(name: Arc<Path>, input: Box<dyn Read + Send>) -> Document {
        Document { name, input, format: None, state: State::Start, next_line: 1, rest: Vec::new() }
    }

    /// Reads on; says whether there is more, or what went wrong.
    fn fill(&mut self, text: &mut Vec<u8>) -> io::Result<bool> {
        self.input.by_ref().take(CHUNK as u64).read_to_end(text).map(|read| read == CHUNK)
    }

    fn chunk(&mut self, content: Result<Vec<u8>, RecordError>) -> Chunk {
        let first_line = self.next_line;
        if let Ok(text) = &content {
            self.next_line += memchr::memchr_iter(b'\n', text).count() as u64;
        }
        Chunk { path: self.name.clone(), first_line, format: self.format, content }
    }

    fn start(&mut self) -> Option<Chunk> {
        let mut text = Vec::new();
        let more = self.fill(&mut text);
        if let Ok(false) = more {
            // Small, as most are: whoever reads the games finds out the format.
            self.state = State::End(None);
            return (!text.is_empty()).then(|| self.chunk(Ok(text)));
        }
        let format = match format_of(&text, &self.name) {
            Ok(format) => format,
            Err(error) => {
                self.state = State::End(more.err());
                return Some(self.chunk(Err(error)));
            }
        };
        self.format = Some(format);
        if let Some(cutter) = Cutter::of(format, &text) {
            self.state = State::Cut(cutter);
            return self.cut(cutter, text, more);
        }
        self.whole(text, more)
    }

    /// A single record.
    fn whole(&mut self, mut text: Vec<u8>, mut more: io::Result<bool>) -> Option<Chunk> {
        while let Ok(true) = more
            && text.len() <= LONGEST_RECORD
        {
            more = self.fill(&mut text);
        }
        self.state = State::End(None);
        match more {
            // Of a record that is cut short nobody knows the end.
            Err(failure) => {
                self.state = State::End(Some(failure));
                None
            }
            Ok(_) if text.len() > LONGEST_RECORD => Some(self.chunk(Err(RecordError::TooLong(LONGEST_RECORD as u64)))),
            Ok(_) => Some(self.chunk(Ok(text))),
        }
    }

    /// The next records, of which the first have been read.
    fn cut(&mut self, cutter: Cutter, mut text: Vec<u8>, mut more: io::Result<bool>) -> Option<Chunk> {
        loop {
            match more {
                Err(failure) => {
                    // The record in which the reading failed is not whole.
                    text.truncate(cutter.last(&text).unwrap_or(0));
                    self.state = State::End(Some(failure));
                    break;
                }
                Ok(false) => {
                    self.state = State::End(None);
                    break;
                }
                Ok(true) => {}
            }
            if let Some(end) = cutter.last(&text) {
                self.rest = text.split_off(end);
                break;
            }
            if text.len() > cutter.longest() {
                return Some(self.too_long(cutter, text));
            }
            more = self.fill(&mut text);
        }
        (!text.is_empty()).then(|| self.chunk(Ok(text)))
    }

    /// Passes over a record that is longer than any.
    fn too_long(&mut self, cutter: Cutter, start: Vec<u8>) -> Chunk {
        let lines = |bytes: &[u8]| memchr::memchr_iter(b'\n', bytes).count() as u64;
        let mut skipped = lines(&start);
        let mut text = start;
        loop {
            // The sign of an end may lie across the border.
            let border = text.split_off(text.len().saturating_sub(3));
            let known = lines(&border);
            text = border;
            let more = self.fill(&mut text);
            if let Some(end) = cutter.first(&text) {
                self.rest = text.split_off(end);
                skipped += lines(&text) - known;
                if let Err(failure) = more {
                    // As above, the last record is not whole.
                    self.rest.truncate(cutter.last(&self.rest).unwrap_or(0));
                    self.state = State::End(Some(failure));
                }
                break;
            }
            skipped += lines(&text) - known;
            match more {
                Ok(true) => {}
                Ok(false) => self.state = State::End(None),
                Err(failure) => self.state = State::End(Some(failure)),
            }
            if matches!(self.state, State::End(_)) {
                break;
            }
        }
        let error = match cutter {
            Cutter::Lines => crate::kifu::LineError::TooLong.into(),
            Cutter::Csa => RecordError::TooLong(LONGEST_RECORD as u64),
        };
        let chunk = self.chunk(Err(error));
        self.next_line += skipped;
        chunk
    }
}

impl Iterator for Document {
    type Item = Result<Chunk, SourceError>;

    fn next(&mut self) -> Option<Result<Chunk, SourceError>> {
        let chunk = match &mut self.state {
            State::Start => self.start(),
            &mut State::Cut(cutter) => {
                let mut text = std::mem::take(&mut self.rest);
                let more = self.fill(&mut text);
                self.cut(cutter, text, more)
            }
            State::End(_) if !self.rest.is_empty() => {
                let text = std::mem::take(&mut self.rest);
                // Only records that were cut leave a rest.
                Some(self.chunk(Ok(text)))
            }
            State::End(_) => None,
        };
        if let Some(chunk) = chunk {
            return Some(Ok(chunk));
        }
        let State::End(failure) = &mut self.state else { return None };
        let source = failure.take()?;
        Some(Err(SourceError { path: self.name.to_path_buf(), missing: false, source }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kifu::{Reading, read_records};

    #[test]
    fn games_without_separators_are_cut_where_heads_follow_moves() {
        let game = "'CSA encoding=UTF-8\n'remark\nV3.0\nN+a\nPI\n+\n+7776FU\nT1\n-3334FU,T2\n%TORYO\n'summary:x\n\n";
        let short = "N+b\r\n+\r\n+2726FU\r\n";
        let text = format!("{game}{short}").repeat(6 * CHUNK / (game.len() + short.len()));
        let whole: Vec<Reading> = read_records(&text, RecordFormat::Csa, 1).collect();
        let document = Document::new(Path::new("x.csa").into(), Box::new(io::Cursor::new(text.clone().into_bytes())));
        let (mut pieces, mut bytes, mut readings) = (0, 0, Vec::new());
        for chunk in document {
            let chunk = chunk.unwrap();
            (pieces, bytes) = (pieces + 1, bytes + chunk.length() as usize);
            chunk.read(&mut |reading| readings.push(reading));
        }
        assert!(pieces > 4 && bytes == text.len(), "{pieces} {bytes}");
        assert!(readings.len() > 1000 && readings == whole, "{} {}", readings.len(), whole.len());
    }

    #[test]
    fn only_a_head_behind_moves_is_cut_off() {
        let cuts = |before: &str, after: &str| is_between_games(before.as_bytes(), after.as_bytes());
        for before in ["+7776FU", "x\n%TORYO\n'remark\n", "+\n+7776FU,T1\r\nT2\n\n'"] {
            assert!(
                ["V2", "N+a", "P1", "PI", "'CSA encoding=UTF-8"].iter().all(|after| cuts(before, after)),
                "{before}"
            );
            assert!(["", "'x", "+", "-3334FU", "T1", "$X:", "/"].iter().all(|after| !cuts(before, after)), "{before}");
        }
        for before in ["", "V2", "+", "PI\n-", "N+a\n'x", "+7776FU\n'CSA encoding=UTF-8", "%TORYO\n/"] {
            assert!(!cuts(before, "N+a"), "{before}");
        }
    }
}
