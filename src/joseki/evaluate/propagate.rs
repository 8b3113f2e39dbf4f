//! Values through a graph of positions, with repetition as a draw, in time proportional to the graph.
//!
//! Positions are settled backwards from the ends, those of the largest values first, wins and losses alike: a move of
//! that value is the best of its position, and a position is lost by that much when all its moves are. What is left in
//! the end can be held at 0. A shorter way is taken to a gain, and a longer one to a loss.
//!
//! A move to an end of a line of which nothing is known has the value that stands in the book; without one it does not
//! count. A position left without any move that counts is itself taken for an end.

use std::cmp::Reverse;

/// The value of which nothing is known.
pub(super) const UNKNOWN: i32 = i32::MIN;
/// The depth of which nothing is known.
pub(super) const NO_DEPTH: u32 = u32::MAX;

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) to: u32,
    pub(super) from: u32,
    /// Its value in the book.
    pub(super) value: i32,
}

/// What is known of a position: its value for the side to move, and the depth that a move into it gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Figure {
    pub(super) value: i32,
    pub(super) depth: u32,
}

impl Figure {
    pub(super) const NONE: Figure = Figure { value: UNKNOWN, depth: NO_DEPTH };
}

/// Works out the figures of all positions from those at the ends of lines. Edges are sorted by where they lead, and
/// `moves` says how many leave each position.
pub(super) fn propagate(edges: &[Edge], moves: &[u32], figures: &mut [Figure]) {
    for (figure, &moves) in figures.iter_mut().zip(moves) {
        if moves > 0 {
            *figure = Figure::NONE;
        } else if figure.value != UNKNOWN {
            figure.depth = 0;
        }
    }
    let mut settling = Settling { left: moves.to_vec(), starts: starts(edges, moves.len()), edges, figures };
    settling.drop_unknown();
    let ends = settling.ends();
    let drawn = ends.partition_point(|&(value, _)| value != 0);
    for equal in ends[..drawn].chunk_by(|a, b| a.0.unsigned_abs() == b.0.unsigned_abs()) {
        settling.settle_back(equal);
    }
    settling.settle_rest(&ends[drawn..]);
}

/// Where the edges to each position begin, and in the end where the last ones do.
fn starts(edges: &[Edge], positions: usize) -> Vec<usize> {
    let mut starts = vec![0; positions + 1];
    for edge in edges {
        starts[edge.to as usize + 1] += 1;
    }
    for node in 0..positions {
        starts[node + 1] += starts[node];
    }
    starts
}

struct Settling<'a> {
    edges: &'a [Edge],
    starts: Vec<usize>,
    /// How many moves of a position count and are not known to lose; 0 for ends.
    left: Vec<u32>,
    figures: &'a mut [Figure],
}

impl Settling<'_> {
    fn entering(&self, node: u32) -> &[Edge] {
        &self.edges[self.starts[node as usize]..self.starts[node as usize + 1]]
    }

    /// Takes out moves to ends of which nothing is known, and makes ends of positions that have no others.
    fn drop_unknown(&mut self) {
        let is_unknown = |&node: &u32| self.left[node as usize] == 0 && self.figures[node as usize] == Figure::NONE;
        let mut unknown: Vec<u32> = (0..self.left.len() as u32).filter(is_unknown).collect();
        while let Some(node) = unknown.pop() {
            for place in self.starts[node as usize]..self.starts[node as usize + 1] {
                let Edge { from, value, .. } = self.edges[place];
                if value == UNKNOWN {
                    self.left[from as usize] -= 1;
                    if self.left[from as usize] == 0 {
                        unknown.push(from);
                    }
                }
            }
        }
    }

    /// The moves to ends, with their values and the positions that they leave, the largest values of either sign first.
    fn ends(&self) -> Vec<(i32, u32)> {
        let end = |edge: &Edge| {
            let figure = self.figures[edge.to as usize];
            let value = if figure.value == UNKNOWN { edge.value } else { -figure.value };
            (self.left[edge.to as usize] == 0 && value != UNKNOWN).then_some((value, edge.from))
        };
        let mut ends: Vec<(i32, u32)> = self.edges.iter().filter_map(end).collect();
        ends.sort_unstable_by_key(|&(value, _)| Reverse(value.unsigned_abs()));
        ends
    }

    /// Settles what follows from ends that are worth the same, of either sign, step by step backwards.
    fn settle_back(&mut self, ends: &[(i32, u32)]) {
        let mut settled: Vec<u32> = Vec::new();
        for &(value, from) in ends {
            if self.settle(from, value, 1) {
                settled.push(from);
            }
        }
        let mut depth = 1;
        while !settled.is_empty() {
            depth += 1;
            let mut next = Vec::new();
            for node in settled {
                let value = -self.figures[node as usize].value;
                for place in self.starts[node as usize]..self.starts[node as usize + 1] {
                    let from = self.edges[place].from;
                    if self.settle(from, value, depth) {
                        next.push(from);
                    }
                }
            }
            settled = next;
        }
    }

    /// Takes note that a position has a move of this value, and says whether that settles it. `depth` is the position's
    /// way to the end in plies.
    fn settle(&mut self, node: u32, value: i32, depth: u32) -> bool {
        let (figure, left) = (&mut self.figures[node as usize], &mut self.left[node as usize]);
        if figure.value != UNKNOWN {
            return false;
        }
        if value < 0 {
            *left -= 1;
        }
        let is_settled = value > 0 || *left == 0;
        if is_settled {
            *figure = Figure { value, depth };
        }
        is_settled
    }

    /// What neither side can force is a draw, as deep as the nearest end that is worth 0.
    fn settle_rest(&mut self, drawn: &[(i32, u32)]) {
        let mut drawn: Vec<u32> = drawn.iter().map(|&(_, from)| from).collect();
        for (figure, &left) in self.figures.iter_mut().zip(&self.left) {
            if left > 0 && figure.value == UNKNOWN {
                figure.value = 0;
            }
        }
        let mut depth = 0;
        while !drawn.is_empty() {
            depth += 1;
            drawn.retain(|&node| {
                let figure = &mut self.figures[node as usize];
                let is_new = *figure == Figure { value: 0, depth: NO_DEPTH };
                if is_new {
                    figure.depth = depth;
                }
                is_new
            });
            drawn = drawn.iter().flat_map(|&node| self.entering(node)).map(|edge| edge.from).collect();
        }
    }
}
