//! Reading a book as positions and the moves between them.

use std::fmt::{self, Debug, Formatter};

use rayon::prelude::*;

use super::after;
use super::nodes::Nodes;
use super::propagate::{Edge, Figure, UNKNOWN};
use crate::joseki::copy::Watch;
use crate::joseki::{Entry, Joseki, JosekiError, Stored};
use crate::kyokumen::PackedKyokumen;

/// The positions of a book and the legal moves between them, whatever their order in the file.
///
/// Takes about 60 bytes for a position and 12 for a move, and a third more while values are carried back; positions to
/// which the last moves lead count too.
pub struct Graph {
    pub(super) nodes: Nodes,
    /// By the position that they lead to, then by the one that they leave; each once.
    pub(super) edges: Vec<Edge>,
    /// How many edges leave each position.
    pub(super) moves: Vec<u32>,
    pub(super) figures: Vec<Figure>,
    pub(super) propagated: bool,
}

/// A part of a book that was read: positions with the number of their moves, and where these lead.
#[derive(Default)]
struct Part {
    positions: Vec<(PackedKyokumen, u32)>,
    /// With the value in the book.
    targets: Vec<(PackedKyokumen, i32)>,
}

impl Part {
    fn read(stored: impl Iterator<Item = Stored>) -> Part {
        let mut part = Part::default();
        for stored in stored {
            // What is lost is told when the book is written.
            if let Stored::Position(packed, entry) = stored {
                part.add(&packed, &entry);
            }
        }
        part
    }

    fn add(&mut self, packed: &PackedKyokumen, entry: &Entry) {
        let Some(mut kyokumen) = packed.unpack() else { return };
        let before = self.targets.len();
        for te in &entry.moves {
            if kyokumen.is_legal(te.te)
                && let Some(target) = after(&mut kyokumen, te.te)
            {
                self.targets.push((target, te.known_value().map_or(UNKNOWN, |value| value.max(-i32::MAX))));
            }
        }
        self.positions.push((*packed, (self.targets.len() - before) as u32));
    }
}

impl Graph {
    /// Reads a whole book; runs on the current rayon pool.
    ///
    /// # Errors
    /// [`JosekiError::Stopped`] by the one who watches, [`JosekiError::Damaged`] where there are 2^32 positions or
    /// more.
    pub fn read(book: &Joseki, watch: &dyn Watch) -> Result<Graph, JosekiError> {
        let mut parts = book.parts((book.size() >> 20).clamp(1, 4096) as usize);
        let (all, mut done) = (parts.len() as u64, 0);
        let (mut nodes, mut edges) = (Nodes::default(), Vec::new());
        let too_many = || {
            let what = "its values can't be worked out: it has 4294967295 positions or more".to_owned();
            JosekiError::Damaged { path: book.file_name().into(), what }
        };
        while !parts.is_empty() {
            if watch.stops() {
                return Err(JosekiError::Stopped);
            }
            let window: Vec<_> = parts.drain(..parts.len().min(4 * rayon::current_num_threads())).collect();
            let read: Vec<Part> = window.into_par_iter().map(Part::read).collect();
            for part in &read {
                add_part(part, &mut nodes, &mut edges).ok_or_else(too_many)?;
                done += 1;
                watch.read(done, all);
            }
        }
        Ok(Graph::new(nodes, edges))
    }

    fn new(nodes: Nodes, mut edges: Vec<Edge>) -> Graph {
        // Stable: where a position stands twice, a later value of a move replaces an earlier one, as in a copy.
        edges.par_sort_by_key(|edge| (edge.to, edge.from));
        edges.dedup_by(|later, earlier| {
            let is_same = (later.to, later.from) == (earlier.to, earlier.from);
            if is_same && later.value != UNKNOWN {
                earlier.value = later.value;
            }
            is_same
        });
        let mut moves = vec![0; nodes.len() as usize];
        for edge in &edges {
            moves[edge.from as usize] += 1;
        }
        let figures = vec![Figure::NONE; nodes.len() as usize];
        Graph { nodes, edges, moves, figures, propagated: false }
    }

    /// Positions of the book with a legal move, and all to which these lead.
    pub fn positions(&self) -> usize {
        self.nodes.len() as usize
    }

    /// Legal moves.
    pub fn moves(&self) -> usize {
        self.edges.len()
    }

    pub(super) fn is_leaf(&self, node: u32) -> bool {
        self.moves[node as usize] == 0
    }

    /// Whether a move leads there.
    pub(super) fn is_entered(&self, node: u32) -> bool {
        let place = self.edges.partition_point(|edge| edge.to < node);
        self.edges.get(place).is_some_and(|edge| edge.to == node)
    }
}

fn add_part(part: &Part, nodes: &mut Nodes, edges: &mut Vec<Edge>) -> Option<()> {
    let mut targets = part.targets.iter();
    for (packed, moves) in part.positions.iter().filter(|(_, moves)| *moves > 0) {
        let from = nodes.add(packed)?;
        for (target, value) in targets.by_ref().take(*moves as usize) {
            edges.push(Edge { to: nodes.add(target)?, from, value: *value });
        }
    }
    Some(())
}

impl Debug for Graph {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "Graph of {} positions and {} moves", self.positions(), self.moves())
    }
}
