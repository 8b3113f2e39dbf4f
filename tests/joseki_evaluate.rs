//! Values for books by the command line, from our own search and from our own engine as another one.
#![cfg(feature = "cli")]

mod joseki_support;

use std::collections::BTreeMap;
use std::process::{Command, Output};
use std::sync::Arc;
use std::time::Instant;

use joseki_support::*;
use komadai::joseki::copy::{self, Rules};
use komadai::joseki::evaluate::Graph;
use komadai::joseki::{Entry, Format, Joseki, JosekiTe, WriteOptions};
use komadai::kyokumen::{Kyokumen, Rireki};
use komadai::sikou::{Config, Limits, Report, Score, Sikou, StopSignal, Tansaku, Task};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Three positions, and lines that end after 2g2f, 7g7f 8c8d, 7g7f 3c3d 2g2f and 7g7f 3c3d 1g1f. One move is illegal.
const TEXT: &str = "#YANEURAOU-DB2016 1.00
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
2g2f none 30 22 10
7g7f 3c3d 35 22 90
7g7e none 3 4 5
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2
3c3d none none none 50
8c8d none -40 7 1
sfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3
2g2f none 12 9 50
1g1f none none none 2
";

impl Workshop {
    fn new() -> Workshop {
        Workshop::with(TEXT, &["evaluate"])
    }

    /// Runs a command that must fail with these words and write no book.
    fn fails(&self, arguments: &[&str], words: &str) {
        let Output { status, stderr, .. } = self.command(arguments).output().unwrap();
        let stderr = String::from_utf8(stderr).unwrap();
        assert!(!status.success() && stderr.contains(words), "{arguments:?}: {stderr}");
        assert!(!stderr.contains("panicked") && !self.path("x.joseki").exists(), "{arguments:?}: {stderr}");
    }

    fn entry(&self, name: &str, moves: &str) -> Entry {
        Joseki::open(&self.path(name)).unwrap().lookup(&after(moves)).unwrap()
    }

    /// Value and depth of a move.
    fn figures(&self, name: &str, moves: &str, usi: &str) -> (Option<i32>, Option<u32>) {
        let te = find(&self.entry(name, moves), usi);
        (te.value, te.depth)
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }
}

/// What our search says of a position, by the library: value and depth.
fn searched(kyokumen: &Kyokumen, nodes: u64) -> (i32, u32) {
    let config = Config { hash_mb: 1, ..Config::default() };
    let mut engine = Tansaku::default();
    let mut last = None;
    engine.think(&mut Task {
        kyokumen,
        rireki: &Rireki::new(kyokumen),
        limits: &Limits { nodes: Some(nodes), ..Limits::new(Instant::now()) },
        config: &config,
        stop: &StopSignal::new(),
        rng: &mut rng(1),
        report: &mut |report| {
            if let Report::Line(line) = report {
                let Some(Score::Cp(value)) = line.score else { panic!("{line:?}") };
                last = Some((value, line.depth));
            }
        },
    });
    last.unwrap()
}

#[test]
fn a_move_gets_minus_the_value_of_the_position_after_it_and_nothing_else_changes() {
    let workshop = Workshop::new();
    let (_, stderr) = workshop.run(&["a.db", "-o", "b.joseki", "--nodes", "300"]);
    assert!(stderr.contains("searched 6 positions, 0 more were in the journal; 0 are without a value"), "{stderr}");
    for (moves, legal) in [("", "2g2f 7g7f"), ("7g7f", "3c3d 8c8d"), ("7g7f 3c3d", "2g2f 1g1f")] {
        for usi in legal.split(' ') {
            let (value, depth) = searched(&after(&format!("{moves} {usi}")), 300);
            assert_eq!(workshop.figures("b.joseki", moves, usi), (Some(-value), Some(depth)), "{moves} {usi}");
        }
        let bare = |name: &str| -> Entry {
            let mut entry = workshop.entry(name, moves);
            entry.moves = entry.moves.into_iter().map(|te| JosekiTe { value: None, depth: None, ..te }).collect();
            entry
        };
        assert_eq!(bare("b.joseki"), bare("a.db"));
    }
    assert_eq!(workshop.figures("b.joseki", "", "7g7e"), (Some(3), Some(4)));
    assert!(!workshop.path("b.joseki.journal").exists());
    let provenance = Joseki::open(&workshop.path("b.joseki")).unwrap().provenance().unwrap();
    assert!(provenance.contains("values by Komadai ") && provenance.contains(" with nodes 300, by"), "{provenance}");
    // Whatever the number of jobs, and over the book itself.
    workshop.run(&["a.db", "-o", "c.joseki", "--nodes", "300", "--jobs", "3"]);
    assert!(std::fs::read(workshop.path("b.joseki")).unwrap() == std::fs::read(workshop.path("c.joseki")).unwrap());
    workshop.run(&["c.joseki", "-o", "c.joseki", "--nodes", "300", "--jobs", "1"]);
    assert_eq!(workshop.entry("c.joseki", "7g7f"), workshop.entry("b.joseki", "7g7f"));
}

