//! Writing `.psb`. How wide the figures must be, and which positions are roots, is known only when all positions are:
//! they wait in a temporary file. In memory are about 30 bytes for each position and 4 for each move.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use prost::Message;

use super::layout::{self, FIGURES, Figures, Layout};
use super::radix;
use super::table::{Keys, Table};
use crate::atomic::Replacement;
use crate::joseki::left_out::{Kind, LeftOut};
use crate::joseki::links::Links;
use crate::joseki::spool::Spool;
use crate::joseki::{Entry, JosekiError, MAX_MOVES, Written};
use crate::kyokumen::{Kyokumen, PackedKyokumen};

/// Writes a `.psb`, position by position in the order of [`Writer::sort_key`].
pub struct Writer {
    target: PathBuf,
    file: BufWriter<Replacement>,
    provenance: String,
    spool: Spool,
    table: Table,
    /// The keys of the positions, sorted, for they come so.
    keys: Vec<Keys>,
    moves: usize,
    /// The largest of each figure, as it will stand in the file.
    largest: [u128; FIGURES.len()],
    left_out: LeftOut,
}

/// A position that waits.
#[derive(Clone, PartialEq, Message)]
struct Waiting {
    #[prost(bytes = "vec", tag = "1")]
    packed: Vec<u8>,
    #[prost(message, repeated, tag = "2")]
    moves: Vec<WaitingMove>,
    /// Main and control keys of the positions that legal moves lead to.
    #[prost(fixed64, repeated, tag = "3")]
    after: Vec<u64>,
}

/// The figures of a move that waits: a bit for each one that is known, and those.
#[derive(Clone, PartialEq, Message)]
struct WaitingMove {
    #[prost(uint32, tag = "1")]
    known: u32,
    #[prost(uint64, repeated, tag = "2")]
    figures: Vec<u64>,
}

impl WaitingMove {
    fn of(figures: &Figures) -> WaitingMove {
        let known = (0..).zip(figures).map(|(bit, figure)| u32::from(figure.is_some()) << bit).sum();
        WaitingMove { known, figures: figures.iter().flatten().copied().collect() }
    }

    fn figures(&self) -> Figures {
        let mut known = self.figures.iter().copied();
        std::array::from_fn(|bit| if self.known >> bit & 1 == 1 { known.next() } else { None })
    }
}

impl Writer {
    /// Starts a book. `provenance` says in plain text where its numbers come from.
    ///
    /// # Errors
    /// [`JosekiError::Write`] where no file can be made in the folder of `target`, or `target` is no plain file.
    pub fn create(target: &Path, provenance: &str) -> Result<Writer, JosekiError> {
        let start = || {
            Ok(Writer {
                target: target.to_owned(),
                file: BufWriter::new(Replacement::begin(target)?),
                provenance: provenance.to_owned(),
                spool: Spool::beside(target)?,
                table: Table::new(),
                keys: Vec::new(),
                moves: 0,
                largest: [0; FIGURES.len()],
                left_out: LeftOut::default(),
            })
        };
        start().map_err(JosekiError::write(target))
    }

    /// What positions must be sorted by: their main and control keys.
    pub fn sort_key(&self, packed: &PackedKyokumen) -> (u64, u64) {
        packed.unpack().map_or((0, 0), |kyokumen| self.table.keys(&kyokumen))
    }

    /// Adds a position. What the format can't hold is left out and counted: comments, and positions without moves.
    ///
    /// # Errors
    /// [`JosekiError::Write`] where the position comes before or repeats the one before it, has more than 593 moves, or
    /// the disk is full.
    pub fn push(&mut self, packed: &PackedKyokumen, entry: &Entry) -> Result<(), JosekiError> {
        self.add(packed, entry).map_err(JosekiError::write(&self.target))
    }

    /// Completes the file and gives it its name.
    ///
    /// # Errors
    /// [`JosekiError::Write`] where the file can't be completed; what stood at the target before is then still there.
    pub fn finish(self) -> Result<Written, JosekiError> {
        let path = self.target.clone();
        self.complete().map_err(JosekiError::write(&path))
    }

