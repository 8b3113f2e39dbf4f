//! The log file: the protocol both ways with times, and remarks; those that any code makes by the macros of the `log`
//! crate included, an engine author's too.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;

/// A log that all parts of a session share; it writes nothing until it is [opened](Log::open).
///
/// A thread of its own does the writing. Where that can't keep up lines are left out, so that a slow disk never delays
/// a move.
#[derive(Clone, Debug, Default)]
pub(super) struct Log {
    writer: Arc<Mutex<Option<Writer>>>,
}

#[derive(Debug)]
struct Writer {
    lines: Option<SyncSender<String>>,
    thread: Option<JoinHandle<()>>,
}

/// Remarks that are more detailed are left out.
const MOST_DETAILED: log::LevelFilter = log::LevelFilter::Debug;

/// How many lines may wait to be written.
const WAITING_LINES: usize = 4096;

impl Log {
    /// Writes to this file from now on, after what it holds already.
    ///
    /// # Errors
    /// Where the file can't be opened; then nothing is written any more.
    pub fn open(&self, path: &Path) -> io::Result<()> {
        self.close();
        let file = File::options().create(true).append(true).open(path)?;
        let (lines, receiver) = sync_channel(WAITING_LINES);
        let thread = thread::Builder::new().name("log".into()).spawn(move || write(file, receiver))?;
        *self.writer.lock() = Some(Writer { lines: Some(lines), thread: Some(thread) });
        self.note(&format!("komadai {} opened this log", env!("CARGO_PKG_VERSION")));
        Ok(())
    }

    /// Ends the log; all lines are in the file then.
    pub fn close(&self) {
        // Taken out first: the writer is waited for while others may go on, who then find no log.
        let writer = self.writer.lock().take();
        drop(writer);
    }

    /// Takes the remarks that are made anywhere in this program by the macros of the `log` crate, unless another logger
    /// takes them already.
    pub fn take_all_remarks(&self) {
        if log::set_boxed_logger(Box::new(self.clone())).is_ok() {
            log::set_max_level(MOST_DETAILED);
        }
    }

    pub fn received(&self, line: &[u8]) {
        self.write(">", || String::from_utf8_lossy(line).trim_end().to_owned());
    }

    pub fn sent(&self, line: &str) {
        self.write("<", || line.to_owned());
    }

    pub fn note(&self, text: &str) {
        self.write("#", || text.to_owned());
    }

    fn write(&self, mark: &str, text: impl FnOnce() -> String) {
        if let Some(lines) = self.writer.lock().as_ref().and_then(|writer| writer.lines.as_ref()) {
            let _ = lines.try_send(format!("{} {mark} {}\n", utc_time(), text()));
        }
    }
}

impl log::Log for Log {
    fn enabled(&self, metadata: &log::Metadata<'_>) -> bool {
        metadata.level() <= MOST_DETAILED && self.writer.lock().is_some()
    }

    fn log(&self, record: &log::Record<'_>) {
        if record.level() <= MOST_DETAILED {
            self.write("#", || format!("{} {}: {}", record.level(), record.target(), record.args()));
        }
    }

    /// Lines are flushed as they come.
    fn flush(&self) {}
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.lines = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn write(file: File, lines: Receiver<String>) {
    let mut file = BufWriter::new(file);
    while let Ok(line) = lines.recv() {
        let mut result = file.write_all(line.as_bytes());
        while let Ok(line) = lines.try_recv() {
            result = result.and(file.write_all(line.as_bytes()));
        }
        if result.and(file.flush()).is_err() {
            return;
        }
    }
}

/// The time of day, UTC, in milliseconds.
fn utc_time() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = now.as_secs();
    format!("{:02}:{:02}:{:02}.{:03}", seconds / 3600 % 24, seconds / 60 % 60, seconds % 60, now.subsec_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_in_the_file_once_the_log_is_closed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("komadai.log");
        let log = Log::default();
        log.sent("lost: not open yet");
        log.open(&path).unwrap();
        log.received(b"usi\r");
        log.sent("usiok");
        log::Log::log(
            &log,
            &log::Record::builder().level(log::Level::Warn).target("me").args(format_args!("!")).build(),
        );
        log::Log::log(&log, &log::Record::builder().level(log::Level::Trace).args(format_args!("no")).build());
        log.close();
        log.sent("lost: closed");
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().map(|line| &line["00:00:00.000 ".len()..]).collect();
        assert_eq!(lines[1..], ["> usi", "< usiok", "# WARN me: !"]);
    }

    #[test]
    fn a_file_that_can_not_be_opened_is_an_error() {
        assert!(Log::default().open(Path::new("/no such folder/komadai.log")).is_err());
    }
}
