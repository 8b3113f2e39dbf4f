//! Reading the files of nets.
//!
//! All numbers are little-endian. The layout is public: the engines YaneuraOu and tanuki- write and read it, and so
//! does nnue-pytorch; several papers describe it.
//!
//! | bytes | what |
//! | --- | --- |
//! | 4 | [`VERSION`] |
//! | 4 | a hash of the architecture: those of both parts, combined by XOR |
//! | 4 | length of the description |
//! | .. | the description, text for people |
//! | 4 | hash of the first part: of the features, combined with the number of its outputs |
//! | 2 each | what the sums of the first layer begin with, then the weights, feature by feature |
//! | 4 | hash of the second part: of its layers, one after the other |
//! | 4 each, 1 each | for each layer, what its sums begin with, then the weights, output by output |
//!
//! Rows of weights would be filled up to multiples of 32 bytes, which they are without. Files with packed numbers
//! (LEB128) belong to other architectures and are not read. The features are told in `features.rs`.

use std::fs;
use std::io::{self, BufReader, Read};
use std::marker::PhantomData;
use std::path::Path;

use thiserror::Error;

use super::features::Features;
use super::layers::{HIDDEN, Net, Row};

/// What a file begins with.
const VERSION: u32 = 0x7AF3_2F16;

/// What stands before the description.
const HEAD: u64 = 12;

/// The longest description that is read.
const MAX_DESCRIPTION: u32 = 4096;

/// How much of a description is shown.
const SHOWN: usize = 80;

/// Bytes that are read at once.
const CHUNK: usize = 1 << 16;

/// Why a file is no net that can be used.
#[derive(Debug, Error)]
pub enum NnueError {
    /// The system can't open or read it.
    #[error("it can't be read: {0}")]
    Io(io::Error),
    /// It ends in the middle of its head, or became shorter while it was being read.
    #[error("it is cut off")]
    Short,
    /// A folder, or something else that is not a file.
    #[error("it is not a file")]
    NoFile,
    /// It does not begin as such files do.
    #[error("it is no NNUE file: it begins with {0:#010x}, not with {VERSION:#010x}")]
    Version(u32),
    /// A net of another architecture.
    #[error("its architecture ({hash:#010x}, {description:?}) is not supported; {} are", supported())]
    Architecture {
        /// What marks the architecture.
        hash: u32,
        /// The beginning of the description.
        description: String,
    },
    /// It is cut off, or goes on after its end, or is of another architecture with the same hash.
    #[error("it has {found} bytes, but one of {name} with such a head has {expected}; {} are supported", supported())]
    Length {
        /// The architecture that the hash stands for.
        name: String,
        /// The length that follows from it, in bytes.
        expected: u64,
        /// The length of the file, in bytes.
        found: u64,
    },
    /// A description longer than any.
    #[error("its description has {0} bytes, more than {MAX_DESCRIPTION}")]
    Description(u32),
    /// A part is marked as belonging to something else.
    #[error("the hash of its {part} is {found:#010x}, not {expected:#010x}")]
    Hash {
        /// Which part.
        part: &'static str,
        /// What it ought to be.
        expected: u32,
        /// What it is.
        found: u32,
    },
    /// There is no room for it.
    #[error("there is not enough memory for it")]
    Memory,
}

impl From<io::Error> for NnueError {
    fn from(error: io::Error) -> NnueError {
        if error.kind() == io::ErrorKind::UnexpectedEof { NnueError::Short } else { NnueError::Io(error) }
    }
}

fn supported() -> String {
    use super::{HalfKpNet, KpNet};
    format!("{} and {}", HalfKpNet::name(), KpNet::name())
}

/// The head of a file, and where the rest comes from.
pub(super) struct Source<R> {
    rest: R,
    hash: u32,
    description: u32,
    /// Of the whole file, in bytes.
    length: u64,
}

impl Source<BufReader<fs::File>> {
    pub(super) fn open(path: &Path) -> Result<Self, NnueError> {
        // What is not a file may keep us waiting for ever when opened.
        if !fs::metadata(path)?.is_file() {
            return Err(NnueError::NoFile);
        }
        let file = fs::File::open(path)?;
        let length = file.metadata()?.len();
        Source::new(BufReader::with_capacity(CHUNK, file), length)
    }
}

impl<R: Read> Source<R> {
    /// Reads the head of a file of this length.
    pub(super) fn new(mut rest: R, length: u64) -> Result<Source<R>, NnueError> {
        let version = read_u32(&mut rest)?;
        if version != VERSION {
            return Err(NnueError::Version(version));
        }
        let (hash, description) = (read_u32(&mut rest)?, read_u32(&mut rest)?);
        Ok(Source { rest, hash, description, length })
    }

    /// Reads the net if it is of this architecture, as its hash says.
    pub(super) fn read<F: Features, const L1: usize>(&mut self) -> Option<Result<Net<F, L1>, NnueError>> {
        (self.hash == Net::<F, L1>::HASH).then(|| self.read_net())
    }

    /// That no architecture fitted.
    pub(super) fn unknown(mut self) -> NnueError {
        let mut bytes = Vec::new();
        let read = self.rest.by_ref().take(self.description.min(SHOWN as u32).into()).read_to_end(&mut bytes);
        let description = String::from_utf8_lossy(&bytes).into_owned();
        read.err().map_or(NnueError::Architecture { hash: self.hash, description }, NnueError::Io)
    }

