//! How far a game has gone: from the opening, 0, to the endgame, [`ENDGAME`].

use crate::kyokumen::{Change, Koma, Kyokumen, Syurui, Teban};

/// The phase of an endgame.
pub const ENDGAME: i32 = 16;
/// What each promoted piece on the board, and each piece in hand that is no pawn, adds.
const STEP: i32 = 2;

/// The phase of a position; it counts on beyond the endgame.
pub fn of(kyokumen: &Kyokumen) -> i32 {
    let board: i32 = kyokumen.occupied().into_iter().map(|masu| on_board(kyokumen.koma(masu))).sum();
    let hands = Teban::ALL.into_iter().flat_map(|teban| kyokumen.motigoma(teban).iter());
    board + hands.map(|(syurui, count)| i32::from(count) * in_hand(syurui)).sum::<i32>()
}

/// What a move adds to the phase.
#[inline]
pub(super) fn gain(change: &Change) -> i32 {
    let mut gain = on_board(change.after) - on_board(change.before);
    if let Some(syurui) = change.te.dropped() {
        gain -= in_hand(syurui);
    }
    if let Some(captured) = change.captured.syurui() {
        gain += in_hand(captured.unpromoted()) - on_board(change.captured);
    }
    gain
}

/// What lies between a value for the opening and one for the endgame.
#[inline]
pub(super) fn between(phase: i32, opening: i32, endgame: i32) -> i32 {
    let phase = phase.min(ENDGAME);
    (opening * (ENDGAME - phase) + endgame * phase) / ENDGAME
}

#[inline]
fn in_hand(syurui: Syurui) -> i32 {
    if syurui == Syurui::Fu { 0 } else { STEP }
}

#[inline]
fn on_board(koma: Koma) -> i32 {
    if koma.syurui().is_some_and(Syurui::is_promoted) { STEP } else { 0 }
}
