//! The tallies of all moves, in memory of bounded size.
//!
//! They are cut into parts by the first bits of the position's key, each behind a lock, so that threads seldom meet. A
//! part that is full is sorted and appended to a temporary file as a run. In the end the runs of a part are merged; the
//! parts, one after the other, are in the order of the own format.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::fs::File;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;

use super::contribution::Contribution;
use super::tally::Tally;
use crate::joseki::sort::{Row, Spilled};
use crate::joseki::{Entry, Writer};
use crate::kyokumen::{Kyokumen, PackedKyokumen, Te};

/// How many parts there are, by as many of the key's first bits as it takes.
pub(super) const PARTS: usize = 1 << BITS;
const BITS: u32 = 8;

/// A move in a position.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    packed: PackedKyokumen,
    te: Te,
}

/// The place where it is sorted.
type Order = (u64, PackedKyokumen, Te);

impl Place {
    fn order(&self) -> Order {
        let (key, packed) = Writer::sort_key(&self.packed);
        (key, packed, self.te)
    }
}

impl Hash for Place {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let key = Writer::sort_key(&self.packed).0;
        let te = u64::from(self.te.bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // The first bits are the same in a whole part, and a table looks at those most.
        state.write_u64((key ^ te).rotate_left(BITS + 24));
    }
}

/// Takes a number that is evenly spread as it is.
#[derive(Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 << 8 ^ u64::from(byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

type Table = HashMap<Place, Tally, BuildHasherDefault<AsItIs>>;

#[derive(Default)]
struct Part {
    table: Table,
    runs: Vec<Range<u64>>,
}

/// A temporary file for all runs.
struct Spool {
    folder: PathBuf,
    file: Option<(Arc<Mutex<File>>, u64)>,
}

/// All tallies.
pub(super) struct Tallies {
    parts: Vec<Mutex<Part>>,
    /// How many moves a part holds in memory.
    limit: usize,
    spool: Mutex<Spool>,
    hirate: (PackedKyokumen, Kyokumen),
}

impl Tallies {
    /// Uses so many bytes of memory, and a temporary file in this folder.
    pub(super) fn new(memory: usize, folder: &Path) -> Tallies {
        // A table doubles its room each time, and is then filled to seven eighths.
        let slots = memory / PARTS / (size_of::<(Place, Tally)>() + 1);
        let room = (slots + 1).next_power_of_two() / 2;
        let hirate = Kyokumen::hirate();
        Tallies {
            parts: (0..PARTS).map(|_| Mutex::default()).collect(),
            limit: (room / 8 * 7).max(3),
            spool: Mutex::new(Spool { folder: folder.to_owned(), file: None }),
            hirate: (hirate.pack().unwrap_or(PackedKyokumen([0; 32])), hirate),
        }
    }

    /// Adds the moves of a game.
    pub(super) fn add(&self, game: &Contribution) -> io::Result<()> {
        let Some(start) = game.kyokumen(&self.hirate) else { return Ok(()) };
        let mut kyokumen = start.clone();
        for (tesu, &te) in (game.tesu..).zip(&game.moves) {
            if game.movers[kyokumen.teban()]
                && let Some(packed) = kyokumen.pack()
            {
                self.add_te(Place { packed, te }, Tally::of(game, kyokumen.teban(), tesu))?;
            }
            kyokumen.do_te(te);
        }
        for (shared, moves) in &game.variations {
            let mut kyokumen = start.clone();
            for (nth, (tesu, &te)) in (game.tesu..).zip(moves).enumerate() {
                if nth >= *shared
                    && game.movers[kyokumen.teban()]
                    && let Some(packed) = kyokumen.pack()
                {
                    self.add_te(Place { packed, te }, Tally::of_variation(tesu))?;
                }
                kyokumen.do_te(te);
            }
        }
        Ok(())
    }

    fn add_te(&self, place: Place, tally: Tally) -> io::Result<()> {
        let part = (Writer::sort_key(&place.packed).0 >> (64 - BITS)) as usize;
        let mut part = self.parts[part].lock();
        if let Some(sum) = part.table.get_mut(&place) {
            sum.add(&tally);
            return Ok(());
        }
        if part.table.len() >= self.limit {
            self.spill(&mut part)?;
        }
        part.table.insert(place, tally);
        Ok(())
    }

    /// Puts the moves of a part onto the disk.
    fn spill(&self, part: &mut Part) -> io::Result<()> {
        let mut rows: Vec<(Order, Tally)> = part.table.drain().map(|(place, tally)| (place.order(), tally)).collect();
        rows.sort_unstable_by_key(|row| row.0);
        let mut bytes = Vec::with_capacity(rows.len() * 72);
        for ((_, packed, te), tally) in rows {
            Row::write_with(&mut bytes, |_| (), &packed, te.bits().into(), |bytes| tally.encode(bytes));
        }
        part.runs.push(self.spool.lock().append(&bytes)?);
        Ok(())
    }

