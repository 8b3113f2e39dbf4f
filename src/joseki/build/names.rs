//! Names of players, which every program writes in its own way.

/// The full-width characters for those of half width, from U+FF61 on.
const KATAKANA: &str = "。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン゛゜";

/// The name in small letters, Latin ones of half width, katakana of full width, without blanks. Equal names of
/// different programs become the same by that; titles and ranks stay.
pub(super) fn folded(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for c in name.chars().filter(|c| !c.is_whitespace()) {
        match c {
            '\u{ff01}'..='\u{ff5e}' => text.extend(char::from_u32(c as u32 - 0xfee0)),
            '\u{ff61}'..='\u{ff9f}' => push_katakana(&mut text, c),
            c => text.push(c),
        }
    }
    text.to_lowercase()
}

/// Appends a character of half width; a voicing mark goes into the one before it.
fn push_katakana(text: &mut String, c: char) {
    let Some(full) = KATAKANA.chars().nth(c as usize - 0xff61) else { return };
    let voiced = |base: char| match (base, full) {
        ('カ'..='ト' | 'ハ'..='ホ', '゛') => char::from_u32(base as u32 + 1),
        ('ハ'..='ホ', '゜') => char::from_u32(base as u32 + 2),
        ('ウ', '゛') => Some('ヴ'),
        _ => None,
    };
    match text.chars().next_back().and_then(voiced) {
        Some(voiced) => {
            text.pop();
            text.push(voiced);
        }
        None => text.push(full),
    }
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn width_case_and_blanks_make_no_difference() {
        for (a, b) in [
            ("Bonanza", "ＢＯＮＡＮＺＡ"),
            ("羽生 善治", "羽生善治"),
            ("羽生　善治", "羽生善治"),
            ("ﾊﾌﾞ ﾖｼﾊﾙ", "ハブヨシハル"),
            ("ﾎﾟﾅﾝｻﾞ", "ポナンザ"),
            ("ｳﾞｨﾝﾁ", "ヴィンチ"),
            ("ｶﾞｯﾂ", "ガッツ"),
            ("gps_l", "GPS_L"),
        ] {
            assert_eq!(folded(a), folded(b), "{a} {b}");
        }
        assert_ne!(folded("羽生善治"), folded("羽生善治 九段"), "a title is part of the name");
        assert_ne!(folded("ハブ"), folded("ハフ"));
        assert_eq!(folded(" 　"), "");
    }
}
