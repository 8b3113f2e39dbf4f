//! Engines that misbehave. This program is the engine too, for it needs no other that way on any system: started with
//! the variable below it speaks USI, in the way that the variable names, instead of running the tests.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::thread;
use std::time::Duration;

use komadai::joseki::Joseki;
use komadai::kyokumen::Kyokumen;
use tempfile::TempDir;

const MANNER: &str = "KOMADAI_TEST_ENGINE";
const PID_FILE: &str = "KOMADAI_TEST_PID";

const TEXT: &str = "#YANEURAOU-DB2016 1.00
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
7g7f 3c3d 35 22 90
2g2f none 30 22 10
";

fn main() {
    if let Ok(manner) = std::env::var(MANNER) {
        return engine(&manner);
    }
    let tests: [(&str, fn()); 7] = [
        ("an_engine_that_dies_is_named_with_its_last_words", dying),
        ("an_engine_that_hangs_or_never_comes_to_an_end_is_given_up", hanging),
        ("what_an_engine_prints_besides_is_passed_over", babbling),
        ("an_engine_that_tells_no_value_leaves_the_move_as_it_is", silent),
        ("resigning_and_declaring_have_values", resigning),
        ("an_engine_that_does_not_quit_is_killed", staying),
        ("what_one_engine_began_no_other_of_its_name_goes_on_with", changing),
    ];
    thread::scope(|scope| {
        for (name, test) in tests {
            println!("test {name} ...");
            scope.spawn(test);
        }
    });
}

/// Speaks USI in some manner.
fn engine(manner: &str) {
    if let Ok(path) = std::env::var(PID_FILE) {
        std::fs::write(path, std::process::id().to_string()).unwrap();
    }
    let end = if manner == "babbling" { "\r\n" } else { "\n" };
    let say = |line: &str| {
        let mut stdout = std::io::stdout().lock();
        // Nobody may be there any more.
        let _ = stdout.write_all(format!("{line}{end}").as_bytes()).and_then(|()| stdout.flush());
    };
    let mut searches = 0;
    for line in std::io::stdin().lines().map_while(Result::ok) {
        match (line.split(' ').next().unwrap_or_default(), manner) {
            ("usi", "dying-at-once") => std::process::exit(3),
            ("usi", "hanging-at-once") => thread::sleep(Duration::from_secs(600)),
            ("usi", "changed") => say("id name Odd\nid author me\noption name Style type string default y\nusiok"),
            ("usi", _) => say("id name Odd\nid author me\noption name Style type string default x\nusiok"),
            ("isready", "hanging-at-isready") => {}
            ("isready", _) => say("readyok"),
            ("go", "dying") if searches == 1 => {
                say("I am done for");
                std::process::exit(4);
            }
            ("go", "hanging") => {}
            ("go", "flooding") => loop {
                println!("info depth 1 score cp 7 pv 3c3d");
            },
            ("go", "silent") => say("info depth 3\nbestmove 3c3d"),
            ("go", "resigning") => say("bestmove resign"),
            ("go", "declaring") => say("info depth 3 score cp 5\nbestmove win"),
            ("go", "babbling") => {
                let mut stdout = std::io::stdout();
                let _ = stdout.write_all(&[0xff, 0x00, b'\n', 0x83, 0x5c, b'\r', b'\n']);
                say(&"x".repeat(200_000));
                say(
                    "info string score cp 99\ninfo depth 5 multipv 1 score cp 42 pv 3c3d\ninfo depth 5 multipv 2 score cp 3 pv 8c8d",
                );
                say("info depth 6 score cp 11 lowerbound pv 3c3d\ninfo score cp\nreadyok\nusiok\n");
                say("  bestmove 3c3d ponder 2g2f  ");
            }
            ("go", _) => say("info depth 3 score cp 42 pv 3c3d\nbestmove 3c3d"),
            ("quit", "staying") => thread::sleep(Duration::from_secs(600)),
            ("quit", _) => return,
            _ => {}
        }
        searches += u32::from(line.starts_with("go "));
    }
    if manner == "staying" {
        thread::sleep(Duration::from_secs(600));
    }
}

/// Evaluates a book with an engine of this manner.
fn evaluate(manner: &str, arguments: &[&str]) -> (TempDir, Output) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.db"), TEXT).unwrap();
    let output = evaluate_in(&folder, manner, arguments);
    (folder, output)
}

