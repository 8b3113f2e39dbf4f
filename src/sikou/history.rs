//! What has proved useful so far: moves that refuted others.
//!
//! All threads of a search learn in the same tables, so that what one has found out is known to all, and they agree
//! about which moves are worth a deeper look. What gets lost where two write at once doesn't matter.
//!
//! Every number lies within [`LIMIT`] either way, and grows the slower the nearer it is to its end.

use std::alloc::{Layout, handle_alloc_error};
use std::sync::atomic::{AtomicI16, AtomicU16, Ordering};

use bytemuck::try_zeroed_box;

use super::correction::Corrections;
use crate::hyoka::material;
use crate::kyokumen::{Change, Kyokumen, Masu, Te};

/// A value stays within this, either way.
pub(super) const LIMIT: i32 = 16_384;

/// A piece with its side, as it stands after a move, and its square: what a reply answers.
pub(super) const PLACES: usize = 32 * Masu::COUNT;
/// As before the move, and with drops apart from moves on the board.
const GOERS: usize = 48 * Masu::COUNT;
/// The bits of a move without its promotion.
const MOVES: usize = 1 << 15;

/// The place of a move on which nothing is known: a pass, or the move before the root.
pub(super) const NOWHERE: usize = 0;

/// The moves before a position, as the history looks them up: the opponent's last, and the own one before that.
pub(super) type Before = [usize; 2];

/// Three tables of refutations: by the move alone, by the piece that goes somewhere after one of the two moves before,
/// and by captures; and the latest reply that refuted a move.
pub(super) struct History {
    moves: Box<[[AtomicI16; MOVES]; 2]>,
    replies: Box<[[AtomicI16; GOERS]; PLACES]>,
    captures: Box<[[[AtomicI16; 16]; Masu::COUNT]; 32]>,
    counters: Box<[AtomicU16; PLACES]>,
    /// By how much the evaluation is wrong.
    pub(super) corrections: Corrections,
}

impl Default for History {
    fn default() -> History {
        History::try_new().unwrap_or_else(|| handle_alloc_error(Layout::new::<[[i16; GOERS]; PLACES]>()))
    }
}

impl History {
    /// An empty one, if there is memory for it: zeroed by the operating system when first touched.
    pub(super) fn try_new() -> Option<History> {
        Some(History {
            moves: try_zeroed_box().ok()?,
            replies: try_zeroed_box().ok()?,
            captures: try_zeroed_box().ok()?,
            counters: try_zeroed_box().ok()?,
            corrections: Corrections::try_new()?,
        })
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        if let Some(new) = History::try_new() {
            super::tt::discard(std::mem::replace(self, new));
            return;
        }
        // There is no room for another one.
        for values in [
            self.moves.as_flattened_mut(),
            self.replies.as_flattened_mut(),
            self.captures.as_flattened_mut().as_flattened_mut(),
        ] {
            forget(values);
        }
        self.counters.fill_with(AtomicU16::default);
        self.corrections.clear();
    }

    /// A new search begins: what is known of moves by themselves counts half. Replies stay: they hold in any game.
    pub(super) fn age(&mut self) {
        self.moves.as_flattened_mut().iter_mut().for_each(|value| *value.get_mut() /= 2);
    }

    /// What speaks for a quiet move, in sum: from -4 to 4 times [`LIMIT`].
    #[inline]
    pub(super) fn quiet(&self, kyokumen: &Kyokumen, te: Te, before: Before) -> i32 {
        let goer = goer(kyokumen, te);
        let replies = before.map(|place| get(&self.replies[place][goer]));
        2 * get(&self.moves[kyokumen.teban().index()][without_promotion(te)]) + replies[0] + replies[1]
    }

    /// What speaks for a capture, beyond what it wins.
    #[inline]
    pub(super) fn capture(&self, kyokumen: &Kyokumen, te: Te) -> i32 {
        let (row, to, victim) = capture_of(kyokumen, te);
        get(&self.captures[row][to][victim])
    }

    /// The quiet move that last refuted the move before.
    pub(super) fn counter(&self, before: Before) -> Option<Te> {
        Te::from_bits(self.counters[before[0]].load(Ordering::Relaxed))
    }

    /// A quiet move refuted (bonus above 0), or was tried in vain before one that did (below 0).
    pub(super) fn learn_quiet(&self, kyokumen: &Kyokumen, te: Te, before: Before, bonus: i32) {
        add(&self.moves[kyokumen.teban().index()][without_promotion(te)], bonus);
        let goer = goer(kyokumen, te);
        for place in before {
            add(&self.replies[place][goer], bonus);
        }
    }

    /// The same for a capture or promotion.
    pub(super) fn learn_capture(&self, kyokumen: &Kyokumen, te: Te, bonus: i32) {
        let (row, to, victim) = capture_of(kyokumen, te);
        add(&self.captures[row][to][victim], bonus);
    }

