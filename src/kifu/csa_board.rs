//! Start positions with the names that CSA's format has for the pieces, which JKF shares.

use std::fmt::Write;

use super::Start;
use crate::kyokumen::{ByTeban, Dan, Koma, Kyokumen, Masu, SfenError, Suji, Syurui, Teban};

/// A position being set up.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Board {
    koma: [Koma; Masu::COUNT],
    /// By the numbers of the kinds.
    hands: ByTeban<[u8; 8]>,
}

/// The kind with this name, such as `FU` and `TO`.
pub(super) fn syurui(name: &[u8]) -> Option<Syurui> {
    Some(match name {
        b"FU" => Syurui::Fu,
        b"KY" => Syurui::Ky,
        b"KE" => Syurui::Ke,
        b"GI" => Syurui::Gi,
        b"KI" => Syurui::Ki,
        b"KA" => Syurui::Ka,
        b"HI" => Syurui::Hi,
        b"OU" => Syurui::Ou,
        b"TO" => Syurui::To,
        b"NY" => Syurui::Ny,
        b"NK" => Syurui::Nk,
        b"NG" => Syurui::Ng,
        b"UM" => Syurui::Um,
        b"RY" => Syurui::Ry,
        _ => return None,
    })
}

/// The square with these numbers of its file and its rank.
pub(super) fn masu(suji: u8, dan: u8) -> Option<Masu> {
    Some(Masu::new(Suji::new(suji)?, Dan::new(dan)?))
}

impl Board {
    /// No pieces.
    pub(super) fn empty() -> Board {
        Board { koma: [Koma::EMPTY; Masu::COUNT], hands: ByTeban::default() }
    }

    /// The even start.
    pub(super) fn hirate() -> Board {
        let (mut board, kyokumen) = (Board::empty(), Kyokumen::hirate());
        for masu in Masu::all() {
            board.koma[masu.index()] = kyokumen.koma(masu);
        }
        board
    }

    pub(super) fn koma(&self, masu: Masu) -> Koma {
        self.koma[masu.index()]
    }

    pub(super) fn put(&mut self, masu: Masu, koma: Koma) {
        self.koma[masu.index()] = koma;
    }

    /// More pieces in hand; says whether the kind can be held.
    pub(super) fn hold(&mut self, teban: Teban, syurui: Syurui, count: u8) -> bool {
        let held = Syurui::HAND.contains(&syurui);
        if held {
            let hand = &mut self.hands[teban][syurui.index()];
            *hand = hand.saturating_add(count);
        }
        held
    }

    /// All that a set still has goes into the hand of a side.
    pub(super) fn hold_rest(&mut self, teban: Teban) {
        for syurui in Syurui::HAND {
            let same = |koma: &&Koma| koma.syurui().is_some_and(|other| other.unpromoted() == syurui);
            let on_board = self.koma.iter().filter(same).count();
            let held: usize = Teban::ALL.iter().map(|&teban| usize::from(self.hands[teban][syurui.index()])).sum();
            let rest = usize::from(syurui.in_set()).saturating_sub(on_board + held);
            self.hold(teban, syurui, rest as u8);
        }
    }

    /// The position with this side to move.
    pub(super) fn start(&self, teban: Teban) -> Result<Start, SfenError> {
        if teban == Teban::Sente && *self == Board::hirate() {
            return Ok(Start::default());
        }
        Ok(Kyokumen::from_sfen(&self.sfen(teban))?.into())
    }

    fn sfen(&self, teban: Teban) -> String {
        let mut text = String::with_capacity(128);
        for dan in Dan::all() {
            if dan.number() > 1 {
                text.push('/');
            }
            for suji in Suji::all().rev() {
                let koma = self.koma(Masu::new(suji, dan));
                // Nine squares of 1 are as good as 9.
                let _ = if koma.is_empty() { write!(text, "1") } else { write!(text, "{koma}") };
            }
        }
        let _ = write!(text, " {teban} ");
        let before = text.len();
        for teban in Teban::ALL {
            for syurui in Syurui::HAND {
                let count = self.hands[teban][syurui.index()];
                if count > 0 {
                    let _ = write!(text, "{count}{}", Koma::new(syurui, teban));
                }
            }
        }
        if text.len() == before {
            text.push('-');
        }
        text
    }
}
