//! The other end of a session: what a GUI does, step by step.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::settings::Settings;
use crate::sikou::{Answer, MateAnswer, Sikou};
use crate::usi::{self, Identity};

use super::lines::read_te;
use super::pipe::{Event, LineWriter, pipe};
use super::referee::Referee;
use super::transcript::Failure;
use super::watched::{Notes, Watched};

/// How long an answer may take, unless the author says otherwise.
pub(super) const DEADLINE: Duration = Duration::from_secs(10);

/// A GUI that talks to an engine and checks all that it says.
///
/// Every method that waits does so until the answer is there, or fails at the [deadline](Gui::deadline); nothing
/// sleeps. After a failure the session is of no more use. An engine in this process that does not end keeps its thread.
pub struct Gui {
    input: Option<Box<dyn Write + Send>>,
    events: Receiver<Event>,
    deadline: Duration,
    referee: Referee,
    transcript: Vec<String>,
    /// Answers to a `go` that came while something else was waited for, the oldest first.
    early: VecDeque<String>,
    /// Of an engine in this process.
    notes: Notes,
}

impl Gui {
    /// Begins a session with an engine in this process, without an INI file. Its book is the one that comes along; the
    /// options `UseBook` and `BookFile` work as ever.
    pub fn new(engine: impl Sikou + 'static) -> Gui {
        Gui::with_settings(engine, Settings::none())
    }

    /// The same with settings.
    pub fn with_settings(engine: impl Sikou + 'static, settings: Settings) -> Gui {
        let (input, to_read) = pipe();
        let (sender, events) = channel();
        let (engine, notes) = Watched::new(engine);
        let output = LineWriter::new(sender.clone());
        thread::spawn(move || {
            let result = usi::serve(Identity::new("Engine", "Author"), engine, settings, to_read, output);
            let _ = sender.send(Event::End(result));
        });
        Gui::begin(input, events, notes)
    }

    /// Begins a session with an engine at the other end of two streams, as those of a process.
    pub fn over(input: impl Write + Send + 'static, output: impl Read + Send + 'static) -> Gui {
        let (sender, events) = channel();
        thread::spawn(move || hand_on(output, sender));
        Gui::begin(input, events, Notes::default())
    }

    fn begin(input: impl Write + Send + 'static, events: Receiver<Event>, notes: Notes) -> Gui {
        let (referee, transcript, early) = (Referee::new(), Vec::new(), VecDeque::new());
        Gui { input: Some(Box::new(input)), events, deadline: DEADLINE, referee, transcript, early, notes }
    }

    /// The same session, in which no answer may take longer than this; 10 seconds unless set.
    #[must_use]
    pub fn deadline(self, deadline: Duration) -> Gui {
        Gui { deadline, ..self }
    }

    /// What every GUI begins with: `usi`, `isready` and `usinewgame`.
    ///
    /// # Errors
    /// As all methods here: [`Failure`] where the engine breaks a rule, is late, or gone.
    pub fn start(&mut self) -> Result<(), Failure> {
        self.send("usi")?;
        self.wait_for("usiok")?;
        self.ready()?;
        self.send("usinewgame")
    }

    /// Sends a command. The answer to each `go` has to be waited for, by [`bestmove`](Gui::bestmove) or what includes
    /// it: they are handed out in their order.
    pub fn send(&mut self, command: &str) -> Result<(), Failure> {
        // What was said before it must have been allowed before it.
        while let Ok(event) = self.events.try_recv() {
            let line = self.take(event, "a command")?;
            self.put_by(line);
        }
        self.transcript.push(format!("> {command}"));
        self.referee.sent(command);
        let input = self.input.as_mut();
        let sent = input.map(|input| input.write_all(format!("{command}\n").as_bytes()).and_then(|()| input.flush()));
        match sent {
            Some(Ok(())) => Ok(()),
            Some(Err(error)) => {
                // Why it has ended says more.
                while let Ok(event) = self.events.recv_timeout(self.deadline) {
                    let line = self.take(event, "a command")?;
                    self.put_by(line);
                }
                self.fail(format!("the engine does not listen: {error}"))
            }
            None => self.fail("the input is closed"),
        }
    }

