//! The position itself.

use super::control::Control;
use super::direction::{OFFSETS, each};
use super::masu::{BAN_SIZE, Ichi};
use super::{ByTeban, Koma, Masu, MasuSet, Motigoma, Syurui, Teban, hash};

/// Number of plies, or of the next move: 1 at the start of a game.
pub type Tesu = u32;

/// A position: board, hands, side to move and number of the next move, with the attacks of both sides on every square.
///
/// A plain value without heap. `ban` is padded with wall; `control` has for every cell a word of each side, kept as its
/// bytes, in which bit `d` says that a step of a piece of that side reaches the cell along direction `d`, bit `16 + d`
/// that a slide does. Of a word, each bit can come from one piece only, so adding and removing a piece's control are
/// the same toggle.
///
/// ```
/// use komadai::kyokumen::Kyokumen;
///
/// let mut kyokumen = Kyokumen::hirate();
/// let te = "7g7f".parse().unwrap();
/// assert!(kyokumen.is_legal(te));
/// let change = kyokumen.do_te(te);
/// assert_eq!(kyokumen.to_sfen(), "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2");
/// kyokumen.undo_te(&change);
/// assert_eq!(kyokumen, Kyokumen::hirate());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Kyokumen {
    pub(super) ban: [Koma; BAN_SIZE],
    pub(super) control: Control,
    /// The squares of each side's pieces.
    pub(super) sides: ByTeban<MasuSet>,
    /// The squares of each kind's pieces, of both sides.
    pub(super) kinds: [MasuSet; 16],
    pub(super) motigoma: ByTeban<Motigoma>,
    pub(super) ou: ByTeban<Option<Masu>>,
    pub(super) teban: Teban,
    pub(super) tesu: Tesu,
    pub(super) board_key: u64,
    pub(super) hand_key: u64,
}

impl Kyokumen {
    /// The start of an even game.
    pub fn hirate() -> Kyokumen {
        const BACK: [Syurui; 9] = {
            use Syurui::*;
            [Ky, Ke, Gi, Ki, Ou, Ki, Gi, Ke, Ky]
        };
        let mut kyokumen = Kyokumen::empty();
        let mut put = |suji: usize, dan: usize, syurui, teban| {
            if let Some(masu) = Masu::from_index(suji * 9 + dan) {
                kyokumen.put(masu, Koma::new(syurui, teban));
            }
        };
        for (suji, back) in BACK.into_iter().enumerate() {
            for (teban, dans) in [(Teban::Gote, [0, 2]), (Teban::Sente, [8, 6])] {
                put(suji, dans[0], back, teban);
                put(suji, dans[1], Syurui::Fu, teban);
            }
        }
        for (teban, suji, syurui) in [
            (Teban::Gote, 1, Syurui::Ka),
            (Teban::Gote, 7, Syurui::Hi),
            (Teban::Sente, 1, Syurui::Hi),
            (Teban::Sente, 7, Syurui::Ka),
        ] {
            put(suji, if teban == Teban::Gote { 1 } else { 7 }, syurui, teban);
        }
        kyokumen.finish(Teban::Sente, 1);
        kyokumen
    }

    /// A board without pieces, Sente to move, from which every constructor starts.
    pub(super) fn empty() -> Kyokumen {
        let mut ban = [Koma::WALL; BAN_SIZE];
        for masu in Masu::all() {
            ban[masu.ichi().index()] = Koma::EMPTY;
        }
        Kyokumen {
            ban,
            control: [[[0; 4]; 2]; BAN_SIZE],
            sides: ByTeban::default(),
            kinds: [MasuSet::EMPTY; 16],
            motigoma: ByTeban::default(),
            ou: ByTeban::default(),
            teban: Teban::Sente,
            tesu: 1,
            board_key: 0,
            hand_key: 0,
        }
    }

    /// Places a piece on an empty square of a position under construction.
    pub(super) fn put(&mut self, masu: Masu, koma: Koma) {
        self.ban[masu.ichi().index()] = koma;
        self.toggle_sets(koma, masu);
        if let (Some(Syurui::Ou), Some(teban)) = (koma.syurui(), koma.teban()) {
            self.ou[teban] = Some(masu);
        }
    }

    /// Completes a position under construction: turn, ply, keys, control.
    pub(super) fn finish(&mut self, teban: Teban, tesu: Tesu) {
        self.teban = teban;
        self.tesu = tesu;
        (self.board_key, self.hand_key) = self.keys_from_scratch();
        self.control = self.control_from_scratch();
    }

    fn keys_from_scratch(&self) -> (u64, u64) {
        let mut board_key = if self.teban == Teban::Gote { hash::turn() } else { 0 };
        for masu in Masu::all().filter(|&masu| !self.koma(masu).is_empty()) {
            board_key ^= hash::board(self.koma(masu), masu);
        }
        let mut hand_key = 0;
        for teban in Teban::ALL {
            for (syurui, count) in self.motigoma[teban].iter() {
                hand_key ^= hash::hand(teban, syurui, count);
            }
        }
        (board_key, hand_key)
    }

