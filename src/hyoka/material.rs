//! What pieces are worth, on the board and in hand.

use super::{Centipawn, Hyoka};
use crate::kyokumen::{Change, ExchangeValues, Koma, Kyokumen, Masu, Syurui, Teban};

/// Value of a piece on the board, by [`Syurui::index`]. The king has none: he is never lost.
pub const KOMA_VALUE: [Centipawn; 16] = {
    let mut table = [0; 16];
    table[Syurui::Fu.index()] = 100;
    table[Syurui::Ky.index()] = 300;
    table[Syurui::Ke.index()] = 350;
    table[Syurui::Gi.index()] = 500;
    table[Syurui::Ki.index()] = 550;
    table[Syurui::Ka.index()] = 800;
    table[Syurui::Hi.index()] = 1000;
    table[Syurui::To.index()] = 500;
    table[Syurui::Ny.index()] = 500;
    table[Syurui::Nk.index()] = 500;
    table[Syurui::Ng.index()] = 550;
    table[Syurui::Um.index()] = 1100;
    table[Syurui::Ry.index()] = 1300;
    table
};

/// Value of a piece in hand, by [`Syurui::index`]: a little more than on the board, since it can go anywhere.
pub const HAND_VALUE: [Centipawn; 8] = {
    let mut table = [0; 8];
    table[Syurui::Fu.index()] = 110;
    table[Syurui::Ky.index()] = 320;
    table[Syurui::Ke.index()] = 370;
    table[Syurui::Gi.index()] = 530;
    table[Syurui::Ki.index()] = 590;
    table[Syurui::Ka.index()] = 860;
    table[Syurui::Hi.index()] = 1080;
    table
};

/// The same values for [`Kyokumen::see`].
pub const EXCHANGE_VALUES: ExchangeValues = ExchangeValues::new(&KOMA_VALUE, &HAND_VALUE);

/// Value of what stands on a square, whoever owns it; 0 for an empty one.
#[inline]
pub fn koma_value(koma: Koma) -> Centipawn {
    KOMA_VALUE[koma.index() & 15]
}

/// Value of a piece in hand; promoted kinds and the king can't be there.
#[inline]
pub fn hand_value(syurui: Syurui) -> Centipawn {
    HAND_VALUE[syurui.index() & 7]
}

/// What capturing this piece wins: it leaves the board and comes into the hand; 0 for an empty square.
#[inline]
pub fn capture_value(captured: Koma) -> Centipawn {
    captured.syurui().map_or(0, |syurui| koma_value(captured) + hand_value(syurui.unpromoted()))
}

/// What a move wins in material for the side that makes it.
#[inline]
pub fn gain(change: &Change) -> Centipawn {
    let before = if change.te.is_drop() { HAND_VALUE[change.before.index() & 7] } else { koma_value(change.before) };
    koma_value(change.after) - before + capture_value(change.captured)
}

/// Material of a position, Sente's minus Gote's, counted from nothing.
pub fn balance(kyokumen: &Kyokumen) -> Centipawn {
    let of_side = |teban| {
        let koma = Masu::all().map(|masu| kyokumen.koma(masu)).filter(|koma| koma.belongs_to(teban));
        let hand = kyokumen.motigoma(teban).iter();
        koma.map(koma_value).sum::<Centipawn>()
            + hand.map(|(syurui, count)| Centipawn::from(count) * hand_value(syurui)).sum::<Centipawn>()
    };
    of_side(Teban::Sente) - of_side(Teban::Gote)
}

/// The evaluation that counts pieces and nothing else.
#[derive(Clone, Debug, Default)]
pub struct Material {
    balance: Centipawn,
}

impl Hyoka for Material {
    fn reset(&mut self, kyokumen: &Kyokumen) {
        self.balance = balance(kyokumen);
    }

    #[inline]
    fn push(&mut self, _: &Kyokumen, change: &Change) {
        self.balance += signed(change.teban(), gain(change));
    }

    #[inline]
    fn pop(&mut self, _: &Kyokumen, change: &Change) {
        self.balance -= signed(change.teban(), gain(change));
    }

    #[inline]
    fn value(&mut self, kyokumen: &Kyokumen) -> Centipawn {
        debug_assert_eq!(self.balance, balance(kyokumen), "{kyokumen:?}");
        signed(kyokumen.teban(), self.balance)
    }
}

/// A value of `teban` as Sente sees it, and back.
#[inline(always)]
pub(super) fn signed(teban: Teban, value: Centipawn) -> Centipawn {
    match teban {
        Teban::Sente => value,
        Teban::Gote => -value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pieces_that_can_be_in_hand_have_a_value_there() {
        for syurui in Syurui::ALL {
            assert_eq!(syurui == Syurui::Ou, KOMA_VALUE[syurui.index()] == 0, "{syurui:?}");
            if syurui.code() < 8 {
                assert!(hand_value(syurui) > KOMA_VALUE[syurui.index()], "{syurui:?}");
            }
        }
        assert_eq!((KOMA_VALUE[0], HAND_VALUE[0]), (0, 0));
    }

    #[test]
    fn promotion_never_costs_material() {
        for syurui in Syurui::ALL {
            if let Some(promoted) = syurui.promoted() {
                assert!(KOMA_VALUE[promoted.index()] > KOMA_VALUE[syurui.index()], "{syurui:?}");
            }
        }
    }

    #[test]
    fn an_exchange_counts_as_the_moves_of_it_do() {
        for syurui in Syurui::ALL {
            let koma = Koma::new(syurui, Teban::Sente);
            assert_eq!(EXCHANGE_VALUES.capture(syurui), capture_value(koma), "{syurui:?}");
            assert_eq!(EXCHANGE_VALUES.promotion(syurui), koma_value(koma.promoted()) - koma_value(koma), "{syurui:?}");
        }
    }

    #[test]
    fn a_capture_wins_the_piece_twice() {
        // It is lost to the other side, and is in the own hand.
        let mut kyokumen = Kyokumen::from_sfen("4k4/9/9/9/4p4/4P4/9/9/4K4 b - 1").unwrap();
        let mut material = Material::default();
        material.reset(&kyokumen);
        assert_eq!(material.value(&kyokumen), 0);
        let change = kyokumen.do_te("5f5e".parse().unwrap());
        material.push(&kyokumen, &change);
        assert_eq!(material.value(&kyokumen), -(100 + 110));
        assert_eq!(gain(&change), 210);
    }

    #[test]
    fn all_pieces_of_a_set_stay_far_from_the_values_of_a_mate() {
        let most = Syurui::HAND.iter().map(|&syurui| {
            let board = syurui.promoted().map_or(KOMA_VALUE[syurui.index()], |promoted| KOMA_VALUE[promoted.index()]);
            Centipawn::from(syurui.in_set()) * board.max(hand_value(syurui))
        });
        assert!(most.sum::<Centipawn>() < 25_000);
    }
}
