//! Komadai: a shogi engine that speaks USI, and the parts to build your own.
//!
//! A whole engine, with opening book and settings, of which only the choice of a move is one's own:
//!
//! ```no_run
//! use komadai::sikou::{Answer, Sikou, Task};
//! use komadai::usi::{self, Identity};
//!
//! struct Mine;
//!
//! impl Sikou for Mine {
//!     fn think(&mut self, task: &mut Task<'_>) -> Answer {
//!         task.kyokumen.legal_te().first().copied().into()
//!     }
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     usi::run(Identity::new("Mine", "Me"), Mine)
//! }
//! ```

pub mod atomic;
pub mod hyoka;
pub mod joseki;
pub mod kifu;
pub mod kyokumen;
pub mod settings;
pub mod sikou;
mod text;
pub mod usi;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
