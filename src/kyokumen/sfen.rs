//! Positions as SFEN: `board turn hands [ply]`.
//!
//! Accepted beyond what is written: hands in any order, letters repeated (`ppp` or `2p1p`), counts of two digits, a
//! missing ply or ply 0 (both read as 1). Refused, with the offending text: what can't be a shogi position at all (a
//! board that is not 9 x 9, more pieces than a set holds, two kings of one side, two pawns on a file, a dead piece).

use std::fmt::Write;
use std::str::FromStr;

use thiserror::Error;

use super::{ByTeban, Dan, Koma, Kyokumen, Masu, Motigoma, Suji, Syurui, Teban, Tesu};

/// The board of an even game in a SFEN, without turn, hands and ply.
pub const HIRATE_BOARD: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";

/// What is wrong with a SFEN.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SfenError {
    /// A field is missing.
    #[error("SFEN lacks its {0}; it reads: board turn hands [ply], separated by blanks")]
    Missing(&'static str),
    /// More than four fields.
    #[error("SFEN goes on after its ply with {0:?}")]
    TooLong(String),
    /// A character that can't stand in the board.
    #[error("SFEN board: {0:?} is no piece, number or '/'")]
    BoardCharacter(char),
    /// A `+` before something that can't promote.
    #[error("SFEN board: {0:?} can't be promoted")]
    Promotion(String),
    /// A rank with more or fewer than nine squares.
    #[error("SFEN board: rank {0} has not nine squares")]
    Rank(u8),
    /// More or fewer than nine ranks.
    #[error("SFEN board has not nine ranks")]
    Ranks,
    /// The turn is neither `b` nor `w`.
    #[error("SFEN turn: {0:?} is neither b nor w")]
    Turn(String),
    /// The hands can't be read.
    #[error("SFEN hands: {0:?} can't be read")]
    Hands(String),
    /// The ply is no number.
    #[error("SFEN ply: {0:?} is no number from 0 to 1000000")]
    Ply(String),
    /// More pieces of a kind than a set holds.
    #[error("SFEN has {count} pieces {letter:?}, a set has {set}")]
    TooMany {
        /// Letter of the kind.
        letter: char,
        /// How many there are.
        count: u32,
        /// How many there may be.
        set: u8,
    },
    /// A side with two kings.
    #[error("SFEN has two kings {0:?}")]
    Kings(char),
    /// Two unpromoted pawns of a side on one file.
    #[error("SFEN has two pawns of one side on file {0}")]
    Nifu(u8),
    /// A piece that could never move.
    #[error("SFEN has a piece on {0} that could never move")]
    DeadPiece(Masu),
}

/// The highest ply that a SFEN may state.
pub const MAX_PLY: Tesu = 1_000_000;

impl Kyokumen {
    /// Reads a SFEN, without the word `sfen`; see the [module](self) for what is accepted.
    ///
    /// # Errors
    /// [`SfenError`] names what can't be read or can't be a shogi position.
    pub fn from_sfen(text: &str) -> Result<Kyokumen, SfenError> {
        let mut fields = text.split_ascii_whitespace();
        let board = fields.next().ok_or(SfenError::Missing("board"))?;
        let turn = fields.next();
        let mut kyokumen = Kyokumen::empty();
        read_board(board, &mut kyokumen)?;
        let teban = match turn.ok_or(SfenError::Missing("turn"))? {
            "b" => Teban::Sente,
            "w" => Teban::Gote,
            other => return Err(SfenError::Turn(excerpt(other))),
        };
        kyokumen.motigoma = read_hands(fields.next().ok_or(SfenError::Missing("hands"))?)?;
        let tesu = match fields.next() {
            None => 1,
            Some(ply) => match ply.parse::<Tesu>() {
                Ok(number) if number <= MAX_PLY => number.max(1),
                _ => return Err(SfenError::Ply(excerpt(ply))),
            },
        };
        if let Some(rest) = fields.next() {
            return Err(SfenError::TooLong(excerpt(rest)));
        }
        check_pieces(&kyokumen)?;
        kyokumen.finish(teban, tesu);
        Ok(kyokumen)
    }

    /// Writes the SFEN, hands in the order R B G S N L P.
    pub fn to_sfen(&self) -> String {
        format!("{} {}", self.to_sfen_without_ply(), self.tesu)
    }

    /// Writes board, turn and hands: what makes two positions the same.
    pub fn to_sfen_without_ply(&self) -> String {
        let mut text = String::with_capacity(96);
        for dan in Dan::all() {
            if dan.number() > 1 {
                text.push('/');
            }
            let mut empty = 0;
            for suji in Suji::all().rev() {
                let koma = self.koma(Masu::new(suji, dan));
                if koma.is_empty() {
                    empty += 1;
                    continue;
                }
                push_count(&mut text, empty, 0);
                empty = 0;
                let _ = write!(text, "{koma}");
            }
            push_count(&mut text, empty, 0);
        }
        let _ = write!(text, " {} ", self.teban);
        let before_hands = text.len();
        for teban in Teban::ALL {
            for syurui in HAND_ORDER {
                let count = self.motigoma(teban).count(syurui);
                if count > 0 {
                    push_count(&mut text, count, 1);
                    let _ = write!(text, "{}", Koma::new(syurui, teban));
                }
            }
        }
        if text.len() == before_hands {
            text.push('-');
        }
        text
    }
}

