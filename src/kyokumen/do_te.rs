//! Making and unmaking moves, with `control`, sets of squares and keys kept up by the difference.
//!
//! Four things change the attacks: the moving piece leaves, a captured piece disappears, the moving piece arrives, and
//! sliders see through an emptied square or stop at a filled one. Each bit of a control word comes from one piece only,
//! so to add and to remove are the same toggle, and taking a move back is the same passage in the other direction.
//!
//! The processor guesses well which way a move goes; what takes the time is the number of instructions. So there is a
//! function for each piece of each side, in which piece and side are constants, found through a table by the piece's
//! code: a pawn's step is then one write, whatever concerns sliders is gone from the other pieces' functions, and few
//! registers are in use. It is the same code for all pieces, written once:
//!
//! | table | function | what it does |
//! | --- | --- | --- |
//! | `PLAY`, `TAKE_BACK` | `play`, `take_back` | a move on the board |
//! | `DROP`, `PICK_UP` | `drop`, `pick_up` | a drop |
//! | `CAPTURE`, `RELEASE` | `capture`, `release` | what becomes of a captured piece |
//!
//! `control.rs` does what concerns board and attacks.

use super::control::Passage;
use super::{Koma, Kyokumen, Masu, MasuSet, Syurui, Te, Teban, hash};

/// What a move changed: handed out by [`Kyokumen::do_te`], asked back by [`Kyokumen::undo_te`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The move.
    pub te: Te,
    /// The piece before the move, unpromoted if it promotes; for a drop the dropped piece.
    pub before: Koma,
    /// The piece as it stands after the move.
    pub after: Koma,
    /// The captured piece as it stood on the board; [`Koma::EMPTY`] if none.
    pub captured: Koma,
    board_key: u64,
    hand_key: u64,
}

impl Change {
    /// The side that moved.
    #[inline]
    pub fn teban(&self) -> Teban {
        if self.before.belongs_to(Teban::Sente) { Teban::Sente } else { Teban::Gote }
    }
}

impl Kyokumen {
    /// Plays a move, which must be legal, or at least come from a list of this very position.
    ///
    /// # Panics
    /// May panic, or leave a position without meaning, on a move that is not legal; ask [`Kyokumen::is_legal`] first
    /// about moves from outside.
    pub fn do_te(&mut self, te: Te) -> Change {
        match te.from() {
            Some(from) => PLAY[self.koma(from).index()](self, te),
            None => DROP[te.dropped_by(self.teban).index()](self, te),
        }
    }

    /// Takes back the move that was played last.
    ///
    /// # Panics
    /// May panic, or leave a position without meaning, on any other change.
    pub fn undo_te(&mut self, change: &Change) {
        let table = if change.te.is_drop() { &PICK_UP } else { &TAKE_BACK };
        table[change.before.index()](self, change)
    }

    /// Passes: the other side is to move in the same position, one move later. The rules know no pass, but a search may
    /// ask what one would come to. Whoever is in check must not pass.
    pub fn do_pass(&mut self) {
        self.teban = !self.teban;
        self.tesu += 1;
        self.board_key ^= hash::turn();
    }

    /// Takes a pass back.
    pub fn undo_pass(&mut self) {
        self.teban = !self.teban;
        self.tesu -= 1;
        self.board_key ^= hash::turn();
    }

    /// Plays a move of one kind of piece on the board.
    fn play<const KOMA: usize>(&mut self, te: Te) -> Change {
        let (Some(from), to) = (te.from(), te.to()) else { unreachable!("a drop") };
        let before = const { Koma::from_index(KOMA) };
        let after = if te.promotes() { before.promoted() } else { before };
        let captured = self.koma(to);
        debug_assert!(before.belongs_to(self.teban) && !captured.belongs_to(self.teban), "{te} in {self:?}");
        let change = Change { te, before, after, captured, board_key: self.board_key, hand_key: self.hand_key };
        self.teban = !before.owner();
        self.tesu += 1;
        self.board_key ^= hash::board(before, from) ^ hash::board(after, to) ^ hash::turn();
        self.move_sets(before, after, from, to);
        self.toggle_steps_of_move(before, after, from, to);
        if before.syurui() == Some(Syurui::Ou) {
            self.ou.0[before.side()] = Some(to);
        }
        self.pass(Passage { source: from, target: to, before, after, found: captured, left: Koma::EMPTY });
        if !captured.is_empty() {
            CAPTURE[captured.index()](self, to);
        }
        self.check_now_and_then();
        change
    }

