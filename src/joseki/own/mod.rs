//! The own format, `.joseki`; docs/joseki-format.md describes it byte by byte.
//!
//! Header, provenance, one block of moves for each position, and an index of packed positions sorted by their main key.
//! Opening reads the header alone. A lookup guesses the place from the key, which is evenly spread, and compares the
//! packed position, so that a hit is always the position that was asked for.

mod block;
mod header;
mod writer;

use crate::kyokumen::{Kyokumen, PackedKyokumen};

use super::bytes::Bytes;
use super::key::KeyScheme;
use super::records::first_descent;
use super::{Entry, REPEATED, Record, Stored, book};

use header::Header;
pub(super) use header::MAGIC;
pub use writer::{Writer, Written};

/// Appends the moves of a position as the format has them.
#[cfg(feature = "workshop")]
pub(super) fn encode(entry: &Entry, out: &mut Vec<u8>) {
    block::write(entry, out);
}

/// Reads what [`encode`] wrote into `entry`, whose memory is used again.
#[cfg(feature = "workshop")]
pub(super) fn decode(bytes: &[u8], entry: &mut Entry) {
    let moves = std::mem::take(&mut entry.moves);
    *entry = block::read_into_moves(bytes, moves).entry;
}

/// Length of an index record: packed position, offset of its block.
const RECORD: usize = 40;

/// An open book in the own format.
#[derive(Debug)]
pub(super) struct Book {
    bytes: Bytes,
    header: Header,
    scheme: KeyScheme,
}

impl Book {
    /// Opens the book; on failure a sentence on what is wrong with it.
    pub(super) fn open(bytes: Bytes) -> Result<Book, String> {
        let header = Header::read(&bytes)?;
        Ok(Book { scheme: KeyScheme::new(header.seed), header, bytes })
    }

    /// The packed position of an index record.
    fn packed(&self, record: usize) -> Option<PackedKyokumen> {
        self.record(record)?.first_chunk().copied().map(PackedKyokumen)
    }

    /// The main key of an index record; records that are not there have none.
    fn key(&self, record: usize) -> Option<u64> {
        Some(self.scheme.key(&self.packed(record)?))
    }

    /// The moves of an index record, as far as they can be read, and what is wrong with them.
    fn entry(&self, record: usize) -> (Entry, Option<&'static str>) {
        match self.block(record) {
            Some(bytes) => {
                let block = block::read(bytes);
                (block.entry, block.fault)
            }
            None => (Entry::default(), Some("its moves lie outside the file")),
        }
    }

    /// A record for copying, then what of it can't be read.
    fn stored(&self, record: usize) -> impl Iterator<Item = Stored> + use<> {
        let lost = |what: &str| Stored::Lost(format!("record {}: {what}", record + 1));
        let (position, fault) = match self.packed(record) {
            Some(packed) => {
                let (entry, fault) = self.entry(record);
                (Some(Stored::Position(packed, entry)), fault.filter(|&fault| fault != REPEATED))
            }
            None => (None, Some("it lies outside the file")),
        };
        position.into_iter().chain(fault.map(lost))
    }

    /// Whether the sums over blocks and index are those of the header.
    fn sums_agree(&self) -> bool {
        header::sum(self.blocks()) == self.header.blocks_sum && header::sum(self.index()) == self.header.index_sum
    }

    fn index(&self) -> &[u8] {
        self.bytes.get(self.header.index..self.header.index + self.header.positions * RECORD).unwrap_or_default()
    }

    fn blocks(&self) -> &[u8] {
        self.bytes.get(self.header.blocks..self.header.blocks + self.header.blocks_length).unwrap_or_default()
    }

    #[inline]
    fn record(&self, record: usize) -> Option<&[u8; RECORD]> {
        self.index().as_chunks::<RECORD>().0.get(record)
    }

    fn block(&self, record: usize) -> Option<&[u8]> {
        let offset = u64::from_le_bytes(*self.record(record)?.last_chunk()?);
        self.blocks().get(usize::try_from(offset).ok()?..)
    }

