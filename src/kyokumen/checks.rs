//! The aim of the moves that give check.

use super::generate::Aim;
use super::masu_set::{Line, between, direction_between, ray, slide, steps};
use super::{Koma, Kyokumen, Masu, MasuSet, Syurui};

/// Where a move gives check: the piece lands on a square from which its kind attacks the enemy king, or it leaves the
/// line between him and an own slider.
///
/// Squares are found from the king, with all pieces where they stand before the move. That the mover then has left its
/// own square makes no difference: only a slider could look through it, and one that stood there with nothing between
/// would have given check already.
pub(super) struct Checks {
    enemy_ou: Masu,
    /// By kind: where it attacks the king from.
    squares: [MasuSet; 16],
    /// Pieces that stand alone between the king and an own slider.
    uncovering: MasuSet,
}

impl Checks {
    /// The checks of the side to move against a king who is not in check yet.
    #[inline(always)]
    pub(super) fn new(kyokumen: &Kyokumen, enemy_ou: Masu) -> Checks {
        use Syurui::{Fu, Gi, Hi, Ka, Ke, Ki, Ky, Ng, Nk, Ny, Ry, To, Um};
        let (own, enemy) = (kyokumen.teban, !kyokumen.teban);
        // A piece attacks the king from where an enemy piece of its kind, standing in his place, would attack.
        let steps_back = |syurui| steps(Koma::new(syurui, enemy), enemy_ou);
        let occupied = kyokumen.occupied();
        let mut squares = [MasuSet::EMPTY; 16];
        for syurui in [Fu, Ke, Gi] {
            squares[syurui.index()] = steps_back(syurui);
        }
        for syurui in [Ki, To, Ny, Nk, Ng] {
            squares[syurui.index()] = steps_back(Ki);
        }
        let behind = if own.index() == 0 { 6 } else { 1 };
        squares[Ky.index()] = slide(behind, enemy_ou, occupied);
        squares[Ka.index()] = Line::diagonals(enemy_ou, occupied);
        squares[Hi.index()] = Line::straights(enemy_ou, occupied);
        squares[Um.index()] = squares[Ka.index()] | steps_back(Um);
        squares[Ry.index()] = squares[Hi.index()] | steps_back(Ry);
        let mut uncovering = MasuSet::EMPTY;
        for slider in kyokumen.sliders_on_lines_with(enemy_ou, own) {
            let between = between(enemy_ou, slider) & occupied;
            if between.len() == 1 {
                uncovering |= between & kyokumen.sides[own];
            }
        }
        Checks { enemy_ou, squares, uncovering }
    }
}

impl Aim for Checks {
    #[inline(always)]
    fn stay(&self, syurui: Syurui) -> MasuSet {
        self.squares[syurui.index()]
    }

    #[inline(always)]
    fn promote(&self, syurui: Syurui) -> MasuSet {
        self.squares[syurui.index() | 8]
    }

    #[inline(always)]
    fn drops(&self, syurui: Syurui) -> MasuSet {
        self.squares[syurui.index()]
    }

    #[inline(always)]
    fn uncovering(&self) -> MasuSet {
        self.uncovering
    }

    #[inline(always)]
    fn uncovers_at(&self, from: Masu) -> MasuSet {
        !ray(direction_between(self.enemy_ou, from) & 7, self.enemy_ou)
    }
}
