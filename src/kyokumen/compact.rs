//! From SFEN to packing and back without all that a [`Kyokumen`](super::Kyokumen) keeps ready for play, for copying
//! books of millions of positions. What is accepted and written is the same.

use super::packed::{self, BOARD_CODES, Code, ORDER};
use super::{ByTeban, Koma, Masu, Motigoma, PackedKyokumen, Syurui, Teban};

/// A position with both kings, as little more than its squares.
struct Compact {
    squares: [Koma; Masu::COUNT],
    motigoma: ByTeban<Motigoma>,
    teban: Teban,
    ou: [Option<Masu>; 2],
    /// Pieces on the board and in hand by unpromoted kind; the first place is for all else.
    counts: [u8; 8],
    /// The files with an unpromoted pawn of each side, as bits.
    pawns: [u16; 2],
    /// Not 0 once a piece could never move, or is a second pawn on its file.
    wrong: u16,
}

impl PackedKyokumen {
    /// Packs the position of a SFEN; what follows the hands is passed over. `None` where
    /// [`Kyokumen::from_sfen`](super::Kyokumen::from_sfen) would not accept board, turn and hands, or a king is missing.
    pub fn from_sfen(text: &[u8]) -> Option<PackedKyokumen> {
        let mut fields = text.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
        let mut compact = Compact::empty();
        compact.read_board(fields.next()?)?;
        compact.teban = match fields.next()? {
            b"b" => Teban::Sente,
            b"w" => Teban::Gote,
            _ => return None,
        };
        compact.read_hands(fields.next()?)?;
        let fits = Syurui::HAND.iter().all(|syurui| compact.counts[syurui.index()] <= syurui.in_set());
        let kings = [compact.ou[0]?, compact.ou[1]?];
        let koma = |masu: Masu| compact.squares[masu.index()];
        if fits { packed::pack(compact.teban, kings, koma, &compact.motigoma) } else { None }
    }

    /// Appends board, turn and hands as [`Kyokumen::to_sfen_without_ply`](super::Kyokumen::to_sfen_without_ply) writes
    /// them. Says whether it did: bytes that are no packing have no text.
    pub fn push_sfen(&self, text: &mut Vec<u8>) -> bool {
        Compact::unpack(self).map(|compact| compact.push_sfen(text)).is_some()
    }
}

impl Compact {
    fn empty() -> Compact {
        Compact {
            squares: [Koma::EMPTY; Masu::COUNT],
            motigoma: ByTeban::default(),
            teban: Teban::Sente,
            ou: [None; 2],
            counts: [0; 8],
            pawns: [0; 2],
            wrong: 0,
        }
    }

    /// Places a piece, or none; what is wrong with that is noted without branching.
    #[inline(always)]
    fn put(&mut self, suji: usize, dan: usize, koma: Koma) {
        let place = &PLACES[koma.index()];
        let pawn = place.pawn << suji;
        let pawns = &mut self.pawns[usize::from(place.side & 1)];
        self.wrong |= *pawns & pawn | place.dead >> dan & 1;
        *pawns |= pawn;
        self.counts[koma.index() & 7] += 1;
        self.squares[(suji - 1) * 9 + dan - 1] = koma;
    }

    fn read_board(&mut self, board: &[u8]) -> Option<()> {
        let (mut suji, mut dan, mut promoted) = (9, 1, false);
        for &byte in board {
            // Pieces and numbers go the same way, for which of them comes next can't be foreseen.
            let Letter { mut koma, squares } = LETTERS[usize::from(byte)];
            if squares == 0 {
                match byte {
                    b'/' if !promoted && suji == 0 && dan < 9 => (suji, dan) = (9, dan + 1),
                    b'+' if !promoted => promoted = true,
                    _ => return None,
                }
                continue;
            }
            if promoted {
                koma = Some(koma.promoted()).filter(|&promoted| promoted != koma)?;
                promoted = false;
            }
            let left = usize::checked_sub(suji, usize::from(squares))?;
            if koma.syurui() == Some(Syurui::Ou)
                && let Some(teban) = koma.teban()
            {
                let masu = Masu::from_index((suji - 1) * 9 + dan - 1);
                if std::mem::replace(&mut self.ou[teban.index()], masu).is_some() {
                    return None;
                }
            }
            self.put(suji, dan, koma);
            suji = left;
        }
        (suji == 0 && dan == 9 && !promoted && self.wrong == 0).then_some(())
    }

