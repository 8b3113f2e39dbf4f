//! What KIF and KI2 records, and diagrams, are written with: numbers, squares, pieces, words for endings.
//!
//! Each reader takes a text, and returns what it found at its start and the rest.

use crate::kifu::Ending;
use crate::kyokumen::{Dan, Masu, Suji, Syurui, Teban};

/// Blanks, and what else is as good as nothing at the ends of a line.
pub(in crate::kifu) fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\u{3000}' | '\u{feff}' | '\u{a0}' | '\u{1a}')
}

/// The text without the blanks before it.
pub(in crate::kifu) fn skip_blanks(text: &str) -> &str {
    text.trim_start_matches(is_blank)
}

/// The first character.
pub(in crate::kifu) fn take(text: &str) -> Option<(char, &str)> {
    let mut characters = text.chars();
    Some((characters.next()?, characters.as_str()))
}

/// A digit of any kind: half or full width, or Chinese.
pub(in crate::kifu) const fn digit(character: char) -> Option<u8> {
    Some(match character {
        '0'..='9' => character as u8 - b'0',
        '０'..='９' => (character as u32 - '０' as u32) as u8,
        '〇' | '零' => 0,
        '一' => 1,
        '二' => 2,
        '三' => 3,
        '四' => 4,
        '五' => 5,
        '六' => 6,
        '七' => 7,
        '八' => 8,
        '九' => 9,
        _ => return None,
    })
}

/// A number in digits of any kind, such as 17, １７ or 十七; `None` where none stands, or one that is far too large.
pub(in crate::kifu) fn number(text: &str) -> Option<(usize, &str)> {
    let (mut whole, mut part, mut rest) = (0, None, text);
    while let Some((character, after)) = take(rest) {
        let power = match character {
            '十' => 10,
            '百' => 100,
            _ => {
                let Some(digit) = digit(character) else { break };
                part = Some(part.unwrap_or(0) * 10 + usize::from(digit));
                rest = after;
                if part > Some(99_999_999) {
                    return None;
                }
                continue;
            }
        };
        whole += part.take().unwrap_or(1) * power;
        rest = after;
        if whole > 99_999_999 {
            return None;
        }
    }
    (rest.len() < text.len()).then_some((whole + part.unwrap_or(0), rest))
}

/// A square, such as ７六, 7六 or 76.
pub(in crate::kifu) fn masu(text: &str) -> Option<(Masu, &str)> {
    let (suji, rest) = take(text)?;
    let (dan, rest) = take(rest)?;
    Some((Masu::new(Suji::new(digit(suji)?)?, Dan::new(digit(dan)?)?), rest))
}

/// A kind of piece, in one character, or in two such as 成銀.
pub(in crate::kifu) fn syurui(text: &str) -> Option<(Syurui, &str)> {
    let (character, rest) = take(text)?;
    let syurui = match character {
        '歩' => Syurui::Fu,
        '香' => Syurui::Ky,
        '桂' => Syurui::Ke,
        '銀' => Syurui::Gi,
        '角' => Syurui::Ka,
        '飛' => Syurui::Hi,
        '金' => Syurui::Ki,
        '玉' | '王' => Syurui::Ou,
        'と' | '个' => Syurui::To,
        '杏' | '仝' => Syurui::Ny,
        '圭' | '今' => Syurui::Nk,
        '全' => Syurui::Ng,
        '馬' => Syurui::Um,
        '龍' | '竜' => Syurui::Ry,
        '成' => {
            let (unpromoted, rest) = syurui(rest).filter(|_| !rest.starts_with('成'))?;
            return Some((unpromoted.promoted()?, rest));
        }
        _ => return None,
    };
    Some((syurui, rest))
}

/// A side, such as 先手 or 上手.
pub(in crate::kifu) fn side(text: &str) -> Option<(Teban, &str)> {
    for (name, teban) in [("先手", Teban::Sente), ("後手", Teban::Gote), ("下手", Teban::Sente), ("上手", Teban::Gote)]
    {
        if let Some(rest) = text.strip_prefix(name) {
            return Some((teban, rest));
        }
    }
    None
}

/// The mark of a side before a move.
pub(in crate::kifu) const fn mark(character: char) -> Option<Teban> {
    match character {
        '▲' | '☗' | '▼' => Some(Teban::Sente),
        '△' | '☖' | '▽' => Some(Teban::Gote),
        _ => None,
    }
}

/// Who won, by what a word for an ending says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::kifu) enum Winner {
    /// Whoever wins with such an ending.
    Usual,
    /// The side to move.
    Turn,
    /// The other side.
    Opponent,
    /// Nobody.
    Nobody,
    /// The side that is not the one giving check without end.
    Checked,
}

