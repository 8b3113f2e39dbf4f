//! All options, in one table: name, type, default and where a value goes.

use std::time::Duration;

use thiserror::Error;

use crate::joseki::{Select, Selection};
use crate::kyokumen::NyugyokuRule;
use crate::settings::{AS_IT_IS, Settings, excerpt};
use crate::sikou::Config;

/// The book in use unless the user chose another; it is also part of the program.
pub(super) const STANDARD_BOOK: &str = "joseki/standard.joseki";

/// How an empty text is written.
pub(super) const EMPTY: &str = "<empty>";

/// The values of all options.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub config: Config,
    pub selection: Selection,
    pub use_book: bool,
    pub own_book: bool,
    /// Names of book files, separated by `;`.
    pub book_file: String,
    pub random_seed: u64,
    pub log_file: String,
    /// The name of a file with a net; empty for none.
    pub eval_file: String,
    /// What `usi` prints as default of each option: its value when the session began.
    defaults: Vec<String>,
    /// The values as they are now, as text.
    texts: Vec<String>,
    /// Of which options the INI file holds what they can't take.
    misfits: Vec<bool>,
}

/// An option as the protocol describes it.
struct Entry {
    name: &'static str,
    kind: Kind,
    /// Whether a change is written to the INI file.
    kept: bool,
}

/// The type, with the default and the place where a value goes.
enum Kind {
    Check { default: bool, put: fn(&mut Options, bool) },
    Spin { default: u64, min: u64, max: u64, put: fn(&mut Options, u64) },
    Combo { default: &'static str, choices: &'static [&'static str], put: fn(&mut Options, usize) },
    File { default: &'static str, put: fn(&mut Options, String) },
}

const fn check(name: &'static str, default: bool, put: fn(&mut Options, bool)) -> Entry {
    Entry { name, kind: Kind::Check { default, put }, kept: false }
}

const fn spin(name: &'static str, min: u64, max: u64, default: u64, put: fn(&mut Options, u64)) -> Entry {
    Entry { name, kind: Kind::Spin { default, min, max, put }, kept: false }
}

const fn combo(
    name: &'static str,
    choices: &'static [&'static str],
    default: &'static str,
    put: fn(&mut Options, usize),
) -> Entry {
    Entry { name, kind: Kind::Combo { default, choices, put }, kept: false }
}

const fn file(name: &'static str, default: &'static str, put: fn(&mut Options, String)) -> Entry {
    Entry { name, kind: Kind::File { default, put }, kept: false }
}

const fn kept(entry: Entry) -> Entry {
    Entry { kept: true, ..entry }
}

const SELECT: [Select; 3] = [Select::Count, Select::Best, Select::Value];

const RULES: [NyugyokuRule; 6] = [
    NyugyokuRule::None,
    NyugyokuRule::Csa24,
    NyugyokuRule::Csa24H,
    NyugyokuRule::Csa27,
    NyugyokuRule::Csa27H,
    NyugyokuRule::Try,
];

const RULE_NAMES: &[&str] = &["NoEnteringKing", "CSARule24", "CSARule24H", "CSARule27", "CSARule27H", "TryRule"];

/// In the order in which they are printed.
static TABLE: [Entry; 23] = [
    spin("USI_Hash", 1, 1_048_576, 256, |o, n| o.config.hash_mb = n as usize),
    check("USI_Ponder", false, |_, _| {}), // Only the GUI acts on it, by `go ponder`.
    spin("Threads", 1, 256, 1, |o, n| o.config.threads = n as usize),
    spin("MultiPV", 1, 600, 1, |o, n| o.config.multi_pv = n as usize),
    kept(check("UseBook", true, |o, on| o.use_book = on)),
    check("USI_OwnBook", true, |o, on| o.own_book = on),
    kept(file("BookFile", STANDARD_BOOK, |o, names| o.book_file = names)),
    combo("BookSelect", &["count", "best", "value"], "count", |o, i| o.selection.select = SELECT[i]),
    spin("BookMoves", 0, 10_000, 10_000, |o, n| o.selection.max_tesu = n as u32),
    spin("BookMinCount", 0, 1_000_000, 1, |o, n| o.selection.min_count = n),
    spin("BookMinShare", 0, 100, 0, |o, n| o.selection.min_share = n as u32),
    spin("BookEvalDiff", 0, 99_999, 50, |o, n| o.selection.eval_diff = n as i32),
    spin("BookIgnoreRate", 0, 100, 0, |o, n| o.selection.ignore_rate = n as u32),
    check("BookMirror", true, |o, on| o.selection.mirror = on),
    combo("EnteringKingRule", RULE_NAMES, "CSARule27", |o, i| o.config.nyugyoku_rule = RULES[i]),
    spin("MaxMovesToDraw", 0, 100_000, 0, |o, n| o.config.max_moves_to_draw = n as u32),
    spin("ResignValue", 0, 99_999, 99_999, |o, n| o.config.resign_value = n as i32),
    spin("SkillLevel", 0, 20, 20, |o, n| o.config.skill_level = n as u32),
    spin("NetworkDelay", 0, 10_000, 50, |o, n| o.config.network_delay = Duration::from_millis(n)),
    spin("MinimumThinkingTime", 0, 100_000, 0, |o, n| o.config.minimum_thinking_time = Duration::from_millis(n)),
    spin("RandomSeed", 0, 2_147_483_647, 0, |o, n| o.random_seed = n),
    file("LogFile", EMPTY, |o, name| o.log_file = name),
    file("EvalFile", EMPTY, |o, name| o.eval_file = name),
];

/// A value that an option can't take.
#[derive(Debug, Error, PartialEq, Eq)]
pub(super) enum OptionError {
    #[error("there is no option {:?}", excerpt(.0))]
    Unknown(String),
    #[error("{name} keeps its value: {:?} is not {expected}", excerpt(.value))]
    Value { name: String, value: String, expected: String },
}

/// An option as it stands.
#[derive(Clone, Debug)]
pub(super) struct Value<'a> {
    pub name: &'static str,
    pub text: &'a str,
    /// What is built in, whatever the INI file says.
    pub default: String,
}

/// What setting an option led to.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub name: &'static str,
    /// What to write to the INI file, for an option that is kept there.
    pub keep: Option<String>,
}

