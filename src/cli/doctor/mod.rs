//! `komadai doctor`: what the engine sees of its settings and books, and what is wrong with them.
//!
//! It asks the library for all of that, which finds it as a session of the engine does; only the advice is of its own.

mod advice;
mod figures;
mod hints;
mod report;

use std::path::PathBuf;

use clap::Args;

use komadai::settings::Settings;
use komadai::usi::{self, Inspection};

use super::joseki::print_json;
use super::{Failure, out};

use advice::Advice;
use figures::Figures;

/// Shows what the engine sees of settings, books and log, and what to do where a book is not used
///
/// It reads what the engine would read if it were started now from this folder, and changes nothing. What a GUI sets by
/// `setoption` can't be seen from here: the file of the option LogFile tells that. The exit code is 0 where all is
/// well, also if there are notes, and 1 where something is wrong.
#[derive(Args)]
pub struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// All that was found.
struct Findings {
    /// The program itself.
    program: Option<PathBuf>,
    settings: Settings,
    inspection: Inspection,
    /// Of each book that can be opened.
    figures: Vec<Option<Figures>>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let findings = Findings::gather();
    let advice = Advice::of(&findings);
    if arguments.json {
        print_json(&report::json(&findings, &advice))?;
    } else {
        out(&report::text(&findings, &advice))?;
    }
    match advice.wrong.len() {
        0 => Ok(()),
        1 => Err("1 thing is wrong".into()),
        number => Err(format!("{number} things are wrong").into()),
    }
}

impl Findings {
    fn gather() -> Findings {
        let settings = Settings::load();
        let inspection = usi::inspect(&settings);
        let mut figures = Vec::new();
        let mut before = Vec::new();
        for found in &inspection.books {
            let book = found.book.as_ref().ok();
            figures.push(book.map(|book| Figures::of(book, &before, &inspection.selection)));
            before.extend(book);
        }
        Findings { program: std::env::current_exe().ok(), settings, inspection, figures }
    }
}
