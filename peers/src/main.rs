//! Prints perft speeds of Komadai beside other crates, measured in turn in one run, as ratios to the best of them.
//!
//! `count`: leaf parents add up the sizes of move sets. `list`: leaf parents build a list. `play`: leaves are played
//! and taken back. Each figure is the fastest of several rounds.

use std::ops::ControlFlow;
use std::time::Instant;

use komadai::kyokumen::{Kyokumen, PerftMode, perft};

struct Position {
    name: &'static str,
    sfen: &'static str,
    depth: u32,
}

const POSITIONS: [Position; 3] = [
    Position { name: "start", sfen: "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1", depth: 5 },
    Position {
        name: "matsuri",
        sfen: "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        depth: 3,
    },
    Position { name: "max", sfen: "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1", depth: 3 },
];

fn shunsai_perft(
    position: &mut shunsai::Position,
    depth: u32,
    mode: PerftMode,
    list: &mut Vec<shunsai::shogi_core::Move>,
) -> u64 {
    if depth == 1 {
        match mode {
            PerftMode::Count => {
                let mut nodes = 0;
                let _ = position.generate_moves(|set| {
                    nodes += set.len() as u64;
                    ControlFlow::Continue(())
                });
                return nodes;
            }
            PerftMode::List => {
                list.clear();
                let _ = position.generate_moves(|set| {
                    set.write_into(list);
                    ControlFlow::Continue(())
                });
                return list.len() as u64;
            }
            PerftMode::Play => {}
        }
    }
    let mut nodes = 0;
    for te in position.legal_moves() {
        let undo = position.do_move(te);
        nodes += if depth == 1 { 1 } else { shunsai_perft(position, depth - 1, mode, list) };
        position.undo_move(te, undo);
    }
    nodes
}

fn haitaka_perft(board: &haitaka::Board, depth: u32, mode: PerftMode, list: &mut Vec<haitaka::Move>) -> u64 {
    if depth == 1 && mode != PerftMode::Play {
        let mut nodes = 0;
        list.clear();
        let mut take = |moves: haitaka::PieceMoves| {
            if mode == PerftMode::List {
                list.extend(moves);
            } else {
                nodes += moves.into_iter().len() as u64;
            }
            false
        };
        board.generate_board_moves(&mut take);
        board.generate_drops(&mut take);
        return nodes + list.len() as u64;
    }
    let mut nodes = 0;
    let mut take = |moves: haitaka::PieceMoves| {
        for te in moves {
            let mut next = board.clone();
            next.play_unchecked(te);
            nodes += if depth == 1 { 1 } else { haitaka_perft(&next, depth - 1, mode, list) };
        }
        false
    };
    board.generate_board_moves(&mut take);
    board.generate_drops(&mut take);
    nodes
}

fn million_a_second(rounds: u32, mut run: impl FnMut() -> u64) -> (u64, f64) {
    let mut best = 0f64;
    let mut nodes = 0;
    for _ in 0..rounds {
        let start = Instant::now();
        nodes = run();
        best = best.max(nodes as f64 / start.elapsed().as_secs_f64() / 1e6);
    }
    (nodes, best)
}

fn main() {
    println!("mode   position   komadai  shunsai  haitaka  ratio");
    for mode in [PerftMode::Count, PerftMode::List, PerftMode::Play] {
        for position in &POSITIONS {
            let depth = if mode == PerftMode::Play {
                position.depth.min(4) - u32::from(position.name == "max")
            } else {
                position.depth
            };
            let mut ours: Kyokumen = position.sfen.parse().expect("a SFEN");
            let mut shunsai = shunsai_position(position.sfen);
            let haitaka: haitaka::Board = position.sfen.parse().expect("a SFEN");
            let (nodes, komadai) = million_a_second(3, || perft(&mut ours, depth, mode));
            let mut list = Vec::with_capacity(600);
            let (same, shunsai) = million_a_second(3, || shunsai_perft(&mut shunsai, depth, mode, &mut list));
            assert_eq!(nodes, same);
            let mut list = Vec::with_capacity(600);
            let (_, haitaka) = million_a_second(3, || haitaka_perft(&haitaka, depth, mode, &mut list));
            println!(
                "{:6} {:8} {komadai:9.1} {shunsai:8.1} {haitaka:8.1} {:6.2}",
                format!("{mode:?}").to_lowercase(),
                position.name,
                komadai / shunsai.max(haitaka)
            );
        }
    }
}

fn shunsai_position(sfen: &str) -> shunsai::Position {
    use komadai::kyokumen::{Masu, Syurui, Teban};
    use shunsai::shogi_core::{Color, PartialPosition, Piece, PieceKind, Square};
    const KINDS: [PieceKind; 14] = {
        use PieceKind::*;
        [
            Pawn, Lance, Knight, Silver, Bishop, Rook, Gold, King, ProPawn, ProLance, ProKnight, ProSilver, ProBishop,
            ProRook,
        ]
    };
    let kind = |syurui: Syurui| KINDS[syurui.index() - 1];
    let color = |teban| if teban == Teban::Sente { Color::Black } else { Color::White };
    let kyokumen: Kyokumen = sfen.parse().expect("a SFEN");
    let mut position = PartialPosition::empty();
    position.side_to_move_set(color(kyokumen.teban()));
    for masu in Masu::all() {
        let koma = kyokumen.koma(masu);
        let piece = koma.syurui().zip(koma.teban()).map(|(syurui, teban)| Piece::new(kind(syurui), color(teban)));
        position.piece_set(Square::from_u8(masu.index() as u8 + 1).expect("a square"), piece);
    }
    for teban in Teban::ALL {
        for (syurui, count) in kyokumen.motigoma(teban).iter() {
            for _ in 0..count {
                let hand = position.hand_of_a_player_mut(color(teban));
                *hand = hand.added(kind(syurui)).expect("it can be in hand");
            }
        }
    }
    shunsai::Position::new(position)
}
