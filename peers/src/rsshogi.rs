//! `rsshogi`, which finds moves only as lists.

use komadai::kyokumen::PerftMode;
use rsshogi::board::{self, Move32List, MoveList, Position, movegen};
use rsshogi::types::Move;

use crate::{Peer, sorted};

struct Rsshogi(Position);

pub fn read(sfen: &str) -> Box<dyn Peer> {
    board::init();
    let mut position = Position::from_sfen(sfen).unwrap_or_else(|error| panic!("{sfen}: {error:?}"));
    position.init_stack();
    Box::new(Rsshogi(position))
}

impl Peer for Rsshogi {
    fn name(&self) -> &'static str {
        "rsshogi"
    }

    fn perft(&mut self, depth: u32, mode: PerftMode) -> Option<u64> {
        (mode != PerftMode::Count).then(|| perft(&mut self.0, depth, mode))
    }

    fn moves(&self) -> Vec<String> {
        let mut list = MoveList::new();
        movegen::generate_legal_all(&self.0, &mut list);
        sorted(list.iter().map(|te| te.to_usi()))
    }

    fn play(&mut self, te: &str) {
        let te = Move::from_usi(te).unwrap_or_else(|| panic!("{te}"));
        self.0.apply_move(te);
    }

    fn in_check(&self) -> bool {
        self.0.is_in_check()
    }

    fn sfen(&self) -> String {
        self.0.to_sfen(Some(-1))
    }
}

/// Its own perft, with a mode. Of its two lists, the short moves are written faster at the leaves, and the long ones
/// played faster.
fn perft(position: &mut Position, depth: u32, mode: PerftMode) -> u64 {
    if depth == 1 && mode == PerftMode::List {
        let mut list = MoveList::new();
        movegen::generate_legal_all(position, &mut list);
        return list.len() as u64;
    }
    let mut list = Move32List::new();
    movegen::generate_legal_all_move32(position, &mut list);
    let mut nodes = 0;
    for &te in list.iter() {
        position.apply_move32(te);
        nodes += if depth == 1 { 1 } else { perft(position, depth - 1, mode) };
        // SAFETY: the move was applied just now, and what was applied after it has been taken back.
        unsafe { position.undo_move32_unchecked(te) };
    }
    nodes
}
