//! Records in the format of print, KI2: a head as in KIF, then moves without the square that they come from, any number
//! a line, with blanks between them or none:
//!
//! ```text
//! move       mark, blanks, square or 同, piece, marks
//! mark       ▲ ☗ ▼ for Sente, △ ☖ ▽ for Gote; it must be that of the side to move
//! piece      as in KIF
//! marks      any of 上 行 入, 寄, 引 下, 直, 右, 左, 打, 成, 不成 生
//! ending     a word as in KIF, with a mark or none
//! ```
//!
//! Remarks, variations and the last line are those of KIF.
//!
//! Which piece moves is told, where more than one could, by the rules of notation of the Japan Shogi Association: 上 寄
//! 引 for how it moves, 右 左 for the side from which, 直 for straight up, 打 for a drop where a piece on the board could
//! go as well. A move that fits no piece, or more than one, cuts the game. `origin` does that.

use super::Reading;
use super::kif::words::{self, skip_blanks, take};
use super::kif::{Body, Games, Notation, skip_mark};
use super::origin::{self, Marks};

/// The games of a text.
pub(super) fn games(text: &str, first_line: u64) -> impl Iterator<Item = Reading> + '_ {
    Games::<Ki2>::new(text, first_line)
}

enum Ki2 {}

impl Notation for Ki2 {
    fn has_moves(line: &str) -> bool {
        line.starts_with(|character| words::mark(character).is_some()) || words::ending(words::word(line)).is_some()
    }

    fn read(body: &mut Body, line: &str) {
        let mut rest = line;
        while !rest.is_empty() {
            if rest.starts_with("まで") {
                return body.summary(rest);
            }
            if body.is_closed() {
                return body.pass(words::word(skip_mark(rest)));
            }
            let Some(after) = read_te(body, rest) else { return body.unreadable(rest) };
            rest = skip_blanks(after);
        }
    }
}

/// Plays the move at the start of a text, or ends the game there; gives what stands behind it.
fn read_te<'a>(body: &mut Body, text: &'a str) -> Option<&'a str> {
    let mark = take(text).and_then(|(first, _)| words::mark(first));
    let rest = skip_mark(text);
    let word = words::word(rest);
    if body.end(word) {
        return Some(&rest[word.len()..]);
    }
    // Out of turn, a move is missing.
    mark.filter(|&teban| teban == body.kyokumen().teban())?;
    let (to, rest) = match rest.strip_prefix('同') {
        Some(rest) => (body.last_to()?, skip_blanks(rest)),
        None => words::masu(rest)?,
    };
    let (syurui, rest) = words::syurui(rest)?;
    let (marks, rest) = read_marks(rest);
    let te = origin::find(body.kyokumen(), syurui, to, marks)?;
    body.push(te, text);
    Some(rest)
}

fn read_marks(text: &str) -> (Marks, &str) {
    let mut marks = Marks::default();
    let mut rest = text;
    while let Some((character, after)) = take(rest) {
        match character {
            '上' | '行' | '入' => marks.forward = Some(1),
            '寄' => marks.forward = Some(0),
            '引' | '下' => marks.forward = Some(-1),
            '直' => marks.is_straight = true,
            '右' => marks.side = Some(1),
            '左' => marks.side = Some(-1),
            '打' => marks.is_drop = true,
            '成' => marks.promotes = true,
            '生' => {}
            '不' if after.starts_with('成') => {
                rest = &after['成'.len_utf8()..];
                continue;
            }
            _ => break,
        }
        rest = after;
    }
    (marks, rest)
}
