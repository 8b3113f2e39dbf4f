//! The encodings of records, which seldom say truly what they are in.

use std::borrow::Cow;

use encoding_rs::{EUC_JP, Encoding, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE};

/// So much of a text is judged where its encoding is not plain: more would change no judgement.
const JUDGED: usize = 64 << 10;
/// What a character that can't be decoded adds to [`Fit::cost`].
const BROKEN: usize = 20;

/// A whole record, in the encoding that [`of`] finds; without the byte order mark.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    of(bytes).decode_with_bom_removal(bytes).0
}

/// The encoding of a record, from the whole of it or its start: by its byte order mark or its escapes, UTF-8 where it
/// is that, else what fits best of UTF-8 with faults, CP932 and EUC-JP. What a record says of its own encoding decides
/// only where more than one fits about as well, for it is often wrong.
pub(super) fn of(bytes: &[u8]) -> &'static Encoding {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return encoding;
    }
    let head = &bytes[..bytes.len().min(JUDGED)];
    if let Some(encoding) = utf_16(head) {
        return encoding;
    }
    let ascii = Encoding::ascii_valid_up_to(bytes);
    if ascii == bytes.len() {
        let has = |escape: &[u8]| memchr::memmem::find(bytes, escape).is_some();
        return if has(b"\x1b$B") || has(b"\x1b$@") { ISO_2022_JP } else { UTF_8 };
    }
    // What stands before the first character beyond ASCII, perhaps moves in CSA's format, is the same in all others.
    let judged = &bytes[ascii..bytes.len().min(ascii + JUDGED)];
    match std::str::from_utf8(judged) {
        Err(error) if error.error_len().is_some() => {}
        // Perhaps with a character at the end that is not whole.
        _ => return UTF_8,
    }
    let cp932 = Fit::of(judged, SHIFT_JIS);
    if cp932.narrow == 0 && cp932.cost <= 2 * cp932.characters {
        return SHIFT_JIS;
    }
    let declared = declared(head);
    let weighed = |encoding| {
        let cost = Fit::of(judged, encoding).cost;
        if declared == Some(encoding) { cost - cost / 4 } else { cost }
    };
    [SHIFT_JIS, UTF_8, EUC_JP].into_iter().min_by_key(|&encoding| weighed(encoding)).unwrap_or(SHIFT_JIS)
}

/// UTF-16 without a mark: every other byte of its line ends, digits and Latin letters is zero, and of these a record
/// has many. No other text has any, but for a few in one that is damaged.
fn utf_16(bytes: &[u8]) -> Option<&'static Encoding> {
    memchr::memchr(0, bytes)?;
    let zeros = |odd: usize| bytes.iter().skip(odd).step_by(2).filter(|&&byte| byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    if (even + odd) * 64 < bytes.len() {
        return None;
    }
    if odd > 4 * even {
        Some(UTF_16LE)
    } else if even > 4 * odd {
        Some(UTF_16BE)
    } else {
        None
    }
}

/// What the first line with `encoding=` says, as records in CSA's and Kakinoki's format may.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    const WORD: &[u8] = b"encoding=";
    let start = memchr::memmem::find(bytes, WORD)? + WORD.len();
    let label = bytes[start..].split(|byte| byte.is_ascii_whitespace()).next()?;
    Encoding::for_label(label)
}

/// How well a text fits an encoding.
#[derive(Default)]
struct Fit {
    /// Up to 2 a character is ordinary Japanese: full-width kana cost nothing, kanji of everyday as much as two kana of
    /// half width, which may be the same bytes.
    cost: usize,
    /// How many characters it has beyond ASCII.
    characters: usize,
    /// How many of them are kana of half width.
    narrow: usize,
}

impl Fit {
    fn of(bytes: &[u8], encoding: &'static Encoding) -> Fit {
        let (text, _) = encoding.decode_without_bom_handling(bytes);
        let (mut fit, mut before) = (Fit::default(), ' ');
        for character in text.chars() {
            if !character.is_ascii() {
                fit.add(before, character);
            }
            before = character;
        }
        fit
    }

    fn add(&mut self, before: char, character: char) {
        self.characters += 1;
        self.cost += match character {
            char::REPLACEMENT_CHARACTER | '\u{e000}'..='\u{f8ff}' | '\u{80}'..='\u{9f}' => BROKEN,
            '\u{ff61}'..='\u{ff9f}' => {
                self.narrow += 1;
                half_width(before, character)
            }
            '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' => kanji(character),
            // Kana, squares of diagrams, digits and marks.
            '\u{2000}'..='\u{30ff}' | '\u{ff01}'..='\u{ff5e}' => 0,
            _ => 4,
        };
    }
}

