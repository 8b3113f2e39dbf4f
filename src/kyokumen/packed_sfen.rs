//! From packing to SFEN without a [`Kyokumen`](super::Kyokumen) between, for copying books of millions of positions.
//! What is accepted and written is the same.

use super::compact::{PLACES, Place};
use super::packed::{self, BOARD_CODES, Code, ORDER};
use super::{Koma, Masu, PackedKyokumen, Syurui, Teban};

impl PackedKyokumen {
    /// Appends board, turn and hands as [`Kyokumen::to_sfen_without_ply`](super::Kyokumen::to_sfen_without_ply) writes
    /// them. Says whether it did: bytes that are no packing have no text.
    pub fn push_sfen(&self, text: &mut Vec<u8>) -> bool {
        Position::unpack(self).map(|position| position.push_sfen(text)).is_some()
    }
}

/// A number for each kind, one byte each, in the order of [`Syurui::index`]; the lowest byte is for all that can't be
/// in hand.
type Counts = u64;

/// Every piece of a set.
const FULL: Counts = {
    let (mut full, mut kind) = (0, 0);
    while kind < Syurui::HAND.len() {
        full |= (Syurui::HAND[kind].in_set() as u64) << (8 * Syurui::HAND[kind].index());
        kind += 1;
    }
    full
};

/// A position, ready to be written: rank by rank, and behind each rank what stands between it and the next.
struct Position {
    cells: [Item; 128],
    /// Which cells are not empty, as bits.
    taken: [u64; 2],
    teban: Teban,
    hands: [Counts; 2],
}

impl Position {
    /// Accepts what [`PackedKyokumen::unpack`] does: hands and box in their one order, a full set of pieces.
    fn unpack(packed: &PackedKyokumen) -> Option<Position> {
        let mut bits = Bits::new(packed);
        let teban = if bits.take(1) != 0 { Teban::Gote } else { Teban::Sente };
        let kings = [bits.take(7), bits.take(7)].map(usize::from);
        if kings[0] == kings[1] || kings.iter().any(|&king| king >= Masu::COUNT) {
            return None;
        }
        let mut position = Position { cells: EMPTY_BOARD, taken: STROKES, teban, hands: [0; 2] };
        for side in Teban::ALL {
            position.put(&SQUARES[kings[side.index()]], ITEMS[Koma::new(Syurui::Ou, side).index()]);
        }
        let mut counts = position.unpack_board(&mut bits, kings)?;
        let mut order = 0;
        let mut apart = [0; 3];
        while bits.place < 256 {
            let step = &HAND_STEPS[bits.peek() as usize & 0x7f];
            if step.length == 0 || step.order < order {
                return None;
            }
            order = step.order;
            bits.place += usize::from(step.length);
            apart[usize::from(step.order / 7)] += step.count;
        }
        counts += apart.iter().sum::<Counts>();
        position.hands = [apart[0], apart[1]];
        (counts & !0xff == FULL && bits.place == 256).then_some(position)
    }

    /// The squares but for those of the kings; how many pieces there are, or `None` where one stands where it must not.
    fn unpack_board(&mut self, bits: &mut Bits, kings: [usize; 2]) -> Option<Counts> {
        let others = Masu::COUNT - 2;
        let (first, second) = (kings[0].min(kings[1]), kings[0].max(kings[1]));
        let (mut counts, mut pawns, mut wrong) = (0, 0u32, 0);
        let mut nth = 0;
        loop {
            // Empty squares are zeros, of which all are passed at once but in the emptiest of boards.
            let next = bits.peek();
            let empty = (next | 1 << 40).trailing_zeros() as usize;
            if nth + empty >= others {
                bits.place += others - nth;
                break;
            }
            let step = &BOARD_STEPS[(next >> empty) as usize & 0xff];
            nth += empty;
            bits.place += empty + usize::from(step.length);
            let index = nth + usize::from(nth >= first);
            let square = &SQUARES[index + usize::from(index >= second)];
            nth += 1;
            let pawn = step.place.pawn << square.suji;
            wrong |= pawns & pawn | u32::from(step.place.dead >> square.dan & 1);
            pawns |= pawn;
            counts += step.count;
            self.put(square, step.item);
            if nth == others {
                break;
            }
        }
        (wrong == 0).then_some(counts)
    }

