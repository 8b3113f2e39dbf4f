//! Writing `.sbk`. A move names the state it leads to, so nothing can be written before all positions are known: they
//! wait in a temporary file. In memory are, for each position and for each one that only a move leads to, about 110
//! bytes, and 4 for each move.

use std::collections::VecDeque;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use prost::Message;

use super::messages::{Eval, Move, State};
use super::{AUTHOR, word};
use crate::atomic::Replacement;
use crate::joseki::left_out::{Kind, LeftOut};
use crate::joseki::links::Links;
use crate::joseki::spool::Spool;
use crate::joseki::{Entry, JosekiError, JosekiTe, MAX_MOVES, Written};
use crate::kyokumen::{Kyokumen, PackedKyokumen, Tesu, sfen};

/// The target of a move, as long as it is not known which state it is.
const LEAF: u32 = u32::MAX;

/// Writes a `.sbk`, position by position in the order of their packings.
pub struct Writer {
    target: PathBuf,
    file: BufWriter<Replacement>,
    provenance: String,
    spool: Spool,
    /// The positions, sorted, for they come so.
    packed: Vec<PackedKyokumen>,
    /// Their plies, 0 for unknown ones; `None` where a position has nothing that the format holds.
    plies: Vec<Option<Tesu>>,
    moves: u64,
    left_out: LeftOut,
}

/// A position that waits.
#[derive(Clone, PartialEq, Message)]
struct Waiting {
    #[prost(string, optional, tag = "2")]
    comment: Option<String>,
    #[prost(message, repeated, tag = "3")]
    moves: Vec<WaitingMove>,
}

/// A move that waits, with the packed position after it.
#[derive(Clone, PartialEq, Message)]
struct WaitingMove {
    #[prost(uint32, tag = "1")]
    word: u32,
    #[prost(int32, tag = "2")]
    evaluation: i32,
    #[prost(int32, optional, tag = "3")]
    weight: Option<i32>,
    #[prost(bytes = "vec", tag = "4")]
    after: Vec<u8>,
    #[prost(int32, optional, tag = "5")]
    wins: Option<i32>,
    #[prost(int32, optional, tag = "6")]
    losses: Option<i32>,
    #[prost(int32, optional, tag = "7")]
    value: Option<i32>,
    #[prost(int32, optional, tag = "8")]
    depth: Option<i32>,
}

/// What the moves that lead to a state say about it.
#[derive(Clone, Copy, Default)]
struct Incoming {
    games: Option<i32>,
    /// Games won by Sente and by Gote as the first move has them, and the sums over all moves.
    first: Option<[Option<i32>; 2]>,
    sum: [Option<i32>; 2],
    /// Whether moves differ in them.
    differ: bool,
    /// Whether it is Gote who moves here; the value is for the side that does.
    by_gote: bool,
    value: Option<i32>,
    depth: Option<i32>,
}

