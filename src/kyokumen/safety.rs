//! What threatens a king: checks, pins, and the squares that are barred to him.
//!
//! The enemy's control word on the king's square names the checkers. An own piece alone between the king and an enemy
//! slider on a line with him is pinned to that line. The king goes where the enemy's control is 0; a slide that checks
//! him stops at his square, so the square behind him is barred as well.

use super::direction::{OFFSETS, each, forward};
use super::masu::Ichi;
use super::masu_set::{OFFSETS_81, between, diagonals, direction_between, near, ray, slide, steps, straights};
use super::sink::{NEAR_BEFORE, Near};
use super::{Koma, Kyokumen, Masu, MasuSet, Syurui, Teban};

/// What the safety of the own king demands of the other pieces.
pub(super) struct Safety {
    pub(super) pinned: MasuSet,
    /// Where they must go: everywhere, or to the checker and the squares between, or nowhere.
    pub(super) answers: MasuSet,
    /// Whether the king is in check.
    pub(super) oute: bool,
}

impl Kyokumen {
    /// Pins and checks against a side's king; everything is safe for a side without one.
    #[inline(always)]
    pub(super) fn safety_of(&self, teban: Teban) -> Safety {
        let mut safety = Safety { pinned: MasuSet::EMPTY, answers: MasuSet::ALL, oute: false };
        let Some(ou) = self.ou[teban] else { return safety };
        safety.pinned = self.shields(ou, !teban) & self.sides[teban];
        let checkers = self.control_at(!teban, ou.ichi());
        safety.oute = checkers != 0;
        if checkers != 0 {
            safety.answers =
                if checkers.is_power_of_two() { self.answers_to_check(ou, checkers) } else { MasuSet::EMPTY };
        }
        safety
    }

    /// The line through the own king that a pinned piece must keep to.
    pub(super) fn pin_line(&self, teban: Teban, pinned: Masu) -> MasuSet {
        self.ou[teban].map_or(MasuSet::ALL, |ou| ray(direction_between(ou, pinned) & 7, ou))
    }

    /// The pieces, of either side, that alone stand between a square and a slider of a side.
    #[inline(always)]
    pub(super) fn shields(&self, masu: Masu, teban: Teban) -> MasuSet {
        let mut shields = MasuSet::EMPTY;
        for slider in self.sliders_on_lines_with(masu, teban) {
            let between = between(masu, slider) & self.occupied();
            if between.len() == 1 {
                shields |= between;
            }
        }
        shields
    }

    /// The sliders of a side that would attack a square if nothing stood between.
    #[inline(always)]
    pub(super) fn sliders_on_lines_with(&self, masu: Masu, teban: Teban) -> MasuSet {
        let kinds = |a: Syurui, b: Syurui| self.kinds[a.index()] | self.kinds[b.index()];
        // A lance attacks the squares ahead of it, so it is seen from there looking back.
        let back = forward(!teban);
        let on_lines = diagonals(masu) & kinds(Syurui::Ka, Syurui::Um)
            | straights(masu) & kinds(Syurui::Hi, Syurui::Ry)
            | ray(back, masu) & self.kinds[Syurui::Ky.index()];
        on_lines & self.sides[teban]
    }

    /// Where one checker can be taken or shut off.
    fn answers_to_check(&self, ou: Masu, checker: u32) -> MasuSet {
        let bit = checker.trailing_zeros() as usize;
        if bit < 12 {
            return MasuSet::of(ou.ichi().step(-OFFSETS[bit]).masu());
        }
        slide(7 - (bit - 16), ou, self.occupied())
    }

    /// The squares around a king that the enemy does not attack, nor would if the king left his own.
    #[inline(always)]
    pub(super) fn safe_near(&self, teban: Teban, ou: Masu) -> Near {
        let cell = ou.ichi();
        let mut safe = 0;
        let bit = |direction: usize| NEAR_BEFORE.wrapping_add_signed(OFFSETS_81[direction].into());
        // In the order of cells.
        for direction in [2, 1, 0, 4, 3, 7, 6, 5] {
            let free = self.control_at(!teban, cell.step(OFFSETS[direction])) == 0;
            safe |= Near::from(free) << bit(direction);
        }
        for direction in each(self.control_at(!teban, cell) >> 16) {
            safe &= !(1 << bit(direction));
        }
        safe & near(Koma::new(Syurui::Ou, teban), ou)
    }

    /// Whether a king is safe after going from one cell to a neighbour.
    #[inline(always)]
    pub(super) fn is_safe_for_ou(&self, teban: Teban, from: Ichi, to: Ichi) -> bool {
        let behind = |direction: usize| from.step(OFFSETS[direction]) == to;
        self.control_at(!teban, to) == 0 && !each(self.control_at(!teban, from) >> 16).any(behind)
    }

    /// The square from which an enemy pawn attacks a side's king; `None` at the edge.
    #[inline(always)]
    pub(super) fn front_of_ou(&self, teban: Teban) -> Option<Masu> {
        self.ou[teban]?.ichi().step(OFFSETS[forward(teban)]).on_board()
    }

    /// Whether a pawn that this side drops on the empty square in front of the enemy king would mate. It does when it
    /// is defended, no piece may take it, and the king has no square; the pawn may shut off an own slide behind it.
    /// Where the other side has been left in check, this is answered as if it were not.
    pub(super) fn is_drop_mate(&self, teban: Teban, front: Masu) -> bool {
        let (own, enemy, cell) = (teban, !teban, front.ichi());
        if self.control_at(own, cell) == 0 {
            return false;
        }
        let Some(ou) = self.ou[enemy] else { return false };
        let shut_off = self.control_at(own, cell) >> 16;
        let is_escape = |to: Masu| {
            let through_pawn: u32 =
                each(shut_off).filter(|&d| cell.step(OFFSETS[d]) == to.ichi()).map(|d| 1 << (16 + d)).sum();
            self.control_at(own, to.ichi()) & !through_pawn == 0
        };
        let squares = steps(Koma::new(Syurui::Ou, enemy), ou) & !self.sides[enemy] & !MasuSet::of(front);
        if squares.into_iter().any(is_escape) {
            return false;
        }
        let pinned = self.safety_of(enemy).pinned;
        let may_take = |from: Masu| {
            from != ou && (!pinned.contains(from) || direction_between(ou, from) == direction_between(ou, front))
        };
        !self.attackers(enemy, cell).any(may_take)
    }

    /// The squares of the pieces of a side that attack a cell, found by going the ways of its control word back.
    pub(super) fn attackers(&self, teban: Teban, to: Ichi) -> impl Iterator<Item = Masu> + '_ {
        let control = self.control_at(teban, to);
        let steps = each(control & 0xfff).map(move |direction| to.step(-OFFSETS[direction]));
        let slides = each(control >> 16).map(move |direction| {
            let mut cell = to.step(-OFFSETS[direction]);
            while self.at(cell).is_empty() {
                cell = cell.step(-OFFSETS[direction]);
            }
            cell
        });
        steps.chain(slides).map(Ichi::masu)
    }
}