    /// Takes such a move back.
    fn take_back<const KOMA: usize>(&mut self, change: &Change) {
        let Change { te, captured, .. } = *change;
        let (Some(from), to) = (te.from(), te.to()) else { unreachable!("a drop") };
        let before = const { Koma::from_index(KOMA) };
        let after = if te.promotes() { before.promoted() } else { before };
        self.teban = before.owner();
        self.tesu -= 1;
        self.board_key = change.board_key;
        self.hand_key = change.hand_key;
        self.move_sets(before, after, from, to);
        self.toggle_steps_of_move(before, after, from, to);
        if before.syurui() == Some(Syurui::Ou) {
            self.ou.0[before.side()] = Some(from);
        }
        let (before, after) = (after, before);
        self.pass(Passage { source: to, target: from, before, after, found: Koma::EMPTY, left: captured });
        if !captured.is_empty() {
            RELEASE[captured.index()](self, to);
        }
        self.check_now_and_then();
    }

    /// Drops one kind of piece.
    fn drop<const KOMA: usize>(&mut self, te: Te) -> Change {
        let koma = const { Koma::from_index(KOMA) };
        let to = te.to();
        debug_assert!(self.koma(to).is_empty(), "{te} in {self:?}");
        let (board_key, hand_key) = (self.board_key, self.hand_key);
        let change = Change { te, before: koma, after: koma, captured: Koma::EMPTY, board_key, hand_key };
        self.take_from_hand(koma.owner(), koma.kind());
        self.teban = !koma.owner();
        self.tesu += 1;
        self.board_key ^= hash::board(koma, to) ^ hash::turn();
        self.toggle_sets(koma, to);
        self.toggle_slides_through(to.ichi());
        self.ban[to.ichi().index()] = koma;
        self.toggle_control(koma, to.ichi());
        self.check_now_and_then();
        change
    }

    /// Takes such a drop back.
    fn pick_up<const KOMA: usize>(&mut self, change: &Change) {
        let koma = const { Koma::from_index(KOMA) };
        let to = change.te.to();
        self.motigoma[koma.owner()].put(koma.kind());
        self.teban = koma.owner();
        self.tesu -= 1;
        self.board_key = change.board_key;
        self.hand_key = change.hand_key;
        self.toggle_sets(koma, to);
        self.toggle_control(koma, to.ichi());
        self.ban[to.ichi().index()] = Koma::EMPTY;
        self.toggle_slides_through(to.ichi());
        self.check_now_and_then();
    }

    /// Takes one kind of piece into the enemy's hand; its capturer stands in its place already.
    fn capture<const KOMA: usize>(&mut self, to: Masu) {
        let koma = const { Koma::from_index(KOMA) };
        self.board_key ^= hash::board(koma, to);
        self.put_in_hand(!koma.owner(), koma.kind().unpromoted());
        self.toggle_sets(koma, to);
        self.toggle_control(koma, to.ichi());
    }

    /// Gives a captured piece its control back; it stands in its place already, and the hand's key is as it was.
    fn release<const KOMA: usize>(&mut self, to: Masu) {
        let koma = const { Koma::from_index(KOMA) };
        self.motigoma[!koma.owner()].take(koma.kind().unpromoted());
        self.toggle_sets(koma, to);
        self.toggle_control(koma, to.ichi());
    }

    /// In debug builds, compares with a rebuild from the board, in one position of a thousand, for the tests' sake:
    /// it takes much longer than a move.
    #[inline(always)]
    fn check_now_and_then(&self) {
        debug_assert!(!self.key().is_multiple_of(1024) || self.is_consistent(), "{self:?}");
    }

    /// Takes a piece from one square to another in the sets of squares, or back.
    #[inline(always)]
    fn move_sets(&mut self, before: Koma, after: Koma, from: Masu, to: Masu) {
        let (from, to) = (set_of(from), set_of(to));
        self.sides.0[before.side()] ^= from ^ to;
        if before == after {
            self.kinds[before.index() & 15] ^= from ^ to;
        } else {
            self.kinds[before.index() & 15] ^= from;
            self.kinds[after.index() & 15] ^= to;
        }
    }

    /// Takes a piece's steps from one square to another, or back. Both pieces are constants, as far as one test goes.
    #[inline(always)]
    fn toggle_steps_of_move(&mut self, before: Koma, after: Koma, from: Masu, to: Masu) {
        self.toggle_steps(before, from.ichi());
        if before == after {
            self.toggle_steps(before, to.ichi());
        } else {
            self.toggle_steps(before.promoted(), to.ichi());
        }
    }

    /// Adds a piece to the sets of squares, or takes it out.
    #[inline(always)]
    pub(super) fn toggle_sets(&mut self, koma: Koma, masu: Masu) {
        self.sides.0[koma.side()] ^= set_of(masu);
        self.kinds[koma.index() & 15] ^= set_of(masu);
    }

    #[inline(always)]
    fn put_in_hand(&mut self, teban: Teban, syurui: Syurui) {
        let count = self.motigoma[teban].count(syurui);
        self.hand_key ^= hash::hand(teban, syurui, count) ^ hash::hand(teban, syurui, count + 1);
        self.motigoma[teban].put(syurui);
    }

