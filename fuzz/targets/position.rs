//! Lines of the protocol behind `position`: none stops the session, and no search is answered twice.
//!
//! With `-- -detect_leaks=0`: a session doesn't wait for its threads, and one that is about to end looks like a leak.
#![no_main]

use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex};

use komadai::settings::Settings;
use komadai::sikou::{Answer, Sikou, Task};
use komadai::usi::{self, Identity};

struct First;

impl Sikou for First {
    fn think(&mut self, task: &mut Task<'_>) -> Answer {
        task.kyokumen.legal_te().first().copied().into()
    }
}

#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut input = b"setoption name UseBook value false\n".to_vec();
    let mut searches = 0;
    for line in bytes.split(|&byte| matches!(byte, b'\n' | b'\r')).take(4) {
        input.extend_from_slice(b"position ");
        input.extend_from_slice(line);
        input.extend_from_slice(b"\ngo depth 1\n");
        searches += 1;
    }
    let output = Output::default();
    let identity = Identity::new("Fuzzed", "Nobody");
    usi::serve(identity, First, Settings::default(), Cursor::new(input), output.clone()).unwrap();
    let text = String::from_utf8(output.0.lock().unwrap().clone()).unwrap();
    let answers = text.lines().filter(|line| line.starts_with("bestmove ")).count();
    assert!(answers <= searches, "{text}");
});
