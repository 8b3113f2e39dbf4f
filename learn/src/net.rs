//! From positions with results to a network that corrects a table.

use std::path::PathBuf;

use clap::Args;
use komadai::hyoka::net::{View, phase_index};
use komadai::hyoka::{Hyoka, Komagumi, phase};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::adam::Adam;
use crate::network::{NOTHING, Network, PIECES, SEEN, Seen};
use crate::sample::{Sample, Worth, loss, read_samples, sigmoid};
use crate::{Failure, bar, read_net, read_weights, write};

/// Makes a network by which, with a table, positions are worth what became of them
#[derive(Args)]
pub struct Arguments {
    /// Files of positions
    #[arg(required = true)]
    positions: Vec<PathBuf>,
    /// The table that it corrects: a file, standard or zero
    #[arg(long, default_value = "standard")]
    table: PathBuf,
    /// The network to begin with; a random one if none is given
    #[arg(long)]
    net: Option<PathBuf>,
    /// Where the new network goes
    #[arg(short, long)]
    output: PathBuf,
    #[arg(long, default_value_t = 6)]
    epochs: u32,
    /// Step of the first epoch; it falls to a twentieth
    #[arg(long, default_value_t = 0.001)]
    rate: f32,
    /// By how much of the step numbers shrink, so that those stay small of which games say little
    #[arg(long, default_value_t = 0.5)]
    decay: f32,
    #[command(flatten)]
    worth: Worth,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Positions to one step.
const BATCH: usize = 16_384;
/// Parts of a batch that threads work on; their sums are added up in order, so that their number changes nothing.
const PARTS: usize = 2;
/// One position in so many is held out, from the end of each file, where other games are.
const HELD_OUT: usize = 50;

/// A position as the network is shown it.
struct Shown {
    /// What the side to move sees, and the other.
    seen: [Seen; 2],
    /// The value by the table, as the logarithm of odds.
    base: f32,
    target: f32,
    phase: u8,
}

#[derive(Clone, Copy, Default)]
struct Report {
    loss: f64,
    positions: u64,
}

impl Report {
    fn add(self, other: Report) -> Report {
        Report { loss: self.loss + other.loss, positions: self.positions + other.positions }
    }

