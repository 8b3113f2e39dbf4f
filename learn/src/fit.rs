//! From positions with results to a table.

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
use crate::sample::{Sample, Worth, loss, read_samples, sigmoid};
use crate::{Failure, bar, read_weights, write};

/// Makes a table by which positions are worth what became of them
#[derive(Args)]
pub struct Arguments {
    /// Files of positions
    #[arg(required = true)]
    positions: Vec<PathBuf>,
    /// The table to begin with: a file, standard or zero
    #[arg(long, default_value = "standard")]
    table: PathBuf,
    /// Where the new table goes
    #[arg(short, long)]
    output: PathBuf,
    #[arg(long, default_value_t = 10)]
    epochs: u32,
    /// Step of the first epoch, in centipawns; it falls to a tenth
    #[arg(long, default_value_t = 1.0)]
    rate: f32,
    #[command(flatten)]
    worth: Worth,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Positions to one step.
const BATCH: usize = 8_192;
/// Parts of a batch that threads work on; their sums are added up in order, so that their number changes nothing.
const PARTS: usize = 4;
/// One position in so many is held out, from the end of each file, where other games are.
const HELD_OUT: usize = 30;

/// What a set of positions says about a model.
#[derive(Clone, Copy, Default)]
struct Report {
    loss: f64,
    positions: u64,
    /// Positions of games that were not drawn, and those whose winner the value names.
    decided: u64,
    right: u64,
}

impl Report {
    fn add(self, other: Report) -> Report {
        Report {
            loss: self.loss + other.loss,
            positions: self.positions + other.positions,
            decided: self.decided + other.decided,
            right: self.right + other.right,
        }
    }

    fn show(&self) -> String {
        let (loss, right) = (self.loss / self.positions as f64, self.right as f64 * 100.0 / self.decided.max(1) as f64);
        format!("loss {loss:.5} right {right:.2}%")
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (mut samples, mut held_out) = (Vec::new(), Vec::new());
    for path in &arguments.positions {
        let mut all = read_samples(path, &arguments.worth)?;
        held_out.extend(all.split_off(all.len() - all.len() / HELD_OUT));
        samples.extend(all);
    }
    if samples.is_empty() || held_out.is_empty() {
        return Err("too few positions".into());
    }
    let mut model = Model::new(&read_weights(&arguments.table)?);
    let mut adam = Adam::new(Model::LENGTH);
    println!("positions {} held out {}", samples.len(), held_out.len());
    println!("before: held out {}", assess(&model, &held_out, &arguments.worth).show());
    let mut rng = ChaCha8Rng::seed_from_u64(arguments.seed);
    for epoch in 0..arguments.epochs {
        samples.shuffle(&mut rng);
        let rate = arguments.rate * (1.0 - 0.9 * epoch as f32 / arguments.epochs.max(2).saturating_sub(1) as f32);
        let mut report = Report::default();
        let progress = bar(samples.len() as u64, "positions");
        for batch in samples.chunks(BATCH) {
            let (of_batch, mut gradient) = slopes(&model, batch, &arguments.worth);
            report = report.add(of_batch);
            adam.step(&mut model.numbers, &mut gradient, rate);
            progress.inc(batch.len() as u64);
        }
        progress.finish_and_clear();
        let held_out = assess(&model, &held_out, &arguments.worth);
        println!("epoch {}: {}; held out {}", epoch + 1, report.show(), held_out.show());
    }
    write(&arguments.output, &model.to_weights().to_bytes())
}

/// The report and the mean slope over a batch.
fn slopes(model: &Model, batch: &[Sample], worth: &Worth) -> (Report, Vec<f32>) {
    let part = batch.len().div_ceil(PARTS);
    let parts: Vec<(Report, Vec<f32>)> = batch
        .par_chunks(part)
        .map(|samples| {
            let (mut report, mut gradient) = (Report::default(), vec![0.0; Model::LENGTH]);
            each(model, samples, worth, &mut report, |features, slope| {
                add_gradient(&mut gradient, features, slope / batch.len() as f32);
            });
            (report, gradient)
        })
        .collect();
    parts.into_iter().fold((Report::default(), vec![0.0; Model::LENGTH]), |(report, mut sum), (more, gradient)| {
        sum.iter_mut().zip(gradient).for_each(|(sum, slope)| *sum += slope);
        (report.add(more), sum)
    })
}

fn assess(model: &Model, samples: &[Sample], worth: &Worth) -> Report {
    let parts = samples.par_chunks(BATCH).map(|samples| {
        let mut report = Report::default();
        each(model, samples, worth, &mut report, |_, _| {});
        report
    });
    parts.collect::<Vec<_>>().into_iter().fold(Report::default(), Report::add)
}

/// Hands each position's features over with the slope of the loss, cross entropy, by its value.
fn each(model: &Model, samples: &[Sample], worth: &Worth, report: &mut Report, mut take: impl FnMut(&Features, f32)) {
    let mut features = Features::default();
    for sample in samples {
        let Some(kyokumen) = sample.packed.unpack() else { continue };
        features.fill(&kyokumen);
        let sign = if kyokumen.teban() == Teban::Sente { 1.0 } else { -1.0 };
        let value = sign * model.value(&features);
        let (expected, target) = (sigmoid(value / worth.scale), worth.of(sample));
        report.loss += f64::from(loss(expected, target));
        report.positions += 1;
        if sample.result != 0 {
            report.decided += 1;
            report.right += u64::from((value > 0.0) == (sample.result > 0));
        }
        take(&features, sign * (expected - target) / worth.scale);
    }
}
