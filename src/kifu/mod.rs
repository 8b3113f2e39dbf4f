//! Game records: every format is read into one [`Game`] type.
//!
//! CSA, KIF, KI2, JKF, USI lines and the tab-separated games file are read. [`recognise`] tells the format of a text,
//! [`read_records`] reads its games, and [`read_line`] one of the last two formats, which have a game a line. A game
//! whose record holds an illegal move keeps the moves before it. The feature `workshop` is needed for JKF, and for
//! `Sources`, which finds records in files, folders and archives of any size.

mod builder;
mod csa;
mod csa_board;
mod csa_result;
mod date;
mod diagram;
mod ending;
mod game;
mod handicap;
#[cfg(feature = "workshop")]
mod jkf;
mod ki2;
mod kif;
mod line;
mod notation;
mod origin;
mod recognise;
mod record;
#[cfg(feature = "workshop")]
mod source;
mod step;
mod variation;

pub use date::Date;
pub use ending::Ending;
pub use game::{Cut, Game, Start};
pub use handicap::Handicap;
pub use line::{LineError, read_line};
pub use notation::{japanese, ki2_name, mark};
pub use recognise::recognise;
pub use record::{Reading, RecordError, RecordFormat, read_records};
#[cfg(feature = "workshop")]
pub use source::{Chunk, Portion, SourceError, Sources};
pub use variation::Variation;