    /// A quiet move refuted the move before.
    pub(super) fn learn_counter(&self, te: Te, before: Before) {
        self.counters[before[0]].store(te.bits(), Ordering::Relaxed);
    }
}

/// The nearer a value is to its end, the less is added.
pub(super) fn add(value: &AtomicI16, bonus: i32) {
    let (old, bonus) = (get(value), bonus.clamp(-LIMIT, LIMIT));
    value.store((old + bonus - old * bonus.abs() / LIMIT) as i16, Ordering::Relaxed);
}

#[inline]
pub(super) fn get(value: &AtomicI16) -> i32 {
    value.load(Ordering::Relaxed).into()
}

pub(super) fn forget(values: &mut [AtomicI16]) {
    values.fill_with(AtomicI16::default);
}

fn without_promotion(te: Te) -> usize {
    usize::from(te.bits()) & (MOVES - 1)
}

/// Which piece of the side to move goes where by this move.
#[inline]
fn goer(kyokumen: &Kyokumen, te: Te) -> usize {
    let piece = match (te.from(), te.dropped()) {
        (Some(from), _) => kyokumen.koma(from).index() & 15,
        (None, dropped) => 16 + dropped.map_or(0, |syurui| syurui.index() & 7),
    };
    (kyokumen.teban().index() * 24 + piece) * Masu::COUNT + te.to().index()
}

/// Which piece has gone where by the move that was made.
#[inline]
pub(super) fn place_of(change: &Change) -> usize {
    let piece = change.teban().index() * 16 + (change.after.index() & 15);
    piece * Masu::COUNT + change.te.to().index()
}

#[inline]
fn capture_of(kyokumen: &Kyokumen, te: Te) -> (usize, usize, usize) {
    let piece = te.from().map_or(0, |from| kyokumen.koma(from).index() & 15);
    (kyokumen.teban().index() * 16 + piece, te.to().index(), kyokumen.koma(te.to()).index() & 15)
}

/// What a capture or promotion wins, if nobody takes back.
#[inline]
pub(super) fn won_by(kyokumen: &Kyokumen, te: Te) -> i32 {
    let koma = te.from().map(|from| kyokumen.koma(from)).filter(|_| te.promotes());
    let promotion = koma.map_or(0, |koma| material::koma_value(koma.promoted()) - material::koma_value(koma));
    material::capture_value(kyokumen.koma(te.to())) + promotion
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: Before = [7, 9];

    #[test]
    fn values_grow_to_their_limit_and_not_beyond() {
        let kyokumen = Kyokumen::hirate();
        let te = "7g7f".parse().unwrap();
        let mut history = History::default();
        for bonus in [400, -400, 99_999_999, -99_999_999] {
            for _ in 0..1_000 {
                history.learn_quiet(&kyokumen, te, BEFORE, bonus);
                history.learn_capture(&kyokumen, te, bonus);
            }
            let (quiet, capture) = (history.quiet(&kyokumen, te, BEFORE), history.capture(&kyokumen, te));
            assert!(quiet.abs() <= 4 * LIMIT && quiet.signum() == bonus.signum(), "{quiet}");
            assert!(capture.abs() <= LIMIT && capture.signum() == bonus.signum(), "{capture}");
        }
        history.age();
        assert_eq!(history.quiet(&kyokumen, te, BEFORE), -LIMIT - 2 * LIMIT);
        history.clear();
        assert_eq!(history.quiet(&kyokumen, te, BEFORE), 0);
    }

    #[test]
    fn a_drop_is_another_move_than_one_on_the_board() {
        let kyokumen = Kyokumen::from_sfen("4k4/9/9/9/9/4P4/9/9/4K4 b P 1").unwrap();
        let history = History::default();
        history.learn_quiet(&kyokumen, "P*5e".parse().unwrap(), BEFORE, 100);
        assert_eq!(history.quiet(&kyokumen, "5f5e".parse().unwrap(), BEFORE), 0);
    }

    #[test]
    fn a_reply_is_known_after_the_moves_that_it_answered_only() {
        let mut kyokumen = Kyokumen::hirate();
        let place = place_of(&kyokumen.do_te("7g7f".parse().unwrap()));
        let te: Te = "3c3d".parse().unwrap();
        let history = History::default();
        history.learn_quiet(&kyokumen, te, [place, NOWHERE], 100);
        history.learn_counter(te, [place, NOWHERE]);
        assert_eq!((history.quiet(&kyokumen, te, [place, 5]), history.quiet(&kyokumen, te, [5, 6])), (300, 200));
        assert_eq!((history.counter([place, 5]), history.counter([5, place])), (Some(te), None));
    }

    #[test]
    fn a_win_counts_the_piece_and_the_promotion() {
        let kyokumen = Kyokumen::from_sfen("4k4/9/4p4/4P4/9/9/9/9/4K4 b - 1").unwrap();
        assert_eq!(won_by(&kyokumen, "5d5c".parse().unwrap()), 210);
        assert_eq!(won_by(&kyokumen, "5d5c+".parse().unwrap()), 210 + 400);
    }
}
