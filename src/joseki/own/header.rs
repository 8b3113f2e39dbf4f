//! The header of the own format.

use crate::joseki::key::SCHEME;

/// The first bytes of every book; the last one is a line feed, which a transfer as text would change.
pub(in crate::joseki) const MAGIC: &[u8; 8] = b"\x89JOSEKI\n";
/// The version that is written and read.
const VERSION: u32 = 1;
/// Length of the header; the provenance follows.
pub(super) const LENGTH: usize = 128;
/// A longer provenance is not believed.
pub(super) const MAX_PROVENANCE: usize = 1 << 20;

/// What the header says, checked against the length of the file.
#[derive(Debug, Default)]
pub(in crate::joseki) struct Header {
    pub(in crate::joseki) seed: u64,
    pub(in crate::joseki) positions: usize,
    pub(in crate::joseki) moves: u64,
    pub(super) provenance: usize,
    pub(super) blocks: usize,
    pub(super) blocks_length: usize,
    pub(super) index: usize,
    pub(super) blocks_sum: u64,
    pub(super) index_sum: u64,
    /// Length of the whole file.
    pub(super) length: usize,
    /// Bytes behind the end, which are ignored.
    pub(in crate::joseki) surplus: usize,
}

impl Header {
    /// Reads and checks the header; the error is a sentence.
    pub(super) fn read(bytes: &[u8]) -> Result<Header, String> {
        let cut = || format!("it is cut short: {} bytes are left, not even a header", bytes.len());
        let fields: &[u8; LENGTH] = bytes.first_chunk().ok_or_else(cut)?;
        let number = |at: usize| fields[at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        if fields[..8] != *MAGIC {
            return Err("its first bytes are not those of a .joseki book".into());
        }
        let version = number(8) as u32;
        if version != VERSION {
            return Err(format!("it has version {version} of the format, this program reads version {VERSION}"));
        }
        if number(8) >> 32 != LENGTH as u64 {
            return Err("its header is not as long as that of its version".into());
        }
        let length = number(88);
        if (bytes.len() as u64) < length {
            return Err(format!("it is cut short: {} of {length} bytes are left; fetch it again", bytes.len()));
        }
        let size = |at: usize| usize::try_from(number(at)).unwrap_or(usize::MAX);
        let header = Header {
            seed: number(32),
            positions: size(40),
            moves: number(48),
            provenance: size(56),
            blocks: size(64),
            blocks_length: size(72),
            index: size(80),
            length: size(88),
            blocks_sum: number(96),
            index_sum: number(104),
            surplus: bytes.len() - size(88),
        };
        header.check(fields, bytes)?;
        Ok(header)
    }

    fn check(&self, fields: &[u8; LENGTH], bytes: &[u8]) -> Result<(), String> {
        let damaged = || "its header is damaged; fetch it again".to_owned();
        let provenance = if self.provenance > MAX_PROVENANCE {
            None
        } else {
            bytes.get(LENGTH..).and_then(|rest| rest.get(..self.provenance))
        };
        let stated = fields.last_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let (head, _) = fields.split_at(LENGTH - 8);
        if sum_on(sum(head), provenance.ok_or_else(damaged)?) != stated {
            return Err(damaged());
        }
        if fields[16..32] != *SCHEME {
            return Err(format!(
                "its keys follow the scheme {}, unknown to this program",
                fields[16..32].escape_ascii()
            ));
        }
        let index_end = self.positions.checked_mul(super::RECORD).and_then(|length| length.checked_add(self.index));
        let blocks_end = self.blocks.checked_add(self.blocks_length);
        let inside = |end: Option<usize>| end.is_some_and(|end| end <= self.length);
        if inside(index_end) && inside(blocks_end) { Ok(()) } else { Err(damaged()) }
    }

    /// The bytes of the header, to stand before this provenance.
    pub(super) fn to_bytes(&self, provenance: &[u8]) -> [u8; LENGTH] {
        let mut bytes = [0; LENGTH];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[16..32].copy_from_slice(SCHEME);
        let mut put = |at: usize, number: u64| bytes[at..at + 8].copy_from_slice(&number.to_le_bytes());
        put(8, u64::from(VERSION) | (LENGTH as u64) << 32);
        put(32, self.seed);
        put(40, self.positions as u64);
        put(48, self.moves);
        put(56, self.provenance as u64);
        put(64, self.blocks as u64);
        put(72, self.blocks_length as u64);
        put(80, self.index as u64);
        put(88, self.length as u64);
        put(96, self.blocks_sum);
        put(104, self.index_sum);
        let checksum = sum_on(sum(&bytes[..LENGTH - 8]), provenance);
        bytes[LENGTH - 8..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }
}

/// FNV-1a in 64 bits.
pub(super) fn sum(bytes: &[u8]) -> u64 {
    sum_on(0xcbf2_9ce4_8422_2325, bytes)
}

/// Goes on with a sum.
pub(super) fn sum_on(start: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(start, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_fnv_1a() {
        // From the test values that its authors publish.
        assert_eq!(sum(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(sum(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(sum(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
