//! Moves.

use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;

use thiserror::Error;

use super::{Koma, Masu, Syurui, Teban};

/// A move, in 16 bits with the layout of `.ybb` books: to in bits 0-6; from in bits 7-13, or the kind of the dropped
/// piece; bit 14 marks a drop, bit 15 a promotion.
///
/// A value is well-formed (its squares exist, a drop names a kind that can be in hand and does not promote) but need
/// not be legal anywhere; see [`Kyokumen::is_legal`](super::Kyokumen::is_legal). `Option<Te>` is as small as `Te`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Te(NonZeroU16);

const DROP: u16 = 1 << 14;
const PROMOTE: u16 = 1 << 15;

impl Te {
    /// A move on the board.
    ///
    /// # Panics
    /// If the squares don't differ.
    #[inline(always)]
    pub const fn board(from: Masu, to: Masu, promotes: bool) -> Te {
        assert!(from.index() != to.index(), "a move goes somewhere");
        let bits = to.index() as u16 | (from.index() as u16) << 7 | if promotes { PROMOTE } else { 0 };
        Te(NonZeroU16::new(bits).expect("only 1a to 1a has no bit set"))
    }

    /// A drop.
    ///
    /// # Panics
    /// If the kind can't be in hand: a king, or a promoted one.
    #[inline(always)]
    pub const fn drop(syurui: Syurui, to: Masu) -> Te {
        assert!(syurui.code() <= 7, "only what can be in hand is dropped");
        let bits = to.index() as u16 | (syurui.code() as u16) << 7 | DROP;
        Te(NonZeroU16::new(bits).expect("the drop bit is set"))
    }

    /// Reads the 16 bits; `None` where they are not well-formed.
    pub const fn from_bits(bits: u16) -> Option<Te> {
        let (to, from) = (bits & 127, bits >> 7 & 127);
        let ok = if bits & DROP != 0 {
            bits & PROMOTE == 0 && from >= 1 && from <= 7
        } else {
            from < Masu::COUNT as u16 && from != to
        };
        match NonZeroU16::new(bits) {
            Some(bits) if ok && to < Masu::COUNT as u16 => Some(Te(bits)),
            _ => None,
        }
    }

    /// The 16 bits.
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Where the piece goes.
    #[inline(always)]
    pub const fn to(self) -> Masu {
        match Masu::from_index(self.bits() as usize & 127) {
            Some(masu) => masu,
            None => unreachable!(),
        }
    }

    /// Where the piece comes from; `None` for a drop.
    #[inline(always)]
    pub const fn from(self) -> Option<Masu> {
        if self.is_drop() { None } else { Masu::from_index(self.bits() as usize >> 7 & 127) }
    }

    /// The kind that is dropped; `None` for a move on the board.
    #[inline(always)]
    pub const fn dropped(self) -> Option<Syurui> {
        if self.is_drop() { Syurui::from_code((self.bits() >> 7 & 127) as u8) } else { None }
    }

    /// The piece that a side drops by this move, which must be a drop.
    #[inline(always)]
    pub(super) const fn dropped_by(self, teban: Teban) -> Koma {
        Koma::from_index(self.bits() as usize >> 7 & 7 | 16 << teban.index())
    }

    /// Whether a piece from the hand is dropped.
    #[inline(always)]
    pub const fn is_drop(self) -> bool {
        self.bits() & DROP != 0
    }

    /// Whether the piece promotes.
    #[inline(always)]
    pub const fn promotes(self) -> bool {
        self.bits() & PROMOTE != 0
    }

