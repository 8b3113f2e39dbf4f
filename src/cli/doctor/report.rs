//! What was found, for people and for programs.

use std::path::Path;

use serde_json::{Value, json};

use komadai::kyokumen::instruction_set;
use komadai::usi::{BookOrigin, FoundBook};

use super::Findings;
use super::advice::Advice;
use super::figures::Figures;
use crate::cli::one_line;

/// How many moves of the start are shown.
const FIRST_MOVES: usize = 10;

/// Instructions of this processor that the engine can make use of.
fn processor() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    {
        macro_rules! found {
            ($($name:tt)*) => {
                [$(($name, std::arch::is_x86_feature_detected!($name))),*]
            };
        }
        let known = found!("popcnt" "bmi1" "bmi2" "lzcnt" "avx2" "avx512f" "avx512bw" "avx512vl" "avx512vbmi2");
        known.into_iter().filter(|(_, has)| *has).map(|(name, _)| name).collect()
    }
    #[cfg(not(target_arch = "x86_64"))]
    Vec::new()
}

/// The report for people, the advice last.
pub fn text(findings: &Findings, advice: &Advice) -> String {
    let mut lines = Lines::default();
    program(&mut lines, findings);
    settings(&mut lines, findings);
    books(&mut lines, findings);
    if let Some(log) = &findings.inspection.log {
        lines.head("log", &log.path.display().to_string());
    }
    if let Some(net) = &findings.inspection.net {
        lines.head("net", &net.path.display().to_string());
        if let Ok(architecture) = &net.architecture {
            lines.head("", architecture);
        }
    }
    lines.text.push('\n');
    for note in &advice.notes {
        lines.head("note", note);
    }
    for wrong in &advice.wrong {
        lines.head("wrong", wrong);
    }
    if advice.wrong.is_empty() {
        lines.head("result", "all is well");
    }
    lines.text
}

/// Lines with what they are about in front.
#[derive(Default)]
struct Lines {
    text: String,
}

impl Lines {
    fn head(&mut self, what: &str, words: &str) {
        let line = format!("{what:<11}{}", one_line(words));
        self.text += line.trim_end();
        self.text.push('\n');
    }

    fn more(&mut self, words: &str) {
        self.head("", words);
    }
}

fn program(lines: &mut Lines, findings: &Findings) {
    lines.head("version", env!("CARGO_PKG_VERSION"));
    let path = findings.program.as_deref().map_or("unknown".into(), |path| path.display().to_string());
    lines.head("program", &path);
    lines.head("system", &format!("{} {}", std::env::consts::OS, std::env::consts::ARCH));
    lines.head("processor", &processor().join(" "));
    lines.head("moves by", &format!("code for {}", instruction_set()));
}

fn settings(lines: &mut Lines, findings: &Findings) {
    let mut first = true;
    for (path, state) in findings.settings.files() {
        lines.head(if first { "settings" } else { "" }, &format!("{}: {state}", path.display()));
        first = false;
    }
    if named_by_environment() {
        lines.more("(named by KOMADAI_INI, so no other file counts)");
    }
    for (name, value, default, origin) in changed(findings) {
        let origin = origin.map(|path| format!(", from {}", path.display())).unwrap_or_default();
        lines.head("option", &format!("{name} = {value} (by default {default}{origin})"));
    }
}

fn named_by_environment() -> bool {
    std::env::var_os("KOMADAI_INI").is_some_and(|path| !path.is_empty())
}

/// Options that are not as they are built in: name, value, default, and the file that says so.
fn changed(findings: &Findings) -> impl Iterator<Item = (&str, &str, &str, Option<&Path>)> {
    let changed = findings.inspection.options.iter().filter(|setting| setting.value != setting.default);
    changed.map(|setting| {
        (setting.name, setting.value.as_str(), setting.default.as_str(), findings.settings.origin(setting.name))
    })
}

