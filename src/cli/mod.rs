//! The command line: one file a subcommand.

mod bench;
mod joseki;
mod perft;

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use komadai::kyokumen::Kyokumen;

/// A shogi engine that speaks USI, and a workshop for opening books.
///
/// Without a subcommand it speaks USI on standard input and output, as a GUI expects.
#[derive(Parser)]
#[command(name = "komadai", version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Bench(bench::Arguments),
    #[command(subcommand)]
    Joseki(joseki::Command),
    Perft(perft::Arguments),
}

/// What went wrong, in one line for the user.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A failure that is the user's wrong usage, as if the parser of the command line had found it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Usage(&'static str);

/// Runs what the command line asks for; `None` where it names no subcommand.
pub fn run() -> Option<ExitCode> {
    let result = match Arguments::parse().command? {
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Joseki(command) => joseki::run(&command),
        Command::Perft(arguments) => perft::run(&arguments),
    };
    Some(match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            tell(&failure.to_string());
            if failure.is::<Usage>() { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    })
}

/// Writes to standard output. A command whose words reach nobody, for the disk is full or the reader is gone, has failed,
/// but must not panic as `println!` does.
fn out(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    written.map_err(|error| format!("can't write to standard output: {error}").into())
}

/// Writes a line to standard error; where that can't be, there is nobody left to tell.
fn tell(line: &str) {
    let _ = writeln!(io::stderr().lock(), "komadai: {line}");
}

/// Text for one line of a terminal: line ends and other control characters are escaped.
fn one_line(text: &str) -> String {
    let escaped = |c: char| if c.is_control() { c.escape_default().collect() } else { String::from(c) };
    text.chars().map(escaped).collect()
}

/// The name of a file without its folder.
fn name_of(path: &Path) -> Cow<'_, str> {
    path.file_name().unwrap_or_default().to_string_lossy()
}

/// Reads `startpos` or a SFEN, given as one argument.
fn read_kyokumen(text: &str) -> Result<Kyokumen, Failure> {
    if text == "startpos" { Ok(Kyokumen::hirate()) } else { Ok(Kyokumen::from_sfen(text)?) }
}