/// A kana of half width costs more where words don't have it, as when the bytes are really those of EUC-JP.
fn half_width(before: char, kana: char) -> usize {
    let voiced = |kana: char| matches!(kana, 'ｳ' | 'ｶ'..='ﾄ' | 'ﾊ'..='ﾎ');
    let at_home = match kana {
        'ﾞ' => voiced(before),
        'ﾟ' => matches!(before, 'ﾊ'..='ﾎ'),
        'ｬ' | 'ｭ' | 'ｮ' => matches!(before, 'ｷ' | 'ｼ' | 'ﾁ' | 'ﾆ' | 'ﾋ' | 'ﾐ' | 'ﾘ' | 'ﾃ' | 'ﾞ' | 'ﾟ'),
        'ｧ'..='ｫ' => matches!(before, 'ｳ' | 'ﾌ' | 'ﾃ' | 'ﾄ' | 'ﾂ' | 'ｼ' | 'ﾁ' | 'ｸ' | 'ﾞ'),
        'ｰ' | 'ｯ' | 'ﾝ' => matches!(before, 'ｦ'..='ﾟ'),
        '｡'..='･' => false,
        _ => true,
    };
    if at_home { 1 } else { 4 }
}

/// The kanji of everyday stand before the others in CP932.
fn kanji(character: char) -> usize {
    let mut buffer = [0; 4];
    let (bytes, ..) = SHIFT_JIS.encode(character.encode_utf8(&mut buffer));
    if bytes[0] < 0x98 { 2 } else { 6 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIF: &str = "開始日時：2024/05/31\r\n手合割：平手\r\n先手：羽生善治\r\n後手：ﾊﾌﾞﾖｼﾊﾙ\r\n   1 ７六歩(77)\r\n";

    fn utf_16_bytes(text: &str, big: bool) -> Vec<u8> {
        text.encode_utf16().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    }

    #[test]
    fn records_are_decoded_by_what_they_hold() {
        for text in
            [KIF, "N+羽生善治\nN-谷川浩司\n+7776FU\n", "'コメント\nN+ﾊﾌﾞﾖｼﾊﾙ\n", "N+ｵｵﾔﾏ\nN-ﾀﾆｶﾞﾜ\n", "V2.2\nPI\n+\n"]
        {
            for encoding in [UTF_8, SHIFT_JIS, EUC_JP, ISO_2022_JP] {
                // ISO-2022-JP makes half width full; and such a name alone in EUC-JP, which nobody writes, is kanji.
                let narrow = text.contains('ﾊ') && encoding == ISO_2022_JP;
                if !narrow && (!text.contains('ｵ') || [UTF_8, SHIFT_JIS].contains(&encoding)) {
                    assert_eq!(decode(&encoding.encode(text).0), text, "{}", encoding.name());
                }
            }
            for big in [false, true] {
                assert_eq!(decode(&utf_16_bytes(text, big)), text, "without a mark");
                assert_eq!(decode(&utf_16_bytes(&format!("\u{feff}{text}"), big)), text, "with a mark");
            }
            assert_eq!(decode(format!("\u{feff}{text}").as_bytes()), text);
        }
    }

    #[test]
    fn a_record_that_begins_with_much_ascii_is_judged_by_what_follows() {
        let text = "+7776FU,T1\n".repeat(JUDGED / 10) + "N+羽生善治\n";
        for encoding in [UTF_8, SHIFT_JIS, EUC_JP, ISO_2022_JP] {
            assert_eq!(decode(&encoding.encode(&text).0), text, "{}", encoding.name());
        }
    }

    #[test]
    fn content_overrules_what_a_record_says_of_itself() {
        for label in ["UTF-8", "Shift_JIS", "EUC-JP"] {
            let text = format!("#KIF version=2.0 encoding={label}\n{KIF}");
            for encoding in [UTF_8, SHIFT_JIS, EUC_JP] {
                assert_eq!(decode(&encoding.encode(&text).0), text, "{label} in {}", encoding.name());
            }
        }
    }

    #[test]
    fn a_zero_makes_no_other_encoding() {
        for encoding in [UTF_8, SHIFT_JIS, EUC_JP] {
            for at in [0, 1] {
                let mut bytes = encoding.encode(KIF).0.into_owned();
                let end = bytes.iter().position(|&byte| byte == b'\r').unwrap() & !1;
                bytes[end + at] = 0;
                assert_eq!(of(&bytes), encoding, "{at}");
            }
        }
    }

    #[test]
    fn one_fault_makes_no_other_encoding() {
        let mut bytes = KIF.as_bytes().to_vec();
        bytes.push(0xe3);
        bytes.push(b'\n');
        assert_eq!(decode(&bytes), format!("{KIF}\u{fffd}\n"));
        assert_eq!(of(&KIF.as_bytes()[..1]), UTF_8, "a start that ends within a character");
        let mut bytes = SHIFT_JIS.encode(KIF).0.into_owned();
        bytes.extend(b"\x81\n");
        assert_eq!(of(&bytes), SHIFT_JIS);
        let mut bytes = EUC_JP.encode(KIF).0.into_owned();
        bytes.extend(b"\xa4\n");
        assert_eq!(of(&bytes), EUC_JP);
    }
}
