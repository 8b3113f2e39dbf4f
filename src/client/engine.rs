//! An engine in a process of its own.

use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::sikou::StopSignal;

use super::error::shown;
use super::streams::{self, Input, LINES};
use super::{ClientError, Info, Introduction, Said};

/// How long an engine may take to listen, to get ready and the like, unless somebody says otherwise.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// How often somebody who waits looks at the signal.
const TICK: Duration = Duration::from_millis(100);
/// How long an engine may take to end by itself.
const GOODBYE: Duration = Duration::from_secs(2);
/// How long the last words of one that has ended are waited for.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// An engine in a process of its own. Dropped, it is told to quit, and killed if it has not ended two seconds later, or
/// at once if the last answer was not there in time.
///
/// # Errors
/// All methods fail with a [`ClientError`]: where the engine has ended or does not listen, where it does not answer in
/// time, or where the signal of [`watch`](Engine::watch) is set.
pub struct Engine {
    program: String,
    child: Child,
    /// `None` once it is closed.
    input: Option<Input>,
    output: Receiver<Said>,
    /// What came after a deadline, for the next one who reads.
    put_by: Option<Said>,
    patience: Duration,
    stop: Option<StopSignal>,
    asked: String,
    last: String,
    /// When the last `go` was sent.
    go_at: Instant,
    /// A line has not been taken yet.
    is_deaf: bool,
    /// An answer was not there in time.
    is_late: bool,
}

/// What an engine answers to `go`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The word behind `bestmove`: a move, `resign` or `win`, if it is as it should be.
    pub te: String,
    /// The reply that the engine expects.
    pub ponder: Option<String>,
    /// From the beginning of `go` until the answer came.
    pub took: Duration,
}

impl Engine {
    /// Starts a program as GUIs do: without arguments, in the folder where it is. What it writes to standard error is
    /// thrown away.
    pub fn start(program: &Path) -> Result<Engine, ClientError> {
        let name = program.display().to_string();
        let mut command = Command::new(program);
        if program.is_file() {
            let path = match std::path::absolute(program) {
                Ok(path) => path,
                Err(error) => return Err(ClientError::Start { program: name, error }),
            };
            command = Command::new(&path);
            path.parent().map(|folder| command.current_dir(folder));
        }
        Engine::begin(name, command.stderr(Stdio::null()))
    }

    /// Starts any command, with arguments, environment, current folder and standard error as it says.
    pub fn spawn(command: &mut Command) -> Result<Engine, ClientError> {
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
        Engine::begin(words.join(" "), command)
    }

    fn begin(program: String, command: &mut Command) -> Result<Engine, ClientError> {
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().and_then(|mut child| {
            let streams = streams_of(&mut child);
            if streams.is_err() {
                let _ = child.kill();
                let _ = child.wait();
            }
            Ok((child, streams?))
        });
        let (child, (input, output)) = match started {
            Ok(started) => started,
            Err(error) => return Err(ClientError::Start { program, error }),
        };
        Ok(Engine {
            program,
            child,
            input: Some(input),
            output,
            put_by: None,
            patience: PATIENCE,
            stop: None,
            asked: String::new(),
            last: String::new(),
            go_at: Instant::now(),
            is_deaf: false,
            is_late: false,
        })
    }

    /// The same engine, which may take so long to listen, and for all answers but those to `go`; [`PATIENCE`] unless
    /// set.
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Engine {
        self.patience = patience;
        self
    }

    /// The same engine, for which nobody waits any more within a tenth of a second after this signal is set.
    #[must_use]
    pub fn watch(mut self, stop: StopSignal) -> Engine {
        self.stop = Some(stop);
        self
    }

    /// `usi`, and waits for `usiok`.
    pub fn handshake(&mut self) -> Result<Introduction, ClientError> {
        self.send("usi")?;
        let mut introduction = Introduction::default();
        let deadline = after(Instant::now(), self.patience);
        self.answer("usiok", deadline, self.patience, |line| introduction.take(line))?;
        Ok(introduction)
    }

