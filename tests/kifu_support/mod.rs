//! What the tests of record formats share.

// Each test file uses a part of it.
#![allow(dead_code)]

use std::path::Path;

use komadai::kifu::{Game, Reading, RecordFormat, read_records};
use komadai::kyokumen::Te;

/// All that a text holds.
pub fn readings(text: &str, format: RecordFormat) -> Vec<Reading> {
    read_records(text, format, 1).collect()
}

/// The only game of a text.
pub fn only_game(text: &str, format: RecordFormat) -> Game {
    let readings = readings(text, format);
    assert_eq!(readings.len(), 1, "{text}");
    readings.into_iter().next().unwrap().game.unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Moves in USI, with blanks between.
pub fn usi(moves: &[Te]) -> String {
    moves.iter().map(Te::to_string).collect::<Vec<_>>().join(" ")
}

/// A file's text, in UTF-8 or CP932.
pub fn decoded(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap();
    String::from_utf8(bytes).unwrap_or_else(|error| encoding_rs::SHIFT_JIS.decode(error.as_bytes()).0.into_owned())
}

/// The text of a sample.
pub fn sample_text(name: &str) -> String {
    decoded(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name))
}
