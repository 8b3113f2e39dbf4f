//! Positions in 256 bits, the packing of `.ybb` books and of many training data sets.
//!
//! Bits are filled from the lowest of the first byte: the turn (1 is Gote); the squares of Sente's and Gote's king, 7
//! bits each; the other squares in the order of their indices as prefix codes; the hands, Sente's first, in the order
//! pawn, lance, knight, silver, gold, bishop, rook; then, in the same order, the pieces that a handicap left in the
//! box. A full set of pieces always comes to exactly 256 bits.

use super::{ByTeban, Koma, Kyokumen, Masu, Motigoma, Syurui, Teban};

/// A position without its ply in 256 bits: equal positions, and only they, have equal bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PackedKyokumen(pub [u8; 32]);

/// A number of bits, the first one lowest.
#[derive(Clone, Copy)]
pub(super) struct Code {
    pub(super) bits: u64,
    pub(super) length: u32,
}

impl Code {
    const NONE: Code = Code { bits: 0, length: 0 };

    const fn new(bits: u64, length: u32) -> Code {
        Code { bits, length }
    }

    const fn then(self, other: Code) -> Code {
        Code { bits: self.bits | other.bits << self.length, length: self.length + other.length }
    }
}

/// The order of kinds in hand and box.
pub(super) const ORDER: [Syurui; 7] = {
    use Syurui::*;
    [Fu, Ky, Ke, Gi, Ki, Ka, Hi]
};

/// The prefix code of an unpromoted kind on the board; 0 in one bit is an empty square.
const fn kind_code(syurui: Syurui) -> Code {
    match syurui.unpromoted() {
        Syurui::Fu => Code::new(0b01, 2),
        Syurui::Ky => Code::new(0b0011, 4),
        Syurui::Ke => Code::new(0b1011, 4),
        Syurui::Gi => Code::new(0b0111, 4),
        Syurui::Ki => Code::new(0b01111, 5),
        Syurui::Ka => Code::new(0b011111, 6),
        Syurui::Hi => Code::new(0b111111, 6),
        _ => Code::NONE,
    }
}

const fn bit(set: bool) -> Code {
    Code::new(set as u64, 1)
}

/// Whether a bit for promotion follows the kind.
const fn has_promotion_bit(syurui: Syurui) -> bool {
    !matches!(syurui, Syurui::Ki)
}

pub(super) const fn hand_code(syurui: Syurui, teban: Teban) -> Code {
    let kind = kind_code(syurui);
    let kind = Code::new(kind.bits >> 1, kind.length - 1);
    let kind = if has_promotion_bit(syurui) { kind.then(bit(false)) } else { kind };
    kind.then(bit(teban.index() == 1))
}

/// The box uses what hands leave free: kinds with the promotion bit set; gold is the silver of Gote.
pub(super) const fn box_code(syurui: Syurui) -> Code {
    let base = if has_promotion_bit(syurui) { syurui } else { Syurui::Gi };
    let kind = kind_code(base);
    Code::new(kind.bits >> 1, kind.length - 1).then(bit(true)).then(bit(!has_promotion_bit(syurui)))
}

/// The code of whatever stands on a square; kings have none.
pub(super) const BOARD_CODES: [Code; Koma::CODES] = {
    let mut codes = [Code::NONE; Koma::CODES];
    codes[Koma::EMPTY.index()] = bit(false);
    let mut kind = 0;
    while kind < Syurui::ALL.len() {
        let syurui = Syurui::ALL[kind];
        let mut side = 0;
        while side < 2 && syurui.code() != Syurui::Ou.code() {
            let code = kind_code(syurui);
            let code = if has_promotion_bit(syurui) { code.then(bit(syurui.is_promoted())) } else { code };
            codes[Koma::new(syurui, Teban::ALL[side]).index()] = code.then(bit(side == 1));
            side += 1;
        }
        kind += 1;
    }
    codes
};

impl Kyokumen {
    /// Packs the position; `None` where a king is missing, which the packing can't express.
    pub fn pack(&self) -> Option<PackedKyokumen> {
        let kings = [self.ou(Teban::Sente)?, self.ou(Teban::Gote)?];
        pack(self.teban(), kings, |masu| self.koma(masu), &self.motigoma)
    }
}

