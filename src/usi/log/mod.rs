//! The log file: the protocol both ways with times, and remarks; those that any code makes by the macros of the `log`
//! crate included, an engine author's too.
//!
//! A line is the date and time in UTC, the number of the process, `>` for what came, `<` for what went, `#` for a
//! remark, then the text in UTF-8. Lines wait in memory of bounded size until a thread of its own has written them, so
//! that no disk ever delays a move: see [`pending`]. The files, of which old ones are kept, are the business of
//! [`files`].

mod files;
mod pending;
mod stamp;

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use crate::text;

pub(super) use files::Files;
use pending::{Batch, Pending};

/// A log that all parts of a session share; it writes nothing until it is [opened](Log::open).
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    desk: Arc<Mutex<Option<Arc<Desk>>>>,
    /// What was received behind each command that changes the log, as long as the session has not come to it.
    held: Arc<Mutex<VecDeque<Pending>>>,
}

/// Where lines are handed to the thread that writes them.
#[derive(Debug, Default)]
struct Desk {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    pending: Pending,
    /// Nothing more will come.
    closing: bool,
    /// The thread has written all that it ever will.
    done: bool,
}

/// Where lines end up.
trait Store: Send {
    /// Adds whole lines in one piece.
    fn append(&mut self, lines: &[u8]) -> io::Result<()>;
}

/// Remarks that are more detailed are left out.
const MOST_DETAILED: log::LevelFilter = log::LevelFilter::Debug;

/// How long the end of a log waits for a disk that does not answer.
const PATIENCE: Duration = Duration::from_secs(2);

impl Log {
    /// Writes to this file from now on, after what it holds already. If it can't be written later on, `tell` hears why,
    /// once, from another thread.
    ///
    /// # Errors
    /// Where the file can't be opened; then nothing is written any more.
    pub fn open(&self, path: &Path, tell: impl FnOnce(io::Error) + Send + 'static) -> io::Result<()> {
        self.close();
        self.start(Files::open(path)?, tell)?;
        let (version, instructions) = (env!("CARGO_PKG_VERSION"), crate::kyokumen::instruction_set());
        let (system, processor) = (std::env::consts::OS, std::env::consts::ARCH);
        self.note(&format!("komadai {version} for {system} {processor}, {instructions}, opened this log"));
        Ok(())
    }

    fn start(&self, store: impl Store + 'static, tell: impl FnOnce(io::Error) + Send + 'static) -> io::Result<()> {
        let desk = Arc::new(Desk::default());
        let theirs = Arc::clone(&desk);
        thread::Builder::new().name("log".into()).spawn(move || theirs.write_all(store, tell))?;
        *self.desk.lock() = Some(desk);
        Ok(())
    }

    /// Ends the log; all lines are in the file then, unless the disk takes longer than anybody would wait for.
    pub fn close(&self) {
        // Taken out first: the thread is waited for while others may go on, who then find no log.
        let desk = self.desk.lock().take();
        if let Some(desk) = desk {
            desk.close();
        }
    }

    /// Takes the remarks that are made anywhere in this program by the macros of the `log` crate, unless another logger
    /// takes them already.
    pub fn take_all_remarks(&self) {
        if log::set_boxed_logger(Box::new(self.clone())).is_ok() {
            log::set_max_level(MOST_DETAILED);
        }
    }

    /// Keeps what is received from now on for the log that the session is about to open, by a command that has been
    /// received, but not been obeyed yet.
    pub fn hold(&self) {
        self.held.lock().push_back(Pending::default());
    }

    /// The session has obeyed: what was kept goes to the log that is open now. Without one it is forgotten.
    pub fn release(&self) {
        let mut held = self.held.lock();
        let Some(lines) = held.pop_front() else { return };
        let desk = self.desk.lock().clone();
        if let Some(desk) = desk {
            desk.state.lock().pending.append(lines);
            desk.changed.notify_all();
        }
    }

    pub fn received(&self, line: &[u8]) {
        if let Some(held) = self.held.lock().back_mut() {
            return held.add('>', &text::decode(line));
        }
        self.write('>', || text::decode(line));
    }

    pub fn sent(&self, line: &str) {
        self.write('<', || line);
    }

    pub fn note(&self, text: &str) {
        self.write('#', || text);
    }

    fn write<T: AsRef<str>>(&self, mark: char, text: impl FnOnce() -> T) {
        let desk = self.desk.lock().clone();
        if let Some(desk) = desk {
            let text = text();
            desk.state.lock().pending.add(mark, text.as_ref());
            desk.changed.notify_all();
        }
    }
}

impl Desk {
    /// The work of the thread: hands lines to the store as they come, until the log is closed.
    fn write_all(&self, mut store: impl Store, tell: impl FnOnce(io::Error)) {
        let mut tell = Some(tell);
        loop {
            let (batch, last) = self.next();
            if let Err(error) = store.append(&batch.text) {
                self.state.lock().pending.lose(&batch);
                if let Some(tell) = tell.take() {
                    tell(error);
                }
            }
            if last {
                break;
            }
        }
        self.state.lock().done = true;
        self.changed.notify_all();
    }

    /// What waits to be written; waits for something. The last time it may be nothing.
    fn next(&self) -> (Batch, bool) {
        let mut state = self.state.lock();
        while state.pending.is_empty() && !state.closing {
            self.changed.wait(&mut state);
        }
        let last = state.closing;
        (state.pending.take(last), last)
    }

    fn close(&self) {
        let deadline = Instant::now() + PATIENCE;
        let mut state = self.state.lock();
        state.closing = true;
        self.changed.notify_all();
        while !state.done && !self.changed.wait_until(&mut state, deadline).timed_out() {}
    }
}

