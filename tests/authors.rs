//! What authors of engines build on: the guide and its examples, options of an engine's own, and the checks of
//! `komadai::testing`, which must find what is wrong and nothing else.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use komadai::hyoka::{Learned, Material};
use komadai::kyokumen::Te;
use komadai::settings::Settings;
use komadai::sikou::{Answer, Config, Line, MateAnswer, OwnOption, Report, Sikou, Tansaku, Task};
use komadai::testing::{Failure, Gui, check, check_within};

// Their own tests run here too.
#[allow(dead_code)]
#[path = "../examples/own_evaluation.rs"]
mod own_evaluation;
#[allow(dead_code)]
#[path = "../examples/own_options.rs"]
mod own_options;
#[allow(dead_code)]
#[path = "../examples/own_search.rs"]
mod own_search;
#[allow(dead_code)]
#[path = "../examples/random_mover.rs"]
mod random_mover;

/// The examples in the order of the guide.
const EXAMPLES: [&str; 4] = ["random_mover", "own_evaluation", "own_search", "own_options"];

fn text(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap().replace("\r\n", "\n")
}

#[test]
fn the_code_in_the_guide_is_that_of_the_examples() {
    let guide = text("docs/build-your-own.md");
    let blocks: Vec<&str> =
        guide.split("```rust\n").skip(1).map(|rest| rest.split("```").next().unwrap_or_default()).collect();
    let examples = EXAMPLES.map(|name| text(&format!("examples/{name}.rs")));
    assert_eq!(blocks.len(), examples.len());
    let test = guide.split("```rust,ignore\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert!(text("tests/authors.rs").contains(test), "the test in the guide is not the one below");
    for ((block, example), name) in blocks.iter().zip(&examples).zip(EXAMPLES) {
        assert!(block == example, "examples/{name}.rs differs from the guide");
        assert!(example.lines().count() < 80, "examples/{name}.rs is long");
        assert!(guide.contains(&format!("cargo run --release --example {name}")), "{name}");
    }
}

/// The names that a line of a module's head makes public.
fn public_names(line: &str) -> Vec<String> {
    let Some(rest) = line.strip_prefix("pub ") else { return Vec::new() };
    let word =
        |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default().to_owned();
    match rest.split_once(' ') {
        Some(("use", path)) => {
            let last = path.trim_end_matches(['}', ';']).rsplit(['{', ':']).next().unwrap_or_default();
            last.split(", ").map(|name| word(name.rsplit(" as ").next().unwrap_or_default())).collect()
        }
        Some(("mod" | "struct" | "enum" | "trait" | "fn" | "type" | "const", name)) => vec![word(name)],
        _ => Vec::new(),
    }
}

#[test]
fn the_list_of_the_library_names_all_that_is_public() {
    let list = text("docs/library.md");
    let heads = ["lib", "hyoka/mod", "joseki/mod", "kifu/mod", "kyokumen/mod", "settings", "sikou/mod", "usi/mod"];
    let mut count = 0;
    for head in heads.into_iter().chain(["client/mod", "testing/mod"]) {
        let source = text(&format!("src/{head}.rs"));
        assert!(!source.contains("pub use {"), "{head}");
        let lines: Vec<&str> = source.lines().collect();
        for (index, line) in lines.iter().enumerate() {
            if index > 0 && lines[index - 1].starts_with("#[doc(hidden)]") {
                continue;
            }
            for name in public_names(line) {
                count += 1;
                let named = list.contains(&format!("`{name}`")) || list.contains(&format!("`komadai::{name}`"));
                assert!(named, "docs/library.md says nothing of {name} of src/{head}.rs");
            }
        }
    }
    assert!(count > 80, "{count}");
}

type Mine = Tansaku<Learned>;

#[test]
fn it_finds_a_mate() -> Result<(), Failure> {
    let mut gui = Gui::new(Mine::default());
    gui.start()?;
    gui.position("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1")?;
    assert_eq!(gui.go("byoyomi 100")?, Answer::from("G*5b".parse::<Te>().unwrap()));
    gui.quit()
}

#[test]
fn our_own_engine_comes_through_every_check() -> Result<(), Failure> {
    check(Tansaku::default)
}

/// What is wrong with an engine.
#[derive(Clone, Copy, PartialEq)]
enum Slip {
    Nothing,
    IllegalMove,
    IllegalReply,
    IllegalLine,
    OtherLine,
    NoWin,
    ForgetsSearchmoves,
    NeverStops,
    NeverStopsPondering,
    IgnoresDepth,
    WrongMate,
    NoCheck,
    PanicsThinking,
    PanicsInOption,
    PanicsInConfigure,
    OptionOfTwoWords,
    OptionOfTheSession,
    SlowToBeReady,
}

struct Slipping(Slip);

impl Sikou for Slipping {
    fn think(&mut self, task: &mut Task<'_>) -> Answer {
        let te = task.choices()[0];
        let tell = |task: &mut Task<'_>, pv: Vec<Te>| {
            (task.report)(&Report::Line(Line { depth: 1, multipv: 1, pv, ..Line::default() }));
        };
        let asked = !task.limits.searchmoves.is_empty();
        match self.0 {
            Slip::IllegalMove => "5e5d".parse::<Te>().unwrap().into(),
            Slip::IllegalReply => Answer::Play { te, ponder: Some(te) },
            Slip::IllegalLine => {
                tell(task, vec![te, te]);
                te.into()
            }
            Slip::OtherLine => {
                tell(task, vec![task.choices()[task.choices().len() - 1]]);
                te.into()
            }
            Slip::NoWin => Answer::Win,
            Slip::ForgetsSearchmoves if asked => Answer::from(task.kyokumen.legal_te().first().copied()),
            Slip::NeverStops if task.limits.infinite => forever(),
            Slip::NeverStopsPondering if task.limits.ponder => forever(),
            Slip::IgnoresDepth if task.limits.depth.is_some() && task.limits.nodes.is_none() => forever(),
            Slip::PanicsThinking => panic!("out of luck"),
            _ => te.into(),
        }
    }

    fn solve_mate(&mut self, task: &mut Task<'_>) -> MateAnswer {
        match self.0 {
            Slip::WrongMate => MateAnswer::Checkmate(vec!["5e5d".parse().unwrap()]),
            Slip::NoCheck => MateAnswer::Checkmate(task.kyokumen.legal_te().iter().take(1).copied().collect()),
            _ => MateAnswer::NoMate,
        }
    }

    fn configure(&mut self, _: &Config) {
        match self.0 {
            Slip::PanicsInConfigure => panic!("out of memory"),
            Slip::SlowToBeReady => forever(),
            _ => {}
        }
    }

    fn options(&self) -> Vec<OwnOption<Slipping>> {
        vec![match self.0 {
            Slip::OptionOfTwoWords => OwnOption::check("Clear Hash", true, |_, _| {}),
            Slip::OptionOfTheSession => OwnOption::check("threads", true, |_, _| {}),
            Slip::PanicsInOption => OwnOption::spin("Odd", 1, 1..=2, |_, number| assert!(number == 1, "even")),
            _ => OwnOption::button("Nothing", |_| {}),
        }]
    }
}

