//! A move that mates at once.
//!
//! Of the moves that give check, those go first that certainly have an answer: the king has a square, or an unpinned
//! piece takes the checker or goes between, or something is dropped there. What is left is few, and is played to see;
//! so the tests may be blind to an answer, but never see one that is none.

use super::direction::{OFFSETS, each};
use super::masu_set::{between, direction_between, reach, slide, steps};
use super::{Koma, Kyokumen, Masu, MasuSet, Syurui, Te, TeList, Teban};

/// The enemy king's place before the checks are looked at.
struct Target {
    /// The side that is to be mated.
    teban: Teban,
    ou: Masu,
    /// The squares next to him on which no piece of his stands.
    near: MasuSet,
    /// Those of them that nobody attacks yet.
    free: MasuSet,
    /// Where something can be dropped on an empty square for certain.
    drops: MasuSet,
}

/// What a check makes of the position.
struct Check {
    te: Te,
    /// The piece as it lands.
    koma: Koma,
    /// Where it leaves; empty for a drop.
    left: MasuSet,
    /// Whether own slides come through there.
    opens: bool,
    occupied: MasuSet,
}

impl Kyokumen {
    /// A legal move that mates at once, if there is any.
    pub fn mate_in_one(&self) -> Option<Te> {
        let own = self.teban;
        let ou = self.ou[!own]?;
        let mut checks = TeList::new();
        // A pawn that would mate by being dropped may not be dropped.
        self.add_checks(&mut checks, false);
        if checks.is_empty() {
            return None;
        }
        let mut played = None;
        let mut mates = |te| {
            let kyokumen = played.get_or_insert_with(|| self.clone());
            let change = kyokumen.do_te(te);
            let is_mate = !kyokumen.has_legal_te();
            kyokumen.undo_te(&change);
            is_mate
        };
        // Left in check already, the other side has answers only to both.
        let is_plain = self.control_at(own, ou.ichi()) == 0;
        let target = self.target(ou);
        checks.into_iter().find(|&te| !(is_plain && self.is_answered(&target, te)) && mates(te))
    }

    fn target(&self, ou: Masu) -> Target {
        let teban = !self.teban;
        let near = steps(Koma::new(Syurui::Ou, teban), ou) & !self.sides[teban];
        let free = near.filter(|to| self.control_at(!teban, to.ichi()) == 0).collect();
        Target { teban, ou, near, free, drops: self.certain_drops(teban) }
    }

    /// The squares where a side, if they are empty, can drop a piece that it holds; some on which a pawn may fall are
    /// left out.
    fn certain_drops(&self, teban: Teban) -> MasuSet {
        let mut squares = MasuSet::EMPTY;
        for (syurui, _) in self.motigoma[teban].iter() {
            let mut to = !MasuSet::far_dans(teban, syurui.first_live_dan() - 1);
            if syurui == Syurui::Fu {
                // A pawn in front of the other king could mate him.
                let front = self.front_of_ou(!teban).map_or(MasuSet::EMPTY, MasuSet::of);
                to &= !self.pieces_of(teban, Syurui::Fu).whole_sujis() & !front;
            }
            squares |= to;
        }
        squares
    }

    /// Whether a move that gives check certainly has an answer.
    fn is_answered(&self, target: &Target, te: Te) -> bool {
        let (own, to) = (self.teban, te.to());
        let opens = te.from().is_some_and(|from| self.control_at(own, from.ichi()) >> 16 != 0);
        let left = te.from().map_or(MasuSet::EMPTY, MasuSet::of);
        let check =
            Check { te, koma: self.koma_after(te), left, opens, occupied: self.occupied() & !left | MasuSet::of(to) };
        if self.has_escape(target, &check) {
            return true;
        }
        let discovers = te.from().is_some_and(|from| self.discovers_check(from, to, target.ou));
        !discovers && (self.can_take(target, &check) || self.can_go_between(target, &check))
    }

    /// Whether the king has a square to go to after a check.
    fn has_escape(&self, target: &Target, check: &Check) -> bool {
        let to = check.te.to();
        // The checking piece itself, whatever it took there.
        let may_take = steps(Koma::new(Syurui::Ou, target.teban), target.ou).contains(to);
        if may_take && !self.is_attacked_after(target, check, to) {
            return true;
        }
        // The king does not shield the squares behind him.
        let attacked = reach(check.koma, to, check.occupied & !MasuSet::of(target.ou)) | MasuSet::of(to);
        if !check.opens && !(target.free & !attacked).is_empty() {
            return true;
        }
        // A drop may shut off an own slide, but hardly ever does.
        let doubtful = if check.left.is_empty() { MasuSet::EMPTY } else { target.near };
        (doubtful & !attacked).any(|masu| !self.is_attacked_after(target, check, masu))
    }

    /// Whether a square next to the king is attacked after a check, by a piece other than the one that moved.
    fn is_attacked_after(&self, target: &Target, check: &Check, masu: Masu) -> bool {
        let control = self.control_at(self.teban, masu.ichi());
        let mut by_step = each(control & 0xfff).map(|direction| masu.ichi().step(-OFFSETS[direction]).masu());
        if by_step.any(|from| !check.left.contains(from)) {
            return true;
        }
        if control >> 16 == 0 && !check.opens {
            return false;
        }
        let occupied = check.occupied & !MasuSet::of(target.ou);
        let mut sliders = self.sliders_on_lines_with(masu, self.teban) & !check.left;
        sliders.any(|slider| (between(masu, slider) & occupied).is_empty())
    }

    /// Whether a piece other than the king certainly takes the checking piece.
    fn can_take(&self, target: &Target, check: &Check) -> bool {
        self.can_go_to(target, check, check.te.to())
    }

    /// Whether something certainly goes or is dropped between the checking piece and the king.
    fn can_go_between(&self, target: &Target, check: &Check) -> bool {
        let mut between = between(check.te.to(), target.ou);
        !(between & target.drops).is_empty() || between.any(|masu| self.can_go_to(target, check, masu))
    }

    /// Whether a piece other than the king certainly gets to a square after a direct check: one that is shut off there
    /// by the checking piece could take that instead.
    fn can_go_to(&self, target: &Target, check: &Check, masu: Masu) -> bool {
        let gets_there =
            |from: Masu| from != target.ou && from != check.te.to() && !self.is_pinned_after(target, check, from, masu);
        self.attackers(target.teban, masu.ichi()).any(gets_there)
    }

    /// Whether a piece, if it goes to a square, leaves the line between its king and a slider.
    fn is_pinned_after(&self, target: &Target, check: &Check, from: Masu, masu: Masu) -> bool {
        let ou = target.ou;
        let direction = direction_between(ou, from);
        if direction == 8
            || direction == direction_between(ou, masu)
            || !(between(ou, from) & check.occupied).is_empty()
        {
            return false;
        }
        // The piece that moved is on no line with the king but the one that it checks on.
        let mut seen = slide(direction, from, check.occupied) & check.occupied & self.sides[self.teban];
        seen.any(|slider| self.koma(slider).moves().slides() >> (7 - direction) & 1 != 0)
    }
}
