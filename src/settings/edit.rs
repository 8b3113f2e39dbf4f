//! Replacing one value in the bytes of an INI file.
//!
//! Works on bytes, since UTF-8 and CP932 agree on what lines, section heads and keys in ASCII look like.

use std::ops::Range;

/// The content with `key` set to `value` in `section`, both in any case; all other bytes stay as they are.
pub(super) fn set(content: &[u8], section: &str, key: &str, value: &[u8]) -> Vec<u8> {
    let layout = Layout::of(content, section, key);
    let splice = |range: Range<usize>, parts: &[&[u8]]| {
        [&content[..range.start], &parts.concat(), &content[range.end..]].concat()
    };
    let end_of_line: &[u8] = if content.windows(2).any(|pair| pair == b"\r\n") { b"\r\n" } else { b"\n" };
    match layout {
        Layout { value: Some(range), .. } => splice(range, &[value]),
        Layout { end_of_section: Some(at), .. } => {
            let missing: &[u8] = if content[..at].ends_with(b"\n") { b"" } else { end_of_line };
            splice(at..at, &[missing, key.as_bytes(), b"=", value, end_of_line])
        }
        _ => {
            let missing: &[u8] = if content.is_empty() || content.ends_with(b"\n") { b"" } else { end_of_line };
            let at = content.len();
            let head = [b"[", section.as_bytes(), b"]", end_of_line].concat();
            splice(at..at, &[missing, &head, key.as_bytes(), b"=", value, end_of_line])
        }
    }
}

/// Where things stand in a file.
#[derive(Default)]
struct Layout {
    /// The bytes of the value: the last one, which is the one that counts.
    value: Option<Range<usize>>,
    /// After the last line of the section that is not empty; of several such sections, of the last one.
    end_of_section: Option<usize>,
}

impl Layout {
    fn of(content: &[u8], section: &str, key: &str) -> Layout {
        let mut layout = Layout::default();
        let mut inside = false;
        let mut start = 0;
        for line in content.split_inclusive(|&byte| byte == b'\n') {
            let end = start + line.len();
            let text = line.strip_prefix(super::BOM).unwrap_or(line).trim_ascii();
            if let Some(name) = text.strip_prefix(b"[") {
                let name = name.rsplitn(2, |&byte| byte == b']').last().unwrap_or(name);
                inside = name.trim_ascii().eq_ignore_ascii_case(section.as_bytes());
            }
            if inside && !text.is_empty() {
                layout.end_of_section = Some(end);
            }
            if inside && let Some(range) = value_of(line, key) {
                layout.value = Some(start + range.start..start + range.end);
            } else if inside && text.eq_ignore_ascii_case(key.as_bytes()) {
                // A key alone takes the value away that stands before it.
                layout.value = None;
            }
            start = end;
        }
        layout
    }
}

/// Where a line holds the value of a key, blanks around it left out.
fn value_of(line: &[u8], key: &str) -> Option<Range<usize>> {
    let equals = line.iter().position(|byte| matches!(byte, b'=' | b':'))?;
    let name = line[..equals].trim_ascii();
    if !name.eq_ignore_ascii_case(key.as_bytes()) {
        return None;
    }
    let after = &line[equals + 1..];
    let blanks = after.len() - after.trim_ascii_start().len();
    let value = after.trim_ascii();
    // An empty value stands directly behind the sign, before blanks and the end of the line.
    let from = equals + 1 + if value.is_empty() { 0 } else { blanks };
    Some(from..from + value.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited(content: &str, value: &str) -> String {
        String::from_utf8(set(content.as_bytes(), "CustomSettings", "BookFile", value.as_bytes())).unwrap()
    }

    #[test]
    fn only_the_value_changes() {
        let content = "; head\r\n[Other]\r\nBookFile=x\r\n[CustomSettings]\r\n; BookFile=y\r\n BookFile = old \r\nBookFiles=z\r\n";
        assert_eq!(edited(content, "new"), content.replace("old", "new"));
    }

    #[test]
    fn the_last_of_several_lines_is_the_one_that_counts() {
        let content = "[CustomSettings]\nBookFile=a\nBookFile=b";
        assert_eq!(edited(content, "c"), "[CustomSettings]\nBookFile=a\nBookFile=c");
    }

    #[test]
    fn the_spelling_of_the_file_stays() {
        assert_eq!(edited("[CUSTOMSETTINGS]\nbookfile=a\n", "b"), "[CUSTOMSETTINGS]\nbookfile=b\n");
        assert_eq!(
            edited("[CustomSettings]\nBookFile=a\nBOOKFILE: b\n", "c"),
            "[CustomSettings]\nBookFile=a\nBOOKFILE: c\n"
        );
    }

    #[test]
    fn the_last_of_several_sections_is_the_one_that_counts() {
        assert_eq!(
            edited("[CustomSettings]\nBookFile=a\n[x]\n[customsettings]\nbookfile=b\n", "c"),
            "[CustomSettings]\nBookFile=a\n[x]\n[customsettings]\nbookfile=c\n"
        );
        assert_eq!(
            edited("[CustomSettings]\nBookFile=a\n[x]\n[customsettings]\ny=1\n", "c"),
            "[CustomSettings]\nBookFile=c\n[x]\n[customsettings]\ny=1\n"
        );
    }

    #[test]
    fn a_missing_key_goes_to_the_end_of_its_section() {
        assert_eq!(
            edited("[CustomSettings]\nUseBook=true\n\n[Other]\nx=1\n", "b"),
            "[CustomSettings]\nUseBook=true\nBookFile=b\n\n[Other]\nx=1\n"
        );
        assert_eq!(
            edited("[customsettings]\r\nUseBook=true", "b"),
            "[customsettings]\r\nUseBook=true\r\nBookFile=b\r\n"
        );
    }

    #[test]
    fn a_missing_section_goes_to_the_end_of_the_file() {
        assert_eq!(edited("", "b"), "[CustomSettings]\nBookFile=b\n");
        assert_eq!(edited("[Other]\nx=1", "b"), "[Other]\nx=1\n[CustomSettings]\nBookFile=b\n");
    }

    #[test]
    fn empty_values_are_filled_and_emptied() {
        assert_eq!(edited("[CustomSettings]\nBookFile=\nx=1\n", "b"), "[CustomSettings]\nBookFile=b\nx=1\n");
        assert_eq!(edited("[CustomSettings]\nBookFile= a\nx=1\n", ""), "[CustomSettings]\nBookFile= \nx=1\n");
        assert_eq!(edited("[CustomSettings]\nBookFile", "b"), "[CustomSettings]\nBookFile\nBookFile=b\n");
        assert_eq!(
            edited("[CustomSettings]\nBookFile=a\nbookfile\n", "b"),
            "[CustomSettings]\nBookFile=a\nbookfile\nBookFile=b\n"
        );
    }

    #[test]
    fn a_byte_order_mark_does_not_hide_the_section() {
        assert_eq!(edited("\u{feff}[CustomSettings]\nBookFile=a\n", "b"), "\u{feff}[CustomSettings]\nBookFile=b\n");
    }
}
