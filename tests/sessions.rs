//! Runs the USI sessions in `tests/sessions/`, in this process and with the binary; README.md there explains the
//! notation.

mod session_support;

use std::collections::VecDeque;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use komadai::settings::Settings;
use komadai::usi::{self, Identity};
use session_support::TestEngine;

/// Only a session that hangs waits as long as this.
const HANGS: Duration = Duration::from_secs(60);

#[test]
fn every_session_goes_as_written() {
    run_all(|script, folder| Ok(Peer::in_process(script.engine.as_deref().unwrap_or("first"), folder)));
}

/// Sessions that name no engine must go the same way with the real one.
#[test]
fn every_session_that_names_no_engine_goes_as_written_with_the_binary() {
    let binary = std::env::var_os("KOMADAI_BINARY").unwrap_or_else(|| env!("CARGO_BIN_EXE_komadai").into());
    run_all(|script, folder| match script.engine {
        Some(_) => Err(Skipped),
        None => Ok(Peer::process(Path::new(&binary), folder)),
    });
}

/// Follows the last line of a session in this process, where an engine that never ends may keep the output open.
const END: &str = "\0";

struct Skipped;

fn run_all(start: impl Fn(&Script, &Path) -> Result<Peer, Skipped>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sessions");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "usi"));
    paths.sort();
    assert!(!paths.is_empty());
    let mut failures = Vec::new();
    for path in &paths {
        let folder = tempfile::tempdir().unwrap();
        let script = Script::read(&fs::read_to_string(path).unwrap(), folder.path());
        if script.unix_only && !cfg!(unix) {
            continue;
        }
        let Ok(peer) = start(&script, folder.path()) else { continue };
        if let Err((line, what)) = script.run(peer, folder.path()) {
            failures.push(format!("{}:{line}: {what}", path.display()));
        }
    }
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// A session as written.
struct Script {
    engine: Option<String>,
    unix_only: bool,
    steps: Vec<(usize, Step)>,
}

enum Step {
    Send(Vec<u8>),
    Expect(String),
    Never(String),
    CloseInput,
    End,
    /// The named file is written.
    Write(PathBuf, Vec<u8>),
    /// The named file holds exactly this, or does not exist.
    Holds(String, Option<Vec<u8>>),
    /// Some line of the named file matches.
    Mentions(String, String),
}

impl Script {
    fn read(text: &str, folder: &Path) -> Script {
        let mut script = Script { engine: None, unix_only: false, steps: Vec::new() };
        for (index, line) in text.lines().enumerate() {
            // A backslash would begin an escape.
            let line = line.replace("$TMP", &folder.to_str().unwrap().replace('\\', "/"));
            let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
            let step = match word {
                "" | "#" => continue,
                "@engine" => {
                    script.engine = Some(rest.to_owned());
                    continue;
                }
                "@unix" => {
                    script.unix_only = true;
                    continue;
                }
                "@file" => {
                    let (name, content) = rest.split_once(' ').unwrap_or((rest, ""));
                    let path = folder.join(unescape_text(name));
                    fs::create_dir_all(path.parent().unwrap()).unwrap();
                    fs::write(path, unescape(content)).unwrap();
                    continue;
                }
                "write" => {
                    let (name, content) = rest.split_once(' ').unwrap_or((rest, ""));
                    Step::Write(folder.join(name), unescape(content))
                }
                ">" => Step::Send([unescape(rest), b"\n".to_vec()].concat()),
                ">>" => Step::Send(unescape(rest)),
                "<" => Step::Expect(rest.to_owned()),
                "!" => Step::Never(rest.to_owned()),
                "eof" => Step::CloseInput,
                "end" => Step::End,
                "=" => {
                    let (name, content) = rest.split_once(' ').unwrap_or((rest, ""));
                    Step::Holds(unescape_text(name), Some(unescape(content)))
                }
                "absent" => Step::Holds(rest.to_owned(), None),
                "~" => {
                    let (name, pattern) = rest.split_once(' ').unwrap();
                    Step::Mentions(name.to_owned(), pattern.to_owned())
                }
                _ => panic!("line {}: {line:?} is no step", index + 1),
            };
            script.steps.push((index + 1, step));
        }
        script
    }

    fn run(&self, mut peer: Peer, folder: &Path) -> Result<(), (usize, String)> {
        for (line, step) in &self.steps {
            peer.take(step, folder).map_err(|what| (*line, what))?;
        }
        // However the session was written, it must come to an end.
        peer.take(&Step::CloseInput, folder).map_err(|what| (0, what))?;
        peer.take(&Step::End, folder).map_err(|what| (0, what))
    }
}

/// `\n`, `\r`, `\\`, `\xNN`, and `{x*1000}` for a thousand x.
fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("\\x") {
            bytes.push(u8::from_str_radix(&after[..2], 16).unwrap());
            rest = &after[2..];
        } else if let Some(after) = rest.strip_prefix('\\') {
            bytes.push(match after.as_bytes()[0] {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                other => other,
            });
            rest = &after[1..];
        } else if let Some((repeated, after)) = rest.strip_prefix('{').and_then(|after| after.split_once('}')) {
            let (what, count) = repeated.rsplit_once('*').unwrap();
            bytes.extend(what.repeat(count.parse().unwrap()).bytes());
            rest = after;
        } else {
            bytes.extend(character.to_string().bytes());
            rest = &rest[character.len_utf8()..];
        }
    }
    bytes
}

