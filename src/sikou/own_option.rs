//! Options that an engine declares for itself.

use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// An option of an engine's own: how it is called, what it can be, and where a value goes.
///
/// The session prints it behind its own options, reads and checks what the GUI sends, and hands valid values to the
/// function given here, on the thread on which the engine thinks, and never while it does: each option once before the
/// first [`configure`](super::Sikou::configure), with its default or what the INI file says, and then when it changes.
/// A name is printable ASCII without blanks, and differs from all others, also from those of the session; case does not
/// count. A declaration that can't be is an error of [`serve`](crate::usi::serve).
///
/// ```
/// use komadai::sikou::OwnOption;
///
/// struct Mine { boldness: i64 }
///
/// let option = OwnOption::spin("Boldness", 0, -100..=100, |mine: &mut Mine, number| mine.boldness = number);
/// let kept_in_the_ini = option.kept();
/// ```
pub struct OwnOption<E: ?Sized> {
    declared: Declared,
    put: Put<E>,
}

/// Takes a value in; the error is a sentence for the user.
pub(crate) type Put<E> = Box<dyn FnMut(&mut E, OwnValue) -> Result<(), String> + Send>;

/// What the session knows of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declared {
    pub name: String,
    pub kind: OwnKind,
    /// Whether a change is written to the INI file.
    pub kept: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OwnKind {
    Check { default: bool },
    Spin { default: i64, min: i64, max: i64 },
    Combo { default: String, choices: Vec<String> },
    Text { default: String },
    File { default: String },
    Button,
}

/// A value that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OwnValue {
    Check(bool),
    Spin(i64),
    Text(String),
    File(Option<PathBuf>),
    Button,
}

impl<E: ?Sized> OwnOption<E> {
    /// On or off.
    pub fn check(name: &str, default: bool, mut put: impl FnMut(&mut E, bool) + Send + 'static) -> OwnOption<E> {
        OwnOption::new(name, OwnKind::Check { default }, move |engine, value| {
            if let OwnValue::Check(on) = value {
                put(engine, on);
            }
            Ok(())
        })
    }

    /// A number of a range.
    pub fn spin(
        name: &str,
        default: i64,
        range: RangeInclusive<i64>,
        mut put: impl FnMut(&mut E, i64) + Send + 'static,
    ) -> OwnOption<E> {
        let kind = OwnKind::Spin { default, min: *range.start(), max: *range.end() };
        OwnOption::new(name, kind, move |engine, value| {
            if let OwnValue::Spin(number) = value {
                put(engine, number);
            }
            Ok(())
        })
    }

    /// One of several words, each of printable ASCII without blanks.
    pub fn combo(
        name: &str,
        default: &str,
        choices: &[&str],
        mut put: impl FnMut(&mut E, &str) + Send + 'static,
    ) -> OwnOption<E> {
        let choices = choices.iter().map(|&choice| choice.to_owned()).collect();
        OwnOption::new(name, OwnKind::Combo { default: default.to_owned(), choices }, move |engine, value| {
            if let OwnValue::Text(choice) = value {
                put(engine, &choice);
            }
            Ok(())
        })
    }

    /// Any text of one line, without blanks at its ends.
    pub fn text(name: &str, default: &str, mut put: impl FnMut(&mut E, &str) + Send + 'static) -> OwnOption<E> {
        OwnOption::new(name, OwnKind::Text { default: default.to_owned() }, move |engine, value| {
            if let OwnValue::Text(text) = value {
                put(engine, &text);
            }
            Ok(())
        })
    }

    /// The name of a file; `None` for none. A relative one has been looked up beside the executable, then in the
    /// current folder. An error is told to the user.
    pub fn file(
        name: &str,
        default: &str,
        mut put: impl FnMut(&mut E, Option<&Path>) -> Result<(), String> + Send + 'static,
    ) -> OwnOption<E> {
        OwnOption::new(name, OwnKind::File { default: default.to_owned() }, move |engine, value| match value {
            OwnValue::File(path) => put(engine, path.as_deref()),
            _ => Ok(()),
        })
    }

    /// Something to do when the user says so.
    pub fn button(name: &str, mut press: impl FnMut(&mut E) + Send + 'static) -> OwnOption<E> {
        OwnOption::new(name, OwnKind::Button, move |engine, _| {
            press(engine);
            Ok(())
        })
    }

    fn new(
        name: &str,
        kind: OwnKind,
        put: impl FnMut(&mut E, OwnValue) -> Result<(), String> + Send + 'static,
    ) -> OwnOption<E> {
        OwnOption { declared: Declared { name: name.to_owned(), kind, kept: false }, put: Box::new(put) }
    }

