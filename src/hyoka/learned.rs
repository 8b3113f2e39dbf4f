//! The default evaluation: komagumi, corrected by a small network.

use std::sync::Arc;

use super::net::{Net, Stack};
use super::{Centipawn, Hyoka, Komagumi};
use crate::kyokumen::{Change, Kyokumen};

/// The sum of [`Komagumi`] and a [`Net`], both learned.
#[derive(Clone, Debug)]
pub struct Learned {
    komagumi: Komagumi,
    net: Arc<Net>,
    stack: Stack,
}

impl Default for Learned {
    fn default() -> Learned {
        Learned::new(Komagumi::default(), Net::standard())
    }
}

impl Learned {
    /// The evaluation with these numbers.
    pub fn new(komagumi: Komagumi, net: Net) -> Learned {
        Learned { komagumi, net: Arc::new(net), stack: Stack::default() }
    }
}

impl Hyoka for Learned {
    fn reset(&mut self, kyokumen: &Kyokumen) {
        self.komagumi.reset(kyokumen);
        self.stack.reset(kyokumen);
    }

    #[inline]
    fn push(&mut self, kyokumen: &Kyokumen, change: &Change) {
        self.komagumi.push(kyokumen, change);
        self.stack.push(kyokumen, change);
    }

    #[inline]
    fn pop(&mut self, kyokumen: &Kyokumen, change: &Change) {
        self.komagumi.pop(kyokumen, change);
        self.stack.pop();
    }

    fn value(&mut self, kyokumen: &Kyokumen) -> Centipawn {
        let phase = self.komagumi.phase();
        self.komagumi.value(kyokumen) + self.stack.value(&self.net, kyokumen, phase)
    }
}