    /// The index record of a position. The keys are evenly spread, so the key tells about where its record is, and the
    /// distance of the key found there tells the rest, but for the noise; bisection ends it, and takes over where the
    /// keys of a strange book are not evenly spread at all.
    fn find(&self, packed: &PackedKyokumen) -> Option<usize> {
        let count = self.header.positions;
        let key = self.scheme.key(packed);
        // The answer is in low..high: all before have smaller keys, all from high on have keys not smaller.
        let (mut low, mut high) = (0, count);
        let mut guess = scale(key, count);
        for step in 0.. {
            if low >= high {
                break;
            }
            let probe = if step < 4 { guess.clamp(low, high - 1) } else { low + (high - low) / 2 };
            let found = self.packed(probe)?;
            if found == *packed {
                return Some(probe);
            }
            let found = self.scheme.key(&found);
            if found < key {
                low = probe + 1;
                guess = probe.saturating_add(scale(key - found, count)).max(low);
            } else {
                high = probe;
                guess = probe.saturating_sub(scale(found - key, count)).min(high);
            }
        }
        // Positions that share a key stand side by side, of which only the first was found.
        (low..count).take_while(|&record| self.key(record) == Some(key)).find(|&r| self.packed(r) == Some(*packed))
    }
}

impl book::Book for Book {
    fn lookup(&self, kyokumen: &Kyokumen) -> Option<Entry> {
        Some(self.entry(self.find(&kyokumen.pack()?)?).0)
    }

    fn records(&self) -> Box<dyn Iterator<Item = Record> + '_> {
        Box::new((0..self.header.positions).map(|record| {
            let place = format!("record {}", record + 1);
            let (entry, fault) = self.entry(record);
            let faults = fault.map(|fault| format!("{place}: {fault}")).into_iter().collect();
            let kyokumen = self.packed(record).and_then(|packed| packed.unpack());
            Record { place, kyokumen, entry, faults }
        }))
    }

    fn first_out_of_order(&self) -> Option<String> {
        let keys =
            (0..self.header.positions).filter_map(|record| Some((record, (self.key(record)?, self.packed(record)?))));
        first_descent(keys).map(|record| format!("record {}", record + 1))
    }

    fn warnings(&self) -> Vec<String> {
        let surplus = self.header.surplus;
        (surplus > 0).then(|| format!("{surplus} bytes behind the end of the book are ignored")).into_iter().collect()
    }

    fn faults(&self) -> Vec<String> {
        let (mut moves, mut readable) = (0, true);
        for record in 0..self.header.positions {
            let (entry, fault) = self.entry(record);
            moves += entry.moves.len() as u64;
            readable &= fault.is_none();
        }
        let mut faults = Vec::new();
        if readable && moves != self.header.moves {
            faults.push(format!("the header states {} moves, there are {moves}", self.header.moves));
        }
        if !self.sums_agree() {
            faults.push("the content does not agree with the sums in the header".to_owned());
        }
        faults
    }

    fn provenance(&self) -> Option<String> {
        let text = self.bytes.get(header::LENGTH..header::LENGTH + self.header.provenance).unwrap_or_default();
        Some(String::from_utf8_lossy(text).into_owned()).filter(|text| !text.is_empty())
    }

    fn parts(&self, parts: usize) -> Vec<Box<dyn Iterator<Item = Stored> + Send + '_>> {
        let (count, parts) = (self.header.positions, parts.max(1));
        let part = |nth: usize| {
            let records = count * nth / parts..count * (nth + 1) / parts;
            Box::new(records.flat_map(|record| self.stored(record))) as Box<dyn Iterator<Item = Stored> + Send + '_>
        };
        (0..parts).map(part).collect()
    }
}

/// Where in `0..count` a key lies by its size, if keys are evenly spread.
#[inline]
fn scale(key: u64, count: usize) -> usize {
    ((u128::from(key) * count as u128) >> 64) as usize
}
