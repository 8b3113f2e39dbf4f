//! The options that the engine itself declares: how they are printed, read and kept.

use crate::settings::{AS_IT_IS, Settings};
use crate::sikou::{Declared, OwnKind, OwnValue};

use super::options::{EMPTY, OptionError, default_to_print, is_option, read_check, read_choice};
use super::places;

/// All of them, with their values as text.
#[derive(Debug)]
pub(super) struct OwnOptions {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    declared: Declared,
    /// What `usi` prints as default: the value when the session began.
    default: String,
    text: String,
    /// Whether the INI file holds what the option can't take.
    misfit: bool,
}

/// What setting an option led to.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct OwnChange {
    /// The place of the option among those declared.
    pub index: usize,
    pub name: String,
    pub value: OwnValue,
    /// What to write to the INI file, for an option that is kept there.
    pub keep: Option<String>,
}

impl OwnOptions {
    /// The declared defaults, with those of the INI file on top; and what of the INI file can't be used. The error is a
    /// declaration that can't be.
    pub fn new(declared: Vec<Declared>, settings: &Settings) -> Result<(OwnOptions, Vec<String>), String> {
        let mut own = OwnOptions { entries: Vec::new() };
        let mut errors = Vec::new();
        for declared in declared {
            if let Some(fault) = declared.fault() {
                return Err(fault);
            }
            if is_option(&declared.name) || own.find(&declared.name).is_some() {
                return Err(format!("there is another option of the name {}", declared.name));
            }
            let mut default = declared.kind.default_text();
            let mut misfit = false;
            match settings.get(&declared.name).map(|value| declared.read(value)) {
                Some(Ok((text, _))) => default = text,
                Some(Err(error)) => {
                    misfit = true;
                    errors.push(format!("INI file: {error}"));
                }
                None => {}
            }
            own.entries.push(Entry { declared, text: default.clone(), default, misfit });
        }
        Ok((own, errors))
    }

    /// What each option begins with, by its place; of buttons nothing.
    pub fn values(&self) -> impl Iterator<Item = (usize, OwnValue)> {
        let with_value = self.entries.iter().enumerate().filter(|(_, entry)| entry.declared.kind != OwnKind::Button);
        with_value.filter_map(|(index, entry)| Some((index, entry.declared.read(&entry.text).ok()?.1)))
    }

    /// Takes a value as the GUI sends it, and says what changed. No value at all presses a button, and else changes
    /// nothing.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Option<OwnChange>, OptionError> {
        let index = self.find(name).ok_or_else(|| OptionError::Unknown(name.into()))?;
        let Entry { declared, text: old, misfit, .. } = &mut self.entries[index];
        let is_button = declared.kind == OwnKind::Button;
        let value = value.filter(|value| !value.eq_ignore_ascii_case(AS_IT_IS));
        let value = if is_button { Some(value.unwrap_or_default()) } else { value };
        let Some(value) = value else { return Ok(None) };
        let (text, value) = declared.read(value)?;
        let kept = declared.kept && !is_button;
        if text == *old && !is_button && !(kept && *misfit) {
            return Ok(None);
        }
        *misfit = false;
        let keep = kept.then(|| if text == EMPTY { String::new() } else { text.clone() });
        *old = text;
        Ok(Some(OwnChange { index, name: declared.name.clone(), value, keep }))
    }

    /// The `option` lines, as declared.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.entries.iter().map(Entry::line)
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.entries.iter().position(|entry| entry.declared.name.eq_ignore_ascii_case(name))
    }
}

impl OwnKind {
    fn default_text(&self) -> String {
        match self {
            OwnKind::Check { default } => default.to_string(),
            OwnKind::Spin { default, .. } => default.to_string(),
            OwnKind::Combo { default, .. } => default.clone(),
            OwnKind::Text { default } | OwnKind::File { default } if default.is_empty() => EMPTY.to_owned(),
            OwnKind::Text { default } | OwnKind::File { default } => default.clone(),
            OwnKind::Button => String::new(),
        }
    }
}

impl Declared {
    /// Reads a value; as it is to be printed and kept, and as the engine gets it.
    fn read(&self, value: &str) -> Result<(String, OwnValue), OptionError> {
        let refuse = |expected: String| OptionError::Value { name: self.name.clone(), value: value.into(), expected };
        let plain = if value == EMPTY { "" } else { value };
        let text = if plain.is_empty() { EMPTY } else { plain }.to_owned();
        match &self.kind {
            OwnKind::Check { .. } => {
                let on = read_check(value).ok_or_else(|| refuse("true or false".into()))?;
                Ok((on.to_string(), OwnValue::Check(on)))
            }
            OwnKind::Spin { min, max, .. } => {
                let number = value.parse().ok().filter(|number| (min..=max).contains(&number));
                let number = number.ok_or_else(|| refuse(format!("a number from {min} to {max}")))?;
                Ok((number.to_string(), OwnValue::Spin(number)))
            }
            OwnKind::Combo { choices, .. } => {
                let index = read_choice(choices, value);
                let choice = index.map(|index| &choices[index]);
                let choice = choice.ok_or_else(|| refuse(format!("one of {}", choices.join(", "))))?;
                Ok((choice.clone(), OwnValue::Text(choice.clone())))
            }
            OwnKind::Text { .. } => Ok((text, OwnValue::Text(plain.to_owned()))),
            OwnKind::File { .. } => {
                Ok((text, OwnValue::File((!plain.is_empty()).then(|| places::path_to_write(plain)))))
            }
            OwnKind::Button => Ok((String::new(), OwnValue::Button)),
        }
    }
}

