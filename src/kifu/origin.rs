//! Which piece moves, where a record writes no square that it comes from, as KI2 does and what is made from it.

use super::step::{Step, reaches};
use crate::kyokumen::{Kyokumen, Masu, MasuSet, Syurui, Te};

/// How a move is told from others of the same kind of piece to the same square.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Marks {
    /// 上 (1), 寄 (0), 引 (-1): the sign of the ranks that it goes forward.
    pub(super) forward: Option<i8>,
    /// 直.
    pub(super) is_straight: bool,
    /// 右 (1), 左 (-1), as the side to move sees it.
    pub(super) side: Option<i8>,
    pub(super) promotes: bool,
    pub(super) is_drop: bool,
}

impl Marks {
    fn fit(self, step: Step, syurui: Syurui) -> bool {
        self.forward.is_none_or(|forward| step.forward.signum() == forward)
            && (!self.is_straight || step.right == 0 && step.forward > 0)
            && (is_long(syurui) || self.side.is_none_or(|side| step.right.signum() == side))
    }
}

/// The one move that is meant; where nothing legal fits, an illegal one that does. A piece on the board comes before
/// one in hand where nothing is said.
pub(super) fn find(kyokumen: &Kyokumen, syurui: Syurui, to: Masu, marks: Marks) -> Option<Te> {
    let teban = kyokumen.teban();
    let can_drop = !marks.promotes && Syurui::HAND.contains(&syurui);
    if marks.is_drop {
        return can_drop.then(|| Te::drop(syurui, to));
    }
    let is_told = marks.forward.is_some() || marks.side.is_some() || marks.is_straight;
    let in_hand = can_drop && !is_told && kyokumen.motigoma(teban).count(syurui) > 0;
    let drop = in_hand.then(|| Te::drop(syurui, to));
    let step = |from| Step::new(teban, from, to);
    let fits = |&from: &Masu| marks.fit(step(from), syurui) && reaches(kyokumen, syurui, from, to);
    let mut origins: MasuSet = kyokumen.pieces_of(teban, syurui).filter(fits).collect();
    if let Some(side) = marks.side.filter(|_| is_long(syurui)) {
        let most = origins.map(|from| step(from).right * side).max();
        origins = origins.filter(|&from| Some(step(from).right * side) == most).collect();
    }
    // A piece that is pinned may be told apart or not.
    let board = |from| Te::board(from, to, marks.promotes);
    let legal: MasuSet = origins.filter(|&from| kyokumen.is_legal(board(from))).collect();
    match (only(legal), legal.is_empty()) {
        (Some(from), _) => Some(board(from)),
        (None, false) => None,
        (None, true) => match drop {
            Some(te) if origins.is_empty() || kyokumen.is_legal(te) => Some(te),
            _ => only(origins).map(board),
        },
    }
}

fn only(set: MasuSet) -> Option<Masu> {
    let mut squares = set;
    squares.next().filter(|_| squares.is_empty())
}

/// The pieces of which there are two at most, and of which 右 and 左 tell the one from the other, wherever they stand.
const fn is_long(syurui: Syurui) -> bool {
    matches!(syurui, Syurui::Ka | Syurui::Hi | Syurui::Um | Syurui::Ry)
}
