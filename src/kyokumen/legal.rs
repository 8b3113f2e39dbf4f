//! Legal moves, all of them, without a trial move.
//!
//! Whatever could expose the own king is known before the first move is made up. The enemy's control word on the king's
//! square names the checkers, and an own piece alone between the king and an enemy slider on a line with him is pinned
//! to that line. Then, for every piece at once the set of squares to which it may go:
//!
//! - Not in check, a piece goes where its steps and slides lead, a pinned one along its line only.
//! - In check from one piece, only that piece's square and the squares between are left, and for pinned pieces nothing;
//!   drops go on the squares between.
//! - In check from two, only the king moves.
//! - The king goes where the enemy's control is 0. A slide that checks him stops at his square, so the square behind him
//!   is barred as well.
//!
//! Pawns move in one step all together. A pawn that would mate by being dropped is found out before the drops: see
//! `is_drop_mate`. What becomes of the sets is up to a [`Sink`]: they are counted, or written out as moves. One function
//! thus serves both, and with other aims also parts of the moves, such as captures alone.

use super::direction::{OFFSETS, each};
use super::masu::Ichi;
use super::masu_set::{direction_between, ray, slide, steps};
use super::{Koma, Kyokumen, Masu, MasuSet, Syurui, Te, TeList, Teban};

/// Takes sets of moves. `add` stands for the moves `base + FACTOR * to`, as in [`TeList::push_set`].
pub(super) trait Sink {
    fn add<const FACTOR: u16>(&mut self, base: u16, to: MasuSet);
}

impl Sink for TeList {
    #[inline(always)]
    fn add<const FACTOR: u16>(&mut self, base: u16, to: MasuSet) {
        self.push_set::<FACTOR>(base, to);
    }
}

/// Counts moves.
impl Sink for usize {
    #[inline(always)]
    fn add<const FACTOR: u16>(&mut self, _: u16, to: MasuSet) {
        *self += to.len();
    }
}

/// To which squares moves are wanted.
#[derive(Clone, Copy)]
struct Aim {
    /// Moves of pieces on the board, pawns' promotions excepted.
    board: MasuSet,
    /// Pawns' promotions.
    promotions: MasuSet,
    drops: MasuSet,
}

/// What the safety of the own king demands of the other pieces.
pub(super) struct Safety {
    pub(super) pinned: MasuSet,
    /// Where they must go: everywhere, or to the checker and the squares between, or nowhere.
    pub(super) answers: MasuSet,
    /// Whether the king is in check.
    oute: bool,
}

impl Kyokumen {
    /// All legal moves, in no particular order.
    pub fn legal_te(&self) -> TeList {
        let mut list = TeList::new();
        self.generate(Aim { board: MasuSet::ALL, promotions: MasuSet::ALL, drops: MasuSet::ALL }, &mut list);
        list
    }

    /// The number of legal moves, counted without a list.
    pub fn count_legal_te(&self) -> usize {
        let mut count = 0;
        self.generate(Aim { board: MasuSet::ALL, promotions: MasuSet::ALL, drops: MasuSet::ALL }, &mut count);
        count
    }

    /// Whether there is any legal move; without one the game is lost, in check or not.
    pub fn has_legal_te(&self) -> bool {
        self.count_legal_te() > 0
    }

    /// The legal moves that capture, and those that promote a pawn: what a quiescence search looks at.
    pub fn legal_captures(&self) -> TeList {
        let mut list = TeList::new();
        let enemies = self.sides[!self.teban];
        self.generate(Aim { board: enemies, promotions: MasuSet::ALL, drops: MasuSet::EMPTY }, &mut list);
        list
    }

    /// The kind that a move moves or drops, unpromoted if it promotes.
    pub fn moved_syurui(&self, te: Te) -> Option<Syurui> {
        te.from().map_or(te.dropped(), |from| self.koma(from).syurui())
    }

    #[inline(always)]
    fn generate(&self, aim: Aim, sink: &mut impl Sink) {
        match self.teban {
            Teban::Sente => self.generate_for::<true>(aim, sink),
            Teban::Gote => self.generate_for::<false>(aim, sink),
        }
    }

    fn generate_for<const SENTE: bool>(&self, aim: Aim, sink: &mut impl Sink) {
        let teban = if SENTE { Teban::Sente } else { Teban::Gote };
        let safety = self.safety_of(teban);
        if let Some(ou) = self.ou[teban] {
            sink.add::<1>(origin(ou), self.ou_squares(teban, ou) & aim.board);
        }
        if safety.answers.is_empty() {
            return;
        }
        // The enemy king is in nobody's reach, but where a position is set up with the wrong side to move.
        let open = safety.answers & !self.sides[teban] & !self.pieces_of(!teban, Syurui::Ou);
        self.pawn_moves(teban, &safety, open, aim, sink);
        self.piece_moves(teban, &safety, open & aim.board, sink);
        if !self.motigoma[teban].is_empty() {
            self.drops(teban, safety.answers & !self.occupied() & aim.drops, sink);
        }
    }

