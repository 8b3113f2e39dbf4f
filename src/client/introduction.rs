//! Who an engine is.

/// How much of the options is kept: no engine has more than a few KiB.
const MOST_BYTES: usize = 1 << 20;

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
        } else if line.starts_with("option ") && self.bytes() + line.len() <= MOST_BYTES {
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

    fn bytes(&self) -> usize {
        self.options.iter().map(String::len).sum()
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
        let line = format!("option name A type string default {}", "x".repeat(10_000));
        (0..1000).for_each(|_| introduction.take(&line));
        assert!((900_000..=MOST_BYTES).contains(&introduction.bytes()), "{}", introduction.bytes());
    }
}
