//! The engine: USI without arguments, the workshop with them.

#[cfg(feature = "cli")]
mod cli;

use std::process::ExitCode;

#[cfg(feature = "cli")]
fn main() -> ExitCode {
    cli::run()
}

#[cfg(not(feature = "cli"))]
fn main() -> ExitCode {
    ExitCode::SUCCESS
}
