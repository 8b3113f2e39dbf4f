//! The READMEs, in English and in Japanese, and the list of options: they tell of the same things, and of all that
//! there are. What they and the other documents link to comes along with them.
#![cfg(feature = "cli")]

mod place_support;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use place_support::Place;

const ENGLISH: &str = "README.md";
const JAPANESE: &str = "README.ja.md";

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A README without the part for programmers, which the other language only leads to.
fn for_players(text: &str) -> String {
    let sections = text.split("\n## ").filter(|section| !section.contains("Build your own engine\n"));
    sections.collect::<Vec<_>>().join("\n## ")
}

/// The blocks of commands and of what programs say, each line without indentation.
fn code(text: &str) -> Vec<Vec<String>> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            let code = lines.by_ref().take_while(|line| !line.trim_start().starts_with("```"));
            let code = code.map(|line| line.trim_start().to_owned()).collect();
            if language == "sh" || language == "text" {
                blocks.push(code);
            }
        }
    }
    blocks
}

#[test]
fn both_show_the_same_commands() {
    let (english, japanese) = (code(&read(ENGLISH)), code(&read(JAPANESE)));
    assert!(english.len() >= 8, "{english:?}");
    assert_eq!(english, japanese);
}

/// The first cells of the rows of all tables, split into the names in backquotes.
fn names_in_tables(text: &str) -> BTreeSet<String> {
    let rows = text.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
    rows.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
}

#[test]
fn both_explain_the_same_options_commands_and_formats() {
    let names = |readme| names_in_tables(&for_players(&read(readme)));
    let (english, japanese) = (names(ENGLISH), names(JAPANESE));
    assert!(english.len() >= 30, "{english:?}");
    assert_eq!(english, japanese);
}

/// The subcommands that the help of a command lists.
fn subcommands(place: &Place, arguments: &[&str]) -> Vec<String> {
    let output = place.command().args(arguments).arg("--help").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let list = help.split_once("Commands:\n").unwrap().1;
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).filter(|name| !name.is_empty());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn both_name_every_subcommand() {
    let place = Place::new();
    let (outer, inner) = (subcommands(&place, &[]), subcommands(&place, &["joseki"]));
    assert!(outer.contains(&"doctor".to_owned()) && inner.contains(&"probe".to_owned()), "{outer:?} {inner:?}");
    for readme in [ENGLISH, JAPANESE] {
        let text = read(readme);
        let named = names_in_tables(&text);
        for name in outer.iter().chain(&inner) {
            // That of the books is what a whole section is about.
            let is_named = named.contains(name) || name == "joseki" && text.contains("komadai joseki COMMAND --help");
            assert!(is_named, "{readme} lacks `{name}`");
        }
    }
}

/// Name and default of each option, as the engine tells them.
fn options() -> Vec<(String, String)> {
    let place = Place::new();
    let mut process = place.command().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    process.stdin.as_mut().unwrap().write_all(b"usi\n").unwrap();
    let said = String::from_utf8(process.wait_with_output().unwrap().stdout).unwrap();
    let lines = said.lines().filter_map(|line| line.strip_prefix("option name "));
    let words = lines.map(|line| line.split(' ').collect::<Vec<_>>());
    words.map(|words| (words[0].to_owned(), words[4].to_owned())).collect()
}

#[test]
fn every_option_stands_in_the_list_with_its_default_and_both_lead_there() {
    let list = read("docs/options.md");
    let options = options();
    assert!(options.len() >= 22, "{options:?}");
    for (name, default) in options {
        let row = list.lines().find(|line| line.starts_with(&format!("| `{name}` |")));
        let row = row.unwrap_or_else(|| panic!("docs/options.md lacks {name}"));
        assert_eq!(row.split('|').nth(2).unwrap().trim().trim_matches('`'), default, "{name}");
    }
    for readme in [ENGLISH, JAPANESE] {
        assert!(read(readme).contains("[docs/options.md](docs/options.md)"), "{readme}");
    }
}

#[test]
fn both_explain_only_options_that_there_are() {
    let known: BTreeSet<String> = options().into_iter().map(|(name, _)| name).collect();
    let text = read(ENGLISH);
    let section = text.split("\n## ").find(|section| section.starts_with("Options")).unwrap();
    let named = names_in_tables(section);
    assert!(named.len() >= 10 && named.is_subset(&known), "{named:?}");
}