impl Entry {
    fn line(&self) -> String {
        let (name, default) = (&self.declared.name, &self.default);
        match &self.declared.kind {
            OwnKind::Check { .. } => format!("option name {name} type check default {default}"),
            OwnKind::Spin { min, max, .. } => {
                format!("option name {name} type spin default {default} min {min} max {max}")
            }
            OwnKind::Combo { choices, .. } => {
                let choices: String = choices.iter().map(|choice| format!(" var {choice}")).collect();
                format!("option name {name} type combo default {default}{choices}")
            }
            OwnKind::Text { .. } => format!("option name {name} type string default {}", default_to_print(default)),
            OwnKind::File { .. } => format!("option name {name} type filename default {}", default_to_print(default)),
            OwnKind::Button => format!("option name {name} type button"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::sikou::OwnOption;

    fn declared() -> Vec<Declared> {
        let options: Vec<OwnOption<()>> = vec![
            OwnOption::check("Greedy", true, |_, _| {}),
            OwnOption::spin("Boldness", -3, -100..=100, |_, _| {}).kept(),
            OwnOption::combo("Style", "calm", &["calm", "Wild"], |_, _| {}),
            OwnOption::text("Motto", "", |_, _| {}).kept(),
            OwnOption::file("Data", "my data.bin", |_, _| Ok(())),
            OwnOption::button("Forget", |_| {}),
        ];
        options.into_iter().map(|option| option.split().0).collect()
    }

    fn own() -> OwnOptions {
        let (own, errors) = OwnOptions::new(declared(), &Settings::none()).unwrap();
        assert!(errors.is_empty());
        own
    }

    #[test]
    fn each_kind_has_its_line() {
        assert_eq!(
            own().lines().collect::<Vec<_>>(),
            [
                "option name Greedy type check default true",
                "option name Boldness type spin default -3 min -100 max 100",
                "option name Style type combo default calm var calm var Wild",
                "option name Motto type string default <empty>",
                "option name Data type filename default <ini>",
                "option name Forget type button",
            ]
        );
    }

    #[test]
    fn all_but_buttons_begin_with_a_value() {
        let values: Vec<_> = own().values().map(|(index, _)| index).collect();
        assert_eq!(values, [0, 1, 2, 3, 4]);
        assert_eq!(own().values().nth(1), Some((1, OwnValue::Spin(-3))));
        assert_eq!(own().values().nth(3), Some((3, OwnValue::Text(String::new()))));
        assert!(matches!(own().values().nth(4), Some((4, OwnValue::File(Some(_))))));
    }

    #[test]
    fn a_value_is_taken_checked_and_said_once() {
        let mut own = own();
        let change = own.set("boldness", Some("7")).unwrap().unwrap();
        assert_eq!((change.index, change.value, change.keep), (1, OwnValue::Spin(7), Some("7".into())));
        assert_eq!(own.set("Boldness", Some("7")), Ok(None));
        assert_eq!(own.set("Boldness", None), Ok(None));
        assert_eq!(own.set("Boldness", Some("<ini>")), Ok(None));
        assert!(own.set("Boldness", Some("101")).is_err());
        assert!(own.set("Greedy", Some("yes")).is_err());
        assert!(own.set("Style", Some("x")).is_err());
        assert_eq!(own.set("Timid", Some("7")), Err(OptionError::Unknown("Timid".into())));
        assert_eq!(own.set("Style", Some("WILD")).unwrap().unwrap().value, OwnValue::Text("Wild".into()));
        let absolute = std::env::temp_dir().join("x.bin");
        let data = own.set("Data", absolute.to_str()).unwrap().unwrap();
        assert_eq!((data.value, data.keep), (OwnValue::File(Some(absolute)), None));
        assert_eq!(own.set("Data", Some("")).unwrap().unwrap().value, OwnValue::File(None::<PathBuf>));
    }

    #[test]
    fn a_button_is_pressed_each_time_with_or_without_a_value() {
        let mut own = own();
        for value in [None, None, Some(""), Some("x")] {
            assert_eq!(own.set("Forget", value).unwrap().unwrap().value, OwnValue::Button);
        }
    }

    #[test]
    fn no_name_is_declared_twice() {
        let mut twice = declared();
        twice[5].name = "GREEDY".into();
        assert!(OwnOptions::new(twice, &Settings::none()).is_err());
        let mut built_in = declared();
        built_in[5].name = "usi_hash".into();
        assert!(OwnOptions::new(built_in, &Settings::none()).is_err());
    }
}
