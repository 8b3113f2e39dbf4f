//! The network while it is learned: with fractions, 1 being 1.

use komadai::hyoka::Net;
use komadai::hyoka::net::{FEATURES, MOST_ATTACKS, ONE, OUTPUT_MOST, OUTPUT_ONE, PHASES, Row, WIDTH};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Pieces of an even game: so many features each side sees.
pub const PIECES: usize = 40;
/// The most features that a side sees.
pub const SEEN: usize = PIECES + MOST_ATTACKS;

const BIASES: usize = FEATURES * WIDTH;
const OUTPUTS: usize = BIASES + WIDTH;
const CONSTANTS: usize = OUTPUTS + PHASES * 2 * WIDTH;

type Sums = [f32; WIDTH];

/// All numbers in one list: rows, biases, weights of the output, constants.
pub struct Network {
    pub numbers: Vec<f32>,
}

/// Which features a side sees.
pub type Seen = [u16; SEEN];

/// Stands behind the last feature.
pub const NOTHING: u16 = u16::MAX;

/// What the two sides see, the side to move first, and what they make of it.
pub struct Pass {
    sums: [Sums; 2],
}

impl Network {
    pub const LENGTH: usize = CONSTANTS + PHASES;

    /// Small random rows; the output is 0 everywhere.
    pub fn random(seed: u64) -> Network {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut numbers = vec![0.0; Network::LENGTH];
        numbers[..BIASES].iter_mut().for_each(|number| *number = rng.random_range(-0.1..0.1));
        numbers[BIASES..OUTPUTS].iter_mut().for_each(|number| *number = 0.3);
        numbers[OUTPUTS..CONSTANTS].iter_mut().for_each(|number| *number = rng.random_range(-0.05..0.05));
        Network { numbers }
    }

    pub fn from_net(net: &Net) -> Network {
        let small = |row: &Row, one: i32| row.0.map(|number| f32::from(number) / one as f32);
        let mut numbers: Vec<f32> = net.rows.iter().flat_map(|row| small(row, ONE)).collect();
        numbers.extend(small(&net.biases, ONE));
        numbers.extend(net.outputs.iter().flatten().flat_map(|row| small(row, OUTPUT_ONE)));
        numbers.extend(net.constants.map(|number| number as f32 / (ONE * ONE * OUTPUT_ONE) as f32));
        Network { numbers }
    }

    /// The nearest network of whole numbers.
    pub fn to_net(&self) -> Net {
        let row = |from: usize, one: i32, most: i16| {
            let most = f32::from(most);
            Row(std::array::from_fn(|index| {
                (self.numbers[from + index] * one as f32).round().clamp(-most, most) as i16
            }))
        };
        let outputs = |phase, side| row(OUTPUTS + (2 * phase + side) * WIDTH, OUTPUT_ONE, OUTPUT_MOST);
        Net {
            biases: row(BIASES, ONE, i16::MAX),
            rows: (0..FEATURES).map(|feature| row(feature * WIDTH, ONE, i16::MAX)).collect(),
            outputs: std::array::from_fn(|phase| [outputs(phase, 0), outputs(phase, 1)]),
            constants: std::array::from_fn(|phase| {
                (self.numbers[CONSTANTS + phase] * (ONE * ONE * OUTPUT_ONE) as f32).round() as i32
            }),
        }
    }

    /// The output for a position, and what is needed to learn from it.
    pub fn forward(&self, seen: [&Seen; 2], phase: usize) -> (f32, Pass) {
        let sums = seen.map(|seen| {
            let mut sums: Sums = *self.row(BIASES);
            for &feature in seen.iter().take_while(|&&feature| feature != NOTHING) {
                let row = self.row(usize::from(feature) * WIDTH);
                sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
            }
            sums
        });
        // Sixteen sums side by side: in a fixed order, and as wide as processors add.
        let mut lanes = [0.0f32; 16];
        for (side, sums) in sums.iter().enumerate() {
            let weights = self.row(OUTPUTS + (2 * phase + side) * WIDTH);
            for (sums, weights) in sums.as_chunks::<16>().0.iter().zip(weights.as_chunks::<16>().0) {
                for lane in 0..16 {
                    let held = sums[lane].clamp(0.0, 1.0);
                    lanes[lane] += held * held * weights[lane];
                }
            }
        }
        (lanes.iter().sum::<f32>() + self.numbers[CONSTANTS + phase], Pass { sums })
    }

