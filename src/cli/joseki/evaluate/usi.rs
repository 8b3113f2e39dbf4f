//! An engine that speaks USI, as a child process. Nothing that it does or leaves undone may keep us waiting for ever.

use std::fmt::Display;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use komadai::joseki::evaluate::{Assessment, mate};
use komadai::kyokumen::Kyokumen;

use super::info::{Info, read_info};
use super::program::Sum;
use super::searcher::Plan;
use crate::cli::Failure;

/// How often somebody who waits for the engine looks whether to go on.
const TICK: Duration = Duration::from_millis(100);
/// How long an engine may take to end by itself.
const GOODBYE: Duration = Duration::from_secs(2);
/// Lines that may wait, and the bytes of one that are kept.
const LINES: usize = 1024;
const LINE: u64 = 1 << 14;

pub struct Engine<'a> {
    plan: &'a Plan,
    program: PathBuf,
    path: String,
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<String>,
    name: String,
    /// A sum over the options that it has, as it tells them.
    options: Sum,
    /// The last line that came, for complaints.
    last: String,
    /// How long to wait for its end.
    patience: Duration,
}

impl<'a> Engine<'a> {
    /// Starts the program, in its own folder as GUIs do, and shakes hands.
    pub fn start(path: &Path, plan: &'a Plan) -> Result<Engine<'a>, Failure> {
        let shown = path.display().to_string();
        let failed = |error: &dyn Display| format!("can't start the engine \"{shown}\": {error}");
        let mut command = Command::new(path);
        if path.is_file() {
            let path = std::path::absolute(path).map_err(|error| failed(&error))?;
            command = Command::new(&path);
            path.parent().map(|folder| command.current_dir(folder));
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| failed(&error))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed(&"it has no input or output").into());
        };
        let (sender, lines) = sync_channel(LINES);
        // Ends with the pipe, or when nobody receives any more.
        thread::spawn(move || read_lines(stdout, &sender));
        let mut engine = Engine {
            plan,
            program: path.to_owned(),
            path: shown,
            child,
            stdin,
            lines,
            name: String::new(),
            options: Sum::default(),
            last: String::new(),
            patience: GOODBYE,
        };
        engine.shake_hands()?;
        Ok(engine)
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The options that it was given, with a blank before each.
    pub fn given_options(&self) -> String {
        self.plan.options.iter().map(|(name, value)| format!(" {name}={value}")).collect()
    }

    /// A sum over the program and over the options that it has, with what they are before anybody sets them.
    pub fn sum(&self) -> Sum {
        let mut sum = Sum::of_program(&self.program);
        sum.add(&self.options.0.to_le_bytes());
        sum
    }

    fn shake_hands(&mut self) -> Result<(), Failure> {
        self.name = self.path.clone();
        let mut has_own_book = false;
        self.say("usi")?;
        let deadline = self.deadline();
        loop {
            let line = self.hear(deadline, "usi")?;
            if let Some(name) = line.strip_prefix("id name ") {
                self.name = name.trim().to_owned();
            }
            if line.starts_with("option ") {
                has_own_book |= line.split_ascii_whitespace().skip(1).take(2).eq(["name", "USI_OwnBook"]);
                self.options.add(line.as_bytes());
            }
            if line == "usiok" {
                break;
            }
        }
        // Values are to come from a search.
        if has_own_book {
            self.say("setoption name USI_OwnBook value false")?;
        }
        for (name, value) in &self.plan.options {
            self.say(&format!("setoption name {name} value {value}"))?;
        }
        Ok(())
    }

