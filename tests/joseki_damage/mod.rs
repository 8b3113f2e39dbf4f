//! Books of every format, and ways of damaging them.
#![allow(dead_code)]

use std::path::Path;

use komadai::joseki::copy::{self, Rules};
use komadai::joseki::{Format, WriteOptions};
use rand::{Rng, RngExt};

use crate::joseki_support::*;

/// Good books of one format.
pub struct Samples {
    pub format: Format,
    pub books: Vec<Vec<u8>>,
    /// Where most of the damage goes, out of so many bytes.
    pub aim: fn(usize) -> usize,
}

impl Samples {
    /// One of the books, damaged.
    pub fn damaged(&self, round: usize, rng: &mut dyn Rng) -> Vec<u8> {
        let mut bytes = self.books[round % self.books.len()].clone();
        damage(&mut bytes, self.aim, rng);
        // Else most would only be found to have a wrong sum or length.
        if !round.is_multiple_of(4) {
            match self.format {
                Format::Own => seal(&mut bytes),
                Format::Apery => bytes.truncate(bytes.len() / 16 * 16),
                _ => {}
            }
        }
        bytes
    }
}

pub fn samples() -> Vec<Samples> {
    let file = |name: &str| {
        std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/shogihome").join(name)).unwrap()
    };
    let small = own_format(&random_book(1, 5)[..20], "A note.");
    let of = |format, books: Vec<Vec<u8>>, aim| Samples { format, books, aim };
    vec![
        of(Format::Own, vec![small.clone(), own_format(&[], "")], |at| at),
        of(Format::Db, vec![file("yaneuraou-crlf.db"), file("yaneuraou-merge.db")], |at| at),
        of(Format::Sbk, vec![file("sbk-merge.sbk"), file("shogigui01.sbk")], |at| at % 900),
        // The parameters and the first moves; the table behind is long.
        of(Format::Psb, vec![copied(&file("sbk-merge.sbk"), Format::Psb), copied(&small, Format::Psb)], |at| at % 700),
        of(Format::Ybb, vec![file("yaneuraou.ybb"), copied(&small, Format::Ybb)], |at| at),
        of(Format::Apery, vec![file("apery.bin"), copied(&small, Format::Apery)], |at| at),
        // Lines of 512 bytes, most of which begin with a few moves.
        of(Format::LesserKai, vec![game_lines()], |at| at / 512 * 512 + at % 20),
    ]
}

/// The book in another format.
pub fn copied(book: &[u8], format: Format) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("copy");
    copy::copy(vec![self::book(book)], &path, format, &WriteOptions::default(), &Rules::default(), &()).unwrap();
    std::fs::read(path).unwrap()
}

/// Games as LesserKai has them: two bytes a move, 512 a game.
fn game_lines() -> Vec<u8> {
    let square = |file: u8, rank: u8| (file - 1) + (rank - 1) * 9 + 1;
    let moves = [[7, 7, 7, 6], [3, 3, 3, 4], [2, 7, 2, 6], [8, 3, 8, 4]];
    let mut lines = Vec::new();
    for length in 1..=moves.len() {
        let line = moves[..length].iter().flat_map(|&[a, b, c, d]| [square(c, d), square(a, b)]);
        lines.extend(line);
        lines.resize(lines.len().next_multiple_of(512), 0);
    }
    lines
}

/// Bytes that often mean something: lengths, numbers, line ends.
fn telling_bytes(length: usize, rng: &mut dyn Rng) -> Vec<u8> {
    let number = match rng.random_range(0..8) {
        0 => 0,
        1 => u64::MAX,
        2 => 1 << rng.random_range(0..64),
        3 => (1u64 << rng.random_range(0..64)) - 1,
        4 => length as u64,
        5 => (length as u64).wrapping_neg(),
        6 => i32::MAX as u64,
        _ => rng.random(),
    };
    let fixed = number.to_le_bytes();
    match rng.random_range(0..5) {
        0 => fixed[..2].to_vec(),
        1 => fixed[..4].to_vec(),
        2 => fixed.to_vec(),
        3 => number.to_string().into_bytes(),
        // LEB128.
        _ => {
            let mut rest = number;
            let mut bytes = Vec::new();
            while rest >= 128 {
                bytes.push(rest as u8 | 128);
                rest >>= 7;
            }
            bytes.push(rest as u8);
            bytes
        }
    }
}

pub fn damage(bytes: &mut Vec<u8>, aim: fn(usize) -> usize, rng: &mut dyn Rng) {
    for _ in 0..rng.random_range(1..5) {
        if bytes.is_empty() {
            return;
        }
        let anywhere = rng.random_range(0..bytes.len());
        let at = if rng.random_bool(0.8) { aim(anywhere) } else { anywhere }.min(bytes.len() - 1);
        let end = (at + rng.random_range(1..64)).min(bytes.len());
        match rng.random_range(0..9) {
            0 | 1 => bytes[at] ^= 1 << rng.random_range(0..8),
            2 => {
                bytes[at] =
                    *[0, 0xff, 0x80, b'\n', b'\r', b' ', b'\t', b'9', b'+', b'#', b'/', b'='].get(at % 12).unwrap()
            }
            3 => bytes.truncate(anywhere),
            4 => bytes.insert(at, rng.random()),
            5 => {
                let part = bytes[at..end].to_vec();
                let to = rng.random_range(0..bytes.len());
                bytes.splice(to..to, part);
            }
            6 => drop(bytes.drain(at..end)),
            _ => {
                let new = telling_bytes(bytes.len(), rng);
                let end = (at + new.len()).min(bytes.len());
                bytes.splice(at..end, new);
            }
        }
    }
}

/// Makes the sums of a book in the own format fit, so that what was changed is looked at.
fn seal(bytes: &mut [u8]) {
    if bytes.len() < 128 {
        return;
    }
    let length = u64::from_le_bytes(bytes[56..64].try_into().unwrap()).min(bytes.len() as u64 - 128) as usize;
    let summed = bytes[..120].iter().chain(&bytes[128..128 + length]);
    let sum =
        summed.fold(0xcbf2_9ce4_8422_2325_u64, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    bytes[120..128].copy_from_slice(&sum.to_le_bytes());
}