fn forever<T>() -> T {
    loop {
        thread::park();
    }
}

#[test]
fn an_engine_that_does_what_it_must_comes_through() -> Result<(), Failure> {
    check(|| Slipping(Slip::Nothing))
}

#[test]
fn every_slip_of_an_engine_is_found_and_named() {
    for (slip, what) in [
        (Slip::IllegalMove, "every kind of position: think returned 5e5d, which is illegal, in lnsgkgsnl/"),
        (Slip::IllegalReply, "which is illegal"),
        (Slip::IllegalLine, "is illegal in"),
        (Slip::OtherLine, "the last pv before it begins with"),
        (Slip::NoWin, "every kind of position: think declared a win that is none"),
        (Slip::ForgetsSearchmoves, "only some moves: think returned"),
        (Slip::WrongMate, "a mate to be found: solve_mate returned a mate that can't be played: 5e5d"),
        (Slip::NoCheck, "gives no check"),
        (Slip::PanicsThinking, "every kind of position: the engine panicked in think: out of luck"),
        (Slip::PanicsInOption, "the engine's own options: the engine panicked in the option Odd: even"),
        (Slip::PanicsInConfigure, "every kind of position: the engine panicked in configure: out of memory"),
        (Slip::OptionOfTwoWords, "the session ended: the option \"Clear Hash\" needs a name"),
        (Slip::OptionOfTheSession, "the session ended: there is another option of the name threads"),
    ] {
        let failure = check(|| Slipping(slip)).unwrap_err();
        assert!(failure.what().contains(what), "{failure}");
        let ends_at_once = matches!(slip, Slip::OptionOfTwoWords | Slip::OptionOfTheSession);
        let (Some(first), Some(last)) = (failure.transcript().first(), failure.transcript().last()) else {
            assert!(ends_at_once, "{failure}");
            continue;
        };
        assert_eq!(first, "> usi");
        assert!(failure.to_string().ends_with(&format!("  {last}\n")), "{failure}");
    }
}

