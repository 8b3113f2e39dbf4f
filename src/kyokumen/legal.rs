//! Legal moves, all of them, without a trial move.
//!
//! Whatever could expose the own king is known from `control` before the first move is made up. The enemy's word on the
//! king's square names the checkers; from the king, each of the eight directions is walked to its first own piece, and
//! where a slide of the enemy arrives there along the same line, the piece is pinned to that line. Then:
//!
//! - Not in check, every piece goes along its directions, a pinned one along its line only.
//! - In check from one piece, only its square and the squares between are of use. The own words of these squares name
//!   the pieces that reach them, so nothing else is looked at; drops go on the squares between.
//! - In check from two, only the king moves.
//! - The king goes where the enemy's word is 0. A slide that checks him stops at his square, so the square behind him
//!   is barred as well.
//!
//! A pawn that would mate by being dropped is found out before the drops: see [`Kyokumen::is_drop_mate`].

use arrayvec::ArrayVec;

use super::direction::{OFFSETS, each, opposite};
use super::masu::Ichi;
use super::{Koma, Kyokumen, Masu, Syurui, Te, Teban};

/// Room for the moves of any position: 593 is the most with two kings, and one without an own king has hardly more.
pub const MAX_TE: usize = 640;

/// A list of moves on the stack.
pub type TeList = ArrayVec<Te, MAX_TE>;

/// All directions: what a piece that is not pinned may use.
const FREE: u32 = 0xfff;

/// What the safety of the own king demands of the other pieces.
pub(super) struct Safety {
    /// Pinned pieces, each with the two directions of its line.
    pinned: ArrayVec<(Ichi, u32), 8>,
    answer: Answer,
}

/// Where a piece other than the king must go.
enum Answer {
    /// Anywhere: not in check.
    Anywhere,
    /// Onto the checker, the last of these cells, or onto those before it, which lie between.
    Onto(ArrayVec<Ichi, 8>),
    /// Nowhere: two checkers.
    Nowhere,
}

impl Safety {
    fn directions(&self, from: Ichi) -> u32 {
        self.pinned.iter().find(|(cell, _)| *cell == from).map_or(FREE, |&(_, line)| line)
    }

    fn allows_arrival(&self, to: Ichi) -> bool {
        match &self.answer {
            Answer::Anywhere => true,
            Answer::Onto(cells) => cells.contains(&to),
            Answer::Nowhere => false,
        }
    }
}

impl Kyokumen {
    /// All legal moves, in no particular order.
    pub fn legal_te(&self) -> TeList {
        let mut list = TeList::new();
        self.each_legal(|te| list.push(te));
        list
    }

    /// The number of legal moves, counted without a list.
    pub fn count_legal_te(&self) -> usize {
        let mut count = 0;
        self.each_legal(|_| count += 1);
        count
    }

    /// Whether there is any legal move; without one the game is lost, in check or not.
    pub fn has_legal_te(&self) -> bool {
        self.count_legal_te() > 0
    }

    /// The legal moves that capture, and those that promote a pawn: what a quiescence search looks at.
    pub fn legal_captures(&self) -> TeList {
        let mut list = self.legal_te();
        list.retain(|te| {
            !te.is_drop()
                && (!self.koma(te.to()).is_empty() || te.promotes() && self.moved_syurui(*te) == Some(Syurui::Fu))
        });
        list
    }

    /// The kind that a move moves or drops, unpromoted if it promotes.
    pub fn moved_syurui(&self, te: Te) -> Option<Syurui> {
        te.from().map_or(te.dropped(), |from| self.koma(from).syurui())
    }

    /// Whether the side to move may play this move. Any well-formed move may be asked about.
    pub fn is_legal(&self, te: Te) -> bool {
        let (teban, to) = (self.teban, te.to());
        if self.koma(to).blocks(teban) || self.koma(to) == Koma::new(Syurui::Ou, !teban) {
            return false;
        }
        match te.from() {
            Some(from) => self.is_legal_on_board(te, from, to),
            None => te.dropped().is_some_and(|syurui| self.is_legal_drop(syurui, to)),
        }
    }

