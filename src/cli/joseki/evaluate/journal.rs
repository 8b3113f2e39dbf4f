//! What was searched so far, in a file beside the book that is being made.
//!
//! A line a position, of five columns separated by tabs: SFEN without ply, engine, nodes, value in centipawns for the
//! side to move, depth. `-` is an unknown value or depth. The engine is named so that no other is taken for it, nor
//! itself with other options. Lines are written as results come, so a break costs at most the searches that were
//! running; a last line without its end is none, and is cut off.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use komadai::joseki::evaluate::Assessment;
use komadai::kyokumen::{Kyokumen, PackedKyokumen};

use crate::cli::{Failure, quoted, tell};

/// A file that grows by a line with each result.
pub struct Journal {
    file: File,
    path: PathBuf,
    /// Engine and nodes, as columns.
    origin: String,
    /// What stood in it when it was opened; positions without a value were searched for nothing.
    pub known: HashMap<PackedKyokumen, Option<Assessment>>,
}

impl Journal {
    /// Where the journal of a book stands.
    pub fn path_of(book: &Path) -> PathBuf {
        let mut name = book.file_name().unwrap_or_default().to_owned();
        name.push(".journal");
        book.with_file_name(name)
    }

    /// Opens a journal, which must be of the same engine and nodes, or begins a new one.
    pub fn open(path: &Path, engine: &str, nodes: u64) -> Result<Journal, Failure> {
        let shown = quoted(path);
        let failed = |error| format!("can't use the journal {shown}: {error}");
        if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            // Of a pipe or a device there may be no end.
            return Err(format!("can't use the journal {shown}: it is there already and no plain file").into());
        }
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).clone();
        let mut file = options.open(path).map_err(failed)?;
        // Where files can't be locked, nobody is warned.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(format!("the journal {shown} is in use by another run").into());
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |place| place + 1);
        let engine: String = engine.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let origin = format!("{engine}\t{nodes}");
        let known = read(&String::from_utf8_lossy(&bytes[..whole]), &origin, path)?;
        file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(failed)?;
        Ok(Journal { file, path: path.to_owned(), origin, known })
    }

    /// Adds a result.
    pub fn add(&mut self, packed: &PackedKyokumen, result: Option<Assessment>) -> Result<(), Failure> {
        let Some(kyokumen) = packed.unpack() else { return Ok(()) };
        let column = |number: Option<i64>| number.map_or("-".to_owned(), |number| number.to_string());
        let value = column(result.map(|result| result.value.into()));
        let depth = column(result.and_then(|result| result.depth).map(i64::from));
        let line = format!("{}\t{}\t{value}\t{depth}\n", kyokumen.to_sfen_without_ply(), self.origin);
        let failed = |error| format!("can't write the journal {}: {error}", quoted(&self.path));
        Ok(self.file.write_all(line.as_bytes()).map_err(failed)?)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the file.
    pub fn remove(self) -> Result<(), Failure> {
        // Windows wants it closed before.
        drop(self.file);
        let failed = |error| format!("can't remove the journal {}: {error}", quoted(&self.path));
        Ok(std::fs::remove_file(&self.path).map_err(failed)?)
    }
}

fn read(text: &str, origin: &str, path: &Path) -> Result<HashMap<PackedKyokumen, Option<Assessment>>, Failure> {
    let path = quoted(path);
    let mut known = HashMap::new();
    let mut unreadable = 0u64;
    for line in text.lines() {
        let Some((packed, found, result)) = read_line(line) else {
            unreadable += 1;
            continue;
        };
        if found != origin {
            let name = |origin: &str| origin.replace('\t', " with nodes ");
            let (found, wanted) = (name(&found), name(origin));
            return Err(format!(
                "the journal {path} is of another search: {found}, not {wanted}; go on as it was begun, or remove it"
            )
            .into());
        }
        known.insert(packed, result);
    }
    if unreadable > 0 {
        tell(&format!("{unreadable} lines of the journal {path} can't be read; their positions are searched again"));
    }
    Ok(known)
}

/// Position, engine and nodes, result.
fn read_line(line: &str) -> Option<(PackedKyokumen, String, Option<Assessment>)> {
    let [sfen, engine, nodes, value, depth] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
    let packed = Kyokumen::from_sfen(sfen).ok()?.pack()?;
    let depth = if depth == "-" { None } else { Some(depth.parse().ok()?) };
    let result = if value == "-" { None } else { Some(Assessment { value: value.parse().ok()?, depth }) };
    Some((packed, format!("{engine}\t{nodes}"), result))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> PackedKyokumen {
        Kyokumen::hirate().pack().unwrap()
    }

    #[test]
    fn what_is_no_plain_file_is_no_journal() {
        let folder = tempfile::tempdir().unwrap();
        let mut paths = vec![folder.path().to_owned()];
        if cfg!(unix) {
            // Both can be read for ever.
            paths.extend(["/dev/zero", "/dev/full"].map(PathBuf::from));
        }
        for path in paths.iter().filter(|path| path.exists()) {
            let failure = Journal::open(path, "engine", 1).err().unwrap().to_string();
            assert!(failure.contains("no plain file"), "{failure}");
        }
    }

    #[test]
    fn what_was_written_is_read_and_a_torn_or_damaged_line_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = Journal::path_of(&folder.path().join("book.db"));
        assert_eq!(path.file_name().unwrap(), "book.db.journal");
        let mut other = Kyokumen::hirate();
        other.do_te("7g7f".parse().unwrap());
        let (result, none) = (Some(Assessment { value: -31, depth: Some(7) }), None);
        let mut journal = Journal::open(&path, "An\tengine", 1000).unwrap();
        assert!(Journal::open(&path, "An engine", 1000).is_err_and(|error| error.to_string().contains("in use")));
        journal.add(&start(), result).unwrap();
        journal.add(&other.pack().unwrap(), none).unwrap();
        drop(journal);
        let whole = std::fs::read_to_string(&path).unwrap();
        let first = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -\tAn engine\t1000\t-31\t7\n";
        assert!(whole.starts_with(first), "{whole}");
        // The second line loses its end: its position is to be searched again.
        std::fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        let mut journal = Journal::open(&path, "An engine", 1000).unwrap();
        assert_eq!(journal.known, HashMap::from([(start(), result)]));
        journal.add(&other.pack().unwrap(), none).unwrap();
        drop(journal);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
        std::fs::write(&path, format!("\0\0\t\n{whole}rubbish\t\n")).unwrap();
        let journal = Journal::open(&path, "An engine", 1000).unwrap();
        assert_eq!(journal.known, HashMap::from([(start(), result), (other.pack().unwrap(), none)]));
        journal.remove().unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn a_journal_of_another_engine_or_other_nodes_is_refused_and_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        Journal::open(&path, "A", 10).unwrap().add(&start(), None).unwrap();
        let before = std::fs::read(&path).unwrap();
        for (engine, nodes) in [("B", 10), ("A", 11)] {
            let error = Journal::open(&path, engine, nodes).err().unwrap().to_string();
            assert!(error.contains(&format!("A with nodes 10, not {engine} with nodes {nodes}")), "{error}");
        }
        assert_eq!(std::fs::read(&path).unwrap(), before);
    }
}
