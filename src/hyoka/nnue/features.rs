//! What of a position the nets look at, as numbers: which piece is where, as either side sees it.
//!
//! The numbering is that of the files of YaneuraOu and tanuki-, there called `BonaPiece`. A side sees the board as if
//! it were Sente, so Gote sees it turned round; own pieces and enemy's have numbers of their own. First come pieces in
//! hand, each with its own number: of three pawns the first, second and third. From 90 on, each kind on the board has a
//! number for every square; what moves like a gold counts as one. From 1548 on, the kings. 0 stands for nothing.

use crate::kyokumen::{Change, Koma, Kyokumen, Masu, Syurui, Teban};

/// A piece on its square or in hand, as one side sees it.
type Place = u16;

/// One more than the last number of a piece other than a king.
const OU: usize = 1548;

/// One more than the last number of all.
const END: usize = OU + 2 * Masu::COUNT;

/// The first number of what a side has in hand, its own and the enemy's, by [`Syurui::index`].
const IN_HAND: [[Place; 2]; 8] = {
    let mut table = [[0; 2]; 8];
    table[Syurui::Fu.index()] = [1, 20];
    table[Syurui::Ky.index()] = [39, 44];
    table[Syurui::Ke.index()] = [49, 54];
    table[Syurui::Gi.index()] = [59, 64];
    table[Syurui::Ki.index()] = [69, 74];
    table[Syurui::Ka.index()] = [79, 82];
    table[Syurui::Hi.index()] = [85, 88];
    table
};

/// The first number of each piece on the board, by who looks and [`Koma::index`].
const ON_BOARD: [[Place; Koma::CODES]; 2] = {
    // In the order of their numbers.
    const KINDS: [&[Syurui]; 10] = {
        use Syurui::*;
        [&[Fu], &[Ky], &[Ke], &[Gi], &[Ki, To, Ny, Nk, Ng], &[Ka], &[Um], &[Hi], &[Ry], &[Ou]]
    };
    let mut table = [[0; Koma::CODES]; 2];
    let mut index = 0;
    while index < KINDS.len() {
        let own = (90 + 2 * index * Masu::COUNT) as Place;
        let enemy = own + Masu::COUNT as Place;
        let mut kind = 0;
        while kind < KINDS[index].len() {
            let sente = Koma::new(KINDS[index][kind], Teban::Sente).index();
            let gote = Koma::new(KINDS[index][kind], Teban::Gote).index();
            table[0][sente] = own;
            table[0][gote] = enemy;
            table[1][sente] = enemy;
            table[1][gote] = own;
            kind += 1;
        }
        index += 1;
    }
    table
};

/// A square as a side sees it.
#[inline(always)]
fn seen_by(viewer: Teban, masu: Masu) -> Masu {
    if viewer == Teban::Sente { masu } else { masu.rotated() }
}

#[inline(always)]
fn on_board(viewer: Teban, koma: Koma, masu: Masu) -> Place {
    ON_BOARD[viewer.index()][koma.index()] + seen_by(viewer, masu).index() as Place
}

/// The piece that is the `number`th of its kind in a hand, counted from 1.
#[inline(always)]
fn in_hand(viewer: Teban, owner: Teban, syurui: Syurui, number: u8) -> Place {
    IN_HAND[syurui.index() & 7][usize::from(owner != viewer)] + Place::from(number.max(1) - 1)
}

/// A choice of features: which rows of weights belong to the pieces of a position.
pub trait Features: Send + Sync + 'static {
    /// What people call it.
    const NAME: &'static str;
    /// How files are marked that are made for it.
    const HASH: u32;
    /// How many rows there are.
    const ROWS: usize;
    /// Whether the rows of a side hang on where its own king is, so that his move changes all.
    const BY_OU: bool;

    /// The row of a place, for a side with its own king where it sees him; `None` if nothing counts there.
    fn row(ou: Option<Masu>, place: Place) -> Option<usize>;
}

/// Each piece but the kings, together with the square of the own king. Without a king nothing counts.
#[derive(Clone, Copy, Debug)]
pub struct HalfKp;

impl Features for HalfKp {
    const NAME: &'static str = "HalfKP";
    const HASH: u32 = 0x5D69_D5B8;
    const ROWS: usize = Masu::COUNT * OU;
    const BY_OU: bool = true;

    #[inline(always)]
    fn row(ou: Option<Masu>, place: Place) -> Option<usize> {
        ou.map(|ou| ou.index() * OU + usize::from(place)).filter(|_| usize::from(place) < OU)
    }
}

/// Each piece by itself, the kings too.
#[derive(Clone, Copy, Debug)]
pub struct Kp;

impl Features for Kp {
    const NAME: &'static str = "K-P";
    /// Those of kings and of pieces, combined as files do it.
    const HASH: u32 = 0xD3CE_E169 ^ 0x764C_FB4B_u32.rotate_left(1);
    const ROWS: usize = END;
    const BY_OU: bool = false;

    #[inline(always)]
    fn row(_: Option<Masu>, place: Place) -> Option<usize> {
        Some(usize::from(place))
    }
}

