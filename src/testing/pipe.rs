//! The two ends of a session in memory, and lines from a stream.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::mem;
use std::sync::mpsc::{Receiver, Sender, channel};

/// What comes from an engine.
#[derive(Debug)]
pub(super) enum Event {
    /// A line without its end.
    Line(String),
    /// No more lines.
    End(io::Result<()>),
}

/// A pipe in memory. When the writer is dropped the reader comes to the end.
pub(super) fn pipe() -> (PipeWriter, PipeReader) {
    let (sender, chunks) = channel();
    (PipeWriter { chunks: sender }, PipeReader { chunks, rest: VecDeque::new() })
}

pub(super) struct PipeWriter {
    chunks: Sender<Vec<u8>>,
}

impl Write for PipeWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.chunks.send(bytes.to_vec()).map_err(|_| ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(super) struct PipeReader {
    chunks: Receiver<Vec<u8>>,
    rest: VecDeque<u8>,
}

impl Read for PipeReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.rest.is_empty() {
            match self.chunks.recv() {
                Ok(chunk) => self.rest.extend(chunk),
                Err(_) => return Ok(0),
            }
        }
        self.rest.read(buffer)
    }
}

/// Hands on whole lines, each without its end.
pub(super) struct LineWriter {
    events: Sender<Event>,
    line: Vec<u8>,
}

impl LineWriter {
    pub fn new(events: Sender<Event>) -> LineWriter {
        LineWriter { events, line: Vec::new() }
    }

    /// A last line without its end counts too.
    pub fn end(mut self, result: io::Result<()>) {
        if !self.line.is_empty() {
            let _ = self.write(b"\n");
        }
        let _ = self.events.send(Event::End(result));
    }
}

impl Write for LineWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte != b'\n' {
                self.line.push(byte);
                continue;
            }
            let mut line = mem::take(&mut self.line);
            line.pop_if(|last| *last == b'\r');
            let line = String::from_utf8_lossy(&line).into_owned();
            self.events.send(Event::Line(line)).map_err(|_| ErrorKind::BrokenPipe)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_come_out_of_a_pipe_until_it_is_closed() {
        let (mut writer, mut reader) = pipe();
        for chunk in ["us", "", "i\n"] {
            writer.write_all(chunk.as_bytes()).unwrap();
        }
        drop(writer);
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "usi\n");
    }

    #[test]
    fn lines_are_handed_on_whole_and_the_last_one_needs_no_end() {
        let (sender, events) = channel();
        let mut lines = LineWriter::new(sender);
        for part in ["us", "iok\r\nready", "ok\n\nlast"] {
            lines.write_all(part.as_bytes()).unwrap();
        }
        lines.end(Ok(()));
        let text: Vec<String> = events
            .iter()
            .map(|event| match event {
                Event::Line(line) => line,
                Event::End(result) => format!("{result:?}"),
            })
            .collect();
        assert_eq!(text, ["usiok", "readyok", "", "last", "Ok(())"]);
    }
}
