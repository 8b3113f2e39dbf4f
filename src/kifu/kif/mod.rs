//! Records in Kakinoki's format, KIF: a head, then a numbered line a move, each with the square that it comes from.
//!
//! ```text
//! head       key：value      手合割 (the handicap), 先手 後手 下手 上手 (the players), 開始日時 ..., in any order
//!            |v香v桂 ・ ...|一   nine ranks, from a: a diagram instead of a handicap; 先手の持駒：..., 後手番, 手数＝24 with it
//!            手数----指手...     perhaps, above the moves
//! move       number, square or 同, piece, 成 不成 生 or nothing, (square that it comes from) or 打, (time/time of all)
//! ending     number, a word such as 投了
//! variation  変化：12手        then moves from number 12 on
//! last line  まで98手で後手の勝ち
//! remark     *text
//! ```
//!
//! A line with # or & before it is for programs, and passed over.
//!
//! Read is what Kakinoki's programs, Shogidokoro, ShogiGUI, servers and converters write: digits of any width, blanks
//! of any kind or none, 王 and 玉, 竜 and 龍, 杏 圭 全 and 成香 成桂 成銀, (00) for a drop, times of all shapes or none,
//! variations, several games one after another. A line between the moves that is no move cuts the game, as does a
//! number that does not follow: such a line is never passed over, for the moves behind it would be others.

mod body;
mod head;
mod reader;
pub(super) mod words;

use std::time::Duration;

pub(super) use body::Body;
#[cfg(feature = "workshop")]
pub(super) use head::Head;
pub(super) use head::is_key_line;
pub(super) use reader::{Games, Notation};
use words::{skip_blanks, take};

use super::Reading;
use crate::kyokumen::{Masu, Syurui, Te};

/// The games of a text.
pub(super) fn games(text: &str, first_line: u64) -> impl Iterator<Item = Reading> + '_ {
    Games::<Kif>::new(text, first_line)
}

enum Kif {}

impl Notation for Kif {
    fn has_moves(line: &str) -> bool {
        line.starts_with(|character: char| character.is_ascii_digit()) || words::ending(words::word(line)).is_some()
    }

    fn read(body: &mut Body, line: &str) {
        let (number, text) = split_number(line);
        if body.is_closed() {
            return body.pass(words::word(text));
        }
        if body.is_ended() && words::ending(words::word(text)).is_some() {
            return;
        }
        if !number.is_empty() && !number.parse().is_ok_and(|number| body.may_number(number)) {
            return body.unreadable(line);
        }
        let Some((te, rest)) = read_te(body, text) else {
            if !body.end(words::word(text)) {
                body.unreadable(line);
            }
            return;
        };
        if body.push(te, line)
            && let Some(time) = read_time(rest)
        {
            body.time(time);
        }
    }
}

/// The number before a move, and what stands behind it.
fn split_number(line: &str) -> (&str, &str) {
    let (number, rest) = line.split_at(line.bytes().take_while(u8::is_ascii_digit).count());
    (number, rest.trim_start_matches(|character| words::is_blank(character) || character == '.'))
}

/// Whether a line has a number and then a move with its square, 同, or a word that ends the game.
pub(super) fn is_te_line(line: &str) -> bool {
    let (number, text) = split_number(line);
    let text = skip_mark(text);
    let has_square = words::masu(text).is_some_and(|(_, rest)| words::syurui(rest).is_some());
    !number.is_empty() && (has_square || text.starts_with('同') || words::ending(words::word(text)).is_some())
}

/// The text behind the mark of a side.
pub(super) fn skip_mark(text: &str) -> &str {
    take(text).filter(|&(first, _)| words::mark(first).is_some()).map_or(text, |(_, rest)| skip_blanks(rest))
}

/// A move such as ７六歩(77), ２二角成(88) or ５五角打, with what stands behind it; `None` also for one whose piece is
/// another than that on the board.
fn read_te<'a>(body: &Body, text: &'a str) -> Option<(Te, &'a str)> {
    let text = skip_mark(text);
    let (to, rest) = match text.strip_prefix('同') {
        Some(rest) => (body.last_to()?, skip_blanks(rest)),
        None => words::masu(text)?,
    };
    let (syurui, rest) = words::syurui(rest)?;
    let (promotes, rest) = if let Some(rest) = rest.strip_prefix('成') {
        (true, rest)
    } else {
        (false, rest.strip_prefix("不成").or_else(|| rest.strip_prefix('生')).unwrap_or(rest))
    };
    let (is_drop, rest) = rest.strip_prefix('打').map_or((false, rest), |rest| (true, rest));
    let origin = read_origin(skip_blanks(rest));
    match origin {
        Some((None, rest)) => drop(syurui, to, promotes).map(|te| (te, rest)),
        None if is_drop => drop(syurui, to, promotes).map(|te| (te, rest)),
        Some((Some(from), rest)) if !is_drop => {
            let koma = body.kyokumen().koma(from);
            let is_other = koma.belongs_to(body.kyokumen().teban()) && koma.syurui() != Some(syurui);
            (!is_other && from != to).then(|| (Te::board(from, to, promotes), rest))
        }
        _ => None,
    }
}

fn drop(syurui: Syurui, to: Masu, promotes: bool) -> Option<Te> {
    (!promotes && Syurui::HAND.contains(&syurui)).then(|| Te::drop(syurui, to))
}

/// The square in brackets behind a move; `None` in it for (00), which stands for a drop.
fn read_origin(text: &str) -> Option<(Option<Masu>, &str)> {
    let inside = text.strip_prefix(['(', '（'])?;
    if let Some(rest) = inside.strip_prefix("00").or_else(|| inside.strip_prefix("００")) {
        return Some((None, rest.strip_prefix([')', '）'])?));
    }
    let (masu, rest) = words::masu(inside)?;
    Some((Some(masu), rest.strip_prefix([')', '）'])?))
}

/// The time that the move took: the first in brackets, such as ( 0:05/00:00:05), (00:05 / 00:00:05) or (0:05).
fn read_time(text: &str) -> Option<Duration> {
    let mut text = skip_blanks(skip_blanks(text).strip_prefix(['(', '（'])?);
    let (mut seconds, mut parts) = (0u64, 0);
    loop {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        // A number of ten digits is no time.
        let number: u64 = text.get(..digits).filter(|_| digits < 10)?.parse().ok()?;
        (seconds, parts) = (seconds.checked_mul(60)?.checked_add(number)?, parts + 1);
        text = skip_blanks(&text[digits..]);
        match take(text)? {
            (':' | '：', rest) if parts < 3 => text = skip_blanks(rest),
            ('/' | ')' | '）' | '／' | '.', _) => return (parts > 1).then(|| Duration::from_secs(seconds)),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_in_all_shapes() {
        for text in [
            "( 0:05/00:00:05)",
            "(00:05 / 00:01:05)+",
            "  (0:05)",
            "( 0:5/)",
            "(0:5/0:0:5)",
            "(0:00:05/1:0)",
            "（0：05）",
        ] {
            assert_eq!(read_time(text), Some(Duration::from_secs(5)), "{text}");
        }
        assert_eq!(read_time("(10:11/"), Some(Duration::from_secs(611)));
        for text in ["", "+", "(5)", "( 0:0x/00:00:05)", "(:/:)", "(1:2:3:4)", "(99999999999:00/)", "(0:05"] {
            assert_eq!(read_time(text), None, "{text}");
        }
    }
}
