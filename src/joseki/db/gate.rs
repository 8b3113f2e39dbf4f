//! Holds up the look at a whole file once somebody reads all of it for another purpose: a copy needs the processors
//! itself, and nothing that the look finds. Who looks positions up has it go on.

use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::{Condvar, Mutex};

#[derive(Debug, Default)]
pub(super) struct Gate {
    shut: AtomicBool,
    /// Whether it can't be shut any more.
    fixed: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    /// Waits until the gate is open.
    pub(super) fn pass(&self) {
        let mut fixed = self.fixed.lock();
        while self.shut.load(Ordering::Relaxed) {
            self.opened.wait(&mut fixed);
        }
    }

    pub(super) fn shut(&self) {
        let fixed = self.fixed.lock();
        self.shut.store(!*fixed, Ordering::Relaxed);
    }

    /// Opens the gate for good, for somebody who waits for the end of the look.
    pub(super) fn open_for_good(&self) {
        *self.fixed.lock() = true;
        self.open();
    }

    /// Opens the gate; costs next to nothing where it is open.
    #[inline]
    pub(super) fn open(&self) {
        if self.shut.load(Ordering::Relaxed) {
            let _fixed = self.fixed.lock();
            self.shut.store(false, Ordering::Relaxed);
            self.opened.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_passes_once_the_gate_is_opened() {
        let gate = Gate::default();
        gate.pass();
        gate.shut();
        std::thread::scope(|scope| {
            let passed = scope.spawn(|| gate.pass());
            gate.open();
            assert!(passed.join().is_ok());
        });
        gate.shut();
        gate.open_for_good();
        gate.shut();
        gate.pass();
    }
}
