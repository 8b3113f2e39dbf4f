//! The files of a log: `komadai.log`, and older ones as `komadai.log.1` to `.3`, the last the oldest.
//!
//! Several processes may write to the same log. The file is open only while lines are added, all in one piece, at its
//! end, so the lines of all stay whole, in the order of their writing; and nobody holds on to a file that another one
//! renames, or that the user takes away. Only one process at a time renames: the one that holds the lock on
//! `komadai.log.lock`, which exists only meanwhile. Others write on and lose nothing.
//!
//! Crates that rotate logs keep the file open and take its folder for theirs alone, which is why none is used.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::atomic::plain_file;

use super::{Store, stamp};

/// A file that would grow longer becomes an old one. In bytes.
const LONGEST: u64 = 5_000_000;

/// How many old files are kept.
const OLD_FILES: u32 = 3;

/// The files of one log.
#[derive(Debug)]
pub struct Files {
    path: PathBuf,
    /// Where the file would grow longer than this, it makes room for a new one.
    longest: u64,
    /// How long the file was when that could not be done; 0 if it could the last time.
    stuck_at: u64,
    /// The last line may be there in part only.
    torn: bool,
}

impl Files {
    /// The log in this file, which is made where it is missing.
    ///
    /// # Errors
    /// Where it can't be written, or holds something else than a log.
    pub fn open(path: &Path) -> io::Result<Files> {
        Files::with_longest(path, LONGEST)
    }

    fn with_longest(path: &Path, longest: u64) -> io::Result<Files> {
        // Behind a link the file is renamed, not the link.
        let path = if path.is_symlink() && path.exists() { fs::canonicalize(path)? } else { path.to_owned() };
        check_content(&path)?;
        lengthen(&path)?;
        Ok(Files { path, longest, stuck_at: 0, torn: false })
    }

    /// Whether a log could be written here; nothing is left behind.
    ///
    /// # Errors
    /// As [`Files::open`].
    pub fn check(path: &Path) -> io::Result<()> {
        let is_new = !path.exists();
        Files::open(path)?;
        if is_new { fs::remove_file(path) } else { Ok(()) }
    }

    fn old(&self, number: u32) -> PathBuf {
        with_ending(&self.path, &format!(".{number}"))
    }

    fn length(&self) -> u64 {
        fs::metadata(&self.path).map_or(0, |found| found.len())
    }

    /// Makes room for a new file, unless some other process is about to.
    fn rotate(&self, more: u64) -> io::Result<()> {
        let lock_path = with_ending(&self.path, ".lock");
        let lock = File::options().create(true).append(true).open(&lock_path)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(()),
            // Where there are no locks it is still better to do it.
            Err(TryLockError::Error(_)) => {}
        }
        // Another one may just have done it.
        let result = if self.is_full(more) { self.rename_all() } else { Ok(()) };
        let _ = fs::remove_file(&lock_path);
        result
    }

    fn is_full(&self, more: u64) -> bool {
        let length = self.length();
        length > 0 && length + more > self.stuck_at + self.longest
    }

    /// Gives each file the next number. If the newest can't be renamed there is a gap before the old ones, and the next
    /// time they stay where they are, so that none is lost for nothing.
    fn rename_all(&self) -> io::Result<()> {
        // What others have put there by such a name is not ours to move.
        check_content(&self.path)?;
        (1..=OLD_FILES).try_for_each(|number| check_content(&self.old(number)))?;
        let free = (1..OLD_FILES).find(|&number| !self.old(number).exists()).unwrap_or(OLD_FILES);
        for number in (1..free).rev() {
            fs::rename(self.old(number), self.old(number + 1))?;
        }
        fs::rename(&self.path, self.old(1))
    }
}

impl Store for Files {
    fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        let more = lines.len() as u64;
        if self.is_full(more) {
            // A file that somebody holds open can't be renamed on some systems. It grows on then for a while.
            self.stuck_at = if self.rotate(more).is_ok() { 0 } else { self.length() };
        }
        let (mut file, is_new) = lengthen(&self.path)?;
        let result =
            if self.torn && !is_new { file.write_all(&[b"\n", lines].concat()) } else { file.write_all(lines) };
        self.torn = result.is_err();
        result
    }
}

/// A file to be lengthened, and whether there is nothing in it yet. Each time it is looked at anew: by now somebody may
/// have put something else there. What is no plain file, a pipe perhaps, might be waited for for ever.
fn lengthen(path: &Path) -> io::Result<(File, bool)> {
    match fs::metadata(path) {
        Ok(found) => plain_file(&found)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let mut file = File::options().create(true).read(true).append(true).open(path)?;
    let start = read_start(&mut file)?;
    // A line that another engine is just writing, or for which the disk had no room, may be there in part.
    if stamp::agrees(&start) { Ok((file, start.is_empty())) } else { Err(no_log()) }
}

/// An error for a file that holds something else than a log: a book or settings, named here by mistake.
fn check_content(path: &Path) -> io::Result<()> {
    let Ok(found) = fs::metadata(path) else { return Ok(()) };
    plain_file(&found)?;
    let start = read_start(&mut File::open(path)?)?;
    if start.is_empty() || stamp::begins(&start) { Ok(()) } else { Err(no_log()) }
}

fn read_start(file: &mut File) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    file.take(64).read_to_end(&mut start)?;
    Ok(start)
}

