//! Which moves give check, told without playing them.
//!
//! A check is direct, by the piece as it lands, or discovered, by a slider that sees the king once its way is free.
//! From where a kind checks is known by looking from the king's square as that kind would, turned around.

use super::legal::Safety;
use super::masu_set::{direction_between, ray, slide, steps};
use super::{Koma, Kyokumen, Masu, MasuSet, Syurui, Te, TeList, Teban};

/// The squares from which each kind attacks a king, by [`Syurui::index`].
struct CheckSquares([MasuSet; 16]);

impl CheckSquares {
    /// Of the pieces of a side that attacks a king on a square, with these squares occupied.
    #[inline(always)]
    fn of(attacker: Teban, ou: Masu, occupied: MasuSet) -> CheckSquares {
        let seen = |direction| slide(direction, ou, occupied);
        let near = |syurui| steps(Koma::new(syurui, !attacker), ou);
        let lines = [1, 3, 4, 6].map(seen);
        let diagonal = seen(0) | seen(2) | seen(5) | seen(7);
        let straight = lines[0] | lines[1] | lines[2] | lines[3];
        let mut squares = [MasuSet::EMPTY; 16];
        let mut set = |syurui: Syurui, from| squares[syurui.index()] = from;
        set(Syurui::Fu, near(Syurui::Fu));
        set(Syurui::Ky, lines[if attacker == Teban::Sente { 3 } else { 0 }]);
        set(Syurui::Ke, near(Syurui::Ke));
        set(Syurui::Gi, near(Syurui::Gi));
        set(Syurui::Ka, diagonal);
        set(Syurui::Hi, straight);
        set(Syurui::Um, diagonal | near(Syurui::Um));
        set(Syurui::Ry, straight | near(Syurui::Ry));
        let gold = near(Syurui::Ki);
        for syurui in [Syurui::Ki, Syurui::To, Syurui::Ny, Syurui::Nk, Syurui::Ng] {
            set(syurui, gold);
        }
        CheckSquares(squares)
    }

