//! The INI file: what the user has set, as text.
//!
//! A file beside the executable is read first, then one in the user's configuration folder on top of it; the
//! environment variable `KOMADAI_INI` names one file that replaces both. A change goes into the file that counts: one
//! line of it is replaced, and everything else stays byte by byte, whatever the encoding and the line ends.

mod edit;

use std::collections::BTreeMap;
use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use configparser::ini::Ini;
use encoding_rs::SHIFT_JIS;
use thiserror::Error;

/// The section that holds the settings.
const SECTION: &str = "CustomSettings";

/// Name of the file.
const FILE_NAME: &str = "komadai.ini";

/// What a new file holds.
const TEMPLATE: &str = include_str!("../ini/komadai.ini");

/// Why the INI file can't be used.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// The file can't be read.
    #[error("can't read {path:?}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file can't be written.
    #[error("can't write {path:?}: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file's content is no INI file.
    #[error("{path:?} is no INI file: {what}")]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The value can't stand in the file.
    #[error("{path:?} can't hold {value:?}: save the file as UTF-8")]
    Value {
        /// The file.
        path: PathBuf,
        /// The value.
        value: String,
    },
}

/// The settings, and the files that they come from.
#[derive(Debug, Default)]
pub struct Settings {
    /// Files that may exist, a later one on top of an earlier one.
    files: Vec<PathBuf>,
    values: BTreeMap<String, String>,
    errors: Vec<SettingsError>,
}

impl Settings {
    /// The settings of this user on this machine.
    pub fn load() -> Settings {
        match env::var_os("KOMADAI_INI").filter(|path| !path.is_empty()) {
            Some(path) => Settings::from_files(vec![path.into()]),
            None => {
                let beside = env::current_exe().ok().and_then(|exe| exe.parent().map(Path::to_owned));
                let folders = beside.into_iter().chain(user_folder());
                Settings::from_files(folders.map(|folder| folder.join(FILE_NAME)).collect())
            }
        }
    }

    /// The settings in these files, of which a later one counts more; they need not exist.
    pub fn from_files(files: Vec<PathBuf>) -> Settings {
        let mut settings = Settings { files, ..Settings::default() };
        for path in &settings.files {
            match read(path) {
                Ok(Some(bytes)) => match parse(path, &bytes) {
                    Ok(values) => settings.values.extend(values),
                    Err(error) => settings.errors.push(error),
                },
                Ok(None) => {}
                Err(error) => settings.errors.push(error),
            }
        }
        settings
    }

    /// No file: nothing is set, and what is set is forgotten with the program.
    pub fn none() -> Settings {
        Settings::default()
    }

    /// The value of a key, whose case counts.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.values.get(key).map(String::as_str)
    }

    /// All keys with their values.
    pub fn values(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Why files were passed over.
    pub fn errors(&self) -> &[SettingsError] {
        &self.errors
    }

    /// Sets a key, in the file too. Where there is no file yet, one is made from the template, in the first folder that
    /// can be written.
    ///
    /// # Errors
    /// [`SettingsError`] where no file can be written; the value counts all the same while the program runs.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SettingsError> {
        if self.get(key) == Some(value) {
            return Ok(());
        }
        self.values.insert(key.to_owned(), value.to_owned());
        let existing = self.files.iter().rposition(|path| path.exists());
        // The file that counts first, then those of which a new one would count at least as much.
        let mut result = Ok(());
        for path in &self.files[existing.unwrap_or(0)..] {
            result = self.write(path, key, value);
            if result.is_ok() {
                break;
            }
        }
        result
    }

    fn write(&self, path: &Path, key: &str, value: &str) -> Result<(), SettingsError> {
        let old = match read(path)? {
            Some(old) => old,
            None => self.new_file(path)?,
        };
        let unfit = || SettingsError::Value { path: path.to_owned(), value: value.to_owned() };
        parse(path, &old)?;
        let new = edit::set(&old, SECTION, key, &encode(value, &old).ok_or_else(unfit)?);
        if parse(path, &new)?.get(key).map(String::as_str) != Some(value) {
            return Err(unfit());
        }
        replace(path, &new).map_err(|source| SettingsError::Write { path: path.to_owned(), source })
    }

    /// The template, with the values that other files have set, since it may come to lie on top of these.
    fn new_file(&self, path: &Path) -> Result<Vec<u8>, SettingsError> {
        let mut content = TEMPLATE.as_bytes().to_owned();
        for key in parse(path, &content)?.keys() {
            if let Some(value) = self.get(key) {
                content = edit::set(&content, SECTION, key, value.as_bytes());
            }
        }
        Ok(content)
    }
}

/// The folder for the configuration of this user's programs, with a folder of our own in it.
fn user_folder() -> Option<PathBuf> {
    let folder = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let configuration = if cfg!(windows) {
        folder("APPDATA")
    } else if cfg!(target_os = "macos") {
        folder("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        folder("XDG_CONFIG_HOME")
            .filter(|path| path.is_absolute())
            .or_else(|| folder("HOME").map(|home| home.join(".config")))
    };
    configuration.map(|folder| folder.join("komadai"))
}

/// The content of a file; `None` where there is no such file.
fn read(path: &Path) -> Result<Option<Vec<u8>>, SettingsError> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(SettingsError::Read { path: path.to_owned(), source }),
    }
}

fn parse(path: &Path, bytes: &[u8]) -> Result<BTreeMap<String, String>, SettingsError> {
    let content = |what: String| SettingsError::Content { path: path.to_owned(), what };
    if bytes.contains(&0) {
        return Err(content("it holds zero bytes; save it as UTF-8".into()));
    }
    let mut ini = Ini::new_cs();
    // A ; inside a value separates books.
    ini.set_inline_comment_symbols(Some(&[]));
    let sections = ini.read(decode(bytes)).map_err(content)?;
    let section = sections.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(SECTION));
    let values = section.into_iter().flat_map(|(_, values)| values);
    Ok(values.filter_map(|(key, value)| Some((key, value?))).collect())
}

const BOM: &[u8] = b"\xef\xbb\xbf";

/// UTF-8 with or without mark, or else CP932.
fn decode(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(BOM).unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => SHIFT_JIS.decode_without_bom_handling(bytes).0.into_owned(),
    }
}

/// The value in the encoding of a file.
fn encode(value: &str, file: &[u8]) -> Option<Vec<u8>> {
    if std::str::from_utf8(file).is_ok() {
        return Some(value.as_bytes().to_owned());
    }
    let (bytes, _, unmappable) = SHIFT_JIS.encode(value);
    (!unmappable).then(|| bytes.into_owned())
}

/// Puts a new content in the place of a file in one step, so that there is the old or the new one at any time.
fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    // Of a link the target is replaced, not the link.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().prefix(".komadai").tempfile_in(folder)?;
    match std::fs::metadata(&path) {
        Ok(old) if old.permissions().readonly() => return Err(io::ErrorKind::PermissionDenied.into()),
        Ok(old) => file.as_file().set_permissions(old.permissions())?,
        Err(_) => share(file.as_file())?,
    }
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// A new file may be read by others, unlike a temporary one.
#[cfg(unix)]
fn share(file: &std::fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn share(_: &std::fs::File) -> io::Result<()> {
    Ok(())
}
