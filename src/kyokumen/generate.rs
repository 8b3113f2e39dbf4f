//! Legal moves as sets of squares, without a trial move.
//!
//! What could expose the own king is known before the first move is made up (see [`safety`](super::safety)): the
//! squares that answer a check, and the pinned pieces. The rest is sets:
//!
//! - `open` is where a piece may arrive at all: an answer to the check, if there is one, without own pieces.
//! - An [`Aim`] narrows that down to the moves asked for, by kind: captures, quiet moves, checks, or everything.
//! - All pawns go at once, by shifting their set one dan ahead. Their moves keep the distance from origin to target, so
//!   that they, too, are one set.
//! - Step movers are taken kind by kind, so that what a kind may do is settled outside the loop. A table gives their
//!   squares relative to the origin, as 32 bits to be masked by `open` shifted to the same place.
//! - Sliders look for the nearest piece on each of their lines in the set of occupied squares.
//! - Pinned pieces come last, one by one, held to their line; in check they don't come at all.
//! - Drops are one set of empty squares for each kind in hand.
//! - Every set goes to a [`Sink`] at once, with the bits that all of its moves share, once for those that promote and
//!   once for those that don't.
//!
//! The side to move is a constant in all of this, and so are aim and sink: each combination is compiled on its own, and
//! once for each of several instruction sets (see [`level`](super::level)).

use super::direction::forward;
use super::masu_set::{self, near, reach, slide, slide_diagonally, slide_straight, steps};
use super::safety::Safety;
use super::sink::{Near, Sink};
use super::{Koma, Kyokumen, Masu, MasuSet, Syurui, Teban};

/// Which moves are wanted. Sets may hold squares that can't be reached.
pub(super) trait Aim {
    /// Where pieces of a kind may go that do not promote.
    fn stay(&self, syurui: Syurui) -> MasuSet;

    /// Where pieces of a kind may go and promote.
    fn promote(&self, syurui: Syurui) -> MasuSet;

    /// Where pieces of a kind may be dropped.
    fn drops(&self, syurui: Syurui) -> MasuSet;

    /// The pieces that need be looked at; the king is, in any case.
    #[inline(always)]
    fn movers(&self) -> MasuSet {
        MasuSet::ALL
    }

    /// Pieces that may go to more squares than others of their kind, because they uncover a check by going.
    #[inline(always)]
    fn uncovering(&self) -> MasuSet {
        MasuSet::EMPTY
    }

    /// The squares to which a piece must go to uncover a check; asked for those that do.
    #[inline(always)]
    fn uncovers_at(&self, _: Masu) -> MasuSet {
        MasuSet::EMPTY
    }
}

/// All moves.
pub(super) struct Everything;

impl Aim for Everything {
    #[inline(always)]
    fn stay(&self, _: Syurui) -> MasuSet {
        MasuSet::ALL
    }

    #[inline(always)]
    fn promote(&self, _: Syurui) -> MasuSet {
        MasuSet::ALL
    }

    #[inline(always)]
    fn drops(&self, _: Syurui) -> MasuSet {
        MasuSet::ALL
    }
}

/// The same for all kinds.
pub(super) struct Parts {
    pub(super) stay: MasuSet,
    pub(super) promote: MasuSet,
    pub(super) drops: MasuSet,
}

impl Aim for Parts {
    #[inline(always)]
    fn stay(&self, _: Syurui) -> MasuSet {
        self.stay
    }

    #[inline(always)]
    fn promote(&self, _: Syurui) -> MasuSet {
        self.promote
    }

    #[inline(always)]
    fn drops(&self, _: Syurui) -> MasuSet {
        self.drops
    }
}

/// The bits of a move that promotes.
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

const fn teban<const SENTE: bool>() -> Teban {
    if SENTE { Teban::Sente } else { Teban::Gote }
}

impl Kyokumen {
    #[inline(always)]
    pub(super) fn generate(&self, aim: &impl Aim, sink: &mut impl Sink) {
        match self.teban {
            Teban::Sente => self.generate_for::<true>(aim, sink),
            Teban::Gote => self.generate_for::<false>(aim, sink),
        }
    }

