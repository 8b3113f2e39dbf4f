//! Reading a `.db` from start to end, as a whole or in parts.

use std::collections::VecDeque;

use super::entry::Collector;
use super::line::{self, Line};
use super::lines::Lines;
use crate::joseki::{Entry, REPEATED, Stored};
use crate::kyokumen::PackedKyokumen;

/// So many faults of one position are told one by one.
const TOLD: usize = 1000;

/// Lines that say something before there is a position of which they could say it.
pub(super) fn orphans(bytes: &[u8]) -> Vec<String> {
    let lines = (1u64..).zip(Lines::from(bytes, 0)).map(|(number, (_, line))| (number, Line::read(line)));
    let before = lines.take_while(|(_, line)| !matches!(line, Line::Position));
    let mut orphans = before.filter(|(_, line)| matches!(line, Line::Move(_) | Line::Junk)).map(|(number, _)| number);
    let tell = |number| format!("line {number}: it belongs to no position");
    let mut told: Vec<String> = orphans.by_ref().take(TOLD).map(tell).collect();
    if let Some(number) = orphans.next() {
        told.push(format!("line {number}: {} more faults follow", 1 + orphans.count()));
    }
    told
}

/// A position with its moves as they stand in the file.
pub(super) struct Block<'a> {
    /// Number of the `sfen` line, from 1 for the first line that was looked at.
    pub(super) line: u64,
    /// The text of the `sfen` line without that word.
    pub(super) sfen: &'a [u8],
    pub(super) entry: Entry,
    /// Lines that are no move or repeat one, by number, and what is wrong with them.
    pub(super) faults: Vec<(u64, &'static str)>,
    /// How many more there are that are no move.
    pub(super) untold: u64,
    /// How many more there are that repeat one.
    pub(super) untold_repeated: u64,
}

/// All positions whose lines begin in a range, not merged.
pub(super) struct Blocks<'a> {
    lines: Lines<'a>,
    end: usize,
    /// Lines read so far.
    line: u64,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(lines: Lines<'a>, end: usize) -> Blocks<'a> {
        Blocks { lines, end, line: 0 }
    }
}

impl<'a> Iterator for Blocks<'a> {
    type Item = Block<'a>;

    fn next(&mut self) -> Option<Block<'a>> {
        while self.lines.offset() < self.end {
            let (_, line) = self.lines.next()?;
            self.line += 1;
            let Some(sfen) = line::position(line) else { continue };
            let mut collector = Collector::default();
            collector.add_tesu(sfen);
            let (line, mut faults, mut untold, mut untold_repeated) = (self.line, Vec::new(), 0, 0);
            self.line += collector.add_moves(&mut self.lines, &mut |nth, what| {
                if faults.len() < TOLD {
                    faults.push((line + nth, what));
                } else if what == REPEATED {
                    untold_repeated += 1;
                } else {
                    untold += 1;
                }
            });
            return Some(Block { line, sfen, entry: collector.entry, faults, untold, untold_repeated });
        }
        None
    }
}

impl Block<'_> {
    /// The faults as sentences; `line_before` is the number of the last line that was not looked at.
    pub(super) fn tell_faults(&self, line_before: u64) -> Vec<String> {
        let mut told: Vec<String> =
            self.faults.iter().map(|(line, what)| format!("line {}: {what}", line_before + line)).collect();
        if self.untold_repeated > 0 {
            let (line, more) = (line_before + self.line, self.untold_repeated);
            told.push(format!("line {line}: {more} times more {REPEATED}"));
        }
        if self.untold > 0 {
            told.push(format!("line {}: {} more faults follow", line_before + self.line, self.untold));
        }
        told
    }
}

/// The positions of a part of the file, for copying.
pub(super) struct Part<'a> {
    bytes: &'a [u8],
    begin: usize,
    /// Lines before this part, once somebody asked.
    line_before: Option<u64>,
    blocks: Blocks<'a>,
    /// What was found with the position before, or before the first.
    waiting: VecDeque<Stored>,
}

impl<'a> Part<'a> {
    /// One of so many parts of about equal length.
    pub(super) fn new(bytes: &'a [u8], nth: usize, parts: usize) -> Part<'a> {
        let cut = |nth: usize| (bytes.len() as u128 * nth as u128 / parts as u128) as usize;
        let (begin, end) = (cut(nth), cut(nth + 1));
        let lines = Lines::at_or_after(bytes, begin, end);
        let orphans = if nth == 0 { orphans(bytes) } else { Vec::new() };
        Part {
            bytes,
            begin: lines.offset().min(bytes.len()),
            line_before: None,
            blocks: Blocks::new(lines, end),
            waiting: orphans.into_iter().map(Stored::Lost).collect(),
        }
    }

    fn line_before(&mut self) -> u64 {
        let count = || memchr::memchr_iter(b'\n', &self.bytes[..self.begin]).count() as u64;
        *self.line_before.get_or_insert_with(count)
    }
}

impl Iterator for Part<'_> {
    type Item = Stored;

    fn next(&mut self) -> Option<Stored> {
        if let Some(waiting) = self.waiting.pop_front() {
            return Some(waiting);
        }
        let mut block = self.blocks.next()?;
        let packed = PackedKyokumen::from_sfen(block.sfen);
        // Of a repeated move nothing is lost.
        block.faults.retain(|&(_, what)| what != REPEATED);
        block.untold_repeated = 0;
        if packed.is_some() && block.faults.is_empty() && block.untold == 0 {
            return packed.map(|packed| Stored::Position(packed, block.entry));
        }
        let line_before = self.line_before();
        self.waiting.extend(block.tell_faults(line_before).into_iter().map(Stored::Lost));
        Some(match packed {
            Some(packed) => Stored::Position(packed, block.entry),
            None => Stored::Lost(format!("line {}: no position that a book can hold", line_before + block.line)),
        })
    }
}
