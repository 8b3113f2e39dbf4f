//! The option `LogFile`, with the real program.

mod place_support;

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use encoding_rs::SHIFT_JIS;

use place_support::Place;

fn start(place: &Place) -> Engine {
    let mut process = place.command().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let input = process.stdin.take();
    let output = BufReader::new(process.stdout.take().unwrap()).lines();
    Engine { process, input, output }
}

/// An engine that logs to a file, and says that it is ready.
fn start_logging(place: &Place, name: &str) -> Engine {
    let mut engine = start(place);
    engine.send(&format!("setoption name LogFile value {name}"));
    assert_eq!(engine.ask("isready", "readyok"), ["readyok"]);
    engine
}

struct Engine {
    process: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
}

impl Engine {
    fn send(&mut self, line: &str) {
        self.send_bytes(line.as_bytes());
    }

    fn send_bytes(&mut self, line: &[u8]) {
        self.input.as_mut().unwrap().write_all(&[line, b"\n"].concat()).unwrap();
    }

    /// What comes up to the line that begins so.
    fn read_to(&mut self, answer: &str) -> Vec<String> {
        let mut said = Vec::new();
        while said.last().is_none_or(|line: &String| !line.starts_with(answer)) {
            said.push(self.output.next().expect("the engine ended").unwrap());
        }
        said
    }

    fn ask(&mut self, line: &str, answer: &str) -> Vec<String> {
        self.send(line);
        self.read_to(answer)
    }

    /// Closes the input and returns what else was said.
    fn end(mut self) -> Vec<String> {
        self.input = None;
        let said = self.output.by_ref().map(Result::unwrap).collect();
        assert!(self.process.wait().unwrap().success());
        said
    }
}

/// Lines of a log by process, each without its stamp, whose form is checked.
fn read(path: &Path) -> BTreeMap<String, Vec<String>> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    assert!(text.ends_with('\n'));
    let mut lines: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in text.lines() {
        let parts: Vec<&str> = line.splitn(4, ' ').collect();
        let digits = |text: &str, shape: &str| {
            text.len() == shape.len()
                && text.bytes().zip(shape.bytes()).all(|(byte, sign)| match sign {
                    b'0' => byte.is_ascii_digit(),
                    _ => byte == sign,
                })
        };
        assert!(digits(parts[0], "0000-00-00") && digits(parts[1], "00:00:00.000"), "{line}");
        lines.entry(parts[2].to_owned()).or_default().push(parts[3].to_owned());
    }
    lines
}

/// The lines of a log to which only one engine has written.
fn read_one(path: &Path) -> Vec<String> {
    let mut logs: Vec<Vec<String>> = read(path).into_values().collect();
    assert_eq!(logs.len(), 1, "{logs:?}");
    logs.remove(0)
}

#[test]
fn all_that_is_said_and_heard_is_in_the_log_when_the_program_ends() {
    for quits in [true, false] {
        let place = Place::new();
        let mut engine = start_logging(&place, "komadai.log");
        engine.send("position startpos");
        let answer = engine.ask("go byoyomi 0", "bestmove").pop().unwrap();
        if quits {
            engine.send("quit");
        }
        engine.end();
        let lines = read_one(&place.path("engine/komadai.log"));
        let position = |text: &str| lines.iter().position(|line| line == text).unwrap_or_else(|| panic!("{text}"));
        assert!(lines[0].starts_with("# komadai "), "{lines:?}");
        assert!(lines.iter().any(|line| line.starts_with("# LogFile is ")), "{lines:?}");
        let answer = format!("< {answer}");
        let order = ["> isready", "< readyok", "> position startpos", "> go byoyomi 0", answer.as_str()];
        assert!(order.map(position).is_sorted(), "{lines:?}");
        assert_eq!(lines.last().unwrap() == "> quit", quits, "{lines:?}");
    }
}

#[test]
fn a_log_that_the_settings_name_holds_all_from_the_first_line_on() {
    let place = Place::new();
    std::fs::write(place.ini(), "[CustomSettings]\nLogFile=komadai.log\n").unwrap();
    let mut engine = start(&place);
    engine.ask("usi", "usiok");
    engine.ask("setoption name MultiPV value 2\nisready", "readyok");
    assert_eq!(engine.end(), [""; 0]);
    let lines = read_one(&place.path("engine/komadai.log"));
    let first = lines.iter().find(|line| !line.starts_with('#')).unwrap();
    assert_eq!(first, "> usi");
    assert!(lines.contains(&"> setoption name MultiPV value 2".to_owned()), "{lines:?}");
}