    #[inline(always)]
    fn put(&mut self, square: &Square, item: Item) {
        let cell = usize::from(square.cell) & 127;
        self.cells[cell] = item;
        self.taken[cell / 64] |= u64::from(item.length > 0) << (cell % 64);
    }

    fn push_sfen(&self, text: &mut Vec<u8>) {
        let mut line = Line { bytes: [0; 256], length: 0 };
        for (half, &taken) in self.taken.iter().enumerate() {
            let mut rest = taken;
            let mut expected = 0;
            while rest != 0 {
                let cell = rest.trailing_zeros();
                line.push(cell - expected, self.cells[half * 64 + cell as usize]);
                expected = cell + 1;
                rest &= rest - 1;
            }
        }
        line.push(0, Item::new(if self.teban == Teban::Sente { b"b " } else { b"w " }));
        if self.hands == [0; 2] {
            line.push(0, Item::new(b"-"));
        }
        for teban in Teban::ALL {
            let counts = self.hands[teban.index()];
            for syurui in super::sfen::HAND_ORDER.into_iter().filter(|_| counts != 0) {
                let count = (counts >> (8 * syurui.index())) as u32 & 0xff;
                line.push_hand(count, ITEMS[Koma::new(syurui, teban).index()]);
            }
        }
        text.extend_from_slice(&line.bytes[..line.length]);
    }
}

/// A text with room for every position: at most 81 pieces of two letters, 9 strokes, 2 for the turn, 42 in hand.
struct Line {
    bytes: [u8; 256],
    length: usize,
}

impl Line {
    /// Appends a number, unless it is 0, and an item, without branching.
    #[inline(always)]
    fn push(&mut self, number: u32, item: Item) {
        let has_number = u32::from(number > 0);
        self.push_bytes(item.behind(number, has_number), has_number as usize + usize::from(item.length));
    }

    /// Appends pieces in hand, if there are any.
    #[inline(always)]
    fn push_hand(&mut self, count: u32, item: Item) {
        let is_long = u32::from(count >= 10);
        self.push_bytes(u32::from(b'1'), is_long as usize);
        let rest = count - 10 * is_long;
        let has_digit = u32::from(count > 1);
        self.push_bytes(item.behind(rest, has_digit), if count > 0 { has_digit as usize + 1 } else { 0 });
    }

    #[inline(always)]
    fn push_bytes(&mut self, word: u32, length: usize) {
        if let Some(bytes) = self.bytes.get_mut(self.length..).and_then(<[u8]>::first_chunk_mut) {
            *bytes = word.to_le_bytes();
        }
        self.length += length;
    }
}

/// How something is written: one letter or two, the first lowest.
#[derive(Clone, Copy)]
struct Item {
    letters: u16,
    length: u8,
}

impl Item {
    const NONE: Item = Item { letters: 0, length: 0 };

    const fn new(text: &[u8]) -> Item {
        let second = if text.len() > 1 { text[1] } else { 0 };
        Item { letters: u16::from_le_bytes([text[0], second]), length: text.len() as u8 }
    }

    /// The bytes of the item, the first lowest, behind a digit if `has_digit` is 1 rather than 0.
    #[inline(always)]
    fn behind(self, digit: u32, has_digit: u32) -> u32 {
        let letters = u32::from(self.letters) << (8 * has_digit);
        letters | ((u32::from(b'0') + digit) * has_digit)
    }
}

/// How each piece is written.
const ITEMS: [Item; Koma::CODES] = {
    let mut items = [Item::NONE; Koma::CODES];
    let mut kind = 0;
    while kind < Syurui::ALL.len() {
        let syurui = Syurui::ALL[kind];
        let upper = syurui.letter() as u8;
        let mut side = 0;
        while side < 2 {
            let letter = if side == 0 { upper } else { upper.to_ascii_lowercase() };
            let item = if syurui.is_promoted() { Item::new(&[b'+', letter]) } else { Item::new(&[letter]) };
            items[Koma::new(syurui, Teban::ALL[side]).index()] = item;
            side += 1;
        }
        kind += 1;
    }
    items
};

/// Where a square stands in the text.
#[derive(Clone, Copy)]
struct Square {
    cell: u8,
    suji: u8,
    dan: u8,
}