    /// Pins and checks against a side's king; everything is safe for a side without one.
    #[inline(always)]
    pub(super) fn safety_of(&self, teban: Teban) -> Safety {
        let mut safety = Safety { pinned: MasuSet::EMPTY, answers: MasuSet::ALL, oute: false };
        let Some(ou) = self.ou[teban] else { return safety };
        for slider in self.sliders_on_lines_with(ou, !teban) {
            let between = self.between(ou, slider) & self.occupied();
            if between.len() == 1 {
                safety.pinned |= between & self.sides[teban];
            }
        }
        let checkers = self.control_at(!teban, ou.ichi());
        safety.oute = checkers != 0;
        if checkers != 0 {
            safety.answers =
                if checkers.is_power_of_two() { self.answers_to_check(ou, checkers) } else { MasuSet::EMPTY };
        }
        safety
    }

    /// The sliders of a side that would attack a square if nothing stood between.
    #[inline(always)]
    pub(super) fn sliders_on_lines_with(&self, masu: Masu, teban: Teban) -> MasuSet {
        let kinds = |a: Syurui, b: Syurui| self.kinds[a.index()] | self.kinds[b.index()];
        // A lance attacks the square ahead of it, so it is seen from there looking back.
        let back = if teban == Teban::Sente { 6 } else { 1 };
        let diagonal = ray(0, masu) | ray(2, masu) | ray(5, masu) | ray(7, masu);
        let straight = ray(1, masu) | ray(3, masu) | ray(4, masu) | ray(6, masu);
        let on_lines = diagonal & kinds(Syurui::Ka, Syurui::Um)
            | straight & kinds(Syurui::Hi, Syurui::Ry)
            | ray(back, masu) & self.kinds[Syurui::Ky.index()];
        on_lines & self.sides[teban]
    }

    /// The squares between two squares on a line, both excluded.
    #[inline(always)]
    pub(super) fn between(&self, a: Masu, b: Masu) -> MasuSet {
        let direction = direction_between(a, b);
        if direction == 8 { MasuSet::EMPTY } else { ray(direction, a) & ray(7 - direction, b) }
    }

    /// Where one checker can be taken or shut off.
    fn answers_to_check(&self, ou: Masu, checker: u32) -> MasuSet {
        let bit = checker.trailing_zeros() as usize;
        if bit < 12 {
            return MasuSet::of(ou.ichi().step(-OFFSETS[bit]).masu());
        }
        slide(7 - (bit - 16), ou, self.occupied())
    }

    /// Where a king may go.
    #[inline(always)]
    pub(super) fn ou_squares(&self, teban: Teban, ou: Masu) -> MasuSet {
        let enemy_ou = self.pieces_of(!teban, Syurui::Ou);
        let near = steps(Koma::new(Syurui::Ou, teban), ou) & !self.sides[teban] & !enemy_ou;
        near.filter(|to| self.is_safe_for_ou(teban, ou.ichi(), to.ichi())).collect()
    }

    /// Whether a king is safe after going from one cell to a neighbour.
    #[inline(always)]
    fn is_safe_for_ou(&self, teban: Teban, from: Ichi, to: Ichi) -> bool {
        let behind = |direction: usize| from.step(OFFSETS[direction]) == to;
        self.control_at(!teban, to) == 0 && !each(self.control_at(!teban, from) >> 16).any(behind)
    }

    /// The moves of all pawns, in one step; a pinned pawn moves only if its king stands on its suji.
    #[inline(always)]
    fn pawn_moves(&self, teban: Teban, safety: &Safety, open: MasuSet, aim: Aim, sink: &mut impl Sink) {
        let mut pawns = self.pieces_of(teban, Syurui::Fu);
        for pinned in pawns & safety.pinned {
            if safety.oute || self.ou[teban].is_some_and(|ou| ou.suji() != pinned.suji()) {
                pawns ^= MasuSet::of(pinned);
            }
        }
        let to = pawns.ahead(teban) & open;
        let origin = if teban == Teban::Sente { 1 << 7 } else { 0u16.wrapping_sub(1 << 7) };
        sink.add::<129>(origin, to & aim.board & !MasuSet::far_dans(teban, 1));
        let promotions = to & (aim.board | aim.promotions) & MasuSet::far_dans(teban, 3);
        sink.add::<129>(origin.wrapping_add(PROMOTION), promotions);
    }