impl Options {
    /// The built-in defaults, with those of the INI file on top; and what of the INI file can't be used.
    pub fn new(settings: &Settings) -> (Options, Vec<String>) {
        let mut options = Options {
            config: Config::default(),
            selection: Selection::default(),
            use_book: true,
            own_book: true,
            book_file: String::new(),
            random_seed: 0,
            log_file: String::new(),
            eval_file: String::new(),
            defaults: TABLE.iter().map(Entry::default_text).collect(),
            texts: Vec::new(),
            misfits: vec![false; TABLE.len()],
        };
        let mut errors = Vec::new();
        for entry in &TABLE {
            if let Err(error) = entry.put(&mut options, &entry.default_text()) {
                errors.push(error.to_string());
            }
        }
        for (name, value) in settings.values() {
            match find(name).map(|index| (index, TABLE[index].put(&mut options, value))) {
                Some((index, Ok(text))) => options.defaults[index] = text,
                Some((index, Err(error))) => {
                    options.misfits[index] = true;
                    errors.push(format!("INI file: {error}"));
                }
                // Other programs and other versions may have keys of their own there.
                None => {}
            }
        }
        options.texts = options.defaults.clone();
        (options, errors)
    }

    /// Takes a value as the GUI sends it, and says what changed, in the program or in what the INI file is to hold. No
    /// value at all changes nothing.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Option<Change>, OptionError> {
        let index = find(name).ok_or_else(|| OptionError::Unknown(name.into()))?;
        let entry = &TABLE[index];
        let Some(value) = value.filter(|value| !value.eq_ignore_ascii_case(AS_IT_IS)) else { return Ok(None) };
        let text = entry.put(self, value)?;
        if text == self.texts[index] && !(entry.kept && self.misfits[index]) {
            return Ok(None);
        }
        self.misfits[index] = false;
        let keep = entry.kept.then(|| if text == EMPTY { String::new() } else { text.clone() });
        self.texts[index] = text;
        Ok(Some(Change { name: entry.name, keep }))
    }

    /// All options as they stand, in the order of the table.
    pub fn values(&self) -> impl Iterator<Item = Value<'_>> {
        let values = TABLE.iter().zip(&self.texts);
        values.map(|(entry, text)| Value { name: entry.name, text, default: entry.default_text() })
    }

    /// The `option` lines, in the order of the table.
    pub fn lines(&self) -> Vec<String> {
        TABLE.iter().zip(&self.defaults).map(|(entry, default)| entry.line(default)).collect()
    }
}

/// Whether there is an option of this name.
pub(super) fn is_option(name: &str) -> bool {
    find(name).is_some()
}

