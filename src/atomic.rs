//! Files that are replaced as a whole: at any time there is the old content or the new one, never a part.

use std::fs::{File, Metadata};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A new content for a file, written beside it, that takes its place once it is [finished](Replacement::finish).
/// Dropped before, it leaves the file as it was.
#[derive(Debug)]
pub struct Replacement {
    file: NamedTempFile,
    target: PathBuf,
}

impl Replacement {
    /// Begins a new content for a file, which need not exist. Of a link the file behind it is replaced; the permissions
    /// of an old file are kept.
    ///
    /// # Errors
    /// Where the folder can't be written, or what stands there is read-only or no plain file: devices and pipes are
    /// never replaced.
    pub fn begin(target: &Path) -> io::Result<Replacement> {
        let old = match std::fs::metadata(target) {
            Ok(old) => Some(old),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if let Some(old) = &old {
            plain_file(old)?;
            if old.permissions().readonly() {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
        }
        // Not canonicalized: some file systems that Windows mounts can't do that.
        let target = behind_links(target)?;
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = tempfile::Builder::new().prefix(".komadai").make_in(folder, create)?;
        if let Some(old) = old {
            file.as_file().set_permissions(old.permissions())?;
        }
        Ok(Replacement { file, target })
    }

    /// Puts the new content in the place of the old, once it is safe on the disk.
    ///
    /// # Errors
    /// Where that fails; the old content is still there then. On Windows it does as long as another program has the
    /// file open.
    pub fn finish(self) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        self.file.persist(&self.target).map(|_: File| ()).map_err(|error| explained(error.error))
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_file_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_file_mut().flush()
    }
}

impl Seek for Replacement {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.as_file_mut().seek(to)
    }
}

/// An error for what is no plain file: devices and pipes may be read for ever.
pub(crate) fn plain_file(found: &Metadata) -> io::Result<()> {
    if found.is_file() {
        Ok(())
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it is there already and no plain file"))
    }
}

/// Says what Windows means where it denies a file of which [`Replacement::begin`] has seen that it may be replaced.
fn explained(error: io::Error) -> io::Error {
    const ACCESS_DENIED: i32 = 5;
    const SHARING_VIOLATION: i32 = 32;
    const USER_MAPPED_FILE: i32 = 1224;
    match error.raw_os_error() {
        Some(ACCESS_DENIED | SHARING_VIOLATION | USER_MAPPED_FILE) if cfg!(windows) => {
            io::Error::new(error.kind(), format!("another program that has it open must end first: {error}"))
        }
        _ => error,
    }
}

/// The name that links point at in the end, whether anything is there or not. A circle of links comes never here, for
/// the system tells it when the file is looked at.
fn behind_links(target: &Path) -> io::Result<PathBuf> {
    let mut path = target.to_owned();
    while path.is_symlink() {
        path = path.parent().unwrap_or(Path::new("")).join(std::fs::read_link(&path)?);
    }
    Ok(path)
}

/// Makes a file with the permissions of any new file, which those of tempfile are not. Its errors don't name the file
/// either: nobody asked for that name.
fn create(path: &Path) -> io::Result<File> {
    File::options().read(true).write(true).create_new(true).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_old_content_stays_until_the_new_one_is_finished() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "old").unwrap();
        let mut unfinished = Replacement::begin(&path).unwrap();
        unfinished.write_all(b"half").unwrap();
        drop(unfinished);
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        let mut finished = Replacement::begin(&path).unwrap();
        finished.write_all(b"new").unwrap();
        finished.finish().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_or_a_file_that_is_read_only_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Replacement::begin(folder.path()).is_err());
        let path = folder.path().join("file");
        std::fs::write(&path, "old").unwrap();
        let mut permissions = std::fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        std::fs::set_permissions(&path, permissions).unwrap();
        assert_eq!(Replacement::begin(&path).unwrap_err().kind(), io::ErrorKind::PermissionDenied);
    }

    #[cfg(unix)]
    #[test]
    fn the_file_behind_a_link_is_written_and_a_circle_of_links_is_left_as_it_is() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        symlink("b", path("a")).unwrap();
        symlink(path("new"), path("b")).unwrap();
        symlink("loop", path("loop")).unwrap();
        for content in ["one", "two"] {
            let mut file = Replacement::begin(&path("a")).unwrap();
            file.write_all(content.as_bytes()).unwrap();
            file.finish().unwrap();
            assert_eq!(std::fs::read_to_string(path("new")).unwrap(), content);
        }
        assert!(Replacement::begin(&path("loop")).is_err());
        assert!(path("a").is_symlink() && path("b").is_symlink() && path("loop").is_symlink());
    }

    #[test]
    fn an_error_names_no_file_that_nobody_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let error = Replacement::begin(&folder.path().join("none").join("file")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(!error.to_string().contains(".komadai"), "{error}");
    }
}
