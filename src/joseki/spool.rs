//! What a writer has to keep back until it has seen all positions, in a file without a name.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use prost::Message;

use super::folder_of;

/// A file of messages that is written once, and then read from the start any number of times.
pub(super) struct Spool {
    file: BufWriter<File>,
    buffer: Vec<u8>,
}

impl Spool {
    /// Makes one beside `target`, where the room for it is.
    pub(super) fn beside(target: &Path) -> io::Result<Spool> {
        Ok(Spool { file: BufWriter::new(tempfile::tempfile_in(folder_of(target))?), buffer: Vec::new() })
    }

    pub(super) fn push(&mut self, message: &impl Message) -> io::Result<()> {
        self.buffer.clear();
        message.encode(&mut self.buffer).map_err(io::Error::other)?;
        self.file.write_all(&(self.buffer.len() as u64).to_le_bytes())?;
        self.file.write_all(&self.buffer)
    }

    /// Hands all messages in their order to `take`.
    pub(super) fn each<M: Message + Default>(&mut self, mut take: impl FnMut(M) -> io::Result<()>) -> io::Result<()> {
        self.file.flush()?;
        let file = self.file.get_mut();
        file.seek(SeekFrom::Start(0))?;
        let mut reader = BufReader::new(file);
        let mut length = [0; 8];
        loop {
            if reader.fill_buf()?.is_empty() {
                return Ok(());
            }
            reader.read_exact(&mut length)?;
            self.buffer.resize(u64::from_le_bytes(length) as usize, 0);
            reader.read_exact(&mut self.buffer)?;
            take(M::decode(&self.buffer[..]).map_err(io::Error::other)?)?;
        }
    }
}