    /// The same option, whose value is written to the INI file when it changes. Those that are not are read there too.
    #[must_use]
    pub fn kept(mut self) -> OwnOption<E> {
        self.declared.kept = true;
        self
    }

    /// The option of an engine that is part of another one: `part` finds it there.
    pub fn within<F: ?Sized>(self, part: impl Fn(&mut F) -> &mut E + Send + 'static) -> OwnOption<F>
    where
        E: 'static,
    {
        let OwnOption { declared, mut put } = self;
        OwnOption { declared, put: Box::new(move |whole, value| put(part(whole), value)) }
    }

    /// What the session knows, and what the engine's thread does.
    pub(crate) fn split(self) -> (Declared, Put<E>) {
        (self.declared, self.put)
    }

    /// Both together again.
    pub(crate) fn join(declared: Declared, put: Put<E>) -> OwnOption<E> {
        OwnOption { declared, put }
    }
}

impl<E: ?Sized> fmt::Debug for OwnOption<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.declared.fmt(f)
    }
}

impl Declared {
    /// What makes this option impossible, whatever others there are.
    pub fn fault(&self) -> Option<String> {
        let name = &self.name;
        if !is_word(name) {
            return Some(format!("the option {name:?} needs a name of printable ASCII without blanks"));
        }
        match &self.kind {
            OwnKind::Spin { default, min, max } if !(min..=max).contains(&default) => {
                Some(format!("the default of the option {name} is {default}, which is not from {min} to {max}"))
            }
            OwnKind::Combo { choices, .. } if !choices.iter().all(|choice| is_word(choice)) => {
                Some(format!("the option {name} needs choices of printable ASCII without blanks"))
            }
            OwnKind::Combo { default, choices } if !choices.contains(default) => {
                Some(format!("the default of the option {name} is {default:?}, which is none of its choices"))
            }
            OwnKind::Text { default } | OwnKind::File { default }
                if default.trim() != default || default.contains(['\n', '\r', '\0']) =>
            {
                Some(format!("the default of the option {name} must be one line without blanks at its ends"))
            }
            _ => None,
        }
    }
}

impl Declared {
    /// Values to try, with the name of the option: those at the ends of what it can be. Of files none.
    pub fn samples(&self) -> Vec<(String, String)> {
        let values = match &self.kind {
            OwnKind::Check { .. } => vec!["true".to_owned(), "false".into()],
            OwnKind::Spin { min, max, .. } => vec![min.to_string(), max.to_string()],
            OwnKind::Combo { choices, .. } => choices.clone(),
            OwnKind::Text { .. } => vec!["<empty>".into(), "some text".into()],
            OwnKind::File { .. } => vec![],
            OwnKind::Button => vec![String::new()],
        };
        values.into_iter().map(|value| (self.name.clone(), value)).collect()
    }
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(option: OwnOption<()>) -> Option<String> {
        option.split().0.fault()
    }

    #[test]
    fn what_could_not_be_printed_or_set_is_a_fault() {
        assert_eq!(fault(OwnOption::spin("A", 3, 3..=3, |_, _| {})), None);
        assert_eq!(fault(OwnOption::combo("A", "y", &["x", "y"], |_, _| {})), None);
        assert_eq!(fault(OwnOption::file("A", "my data/a.bin", |_, _| Ok(()))), None);
        for wrong in [
            OwnOption::check("two words", true, |_, _| {}),
            OwnOption::check("", true, |_, _| {}),
            OwnOption::button("定跡", |_| {}),
            OwnOption::spin("A", 4, 1..=3, |_, _| {}),
            OwnOption::combo("A", "z", &["x", "y"], |_, _| {}),
            OwnOption::combo("A", "", &[], |_, _| {}),
            OwnOption::combo("A", "x", &["x", "y z"], |_, _| {}),
            OwnOption::text("A", " blank", |_, _| {}),
            OwnOption::text("A", "two\nlines", |_, _| {}),
        ] {
            let shown = format!("{wrong:?}");
            assert!(fault(wrong).is_some(), "{shown}");
        }
    }

    #[test]
    fn an_option_of_a_part_sets_that_part() {
        let option = OwnOption::spin("A", 0, 0..=9, |number: &mut i64, value| *number = value);
        let (_, mut put) = option.within(|pair: &mut (u8, i64)| &mut pair.1).split();
        let mut pair = (1, 2);
        assert_eq!(put(&mut pair, OwnValue::Spin(7)), Ok(()));
        assert_eq!(pair, (1, 7));
    }
}