/// Names are not case-sensitive.
fn find(name: &str) -> Option<usize> {
    TABLE.iter().position(|entry| entry.name.eq_ignore_ascii_case(name))
}

/// Whether a value is true or false; `None` where it is neither.
pub(super) fn read_check(value: &str) -> Option<bool> {
    let is = |word| value.eq_ignore_ascii_case(word);
    if is("true") { Some(true) } else { is("false").then_some(false) }
}

/// Which of these a value is.
pub(super) fn read_choice(choices: &[impl AsRef<str>], value: &str) -> Option<usize> {
    choices.iter().position(|choice| choice.as_ref().eq_ignore_ascii_case(value))
}

/// A default as it is printed: GUIs cut it at its first blank, and disagree about encodings.
pub(super) fn default_to_print(default: &str) -> &str {
    if default.bytes().all(|byte| byte.is_ascii_graphic()) { default } else { AS_IT_IS }
}

impl Entry {
    fn default_text(&self) -> String {
        match self.kind {
            Kind::Check { default, .. } => default.to_string(),
            Kind::Spin { default, .. } => default.to_string(),
            Kind::Combo { default, .. } | Kind::File { default, .. } => default.to_owned(),
        }
    }

    /// Puts a value where it belongs and returns it as it is to be printed and kept.
    fn put(&self, options: &mut Options, value: &str) -> Result<String, OptionError> {
        let refuse = |expected: String| OptionError::Value { name: self.name.into(), value: value.into(), expected };
        match self.kind {
            Kind::Check { put, .. } => {
                let on = read_check(value).ok_or_else(|| refuse("true or false".into()))?;
                put(options, on);
                Ok(on.to_string())
            }
            Kind::Spin { min, max, put, .. } => {
                let number = value.parse().ok().filter(|number| (min..=max).contains(number));
                let number = number.ok_or_else(|| refuse(format!("a number from {min} to {max}")))?;
                put(options, number);
                Ok(number.to_string())
            }
            Kind::Combo { choices, put, .. } => {
                let index = read_choice(choices, value);
                let index = index.ok_or_else(|| refuse(format!("one of {}", choices.join(", "))))?;
                put(options, index);
                Ok(choices[index].to_owned())
            }
            Kind::File { put, .. } => {
                let name = if value == EMPTY { "" } else { value };
                put(options, name.to_owned());
                Ok(if name.is_empty() { EMPTY } else { name }.to_owned())
            }
        }
    }

