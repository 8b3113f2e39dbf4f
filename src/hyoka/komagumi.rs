//! Komagumi, formation: material, and what pieces do by their distance to both kings.

use super::distance::{ATTACK, DEFENCE, NO_OU, OU_PLACE};
use super::material::{self, signed};
use super::{Centipawn, Hyoka};
use crate::kyokumen::{ByTeban, Change, Koma, Kyokumen, Masu, Syurui, Teban};

/// What a piece adds next to the enemy king, in centipawns, by [`Syurui::index`].
const ATTACK_WEIGHT: [i32; 16] = {
    let mut table = [0; 16];
    table[Syurui::Fu.index()] = 12;
    table[Syurui::Ky.index()] = 10;
    table[Syurui::Ke.index()] = 25;
    table[Syurui::Gi.index()] = 50;
    table[Syurui::Ki.index()] = 50;
    table[Syurui::Ka.index()] = 25;
    table[Syurui::Hi.index()] = 25;
    table[Syurui::To.index()] = 70;
    table[Syurui::Ny.index()] = 65;
    table[Syurui::Nk.index()] = 65;
    table[Syurui::Ng.index()] = 60;
    table[Syurui::Um.index()] = 80;
    table[Syurui::Ry.index()] = 90;
    table
};

/// What a piece adds next to the own king, in centipawns, by [`Syurui::index`]. A rook there is a target.
const DEFENCE_WEIGHT: [i32; 16] = {
    let mut table = [0; 16];
    table[Syurui::Fu.index()] = 15;
    table[Syurui::Ky.index()] = 8;
    table[Syurui::Ke.index()] = 12;
    table[Syurui::Gi.index()] = 40;
    table[Syurui::Ki.index()] = 50;
    table[Syurui::Ka.index()] = 10;
    table[Syurui::Hi.index()] = -40;
    table[Syurui::To.index()] = 30;
    table[Syurui::Ny.index()] = 30;
    table[Syurui::Nk.index()] = 30;
    table[Syurui::Ng.index()] = 40;
    table[Syurui::Um.index()] = 70;
    table[Syurui::Ry.index()] = 20;
    table
};

/// The highest degree of endgame.
const ENDGAME: i32 = 16;
/// What each promoted piece on the board, and each piece in hand that is no pawn, adds to the degree of endgame.
const ENDGAME_STEP: i32 = 2;
/// The tables hold percents, and are weighted in sixteenths.
const SCALE: i32 = 100 * ENDGAME;

/// The default evaluation: the material, and for every piece its place relative to both kings. Attackers count the more
/// and defenders the less, the nearer the endgame is.
///
/// Sums are kept through `push` and `pop`; only a king's move counts the places anew.
#[derive(Clone, Debug, Default)]
pub struct Komagumi {
    sums: Sums,
}

/// All that is summed up over the pieces: Sente's minus Gote's, but the degree of endgame, which is common to both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sums {
    material: Centipawn,
    /// In percents of a centipawn.
    attack: i32,
    /// In percents of a centipawn.
    defence: i32,
    endgame: i32,
}

/// The rows of the tables in which both kings stand.
type Rows = ByTeban<usize>;

impl Sums {
    fn of(kyokumen: &Kyokumen) -> Sums {
        let mut sums = Sums { material: material::balance(kyokumen), ..Sums::default() };
        sums.count_places(kyokumen);
        for teban in Teban::ALL {
            for (syurui, count) in kyokumen.motigoma(teban).iter() {
                sums.endgame += i32::from(count) * endgame_in_hand(syurui);
            }
        }
        sums.endgame += Masu::all().map(|masu| endgame_on_board(kyokumen.koma(masu))).sum::<i32>();
        sums
    }

    fn count_places(&mut self, kyokumen: &Kyokumen) {
        let rows = rows(kyokumen);
        (self.attack, self.defence) = (0, 0);
        for masu in Masu::all() {
            self.place(kyokumen.koma(masu), masu, &rows, 1);
        }
    }

    /// Adds (`sign` 1) or takes off (-1) what a piece is worth by its place; nothing for an empty square.
    #[inline(always)]
    fn place(&mut self, koma: Koma, masu: Masu, rows: &Rows, sign: i32) {
        let (Some(teban), kind) = (koma.teban(), koma.index() & 15) else { return };
        let (side, index) = (teban.index(), masu.index());
        let attack = ATTACK_WEIGHT[kind] * i32::from(ATTACK[side][rows[!teban]][index]);
        let defence = if kind == Syurui::Ou.index() {
            100 * i32::from(OU_PLACE[side][index])
        } else {
            DEFENCE_WEIGHT[kind] * i32::from(DEFENCE[side][rows[teban]][index])
        };
        self.attack += sign * signed(teban, attack);
        self.defence += sign * signed(teban, defence);
    }

    /// Adds (`sign` 1) or takes off (-1) a move's difference; `kyokumen` has the kings where they belong afterwards.
    #[inline]
    fn apply(&mut self, kyokumen: &Kyokumen, change: &Change, sign: i32) {
        let teban = change.teban();
        self.material += sign * signed(teban, material::gain(change));
        self.endgame += sign * endgame_gain(change);
        if change.before == Koma::new(Syurui::Ou, teban) {
            self.count_places(kyokumen);
            return;
        }
        let rows = rows(kyokumen);
        if let Some(from) = change.te.from() {
            self.place(change.before, from, &rows, -sign);
            self.place(change.captured, change.te.to(), &rows, -sign);
        }
        self.place(change.after, change.te.to(), &rows, sign);
    }

    /// From Sente's side.
    fn value(&self) -> Centipawn {
        let endgame = self.endgame.min(ENDGAME);
        let attack = self.attack * (ENDGAME / 2 + endgame);
        let defence = self.defence * (ENDGAME + ENDGAME / 2 - endgame);
        self.material + (attack + defence) / SCALE
    }
}

fn rows(kyokumen: &Kyokumen) -> Rows {
    ByTeban(Teban::ALL.map(|teban| kyokumen.ou(teban).map_or(NO_OU, Masu::index)))
}

fn endgame_in_hand(syurui: Syurui) -> i32 {
    if syurui == Syurui::Fu { 0 } else { ENDGAME_STEP }
}

fn endgame_on_board(koma: Koma) -> i32 {
    if koma.syurui().is_some_and(Syurui::is_promoted) { ENDGAME_STEP } else { 0 }
}

/// What a move adds to the degree of endgame.
fn endgame_gain(change: &Change) -> i32 {
    let mut gain = endgame_on_board(change.after) - endgame_on_board(change.before);
    if let Some(syurui) = change.te.dropped() {
        gain -= endgame_in_hand(syurui);
    }
    if let Some(captured) = change.captured.syurui() {
        gain += endgame_in_hand(captured.unpromoted()) - endgame_on_board(change.captured);
    }
    gain
}

impl Hyoka for Komagumi {
    fn reset(&mut self, kyokumen: &Kyokumen) {
        self.sums = Sums::of(kyokumen);
    }

    #[inline]
    fn push(&mut self, kyokumen: &Kyokumen, change: &Change) {
        self.sums.apply(kyokumen, change, 1);
    }

    #[inline]
    fn pop(&mut self, kyokumen: &Kyokumen, change: &Change) {
        self.sums.apply(kyokumen, change, -1);
    }

    #[inline]
    fn value(&mut self, kyokumen: &Kyokumen) -> Centipawn {
        debug_assert_eq!(self.sums, Sums::of(kyokumen), "{kyokumen:?}");
        signed(kyokumen.teban(), self.sums.value())
    }
}
