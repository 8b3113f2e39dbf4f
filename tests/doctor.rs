//! `komadai doctor`: each piece of advice comes where it should, and none where all is well.
#![cfg(feature = "cli")]

mod place_support;

use std::fs;
use std::io::Write;
use std::process::{Output, Stdio};

use encoding_rs::SHIFT_JIS;
use serde_json::Value;

use place_support::Place;

const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";
const AFTER_7G7F: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w -";

/// A book with counts, and values close to each other.
fn book() -> String {
    format!(
        "#YANEURAOU-DB2016 1.00\nsfen {START} 1\n7g7f 3c3d 32 20 30\n2g2f 8c8d 30 20 10\nsfen {AFTER_7G7F} 2\n3c3d none -32 20 9\n"
    )
}

/// A program with a well-made book `book.db` beside it and these settings.
fn place(settings: &str) -> Place {
    let place = Place::new();
    fs::write(place.path("engine/book.db"), book()).unwrap();
    fs::write(place.ini(), format!("[CustomSettings]\n{settings}")).unwrap();
    place
}

/// Runs the doctor: what it says, what it complains about, and its exit code.
fn doctor(place: &Place, arguments: &[&str]) -> (String, String, i32) {
    let Output { status, stdout, stderr } = place.command().arg("doctor").args(arguments).output().unwrap();
    (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap(), status.code().unwrap())
}

fn json(place: &Place) -> Value {
    serde_json::from_str(&doctor(place, &["--json"]).0).unwrap()
}