    fn is_legal_on_board(&self, te: Te, from: Masu, to: Masu) -> bool {
        let teban = self.teban;
        let koma = self.koma(from);
        let Some(syurui) = koma.syurui().filter(|_| koma.belongs_to(teban)) else { return false };
        let Some(direction) = self.direction_of_move(koma, from.ichi(), to.ichi()) else { return false };
        let may_stay = to.dan().seen_by(teban).number() >= syurui.first_live_dan();
        let may_promote = syurui.promoted().is_some() && (from.dan().promotes(teban) || to.dan().promotes(teban));
        if !(if te.promotes() { may_promote } else { may_stay }) {
            return false;
        }
        if syurui == Syurui::Ou {
            return self.is_safe_for_ou(from.ichi(), to.ichi());
        }
        let safety = self.safety_of(teban);
        safety.directions(from.ichi()) >> direction & 1 != 0 && safety.allows_arrival(to.ichi())
    }

    /// The direction in which a piece gets from one cell to another on this board.
    fn direction_of_move(&self, koma: Koma, from: Ichi, to: Ichi) -> Option<usize> {
        let moves = koma.moves();
        each(moves.steps()).find(|&direction| from.step(OFFSETS[direction]) == to).or_else(|| {
            each(moves.slides()).find(|&direction| {
                let mut cell = from.step(OFFSETS[direction]);
                while cell != to && self.at(cell).is_empty() {
                    cell = cell.step(OFFSETS[direction]);
                }
                cell == to
            })
        })
    }

    fn is_legal_drop(&self, syurui: Syurui, to: Masu) -> bool {
        let teban = self.teban;
        self.koma(to).is_empty()
            && self.motigoma(teban).count(syurui) > 0
            && to.dan().seen_by(teban).number() >= syurui.first_live_dan()
            && (syurui != Syurui::Fu || !self.has_fu_on_file(teban, to) && !self.is_drop_mate(to))
            && self.safety_of(teban).allows_arrival(to.ichi())
    }

    /// Calls `emit` with each legal move.
    #[inline(always)]
    pub(super) fn each_legal(&self, mut emit: impl FnMut(Te)) {
        let safety = self.safety_of(self.teban);
        if let Some(ou) = self.ou(self.teban) {
            self.ou_moves(ou, &mut emit);
        }
        match &safety.answer {
            Answer::Anywhere => {
                for masu in Masu::all() {
                    self.moves_from(masu, &safety, &mut emit);
                }
                self.drops(Masu::all(), &mut emit);
            }
            Answer::Onto(cells) => {
                for &cell in cells {
                    self.moves_onto(cell, &safety, &mut emit);
                }
                self.drops(cells[..cells.len() - 1].iter().map(|cell| cell.masu()), &mut emit);
            }
            Answer::Nowhere => {}
        }
    }

    /// Pins and checks against a side's king; everything is safe for a side without one.
    fn safety_of(&self, teban: Teban) -> Safety {
        let mut safety = Safety { pinned: ArrayVec::new(), answer: Answer::Anywhere };
        let Some(ou) = self.ou(teban).map(Masu::ichi) else { return safety };
        for (direction, &offset) in OFFSETS[..8].iter().enumerate() {
            let mut cell = ou.step(offset);
            while self.at(cell).is_empty() {
                cell = cell.step(offset);
            }
            let line = 1 << direction | 1 << opposite(direction);
            let slide = 1 << (16 + opposite(direction));
            if self.at(cell).belongs_to(teban) && self.control_at(!teban, cell) & slide != 0 {
                safety.pinned.push((cell, line));
            }
        }
        let checkers = self.control_at(!teban, ou);
        safety.answer = match checkers.count_ones() {
            0 => Answer::Anywhere,
            1 => Answer::Onto(self.cells_to_checker(ou, checkers.trailing_zeros() as usize)),
            _ => Answer::Nowhere,
        };
        safety
    }