fn no_log() -> io::Error {
    io::Error::new(io::ErrorKind::AlreadyExists, "it is there already and no log of this program")
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Barrier};
    use std::thread;

    use super::*;

    fn text(path: &Path) -> String {
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"))
    }

    /// A line as long as all others here: 32 bytes.
    fn line(number: usize) -> String {
        format!("2024-02-29 12:34:56.007 1 > {number:03}\n")
    }

    /// The names in a folder, sorted.
    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn a_full_file_becomes_an_old_one_and_three_of_these_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("駒台 ソ.log");
        let mut files = Files::with_longest(&path, 64).unwrap();
        for number in 0..11 {
            files.append(line(number).as_bytes()).unwrap();
        }
        assert_eq!(names(folder.path()), ["", ".1", ".2", ".3"].map(|ending| format!("駒台 ソ.log{ending}")));
        assert_eq!(text(&path), line(10));
        for (number, first) in [(1, 8), (2, 6), (3, 4)] {
            assert_eq!(text(&files.old(number)), line(first) + &line(first + 1), "{number}");
        }
        // What is longer than a file may be still comes whole.
        files.append(line(11).repeat(5).as_bytes()).unwrap();
        assert_eq!((text(&path), text(&files.old(1))), (line(11).repeat(5), line(10)));
    }

    #[test]
    fn a_file_of_somebody_else_by_the_name_of_an_old_one_stays_and_the_log_grows_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.log");
        let mut files = Files::with_longest(&path, 64).unwrap();
        for number in 1..=OLD_FILES {
            fs::write(files.old(number), "my notes").unwrap();
            (0..5).for_each(|number| files.append(line(number).as_bytes()).unwrap());
            assert_eq!(text(&files.old(number)), "my notes");
            assert_eq!(text(&path).lines().count(), 5);
            fs::remove_file(files.old(number)).unwrap();
            fs::remove_file(&path).unwrap();
        }
    }

    #[cfg(unix)]
    #[test]
    fn behind_a_link_the_file_is_renamed_and_not_the_link() {
        let folder = tempfile::tempdir().unwrap();
        let [link, target] = ["link.log", "target.log"].map(|name| folder.path().join(name));
        fs::write(&target, line(0)).unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        let mut files = Files::with_longest(&link, 64).unwrap();
        (1..4).for_each(|number| files.append(line(number).as_bytes()).unwrap());
        assert_eq!(text(&link), line(2) + &line(3));
        assert_eq!(names(folder.path()), ["link.log", "target.log", "target.log.1"]);
    }

    #[test]
    fn an_old_log_is_gone_on_with() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.log");
        fs::write(&path, line(0).repeat(9)).unwrap();
        Files::with_longest(&path, 64).unwrap().append(line(1).as_bytes()).unwrap();
        assert_eq!((text(&path), text(&folder.path().join("a.log.1"))), (line(1), line(0).repeat(9)));
        Files::with_longest(&path, 64).unwrap().append(line(2).as_bytes()).unwrap();
        assert_eq!(text(&path), line(1) + &line(2));
    }

    #[test]
    fn where_nothing_can_be_renamed_the_file_grows_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.log");
        let lock = folder.path().join("a.log.lock");
        fs::create_dir(&lock).unwrap();
        let mut files = Files::with_longest(&path, 64).unwrap();
        (0..3).for_each(|number| files.append(line(number).as_bytes()).unwrap());
        assert_eq!(text(&path), line(0) + &line(1) + &line(2));
        // It is tried again only when the file has grown as long once more.
        fs::remove_dir(&lock).unwrap();
        files.append(line(3).as_bytes()).unwrap();
        assert_eq!(names(folder.path()), ["a.log"]);
        files.append(line(4).as_bytes()).unwrap();
        assert_eq!((names(folder.path()), text(&path)), (vec!["a.log".into(), "a.log.1".into()], line(4)));
        assert_eq!(text(&files.old(1)), (0..4).map(line).collect::<String>());
    }

    #[test]
    fn old_files_are_not_lost_for_a_new_one_that_can_not_be_renamed() {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::with_longest(&folder.path().join("a.log"), 64).unwrap();
        (1..=3).for_each(|number| fs::write(files.old(number), line(number as usize)).unwrap());
        fs::remove_file(&files.path).unwrap();
        for _ in 0..5 {
            assert!(files.rename_all().is_err());
            assert_eq!((text(&files.old(2)), text(&files.old(3))), (line(1), line(2)));
            assert_eq!(names(folder.path()).len(), 2);
        }
    }

    #[test]
    fn while_another_process_renames_lines_are_written_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.log");
        let mut files = Files::with_longest(&path, 64).unwrap();
        let lock = File::create(folder.path().join("a.log.lock")).unwrap();
        lock.lock().unwrap();
        (0..4).for_each(|number| files.append(line(number).as_bytes()).unwrap());
        assert_eq!((names(folder.path()).len(), text(&path)), (2, (0..4).map(line).collect()));
        drop(lock);
        files.append(line(4).as_bytes()).unwrap();
        assert_eq!((names(folder.path()), text(&path)), (vec!["a.log".into(), "a.log.1".into()], line(4)));
    }

    /// With files so long that not even the last of the old ones is ever dropped.
    #[test]
    fn two_that_write_to_one_log_lose_no_line_and_tear_none() {
        let (lines, writers) = (300, 2);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.log");
        let line = |writer: usize, number: usize| format!("2024-02-29 12:34:56.007 {writer} > {number:03}\n");
        let longest = (lines * writers * line(0, 0).len()) as u64 / 3;
        let begin = Arc::new(Barrier::new(writers));
        let work = (0..writers).map(|writer| {
            let (path, begin) = (path.clone(), Arc::clone(&begin));
            thread::spawn(move || {
                let mut files = Files::with_longest(&path, longest).unwrap();
                begin.wait();
                (0..lines).for_each(|number| files.append(line(writer, number).as_bytes()).unwrap());
            })
        });
        work.collect::<Vec<_>>().into_iter().for_each(|thread| thread.join().unwrap());
        let found = names(folder.path());
        assert!(found.len() >= 3 && !found.contains(&"a.log.lock".to_owned()), "{found:?}");
        let all: String = found.iter().map(|name| text(&folder.path().join(name))).collect();
        let mut all: Vec<&str> = all.split_inclusive('\n').collect();
        all.sort_unstable();
        let mut expected: Vec<String> =
            (0..writers).flat_map(|writer| (0..lines).map(move |number| line(writer, number))).collect();
        expected.sort_unstable();
        assert_eq!(all, expected);
    }

    #[test]
    fn a_folder_that_is_gone_is_an_error_until_it_is_there_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("logs/a.log");
        fs::create_dir(folder.path().join("logs")).unwrap();
        let mut files = Files::open(&path).unwrap();
        files.append(line(0).as_bytes()).unwrap();
        fs::remove_dir_all(folder.path().join("logs")).unwrap();
        assert!(files.append(line(1).as_bytes()).is_err());
        fs::create_dir(folder.path().join("logs")).unwrap();
        files.append(line(2).as_bytes()).unwrap();
        assert_eq!(text(&path), line(2));
    }

    #[test]
    fn a_line_that_was_written_in_part_does_not_spoil_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.log");
        let mut files = Files::open(&path).unwrap();
        fs::write(&path, &line(0)[..20]).unwrap();
        files.torn = true;
        (1..3).for_each(|number| files.append(line(number).as_bytes()).unwrap());
        assert_eq!(text(&path), [&line(0)[..20], "\n", &line(1), &line(2)].concat());
        // It is still a log, also for the next session.
        Files::open(&path).unwrap().append(line(3).as_bytes()).unwrap();
        assert!(text(&path).ends_with(&line(3)));
    }

    #[test]
    fn a_part_of_a_line_in_a_file_that_is_gone_does_not_spoil_the_next_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.log");
        let mut files = Files::open(&path).unwrap();
        files.torn = true;
        fs::remove_file(&path).unwrap();
        files.append(line(0).as_bytes()).unwrap();
        assert_eq!(text(&path), line(0));
    }

    #[test]
    fn what_somebody_puts_in_the_place_of_the_log_is_neither_written_to_nor_moved() {
        let folder = tempfile::tempdir().unwrap();
        let (path, away) = (folder.path().join("a.log"), folder.path().join("away"));
        let mut files = Files::with_longest(&path, 64).unwrap();
        files.append(line(0).as_bytes()).unwrap();
        fs::rename(&path, &away).unwrap();
        let notes = "my notes\n".repeat(20);
        fs::write(&path, &notes).unwrap();
        for number in 1..4 {
            let error = files.append(line(number).as_bytes()).unwrap_err();
            assert!(error.to_string().contains("no log"), "{error}");
        }
        assert_eq!((text(&path), text(&away)), (notes, line(0)));
        assert!(!files.old(1).exists());
        fs::remove_file(&path).unwrap();
        files.append(line(4).as_bytes()).unwrap();
        assert_eq!(text(&path), line(4));
        // A log of another engine is gone on with, as always.
        fs::write(&path, line(5)).unwrap();
        files.append(line(6).as_bytes()).unwrap();
        assert_eq!((text(&path), text(&away)), (line(5) + &line(6), line(0)));
    }

    #[test]
    fn a_file_that_is_no_log_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let book = folder.path().join("book.db");
        fs::write(&book, "#YANEURAOU-DB2016 1.00\n").unwrap();
        assert!(Files::open(&book).unwrap_err().to_string().contains("no log"));
        assert_eq!(text(&book), "#YANEURAOU-DB2016 1.00\n");
        assert!(Files::open(folder.path()).is_err());
        assert!(Files::check(&book).is_err());
        Files::check(&folder.path().join("new.log")).unwrap();
        assert_eq!(names(folder.path()), ["book.db"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_not_written_to() {
        assert!(Files::open(Path::new("/dev/full")).is_err());
    }
}
