//! Games of one day with the same moves, of which one counts: they are sorted, in memory of bounded size.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use parking_lot::Mutex;

use super::contribution::Contribution;
use crate::joseki::merge::{Merge, Run, Trouble};
use crate::joseki::sort::{Cursor, Row, Sorter};
use crate::kyokumen::PackedKyokumen;

/// Games that one thread gathers.
pub(super) struct Gathered<'a>(Sorter<'a>);

impl<'a> Gathered<'a> {
    pub(super) fn new(memory: usize, folder: &'a Path) -> Gathered<'a> {
        Gathered(Sorter::new(memory, folder))
    }

    /// Adds a game; `false` where it is too large for that, which none is that people or programs play.
    pub(super) fn push(&mut self, identity: [u8; 16], game: &Contribution) -> io::Result<bool> {
        let key = |bytes: &mut Vec<u8>| bytes.extend_from_slice(&identity);
        self.0.add(|bytes| Row::write_with(bytes, key, &game.start, 0, |bytes| game.encode(bytes)))
    }

    pub(super) fn finish(self) -> Vec<Cursor> {
        self.0.finish()
    }
}

/// The games of all threads, from which each is taken once.
pub(super) struct Games {
    merge: Mutex<Merge>,
    pub(super) repeated: AtomicU64,
}

/// How many games are taken at once.
const BATCH: usize = 128;

impl Games {
    pub(super) fn new(runs: Vec<Cursor>, memory: usize) -> Result<Games, Trouble> {
        let runs = runs.into_iter().map(Run::Sorted).collect();
        Ok(Games { merge: Mutex::new(Merge::new(runs, false, memory, &no_key)?), repeated: AtomicU64::new(0) })
    }

    /// The next games; none at the end.
    pub(super) fn take(&self) -> Result<Vec<Contribution>, Trouble> {
        let mut merge = self.merge.lock();
        let mut games = Vec::new();
        let (mut identity, mut best) = (Vec::new(), Vec::new());
        while games.len() < BATCH
            && let Some(row) = merge.row()
        {
            let start = PackedKyokumen(*row.packed);
            identity.clear();
            identity.extend_from_slice(row.key);
            best.clear();
            best.extend_from_slice(row.block);
            merge.advance(&no_key)?;
            // Which one of them stays must not depend on their order.
            while let Some(row) = merge.row()
                && row.key == identity
            {
                self.repeated.fetch_add(1, Relaxed);
                if row.block > &best[..] {
                    best.clear();
                    best.extend_from_slice(row.block);
                }
                merge.advance(&no_key)?;
            }
            games.extend(Contribution::decode(start, &best));
        }
        Ok(games)
    }
}

/// Games bring their keys along.
fn no_key(_: &PackedKyokumen, _: &mut Vec<u8>) {}