/// The order of the kinds in the hands of a SFEN.
pub(super) const HAND_ORDER: [Syurui; 7] = {
    use Syurui::*;
    [Hi, Ka, Ki, Gi, Ke, Ky, Fu]
};

fn push_count(text: &mut String, count: u8, silent_up_to: u8) {
    if count > silent_up_to {
        let _ = write!(text, "{count}");
    }
}

impl FromStr for Kyokumen {
    type Err = SfenError;

    fn from_str(text: &str) -> Result<Kyokumen, SfenError> {
        Kyokumen::from_sfen(text)
    }
}

/// The start of a text, short enough for an error message.
fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

fn read_koma(letter: char) -> Option<Koma> {
    let teban = if letter.is_ascii_uppercase() { Teban::Sente } else { Teban::Gote };
    Syurui::from_letter(letter.to_ascii_uppercase()).map(|syurui| Koma::new(syurui, teban))
}

fn read_board(text: &str, kyokumen: &mut Kyokumen) -> Result<(), SfenError> {
    let mut ranks = 0u8;
    for rank in text.split('/') {
        ranks += 1;
        let dan = Dan::new(ranks).ok_or(SfenError::Ranks)?;
        let mut suji = 9u8;
        let mut characters = rank.chars();
        while let Some(character) = characters.next() {
            if let Some(empty) = character.to_digit(10).filter(|&digit| digit > 0) {
                suji = suji.checked_sub(empty as u8).ok_or(SfenError::Rank(ranks))?;
                continue;
            }
            let koma = match character {
                '+' => {
                    let letter = characters.next().unwrap_or(' ');
                    let koma = read_koma(letter).ok_or(SfenError::BoardCharacter(letter))?;
                    if koma.promoted() == koma {
                        return Err(SfenError::Promotion(letter.to_string()));
                    }
                    koma.promoted()
                }
                letter => read_koma(letter).ok_or(SfenError::BoardCharacter(letter))?,
            };
            let masu = Masu::new(Suji::new(suji).ok_or(SfenError::Rank(ranks))?, dan);
            if koma.syurui() == Some(Syurui::Ou) && koma.teban().is_some_and(|teban| kyokumen.ou(teban).is_some()) {
                return Err(SfenError::Kings(character));
            }
            kyokumen.put(masu, koma);
            suji -= 1;
        }
        if suji != 0 {
            return Err(SfenError::Rank(ranks));
        }
    }
    if ranks == 9 { Ok(()) } else { Err(SfenError::Ranks) }
}

fn read_hands(text: &str) -> Result<ByTeban<Motigoma>, SfenError> {
    let mut hands = ByTeban::<Motigoma>::default();
    if text == "-" {
        return Ok(hands);
    }
    let error = || SfenError::Hands(excerpt(text));
    let mut number: Option<u32> = None;
    for character in text.chars() {
        if let Some(digit) = character.to_digit(10) {
            number = Some(number.unwrap_or(0) * 10 + digit);
            if number > Some(99) {
                return Err(error());
            }
            continue;
        }
        let koma = read_koma(character).ok_or_else(error)?;
        let (Some(syurui), Some(teban)) = (koma.syurui(), koma.teban()) else { return Err(error()) };
        let total = u32::from(hands[teban].count(syurui)) + number.unwrap_or(1);
        if syurui == Syurui::Ou || number == Some(0) {
            return Err(error());
        }
        if total > u32::from(syurui.in_set()) {
            return Err(SfenError::TooMany { letter: syurui.letter(), count: total, set: syurui.in_set() });
        }
        hands[teban].set(syurui, total as u8);
        number = None;
    }
    if number.is_some() { Err(error()) } else { Ok(hands) }
}