    fn control_from_scratch(&self) -> Control {
        let mut control = [[0u32; 2]; BAN_SIZE];
        for masu in Masu::all() {
            let koma = self.koma(masu);
            let Some(teban) = koma.teban() else { continue };
            let side = teban.index();
            let moves = koma.moves();
            for direction in each(moves.steps()) {
                control[masu.ichi().step(OFFSETS[direction]).index()][side] |= 1 << direction;
            }
            for direction in each(moves.slides()) {
                let mut cell = masu.ichi();
                loop {
                    cell = cell.step(OFFSETS[direction]);
                    control[cell.index()][side] |= 1 << (16 + direction);
                    if !self.at(cell).is_empty() {
                        break;
                    }
                }
            }
        }
        control.map(|sides| sides.map(u32::to_le_bytes))
    }

    fn sets_from_scratch(&self) -> (ByTeban<MasuSet>, [MasuSet; 16]) {
        let set = |matches: &dyn Fn(Koma) -> bool| Masu::all().filter(|&masu| matches(self.koma(masu))).collect();
        let kind = |index| set(&|koma| koma.syurui().map(Syurui::index) == Some(index));
        (ByTeban(Teban::ALL.map(|teban| set(&|koma| koma.belongs_to(teban)))), std::array::from_fn(kind))
    }

    /// Whether keys, control, sets of squares and king squares equal what a rebuild from the board gives; for tests and
    /// debug builds.
    pub fn is_consistent(&self) -> bool {
        let ou = |teban| Masu::all().find(|&masu| self.koma(masu) == Koma::new(Syurui::Ou, teban));
        self.keys_from_scratch() == (self.board_key, self.hand_key)
            && self.control_from_scratch() == self.control
            && Teban::ALL.iter().all(|&teban| self.ou[teban] == ou(teban))
            && self.sets_from_scratch() == (self.sides, self.kinds)
    }

    #[inline(always)]
    pub(super) fn at(&self, cell: Ichi) -> Koma {
        self.ban[cell.index()]
    }

    #[inline(always)]
    pub(super) fn control_at(&self, teban: Teban, cell: Ichi) -> u32 {
        u32::from_le_bytes(self.control[cell.index()][teban.index()])
    }

    /// The squares of a side's pieces.
    #[inline(always)]
    pub fn pieces(&self, teban: Teban) -> MasuSet {
        self.sides[teban]
    }

    /// The squares of a side's pieces of one kind.
    #[inline(always)]
    pub fn pieces_of(&self, teban: Teban, syurui: Syurui) -> MasuSet {
        self.sides[teban] & self.kinds[syurui.index()]
    }

    /// The squares on which pieces stand.
    #[inline(always)]
    pub fn occupied(&self) -> MasuSet {
        self.sides[Teban::Sente] | self.sides[Teban::Gote]
    }

    /// What stands on a square.
    #[inline(always)]
    pub fn koma(&self, masu: Masu) -> Koma {
        self.at(masu.ichi())
    }

    /// The pieces that a side holds in hand.
    #[inline(always)]
    pub fn motigoma(&self, teban: Teban) -> &Motigoma {
        &self.motigoma[teban]
    }

    /// Where a side's king stands; `None` where it has none, as the attacker of a mate problem.
    #[inline(always)]
    pub fn ou(&self, teban: Teban) -> Option<Masu> {
        self.ou[teban]
    }

    /// Whose turn it is.
    #[inline(always)]
    pub fn teban(&self) -> Teban {
        self.teban
    }

    /// The number of the next move, 1 for the first of a game.
    #[inline(always)]
    pub fn tesu(&self) -> Tesu {
        self.tesu
    }

    /// The attacks of a side on a square: bit `d` a step that arrives along direction `d`, bit `16 + d` a slide. The
    /// eight neighbours are directions 0 to 7, `7 - d` opposite to `d`; 8 and 9 are Sente's knight jumps, 10 and 11
    /// Gote's. 0 means not attacked; the number of bits is the number of attackers.
    #[inline(always)]
    pub fn control(&self, teban: Teban, masu: Masu) -> u32 {
        self.control_at(teban, masu.ichi())
    }

    /// Whether a side's king is attacked.
    #[inline]
    pub fn is_oute_on(&self, teban: Teban) -> bool {
        self.ou[teban].is_some_and(|ou| self.control(!teban, ou) != 0)
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn is_oute(&self) -> bool {
        self.is_oute_on(self.teban)
    }

    /// The key of board, turn and hands: equal positions have equal keys, whatever their ply. The same in every run and
    /// on every machine, for this version of the crate.
    #[inline(always)]
    pub fn key(&self) -> u64 {
        self.board_key ^ self.hand_key
    }

    /// The key of board and turn alone.
    #[inline(always)]
    pub fn board_key(&self) -> u64 {
        self.board_key
    }

    /// The key of the hands alone.
    #[inline(always)]
    pub fn hand_key(&self) -> u64 {
        self.hand_key
    }

    /// The same position with the board turned by 180 degrees and the sides swapped.
    pub fn rotated(&self) -> Kyokumen {
        let mut rotated = Kyokumen::empty();
        for masu in Masu::all().filter(|&masu| !self.koma(masu).is_empty()) {
            rotated.put(masu.rotated(), self.koma(masu).swapped());
        }
        rotated.motigoma = ByTeban([self.motigoma[Teban::Gote], self.motigoma[Teban::Sente]]);
        rotated.finish(!self.teban, self.tesu);
        rotated
    }
}

impl Default for Kyokumen {
    fn default() -> Kyokumen {
        Kyokumen::hirate()
    }
}

impl std::fmt::Debug for Kyokumen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Kyokumen({})", self.to_sfen())
    }
}
