//! Positions with what became of them, 36 bytes each: the packed position, the value that a search gave it and the
//! result of its game, both from the side to move.

use std::path::Path;

use clap::Args;
use komadai::kyokumen::PackedKyokumen;

use crate::{Failure, read};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    pub packed: PackedKyokumen,
    /// In centipawns.
    pub score: i16,
    /// 1 won, 0 drawn, -1 lost.
    pub result: i8,
}

pub const BYTES: usize = 36;

/// What a position is worth to those who learn from it
#[derive(Args)]
pub struct Worth {
    /// The result's part of what a position is worth; the rest is the search's value
    #[arg(long, default_value_t = 0.3)]
    pub result: f32,
    /// The value, in centipawns, at which 73 games of 100 are won
    #[arg(long, default_value_t = 600.0)]
    pub scale: f32,
}

impl Worth {
    /// The part of games that the side to move should win.
    pub fn of(&self, sample: &Sample) -> f32 {
        let by_search = sigmoid(f32::from(sample.score) / self.scale);
        let by_result = (f32::from(sample.result) + 1.0) / 2.0;
        self.result * by_result + (1.0 - self.result) * by_search
    }
}

/// The part of games that is won, by the logarithm of the odds.
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The loss, cross entropy, of expecting one part of games where another is right.
pub fn loss(expected: f32, target: f32) -> f32 {
    let clamped = expected.clamp(1e-6, 1.0 - 1e-6);
    -(target * clamped.ln() + (1.0 - target) * (1.0 - clamped).ln())
}

impl Sample {
    pub fn to_bytes(self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        bytes[..32].copy_from_slice(&self.packed.0);
        bytes[32..34].copy_from_slice(&self.score.to_le_bytes());
        bytes[34] = self.result as u8;
        bytes
    }

    fn from_bytes(bytes: &[u8; BYTES]) -> Sample {
        let mut packed = [0; 32];
        packed.copy_from_slice(&bytes[..32]);
        let score = i16::from_le_bytes([bytes[32], bytes[33]]);
        Sample { packed: PackedKyokumen(packed), score, result: bytes[34] as i8 }
    }
}

/// Reads a file of samples.
pub fn read_samples(path: &Path) -> Result<Vec<Sample>, Failure> {
    let bytes = read(path)?;
    let (samples, rest) = bytes.as_chunks::<BYTES>();
    if !rest.is_empty() {
        return Err(format!("{}: {} bytes are not a multiple of {BYTES}", path.display(), bytes.len()).into());
    }
    Ok(samples.iter().map(Sample::from_bytes).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use komadai::kyokumen::Kyokumen;

    #[test]
    fn samples_come_back_from_their_bytes() {
        let packed = Kyokumen::hirate().pack().unwrap();
        let sample = Sample { packed, score: -1234, result: -1 };
        assert_eq!(Sample::from_bytes(&sample.to_bytes()), sample);
    }
}
