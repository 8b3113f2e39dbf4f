//! The other side of the protocol: an engine in a process of its own, which is started, asked and heard.
//!
//! That is for matches against another engine, for its values, and for tests of a whole program;
//! [`testing`](crate::testing) is for tests of an engine by the rules of the protocol.
//!
//! ```no_run
//! use std::path::Path;
//! use std::time::Duration;
//!
//! use komadai::client::{ClientError, Engine};
//!
//! fn main() -> Result<(), ClientError> {
//!     let mut engine = Engine::start(Path::new("../other/engine"))?;
//!     println!("{}", engine.handshake()?.name);
//!     engine.set_option("USI_Hash", "64")?;
//!     engine.new_game()?;
//!     engine.position("startpos moves 7g7f")?;
//!     let played = engine.go("btime 0 wtime 0 byoyomi 1000", Duration::from_secs(2), |info| {
//!         println!("depth {:?}: {:?}", info.depth, info.score);
//!     })?;
//!     println!("{} after {:?}", played.te, played.took);
//!     engine.quit().map(drop)
//! }
//! ```
//!
//! # What an engine may do
//! Anything: nothing that it does or leaves undone keeps the caller waiting beyond the time that is given, and three
//! seconds to learn how it ended, or takes more than some dozens of MiB. Of a line that is longer than 16 KiB the
//! beginning is kept, and bytes that are no UTF-8 are replaced. One that floods has to wait once a thousand lines have
//! not been read yet, one that does not read its input is given up, and one that does not end is killed when its
//! [`Engine`] is dropped: the process that was started, not those that it has started. Each [`ClientError`] names the
//! program, what it was asked, and what it said last.
//!
//! # Clocks
//! Threads of their own write and read, and note when: a line counts from the moment at which its writing begins, and
//! an answer comes at the moment at which its line is read, however late somebody looks.

mod engine;
mod error;
mod info;
mod introduction;
mod streams;

pub use engine::{Engine, PATIENCE, Played};
pub use error::ClientError;
pub use info::Info;
pub use introduction::Introduction;
pub use streams::Said;