/// The cell of a rank, from 0 on, and a column; the tenth is for what follows the rank. Five ranks fill a word.
const fn cell(rank: usize, column: usize) -> usize {
    rank / 5 * 64 + rank % 5 * 10 + column
}

const SQUARES: [Square; Masu::COUNT] = {
    let mut squares = [Square { cell: 0, suji: 0, dan: 0 }; Masu::COUNT];
    let mut index = 0;
    while index < Masu::COUNT {
        let (suji, dan) = (index / 9 + 1, index % 9 + 1);
        squares[index] = Square { cell: cell(dan - 1, 9 - suji) as u8, suji: suji as u8, dan: dan as u8 };
        index += 1;
    }
    squares
};

/// Only what stands behind the ranks.
const EMPTY_BOARD: [Item; 128] = {
    let mut cells = [Item::NONE; 128];
    let mut rank = 0;
    while rank < 9 {
        cells[cell(rank, 9)] = Item::new(if rank < 8 { b"/" } else { b" " });
        rank += 1;
    }
    cells
};

const STROKES: [u64; 2] = {
    let mut taken = [0; 2];
    let mut rank = 0;
    while rank < 9 {
        taken[cell(rank, 9) / 64] |= 1 << (cell(rank, 9) % 64);
        rank += 1;
    }
    taken
};

/// The bits of a packing from the lowest on, as if zeros followed.
struct Bits {
    bytes: [u8; 104],
    place: usize,
}

impl Bits {
    fn new(packed: &PackedKyokumen) -> Bits {
        // A board takes at most 15 + 79 * 8 bits; what lies behind the bytes is too long anyway.
        let mut bytes = [0; 104];
        bytes[..32].copy_from_slice(&packed.0);
        Bits { bytes, place: 0 }
    }

    /// At least 57 bits from here on.
    #[inline(always)]
    fn peek(&self) -> u64 {
        let bytes = self.bytes.get(self.place / 8..).and_then(<[u8]>::first_chunk);
        bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes) >> (self.place % 8))
    }

    fn take(&mut self, length: usize) -> u8 {
        let bits = self.peek() & ((1 << length) - 1);
        self.place += length;
        bits as u8
    }
}

/// What stands on a square.
#[derive(Clone, Copy)]
struct BoardStep {
    /// 1 for the kind of the piece.
    count: Counts,
    place: Place,
    item: Item,
    length: u8,
}

/// What stands on a square, by the next eight bits.
static BOARD_STEPS: [BoardStep; 256] = {
    let mut steps = [BoardStep { count: 0, place: PLACES[Koma::EMPTY.index()], item: Item::NONE, length: 1 }; 256];
    let mut kind = 0;
    while kind < Syurui::ALL.len() {
        let syurui = Syurui::ALL[kind];
        let mut side = 0;
        while side < 2 {
            let index = Koma::new(syurui, Teban::ALL[side]).index();
            let Code { bits, length } = BOARD_CODES[index];
            let step = BoardStep {
                count: 1 << (8 * syurui.unpromoted().index() % 64),
                place: PLACES[index],
                item: ITEMS[index],
                length: length as u8,
            };
            let mut place = bits as usize;
            while length > 0 && place < 256 {
                steps[place] = step;
                place += 1 << length;
            }
            side += 1;
        }
        kind += 1;
    }
    steps
};

#[derive(Clone, Copy)]
struct HandStep {
    /// 1 for the kind of the piece.
    count: Counts,
    /// Its place among Sente's hand, Gote's hand and the box, seven kinds each.
    order: u8,
    length: u8,
}

/// A piece in hand or box, by the next seven bits; of length 0 where there is none.
static HAND_STEPS: [HandStep; 128] = {
    let mut steps = [HandStep { count: 0, order: 0, length: 0 }; 128];
    let mut order = 0;
    while order < 21 {
        let syurui = ORDER[order % 7];
        let Code { bits, length } = match order / 7 {
            0 => packed::hand_code(syurui, Teban::Sente),
            1 => packed::hand_code(syurui, Teban::Gote),
            _ => packed::box_code(syurui),
        };
        let mut place = bits as usize;
        while place < 128 {
            steps[place] = HandStep { count: 1 << (8 * syurui.index()), order: order as u8, length: length as u8 };
            place += 1 << length;
        }
        order += 1;
    }
    steps
};
