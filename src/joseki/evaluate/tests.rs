//! Propagation against a slow twin that walks along paths and takes the first repetition for a draw.

use std::collections::HashSet;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::propagate::{Edge, Figure, NO_DEPTH, UNKNOWN, propagate};
use super::*;

/// A graph in no order: from each position the moves to others, with the values that stand in the book.
struct Plain {
    moves: Vec<Vec<(usize, Option<i32>)>>,
    /// Values of ends; `None` where nothing is known.
    ends: Vec<Option<i32>>,
}

impl Plain {
    /// Few different values, so that many are equal.
    fn random(rng: &mut ChaCha8Rng) -> Plain {
        let positions = rng.random_range(2..9);
        let known = rng.random_range(0.3..1.0);
        let value = |rng: &mut ChaCha8Rng| rng.random_bool(known).then(|| rng.random_range(-3..4));
        let moves = (0..positions).map(|from| {
            let most = if rng.random_bool(0.35) { 0 } else { 4 };
            let mut targets: HashSet<usize> = HashSet::new();
            for _ in 0..most {
                targets.insert(rng.random_range(0..positions));
            }
            targets.remove(&from);
            targets.into_iter().map(|to| (to, value(rng))).collect()
        });
        let moves = moves.collect();
        Plain { moves, ends: (0..positions).map(|_| value(rng)).collect() }
    }

    fn solve(&self) -> Vec<Figure> {
        let edge = |from: usize, &(to, value): &(usize, Option<i32>)| Edge {
            to: to as u32,
            from: from as u32,
            value: value.unwrap_or(UNKNOWN),
        };
        let mut edges: Vec<Edge> = Vec::new();
        for (from, moves) in self.moves.iter().enumerate() {
            edges.extend(moves.iter().map(|one| edge(from, one)));
        }
        edges.sort_by_key(|edge| (edge.to, edge.from));
        let counts: Vec<u32> = self.moves.iter().map(|moves| moves.len() as u32).collect();
        // What was known of inner positions must not matter.
        let end = |value: &Option<i32>| Figure { value: value.unwrap_or(UNKNOWN), depth: 17 };
        let mut figures: Vec<Figure> = self.ends.iter().map(end).collect();
        for figure in figures.iter_mut().filter(|figure| figure.value == UNKNOWN) {
            *figure = Figure::NONE;
        }
        propagate(&edges, &counts, &mut figures);
        figures
    }

    /// Positions of which nothing is known: ends without a value, and those all of whose moves lead there without one.
    fn unknown(&self) -> HashSet<usize> {
        let mut unknown = HashSet::new();
        loop {
            let is_unknown = |&node: &usize| {
                let is_lost = |&(to, value): &(usize, Option<i32>)| value.is_none() && unknown.contains(&to);
                if self.moves[node].is_empty() {
                    self.ends[node].is_none()
                } else {
                    self.moves[node].iter().all(is_lost)
                }
            };
            let found: HashSet<usize> = (0..self.moves.len()).filter(is_unknown).collect();
            if found == unknown {
                return unknown;
            }
            unknown = found;
        }
    }

    /// The value of a position where the first repetition along the path is a draw.
    fn along(&self, node: usize, path: &mut Vec<usize>, unknown: &HashSet<usize>) -> i32 {
        if self.moves[node].is_empty() {
            return self.ends[node].unwrap();
        }
        path.push(node);
        let values = self.moves[node].iter().filter_map(|&(to, value)| {
            if unknown.contains(&to) {
                value
            } else if path.contains(&to) {
                Some(0)
            } else {
                Some(-self.along(to, &mut path.clone(), unknown))
            }
        });
        let best = values.max().unwrap();
        path.pop();
        best
    }
}

#[test]
fn values_are_those_of_a_walk_along_all_paths_on_which_the_first_repetition_is_a_draw() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let (mut repeated, mut lost) = (0, 0);
    for _ in 0..20_000 {
        let plain = Plain::random(&mut rng);
        let (figures, unknown) = (plain.solve(), plain.unknown());
        for (node, figure) in figures.iter().enumerate() {
            assert_eq!(figure.value == UNKNOWN, unknown.contains(&node), "{:?}", plain.moves);
            if figure.value != UNKNOWN {
                let want = plain.along(node, &mut Vec::new(), &unknown);
                assert_eq!(figure.value, want, "{node} of {:?} {:?}", plain.moves, plain.ends);
            }
            repeated += usize::from(*figure == Figure { value: 0, depth: NO_DEPTH });
            lost += usize::from(figure.value < 0 && !plain.moves[node].is_empty());
        }
    }
    assert!(repeated > 1000 && lost > 1000, "{repeated} {lost}");
}

#[test]
fn a_gain_is_reached_on_the_shortest_way_and_a_loss_on_the_longest() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut deepest = 0;
    for _ in 0..20_000 {
        let plain = Plain::random(&mut rng);
        let figures = plain.solve();
        for (node, figure) in figures.iter().enumerate().filter(|(_, figure)| figure.value != UNKNOWN) {
            let best = plain.moves[node].iter().filter_map(|&(to, value)| match figures[to] {
                Figure { value: UNKNOWN, .. } => value.map(|value| (value, 0)),
                Figure { value, depth } => Some((-value, depth)),
            });
            let ways: Vec<u32> = best.filter(|&(value, _)| value == figure.value).map(|(_, depth)| depth).collect();
            let way = if figure.value < 0 { ways.iter().max() } else { ways.iter().min() };
            let want = way.map_or(0, |&depth| if depth == NO_DEPTH { NO_DEPTH } else { depth + 1 });
            assert_eq!(figure.depth, want, "{node} of {:?} {figures:?}", plain.moves);
            deepest = deepest.max(if figure.depth == NO_DEPTH { 0 } else { figure.depth });
        }
    }
    assert!(deepest >= 5, "{deepest}");
}

#[test]
fn a_move_after_which_the_opponent_must_go_back_is_worth_what_it_left_but_is_deeper() {
    // From 0 to an end that wins, or to 1, from where there is only the way back.
    let plain =
        Plain { moves: vec![vec![(1, None), (2, None)], vec![(0, None)], vec![]], ends: vec![None, None, Some(-3)] };
    let figures = plain.solve();
    assert_eq!(figures[2], Figure { value: -3, depth: 0 });
    assert_eq!(figures[1], Figure { value: -3, depth: 2 });
    // A walk that remembers the start sees a draw there.
    assert_eq!(plain.along(1, &mut vec![0], &HashSet::new()), 0);
}

#[test]
fn mates_are_worth_more_the_shorter_they_are_and_less_than_any_that_is_given() {
    assert_eq!((mate(1), mate(3), mate(-2), mate(0)), (31_999, 31_997, -31_998, -32_000));
    assert_eq!((mate(i32::MAX), mate(i32::MIN)), (31_100, -31_100));
}