    fn read_hands(&mut self, hands: &[u8]) -> Option<()> {
        if hands == b"-" {
            return Some(());
        }
        let mut number = None;
        for &byte in hands {
            if byte.is_ascii_digit() {
                number = match number {
                    Some(10..) => return None,
                    _ => Some(number.unwrap_or(0) * 10 + (byte - b'0')),
                };
                continue;
            }
            let koma = LETTERS[usize::from(byte)].koma;
            let (syurui, teban) = (koma.syurui()?, koma.teban()?);
            let total = self.motigoma[teban].count(syurui) + number.unwrap_or(1);
            if syurui == Syurui::Ou || number == Some(0) || total > syurui.in_set() {
                return None;
            }
            self.counts[syurui.index()] += number.unwrap_or(1);
            self.motigoma[teban].set(syurui, total);
            number = None;
        }
        number.is_none().then_some(())
    }

    /// Accepts what [`PackedKyokumen::unpack`] does: hands and box in their one order, a full set of pieces.
    fn unpack(packed: &PackedKyokumen) -> Option<Compact> {
        let mut compact = Compact::empty();
        let mut bits = Bits::new(packed);
        compact.teban = if bits.take(1) != 0 { Teban::Gote } else { Teban::Sente };
        let kings = [bits.take(7), bits.take(7)].map(usize::from);
        if kings[0] == kings[1] || kings.iter().any(|&king| king >= Masu::COUNT) {
            return None;
        }
        for suji in 1..=9 {
            for dan in 1..=9 {
                let index = (suji - 1) * 9 + dan - 1;
                if index == kings[0] || index == kings[1] {
                    let teban = if index == kings[0] { Teban::Sente } else { Teban::Gote };
                    compact.put(suji, dan, Koma::new(Syurui::Ou, teban));
                    continue;
                }
                let step = &BOARD_STEPS[usize::from(bits.peek() & 0xff)];
                bits.skip(step.length);
                compact.put(suji, dan, step.koma);
            }
        }
        let mut order = 0;
        while bits.place < 256 {
            let step = &HAND_STEPS[usize::from(bits.peek() & 0x7f)];
            if step.length == 0 || step.order < order {
                return None;
            }
            order = step.order;
            bits.skip(step.length);
            compact.counts[step.syurui.index()] += 1;
            match step.order / 7 {
                0 => compact.motigoma[Teban::Sente].put(step.syurui),
                1 => compact.motigoma[Teban::Gote].put(step.syurui),
                _ => {}
            }
        }
        let full = Syurui::HAND.iter().all(|syurui| compact.counts[syurui.index()] == syurui.in_set());
        (full && bits.place == 256 && compact.wrong == 0).then_some(compact)
    }

    fn push_sfen(&self, text: &mut Vec<u8>) {
        let mut line = Line { bytes: [0; 256], length: 0 };
        for dan in 0..9 {
            let mut empty = 0;
            for suji in (0..9).rev() {
                let koma = self.squares[suji * 9 + dan];
                line.push_if(!koma.is_empty() && empty > 0, b'0' + empty);
                empty = if koma.is_empty() { empty + 1 } else { 0 };
                line.push_koma(koma);
            }
            line.push_if(empty > 0, b'0' + empty);
            line.push_if(dan < 8, b'/');
        }
        let turn = if self.teban == Teban::Sente { b'b' } else { b'w' };
        [b' ', turn, b' '].into_iter().for_each(|byte| line.push_if(true, byte));
        line.push_if(Teban::ALL.iter().all(|&teban| self.motigoma[teban].is_empty()), b'-');
        for teban in Teban::ALL.into_iter().filter(|&teban| !self.motigoma[teban].is_empty()) {
            for syurui in super::sfen::HAND_ORDER {
                let count = self.motigoma[teban].count(syurui);
                line.push_if(count >= 10, b'0' + count / 10);
                line.push_if(count > 1, b'0' + count % 10);
                if count > 0 {
                    line.push_koma(Koma::new(syurui, teban));
                }
            }
        }
        text.extend_from_slice(&line.bytes[..line.length]);
    }
}

/// A text with room for every position: at most 81 pieces of two letters, 8 strokes, 5 for the turn, 42 in hand.
struct Line {
    bytes: [u8; 256],
    length: usize,
}

impl Line {
    /// Appends a byte, or not, without branching.
    #[inline(always)]
    fn push_if(&mut self, is_written: bool, byte: u8) {
        self.bytes[self.length & 255] = byte;
        self.length += usize::from(is_written);
    }

    /// Appends a piece; nothing for an empty square.
    #[inline(always)]
    fn push_koma(&mut self, koma: Koma) {
        let (letters, length) = TEXTS[koma.index()];
        self.bytes[self.length & 255] = letters[0];
        self.bytes[(self.length + 1) & 255] = letters[1];
        self.length += usize::from(length);
    }
}

/// The bits of a packing from the lowest on, as if zeros followed.
struct Bits {
    bytes: [u8; 40],
    place: usize,
}

impl Bits {
    fn new(packed: &PackedKyokumen) -> Bits {
        let mut bytes = [0; 40];
        bytes[..32].copy_from_slice(&packed.0);
        Bits { bytes, place: 0 }
    }

