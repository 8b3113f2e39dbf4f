//! What the bytes of a `.ybb` say: its records, and the moves behind them.

use std::borrow::Cow;

use super::{DEPTHS, HEADER, MAGIC, MAX_MOVES, RECORD, UNKNOWN};
use crate::joseki::bytes::Bytes;
use crate::joseki::gather::Gathered;
use crate::joseki::{Entry, JosekiTe};
use crate::kyokumen::Te;

const OUTSIDE: &str = "its moves lie outside the file";

/// The file, of which the header is in order.
#[derive(Debug)]
pub(super) struct Table {
    bytes: Bytes,
    pub(super) positions: usize,
    /// Length of a move, 4 or 6.
    pub(super) move_length: usize,
}

/// A record without the packed position.
#[derive(Clone, Copy)]
struct Position {
    offset: u64,
    tesu: u16,
    moves: u16,
}

impl Table {
    /// Reads the header; on failure a sentence on what is wrong with it.
    pub(super) fn open(bytes: Bytes) -> Result<Table, String> {
        let cut = |what: &str| format!("it is cut short: {} bytes are left, {what}; fetch it again", bytes.len());
        let header: &[u8; HEADER] = bytes.first_chunk().ok_or_else(|| cut("not even a header"))?;
        if header[..16] != *MAGIC {
            let magic = header[..16].escape_ascii();
            return Err(format!("its first bytes, {magic}, are those of no .ybb book that this program knows"));
        }
        let number = |at: usize| header[at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let (positions, flags) = (number(16), number(24));
        if flags & !DEPTHS != 0 {
            return Err(format!("its flags, {flags:#x}, ask for something that this program does not know"));
        }
        let end = positions.checked_mul(RECORD as u64).and_then(|length| length.checked_add(HEADER as u64));
        if end.is_none_or(|end| end > bytes.len() as u64) {
            return Err(cut(&format!("too few for the {positions} positions that it should have")));
        }
        let move_length = if flags & DEPTHS == 0 { 4 } else { 6 };
        Ok(Table { positions: positions as usize, move_length, bytes })
    }

    #[inline]
    fn record(&self, record: usize) -> Option<&[u8; RECORD]> {
        self.bytes.get(HEADER..)?.as_chunks::<RECORD>().0[..self.positions].get(record)
    }

    #[inline]
    pub(super) fn packed(&self, record: usize) -> Option<&[u8; 32]> {
        self.record(record)?.first_chunk()
    }

    fn position(&self, record: usize) -> Option<Position> {
        let (_, rest) = self.record(record)?.split_first_chunk::<32>()?;
        let (offset, rest) = rest.split_first_chunk()?;
        let [a, b, c, d] = *rest.first_chunk()?;
        Some(Position {
            offset: u64::from_le_bytes(*offset),
            tesu: u16::from_le_bytes([a, b]),
            moves: u16::from_le_bytes([c, d]),
        })
    }

    /// What follows on the index.
    pub(super) fn moves(&self) -> &[u8] {
        self.bytes.get(HEADER + self.positions * RECORD..).unwrap_or_default()
    }

    /// Adds what a record says to an entry and to its moves; `fault` hears what can't be read.
    pub(super) fn read(
        &self,
        record: usize,
        entry: &mut Entry,
        moves: &mut Gathered,
        fault: &mut dyn FnMut(Cow<'static, str>),
    ) {
        let Some(position) = self.position(record) else { return };
        if position.tesu > 0 {
            entry.tesu = Some(entry.tesu.map_or(position.tesu.into(), |tesu| tesu.min(position.tesu.into())));
        }
        let number = usize::from(position.moves);
        let rest = usize::try_from(position.offset).ok().and_then(|offset| self.moves().get(offset..));
        let there = rest.unwrap_or_default().chunks_exact(self.move_length).take(number.min(MAX_MOVES));
        let found = there.len();
        for (nth, bytes) in (1..).zip(there) {
            match read_te(bytes) {
                Some(te) => moves.add(te).into_iter().for_each(|what| fault(what.into())),
                None => fault(format!("move {nth} is none").into()),
            }
        }
        if number > MAX_MOVES {
            fault(format!("it states {number} moves, more than any position has").into());
        } else if found < number {
            fault(OUTSIDE.into());
        }
    }

    /// Where the moves of a position begin and end, as its record states it.
    pub(super) fn span(&self, record: usize) -> Option<(u64, u64)> {
        let position = self.position(record)?;
        let length = u64::from(position.moves) * self.move_length as u64;
        Some((position.offset, position.offset.saturating_add(length)))
    }

    /// The same of each position, in their order.
    pub(super) fn spans(&self) -> impl Iterator<Item = (u64, u64)> {
        (0..self.positions).filter_map(|record| self.span(record))
    }
}

fn read_te(bytes: &[u8]) -> Option<JosekiTe> {
    let number = |at: usize| Some(u16::from_le_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]));
    let value = number(2)?.cast_signed();
    Some(JosekiTe {
        value: (value != UNKNOWN).then_some(value.into()),
        depth: number(4).map(u32::from),
        ..JosekiTe::new(Te::from_bits(number(0)?)?)
    })
}