/// Packs what stands on the squares and in the hands.
#[inline]
pub(super) fn pack(
    teban: Teban,
    kings: [Masu; 2],
    koma: impl Fn(Masu) -> Koma,
    motigoma: &ByTeban<Motigoma>,
) -> Option<PackedKyokumen> {
    let mut writer = Writer::default();
    writer.push(bit(teban == Teban::Gote));
    writer.push(Code::new(kings[0].index() as u64, 7));
    writer.push(Code::new(kings[1].index() as u64, 7));
    let mut on_board = [0u8; 16];
    for masu in Masu::all() {
        let koma = koma(masu);
        writer.push(BOARD_CODES[koma.index()]);
        on_board[koma.index() & 7] += 1;
    }
    for teban in Teban::ALL {
        for syurui in ORDER {
            for _ in 0..motigoma[teban].count(syurui) {
                writer.push(hand_code(syurui, teban));
            }
        }
    }
    for syurui in ORDER {
        let hands = motigoma[Teban::Sente].count(syurui) + motigoma[Teban::Gote].count(syurui);
        for _ in on_board[syurui.index()] + hands..syurui.in_set() {
            writer.push(box_code(syurui));
        }
    }
    writer.finish()
}

impl PackedKyokumen {
    /// The position, with ply 1; `None` where the bytes are not what [`Kyokumen::pack`] writes for any position.
    pub fn unpack(&self) -> Option<Kyokumen> {
        let mut reader = Reader { words: self.words(), place: 0 };
        let mut kyokumen = Kyokumen::empty();
        let teban = if reader.bit()? { Teban::Gote } else { Teban::Sente };
        let kings = [Masu::from_index(reader.bits(7)?)?, Masu::from_index(reader.bits(7)?)?];
        if kings[0] == kings[1] {
            return None;
        }
        for side in Teban::ALL {
            kyokumen.put(kings[side.index()], Koma::new(Syurui::Ou, side));
        }
        for masu in Masu::all().filter(|masu| !kings.contains(masu)) {
            if !reader.bit()? {
                continue;
            }
            let base = reader.kind()?;
            let promoted = has_promotion_bit(base) && reader.bit()?;
            let side = if reader.bit()? { Teban::Gote } else { Teban::Sente };
            let koma = Koma::new(base, side);
            kyokumen.put(masu, if promoted { koma.promoted() } else { koma });
        }
        while reader.place < 256 {
            let base = reader.kind()?;
            let in_box = has_promotion_bit(base) && reader.bit()?;
            let side = if reader.bit()? { Teban::Gote } else { Teban::Sente };
            if !in_box {
                let hand: &mut Motigoma = &mut kyokumen.motigoma[side];
                hand.set(base, hand.count(base) + 1);
            }
        }
        super::sfen::check_pieces(&kyokumen).ok()?;
        kyokumen.finish(teban, 1);
        // Order in hand and box is free to whoever writes; only one order is this position's packing.
        (kyokumen.pack()? == *self).then_some(kyokumen)
    }

    /// The four little-endian words.
    pub fn words(&self) -> [u64; 4] {
        let mut words = [0; 4];
        for (word, bytes) in words.iter_mut().zip(self.0.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        words
    }
}

#[derive(Default)]
struct Writer {
    bytes: [u8; 32],
    /// Number of words that are complete.
    complete: usize,
    /// The word that is being filled, and how many bits of it are.
    word: u64,
    filled: u32,
}

impl Writer {
    #[inline(always)]
    fn push(&mut self, code: Code) {
        self.word |= code.bits << self.filled;
        self.filled += code.length;
        if self.filled >= 64 {
            self.filled -= 64;
            if let Some(bytes) = self.bytes.as_chunks_mut::<8>().0.get_mut(self.complete) {
                *bytes = self.word.to_le_bytes();
            }
            self.complete += 1;
            self.word = code.bits >> (code.length - self.filled);
        }
    }

    fn finish(self) -> Option<PackedKyokumen> {
        (self.complete == 4 && self.filled == 0).then_some(PackedKyokumen(self.bytes))
    }
}

struct Reader {
    words: [u64; 4],
    place: u32,
}

impl Reader {
    fn bit(&mut self) -> Option<bool> {
        let word = self.words.get(self.place as usize / 64)?;
        let bit = word >> (self.place % 64) & 1 != 0;
        self.place += 1;
        Some(bit)
    }

    fn bits(&mut self, length: u32) -> Option<usize> {
        let mut bits = 0;
        for place in 0..length {
            bits |= usize::from(self.bit()?) << place;
        }
        Some(bits)
    }

    /// A kind behind the bit that says that there is a piece.
    fn kind(&mut self) -> Option<Syurui> {
        Some(if !self.bit()? {
            Syurui::Fu
        } else if !self.bit()? {
            if self.bit()? { Syurui::Ke } else { Syurui::Ky }
        } else if !self.bit()? {
            Syurui::Gi
        } else if !self.bit()? {
            Syurui::Ki
        } else if !self.bit()? {
            Syurui::Ka
        } else {
            Syurui::Hi
        })
    }
}
