//! What people are shown of a book: probe, tree and stat.
#![cfg(feature = "cli")]

mod joseki_support;

use std::collections::HashMap;

use joseki_support::*;
use komadai::joseki::{Entry, Joseki, JosekiTe};
use komadai::kyokumen::Kyokumen;
use serde_json::{Value, json};

/// Two ways to one position, a way back to the start, an illegal move, figures of which some are unknown.
const TEXT: &str = "#YANEURAOU-DB2016 1.00
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
# the \u{1b}[31mstart
7g7f 3c3d 35 22 60
#角道
2g2f none 30 none 36
5i5h none none none 4
7g7e none none none 9
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2
3c3d none none none 50
sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3
2g2f none none none 20
8h2b+ none none none 0
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL w - 2
3c3d none none none 30
sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL b - 3
7g7f none none none 10
sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL w - 4
4c4d none 7 1 5
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B2K2R1/LNSG1GSNL w - 2
5a5b none none none 4
sfen lnsg1gsnl/1r2k2b1/ppppppppp/9/9/9/PPPPPPPPP/1B2K2R1/LNSG1GSNL b - 3
5h5i none none none 4
sfen lnsg1gsnl/1r2k2b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 4
5b5a none none none 4
";

fn workshop() -> Workshop {
    Workshop::with(TEXT, &[])
}

impl Workshop {
    fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.run(arguments).0).unwrap()
    }

    fn text(&self, arguments: &[&str]) -> String {
        self.run(arguments).0
    }
}

/// Columns on a terminal whose ambiguous characters are narrow, or wide.
fn width(line: &str, mark: usize) -> usize {
    line.chars()
        .map(|c| {
            if c.is_ascii() {
                1
            } else if "▲△".contains(c) {
                mark
            } else {
                2
            }
        })
        .sum()
}

/// Where each of the words ends in its line.
fn ends(text: &str, words: &[&str], mark: usize) -> Vec<usize> {
    let end = |word: &&str| {
        let line = text.lines().find(|line| line.contains(word)).unwrap_or_else(|| panic!("no {word:?} in {text}"));
        width(&line[..line.find(word).unwrap() + word.len()], mark)
    };
    words.iter().map(end).collect()
}

#[test]
fn a_probe_shows_board_comments_figures_and_lines() {
    let text = workshop().text(&["probe", "a.db"]);
    for words in [
        "|v香v桂v銀v金v玉v金v銀v桂v香|一\n",
        "| ・ 角 ・ ・ ・ ・ ・ 飛 ・|八\n",
        "先手の持駒：なし\n",
        "the \\u{1b}[31mstart\n",
        "7g7f   角道\n",
        "7g7f   ▲７六歩 △３四歩 ▲２六歩 △４四歩\n",
    ] {
        assert!(text.contains(words), "{words:?} in {text}");
    }
    let row =
        |usi: &str| text.lines().find(|line| line.starts_with(usi)).unwrap().split_whitespace().collect::<Vec<_>>();
    assert_eq!(row("move"), ["move", "▲", "count", "share", "value", "depth", "reply", "leads", "to"]);
    assert_eq!(row("7g7f"), ["7g7f", "▲７六歩", "60", "60.0%", "35", "22", "3c3d", "1", "move"]);
    assert_eq!(row("2g2f"), ["2g2f", "▲２六歩", "36", "36.0%", "30", "-", "-", "1", "move"]);
    assert_eq!(row("7g7e"), ["7g7e", "▲７五歩(77)", "9", "-", "-", "-", "-", "illegal"]);
    for mark in [1, 2] {
        let ends = ends(&text, &["count", " 60 ", " 36 ", " 4 ", " 9 "], mark);
        assert!(ends[1..].iter().all(|&end| end == ends[0] + 1), "{ends:?} in {text}");
    }
    assert!(text.lines().all(|line| width(line, 2) <= 80), "{text}");
    assert!(!text.contains('\u{1b}'));
    let after = workshop().text(&["probe", "a.db", "startpos", "moves", "7g7f", "3c3d"]);
    assert!(after.contains("8h2b+  ▲２二角成      -       -  -"), "a count of 0 is none: {after}");
    assert!(workshop().text(&["probe", "a.db", "startpos", "moves", "1g1f"]).ends_with("\nno move known\n"));
}

