//! What is shown on a terminal while long work is done, and how it is broken off.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Once, OnceLock};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use komadai::joseki::JosekiError;
use komadai::joseki::copy::Watch;

use crate::cli::tell;

/// Work that takes less time shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// What is shown while books are copied.
pub const COPYING: &str = "{bar:30} {percent}% {msg}in {elapsed}";

/// A line that shows how far the work is, from its second second on; nothing where nobody sees it.
pub struct Progress {
    bar: ProgressBar,
    start: Instant,
    shown: Once,
    /// The number of all positions, once it is known: then the bar shows how many are written.
    writing: OnceLock<u64>,
    stops: Arc<AtomicBool>,
    /// Whether Ctrl-C may end the process at once.
    reads: Arc<AtomicBool>,
}

impl Progress {
    /// Text in the style of indicatif, such as `reading games: {bytes} in {elapsed}`.
    pub fn new(text: &str) -> Progress {
        Progress::with(text, Arc::default())
    }

    fn with(text: &str, stops: Arc<AtomicBool>) -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(&format!("{{spinner}} {text}")) {
            bar.set_style(style);
        }
        Progress {
            bar,
            start: Instant::now(),
            shown: Once::new(),
            writing: OnceLock::new(),
            stops,
            reads: Arc::default(),
        }
    }

    /// For making books of books. From now on Ctrl-C breaks the work off in order; a second time it ends the process.
    pub fn of_copying() -> Progress {
        let progress = Progress::new(COPYING);
        let stops = progress.stops.clone();
        // Where no handler can be set, Ctrl-C ends the process at once, which leaves a temporary file at worst.
        let _ = ctrlc::set_handler(move || {
            if stops.swap(true, Relaxed) {
                std::process::exit(130);
            }
        });
        progress
    }

    /// For building a book of records. As long as only they are read, which may wait for ever for a pipe, Ctrl-C ends
    /// the process at once, for nothing is on the disk yet that has a name; [`Progress::next`] says that this is over.
    pub fn of_building(text: &str) -> Progress {
        let progress = Progress::new(text);
        let (stops, reads) = (progress.stops.clone(), progress.reads.clone());
        let _ = ctrlc::set_handler(move || {
            if reads.load(Relaxed) {
                tell(&JosekiError::Stopped.to_string());
                std::process::exit(1);
            }
            if stops.swap(true, Relaxed) {
                std::process::exit(130);
            }
        });
        progress.reads.store(true, Relaxed);
        progress
    }

    /// A line for the next part of the work, that is broken off by the same Ctrl-C.
    pub fn next(&self, text: &str) -> Progress {
        self.reads.store(false, Relaxed);
        Progress::with(text, self.stops.clone())
    }

    /// So much is to be done.
    pub fn set_length(&self, length: u64) {
        self.bar.set_length(length);
    }

    /// So much more is done.
    pub fn add(&self, more: u64) {
        self.show();
        self.bar.inc(more);
    }

    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn show(&self) {
        if self.start.elapsed() >= PATIENCE && std::io::stderr().is_terminal() {
            self.shown.call_once(|| {
                self.bar.set_draw_target(ProgressDrawTarget::stderr());
                self.bar.enable_steady_tick(Duration::from_millis(200));
            });
        }
    }
}

impl Watch for Progress {
    fn stops(&self) -> bool {
        self.stops.load(Relaxed)
    }

    fn read(&self, done: u64, of: u64) {
        self.show();
        if self.writing.get().is_none() {
            self.bar.set_length(of);
            self.bar.set_position(done);
        }
    }

    fn written(&self, done: u64, of: Option<u64>) {
        self.show();
        if let Some(of) = of {
            self.bar.set_length(*self.writing.get_or_init(|| of));
            self.bar.set_position(done);
        }
        if done.is_multiple_of(1 << 16) {
            self.bar.set_message(format!("{done} positions written "));
        }
    }
}
