//! The command line: one file a subcommand.

mod bench;
mod doctor;
mod joseki;
mod perft;

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
#[cfg(unix)]
use std::sync::Arc;

use clap::{Parser, Subcommand};
#[cfg(unix)]
use signal_hook::consts::SIGXFSZ;

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
    Doctor(doctor::Arguments),
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

/// A path for a message. Nothing in it is escaped, for on Windows that would double each backslash.
fn quoted(path: &Path) -> String {
    format!("\"{}\"", path.display())
}

/// Runs what the command line asks for; `None` where it names no subcommand.
pub fn run() -> Option<ExitCode> {
    #[cfg(unix)]
    fail_at_the_limit();
    let result = match Arguments::parse().command? {
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
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

/// Has writing beyond the system's limit on the size of a file fail, as on a full disk, instead of killing the process:
/// so no temporary file is left, and it is told.
#[cfg(unix)]
fn fail_at_the_limit() {
    // A handler that does nothing of use is enough. Where it can't be set all is as it was.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

/// Writes to standard output. A command whose words reach nobody, for the disk is full or the reader is gone, has
/// failed, but must not panic as `println!` does.
fn out(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    written.map_err(|error| format!("can't write to standard output: {error}").into())
}

/// Writes a line to standard error; where that can't be, there is nobody left to tell. Names of files may stand in it
/// as they are.
fn tell(line: &str) {
    let _ = writeln!(io::stderr().lock(), "komadai: {}", one_line(line));
}

/// Text for one line of a terminal: line ends and whatever else a terminal would obey rather than show are escaped.
fn one_line(text: &str) -> String {
    let escaped = |c: char| if is_obeyed(c) { c.escape_default().collect() } else { String::from(c) };
    text.chars().map(escaped).collect()
}

/// Control characters, ends of lines and paragraphs, and Unicode's format characters (category Cf), which turn text
/// round or hide in it.
fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}' | '\u{891}' | '\u{8e2}'
            | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0001}'..='\u{e007f}')
}

/// The name of a file without its folder.
fn name_of(path: &Path) -> Cow<'_, str> {
    path.file_name().unwrap_or_default().to_string_lossy()
}

/// Reads `startpos` or a SFEN, given as one argument.
fn read_kyokumen(text: &str) -> Result<Kyokumen, Failure> {
    if text == "startpos" { Ok(Kyokumen::hirate()) } else { Ok(Kyokumen::from_sfen(text)?) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_nothing_that_it_would_obey() {
        let escaped = |c: char| one_line(&c.to_string()) != c.to_string();
        for c in '\0'..=char::MAX {
            // The standard library judges for itself what can't be shown; it counts other blanks and more among that.
            assert!(!escaped(c) || c.escape_debug().next() == Some('\\'), "{c:?}");
            assert!(escaped(c) || !c.is_control(), "{c:?}");
        }
        assert_eq!(one_line("a\u{1b}[2J\u{202e}b\n\u{200b}"), "a\\u{1b}[2J\\u{202e}b\\n\\u{200b}");
        for text in ["▲７六歩　同", "か\u{3099}", "é 'x' \\ \"y\"", "\u{fffd}", "👨"] {
            assert_eq!(one_line(text), text);
        }
    }
}