    fn show(&self) -> String {
        format!("loss {:.5}", self.loss / self.positions as f64)
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let komagumi = Komagumi::new(&read_weights(&arguments.table)?);
    let (mut shown, mut held_out) = (Vec::new(), Vec::new());
    for path in &arguments.positions {
        let all = read_samples(path, &arguments.worth)?;
        let (first, last) = all.split_at(all.len() - all.len() / HELD_OUT);
        shown.extend(show(first, &komagumi, &arguments.worth));
        held_out.extend(show(last, &komagumi, &arguments.worth));
    }
    if shown.is_empty() || held_out.is_empty() {
        return Err("too few positions".into());
    }
    let mut network = match &arguments.net {
        None => Network::random(arguments.seed),
        Some(path) => Network::from_net(&read_net(path)?),
    };
    let mut adam = Adam::new(Network::LENGTH);
    println!("positions {} held out {}", shown.len(), held_out.len());
    println!("table alone: held out {}", without(&held_out).show());
    println!("before: held out {}", assess(&network, &held_out).show());
    let mut rng = ChaCha8Rng::seed_from_u64(arguments.seed);
    let mut order: Vec<u32> = (0..shown.len() as u32).collect();
    for epoch in 0..arguments.epochs {
        order.shuffle(&mut rng);
        let mut report = Report::default();
        let progress = bar(shown.len() as u64, "positions");
        for (number, batch) in order.chunks(BATCH).enumerate() {
            let done = epoch as f32 + (number * BATCH) as f32 / shown.len() as f32;
            let rate = arguments.rate * (1.0 - 0.95 * done / arguments.epochs as f32);
            let (of_batch, mut gradient) = slopes(&network, batch, &shown);
            report = report.add(of_batch);
            adam.step(&mut network.numbers, &mut gradient, rate);
            network.shrink(rate * arguments.decay);
            network.hold();
            progress.inc(batch.len() as u64);
        }
        progress.finish_and_clear();
        println!("epoch {}: {}; held out {}", epoch + 1, report.show(), assess(&network, &held_out).show());
        write(&arguments.output, &network.to_net().to_bytes())?;
    }
    let whole = Network::from_net(&network.to_net());
    println!("in whole numbers: held out {}", assess(&whole, &held_out).show());
    Ok(())
}

/// The positions of even games, as the network is shown them.
fn show(samples: &[Sample], komagumi: &Komagumi, worth: &Worth) -> Vec<Shown> {
    let shown = samples.par_chunks(BATCH).map(|samples| {
        let mut komagumi = komagumi.clone();
        samples.iter().filter_map(|sample| show_one(sample, &mut komagumi, worth)).collect::<Vec<_>>()
    });
    shown.collect::<Vec<_>>().into_iter().flatten().collect()
}

fn show_one(sample: &Sample, komagumi: &mut Komagumi, worth: &Worth) -> Option<Shown> {
    let kyokumen = sample.packed.unpack()?;
    komagumi.reset(&kyokumen);
    let teban = kyokumen.teban();
    let mut seen = [[NOTHING; SEEN]; 2];
    for (seen, teban) in seen.iter_mut().zip([teban, !teban]) {
        let view = View::new(teban, kyokumen.ou(teban));
        let mut places = seen[PIECES..].iter_mut();
        view.each_attack(&kyokumen, |feature| places.by_ref().take(1).for_each(|place| *place = feature as u16));
        let mut places = seen[..PIECES].iter_mut();
        let mut fits = true;
        view.each(&kyokumen, |feature| match places.next() {
            Some(place) => *place = feature as u16,
            None => fits = false,
        });
        if !fits || places.next().is_some() {
            return None;
        }
    }
    Some(Shown {
        seen,
        base: komagumi.value(&kyokumen) as f32 / worth.scale,
        target: worth.of(sample),
        phase: phase_index(phase::of(&kyokumen)) as u8,
    })
}

/// The report and the mean slope over a batch.
fn slopes(network: &Network, batch: &[u32], all: &[Shown]) -> (Report, Vec<f32>) {
    let part = batch.len().div_ceil(PARTS);
    let parts: Vec<(Report, Vec<f32>)> = batch
        .par_chunks(part)
        .map(|numbers| {
            let (mut report, mut gradient) = (Report::default(), vec![0.0; Network::LENGTH]);
            for &number in numbers {
                let shown = &all[number as usize];
                let (seen, phase) = ([&shown.seen[0], &shown.seen[1]], usize::from(shown.phase));
                let (output, pass) = network.forward(seen, phase);
                let slope = judge(shown, output, &mut report) / batch.len() as f32;
                network.backward(seen, phase, &pass, slope, &mut gradient);
            }
            (report, gradient)
        })
        .collect();
    parts
        .into_iter()
        .reduce(|(report, mut sum), (more, gradient)| {
            sum.iter_mut().zip(gradient).for_each(|(sum, slope)| *sum += slope);
            (report.add(more), sum)
        })
        .unwrap_or_else(|| (Report::default(), vec![0.0; Network::LENGTH]))
}

fn assess(network: &Network, shown: &[Shown]) -> Report {
    over(shown, |shown| network.forward([&shown.seen[0], &shown.seen[1]], usize::from(shown.phase)).0)
}

fn without(shown: &[Shown]) -> Report {
    over(shown, |_| 0.0)
}

fn over(shown: &[Shown], output: impl Fn(&Shown) -> f32 + Sync) -> Report {
    let parts = shown.par_chunks(BATCH).map(|part| {
        let mut report = Report::default();
        part.iter().for_each(|shown| {
            judge(shown, output(shown), &mut report);
        });
        report
    });
    parts.collect::<Vec<_>>().into_iter().fold(Report::default(), Report::add)
}

/// Counts the loss, cross entropy, and gives its slope by the output.
fn judge(shown: &Shown, output: f32, report: &mut Report) -> f32 {
    let expected = sigmoid(shown.base + output);
    report.loss += f64::from(loss(expected, shown.target));
    report.positions += 1;
    expected - shown.target
}