    /// The cells from the king, exclusive, to the piece that checks him along this bit of a control word, inclusive.
    fn cells_to_checker(&self, ou: Ichi, bit: usize) -> ArrayVec<Ichi, 8> {
        let back = -OFFSETS[bit & 15];
        let mut cells = ArrayVec::new();
        let mut cell = ou.step(back);
        cells.push(cell);
        while self.at(cell).is_empty() {
            cell = cell.step(back);
            cells.push(cell);
        }
        cells
    }

    /// Whether the king of the side to move is safe after going from one cell to another that he reaches.
    #[inline(always)]
    fn is_safe_for_ou(&self, from: Ichi, to: Ichi) -> bool {
        let enemy = !self.teban;
        let behind = |direction: usize| from.step(OFFSETS[direction]) == to;
        self.control_at(enemy, to) == 0 && !each(self.control_at(enemy, from) >> 16).any(behind)
    }

    #[inline(always)]
    fn may_arrive(&self, to: Ichi) -> bool {
        !self.at(to).blocks(self.teban) && self.at(to) != Koma::new(Syurui::Ou, !self.teban)
    }

    #[inline(always)]
    fn ou_moves(&self, ou: Masu, emit: &mut impl FnMut(Te)) {
        for offset in &OFFSETS[..8] {
            let to = ou.ichi().step(*offset);
            if self.may_arrive(to) && self.is_safe_for_ou(ou.ichi(), to) {
                emit(Te::board(ou, to.masu(), false));
            }
        }
    }

    /// The moves of a piece other than the king, when not in check.
    #[inline(always)]
    fn moves_from(&self, from: Masu, safety: &Safety, emit: &mut impl FnMut(Te)) {
        let koma = self.koma(from);
        if !koma.belongs_to(self.teban) {
            return;
        }
        let Some(syurui) = koma.syurui().filter(|&syurui| syurui != Syurui::Ou) else { return };
        let directions = safety.directions(from.ichi());
        let moves = koma.moves();
        for direction in each(moves.steps() & directions) {
            let to = from.ichi().step(OFFSETS[direction]);
            if self.may_arrive(to) {
                self.with_promotion(syurui, from, to.masu(), emit);
            }
        }
        for direction in each(moves.slides() & directions) {
            let mut to = from.ichi().step(OFFSETS[direction]);
            while self.at(to).is_empty() {
                self.with_promotion(syurui, from, to.masu(), emit);
                to = to.step(OFFSETS[direction]);
            }
            if self.may_arrive(to) {
                self.with_promotion(syurui, from, to.masu(), emit);
            }
        }
    }

    /// The moves of all pieces other than the king onto one cell, found from the cell's own control word. A pinned
    /// piece has no such move: its line does not meet the checker's.
    fn moves_onto(&self, to: Ichi, safety: &Safety, emit: &mut impl FnMut(Te)) {
        if !self.may_arrive(to) {
            return;
        }
        for from in self.attackers(self.teban, to) {
            let Some(syurui) = self.at(from).syurui().filter(|&syurui| syurui != Syurui::Ou) else { continue };
            if safety.directions(from) == FREE {
                self.with_promotion(syurui, from.masu(), to.masu(), emit);
            }
        }
    }

