//! The engine: USI without arguments, the workshop with them.

#[cfg(feature = "cli")]
mod cli;

use std::process::ExitCode;

use komadai::sikou::Tansaku;
use komadai::usi::{self, Identity};

fn main() -> ExitCode {
    #[cfg(feature = "cli")]
    if let Some(code) = cli::run() {
        return code;
    }
    usi::run(Identity::new(concat!("Komadai ", env!("CARGO_PKG_VERSION")), "the Komadai authors"), Tansaku::default())
}
