//! Evaluation: what a position is worth.
//!
//! [`Hyoka`] is the trait that the search asks; write your own and hand it to the search. [`Komagumi`] is the default,
//! [`Material`] the smallest that plays.

mod komagumi;
mod learned;
pub mod material;
pub mod net;
pub mod phase;
mod tables;
pub mod weights;

pub use komagumi::Komagumi;
pub use learned::Learned;
pub use material::Material;
pub use net::Net;
pub use weights::Weights;

use crate::kyokumen::{Change, Kyokumen};

/// A value in hundredths of a pawn.
pub type Centipawn = i32;

/// An evaluation, told of every move so that it may keep sums instead of counting anew.
///
/// The search calls [`reset`](Hyoka::reset) once at the root, then [`push`](Hyoka::push) after each move and
/// [`pop`](Hyoka::pop) after each move taken back, in pairs. An evaluation that keeps nothing implements
/// [`value`](Hyoka::value) alone. Of a null move, by which a side passes, it is not told: what changes is whose turn it
/// is, which `value` finds in the position.
pub trait Hyoka: Send {
    /// Starts anew from a position.
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

    /// The value of the position from the side to move, well within 30,000 either way. Must not block.
    fn value(&mut self, kyokumen: &Kyokumen) -> Centipawn;
}