    #[inline(always)]
    fn get(&self, syurui: Syurui) -> MasuSet {
        self.0[syurui.index()]
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
    pub fn gives_check(&self, te: Te) -> bool {
        let (own, to) = (self.teban, te.to());
        let Some(ou) = self.ou[!own] else { return false };
        if self.control_at(own, ou.ichi()) != 0 {
            return self.is_oute_after(te);
        }
        let koma = match te.from() {
            Some(from) if self.discovers_check(from, to, ou) => return true,
            Some(from) if te.promotes() => self.koma(from).promoted(),
            Some(from) => self.koma(from),
            None => Koma::new(te.dropped().unwrap_or(Syurui::Fu), own),
        };
        // A slider that moves away from the king has not got him on its line, since he is not in check yet: so the
        // square that it leaves can be taken as still occupied.
        let direction = direction_between(to, ou);
        let slides = koma.moves().slides() >> direction & 1 != 0;
        steps(koma, to).contains(ou) || slides && (self.between(to, ou) & self.occupied()).is_empty()
    }

    /// All legal moves that give check, in no particular order.
    pub fn legal_checks(&self) -> TeList {
        let mut list = TeList::new();
        self.add_checks(&mut list, true);
        list
    }

    /// Adds the legal moves that give check to a list, pawn drops only if they are wanted.
    pub(super) fn add_checks(&self, list: &mut TeList, with_pawn_drops: bool) {
        let own = self.teban;
        let Some(ou) = self.ou[!own] else { return };
        if self.control_at(own, ou.ichi()) != 0 {
            self.legal_te().into_iter().filter(|&te| self.gives_check(te)).for_each(|te| list.push(te));
            return;
        }
        let squares = CheckSquares::of(own, ou, self.occupied());
        let safety = self.safety_of(own);
        self.add_checks_on_board(ou, &squares, &safety, list);
        if !self.motigoma[own].is_empty() {
            let empty = safety.answers & !self.occupied();
            self.add_check_drops(&squares, empty, with_pawn_drops, list);
        }
    }

    fn add_checks_on_board(&self, ou: Masu, squares: &CheckSquares, safety: &Safety, list: &mut TeList) {
        let own = self.teban;
        let discoverers = self.discoverers(ou);
        if let Some(own_ou) = self.ou[own].filter(|&own_ou| discoverers.contains(own_ou)) {
            let line = ray(direction_between(ou, own_ou), ou);
            (self.ou_squares(own, own_ou) & !line).for_each(|to| list.push(Te::board(own_ou, to, false)));
        }
        let open = safety.answers & !self.sides[own];
        for from in discoverers & !self.kinds[Syurui::Ou.index()] | self.near_checkers(ou, squares) {
            let mut to = self.reach(self.koma(from), from) & open;
            // In check as well, it has no square: no line to the king meets another but at him.
            if safety.pinned.contains(from)
                && let Some(own_ou) = self.ou[own]
            {
                to &= ray(direction_between(own_ou, from), own_ou);
            }
            if discoverers.contains(from) {
                let off_line = to & !ray(direction_between(ou, from), ou);
                self.add_moves_that_check(from, off_line, |_| MasuSet::ALL, list);
                to ^= off_line;
            }
            self.add_moves_that_check(from, to, |syurui| squares.get(syurui), list);
        }
    }

    /// The pieces that may have a direct check: all sliders, of pawns those that arrive where they attack the king, and
    /// of others those in his neighbourhood.
    #[inline(always)]
    fn near_checkers(&self, ou: Masu, squares: &CheckSquares) -> MasuSet {
        let own = self.teban;
        let arrivals = squares.get(Syurui::Fu) | squares.get(Syurui::To) & MasuSet::far_dans(own, 3);
        let behind = (arrivals & !MasuSet::far_dans(!own, 1)).ahead(!own);
        let kind = |syurui: Syurui| self.kinds[syurui.index()];
        let sliders = [Syurui::Ky, Syurui::Ka, Syurui::Hi, Syurui::Um, Syurui::Ry].map(kind);
        let sliders = sliders.into_iter().fold(MasuSet::EMPTY, |all, of_kind| all | of_kind);
        let others = neighbourhood(own, ou) & !kind(Syurui::Fu) & !kind(Syurui::Ou);
        (behind & kind(Syurui::Fu) | sliders | others) & self.sides[own]
    }

    /// Adds the moves of a piece to squares from where it checks, as what it is or becomes there.
    #[inline(always)]
    fn add_moves_that_check(&self, from: Masu, to: MasuSet, checks: impl Fn(Syurui) -> MasuSet, list: &mut TeList) {
        let Some(syurui) = self.koma(from).syurui() else { return };
        if let Some(promoted) = syurui.promoted() {
            let camp = MasuSet::far_dans(self.teban, 3);
            let promotions = if camp.contains(from) { to } else { to & camp };
            (promotions & checks(promoted)).for_each(|to| list.push(Te::board(from, to, true)));
        }
        let dead = MasuSet::far_dans(self.teban, syurui.first_live_dan() - 1);
        (to & checks(syurui) & !dead).for_each(|to| list.push(Te::board(from, to, false)));
    }

    fn add_check_drops(&self, squares: &CheckSquares, empty: MasuSet, with_pawn_drops: bool, list: &mut TeList) {
        let own = self.teban;
        for (syurui, _) in self.motigoma[own].iter() {
            let to = squares.get(syurui) & empty & !MasuSet::far_dans(own, syurui.first_live_dan() - 1);
            if syurui != Syurui::Fu {
                to.for_each(|to| list.push(Te::drop(syurui, to)));
            } else if let Some(front) = self.front_of_ou(!own).filter(|&front| with_pawn_drops && to.contains(front)) {
                let two_pawns = self.pieces_of(own, Syurui::Fu).whole_sujis().contains(front);
                if !two_pawns && !self.is_drop_mate(own, front) {
                    list.push(Te::drop(syurui, front));
                }
            }
        }
    }

    /// The pieces of the side to move that alone keep a slider of theirs from attacking the enemy king.
    #[inline(always)]
    fn discoverers(&self, ou: Masu) -> MasuSet {
        let between =
            self.sliders_on_lines_with(ou, self.teban).map(|slider| self.between(ou, slider) & self.occupied());
        between.filter(|between| between.len() == 1).fold(MasuSet::EMPTY, |all, one| all | one) & self.sides[self.teban]
    }

    /// Whether an own slider attacks the enemy king once a piece has gone from one square to another.
    #[inline(always)]
    pub(super) fn discovers_check(&self, from: Masu, to: Masu, ou: Masu) -> bool {
        let direction = direction_between(from, ou);
        // Bits above the slides are never set, so that a square on no line falls out.
        self.control_at(self.teban, from.ichi()) >> (16 + direction) & 1 != 0
            && (self.between(from, ou) & self.occupied()).is_empty()
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
