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
//!         task.choices().first().copied().into()
//!     }
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     usi::run(Identity::new("Mine", "Me"), Mine)
//! }
//! ```
//!
//! | to write | implement, or use |
//! | --- | --- |
//! | an engine | [`sikou::Sikou`], which says what is expected of it, and [`usi::run`] |
//! | an evaluation | [`hyoka::Hyoka`], and hand it to [`sikou::Tansaku`], the library's search |
//! | a search | [`kyokumen::Kyokumen`] makes moves, [`hyoka::Learned`] values them, [`sikou::Timer`] keeps the time |
//! | options of its own | [`sikou::OwnOption`]; [`settings::Settings::load_for`] for an INI file of its own |
//! | tests of it | [`testing::check`], and [`testing::Gui`] for sessions of one's own |
//! | matches against other engines | [`client::Engine`], which starts one and talks to it |
//! | something with books | [`joseki::Joseki`] and [`joseki::Selection`] |
//! | something with game records | [`kifu::read_records`] |
//!
//! The guide `docs/build-your-own.md` goes from an empty folder to an engine in a GUI in four steps, which stand in
//! `examples/` too; `docs/library.md` lists the public parts, and what may change between versions; `docs/glossary.md`
//! explains the words.
//!
//! # Features
//! Both are on by default, and an engine needs neither: `workshop` makes books of records and of books, `cli` is the
//! command line of the program `komadai`. An engine of one's own asks for `default-features = false`.
//!
//! # Conventions
//! Values are in hundredths of a pawn, from the side to move unless it is said otherwise; times are `Duration`s; depths
//! and numbers of moves are in plies. Nothing but [`usi`] reads or writes the standard streams, nothing but [`client`]
//! starts programs, and files are touched by [`settings`], [`joseki`], the log, and what opens records and nets.
//! Whatever is read may be damaged: that is an error or a remark, never a panic.

#[doc(hidden)] // For the command line.
pub mod atomic;
pub mod client;
pub mod hyoka;
pub mod joseki;
pub mod kifu;
pub mod kyokumen;
pub mod settings;
pub mod sikou;
pub mod testing;
mod text;
pub mod usi;

/// Random numbers: the crate that [`sikou::Task::rng`] is part of, in the version that fits.
pub use rand;

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
