//! An engine with options and an INI file of its own.

use std::process::ExitCode;

use komadai::hyoka::{Centipawn, Hyoka, Material};
use komadai::kyokumen::{Kyokumen, Masu, Teban};
use komadai::settings::Settings;
use komadai::sikou::{Answer, Config, OwnOption, Report, Sikou, Tansaku, Task};
use komadai::usi::{self, Identity};

/// Material, and so much for each square under control.
#[derive(Clone, Default)]
struct Bold {
    boldness: Centipawn,
}

impl Hyoka for Bold {
    fn value(&mut self, kyokumen: &Kyokumen) -> Centipawn {
        let controlled = |teban: Teban| Masu::all().filter(|&masu| kyokumen.control(teban, masu) != 0).count() as i32;
        let (own, other) = (kyokumen.teban(), kyokumen.teban().opponent());
        let mut material = Material::default();
        material.reset(kyokumen);
        material.value(kyokumen) + self.boldness * (controlled(own) - controlled(other))
    }
}

struct Moody {
    tansaku: Tansaku<Bold>,
    greeting: String,
}

impl Sikou for Moody {
    fn think(&mut self, task: &mut Task<'_>) -> Answer {
        if !self.greeting.is_empty() {
            (task.report)(&Report::Text(std::mem::take(&mut self.greeting)));
        }
        self.tansaku.think(task)
    }

    fn configure(&mut self, config: &Config) {
        self.tansaku.configure(config);
    }

    fn options(&self) -> Vec<OwnOption<Moody>> {
        vec![
            OwnOption::spin("Boldness", 5, -50..=50, |moody: &mut Moody, value| {
                moody.tansaku.set_hyoka(Bold { boldness: value as i32 });
            })
            .kept(),
            OwnOption::text("Greeting", "Hello!", |moody: &mut Moody, text| moody.greeting = text.to_owned()).kept(),
            OwnOption::button("Forget", |moody: &mut Moody| moody.tansaku.new_game()),
        ]
    }

    fn new_game(&mut self) {
        self.tansaku.new_game();
    }
}

fn moody() -> Moody {
    Moody { tansaku: Tansaku::new(Bold::default()), greeting: String::new() }
}

fn main() -> ExitCode {
    usi::run_with(Identity::new("Moody", "Me"), moody(), Settings::load_for("moody"))
}

#[test]
fn it_keeps_to_the_protocol() -> Result<(), komadai::testing::Failure> {
    komadai::testing::check(moody)
}