    /// The cells of the pieces of a side that attack a cell.
    fn attackers(&self, teban: Teban, to: Ichi) -> impl Iterator<Item = Ichi> + '_ {
        let control = self.control_at(teban, to);
        let steps = each(control & FREE).map(move |direction| to.step(-OFFSETS[direction]));
        let slides = each(control >> 16).map(move |direction| {
            let mut cell = to.step(-OFFSETS[direction]);
            while self.at(cell).is_empty() {
                cell = cell.step(-OFFSETS[direction]);
            }
            cell
        });
        steps.chain(slides)
    }

    /// A move of a piece with and without promotion, as far as the rules allow either.
    #[inline(always)]
    fn with_promotion(&self, syurui: Syurui, from: Masu, to: Masu, emit: &mut impl FnMut(Te)) {
        let teban = self.teban;
        if syurui.promoted().is_some() && (to.dan().promotes(teban) || from.dan().promotes(teban)) {
            emit(Te::board(from, to, true));
        }
        if to.dan().seen_by(teban).number() >= syurui.first_live_dan() {
            emit(Te::board(from, to, false));
        }
    }

    /// Drops onto those of these squares that are empty.
    #[inline(always)]
    fn drops(&self, squares: impl Iterator<Item = Masu>, emit: &mut impl FnMut(Te)) {
        let hand = self.motigoma(self.teban);
        if hand.is_empty() {
            return;
        }
        let kinds: ArrayVec<Syurui, 7> = hand.iter().map(|(syurui, _)| syurui).filter(|&s| s != Syurui::Fu).collect();
        let has_fu = hand.count(Syurui::Fu) > 0;
        let barred = if has_fu { self.drop_mate_square() } else { None };
        let mut file = None;
        let mut file_has_fu = false;
        for to in squares.filter(|&to| self.koma(to).is_empty()) {
            let dan = to.dan().seen_by(self.teban).number();
            for &syurui in &kinds {
                if dan >= syurui.first_live_dan() {
                    emit(Te::drop(syurui, to));
                }
            }
            if has_fu && dan >= Syurui::Fu.first_live_dan() {
                if file != Some(to.suji()) {
                    file = Some(to.suji());
                    file_has_fu = self.has_fu_on_file(self.teban, to);
                }
                if !file_has_fu && barred != Some(to) {
                    emit(Te::drop(Syurui::Fu, to));
                }
            }
        }
    }

    fn has_fu_on_file(&self, teban: Teban, masu: Masu) -> bool {
        let fu = Koma::new(Syurui::Fu, teban);
        let top = masu.index() - (masu.index() % 9);
        (top..top + 9).filter_map(Masu::from_index).any(|masu| self.koma(masu) == fu)
    }

    /// The square on which a dropped pawn would mate, which the rules forbid.
    fn drop_mate_square(&self) -> Option<Masu> {
        let front = self.front_of_enemy_ou()?;
        (self.at(front).is_empty() && self.is_drop_mate(front.masu())).then(|| front.masu())
    }

    /// The cell from which a pawn of the side to move attacks the enemy king; perhaps wall.
    fn front_of_enemy_ou(&self) -> Option<Ichi> {
        let step = if self.teban == Teban::Sente { 1 } else { -1 };
        Some(self.ou(!self.teban)?.ichi().step(step))
    }

    /// Whether a pawn dropped on this empty square by the side to move would mate. It does when it gives check, is
    /// defended, no piece may take it, and the king has no square; the pawn may shut off an own slide behind it.
    fn is_drop_mate(&self, to: Masu) -> bool {
        let (own, enemy, cell) = (self.teban, !self.teban, to.ichi());
        if self.front_of_enemy_ou() != Some(cell) || self.control_at(own, cell) == 0 {
            return false;
        }
        let Some(ou) = self.ou(enemy).map(Masu::ichi) else { return false };
        let safety = self.safety_of(enemy);
        let is_taken = self.attackers(enemy, cell).any(|from| {
            from != ou
                && self
                    .direction_of_move(self.at(from), from, cell)
                    .is_some_and(|direction| safety.directions(from) >> direction & 1 != 0)
        });
        if is_taken {
            return false;
        }
        let shut_off = self.control_at(own, cell) >> 16;
        let escapes = |offset: i8| {
            let to = ou.step(offset);
            if to == cell || self.at(to).blocks(enemy) {
                return false;
            }
            let through_pawn: u32 =
                each(shut_off).filter(|&d| cell.step(OFFSETS[d]) == to).map(|d| 1 << (16 + d)).sum();
            self.control_at(own, to) & !through_pawn == 0
        };
        !OFFSETS[..8].iter().any(|&offset| escapes(offset))
    }
}
