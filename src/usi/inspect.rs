//! What a session would see at its start, found by the code that a session uses.

use std::io;
use std::path::PathBuf;

use crate::hyoka::{Nnue, NnueError};
use crate::joseki::{Joseki, JosekiError, Selection};
use crate::settings::Settings;

use super::books::{self, Source};
use super::log::Files;
use super::options::{Options, is_option};
use super::places::{folders, path_to_read, path_to_write, places};

/// What a session with some settings would begin with.
#[derive(Debug)]
pub struct Inspection {
    /// All options, in the order in which `usi` lists them.
    pub options: Vec<Setting>,
    /// What of the settings can't be used, in sentences, in ASCII.
    pub misfits: Vec<String>,
    /// Keys of the settings that name no option, in small letters.
    pub unknown_keys: Vec<String>,
    /// The option `UseBook`.
    pub use_book: bool,
    /// The option `USI_OwnBook`.
    pub own_book: bool,
    /// By which rules a book move is chosen.
    pub selection: Selection,
    /// The books that `BookFile` names, in the order in which they are asked, whether they are used or not.
    pub books: Vec<FoundBook>,
    /// Where the log goes; `None` without one.
    pub log: Option<FoundLog>,
    /// The net that `EvalFile` names; `None` without one.
    pub net: Option<FoundNet>,
}

/// An option as it stands at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name.
    pub name: &'static str,
    /// Its value as text; `<empty>` for an empty one.
    pub value: String,
    /// The value that is built in.
    pub default: String,
}

/// A book that an option names.
#[derive(Debug)]
pub struct FoundBook {
    /// The name as it was given, without quotes.
    pub name: String,
    /// Where a file of that name was looked for, the first place first.
    pub places: Vec<PathBuf>,
    /// Where it is.
    pub origin: BookOrigin,
    /// The open book, or why it can't be opened.
    pub book: Result<Joseki, JosekiError>,
}

/// Where a book was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BookOrigin {
    /// In this file, one of the places.
    File(PathBuf),
    /// In the program itself, for there is no file of its name.
    Program,
    /// Nowhere.
    Nowhere,
}

/// The log that an option names.
#[derive(Debug)]
pub struct FoundLog {
    /// The file.
    pub path: PathBuf,
    /// Whether it can be written.
    pub writable: io::Result<()>,
}

/// The net that an option names.
#[derive(Debug)]
pub struct FoundNet {
    /// The file.
    pub path: PathBuf,
    /// What people call its architecture, or why it can't be used.
    pub architecture: Result<String, NnueError>,
}

/// What a session with these settings would begin with. Nothing is changed.
pub fn inspect(settings: &Settings) -> Inspection {
    let (options, misfits) = Options::new(settings);
    let values = options.values();
    let setting = |value: super::options::Value<'_>| Setting {
        name: value.name,
        value: value.text.to_owned(),
        default: value.default,
    };
    let unknown = settings.values().map(|(key, _)| key).filter(|key| !is_option(key)).map(str::to_owned);
    Inspection {
        options: values.map(setting).collect(),
        misfits,
        unknown_keys: unknown.collect(),
        use_book: options.use_book,
        own_book: options.own_book,
        selection: options.selection,
        books: books::split(&options.book_file).map(FoundBook::of).collect(),
        log: (!options.log_file.is_empty()).then(|| FoundLog::of(&options.log_file)),
        net: (!options.eval_file.trim().is_empty()).then(|| FoundNet::of(&options.eval_file)),
    }
}

impl Inspection {
    /// Whether books are asked at all.
    pub fn uses_book(&self) -> bool {
        self.use_book && self.own_book
    }
}

impl FoundBook {
    fn of(name: &str) -> FoundBook {
        let folders = folders();
        let source = books::locate(name, &folders);
        let origin = match &source {
            Source::Standard => BookOrigin::Program,
            Source::File(path, ..) if path.exists() => BookOrigin::File(path.clone()),
            Source::File(..) => BookOrigin::Nowhere,
        };
        FoundBook { name: name.to_owned(), places: places(name, &folders), origin, book: source.open() }
    }
}

impl FoundNet {
    fn of(name: &str) -> FoundNet {
        let path = path_to_read(name);
        FoundNet { architecture: Nnue::open(&path).map(|nnue| nnue.architecture()), path }
    }
}

impl FoundLog {
    fn of(name: &str) -> FoundLog {
        let path = path_to_write(name);
        FoundLog { writable: Files::check(&path), path }
    }
}
