//! Opening a file or the member of an archive, whatever it is.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::read::MultiGzDecoder;

use super::archive::{self, Archive, Listing, Member};
use super::document::{CHUNK, Document};
use super::listing::Listed;
use super::{SMALL, SourceError, stdin_name};

/// The first bytes of what gzip wrote, of a member of a `.zip`, and of a `.zip` without any.
const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZIP: [&[u8; 4]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// Something to be opened.
pub(super) struct Item {
    pub(super) name: Arc<Path>,
    /// Its length, as far as it is known.
    pub(super) length: u64,
    named: bool,
    place: Place,
}

enum Place {
    Stdin,
    File,
    Member(Arc<Archive>, Member),
    /// Something that is known to be unreadable, and why.
    Lost(&'static str),
}

/// What is in it.
pub(super) enum Opened {
    Document(Document),
    Members(Vec<Item>),
}

impl From<Listed> for Item {
    fn from(listed: Listed) -> Item {
        if listed.is_stdin() {
            Item { name: stdin_name(), length: listed.length, named: true, place: Place::Stdin }
        } else {
            Item { name: listed.path.into(), length: listed.length, named: listed.named, place: Place::File }
        }
    }
}

impl Item {
    pub(super) fn open(self) -> Result<Opened, SourceError> {
        let name = self.name.clone();
        let (missing, capacity) = (self.named, usize::try_from(self.length).unwrap_or(CHUNK).min(CHUNK));
        let failure = |missing, source| SourceError { path: name.to_path_buf(), missing, source };
        let (mut input, is_member): (Box<dyn Read + Send>, bool) = match self.place {
            Place::Stdin => (Box::new(io::stdin()), false),
            Place::File => {
                let mut file = File::open(&self.name).map_err(|source| failure(missing, source))?;
                if self.length <= SMALL || !is_zip(&mut file).unwrap_or(false) {
                    (Box::new(file), false)
                } else {
                    return members(file, &self.name).map_err(|source| failure(false, source));
                }
            }
            Place::Lost(what) => return Err(failure(false, io::Error::other(what))),
            Place::Member(archive, member) => (member.open(&archive).map_err(|source| failure(false, source))?, true),
        };
        let mut start = Vec::with_capacity(4);
        if let Err(source) = input.by_ref().take(4).read_to_end(&mut start) {
            return Err(failure(missing, source));
        }
        let zipped = ZIP.iter().any(|magic| start == **magic);
        let gzipped = start.starts_with(&GZIP);
        let whole = Cursor::new(start).chain(input);
        if zipped && is_member {
            return Err(failure(false, io::Error::other("an archive inside another is not looked into")));
        }
        if zipped {
            return spooled(whole).and_then(|file| members(file, &name)).map_err(|source| failure(false, source));
        }
        let whole = BufReader::with_capacity(capacity.max(1 << 12), whole);
        let input: Box<dyn Read + Send> = if gzipped { Box::new(MultiGzDecoder::new(whole)) } else { Box::new(whole) };
        Ok(Opened::Document(Document::new(name, input)))
    }
}

/// Whether a file that can be read from the start again is a `.zip`.
fn is_zip(file: &mut File) -> io::Result<bool> {
    let mut start = Vec::with_capacity(4);
    if !file.metadata()?.is_file() {
        return Ok(false);
    }
    file.by_ref().take(4).read_to_end(&mut start)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(ZIP.iter().any(|magic| start == **magic))
}

/// What comes from a pipe or is small, as a file in which one can go to and fro.
fn spooled(mut input: impl Read) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(&mut input, &mut file)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(file)
}

/// The members of an archive, in the order of their names.
fn members(file: File, name: &Path) -> io::Result<Opened> {
    let Listing { archive, members, lacks_some } = archive::list(file)?;
    let item = |(member_name, member): (String, Member)| {
        let name: PathBuf = name.join(member_name.trim_start_matches(['/', '\\']));
        Item { name: name.into(), length: member.length(), named: false, place: Place::Member(archive.clone(), member) }
    };
    let mut items: Vec<Item> = members.into_iter().map(item).collect();
    if lacks_some {
        let what = "several members have the same name, of which only the last is read: unpack it under other names";
        items.push(Item { name: name.into(), length: 0, named: false, place: Place::Lost(what) });
    }
    Ok(Opened::Members(items))
}