fn unescape_text(text: &str) -> String {
    String::from_utf8(unescape(text)).unwrap()
}

/// Whether a text has the form of a pattern, in which `*` stands for anything.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((before, after)) => text
            .strip_prefix(before)
            .is_some_and(|rest| (0..=rest.len()).any(|i| rest.is_char_boundary(i) && matches(after, &rest[i..]))),
    }
}

/// An engine at the other end.
struct Peer {
    input: Option<Box<dyn Write>>,
    lines: Receiver<String>,
    seen: Vec<String>,
    ended: Option<Ended>,
}

enum Ended {
    Thread(JoinHandle<io::Result<()>>),
    Process(Child),
}

impl Peer {
    fn in_process(engine: &str, folder: &Path) -> Peer {
        let (to_engine, input) = channel();
        let (output, lines) = channel();
        let input = ChannelReader { chunks: input, rest: VecDeque::new() };
        let end = output.clone();
        let output = LineWriter { lines: output, line: Vec::new() };
        let settings = Settings::from_files(vec![folder.join("komadai.ini")]);
        let engine = TestEngine { name: engine.to_owned() };
        let identity = Identity::new("Komadai", "the Komadai authors");
        let thread = thread::spawn(move || {
            let result = usi::serve(identity, engine, settings, input, output);
            let _ = end.send(END.to_owned());
            result
        });
        let input = ChannelWriter { chunks: to_engine };
        Peer { input: Some(Box::new(input)), lines, seen: Vec::new(), ended: Some(Ended::Thread(thread)) }
    }

    fn process(binary: &Path, folder: &Path) -> Peer {
        let mut child = Command::new(binary)
            .env("KOMADAI_INI", folder.join("komadai.ini"))
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (output, lines) = channel();
        let mut stdout = child.stdout.take().unwrap();
        thread::spawn(move || io::copy(&mut stdout, &mut LineWriter { lines: output, line: Vec::new() }));
        let input = child.stdin.take().unwrap();
        Peer { input: Some(Box::new(input)), lines, seen: Vec::new(), ended: Some(Ended::Process(child)) }
    }

    fn take(&mut self, step: &Step, folder: &Path) -> Result<(), String> {
        match step {
            Step::Send(bytes) => {
                let input = self.input.as_mut().ok_or("the input is closed")?;
                input
                    .write_all(bytes)
                    .and_then(|()| input.flush())
                    .map_err(|error| format!("the engine is gone: {error}"))
            }
            Step::Expect(pattern) => self.expect(pattern),
            Step::Never(pattern) => match self.seen.iter().find(|line| matches(pattern, line)) {
                Some(line) => Err(format!("should never have come: {line}")),
                None => Ok(()),
            },
            Step::CloseInput => {
                self.input = None;
                Ok(())
            }
            Step::End => self.end(),
            Step::Write(path, content) => fs::write(path, content).map_err(|error| error.to_string()),
            Step::Holds(name, content) => {
                let found = fs::read(folder.join(name)).ok();
                let show = |bytes: &Option<Vec<u8>>| bytes.as_ref().map(|bytes| bytes.escape_ascii().to_string());
                if found == *content { Ok(()) } else { Err(format!("{name} holds {:?}", show(&found))) }
            }
            Step::Mentions(name, pattern) => {
                let text = fs::read_to_string(folder.join(name)).map_err(|error| format!("{name}: {error}"))?;
                let found = text.lines().any(|line| matches(pattern, line));
                if found { Ok(()) } else { Err(format!("{name} holds only {text:?}")) }
            }
        }
    }