    /// Waits for a line that begins with this word, and returns it.
    pub fn wait_for(&mut self, word: &str) -> Result<String, Failure> {
        if let Some(line) = self.early.pop_front_if(|line| first_word(line) == word) {
            return Ok(line);
        }
        let end = Instant::now() + self.deadline;
        loop {
            let event = match self.events.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) => return self.fail(format!("no {word} within {:?}", self.deadline)),
                Err(RecvTimeoutError::Disconnected) => return self.fail(format!("the engine is gone before {word}")),
            };
            let line = self.take(event, word)?;
            if first_word(&line) == word {
                return Ok(line);
            }
            self.put_by(line);
        }
    }

    /// Keeps a line, if it is an answer for which somebody will wait yet.
    fn put_by(&mut self, line: String) {
        if matches!(first_word(&line), "bestmove" | "checkmate") {
            self.early.push_back(line);
        }
    }

    /// `isready`, and waits for `readyok`: then all commands before have been dealt with.
    pub fn ready(&mut self) -> Result<(), Failure> {
        self.send("isready")?;
        self.wait_for("readyok").map(drop)
    }

    /// Sets an option that the engine has, or presses a button with an empty value.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        if !self.referee.has_option(name) {
            return self.fail(format!("the engine has printed no option {name}"));
        }
        let value = if value.is_empty() { "" } else { &format!(" value {value}") };
        self.send(&format!("setoption name {name}{value}"))
    }

    /// Sets a position: `startpos` or `sfen ...`, perhaps with `moves ...`.
    pub fn position(&mut self, position: &str) -> Result<(), Failure> {
        self.send(&format!("position {position}"))
    }

    /// `go` with these words, and waits for the move.
    pub fn go(&mut self, limits: &str) -> Result<Answer, Failure> {
        self.send(&format!("go {limits}"))?;
        self.bestmove()
    }

    /// `go mate` with these words, and waits for the answer.
    pub fn go_mate(&mut self, limits: &str) -> Result<MateAnswer, Failure> {
        self.send(&format!("go mate {limits}"))?;
        self.checkmate()
    }

    /// `stop`, and waits for the move.
    pub fn stop(&mut self) -> Result<Answer, Failure> {
        self.send("stop")?;
        self.bestmove()
    }

    /// `ponderhit`, and waits for the move.
    pub fn ponderhit(&mut self) -> Result<Answer, Failure> {
        self.send("ponderhit")?;
        self.bestmove()
    }

    /// Waits for the move of a search that was sent.
    pub fn bestmove(&mut self) -> Result<Answer, Failure> {
        let line = self.wait_for("bestmove")?;
        let words: Vec<&str> = line.split_ascii_whitespace().skip(1).collect();
        let te = |word: &str| read_te(word).map_err(|what| Failure::new(what, &self.transcript));
        match words[..] {
            ["resign"] => Ok(Answer::Resign),
            ["win"] => Ok(Answer::Win),
            [first, _, ponder] => Ok(Answer::Play { te: te(first)?, ponder: Some(te(ponder)?) }),
            [first, ..] => te(first).map(Answer::from),
            [] => self.fail("a bestmove without a move"),
        }
    }

    /// Waits for the answer to a `go mate` that was sent.
    pub fn checkmate(&mut self) -> Result<MateAnswer, Failure> {
        let line = self.wait_for("checkmate")?;
        let words: Vec<&str> = line.split_ascii_whitespace().skip(1).collect();
        Ok(match words[..] {
            ["nomate"] => MateAnswer::NoMate,
            ["timeout"] => MateAnswer::Timeout,
            ["notimplemented"] => MateAnswer::NotImplemented,
            _ => {
                let moves = words.iter().map(|word| read_te(word)).collect::<Result<_, _>>();
                MateAnswer::Checkmate(moves.map_err(|what| Failure::new(what, &self.transcript))?)
            }
        })
    }

    /// `quit`, and waits for the end, before which a move that is still owed may come.
    pub fn quit(mut self) -> Result<(), Failure> {
        self.send("quit")?;
        self.end()
    }

    /// Closes the input, as a GUI does that ends without a word, and waits for the end.
    pub fn close(mut self) -> Result<(), Failure> {
        // All answers may come now, as after a quit.
        self.referee.sent("quit");
        self.end()
    }

    fn end(&mut self) -> Result<(), Failure> {
        self.input = None;
        let end = Instant::now() + self.deadline;
        loop {
            match self.events.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(Event::End(Ok(()))) if self.notes.is_thinking() => {
                    return self.fail("the engine thinks beyond the end");
                }
                Ok(Event::End(Ok(()))) | Err(RecvTimeoutError::Disconnected) => break,
                Ok(event) => self.take(event, "the end")?,
                Err(RecvTimeoutError::Timeout) => return self.fail(format!("no end within {:?}", self.deadline)),
            };
        }
        self.notes.fault().map_or(Ok(()), |fault| self.fail(fault))
    }

    /// All lines so far: to the engine after `> `, from it after `< `.
    pub fn transcript(&self) -> &[String] {
        &self.transcript
    }

    /// Takes what comes from the engine while something is waited for; a line, if it is by the rules.
    fn take(&mut self, event: Event, wanted: &str) -> Result<String, Failure> {
        let line = match event {
            Event::Line(line) => line,
            Event::End(Ok(())) => return self.fail(format!("the session ended, and {wanted} was wanted")),
            Event::End(Err(error)) => return self.fail(format!("the session ended: {error}")),
        };
        self.transcript.push(format!("< {line}"));
        if let Some(fault) = self.notes.fault() {
            return self.fail(fault);
        }
        match self.referee.heard(&line) {
            Ok(()) => Ok(line),
            Err(what) => self.fail(format!("{what}: {line:?}")),
        }
    }

    /// Fails, with the fault of the engine as the reason if it is known by now.
    fn fail<T>(&self, what: impl Into<String>) -> Result<T, Failure> {
        Err(Failure::new(self.notes.fault().unwrap_or_else(|| what.into()), &self.transcript))
    }
}

fn first_word(line: &str) -> &str {
    line.split_ascii_whitespace().next().unwrap_or_default()
}

fn hand_on(mut output: impl Read, events: Sender<Event>) {
    let mut lines = LineWriter::new(events);
    let result = io::copy(&mut output, &mut lines).map(drop);
    lines.end(result);
}