fn evaluate_in(folder: &TempDir, manner: &str, arguments: &[&str]) -> Output {
    let engine: PathBuf = std::env::current_exe().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_komadai"));
    command.args(["joseki", "evaluate", "a.db", "-o", "b.joseki", "--nodes", "5", "--engine"]).arg(engine);
    command.args(arguments).current_dir(folder.path()).env(MANNER, manner);
    command.env(PID_FILE, folder.path().join("pid")).output().unwrap()
}

fn fails(manner: &str, arguments: &[&str], words: &[&str]) -> TempDir {
    let (folder, output) = evaluate(manner, arguments);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && !folder.path().join("b.joseki").exists(), "{manner}");
    assert!(words.iter().all(|words| stderr.contains(words)), "{manner}: {stderr}");
    folder
}

/// Value and depth of a move.
type Figures = (Option<i32>, Option<u32>);

/// What both moves got, and what was told.
fn figures(manner: &str) -> ([Figures; 2], String) {
    let (folder, output) = evaluate(manner, &[]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{manner}: {stderr}");
    let book = Joseki::open(&folder.path().join("b.joseki")).unwrap();
    let moves = book.lookup(&Kyokumen::hirate()).unwrap().moves;
    ([0, 1].map(|nth: usize| (moves[nth].value, moves[nth].depth)), stderr)
}

fn dying() {
    fails("dying-at-once", &[], &["has ended at \"usi\"", "it said nothing"]);
    let goes_on = "the same command goes on from there";
    let folder = fails("dying", &[], &["has ended at \"go nodes 5\"", "last words were \"I am done for\"", goes_on]);
    let journal = std::fs::read_to_string(folder.path().join("b.joseki.journal")).unwrap();
    assert_eq!(journal.lines().count(), 1);
    let [_, origin, nodes, value, depth] = journal.trim_end().split('\t').collect::<Vec<_>>().try_into().unwrap();
    assert!(origin.starts_with("Odd [") && (nodes, value, depth) == ("5", "42", "3"), "{journal}");
}

fn hanging() {
    thread::scope(|scope| {
        for (manner, command) in [
            ("hanging-at-once", "\"usi\""),
            ("hanging-at-isready", "\"isready\""),
            ("hanging", "\"go nodes 5\""),
            ("flooding", "\"go nodes 5\""),
        ] {
            let words = ["has not answered", command, "within 1 seconds; --timeout gives it more"];
            scope.spawn(move || fails(manner, &["--timeout", "1", "--jobs", "2"], &words));
        }
    });
}

fn babbling() {
    assert_eq!(figures("babbling").0, [(Some(-42), Some(5)); 2]);
}

fn silent() {
    let (figures, stderr) = figures("silent");
    assert_eq!(figures, [(Some(35), Some(22)), (Some(30), Some(22))]);
    assert!(stderr.contains("searched 2 positions, 0 more were in the journal; 2 are without a value"), "{stderr}");
}

fn resigning() {
    assert_eq!(figures("resigning").0, [(Some(32_000), None); 2]);
    assert_eq!(figures("declaring").0, [(Some(-31_999), Some(0)); 2]);
}

fn changing() {
    let folder = fails("dying", &[], &["has ended"]);
    let journal = || std::fs::read_to_string(folder.path().join("b.joseki.journal")).unwrap();
    let begun = journal();
    for (manner, arguments) in [("changed", &[][..]), ("calm", &["--option", "Style=z"])] {
        let output = evaluate_in(&folder, manner, arguments);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && stderr.contains("is of another search: Odd ["), "{manner}: {stderr}");
        assert_eq!(journal(), begun);
    }
    let output = evaluate_in(&folder, "calm", &[]);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("searched 1 positions, 1 more were in the journal"), "{stderr}");
}

fn staying() {
    let (folder, output) = evaluate("staying", &[]);
    assert!(output.status.success());
    let pid = std::fs::read_to_string(folder.path().join("pid")).unwrap();
    if cfg!(unix) {
        let alive = Command::new("kill").args(["-0", &pid]).output().unwrap();
        assert!(!alive.status.success(), "{pid} is still there");
    }
}
