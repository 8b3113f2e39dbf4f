//! What is wrong with records: counted by kind, and listed.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use komadai::atomic::Replacement;

use crate::cli::{Failure, one_line, tell};

/// Something that is wrong with a record.
pub struct Fault {
    /// Where it stands among all records, so that whoever reads them in whatever order tells the same.
    pub place: Place,
    /// The file, and the line in it, where it has one.
    pub file: String,
    pub line: Option<u64>,
    /// The same for all faults alike.
    pub kind: &'static str,
    /// Whether something of the record was taken all the same.
    pub kept: bool,
    pub what: String,
}

/// Number of the portion, of the fault in it.
pub type Place = (u64, u64);

/// The faults of all records.
#[derive(Default)]
pub struct Faults {
    kinds: BTreeMap<&'static str, Kind>,
    /// The list, as it comes; only where it is asked for.
    list: Option<BufWriter<File>>,
}

/// Faults alike.
struct Kind {
    number: u64,
    kept: bool,
    first: Place,
    example: String,
}

impl Fault {
    fn location(&self) -> String {
        match self.line {
            Some(line) => format!("{}:{line}", self.file),
            None => self.file.clone(),
        }
    }

    fn sentence(&self) -> String {
        one_line(&format!("{}: {}", self.location(), self.what))
    }
}

impl Faults {
    /// Faults are listed if somebody wants the list.
    pub fn new(listed: bool) -> io::Result<Faults> {
        let list = if listed { Some(BufWriter::new(tempfile::tempfile()?)) } else { None };
        Ok(Faults { kinds: BTreeMap::new(), list })
    }

    pub fn add(&mut self, fault: &Fault) -> io::Result<()> {
        if let Some(list) = &mut self.list {
            writeln!(list, "{} {} {}", fault.place.0, fault.place.1, fault.sentence())?;
        }
        let new = || Kind { number: 0, kept: fault.kept, first: fault.place, example: fault.sentence() };
        let kind = self.kinds.entry(fault.kind).or_insert_with(new);
        kind.number += 1;
        if fault.place < kind.first {
            (kind.first, kind.example) = (fault.place, fault.sentence());
        }
        Ok(())
    }

    pub fn number(&self) -> u64 {
        self.kinds.values().map(|kind| kind.number).sum()
    }

    /// The first of all.
    pub fn first(&self) -> Option<&str> {
        self.kinds.values().min_by_key(|kind| kind.first).map(|kind| kind.example.as_str())
    }

    /// Tells how many there are of each kind, and the first of each.
    pub fn tell(&self) {
        for (name, kind) in &self.kinds {
            let fate = if kind.kept { "kept up to there" } else { "skipped" };
            tell(&format!("{name}: {} {fate}, the first is {}", kind.number, kind.example));
        }
    }

    /// Writes the list in the order of the records; a file takes its name when it is complete.
    pub fn write(&mut self, path: &Path) -> Result<(), Failure> {
        let Some(list) = self.list.take() else { return Ok(()) };
        let write = || -> io::Result<()> {
            let list = list.into_inner().map_err(io::IntoInnerError::into_error)?;
            if is_device(path) {
                return write_sorted(list, &mut BufWriter::new(File::options().write(true).open(path)?));
            }
            let mut file = BufWriter::new(Replacement::begin(path)?);
            write_sorted(list, &mut file)?;
            file.into_inner().map_err(io::IntoInnerError::into_error)?.finish()
        };
        write().map_err(unwritable(path))
    }
}

/// Says early whether the list can be written there.
pub fn check_target(path: &Path) -> Result<(), Failure> {
    // To open a pipe might wait for its reader.
    if is_device(path) && !path.is_dir() {
        Ok(())
    } else {
        Replacement::begin(path).map(drop).map_err(unwritable(path))
    }
}

/// Whether it is a terminal or pipe, such as /dev/stderr, which is not to be replaced.
fn is_device(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
}

fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> Failure {
    move |error| format!("can't write {}: {error}", path.display()).into()
}

/// Writes the list in its order. Only the places of its lines are in memory, for there may be very many.
fn write_sorted(mut list: File, out: &mut dyn Write) -> io::Result<()> {
    list.seek(SeekFrom::Start(0))?;
    let mut places: Vec<(Place, u64)> = Vec::new();
    let (mut reader, mut line, mut at) = (BufReader::new(&list), Vec::new(), 0);
    while reader.read_until(b'\n', &mut line)? > 0 {
        places.push((parts_of(&line).0, at));
        at += line.len() as u64;
        line.clear();
    }
    places.sort_unstable();
    // Most stand in their order already, so the reader seldom has to go elsewhere.
    let mut reader = BufReader::new(list);
    let mut position = reader.seek(SeekFrom::Start(0))?;
    for (_, at) in places {
        reader.seek_relative(at.wrapping_sub(position) as i64)?;
        line.clear();
        position = at + reader.by_ref().read_until(b'\n', &mut line)? as u64;
        out.write_all(parts_of(&line).1)?;
    }
    out.flush()
}

/// The place at the start of a line of the list, and the rest of it.
fn parts_of(line: &[u8]) -> (Place, &[u8]) {
    let mut parts = line.splitn(3, |&byte| byte == b' ');
    let mut number = || parts.next().and_then(|number| std::str::from_utf8(number).ok()?.parse().ok()).unwrap_or(0);
    let place = (number(), number());
    (place, parts.next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_and_the_first_of_each_kind_are_in_the_order_of_the_records() {
        let folder = tempfile::tempdir().unwrap();
        let mut faults = Faults::new(true).unwrap();
        for (place, kind, what) in
            [((2, 0), "b", "third\nline"), ((0, 9), "b", "first"), ((10, 0), "a", "fourth"), ((0, 10), "b", "second")]
        {
            let (file, what) = ("x y".to_owned(), what.to_owned());
            faults.add(&Fault { place, file, line: Some(place.1 + 1), kind, kept: false, what }).unwrap();
        }
        assert_eq!((faults.number(), faults.first()), (4, Some("x y:10: first")));
        assert_eq!(faults.kinds["b"].number, 3);
        let path = folder.path().join("list");
        faults.write(&path).unwrap();
        let list = "x y:10: first\nx y:11: second\nx y:1: third\\nline\nx y:1: fourth\n";
        assert_eq!(std::fs::read_to_string(path).unwrap(), list);
    }
}