    /// At least nine bits from here on.
    #[inline]
    fn peek(&self) -> u16 {
        // A board takes at most 15 + 79 * 8 bits; what lies behind the bytes is too long anyway.
        let byte = (self.place / 8).min(38);
        u16::from_le_bytes([self.bytes[byte], self.bytes[byte + 1]]) >> (self.place % 8)
    }

    #[inline]
    fn skip(&mut self, length: u8) {
        self.place += usize::from(length);
    }

    fn take(&mut self, length: u8) -> u8 {
        let bits = self.peek() & ((1 << length) - 1);
        self.skip(length);
        bits as u8
    }
}

#[derive(Clone, Copy)]
struct BoardStep {
    koma: Koma,
    length: u8,
}

/// What stands on a square, by the next eight bits.
const BOARD_STEPS: [BoardStep; 256] = {
    let mut steps = [BoardStep { koma: Koma::EMPTY, length: 1 }; 256];
    let mut kind = 0;
    while kind < Syurui::ALL.len() {
        let mut side = 0;
        while side < 2 {
            let koma = Koma::new(Syurui::ALL[kind], Teban::ALL[side]);
            let Code { bits, length } = BOARD_CODES[koma.index()];
            let mut place = bits as usize;
            while length > 0 && place < 256 {
                steps[place] = BoardStep { koma, length: length as u8 };
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
    syurui: Syurui,
    /// Its place among Sente's hand, Gote's hand and the box, seven kinds each.
    order: u8,
    length: u8,
}

/// A piece in hand or box, by the next seven bits; of length 0 where there is none.
const HAND_STEPS: [HandStep; 128] = {
    let mut steps = [HandStep { syurui: Syurui::Fu, order: 0, length: 0 }; 128];
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
            steps[place] = HandStep { syurui, order: order as u8, length: length as u8 };
            place += 1 << length;
        }
        order += 1;
    }
    steps
};

/// Where a piece may stand.
#[derive(Clone, Copy)]
struct Place {
    /// 1 for an unpromoted pawn, of which a file holds one of each side.
    pawn: u16,
    /// The ranks, as bits, on which it could never move.
    dead: u16,
    side: u8,
}

const PLACES: [Place; Koma::CODES] = {
    let mut places = [Place { pawn: 0, dead: 0, side: 0 }; Koma::CODES];
    let mut kind = 0;
    while kind < Syurui::ALL.len() {
        let syurui = Syurui::ALL[kind];
        let pawn = matches!(syurui, Syurui::Fu) as u16;
        let mut dead = [0, 0];
        let mut dan = 1;
        while dan < syurui.first_live_dan() {
            dead[0] |= 1 << dan;
            dead[1] |= 1 << (10 - dan);
            dan += 1;
        }
        let mut side = 0;
        while side < 2 {
            let koma = Koma::new(syurui, Teban::ALL[side]);
            places[koma.index()] = Place { pawn, dead: dead[side], side: side as u8 };
            side += 1;
        }
        kind += 1;
    }
    places
};

/// What a byte of a board means.
#[derive(Clone, Copy)]
struct Letter {
    /// No piece for numbers, and for all that is neither.
    koma: Koma,
    /// How many squares it stands for; 0 for what is neither piece nor number.
    squares: u8,
}

const LETTERS: [Letter; 256] = {
    let mut letters = [Letter { koma: Koma::EMPTY, squares: 0 }; 256];
    let mut squares = 1;
    while squares <= 9 {
        letters[(b'0' + squares) as usize].squares = squares;
        squares += 1;
    }
    let mut code = 1;
    while let Some(syurui) = Syurui::from_code(code)
        && !syurui.is_promoted()
    {
        let letter = syurui.letter() as u8;
        letters[letter as usize] = Letter { koma: Koma::new(syurui, Teban::Sente), squares: 1 };
        let lower = letter.to_ascii_lowercase();
        letters[lower as usize] = Letter { koma: Koma::new(syurui, Teban::Gote), squares: 1 };
        code += 1;
    }
    letters
};

/// How each piece is written, and the length of that.
const TEXTS: [([u8; 2], u8); Koma::CODES] = {
    let mut texts = [([b' '; 2], 0); Koma::CODES];
    let mut kind = 0;
    while kind < Syurui::ALL.len() {
        let syurui = Syurui::ALL[kind];
        let upper = syurui.letter() as u8;
        let mut side = 0;
        while side < 2 {
            let letter = if side == 0 { upper } else { upper.to_ascii_lowercase() };
            let text = if syurui.is_promoted() { ([b'+', letter], 2) } else { ([letter, b' '], 1) };
            texts[Koma::new(syurui, Teban::ALL[side]).index()] = text;
            side += 1;
        }
        kind += 1;
    }
    texts
};
