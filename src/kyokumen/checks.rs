//! Which moves give check: the aim of those that do, and whether one does, told without playing it.
//!
//! A check is direct, by the piece as it lands, or discovered, by a slider that sees the king once its way is free.
//! From where a kind checks is known by looking from the king's square as that kind would, turned around.

use super::direction::forward;
use super::generate::Aim;
use super::masu_set::{between, direction_between, ray, slide, slide_diagonally, slide_straight, steps};
use super::{Koma, Kyokumen, Masu, MasuSet, Syurui, Te, TeList, Teban, level};

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
    pawn_drops: MasuSet,
    /// All that may have a direct check, and others.
    movers: MasuSet,
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
        squares[Ky.index()] = slide(forward(enemy), enemy_ou, occupied);
        squares[Ka.index()] = slide_diagonally(enemy_ou, occupied);
        squares[Hi.index()] = slide_straight(enemy_ou, occupied);
        squares[Um.index()] = squares[Ka.index()] | steps_back(Um);
        squares[Ry.index()] = squares[Hi.index()] | steps_back(Ry);
        let uncovering = kyokumen.shields(enemy_ou, own) & kyokumen.sides[own];
        let kind = |syurui: Syurui| kyokumen.kinds[syurui.index()];
        let sliders = kind(Ky) | kind(Ka) | kind(Hi) | kind(Um) | kind(Ry);
        let movers = neighbourhood(own, enemy_ou) | sliders | kind(Fu);
        Checks { enemy_ou, pawn_drops: squares[Fu.index()], squares, uncovering, movers }
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
        if syurui == Syurui::Fu { self.pawn_drops } else { self.squares[syurui.index()] }
    }

    #[inline(always)]
    fn movers(&self) -> MasuSet {
        self.movers
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

/// The squares within two suji of a king, not more than two dan past him and four short of him as his attacker goes:
/// from farther away no piece checks without a slide, not even with a knight's jump.
#[inline(always)]
fn neighbourhood(attacker: Teban, ou: Masu) -> MasuSet {
    let sujis = [0, 9, 18, 27, 36].map(|offset| (ou.index() + offset).checked_sub(18).and_then(Masu::from_index));
    let sujis = sujis.into_iter().flatten().fold(MasuSet::EMPTY, |all, masu| all | MasuSet::of(masu)).whole_sujis();
    let dan = ou.dan().seen_by(attacker).number();
    sujis & MasuSet::far_dans(attacker, (dan + 4).min(9)) & !MasuSet::far_dans(attacker, dan.saturating_sub(3))
}

impl Kyokumen {
    /// Whether a legal move gives check, told without playing it.
    ///
    /// # Panics
    /// May panic on a move that is not legal, where the other side has been left in check.
    pub fn gives_check(&self, te: Te) -> bool {
        let (own, to) = (self.teban, te.to());
        let Some(ou) = self.ou[!own] else { return false };
        if self.control_at(own, ou.ichi()) != 0 {
            return self.is_oute_after(te);
        }
        if te.from().is_some_and(|from| self.discovers_check(from, to, ou)) {
            return true;
        }
        let koma = self.koma_after(te);
        // A slider that moves away from the king has not got him on its line, since he is not in check yet: so the
        // square that it leaves can be taken as still occupied.
        let direction = direction_between(to, ou);
        let slides = koma.moves().slides() >> direction & 1 != 0;
        steps(koma, to).contains(ou) || slides && (between(to, ou) & self.occupied()).is_empty()
    }

    /// The piece that a move puts on its square.
    #[inline(always)]
    pub(super) fn koma_after(&self, te: Te) -> Koma {
        match te.from() {
            Some(from) if te.promotes() => self.koma(from).promoted(),
            Some(from) => self.koma(from),
            None => te.dropped_by(self.teban),
        }
    }

    /// The legal moves that give check, by the piece that moves or by one that it uncovers.
    pub fn legal_checks(&self) -> TeList {
        let mut list = TeList::new();
        self.add_checks(&mut list, true);
        list
    }

    /// Adds the legal moves that give check to a list, pawn drops only if they are wanted.
    pub(super) fn add_checks(&self, list: &mut TeList, with_pawn_drops: bool) {
        let own = self.teban;
        let Some(enemy_ou) = self.ou[!own] else { return };
        if self.control_at(own, enemy_ou.ichi()) != 0 {
            // Only a position set up with the wrong side to move comes here.
            self.legal_te().into_iter().filter(|&te| self.gives_check(te)).for_each(|te| list.push(te));
            return;
        }
        let mut checks = Checks::new(self, enemy_ou);
        if !with_pawn_drops {
            checks.pawn_drops = MasuSet::EMPTY;
        }
        level::list(self, &checks, list);
    }

    /// Whether an own slider attacks the enemy king once a piece has gone from one square to another.
    #[inline(always)]
    pub(super) fn discovers_check(&self, from: Masu, to: Masu, ou: Masu) -> bool {
        let direction = direction_between(from, ou);
        // Bits above the slides are never set, so that a square on no line falls out.
        self.control_at(self.teban, from.ichi()) >> (16 + direction) & 1 != 0
            && (between(from, ou) & self.occupied()).is_empty()
            && direction_between(to, ou) != direction
    }

    /// The slow way, for positions in which the other side has been left in check.
    #[cold]
    fn is_oute_after(&self, te: Te) -> bool {
        let mut kyokumen = self.clone();
        kyokumen.do_te(te);
        kyokumen.is_oute()
    }
}
