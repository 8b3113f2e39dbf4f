//! Who an engine is.

/// How many options are kept: no engine has more than a few hundred.
const MOST: usize = 1000;

/// What an engine answers to `usi`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Introduction {
    /// Name and version; empty where it tells none.
    pub name: String,
    /// Who made it; empty where it tells none.
    pub author: String,
    /// Its options, each a line `option name ...` as it came.
    pub options: Vec<String>,
}

impl Introduction {
    /// Takes a line before `usiok`.
    pub(super) fn take(&mut self, line: &str) {
        if let Some(name) = line.strip_prefix("id name ") {
            self.name = name.trim().into();
        } else if let Some(author) = line.strip_prefix("id author ") {
            self.author = author.trim().into();
        } else if self.options.len() < MOST && line.split_ascii_whitespace().next() == Some("option") {
            self.options.push(line.into());
        }
    }

    /// Whether it has an option of this name.
    #[must_use]
    pub fn has_option(&self, name: &str) -> bool {
        self.options.iter().any(|line| {
            let words = line.split_ascii_whitespace().skip(1);
            words.take_while(|word| *word != "type").skip(1).eq(name.split_ascii_whitespace())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_author_and_options_are_kept_and_found() {
        let mut introduction = Introduction::default();
        for line in [
            "hello",
            "id name My  Engine 1.0",
            "id author Me, and you",
            "option name USI_OwnBook type check default true",
            "option  name Clear Hash\ttype button",
            "options are many",
        ] {
            introduction.take(line);
        }
        assert_eq!((&*introduction.name, &*introduction.author), ("My  Engine 1.0", "Me, and you"));
        assert_eq!(introduction.options.len(), 2);
        for (name, has) in
            [("USI_OwnBook", true), ("Clear Hash", true), ("Clear", false), ("usi_ownbook", false), ("", false)]
        {
            assert_eq!(introduction.has_option(name), has, "{name}");
        }
    }

    #[test]
    fn endless_options_are_not_all_kept() {
        let mut introduction = Introduction::default();
        (0..2 * MOST).for_each(|number| introduction.take(&format!("option name A{number} type button")));
        assert_eq!((introduction.options.len(), introduction.has_option("A999")), (MOST, true));
        assert!(!introduction.has_option("A1000"));
    }
}
