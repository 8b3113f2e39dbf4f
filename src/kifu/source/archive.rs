//! Members of a `.zip`, each of which can be read by another thread.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;

use flate2::CrcReader;
use flate2::bufread::DeflateDecoder;
use parking_lot::Mutex;
use zip::{CompressionMethod, ZipArchive};

use crate::text;

/// Bytes of the archive that are read at once.
const BUFFER: u64 = 1 << 16;

/// The file with the members.
pub(super) struct Archive(Mutex<File>);

/// A member, as the list at the end of the archive has it.
pub(super) struct Member {
    /// Where its own header begins.
    header: u64,
    compressed: u64,
    length: u64,
    sum: u32,
    method: CompressionMethod,
    encrypted: bool,
}

/// A member with its name.
pub(super) type Named = (String, Member);

/// What is listed of an archive.
pub(super) struct Listing {
    pub(super) archive: Arc<Archive>,
    /// The members that are files, sorted by their names.
    pub(super) members: Vec<Named>,
    /// Whether of members of the same name only the last is there.
    pub(super) lacks_some: bool,
}

/// Lists the members.
pub(super) fn list(file: File) -> io::Result<Listing> {
    let zip = ZipArchive::new(BufReader::new(file)).map_err(io::Error::other)?;
    let mut members = Vec::with_capacity(zip.len());
    for index in 0..zip.len() {
        let entry = zip.by_index_data(index).map_err(io::Error::other)?;
        if entry.is_dir() {
            continue;
        }
        let member = Member {
            header: entry.header_start(),
            compressed: entry.compressed_size(),
            length: entry.size(),
            sum: entry.crc32(),
            method: entry.compression(),
            encrypted: entry.encrypted(),
        };
        members.push((text::decode(entry.name_raw()).into_owned(), member));
    }
    members.sort_by(|(a, _), (b, _)| a.cmp(b));
    let lacks_some = zip.has_duplicate_names();
    Ok(Listing { archive: Arc::new(Archive(Mutex::new(zip.into_inner().into_inner()))), members, lacks_some })
}

impl Member {
    /// Its length, or in the archive, if that is more.
    pub(super) fn length(&self) -> u64 {
        self.length.max(self.compressed)
    }

    /// Its content. Where the sum over it is wrong, reading ends in an error.
    pub(super) fn open(&self, archive: &Arc<Archive>) -> io::Result<Box<dyn Read + Send>> {
        if self.encrypted {
            return Err(io::Error::other("it is encrypted"));
        }
        let start = self.start(archive)?;
        let section = Section { archive: archive.clone(), at: start, end: start.saturating_add(self.compressed) };
        let section = BufReader::with_capacity(self.compressed.clamp(1, BUFFER) as usize, section);
        match self.method {
            CompressionMethod::Stored => Ok(Box::new(self.checked(section))),
            CompressionMethod::DEFLATE => Ok(Box::new(self.checked(DeflateDecoder::new(section)))),
            method => Err(io::Error::other(format!("it is compressed by {method:?}, which can't be read"))),
        }
    }

    /// Where its content begins: behind its own header, whose length differs from that in the list.
    fn start(&self, archive: &Archive) -> io::Result<u64> {
        let mut header = [0; 30];
        let mut section = Section { archive, at: self.header, end: u64::MAX };
        section.read_exact(&mut header)?;
        if header[..4] != *b"PK\x03\x04" {
            return Err(io::Error::other("it is not where the archive says"));
        }
        let word = |at: usize| u64::from(u16::from_le_bytes([header[at], header[at + 1]]));
        Ok(section.at + word(26) + word(28))
    }

    fn checked<R: Read>(&self, input: R) -> Checked<R> {
        Checked { input: CrcReader::new(input), sum: self.sum, left: self.length }
    }
}

/// A part of the archive. Others may read other parts in between.
struct Section<A> {
    archive: A,
    at: u64,
    end: u64,
}

impl<A: std::ops::Deref<Target = Archive>> Read for Section<A> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let room = usize::try_from(self.end - self.at).unwrap_or(usize::MAX).min(bytes.len());
        let mut file = self.archive.0.lock();
        file.seek(SeekFrom::Start(self.at))?;
        let read = file.read(&mut bytes[..room])?;
        self.at += read as u64;
        Ok(read)
    }
}

/// Content of a known length, with a sum over it.
struct Checked<R> {
    input: CrcReader<R>,
    sum: u32,
    left: u64,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(bytes)?;
        let damaged =
            || io::Error::new(io::ErrorKind::InvalidData, "it is damaged: its sum is not that of the archive");
        self.left = self.left.checked_sub(read as u64).ok_or_else(damaged)?;
        let at_end = read == 0 && !bytes.is_empty();
        if at_end && (self.left > 0 || self.input.crc().sum() != self.sum) { Err(damaged()) } else { Ok(read) }
    }
}
