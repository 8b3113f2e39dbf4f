//! An engine with a search of its own: alpha-beta with the evaluation and the time management of the library.

use std::process::ExitCode;

use komadai::hyoka::{Hyoka, Learned};
use komadai::kyokumen::{Kyokumen, Te, TeList};
use komadai::sikou::{Answer, Line, Report, Score, Sikou, Task, Timer};
use komadai::usi::{self, Identity};

const MATE: i32 = 31_000;

struct OwnSearch(Learned);

impl Sikou for OwnSearch {
    fn think(&mut self, task: &mut Task<'_>) -> Answer {
        self.0.reset(task.kyokumen);
        let kyokumen = task.kyokumen.clone();
        let mut tree = Tree { kyokumen, hyoka: &mut self.0, timer: task.timer(), nodes: 0, stopped: false };
        let mut best = task.choices().first().copied();
        for depth in 1..=task.limits.depth.unwrap_or(50) {
            let (value, pv) = tree.search(task.choices(), depth, -MATE, MATE);
            if tree.stopped {
                break;
            }
            best = pv.first().copied().or(best);
            let (score, nodes, time) = (Some(Score::Cp(value)), tree.nodes, tree.timer.elapsed());
            (task.report)(&Report::Line(Line { depth, score, nodes, time, pv, ..Line::default() }));
            if tree.timer.is_enough(100) || task.limits.nodes.is_some_and(|limit| nodes >= limit) {
                break;
            }
        }
        best.into()
    }
}

struct Tree<'a> {
    kyokumen: Kyokumen,
    hyoka: &'a mut Learned,
    timer: Timer<'a>,
    nodes: u64,
    stopped: bool,
}

impl Tree<'_> {
    /// The value from the side to move, and the line that leads to it.
    fn search(&mut self, moves: TeList, depth: u32, mut alpha: i32, beta: i32) -> (i32, Vec<Te>) {
        self.nodes += 1;
        self.stopped |= self.nodes.is_multiple_of(256) && self.timer.must_stop(false);
        let (mut best, mut line) = (-MATE, Vec::new());
        for te in moves {
            let change = self.kyokumen.do_te(te);
            self.hyoka.push(&self.kyokumen, &change);
            let (value, behind) = match depth {
                1 => (self.hyoka.value(&self.kyokumen), Vec::new()),
                _ => self.search(self.kyokumen.legal_te(), depth - 1, -beta, -alpha),
            };
            self.kyokumen.undo_te(&change);
            self.hyoka.pop(&self.kyokumen, &change);
            if -value > best {
                (best, line) = (-value, [vec![te], behind].concat());
            }
            alpha = alpha.max(best);
            if alpha >= beta || self.stopped {
                break;
            }
        }
        (best, line)
    }
}

fn main() -> ExitCode {
    usi::run(Identity::new("Own search", "Me"), OwnSearch(Learned::default()))
}

#[test]
fn it_keeps_to_the_protocol() -> Result<(), komadai::testing::Failure> {
    komadai::testing::check(|| OwnSearch(Learned::default()))
}
