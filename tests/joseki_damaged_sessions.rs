//! Sessions with damaged books of every format: whatever stands in a book file, each `go` gets one answer, which is
//! legal.
#![cfg(feature = "workshop")]

mod joseki_damage;
mod joseki_support;

use std::io::{self, BufRead, BufReader, PipeWriter, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use joseki_damage::{Samples, samples};
use joseki_support::*;
use komadai::joseki::Joseki;
use komadai::kyokumen::Kyokumen;
use komadai::settings::Settings;
use komadai::sikou::Tansaku;
use komadai::usi::{self, Identity};
use rand::RngExt;
use rand::seq::IndexedRandom;

/// Only a session that hangs waits as long as this.
const HANGS: Duration = Duration::from_secs(60);

/// The engine in this process, and its streams.
struct Session {
    input: PipeWriter,
    lines: Receiver<String>,
    thread: JoinHandle<io::Result<()>>,
    /// How many moves were told to come from a book.
    from_book: usize,
}

impl Session {
    fn start(folder: &Path) -> Session {
        let (from_here, input) = io::pipe().unwrap();
        let (from_engine, output) = io::pipe().unwrap();
        let settings = Settings::from_files(vec![folder.join("komadai.ini")]);
        let identity = Identity::new("Komadai", "the Komadai authors");
        let thread = thread::spawn(move || usi::serve(identity, Tansaku::default(), settings, from_here, output));
        let (to_here, lines) = channel();
        thread::spawn(move || {
            let mut lines = BufReader::new(from_engine).lines();
            lines.try_for_each(|line| line.ok().and_then(|line| to_here.send(line).ok()))
        });
        Session { input, lines, thread, from_book: 0 }
    }

    fn tell(&mut self, line: &str) {
        self.input.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// The next line that begins with a word. Other answers must not come before it.
    fn expect(&mut self, word: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(HANGS).unwrap_or_else(|error| panic!("no {word}: {error}"));
            assert!(line.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{line:?}");
            self.from_book += usize::from(line.contains(" from book."));
            let first = line.split(' ').next().unwrap();
            if first == word {
                return line;
            }
            assert!(["id", "option", "info"].contains(&first), "{line} before {word}");
        }
    }

    fn ask(&mut self, line: &str, word: &str) -> String {
        self.tell(line);
        self.expect(word)
    }

    fn end(mut self) {
        self.tell("quit");
        // The output is closed, and nothing more has come.
        assert_eq!(self.lines.recv_timeout(HANGS).ok(), None);
        self.thread.join().unwrap().unwrap();
    }
}

/// Has the engine answer in this position.
fn go(session: &mut Session, kyokumen: &Kyokumen) {
    session.tell(&format!("position sfen {}", kyokumen.to_sfen()));
    session.tell("go nodes 1");
    let answer = session.expect("bestmove");
    // What comes before the next answer is no second one.
    session.ask("isready", "readyok");
    let words: Vec<&str> = answer.split(' ').skip(1).collect();
    let sfen = kyokumen.to_sfen();
    match words[..] {
        ["resign"] => assert!(!kyokumen.has_legal_te(), "{sfen}: {answer}"),
        [usi] => assert!(kyokumen.is_legal(te(usi)), "{sfen}: {answer}"),
        [usi, "ponder", reply] => {
            assert!(kyokumen.is_legal(te(usi)), "{sfen}: {answer}");
            let mut after = kyokumen.clone();
            after.do_te(te(usi));
            assert!(after.is_legal(te(reply)), "{sfen}: {answer}");
        }
        _ => panic!("{sfen}: {answer}"),
    }
}

/// Positions that a book has.
fn known(book: &Joseki) -> Vec<Kyokumen> {
    book.records().filter_map(|record| record.kyokumen).take(100).collect()
}

/// Plays from damaged books of a format in so many sessions; how many answers there were, and how many from the books.
fn run(samples: &Samples, rounds: usize) -> (usize, usize) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book").with_extension(samples.format.name());
    let good: Vec<Vec<Kyokumen>> = samples.books.iter().map(|bytes| known(&book(bytes))).collect();
    let mut rng = rng(samples.format as u64 + 100);
    let (mut answers, mut from_book) = (0, 0);
    for round in 0..rounds {
        let bytes = samples.damaged(round, &mut rng);
        std::fs::write(&path, &bytes).unwrap();
        let mut positions = vec![Kyokumen::hirate()];
        positions.extend(good[round % good.len()].choose(&mut rng).cloned());
        if let Ok(damaged) = Joseki::open(&path) {
            positions.extend(known(&damaged).choose(&mut rng).cloned());
        }
        let mut session = Session::start(folder.path());
        session.ask("usi", "usiok");
        session.tell("setoption name USI_Hash value 1");
        let select = ["count", "best", "value"][rng.random_range(0..3)];
        session.tell(&format!("setoption name BookSelect value {select}"));
        session.tell(&format!("setoption name BookFile value {}", path.display()));
        session.ask("isready", "readyok");
        session.tell("usinewgame");
        positions.iter().for_each(|kyokumen| go(&mut session, kyokumen));
        answers += positions.len();
        from_book += session.from_book;
        session.end();
    }
    (answers, from_book)
}

fn run_all(rounds: usize) {
    for samples in samples() {
        let (answers, from_book) = run(&samples, rounds);
        println!("{:?}: {answers} answers, {from_book} from the books", samples.format);
        assert!(from_book > answers / 10, "{:?}: the books were hardly played from", samples.format);
    }
}

#[test]
fn from_a_damaged_book_one_legal_move_is_played() {
    run_all(40);
}

#[test]
#[ignore = "takes minutes in a release build"]
fn from_ten_thousand_damaged_books_of_each_format_one_legal_move_is_played() {
    run_all(10_000);
}
