//! Records in JKF, the JSON of Kifu for JS. A text may hold several, one behind the other.
//!
//! ```text
//! record    {"header": {key: value ...}, "initial": start, "moves": [element ...]}
//!           the keys are those of a KIF record's head; without "initial" the start is what 手合割 names
//! start     {"preset": "HIRATE"}, or
//!           {"preset": "OTHER", "data": {"color": 0, "board": [9 files of 9 squares], "hands": [{"FU": 2}, {}]}}
//! element   {"move": move, "time": {"now": {"h": 0, "m": 0, "s": 5}}, "comments": [line ...], "special": "TORYO",
//!            "forks": [[element ...] ...]}, each of which may lack; forks are lines that leave before this move
//! move      {"from": {"x": 7, "y": 7}, "to": ..., "piece": "FU", "color": 0, "same": true, "promote": true,
//!            "relative": "R"}, of which may lack what the position tells
//!           pieces and "special" have the names of CSA's format
//! ```

use std::time::Duration;

use serde_json::{Deserializer, Value};

use super::builder::GameBuilder;
use super::csa_board::{Board, masu, syurui};
use super::csa_result;
use super::kif::Head;
use super::origin::{self, Marks};
use super::{Game, Handicap, Reading, RecordError, RecordFormat, Start};
use crate::kyokumen::{Koma, Masu, Syurui, Te, Teban};

/// A variation costs as much as the moves before it, which are played again; more than these are no record of a game.
const MOST_PLAYED_AGAIN: usize = 4 << 20;

/// The games of a text, in their order.
///
/// JSON can be nested about 40 variations deep; what is deeper is malformed.
pub(super) fn games(text: &str, first_line: u64) -> impl Iterator<Item = Reading> + '_ {
    Games { rest: text.trim_start_matches('\u{feff}'), line: first_line }
}

struct Games<'a> {
    rest: &'a str,
    /// The number of the line in which the rest begins.
    line: u64,
}

impl Games<'_> {
    /// Passes over so much of the rest.
    fn skip(&mut self, bytes: usize) {
        let (skipped, rest) = self.rest.split_at(bytes);
        self.line += memchr::memchr_iter(b'\n', skipped.as_bytes()).count() as u64;
        self.rest = rest;
    }
}

impl Iterator for Games<'_> {
    type Item = Reading;

    fn next(&mut self) -> Option<Reading> {
        self.skip(self.rest.len() - self.rest.trim_ascii_start().len());
        if self.rest.is_empty() {
            return None;
        }
        let line = self.line;
        let mut values = Deserializer::from_str(self.rest).into_iter::<Value>();
        match values.next()? {
            Ok(value) => {
                let text = &self.rest[..values.byte_offset()];
                self.skip(text.len());
                let (game, fault) = read(&value);
                let lines = fault.and_then(|element| lines_before(text, element)).unwrap_or_default();
                Some(Reading { line: line + lines, game })
            }
            Err(error) => {
                let fault = line + (error.line() as u64).saturating_sub(1);
                self.skip(next_start(self.rest, error.line()));
                Some(Reading { line: fault, game: Err(malformed(error.to_string())) })
            }
        }
    }
}

/// Where the next record may begin: with the next line that starts with a brace, the one with the fault if it is not
/// the first.
fn next_start(text: &str, fault_line: usize) -> usize {
    let mut start = 0;
    for number in 1.. {
        if number > 1 && number >= fault_line && text[start..].starts_with('{') {
            return start;
        }
        match memchr::memchr(b'\n', &text.as_bytes()[start..]) {
            Some(end) => start += end + 1,
            None => break,
        }
    }
    text.len()
}

/// How many lines end before an element of `moves`.
fn lines_before(text: &str, element: usize) -> Option<u64> {
    let bytes = text.as_bytes();
    let (mut at, mut depth, mut elements, mut key) = (0, 0, 0, &b""[..]);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                let start = at + 1;
                at = start;
                while *bytes.get(at)? != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                if depth == 1 {
                    key = &bytes[start..at];
                }
            }
            open @ (b'{' | b'[') => {
                if depth == 2 && open == b'{' && key == b"moves" {
                    if elements == element {
                        return Some(memchr::memchr_iter(b'\n', &bytes[..at]).count() as u64);
                    }
                    elements += 1;
                }
                depth += 1;
            }
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    None
}

fn malformed(what: String) -> RecordError {
    RecordError::Malformed { format: RecordFormat::Jkf, what }
}

/// The game, and which element of its moves cuts it.
fn read(value: &Value) -> (Result<Game, RecordError>, Option<usize>) {
    let mut fault = None;
    let game = read_game(value, &mut fault);
    (game, fault)
}

