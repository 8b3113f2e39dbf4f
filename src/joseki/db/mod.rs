//! YaneuraOu's text format, `.db` ("DB2016").
//!
//! A `sfen` line, then a line a move: `move ponder value depth count`, of which all but the move may be missing. What
//! users' files hold in fact is read all the same: a byte order mark, CR LF, blank lines, no header or an unknown one,
//! runs of blanks and tabs, comments, moves `none` and `resign`, hands in any order, a missing ply or one of 0,
//! positions in any order and several times, a last line without an end. Positions are the same whatever their ply.
//!
//! Opening makes an index of hashes over the normalised text of the positions, 16 bytes each.

mod line;

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hasher};

use memchr::memchr;

use super::bytes::Bytes;
use super::records::first_descent;
use super::{Entry, JosekiTe, REPEATED, Record, SATURATED, Stored, book};
use crate::kyokumen::Kyokumen;

use line::Line;

/// The header that every writer is expected to put first.
const HEADER: &[u8] = b"#YANEURAOU-DB2016 1.00";
const BOM: &[u8] = b"\xef\xbb\xbf";

/// An open book in this format.
#[derive(Debug)]
pub(super) struct Book {
    bytes: Bytes,
    /// Hash of the normalised position and offset of its line, sorted.
    index: Vec<(u64, u64)>,
    /// How many positions are none.
    unreadable: usize,
}

/// A position with its moves as they stand in the file.
struct Block<'a> {
    /// Number of the `sfen` line, from 1.
    line: u64,
    /// The text of the `sfen` line without that word; empty where it is not even text.
    sfen: &'a str,
    entry: Entry,
    /// Lines that are no move, as `line N: ...`.
    faults: Vec<String>,
}

/// Whether the content is of this format: the first line that is no comment is a position.
pub(super) fn recognises(bytes: &[u8]) -> bool {
    let mut lines = lines_from(bytes, 0).map(|(_, line)| line);
    let first = lines.find(|line| !matches!(Line::read(line), Line::Blank));
    match first.map(|line| (Line::read(line), line)) {
        None => false,
        Some((Line::Comment(_), line)) if line.starts_with(b"#YANEURAOU-DB") => true,
        Some((Line::Comment(_), line)) if line.starts_with(b"#YANEURAOU-") => false,
        Some((Line::Comment(_), _)) => {
            // A comment says little; the next line that is none decides, if it comes soon.
            let next = lines.take(1000).find(|line| !matches!(Line::read(line), Line::Blank | Line::Comment(_)));
            next.is_some_and(|line| matches!(Line::read(line), Line::Position))
        }
        Some((line, _)) => matches!(line, Line::Position),
    }
}

impl Book {
    pub(super) fn open(bytes: Bytes) -> Book {
        let mut book = Book { index: Vec::new(), unreadable: 0, bytes };
        let mut index = Vec::new();
        for (offset, line) in lines_from(&book.bytes, 0) {
            let Some(sfen) = line::position(line) else { continue };
            match line::normalised(sfen) {
                Some(position) => index.push((hash(&position), offset as u64)),
                None => book.unreadable += 1,
            }
        }
        index.sort_unstable();
        book.index = index;
        book
    }

    /// All positions in the order of the file, not merged.
    fn stored(&self) -> impl Iterator<Item = Block<'_>> {
        self.positions().map(|(line, offset, sfen)| {
            let mut entry = Entry::default();
            add_tesu(&mut entry, sfen);
            let mut faults = Vec::new();
            let lines = lines_from(&self.bytes, offset).skip(1);
            add_moves(&mut entry, lines, &mut |nth, what| faults.push(format!("line {}: {what}", line + nth)));
            Block { line, sfen: std::str::from_utf8(sfen).unwrap_or_default(), entry, faults }
        })
    }

    /// The texts of the positions with their line numbers, in the order of the file.
    fn sfens(&self) -> impl Iterator<Item = (u64, &[u8])> {
        self.positions().map(|(line, _, sfen)| (line, sfen.trim_ascii()))
    }

    /// Line number, offset and text of each position.
    fn positions(&self) -> impl Iterator<Item = (u64, usize, &[u8])> {
        let numbered = (1..).zip(lines_from(&self.bytes, 0));
        numbered.filter_map(|(number, (offset, line))| Some((number, offset, line::position(line)?)))
    }
}

