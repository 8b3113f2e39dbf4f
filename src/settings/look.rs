//! What came of each file, for those who wonder why a setting does not count.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::io;
use std::path::Path;

use super::{Settings, SettingsError};
use crate::atomic::Replacement;

/// What came of a file that may hold settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileState {
    /// There is none.
    Missing,
    /// It was read.
    Read {
        /// How many keys stand in its section.
        keys: usize,
    },
    /// It is there, but can't be read, or is no INI file.
    Unusable,
}

impl FileState {
    pub(super) fn of(values: &Result<Option<BTreeMap<String, String>>, SettingsError>) -> FileState {
        match values {
            Ok(None) => FileState::Missing,
            Ok(Some(values)) => FileState::Read { keys: values.len() },
            Err(_) => FileState::Unusable,
        }
    }
}

impl Display for FileState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileState::Missing => f.write_str("not there"),
            FileState::Read { keys: 1 } => f.write_str("read, 1 key"),
            FileState::Read { keys } => write!(f, "read, {keys} keys"),
            FileState::Unusable => f.write_str("can't be used"),
        }
    }
}

impl Settings {
    /// The files that may hold settings, a later one on top of an earlier one, and what came of them.
    pub fn files(&self) -> impl Iterator<Item = (&Path, FileState)> {
        self.files.iter().map(|path| path.as_path()).zip(self.states.iter().copied())
    }

    /// The file that a value comes from; `None` where the key is not set, or was set since the files were read.
    pub fn origin(&self, key: &str) -> Option<&Path> {
        let index = self.origins.get(&key.to_lowercase())?;
        self.files.get(*index).map(|path| path.as_path())
    }

    /// The file into which a change would go, found without changing anything; `None` where there are no files.
    ///
    /// # Errors
    /// [`SettingsError::Write`] where none of those that might take it can be written.
    pub fn target(&self) -> Option<Result<&Path, SettingsError>> {
        let mut result = None;
        for path in self.targets() {
            let found = can_be_written(path);
            let found = found.map(|()| path.as_path());
            let done = found.is_ok();
            result = Some(found.map_err(|source| SettingsError::Write { path: path.clone(), source }));
            if done {
                break;
            }
        }
        result
    }
}

/// Whether a file can be replaced, or made in a folder that may have to be made first.
fn can_be_written(path: &Path) -> io::Result<()> {
    let folder = path.parent().unwrap_or(path);
    if folder.as_os_str().is_empty() || folder.exists() {
        return Replacement::begin(path).map(drop);
    }
    let existing = folder.ancestors().map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
    match existing.into_iter().find(|folder| folder.exists()) {
        Some(folder) => tempfile::tempfile_in(folder).map(drop),
        None => Err(io::ErrorKind::NotFound.into()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn it_is_known_which_file_says_what() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a.ini"), "[CustomSettings]\nUseBook=false\nTheirs=1\n").unwrap();
        fs::write(path("b.ini"), "[CustomSettings\n").unwrap();
        fs::write(path("c.ini"), "[Other]\nUseBook=true\n").unwrap();
        fs::write(path("d.ini"), "[CustomSettings]\nUSEBOOK=true\nTheirs=<ini>\n").unwrap();
        let files = ["a.ini", "b.ini", "c.ini", "d.ini", "e.ini"].map(path);
        let settings = Settings::from_files(files.to_vec());
        let states: Vec<String> = settings.files().map(|(_, state)| state.to_string()).collect();
        assert_eq!(states, ["read, 2 keys", "can't be used", "read, 0 keys", "read, 2 keys", "not there"]);
        assert_eq!(settings.origin("usebook"), Some(path("d.ini").as_path()));
        assert_eq!(settings.origin("Theirs"), Some(path("a.ini").as_path()));
        assert_eq!(settings.origin("BookFile"), None);
    }

    #[test]
    fn the_file_that_a_change_goes_to_is_the_one_that_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let (plain, deep) = (folder.path().join("a.ini"), folder.path().join("no/such/b.ini"));
        let mut settings = Settings::from_files(vec![deep.clone(), plain.clone()]);
        assert_eq!(settings.target().unwrap().unwrap(), deep);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is made by asking");
        settings.set("UseBook", "false").unwrap();
        assert!(deep.exists());
        fs::write(&plain, "").unwrap();
        assert_eq!(Settings::from_files(vec![deep, plain.clone()]).target().unwrap().unwrap(), plain);
        // A file is no folder.
        assert!(Settings::from_files(vec![plain.join("c.ini")]).target().unwrap().is_err());
        assert!(Settings::none().target().is_none());
    }
}