    /// The moves of all pieces but pawns and king.
    #[inline(always)]
    fn piece_moves(&self, teban: Teban, safety: &Safety, open: MasuSet, sink: &mut impl Sink) {
        let pieces = self.sides[teban] & !(self.kinds[Syurui::Fu.index()] | self.kinds[Syurui::Ou.index()]);
        for from in pieces & !safety.pinned {
            self.moves_from(teban, from, open, sink);
        }
        if safety.oute {
            return;
        }
        for from in pieces & safety.pinned {
            let line = self.ou[teban].map_or(MasuSet::ALL, |ou| {
                let direction = direction_between(ou, from);
                ray(direction & 7, ou)
            });
            self.moves_from(teban, from, open & line, sink);
        }
    }

    #[inline(always)]
    fn moves_from(&self, teban: Teban, from: Masu, open: MasuSet, sink: &mut impl Sink) {
        let koma = self.koma(from);
        let to = self.reach(koma, from) & open;
        let Some(syurui) = koma.syurui() else { return };
        let camp = MasuSet::far_dans(teban, 3);
        if syurui.promoted().is_some() {
            let promotions = if camp.contains(from) { to } else { to & camp };
            if !promotions.is_empty() {
                sink.add::<1>(origin(from) | PROMOTION, promotions);
            }
        }
        sink.add::<1>(origin(from), to & !MasuSet::far_dans(teban, syurui.first_live_dan() - 1));
    }

    /// The squares that a piece reaches from a square, own pieces in the way or not.
    #[inline(always)]
    pub(super) fn reach(&self, koma: Koma, from: Masu) -> MasuSet {
        let mut to = steps(koma, from);
        for direction in each(koma.moves().slides()) {
            to |= slide(direction, from, self.occupied());
        }
        to
    }

    /// Drops onto these squares, which are empty.
    #[inline(always)]
    fn drops(&self, teban: Teban, empty: MasuSet, sink: &mut impl Sink) {
        for (syurui, _) in self.motigoma[teban].iter() {
            let mut to = empty & !MasuSet::far_dans(teban, syurui.first_live_dan() - 1);
            if syurui == Syurui::Fu {
                to &= !self.pieces_of(teban, Syurui::Fu).whole_sujis();
                if let Some(front) = self.front_of_ou(!teban)
                    && to.contains(front)
                    && self.is_drop_mate(teban, front)
                {
                    to ^= MasuSet::of(front);
                }
            }
            sink.add::<1>(drop_base(syurui), to);
        }
    }

    /// The square from which an enemy pawn attacks a side's king; `None` at the edge.
    #[inline(always)]
    pub(super) fn front_of_ou(&self, teban: Teban) -> Option<Masu> {
        let step = if teban == Teban::Sente { -1 } else { 1 };
        self.ou[teban]?.ichi().step(step).on_board()
    }

    /// Whether a pawn that this side drops on the empty square in front of the enemy king would mate. It does when it is
    /// defended, no piece may take it, and the king has no square; the pawn may shut off an own slide behind it.
    pub(super) fn is_drop_mate(&self, teban: Teban, front: Masu) -> bool {
        let (own, enemy, cell) = (teban, !teban, front.ichi());
        if self.control_at(own, cell) == 0 {
            return false;
        }
        let Some(ou) = self.ou[enemy] else { return false };
        let pinned = self.safety_of(enemy).pinned;
        let may_take = |from: Masu| {
            from != ou && (!pinned.contains(from) || direction_between(ou, from) == direction_between(ou, front))
        };
        if self.attackers(enemy, cell).any(may_take) {
            return false;
        }
        let shut_off = self.control_at(own, cell) >> 16;
        let is_escape = |to: Masu| {
            let through_pawn: u32 =
                each(shut_off).filter(|&d| cell.step(OFFSETS[d]) == to.ichi()).map(|d| 1 << (16 + d)).sum();
            self.control_at(own, to.ichi()) & !through_pawn == 0
        };
        let squares = steps(Koma::new(Syurui::Ou, enemy), ou) & !self.sides[enemy] & !MasuSet::of(front);
        !squares.into_iter().any(is_escape)
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
        if !(self.reach(koma, from) & open).contains(to) {
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

const PROMOTION: u16 = 1 << 15;

/// The bits of a move that name its origin.
#[inline(always)]
fn origin(from: Masu) -> u16 {
    (from.index() as u16) << 7
}

/// The bits of a move that name the dropped kind.
#[inline(always)]
fn drop_base(syurui: Syurui) -> u16 {
    1 << 14 | u16::from(syurui.code()) << 7
}
