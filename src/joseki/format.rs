//! The formats, recognised by content first and by extension second.

use std::path::Path;

use super::book::Book;
use super::bytes::Bytes;
use super::{apery, db, lesserkai, own, psb, sbk, ybb};

/// A format of books.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// The own format, `.joseki`.
    Own,
    /// YaneuraOu's text format, `.db`.
    Db,
    /// ShogiGUI's format, `.sbk`.
    Sbk,
    /// PgnScanner's layout carried to shogi, `.psb`.
    Psb,
    /// YaneuraOu's binary format, `.ybb`.
    Ybb,
    /// Apery's format, `.bin`.
    Apery,
    /// LesserKai's game lines, `public.bin`; read only.
    LesserKai,
}

impl Format {
    /// The name of the format, as its files end.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Own => "joseki",
            Format::Db => "db",
            Format::Sbk => "sbk",
            Format::Psb => "psb",
            Format::Ybb => "ybb",
            Format::Apery => "bin",
            Format::LesserKai => "public.bin",
        }
    }

    /// The format that a file to be written gets by its extension; `None` for unknown ones.
    pub fn of_extension(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        let is_public = path.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case("public"));
        Some(match extension.as_str() {
            "joseki" => Format::Own,
            "db" => Format::Db,
            "sbk" => Format::Sbk,
            "psb" => Format::Psb,
            "ybb" => Format::Ybb,
            "bin" if is_public => Format::LesserKai,
            "bin" => Format::Apery,
            _ => return None,
        })
    }

    /// The extensions of all formats, as a sentence names them.
    pub const EXTENSIONS: &str = ".joseki, .db, .ybb, .bin, .sbk, .psb";

    /// The format of a file by its content; where that says nothing, by its extension.
    pub(super) fn recognise(bytes: &[u8], path: &Path) -> Option<Format> {
        if bytes.starts_with(own::MAGIC) {
            return Some(Format::Own);
        }
        if bytes.starts_with(psb::MAGIC) {
            return Some(Format::Psb);
        }
        if bytes.starts_with(ybb::FAMILY) {
            return Some(Format::Ybb);
        }
        if db::recognises(bytes) || bytes.is_empty() && Format::of_extension(path) == Some(Format::Db) {
            return Some(Format::Db);
        }
        if sbk::recognises(bytes, Format::of_extension(path) == Some(Format::Sbk)) {
            return Some(Format::Sbk);
        }
        if lesserkai::recognises(bytes) {
            return Some(Format::LesserKai);
        }
        match Format::of_extension(path) {
            // These say what is wrong with the file.
            Some(Format::Ybb) => Some(Format::Ybb),
            Some(Format::Apery | Format::LesserKai) => Some(Format::Apery),
            _ => apery::recognises(bytes).then_some(Format::Apery),
        }
    }

    /// Opens a book; the error is a sentence on what is wrong with it.
    pub(super) fn open(self, bytes: Bytes) -> Result<Box<dyn Book>, String> {
        Ok(match self {
            Format::Own => Box::new(own::Book::open(bytes)?),
            Format::Db => Box::new(db::Book::open(bytes)),
            Format::Sbk => Box::new(sbk::Book::open(bytes)?),
            Format::Psb => Box::new(psb::Book::open(bytes)?),
            Format::Ybb => Box::new(ybb::Book::open(bytes)?),
            Format::Apery => Box::new(apery::Book::open(bytes)?),
            Format::LesserKai => Box::new(lesserkai::Book::open(bytes)?),
        })
    }
}
