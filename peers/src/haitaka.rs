//! `haitaka`, which copies positions in place of taking moves back.

use haitaka::{Board, Move, PieceMoves};
use komadai::kyokumen::PerftMode;

use crate::{Peer, sorted, without_ply};

struct Haitaka(Board);

pub fn read(sfen: &str) -> Box<dyn Peer> {
    Box::new(Haitaka(sfen.parse().unwrap_or_else(|error| panic!("{sfen}: {error:?}"))))
}

impl Peer for Haitaka {
    fn name(&self) -> &'static str {
        "haitaka"
    }

    fn perft(&mut self, depth: u32, mode: PerftMode) -> Option<u64> {
        Some(perft(&self.0, depth, mode, &mut Vec::with_capacity(600)))
    }

    fn moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.0.generate_moves(|set| {
            moves.extend(set);
            false
        });
        sorted(moves.iter().map(Move::to_string))
    }

    fn play(&mut self, te: &str) {
        self.0.play_unchecked(te.parse().unwrap_or_else(|error| panic!("{te}: {error:?}")));
    }

    fn in_check(&self) -> bool {
        !self.0.checkers().is_empty()
    }

    fn sfen(&self) -> String {
        without_ply(&self.0.to_string())
    }
}

fn perft(board: &Board, depth: u32, mode: PerftMode, list: &mut Vec<Move>) -> u64 {
    let mut nodes = 0;
    match mode {
        PerftMode::Count if depth == 1 => {
            generate(board, |set| nodes += set.into_iter().len() as u64);
        }
        PerftMode::List if depth == 1 => {
            list.clear();
            generate(board, |set| list.extend(set));
            nodes = list.len() as u64;
        }
        _ => generate(board, |set| {
            for te in set {
                let mut next = board.clone();
                next.play_unchecked(te);
                nodes += if depth == 1 { 1 } else { perft(&next, depth - 1, mode, list) };
            }
        }),
    }
    nodes
}

#[inline(always)]
fn generate(board: &Board, mut take: impl FnMut(PieceMoves)) {
    board.generate_moves(|set| {
        take(set);
        false
    });
}
