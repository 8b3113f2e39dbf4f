//! Finding files.

use std::io;
use std::path::{Path, PathBuf};

use super::SourceError;

/// A file that was found.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    /// Its name; `-` for standard input.
    pub(super) path: PathBuf,
    /// Its length; of what is no plain file, the largest number.
    pub(super) length: u64,
    /// Whether somebody named it itself.
    pub(super) named: bool,
}

impl Listed {
    pub(super) fn is_stdin(&self) -> bool {
        self.named && self.path.as_os_str() == "-"
    }
}

/// The files behind these names, and folders in folders that can't be listed.
pub(super) fn list(names: &[PathBuf]) -> Result<(Vec<Listed>, Vec<SourceError>), SourceError> {
    let (mut files, mut failures) = (Vec::new(), Vec::new());
    for name in names {
        if name.as_os_str() == "-" {
            files.push(Listed { path: name.clone(), length: u64::MAX, named: true });
            continue;
        }
        let failure = |source| SourceError { path: name.clone(), missing: true, source };
        let metadata = std::fs::metadata(name).map_err(failure)?;
        if metadata.is_dir() {
            collect(name, &mut files, &mut failures).map_err(failure)?;
        } else {
            let length = if metadata.is_file() { metadata.len() } else { u64::MAX };
            files.push(Listed { path: name.clone(), length, named: true });
        }
    }
    failures.reverse();
    Ok((files, failures))
}

/// Finds the plain files in a folder, also behind links, and in its own folders; one behind a link may hold itself.
fn collect(folder: &Path, files: &mut Vec<Listed>, failures: &mut Vec<SourceError>) -> io::Result<()> {
    let mut entries = std::fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_cached_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let found = entry.file_type().and_then(|kind| {
            if kind.is_dir() {
                collect(&path, files, failures)?;
            } else if let Some(length) = length_of(&path, kind.is_symlink())? {
                files.push(Listed { path: path.clone(), length, named: false });
            }
            Ok(())
        });
        if let Err(source) = found {
            failures.push(SourceError { path, missing: false, source });
        }
    }
    Ok(())
}

/// The length of a plain file. A link may lead to nothing, which is none.
fn length_of(path: &Path, is_link: bool) -> io::Result<Option<u64>> {
    match std::fs::metadata(path) {
        Ok(metadata) => Ok(metadata.is_file().then_some(metadata.len())),
        Err(_) if is_link => Ok(None),
        Err(error) => Err(error),
    }
}
