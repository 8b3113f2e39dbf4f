//! What is wrong, and what to do about it.

use std::io;
use std::path::{Path, PathBuf};

use crate::cli::quoted;

use komadai::joseki::{Format, JosekiError, Probe, Select, Verdict};
use komadai::settings::FileState;
use komadai::usi::{BookOrigin, FoundBook};

use super::figures::{Figures, refusal};
use super::{Findings, hints};

/// Sentences for the user.
#[derive(Default)]
pub struct Advice {
    /// What keeps the engine from doing as the settings say, or books from being used.
    pub wrong: Vec<String>,
    /// What is well, but perhaps not as it was meant.
    pub notes: Vec<String>,
}

impl Advice {
    pub fn of(findings: &Findings) -> Advice {
        let mut advice = Advice::default();
        advice.on_program(findings);
        advice.on_settings(findings);
        advice.on_switches(findings);
        let books = findings.inspection.books.iter().zip(&findings.figures);
        for (found, figures) in books {
            advice.on_place(found, findings.program.as_deref());
            match (&found.book, figures) {
                (Ok(book), Some(figures)) => {
                    advice.on_faults(found, book.format(), figures);
                    advice.on_book(found, figures, findings);
                }
                (Err(error), _) => advice.on_failure(found, error),
                (Ok(_), None) => {}
            }
        }
        advice.on_log(findings);
        advice.on_net(findings);
        advice
    }

    fn wrong(&mut self, text: String) {
        self.wrong.push(text);
    }

    fn note(&mut self, text: String) {
        self.notes.push(text);
    }

    fn on_program(&mut self, findings: &Findings) {
        let Some(program) = &findings.program else {
            return self.note("the system does not tell where this program is, so nothing is found beside it".into());
        };
        let shown = quoted(program);
        match program.to_str() {
            None => self.note(format!("the path of the program, {shown}, is not in UTF-8: some GUIs can't start it")),
            Some(path) if !hints::fits_cp932(path) => self.note(format!(
                "the path of the program, {shown}, has letters that CP932 lacks: some GUIs can't start it"
            )),
            Some(_) => {}
        }
    }

    fn on_settings(&mut self, findings: &Findings) {
        let (settings, inspection) = (&findings.settings, &findings.inspection);
        for error in settings.errors() {
            self.wrong(format!("{error}; none of its settings counts"));
        }
        for (path, state) in settings.files() {
            if state == (FileState::Read { keys: 0 }) {
                let path = quoted(path);
                self.wrong(format!("{path} sets nothing: settings must stand below a line [CustomSettings]"));
            }
        }
        self.wrong.extend(inspection.misfits.iter().cloned());
        for key in &inspection.unknown_keys {
            let path = quoted(settings.origin(key).unwrap_or(Path::new("")));
            self.wrong(format!("\"{key}\" in {path} is the name of no option and does nothing"));
        }
        if let Some(Err(error)) = settings.target() {
            self.wrong(format!(
                "{error}; what the GUI sets for BookFile and UseBook is forgotten when the engine ends"
            ));
        }
    }

    fn on_switches(&mut self, findings: &Findings) {
        let inspection = &findings.inspection;
        for (name, on) in [("UseBook", inspection.use_book), ("USI_OwnBook", inspection.own_book)] {
            if !on {
                let place =
                    findings.settings.origin(name).map(|path| format!(" in {}", quoted(path))).unwrap_or_default();
                self.wrong(format!("{name} is false{place}, so no book is used: set it to true"));
            }
        }
        if inspection.books.is_empty() {
            self.wrong("BookFile is empty, so no book is used: name one".into());
        }
        match inspection.selection.ignore_rate {
            0 => {}
            100 => self.wrong("BookIgnoreRate is 100, so books are passed over everywhere: set it to 0".into()),
            rate => self.note(format!("BookIgnoreRate is {rate}: books are passed over in {rate}% of positions")),
        }
    }

    fn on_place(&mut self, found: &FoundBook, program: Option<&Path>) {
        let name = &found.name;
        let BookOrigin::File(path) = &found.origin else { return };
        let beside = program.and_then(Path::parent);
        if Path::new(name).is_relative() && beside.is_none_or(|folder| !path.starts_with(folder)) {
            self.note(format!(
                "\"{name}\" was found in the current folder, which is another one when a GUI starts the engine: put it \
                 beside the program, or give its whole path"
            ));
        }
        if !hints::fits_cp932(name) {
            self.note(format!(
                "\"{name}\" has letters that CP932 lacks: a GUI that speaks CP932 can't send this name, only komadai.ini can"
            ));
        }
    }

    fn on_failure(&mut self, found: &FoundBook, error: &JosekiError) {
        let name = &found.name;
        let path = match &found.origin {
            BookOrigin::File(path) => path,
            _ => return self.on_missing(found, error),
        };
        if path.is_dir() {
            return self.wrong(format!("\"{name}\" is a folder, {}: name a file in it", quoted(path)));
        }
        let hint = hints::of_content(path).filter(|_| matches!(error, JosekiError::Unknown { .. }));
        let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
        self.wrong(format!("{error}{hint}"));
    }