    fn line(&self, default: &str) -> String {
        let name = self.name;
        match self.kind {
            Kind::Check { .. } => format!("option name {name} type check default {default}"),
            Kind::Spin { min, max, .. } => {
                format!("option name {name} type spin default {default} min {min} max {max}")
            }
            Kind::Combo { choices, .. } => {
                let choices: String = choices.iter().map(|choice| format!(" var {choice}")).collect();
                format!("option name {name} type combo default {default}{choices}")
            }
            Kind::File { .. } => format!("option name {name} type filename default {}", default_to_print(default)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Options {
        let (options, errors) = Options::new(&Settings::none());
        assert!(errors.is_empty());
        options
    }

    #[test]
    fn the_built_in_defaults_are_those_of_the_parts_that_use_them() {
        let options = options();
        assert_eq!(options.config, Config::default());
        assert_eq!(options.selection, Selection::default());
        assert_eq!(options.book_file, STANDARD_BOOK);
        assert_eq!((options.log_file.as_str(), options.eval_file.as_str()), ("", ""));
    }

    #[test]
    fn every_line_has_its_default_before_its_range() {
        let lines = options().lines();
        assert_eq!(lines[0], "option name USI_Hash type spin default 256 min 1 max 1048576");
        assert!(lines.contains(&"option name UseBook type check default true".into()));
        assert!(lines.contains(&"option name BookFile type filename default joseki/standard.joseki".into()));
        assert!(lines.contains(&"option name BookSelect type combo default count var count var best var value".into()));
        assert_eq!(lines[21], "option name LogFile type filename default <empty>");
        assert_eq!(lines[22], "option name EvalFile type filename default <empty>");
        assert!(lines.iter().all(|line| line.bytes().all(|byte| (b' '..=b'~').contains(&byte))));
    }

    #[test]
    fn every_default_may_be_sent_back() {
        let mut options = options();
        for (entry, default) in TABLE.iter().zip(options.defaults.clone()) {
            assert_eq!(options.set(entry.name, Some(&default)), Ok(None), "{}", entry.name);
        }
        assert_eq!(options.config, Config::default());
        assert_eq!(options.selection, Selection::default());
    }

    #[test]
    fn names_and_words_are_not_case_sensitive() {
        let mut options = options();
        options.set("usi_hash", Some("16")).unwrap();
        options.set("USEBOOK", Some("False")).unwrap();
        options.set("bookselect", Some("BEST")).unwrap();
        assert_eq!((options.config.hash_mb, options.use_book, options.selection.select), (16, false, Select::Best));
    }

    #[test]
    fn a_value_that_can_not_be_changes_nothing_and_is_named() {
        let mut options = options();
        let long = "9".repeat(1000);
        for value in ["abc", "-1", "0", "1048577", "", "1.5", long.as_str()] {
            let error = options.set("USI_Hash", Some(value)).unwrap_err().to_string();
            assert!(error.contains("a number from 1 to 1048576"), "{error}");
        }
        assert!(options.set("USI_Ponder", Some("maybe")).is_err());
        assert!(options.set("BookSelect", Some("worst")).is_err());
        assert_eq!(options.config, Config::default());
        assert_eq!(options.set("NoSuchOption", Some("1")), Err(OptionError::Unknown("NoSuchOption".into())));
        assert_eq!(options.set("USI_Hash", None), Ok(None));
    }

    #[test]
    fn errors_quote_the_start_of_a_long_value() {
        let mut options = options();
        let long = "9".repeat(3000);
        let error = options.set("USI_Hash", Some(&long)).unwrap_err().to_string();
        let quoted = format!("{:?}", "9".repeat(40));
        assert_eq!(error, format!("USI_Hash keeps its value: {quoted} is not a number from 1 to 1048576"));
        let error = options.set(&long, Some("1")).unwrap_err().to_string();
        assert_eq!(error, format!("there is no option {quoted}"));
    }

    /// The options that begin with this INI file.
    fn with_ini(lines: &str) -> (Options, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("komadai.ini");
        std::fs::write(&path, format!("[CustomSettings]\n{lines}")).unwrap();
        Options::new(&Settings::from_files(vec![path]))
    }

    #[test]
    fn what_the_file_can_not_mean_is_replaced_by_what_is_sent() {
        let (mut options, errors) = with_ini("usebook=maybe\nMultiPV=none\n");
        assert_eq!(errors.len(), 2);
        let change = Change { name: "UseBook", keep: Some("true".into()) };
        assert_eq!(options.set("UseBook", Some("true")), Ok(Some(change)));
        assert_eq!(options.set("UseBook", Some("true")), Ok(None), "written already");
        assert_eq!(options.set("MultiPV", Some("1")), Ok(None), "not kept in the file");
    }

    #[test]
    fn what_the_file_says_or_does_not_say_is_not_replaced_by_the_same() {
        let (mut options, _) = with_ini("");
        assert_eq!(options.set("UseBook", Some("true")), Ok(None));
        assert_eq!(options.set("BookFile", Some(STANDARD_BOOK)), Ok(None));
        let (mut options, _) = with_ini("UseBook=FALSE\nBookFile=\n");
        assert_eq!(options.set("UseBook", Some("false")), Ok(None));
        assert_eq!(options.set("BookFile", Some("<empty>")), Ok(None));
    }

    #[test]
    fn the_sign_for_as_it_is_sets_nothing_in_the_file_either() {
        let (mut options, errors) = with_ini("BookFile=<ini>\nusebook=<INI>\nMultiPV=<ini>\n");
        assert_eq!(errors, [""; 0]);
        assert_eq!((options.book_file.as_str(), options.use_book), (STANDARD_BOOK, true));
        assert_eq!(options.set("BookFile", Some(STANDARD_BOOK)), Ok(None));
    }

    #[test]
    fn only_the_book_and_its_switch_are_kept() {
        let mut options = options();
        let mut keep = |name, value| options.set(name, Some(value)).unwrap().and_then(|change| change.keep);
        assert_eq!(keep("BookFile", "C:\\my books\\a.db").as_deref(), Some("C:\\my books\\a.db"));
        assert_eq!(keep("BookFile", "<empty>").as_deref(), Some(""));
        assert_eq!(keep("BookFile", ""), None, "as it is already");
        assert_eq!(keep("UseBook", "FALSE").as_deref(), Some("false"));
        assert_eq!(keep("USI_OwnBook", "false"), None);
        assert_eq!(options.set("BookFile", Some("<ini>")), Ok(None));
    }
}
