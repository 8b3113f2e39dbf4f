//! The sending end: the only place that writes the output.

use std::fmt::Display;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use crate::kyokumen::Te;
use crate::sikou::{Bound, Line, Report, Score};

use super::log::Log;

/// Where all lines go, from the session and from the search. Clones share it.
#[derive(Clone)]
pub(super) struct Output {
    shared: Arc<Shared>,
}

struct Shared {
    writer: Mutex<Box<dyn Write + Send>>,
    failed: AtomicBool,
    log: Log,
}

impl Output {
    pub fn new(writer: impl Write + Send + 'static, log: Log) -> Output {
        let shared = Shared { writer: Mutex::new(Box::new(writer)), failed: AtomicBool::new(false), log };
        Output { shared: Arc::new(shared) }
    }

    /// Sends one line at once. What is not ASCII is escaped: GUIs disagree about encodings.
    pub fn line(&self, text: impl Display) {
        self.lines([text]);
    }

    /// Sends several lines in one piece, which wakes the reader once and not for each of them.
    pub fn lines(&self, lines: impl IntoIterator<Item = impl Display>) {
        let mut text = String::new();
        for line in lines {
            let line = ascii(line.to_string());
            self.shared.log.sent(&line);
            text.push_str(&line);
            text.push('\n');
        }
        let mut writer = self.shared.writer.lock();
        if writer.write_all(text.as_bytes()).and_then(|()| writer.flush()).is_err() {
            self.shared.failed.store(true, Ordering::Release);
        }
    }

    /// Sends a remark.
    pub fn remark(&self, text: impl Display) {
        self.line(format_args!("info string {text}"));
    }

    /// Whether nobody reads any more.
    pub fn failed(&self) -> bool {
        self.shared.failed.load(Ordering::Acquire)
    }
}

fn ascii(text: String) -> String {
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return text;
    }
    text.chars().flat_map(|c| if (' '..='~').contains(&c) { vec![c] } else { c.escape_default().collect() }).collect()
}

/// A report of the search as a line of the protocol.
pub(super) fn info(report: &Report) -> String {
    match report {
        Report::Text(text) => format!("info string {text}"),
        Report::Line(line) => info_line(line),
    }
}

fn info_line(line: &Line) -> String {
    let mut text = format!("info depth {}", line.depth);
    let mut add = |part: String| {
        text.push(' ');
        text.push_str(&part);
    };
    if line.seldepth > 0 {
        add(format!("seldepth {}", line.seldepth));
    }
    if line.multipv > 0 {
        add(format!("multipv {}", line.multipv));
    }
    if let Some(score) = line.score {
        add(format!("score {}", score_text(score)));
        match line.bound {
            Bound::Exact => {}
            Bound::Lower => add("lowerbound".into()),
            Bound::Upper => add("upperbound".into()),
        }
    }
    let ms = line.time.as_millis();
    add(format!("time {ms} nodes {}", line.nodes));
    if let Some(nps) = (u128::from(line.nodes) * 1_000_000).checked_div(line.time.as_micros()) {
        add(format!("nps {nps}"));
    }
    if let Some(hashfull) = line.hashfull {
        add(format!("hashfull {}", hashfull.min(1000)));
    }
    if !line.pv.is_empty() {
        add(format!("pv {}", moves(&line.pv)));
    }
    text
}

fn score_text(score: Score) -> String {
    match score {
        Score::Cp(value) => format!("cp {value}"),
        Score::Mate(0) => "mate -".into(),
        Score::Mate(plies) => format!("mate {plies}"),
    }
}

/// Moves with blanks between.
pub(super) fn moves(list: &[Te]) -> String {
    list.iter().map(Te::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_line_has_its_pv_last() {
        let line = Line {
            depth: 8,
            seldepth: 13,
            multipv: 1,
            score: Some(Score::Cp(-35)),
            bound: Bound::Lower,
            nodes: 5000,
            time: Duration::from_millis(250),
            hashfull: Some(4),
            pv: vec!["7g7f".parse().unwrap(), "3c3d".parse().unwrap()],
        };
        assert_eq!(
            info(&Report::Line(line)),
            "info depth 8 seldepth 13 multipv 1 score cp -35 lowerbound time 250 nodes 5000 nps 20000 hashfull 4 \
             pv 7g7f 3c3d"
        );
    }

    #[test]
    fn what_is_unknown_is_left_out() {
        assert_eq!(info(&Report::Line(Line::default())), "info depth 0 time 0 nodes 0");
        assert_eq!(score_text(Score::Mate(-4)), "mate -4");
        assert_eq!(score_text(Score::Mate(0)), "mate -");
    }

    #[test]
    fn only_printable_ascii_leaves() {
        assert_eq!(ascii("info string ok ~".into()), "info string ok ~");
        assert_eq!(ascii("定\n\0".into()), "\\u{5b9a}\\n\\u{0}");
    }

    #[test]
    fn a_closed_pipe_is_noticed() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let output = Output::new(Closed, Log::default());
        assert!(!output.failed());
        output.line("usiok");
        assert!(output.failed());
    }
}
