//! Records in the format of print, KI2: a head as in KIF, then moves without the square that they come from.
//!
//! Which piece moves is told, where more than one could, by the rules of notation of the Japan Shogi Association: 上 寄
//! 引 for how it moves, 右 左 for the side from which, 直 for straight up, 打 for a drop where a piece on the board could
//! go as well. A move that fits no piece, or more than one, cuts the game.

use super::Reading;
use super::kif::words::{self, skip_blanks, take};
use super::kif::{Body, Games, Notation};
use crate::kyokumen::{Dan, Kyokumen, Masu, MasuSet, Suji, Syurui, Te, Teban};

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
                return body.made(rest);
            }
            if body.is_closed() {
                return body.pass(words::word(skip_mark(rest)));
            }
            let Some(after) = read_te(body, rest) else { return body.unreadable(rest) };
            rest = skip_blanks(after);
        }
    }
}

/// How a move is told from others of the same kind of piece to the same square.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    /// 上 (1), 寄 (0), 引 (-1): the sign of the ranks that it goes forward.
    forward: Option<i8>,
    /// 直.
    is_straight: bool,
    /// 右 (1), 左 (-1), as the side to move sees it.
    side: Option<i8>,
    promotes: bool,
    is_drop: bool,
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
    let te = find(body.kyokumen(), syurui, to, marks)?;
    body.push(te, text);
    Some(rest)
}

/// The text behind the mark of a side.
fn skip_mark(text: &str) -> &str {
    take(text).filter(|&(first, _)| words::mark(first).is_some()).map_or(text, |(_, rest)| skip_blanks(rest))
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

/// The one move that is meant; where nothing legal fits, an illegal one that does.
fn find(kyokumen: &Kyokumen, syurui: Syurui, to: Masu, marks: Marks) -> Option<Te> {
    let teban = kyokumen.teban();
    let is_told = marks.forward.is_some() || marks.side.is_some() || marks.is_straight;
    let in_hand = !marks.promotes && !is_told && kyokumen.motigoma(teban).count(syurui) > 0;
    let drop = in_hand.then(|| Te::drop(syurui, to));
    if marks.is_drop {
        return drop;
    }
    let step = |from| Step::new(teban, from, to);
    let fits =
        |&from: &Masu| from != to && step(from).fits(marks, syurui) && reaches(kyokumen, step(from), from, to, syurui);
    let mut origins: MasuSet = kyokumen.pieces_of(teban, syurui).filter(fits).collect();
    if let Some(side) = marks.side.filter(|_| is_long(syurui)) {
        let most = origins.map(|from| step(from).right * side).max();
        origins = origins.filter(|&from| Some(step(from).right * side) == most).collect();
    }
    // A piece that is pinned may be told apart or not.
    let board = |from| Te::board(from, to, marks.promotes);
    let legal: MasuSet = origins.filter(|&from| kyokumen.is_legal(board(from))).collect();
    match (only(legal), legal.is_empty()) {
        (Some(from), _) => Some(board(from)),
        (None, false) => None,
        (None, true) => match drop {
            Some(te) if origins.is_empty() || kyokumen.is_legal(te) => Some(te),
            _ => only(origins).map(board),
        },
    }
}

fn only(set: MasuSet) -> Option<Masu> {
    let mut squares = set;
    squares.next().filter(|_| squares.is_empty())
}

/// The pieces of which there are two at most, and of which 右 and 左 tell the one from the other, wherever they stand.
const fn is_long(syurui: Syurui) -> bool {
    matches!(syurui, Syurui::Ka | Syurui::Hi | Syurui::Um | Syurui::Ry)
}

/// A way on the board, as the side to move sees it.
#[derive(Clone, Copy)]
struct Step {
    /// Ranks forward.
    forward: i8,
    /// Files by which it comes from the right.
    right: i8,
}

impl Step {
    fn new(teban: Teban, from: Masu, to: Masu) -> Step {
        let sign = if teban == Teban::Sente { 1 } else { -1 };
        let difference = |a: u8, b: u8| (a as i8 - b as i8) * sign;
        Step {
            forward: difference(from.dan().number(), to.dan().number()),
            right: difference(to.suji().number(), from.suji().number()),
        }
    }

    fn fits(self, marks: Marks, syurui: Syurui) -> bool {
        marks.forward.is_none_or(|forward| self.forward.signum() == forward)
            && (!marks.is_straight || self.right == 0 && self.forward > 0)
            && (is_long(syurui) || marks.side.is_none_or(|side| self.right.signum() == side))
    }
}

/// Whether a piece of the side to move goes that way, be it legal or not.
fn reaches(kyokumen: &Kyokumen, step: Step, from: Masu, to: Masu, syurui: Syurui) -> bool {
    let (forward, aside) = (step.forward, step.right.abs());
    let is_near = forward.abs().max(aside) == 1;
    let is_diagonal = forward.abs() == aside;
    let is_line = forward == 0 || aside == 0;
    match syurui {
        Syurui::Fu => (forward, aside) == (1, 0),
        Syurui::Ke => (forward, aside) == (2, 1),
        Syurui::Gi => is_near && (forward == 1 || is_diagonal),
        Syurui::Ou => is_near,
        Syurui::Ki | Syurui::To | Syurui::Ny | Syurui::Nk | Syurui::Ng => is_near && (forward == 1 || is_line),
        Syurui::Ky => aside == 0 && forward > 0 && is_clear(kyokumen, from, to),
        Syurui::Ka => is_diagonal && is_clear(kyokumen, from, to),
        Syurui::Hi => is_line && is_clear(kyokumen, from, to),
        Syurui::Um => is_near || is_diagonal && is_clear(kyokumen, from, to),
        Syurui::Ry => is_near || is_line && is_clear(kyokumen, from, to),
    }
}

/// Whether nothing stands between two squares of one line.
fn is_clear(kyokumen: &Kyokumen, from: Masu, to: Masu) -> bool {
    let toward = |a: u8, b: u8| a.wrapping_add_signed((b as i8 - a as i8).signum());
    let next = |masu: Masu| {
        let suji = Suji::new(toward(masu.suji().number(), to.suji().number()))?;
        Some(Masu::new(suji, Dan::new(toward(masu.dan().number(), to.dan().number()))?))
    };
    let mut between = std::iter::successors(next(from), |&masu| next(masu)).take_while(|&masu| masu != to);
    between.all(|masu| kyokumen.koma(masu).is_empty())
}
