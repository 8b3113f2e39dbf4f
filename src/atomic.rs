//! Files that are replaced as a whole: at any time there is the old content or the new one, never a part.

use std::fs::{File, Metadata};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A new content for a file, written beside it, that takes its place once it is [finished](Replacement::finish). Dropped
/// before, it leaves the file as it was.
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
        let old = std::fs::metadata(target).ok();
        if let Some(old) = &old {
            plain_file(old)?;
            if old.permissions().readonly() {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
        }
        let target = if old.is_some() { target.canonicalize()? } else { target.to_owned() };
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = builder().prefix(".komadai").tempfile_in(folder)?;
        if let Some(old) = old {
            file.as_file().set_permissions(old.permissions())?;
        }
        Ok(Replacement { file, target })
    }

    /// Puts the new content in the place of the old, once it is safe on the disk.
    ///
    /// # Errors
    /// Where that fails; the old content is still there then.
    pub fn finish(self) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        self.file.persist(&self.target).map(|_: File| ()).map_err(|error| error.error)
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for Replacement {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
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

/// Temporary files with the permissions of any new file, which tempfile's own are not.
#[cfg(unix)]
fn builder() -> tempfile::Builder<'static, 'static> {
    use std::os::unix::fs::PermissionsExt;
    let mut builder = tempfile::Builder::new();
    builder.permissions(std::fs::Permissions::from_mode(0o666));
    builder
}

#[cfg(not(unix))]
fn builder() -> tempfile::Builder<'static, 'static> {
    tempfile::Builder::new()
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
}
