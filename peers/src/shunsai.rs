//! `shunsai`, which reads no SFEN: its positions are put together from Komadai's.

use std::ops::ControlFlow;

use komadai::kyokumen::{Kyokumen, Masu, PerftMode, Syurui, Teban};
use shunsai::Position;
use shunsai::shogi_core::{Color, Move, PartialPosition, Piece, PieceKind, Square, ToUsi};

use crate::{Peer, sorted, without_ply};

struct Shunsai(Position);

pub fn read(sfen: &str) -> Box<dyn Peer> {
    Box::new(Shunsai(position(sfen)))
}

impl Peer for Shunsai {
    fn name(&self) -> &'static str {
        "shunsai"
    }

    fn perft(&mut self, depth: u32, mode: PerftMode) -> Option<u64> {
        Some(perft(&mut self.0, depth, mode, &mut Vec::with_capacity(600)))
    }

    fn moves(&self) -> Vec<String> {
        sorted(self.0.legal_moves().iter().map(ToUsi::to_usi_owned))
    }

    fn play(&mut self, te: &str) {
        let te = read_move(&self.0, te).unwrap_or_else(|| panic!("{te}"));
        self.0.do_move(te);
    }

    fn in_check(&self) -> bool {
        self.0.in_check()
    }

    fn sfen(&self) -> String {
        let mut partial = PartialPosition::empty();
        partial.side_to_move_set(self.0.side_to_move());
        for square in Square::all() {
            partial.piece_set(square, self.0.piece_at(square));
        }
        for color in Color::all() {
            *partial.hand_of_a_player_mut(color) = self.0.hand(color);
        }
        without_ply(&partial.to_sfen_owned())
    }
}

fn perft(position: &mut Position, depth: u32, mode: PerftMode, list: &mut Vec<Move>) -> u64 {
    let mut nodes = 0;
    match mode {
        PerftMode::Count if depth == 1 => {
            let _ = position.generate_moves(|set| {
                nodes += set.len() as u64;
                ControlFlow::Continue(())
            });
        }
        PerftMode::List if depth == 1 => {
            list.clear();
            let _ = position.generate_moves(|set| {
                set.write_into(list);
                ControlFlow::Continue(())
            });
            nodes = list.len() as u64;
        }
        _ => {
            for te in position.legal_moves() {
                let undo = position.do_move(te);
                nodes += if depth == 1 { 1 } else { perft(position, depth - 1, mode, list) };
                position.undo_move(te, undo);
            }
        }
    }
    nodes
}

const KINDS: [PieceKind; 14] = {
    use PieceKind::*;
    [Pawn, Lance, Knight, Silver, Bishop, Rook, Gold, King, ProPawn, ProLance, ProKnight, ProSilver, ProBishop, ProRook]
};

fn kind(syurui: Syurui) -> PieceKind {
    KINDS[syurui.index() - 1]
}

fn color(teban: Teban) -> Color {
    if teban == Teban::Sente { Color::Black } else { Color::White }
}

fn square(masu: Masu) -> Square {
    Square::from_u8(masu.index() as u8 + 1).expect("a square")
}

fn position(sfen: &str) -> Position {
    let kyokumen: Kyokumen = sfen.parse().unwrap_or_else(|error| panic!("{sfen}: {error}"));
    let mut position = PartialPosition::empty();
    position.side_to_move_set(color(kyokumen.teban()));
    for masu in Masu::all() {
        let koma = kyokumen.koma(masu);
        let piece = koma.syurui().zip(koma.teban()).map(|(syurui, teban)| Piece::new(kind(syurui), color(teban)));
        position.piece_set(square(masu), piece);
    }
    for teban in Teban::ALL {
        for (syurui, count) in kyokumen.motigoma(teban).iter() {
            for _ in 0..count {
                let hand = position.hand_of_a_player_mut(color(teban));
                *hand = hand.added(kind(syurui)).expect("it can be in hand");
            }
        }
    }
    Position::new(position)
}

fn read_move(position: &Position, usi: &str) -> Option<Move> {
    let te: komadai::kyokumen::Te = usi.parse().ok()?;
    let to = square(te.to());
    Some(match (te.from(), te.dropped()) {
        (Some(from), _) => Move::Normal { from: square(from), to, promote: te.promotes() },
        (None, dropped) => Move::Drop { piece: Piece::new(kind(dropped?), position.side_to_move()), to },
    })
}
