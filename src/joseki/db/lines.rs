//! Walking over a `.db` line by line.

use memchr::memchr;

use super::line;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// The lines of a text with their offsets, without line ends and byte order mark.
#[derive(Clone)]
pub(super) struct Lines<'a> {
    bytes: &'a [u8],
    /// Where the next line begins.
    next: usize,
}

impl<'a> Lines<'a> {
    /// From an offset on, at which a line begins.
    pub(super) fn from(bytes: &'a [u8], offset: usize) -> Lines<'a> {
        let next = if offset == 0 && bytes.starts_with(BOM) { BOM.len() } else { offset };
        Lines { bytes, next }
    }

    /// From the first line on that begins at an offset or behind it, and before `end`; else from `end` on.
    pub(super) fn at_or_after(bytes: &'a [u8], offset: usize, end: usize) -> Lines<'a> {
        if offset == 0 || offset <= BOM.len() && bytes.starts_with(BOM) {
            return Lines::from(bytes, 0);
        }
        let before = offset - 1;
        let length = bytes.get(before..end).and_then(|rest| memchr(b'\n', rest));
        Lines::from(bytes, length.map_or(end, |length| before + length + 1))
    }

    /// Where the next line begins.
    pub(super) fn offset(&self) -> usize {
        self.next
    }

    /// The next position with the offset of its line and its text behind `sfen`, if its line begins before `end`. The
    /// walk then goes on behind that line.
    #[inline]
    pub(super) fn next_position(&mut self, end: usize) -> Option<(usize, &'a [u8])> {
        while self.next < end {
            let (offset, line) = self.next()?;
            if let Some(sfen) = line::position(line) {
                return Some((offset, sfen));
            }
        }
        None
    }

    /// Goes back by the line read last, which began at this offset.
    pub(super) fn back_to(&mut self, offset: usize) {
        self.next = offset;
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a [u8]);

    #[inline]
    fn next(&mut self) -> Option<(usize, &'a [u8])> {
        let rest = self.bytes.get(self.next..).filter(|rest| !rest.is_empty())?;
        let offset = self.next;
        let length = memchr(b'\n', rest).unwrap_or(rest.len());
        self.next += length + 1;
        Some((offset, rest[..length].strip_suffix(b"\r").unwrap_or(&rest[..length])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_from_any_offset() {
        let text = b"\xef\xbb\xbfone\r\n\ntwo\nlast";
        let lines: Vec<_> = Lines::from(text, 0).collect();
        assert_eq!(lines, [(3, &b"one"[..]), (8, b""), (9, b"two"), (13, b"last")]);
        let end = text.len();
        for offset in 0..end + 3 {
            let want: Vec<_> = lines.iter().copied().filter(|&(begin, _)| begin >= offset).collect();
            assert_eq!(Lines::at_or_after(text, offset, end).collect::<Vec<_>>(), want, "{offset}");
        }
        assert_eq!(Lines::at_or_after(text, 4, 8).offset(), 8, "the second line begins where the range ends");
        assert_eq!(Lines::at_or_after(text, 14, end).offset(), end);
        assert_eq!(Lines::at_or_after(b"", 0, 0).count() + Lines::at_or_after(b"", 1, 0).count(), 0);
    }
}
