//! From moves of strong players to a table.

use std::path::PathBuf;

use clap::Args;
use komadai::kyokumen::Teban;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::adam::Adam;
use crate::features::Features;
use crate::model::{Model, add_gradient};
use crate::moves::{Choice, read_choices};
use crate::{Failure, bar, read_weights, write};

/// Makes a table by which the moves played look better than others
#[derive(Args)]
pub struct Arguments {
    /// A file of moves
    moves: PathBuf,
    /// The table to begin with: a file, standard or zero
    #[arg(long, default_value = "zero")]
    table: PathBuf,
    /// Where the new table goes
    #[arg(short, long)]
    output: PathBuf,
    #[arg(long, default_value_t = 8)]
    epochs: u32,
    /// Step of the first epoch, in centipawns; it falls to a tenth
    #[arg(long, default_value_t = 1.0)]
    rate: f32,
    /// Centipawns by which one move must be better than another to be chosen e times as often
    #[arg(long, default_value_t = 300.0)]
    scale: f32,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Moves to one step.
const BATCH: usize = 1_024;
/// Parts of a batch that threads work on; their sums are added up in order, so that their number changes nothing.
const PARTS: usize = 4;
/// One move in so many is held out.
const HELD_OUT: usize = 20;

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut choices = read_choices(&arguments.moves)?;
    let held_out = choices.split_off(choices.len() - choices.len() / HELD_OUT);
    if held_out.is_empty() {
        return Err("too few moves".into());
    }
    let mut model = Model::new(&read_weights(&arguments.table)?);
    let mut adam = Adam::new(Model::LENGTH);
    let mut rng = ChaCha8Rng::seed_from_u64(arguments.seed);
    println!("moves {} held out {}", choices.len(), held_out.len());
    for epoch in 0..arguments.epochs {
        choices.shuffle(&mut rng);
        let rate = arguments.rate * (1.0 - 0.9 * epoch as f32 / arguments.epochs.max(2).saturating_sub(1) as f32);
        let progress = bar(choices.len() as u64, "moves");
        for batch in choices.chunks(BATCH) {
            let (_, _, mut gradient) = slopes(&model, batch, arguments.scale);
            adam.step(&mut model.numbers, &mut gradient, rate);
            progress.inc(batch.len() as u64);
        }
        progress.finish_and_clear();
        let (loss, right, _) = slopes(&model, &held_out, arguments.scale);
        let count = held_out.len() as f64;
        println!("epoch {}: held out loss {:.5} right {:.2}%", epoch + 1, loss / count, right as f64 * 100.0 / count);
    }
    write(&arguments.output, &model.to_weights().to_bytes())
}

/// The loss, how often the move played has the highest value, and the mean slope over a batch.
fn slopes(model: &Model, batch: &[Choice], scale: f32) -> (f64, u64, Vec<f32>) {
    let parts: Vec<(f64, u64, Vec<f32>)> = batch
        .par_chunks(batch.len().div_ceil(PARTS))
        .map(|choices| {
            let mut gradient = vec![0.0; Model::LENGTH];
            let (mut loss, mut right) = (0.0, 0);
            let mut features = Vec::new();
            for choice in choices {
                let (of_choice, is_right) =
                    slope(model, choice, scale, &mut features, 1.0 / batch.len() as f32, &mut gradient);
                loss += of_choice;
                right += u64::from(is_right);
            }
            (loss, right, gradient)
        })
        .collect();
    parts.into_iter().fold((0.0, 0, vec![0.0; Model::LENGTH]), |(loss, right, mut sum), (more, yes, gradient)| {
        sum.iter_mut().zip(gradient).for_each(|(sum, slope)| *sum += slope);
        (loss + more, right + yes, sum)
    })
}

/// Adds the slope of one choice; its loss, cross entropy, and whether the move played comes first.
fn slope(
    model: &Model,
    choice: &Choice,
    scale: f32,
    features: &mut Vec<Features>,
    part: f32,
    gradient: &mut [f32],
) -> (f64, bool) {
    let sign = if choice.mover == Teban::Sente { 1.0 } else { -1.0 };
    features.resize_with(features.len().max(choice.behind.len()), Features::default);
    let mut values = Vec::with_capacity(choice.behind.len());
    for (packed, features) in choice.behind.iter().zip(features.iter_mut()) {
        let Some(kyokumen) = packed.unpack() else { return (0.0, false) };
        features.fill(&kyokumen);
        values.push(sign * model.value(features) / scale);
    }
    let highest = values.iter().copied().fold(f32::MIN, f32::max);
    let weights: Vec<f32> = values.iter().map(|value| (value - highest).exp()).collect();
    let total: f32 = weights.iter().sum();
    for (index, (features, weight)) in features.iter().zip(&weights).enumerate() {
        let slope = weight / total - f32::from(u8::from(index == 0));
        add_gradient(gradient, features, sign * slope / scale * part);
    }
    (f64::from(total.ln() + highest - values[0]), values[0] >= highest)
}