#[test]
fn a_probe_tells_intervals_and_lines_as_json() {
    let workshop = workshop();
    let te = JosekiTe { wins: Some(81), draws: Some(0), losses: Some(182), ..JosekiTe::new(te("7g7f")) };
    write(&[(Kyokumen::hirate(), Entry { moves: vec![te], ..Entry::default() })], "", &workshop.path("b.joseki"));
    let value = workshop.json(&["probe", "b.joseki", "--json"]);
    let row = &value["moves"][0];
    assert_eq!(
        (&row["japanese"], &row["line"], &row["line_japanese"]),
        (&json!("▲７六歩"), &json!(["7g7f"]), &json!(["▲７六歩"]))
    );
    // From a published table of the interval.
    for (name, want) in [("win_rate", 30.8), ("win_low", 25.5), ("win_high", 36.6)] {
        assert!((row[name].as_f64().unwrap() - want).abs() < 0.06, "{name}: {}", row[name]);
    }
    let value = workshop.json(&["probe", "a.db", "--json"]);
    assert_eq!(value["moves"][0]["line"], json!(["7g7f", "3c3d", "2g2f", "4c4d"]));
    assert_eq!(value["moves"][2]["line"], json!(["5i5h", "5a5b", "5h5i", "5b5a"]), "it ends where it comes back");
    assert_eq!(value["moves"][3]["line"], json!([]), "nobody can play it");
    assert!(value["moves"][0]["win_rate"].is_null() && value["moves"][0]["win_low"].is_null());
    let taken = workshop.json(&["probe", "a.db", "startpos", "moves", "7g7f", "3c3d", "--json"]);
    assert_eq!(taken["moves"][1]["japanese"], "▲２二角成");
}

/// Every node of a tree with its path.
fn nodes(value: &Value) -> Vec<(Vec<String>, Value)> {
    let mut found = Vec::new();
    let mut open = vec![(Vec::new(), value.clone())];
    while let Some((path, value)) = open.pop() {
        for node in value["moves"].as_array().unwrap() {
            let path: Vec<String> = path.iter().cloned().chain([node["usi"].as_str().unwrap().to_owned()]).collect();
            found.push((path.clone(), node.clone()));
            open.push((path, node.clone()));
        }
    }
    found
}

#[test]
fn a_tree_holds_what_probes_say_and_ends_where_it_comes_back() {
    let workshop = workshop();
    let all = ["tree", "a.db", "--min-share", "0", "--width", "99", "--depth", "30", "--json"];
    let found = nodes(&workshop.json(&all));
    let ends: HashMap<String, &Value> = found.iter().map(|(path, node)| (path.join(" "), &node["ends_by"])).collect();
    let repetition = ends.iter().filter(|(_, end)| **end == "repetition").map(|(path, _)| path).collect::<Vec<_>>();
    assert_eq!(repetition, ["5i5h 5a5b 5h5i 5b5a"]);
    assert_eq!(ends["2g2f 3c3d 7g7f"], "transposition");
    assert!(ends["7g7f 3c3d 2g2f"].is_null());
    assert_eq!(found.len(), 3 + 1 + 2 + 1 + 1 + 1 + 1 + 1 + 1);
    for (path, node) in &found {
        let before: Vec<&str> = path[..path.len() - 1].iter().map(String::as_str).collect();
        let probe = workshop.json(&[&["probe", "a.db", "--json", "startpos", "moves"], &before[..]].concat());
        let row = probe["moves"].as_array().unwrap().iter().find(|row| row["usi"] == node["usi"]).unwrap();
        for (name, figure) in row.as_object().unwrap().iter().filter(|(name, _)| !name.starts_with("line")) {
            assert_eq!(&node[name], figure, "{path:?} {name}");
        }
    }
    let share = |path: &str| found.iter().find(|(found, _)| found.join(" ") == path).unwrap().1["line_share"].clone();
    assert_eq!(share("2g2f 3c3d"), 36.0);
    assert!(share("7g7f 3c3d 8h2b+").is_null(), "its count is unknown");
}

