//! What is asked about legal moves: all of them, a part of them, how many, whether one is.

use super::generate::{Aim, Everything, Parts};
use super::masu_set::{direction_between, reach};
use super::{Kyokumen, Masu, MasuSet, Syurui, Te, TeList, Teban, level};

impl Kyokumen {
    /// All legal moves, in no particular order.
    #[inline]
    pub fn legal_te(&self) -> TeList {
        let mut list = TeList::new();
        self.add_legal_te(&mut list);
        list
    }

    /// Adds all legal moves to a list, which saves making one.
    ///
    /// # Panics
    /// If the list gets too long for one position's moves: see [`MAX_TE`](super::MAX_TE).
    #[inline]
    pub fn add_legal_te(&self, list: &mut TeList) {
        level::list(self, &Everything, list);
    }

    /// The number of legal moves, counted without a list.
    #[inline]
    pub fn count_legal_te(&self) -> usize {
        level::count(self, &Everything)
    }

    /// Whether there is any legal move; without one the game is lost, in check or not.
    #[inline]
    pub fn has_legal_te(&self) -> bool {
        self.count_legal_te() > 0
    }

    /// The legal moves that capture or promote. Together with [`legal_quiet`](Kyokumen::legal_quiet) and
    /// [`legal_drops`](Kyokumen::legal_drops) these are all.
    pub fn legal_captures(&self) -> TeList {
        let enemies = self.sides[!self.teban];
        self.parts(&Parts { stay: enemies, promote: MasuSet::ALL, drops: MasuSet::EMPTY })
    }

    /// The legal moves of pieces on the board that neither capture nor promote.
    pub fn legal_quiet(&self) -> TeList {
        self.parts(&Parts { stay: !self.occupied(), promote: MasuSet::EMPTY, drops: MasuSet::EMPTY })
    }

    /// The legal drops.
    pub fn legal_drops(&self) -> TeList {
        self.parts(&Parts { stay: MasuSet::EMPTY, promote: MasuSet::EMPTY, drops: MasuSet::ALL })
    }

    /// The legal answers to a check: all legal moves in check, none out of it.
    pub fn legal_evasions(&self) -> TeList {
        if self.is_oute() { self.legal_te() } else { TeList::new() }
    }

    #[inline]
    fn parts(&self, aim: &impl Aim) -> TeList {
        let mut list = TeList::new();
        level::list(self, aim, &mut list);
        list
    }

    /// The kind that a move moves or drops, unpromoted if it promotes.
    pub fn moved_syurui(&self, te: Te) -> Option<Syurui> {
        te.from().map_or(te.dropped(), |from| self.koma(from).syurui())
    }

    /// Whether the side to move may play this move. Any well-formed move may be asked about.
    pub fn is_legal(&self, te: Te) -> bool {
        let (teban, to) = (self.teban, te.to());
        match te.from() {
            Some(from) => self.is_legal_on_board(te, from, to),
            None => {
                self.koma(to).is_empty() && te.dropped().is_some_and(|syurui| self.is_legal_drop(teban, syurui, to))
            }
        }
    }

    fn is_legal_on_board(&self, te: Te, from: Masu, to: Masu) -> bool {
        let teban = self.teban;
        let koma = self.koma(from);
        let Some(syurui) = koma.syurui().filter(|_| koma.belongs_to(teban)) else { return false };
        let may_stay = to.dan().seen_by(teban).number() >= syurui.first_live_dan();
        let may_promote = syurui.promoted().is_some() && (from.dan().promotes(teban) || to.dan().promotes(teban));
        if !(if te.promotes() { may_promote } else { may_stay }) {
            return false;
        }
        let open = !self.sides[teban] & !self.pieces_of(!teban, Syurui::Ou);
        if !(reach(koma, from, self.occupied()) & open).contains(to) {
            return false;
        }
        if syurui == Syurui::Ou {
            return self.is_safe_for_ou(teban, from.ichi(), to.ichi());
        }
        let safety = self.safety_of(teban);
        let leaves_line = || self.ou[teban].is_some_and(|ou| direction_between(ou, from) != direction_between(ou, to));
        safety.answers.contains(to) && !(safety.pinned.contains(from) && (safety.oute || leaves_line()))
    }

    fn is_legal_drop(&self, teban: Teban, syurui: Syurui, to: Masu) -> bool {
        let is_fu_barred = || {
            self.pieces_of(teban, Syurui::Fu).whole_sujis().contains(to)
                || self.front_of_ou(!teban) == Some(to) && self.is_drop_mate(teban, to)
        };
        self.motigoma(teban).count(syurui) > 0
            && to.dan().seen_by(teban).number() >= syurui.first_live_dan()
            && !(syurui == Syurui::Fu && is_fu_barred())
            && self.safety_of(teban).answers.contains(to)
    }
}
