//! From SFEN to packing without all that a [`Kyokumen`](super::Kyokumen) keeps ready for play, for copying books of
//! millions of positions. What is accepted and written is the same.

use super::{ByTeban, Koma, Masu, Motigoma, PackedKyokumen, Syurui, Teban, packed};

/// A position with both kings, as little more than its squares.
struct Compact {
    /// What stands on each square, at nine times the file and the rank; the last place is for what is no piece.
    squares: [Koma; 128],
    motigoma: ByTeban<Motigoma>,
    teban: Teban,
    ou: [Option<Masu>; 2],
    /// Pieces on the board and in hand by unpromoted kind; the first place is for all else.
    counts: [u8; 8],
}

impl PackedKyokumen {
    /// Packs the position of a SFEN; what follows the hands is passed over. `None` where
    /// [`Kyokumen::from_sfen`](super::Kyokumen::from_sfen) would not accept board, turn and hands, or a king is
    /// missing.
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
        let koma = |masu: Masu| compact.squares[masu.index() + 10];
        if fits { packed::pack(compact.teban, kings, koma, &compact.motigoma) } else { None }
    }
}

/// Behind all squares.
const NO_SQUARE: usize = 127;

impl Compact {
    fn empty() -> Compact {
        Compact {
            squares: [Koma::EMPTY; 128],
            motigoma: ByTeban::default(),
            teban: Teban::Sente,
            ou: [None; 2],
            counts: [0; 8],
        }
    }

    fn read_board(&mut self, board: &[u8]) -> Option<()> {
        let (mut suji, mut dan, mut promoted) = (9u8, 1, false);
        let mut pawns = 0;
        let mut wrong = false;
        for &byte in board {
            // All go the same way, for what comes next can't be foreseen; what is wrong shows in the end.
            let letter = &LETTERS[usize::from(byte)];
            wrong |= letter.is_none | (promoted & !letter.promotes);
            let koma = Koma::from_index(letter.koma.index() | usize::from(promoted) << 3);
            promoted = letter.is_plus;
            let place = &PLACES[koma.index()];
            let pawn = place.pawn << (suji & 15);
            wrong |= (pawns & pawn != 0) | (place.dead >> (dan & 15) & 1 != 0);
            pawns |= pawn;
            let square = if letter.squares > 0 { usize::from(suji) * 9 + dan } else { NO_SQUARE };
            self.squares[square & NO_SQUARE] = koma;
            self.counts[koma.index() & 7] = self.counts[koma.index() & 7].wrapping_add(1);
            if place.is_king {
                let masu = Masu::from_index(square.wrapping_sub(10));
                wrong |= std::mem::replace(&mut self.ou[koma.side()], masu).is_some();
            }
            wrong |= (letter.squares > suji) | (letter.is_stroke & (suji > 0));
            suji = if letter.is_stroke { 9 } else { suji.wrapping_sub(letter.squares) };
            dan += usize::from(letter.is_stroke);
        }
        (suji == 0 && dan == 9 && !promoted && !wrong).then_some(())
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
}

/// Where a piece may stand.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// A bit for an unpromoted pawn, of which a file holds one of each side; to be shifted by the file.
    pub(super) pawn: u32,
    /// The ranks, as bits, on which it could never move.
    pub(super) dead: u16,
    is_king: bool,
}

/// [`Place`] by [`Koma::index`].
pub(super) const PLACES: [Place; Koma::CODES] = {
    let mut places = [Place { pawn: 0, dead: 0, is_king: false }; Koma::CODES];
    let mut kind = 0;
    while kind < Syurui::ALL.len() {
        let syurui = Syurui::ALL[kind];
        let pawn = matches!(syurui, Syurui::Fu) as u32;
        let is_king = matches!(syurui, Syurui::Ou);
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
            places[koma.index()] = Place { pawn: pawn << (16 * side), dead: dead[side], is_king };
            side += 1;
        }
        kind += 1;
    }
    places
};

/// What a byte of a board means.
#[derive(Clone, Copy)]
struct Letter {
    /// No piece for all else.
    koma: Koma,
    /// How many squares it stands for; 0 for what is neither piece nor number.
    squares: u8,
    promotes: bool,
    is_plus: bool,
    is_stroke: bool,
    is_none: bool,
}

const LETTERS: [Letter; 256] = {
    let none =
        Letter { koma: Koma::EMPTY, squares: 0, promotes: false, is_plus: false, is_stroke: false, is_none: true };
    let mut letters = [none; 256];
    letters[b'+' as usize] = Letter { is_plus: true, is_none: false, ..none };
    letters[b'/' as usize] = Letter { is_stroke: true, is_none: false, ..none };
    let mut squares = 1;
    while squares <= 9 {
        letters[(b'0' + squares) as usize] = Letter { squares, is_none: false, ..none };
        squares += 1;
    }
    let mut code = 1;
    while let Some(syurui) = Syurui::from_code(code)
        && !syurui.is_promoted()
    {
        let upper = syurui.letter() as u8;
        let promotes = syurui.promoted().is_some();
        let mut side = 0;
        while side < 2 {
            let letter = if side == 0 { upper } else { upper.to_ascii_lowercase() };
            let koma = Koma::new(syurui, Teban::ALL[side]);
            letters[letter as usize] =
                Letter { koma, squares: 1, promotes, is_plus: false, is_stroke: false, is_none: false };
            side += 1;
        }
        code += 1;
    }
    letters
};
