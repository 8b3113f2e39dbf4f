//! The INI file: what the user has set, as text.
//!
//! A file beside the executable is read first, then one in the user's configuration folder on top of it; the
//! environment variable `KOMADAI_INI` names one file that replaces both. A change goes into the file that counts: one
//! line of it is replaced, and everything else stays byte by byte, whatever the encoding and the line ends.

mod edit;
mod look;

use std::collections::BTreeMap;
use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use configparser::ini::Ini;
use encoding_rs::SHIFT_JIS;
use thiserror::Error;

use crate::atomic::{Replacement, plain_file};
use crate::text::{self, quoted};

pub use look::FileState;

/// The section that holds the settings.
const SECTION: &str = "CustomSettings";

/// The program whose settings these are, unless it says otherwise.
const PROGRAM: &str = "komadai";

/// What a new file holds.
const TEMPLATE: &str = include_str!("../ini/komadai.ini");

/// A value that means: leave it as it is. In a file it sets nothing.
pub(crate) const AS_IT_IS: &str = "<ini>";

/// Why the INI file can't be used.
#[derive(Debug, Error)]
pub enum SettingsError {
    /// The file can't be read.
    #[error("can't read {path}: {source}", path = quoted(.path))]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file can't be written.
    #[error("can't write {path}: {source}", path = quoted(.path))]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file's content is no INI file.
    #[error("{path} is no INI file: {what}", path = quoted(.path))]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The encoding of the file has no such characters.
    #[error("{path} can't hold {:?}: save the file as UTF-8", excerpt(.value), path = quoted(.path))]
    Encoding {
        /// The file.
        path: PathBuf,
        /// The value.
        value: String,
    },
    /// The value can't stand in any INI file.
    #[error("{path} can't hold {:?}: a value is one line without blanks at its ends", excerpt(.value), path = quoted(.path))]
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
    /// What came of each file.
    states: Vec<FileState>,
    /// By the key in small letters.
    values: BTreeMap<String, String>,
    /// Which file a value comes from, by the key in small letters.
    origins: BTreeMap<String, usize>,
    errors: Vec<SettingsError>,
}

impl Settings {
    /// The settings of this user on this machine, in `komadai.ini`.
    pub fn load() -> Settings {
        Settings::load_for(PROGRAM)
    }

    /// The same for another program, a word of ASCII letters, digits, `-` and `_`: for `mine` they are in `mine.ini`
    /// beside the executable, with one in the folder `mine` of the user's configuration on top, unless the environment
    /// variable `MINE_INI` names a file.
    pub fn load_for(program: &str) -> Settings {
        let variable = format!("{}_INI", program.to_ascii_uppercase().replace('-', "_"));
        match env::var_os(variable).filter(|path| !path.is_empty()) {
            Some(path) => Settings::from_files(vec![path.into()]),
            None => {
                let beside = env::current_exe().ok().and_then(|exe| exe.parent().map(Path::to_owned));
                let folders = beside.into_iter().chain(user_folder(program));
                Settings::from_files(folders.map(|folder| folder.join(format!("{program}.ini"))).collect())
            }
        }
    }

    /// The settings in these files, of which a later one counts more; they need not exist.
    pub fn from_files(files: Vec<PathBuf>) -> Settings {
        let mut settings = Settings { files, ..Settings::default() };
        for (index, path) in settings.files.iter().enumerate() {
            let values = read(path).and_then(|bytes| bytes.map(|bytes| parse(path, &bytes)).transpose());
            settings.states.push(FileState::of(&values));
            match values {
                Ok(values) => {
                    let set = values.into_iter().flatten().filter(|(_, value)| !value.eq_ignore_ascii_case(AS_IT_IS));
                    for (key, value) in set {
                        settings.origins.insert(key.clone(), index);
                        settings.values.insert(key, value);
                    }
                }
                Err(error) => settings.errors.push(error),
            }
        }
        settings
    }