    /// Reads a move in USI; the same as parsing, for text that need not be UTF-8.
    pub fn from_usi(text: &[u8]) -> Option<Te> {
        match *text {
            [letter, b'*', suji, dan] => {
                let syurui = Syurui::from_letter(letter.into()).filter(|&syurui| syurui != Syurui::Ou);
                syurui.zip(Masu::from_usi([suji, dan])).map(|(syurui, to)| Te::drop(syurui, to))
            }
            [from_suji, from_dan, to_suji, to_dan, ref rest @ ..] if matches!(rest, [] | [b'+']) => {
                let squares = Masu::from_usi([from_suji, from_dan]).zip(Masu::from_usi([to_suji, to_dan]));
                squares.filter(|(from, to)| from != to).map(|(from, to)| Te::board(from, to, !rest.is_empty()))
            }
            _ => None,
        }
    }

    /// Appends the move in USI; the same as writing it out.
    pub fn push_usi(self, text: &mut Vec<u8>) {
        match (self.from(), self.dropped()) {
            (Some(from), _) => text.extend_from_slice(&from.usi()),
            (None, Some(syurui)) => text.extend_from_slice(&[syurui.letter() as u8, b'*']),
            (None, None) => {}
        }
        text.extend_from_slice(&self.to().usi());
        if self.promotes() {
            text.push(b'+');
        }
    }

    /// The same move on a board turned by 180 degrees.
    pub const fn rotated(self) -> Te {
        match self.from() {
            Some(from) => Te::board(from.rotated(), self.to().rotated(), self.promotes()),
            None => self.with_to(self.to().rotated()),
        }
    }

    const fn with_to(self, to: Masu) -> Te {
        match NonZeroU16::new(self.bits() & !127 | to.index() as u16) {
            Some(bits) => Te(bits),
            None => self,
        }
    }
}

/// Text that is no move in USI.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{text:?} is no move in USI (such as 7g7f, 8h2b+ or P*5e)")]
pub struct TeError {
    text: String,
}

/// Reads a move in USI.
impl FromStr for Te {
    type Err = TeError;

    fn from_str(text: &str) -> Result<Te, TeError> {
        Te::from_usi(text.as_bytes()).ok_or_else(|| TeError { text: text.chars().take(20).collect() })
    }
}

/// Writes the move in USI.
impl fmt::Display for Te {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.from(), self.dropped()) {
            (Some(from), _) => write!(f, "{from}{}{}", self.to(), if self.promotes() { "+" } else { "" }),
            (_, Some(syurui)) => write!(f, "{}*{}", syurui.letter(), self.to()),
            (None, None) => Err(fmt::Error),
        }
    }
}

impl fmt::Debug for Te {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Te({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_encodings_read_back_as_they_are_written() {
        let mut well_formed = 0;
        for bits in 0..=u16::MAX {
            if let Some(te) = Te::from_bits(bits) {
                well_formed += 1;
                assert_eq!(te.bits(), bits);
                assert_eq!(te.to_string().parse(), Ok(te));
                let mut text = Vec::new();
                te.push_usi(&mut text);
                assert_eq!(text, te.to_string().into_bytes());
                assert_eq!(te.rotated().rotated(), te);
            }
        }
        assert_eq!(well_formed, 81 * 80 * 2 + 7 * 81);
    }

    #[test]
    fn what_is_no_move_is_refused_with_the_text() {
        let short = ["", "7g", "7g7", "P*5", "日本"];
        let wrong = ["7g7g", "7g7f*", "7g7f++", "K*5e", "p*5e", "P*0e", "0a1b", "1a1j"];
        for text in short.into_iter().chain(wrong) {
            assert!(text.parse::<Te>().unwrap_err().to_string().contains(text));
        }
    }

    #[test]
    fn an_optional_move_takes_no_more_room() {
        assert_eq!(size_of::<Option<Te>>(), 2);
    }

    #[test]
    fn rotation_keeps_the_piece() {
        assert_eq!("2g2f".parse::<Te>().unwrap().rotated().to_string(), "8c8d");
        assert_eq!("8h2b+".parse::<Te>().unwrap().rotated().to_string(), "2b8h+");
        assert_eq!("P*1a".parse::<Te>().unwrap().rotated().to_string(), "P*9i");
    }
}