impl book::Book for Book {
    fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        let first = lines_from(&self.bytes, 0).next().map_or(&b""[..], |(_, line)| line);
        if first.starts_with(b"#YANEURAOU-DB") && first != HEADER {
            let header = first[..first.len().min(60)].escape_ascii();
            warnings.push(format!("header {header} is unknown, read as {}", HEADER.escape_ascii()));
        }
        if self.unreadable > 0 {
            warnings.push(format!("{} of its positions can't be read", self.unreadable));
        }
        warnings
    }

    /// All that the file says about the position, in all its places.
    fn lookup(&self, kyokumen: &Kyokumen) -> Option<Entry> {
        let position = kyokumen.to_sfen_without_ply();
        let hash = hash(position.as_bytes());
        let first = self.index.partition_point(|&(other, _)| other < hash);
        let mut found: Option<Entry> = None;
        for &(_, offset) in self.index[first..].iter().take_while(|&&(other, _)| other == hash) {
            let mut lines = lines_from(&self.bytes, offset as usize);
            let Some(sfen) = lines.next().and_then(|(_, line)| line::position(line)) else { continue };
            if line::normalised(sfen).as_deref() == Some(position.as_bytes()) {
                let entry = found.get_or_insert_default();
                add_tesu(entry, sfen);
                add_moves(entry, lines, &mut |_, _| {});
            }
        }
        found
    }

    fn records(&self) -> Box<dyn Iterator<Item = Record> + '_> {
        Box::new(self.stored().map(|stored| Record {
            place: format!("line {}", stored.line),
            kyokumen: Kyokumen::from_sfen(stored.sfen).ok(),
            entry: stored.entry,
            faults: stored.faults,
        }))
    }

    fn first_out_of_order(&self) -> Option<String> {
        first_descent(self.sfens()).map(|line| format!("line {line}"))
    }

    fn parts(&self, _parts: usize) -> Vec<Box<dyn Iterator<Item = Stored> + Send + '_>> {
        let records = self.stored().map(|stored| {
            let packed = Kyokumen::from_sfen(stored.sfen).ok().and_then(|kyokumen| kyokumen.pack());
            match packed {
                Some(packed) => Stored::Position(packed, stored.entry),
                None => Stored::Lost(format!("line {}: no position that a book can hold", stored.line)),
            }
        });
        vec![Box::new(records)]
    }
}

fn hash(position: &[u8]) -> u64 {
    // Never stored, so it may change with the standard library.
    let mut hasher = DefaultHasher::new();
    hasher.write(position);
    hasher.finish()
}

/// The lines from this offset on with their offsets, without line ends and byte order mark.
fn lines_from(bytes: &[u8], offset: usize) -> impl Iterator<Item = (usize, &[u8])> {
    let start = if offset == 0 && bytes.starts_with(BOM) { BOM.len() } else { offset };
    let mut next = start;
    std::iter::from_fn(move || {
        let rest = bytes.get(next..).filter(|rest| !rest.is_empty())?;
        let offset = next;
        let length = memchr(b'\n', rest).unwrap_or(rest.len());
        next += length + 1;
        Some((offset, rest[..length].strip_suffix(b"\r").unwrap_or(&rest[..length])))
    })
}

/// Takes over the ply of a position's line, if it has one and it is the smallest so far.
fn add_tesu(entry: &mut Entry, sfen: &[u8]) {
    let tesu = line::tesu(sfen);
    entry.tesu = match (entry.tesu, tesu) {
        (Some(old), Some(new)) => Some(old.min(new)),
        (old, new) => old.or(new),
    };
}

/// Takes over the lines behind a position's line, up to the next position. `fault` hears of lines that are no move, or
/// repeat one, with their number from 1 on.
fn add_moves<'a>(
    entry: &mut Entry,
    lines: impl Iterator<Item = (usize, &'a [u8])>,
    fault: &mut dyn FnMut(u64, &'static str),
) {
    // Index of the move to which a comment belongs; before the first it belongs to the position.
    let mut current = None;
    for (nth, (_, line)) in (1..).zip(lines) {
        match Line::read(line) {
            Line::Position => break,
            Line::Blank => {}
            Line::Comment(text) => match current {
                Some(index) => add_comment(entry.moves.get_mut(index).map(|te: &mut JosekiTe| &mut te.comment), text),
                None => add_comment(Some(&mut entry.comment), text),
            },
            Line::Move(te) => match entry.moves.iter_mut().position(|old| old.te == te.te) {
                Some(index) => {
                    fault(nth, REPEATED);
                    if !entry.moves[index].merge(te) {
                        fault(nth, SATURATED);
                    }
                    current = Some(index);
                }
                None => {
                    entry.moves.push(te);
                    current = Some(entry.moves.len() - 1);
                }
            },
            Line::NoMove => {}
            Line::Junk => fault(nth, "this is no move"),
        }
    }
}

fn add_comment(place: Option<&mut Option<String>>, text: Cow<'_, str>) {
    match place {
        Some(Some(comment)) => {
            comment.push('\n');
            comment.push_str(&text);
        }
        Some(place) => *place = Some(text.into_owned()),
        None => {}
    }
}