    #[inline(always)]
    fn generate_for<const SENTE: bool>(&self, aim: &impl Aim, sink: &mut impl Sink) {
        let own = teban::<SENTE>();
        let safety = self.safety_of(own);
        if let Some(ou) = self.ou[own] {
            let to = self.safe_near(own, ou) & masu_set::window(self.ou_aim(aim, ou, !self.sides[own]), ou);
            sink.near(origin(ou), ou, to);
        }
        if safety.answers.is_empty() {
            return;
        }
        // The enemy king is in nobody's reach, but where a position is set up with the wrong side to move.
        let open = safety.answers & !self.sides[own] & !self.kinds[Syurui::Ou.index()];
        let special = safety.pinned | aim.uncovering();
        let pieces = self.sides[own] & !special & aim.movers();
        self.pawns::<SENTE>(pieces & self.kinds[Syurui::Fu.index()], open, aim, sink);
        self.steppers::<SENTE>(pieces, open, aim, sink);
        self.sliders::<SENTE>(pieces, open, aim, sink);
        if !(special & self.sides[own]).is_empty() {
            self.special_pieces::<SENTE>(special, &safety, open, aim, sink);
        }
        if !self.motigoma[own].is_empty() {
            self.drops::<SENTE>(safety.answers & !self.occupied(), aim, sink);
        }
    }

    #[inline(always)]
    fn ou_aim(&self, aim: &impl Aim, ou: Masu, free: MasuSet) -> MasuSet {
        let mut to = aim.stay(Syurui::Ou);
        if aim.uncovering().contains(ou) {
            to |= aim.uncovers_at(ou);
        }
        to & free & !self.kinds[Syurui::Ou.index()]
    }

    #[inline(always)]
    fn pawns<const SENTE: bool>(&self, pawns: MasuSet, open: MasuSet, aim: &impl Aim, sink: &mut impl Sink) {
        let own = teban::<SENTE>();
        let to = pawns.ahead(own) & open;
        let origin = if SENTE { 1 << 7 } else { 0u16.wrapping_sub(1 << 7) };
        sink.pawns(origin, to & aim.stay(Syurui::Fu) & !MasuSet::far_dans(own, 1));
        let promotions = to & aim.promote(Syurui::Fu) & MasuSet::far_dans(own, 3);
        if !promotions.is_empty() {
            sink.pawns(origin.wrapping_add(PROMOTION), promotions);
        }
    }

    /// Moves of gold and what moves like it, silver and knight.
    #[inline(always)]
    fn steppers<const SENTE: bool>(&self, pieces: MasuSet, open: MasuSet, aim: &impl Aim, sink: &mut impl Sink) {
        use Syurui::{Gi, Ke, Ki, Ng, Nk, Ny, To};
        let own = teban::<SENTE>();
        let kind = |syurui: Syurui| self.kinds[syurui.index()];
        let stay = open & aim.stay(Ki);
        for from in pieces & (kind(Ki) | kind(To) | kind(Ny) | kind(Nk) | kind(Ng)) {
            sink.near(origin(from), from, near(Koma::new(Ki, own), from) & masu_set::window(stay, from));
        }
        for syurui in [Gi, Ke] {
            let stay = open & aim.stay(syurui) & live(own, syurui);
            let promote = open & aim.promote(syurui);
            let camp = MasuSet::far_dans(own, 3);
            for from in pieces & kind(syurui) {
                let to = near(Koma::new(syurui, own), from);
                sink.near(origin(from), from, to & masu_set::window(stay, from));
                let promote = if camp.contains(from) { promote } else { promote & camp };
                let promotions: Near = to & masu_set::window(promote, from);
                if promotions != 0 {
                    sink.near(origin(from) | PROMOTION, from, promotions);
                }
            }
        }
    }

