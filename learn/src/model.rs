//! The numbers while they are learned: in centipawns, with fractions.

use komadai::hyoka::Weights;
use komadai::hyoka::weights::{COUNT, UNIT};

use crate::features::Features;

/// Numbers for opening and endgame, by index, the two beside each other.
pub struct Model {
    pub numbers: Vec<f32>,
}

impl Model {
    pub const LENGTH: usize = 2 * COUNT;

    pub fn new(weights: &Weights) -> Model {
        Model { numbers: weights.pairs().iter().flatten().map(|&number| f32::from(number) / UNIT as f32).collect() }
    }

    /// The nearest table of whole numbers.
    pub fn to_weights(&self) -> Weights {
        let mut weights = Weights::default();
        for (pair, numbers) in weights.pairs_mut().iter_mut().zip(self.numbers.as_chunks::<2>().0) {
            *pair = numbers.map(|number| (number * UNIT as f32).round() as i16);
        }
        weights
    }

    /// The value of a position from Sente's side, in centipawns.
    pub fn value(&self, features: &Features) -> f32 {
        let mut sums = [0.0f32; 2];
        for &(index, count) in &features.counts {
            let at = 2 * usize::from(index);
            sums[0] += self.numbers[at] * f32::from(count);
            sums[1] += self.numbers[at + 1] * f32::from(count);
        }
        features.material + sums[0] * features.phases[0] + sums[1] * features.phases[1]
    }
}

/// Adds to a gradient what `slope`, the change of the loss by the value of these features, makes of it.
pub fn add_gradient(gradient: &mut [f32], features: &Features, slope: f32) {
    let slopes = features.phases.map(|part| part * slope);
    for &(index, count) in &features.counts {
        let at = 2 * usize::from(index);
        gradient[at] += slopes[0] * f32::from(count);
        gradient[at + 1] += slopes[1] * f32::from(count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use komadai::hyoka::{Hyoka, Komagumi};
    use komadai::kyokumen::{Kyokumen, Teban};

    #[test]
    fn the_model_values_positions_as_the_engine_does() {
        let weights = Weights::standard();
        let (model, mut komagumi) = (Model::new(&weights), Komagumi::new(&weights));
        assert_eq!(model.to_weights(), weights);
        let mut features = Features::default();
        let mut kyokumen = Kyokumen::hirate();
        for number in 0..200 {
            features.fill(&kyokumen);
            komagumi.reset(&kyokumen);
            let value = komagumi.value(&kyokumen);
            let from_sente = if kyokumen.teban() == Teban::Sente { value } else { -value };
            assert!((model.value(&features) - from_sente as f32).abs() < 2.0, "{kyokumen:?}");
            let moves = kyokumen.legal_te();
            let Some(&te) = moves.get(number * 7 % moves.len().max(1)) else { break };
            kyokumen.do_te(te);
        }
    }
}
