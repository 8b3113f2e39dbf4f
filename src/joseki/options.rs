//! How books are read and written, where formats leave a choice.

use crate::kyokumen::Kyokumen;

/// How a book is read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Further positions to start from in books that have keys in place of positions, besides those that the format
    /// itself starts from.
    pub roots: Vec<Kyokumen>,
}

/// How a book is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// Where the numbers come from, in plain text; formats without a place for it leave it out.
    pub provenance: String,
    /// In a `.db`, nothing but what every reader of the format understands.
    pub plain: bool,
}
