//! `komadai joseki`: the book workshop, one file a subcommand.

mod build;

use clap::Subcommand;

use super::Failure;

/// Opening books: build, look into, check
#[derive(Subcommand)]
pub enum Command {
    Build(build::Arguments),
}

pub fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Build(arguments) => build::run(arguments),
    }
}
