//! Building books from records by the command line, and looking into them.
#![cfg(feature = "cli")]

mod joseki_support;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use joseki_support::*;
use komadai::joseki::Joseki;
use komadai::kyokumen::Kyokumen;
use tempfile::TempDir;

fn komadai(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_komadai")).arg("joseki").args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// A folder with a file of records.
struct Records {
    folder: TempDir,
}

impl Records {
    fn new(lines: &[&str]) -> Records {
        let records = Records { folder: tempfile::tempdir().unwrap() };
        std::fs::write(records.path("games.txt"), lines.join("\n")).unwrap();
        records
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, options: &[&str]) -> Output {
        let (games, book) = (self.path("games.txt"), self.path("book.joseki"));
        let mut arguments = vec!["build", games.to_str().unwrap(), "-o", book.to_str().unwrap()];
        arguments.extend(options);
        komadai(&arguments)
    }

    fn build(&self, options: &[&str]) -> Joseki {
        let output = self.run(options);
        assert!(output.status.success(), "{}", text(&output.stderr));
        Joseki::open(&self.path("book.joseki")).unwrap()
    }

    /// The first moves of the book built with these options, with their counts.
    fn first_moves(&self, options: &str) -> String {
        let book = self.build(&options.split_whitespace().collect::<Vec<_>>());
        let entry = book.lookup(&Kyokumen::hirate()).unwrap_or_default();
        let moves = entry.moves.iter().map(|te| format!("{} {}", te.te, te.count.unwrap()));
        moves.collect::<Vec<_>>().join(", ")
    }
}

/// Six games, of which the third repeats the second, and the last is no even one.
const GAMES: [&str; 6] = [
    "2020-01-01\t平手\tb\t2000\t1500\tresign\t3\t7g7f 3c3d 2g2f",
    "2020-01-02\t平手\tw\t1000\t2500\tresign\t2\t7g7f 8c8d",
    "2020-01-02\t平手\tw\t1000\t2400\tabort\t2\t7g7f 8c8d",
    "2021-05-05\t平手\tw\t1800\t-\tdraw\t1\t2g2f",
    "2022-01-01\t平手\tw\t-\t-\tillegal\t1\t7g7f",
    "2022-02-02\t香落ち\tw\t900\t2500\tresign\t2\t3c3d 7g7f",
];

#[test]
fn counts_results_and_ratings_are_those_of_the_mover() {
    let book = Records::new(&GAMES).build(&[]);
    let start = book.lookup(&Kyokumen::hirate()).unwrap();
    assert_eq!(counts(&start), [("7g7f".into(), Some(3)), ("2g2f".into(), Some(1))]);
    let first = find(&start, "7g7f");
    // Won by Sente: the first, for Gote resigned. Lost: the second, for Sente resigned; and the last, where the foul
    // was Sente's second move, which the record lacks, so the side to move won.
    assert_eq!((first.wins, first.draws, first.losses), (Some(1), Some(0), Some(2)));
    assert_eq!((first.rating, first.opponent_rating), (Some(1500), Some(2000)));
    let second = find(&start, "2g2f");
    assert_eq!((second.wins, second.draws, second.losses), (Some(0), Some(1), Some(0)));
    assert_eq!((second.rating, second.opponent_rating), (Some(1800), None));
    let reply = find(&book.lookup(&after("7g7f")).unwrap(), "3c3d");
    assert_eq!((reply.wins, reply.losses, reply.rating), (Some(0), Some(1), Some(1500)));
    assert_eq!(book.lookup(&after("7g7f 3c3d")).unwrap().tesu, Some(3));
    assert!(book.verify(&mut |fault| panic!("{fault}")).is_good());
}

#[test]
fn every_option_selects_what_it_says() {
    let records = Records::new(&GAMES);
    assert_eq!(records.first_moves(""), "7g7f 3, 2g2f 1");
    assert_eq!(records.first_moves("--min-count 2"), "7g7f 3");
    assert_eq!(records.first_moves("--min-rating 1800"), "2g2f 1, 7g7f 1");
    assert_eq!(records.first_moves("--min-plies 2"), "7g7f 2");
    assert_eq!(records.first_moves("--side sente"), "7g7f 3, 2g2f 1");
    assert_eq!(records.first_moves("--side gote"), "");
    assert_eq!(records.first_moves("--side winner"), "7g7f 1");
    assert_eq!(records.first_moves("--side loser"), "7g7f 2");
    assert_eq!(records.first_moves("--since 2021-05-05"), "2g2f 1, 7g7f 1");
    assert_eq!(records.first_moves("--until 2021-05-05"), "7g7f 2, 2g2f 1");
    assert_eq!(records.first_moves("--ending resign,draw"), "7g7f 2, 2g2f 1");
    assert_eq!(records.first_moves("--ending abort"), "7g7f 1");
    assert_eq!(records.first_moves("--handicap lance"), "");
    assert!(records.build(&["--max-ply", "1"]).lookup(&after("7g7f")).is_none());
    let start = Kyokumen::from_sfen("lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1").unwrap();
    for handicap in ["lance", "any", "香落ち"] {
        let book = records.build(&["--handicap", handicap]);
        assert_eq!(counts(&book.lookup(&start).unwrap()), [("3c3d".into(), Some(1))], "{handicap}");
    }
    assert!(records.build(&[]).lookup(&start).is_none());
}

#[test]
fn a_book_is_the_same_in_any_order_and_with_any_number_of_jobs() {
    let mut lines = GAMES.to_vec();
    let mut books = Vec::new();
    for (turn, jobs) in (0..6).zip(["1", "2", "3"].iter().cycle()) {
        lines.rotate_left(turn);
        let records = Records::new(&lines);
        records.build(&["--jobs", jobs, "--provenance", "a test"]);
        books.push(std::fs::read(records.path("book.joseki")).unwrap());
    }
    assert!(books.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn usi_lines_count_without_results_and_never_as_repeated() {
    let line = "startpos moves 7g7f 3c3d";
    let book = Records::new(&[line, "position startpos moves 7g7f 3c3d", line]).build(&[]);
    let first = find(&book.lookup(&Kyokumen::hirate()).unwrap(), "7g7f");
    assert_eq!((first.count, first.wins, first.losses, first.rating), (Some(3), None, None, None));
}

#[test]
fn folders_compressed_files_and_standard_input_are_read() {
    use std::io::Write;
    let records = Records::new(&[GAMES[0]]);
    std::fs::create_dir(records.path("more")).unwrap();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(GAMES[3].as_bytes()).unwrap();
    std::fs::write(records.path("more/packed.gz"), packed.finish().unwrap()).unwrap();
    let book = records.path("out.joseki");
    let mut child = Command::new(env!("CARGO_BIN_EXE_komadai"))
        .args(["joseki", "build", records.folder.path().to_str().unwrap(), "-", "-o", book.to_str().unwrap()])
        .stdin(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"startpos moves 5g5f").unwrap();
    assert!(child.wait().unwrap().success());
    assert_eq!(Joseki::open(&book).unwrap().lookup(&Kyokumen::hirate()).unwrap().moves.len(), 3);
}

#[test]
fn bad_lines_are_listed_and_the_rest_is_counted() {
    let lines = [GAMES[0], "<html>", "startpos moves 2g2f 2g2f", "", "# remark", "startpos moves foo", GAMES[3]];
    let records = Records::new(&lines);
    let errors = records.path("errors.txt");
    let output = records.run(&["--errors", errors.to_str().unwrap()]);
    assert!(output.status.success());
    assert!(text(&output.stderr).contains("3 games read"), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("3 faults"));
    let listed = std::fs::read_to_string(errors).unwrap();
    let listed: Vec<&str> = listed.lines().map(|line| line.split("games.txt:").nth(1).unwrap()).collect();
    assert_eq!(listed.len(), 3);
    assert!(listed[0].starts_with("2: no game"));
    assert!(listed[1].starts_with("3: move 2, 2g2f, is illegal"));
    assert!(listed[2].starts_with("6: move 1"));
    // How many of each kind, and the first of them.
    let told = text(&output.stderr);
    assert!(
        told.contains("unreadable line: 2 skipped, the first is ") && told.contains("games.txt:2: no game"),
        "{told}"
    );
    assert!(told.contains("illegal move: 1 kept up to there, the first is "), "{told}");
    // The legal prefix counts.
    let start = Joseki::open(&records.path("book.joseki")).unwrap().lookup(&Kyokumen::hirate()).unwrap();
    assert_eq!(find(&start, "2g2f").count, Some(2));
}

#[test]
fn a_damaged_archive_gives_what_can_be_read() {
    use std::io::Write;
    let records = Records::new(&[GAMES[0]]);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    packed.write_all(format!("{}\n{}\n{}", GAMES[1], GAMES[3], GAMES[4]).as_bytes()).unwrap();
    let mut packed = packed.finish().unwrap();
    packed.truncate(packed.len() - 12);
    std::fs::write(records.path("games.txt"), packed).unwrap();
    let output = records.run(&[]);
    assert!(text(&output.stderr).contains("2 games read") && text(&output.stderr).contains("1 faults"), "{output:?}");
}

#[test]
fn what_cannot_be_done_exits_with_one_line_and_writes_nothing() {
    let records = Records::new(&["<html>", "nothing"]);
    let fails = |output: Output, words: &str| {
        assert_eq!(output.status.code(), Some(1));
        let line = text(&output.stderr);
        assert!(line.contains(words) && line.lines().count() == 1, "{line}");
        assert_eq!(text(&output.stdout), "");
    };
    fails(records.run(&[]), "no game in the records");
    assert!(!records.path("book.joseki").exists());
    fails(komadai(&["build", "no/such/file", "-o", "x.joseki"]), "no/such/file");
    fails(komadai(&["probe", "no/such/book.db"]), "no/such/book.db");
    let records = Records::new(&GAMES);
    fails(komadai(&["probe", records.path("games.txt").to_str().unwrap()]), "no book");
    for usage in [
        &["build", "games.txt"][..],
        &["build", "games.txt", "-o", "x", "--handicap", "queen"],
        &["build", "games.txt", "-o", "x", "--since", "yesterday"],
        &["build", "games.txt", "-o", "x", "--ending", "checkmate"],
        &["build", "games.txt", "-o", "x", "--jobs", "0"],
        &["build", "games.txt", "-o", "x", "--jobs", "257"],
        &["build", "games.txt", "-o", "x", "--memory", "0"],
        &["build", "games.txt", "-o", "x", "--rook", "sideways"],
        &["probe"],
        &["nothing"],
    ] {
        assert_eq!(komadai(usage).status.code(), Some(2), "{usage:?}");
    }
}

#[test]
fn a_probe_as_json_has_the_moves_in_the_books_order_and_null_for_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    std::fs::write(
        &path,
        format!("sfen {START} 1\n7g7f 3c3d 35 12 20 # 角道\n2g2f none -32768 none 30\n7g7e none 9 9 50\n"),
    )
    .unwrap();
    let json = |words: &[&str]| -> serde_json::Value {
        let output = komadai(&[&["probe", path.to_str().unwrap(), "--json"], words].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(output.stdout.is_ascii());
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let start = json(&[]);
    assert_eq!(start["sfen"], format!("{START} 1"));
    let moves = start["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 3);
    assert_eq!((&moves[0]["usi"], &moves[0]["count"], &moves[0]["share"]), (&"7g7f".into(), &20.into(), &40.0.into()));
    assert_eq!((&moves[0]["value"], &moves[0]["ponder"]), (&35.into(), &"3c3d".into()));
    assert_eq!(moves[0]["comment"], "角道");
    assert_eq!((&moves[1]["usi"], &moves[1]["share"]), (&"2g2f".into(), &60.0.into()));
    for unknown in ["value", "depth", "wins", "draws", "losses", "rating", "opponent_rating", "ponder", "comment"] {
        assert!(moves[1].get(unknown).is_some_and(serde_json::Value::is_null), "{unknown}");
    }
    assert_eq!((&moves[2]["count"], &moves[2]["legal"]), (&50.into(), &false.into()));
    assert!(moves[2]["share"].is_null(), "nobody can play it");
    assert_eq!(json(&["startpos"]), start);
    assert_eq!(json(&[&format!("{START} 1")]), start);
    let sfen = format!("{START} 1");
    let cut: Vec<&str> = sfen.split(' ').collect();
    for position in [&["startpos"][..], &[&sfen], &cut, &["sfen", &sfen], &["startpos", "moves"]] {
        let output = komadai(&[&["probe", path.to_str().unwrap()], position, &["--json"]].concat());
        assert!(output.status.success(), "{position:?}: {}", text(&output.stderr));
        assert_eq!(serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap(), start, "{position:?}");
    }
    let behind = komadai(&["probe", path.to_str().unwrap(), "startpos", "moves", "7g7f", "--json"]);
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&behind.stdout).unwrap()["moves"], serde_json::json!([]));
    assert_eq!(json(&["startpos", "moves", "7g7f"])["moves"], serde_json::json!([]));
    let illegal = komadai(&["probe", path.to_str().unwrap(), "startpos", "moves", "7g7e"]);
    assert_eq!(illegal.status.code(), Some(1));
    let table = text(&komadai(&["probe", path.to_str().unwrap()]).stdout);
    assert!(table.contains("▲７六歩 ") && table.contains("40.0%") && table.contains("illegal"), "{table}");
    assert!(!table.contains("-32768"), "{table}");
}

#[test]
fn figures_and_checks_tell_what_is_in_a_book() {
    let records = Records::new(&GAMES);
    records.build(&["--provenance", "six games"]);
    let path = records.path("book.joseki");
    let path: &Path = &path;
    let run = |command| komadai(&[command, path.to_str().unwrap(), "--json"]);
    let stat: serde_json::Value = serde_json::from_slice(&run("stat").stdout).unwrap();
    assert_eq!((&stat["positions"], &stat["moves"], &stat["format"]), (&3.into(), &5.into(), &"joseki".into()));
    assert_eq!((&stat["first_ply"], &stat["last_ply"]), (&1.into(), &3.into()));
    assert_eq!((&stat["sorted"], &stat["provenance"]), (&true.into(), &"six games".into()));
    assert_eq!(stat["bytes"], std::fs::metadata(path).unwrap().len());
    assert_eq!(stat["lines"][0]["moves"], "7g7f 3c3d 2g2f");
    let verdict: serde_json::Value = serde_json::from_slice(&run("verify").stdout).unwrap();
    assert_eq!(verdict["good"], true);
    std::fs::write(path, format!("sfen {START} 1\n7g7e\n")).unwrap();
    let output = run("verify");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("line 1: 7g7e is illegal"));
    assert_eq!(text(&output.stderr), "komadai: book.joseki is not in order\n");
}

/// The failure is one line that holds these words, with exit code 1.
fn fails(output: &Output, words: &str) {
    let line = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{line}");
    assert!(line.contains(words) && line.lines().count() == 1, "{line}");
}

#[test]
fn records_are_never_written_over() {
    let records = Records::new(&GAMES);
    let games = records.path("games.txt");
    let name = |path: &Path| path.to_str().unwrap().to_owned();
    let before = std::fs::read(&games).unwrap();
    let roundabout = records.path("x/../games.txt");
    std::fs::create_dir(records.path("x")).unwrap();
    let mut aliases = vec![games.clone(), roundabout];
    #[cfg(unix)]
    {
        let link = records.path("link");
        std::os::unix::fs::symlink(&games, &link).unwrap();
        aliases.push(link);
    }
    let (book, folder) = (records.path("book.joseki"), name(records.folder.path()));
    for alias in &aliases {
        let alias = name(alias);
        for input in [&name(&games), &alias, &folder] {
            fails(&komadai(&["build", input, "-o", &alias]), "the book can't be written over");
            let output = komadai(&["build", input, "-o", &name(&book), "--errors", &alias]);
            fails(&output, "the list of errors can't be written over");
        }
    }
    fails(&records.run(&["--errors", &name(&records.path("x/../book.joseki"))]), "can't be one file");
    assert_eq!(std::fs::read(&games).unwrap(), before);
    assert!(!book.exists());
    // A relative name of a file in the current folder.
    let output = Command::new(env!("CARGO_BIN_EXE_komadai"))
        .args(["joseki", "build", &name(&games), "-o", "games.txt"])
        .current_dir(records.folder.path())
        .output();
    fails(&output.unwrap(), "can't be written over");
}

#[test]
fn a_list_of_errors_is_written_whole_or_not_at_all() {
    let records = Records::new(&[GAMES[0], "<html>"]);
    let errors = records.path("errors.txt");
    std::fs::write(&errors, "old").unwrap();
    records.build(&["--errors", errors.to_str().unwrap()]);
    assert!(std::fs::read_to_string(&errors).unwrap().starts_with(records.path("games.txt").to_str().unwrap()));
    let names = std::fs::read_dir(records.folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.count(), 3, "no temporary file is left");
    fails(&records.run(&["--errors", records.path("none/errors.txt").to_str().unwrap()]), "none");
    #[cfg(unix)]
    {
        // A link stays a link, and a device is not replaced.
        let link = records.path("link");
        std::os::unix::fs::symlink(&errors, &link).unwrap();
        records.build(&["--errors", link.to_str().unwrap()]);
        assert!(link.is_symlink());
        records.build(&["--errors", "/dev/null"]);
        assert!(!Path::new("/dev/null").is_file());
    }
    // Before anything is read, which may take hours.
    std::fs::write(records.path("games.txt"), "<html>").unwrap();
    for name in ["none/errors.txt", ""] {
        fails(&records.run(&["--errors", records.path(name).to_str().unwrap()]), "can't write");
    }
}

#[test]
fn a_book_is_of_the_format_of_its_name_or_is_refused() {
    let records = Records::new(&GAMES);
    for name in ["foo.db", "foo.ybb", "foo.bin", "foo.sbk", "foo.psb", "FOO.DB"] {
        let target = records.path(name);
        let output = komadai(&["build", records.path("games.txt").to_str().unwrap(), "-o", target.to_str().unwrap()]);
        if output.status.success() {
            assert_eq!(Joseki::open(&target).unwrap().format().name(), name[4..].to_lowercase());
        } else {
            fails(&output, "can't");
            assert!(!target.exists());
        }
    }
}

#[test]
fn an_empty_book_is_not_written() {
    let records = Records::new(&GAMES);
    std::fs::write(records.path("book.joseki"), "old").unwrap();
    for options in
        [&["--min-count", "100"][..], &["--min-rating", "9000"], &["--max-ply", "0"], &["--since", "2030-01-01"]]
    {
        fails(&records.run(options), "--min-count");
        assert_eq!(std::fs::read_to_string(records.path("book.joseki")).unwrap(), "old");
    }
}

#[test]
fn games_that_give_no_move_are_not_among_those_used() {
    let records = Records::new(&GAMES);
    let games = |options: &[&str]| {
        let output = text(&records.run(options).stdout);
        output.split(" games ").nth(1).unwrap().split(' ').next().unwrap().parse::<u64>().unwrap()
    };
    assert_eq!(games(&[]), 4);
    assert_eq!(games(&["--min-rating", "1800"]), 3);
    assert_eq!(games(&["--side", "gote"]), 2);
    assert_eq!(games(&["--side", "gote", "--max-ply", "2", "--min-rating", "2000"]), 1);
    assert_eq!(games(&["--side", "winner"]), 2);
    assert_eq!(games(&["--side", "winner", "--max-ply", "1"]), 1);
}

#[test]
fn a_line_that_is_too_long_costs_only_itself() {
    let long = format!("startpos moves{}", " 7g7f".repeat(1_100_000));
    let records = Records::new(&[GAMES[0], &long, GAMES[3], "<html>", &long]);
    let errors = records.path("errors.txt");
    let output = records.run(&["--errors", errors.to_str().unwrap()]);
    assert!(text(&output.stderr).contains("2 games read"), "{}", text(&output.stderr));
    let listed = std::fs::read_to_string(errors).unwrap();
    let lines: Vec<&str> = listed.lines().map(|line| line.split("games.txt:").nth(1).unwrap()).collect();
    assert_eq!(lines.len(), 3, "{listed}");
    assert!(lines[0].starts_with("2: no game: it has more than 4 MiB"), "{listed}");
    assert!(lines[1].starts_with("4: no game"), "{listed}");
    assert!(lines[2].starts_with("5: no game: it has more than 4 MiB"), "{listed}");
}

#[test]
fn a_line_that_is_too_long_in_a_damaged_archive_costs_only_itself() {
    use std::io::Write;
    let records = Records::new(&[]);
    let long = format!("startpos moves{}", " 7g7f".repeat(1_100_000));
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    packed.write_all(format!("{long}\n{}\n{}", GAMES[1], GAMES[3]).as_bytes()).unwrap();
    let mut packed = packed.finish().unwrap();
    packed.truncate(packed.len() - 12);
    std::fs::write(records.path("games.txt"), packed).unwrap();
    let output = records.run(&[]);
    assert!(text(&output.stderr).contains("1 games read") && text(&output.stderr).contains("2 faults"), "{output:?}");
}

#[cfg(unix)]
#[path = "joseki_build_support/unix.rs"]
mod unix;
