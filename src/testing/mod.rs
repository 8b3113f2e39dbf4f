//! Scripted USI sessions with an engine, for its author's tests.
//!
//! [`check`] holds an engine to the rules of the protocol and of [`Sikou`](crate::sikou::Sikou), in sessions of all
//! kinds. That is one test, and worth having from the first day:
//!
//! ```
//! use komadai::sikou::{Answer, Sikou, Task};
//!
//! struct Mine;
//!
//! impl Sikou for Mine {
//!     fn think(&mut self, task: &mut Task<'_>) -> Answer {
//!         task.choices().first().copied().into()
//!     }
//! }
//!
//! fn main() -> Result<(), komadai::testing::Failure> {
//!     komadai::testing::check(|| Mine)
//! }
//! ```
//!
//! [`Gui`] is for sessions of one's own: it sends commands, waits for answers without sleeping, and looks at every line
//! on the way. The engine runs in the same process, or wherever its input and output lead. What is wrong comes as a
//! [`Failure`] with the whole session in it; in a test that returns it, it is shown readably.
//!
//! ```
//! use komadai::hyoka::Material;
//! use komadai::sikou::{Answer, Tansaku};
//! use komadai::testing::{Failure, Gui};
//!
//! fn main() -> Result<(), Failure> {
//!     let mut gui = Gui::new(Tansaku::new(Material::default()));
//!     gui.start()?;
//!     gui.set_option("USI_Hash", "16")?;
//!     // A gold mates.
//!     gui.position("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1")?;
//!     let Answer::Play { te, .. } = gui.go("depth 3")? else { panic!("no move") };
//!     assert_eq!(te.to_string(), "G*5b");
//!     gui.quit()
//! }
//! ```
//!
//! # What is checked of every line
//! - Nothing is said before `usi` or `isready`, and only lines that the protocol knows, in printable ASCII.
//! - `id`, `option` and one `usiok` answer `usi`, one `readyok` each `isready`. Options are well formed, their defaults
//!   are values of theirs, and no name comes twice.
//! - Each `go` gets one `bestmove`, or one `checkmate` where it was `go mate`, and none before its time: in
//!   `go infinite` and `go ponder` only after `stop`, `ponderhit` or what ends the search otherwise.
//! - The move is legal and among those of `searchmoves`; so are the moves of each `pv`; the expected reply is legal.
//!   `win` is true, and `resign` comes where there is no move. A mate consists of checks and legal replies, and mates.
//! - `info` has fields that are known, each once, with values that can be, and nothing behind `pv`. The last `pv` of
//!   a search begins with the move that is played: some GUIs take its score as that of the move.
//! - The session puts an engine's slips right. With an engine in this process they are failures all the same: illegal
//!   moves and replies, wins that are none, mates that can't be played, and panics.

mod check;
mod gui;
mod lines;
mod pipe;
mod referee;
mod transcript;
mod watched;

pub use check::{check, check_within};
pub use gui::Gui;
pub use transcript::Failure;