pub(super) fn check_pieces(kyokumen: &Kyokumen) -> Result<(), SfenError> {
    let mut counts = [0u32; 16];
    let mut pawns = ByTeban([[false; 10]; 2]);
    for masu in Masu::all() {
        let koma = kyokumen.koma(masu);
        let (Some(syurui), Some(teban)) = (koma.syurui(), koma.teban()) else { continue };
        counts[syurui.unpromoted().index()] += 1;
        if masu.dan().seen_by(teban).number() < syurui.first_live_dan() {
            return Err(SfenError::DeadPiece(masu));
        }
        if syurui == Syurui::Fu {
            let suji = masu.suji().number();
            if std::mem::replace(&mut pawns[teban][usize::from(suji)], true) {
                return Err(SfenError::Nifu(suji));
            }
        }
    }
    for syurui in Syurui::HAND {
        let hands: u8 = Teban::ALL.iter().map(|&teban| kyokumen.motigoma(teban).count(syurui)).sum();
        let count = counts[syurui.index()] + u32::from(hands);
        if count > u32::from(syurui.in_set()) {
            return Err(SfenError::TooMany { letter: syurui.letter(), count, set: syurui.in_set() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const HIRATE: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

    #[test]
    fn the_even_start_is_written_as_everybody_writes_it() {
        assert_eq!(Kyokumen::hirate().to_sfen(), HIRATE);
        assert_eq!(Kyokumen::from_sfen(HIRATE), Ok(Kyokumen::hirate()));
        assert!(HIRATE.starts_with(HIRATE_BOARD));
    }

    #[test]
    fn hands_are_read_in_any_order_and_counted_any_way() {
        let read = |hands: &str| Kyokumen::from_sfen(&format!("4k4/9/9/9/9/9/9/9/4K4 b {hands} 1")).unwrap();
        for same in ["2R10P2b", "10P2b2R", "RR9PPbb", "2bR5PR5P"] {
            assert_eq!(read(same).to_sfen(), "4k4/9/9/9/9/9/9/9/4K4 b 2R10P2b 1");
        }
        assert_eq!(read("18p").motigoma(Teban::Gote).count(Syurui::Fu), 18);
    }

    #[test]
    fn ply_may_be_missing_or_zero() {
        for text in ["4k4/9/9/9/9/9/9/9/4K4 w -", "4k4/9/9/9/9/9/9/9/4K4 w - 0", " 4k4/9/9/9/9/9/9/9/4K4  w   - "] {
            assert_eq!(Kyokumen::from_sfen(text).unwrap().to_sfen(), "4k4/9/9/9/9/9/9/9/4K4 w - 1");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |text: &str| Kyokumen::from_sfen(text).unwrap_err();
        let kings = |rest: &str| error(&format!("4k4/9/9/9/9/9/9/9/4K4 {rest}"));
        assert_eq!(error(""), SfenError::Missing("board"));
        assert_eq!(error("lnsgkgsnl/1r5b1/9/9/9/9/9/9/9"), SfenError::Missing("turn"));
        assert_eq!(kings("b"), SfenError::Missing("hands"));
        assert_eq!(kings("x - 1"), SfenError::Turn("x".into()));
        assert_eq!(kings("b Q 1"), SfenError::Hands("Q".into()));
        assert_eq!(kings("b 3 1"), SfenError::Hands("3".into()));
        assert_eq!(kings("b 0P 1"), SfenError::Hands("0P".into()));
        assert_eq!(kings("b K 1"), SfenError::Hands("K".into()));
        assert_eq!(kings("b 99P 1"), SfenError::TooMany { letter: 'P', count: 99, set: 18 });
        assert_eq!(kings("b 999999999999P 1"), SfenError::Hands("999999999999P".into()));
        assert_eq!(kings("b 10P9p 1"), SfenError::TooMany { letter: 'P', count: 19, set: 18 });
        assert_eq!(kings("b - -5"), SfenError::Ply("-5".into()));
        assert_eq!(kings("b - 99999999999999999999"), SfenError::Ply("99999999999999999999".into()));
        assert_eq!(kings("b - 1 moves"), SfenError::TooLong("moves".into()));
        assert_eq!(error("9/9/9 b - 1"), SfenError::Ranks);
        assert_eq!(error("9/9/9/9/9/9/9/9/9/9 b - 1"), SfenError::Ranks);
        assert_eq!(error("///////// b - 1"), SfenError::Rank(1));
        assert_eq!(error("ppppppppp1/9/9/9/9/9/9/9/9 b - 1"), SfenError::Rank(1));
        assert_eq!(error("pppppppppp/9/9/9/9/9/9/9/9 b - 1"), SfenError::Rank(1));
        assert_eq!(error("+4k4/9/9/9/9/9/9/9/9 b - 1"), SfenError::BoardCharacter('4'));
        assert_eq!(error("4k3+K/9/9/9/9/9/9/9/9 b - 1"), SfenError::Promotion("K".into()));
        assert_eq!(error("kk7/9/9/9/9/9/9/9/9 b - 1"), SfenError::Kings('k'));
        assert_eq!(error("4k4/4P4/4P4/9/9/9/9/9/9 b - 1"), SfenError::Nifu(5));
        assert_eq!(
            error("9/4N4/9/9/9/9/9/9/9 b - 1"),
            SfenError::DeadPiece("5b".as_bytes().try_into().ok().and_then(Masu::from_usi).unwrap())
        );
        assert_eq!(error("._b_BPsn3p_1"), SfenError::BoardCharacter('.'));
    }
}