fn read_game(value: &Value, fault: &mut Option<usize>) -> Result<Game, RecordError> {
    let record = value.as_object().ok_or_else(|| malformed("no object".to_owned()))?;
    let moves = record.get("moves").and_then(Value::as_array).ok_or_else(|| malformed("no moves".to_owned()))?;
    let mut head = Head::default();
    for (key, value) in record.get("header").and_then(Value::as_object).into_iter().flatten() {
        if let Some(value) = value.as_str() {
            head.key(key, value.trim());
        }
    }
    let start = match record.get("initial").filter(|initial| !initial.is_null()) {
        Some(initial) => start(initial)?,
        None => head.start()?,
    };
    let mut builder = GameBuilder::new(start);
    head.tell(builder.game());
    // The first has no move, only what is said before any.
    let skipped = moves.first().is_some_and(|head| head.get("move").is_none() && head.get("special").is_none());
    if let Some(head) = moves.first().filter(|_| skipped) {
        comments(&mut builder, head);
    }
    let mut lines = Lines { builder: &mut builder, played_again: 0, illegal: false, fault: None };
    lines.read(&moves[usize::from(skipped)..])?;
    *fault = lines.fault.map(|element| element + usize::from(skipped));
    Ok(builder.finish())
}

fn start(initial: &Value) -> Result<Start, RecordError> {
    let preset = initial.get("preset").and_then(Value::as_str).unwrap_or("OTHER");
    let handicap = match preset {
        "HIRATE" => Handicap::Even,
        "KY" => Handicap::Lance,
        "KY_R" => Handicap::RightLance,
        "KA" => Handicap::Bishop,
        "HI" => Handicap::Rook,
        "HIKY" => Handicap::RookLance,
        "2" => Handicap::TwoPiece,
        "3" => Handicap::ThreePiece,
        "4" => Handicap::FourPiece,
        "5" => Handicap::FivePiece,
        "5_L" => Handicap::LeftFivePiece,
        "6" => Handicap::SixPiece,
        "7_L" => Handicap::LeftSevenPiece,
        "7_R" => Handicap::RightSevenPiece,
        "8" => Handicap::EightPiece,
        "10" => Handicap::TenPiece,
        "OTHER" => {
            let what = || RecordError::Start("initial.data".to_owned());
            let (board, turn) = initial.get("data").and_then(board).ok_or_else(what)?;
            return Ok(board.start(turn)?);
        }
        other => return Err(RecordError::Start(format!("preset {}", other.chars().take(20).collect::<String>()))),
    };
    Ok(Start::Handicap(handicap))
}

/// The start and the side to move of `data`: files of squares, `board[0][0]` is 1a.
fn board(data: &Value) -> Option<(Board, Teban)> {
    let mut board = Board::empty();
    let files = data.get("board")?.as_array().filter(|files| files.len() == 9)?;
    for (suji, file) in (1..).zip(files) {
        let squares = file.as_array().filter(|squares| squares.len() == 9)?;
        for (dan, square) in (1..).zip(squares) {
            if let Some(kind) = square.get("kind").filter(|kind| !kind.is_null()) {
                let koma = Koma::new(syurui(kind.as_str()?.as_bytes())?, side(square.get("color")?)?);
                board.put(masu(suji, dan)?, koma);
            }
        }
    }
    if let Some(hands) = data.get("hands").filter(|hands| !hands.is_null()) {
        for (teban, hand) in Teban::ALL.into_iter().zip(hands.as_array()?) {
            for (kind, count) in hand.as_object()? {
                let count = u8::try_from(count.as_u64()?).ok()?;
                if count > 0 && !board.hold(teban, syurui(kind.as_bytes())?, count) {
                    return None;
                }
            }
        }
    }
    Some((board, side(data.get("color")?)?))
}

fn side(color: &Value) -> Option<Teban> {
    match color.as_u64()? {
        0 => Some(Teban::Sente),
        1 => Some(Teban::Gote),
        _ => None,
    }
}

/// The lines of a game, the main one first.
struct Lines<'a> {
    builder: &'a mut GameBuilder,
    /// How many moves before variations.
    played_again: usize,
    /// The last move cut the main line because it is illegal.
    illegal: bool,
    /// The element with the fault of the main line.
    fault: Option<usize>,
}