impl Writer {
    /// Starts a book. The provenance becomes its description; where it begins with an author, that becomes its author.
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
                packed: Vec::new(),
                plies: Vec::new(),
                moves: 0,
                left_out: LeftOut::default(),
            })
        };
        start().map_err(JosekiError::write(target))
    }

    /// Adds a position. What the format can't hold is left out and counted: illegal moves, expected replies, ratings,
    /// draws, comments on moves; and where several moves lead to one position, they share their results and value.
    ///
    /// # Errors
    /// [`JosekiError::Write`] where the position comes before or repeats the one before it, or the disk is full.
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
        if self.packed.last().is_some_and(|last| last >= packed) {
            return Err(io::Error::other("positions are not in the order of their packings"));
        }
        let Some(mut kyokumen) = packed.unpack() else {
            self.left_out.add(Kind::Positions);
            return Ok(());
        };
        let mut waiting = Waiting { comment: entry.comment.clone(), moves: Vec::new() };
        for te in &entry.moves {
            if waiting.moves.len() < MAX_MOVES && kyokumen.is_legal(te.te) {
                waiting.moves.extend(wait(te, &mut kyokumen, &mut self.left_out));
            } else {
                self.left_out.add(Kind::IllegalMoves);
            }
        }
        let has_comment = entry.comment.as_ref().is_some_and(|comment| !comment.is_empty());
        self.left_out
            .add_if(Kind::PositionComments, entry.comment.is_some() && !has_comment && !waiting.moves.is_empty());
        let is_empty = waiting.moves.is_empty() && !has_comment;
        self.left_out.add_if(Kind::EmptyPositions, is_empty);
        self.packed.push(*packed);
        self.plies.push((!is_empty).then_some(entry.tesu.unwrap_or(0)));
        self.moves += waiting.moves.len() as u64;
        self.spool.push(&waiting)
    }

    /// Completes the file: which state each move leads to, which states are roots, and then the states.
    fn complete(mut self) -> io::Result<Written> {
        let (mut links, leaves) = self.link()?;
        let (positions, states) = (self.packed.len(), self.packed.len() + leaves.len());
        if states >= i32::MAX as usize {
            return Err(io::Error::other("there are more positions than the format can count"));
        }
        let incoming = self.resolve(&mut links, &leaves)?;
        let hirate = Kyokumen::hirate().pack().and_then(|packed| self.packed.binary_search(&packed).ok());
        let mut ranks = vec![Rank::Inner; positions];
        links.roots(hirate).into_iter().for_each(|root| ranks[root as usize] = Rank::Root);
        hirate.into_iter().for_each(|hirate| ranks[hirate] = Rank::First);
        self.count_plies(&ranks, &links);
        let mut numbers = vec![0; positions];
        let mut next = 0;
        for rank in Rank::ALL {
            for (number, _) in numbers.iter_mut().zip(&ranks).filter(|&(_, &other)| other == rank) {
                (*number, next) = (next, next + 1);
            }
        }
        let mut bytes = self.write_head()?;
        for rank in Rank::ALL {
            bytes += self.write_states(rank, &ranks, &numbers, &links, &incoming)?;
        }
        if states == 0 {
            // A file without states is no book.
            let position = Some(Kyokumen::hirate().to_sfen().into_bytes());
            bytes += write(&mut self.file, &State { position, ..Incoming::default().state(0) })?;
        }
        for (leaf, incoming) in incoming.iter().enumerate().skip(positions) {
            bytes += write(&mut self.file, &incoming.state(leaf as i32))?;
        }
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.finish()?;
        Ok(Written { positions: positions as u64, moves: self.moves, bytes, left_out: self.left_out.sentences() })
    }

    /// The positions that moves lead to; those that are not in the book are leaves, which are returned sorted.
    fn link(&mut self) -> io::Result<(Links, Vec<PackedKyokumen>)> {
        let (mut links, mut leaves) = (Links::default(), Vec::new());
        let packed = &self.packed;
        self.spool.each(|waiting: Waiting| {
            for te in &waiting.moves {
                let after = te.after()?;
                links.targets.push(packed.binary_search(&after).map_or(LEAF, |place| place as u32));
                if links.targets.last() == Some(&LEAF) {
                    leaves.push(after);
                }
            }
            links.end_position();
            Ok(())
        })?;
        leaves.sort_unstable();
        leaves.dedup();
        Ok((links, leaves))
    }

    /// Numbers the leaves behind the positions, and gathers what moves say about the states they lead to.
    fn resolve(&mut self, links: &mut Links, leaves: &[PackedKyokumen]) -> io::Result<Vec<Incoming>> {
        let positions = self.packed.len();
        let mut incoming = vec![Incoming::default(); positions + leaves.len()];
        let mut targets = links.targets.iter_mut();
        let mut turns = self.packed.iter().map(|packed| packed.0[0] & 1 == 1);
        self.spool.each(|waiting: Waiting| {
            let gote = turns.next().unwrap_or(false);
            for te in &waiting.moves {
                let lost = || io::Error::other("the temporary file changed");
                let target = targets.next().ok_or_else(lost)?;
                if *target == LEAF {
                    let leaf = leaves.binary_search(&te.after()?).map_err(|_| lost())?;
                    *target = (positions + leaf) as u32;
                }
                incoming[*target as usize].add(te, gote);
            }
            Ok(())
        })?;
        Ok(incoming)
    }

    /// Counts the plies that will be read as others, for only roots have theirs: the others are counted on from them,
    /// breadth first.
    fn count_plies(&mut self, ranks: &[Rank], links: &Links) {
        let mut read: Vec<Tesu> = vec![0; ranks.len()];
        let mut open = VecDeque::new();
        for rank in [Rank::First, Rank::Root] {
            for place in (0..ranks.len()).filter(|&place| ranks[place] == rank) {
                read[place] = root_tesu(self.plies[place].unwrap_or(0));
                open.push_back(place);
            }
        }
        while let Some(place) = open.pop_front() {
            let next = read[place].saturating_add(1);
            for &target in links.targets_of(place) {
                if let Some(tesu @ 0) = read.get_mut(target as usize) {
                    *tesu = next;
                    open.push_back(target as usize);
                }
            }
        }
        let changed = self.plies.iter().zip(read).filter(|&(known, read)| known.is_some_and(|known| known != read));
        self.left_out.add_some(Kind::ChangedPlies, changed.count() as u64);
    }

    /// Writes author and description.
    fn write_head(&mut self) -> io::Result<u64> {
        let (first, rest) = self.provenance.split_once('\n').unwrap_or((&self.provenance, ""));
        let (author, description) = match first.strip_prefix(AUTHOR) {
            Some(author) => (author, rest),
            None => ("", &self.provenance[..]),
        };
        let mut head = Vec::new();
        for (tag, text) in [(1, author), (2, description)] {
            if !text.is_empty() {
                prost::encoding::bytes::encode(tag, &text.as_bytes().to_vec(), &mut head);
            }
        }
        self.file.write_all(&head)?;
        Ok(head.len() as u64)
    }

    /// Writes the positions of one rank.
    fn write_states(
        &mut self,
        rank: Rank,
        ranks: &[Rank],
        numbers: &[u32],
        links: &Links,
        incoming: &[Incoming],
    ) -> io::Result<u64> {
        let (packed, plies, file, left_out) = (&self.packed, &self.plies, &mut self.file, &mut self.left_out);
        let (mut place, mut bytes) = (0, 0);
        self.spool.each(|waiting: Waiting| {
            if ranks[place] == rank {
                let next = |target: u32| numbers.get(target as usize).copied().unwrap_or(target) as i32;
                let moves =
                    waiting.moves.iter().zip(links.targets_of(place)).map(|(te, &target)| te.to_move(next(target)));
                let mut state = incoming[place].state(numbers[place] as i32);
                let gote = packed[place].0[0] & 1 == 1;
                for (te, &target) in waiting.moves.iter().zip(links.targets_of(place)) {
                    let said = &incoming[target as usize];
                    left_out.add_if(Kind::SharedResults, said.won() != te.won(gote));
                    left_out.add_if(Kind::SharedValues, (said.value, said.depth) != (te.value, te.depth));
                }
                state.moves = moves.collect();
                state.comment = waiting.comment.map(String::into_bytes);
                if rank != Rank::Inner {
                    let sfen = packed[place].unpack().map(|kyokumen| kyokumen.to_sfen_without_ply());
                    state.position =
                        sfen.map(|sfen| format!("{sfen} {}", root_tesu(plies[place].unwrap_or(0))).into_bytes());
                    let played = waiting.moves.iter().filter_map(|te| te.weight);
                    state.games = state.games.or(played.reduce(i32::saturating_add));
                }
                bytes += write(file, &state)?;
            }
            place += 1;
            Ok(())
        })?;
        Ok(bytes)
    }
}

