//! Which book files an option names, and the open books.

use std::fs::Metadata;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::joseki::{Joseki, JosekiError};

use super::options::STANDARD_BOOK;
use super::places::{folders, places, portable, unquoted};

/// The open books, in the order in which they are asked.
#[derive(Debug, Default)]
pub(super) struct Books {
    open: Vec<Joseki>,
    /// What was opened; `None` where that did not succeed, or nothing was tried yet.
    opened: Option<(String, Vec<Source>)>,
}

/// Where a book comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A file, with its time of change and its length when it was looked at.
    File(PathBuf, Option<SystemTime>, u64),
    /// The book in the program itself.
    Standard,
}

impl Books {
    /// All open books.
    pub fn as_slice(&self) -> &[Joseki] {
        &self.open
    }

    /// Opens what the option names, unless just that is open already; with `look_again` it also matters whether a file
    /// has changed. Returns what the user should know, also what was found in open books since the last time.
    pub fn update(&mut self, names: &str, look_again: bool) -> Vec<String> {
        let mut notes = self.late_notes();
        notes.extend(self.reopen(names, look_again));
        notes
    }

    fn late_notes(&self) -> Vec<String> {
        let of_book = |book: &Joseki| {
            let name = book.file_name();
            book.late_warnings().iter().map(|warning| format!("{name}: {warning}")).collect::<Vec<_>>()
        };
        self.open.iter().flat_map(of_book).collect()
    }

    fn reopen(&mut self, names: &str, look_again: bool) -> Vec<String> {
        let same_names = self.opened.as_ref().is_some_and(|(opened, _)| opened == names);
        if same_names && !look_again {
            return Vec::new();
        }
        let sources: Vec<Source> = split(names).map(|name| locate(name, &folders())).collect();
        if same_names && self.opened.as_ref().is_some_and(|(_, opened)| *opened == sources) {
            return Vec::new();
        }
        let mut notes = Vec::new();
        let mut complete = true;
        self.open.clear();
        for source in &sources {
            match source.open() {
                Ok(book) => {
                    notes.extend(book.warnings().iter().map(|warning| format!("{}: {warning}", book.file_name())));
                    self.open.push(book);
                }
                Err(error) => {
                    complete = false;
                    notes.push(error.to_string());
                }
            }
        }
        // What failed is tried again the next time that somebody looks.
        self.opened = Some((names.to_owned(), if complete { sources } else { Vec::new() }));
        notes
    }
}

impl Source {
    fn of(path: PathBuf, data: &Metadata) -> Source {
        Source::File(path, data.modified().ok(), data.len())
    }

    pub fn open(&self) -> Result<Joseki, JosekiError> {
        match self {
            Source::File(path, ..) => Joseki::open(path),
            Source::Standard => Joseki::standard(),
        }
    }
}

/// The names in an option: separated by `;`, blanks and quotes around each taken off.
pub(super) fn split(names: &str) -> impl Iterator<Item = &str> {
    names.split(';').map(unquoted).filter(|name| !name.is_empty())
}

/// The first file of that name; without any, the name as it is, whose opening will say why not.
pub(super) fn locate(name: &str, folders: &[PathBuf]) -> Source {
    for path in places(name, folders) {
        if let Ok(data) = path.metadata() {
            return Source::of(path, &data);
        }
    }
    if portable(name) == STANDARD_BOOK { Source::Standard } else { Source::File(name.into(), None, 0) }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    fn path(source: Source) -> PathBuf {
        match source {
            Source::File(path, ..) => path,
            Source::Standard => panic!("the book in the program"),
        }
    }

    #[test]
    fn several_names_are_separated_and_freed_of_quotes() {
        let names: Vec<&str> = split(" \"C:\\my books\\a.db\" ; b.joseki;; ").collect();
        assert_eq!(names, ["C:\\my books\\a.db", "b.joseki"]);
        assert_eq!(split("").count(), 0);
    }

    #[test]
    fn a_relative_name_is_looked_up_in_one_folder_after_the_other() {
        let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let folders = [first.path().to_owned(), second.path().to_owned()];
        fs::create_dir(second.path().join("my books")).unwrap();
        let book = second.path().join("my books/a.db");
        fs::write(&book, "").unwrap();
        assert_eq!(path(locate("my books/a.db", &folders)), book);
        assert_eq!(path(locate("my books\\a.db", &folders)), book);
        assert_eq!(path(locate(book.to_str().unwrap(), &folders)), book, "an absolute name stays");
        fs::create_dir(first.path().join("my books")).unwrap();
        fs::write(first.path().join("my books/a.db"), "").unwrap();
        assert_eq!(path(locate("my books/a.db", &folders)), first.path().join("my books/a.db"));
    }

    #[test]
    fn the_standard_book_is_inside_the_program_where_no_file_of_its_name_exists() {
        let folder = tempfile::tempdir().unwrap();
        let folders = [folder.path().to_owned()];
        assert_eq!(locate("joseki/standard.joseki", &folders), Source::Standard);
        assert_eq!(locate("joseki\\standard.joseki", &folders), Source::Standard);
        fs::create_dir(folder.path().join("joseki")).unwrap();
        fs::write(folder.path().join("joseki/standard.joseki"), "").unwrap();
        assert_eq!(path(locate(STANDARD_BOOK, &folders)), folder.path().join(STANDARD_BOOK));
        assert_eq!(path(locate("other.joseki", &folders)), Path::new("other.joseki"));
    }

    #[test]
    fn a_book_that_can_not_be_opened_is_tried_again_when_somebody_looks() {
        let mut books = Books::default();
        assert_eq!(books.update("no such book.db", true).len(), 1);
        assert!(books.update("no such book.db", false).is_empty());
        assert_eq!(books.update("no such book.db", true).len(), 1);
        assert!(books.update("", true).is_empty());
    }

    #[test]
    fn what_is_found_behind_the_opening_is_told_the_next_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("late.db");
        let rank = |king: char, before: usize| format!("{before}{king}{}", 8 - before).replace('0', "");
        let mut blocks = Vec::new();
        for (a, b, hands) in (0..81).flat_map(|n| (1..=18).map(move |hands| (n / 9, n % 9, hands))) {
            let sfen = format!("{}/9/9/9/9/9/9/9/{} b {hands}p", rank('k', a), rank('K', b)).replace(" 1p", " p");
            blocks.push(format!("sfen {sfen} 1\n{}", "# a remark\n".repeat(70)));
        }
        blocks.sort();
        // Two positions change places where no sample is taken.
        blocks.swap(700, 701);
        fs::write(&path, blocks.concat()).unwrap();
        let mut books = Books::default();
        let name = path.to_str().unwrap();
        assert!(books.update(name, true).is_empty());
        books.open[0].settle();
        let notes = books.update(name, false);
        assert_eq!(notes, ["late.db: line 49772 is out of order, so all positions are found through an index now"]);
        assert!(books.update(name, true).is_empty());
    }
}