#[test]
fn a_relative_name_means_a_file_beside_the_program_unless_there_is_one_in_the_current_folder() {
    let place = Place::new();
    start_logging(&place, "\"駒台 ソ.log\"").end();
    assert_eq!(read_one(&place.path("engine/駒台 ソ.log")).last().unwrap(), "< readyok");
    fs::write(place.path("elsewhere/here.log"), "").unwrap();
    start_logging(&place, "here.log").end();
    assert_eq!(read_one(&place.path("elsewhere/here.log")).last().unwrap(), "< readyok");
    assert!(!place.path("engine/here.log").exists());
}

#[test]
fn a_name_in_cp932_is_understood_and_the_log_is_in_utf_8() {
    let place = Place::new();
    let mut engine = start(&place);
    engine.send_bytes(&SHIFT_JIS.encode("setoption name LogFile value 駒台 ソ.log").0);
    engine.ask("isready", "readyok");
    engine.send_bytes(&SHIFT_JIS.encode("setoption name BookFile value 定跡.db").0);
    engine.ask("isready", "readyok");
    engine.end();
    let lines = read_one(&place.path("engine/駒台 ソ.log"));
    assert!(lines.contains(&"> setoption name BookFile value 定跡.db".to_owned()), "{lines:?}");
}

#[test]
fn a_folder_that_vanishes_is_told_once_and_costs_no_answer() {
    let place = Place::new();
    fs::create_dir(place.path("logs")).unwrap();
    let mut engine = start_logging(&place, place.path("logs/a.log").to_str().unwrap());
    // The last line was sent before it was read here, but perhaps not yet written; the folder can't be taken away then.
    while fs::remove_dir_all(place.path("logs")).is_err() || place.path("logs").exists() {}
    engine.send("isready");
    let told = engine.read_to("info string can't write the log").pop().unwrap();
    assert!(told.contains("a.log"), "{told}");
    let mut rest: Vec<String> = (0..5).flat_map(|_| engine.ask("isready", "readyok")).collect();
    rest.extend(engine.end());
    assert!(!rest.iter().any(|line| line.contains("the log")), "{rest:?}");
}

#[test]
fn two_engines_write_to_one_log_line_by_line() {
    let place = Place::new();
    let name = place.path("a.log");
    let mut engines = [0, 1].map(|_| start_logging(&place, name.to_str().unwrap()));
    for _ in 0..50 {
        engines.iter_mut().for_each(|engine| engine.send("isready"));
        engines.iter_mut().for_each(|engine| assert_eq!(engine.read_to("readyok").len(), 1));
    }
    engines.into_iter().for_each(|engine| assert!(engine.end().is_empty()));
    let logs = read(&name);
    assert_eq!(logs.len(), 2);
    for lines in logs.values() {
        let number = |text: &str| lines.iter().filter(|line| *line == text).count();
        assert!(number("> isready") == 51 && number("< readyok") == 51, "{lines:?}");
        assert!(lines.iter().all(|line| ["> ", "< ", "# "].iter().any(|mark| line.starts_with(mark))), "{lines:?}");
    }
}

#[test]
fn a_log_of_five_megabytes_becomes_an_old_one() {
    let place = Place::new();
    let path = place.path("engine/a.log");
    let line = "2024-02-29 12:34:56.007 1 > isready\n";
    fs::write(&path, line.repeat(5_000_000 / line.len())).unwrap();
    start_logging(&place, "a.log").end();
    assert_eq!(fs::metadata(place.path("engine/a.log.1")).unwrap().len() / 100, 49_999);
    assert_eq!(read_one(&path).last().unwrap(), "< readyok");
}

#[test]
fn a_book_named_by_mistake_is_not_written_to() {
    let place = Place::new();
    let book = place.path("engine/book.db");
    fs::write(&book, "#YANEURAOU-DB2016 1.00\n").unwrap();
    let mut engine = start(&place);
    let told = engine.ask("setoption name LogFile value book.db", "info string can't write the log").pop().unwrap();
    assert!(told.ends_with("it is there already and no log of this program"), "{told}");
    engine.ask("isready", "readyok");
    engine.end();
    assert_eq!(fs::read_to_string(&book).unwrap(), "#YANEURAOU-DB2016 1.00\n");
}