#[cfg(feature = "workshop")]
impl crate::joseki::output::Output for Writer {
    fn sort_key(&self, packed: &PackedKyokumen, key: &mut Vec<u8>) {
        key.extend_from_slice(&packed.0);
    }

    fn push(&mut self, packed: &PackedKyokumen, entry: &Entry) -> Result<(), JosekiError> {
        Writer::push(self, packed, entry)
    }

    fn finish(self: Box<Self>) -> Result<Written, JosekiError> {
        Writer::finish(*self)
    }
}

/// The order in which states are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rank {
    /// The even start.
    First,
    /// Other roots.
    Root,
    /// What follows from the roots.
    Inner,
}

impl Rank {
    const ALL: [Rank; 3] = [Rank::First, Rank::Root, Rank::Inner];
}

/// The ply that a root says it has; it is known to nobody where it is 0.
fn root_tesu(tesu: Tesu) -> Tesu {
    tesu.clamp(1, sfen::MAX_PLY)
}

/// What waits of a legal move, the rest counted.
fn wait(te: &JosekiTe, kyokumen: &mut Kyokumen, left_out: &mut LeftOut) -> Option<WaitingMove> {
    let change = kyokumen.do_te(te.te);
    let after = kyokumen.pack();
    kyokumen.undo_te(&change);
    left_out.add_if(Kind::Draws, te.draws.is_some());
    left_out.add_if(Kind::Ponders, te.ponder.is_some());
    left_out.add_if(Kind::Ratings, te.rating.or(te.opponent_rating).is_some());
    left_out.add_if(Kind::Comments, te.comment.is_some());
    left_out.add_if(Kind::LoneDepths, te.depth.is_some() && te.value.is_none());
    let mut small = |number: Option<u64>, kind| {
        left_out.add_if(kind, number.is_some_and(|number| number > i32::MAX as u64));
        number.map(|number| number.min(i32::MAX as u64) as i32)
    };
    let (weight, depth) = (small(te.count, Kind::ClampedCounts), te.value.and(te.depth).map(u64::from));
    let (wins, losses) = (small(te.wins, Kind::ClampedResults), small(te.losses, Kind::ClampedResults));
    let depth = small(depth, Kind::ClampedDepths);
    // The file has it for Sente, whoever moves.
    let value = te.value.map(|value| value.max(-i32::MAX));
    left_out.add_if(Kind::ClampedValues, value != te.value);
    Some(WaitingMove {
        word: word::write(&change),
        evaluation: te.annotation.map_or(0, |annotation| annotation as i32),
        weight,
        after: after?.0.to_vec(),
        wins,
        losses,
        value,
        depth,
    })
}

