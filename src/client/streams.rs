//! Both streams of an engine, each with a thread of its own.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Instant;

/// Lines that may wait.
pub(super) const LINES: usize = 1024;
/// Bytes of a line that are kept.
const LONGEST: usize = 1 << 14;

/// A line that an engine has said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// The line, without blanks around it.
    pub text: String,
    /// When it came.
    pub at: Instant,
}

/// Lines to an engine. Writing may take for ever, so another thread does it.
pub(super) struct Input {
    pub lines: Sender<String>,
    /// For each line when its writing began, once it is written.
    pub written: Receiver<io::Result<Instant>>,
}

impl Input {
    /// Ends with the sender, or when nobody reads the stream any more.
    pub fn new(mut stream: impl Write + Send + 'static) -> io::Result<Input> {
        let (lines, to_write) = channel::<String>();
        let (sender, written) = channel();
        let write = move || {
            for line in to_write {
                let begun = Instant::now();
                let result = stream.write_all(line.as_bytes()).and_then(|()| stream.flush());
                let failed = result.is_err();
                if sender.send(result.map(|()| begun)).is_err() || failed {
                    return;
                }
            }
        };
        thread::Builder::new().name("client input".into()).spawn(write)?;
        Ok(Input { lines, written })
    }
}

/// Lines from an engine. The thread ends with the stream, or when nobody receives any more.
pub(super) fn output(stream: impl Read + Send + 'static) -> io::Result<Receiver<Said>> {
    let (sender, said) = sync_channel(LINES);
    thread::Builder::new().name("client output".into()).spawn(move || hand_on(&mut BufReader::new(stream), &sender))?;
    Ok(said)
}

/// Hands on lines as text, whatever bytes they are of.
fn hand_on(stream: &mut impl BufRead, lines: &SyncSender<Said>) {
    let mut line = Vec::new();
    while read_line(stream, &mut line) {
        let at = Instant::now();
        if lines.send(Said { text: String::from_utf8_lossy(&line).trim().to_owned(), at }).is_err() {
            return;
        }
    }
}

/// Reads the next line without its end; the last one need not have one. Of what is too long only the beginning is kept.
/// False where there is no more.
fn read_line(stream: &mut impl BufRead, line: &mut Vec<u8>) -> bool {
    line.clear();
    let mut has_begun = false;
    loop {
        let chunk = match stream.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => &[],
        };
        if chunk.is_empty() {
            return has_begun;
        }
        has_begun = true;
        let end = memchr::memchr(b'\n', chunk);
        let part = &chunk[..end.unwrap_or(chunk.len())];
        line.extend_from_slice(&part[..part.len().min(LONGEST - line.len())]);
        let used = part.len() + usize::from(end.is_some());
        stream.consume(used);
        if end.is_some() {
            return true;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use super::*;

    fn lines(bytes: &[u8], buffer: usize) -> Vec<Vec<u8>> {
        let mut stream = BufReader::with_capacity(buffer, bytes);
        let mut line = Vec::new();
        std::iter::from_fn(|| read_line(&mut stream, &mut line).then(|| line.clone())).collect()
    }

    #[test]
    fn lines_are_those_of_the_standard_library_however_they_are_chopped() {
        for bytes in [&b""[..], b"\n", b"a", b"\n\na\r\n\n", b"usi ok\nx\n\nlast", b"\xff\n\0\nab"] {
            let expected: Vec<Vec<u8>> = BufRead::split(bytes, b'\n').map(Result::unwrap).collect();
            for buffer in 1..12 {
                assert_eq!(lines(bytes, buffer), expected, "{bytes:?}");
            }
        }
    }

    #[test]
    fn a_line_of_any_length_takes_little_room_and_the_next_one_is_whole() {
        for length in [LONGEST - 1, LONGEST, LONGEST + 1, 100 << 20] {
            let bytes = io::repeat(b'x').take(length as u64).chain(&b"\nusiok\n"[..]);
            let (mut stream, mut line) = (BufReader::new(bytes), Vec::new());
            assert!(read_line(&mut stream, &mut line));
            assert_eq!(line.len(), length.min(LONGEST));
            assert!(line.capacity() <= 2 * LONGEST, "{}", line.capacity());
            assert!(read_line(&mut stream, &mut line));
            assert_eq!(line, b"usiok");
            assert!(!read_line(&mut stream, &mut line));
        }
    }

    /// A line at each read, for ever.
    struct Flood(Arc<AtomicUsize>);

    impl Read for Flood {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.fetch_add(1, SeqCst);
            b"info depth 1\n".as_slice().read(buffer)
        }
    }

    #[test]
    fn a_flood_has_to_wait_for_who_reads_it() {
        let count = Arc::new(AtomicUsize::new(0));
        let (sender, said) = sync_channel(LINES);
        let mut stream = BufReader::new(Flood(Arc::clone(&count)));
        let thread = thread::spawn(move || hand_on(&mut stream, &sender));
        for received in 1..20 * LINES {
            assert_eq!(said.recv().unwrap().text, "info depth 1");
            let read = count.load(SeqCst);
            // One more is on its way.
            assert!(read <= received + LINES + 1, "{read} lines, of which {received} were received");
        }
        drop(said);
        thread.join().unwrap();
    }

    #[test]
    fn a_line_has_the_time_at_which_it_came_and_no_bytes_that_are_no_text() {
        let before = Instant::now();
        let (sender, said) = sync_channel(LINES);
        hand_on(&mut &b" usiok\r\n\xff\x83\x5c\n\nlast"[..], &sender);
        drop(sender);
        let after = Instant::now();
        let said: Vec<Said> = said.iter().collect();
        assert!(said.iter().all(|said| before <= said.at && said.at <= after));
        assert!(said.is_sorted_by_key(|said| said.at));
        let texts: Vec<&str> = said.iter().map(|said| &*said.text).collect();
        assert_eq!(texts, ["usiok", "\u{fffd}\u{fffd}\\", "", "last"]);
    }
}