    fn expect(&mut self, pattern: &str) -> Result<(), String> {
        loop {
            let line = match self.next()? {
                Some(line) => line,
                None => return Err(format!("the engine ended before {pattern:?}")),
            };
            if matches(pattern, &line) {
                return Ok(());
            }
            if !is_incidental(&line) {
                let before = self.seen.len().saturating_sub(4);
                return Err(format!("instead of {pattern:?} came {:?}", &self.seen[before..]));
            }
        }
    }

    /// The engine has ended properly, and said nothing more that counts.
    fn end(&mut self) -> Result<(), String> {
        while self.ended.is_some()
            && let Some(line) = self.next()?
        {
            if !is_incidental(&line) {
                return Err(format!("one line too many: {line:?}"));
            }
        }
        match self.ended.take() {
            Some(Ended::Thread(thread)) => match thread.join() {
                Ok(Ok(())) => Ok(()),
                other => Err(format!("the session ended with {other:?}")),
            },
            Some(Ended::Process(mut child)) => match child.wait() {
                Ok(status) if status.code() == Some(0) => Ok(()),
                other => Err(format!("the engine ended with {other:?}")),
            },
            None => Ok(()),
        }
    }

    fn next(&mut self) -> Result<Option<String>, String> {
        match self.lines.recv_timeout(HANGS) {
            Ok(line) if line == END => Ok(None),
            Ok(line) if line.bytes().all(|byte| (b' '..=b'~').contains(&byte)) => {
                self.seen.push(line.clone());
                Ok(Some(line))
            }
            Ok(line) => Err(format!("not printable ASCII: {line:?}")),
            Err(RecvTimeoutError::Disconnected) => Ok(None),
            Err(RecvTimeoutError::Timeout) => Err("the engine hangs".into()),
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        if let Some(Ended::Process(child)) = &mut self.ended {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Lines that may come at any time, and are passed over unless they are asked for.
fn is_incidental(line: &str) -> bool {
    ["info ", "id ", "option "].iter().any(|start| line.starts_with(start))
}

struct ChannelReader {
    chunks: Receiver<Vec<u8>>,
    rest: VecDeque<u8>,
}

impl Read for ChannelReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            match self.chunks.recv() {
                Ok(chunk) => self.rest.extend(chunk),
                Err(_) => return Ok(0),
            }
        }
        self.rest.read(buffer)
    }
}

struct ChannelWriter {
    chunks: Sender<Vec<u8>>,
}

impl Write for ChannelWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.chunks.send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Hands on whole lines, each without its LF.
struct LineWriter {
    lines: Sender<String>,
    line: Vec<u8>,
}

impl Write for LineWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8_lossy(&std::mem::take(&mut self.line)).into_owned();
                self.lines.send(line).map_err(|_| io::ErrorKind::BrokenPipe)?;
            } else {
                self.line.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn patterns_match_whole_lines() {
    assert!(matches("bestmove *", "bestmove 7g7f ponder 3c3d"));
    assert!(matches("*a*b", "xaab"));
    assert!(!matches("readyok", "readyok "));
    assert!(!matches("bestmove *", "info string bestmove "));
}

#[test]
fn bytes_can_be_written_in_a_script() {
    assert_eq!(unescape("a\\x92\\r\\n{xy*2}\\\\"), b"a\x92\r\nxyxy\\");
}

/// A line that is cut off by the end of input still counts, so reading goes on to the very last byte.
#[test]
fn a_reader_of_chunks_gives_all_bytes() {
    let (chunks, receiver) = channel();
    for chunk in [&b"us"[..], b"i\nq", b"uit"] {
        chunks.send(chunk.to_vec()).unwrap();
    }
    drop(chunks);
    let reader = BufReader::new(ChannelReader { chunks: receiver, rest: VecDeque::new() });
    let lines: Vec<String> = reader.lines().map(Result::unwrap).collect();
    assert_eq!(lines, ["usi", "quit"]);
}