/// The words for endings; of two that begin alike, the longer stands first.
static ENDINGS: [(&str, Ending, Winner); 40] = {
    use Ending::*;
    use Winner::*;
    [
        ("投了", Resign, Usual),
        ("切れ負け", Timeup, Usual),
        ("時間切れ", Timeup, Usual),
        ("切れ勝ち", Timeup, Turn),
        ("Time-up", Timeup, Usual),
        ("TIME-UP", Timeup, Usual),
        ("TIME_UP", Timeup, Usual),
        ("反則勝ち", Illegal, Turn),
        ("反則負け", Illegal, Opponent),
        ("反則手", Illegal, Usual),
        ("反則", Illegal, Usual),
        ("王手連続千日手", Illegal, Checked),
        ("連続王手千日手", Illegal, Checked),
        ("連続王手の千日手", Illegal, Checked),
        ("千日手", Sennichite, Usual),
        ("持将棋", Jishogi, Usual),
        ("引き分け", Draw, Usual),
        ("引分け", Draw, Usual),
        ("引分", Draw, Usual),
        ("最大手数到達", Draw, Usual),
        ("最大手数", Draw, Usual),
        ("入玉宣言勝ち", Declaration, Usual),
        ("入玉宣言", Declaration, Usual),
        ("入玉勝ち", Declaration, Usual),
        ("宣言勝ち", Declaration, Usual),
        ("勝ち宣言", Declaration, Usual),
        ("不戦勝ち", Forfeit, Turn),
        ("不戦勝", Forfeit, Turn),
        ("不戦敗", Forfeit, Usual),
        ("不戦", Forfeit, Usual),
        ("不詰", Abort, Nobody),
        ("詰み", Mate, Usual),
        ("詰", Mate, Usual),
        ("中断", Abort, Nobody),
        ("封じ手", Abort, Nobody),
        ("指し掛け", Abort, Nobody),
        ("指掛け", Abort, Nobody),
        ("打ち掛け", Abort, Nobody),
        ("接続切れ", Abort, Nobody),
        ("中止", Abort, Nobody),
    ]
};

/// The ending that a word stands for.
pub(in crate::kifu) fn ending(word: &str) -> Option<(Ending, Winner)> {
    ENDINGS.iter().find(|(name, ..)| *name == word).map(|&(_, ending, winner)| (ending, winner))
}

/// The ending that a sentence tells of, such as 時間切れにより先手の勝ち.
pub(in crate::kifu) fn ending_in(text: &str) -> Option<(Ending, Winner)> {
    ENDINGS.iter().find(|(name, ..)| text.contains(name)).map(|&(_, ending, winner)| (ending, winner))
}

/// The first word: what stands before a blank or a bracket.
pub(in crate::kifu) fn word(text: &str) -> &str {
    text.split(|character| is_blank(character) || matches!(character, '(' | '（')).next().unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_in_every_kind_of_digit() {
        for (text, want) in [("17x", 17), ("１７x", 17), ("十七x", 17), ("一七x", 17), ("二十x", 20), ("百二x", 102)]
        {
            assert_eq!(number(text), Some((want, "x")), "{text}");
        }
        assert_eq!(number("x1"), None);
        assert_eq!(number(&"9".repeat(30)), None);
        assert_eq!(number(&"百".repeat(3)), Some((300, "")));
        assert_eq!(number(&"99999999百".repeat(3)), None);
    }

    #[test]
    fn squares_and_pieces_read_as_programs_write_them() {
        for text in ["７六歩", "76歩", "7六歩", "７６歩", "七六歩"] {
            let (masu, rest) = masu(text).unwrap();
            assert_eq!((masu.to_string().as_str(), rest), ("7f", "歩"));
        }
        assert_eq!(masu("０六"), None);
        assert_eq!(masu("７"), None);
        for (text, want) in [("王", Syurui::Ou), ("成銀", Syurui::Ng), ("全", Syurui::Ng), ("竜", Syurui::Ry)] {
            assert_eq!(syurui(text), Some((want, "")), "{text}");
        }
        for text in ["成", "成金", "成成銀", "成と", "爆"] {
            assert_eq!(syurui(text), None, "{text}");
        }
    }

    #[test]
    fn a_longer_word_for_an_ending_is_not_taken_for_a_shorter() {
        for (index, (name, ..)) in ENDINGS.iter().enumerate() {
            let found = ENDINGS.iter().position(|(other, ..)| name.contains(other));
            assert_eq!(found, Some(index), "{name}");
        }
        assert_eq!(ending_in("時間切れにより先手の勝ち"), Some((Ending::Timeup, Winner::Usual)));
        assert_eq!(ending("投了図"), None);
    }
}
