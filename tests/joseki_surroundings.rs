//! What the system and the terminal must not suffer from: odd names, limits.
#![cfg(all(unix, feature = "cli"))]

mod joseki_support;

use std::process::{Command, Output};

use joseki_support::*;

const GAMES: &str = "startpos moves 7g7f 3c3d\nstartpos moves 2g2f\n";

fn workshop() -> Workshop {
    let workshop = Workshop::with(&format!("sfen {START} 1\n7g7e none 1 1 1\n"), &[]);
    std::fs::write(workshop.path("games.txt"), GAMES).unwrap();
    workshop
}

fn names(workshop: &Workshop) -> Vec<String> {
    let entries = std::fs::read_dir(workshop.folder.path()).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn names_reach_the_terminal_only_as_text() {
    let workshop = workshop();
    let odd = |name: &str| format!("\u{1b}[31m\u{202e}\n{name}");
    std::fs::write(workshop.path(&odd("games.txt")), GAMES.to_owned() + "<html>\n").unwrap();
    std::fs::copy(workshop.path("a.db"), workshop.path(&odd("a.db"))).unwrap();
    for words in [
        &["build", &odd("none"), "-o", "x"][..],
        &["build", &odd("games.txt"), "-o", &odd("games.txt")],
        &["build", &odd("games.txt"), "-o", &odd("none/b.joseki")],
        &["build", &odd("games.txt"), "-o", &odd("b.joseki")],
        &["probe", &odd("none")],
        &["verify", &odd("a.db")],
        &["convert", &odd("a.db"), &odd("b")],
    ] {
        let Output { stderr, .. } = workshop.command(words).output().unwrap();
        let said = String::from_utf8(stderr).unwrap();
        assert!(said.contains("\\u{1b}") && !said.contains(['\u{1b}', '\u{202e}']), "{words:?}: {said}");
    }
}

#[test]
fn the_limit_on_the_size_of_a_file_is_a_failure_that_leaves_nothing() {
    let workshop = workshop();
    let before = names(&workshop);
    for words in ["build games.txt -o b.joseki", "convert a.db b.db", "convert a.db b.joseki", "convert a.db a.db"] {
        let script = format!("ulimit -f 0; exec \"$1\" joseki {words}");
        let mut command = Command::new("sh");
        command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_komadai")]).current_dir(workshop.folder.path());
        let Output { status, stderr, .. } = command.output().unwrap();
        let said = String::from_utf8(stderr).unwrap();
        assert_eq!(status.code(), Some(1), "{words}: {said}");
        assert!(said.contains("can't write the book") && said.lines().count() == 1, "{words}: {said}");
        assert_eq!(names(&workshop), before, "{words}");
    }
    assert!(std::fs::read_to_string(workshop.path("a.db")).unwrap().ends_with("7g7e none 1 1 1\n"));
}