    fn on_missing(&mut self, found: &FoundBook, error: &JosekiError) {
        let name = &found.name;
        let places: Vec<String> = found.places.iter().map(|path| quoted(&in_full(path))).collect();
        let reason = match error {
            JosekiError::Read { source, .. } if source.kind() != io::ErrorKind::NotFound => format!(" ({source})"),
            _ => String::new(),
        };
        let what_to_do = hints::of_name(name).unwrap_or("put it beside the program, or give its whole path");
        self.wrong(format!("\"{name}\" is not there{reason}; looked for: {}; {what_to_do}", places.join(", ")));
    }

    /// The own format has sums, by which damage is known for sure. In others it may be somebody's habit.
    fn on_faults(&mut self, found: &FoundBook, format: Format, figures: &Figures) {
        let (Some(first), verdict, name) = (&figures.first_fault, &figures.verdict, &found.name) else { return };
        // Order alone, if all is found, is no matter of concern.
        if verdict.damaged + verdict.illegal + verdict.repeated == 0 {
            return;
        }
        let faults = format!("{}, the first: {first}; `komadai joseki verify` lists all", faults(verdict));
        if verdict.damaged > 0 && format == Format::Own {
            self.wrong(format!(
                "\"{name}\" is damaged, so moves may be missing or have wrong figures: get it once more, or build it \
                 anew; {faults}"
            ));
        } else {
            self.note(format!("\"{name}\": the engine passes over {faults}"));
        }
    }

    fn on_book(&mut self, found: &FoundBook, figures: &Figures, findings: &Findings) {
        let name = &found.name;
        let selection = &findings.inspection.selection;
        // Of a large book the position where games begin may not have been checked.
        let start = figures.start.notes.iter().filter(|note| figures.verdict.partial && note.contains("not legal"));
        for warning in figures.warnings.iter().chain(start) {
            self.note(format!("\"{name}\": {warning}"));
        }
        if figures.moves == 0 {
            return self.wrong(format!("\"{name}\" is empty: no move can be reached in it"));
        }
        let set = rules_that_are_set(findings);
        if let Some(refusal) = refusal(&figures.start) {
            self.wrong(format!("\"{name}\" is not used at the start: {refusal}{set}"));
        } else if figures.tried > 0 && figures.played == 0 {
            let refusal = figures.refusal.as_deref().unwrap_or("none played");
            self.wrong(format!("\"{name}\" is used in none of {} positions tried: {refusal}{set}", figures.tried));
        } else if figures.start.candidates.is_empty() {
            self.note(format!("\"{name}\" does not know the even start, so it is not used from the first move on"));
        }
        if figures.tried > 0 && figures.known_before == figures.tried {
            self.note(format!("\"{name}\" is not asked in any position tried, for a book before it knows them all"));
        }
        match selection.select {
            Select::Count if figures.counts == 0 => self.note(format!(
                "\"{name}\" has no counts, so BookSelect count plays all moves alike that are within BookEvalDiff of the \
                 best: set BookSelect to best or value"
            )),
            Select::Value if figures.values == 0 => {
                self.note(format!("\"{name}\" has no values, so BookSelect value chooses by count: make some by `komadai joseki evaluate`"));
            }
            Select::Count | Select::Best if left_out_by_value(&figures.start) > 0 => self.note(format!(
                "\"{name}\" has values: at the start BookEvalDiff {} leaves out {} of {} moves",
                selection.eval_diff,
                left_out_by_value(&figures.start),
                figures.start.candidates.len()
            )),
            _ => {}
        }
    }

    fn on_net(&mut self, findings: &Findings) {
        if let Some(net) = &findings.inspection.net
            && let Err(error) = &net.architecture
        {
            self.wrong(format!("the net {} of EvalFile is not used: {error}", quoted(&net.path)));
        }
    }

    fn on_log(&mut self, findings: &Findings) {
        if let Some(log) = &findings.inspection.log
            && let Err(error) = &log.writable
        {
            self.wrong(format!("the log {} can't be written: {error}", quoted(&log.path)));
        }
    }
}

/// What a check found, as words with numbers.
fn faults(verdict: &Verdict) -> String {
    let kinds =
        [(verdict.damaged, "damaged place"), (verdict.illegal, "illegal move"), (verdict.repeated, "repetition")];
    let found = kinds.into_iter().filter(|&(number, _)| number > 0);
    let words = found.map(|(number, what)| format!("{number} {what}{}", if number == 1 { "" } else { "s" }));
    words.collect::<Vec<_>>().join(", ")
}

/// Moves that are not played although nothing but their value speaks against them.
fn left_out_by_value(probe: &Probe) -> usize {
    let known = || probe.candidates.iter();
    let Some(best) = known().filter_map(|candidate| candidate.te.known_value()).max() else { return 0 };
    let is_worse = |value: i32| value < best;
    let refused = known().filter(|candidate| !candidate.playable && candidate.te.known_value().is_some_and(is_worse));
    if probe.chosen.is_some() { refused.count() } else { 0 }
}

/// The options that keep moves out and are not as they are built in.
fn rules_that_are_set(findings: &Findings) -> String {
    let rules = ["BookMoves", "BookMinCount", "BookMinShare", "BookEvalDiff"];
    let is_set = |setting: &&komadai::usi::Setting| rules.contains(&setting.name) && setting.value != setting.default;
    let set = findings.inspection.options.iter().filter(is_set);
    let set: Vec<String> = set.map(|setting| format!("{} is {}", setting.name, setting.value)).collect();
    if set.is_empty() { String::new() } else { format!("; {}", set.join(", ")) }
}

/// A path that says where it is, also if it is relative.
fn in_full(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
