//! An engine with an evaluation of its own in the search of the library: it likes its pieces far ahead.

use std::process::ExitCode;

use komadai::hyoka::{Centipawn, Hyoka, Material};
use komadai::kyokumen::{Change, Koma, Kyokumen, Masu, Teban};
use komadai::sikou::Tansaku;
use komadai::usi::{self, Identity};

/// Counts the material, and the ranks by which pieces stand ahead; both are kept up move by move.
#[derive(Clone, Default)]
struct Forward {
    material: Material,
    /// Sente's minus Gote's.
    ahead: Centipawn,
}

impl Hyoka for Forward {
    fn reset(&mut self, kyokumen: &Kyokumen) {
        self.material.reset(kyokumen);
        self.ahead = Masu::all().map(|masu| ahead(kyokumen.koma(masu), masu)).sum();
    }

    fn push(&mut self, kyokumen: &Kyokumen, change: &Change) {
        self.material.push(kyokumen, change);
        self.ahead += difference(change);
    }

    fn pop(&mut self, kyokumen: &Kyokumen, change: &Change) {
        self.material.pop(kyokumen, change);
        self.ahead -= difference(change);
    }

    fn value(&mut self, kyokumen: &Kyokumen) -> Centipawn {
        let ahead = if kyokumen.teban() == Teban::Sente { self.ahead } else { -self.ahead };
        self.material.value(kyokumen) + 3 * ahead
    }
}

/// The ranks between a piece and the first one of its side: for Sente positive, for Gote negative, for no piece 0.
fn ahead(koma: Koma, masu: Masu) -> Centipawn {
    koma.teban().map_or(0, |teban| {
        let ranks = 9 - i32::from(masu.dan().seen_by(teban).number());
        if teban == Teban::Sente { ranks } else { -ranks }
    })
}

/// What a move changed.
fn difference(change: &Change) -> Centipawn {
    let (from, to) = (change.te.from(), change.te.to());
    let before = from.map_or(0, |from| ahead(change.before, from)) + ahead(change.captured, to);
    ahead(change.after, to) - before
}

fn main() -> ExitCode {
    usi::run(Identity::new("Forward", "Me"), Tansaku::new(Forward::default()))
}

#[test]
fn it_keeps_to_the_protocol() -> Result<(), komadai::testing::Failure> {
    komadai::testing::check(|| Tansaku::new(Forward::default()))
}
