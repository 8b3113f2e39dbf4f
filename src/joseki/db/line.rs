//! One line of a `.db`.

use std::borrow::Cow;

use crate::joseki::JosekiTe;
use crate::kyokumen::{Kyokumen, Te, Tesu};
use crate::text;

/// What a line says.
pub(super) enum Line<'a> {
    Blank,
    /// A comment; see [`comment`].
    Comment(&'a [u8]),
    /// A position; see [`position`].
    Position,
    Move(JosekiTe),
    /// A move `none` or `resign`, which some writers put where there is none.
    NoMove,
    Junk,
}

impl<'a> Line<'a> {
    #[inline]
    pub(super) fn read(line: &'a [u8]) -> Line<'a> {
        let mut rest = line;
        let Some(first) = word(&mut rest) else { return Line::Blank };
        if let Some(te) = Te::from_usi(first) {
            return Line::Move(read_figures(te, rest));
        }
        match first {
            b"sfen" => Line::Position,
            _ if is_comment(first) => Line::Comment(line),
            _ if is_none(first) => Line::NoMove,
            _ => Line::Junk,
        }
    }
}

/// The text of a position's line behind `sfen`; `None` for every other line.
#[inline]
pub(super) fn position(line: &[u8]) -> Option<&[u8]> {
    match line {
        [b's', b'f', b'e', b'n', b' ', rest @ ..] => Some(rest),
        [b's' | b' ' | b'\t'..=b'\r', ..] => {
            let mut rest = line;
            (word(&mut rest)? == b"sfen").then_some(rest)
        }
        _ => None,
    }
}

#[inline]
fn read_figures(te: Te, mut rest: &[u8]) -> JosekiTe {
    let mut te = JosekiTe::new(te);
    for column in 0.. {
        let before = rest;
        let Some(word) = word(&mut rest) else { break };
        if column == 4 || is_comment(word) {
            te.comment = Some(comment(before).into_owned());
            break;
        }
        match column {
            0 => te.ponder = Te::from_usi(word),
            1 => te.value = signed(word),
            2 => te.depth = unsigned(word).and_then(|depth| depth.try_into().ok()),
            _ => te.count = unsigned(word),
        }
    }
    te
}

/// The next word, which leaves `rest` behind it.
#[inline]
fn word<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let begin = rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let text = &rest[begin..];
    let length = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
    let (word, behind) = text.split_at(length);
    *rest = behind;
    Some(word)
}

fn unsigned(word: &[u8]) -> Option<u64> {
    let digits = word.strip_prefix(b"+").unwrap_or(word);
    let mut number = (!digits.is_empty()).then_some(0u64)?;
    for byte in digits {
        let digit = byte.wrapping_sub(b'0');
        number = number.checked_mul(10)?.checked_add(u64::from(digit))?;
        if digit > 9 {
            return None;
        }
    }
    Some(number)
}

fn signed(word: &[u8]) -> Option<i32> {
    let number = match word {
        [b'-', b'+', ..] => return None,
        [b'-', digits @ ..] => -i64::try_from(unsigned(digits)?).ok()?,
        _ => i64::try_from(unsigned(word)?).ok()?,
    };
    number.try_into().ok()
}

fn is_comment(word: &[u8]) -> bool {
    word.starts_with(b"#") || word.starts_with(b"//")
}

fn is_none(word: &[u8]) -> bool {
    [&b"none"[..], b"resign", b"win"].iter().any(|none| word.eq_ignore_ascii_case(none))
}

/// The text of a comment, in UTF-8 or CP932, without its `#` or `//` and without one blank behind that.
pub(super) fn comment(line: &[u8]) -> Cow<'_, str> {
    let text = line.trim_ascii_start();
    let text = text.strip_prefix(b"//").or(text.strip_prefix(b"#")).unwrap_or(text);
    text::decode(text.strip_prefix(b" ").unwrap_or(text))
}

/// The ply behind board, turn and hands; 0 stands for none.
pub(super) fn tesu(sfen: &[u8]) -> Option<Tesu> {
    let ply = sfen.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).nth(3)?;
    unsigned(ply)?.try_into().ok().filter(|&tesu| tesu > 0)
}

/// Board, turn and hands as [`Kyokumen::to_sfen_without_ply`] writes them; `None` where they are no position.
///
/// Text that is written that way already, which is nearly all there is, is not parsed further.
pub(super) fn normalised(sfen: &[u8]) -> Option<Cow<'_, [u8]>> {
    let mut rest = sfen;
    let (board, turn, hands) = (word(&mut rest)?, word(&mut rest)?, word(&mut rest)?);
    let length = board.len() + turn.len() + hands.len() + 2;
    let text = sfen.trim_ascii_start();
    let as_usual = text.get(..length).filter(|text| {
        text[board.len()] == b' ' && text[board.len() + 1 + turn.len()] == b' ' && text.ends_with(hands)
    });
    if let Some(text) = as_usual
        && is_normal_board(board)
        && matches!(turn, b"b" | b"w")
        && is_normal_hands(hands)
    {
        return Some(Cow::Borrowed(text));
    }
    let text = [board, turn, hands].join(&b' ');
    let kyokumen = Kyokumen::from_sfen(std::str::from_utf8(&text).ok()?).ok()?;
    Some(Cow::Owned(kyokumen.to_sfen_without_ply().into_bytes()))
}