#[test]
fn a_tree_ends_at_its_limits() {
    let workshop = workshop();
    let paths = |arguments: &[&str]| {
        let found = nodes(&workshop.json(&[&["tree", "a.db", "--json"], arguments].concat()));
        let mut paths: Vec<String> = found.into_iter().map(|(path, _)| path.join(" ")).collect();
        paths.sort();
        paths
    };
    assert_eq!(paths(&["--depth", "1"]), ["2g2f", "5i5h", "7g7f"]);
    assert_eq!(paths(&["--depth", "1", "--width", "2"]), ["2g2f", "7g7f"]);
    assert_eq!(paths(&["--min-count", "36"]), ["2g2f", "7g7f", "7g7f 3c3d"]);
    let unknown = paths(&["--min-count", "36", "--min-share", "0"]);
    assert_eq!(unknown, ["2g2f", "7g7f", "7g7f 3c3d", "7g7f 3c3d 8h2b+"], "its count is unknown");
    assert_eq!(paths(&["--min-share", "50"]), ["7g7f", "7g7f 3c3d", "7g7f 3c3d 2g2f", "7g7f 3c3d 2g2f 4c4d"]);
    assert_eq!(paths(&["startpos", "moves", "7g7f", "3c3d", "2g2f"]), ["4c4d"]);
    for wrong in [["--min-share", "101"], ["--min-share", "NaN"], ["--width", "0"], ["--depth", "0"]] {
        let output = workshop.command(&[&["tree", "a.db"], &wrong[..]].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn a_tree_is_readable_and_says_what_is_not_in_it() {
    let text = workshop().text(&["tree", "a.db", "--min-share", "5"]);
    assert!(text.contains("\nthe \\u{1b}[31mstart\n"), "{text}");
    assert!(text.contains("\n  △３四歩      3c3d     50  100.0%"), "{text}");
    assert!(text.contains("see above"), "{text}");
    assert!(text.ends_with("\nleft out of these positions by the limits: 2\n"), "{text}");
    let standard = concat!(env!("CARGO_MANIFEST_DIR"), "/joseki/standard.joseki");
    let text = workshop().text(&["tree", standard]);
    let lines = text.lines().count();
    assert!((20..=60).contains(&lines), "a screenful: {text}");
    assert!(text.lines().all(|line| width(line, 2) <= 80), "{text}");
    for mark in [1, 2] {
        let counts = ends(&text, &["count", " 42102", " 29305"], mark);
        assert!(counts[1..].iter().all(|&end| end == counts[0]), "{counts:?}");
    }
}

#[test]
fn a_book_without_counts_has_a_tree_by_values_or_order() {
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    let first = |moves: &str| {
        let workshop = Workshop::with(&format!("#YANEURAOU-DB2016 1.00\nsfen {start}\n{moves}"), &[]);
        let tree = workshop.json(&["tree", "a.db", "--json", "--width", "2"]);
        let text = workshop.text(&["tree", "a.db", "--width", "2"]);
        assert!(!text.contains("count") && !text.contains('%'), "{text}");
        tree["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|node| node["usi"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(first("2g2f none 10 none\n7g7f none 30 none\n1g1f none none none\n"), ["7g7f", "2g2f"]);
    assert_eq!(first("2g2f\n7g7f\n1g1f\n"), ["2g2f", "7g7f"]);
}

#[test]
fn figures_of_a_book_are_those_of_its_records() {
    let workshop = workshop();
    let standard = concat!(env!("CARGO_MANIFEST_DIR"), "/joseki/standard.joseki");
    for path in ["a.db", standard] {
        let stat = workshop.json(&["stat", path, "--json"]);
        let book = Joseki::open(&if path == standard { path.into() } else { workshop.path(path) }).unwrap();
        let moves: Vec<JosekiTe> = book.records().flat_map(|record| record.entry.moves).collect();
        let number = |known: &dyn Fn(&JosekiTe) -> bool| moves.iter().filter(|te| known(te)).count();
        assert_eq!(stat["moves"], moves.len());
        assert_eq!(stat["counts_known"], number(&|te| te.count.is_some_and(|count| count > 0)));
        assert_eq!(stat["results_known"], number(&|te| te.wins.is_some()));
        assert_eq!(stat["values_known"], number(&|te| te.value.is_some()));
        assert_eq!(stat["ratings_known"], number(&|te| te.rating.is_some()));
        let entry = book.lookup(&Kyokumen::hirate()).unwrap();
        let legal = entry.moves.iter().filter(|te| Kyokumen::hirate().is_legal(te.te));
        assert_eq!(stat["start"]["count"], legal.clone().filter_map(|te| te.count).sum::<u64>());
        let sum = |figure: fn(&JosekiTe) -> Option<u64>| legal.clone().filter_map(figure).sum::<u64>() as f64;
        let (wins, draws, losses) = (sum(|te| te.wins), sum(|te| te.draws), sum(|te| te.losses));
        let rate = (wins + draws / 2.0) * 100.0 / (wins + draws + losses);
        assert_eq!(stat["start"]["win_rate"].as_f64(), (!rate.is_nan()).then_some(rate));
    }
    let stat = workshop.json(&["stat", "a.db", "--json"]);
    assert_eq!(stat["comments"], 2);
    assert_eq!(stat["lines"][0]["moves"], "7g7f 3c3d 2g2f 4c4d");
    assert_eq!(stat["lines"][0]["japanese"], "▲７六歩 △３四歩 ▲２六歩 △４四歩");
    let text = workshop.text(&["stat", "a.db"]);
    assert!(text.contains("\nresults    unknown\nvalues     of 3 of 13 moves\n"), "{text}");
    assert!(text.contains("\n       60  ▲７六歩 △３四歩 ▲２六歩 △４四歩\n"), "{text}");
}

#[test]
fn lines_start_where_a_book_without_the_even_start_begins() {
    let workshop =
        Workshop::with("#YANEURAOU-DB2016 1.00\nsfen 4k4/9/9/9/9/9/9/9/4K4 w - 1\n5a5b none none none 0\n", &[]);
    let stat = workshop.json(&["stat", "a.db", "--json"]);
    assert_eq!(stat["start"]["sfen"], "4k4/9/9/9/9/9/9/9/4K4 w - 1");
    assert_eq!((&stat["lines"][0]["moves"], &stat["start"]["count"]), (&json!("5a5b"), &Value::Null));
    assert!(workshop.text(&["stat", "a.db"]).ends_with("\n        -  △５二玉\n"));
}

#[test]
fn books_of_hashes_are_shown_from_further_roots() {
    let workshop =
        Workshop::with("#YANEURAOU-DB2016 1.00\nsfen 4k4/9/9/9/9/9/9/9/4K4 b - 1\n5i5h none none none 3\n", &[]);
    workshop.run(&["convert", "a.db", "b.bin"]);
    let root = ["--root", "4k4/9/9/9/9/9/9/9/4K4 b - 1"];
    let positions = |more: &[&str]| workshop.json(&[&["stat", "b.bin", "--json"], more].concat())["positions"].clone();
    assert_eq!((positions(&[]), positions(&root)), (json!(0), json!(1)));
    for command in ["probe", "tree"] {
        let value = workshop.json(&[&[command, "b.bin", root[1], "--json"], &root[..]].concat());
        assert_eq!(value["moves"][0]["usi"], "5i5h", "{command}");
    }
}
