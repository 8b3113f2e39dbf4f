//! Records in the format of the Computer Shogi Association, versions 1.0 to 3.0.
//!
//! Statements stand a line each, or several on a line with commas between them:
//!
//! ```text
//! V2.2                          the version, which changes nothing here
//! N+name  N-name                the players, Sente + and Gote -
//! $START_TIME:2024/05/31 ...    what is known of the game; of this only the day is taken
//! PI82HI22KA                    the start: the even one without these pieces, or
//! P1-KY-KE ...  to  P9          rank after rank, nine squares of three characters each, or
//! P+59OU00KI  P-00AL            pieces on their squares, 00 in hand, AL for all that are left
//! +                             who moves first
//! +7776FU                       a move: side, from (00 for a drop), to, the piece that it is then
//! T12                           the seconds that it took
//! %TORYO                        how the game ended
//! 'text                         a remark; some of servers tell ratings and the result
//! /                             another game follows
//! ```
//!
//! A game ends also where the head of another one follows its moves, as in files joined without separators.

use super::builder::GameBuilder;
use super::csa_board::{Board, masu, syurui};
use super::csa_result::{self, Outcome};
use super::line::line_end;
use super::{Game, Reading, RecordError, RecordFormat};
use crate::kyokumen::{Koma, Kyokumen, Syurui, Te, Teban};

/// The games of a text, in their order.
pub(super) fn games(text: &str, first_line: u64) -> impl Iterator<Item = Reading> + '_ {
    Games { statements: Statements::new(text, first_line), next: None }
}

struct Games<'a> {
    statements: Statements<'a>,
    /// The first statement of the next game, where the end of the one before is known by it.
    next: Option<(u64, &'a str)>,
}

impl Iterator for Games<'_> {
    type Item = Reading;

    fn next(&mut self) -> Option<Reading> {
        let mut reader = Reader::default();
        while let Some((line, statement)) = self.next.take().or_else(|| self.statements.next()) {
            if statement == "/" {
                if reader.has_game() {
                    return Some(reader.finish());
                }
                reader = Reader::default();
            } else if reader.builder.is_some() && is_head(statement.as_bytes()) {
                self.next = Some((line, statement));
                return Some(reader.finish());
            } else {
                reader.read(line, statement);
            }
        }
        reader.has_game().then(|| reader.finish())
    }
}

/// Statements with the numbers of their lines.
struct Statements<'a> {
    rest: &'a str,
    /// See [`line_end`].
    end: u8,
    /// What is left of the current line, and its number.
    line: &'a str,
    number: u64,
}