/// Hands the rows of a position, as a side sees it, to `add`.
pub(super) fn for_each_row<F: Features>(kyokumen: &Kyokumen, viewer: Teban, mut add: impl FnMut(usize)) {
    let ou = own_ou(kyokumen, viewer);
    let mut add_place = |place| {
        if let Some(row) = F::row(ou, place) {
            add(row);
        }
    };
    for masu in kyokumen.occupied() {
        add_place(on_board(viewer, kyokumen.koma(masu), masu));
    }
    for owner in Teban::ALL {
        for (syurui, count) in kyokumen.motigoma(owner).iter() {
            (1..=count).for_each(|number| add_place(in_hand(viewer, owner, syurui, number)));
        }
    }
}

/// Where a side sees its own king.
#[inline(always)]
pub(super) fn own_ou(kyokumen: &Kyokumen, viewer: Teban) -> Option<Masu> {
    kyokumen.ou(viewer).map(|ou| seen_by(viewer, ou))
}

/// What a move changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Whose king has moved.
    ou: Option<Teban>,
    /// The moved piece as it was and as it is, as each side sees it.
    moved: [[Place; 2]; 2],
    /// The captured piece on the board and in hand; 0 if there is none.
    captured: [[Place; 2]; 2],
}

/// The rows that a step takes away and adds.
pub(super) type RowChange = (Option<usize>, Option<usize>);

impl Step {
    /// What leads to a first position.
    pub(super) const NONE: Step = Step { ou: None, moved: [[0; 2]; 2], captured: [[0; 2]; 2] };

    /// The step of a move to `kyokumen`.
    #[inline]
    pub(super) fn new(kyokumen: &Kyokumen, change: &Change) -> Step {
        let (teban, to) = (change.teban(), change.te.to());
        let hand = kyokumen.motigoma(teban);
        let before = |viewer| match change.te.from() {
            Some(from) => on_board(viewer, change.before, from),
            None => {
                let number = change.before.syurui().map(|syurui| (syurui, hand.count(syurui) + 1));
                number.map_or(0, |(syurui, number)| in_hand(viewer, teban, syurui, number))
            }
        };
        let captured = |viewer| {
            change.captured.syurui().map_or([0; 2], |syurui| {
                let syurui = syurui.unpromoted();
                let number = hand.count(syurui);
                [on_board(viewer, change.captured, to), in_hand(viewer, teban, syurui, number)]
            })
        };
        Step {
            ou: (change.before == Koma::new(Syurui::Ou, teban)).then_some(teban),
            moved: Teban::ALL.map(|viewer| [before(viewer), on_board(viewer, change.after, to)]),
            captured: Teban::ALL.map(captured),
        }
    }

    /// Whether all rows of this side are others than before.
    #[inline(always)]
    pub(super) fn renews<F: Features>(&self, viewer: Teban) -> bool {
        F::BY_OU && self.ou == Some(viewer)
    }

    /// The rows of this side that the moved and the captured piece take away and add; its own king, if he counts, has
    /// not moved.
    #[inline(always)]
    pub(super) fn rows<F: Features>(&self, viewer: Teban, ou: Option<Masu>) -> (RowChange, RowChange) {
        let row = |place| if place == 0 { None } else { F::row(ou, place) };
        let change = |[before, after]: [Place; 2]| (row(before), row(after));
        (change(self.moved[viewer.index()]), change(self.captured[viewer.index()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_the_numbers_that_files_give_them() {
        let place = |viewer, syurui, owner, masu: &[u8; 2]| {
            on_board(viewer, Koma::new(syurui, owner), Masu::from_usi(*masu).unwrap())
        };
        use Teban::{Gote, Sente};
        assert_eq!(place(Sente, Syurui::Fu, Sente, b"1a"), 90);
        assert_eq!(place(Sente, Syurui::Fu, Gote, b"1b"), 172);
        assert_eq!(place(Gote, Syurui::Fu, Gote, b"9i"), 90);
        assert_eq!(place(Gote, Syurui::Ky, Sente, b"1i"), 333 + 72);
        assert_eq!(place(Sente, Syurui::Ng, Gote, b"1a"), 819);
        assert_eq!(place(Sente, Syurui::Um, Sente, b"1a"), 1062);
        assert_eq!(place(Sente, Syurui::Hi, Sente, b"1a"), 1224);
        assert_eq!(place(Sente, Syurui::Ry, Gote, b"9i"), 1547);
        assert_eq!(place(Gote, Syurui::Ou, Sente, b"9i"), 1629);
        assert_eq!(in_hand(Sente, Gote, Syurui::Fu, 18), 37);
        assert_eq!(in_hand(Gote, Gote, Syurui::Ki, 4), 72);
        assert_eq!(in_hand(Gote, Sente, Syurui::Hi, 2), 89);
        assert_eq!((HalfKp::ROWS, Kp::ROWS), (125_388, 1710));
    }

    #[test]
    fn no_place_has_a_row_beyond_the_last() {
        for place in 0..END as Place {
            assert!(Kp::row(None, place).is_some_and(|row| row < Kp::ROWS));
            assert_eq!(HalfKp::row(None, place), None);
            assert!(HalfKp::row(Masu::from_index(80), place).is_none_or(|row| row < HalfKp::ROWS));
        }
    }
}
