//! Counting paths of legal moves, the classic check of a move generator.

use super::{Kyokumen, TeList};

/// How the last ply is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PerftMode {
    /// Its moves are counted without a list.
    #[default]
    Count,
    /// Its list is built, and the length taken.
    List,
    /// Every move of it is played and taken back.
    Play,
}

/// The number of paths of `depth` legal moves.
pub fn perft(kyokumen: &mut Kyokumen, depth: u32, mode: PerftMode) -> u64 {
    match (depth, mode) {
        (0, _) => return 1,
        (1, PerftMode::Count) => return kyokumen.count_legal_te() as u64,
        (1, PerftMode::List) => {
            let mut list = TeList::new();
            kyokumen.add_legal_te(&mut list);
            return list.len() as u64;
        }
        _ => {}
    }
    let mut nodes = 0;
    let mut list = TeList::new();
    kyokumen.add_legal_te(&mut list);
    for &te in &list {
        let change = kyokumen.do_te(te);
        nodes += if depth == 1 { 1 } else { perft(kyokumen, depth - 1, mode) };
        kyokumen.undo_te(&change);
    }
    nodes
}
