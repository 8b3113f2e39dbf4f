//! Makes the numbers of the evaluation.
//!
//! The way from games to a table, each step a subcommand; docs/strength.md tells it with figures:
//!
//! 1. `moves`: positions of strong players with their moves and others, from recorded games.
//! 2. `choose`: a table by which the moves played look better than the others.
//! 3. `play`: games of the engine against itself, as positions with results and values.
//! 4. `fit`: a table by which positions are worth what became of them.
//! 5. `net`: a network that corrects a table.
//! 6. `match`: whether they play better than others. `arena` asks the same of whole engines.
//!
//! Equal seeds give equal files, whatever the number of threads.

mod adam;
mod arena;
mod choose;
mod elo;
mod features;
mod fit;
mod games;
mod matches;
mod model;
mod moves;
mod net;
mod network;
mod play;
mod player;
mod quiet;
mod sample;
mod threads;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use komadai::hyoka::{Komagumi, Learned, Net, Weights};

/// Any error, for people.
type Failure = Box<dyn Error + Send + Sync>;

#[derive(Parser)]
#[command(about, version)]
enum Command {
    Moves(moves::Arguments),
    Choose(choose::Arguments),
    Play(play::Arguments),
    Fit(fit::Arguments),
    Net(net::Arguments),
    Match(matches::Arguments),
    Arena(arena::Arguments),
    Threads(threads::Arguments),
}

fn main() -> ExitCode {
    let outcome = match Command::parse() {
        Command::Moves(arguments) => moves::run(&arguments),
        Command::Choose(arguments) => choose::run(&arguments),
        Command::Play(arguments) => play::run(&arguments),
        Command::Fit(arguments) => fit::run(&arguments),
        Command::Net(arguments) => net::run(&arguments),
        Command::Match(arguments) => matches::run(&arguments),
        Command::Arena(arguments) => arena::run(&arguments),
        Command::Threads(arguments) => threads::run(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Reads a table: `standard` is the one that comes with the engine, `zero` has nothing but the material.
fn read_weights(path: &Path) -> Result<Weights, Failure> {
    match path.to_str() {
        Some("standard") => Ok(Weights::standard()),
        Some("zero") => Ok(Weights::default()),
        _ => Ok(Weights::from_bytes(&read(path)?).map_err(|error| named(path, &error))?),
    }
}

/// Reads an evaluation: a table alone, or a table and a network with + between; what comes with the engine is
/// `standard+standard`.
fn read_learned(text: &str) -> Result<Learned, Failure> {
    let (table, net) = text.split_once('+').map_or((text, None), |(table, net)| (table, Some(net)));
    let net = net.map_or_else(|| Ok(Net::default()), |net| read_net(Path::new(net)))?;
    Ok(Learned::new(Komagumi::new(&read_weights(Path::new(table))?), net))
}

/// Reads a network: `standard` is the one that comes with the engine.
fn read_net(path: &Path) -> Result<Net, Failure> {
    match path.to_str() {
        Some("standard") => Ok(Net::standard()),
        _ => Ok(Net::from_bytes(&read(path)?).map_err(|error| named(path, &error))?),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(path).map_err(|error| named(path, &error))
}

fn write(path: &PathBuf, bytes: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, bytes).map_err(|error| named(path, &error))
}

fn named(path: &Path, error: &dyn Error) -> Failure {
    format!("{}: {error}", path.display()).into()
}

/// A progress bar over so many steps.
fn bar(length: u64, what: &'static str) -> indicatif::ProgressBar {
    let style = indicatif::ProgressStyle::with_template("{msg} {pos}/{len} [{elapsed} + {eta}]");
    let bar = indicatif::ProgressBar::new(length).with_message(what);
    if let Ok(style) = style { bar.with_style(style) } else { bar }
}