/// What a text links to, without places inside of files.
fn links(text: &str) -> Vec<String> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.map(|target| target.split('#').next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn both_link_to_files_that_there_are_and_to_each_other() {
    for (readme, other) in [(ENGLISH, JAPANESE), (JAPANESE, ENGLISH)] {
        let links = links(&read(readme));
        assert!(links.contains(&other.to_owned()), "{readme}");
        for link in links.iter().filter(|link| !link.starts_with("https://")) {
            let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join(link);
            assert!(path.exists(), "{readme} links to {link}");
        }
    }
    let outside = |name: &str| -> BTreeSet<String> {
        let links = links(&for_players(&read(name))).into_iter().filter(|link| link != ENGLISH && link != JAPANESE);
        links.filter(|link| !link.ends_with(".png")).collect()
    };
    assert_eq!(outside(ENGLISH), outside(JAPANESE));
}

/// The texts that come along: each README at the top and beside the books, and all in `docs`.
fn texts() -> Vec<String> {
    let entries = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")).unwrap();
    let names = entries.map(|entry| format!("docs/{}", entry.unwrap().file_name().into_string().unwrap()));
    let mut texts: Vec<String> = names.filter(|name| name.ends_with(".md")).collect();
    texts.extend([ENGLISH, JAPANESE, "joseki/README.md"].map(str::to_owned));
    texts.sort();
    texts
}

/// What stands in the package for those who have Cargo: files and folders.
fn packaged() -> Vec<String> {
    let manifest = read("Cargo.toml");
    let list = manifest.split_once("\ninclude = [").unwrap().1.split_once(']').unwrap().0;
    list.split('"').skip(1).step_by(2).map(|name| name.strip_prefix('/').unwrap().to_owned()).collect()
}

/// What the script that makes archives puts where it lies here too: patterns with one `*` at most.
fn archived() -> Vec<String> {
    let script = read("dist/make");
    let lines =
        script.lines().filter_map(|line| line.trim().strip_prefix("install -m 644 ")?.split_once(" \"$folder/"));
    let folder_of = |pattern: &str| pattern.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let same_place = lines.flat_map(|(patterns, folder)| {
        let folder = folder.trim_end_matches(['"', '/']).to_owned();
        patterns.split(' ').filter(move |pattern| folder_of(pattern) == folder).map(str::to_owned)
    });
    same_place.collect()
}

/// Where a relative link of a text leads, without `..`.
fn target(text: &str, link: &str) -> String {
    let mut parts: Vec<&str> = text.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        if part == ".." {
            assert!(parts.pop().is_some(), "{text} links to {link}");
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

#[test]
fn what_texts_link_to_comes_along_in_the_package_and_in_the_archives() {
    let (packaged, archived) = (packaged(), archived());
    assert!(packaged.contains(&"docs".to_owned()) && archived.contains(&"docs/*".to_owned()), "{archived:?}");
    let is_packaged = |path: &str| packaged.iter().any(|name| path == name || path.starts_with(&format!("{name}/")));
    let is_archived = |path: &str| {
        let matches = |pattern: &String| match pattern.split_once('*') {
            Some((before, after)) => path.strip_prefix(before).is_some_and(|rest| rest.ends_with(after)),
            None => path == pattern,
        };
        archived.iter().any(matches)
    };
    assert!(is_packaged("docs/books.md") && !is_packaged("dist/README.md") && !is_packaged("tests/readme.rs"));
    assert!(is_archived("README.ja.md") && !is_archived("dist/README.md") && !is_archived("ini/komadai.ini"));
    let mut count = 0;
    for text in texts() {
        for link in links(&read(&text)).iter().filter(|link| !link.is_empty() && !link.contains("://")) {
            let path = target(&text, link);
            let is_there = Path::new(env!("CARGO_MANIFEST_DIR")).join(&path).is_file();
            assert!(is_there && is_packaged(&path) && is_archived(&path), "{text} links to {link}");
            count += 1;
        }
    }
    assert!(count > 50, "{count}");
}

/// A heading as links name it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|&c| c.is_alphanumeric() || c == ' ' || c == '-' || c == '_');
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

#[test]
fn places_inside_of_texts_that_are_linked_to_are_there() {
    let mut count = 0;
    for text in texts() {
        let content = read(&text);
        let links = content.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for (link, place) in links.filter(|link| !link.contains("://")).filter_map(|link| link.split_once('#')) {
            let path = if link.is_empty() { text.clone() } else { target(&text, link) };
            let linked = read(&path);
            let mut headings = linked.lines().filter(|line| line.starts_with('#'));
            let is_there = headings.any(|line| anchor(line.trim_start_matches('#')) == place);
            assert!(is_there, "{text} links to {link}#{place}");
            count += 1;
        }
    }
    assert!(count > 10, "{count}");
}