impl<'a> Statements<'a> {
    fn new(text: &'a str, first_line: u64) -> Statements<'a> {
        let end = line_end(text.as_bytes());
        Statements { rest: text.trim_start_matches('\u{feff}'), end, line: "", number: first_line.wrapping_sub(1) }
    }
}

impl<'a> Iterator for Statements<'a> {
    type Item = (u64, &'a str);

    fn next(&mut self) -> Option<(u64, &'a str)> {
        loop {
            while self.line.is_empty() {
                if self.rest.is_empty() {
                    return None;
                }
                let end = memchr::memchr(self.end, self.rest.as_bytes());
                let (line, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
                (self.line, self.rest) = (line.trim_ascii(), rest.get(1..).unwrap_or_default());
                self.number = self.number.wrapping_add(1);
            }
            // A comma within a comment, a name or an information belongs to it.
            let whole = matches!(self.line.as_bytes()[0], b'\'' | b'N' | b'$');
            let comma = if whole { None } else { memchr::memchr(b',', self.line.as_bytes()) };
            let (statement, rest) = self.line.split_at(comma.unwrap_or(self.line.len()));
            self.line = rest.get(1..).unwrap_or_default().trim_ascii_start();
            let statement = statement.trim_ascii_end();
            if !statement.is_empty() {
                return Some((self.number, statement));
            }
        }
    }
}

/// Whether a statement can only stand before the moves.
pub(super) fn is_head(statement: &[u8]) -> bool {
    matches!(statement, [b'V' | b'N' | b'P', ..]) || statement.starts_with(b"'CSA encoding")
}

/// Whether a statement is a move, or the end of a game.
#[cfg(feature = "workshop")]
pub(super) fn is_move(statement: &[u8]) -> bool {
    matches!(statement, [b'+' | b'-', _, ..] | [b'%', ..])
}

/// A game being read.
#[derive(Default)]
struct Reader {
    /// The line with which it begins.
    first_line: Option<u64>,
    /// What is known before the start is.
    head: Game,
    board: Option<Board>,
    /// Who gets all pieces that are left.
    rest: Option<Teban>,
    turn: Option<Teban>,
    /// From the first move or ending on.
    builder: Option<GameBuilder>,
    /// What is wrong with the start, and where.
    fault: Option<(u64, RecordError)>,
    cut_line: Option<u64>,
    /// The last move was illegal, and the first to be so.
    illegal: bool,
    /// The last statement was a move, whose time may follow.
    after_move: bool,
    ended: bool,
    summary: Option<Outcome>,
}

impl Reader {
    fn has_game(&self) -> bool {
        self.first_line.is_some()
    }

    fn read(&mut self, line: u64, statement: &str) {
        let first = statement.as_bytes()[0];
        if !matches!(first, b'\'' | b'V') && (self.builder.is_some() || b"N$P+-%".contains(&first)) {
            self.first_line.get_or_insert(line);
        }
        match first {
            b'\'' => return self.comment(&statement[1..]),
            b'T' if self.builder.is_some() => self.time(&statement[1..]),
            b'V' => {}
            b'N' => self.name(statement),
            b'$' => self.information(&statement[1..]),
            b'P' => {
                if let Err(error) = self.place(statement) {
                    self.fault.get_or_insert((line, error));
                }
            }
            b'+' | b'-' if statement.len() == 1 && self.builder.is_none() => self.turn = side(first),
            b'+' | b'-' | b'%' => self.play(line, statement),
            // Before the moves other programs have words of their own; among them nothing may be passed over.
            _ if self.builder.is_some() => self.unreadable(line, statement),
            _ => {}
        }
        self.after_move = matches!(first, b'+' | b'-');
    }

    /// What is known of the game so far.
    fn game(&mut self) -> &mut Game {
        match &mut self.builder {
            Some(builder) => builder.game(),
            None => &mut self.head,
        }
    }

    fn name(&mut self, statement: &str) {
        if let (Some(teban), Some(name)) = (statement.as_bytes().get(1).copied().and_then(side), statement.get(2..)) {
            self.head.names[teban] = Some(name.trim().to_owned()).filter(|name| !name.is_empty());
        }
    }

    fn information(&mut self, text: &str) {
        if let Some(("START_TIME", time)) = text.split_once(':') {
            let day = time.split_ascii_whitespace().next().unwrap_or_default();
            self.game().date = day.parse().ok();
        }
    }

    fn comment(&mut self, text: &str) {
        let text = text.trim();
        if let Some(summary) = text.strip_prefix("summary:") {
            self.summary = csa_result::summary(summary);
        } else if let Some(rating) = text.strip_prefix("black_rate:") {
            self.game().ratings[Teban::Sente] = csa_result::rating(rating);
        } else if let Some(rating) = text.strip_prefix("white_rate:") {
            self.game().ratings[Teban::Gote] = csa_result::rating(rating);
        } else if !text.starts_with("CSA encoding") {
            // One asterisk marks a remark for programs, two what an engine thought.
            let marked = text.strip_prefix('*');
            let remark = marked.filter(|text| !text.starts_with('*')).unwrap_or(text);
            match &mut self.builder {
                // Behind the last move servers draw the board.
                Some(builder) if marked.is_some() || !self.ended => builder.comment(remark),
                Some(_) => {}
                None => match self.head.comments.last_mut() {
                    Some((_, lines)) => {
                        lines.push('\n');
                        lines.push_str(remark);
                    }
                    None => self.head.comments.push((0, remark.to_owned())),
                },
            }
        }
    }

    /// A statement about the start position.
    fn place(&mut self, statement: &str) -> Result<(), RecordError> {
        let error = || RecordError::Start(statement.chars().take(40).collect());
        let (&[_, kind], rest) = statement.as_bytes().split_first_chunk::<2>().ok_or_else(error)?;
        let board = self.board.get_or_insert_with(Board::empty);
        match kind {
            b'I' => {
                *board = Board::hirate();
                for piece in rest.chunks(4) {
                    remove(board, piece).ok_or_else(error)?;
                }
            }
            b'1'..=b'9' => {
                for (index, cell) in rest.chunks(3).enumerate() {
                    let suji = 9u8.checked_sub(index as u8).ok_or_else(error)?;
                    let masu = masu(suji, kind - b'0').ok_or_else(error)?;
                    board.put(masu, koma(cell).ok_or_else(error)?);
                }
            }
            b'+' | b'-' => {
                let teban = side(kind).ok_or_else(error)?;
                for piece in rest.chunks(4) {
                    if piece == b"00AL" {
                        self.rest = Some(teban);
                    } else {
                        add(board, teban, piece).ok_or_else(error)?;
                    }
                }
            }
            _ => return Err(error()),
        }
        Ok(())
    }

    /// Sets the start up where that has not been done; `first` is the first of the moves and endings.
    fn begin(&mut self, line: u64, first: &str) {
        if self.builder.is_none() && self.fault.is_none() {
            let turn = self.turn.or_else(|| side(first.as_bytes()[0])).unwrap_or(Teban::Sente);
            match start(self.board.take(), self.rest, turn) {
                Ok(start) => {
                    let mut builder = GameBuilder::new(start.clone());
                    *builder.game() = Game { start, ..std::mem::take(&mut self.head) };
                    self.builder = Some(builder);
                }
                Err(error) => self.fault = Some((self.first_line.unwrap_or(line), error)),
            }
        }
    }

    /// A move or an ending.
    fn play(&mut self, line: u64, statement: &str) {
        self.begin(line, statement);
        let Some(builder) = &mut self.builder else { return };
        if let Some(name) = statement.strip_prefix('%') {
            let Some((ending, winner)) = csa_result::special(name, builder.kyokumen().teban()) else {
                return self.unreadable(line, statement);
            };
            // The illegal move that ended the game may stand before the words that say so.
            if self.illegal && csa_result::is_illegal(name) {
                self.cut_line = None;
                builder.game().cut = None;
            }
            if !self.ended {
                builder.end_won_by(ending, winner);
            }
            self.ended = true;
        } else if !self.ended
            && let Some(te) = te(builder.kyokumen(), statement)
        {
            // Once cut, it takes no more.
            self.illegal = !builder.push(te) && self.cut_line.is_none();
            if self.illegal {
                self.cut_line = Some(line);
            }
        } else {
            self.unreadable(line, statement);
        }
    }

    fn unreadable(&mut self, line: u64, statement: &str) {
        if let Some(builder) = &mut self.builder {
            builder.unreadable(statement);
            self.illegal = false;
            self.cut_line.get_or_insert(line);
        }
    }

    fn time(&mut self, text: &str) {
        if let (true, Some(builder), Some(time)) = (self.after_move, &mut self.builder, csa_result::time(text)) {
            builder.time(time);
        }
    }

    fn finish(mut self) -> Reading {
        let first_line = self.first_line.unwrap_or_default();
        self.begin(first_line, " ");
        if let Some((line, error)) = self.fault {
            return Reading { line, game: Err(error) };
        }
        let Some(builder) = self.builder else {
            let (format, what) = (RecordFormat::Csa, "no game".to_owned());
            return Reading { line: first_line, game: Err(RecordError::Malformed { format, what }) };
        };
        let mut game = builder.finish();
        // The server's word decides: it knows of repetitions with perpetual check, and of wrong declarations.
        if let (None, Some(outcome)) = (&game.cut, self.summary) {
            (game.ending, game.winner) = (Some(outcome.0), outcome.1);
        }
        Reading { line: self.cut_line.unwrap_or(first_line), game: Ok(game) }
    }
}

fn side(sign: u8) -> Option<Teban> {
    match sign {
        b'+' => Some(Teban::Sente),
        b'-' => Some(Teban::Gote),
        _ => None,
    }
}

fn start(board: Option<Board>, rest: Option<Teban>, turn: Teban) -> Result<super::Start, RecordError> {
    let mut board = board.unwrap_or_else(Board::hirate);
    if let Some(teban) = rest {
        board.hold_rest(teban);
    }
    Ok(board.start(turn)?)
}

/// A square of a rank: a sign and a kind, or blanks about an asterisk. At the end of a line
/// blanks may lack, or be points.
fn koma(cell: &[u8]) -> Option<Koma> {
    match *cell {
        [sign @ (b'+' | b'-'), a, b] => Some(Koma::new(syurui(&[a, b])?, side(sign)?)),
        _ if cell.iter().all(|byte| matches!(byte, b' ' | b'*' | b'.')) => Some(Koma::EMPTY),
        _ => None,
    }
}

/// Takes a piece such as `22KA` from the board.
fn remove(board: &mut Board, piece: &[u8]) -> Option<()> {
    let &[suji, dan, ref kind @ ..] = piece else { return None };
    let masu = masu(suji.wrapping_sub(b'0'), dan.wrapping_sub(b'0'))?;
    let there = board.koma(masu).syurui()?;
    board.put(masu, Koma::EMPTY);
    (there == syurui(kind)?).then_some(())
}

/// Sets a piece such as `55KA`, or `00KA` in hand.
fn add(board: &mut Board, teban: Teban, piece: &[u8]) -> Option<()> {
    let &[suji, dan, ref kind @ ..] = piece else { return None };
    let syurui = syurui(kind)?;
    if (suji, dan) == (b'0', b'0') {
        return board.hold(teban, syurui, 1).then_some(());
    }
    board.put(masu(suji.wrapping_sub(b'0'), dan.wrapping_sub(b'0'))?, Koma::new(syurui, teban));
    Some(())
}

/// The move of a statement such as `+7776FU`; `None` also where it does not fit the side to move or the piece there.
fn te(kyokumen: &Kyokumen, statement: &str) -> Option<Te> {
    let [sign, from_suji, from_dan, to_suji, to_dan, a, b] = *statement.as_bytes() else { return None };
    if side(sign)? != kyokumen.teban() {
        return None;
    }
    let (syurui, to) = (syurui(&[a, b])?, masu(to_suji.wrapping_sub(b'0'), to_dan.wrapping_sub(b'0'))?);
    if (from_suji, from_dan) == (b'0', b'0') {
        return Syurui::HAND.contains(&syurui).then(|| Te::drop(syurui, to));
    }
    let from = masu(from_suji.wrapping_sub(b'0'), from_dan.wrapping_sub(b'0')).filter(|&from| from != to)?;
    let promotes = match kyokumen.koma(from).syurui() {
        Some(before) if before.promoted() == Some(syurui) => true,
        Some(before) if before != syurui => return None,
        _ => false,
    };
    Some(Te::board(from, to, promotes))
}
