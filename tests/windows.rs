//! What Windows does otherwise: names in UTF-16 with backslashes, files that can't be replaced while they are open, and
//! the INI file beside the program. Runs there only; `.ci/windows` runs it under wine.
#![cfg(all(windows, feature = "cli"))]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use encoding_rs::SHIFT_JIS;
use komadai::joseki::Joseki;
use komadai::kyokumen::Kyokumen;
use tempfile::TempDir;

/// Only a process that hangs is waited for as long as this.
const HANGS: Duration = Duration::from_secs(60);

/// One move for the even start, so that it shows whether the book is used.
const BOOK: &str = "#YANEURAOU-DB2016 1.00
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
9g9f 1c1d 35 22 90
";

/// A copy of the program in a folder of its own, whose name is not easy.
struct Installed {
    folder: TempDir,
}

impl Installed {
    fn new() -> Installed {
        let installed = Installed { folder: tempfile::tempdir().unwrap() };
        fs::create_dir_all(installed.path("駒 台/定跡 集")).unwrap();
        fs::create_dir(installed.path("他の場所")).unwrap();
        fs::copy(env!("CARGO_BIN_EXE_komadai"), installed.path("駒 台/komadai.exe")).unwrap();
        installed
    }

    /// A path below the folder, written with backslashes.
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name.replace('/', "\\"))
    }

    fn command(&self) -> Command {
        let mut command = Command::new(self.path("駒 台/komadai.exe"));
        command.env_remove("KOMADAI_INI").env("APPDATA", self.path("利用者")).current_dir(self.path("他の場所"));
        command
    }

    fn start(&self) -> Engine {
        let mut child = self.command().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Engine { input: child.stdin.take(), child, lines }
    }

    /// Runs a command on books.
    fn joseki(&self, arguments: &[&str]) -> Output {
        let mut command = self.command();
        command.arg("joseki").args(arguments.iter().map(|argument| argument.replace('/', "\\"))).output().unwrap()
    }

    /// The same where it has to succeed; what it prints.
    fn joseki_says(&self, arguments: &[&str]) -> String {
        let output = self.joseki(arguments);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{arguments:?}: {stderr}");
        String::from_utf8(output.stdout).unwrap()
    }
}

struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn send(&mut self, line: impl AsRef<[u8]>) {
        let line = [line.as_ref(), b"\r\n"].concat();
        self.input.as_mut().unwrap().write_all(&line).unwrap();
    }

    /// All lines up to one that begins so.
    fn until(&mut self, start: &str) -> Vec<String> {
        let mut seen = Vec::new();
        loop {
            let line = self.lines.recv_timeout(HANGS).unwrap_or_else(|_| panic!("no {start:?} after {seen:?}"));
            let found = line.starts_with(start);
            seen.push(line);
            if found {
                return seen;
            }
        }
    }

    /// What it says until it has dealt with everything.
    fn ready(&mut self) -> Vec<String> {
        self.send("isready");
        self.until("readyok")
    }

    /// Whether the engine plays from [`BOOK`], under a name in Japanese.
    fn plays_the_book(&mut self) -> bool {
        self.send("usinewgame");
        self.send("position startpos");
        self.send("go depth 1");
        let seen = self.until("bestmove");
        let told = seen.iter().any(|line| line.starts_with("info string joseki: 9g9f ") && line.contains(r" from \u{"));
        told && seen.last().unwrap().starts_with("bestmove 9g9f")
    }

    fn quit(mut self) {
        self.send("quit");
        self.end();
    }

    fn end(mut self) {
        self.input = None;
        while self.lines.recv_timeout(HANGS).is_ok() {}
        // The output ends with the process, or shortly before.
        assert!(self.child.wait().as_ref().is_ok_and(ExitStatus::success));
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn cp932(text: &str) -> Vec<u8> {
    let (bytes, _, unmappable) = SHIFT_JIS.encode(text);
    assert!(!unmappable);
    bytes.into_owned()
}

fn set_readonly(path: &Path, readonly: bool) {
    let mut permissions = fs::metadata(path).unwrap().permissions();
    permissions.set_readonly(readonly);
    fs::set_permissions(path, permissions).unwrap();
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_whole_game_is_played_and_quit_or_the_end_of_input_end_the_process() {
    let installed = Installed::new();
    for quit in [true, false] {
        let mut engine = installed.start();
        engine.send("usi");
        assert!(engine.until("usiok")[0].starts_with("id name Komadai"));
        engine.ready();
        engine.send("usinewgame");
        let (mut kyokumen, mut moves) = (Kyokumen::hirate(), String::new());
        for ply in 0..20 {
            engine.send(format!("position startpos moves{moves}"));
            engine.send("go nodes 300");
            let seen = engine.until("bestmove");
            assert!(ply > 0 || seen.iter().any(|line| line.starts_with("info string joseki: ")), "{seen:?}");
            let te = seen.last().unwrap().split(' ').nth(1).unwrap().to_owned();
            assert!(kyokumen.is_legal(te.parse().unwrap()), "{te}");
            kyokumen.do_te(te.parse().unwrap());
            moves += &format!(" {te}");
        }
        engine.send("go infinite");
        engine.send("stop");
        engine.until("bestmove");
        engine.send("go infinite");
        if quit { engine.quit() } else { engine.end() }
    }
}

#[test]
fn books_are_found_beside_the_program_whatever_the_spelling_and_encoding_of_their_names() {
    let installed = Installed::new();
    // The second byte of ソ and 表 is that of a backslash.
    fs::write(installed.path("駒 台/定跡 集/ソ表.db"), BOOK).unwrap();
    let absolute = installed.path("駒 台/定跡 集/ソ表.db").to_str().unwrap().to_owned();
    let verbatim = format!(r"\\?\{absolute}");
    let several = format!(r#""{absolute}"; none.db"#);
    let relative = [r"定跡 集\ソ表.db", "定跡 集/ソ表.db", r".\定跡 集\..\定跡 集\ソ表.db"];
    for name in relative.into_iter().chain([&*absolute, &verbatim, &several]) {
        for name in [name.as_bytes().to_owned(), cp932(name)] {
            let mut engine = installed.start();
            engine.ready();
            assert!(!engine.plays_the_book());
            engine.send([b"setoption name BookFile value ", &name[..]].concat());
            let seen = engine.ready();
            assert!(engine.plays_the_book(), "{}: {seen:?}", name.escape_ascii());
            engine.quit();
            fs::remove_file(installed.path("駒 台/komadai.ini")).unwrap();
        }
    }
}

#[test]
fn settings_stand_beside_the_program_and_keep_their_order_comments_line_ends_and_encoding() {
    let installed = Installed::new();
    let ini = installed.path("駒 台/komadai.ini");
    fs::write(installed.path("駒 台/定跡 集/本.db"), BOOK).unwrap();
    let text = "; 私の設定\r\n[CustomSettings]\r\nUseBook=true\r\nBookFile = 無い.db\r\n; 終り\r\n[他]\r\n鍵=値";
    let new = text.replace("無い.db", r"定跡 集\本.db");
    let encodings: [fn(&str) -> Vec<u8>; 3] =
        [cp932, |text| text.as_bytes().to_owned(), |text| [b"\xef\xbb\xbf", text.as_bytes()].concat()];
    for encode in encodings {
        fs::write(&ini, encode(text)).unwrap();
        let mut engine = installed.start();
        assert!(engine.ready().iter().any(|line| line.contains("can't read the book")));
        engine.send(r"setoption name BookFile value 定跡 集\本.db");
        engine.ready();
        engine.quit();
        assert_eq!(fs::read(&ini).unwrap().escape_ascii().to_string(), encode(&new).escape_ascii().to_string());
        let mut again = installed.start();
        again.ready();
        assert!(again.plays_the_book());
        again.quit();
        assert_eq!(names(ini.parent().unwrap()), ["komadai.exe", "komadai.ini", "定跡 集"]);
    }
    assert!(!installed.path("利用者").exists());
}

#[test]
fn where_the_ini_beside_the_program_can_not_be_written_the_users_folder_gets_one() {
    let installed = Installed::new();
    let (beside, own) = (installed.path("駒 台/komadai.ini"), installed.path("利用者/komadai/komadai.ini"));
    fs::write(installed.path("駒 台/本.db"), BOOK).unwrap();
    let text = "[CustomSettings]\r\nBookFile=\r\n";
    fs::write(&beside, text).unwrap();
    set_readonly(&beside, true);
    let mut engine = installed.start();
    engine.send("setoption name BookFile value 本.db");
    let seen = engine.ready();
    assert!(!seen.iter().any(|line| line.contains("can't")), "{seen:?}");
    engine.quit();
    assert_eq!(fs::read_to_string(&beside).unwrap(), text);
    assert!(fs::read_to_string(&own).unwrap().contains("BookFile=本.db"));
    // Where neither can be written the setting counts as long as the program runs.
    set_readonly(&own, true);
    let mut engine = installed.start();
    engine.ready();
    assert!(engine.plays_the_book());
    engine.send("setoption name BookFile value <empty>");
    let seen = engine.ready();
    assert!(seen.iter().any(|line| line.starts_with("info string") && line.contains("can't write")), "{seen:?}");
    assert!(!engine.plays_the_book());
    engine.quit();
    assert!(fs::read_to_string(&own).unwrap().contains("BookFile=本.db"));
    set_readonly(&beside, false);
    set_readonly(&own, false);
}

#[test]
fn an_ini_that_another_program_has_open_is_told_and_not_lost() {
    use std::os::windows::fs::OpenOptionsExt;
    const FILE_SHARE_READ: u32 = 1;
    let installed = Installed::new();
    let ini = installed.path("駒 台/komadai.ini");
    let text = "[CustomSettings]\r\nUseBook=true\r\n";
    fs::write(&ini, text).unwrap();
    fs::write(installed.path("利用者"), "no folder, so that nothing can be written there").unwrap();
    let open = fs::File::options().read(true).share_mode(FILE_SHARE_READ).open(&ini).unwrap();
    let mut engine = installed.start();
    engine.send("setoption name UseBook value false");
    let seen = engine.ready();
    assert!(seen.iter().any(|line| line.starts_with("info string") && line.contains("can't write")), "{seen:?}");
    drop(open);
    assert_eq!(fs::read_to_string(&ini).unwrap(), text);
    engine.send("setoption name UseBook value true");
    engine.send("setoption name UseBook value false");
    engine.ready();
    engine.quit();
    assert_eq!(fs::read_to_string(&ini).unwrap(), text.replace("true", "false"));
    assert_eq!(names(ini.parent().unwrap()), ["komadai.exe", "komadai.ini", "定跡 集"]);
}

#[test]
fn books_are_built_converted_checked_and_shown_under_japanese_names() {
    let installed = Installed::new();
    let games =
        "手合割：平手\r\n手数----指手---------消費時間--\r\n   1 ９六歩(97)\r\n   2 １四歩(13)\r\n   3 投了\r\n";
    fs::create_dir(installed.path("他の場所/棋 譜")).unwrap();
    fs::write(installed.path("他の場所/棋 譜/一局.kif"), cp932(games)).unwrap();
    installed.joseki_says(&["build", "棋 譜", "-o", "本 一.joseki"]);
    for other in ["本 二.db", "本 三.ybb", "本 四.bin", "本 五.sbk", "本 六.psb"] {
        assert!(installed.joseki(&["convert", "本 一.joseki", other]).status.success(), "{other}");
    }
    installed.joseki_says(&["verify", "本 一.joseki"]);
    installed.joseki_says(&["verify", "本 二.db"]);
    let shown = installed.joseki_says(&["probe", "本 二.db"]);
    assert!(shown.contains("9g9f") && shown.contains("９六歩"), "{shown}");
    // The book that is read is replaced, in every format.
    for book in ["本 一.joseki", "本 二.db", "本 三.ybb", "本 四.bin", "本 五.sbk", "本 六.psb"] {
        let output = installed.joseki(&["edit", book, "add", "1g1f", "--count", "3", "--value", "5", "--depth", "1"]);
        assert!(output.status.success(), "{book}: {}", String::from_utf8_lossy(&output.stderr));
        let entry = Joseki::open(&installed.path("他の場所").join(book)).unwrap().lookup(&Kyokumen::hirate()).unwrap();
        assert!(entry.moves.iter().any(|known| known.te == "1g1f".parse().unwrap()), "{book}");
        assert!(entry.moves.iter().any(|known| known.te == "9g9f".parse().unwrap()), "{book}");
    }
    let merged = installed.joseki(&["merge", "本 一.joseki", "本 二.db", "-o", "本 一.joseki"]);
    assert!(merged.status.success(), "{}", String::from_utf8_lossy(&merged.stderr));
    let missing = installed.joseki(&["stat", "棋 譜/無い.db"]);
    let stderr = String::from_utf8(missing.stderr).unwrap();
    assert!(!missing.status.success() && stderr.contains(r#""棋 譜\無い.db""#), "{stderr}");
}

/// A mapped book can't be replaced, unless a later Windows learns it. Then nothing is lost, and the user is told what
/// to do.
#[test]
fn a_book_that_the_engine_plays_from_is_replaced_or_left_as_it_is() {
    let installed = Installed::new();
    let folder = installed.path("他の場所");
    for name in ["本.db", "本.joseki"] {
        let book = folder.join(name);
        fs::write(folder.join("元.db"), BOOK).unwrap();
        installed.joseki(&["convert", "元.db", name]);
        let (before, listed) = (fs::read(&book).unwrap(), names(&folder));
        let mut engine = installed.start();
        engine.send(format!("setoption name BookFile value {}", book.display()));
        engine.ready();
        assert!(engine.plays_the_book());
        let edit = ["edit", name, "add", "1g1f", "--count", "3"];
        let output = installed.joseki(&edit);
        let stderr = String::from_utf8(output.stderr).unwrap();
        if output.status.success() {
            assert_ne!(fs::read(&book).unwrap(), before);
        } else {
            assert!(stderr.contains(name) && stderr.contains("another program"), "{stderr}");
            assert_eq!(fs::read(&book).unwrap(), before);
        }
        assert_eq!(names(&folder), listed);
        engine.ready();
        engine.quit();
        if !output.status.success() {
            installed.joseki_says(&edit);
            assert_ne!(fs::read(&book).unwrap(), before);
        }
        assert_eq!(names(&folder), listed);
    }
}