/// Whether it is nine ranks of nine squares, empty ones in a row counted in one number.
fn is_normal_board(board: &[u8]) -> bool {
    let (mut ranks, mut squares, mut last) = (1, 0, b'/');
    for &byte in board {
        match byte {
            b'1'..=b'9' if !last.is_ascii_digit() && last != b'+' => squares += byte - b'0',
            b'+' if last != b'+' => {}
            b'/' if squares == 9 && last != b'+' => (ranks, squares) = (ranks + 1, 0),
            b'P' | b'L' | b'N' | b'S' | b'G' | b'B' | b'R' | b'K' => squares += 1,
            b'p' | b'l' | b'n' | b's' | b'g' | b'b' | b'r' | b'k' => squares += 1,
            _ => return false,
        }
        if squares > 9 {
            return false;
        }
        last = byte;
    }
    ranks == 9 && squares == 9 && last != b'+'
}

/// Whether each kind stands once, in the usual order, a count only before more than one.
fn is_normal_hands(hands: &[u8]) -> bool {
    if hands == b"-" {
        return true;
    }
    let mut order = b"RBGSNLPrbgsnlp".iter();
    let mut count = None;
    for &byte in hands {
        if byte.is_ascii_digit() {
            count = Some(count.unwrap_or(0) * 10 + u32::from(byte - b'0'));
            if matches!(count, Some(0 | 100..)) {
                return false;
            }
            continue;
        }
        if count == Some(1) || !order.any(|&letter| letter == byte) {
            return false;
        }
        count = None;
    }
    !hands.is_empty() && count.is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn te(line: &str) -> JosekiTe {
        match Line::read(line.as_bytes()) {
            Line::Move(te) => te,
            _ => panic!("{line} is no move"),
        }
    }

    #[test]
    fn columns_may_be_missing_or_words() {
        let full = te("7g7f 3c3d -32 23 935");
        assert_eq!((full.value, full.depth, full.count), (Some(-32), Some(23), Some(935)));
        assert_eq!(full.ponder, "3c3d".parse().ok());
        for line in ["7g7f", "7g7f none", "7g7f None", "7g7f none none none none", "7g7f\tresign"] {
            assert_eq!(te(line), JosekiTe::new("7g7f".parse().unwrap()), "{line}");
        }
        assert_eq!(te("7g7f none none none 8").count, Some(8));
        // Numbers that fit nowhere are no figures.
        assert_eq!(te("7g7f none 99999999999 -1 -5"), JosekiTe::new("7g7f".parse().unwrap()));
    }

    #[test]
    fn numbers_are_read_as_the_language_reads_them() {
        for text in [
            "0",
            "7",
            "-7",
            "+7",
            "007",
            "-0",
            "+",
            "-",
            "--1",
            "+-1",
            "-+1",
            "++1",
            "1x",
            "x",
            "1.5",
            ":",
            "/",
            "2147483647",
            "2147483648",
            "-2147483648",
            "-2147483649",
            "18446744073709551615",
            "18446744073709551616",
            "184467440737095516150",
            "99999999999999999999999",
        ] {
            assert_eq!(unsigned(text.as_bytes()), text.parse::<u64>().ok(), "{text}");
            assert_eq!(signed(text.as_bytes()), text.parse::<i32>().ok(), "{text}");
        }
    }

    #[test]
    fn runs_of_blanks_separate_like_one() {
        assert_eq!(te("  7i6h   none \t 8 "), te("7i6h none 8"));
    }

    #[test]
    fn text_behind_the_figures_is_a_comment() {
        assert_eq!(te("7g7f none 20 25 6 #single line").comment.as_deref(), Some("single line"));
        assert_eq!(te("7g7f none 20 25 6 // a  b").comment.as_deref(), Some("a  b"));
        assert_eq!(te("7g7f none 20 25 6 seven").comment.as_deref(), Some("seven"));
        assert_eq!(te("7g7f # early").comment.as_deref(), Some("early"));
        assert_eq!(te("7g7f # early").count, None);
    }

    #[test]
    fn positions_are_the_same_however_they_are_written() {
        let normal = |sfen: &[u8]| normalised(sfen).map(|text| String::from_utf8(text.into_owned()).unwrap());
        let want = Some("4k4/9/9/9/9/9/9/9/4K4 b 2RB10P2p".to_owned());
        for sfen in [
            "4k4/9/9/9/9/9/9/9/4K4 b 2RB10P2p 7",
            "4k4/9/9/9/9/9/9/9/4K4 b 2RB10P2p",
            " 4k4/9/9/9/9/9/9/9/4K4  b\t2RB10P2p 0",
            "4k4/9/9/9/9/9/9/9/4K4 b  2RB10P2p 7",
            "4k4/9/9/9/9/9/9/9/4K4  b 2RB10P2p",
            "4k4/9/9/9/9/9/9/9/4K4 b 2pB10PRR 7",
            "22k13/9/9/9/9/9/9/9/4K4 b 2R1B10Ppp 7",
        ] {
            assert_eq!(normal(sfen.as_bytes()), want, "{sfen}");
        }
        assert_eq!(normal(b"4k4/9/9/9/9/9/9/9/4K4 b"), None);
        assert_eq!(normal(b"4k4/9/9/9/9/9/9/9/4K4 b Q 7"), None);
        assert_eq!(normal(b""), None);
        for board in ["9/9", "4k4/9/9/9/9/9/9/9/4K5", "4k4/9/9/9/9/9/9/9/4K3+", "4k4/9/9/9/9/9/9/9/9/4K4", "++p8"] {
            assert_eq!(normal(format!("{board} b - 1").as_bytes()), None, "{board}");
        }
    }

    #[test]
    fn only_hands_written_the_usual_way_are_taken_as_they_are() {
        for hands in ["-", "P", "2RB10P2p", "18p", "RBGSNLPrbgsnlp"] {
            assert!(is_normal_hands(hands.as_bytes()), "{hands}");
        }
        for hands in ["", "BR", "PP", "1P", "0P", "2", "P2", "02P", "pP", "999P", "--"] {
            assert!(!is_normal_hands(hands.as_bytes()), "{hands}");
        }
    }
}
