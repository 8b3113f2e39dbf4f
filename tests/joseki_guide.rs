//! The guide `docs/books.md`, from records to a book that is played: its commands, and the chain as a whole.
#![cfg(feature = "cli")]

mod joseki_support;

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use joseki_support::*;
use komadai::kyokumen::Kyokumen;

/// Day, Sente and moves of games: 7g7f 3c3d 2g2f twice, and 7g7f 8c8d 2h6h.
const GAMES: [(&str, &str, [&str; 3]); 3] = [
    ("2024/01/05", "山田太郎(1800)", ["７六歩(77)", "３四歩(33)", "２六歩(27)"]),
    ("2024/02/05", "山田太郎(1810)", ["７六歩(77)", "３四歩(33)", "２六歩(27)"]),
    ("2024/03/05", "丙(1500)", ["７六歩(77)", "８四歩(83)", "６八飛(28)"]),
];

fn kif(date: &str, sente: &str, moves: &[&str]) -> String {
    let mut text =
        format!("開始日時：{date}\n手合割：平手\n先手：{sente}\n後手：乙(1700)\n手数----指手---------消費時間--\n");
    for (index, name) in moves.iter().enumerate() {
        text += &format!("{:4} {name}   ( 0:01/00:00:01)\n", index + 1);
    }
    text + &format!("{:4} 投了\n", moves.len() + 1)
}

/// A folder of a user: `kifu` has the games, one of them in CP932, and a page that an overloaded server sent.
fn workshop() -> Workshop {
    let workshop = Workshop::with("", &[]);
    let kifu = workshop.path("kifu");
    std::fs::create_dir_all(kifu.join("2024")).unwrap();
    for (index, (date, sente, moves)) in GAMES.iter().enumerate() {
        let text = kif(date, sente, moves);
        let bytes = if index == 0 { encoding_rs::SHIFT_JIS.encode(&text).0.into_owned() } else { text.into_bytes() };
        std::fs::write(kifu.join(format!("2024/{index}.kif")), bytes).unwrap();
    }
    std::fs::write(kifu.join("page.kif"), "<!DOCTYPE html>\n<html><body>503</body></html>\n").unwrap();
    workshop
}

/// The engine, as a GUI has it.
struct Engine {
    process: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Engine {
    fn start(folder: &Path) -> Engine {
        let mut process = Command::new(env!("CARGO_BIN_EXE_komadai"))
            .current_dir(folder)
            .env("KOMADAI_INI", folder.join("komadai.ini"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = process.stdin.take().unwrap();
        let output = BufReader::new(process.stdout.take().unwrap()).lines();
        Engine { process, input, output }
    }

    /// Sends lines and returns what comes up to the answer that begins so.
    fn ask(&mut self, lines: &[&str], answer: &str) -> Vec<String> {
        for line in lines {
            writeln!(self.input, "{line}").unwrap();
        }
        let mut said = Vec::new();
        loop {
            said.push(self.output.next().expect("the engine ended").unwrap());
            if said.last().is_some_and(|line| line.starts_with(answer)) {
                return said;
            }
        }
    }

    /// The answer of a `go` in this position: the move, and what was said of the book.
    fn play(&mut self, position: &str) -> (String, Vec<String>) {
        let mut said = self.ask(&[position, "go btime 0 wtime 0 byoyomi 100"], "bestmove");
        let answer = said.pop().unwrap();
        said.retain(|line| line.starts_with("info string joseki:"));
        (answer.split(' ').nth(1).unwrap().to_owned(), said)
    }

    fn quit(mut self) {
        writeln!(self.input, "quit").unwrap();
        assert!(self.process.wait().unwrap().success());
    }
}

#[test]
fn a_folder_of_kif_becomes_a_book_that_is_played() {
    let workshop = workshop();
    let (_, told) = workshop.run(&["build", "kifu", "-o", "my.joseki", "--errors", "errors.txt"]);
    assert!(told.contains("3 games"), "{told}");
    let listed = std::fs::read_to_string(workshop.path("errors.txt")).unwrap();
    assert!(listed.lines().count() == 1 && listed.contains("page.kif"), "{listed}");
    let (verdict, _) = workshop.run(&["verify", "my.joseki"]);
    assert!(verdict.starts_with("positions 4 moves 5 sorted yes illegal 0"), "{verdict}");

    let mut engine = Engine::start(workshop.folder.path());
    engine.ask(&["usi"], "usiok");
    let said = engine.ask(&["setoption name BookFile value my.joseki", "isready"], "readyok");
    assert_eq!(said, ["readyok"]);
    engine.ask(&["usinewgame", "isready"], "readyok");
    let first = engine.play("position startpos");
    assert_eq!(first, ("7g7f".into(), vec!["info string joseki: 7g7f 3 of 3 (100.0%) from my.joseki".into()]));
    let (reply, said) = engine.play("position startpos moves 7g7f");
    let expected = match reply.as_str() {
        "3c3d" => "info string joseki: 3c3d 2 of 3 (66.7%) from my.joseki",
        _ => "info string joseki: 8c8d 1 of 3 (33.3%) from my.joseki",
    };
    assert_eq!(said, [expected]);
    // Where the book knows nothing, there is nothing to say, and a move all the same.
    let (own, said) = engine.play("position startpos moves 7g7f 3c3d 2g2f");
    assert!(after("7g7f 3c3d 2g2f").is_legal(te(&own)) && said.is_empty(), "{own} {said:?}");
    engine.quit();

    // The choice was kept, so the next session needs no option.
    let mut engine = Engine::start(workshop.folder.path());
    engine.ask(&["usi"], "usiok");
    engine.ask(&["setoption name BookSelect value best", "isready"], "readyok");
    assert_eq!(engine.play("position startpos moves 7g7f").0, "3c3d");
    engine.quit();
}

/// The commands of the guide, in its order, in one folder.
#[test]
fn the_commands_of_the_guide_work_one_after_the_other() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/books.md");
    let guide = std::fs::read_to_string(guide).unwrap().replace("\\\n", " ");
    let workshop = workshop();
    let theirs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/shogihome/yaneuraou.db");
    std::fs::copy(theirs, workshop.path("theirs.db")).unwrap();
    let (mut run, mut shell) = (0, false);
    for line in guide.lines() {
        if line.starts_with("```") {
            shell = line == "```sh";
            continue;
        }
        let Some(command) = line.strip_prefix("komadai joseki ").filter(|_| shell) else { continue };
        // The page is served until somebody stops it; other engines are not at hand.
        if command.starts_with("explore ") || command.contains(" --engine ") {
            continue;
        }
        workshop.run(&words(command).iter().map(String::as_str).collect::<Vec<_>>());
        run += 1;
    }
    assert!(run >= 20, "{run}");
    let book = komadai::joseki::Joseki::open(&workshop.path("my.joseki")).unwrap();
    assert!(!book.lookup(&Kyokumen::hirate()).unwrap().moves.is_empty());
}

/// The words of a command line, of which some may be in double quotes.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('"').enumerate();
    let words = parts.flat_map(|(index, part)| match index % 2 {
        0 => part.split_whitespace().map(str::to_owned).collect(),
        _ => vec![part.to_owned()],
    });
    words.collect()
}