impl WaitingMove {
    fn after(&self) -> io::Result<PackedKyokumen> {
        let bytes = self.after[..].try_into().map_err(|_| io::Error::other("the temporary file changed"))?;
        Ok(PackedKyokumen(bytes))
    }

    /// Games won by Sente and by Gote.
    fn won(&self, by_gote: bool) -> [Option<i32>; 2] {
        if by_gote { [self.losses, self.wins] } else { [self.wins, self.losses] }
    }

    fn to_move(&self, next: i32) -> Move {
        let (word, evaluation) = (Some(self.word as i32), Some(self.evaluation));
        Move { word, evaluation, weight: self.weight, next: Some(next) }
    }
}

impl Incoming {
    /// Takes in a move that leads here.
    fn add(&mut self, te: &WaitingMove, by_gote: bool) {
        let sum = |a: Option<i32>, b: Option<i32>| match (a, b) {
            (Some(a), Some(b)) => Some(a.saturating_add(b)),
            (a, b) => a.or(b),
        };
        self.games = sum(self.games, te.weight);
        let won = te.won(by_gote);
        self.by_gote = by_gote;
        self.differ |= *self.first.get_or_insert(won) != won;
        self.sum = [sum(self.sum[0], won[0]), sum(self.sum[1], won[1])];
        if te.value.is_some() && (self.value.is_none() || te.depth > self.depth) {
            (self.value, self.depth) = (te.value, te.depth);
        }
    }

    /// Games won by Sente and by Gote, as the state will have them.
    fn won(&self) -> [Option<i32>; 2] {
        if self.differ { self.sum } else { self.first.unwrap_or_default() }
    }

    /// The state with all that its moves don't say. Books that were read from this format have the same results at all
    /// moves that lead here; others have those of each move, to be added up.
    fn state(&self, id: i32) -> State {
        let [won_black, won_white] = self.won();
        let for_sente = |value: i32| if self.by_gote { value.saturating_neg() } else { value };
        let eval = Eval { value: self.value.map(for_sente), depth: self.depth, ..Eval::default() };
        State {
            // The hashes are 0 in all states: ShogiGUI passes over a state without one if others have one.
            id: Some(id),
            board_key: Some(0),
            hand_key: Some(0),
            games: self.games,
            won_black,
            won_white,
            position: None,
            comment: None,
            moves: Vec::new(),
            evals: self.value.map(|_| eval).into_iter().collect(),
        }
    }
}

/// Writes a state as a field of the book, and returns its length.
fn write(file: &mut impl Write, state: &State) -> io::Result<u64> {
    let mut bytes = Vec::new();
    prost::encoding::message::encode(3, state, &mut bytes);
    file.write_all(&bytes)?;
    Ok(bytes.len() as u64)
}
