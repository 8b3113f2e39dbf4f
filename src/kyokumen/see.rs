//! Static exchange evaluation: what a move wins or loses on its square if both sides go on taking there.
//!
//! The attackers are found by going the ways of the square's control words back; who comes into sight behind one that
//! takes, by the control words on its square. Whether a capture is legal is a matter of the sliders that look towards
//! the king: a piece is pinned as long as its pinner stands, and no longer.

use super::direction::OFFSETS;
use super::masu_set::{between, direction_between};
use super::{ByTeban, Kyokumen, Masu, MasuSet, Syurui, Te, Teban};

/// What pieces are worth in an exchange, in any unit: both sides' values are alike. The kinds' values are small
/// enough that those of a whole set add up to less than 2^30.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExchangeValues {
    capture: [i32; 16],
    promotion: [i32; 16],
    most_promotion: i32,
}

impl ExchangeValues {
    /// From the values on the board and in hand, both by [`Syurui::index`]. A captured piece counts for both: one side
    /// loses it on the board, the other has it in hand.
    pub const fn new(board: &[i32; 16], hand: &[i32; 8]) -> ExchangeValues {
        let mut values = ExchangeValues { capture: [0; 16], promotion: [0; 16], most_promotion: 0 };
        let mut i = 0;
        while i < Syurui::ALL.len() {
            let syurui = Syurui::ALL[i];
            values.capture[syurui.index()] = board[syurui.index()] + hand[syurui.unpromoted().index() & 7];
            if let Some(promoted) = syurui.promoted() {
                let gain = board[promoted.index()] - board[syurui.index()];
                values.promotion[syurui.index()] = gain;
                if gain > values.most_promotion {
                    values.most_promotion = gain;
                }
            }
            i += 1;
        }
        values
    }

    /// What capturing a piece of this kind wins.
    #[inline(always)]
    pub const fn capture(&self, syurui: Syurui) -> i32 {
        self.capture[syurui.index()]
    }

    /// What promoting a piece of this kind wins; 0 where it can't.
    #[inline(always)]
    pub const fn promotion(&self, syurui: Syurui) -> i32 {
        self.promotion[syurui.index()]
    }
}

/// More than are on the board.
const MOST_CAPTURES: usize = 40;

impl Kyokumen {
    /// What a legal move wins, or loses if negative, by the end of the exchange on its square. The rules of the
    /// exchange:
    ///
    /// - After the move, the sides take on its square in turn, or stop; each does what is better for it.
    /// - Only legal captures count: a pinned piece takes only along its line, or when its pinner is gone; nobody takes
    ///   who leaves his king in a discovered check; a king takes only what nothing defends any more.
    /// - The cheapest piece takes first: the one whose capture wins least, as it stands; of equals the one on the
    ///   square with the lowest index; the king last.
    /// - It promotes if it may. By values that don't call that a loss it is never worse: retaken, the piece has cost
    ///   the same.
    /// - A drop costs nothing in itself, though a piece may be worth more in hand than on the board.
    ///
    /// In a position in which the other side has been left in check, the value is a guess; about a move that is not
    /// legal it says nothing.
    pub fn see(&self, te: Te, values: &ExchangeValues) -> i32 {
        let (gain, standing) = self.first_gain(te, values);
        if self.is_unopposed(te) {
            return gain;
        }
        let mut exchange = Exchange::new(self, te, standing);
        let mut gains = [0; MOST_CAPTURES];
        let mut captures = 0;
        let mut teban = !self.teban;
        while let Some(won) = exchange.take(teban, values) {
            gains[captures] = won;
            captures += 1;
            teban = !teban;
        }
        gain - gains[..captures].iter().rev().fold(0, |next, &won| (won - next).max(0))
    }

    /// Whether [`see`](Kyokumen::see) is at least a threshold; found out sooner than the value.
    pub fn see_at_least(&self, te: Te, values: &ExchangeValues, threshold: i32) -> bool {
        let (gain, standing) = self.first_gain(te, values);
        // What the side to take has to win for the answer to be the other one.
        let mut needed = gain.saturating_sub(threshold).saturating_add(1);
        if needed <= 0 {
            return false;
        }
        if values.capture(standing) + values.most_promotion < needed || self.is_unopposed(te) {
            return true;
        }
        let mut exchange = Exchange::new(self, te, standing);
        let mut teban = !self.teban;
        while needed > 0
            && let Some(won) = exchange.take(teban, values)
        {
            // It is enough that the other side can't win so much in turn that less is left.
            needed = won - needed + 1;
            teban = !teban;
        }
        // The side to take can stop where it needs nothing, and fails where it has nothing to take with.
        (needed <= 0) == (teban == self.teban)
    }

    /// Whether the other side surely has nothing to take with after a move.
    #[inline(always)]
    fn is_unopposed(&self, te: Te) -> bool {
        let enemy = !self.teban;
        let is_passed = |from: Masu| self.control_at(enemy, from.ichi()) >> 16 != 0;
        self.control_at(enemy, te.to().ichi()) == 0 && !te.from().is_some_and(is_passed)
    }