    /// Searches a position as a game of its own, so that no value depends on what was searched before.
    pub fn search(&mut self, kyokumen: &Kyokumen) -> Result<Option<Assessment>, Failure> {
        self.say("isready")?;
        let deadline = self.deadline();
        while self.hear(deadline, "isready")? != "readyok" {}
        let go = format!("go nodes {}", self.plan.nodes);
        self.say(&format!("usinewgame\nposition sfen {}\n{go}", kyokumen.to_sfen()))?;
        let deadline = self.deadline();
        let mut best: Option<Info> = None;
        loop {
            let line = self.hear(deadline, &go)?;
            if let Some(info) = read_info(&line)
                && (info.is_exact || best.as_ref().is_none_or(|best| !best.is_exact))
            {
                best = Some(info);
            }
            let mut words = line.split_ascii_whitespace();
            if words.next() == Some("bestmove") {
                let told = best.map(Info::assessment);
                return Ok(match words.next() {
                    Some("win") => Some(Assessment { value: mate(1), depth: Some(0) }),
                    Some("resign") => told.or(Some(Assessment { value: mate(0), depth: None })),
                    _ => told,
                });
            }
        }
    }

    fn deadline(&self) -> Instant {
        Instant::now() + self.plan.timeout
    }

    fn say(&mut self, line: &str) -> Result<(), Failure> {
        match self.stdin.write_all(format!("{line}\n").as_bytes()).and_then(|()| self.stdin.flush()) {
            Ok(()) => Ok(()),
            Err(_) => Err(self.gone(line)),
        }
    }

    /// The next line, without its end; `command` is what it should answer.
    fn hear(&mut self, deadline: Instant, command: &str) -> Result<String, Failure> {
        loop {
            if self.plan.is_stopped() {
                return Err("broken off".into());
            }
            let now = Instant::now();
            if now >= deadline {
                self.patience = Duration::ZERO;
                let seconds = self.plan.timeout.as_secs();
                let path = &self.path;
                return Err(format!(
                    "the engine \"{path}\" has not answered {command:?} within {seconds} seconds; --timeout gives it \
                     more"
                )
                .into());
            }
            match self.lines.recv_timeout(TICK.min(deadline - now)) {
                Ok(line) => {
                    self.last.clone_from(&line);
                    return Ok(line);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.gone(command)),
            }
        }
    }

    /// Why there is nobody to talk to.
    fn gone(&mut self, command: &str) -> Failure {
        let status = self.wait().unwrap_or_else(|| "it has closed its output".to_owned());
        let last: String = self.last.escape_default().take(200).collect();
        let last = if last.is_empty() { "it said nothing".to_owned() } else { format!("its last words were {last:?}") };
        format!("the engine \"{}\" has ended at {command:?}: {status}; {last}", self.path).into()
    }

    /// Waits for its end; `None` where it does not come.
    fn wait(&mut self) -> Option<String> {
        let deadline = Instant::now() + self.patience;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Ok(None) if Instant::now() < deadline => {
                    // Its output must not fill up meanwhile.
                    while self.lines.try_recv().is_ok() {}
                    thread::sleep(Duration::from_millis(5));
                }
                _ => return None,
            }
        }
    }
}

impl Drop for Engine<'_> {
    fn drop(&mut self) {
        let has_ended = self.say("quit").is_ok() && self.wait().is_some();
        if !has_ended {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Hands on lines as text, whatever bytes they are of; what is too long for a line is cut.
fn read_lines(stdout: ChildStdout, lines: &SyncSender<String>) {
    let mut reader = BufReader::new(stdout);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match reader.by_ref().take(LINE).read_until(b'\n', &mut bytes) {
            Ok(1..) => {}
            Ok(0) | Err(_) => return,
        }
        if bytes.last() != Some(&b'\n') && bytes.len() as u64 == LINE && skip_line(&mut reader).is_err() {
            return;
        }
        if lines.send(String::from_utf8_lossy(&bytes).trim().to_owned()).is_err() {
            return;
        }
    }
}

fn skip_line(reader: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let bytes = reader.fill_buf()?;
        let (length, is_end) = match bytes.iter().position(|&byte| byte == b'\n') {
            Some(place) => (place + 1, true),
            None => (bytes.len(), bytes.is_empty()),
        };
        reader.consume(length);
        if is_end {
            return Ok(());
        }
    }
}
