//! Numbers in the radix of the file, the least significant digit first. Digits are the last byte values there are, so
//! in radix 224 digit 0 is a blank, and no digit is a line feed.

/// The largest radix whose digits leave room for control characters.
pub(super) const MAX_RADIX: u64 = 224;
/// Words of the longest number.
const WORDS: usize = 8;
/// Bits of the longest number.
pub(super) const MAX_BITS: u32 = 64 * WORDS as u32;

/// A number of up to 512 bits, the lowest word first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Wide([u64; WORDS]);

impl Wide {
    /// The largest number of so many bits.
    fn ones(bits: u32) -> Wide {
        let mut wide = Wide::default();
        for bit in 0..bits.min(MAX_BITS) {
            wide.0[bit as usize / 64] |= 1 << (bit % 64);
        }
        wide
    }

    /// The number in these bits, of which there are at most 66.
    pub(super) fn bits(&self, start: u32, bits: u32) -> u128 {
        (0..bits)
            .filter(|bit| self.0[(start + bit) as usize / 64] >> ((start + bit) % 64) & 1 == 1)
            .fold(0, |number, bit| number | 1 << bit)
    }

    /// Sets these bits, which were 0.
    pub(super) fn put(&mut self, start: u32, bits: u32, number: u128) {
        for bit in (0..bits).filter(|bit| number >> bit & 1 == 1) {
            self.0[(start + bit) as usize / 64] |= 1 << ((start + bit) % 64);
        }
    }

    /// Divides by the radix; the rest is the digit.
    fn divide(&mut self, radix: u64) -> u64 {
        let mut rest = 0;
        for word in self.0.iter_mut().rev() {
            let number = u128::from(rest) << 64 | u128::from(*word);
            *word = (number / u128::from(radix)) as u64;
            rest = (number % u128::from(radix)) as u64;
        }
        rest
    }

    /// Multiplies by the radix and adds a digit; `false` where it grows too long.
    fn push(&mut self, radix: u64, digit: u64) -> bool {
        let mut carry = u128::from(digit);
        for word in &mut self.0 {
            carry += u128::from(*word) * u128::from(radix);
            *word = carry as u64;
            carry >>= 64;
        }
        carry == 0
    }
}

/// How many digits a number of so many bits may have.
pub(super) fn digits(bits: u32, radix: u64) -> usize {
    let mut wide = Wide::ones(bits);
    let mut digits = 0;
    while wide != Wide::default() {
        wide.divide(radix);
        digits += 1;
    }
    digits
}

/// Appends a number as a line of so many digits.
pub(super) fn write(mut wide: Wide, digits: usize, radix: u64, out: &mut Vec<u8>) {
    for _ in 0..digits {
        out.push((256 - radix + wide.divide(radix)) as u8);
    }
    out.push(b'\n');
}

/// Appends a number of 64 bits as a line.
pub(super) fn write_u64(number: u64, radix: u64, out: &mut Vec<u8>) {
    let mut wide = Wide::default();
    wide.0[0] = number;
    write(wide, digits(64, radix), radix, out);
}

/// Reads digits; `None` where one is none or the number is too long.
pub(super) fn read(bytes: &[u8], radix: u64) -> Option<Wide> {
    let mut wide = Wide::default();
    for &byte in bytes.iter().rev() {
        let digit = u64::from(byte).checked_sub(256 - radix)?;
        wide.push(radix, digit).then_some(())?;
    }
    Some(wide)
}

/// Reads a number of 64 bits.
pub(super) fn read_u64(bytes: &[u8], radix: u64) -> Option<u64> {
    bytes.iter().rev().try_fold(0u64, |number, &byte| {
        let digit = u64::from(byte).checked_sub(256 - radix)?;
        number.checked_mul(radix)?.checked_add(digit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_are_written() {
        let mut line = Vec::new();
        write_u64(0, 224, &mut line);
        write_u64(224 * 224 + 3 * 224 + 2, 224, &mut line);
        assert_eq!(line, b"         \n\x22\x23\x21      \n");
        for radix in [2, 10, 95, 224] {
            for number in [0, 1, 223, 224, u64::MAX, 0x0123_4567_89ab_cdef] {
                let mut line = Vec::new();
                write_u64(number, radix, &mut line);
                assert_eq!(read_u64(&line[..line.len() - 1], radix), Some(number));
            }
            let mut wide = Wide::default();
            wide.put(3, 66, (1 << 66) - 1);
            wide.put(500, 12, 0x9ab);
            let mut line = Vec::new();
            write(wide, digits(512, radix), radix, &mut line);
            let again = read(&line[..line.len() - 1], radix).unwrap();
            assert_eq!((again, again.bits(3, 66), again.bits(500, 12)), (wide, (1 << 66) - 1, 0x9ab));
        }
        assert_eq!([digits(0, 224), digits(7, 224), digits(8, 224), digits(64, 224)], [0, 1, 2, 9]);
        assert_eq!(read_u64(&[0xff; 9], 224), None);
        assert_eq!(read(&[0xff; 99], 224), None);
        assert_eq!(read(b"1\n", 224), None);
    }
}