    /// Moves of lance, bishop, rook, and the latter promoted.
    #[inline(always)]
    fn sliders<const SENTE: bool>(&self, pieces: MasuSet, open: MasuSet, aim: &impl Aim, sink: &mut impl Sink) {
        use Syurui::{Hi, Ka, Ky, Ry, Um};
        let own = teban::<SENTE>();
        let occupied = self.occupied();
        let kind = |syurui: Syurui| pieces & self.kinds[syurui.index()];
        for from in kind(Ky) {
            // A lance goes eight squares at most, all of them near in the sense of indices.
            let to = slide(forward(own), from, occupied) & open;
            sink.near(origin(from), from, masu_set::window(to & aim.stay(Ky) & live(own, Ky), from));
            let promotions = to & aim.promote(Ky) & MasuSet::far_dans(own, 3);
            if !promotions.is_empty() {
                sink.near(origin(from) | PROMOTION, from, masu_set::window(promotions, from));
            }
        }
        for from in kind(Ka) {
            promotable::<SENTE>(Ka, from, slide_diagonally(from, occupied) & open, aim, sink);
        }
        for from in kind(Hi) {
            promotable::<SENTE>(Hi, from, slide_straight(from, occupied) & open, aim, sink);
        }
        for from in kind(Um) {
            let to = slide_diagonally(from, occupied) | steps(Koma::new(Um, own), from);
            sink.scattered(origin(from), to & open & aim.stay(Um));
        }
        for from in kind(Ry) {
            let to = slide_straight(from, occupied) | steps(Koma::new(Ry, own), from);
            sink.scattered(origin(from), to & open & aim.stay(Ry));
        }
    }

    /// Moves of the pieces that are not like the others of their kind: those pinned, and those that uncover a check.
    fn special_pieces<const SENTE: bool>(
        &self,
        special: MasuSet,
        safety: &Safety,
        open: MasuSet,
        aim: &impl Aim,
        sink: &mut impl Sink,
    ) {
        let own = teban::<SENTE>();
        let mut pieces = special & self.sides[own] & !self.kinds[Syurui::Ou.index()];
        if safety.oute {
            pieces &= !safety.pinned;
        }
        for from in pieces {
            let koma = self.koma(from);
            let Some(syurui) = koma.syurui() else { continue };
            let mut to = reach(koma, from, self.occupied()) & open;
            if safety.pinned.contains(from) {
                to &= self.pin_line(own, from);
            }
            let uncovers = if aim.uncovering().contains(from) { aim.uncovers_at(from) } else { MasuSet::EMPTY };
            let camp = MasuSet::far_dans(own, 3);
            if syurui.promoted().is_some() {
                let promote = if camp.contains(from) { to } else { to & camp };
                sink.scattered(origin(from) | PROMOTION, promote & (aim.promote(syurui) | uncovers));
            }
            sink.scattered(origin(from), to & (aim.stay(syurui) | uncovers) & live(own, syurui));
        }
    }

    #[inline(always)]
    fn drops<const SENTE: bool>(&self, empty: MasuSet, aim: &impl Aim, sink: &mut impl Sink) {
        let own = teban::<SENTE>();
        let hand = self.motigoma[own];
        for syurui in Syurui::HAND {
            if hand.count(syurui) == 0 {
                continue;
            }
            let mut to = empty & live(own, syurui) & aim.drops(syurui);
            if syurui == Syurui::Fu {
                to &= !self.pieces_of(own, Syurui::Fu).whole_sujis();
                if let Some(front) = self.front_of_ou(!own)
                    && to.contains(front)
                    && self.is_drop_mate(own, front)
                {
                    to ^= MasuSet::of(front);
                }
            }
            sink.scattered(drop_base(syurui), to);
        }
    }
}

/// Where a piece of a kind is not dead.
#[inline(always)]
fn live(teban: Teban, syurui: Syurui) -> MasuSet {
    !MasuSet::far_dans(teban, syurui.first_live_dan() - 1)
}

/// The moves of one slider that may promote.
#[inline(always)]
fn promotable<const SENTE: bool>(syurui: Syurui, from: Masu, to: MasuSet, aim: &impl Aim, sink: &mut impl Sink) {
    let own = teban::<SENTE>();
    let camp = MasuSet::far_dans(own, 3);
    sink.scattered(origin(from), to & aim.stay(syurui) & live(own, syurui));
    let promotions = (if camp.contains(from) { to } else { to & camp }) & aim.promote(syurui);
    if !promotions.is_empty() {
        sink.scattered(origin(from) | PROMOTION, promotions);
    }
}