    /// Sets an option. One without a value, a button, is pressed by [`send`](Engine::send).
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), ClientError> {
        self.send(&format!("setoption name {name} value {value}")).map(drop)
    }

    /// `isready`, and waits for `readyok`.
    pub fn ready(&mut self) -> Result<(), ClientError> {
        self.send("isready")?;
        self.wait_for("readyok").map(drop)
    }

    /// What comes before each game: `isready`, `readyok`, and `usinewgame`.
    pub fn new_game(&mut self) -> Result<(), ClientError> {
        self.ready()?;
        self.send("usinewgame").map(drop)
    }

    /// Sets a position: `startpos` or `sfen ...`, perhaps with `moves ...`.
    pub fn position(&mut self, position: &str) -> Result<(), ClientError> {
        self.send(&format!("position {position}")).map(drop)
    }

    /// `go` with these words, and waits so long for the move; what the engine tells meanwhile is handed on.
    ///
    /// After [`ClientError::Late`] the search is still on: [`stop`](Engine::stop) ends it.
    pub fn go(&mut self, limits: &str, patience: Duration, info: impl FnMut(&Info)) -> Result<Played, ClientError> {
        let begun = self.send(&format!("go {limits}"))?;
        self.played(after(begun, patience), patience, info)
    }

    /// `stop`, and waits for the move.
    pub fn stop(&mut self) -> Result<Played, ClientError> {
        self.send("stop")?;
        self.bestmove(self.patience, |_| ())
    }

    /// Waits so long from now for the move of a `go` that was sent.
    pub fn bestmove(&mut self, patience: Duration, info: impl FnMut(&Info)) -> Result<Played, ClientError> {
        self.played(after(Instant::now(), patience), patience, info)
    }

    fn played(
        &mut self,
        deadline: Instant,
        patience: Duration,
        mut info: impl FnMut(&Info),
    ) -> Result<Played, ClientError> {
        let said = self.answer("bestmove", deadline, patience, |line| {
            if let Some(told) = Info::read(line) {
                info(&told);
            }
        })?;
        let took = said.at.saturating_duration_since(self.go_at);
        let mut words = said.text.split_ascii_whitespace().skip(1);
        let te = words.next().unwrap_or_default().to_owned();
        let ponder = words.next().filter(|word| *word == "ponder").and_then(|_| words.next());
        Ok(Played { te, ponder: ponder.map(str::to_owned), took })
    }

    /// `quit`, and waits for the end.
    pub fn quit(mut self) -> Result<ExitStatus, ClientError> {
        self.send("quit")?;
        self.input = None;
        match self.end(self.patience) {
            Some(status) => Ok(status),
            None if self.is_stopped() => Err(ClientError::Stopped),
            None => Err(self.late(self.patience)),
        }
    }

    /// Sends a command, which must be one line; returns when its writing began, which is from when its time counts.
    pub fn send(&mut self, command: &str) -> Result<Instant, ClientError> {
        if command.contains(['\n', '\r']) {
            return Err(ClientError::Command(command.into()));
        }
        self.asked = command.into();
        if self.is_stopped() {
            return Err(ClientError::Stopped);
        }
        if self.is_deaf {
            return Err(self.deaf());
        }
        let Some(input) = &self.input else { return Err(self.ended()) };
        if input.lines.send(format!("{command}\n")).is_err() {
            return Err(self.ended());
        }
        match receive(&input.written, after(Instant::now(), self.patience), self.stop.as_ref()) {
            Ok(Ok(begun)) => {
                if command.split(' ').next() == Some("go") {
                    self.go_at = begun;
                }
                Ok(begun)
            }
            Ok(Err(_)) | Err(Silence::Gone) => Err(self.ended()),
            Err(Silence::Long) => {
                self.is_deaf = true;
                Err(self.deaf())
            }
            Err(Silence::Stopped) => {
                self.is_deaf = true;
                Err(ClientError::Stopped)
            }
        }
    }

    /// Waits for a line that begins with this word; lines before it are passed over.
    pub fn wait_for(&mut self, word: &str) -> Result<Said, ClientError> {
        self.answer(word, after(Instant::now(), self.patience), self.patience, |_| ())
    }

    /// The next line; `None` where none came by this moment. One that came by then counts, even if it is read later,
    /// and one that came after it is kept for the next call.
    pub fn read(&mut self, deadline: Instant) -> Result<Option<Said>, ClientError> {
        let said = match self.put_by.take() {
            Some(said) => Ok(said),
            None => receive(&self.output, deadline, self.stop.as_ref()),
        };
        match said {
            Ok(said) if said.at > deadline => {
                self.put_by = Some(said);
                Ok(None)
            }
            Ok(said) => {
                self.last.clone_from(&said.text);
                Ok(Some(said))
            }
            Err(Silence::Long) => Ok(None),
            Err(Silence::Stopped) => Err(ClientError::Stopped),
            Err(Silence::Gone) => Err(self.ended()),
        }
    }

    fn answer(
        &mut self,
        word: &str,
        deadline: Instant,
        patience: Duration,
        mut other: impl FnMut(&str),
    ) -> Result<Said, ClientError> {
        while let Some(said) = self.read(deadline)? {
            if said.text.split_ascii_whitespace().next() == Some(word) {
                self.is_late = false;
                return Ok(said);
            }
            other(&said.text);
        }
        Err(self.late(patience))
    }

    fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(StopSignal::is_stopped)
    }

    fn late(&mut self, patience: Duration) -> ClientError {
        self.is_late = true;
        let (asked, last) = (shown(&self.asked), shown(&self.last));
        ClientError::Late { program: self.program.clone(), asked, patience, last }
    }

    fn deaf(&self) -> ClientError {
        let (asked, last) = (shown(&self.asked), shown(&self.last));
        ClientError::Deaf { program: self.program.clone(), asked, patience: self.patience, last }
    }

    /// Why there is nobody to talk to.
    fn ended(&mut self) -> ClientError {
        let status = self.end(GOODBYE);
        let deadline = after(Instant::now(), LAST_WORDS);
        while let Ok(said) = receive(&self.output, deadline, self.stop.as_ref())
            && said.at <= deadline
        {
            self.last = said.text;
        }
        let (asked, last) = (shown(&self.asked), shown(&self.last));
        ClientError::Ended { program: self.program.clone(), asked, status, last }
    }

    /// Waits for its end; `None` where it does not come, or the signal does.
    fn end(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = after(Instant::now(), patience);
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline && !self.is_stopped() => {
                    // Its output must not fill up meanwhile.
                    if let Some(said) = self.output.try_iter().take(LINES).last() {
                        self.last = said.text;
                    }
                    thread::sleep(Duration::from_millis(5));
                }
                _ => return None,
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Even where nobody waits for answers any more it is to quit.
        self.stop = None;
        self.patience = if self.is_late || self.is_deaf { Duration::ZERO } else { GOODBYE };
        let deadline = after(Instant::now(), self.patience);
        let is_told = self.input.is_some() && self.send("quit").is_ok();
        self.input = None;
        let left = deadline.saturating_duration_since(Instant::now());
        if self.end(if is_told { left } else { Duration::ZERO }).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

fn streams_of(child: &mut Child) -> io::Result<(Input, Receiver<Said>)> {
    let missing = || io::Error::other("it has no input or output");
    let input = child.stdin.take().ok_or_else(missing)?;
    let output = child.stdout.take().ok_or_else(missing)?;
    Ok((Input::new(input)?, streams::output(output)?))
}

/// A moment so much later, or as late as there is no difference.
fn after(moment: Instant, patience: Duration) -> Instant {
    const YEARS: Duration = Duration::from_secs(1 << 30);
    moment + patience.min(YEARS)
}

/// Why nothing comes through a channel.
enum Silence {
    Long,
    Stopped,
    Gone,
}

/// Waits for what comes through a channel, and looks at the signal meanwhile.
fn receive<T>(from: &Receiver<T>, deadline: Instant, stop: Option<&StopSignal>) -> Result<T, Silence> {
    loop {
        if stop.is_some_and(StopSignal::is_stopped) {
            return Err(Silence::Stopped);
        }
        let left = deadline.saturating_duration_since(Instant::now());
        let wait = if stop.is_some() { left.min(TICK) } else { left };
        match from.recv_timeout(wait) {
            Ok(value) => return Ok(value),
            Err(RecvTimeoutError::Timeout) if wait == left => return Err(Silence::Long),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(Silence::Gone),
        }
    }
}
