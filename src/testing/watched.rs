//! An engine under watch: what the session would put right, and so hide, is written down.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use parking_lot::Mutex;

use crate::hyoka::{Centipawn, Nnue};
use crate::kyokumen::{Declaration, Kyokumen, Taikyoku};
use crate::sikou::{Answer, Config, MateAnswer, OwnOption, Sikou, Task};

/// What was found, and what the engine is at.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug, Default)]
struct Shared {
    fault: Option<String>,
    thinking: bool,
}

impl Notes {
    /// The first fault, if there is one.
    pub fn fault(&self) -> Option<String> {
        self.shared.lock().fault.clone()
    }

    /// Whether the engine thinks.
    pub fn is_thinking(&self) -> bool {
        self.shared.lock().thinking
    }

    fn add(&self, fault: String) {
        self.shared.lock().fault.get_or_insert(fault);
    }

    /// Does something of the engine's; a panic of it is written down and goes on.
    fn during<T>(&self, what: &str, work: impl FnOnce() -> T) -> T {
        catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
            self.add(format!("the engine panicked in {what}: {}", message(payload.as_ref())));
            self.shared.lock().thinking = false;
            resume_unwind(payload)
        })
    }

    fn thinking<T>(&self, what: &str, work: impl FnOnce() -> T) -> T {
        self.shared.lock().thinking = true;
        let result = self.during(what, work);
        self.shared.lock().thinking = false;
        result
    }
}

fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message")
}

pub(super) struct Watched<E> {
    engine: E,
    notes: Notes,
}

impl<E: Sikou> Watched<E> {
    pub fn new(engine: E) -> (Watched<E>, Notes) {
        let notes = Notes::default();
        (Watched { engine, notes: notes.clone() }, notes)
    }
}

impl<E: Sikou + 'static> Sikou for Watched<E> {
    fn think(&mut self, task: &mut Task<'_>) -> Answer {
        let answer = self.notes.thinking("think", || self.engine.think(task));
        if let Some(fault) = fault_of(&answer, task) {
            self.notes.add(format!("{fault}, in {}", task.kyokumen.to_sfen()));
        }
        answer
    }

    fn solve_mate(&mut self, task: &mut Task<'_>) -> MateAnswer {
        let answer = self.notes.thinking("solve_mate", || self.engine.solve_mate(task));
        if let MateAnswer::Checkmate(list) = &answer {
            let mut taikyoku = Taikyoku::new(task.kyokumen.clone());
            if list.is_empty() || !list.iter().all(|&te| taikyoku.play(te)) {
                let moves: String = list.iter().map(|te| format!(" {te}")).collect();
                let sfen = task.kyokumen.to_sfen();
                self.notes.add(format!("solve_mate returned a mate that can't be played:{moves}, in {sfen}"));
            }
        }
        answer
    }

    fn configure(&mut self, config: &Config) {
        self.notes.during("configure", || self.engine.configure(config));
    }

    fn options(&self) -> Vec<OwnOption<Self>> {
        let watch = |option: OwnOption<E>| {
            let (declared, mut put) = option.split();
            let (notes, what) = (self.notes.clone(), format!("the option {}", declared.name));
            let put = move |watched: &mut Watched<E>, value| notes.during(&what, || put(&mut watched.engine, value));
            OwnOption::join(declared, Box::new(put))
        };
        self.engine.options().into_iter().map(watch).collect()
    }

    fn use_nnue(&mut self, nnue: Option<Nnue>) -> bool {
        self.notes.during("use_nnue", || self.engine.use_nnue(nnue))
    }

    fn new_game(&mut self) {
        self.notes.during("new_game", || self.engine.new_game());
    }

    fn evaluate(&mut self, kyokumen: &Kyokumen) -> Option<Centipawn> {
        self.notes.during("evaluate", || self.engine.evaluate(kyokumen))
    }
}

fn fault_of(answer: &Answer, task: &Task<'_>) -> Option<String> {
    let kyokumen = task.kyokumen;
    match *answer {
        Answer::Play { te, .. } if !kyokumen.is_legal(te) => Some(format!("think returned {te}, which is illegal")),
        Answer::Play { te, .. } if !task.limits.searchmoves.is_empty() && !task.limits.searchmoves.contains(&te) => {
            Some(format!("think returned {te}, which is none of searchmoves"))
        }
        Answer::Play { te, ponder: Some(reply) } => {
            let mut after = kyokumen.clone();
            after.do_te(te);
            (!after.is_legal(reply)).then(|| format!("think expects {reply} after {te}, which is illegal"))
        }
        Answer::Win if kyokumen.nyugyoku(task.config.nyugyoku_rule) != Some(Declaration::Win) => {
            Some("think declared a win that is none".into())
        }
        Answer::Play { .. } | Answer::Win | Answer::Resign => None,
    }
}