impl Lines<'_> {
    /// Reads moves to the end of the line, and then what leaves it, from its end to its start: so each variation finds
    /// the line that it leaves above it.
    fn read(&mut self, moves: &[Value]) -> Result<(), RecordError> {
        let shared = self.builder.moves();
        for (index, element) in moves.iter().enumerate() {
            self.step(element);
            if self.builder.is_main() {
                self.fault = self.builder.is_cut().then(|| self.fault.unwrap_or(index));
            }
        }
        for (index, element) in moves.iter().enumerate().rev() {
            let forks = element.get("forks").and_then(Value::as_array).into_iter().flatten();
            for fork in forks.filter_map(Value::as_array) {
                // One without a move, such as an ending, tells nothing.
                if fork.first().is_none_or(|first| first.get("move").is_none()) {
                    continue;
                }
                self.played_again += shared + index;
                if self.played_again > MOST_PLAYED_AGAIN {
                    return Err(malformed("too many variations".to_owned()));
                }
                // Behind the fault of a cut line nothing can leave it.
                if self.builder.branch(shared + index) {
                    self.read(fork)?;
                }
            }
        }
        Ok(())
    }

    fn step(&mut self, element: &Value) {
        let builder = &mut *self.builder;
        if let Some(statement) = element.get("move").filter(|statement| !statement.is_null()) {
            let before = builder.moves();
            if builder.is_main() && builder.game().ending.is_some() {
                return builder.unreadable(&statement.to_string());
            }
            let was_cut = builder.is_cut();
            match te(builder, statement) {
                Some(te) => self.illegal = !builder.push(te) && !was_cut && builder.is_main(),
                None => {
                    self.illegal = false;
                    builder.unreadable(&statement.to_string());
                }
            }
            if builder.moves() > before
                && let Some(time) = element.get("time").and_then(|time| time.get("now")).and_then(time)
            {
                builder.time(time);
            }
        }
        if let Some(special) = element.get("special").and_then(Value::as_str) {
            match csa_result::special(special, builder.kyokumen().teban()) {
                Some((ending, winner)) => {
                    // As in CSA's format, the illegal move may stand before the words that say so.
                    if self.illegal && csa_result::is_illegal(special) {
                        builder.game().cut = None;
                    }
                    builder.end_won_by(ending, winner);
                }
                None => builder.unreadable(special),
            }
        }
        comments(builder, element);
    }
}

fn comments(builder: &mut GameBuilder, element: &Value) {
    let lines = element.get("comments").and_then(Value::as_array).into_iter().flatten();
    for line in lines.filter_map(Value::as_str) {
        builder.comment(line);
    }
}

/// Hours, minutes and seconds, of which any may lack.
fn time(time: &Value) -> Option<Duration> {
    let part = |key| time.get(key).map_or(Some(0.0), Value::as_f64);
    let seconds = (part("h")? * 60.0 + part("m")?) * 60.0 + part("s")?;
    Duration::try_from_secs_f64(seconds).ok()
}

fn square(place: &Value) -> Option<Masu> {
    let part = |key| u8::try_from(place.get(key)?.as_u64()?).ok();
    masu(part("x")?, part("y")?)
}

/// The move; `None` where it is incomplete, or does not fit the side to move or the piece on its square.
fn te(builder: &GameBuilder, statement: &Value) -> Option<Te> {
    let known = |key: &str| statement.get(key).filter(|value| !value.is_null());
    let kyokumen = builder.kyokumen();
    if let Some(color) = known("color")
        && side(color)? != kyokumen.teban()
    {
        return None;
    }
    let to = match known("to") {
        Some(to) => square(to)?,
        None if known("same").is_some_and(|same| same == true) => builder.last_to()?,
        None => return None,
    };
    let kind: Option<Syurui> = match known("piece") {
        Some(piece) => Some(syurui(piece.as_str()?.as_bytes())?),
        None => None,
    };
    let promotes = known("promote").map(Value::as_bool);
    let relative = known("relative").and_then(Value::as_str).unwrap_or_default();
    let Some(from) = known("from") else {
        return origin::find(kyokumen, kind?, to, marks(relative, promotes == Some(Some(true))));
    };
    let from = square(from).filter(|&from| from != to)?;
    let there = kyokumen.koma(from).syurui();
    let promotes = match (there, kind) {
        (Some(there), Some(kind)) if there != kind => {
            // The kind that it becomes, as in CSA's format.
            if there.promoted() != Some(kind) || promotes == Some(Some(false)) {
                return None;
            }
            true
        }
        _ => promotes.unwrap_or(Some(false))?,
    };
    Some(Te::board(from, to, promotes))
}

/// What tells a move from others of its kind, in letters: L, C, R for the left, straight, right one, U, M, D for
/// forward, sideways, back, and H for a drop.
fn marks(relative: &str, promotes: bool) -> Marks {
    let mut marks = Marks { promotes, ..Marks::default() };
    for letter in relative.chars() {
        match letter {
            'L' => marks.side = Some(-1),
            'C' => marks.is_straight = true,
            'R' => marks.side = Some(1),
            'U' => marks.forward = Some(1),
            'M' => marks.forward = Some(0),
            'D' => marks.forward = Some(-1),
            'H' => marks.is_drop = true,
            _ => {}
        }
    }
    marks
}
