//! Where a move comes from that a record writes without its origin, as KI2 does and what is made from it.

use crate::kyokumen::{Kyokumen, Masu, Syurui, Te, Teban};

/// Where a piece comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Hand,
    Board(Masu),
}

/// The origin of a piece of this kind that goes there; `None` where several fit. A piece on the board comes before one
/// in hand where nothing is said. `relative` has letters: L, C, R for the left, straight, right one, U, M, D for
/// forward, sideways, back, and H for a drop.
pub(super) fn find(kyokumen: &Kyokumen, kind: Syurui, to: Masu, promotes: bool, relative: &str) -> Option<Origin> {
    if relative.contains('H') {
        return Some(Origin::Hand);
    }
    let fits = |from: &Masu| *from != to && kyokumen.is_legal(Te::board(*from, to, promotes));
    let all: Vec<Masu> = Masu::all().filter(|&from| is_kind(kyokumen, from, kind)).filter(fits).collect();
    if all.is_empty() {
        return Some(Origin::Hand);
    }
    let view = View { teban: kyokumen.teban(), to };
    let mut left = all;
    for letter in relative.chars() {
        match letter {
            'U' => left.retain(|&from| view.dan(from) > 0),
            'M' => left.retain(|&from| view.dan(from) == 0),
            'D' => left.retain(|&from| view.dan(from) < 0),
            'C' => left.retain(|&from| view.suji(from) == 0 && view.dan(from) > 0),
            _ => {}
        }
    }
    // Of horses and dragons the left one need not be left of the square.
    let extreme = match relative.chars().find(|letter| matches!(letter, 'L' | 'R')) {
        Some('L') => left.iter().map(|&from| view.suji(from)).max(),
        Some(_) => left.iter().map(|&from| view.suji(from)).min(),
        None => None,
    };
    if let Some(extreme) = extreme {
        left.retain(|&from| view.suji(from) == extreme);
    }
    match *left {
        [from] => Some(Origin::Board(from)),
        _ => None,
    }
}

fn is_kind(kyokumen: &Kyokumen, from: Masu, kind: Syurui) -> bool {
    let koma = kyokumen.koma(from);
    koma.belongs_to(kyokumen.teban()) && koma.syurui() == Some(kind)
}

/// The board as its mover sees it, from the square to which the piece goes.
struct View {
    teban: Teban,
    to: Masu,
}

impl View {
    /// How many files further left.
    fn suji(&self, from: Masu) -> i8 {
        self.seen(from.suji().number() as i8 - self.to.suji().number() as i8)
    }

    /// How many ranks nearer to the mover.
    fn dan(&self, from: Masu) -> i8 {
        self.seen(from.dan().number() as i8 - self.to.dan().number() as i8)
    }

    fn seen(&self, difference: i8) -> i8 {
        if self.teban == Teban::Sente { difference } else { -difference }
    }
}
