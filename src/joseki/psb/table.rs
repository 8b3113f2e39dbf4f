//! The random numbers of a book, which travel in it, and the keys that are made of them.
//!
//! For every number a main one and a control one: for Gote's turn; for each piece on each square; for each number of
//! pieces that a side holds of a kind. A key is the XOR of those that are true of a position.

use super::radix;
use crate::joseki::key::{SEED, SplitMix64};
use crate::kyokumen::{Koma, Kyokumen, Masu, Syurui, Teban};

/// Main and control key.
pub(super) type Keys = (u64, u64);

/// The kinds in the order of the file, promoted ones last.
const BOARD: [Syurui; 14] = {
    use Syurui::*;
    [Fu, Ky, Ke, Gi, Ki, Ka, Hi, Ou, To, Ny, Nk, Ng, Um, Ry]
};
/// Of these some may be in hand.
const HAND: usize = 7;
/// The most pieces of one kind.
const MAX_IN_HAND: usize = 18;
/// Pairs of numbers in the file.
pub(super) const PAIRS: usize = 1 + BOARD.len() * 2 * Masu::COUNT + HAND * 2 * MAX_IN_HAND;

/// The table of a book.
#[derive(Debug)]
pub(super) struct Table {
    pairs: Vec<Keys>,
    /// Where in the table a kind stands.
    order: [usize; 16],
}

impl Table {
    fn of(pairs: Vec<Keys>) -> Table {
        let mut order = [0; 16];
        for (place, syurui) in BOARD.into_iter().enumerate() {
            order[syurui.index()] = place;
        }
        Table { pairs, order }
    }

    /// The table of new books, by SplitMix64.
    pub(super) fn new() -> Table {
        let mut random = SplitMix64(SEED);
        Table::of((0..PAIRS).map(|_| (random.draw(), random.draw())).collect())
    }

    /// Reads the lines of a table, and how many bytes they are.
    pub(super) fn read(bytes: &[u8], base: u64) -> Option<(Table, usize)> {
        let line = radix::digits(64, base) + 1;
        let length = 2 * PAIRS * line;
        let mut numbers = bytes.get(..length)?.chunks_exact(line).map(|line| {
            let (end, digits) = line.split_last()?;
            radix::read_u64(digits, base).filter(|_| *end == b'\n')
        });
        let pairs: Option<Vec<_>> = (0..PAIRS).map(|_| Some((numbers.next()??, numbers.next()??))).collect();
        Some((Table::of(pairs?), length))
    }

    pub(super) fn write(&self, base: u64, out: &mut Vec<u8>) {
        for &(main, control) in &self.pairs {
            radix::write_u64(main, base, out);
            radix::write_u64(control, base, out);
        }
    }

    /// The keys of a position.
    pub(super) fn keys(&self, kyokumen: &Kyokumen) -> Keys {
        let mut keys = if kyokumen.teban() == Teban::Gote { self.pairs[0] } else { (0, 0) };
        let mut add = |place: usize| {
            let (main, control) = self.pairs[place];
            keys = (keys.0 ^ main, keys.1 ^ control);
        };
        for masu in Masu::all() {
            self.on_board(kyokumen.koma(masu), masu).into_iter().for_each(&mut add);
        }
        let hands = 1 + BOARD.len() * 2 * Masu::COUNT;
        for teban in Teban::ALL {
            for (syurui, count) in kyokumen.motigoma(teban).iter() {
                let kind = self.order[syurui.index()] * 2 + teban.index();
                // No position has more, so the last number is never used twice.
                add(hands + kind * MAX_IN_HAND + usize::from(count).min(MAX_IN_HAND) - 1);
            }
        }
        keys
    }

    fn on_board(&self, koma: Koma, masu: Masu) -> Option<usize> {
        let (syurui, teban) = (koma.syurui()?, koma.teban()?);
        Some(1 + (self.order[syurui.index()] * 2 + teban.index()) * Masu::COUNT + masu.index())
    }
}