fn sentences(value: &Value, name: &str) -> Vec<String> {
    value[name].as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// Exactly one thing is wrong, and it is this.
#[track_caller]
fn assert_wrong(place: &Place, expected: &[&str]) {
    let (said, told, code) = doctor(place, &[]);
    assert_eq!((told.as_str(), code), ("komadai: 1 thing is wrong\n", 1), "{said}");
    let found = json(place);
    let wrong = sentences(&found, "wrong");
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    for part in expected {
        assert!(wrong[0].contains(part), "{part:?} is not in {wrong:?}");
    }
    let line = said.lines().find(|line| line.starts_with("wrong")).unwrap();
    assert!(line.contains(expected[0]), "{line}");
    assert!(!said.contains("all is well"), "{said}");
}

/// All is well, but there is this note, and no other.
#[track_caller]
fn assert_note(place: &Place, expected: &str) {
    let (said, told, code) = doctor(place, &[]);
    assert_eq!((told.as_str(), code), ("", 0), "{said}");
    let notes = sentences(&json(place), "notes");
    assert!(notes.len() == 1 && notes[0].contains(expected), "{expected:?}: {notes:?}");
    assert!(said.lines().any(|line| line.starts_with("note ") && line.contains(expected)), "{said}");
}

#[test]
fn where_all_is_well_there_is_no_advice() {
    let place = place("BookFile=book.db\nMultiPV=3\n");
    let (said, told, code) = doctor(&place, &[]);
    assert_eq!((told.as_str(), code), ("", 0), "{said}");
    assert!(said.ends_with("result     all is well\n"), "{said}");
    let path = place.path("engine/book.db");
    for expected in [
        concat!("version    ", env!("CARGO_PKG_VERSION"), "\n"),
        "books      are used\n",
        &format!("           found at {}\n", path.display()),
        "format db, 220 bytes, 2 positions, 3 moves, 3 with counts, 3 with values\n",
        "first moves: 7g7f 30, 2g2f 10\n",
        &format!("settings   {}: read, 2 keys\n", place.ini().display()),
        &format!("option     MultiPV = 3 (by default 1, from {})\n", place.ini().display()),
    ] {
        assert!(said.contains(expected), "{expected:?}\n{said}");
    }
    let found = json(&place);
    assert_eq!((found["wrong"].as_array().unwrap().len(), found["notes"].as_array().unwrap().len()), (0, 0));
    let moves_by = found["moves_by"].as_str().unwrap();
    assert!(["portable", "AVX2", "AVX-512"].contains(&moves_by), "{moves_by}");
    let book = &found["books"][0];
    assert_eq!(book["path"], path.to_str().unwrap());
    assert!(
        book["origin"] == "file" && book["format"] == "db" && book["positions"] == 2 && book["moves"] == 3,
        "{book}"
    );
    assert_eq!(book["first_moves"][1]["usi"], "2g2f");
    assert_eq!(book["first_moves"][1]["count"], 10);
    assert_eq!(found["options"].as_array().unwrap().len(), 2);
    assert_eq!(found["uses_book"], true);
}

#[test]
fn without_any_file_the_book_in_the_program_is_used() {
    let place = Place::new();
    let (said, _, code) = doctor(&place, &[]);
    assert!(code == 0 && said.contains("found in the program itself") && said.contains("not there"), "{said}");
    let found = json(&place);
    let book = &found["books"][0];
    // The figures that joseki/README.md tells of it.
    assert!(book["origin"] == "program" && book["positions"] == 30_231 && book["moves"] == 41_616, "{book}");
    assert_eq!(fs::read_dir(place.path("engine")).unwrap().count(), 1, "nothing was made by asking");
}

#[test]
fn switches_that_are_off_are_found() {
    assert_wrong(
        &place("BookFile=book.db\nUseBook=false\n"),
        &["UseBook is false in ", "komadai.ini", "set it to true"],
    );
    assert_wrong(&place("BookFile=book.db\nUSI_OwnBook=false\n"), &["USI_OwnBook is false"]);
    assert_wrong(&place("BookFile=\n"), &["BookFile is empty"]);
    assert_wrong(&place("BookFile=book.db\nBookIgnoreRate=100\n"), &["BookIgnoreRate is 100"]);
    assert_eq!(json(&place("UseBook=false\n"))["uses_book"], false);
}

#[test]
fn a_book_that_is_not_there_is_told_with_the_places_where_it_was_looked_for() {
    let place = place("BookFile=book.db;books\\none.db\n");
    let in_quotes = |path: std::path::PathBuf| format!("\"{}\"", path.display());
    let beside = in_quotes(place.path("engine").join(if cfg!(windows) { "books\\none.db" } else { "books/none.db" }));
    let here = std::path::Path::new("elsewhere").join(if cfg!(windows) { "books\\none.db" } else { "books/none.db" });
    let here = in_quotes(here);
    assert_wrong(&place, &["\"books\\none.db\" is not there", &beside, here.trim_matches('"'), "beside the program"]);
    // Started in its own folder, the engine has but one place to look.
    let output = place.command().args(["doctor", "--json"]).current_dir(place.path("engine")).output().unwrap();
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let wrong = sentences(&found, "wrong");
    assert!(wrong.len() == 1 && wrong[0].matches(&beside).count() == 1, "{wrong:?}");
    // What can be opened is used all the same.
    assert_eq!(json(&place)["books"][0]["positions"], 2);
    assert_eq!(json(&place)["books"][1]["origin"], "nowhere");
}

#[test]
fn a_name_that_was_spoilt_on_its_way_is_found() {
    let place = place("");
    fs::write(place.ini(), b"[CustomSettings]\nBookFile=\xff\xfd.db\n").unwrap();
    assert_wrong(&place, &["is not there", "neither in UTF-8 nor in CP932"]);
    fs::write(place.ini(), "[CustomSettings]\nBookFile=caf?.db\n").unwrap();
    assert_wrong(&place, &["\"caf?.db\" is not there", "a letter that the GUI can't send"]);
}

#[test]
fn a_name_in_cp932_is_found_where_it_is() {
    let place = place("");
    fs::write(place.path("engine/定跡 ソ.db"), book()).unwrap();
    fs::write(place.ini(), SHIFT_JIS.encode("[CustomSettings]\nBookFile=定跡 ソ.db\n").0).unwrap();
    let (said, _, code) = doctor(&place, &[]);
    assert!(code == 0 && said.contains("book       定跡 ソ.db\n"), "{said}");
    assert_eq!(json(&place)["books"][0]["name"], "定跡 ソ.db");
}

#[test]
fn what_is_no_book_is_found_and_named() {
    let place = place("BookFile=a.file\n");
    let path = place.path("engine/a.file");
    let kif = "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:01/00:00:01)\n";
    let cp932 = SHIFT_JIS.encode(kif).0;
    let cases: [(&[u8], &str); 7] = [
        (b"hello, world\n", "is no book: its content is of none of the formats"),
        (b"PK\x03\x04\0\0\0\0", "it is an archive: unpack it"),
        (b"7z\xbc\xaf\x27\x1c\0\x04", "it is an archive"),
        (b"\n<!DOCTYPE html>\n<html>", "it is a page of the web"),
        (kif.as_bytes(), "it holds games: make a book of it by `komadai joseki build`"),
        (&cp932, "it holds games"),
        (b"KOMADAI", "is no book"),
    ];
    for (content, expected) in cases {
        fs::write(&path, content).unwrap();
        assert_wrong(&place, &["a.file", expected]);
    }
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert_wrong(&place, &["\"a.file\" is a folder", "name a file in it"]);
}

#[test]
fn a_damaged_book_and_an_empty_one_are_found() {
    let place = place("BookFile=a.joseki\n");
    let standard = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/joseki/standard.joseki")).unwrap();
    fs::write(place.path("engine/a.joseki"), &standard[..standard.len() / 2]).unwrap();
    assert_wrong(&place, &["a.joseki\" can't be used: "]);
    fs::write(place.ini(), "[CustomSettings]\nBookFile=a.db\n").unwrap();
    for empty in ["", "#YANEURAOU-DB2016 1.00\n"] {
        fs::write(place.path("engine/a.db"), empty).unwrap();
        assert_wrong(&place, &["\"a.db\" is empty"]);
    }
}

#[test]
fn damage_inside_of_a_book_that_can_be_opened_is_found() {
    let place = place("BookFile=a.joseki\n");
    let standard = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/joseki/standard.joseki")).unwrap();
    let path = place.path("engine/a.joseki");
    fs::write(&path, &standard).unwrap();
    let (said, _, code) = doctor(&place, &[]);
    assert!(code == 0 && said.contains("           all of it was checked\n"), "{said}");
    let book = &json(&place)["books"][0];
    assert!(book["positions_checked"] == 30_231 && book["damaged"] == 0 && book["illegal"] == 0, "{book}");
    // A byte in the middle of a block of moves, then one in the last record of the index.
    for place_of_damage in [standard.len() / 8, standard.len() - 30] {
        let mut damaged = standard.clone();
        damaged[place_of_damage] ^= 0x10;
        fs::write(&path, damaged).unwrap();
        assert_wrong(&place, &["\"a.joseki\" is damaged", "get it once more, or build it anew", "damaged place"]);
        assert!(json(&place)["books"][0]["damaged"].as_u64().unwrap() > 0);
    }
}

#[test]
fn rules_that_keep_every_move_out_are_found_as_the_engine_tells_them() {
    for rule in ["BookMinCount=1000", "BookMoves=0"] {
        let place = place(&format!("BookFile=book.db\n{rule}\n"));
        let engines = what_the_engine_says(&place);
        let refusal = engines.iter().find(|line| line.contains("none played")).unwrap();
        assert_wrong(&place, &["\"book.db\" is not used at the start", refusal, &rule.replace('=', " is ")]);
    }
    assert_wrong(
        &place("BookFile=book.db\nBookMinShare=100\n"),
        &["2 moves known, none played", "BookMinShare is 100"],
    );
    // Where the start is not in the book the rest of it tells.
    let place = place("BookFile=late.db\nBookMinCount=10\n");
    fs::write(place.path("engine/late.db"), format!("sfen {AFTER_7G7F} 2\n3c3d none 0 1 9\n8c8d none 0 1 9\n"))
        .unwrap();
    assert_wrong(&place, &["\"late.db\" is used in none of 1 positions tried: 2 moves known", "BookMinCount is 10"]);
}

/// What the engine tells of the book at the start, without the words in front.
fn what_the_engine_says(place: &Place) -> Vec<String> {
    let mut engine = place.command().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    engine.stdin.as_mut().unwrap().write_all(b"isready\nposition startpos\ngo depth 1\n").unwrap();
    let output = engine.wait_with_output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    said.lines().filter_map(|line| line.strip_prefix("info string joseki: ")).map(str::to_owned).collect()
}

#[test]
fn what_the_engine_plays_is_what_the_doctor_shows() {
    let place = place("BookFile=book.db\nBookSelect=best\n");
    assert_eq!(what_the_engine_says(&place), ["7g7f 30 of 40 (75.0%) from book.db"]);
    let first = &json(&place)["books"][0]["first_moves"][0];
    assert!(first["usi"] == "7g7f" && first["count"] == 30, "{first}");
    let place = self::place("BookFile=none.db\n");
    let engines = what_the_engine_says(&place);
    assert!(engines.len() == 1 && engines[0].contains("none.db"), "{engines:?}");
    assert_wrong(&place, &["none.db"]);
}

#[test]
fn settings_that_can_not_be_used_are_found() {
    let wrong =
        |settings: &str, expected: &[&str]| assert_wrong(&place(&format!("BookFile=book.db\n{settings}\n")), expected);
    wrong("MultiPV=none", &["MultiPV keeps its value: \"none\" is not a number from 1 to 600"]);
    wrong("BookMoves=99999", &["BookMoves keeps its value", "from 0 to 10000"]);
    wrong("BookFil=my.db", &["\"bookfil\" in ", "is the name of no option"]);
    let place = place("");
    let wrong = |content: &[u8], expected: &[&str]| {
        fs::write(place.ini(), content).unwrap();
        assert_wrong(&place, expected);
    };
    wrong(b"[Settings]\nBookFile=book.db\n", &["sets nothing", "[CustomSettings]"]);
    wrong(b"[CustomSettings\nBookFile=book.db\n", &["is no INI file", "none of its settings counts"]);
    let utf_16: Vec<u8> = "[CustomSettings]\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    wrong(&utf_16, &["save it as UTF-8"]);
}

#[test]
fn settings_that_can_not_be_written_are_found() {
    let place = place("BookFile=book.db\n");
    let content = fs::read(place.ini()).unwrap();
    assert_eq!(doctor(&place, &[]).2, 0);
    assert_eq!(fs::read(place.ini()).unwrap(), content, "to ask changes nothing");
    let before = fs::metadata(place.ini()).unwrap().permissions();
    let mut permissions = before.clone();
    permissions.set_readonly(true);
    fs::set_permissions(place.ini(), permissions).unwrap();
    assert_wrong(&place, &["can't write", "komadai.ini", "is forgotten when the engine ends"]);
    fs::set_permissions(place.ini(), before).unwrap();
}

#[test]
fn a_net_that_can_not_be_used_is_found() {
    assert_wrong(&place("BookFile=book.db\nEvalFile=nn.bin\n"), &["nn.bin\" of EvalFile is not used: "]);
    let damaged = place("BookFile=book.db\nEvalFile=nn.bin\n");
    fs::write(damaged.path("engine/nn.bin"), "no net").unwrap();
    assert_wrong(&damaged, &["nn.bin\" of EvalFile is not used: "]);
    assert!(json(&damaged)["net"].as_str().unwrap().ends_with("nn.bin"));
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_a_book_is_not_waited_for() {
    let place = place("BookFile=pipe.db\n");
    let made = std::process::Command::new("mkfifo").arg(place.path("engine/pipe.db")).status();
    assert!(made.unwrap().success());
    assert_wrong(&place, &["pipe.db", "plain file"]);
}

#[test]
fn a_log_that_can_not_be_written_is_found() {
    assert_wrong(&place("BookFile=book.db\nLogFile=no/such/folder/a.log\n"), &["a.log\" can't be written"]);
    assert_wrong(
        &place("BookFile=book.db\nLogFile=book.db\n"),
        &["book.db\" can't be written", "no log of this program"],
    );
    let place = place("BookFile=book.db\nLogFile=a.log\n");
    let (said, _, code) = doctor(&place, &[]);
    assert!(code == 0 && said.contains("a.log\n") && !place.path("engine/a.log").exists(), "{said}");
}

#[test]
fn several_things_are_counted() {
    let place = place("BookFile=none.db\nUseBook=false\nTheirs=1\n");
    let (said, told, code) = doctor(&place, &[]);
    assert_eq!((told.as_str(), code), ("komadai: 3 things are wrong\n", 1), "{said}");
    assert_eq!(sentences(&json(&place), "wrong").len(), 3);
}

#[test]
fn what_may_not_be_meant_is_noted() {
    let with = |name: &str, content: &str, settings: &str| {
        let place = place(&format!("BookFile={name}\n{settings}"));
        fs::write(place.path("engine").join(name), content).unwrap();
        place
    };
    let start = |moves: &str| format!("sfen {START} 1\n{moves}");
    let no_counts = start("7g7f none 32 20\n2g2f none 30 20\n");
    assert_note(&with("a.db", &no_counts, ""), "has no counts, so BookSelect count plays all moves alike");
    let no_values = start("7g7f none none none 5\n");
    assert_note(&with("a.db", &no_values, "BookSelect=value\n"), "has no values, so BookSelect value chooses by count");
    let values = start("7g7f none 32 20 5\n2g2f none -90 20 5\n");
    assert_note(&with("a.db", &values, ""), "at the start BookEvalDiff 50 leaves out 1 of 2 moves");
    let illegal = start("7g7e none 0 1 5\n7g7f none 0 1 5\n");
    assert_note(&with("a.db", &illegal, ""), "passes over 1 illegal move, the first: line 1: 7g7e is illegal; ");
    let late = format!("sfen {AFTER_7G7F} 2\n3c3d none 0 1 9\n");
    assert_note(&with("a.db", &late, ""), "does not know the even start");
    assert_note(&with("é.db", &book(), ""), "has letters that CP932 lacks");
    assert_note(&place("BookFile=book.db\nBookIgnoreRate=30\n"), "in 30% of positions");
    assert_note(&place("BookFile=book.db;book.db\n"), "a book before it knows them all");
}

#[test]
fn a_book_that_only_the_current_folder_has_is_noted() {
    let place = place("BookFile=here.db\n");
    fs::write(place.path("elsewhere/here.db"), book()).unwrap();
    assert_note(&place, "\"here.db\" was found in the current folder");
    fs::write(place.path("engine/here.db"), book()).unwrap();
    assert_eq!(sentences(&json(&place), "notes"), [""; 0]);
}

#[test]
fn a_path_of_the_program_that_some_guis_can_not_use_is_noted() {
    assert_note(&Place::with_engine_in("caf\u{e9}"), "has letters that CP932 lacks");
    assert_eq!(doctor(&Place::with_engine_in("将棋 ソフト"), &["--json"]).2, 0);
}

/// Other systems have no such names.
#[cfg(target_os = "linux")]
#[test]
fn a_path_of_the_program_that_is_no_utf_8_is_noted() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    let folder = place.folder.path().join(OsStr::from_bytes(b"\x8f\xab\x8a\xfb"));
    fs::create_dir(&folder).unwrap();
    let program = folder.join("komadai");
    place_support::put_program(&program);
    let mut command = std::process::Command::new(program);
    command.current_dir(place.path("elsewhere")).env("KOMADAI_INI", place.ini());
    let output = command.args(["doctor", "--json"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let notes = sentences(&found, "notes");
    assert!(notes.len() == 1 && notes[0].contains("is not in UTF-8"), "{notes:?}");
}

#[test]
fn the_help_tells_the_exit_codes() {
    let (said, _, code) = doctor(&Place::new(), &["--help"]);
    assert_eq!(code, 0);
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains("The exit code is 0 where all is well") && said.contains("1 where something is wrong"),
        "{said}"
    );
}
