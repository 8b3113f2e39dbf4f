//! Pipes, sockets and devices in the place of files.

use super::*;
use std::os::unix::net::UnixListener;

fn fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn pipes_are_read_where_named_and_passed_over_in_folders() {
    let records = Records::new(&[GAMES[0]]);
    fifo(&records.path("pipe"));
    // A folder that holds itself, by a link.
    std::os::unix::fs::symlink(records.folder.path(), records.path("again")).unwrap();
    let book = records.path("book.joseki");
    let build = |input: &Path| komadai(&["build", input.to_str().unwrap(), "-o", book.to_str().unwrap()]);
    let output = build(records.folder.path());
    assert!(text(&output.stderr).contains("1 games read"), "{output:?}");
    let pipe = records.path("pipe");
    let writer = std::thread::spawn(move || std::fs::write(pipe, GAMES[3]));
    let output = build(&records.path("pipe"));
    writer.join().unwrap().unwrap();
    assert!(text(&output.stderr).contains("1 games read"), "{output:?}");
    let start = Joseki::open(&book).unwrap().lookup(&Kyokumen::hirate()).unwrap();
    assert_eq!(counts(&start), [("2g2f".into(), Some(1))]);
}

#[test]
fn an_input_that_cannot_be_opened_is_named_and_nothing_is_written() {
    let records = Records::new(&GAMES);
    let socket = records.path("socket");
    let _listener = UnixListener::bind(&socket).unwrap();
    fails(&records.run(&[socket.to_str().unwrap()]), "socket: ");
    assert!(!records.path("book.joseki").exists());
    fails(&records.run(&["none/such"]), "none/such: ");
    assert!(!records.path("book.joseki").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_or_closed_output_is_a_failure_but_no_panic() {
    use std::process::Stdio;
    let records = Records::new(&GAMES);
    records.build(&[]);
    let full = || Stdio::from(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    let closed = || {
        let (reader, mut writer) = std::io::pipe().unwrap();
        drop(reader);
        // A process that another test just starts may still hold the reading end, until it becomes its program.
        while std::io::Write::write(&mut writer, &[0]).is_ok() {}
        Stdio::from(writer)
    };
    let (book, games) = (records.path("book.joseki"), records.path("games.txt"));
    let (book, games) = (book.to_str().unwrap(), games.to_str().unwrap());
    for words in [
        &["perft", "2"][..],
        &["perft", "2", "--mode", "list", "--divide"],
        &["perft", "2", "--mode", "play"],
        &["bench", "--depth", "1", "--hash", "1"],
        &["joseki", "probe", book],
        &["joseki", "probe", book, "--json"],
        &["joseki", "stat", book],
        &["joseki", "verify", book],
    ] {
        let run = || {
            let mut command = Command::new(env!("CARGO_BIN_EXE_komadai"));
            command.args(words);
            command
        };
        fails(&run().stdout(full()).output().unwrap(), "can't write to standard output");
        fails(&run().stdout(closed()).output().unwrap(), "can't write to standard output");
        assert_eq!(run().stdout(full()).stderr(full()).status().unwrap().code(), Some(1), "{words:?}");
    }
    let build = |out: Stdio, err: Stdio| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_komadai"));
        command.args(["joseki", "build", games, "-o", book]).stdout(out).stderr(err).status().unwrap().code()
    };
    assert_eq!(build(full(), Stdio::null()), Some(1));
    assert_eq!(build(Stdio::null(), full()), Some(0));
    assert_eq!(build(full(), closed()), Some(1));
}