    /// No file: nothing is set, and what is set is forgotten with the program.
    pub fn none() -> Settings {
        Settings::default()
    }

    /// The value of a key, whose case does not count.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.values.get(&key.to_lowercase()).map(String::as_str)
    }

    /// All keys, in small letters, with their values.
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
        self.values.insert(key.to_lowercase(), value.to_owned());
        let mut result = Ok(());
        for path in self.targets() {
            result = self.write(path, key, value);
            if result.is_ok() {
                break;
            }
        }
        result
    }

    /// Where a change goes, the first of these that can be written: the file that counts, then those of which a new one
    /// would count at least as much.
    fn targets(&self) -> &[PathBuf] {
        let existing = self.files.iter().rposition(|path| path.exists());
        &self.files[existing.unwrap_or(0)..]
    }

    fn write(&self, path: &Path, key: &str, value: &str) -> Result<(), SettingsError> {
        let unfit = || SettingsError::Value { path: path.to_owned(), value: value.to_owned() };
        if value.trim() != value || value.contains(['\n', '\0']) {
            return Err(unfit());
        }
        let old = match read(path)? {
            Some(old) => old,
            None => self.new_file(path)?,
        };
        parse(path, &old)?;
        let unwritable = || SettingsError::Encoding { path: path.to_owned(), value: value.to_owned() };
        let new = edit::set(&old, SECTION, key, &encode(value, &old).ok_or_else(unwritable)?);
        if parse(path, &new)?.get(&key.to_lowercase()).map(String::as_str) != Some(value) {
            // CP932 may by chance look like UTF-8.
            return Err(if is_utf8(&old) { unfit() } else { unwritable() });
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

/// The folder for the configuration of this user's programs, with a folder for this one in it.
fn user_folder(program: &str) -> Option<PathBuf> {
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
    configuration.map(|folder| folder.join(program))
}

/// The content of a file; `None` where there is no such file.
fn read(path: &Path) -> Result<Option<Vec<u8>>, SettingsError> {
    match std::fs::metadata(path).and_then(|found| plain_file(&found)).and_then(|()| std::fs::read(path)) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(SettingsError::Read { path: path.to_owned(), source }),
    }
}

/// The settings in the content of a file, by the key in small letters. Of several values of a key the last one counts,
/// be it in one section or in several.
fn parse(path: &Path, bytes: &[u8]) -> Result<BTreeMap<String, String>, SettingsError> {
    let content = |what: String| SettingsError::Content { path: path.to_owned(), what };
    if bytes.contains(&0) {
        return Err(content("it holds zero bytes; save it as UTF-8".into()));
    }
    // Not case-sensitive: sections and keys in several spellings become one.
    let mut ini = Ini::new();
    // A ; inside a value separates books.
    ini.set_inline_comment_symbols(Some(&[]));
    let mut sections = ini.read(decode(bytes)).map_err(content)?;
    let section = sections.remove(&SECTION.to_lowercase()).unwrap_or_default();
    Ok(section.into_iter().filter_map(|(key, value)| Some((key, value?))).collect())
}

const BOM: &[u8] = b"\xef\xbb\xbf";

/// UTF-8 with or without mark, or else CP932.
fn decode(bytes: &[u8]) -> String {
    text::decode(bytes.strip_prefix(BOM).unwrap_or(bytes)).into_owned()
}

/// The value in the encoding of a file.
fn encode(value: &str, file: &[u8]) -> Option<Vec<u8>> {
    if is_utf8(file) {
        return Some(value.as_bytes().to_owned());
    }
    let (bytes, _, unmappable) = SHIFT_JIS.encode(value);
    (!unmappable).then(|| bytes.into_owned())
}

fn is_utf8(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok()
}

/// The start of a text, short enough for an error message.
pub(crate) fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Puts a new content in the place of a file in one step, so that there is the old or the new one at any time.
fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut file = Replacement::begin(path)?;
    file.write_all(content)?;
    file.finish()
}
