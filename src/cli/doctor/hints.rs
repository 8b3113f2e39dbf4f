//! What files and names that don't work may be.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use encoding_rs::SHIFT_JIS;

use komadai::kifu;

/// So much of a file tells what it is.
const START: u64 = 4096;

/// What a file that is no book is instead, and what to do then.
pub fn of_content(path: &Path) -> Option<&'static str> {
    // A pipe would be waited for for ever.
    if !path.metadata().ok()?.is_file() {
        return None;
    }
    let mut start = Vec::new();
    File::open(path).and_then(|file| file.take(START).read_to_end(&mut start)).ok()?;
    let archives: [&[u8]; 4] = [b"PK\x03\x04", b"7z\xbc\xaf\x27\x1c", b"Rar!", b"\x1f\x8b"];
    if archives.iter().any(|magic| start.starts_with(magic)) {
        return Some("it is an archive: unpack it, and name the book that was in it");
    }
    let text = match std::str::from_utf8(&start) {
        Ok(text) => text.into(),
        Err(_) => SHIFT_JIS.decode_without_bom_handling(&start).0,
    };
    let head = text.trim_start_matches('\u{feff}').trim_start().to_lowercase();
    if head.starts_with("<!doctype") || head.starts_with("<html") {
        return Some("it is a page of the web, saved in place of the book: download the book itself");
    }
    if kifu::recognise(&text).is_ok() {
        return Some("it holds games: make a book of it by `komadai joseki build`");
    }
    None
}

/// What is suspicious about the name of a file that is not there.
pub fn of_name(name: &str) -> Option<&'static str> {
    if name.contains('\u{fffd}') {
        return Some("the name was neither in UTF-8 nor in CP932: save komadai.ini in UTF-8");
    }
    if name.contains('?') {
        return Some(
            "the ? stands perhaps for a letter that the GUI can't send: rename the file, or name it in komadai.ini",
        );
    }
    None
}

/// Whether GUIs that speak CP932, the encoding of Japanese Windows, can name a file so.
pub fn fits_cp932(name: &str) -> bool {
    !SHIFT_JIS.encode(name).2
}
