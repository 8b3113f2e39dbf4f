//! Nets of the kind called NNUE, from the files that YaneuraOu and tanuki- made the standard in shogi.
//!
//! [`Nnue`] is the evaluation of such a file. `features` numbers the pieces, `sums` keeps the sums of the first layer
//! through moves, `layers` makes a value of them, `simd` knows the processors, and `file` reads files. All is exact
//! arithmetic in integers, so a file gives the same values on every machine. How many sums a side has is a parameter of
//! the types; files have 256.
//!
//! The small network that comes along with the engine is of another kind, [`Net`](super::Net).
//!
//! In a game at odds, YaneuraOu counts a feature that stands for nothing once for each missing piece. No game teaches a
//! net its weights, so it is left out here.

mod features;
mod file;
mod layers;
mod simd;
mod sums;
#[cfg(test)]
mod tests;

use std::fmt;
use std::io::Read;
use std::path::Path;

use super::{Centipawn, Hyoka};
use crate::kyokumen::{Change, Kyokumen};

use features::{HalfKp, Kp};
pub use file::NnueError;
use file::Source;
use layers::Net;
use sums::Work;

type HalfKpNet = Net<HalfKp, 256>;
type KpNet = Net<Kp, 256>;

/// By how much the number that comes out is larger than a value in YaneuraOu (there called `FV_SCALE`).
const SCALE: i64 = 16;

/// The value of a pawn in YaneuraOu; ours is 100.
const PAWN: i64 = 90;

/// The largest value that is given.
const MAX: i64 = 29_000;

/// The evaluation of a net from a file: HalfKP or K-P, with 256 sums a side and two layers of 32.
///
/// Clones share the net, of up to 64 MB, and keep sums of their own.
#[derive(Clone)]
pub struct Nnue(Kind);

#[derive(Clone)]
enum Kind {
    HalfKp(Work<HalfKp, 256>),
    Kp(Work<Kp, 256>),
}

impl Nnue {
    /// Opens a file.
    ///
    /// # Errors
    /// Where the file can't be read, is no such net, or not exactly as long as the net. Nothing that depends on the
    /// file's length is allocated before that is clear.
    pub fn open(path: impl AsRef<Path>) -> Result<Nnue, NnueError> {
        Nnue::from_source(Source::open(path.as_ref())?)
    }

    /// Reads what a file of so many bytes holds.
    ///
    /// # Errors
    /// As for [`Nnue::open`].
    pub fn read(source: impl Read, length: u64) -> Result<Nnue, NnueError> {
        Nnue::from_source(Source::new(source, length)?)
    }

    fn from_source(mut source: Source<impl Read>) -> Result<Nnue, NnueError> {
        if let Some(net) = source.read() {
            return net.map(|net| Nnue(Kind::HalfKp(Work::new(net))));
        }
        if let Some(net) = source.read() {
            return net.map(|net| Nnue(Kind::Kp(Work::new(net))));
        }
        Err(source.unknown())
    }

    /// What people call the architecture: `HalfKP 256x2-32-32`.
    pub fn architecture(&self) -> String {
        match self.0 {
            Kind::HalfKp(_) => HalfKpNet::name(),
            Kind::Kp(_) => KpNet::name(),
        }
    }

    /// The number that comes out of the net for a position, from the side to move.
    fn output(&mut self, kyokumen: &Kyokumen) -> i32 {
        match &mut self.0 {
            Kind::HalfKp(work) => work.output(kyokumen),
            Kind::Kp(work) => work.output(kyokumen),
        }
    }
}

impl fmt::Debug for Nnue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Nnue").field(&self.architecture()).finish()
    }
}

impl Hyoka for Nnue {
    fn reset(&mut self, _: &Kyokumen) {
        match &mut self.0 {
            Kind::HalfKp(work) => work.reset(),
            Kind::Kp(work) => work.reset(),
        }
    }

    fn push(&mut self, kyokumen: &Kyokumen, change: &Change) {
        match &mut self.0 {
            Kind::HalfKp(work) => work.push(kyokumen, change),
            Kind::Kp(work) => work.push(kyokumen, change),
        }
    }

    fn pop(&mut self, _: &Kyokumen, _: &Change) {
        match &mut self.0 {
            Kind::HalfKp(work) => work.pop(),
            Kind::Kp(work) => work.pop(),
        }
    }

    fn value(&mut self, kyokumen: &Kyokumen) -> Centipawn {
        (i64::from(self.output(kyokumen)) * 100 / (SCALE * PAWN)).clamp(-MAX, MAX) as Centipawn
    }
}
