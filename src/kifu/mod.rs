//! Game records: every format is read into one [`Game`] type.
//!
//! Read so far are formats of one line a game ([`read_line`]): USI lines, and the tab-separated games file. A game whose
//! record holds an illegal move keeps the moves before it.

mod date;
mod game;
mod handicap;
mod line;
mod notation;
#[cfg(feature = "workshop")]
mod source;

pub use date::Date;
pub use game::{Cut, Ending, Game, Start};
pub use handicap::Handicap;
pub use line::{LineError, read_line};
pub use notation::japanese;
#[cfg(feature = "workshop")]
pub use source::{Chunk, SourceError, Sources};
