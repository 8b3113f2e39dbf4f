//! The engines of the sessions.

use std::thread;

use komadai::kyokumen::{Kyokumen, Te};
use komadai::sikou::{Answer, Line, MateAnswer, Report, Sikou, Task};

/// Engines that do one thing, whatever they are asked.
pub struct TestEngine {
    pub name: String,
}

impl Sikou for TestEngine {
    fn think(&mut self, task: &mut Task<'_>) -> Answer {
        let first = task.choices().first().copied();
        match self.name.as_str() {
            // Answers at once, also where that is too early.
            "first" => first.into(),
            // Thinks until it is told to stop.
            "patient" => {
                (task.report)(&line(1, first));
                wait(|| task.stop.is_stopped());
                first.into()
            }
            // Tells the limits, and ponders until the hit or a stop.
            "clock" => {
                let text = format!("limits {:?} {:?}", task.limits.clocks, task.limits.movetime);
                (task.report)(&Report::Text(text));
                if task.limits.ponder {
                    wait(|| task.stop.is_stopped() || task.stop.ponder_hit_at().is_some());
                    let clocks = task.stop.ponder_hit_at().and_then(|hit| hit.clocks);
                    (task.report)(&Report::Text(format!("hit {clocks:?}")));
                }
                first.into()
            }
            // Tells its options.
            "options" => {
                (task.report)(&Report::Text(format!("{:?}", task.config)));
                first.into()
            }
            // Draws a number.
            "random" => {
                (task.report)(&Report::Text(format!("drew {}", task.rng.next_u64())));
                first.into()
            }
            // Reports a worse line last.
            "lines" => {
                (task.report)(&line(1, first));
                (task.report)(&line(2, task.kyokumen.legal_te().last().copied()));
                first.into()
            }
            "illegal" => Answer::Play { te: "5e5d".parse().unwrap(), ponder: None },
            "illegal-ponder" => Answer::Play { te: first.unwrap(), ponder: first },
            "claims" => Answer::Win,
            "resigns" => Answer::Resign,
            "deaf" => loop {
                thread::park();
            },
            "panics" => panic!("as it was meant to"),
            other => panic!("no engine {other:?}"),
        }
    }

    fn solve_mate(&mut self, task: &mut Task<'_>) -> MateAnswer {
        match self.name.as_str() {
            "patient" => {
                wait(|| task.stop.is_stopped());
                MateAnswer::Timeout
            }
            "illegal" => MateAnswer::Checkmate(vec!["5e5d".parse().unwrap()]),
            "panics" => panic!("as it was meant to"),
            "clock" => {
                (task.report)(&Report::Text(format!("limits {:?}", task.limits.movetime)));
                MateAnswer::NoMate
            }
            _ => mate_in_one(task.kyokumen).map_or(MateAnswer::NoMate, |te| MateAnswer::Checkmate(vec![te])),
        }
    }
}

fn line(multipv: u32, te: Option<Te>) -> Report {
    Report::Line(Line { depth: 1, multipv, pv: te.into_iter().collect(), ..Line::default() })
}

fn wait(done: impl Fn() -> bool) {
    while !done() {
        thread::yield_now();
    }
}

fn mate_in_one(kyokumen: &Kyokumen) -> Option<Te> {
    kyokumen.legal_te().into_iter().find(|&te| {
        let mut after = kyokumen.clone();
        after.do_te(te);
        after.is_oute() && !after.has_legal_te()
    })
}
