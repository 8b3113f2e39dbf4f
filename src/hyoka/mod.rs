//! Evaluation: what a position is worth.
//!
//! [`Hyoka`] is the trait that the search asks; write your own and hand it to the search. [`Learned`] is the default,
//! [`Nnue`] a net from a file of the user's, [`Material`] the smallest that plays.

mod komagumi;
mod learned;
pub mod material;
pub mod net;
mod nnue;
pub mod phase;
mod tables;
pub mod weights;

pub use komagumi::Komagumi;
pub use learned::Learned;
pub use material::Material;
pub use net::Net;
pub use nnue::{Nnue, NnueError};
pub use weights::Weights;

use crate::kyokumen::{Change, Kyokumen};

/// A value in hundredths of a pawn.
pub type Centipawn = i32;

/// An evaluation: what an author writes who has our search play by it.
///
/// The smallest implements [`value`](Hyoka::value) alone and counts anew each time. A faster one keeps sums: the search
/// calls [`reset`](Hyoka::reset) once at the root, then [`push`](Hyoka::push) after each move and [`pop`](Hyoka::pop)
/// after each move taken back, in pairs, so that what is kept always belongs to the position that `value` is asked
/// about; [`material::gain`] is an example of what can be had from a [`Change`]. A search that was stopped leaves in
/// order, by `pop`; after a panic the next `reset` begins anew. Of a null move, by which a side passes, the evaluation
/// is not told: what changes is whose turn it is, which `value` finds in the position.
///
/// [`Tansaku::new`](crate::sikou::Tansaku::new) takes any evaluation that can be cloned, for each search thread gets
/// one of its own, made from the first; large tables belong into an `Arc`.
pub trait Hyoka: Send {
    /// Starts anew from a position, whatever was before.
    fn reset(&mut self, kyokumen: &Kyokumen) {
        let _ = kyokumen;
    }

    /// A move was made; `kyokumen` is the position after it.
    fn push(&mut self, kyokumen: &Kyokumen, change: &Change) {
        let _ = (kyokumen, change);
    }

    /// The move was taken back; `kyokumen` is the position before it, again.
    fn pop(&mut self, kyokumen: &Kyokumen, change: &Change) {
        let _ = (kyokumen, change);
    }

    /// The value of the position in centipawns from the side to move, positive where he stands better; values beyond
    /// 30,000 either way are cut to that, for behind it mates begin.
    ///
    /// Equal positions must get equal values, since the search keeps values in its table; what changes them, as an
    /// option does, goes through [`Tansaku::set_hyoka`](crate::sikou::Tansaku::set_hyoka). Must not block, and is
    /// called some hundred thousand times a second.
    fn value(&mut self, kyokumen: &Kyokumen) -> Centipawn;
}
