//! What format a record is in, by its content.

use super::kif::{self, words};
use super::{RecordError, RecordFormat};

/// What a line tells of the format.
enum Sign {
    Format(RecordFormat),
    /// The head of KIF, which KI2 shares.
    Head,
    Page,
    /// Blank, or a comment.
    Nothing,
    Other,
}

/// The format of a record, from its first 64 KiB or so. A text without anything but blank lines and comments counts as
/// lines, of which it has none with a game.
///
/// # Errors
/// [`RecordError::Html`] for a web page, [`RecordError::Unknown`] for what looks like no record.
pub fn recognise(start: &str) -> Result<RecordFormat, RecordError> {
    let (mut head, mut other) = (false, false);
    for line in start.trim_start_matches('\u{feff}').split(['\n', '\r']) {
        match sign(line) {
            // Markup, and braces as of JSON, may stand in the comments of others.
            Sign::Page if head || other => other = true,
            Sign::Format(RecordFormat::Jkf) if head || other => other = true,
            Sign::Page => return Err(RecordError::Html),
            Sign::Format(format) => return Ok(format),
            Sign::Head => head = true,
            Sign::Nothing => {}
            Sign::Other => other = true,
        }
    }
    // A head without moves, such as that of a problem.
    if head {
        Ok(RecordFormat::Kif)
    } else if other {
        Err(RecordError::Unknown)
    } else {
        Ok(RecordFormat::Lines)
    }
}

fn sign(line: &str) -> Sign {
    let text = line.trim();
    let Some(first) = text.chars().next() else { return Sign::Nothing };
    if text.matches('\t').count() >= 7 {
        return Sign::Format(RecordFormat::Lines);
    }
    match first {
        '<' => Sign::Page,
        '{' => Sign::Format(RecordFormat::Jkf),
        '#' if text.starts_with("#KIF") => Sign::Format(RecordFormat::Kif),
        '#' if text.starts_with("#KI2") => Sign::Format(RecordFormat::Ki2),
        '\'' if text.starts_with("'CSA encoding") => Sign::Format(RecordFormat::Csa),
        '#' | '*' | '&' | '\'' => Sign::Nothing,
        '|' | '｜' => Sign::Head,
        _ if words::mark(first).is_some() => Sign::Format(RecordFormat::Ki2),
        _ if kif::is_te_line(text) || text.starts_with("手数--") => Sign::Format(RecordFormat::Kif),
        _ if is_csa(text) => Sign::Format(RecordFormat::Csa),
        _ if matches!(text.split_ascii_whitespace().next(), Some("startpos" | "sfen" | "position")) => {
            Sign::Format(RecordFormat::Lines)
        }
        _ if is_head(text) => Sign::Head,
        _ => Sign::Other,
    }
}

/// The first statement of the line is one of CSA's.
fn is_csa(text: &str) -> bool {
    let statement = text.split(',').next().unwrap_or(text).trim_end().as_bytes();
    match *statement {
        [b'+' | b'-'] => true,
        [b'+' | b'-', a, b, c, d, e, f] => {
            [a, b, c, d].iter().all(u8::is_ascii_digit) && [e, f].iter().all(u8::is_ascii_uppercase)
        }
        [b'%', c, ..] => c.is_ascii_uppercase() || matches!(c, b'+' | b'-'),
        [b'V', b'1'..=b'9'] | [b'V', b'1'..=b'9', b'.', ..] => true,
        [b'N', b'+' | b'-', ..] | [b'P', b'I' | b'+' | b'-', ..] => true,
        [b'P', b'1'..=b'9', b' ' | b'+' | b'-', ..] => true,
        [b'$', ..] => text.contains(':'),
        _ => false,
    }
}

/// A key and its value, the frame of a board, whose turn it is, or the words behind the last move.
fn is_head(text: &str) -> bool {
    let short_key = |key: &str| !key.is_empty() && key.chars().count() <= 12;
    text.split_once('：').is_some_and(|(key, _)| short_key(key))
        || kif::is_key_line(text)
        || text.starts_with("+--")
        || words::side(text).is_some_and(|(_, rest)| rest.starts_with("番"))
        || text.starts_with("まで")
}

#[cfg(test)]
mod tests {
    use super::RecordFormat::*;
    use super::*;

    #[test]
    fn records_are_known_by_their_content() {
        let cases = [
            ("\u{feff}\n  \n'comment\nV2.2\n", Csa),
            ("'CSA encoding=UTF-8\n", Csa),
            ("V3.0", Csa),
            ("N+\n", Csa),
            ("PI82HI22KA", Csa),
            ("P1-KY * \n", Csa),
            ("$EVENT:x\r\n", Csa),
            ("'x\r\r+7776FU,T5", Csa),
            ("+,-3334FU", Csa),
            ("# comment\nposition startpos moves 7g7f", Lines),
            ("sfen 4k4/9/9/9/9/9/9/9/4K4 b - 1", Lines),
            ("-\teven\tsente\t-\t-\tresign\t1\t7g7f", Lines),
            ("", Lines),
            ("\n# nothing\n", Lines),
            ("#KIF version=2.0 encoding=UTF-8", Kif),
            ("# ---- Kifu for Windows ----\n*KEY：x\n手合割：平手\n", Kif),
            ("手数----指手---------消費時間--", Kif),
            ("   1 ７六歩(77)   ( 0:16/00:00:16)", Kif),
            ("1 76歩(77)", Kif),
            ("  61 封じ手", Kif),
            ("2. △３四歩(33)", Kif),
            ("3 同　銀(31)", Kif),
            ("+---------------------------+\n| ・ ・ ・|一", Kif),
            ("# ---- Kifu for Windows ----\n手合割：平手\n\n▲７六歩    △３四歩", Ki2),
            ("先手：A\n後手：B\n☗７六歩☖３四歩", Ki2),
            (" {\"header\":{}}", Jkf),
            ("*<b>\n手合割：平手\n<b>\n▲７六歩", Ki2),
        ];
        for (text, format) in cases {
            assert_eq!(recognise(text), Ok(format), "{text}");
        }
    }

    #[test]
    fn pages_and_other_texts_are_no_records() {
        for text in ["<!DOCTYPE html>\n", "\n<html><body>N+\n", "\u{feff}<?xml version=\"1.0\"?>"] {
            assert_eq!(recognise(text), Err(RecordError::Html), "{text}");
        }
        for text in ["Dear reader\n", "404: not found", "12 monkeys", "[Event \"x\"]", "-7776", "12:30 2024"] {
            assert_eq!(recognise(text), Err(RecordError::Unknown), "{text}");
        }
    }
}