    fn add(&mut self, packed: &PackedKyokumen, entry: &Entry) -> io::Result<()> {
        let Some(mut kyokumen) = packed.unpack() else {
            self.left_out.add(Kind::Positions);
            return Ok(());
        };
        let keys = self.table.keys(&kyokumen);
        if self.keys.last().is_some_and(|last| *last >= keys) {
            return Err(io::Error::other("positions are not in the order of their keys"));
        }
        if entry.moves.len() > MAX_MOVES {
            return Err(io::Error::other("a position has more moves than any can have"));
        }
        self.left_out.add_remarks(entry);
        if entry.moves.is_empty() {
            self.left_out.add(Kind::EmptyPositions);
            return Ok(());
        }
        let mut waiting = Waiting { packed: packed.0.to_vec(), ..Waiting::default() };
        for te in &entry.moves {
            self.left_out.add_if(Kind::Comments, te.comment.is_some());
            self.left_out.add_if(Kind::RatingRests, te.rated.is_some() || te.opponent_rated.is_some());
            let figures = layout::to_figures(te, entry.tesu);
            for (nth, (largest, &figure)) in self.largest.iter_mut().zip(&figures).enumerate() {
                *largest = layout::stored(nth, figure).max(*largest);
            }
            waiting.moves.push(WaitingMove::of(&figures));
            if kyokumen.is_legal(te.te) {
                let change = kyokumen.do_te(te.te);
                let (main, control) = self.table.keys(&kyokumen);
                kyokumen.undo_te(&change);
                waiting.after.extend([main, control]);
            }
        }
        self.keys.push(keys);
        self.moves += waiting.moves.len();
        self.spool.push(&waiting)
    }

    fn complete(mut self) -> io::Result<Written> {
        // Without a place for the move it would be no layout, even of a book without moves.
        self.largest[0] = self.largest[0].max(1);
        let mut layout = Layout::new(&self.largest, self.moves);
        layout.source = Some(self.provenance.clone()).filter(|source| !source.is_empty());
        layout.roots = self.roots()?;
        let mut line = layout.to_bytes();
        let mut bytes = line.len();
        self.file.write_all(&line)?;
        let (file, mut keys) = (&mut self.file, self.keys.iter());
        self.spool.each(|waiting: Waiting| {
            let &(main, control) = keys.next().ok_or_else(|| io::Error::other("the temporary file changed"))?;
            for te in &waiting.moves {
                line.clear();
                radix::write_u64(main, layout.radix, &mut line);
                radix::write_u64(control, layout.radix, &mut line);
                layout.write(&te.figures(), &mut line);
                file.write_all(&line)?;
                bytes += line.len();
            }
            Ok(())
        })?;
        line.clear();
        line.extend_from_slice(layout::TABLE);
        self.table.write(layout.radix, &mut line);
        self.file.write_all(&line)?;
        bytes += line.len();
        self.file.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?;
        let (positions, moves) = (self.keys.len() as u64, self.moves as u64);
        Ok(Written { positions, moves, bytes: bytes as u64, left_out: self.left_out.sentences() })
    }

    /// The positions from which all others follow, the even start first if it is there.
    fn roots(&mut self) -> io::Result<Vec<PackedKyokumen>> {
        let (mut links, keys) = (Links::default(), &self.keys);
        self.spool.each(|waiting: Waiting| {
            let after = waiting.after.as_chunks::<2>().0.iter().map(|&[main, control]| (main, control));
            links.targets.extend(after.filter_map(|after| keys.binary_search(&after).ok()).map(|place| place as u32));
            links.end_position();
            Ok(())
        })?;
        let hirate = keys.binary_search(&self.table.keys(&Kyokumen::hirate())).ok();
        let roots = links.roots(hirate);
        let mut is_root = vec![false; keys.len()];
        roots.iter().for_each(|&root| is_root[root as usize] = true);
        let mut found: Vec<_> = hirate.and_then(|_| Kyokumen::hirate().pack()).into_iter().collect();
        let mut place = 0;
        self.spool.each(|waiting: Waiting| {
            if is_root[place] && Some(place) != hirate {
                found.extend(waiting.packed[..].try_into().ok().map(PackedKyokumen));
            }
            place += 1;
            Ok(())
        })?;
        Ok(found)
    }
}

#[cfg(feature = "workshop")]
impl crate::joseki::output::Output for Writer {
    fn sort_key(&self, packed: &PackedKyokumen, key: &mut Vec<u8>) {
        let (main, control) = Writer::sort_key(self, packed);
        key.extend_from_slice(&main.to_be_bytes());
        key.extend_from_slice(&control.to_be_bytes());
    }

    fn push(&mut self, packed: &PackedKyokumen, entry: &Entry) -> Result<(), JosekiError> {
        Writer::push(self, packed, entry)
    }

    fn finish(self: Box<Self>) -> Result<Written, JosekiError> {
        Writer::finish(*self)
    }
}