    /// The moves of a part, which are not there any more then.
    pub(super) fn take(&self, part: usize) -> io::Result<Rows> {
        let part = std::mem::take(&mut *self.parts[part].lock());
        let mut rows: Vec<(Order, Tally)> =
            part.table.into_iter().map(|(place, tally)| (place.order(), tally)).collect();
        rows.sort_unstable_by_key(|row| Reverse(row.0));
        let mut sources = vec![Source::Memory(rows)];
        if let Some((file, _)) = &self.spool.lock().file {
            sources.extend(part.runs.into_iter().map(|run| Source::Spilled(Spilled::new(file, run))));
        }
        Rows::new(sources)
    }
}

impl Spool {
    fn append(&mut self, bytes: &[u8]) -> io::Result<Range<u64>> {
        let (file, end) = match &mut self.file {
            Some(file) => file,
            None => {
                let file = Arc::new(Mutex::new(tempfile::tempfile_in(&self.folder)?));
                self.file.insert((file, 0))
            }
        };
        file.lock().write_all(bytes)?;
        let start = std::mem::replace(end, *end + bytes.len() as u64);
        Ok(start..*end)
    }
}

/// A sorted run.
enum Source {
    /// The first at the end.
    Memory(Vec<(Order, Tally)>),
    Spilled(Spilled),
}

impl Source {
    fn next(&mut self) -> io::Result<Option<(Order, Tally)>> {
        match self {
            Source::Memory(rows) => Ok(rows.pop()),
            Source::Spilled(run) => {
                let Some(row) = run.row() else { return Ok(None) };
                let packed = PackedKyokumen(*row.packed);
                let damaged = || io::Error::other("a temporary file was changed by somebody else");
                let te = u16::try_from(row.ordinal).ok().and_then(Te::from_bits).ok_or_else(damaged)?;
                let tally = Tally::decode(row.block);
                run.advance()?;
                Ok(Some((Place { packed, te }.order(), tally)))
            }
        }
    }
}

/// The moves of a part in their order, each once.
pub(super) struct Rows {
    sources: Vec<Source>,
    /// The first row of each run, the smallest one on top.
    heads: BinaryHeap<Reverse<(Order, usize)>>,
    tallies: Vec<Tally>,
}

impl Rows {
    fn new(sources: Vec<Source>) -> io::Result<Rows> {
        /// Bytes that are read of a run at once.
        const ROOM: usize = 1 << 14;
        let mut rows = Rows { heads: BinaryHeap::new(), tallies: vec![Tally::default(); sources.len()], sources };
        for index in 0..rows.sources.len() {
            if let Source::Spilled(run) = &mut rows.sources[index] {
                run.begin(ROOM)?;
            }
            rows.fetch(index)?;
        }
        Ok(rows)
    }

    fn fetch(&mut self, index: usize) -> io::Result<()> {
        if let Some((order, tally)) = self.sources[index].next()? {
            self.tallies[index] = tally;
            self.heads.push(Reverse((order, index)));
        }
        Ok(())
    }

    fn next(&mut self) -> io::Result<Option<(PackedKyokumen, Te, Tally)>> {
        let Some(Reverse((order, index))) = self.heads.pop() else { return Ok(None) };
        let mut tally = self.tallies[index];
        self.fetch(index)?;
        while let Some(&Reverse((other, index))) = self.heads.peek()
            && other == order
        {
            self.heads.pop();
            tally.add(&self.tallies[index]);
            self.fetch(index)?;
        }
        Ok(Some((order.1, order.2, tally)))
    }

    /// Hands on the positions in their order, with the moves seen so often or more, the most played first; `exact`
    /// keeps what makes means of ratings exact.
    pub(super) fn positions<E: From<io::Error>>(
        mut self,
        min_count: u64,
        exact: bool,
        mut take: impl FnMut(PackedKyokumen, Entry) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut moves: Vec<(Te, Tally)> = Vec::new();
        let mut next = self.next()?;
        while let Some((packed, te, tally)) = next {
            if tally.count >= min_count {
                moves.push((te, tally));
            }
            next = self.next()?;
            if next.as_ref().is_some_and(|(other, ..)| *other == packed) || moves.is_empty() {
                continue;
            }
            moves.sort_by_key(|(_, tally)| Reverse(tally.count));
            let tesu = moves.iter().map(|(_, tally)| tally.tesu).min();
            let te = moves.drain(..).map(|(te, tally)| tally.to_te(te, exact)).collect();
            take(packed, Entry { tesu, comment: None, moves: te })?;
        }
        Ok(())
    }
}
