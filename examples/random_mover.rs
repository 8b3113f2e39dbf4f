//! A complete USI engine that plays any legal move, with the opening book, the settings and the whole protocol.

use std::process::ExitCode;

use komadai::rand::seq::IndexedRandom;
use komadai::sikou::{Answer, Sikou, Task};
use komadai::usi::{self, Identity};

struct RandomMover;

impl Sikou for RandomMover {
    fn think(&mut self, task: &mut Task<'_>) -> Answer {
        task.choices().choose(&mut task.rng).copied().into()
    }
}

fn main() -> ExitCode {
    usi::run(Identity::new("Random mover", "Me"), RandomMover)
}

#[test]
fn it_keeps_to_the_protocol() -> Result<(), komadai::testing::Failure> {
    komadai::testing::check(|| RandomMover)
}
