//! Text in the encodings that Japanese programs write: paths, settings, comments of books. Those of records, which are
//! more, are found out by `kifu::source`.

use std::borrow::Cow;
use std::path::Path;

use encoding_rs::SHIFT_JIS;

/// Text in UTF-8, or else in CP932, as programs on Japanese Windows write it.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => SHIFT_JIS.decode_without_bom_handling(bytes).0,
    }
}

/// A path for a message. Nothing in it is escaped, for on Windows that would double each backslash.
pub(crate) fn quoted(path: &Path) -> String {
    format!("\"{}\"", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_utf_8_is_cp932() {
        assert_eq!(decode("定跡.db".as_bytes()), "定跡.db");
        assert_eq!(decode(b"\x92\xe8\x90\xd5.db"), "定跡.db");
        assert_eq!(decode(b"\x83\x5c"), "ソ", "a second byte that looks like a backslash belongs to the character");
    }
}