fn books(lines: &mut Lines, findings: &Findings) {
    let inspection = &findings.inspection;
    lines.head("books", if inspection.uses_book() { "are used" } else { "are not used" });
    for (found, figures) in inspection.books.iter().zip(&findings.figures) {
        lines.head("book", &found.name);
        match &found.origin {
            BookOrigin::File(path) => lines.more(&format!("found at {}", path.display())),
            BookOrigin::Program => lines.more("found in the program itself"),
            BookOrigin::Nowhere => lines.more("not found"),
        }
        let (Ok(book), Some(figures)) = (&found.book, figures) else { continue };
        lines.more(&format!(
            "format {}, {} bytes, {} positions, {} moves, {} with counts, {} with values",
            book.format().name(),
            book.size(),
            figures.positions,
            figures.moves,
            figures.counts,
            figures.values
        ));
        lines.more(&figures.checked());
        lines.more(&format!("first moves: {}", first_moves(figures)));
    }
}

fn first_moves(figures: &Figures) -> String {
    let candidates = &figures.start.candidates;
    let known = candidates.iter().take(FIRST_MOVES).map(|candidate| {
        let te = candidate.te.te;
        let count = candidate.te.known_count().map_or("no count".into(), |count| count.to_string());
        format!("{te} {count}{}", if candidate.playable { "" } else { " (not played)" })
    });
    let more = candidates.len().saturating_sub(FIRST_MOVES);
    let more = if more > 0 { format!(", {more} more") } else { String::new() };
    let known: Vec<String> = known.collect();
    if known.is_empty() { "none".into() } else { known.join(", ") + &more }
}

/// The report for programs.
pub fn json(findings: &Findings, advice: &Advice) -> Value {
    let inspection = &findings.inspection;
    let files =
        findings.settings.files().map(|(path, state)| json!({ "path": shown(path), "state": state.to_string() }));
    let options = changed(findings).map(|(name, value, default, origin)| {
        json!({ "name": name, "value": value, "default": default, "from": origin.map(shown) })
    });
    let books = inspection.books.iter().zip(&findings.figures).map(|(found, figures)| book(found, figures.as_ref()));
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "program": findings.program.as_deref().map(shown),
        "system": std::env::consts::OS,
        "architecture": std::env::consts::ARCH,
        "processor": processor(),
        "moves_by": instruction_set(),
        "settings": files.collect::<Vec<_>>(),
        "options": options.collect::<Vec<_>>(),
        "uses_book": inspection.uses_book(),
        "books": books.collect::<Vec<_>>(),
        "log": inspection.log.as_ref().map(|log| shown(&log.path)),
        "net": inspection.net.as_ref().map(|net| shown(&net.path)),
        "notes": advice.notes,
        "wrong": advice.wrong,
    })
}

fn book(found: &FoundBook, figures: Option<&Figures>) -> Value {
    let (origin, path) = match &found.origin {
        BookOrigin::File(path) => ("file", Some(shown(path))),
        BookOrigin::Program => ("program", None),
        BookOrigin::Nowhere => ("nowhere", None),
    };
    let open = found.book.as_ref().ok();
    let first_moves = figures.map(|figures| {
        let moves = figures.start.candidates.iter().map(|candidate| {
            let te = &candidate.te;
            json!({
                "usi": te.te.to_string(), "count": te.known_count(), "value": te.known_value(),
                "playable": candidate.playable,
            })
        });
        moves.collect::<Vec<_>>()
    });
    json!({
        "name": found.name,
        "origin": origin,
        "path": path,
        "places": found.places.iter().map(|path| shown(path)).collect::<Vec<_>>(),
        "format": open.map(|book| book.format().name()),
        "bytes": open.map(|book| book.size()),
        "positions": figures.map(|figures| figures.positions),
        "moves": figures.map(|figures| figures.moves),
        "counts_known": figures.map(|figures| figures.counts),
        "values_known": figures.map(|figures| figures.values),
        "positions_checked": figures.map(|figures| figures.verdict.positions),
        "damaged": figures.map(|figures| figures.verdict.damaged),
        "illegal": figures.map(|figures| figures.verdict.illegal),
        "repeated": figures.map(|figures| figures.verdict.repeated),
        "first_moves": first_moves,
    })
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