#[test]
fn with_propagate_only_ends_of_lines_are_searched_and_a_move_is_worth_the_best_reply() {
    let workshop = Workshop::new();
    let (_, stderr) = workshop.run(&["a.db", "-o", "b.joseki", "--nodes", "300", "--propagate"]);
    assert!(stderr.contains("searched 4 positions"), "{stderr}");
    let end = |moves: &str| -searched(&after(moves), 300).0;
    let third = end("7g7f 3c3d 2g2f").max(end("7g7f 3c3d 1g1f"));
    let (by_pawn, by_bishop) = (end("7g7f 8c8d"), -third);
    let depth = if by_bishop > by_pawn { 2 } else { 1 };
    assert_ne!(by_pawn, by_bishop);
    assert_eq!(workshop.figures("b.joseki", "7g7f 3c3d", "1g1f"), (Some(end("7g7f 3c3d 1g1f")), Some(0)));
    assert_eq!(workshop.figures("b.joseki", "7g7f", "8c8d"), (Some(by_pawn), Some(0)));
    assert_eq!(workshop.figures("b.joseki", "7g7f", "3c3d"), (Some(by_bishop), Some(1)));
    assert_eq!(workshop.figures("b.joseki", "", "7g7f"), (Some(-by_pawn.max(by_bishop)), Some(depth)));
}

#[test]
fn values_that_a_book_has_are_carried_back_without_a_search() {
    let workshop = Workshop::new();
    for arguments in [&["--propagate"][..], &["--propagate", "--nodes", "0"]] {
        let (_, stderr) = workshop.run(&[&["a.db", "-o", "b.joseki"], arguments].concat());
        assert_eq!(stderr.contains("nothing is searched, for 3 moves"), arguments.len() == 1, "{stderr}");
        assert_eq!(workshop.figures("b.joseki", "7g7f 3c3d", "2g2f"), (Some(12), Some(0)));
        assert_eq!(workshop.figures("b.joseki", "7g7f 3c3d", "1g1f"), (None, None));
        assert_eq!(workshop.figures("b.joseki", "7g7f", "3c3d"), (Some(-12), Some(1)));
        assert_eq!(workshop.figures("b.joseki", "7g7f", "8c8d"), (Some(-40), Some(0)));
        assert_eq!(workshop.figures("b.joseki", "", "7g7f"), (Some(12), Some(2)));
        assert_eq!(workshop.figures("b.joseki", "", "2g2f"), (Some(30), Some(0)));
    }
}

#[test]
fn another_engine_is_driven_by_usi() {
    let workshop = Workshop::new();
    let engine = env!("CARGO_BIN_EXE_komadai");
    let own = ["a.db", "-o", "b.joseki", "--nodes", "300", "--keep-journal"];
    workshop.run(&own);
    let other = ["a.db", "-o", "c.joseki", "--nodes", "300", "--keep-journal", "--jobs", "2", "--engine", engine];
    workshop.run(&[&other[..], &["--option", "USI_Hash=1", "--option", "BookSelect=best"]].concat());
    let lines = |name: &str| -> BTreeMap<String, String> {
        let text = workshop.read(name);
        let columns = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
        columns.map(|columns| (columns[0].to_owned(), columns[2..].join(" "))).collect()
    };
    assert_eq!(lines("b.joseki.journal"), lines("c.joseki.journal"));
    assert_eq!(lines("b.joseki.journal").len(), 6);
    // The name is followed by a sum over program and options.
    let name = concat!("Komadai ", env!("CARGO_PKG_VERSION"));
    let is_sum = |text: &str| text.len() == 19 && text.starts_with(" [") && text.ends_with(']');
    for (file, options) in [("b.joseki.journal", ""), ("c.joseki.journal", " USI_Hash=1 BookSelect=best")] {
        for line in workshop.read(file).lines() {
            let origin = line.split('\t').nth(1).unwrap();
            let sum = origin.strip_prefix(name).and_then(|rest| rest.strip_suffix(options));
            assert!(sum.is_some_and(is_sum), "{line}");
        }
    }
    let provenance = Joseki::open(&workshop.path("c.joseki")).unwrap().provenance().unwrap();
    assert!(
        provenance.contains(&format!("values by {name} USI_Hash=1 BookSelect=best with nodes 300")),
        "{provenance}"
    );
    assert_eq!(workshop.entry("b.joseki", ""), workshop.entry("c.joseki", ""));
}