    /// What a move wins at once, and the kind that then stands on its square.
    #[inline(always)]
    fn first_gain(&self, te: Te, values: &ExchangeValues) -> (i32, Syurui) {
        let captured = self.koma(te.to()).syurui().map_or(0, |captured| values.capture(captured));
        let moved = self.moved_syurui(te).unwrap_or(Syurui::Fu);
        match moved.promoted().filter(|_| te.promotes()) {
            Some(promoted) => (captured + values.promotion(moved), promoted),
            None => (captured, moved),
        }
    }
}

/// An exchange on a square while it goes on.
struct Exchange<'a> {
    kyokumen: &'a Kyokumen,
    to: Masu,
    /// What was last moved there.
    standing: Syurui,
    /// The pieces that attack the square.
    attackers: ByTeban<MasuSet>,
    occupied: MasuSet,
    /// The enemy's sliders on lines with a side's king, once they have been asked for.
    sliders: ByTeban<Option<MasuSet>>,
}

impl<'a> Exchange<'a> {
    /// Begins behind a move, after which a kind stands on its square.
    #[inline(always)]
    fn new(kyokumen: &'a Kyokumen, te: Te, standing: Syurui) -> Exchange<'a> {
        let to = te.to();
        let attackers = ByTeban(Teban::ALL.map(|teban| kyokumen.attackers(teban, to.ichi()).collect()));
        let occupied = kyokumen.occupied() | MasuSet::of(to);
        let mut exchange = Exchange { kyokumen, to, standing, attackers, occupied, sliders: ByTeban([None; 2]) };
        if let Some(from) = te.from() {
            exchange.leave(kyokumen.teban, from);
        }
        exchange
    }

    /// Takes a piece off its square, so that a slider behind it sees the target.
    #[inline(always)]
    fn leave(&mut self, teban: Teban, from: Masu) {
        self.attackers[teban] &= !MasuSet::of(from);
        self.occupied &= !MasuSet::of(from);
        if let Some((owner, slider)) = self.behind(from) {
            self.attackers[owner] |= MasuSet::of(slider);
        }
    }

    /// The slider that attacks the target through an attacker's square.
    #[inline(always)]
    fn behind(&self, from: Masu) -> Option<(Teban, Masu)> {
        let direction = direction_between(from, self.to);
        let slides = |teban| self.kyokumen.control_at(teban, from.ichi()) >> (16 + direction) & 1 != 0;
        let owner = Teban::ALL.into_iter().find(|&teban| slides(teban))?;
        let mut cell = from.ichi().step(-OFFSETS[direction]);
        while self.kyokumen.at(cell).is_empty() {
            cell = cell.step(-OFFSETS[direction]);
        }
        Some((owner, cell.masu()))
    }

    /// Takes with a side's cheapest piece that may; what that wins, or `None` if nothing may.
    #[inline(always)]
    fn take(&mut self, teban: Teban, values: &ExchangeValues) -> Option<i32> {
        let mut left = self.attackers[teban];
        loop {
            let (from, syurui) = self.cheapest(left, values)?;
            if self.may_take(teban, from, syurui) {
                return Some(self.take_with(teban, from, syurui, values));
            }
            left ^= MasuSet::of(from);
        }
    }

    fn cheapest(&self, pieces: MasuSet, values: &ExchangeValues) -> Option<(Masu, Syurui)> {
        let with_kind = pieces.filter_map(|from| self.kyokumen.koma(from).syurui().map(|syurui| (from, syurui)));
        let price = |syurui| if syurui == Syurui::Ou { i32::MAX } else { values.capture(syurui) };
        with_kind.min_by_key(|&(_, syurui)| price(syurui))
    }

    /// Whether a capture leaves the king of the side that takes out of check.
    fn may_take(&mut self, teban: Teban, from: Masu, syurui: Syurui) -> bool {
        if syurui == Syurui::Ou {
            // No enemy slider is behind him: who could have opened its line, and yet come past him to the target?
            return self.attackers[!teban].is_empty();
        }
        let Some(ou) = self.kyokumen.ou[teban] else { return true };
        let sliders = *self.sliders[teban].get_or_insert_with(|| self.kyokumen.sliders_on_lines_with(ou, !teban));
        // Those that have moved are gone from their squares, the last of them onto the target, where it is taken.
        let occupied = self.occupied & !MasuSet::of(from);
        let left = sliders & occupied & !MasuSet::of(self.to);
        !left.into_iter().any(|slider| (between(ou, slider) & occupied).is_empty())
    }

    fn take_with(&mut self, teban: Teban, from: Masu, syurui: Syurui, values: &ExchangeValues) -> i32 {
        let mut won = values.capture(self.standing);
        self.standing = syurui;
        let in_camp = from.dan().promotes(teban) || self.to.dan().promotes(teban);
        if let Some(promoted) = syurui.promoted().filter(|_| in_camp) {
            won += values.promotion(syurui);
            self.standing = promoted;
        }
        self.leave(teban, from);
        won
    }
}
