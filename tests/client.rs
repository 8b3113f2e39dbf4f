//! What `komadai::client` makes of engines of all kinds. This program is the engine too, for it needs no other that way
//! on any system: started with the variable below it speaks USI, in the way that the variable names, instead of running
//! the tests.

use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use komadai::client::{ClientError, Engine};
use komadai::kyokumen::Te;
use komadai::sikou::{Score, StopSignal};

const MANNER: &str = "KOMADAI_TEST_ENGINE";
/// Longer than any test runs.
const LONG: Duration = Duration::from_secs(600);
/// What an engine is given that will not answer.
const SHORT: Duration = Duration::from_secs(1);

fn main() {
    if let Ok(manner) = std::env::var(MANNER) {
        return engine(&manner);
    }
    let tests: [(&str, fn()); 11] = [
        ("a_real_engine_is_started_asked_and_ended", real),
        ("a_program_that_is_not_there_is_named", missing),
        ("a_program_is_started_in_its_own_folder", at_home),
        ("an_engine_that_dies_is_named_with_its_last_words", dying),
        ("an_engine_that_does_not_answer_in_time_is_given_up", hanging),
        ("an_engine_that_closes_its_output_is_given_up", closing),
        ("an_engine_that_does_not_listen_is_given_up", deaf),
        ("what_an_engine_prints_besides_is_passed_over", babbling),
        ("an_answer_that_comes_after_its_time_is_not_lost", patient),
        ("a_signal_ends_all_waiting", stopped),
        ("a_command_is_one_line", lines),
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
    let mut stdout = std::io::stdout().lock();
    let mut write = |bytes: &[u8]| {
        if stdout.write_all(bytes).and_then(|()| stdout.flush()).is_err() {
            // Nobody is there any more.
            std::process::exit(9);
        }
    };
    if manner == "dying-at-once" {
        write(b"info string no weights\n");
        std::process::exit(3);
    }
    for line in std::io::stdin().lines().map_while(Result::ok) {
        match (line.split(' ').next().unwrap_or_default(), manner) {
            ("usi", "hanging-at-usi") => {}
            ("usi", "options-for-ever") => loop {
                write(b"option name A type check default true\n");
            },
            ("usi", _) => {
                let author = std::process::id();
                write(format!("id name Odd\nid author {author}\noption name Style type string default x\n").as_bytes());
                write(b"usiok\n");
                if manner == "deaf" {
                    thread::sleep(LONG);
                }
            }
            ("isready", "hanging-at-isready") => {}
            ("isready", _) => write(b"readyok\n"),
            ("go", "dying") => {
                write(b"I am done for\n");
                std::process::exit(4);
            }
            ("go", "flooding") => loop {
                write(b"info depth 1 nodes 2 score cp 7 pv 3c3d\n");
            },
            ("go", "endless") => loop {
                write(&[b'x'; 1 << 16]);
            },
            ("go", "thinking") => write(b"info depth 1\n"),
            ("go", "slow") => {
                thread::sleep(Duration::from_millis(30));
                write(b"bestmove 7g7f\n");
            }
            ("go", "babbling") => {
                write(b"\xff\0\n\x83\x5c\r\n");
                write("x".repeat(200_000).as_bytes());
                write(
                    b"\ninfo string score cp 99\ninfo depth 5 score cp 42 nodes 9 time 3 pv 3c3d\nreadyok\nusiok\n\r\n",
                );
                write(b"bestmoves 1g1f\n  bestmove 3c3d  ponder\t2g2f  \r\n");
            }
            ("stop", _) => write(b"bestmove resign\n"),
            ("quit", "staying") => thread::sleep(LONG),
            ("quit", _) => return,
            _ => {}
        }
    }
}

fn start(manner: &str) -> Engine {
    Engine::spawn(Command::new(std::env::current_exe().unwrap()).env(MANNER, manner)).unwrap()
}

/// Starts an engine and shakes hands; also the number of its process.
fn begin(manner: &str) -> (Engine, String) {
    let mut engine = start(manner);
    let introduction = engine.handshake().unwrap();
    (engine, introduction.author)
}

fn is_gone(pid: &str) -> bool {
    !cfg!(unix) || !Command::new("kill").args(["-0", pid]).output().unwrap().status.success()
}

fn real() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_komadai"));
    let mut engine = Engine::spawn(command.env("KOMADAI_INI", folder.path().join("komadai.ini"))).unwrap();
    let introduction = engine.handshake().unwrap();
    assert!(introduction.name.starts_with("Komadai "), "{introduction:?}");
    assert!(introduction.has_option("USI_Hash") && !introduction.has_option("Hash"));
    engine.set_option("USI_Hash", "1").unwrap();
    engine.new_game().unwrap();
    engine.position("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
    let mut scores = Vec::new();
    let (before, mut nodes) = (Instant::now(), None);
    let played = engine
        .go("depth 3", LONG, |info| {
            scores.extend(info.score);
            nodes = info.nodes.or(nodes);
        })
        .unwrap();
    assert!(played.took <= before.elapsed());
    assert_eq!((&*played.te, scores.last(), nodes.is_some()), ("G*5b", Some(&Score::Mate(1)), true));
    engine.send("go infinite").unwrap();
    assert!(engine.stop().unwrap().te.parse::<Te>().is_ok());
    engine.send("go mate 5000").unwrap();
    assert_eq!(engine.wait_for("checkmate").unwrap().text, "checkmate G*5b");
    assert!(engine.quit().unwrap().success());
    // The time is the engine's, from the command to the answer.
    let (mut engine, _) = begin("slow");
    let before = Instant::now();
    let took = engine.go("byoyomi 30", LONG, |_| ()).unwrap().took;
    assert!(Duration::from_millis(30) <= took && took <= before.elapsed(), "{took:?}");
}

fn missing() {
    let error = Engine::start(Path::new("no/such/engine")).err().unwrap();
    assert!(matches!(error, ClientError::Start { .. }));
    assert!(error.to_string().starts_with("can't start the engine \"no/such/engine\": "), "{error}");
}

/// A shell reads commands from its input, as an engine does.
fn at_home() {
    #[cfg(unix)]
    {
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink("/bin/sh", folder.path().join("engine")).unwrap();
        let mut engine = Engine::start(&folder.path().join("engine")).unwrap();
        engine.send("pwd").unwrap();
        let said = engine.read(Instant::now() + LONG).unwrap().unwrap();
        assert_eq!(Path::new(&said.text).canonicalize().unwrap(), folder.path().canonicalize().unwrap());
        engine.send("exit 7").unwrap();
        let error = engine.wait_for("usiok").unwrap_err();
        assert!(
            matches!(error, ClientError::Ended { status: Some(status), .. } if status.code() == Some(7)),
            "{error}"
        );
    }
}

fn dying() {
    for (manner, asked_in_the_end, code, words) in
        [("dying-at-once", "usi", 3, "info string no weights"), ("dying", "go nodes 5", 4, "I am done for")]
    {
        let mut engine = start(manner);
        let error = engine.handshake().and_then(|_| engine.go("nodes 5", LONG, |_| ())).unwrap_err();
        assert!(error.to_string().contains(&format!("has ended at \"{asked_in_the_end}\": ")), "{error}");
        assert!(error.to_string().ends_with(&format!("; its last words were \"{words}\"")), "{error}");
        let ClientError::Ended { status: Some(status), asked, last, .. } = error else { panic!("{error}") };
        assert_eq!((status.code(), &*asked, &*last), (Some(code), asked_in_the_end, words));
        // It stays so.
        assert!(matches!(engine.ready(), Err(ClientError::Ended { status: Some(_), .. })));
    }
}

fn hanging() {
    let manners = [
        ("hanging-at-usi", "usi"),
        ("options-for-ever", "usi"),
        ("hanging-at-isready", "isready"),
        ("hanging", "go nodes 5"),
        ("flooding", "go nodes 5"),
        ("endless", "go nodes 5"),
        ("staying", "quit"),
    ];
    thread::scope(|scope| {
        for (manner, command) in manners {
            scope.spawn(move || hanging_at(manner, command));
        }
    });
    let (engine, pid) = begin("staying");
    drop(engine);
    assert!(is_gone(&pid));
}

fn hanging_at(manner: &str, command: &str) {
    let mut engine = start(manner);
    let pid = (command != "usi").then(|| engine.handshake().unwrap().author);
    let error = fault_of(engine.patience(SHORT), command, manner == "flooding");
    let wanted = format!(" has not answered \"{command}\" within 1 seconds");
    assert!(matches!(error, ClientError::Late { .. }) && error.to_string().ends_with(&wanted), "{manner}: {error}");
    assert!(pid.is_none_or(|pid| is_gone(&pid)), "{manner}");
}

/// Has it come to this command, which it does not answer.
fn fault_of(mut engine: Engine, command: &str, floods: bool) -> ClientError {
    match command {
        "usi" => engine.handshake().unwrap_err(),
        "isready" => engine.new_game().unwrap_err(),
        "quit" => engine.quit().unwrap_err(),
        _ => {
            let mut told = 0;
            let mut error = engine.go("nodes 5", SHORT, |_| told += 1).unwrap_err();
            while floods && told < 5_000 {
                error = engine.bestmove(SHORT, |_| told += 1).unwrap_err();
            }
            error
        }
    }
}

fn closing() {
    #[cfg(unix)]
    {
        let script = "echo id author $$; echo usiok; exec sleep 600 >&-";
        let mut engine = Engine::spawn(Command::new("sh").args(["-c", script])).unwrap();
        let pid = engine.handshake().unwrap().author;
        let error = engine.ready().unwrap_err();
        assert!(matches!(error, ClientError::Ended { status: None, .. }), "{error}");
        assert!(error.to_string().starts_with("the engine \"sh -c echo id author "), "{error}");
        assert!(!is_gone(&pid));
        drop(engine);
        assert!(is_gone(&pid));
    }
}

fn deaf() {
    let (engine, pid) = begin("deaf");
    let mut engine = engine.patience(SHORT);
    let long = format!("startpos moves{}", " 7g7f".repeat(1 << 20));
    for _ in 0..2 {
        let error = engine.position(&long).unwrap_err();
        assert!(matches!(error, ClientError::Deaf { .. }), "{error}");
        let text = error.to_string();
        assert!(text.len() < 1000 && text.contains("has not taken \"position startpos moves 7g7f"), "{text}");
    }
    drop(engine);
    assert!(is_gone(&pid));
}

fn babbling() {
    let (mut engine, _) = begin("babbling");
    engine.new_game().unwrap();
    let mut told = Vec::new();
    let played = engine.go("nodes 5", LONG, |info| told.push(*info)).unwrap();
    assert_eq!((&*played.te, played.ponder.as_deref()), ("3c3d", Some("2g2f")));
    let [info] = told[..] else { panic!("{told:?}") };
    assert_eq!((info.depth, info.score, info.nodes), (Some(5), Some(Score::Cp(42)), Some(9)));
    // The same line by line.
    engine.send("go nodes 5").unwrap();
    let mut lines = Vec::new();
    while !lines.last().is_some_and(|line: &String| line.starts_with("bestmove ")) {
        lines.push(engine.read(Instant::now() + LONG).unwrap().unwrap().text);
    }
    let [bytes, sjis, long, _, _, ready, _, blank, ..] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!([bytes, sjis, ready, blank], ["\u{fffd}\0", "\u{fffd}\\", "readyok", ""]);
    assert!(long.bytes().all(|byte| byte == b'x') && (10_000..100_000).contains(&long.len()));
}

fn patient() {
    let (mut engine, _) = begin("patient");
    let error = engine.go("infinite", Duration::ZERO, |_| ()).unwrap_err();
    assert!(matches!(error, ClientError::Late { .. }), "{error}");
    let sent = engine.send("stop").unwrap();
    // Before the answer can be there.
    assert_eq!(engine.read(sent).unwrap(), None);
    let played = engine.bestmove(LONG, |_| ()).unwrap();
    assert_eq!((&*played.te, played.ponder), ("resign", None));
    assert!(engine.quit().unwrap().success());
}

fn stopped() {
    let (engine, pid) = begin("thinking");
    let stop = StopSignal::new();
    let mut engine = engine.watch(stop.clone());
    // Set while the move is waited for, since only then anything is told.
    let error = engine.go("infinite", LONG, |_| stop.stop()).unwrap_err();
    assert!(stop.is_stopped() && matches!(error, ClientError::Stopped), "{error}");
    assert!(matches!(engine.ready(), Err(ClientError::Stopped)));
    drop(engine);
    assert!(is_gone(&pid));
}

fn lines() {
    let (mut engine, _) = begin("calm");
    let error = engine.set_option("Style", "x\nquit").unwrap_err();
    assert!(matches!(error, ClientError::Command(_)), "{error}");
    engine.ready().unwrap();
}
