//! What tells two programs apart that have the same name: a sum over the file.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Bytes that are read at once, a multiple of eight.
const CHUNK: u64 = 1 << 16;

/// A 64-bit sum over bytes; it guards against mistakes, not against people.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum(pub u64);

impl Sum {
    /// Goes on with these bytes; that they end here counts too.
    pub fn add(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        words.iter().for_each(|word| self.step(u64::from_le_bytes(*word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.step(u64::from_le_bytes(last));
        self.step(bytes.len() as u64);
    }

    fn step(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= self.0 >> 29;
    }

    /// The sum of a program that the system would start by this name; 0 where it can't be read.
    pub fn of_program(name: &Path) -> Sum {
        find(name).and_then(|path| Sum::of_file(&path).ok()).unwrap_or_default()
    }

    fn of_file(path: &Path) -> io::Result<Sum> {
        let (mut file, mut bytes, mut sum) = (File::open(path)?, Vec::new(), Sum::default());
        while file.by_ref().take(CHUNK).read_to_end(&mut bytes)? > 0 {
            sum.add(&bytes);
            bytes.clear();
        }
        Ok(sum)
    }
}

/// The file of a program, which stands in one of the system's folders where there is none of this name.
fn find(name: &Path) -> Option<PathBuf> {
    if name.is_file() {
        return Some(name.to_owned());
    }
    let folders = std::env::var_os("PATH").filter(|_| name.components().count() == 1)?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_of_a_file_and_its_length_count() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program");
        let sum = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            Sum::of_program(&path)
        };
        let bytes: Vec<u8> = (0..200_003u32).map(|nth| (nth % 251) as u8).collect();
        let whole = sum(&bytes);
        assert_eq!(sum(&bytes), whole);
        for place in [0, 7, 65_535, 65_536, 200_000, 200_002] {
            let mut other = bytes.clone();
            other[place] ^= 1;
            assert_ne!(sum(&other), whole, "{place}");
        }
        for other in [&bytes[1..], &bytes[..200_002], &[&bytes[..], b"\0"].concat(), b"", b"\0"] {
            assert_ne!(sum(other), whole, "{}", other.len());
        }
        assert_ne!(sum(b"\0"), sum(b"\0\0"));
        assert_eq!(Sum::of_program(&folder.path().join("none")), Sum(0));
    }
}
