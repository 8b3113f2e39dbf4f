//! What every format offers for writing, where it is known only when the program runs which format it is to be.
//!
//! Without the workshop nobody needs that: each format's own writer is public.

use std::path::Path;

use super::{DbOptions, DbWriter, Entry, Format, JosekiError, WriteOptions, Written, apery, own, psb, sbk, ybb};
use crate::kyokumen::PackedKyokumen;

/// A book that is being written.
///
/// Positions come in the ascending order of [`Output::sort_key`], each once; whoever calls sees to that. The file takes
/// its name in [`Output::finish`], and what stood there before stays until then.
pub(super) trait Output: Send + Sync {
    /// Appends to `key` the bytes by whose order positions of this format are sorted.
    fn sort_key(&self, packed: &PackedKyokumen, key: &mut Vec<u8>);

    /// Adds a position. What the format can't hold of it is left out and counted.
    ///
    /// # Errors
    /// [`JosekiError::Write`] where the position is out of order or the disk is full.
    fn push(&mut self, packed: &PackedKyokumen, entry: &Entry) -> Result<(), JosekiError>;

    /// The same where what [`Output::sort_key`] gives is at hand; formats whose key is text need not write it again.
    ///
    /// # Errors
    /// As [`Output::push`].
    fn push_keyed(&mut self, _key: &[u8], packed: &PackedKyokumen, entry: &Entry) -> Result<(), JosekiError> {
        self.push(packed, entry)
    }

    /// Completes the file and gives it its name. What it could not hold stands in what is returned, for much of that is
    /// known only now.
    ///
    /// # Errors
    /// [`JosekiError::Write`] where the file can't be completed.
    fn finish(self: Box<Self>) -> Result<Written, JosekiError>;
}

impl Format {
    /// Starts a book of this format; `None` where it can be read only.
    pub(super) fn create(self, target: &Path, options: &WriteOptions) -> Option<Result<Box<dyn Output>, JosekiError>> {
        let provenance = &options.provenance;
        match self {
            Format::Own => Some(own::Writer::create(target, provenance).map(|writer| Box::new(writer) as _)),
            Format::Db => Some(create_db(target, options)),
            Format::Psb => Some(psb::Writer::create(target, provenance).map(|writer| Box::new(writer) as _)),
            Format::Sbk => Some(sbk::Writer::create(target, provenance).map(|writer| Box::new(writer) as _)),
            Format::Ybb => Some(ybb::Writer::create(target, provenance).map(|writer| Box::new(writer) as _)),
            Format::Apery => Some(apery::Writer::create(target, provenance).map(|writer| Box::new(writer) as _)),
            Format::LesserKai => None,
        }
    }
}

fn create_db(target: &Path, options: &WriteOptions) -> Result<Box<dyn Output>, JosekiError> {
    let mut writer = DbWriter::create(target, DbOptions { plain: options.plain, ..DbOptions::default() })?;
    writer.leave_out_provenance(&options.provenance);
    Ok(Box::new(writer))
}