impl log::Log for Log {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.level() <= MOST_DETAILED && self.desk.lock().is_some()
    }

    fn log(&self, record: &log::Record<'_>) {
        if record.level() <= MOST_DETAILED {
            self.write('#', || format!("{} {}: {}", record.level(), record.target(), record.args()));
        }
    }

    /// Lines are written as they come.
    fn flush(&self) {}
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    /// What a line says, without its time and process.
    fn said(line: &str) -> &str {
        line.splitn(4, ' ').nth(3).unwrap()
    }

    fn no_trouble(error: io::Error) {
        panic!("{error}")
    }

    #[test]
    fn lines_are_in_the_file_once_the_log_is_closed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("komadai.log");
        let log = Log::default();
        log.sent("lost: not open yet");
        log.open(&path, no_trouble).unwrap();
        log.received(b"usi\r");
        log.sent("usiok");
        log::Log::log(
            &log,
            &log::Record::builder().level(log::Level::Warn).target("me").args(format_args!("!")).build(),
        );
        log::Log::log(&log, &log::Record::builder().level(log::Level::Trace).args(format_args!("no")).build());
        log.received(b"setoption name BookFile value \x92\xe8\x90\xd5.db");
        log.close();
        log.sent("lost: closed");
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().map(said).collect();
        assert!(lines[0].starts_with("# komadai "), "{}", lines[0]);
        assert_eq!(lines[1..], ["> usi", "< usiok", "# WARN me: !", "> setoption name BookFile value 定跡.db"]);
    }

    #[test]
    fn a_file_that_can_not_be_opened_is_an_error() {
        assert!(Log::default().open(Path::new("/no such folder/komadai.log"), no_trouble).is_err());
    }

    /// A disk that takes lines only when it is told to, and then does as it is told.
    struct Disk {
        entered: Sender<Vec<u8>>,
        results: Receiver<io::Result<()>>,
    }

    impl Store for Disk {
        fn append(&mut self, lines: &[u8]) -> io::Result<()> {
            self.entered.send(lines.to_owned()).unwrap();
            self.results.recv().unwrap()
        }
    }

    /// A log on such a disk, what arrives there, and the answers to it; last the errors that were told.
    type Watched = (Log, Receiver<Vec<u8>>, Sender<io::Result<()>>, Receiver<io::Error>);

    fn on_disk() -> Watched {
        let (entered, arrived) = channel();
        let (answers, results) = channel();
        let (tell, told) = channel();
        let log = Log::default();
        log.start(Disk { entered, results }, move |error| tell.send(error).unwrap()).unwrap();
        (log, arrived, answers, told)
    }

    fn lines(bytes: &[u8]) -> Vec<String> {
        std::str::from_utf8(bytes).unwrap().lines().map(|line| said(line).to_owned()).collect()
    }

    #[test]
    fn a_disk_that_can_not_keep_up_costs_lines_which_are_counted_and_no_time() {
        let (log, arrived, answers, _) = on_disk();
        log.sent("first");
        assert_eq!(lines(&arrived.recv().unwrap()), ["< first"]);
        // The disk is busy now for as long as we like, and nobody waits for it.
        let line = "x".repeat(1000);
        let number = 5000;
        (0..number).for_each(|_| log.sent(&line));
        answers.send(Ok(())).unwrap();
        let kept = lines(&arrived.recv().unwrap());
        assert!(kept.len() < number && kept.iter().all(|kept| kept[2..] == line), "{}", kept.len());
        log.sent("afterwards");
        answers.send(Ok(())).unwrap();
        let next = lines(&arrived.recv().unwrap());
        assert_eq!(next, [format!("# {} lines are left out here", number - kept.len()), "< afterwards".to_owned()]);
        answers.send(Ok(())).unwrap();
        answers.send(Ok(())).unwrap();
        log.close();
        assert!(arrived.recv().unwrap().is_empty(), "nothing was left to write");
    }

    #[test]
    fn what_was_left_out_at_the_end_is_counted_too() {
        let (log, arrived, answers, _) = on_disk();
        log.sent("first");
        arrived.recv().unwrap();
        (0..5000).for_each(|_| log.sent("x"));
        (0..5000).for_each(|_| log.sent(&"x".repeat(1000)));
        (0..3).for_each(|_| answers.send(Ok(())).unwrap());
        log.close();
        let kept: Vec<String> = arrived.iter().flat_map(|batch| lines(&batch)).collect();
        let written = kept.iter().filter(|line| line.starts_with('<')).count();
        assert!(kept.last().unwrap().ends_with(" lines are left out here"), "{kept:?}");
        assert_eq!((kept.len() - written, written + left_out(&kept)), (1, 10_000));
    }

    /// How many lines are left out, as the log tells it.
    fn left_out(lines: &[String]) -> usize {
        let number = |line: &String| line.strip_prefix("# ")?.split(' ').next()?.parse::<usize>().ok();
        lines.iter().filter_map(number).sum()
    }

    #[test]
    fn a_full_disk_is_told_once_and_the_log_goes_on_when_it_has_room_again() {
        let (log, arrived, answers, told) = on_disk();
        for number in 0..3 {
            log.sent(&number.to_string());
            assert!(lines(&arrived.recv().unwrap()).contains(&format!("< {number}")));
            answers.send(Err(io::ErrorKind::StorageFull.into())).unwrap();
        }
        log.sent("room");
        (0..2).for_each(|_| answers.send(Ok(())).unwrap());
        log.close();
        let kept: Vec<String> = arrived.iter().flat_map(|batch| lines(&batch)).collect();
        assert!(kept.contains(&"< room".to_owned()) && left_out(&kept) == 3, "{kept:?}");
        assert_eq!(told.iter().map(|error| error.kind()).collect::<Vec<_>>(), [io::ErrorKind::StorageFull]);
    }
}