#[test]
fn broken_off_work_goes_on_where_it_stopped() {
    let workshop = Workshop::new();
    let arguments = ["a.db", "-o", "x.joseki", "--nodes", "300", "--keep-journal", "--jobs", "1"];
    workshop.run(&arguments);
    let whole = workshop.read("x.joseki.journal");
    // A result that no search would give shows that it is not searched again; the third line is torn.
    let mut lines: Vec<&str> = whole.lines().collect();
    let forged = lines[0].rsplitn(3, '\t').nth(2).unwrap().to_owned() + "\t1234\t99";
    lines[0] = &forged;
    let torn = format!("{}\n{}\n{}", lines[0], lines[1], &lines[2][..lines[2].len() - 2]);
    std::fs::write(workshop.path("x.joseki.journal"), &torn).unwrap();
    std::fs::remove_file(workshop.path("x.joseki")).unwrap();
    let with = |more: &[&'static str]| [&arguments[..3], more].concat();
    workshop.fails(&with(&["--nodes", "301"]), "with nodes 300, not Komadai ");
    assert_eq!(workshop.read("x.joseki.journal"), torn);
    let (_, stderr) = workshop.run(&with(&["--nodes", "300"]));
    assert!(stderr.contains("searched 4 positions, 2 more were in the journal"), "{stderr}");
    let values: Vec<_> =
        ["", "7g7f", "7g7f 3c3d"].iter().flat_map(|moves| workshop.entry("x.joseki", moves).moves).collect();
    assert_eq!(values.iter().filter(|te| (te.value, te.depth) == (Some(-1234), Some(99))).count(), 1);
    assert!(!workshop.path("x.joseki.journal").exists());
}

/// Positions as text, with their moves: where these lead, and the value that the book has.
type Lines = BTreeMap<String, Vec<(String, String, Option<i32>)>>;

/// All positions that a few moves reach, kings that go to and fro among them, with moves at the ends of random value.
fn shuffling(rng: &mut ChaCha8Rng) -> Lines {
    let (mut lines, mut rest) = (Lines::new(), vec![Kyokumen::hirate()]);
    while let Some(kyokumen) = rest.pop() {
        let position = kyokumen.to_sfen_without_ply();
        if lines.contains_key(&position) {
            continue;
        }
        let mut moves = Vec::new();
        for usi in "5i5h 5h5i 5a5b 5b5a 7g7f 3c3d 2g2f 8c8d 9g9f".split(' ').filter(|usi| kyokumen.is_legal(te(usi))) {
            let mut next = kyokumen.clone();
            next.do_te(te(usi));
            let is_end = matches!(usi, "2g2f" | "8c8d" | "9g9f");
            let value = rng.random_bool(0.7).then(|| rng.random_range(-50..51));
            moves.push((usi.to_owned(), next.to_sfen_without_ply(), value));
            rest.extend((!is_end).then_some(next));
        }
        lines.insert(position, moves);
    }
    lines
}

/// The value of a position where the first repetition on the way is a draw.
fn along(lines: &Lines, position: &str, path: &mut Vec<String>) -> i32 {
    path.push(position.to_owned());
    let values = lines[position].iter().filter_map(|(_, next, value)| match lines.contains_key(next) {
        false => *value,
        true if path.contains(next) => Some(0),
        true => Some(-along(lines, next, &mut path.clone())),
    });
    values.max().unwrap()
}

#[test]
fn values_go_through_positions_that_lead_back_to_themselves_whatever_the_order_of_the_file() {
    let mut rng = rng(6);
    let (mut draws, mut decided) = (0, 0);
    for _ in 0..40 {
        let lines = shuffling(&mut rng);
        let mut blocks = Vec::new();
        for (position, moves) in &lines {
            let text = |(usi, _, value): &(String, String, Option<i32>)| {
                format!("{usi} none {} 9 1\n", value.map_or("none".to_owned(), |value| value.to_string()))
            };
            // A position stands in two places.
            let (some, others) = moves.split_at(moves.len() / 2);
            blocks.push(format!("sfen {position} 1\n{}", some.iter().map(text).collect::<String>()));
            blocks.push(format!("sfen {position} 1\n{}", others.iter().map(text).collect::<String>()));
        }
        for nth in 0..blocks.len() {
            blocks.swap(nth, rng.random_range(0..=nth));
        }
        let book = book(format!("#YANEURAOU-DB2016 1.00\n{}", blocks.concat()));
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("book.joseki");
        let mut graph = Graph::read(&book, &()).unwrap();
        graph.propagate();
        let rules = Rules { values: Some(Arc::new(graph)), ..Rules::default() };
        copy::copy(vec![book], &target, Format::Own, &WriteOptions::default(), &rules, &()).unwrap();
        let found = Joseki::open(&target).unwrap();
        for (position, moves) in &lines {
            let entry = found.lookup(&Kyokumen::from_sfen(position).unwrap()).unwrap();
            assert_eq!(entry.moves.len(), moves.len());
            for (usi, next, value) in moves {
                let inner = lines.contains_key(next);
                let want = if inner { Some(-along(&lines, next, &mut Vec::new())) } else { *value };
                assert_eq!(find(&entry, usi).value, want, "{usi} in {position}");
                draws += usize::from(inner && want == Some(0));
                decided += usize::from(inner && want != Some(0));
            }
        }
    }
    assert!(draws > 100 && decided > 100, "{draws} {decided}");
}

#[test]
fn a_move_that_mates_needs_no_search() {
    let workshop = Workshop::new();
    let text = "#YANEURAOU-DB2016 1.00\nsfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1\nG*5b none 0 0 1\n";
    std::fs::write(workshop.path("a.db"), text).unwrap();
    workshop.run(&["a.db", "-o", "b.joseki", "--nodes", "1", "--propagate"]);
    let kyokumen = Kyokumen::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
    let te = find(&Joseki::open(&workshop.path("b.joseki")).unwrap().lookup(&kyokumen).unwrap(), "G*5b");
    assert_eq!((te.value, te.depth), (Some(32_000), Some(0)));
}

#[test]
fn what_can_t_be_done_is_said_before_anything_is_written() {
    let workshop = Workshop::new();
    let text = "#YANEURAOU-DB2016 1.00\nsfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n7g7f\n";
    std::fs::write(workshop.path("bare.db"), text).unwrap();
    std::fs::write(workshop.path("noise"), "no program").unwrap();
    workshop.fails(&["a.db", "-o", "x.txt"], "must end like one of the formats");
    workshop.fails(&["none.db", "-o", "x.joseki"], "can't read the book");
    workshop.fails(&["a.db", "-o", "no/such/x.joseki"], "can't write the book");
    workshop.fails(&["a.db", "-o", "x.joseki", "--nodes", "0"], "nothing to do without --propagate");
    let engine = ["--engine", "noise", "--propagate"];
    workshop.fails(&[&["a.db", "-o", "x.joseki", "--nodes", "0"], &engine[..]].concat(), "nothing to search");
    workshop.fails(&["bare.db", "-o", "x.joseki", "--nodes", "0", "--propagate"], "give --nodes to search");
    workshop.fails(&["a.db", "-o", "x.joseki", "--option", "A=B"], "--engine");
    workshop.fails(&["a.db", "-o", "x.joseki", "--engine", "noise", "--option", "A"], "NAME=VALUE");
    workshop.fails(&["a.db", "-o", "x.joseki", "--engine", "noise"], "can't start the engine \"noise\"");
    workshop.fails(&["a.db", "-o", "x.joseki", "--engine", "no-such-engine"], "can't start the engine");
    assert_eq!(std::fs::read_dir(workshop.folder.path()).unwrap().count(), 3);
}

#[test]
fn a_book_without_moves_stays_as_it_is() {
    let workshop = Workshop::new();
    std::fs::write(workshop.path("a.db"), "#YANEURAOU-DB2016 1.00\n").unwrap();
    let (_, stderr) = workshop.run(&["a.db", "-o", "b.joseki", "--propagate"]);
    assert!(stderr.contains("searched 0 positions") && stderr.ends_with("no move in the new book\n"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_was_searched() {
    let workshop = Workshop::new();
    let mut command = workshop.command(&["a.db", "-o", "x.joseki", "--nodes", "2000000", "--jobs", "1"]);
    let mut child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    let journal = workshop.path("x.joseki.journal");
    // The first line comes with the first result.
    let is_empty = || std::fs::metadata(&journal).map_or(0, |found| found.len()) == 0;
    while child.try_wait().unwrap().is_none() && is_empty() {
        std::thread::yield_now();
    }
    let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && stderr.contains("broken off; what was searched is in"), "{stderr}");
    assert!(!workshop.path("x.joseki").exists() && workshop.read("x.joseki.journal").ends_with('\n'));
}