    #[inline(always)]
    fn take_from_hand(&mut self, teban: Teban, syurui: Syurui) {
        let count = self.motigoma[teban].count(syurui);
        self.hand_key ^= hash::hand(teban, syurui, count) ^ hash::hand(teban, syurui, count - 1);
        self.motigoma[teban].take(syurui);
    }
}

type Do = fn(&mut Kyokumen, Te) -> Change;
type Undo = fn(&mut Kyokumen, &Change);
type Taken = fn(&mut Kyokumen, Masu);

/// A table, by [`Koma::index`], of a method for some kinds of both sides, and of another function elsewhere.
macro_rules! by_koma {
    ($method:ident for $($syurui:ident)*; $others:expr) => {{
        let mut table = [$others; Koma::CODES];
        $({
            const SENTE: usize = Koma::new(Syurui::$syurui, Teban::Sente).index();
            const GOTE: usize = Koma::new(Syurui::$syurui, Teban::Gote).index();
            table[SENTE] = Kyokumen::$method::<SENTE>;
            table[GOTE] = Kyokumen::$method::<GOTE>;
        })*
        table
    }};
}

static PLAY: [Do; Koma::CODES] =
    by_koma!(play for Fu Ky Ke Gi Ka Hi Ki Ou To Ny Nk Ng Um Ry; (|_, te| panic!("no piece plays {te}")) as Do);
static TAKE_BACK: [Undo; Koma::CODES] =
    by_koma!(take_back for Fu Ky Ke Gi Ka Hi Ki Ou To Ny Nk Ng Um Ry; (|_, _| panic!("no piece has played")) as Undo);
static DROP: [Do; Koma::CODES] =
    by_koma!(drop for Fu Ky Ke Gi Ka Hi Ki; (|_, te| panic!("no piece is dropped by {te}")) as Do);
static PICK_UP: [Undo; Koma::CODES] =
    by_koma!(pick_up for Fu Ky Ke Gi Ka Hi Ki; (|_, _| panic!("no piece was dropped")) as Undo);
static CAPTURE: [Taken; Koma::CODES] =
    by_koma!(capture for Fu Ky Ke Gi Ka Hi Ki To Ny Nk Ng Um Ry; (|_, to| panic!("no capture on {to}")) as Taken);
static RELEASE: [Taken; Koma::CODES] =
    by_koma!(release for Fu Ky Ke Gi Ka Hi Ki To Ny Nk Ng Um Ry; (|_, to| panic!("no capture on {to}")) as Taken);

/// The set of one square, from a table, which takes fewer instructions than a shift of 128 bits.
#[inline(always)]
fn set_of(masu: Masu) -> MasuSet {
    static SETS: [MasuSet; Masu::COUNT] = {
        let mut sets = [MasuSet::EMPTY; Masu::COUNT];
        let mut index = 0;
        while let Some(masu) = Masu::from_index(index) {
            sets[index] = MasuSet::of(masu);
            index += 1;
        }
        sets
    };
    SETS[masu.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pass_gives_the_other_side_the_move_and_nothing_else() {
        let mut kyokumen = Kyokumen::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b RP2p 7").unwrap();
        let before = kyokumen.clone();
        kyokumen.do_pass();
        assert_eq!(kyokumen.to_sfen(), "4k4/9/9/9/9/9/9/9/4K4 w RP2p 8");
        assert!(kyokumen.is_consistent() && kyokumen.key() != before.key());
        kyokumen.undo_pass();
        assert!(kyokumen == before);
    }

    /// Puts each piece on each empty square of a board with pieces to capture and slides to cut, and plays its moves.
    #[test]
    fn each_piece_moves_and_returns_from_each_square_with_all_that_is_kept() {
        let sfen = "4k1r2/2l2b3/1p3+P2p/9/3g1N3/2+r5s/P2G2+n2/2B3L2/4K4 b - 1";
        let background = Kyokumen::from_sfen(sfen).unwrap();
        let (mut moves, mut captures, mut promotions) = (0, 0, 0);
        for teban in Teban::ALL {
            for syurui in Syurui::ALL.into_iter().filter(|&syurui| syurui != Syurui::Ou) {
                for masu in Masu::all().filter(|&masu| background.koma(masu).is_empty()) {
                    let mut kyokumen = background.clone();
                    kyokumen.put(masu, Koma::new(syurui, teban));
                    kyokumen.finish(teban, 1);
                    let before = kyokumen.clone();
                    for te in kyokumen.legal_te().into_iter().filter(|te| te.from() == Some(masu)) {
                        let change = kyokumen.do_te(te);
                        assert!(kyokumen.is_consistent(), "{te} in {before:?}");
                        kyokumen.undo_te(&change);
                        assert!(kyokumen == before, "{te} taken back in {before:?}");
                        moves += 1;
                        captures += usize::from(!change.captured.is_empty());
                        promotions += usize::from(change.before != change.after);
                    }
                }
            }
        }
        assert!(moves > 5000 && captures > 500 && promotions > 500, "{moves} {captures} {promotions}");
    }
}