    fn read_net<F: Features, const L1: usize>(&mut self) -> Result<Net<F, L1>, NnueError> {
        if self.description > MAX_DESCRIPTION {
            return Err(NnueError::Description(self.description));
        }
        let expected = HEAD + u64::from(self.description) + Net::<F, L1>::BYTES;
        if self.length != expected {
            return Err(NnueError::Length { name: Net::<F, L1>::name(), expected, found: self.length });
        }
        let rest = &mut self.rest;
        io::copy(&mut rest.by_ref().take(self.description.into()), &mut io::sink())?;
        expect_hash(rest, "features", Net::<F, L1>::FIRST_HASH)?;
        let [start] = <[Row<L1>; 1]>::try_from(read_rows(rest, 1)?).map_err(|_| NnueError::Memory)?;
        let rows = read_rows(rest, F::ROWS)?.into_boxed_slice();
        expect_hash(rest, "layers", layers_hash(L1))?;
        let first_start = read_i32s(rest)?;
        let mut first = Box::new([[[0; L1]; 2]; HIDDEN]);
        read_i8s(rest, first.as_flattened_mut().as_flattened_mut())?;
        let second_start = read_i32s(rest)?;
        let mut second = [[0; HIDDEN]; HIDDEN];
        read_i8s(rest, second.as_flattened_mut())?;
        let [last_start] = read_i32s(rest)?;
        let mut last = [0; HIDDEN];
        read_i8s(rest, &mut last)?;
        let features = PhantomData;
        Ok(Net { start, rows, first_start, first, second_start, second, last_start, last, features })
    }
}

impl<F: Features, const L1: usize> Net<F, L1> {
    const FIRST_HASH: u32 = F::HASH ^ (2 * L1) as u32;
    const HASH: u32 = Self::FIRST_HASH ^ layers_hash(L1);
    /// Length of all that comes after the description.
    const BYTES: u64 = {
        let first = 4 + 2 * L1 * (1 + F::ROWS);
        let layers = 4 + HIDDEN * (4 + 2 * L1) + HIDDEN * (4 + HIDDEN) + (4 + HIDDEN);
        (first + layers) as u64
    };

    /// What people call the architecture.
    pub(super) fn name() -> String {
        format!("{} {L1}x2-{HIDDEN}-{HIDDEN}", F::NAME)
    }
}

/// What marks the layers behind `l1` sums for each side.
const fn layers_hash(l1: usize) -> u32 {
    let inputs = 0xEC42_E90D ^ (2 * l1) as u32;
    let first = activation_hash(layer_hash(inputs, HIDDEN));
    let second = activation_hash(layer_hash(first, HIDDEN));
    layer_hash(second, 1)
}

const fn layer_hash(before: u32, outputs: usize) -> u32 {
    0xCC03_DAE4_u32.wrapping_add(outputs as u32) ^ before.rotate_right(1)
}

const fn activation_hash(before: u32) -> u32 {
    0x538D_24C7_u32.wrapping_add(before)
}

fn expect_hash(source: &mut impl Read, part: &'static str, expected: u32) -> Result<(), NnueError> {
    let found = read_u32(source)?;
    if found == expected { Ok(()) } else { Err(NnueError::Hash { part, expected, found }) }
}

fn read_u32(source: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    source.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

fn read_i32s<const N: usize>(source: &mut impl Read) -> io::Result<[i32; N]> {
    let mut numbers = [0; N];
    for number in &mut numbers {
        *number = read_u32(source)?.cast_signed();
    }
    Ok(numbers)
}

fn read_i8s(source: &mut impl Read, numbers: &mut [i8]) -> io::Result<()> {
    source.read_exact(bytemuck::cast_slice_mut(numbers))
}

fn read_rows<const L1: usize>(source: &mut impl Read, count: usize) -> Result<Vec<Row<L1>>, NnueError> {
    let mut rows = Vec::new();
    rows.try_reserve_exact(count).map_err(|_| NnueError::Memory)?;
    let at_once = (CHUNK / (2 * L1)).max(1);
    let mut bytes = vec![0; at_once * 2 * L1];
    while rows.len() < count {
        let bytes = &mut bytes[..at_once.min(count - rows.len()) * 2 * L1];
        source.read_exact(bytes)?;
        rows.extend(bytes.chunks_exact(2 * L1).map(|bytes| {
            let (pairs, _) = bytes.as_chunks::<2>();
            Row(std::array::from_fn(|index| i16::from_le_bytes(pairs[index])))
        }));
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::super::{HalfKpNet, KpNet};
    use super::*;

    #[test]
    fn the_marks_are_those_of_known_files() {
        assert_eq!(layers_hash(256), 0x6333_7156);
        assert_eq!((HalfKpNet::HASH, HalfKpNet::FIRST_HASH), (0x3E5A_A6EE, 0x5D69_D7B8));
        assert_eq!((KpNet::HASH, KpNet::FIRST_HASH), (0x5C64_64A9, 0x3F57_15FF));
        // With the usual description, of 178 bytes, these files have 64,217,066.
        assert_eq!(HEAD + 178 + HalfKpNet::BYTES, 64_217_066);
    }
}