#[test]
fn an_engine_that_does_not_come_to_an_end_is_given_up_at_the_deadline() {
    for (slip, what) in [
        (Slip::NeverStops, "analysis: no bestmove within 3s"),
        (Slip::NeverStopsPondering, "pondering: no bestmove within 3s"),
        (Slip::IgnoresDepth, "every kind of go: no bestmove within 3s"),
        (Slip::SlowToBeReady, "every kind of position: no readyok within 3s"),
    ] {
        let failure = check_within(Duration::from_secs(3), || Slipping(slip)).unwrap_err();
        assert!(failure.what().starts_with(what), "{failure}");
    }
}

#[test]
fn an_engine_that_thinks_beyond_the_end_is_found() {
    let mut gui = Gui::new(Slipping(Slip::NeverStops));
    gui.start().unwrap();
    gui.send("go infinite").unwrap();
    let failure = gui.quit().unwrap_err();
    assert_eq!(failure.what(), "the engine thinks beyond the end");
}

/// Programs in the place of an engine, some of which speak before they are asked.
#[cfg(unix)]
#[test]
fn an_engine_of_any_kind_is_held_to_the_protocol() {
    for (script, is_asked, what) in [
        ("echo hello; read line", false, "said before anything was asked: \"hello\""),
        ("read line; echo bestmove 7g7f", true, "a bestmove without a go that waits for one: \"bestmove 7g7f\""),
        (
            "read line; echo id name A; echo usiok",
            true,
            "usiok without an id name and an id author before it: \"usiok\"",
        ),
        ("read line", true, "the session ended, and usiok was wanted"),
    ] {
        let command = &mut Command::new("sh");
        let mut child = command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut gui = Gui::over(child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let sent = if is_asked { gui.send("usi") } else { Ok(()) };
        let failure = sent.and_then(|()| gui.wait_for("usiok")).unwrap_err();
        assert_eq!(failure.what(), what);
        drop(gui);
        child.wait().unwrap();
    }
}

#[test]
fn an_answer_that_comes_early_is_there_when_it_is_waited_for() -> Result<(), Failure> {
    let mut gui = Gui::new(Slipping(Slip::Nothing));
    gui.start()?;
    gui.position("startpos moves 1g1f 1c1d 1f1e")?;
    gui.send("go depth 1")?;
    gui.ready()?;
    gui.ready()?;
    gui.send("go mate 100")?;
    gui.ready()?;
    assert!(matches!(gui.bestmove()?, Answer::Play { .. }));
    assert_eq!(gui.checkmate()?, MateAnswer::NoMate);
    gui.quit()
}

struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_gui_talks_to_a_process_as_well() -> Result<(), Failure> {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_komadai"))
        .env("KOMADAI_INI", folder.path().join("komadai.ini"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut gui = Gui::over(child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut child = Process(child);
    gui.start()?;
    gui.set_option("USI_Hash", "1")?;
    gui.position("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1")?;
    assert_eq!(gui.go("depth 3")?, Answer::Play { te: "G*5b".parse().unwrap(), ponder: None });
    assert_eq!(gui.go_mate("5000")?, MateAnswer::Checkmate(vec!["G*5b".parse().unwrap()]));
    gui.send("go infinite")?;
    assert!(matches!(gui.stop()?, Answer::Play { .. }));
    gui.quit()?;
    assert!(child.0.wait().unwrap().success());
    Ok(())
}

/// Tells what it has been set to.
#[derive(Default)]
struct Telling {
    heard: Vec<String>,
}

impl Sikou for Telling {
    fn think(&mut self, task: &mut Task<'_>) -> Answer {
        let heard = self.heard.join(" ");
        self.heard.clear();
        (task.report)(&Report::Text(format!("heard {heard}")));
        task.choices().first().copied().into()
    }

    fn configure(&mut self, _: &Config) {
        self.heard.push("configured".into());
    }

    fn options(&self) -> Vec<OwnOption<Telling>> {
        fn hear(telling: &mut Telling, what: String) {
            telling.heard.push(what);
        }
        vec![
            OwnOption::spin("Number", 3, -9..=9, |telling, number| hear(telling, format!("Number={number}"))).kept(),
            OwnOption::combo("Colour", "red", &["red", "blue"], |telling, colour| hear(telling, colour.to_owned())),
            OwnOption::text("Words", "", |telling, words| hear(telling, format!("Words={words}"))).kept(),
            OwnOption::file("Data", "", |telling: &mut Telling, path| {
                let read = path.map_or(Ok("no-data".into()), fs::read_to_string);
                read.map(|content| hear(telling, content)).map_err(|error| format!("no data: {}", error.kind()))
            }),
            OwnOption::button("Press", |telling| hear(telling, "pressed".into())),
        ]
    }
}

/// What the engine had heard before it was asked for a move.
fn heard(gui: &mut Gui) -> Result<String, Failure> {
    gui.go("depth 1")?;
    let told = gui.transcript().iter().rev().find_map(|line| line.strip_prefix("< info string heard "));
    Ok(told.unwrap_or_default().to_owned())
}

#[test]
fn an_engine_has_options_of_its_own_and_finds_them_again() -> Result<(), Failure> {
    let folder = tempfile::tempdir().unwrap();
    let ini = folder.path().join("telling.ini");
    fs::write(&ini, "[CustomSettings]\nuseBook=false\nColour=blue\nOther=7\n").unwrap();
    let settings = || Settings::from_files(vec![ini.clone()]);
    let mut gui = Gui::with_settings(Telling::default(), settings());
    gui.start()?;
    let printed =
        |gui: &Gui, line: &str| gui.transcript().iter().any(|heard| heard == &format!("< option name {line}"));
    assert!(printed(&gui, "Number type spin default 3 min -9 max 9"));
    assert!(printed(&gui, "Colour type combo default blue var red var blue"));
    assert_eq!(heard(&mut gui)?, "Number=3 blue Words= no-data configured");
    gui.set_option("Number", "-4")?;
    gui.set_option("Number", "-4")?;
    gui.set_option("Words", "two words")?;
    gui.set_option("Press", "")?;
    assert_eq!(heard(&mut gui)?, "Number=-4 Words=two words pressed");
    gui.set_option("Number", "44")?;
    gui.ready()?;
    let refused = "< info string Number keeps its value: \"44\" is not a number from -9 to 9";
    assert!(gui.transcript().iter().any(|line| line == refused));
    assert_eq!(heard(&mut gui)?, "");
    gui.set_option("Data", folder.path().join("data").to_str().unwrap())?;
    gui.ready()?;
    assert!(gui.transcript().iter().any(|line| line == "< info string no data: entity not found"));
    gui.quit()?;

    let kept = fs::read_to_string(&ini).unwrap();
    assert_eq!(kept, "[CustomSettings]\nuseBook=false\nColour=blue\nOther=7\nNumber=-4\nWords=two words\n");
    let mut gui = Gui::with_settings(Telling::default(), settings());
    gui.start()?;
    assert!(printed(&gui, "Number type spin default -4 min -9 max 9"));
    assert!(printed(&gui, "Words type string default <ini>"));
    assert_eq!(heard(&mut gui)?, "Number=-4 blue Words=two words no-data configured");
    gui.quit()
}

#[test]
fn an_option_that_is_set_during_a_search_arrives_before_the_next_one() -> Result<(), Failure> {
    let mut gui = Gui::new(Telling::default());
    gui.start()?;
    gui.set_option("UseBook", "false")?;
    gui.send("go infinite")?;
    gui.set_option("Number", "5")?;
    gui.ready()?;
    gui.stop()?;
    assert_eq!(heard(&mut gui)?, "Number=5");
    gui.quit()
}

#[test]
fn an_evaluation_can_be_exchanged() {
    let mut engine = Tansaku::new(Material::default());
    engine.set_hyoka(Material::default());
    let kyokumen = komadai::kyokumen::Kyokumen::hirate();
    assert_eq!(engine.evaluate(&kyokumen), Some(0));
}
