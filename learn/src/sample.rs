//! Positions with what became of them, 36 bytes each: the packed position, the value that a search gave it and the
//! result of its game, both from the side to move.

use std::path::Path;

use clap::Args;
use komadai::kyokumen::{Kyokumen, Masu, PackedKyokumen, Teban};
use rayon::prelude::*;

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
    /// How much the value of the next position of the same game counts beside that of a position, the one after that by
    /// this once more, and so on: a search errs in single positions
    #[arg(long, default_value_t = 0.7)]
    pub trace: f32,
}

impl Worth {
    /// The part of games that the side to move should win.
    pub fn of(&self, sample: &Sample) -> f32 {
        let by_search = sigmoid(f32::from(sample.score) / self.scale);
        let by_result = (f32::from(sample.result) + 1.0) / 2.0;
        self.result * by_result + (1.0 - self.result) * by_search
    }

    /// Mixes into each value those of the positions behind it, in the samples of games one after the other.
    fn mix(&self, samples: &mut [Sample]) {
        // From Sente's side: the sum of what comes, and of its weights.
        let (mut sum, mut weights) = (0.0, 0.0);
        let mut next: Option<(Kyokumen, i8)> = None;
        for sample in samples.iter_mut().rev() {
            let Some(kyokumen) = sample.packed.unpack() else { continue };
            let own = |of_sente: f32| if kyokumen.teban() == Teban::Sente { of_sente } else { -of_sente };
            let result = if kyokumen.teban() == Teban::Sente { sample.result } else { -sample.result };
            if next.is_none_or(|(next, its)| its != result || moved(&kyokumen, &next) > MOST_MOVED) {
                (sum, weights) = (0.0, 0.0);
            }
            let part = own(sigmoid(f32::from(sample.score) / self.scale) - 0.5);
            (sum, weights) = (sum * self.trace + part, weights * self.trace + 1.0);
            let mixed = 0.5 + own(sum / weights);
            sample.score = ((mixed / (1.0 - mixed)).ln() * self.scale).round() as i16;
            next = Some((kyokumen, result));
        }
    }
}

/// Squares that differ between the quiet positions behind two that follow each other in a game, at most. Positions of
/// two games differ on more.
const MOST_MOVED: usize = 12;

/// Squares that differ.
fn moved(a: &Kyokumen, b: &Kyokumen) -> usize {
    Masu::all().filter(|&masu| a.koma(masu) != b.koma(masu)).count()
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

/// So many samples are mixed at once, each such part by itself.
const PART: usize = 1 << 16;

/// Reads a file of samples, with values mixed as `worth` has it.
pub fn read_samples(path: &Path, worth: &Worth) -> Result<Vec<Sample>, Failure> {
    let bytes = read(path)?;
    let (samples, rest) = bytes.as_chunks::<BYTES>();
    if !rest.is_empty() {
        return Err(format!("{}: {} bytes are not a multiple of {BYTES}", path.display(), bytes.len()).into());
    }
    let mut samples: Vec<_> = samples.iter().map(Sample::from_bytes).collect();
    if worth.trace > 0.0 {
        samples.par_chunks_mut(PART).for_each(|part| worth.mix(part));
    }
    Ok(samples)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_come_back_from_their_bytes() {
        let packed = Kyokumen::hirate().pack().unwrap();
        let sample = Sample { packed, score: -1234, result: -1 };
        assert_eq!(Sample::from_bytes(&sample.to_bytes()), sample);
    }

    #[test]
    fn values_are_mixed_with_those_that_follow_in_the_same_game() {
        let mut kyokumen = Kyokumen::hirate();
        let mut samples = Vec::new();
        for (te, score) in [("7g7f", 300), ("3c3d", -100), ("2g2f", 500)] {
            samples.push(Sample {
                packed: kyokumen.pack().unwrap(),
                score,
                result: if samples.len() == 1 { -1 } else { 1 },
            });
            kyokumen.do_te(te.parse().unwrap());
        }
        // Another game: nearly every piece stands elsewhere.
        let other = "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124";
        let packed = Kyokumen::from_sfen(other).unwrap().pack();
        samples.push(Sample { packed: packed.unwrap(), score: 2_000, result: 1 });
        let worth = Worth { result: 0.3, scale: 600.0, trace: 0.5 };
        worth.mix(&mut samples);
        let expected = |parts: &[f32]| {
            let weights = [1.0, 0.5, 0.25];
            let part = |(score, weight): (&f32, &f32)| weight * sigmoid(score / 600.0);
            let sum: f32 = parts.iter().zip(&weights).map(part).sum();
            sum / weights[..parts.len()].iter().sum::<f32>()
        };
        for (sample, expected) in samples.iter().zip([
            expected(&[300.0, 100.0, 500.0]),
            expected(&[-100.0, -500.0]),
            expected(&[500.0]),
            expected(&[2_000.0]),
        ]) {
            let mixed = sigmoid(f32::from(sample.score) / 600.0);
            assert!((mixed - expected).abs() < 0.001, "{} {mixed} {expected}", sample.score);
        }
    }
}