    /// Adds to a gradient what the change of the loss by the output makes of it.
    pub fn backward(&self, seen: [&Seen; 2], phase: usize, pass: &Pass, slope: f32, gradient: &mut [f32]) {
        gradient[CONSTANTS + phase] += slope;
        for (side, sums) in pass.sums.iter().enumerate() {
            let at = OUTPUTS + (2 * phase + side) * WIDTH;
            let weights = self.row(at);
            let mut slopes = [0.0f32; WIDTH];
            let of_weights = &mut gradient[at..at + WIDTH];
            for index in 0..WIDTH {
                let held = sums[index].clamp(0.0, 1.0);
                of_weights[index] += slope * held * held;
                let inside = if held == sums[index] { 2.0 * held } else { 0.0 };
                slopes[index] = slope * weights[index] * inside;
            }
            let mut add = |from: usize| {
                gradient[from..from + WIDTH].iter_mut().zip(&slopes).for_each(|(sum, slope)| *sum += slope);
            };
            add(BIASES);
            for &feature in seen[side].iter().take_while(|&&feature| feature != NOTHING) {
                add(usize::from(feature) * WIDTH);
            }
        }
    }

    /// Makes what features add, and the weights of the output, smaller by a part.
    pub fn shrink(&mut self, part: f32) {
        let keep = 1.0 - part;
        self.numbers[..BIASES].iter_mut().for_each(|number| *number *= keep);
        self.numbers[OUTPUTS..CONSTANTS].iter_mut().for_each(|number| *number *= keep);
    }

    /// Keeps numbers where whole ones can stand for them.
    pub fn hold(&mut self) {
        let most = f32::from(OUTPUT_MOST) / OUTPUT_ONE as f32;
        self.numbers[OUTPUTS..CONSTANTS].iter_mut().for_each(|number| *number = number.clamp(-most, most));
        self.numbers[..OUTPUTS].iter_mut().for_each(|number| *number = number.clamp(-2.0, 2.0));
    }

    fn row(&self, from: usize) -> &Sums {
        self.numbers[from..].first_chunk().unwrap_or(&[0.0; WIDTH])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use komadai::hyoka::net::{View, phase_index};
    use komadai::hyoka::{Hyoka, Komagumi, Learned, phase};
    use komadai::kyokumen::Kyokumen;

    /// What both sides see of a position of an even game.
    fn seen(kyokumen: &Kyokumen) -> [Seen; 2] {
        [kyokumen.teban(), !kyokumen.teban()].map(|teban| {
            let (view, mut features) = (View::new(teban, kyokumen.ou(teban)), Vec::new());
            view.each(kyokumen, |feature| features.push(feature as u16));
            assert_eq!(features.len(), PIECES);
            view.each_attack(kyokumen, |feature| features.push(feature as u16));
            features.resize(SEEN, NOTHING);
            features.try_into().unwrap()
        })
    }

    /// Positions on the way of a game without a plan.
    fn positions() -> Vec<Kyokumen> {
        let mut kyokumen = Kyokumen::hirate();
        let mut all = Vec::new();
        for number in 0..120 {
            let moves = kyokumen.legal_te();
            let Some(&te) = moves.get(number * 7 % moves.len().max(1)) else { break };
            kyokumen.do_te(te);
            all.push(kyokumen.clone());
        }
        all
    }

    #[test]
    fn the_network_values_positions_as_the_engine_does() {
        let network = Network::from_net(&Net::standard());
        let net = network.to_net();
        assert_eq!(net, Net::standard());
        let (mut learned, mut komagumi) = (Learned::new(Komagumi::default(), net), Komagumi::default());
        for kyokumen in positions() {
            let seen = seen(&kyokumen);
            let (output, _) = network.forward([&seen[0], &seen[1]], phase_index(phase::of(&kyokumen)));
            learned.reset(&kyokumen);
            komagumi.reset(&kyokumen);
            let added = learned.value(&kyokumen) - komagumi.value(&kyokumen);
            assert!((output * 600.0 - added as f32).abs() < 2.0, "{output} {added} {kyokumen:?}");
        }
    }

    #[test]
    fn slopes_are_what_small_steps_change() {
        let mut network = Network::random(3);
        let kyokumen = positions().pop().unwrap();
        let (seen, phase) = (seen(&kyokumen), phase_index(phase::of(&kyokumen)));
        let pair = [&seen[0], &seen[1]];
        let (_, pass) = network.forward(pair, phase);
        let mut gradient = vec![0.0; Network::LENGTH];
        network.backward(pair, phase, &pass, 1.0, &mut gradient);
        let row = usize::from(seen[0][5]) * WIDTH;
        let places = [row, row + 77, BIASES + 3, OUTPUTS + 2 * phase * WIDTH + 9, CONSTANTS + phase];
        for place in places {
            let before = network.numbers[place];
            let mut at = |step: f32| {
                network.numbers[place] = before + step;
                network.forward(pair, phase).0
            };
            let slope = (at(0.01) - at(-0.01)) / 0.02;
            network.numbers[place] = before;
            assert!(
                (slope - gradient[place]).abs() < 0.01 * slope.abs().max(0.1),
                "{place}: {slope} {}",
                gradient[place]
            );
        }
    }
}
