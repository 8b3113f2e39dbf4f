//! The lines of a text, and the games in them.

use super::body::Body;
use super::head::{self, Head};
use super::words::is_blank;
use crate::kifu::{Reading, RecordError};

/// How a format writes moves.
pub(in crate::kifu) trait Notation {
    /// Whether a line has moves, or the end of the game where a move could stand.
    fn has_moves(line: &str) -> bool;

    /// Reads the moves of such a line.
    fn read(body: &mut Body, line: &str);
}

/// The games of a text.
pub(in crate::kifu) struct Games<'a, N> {
    rest: Option<&'a str>,
    number: u64,
    /// A line that was read too far.
    pending: Option<(u64, &'a str)>,
    notation: std::marker::PhantomData<N>,
}

/// A game as far as its lines were read.
#[derive(Default)]
struct Record<'a> {
    head: Head<'a>,
    stage: Stage,
    first_line: Option<u64>,
    fault: Option<u64>,
}

#[derive(Default)]
enum Stage {
    #[default]
    Head,
    Body(Box<Body>),
    /// The game can't be read.
    Lost(RecordError),
}

impl<'a, N: Notation> Games<'a, N> {
    pub(in crate::kifu) fn new(text: &'a str, first_line: u64) -> Games<'a, N> {
        Games { rest: Some(text), number: first_line, pending: None, notation: std::marker::PhantomData }
    }

    /// The next line with its number, without blanks at its ends. It ends in LF, CR LF or CR.
    fn line(&mut self) -> Option<(u64, &'a str)> {
        if self.pending.is_some() {
            return self.pending.take();
        }
        let text = self.rest?;
        let end = memchr::memchr2(b'\n', b'\r', text.as_bytes());
        self.rest = end.map(|end| {
            let length = if text[end..].starts_with("\r\n") { 2 } else { 1 };
            &text[end + length..]
        });
        let number = self.number;
        self.number += 1;
        Some((number, text[..end.unwrap_or(text.len())].trim_matches(is_blank)))
    }
}

impl<N: Notation> Iterator for Games<'_, N> {
    type Item = Reading;

    fn next(&mut self) -> Option<Reading> {
        let mut record = Record::default();
        while let Some((number, line)) = self.line() {
            if line.is_empty() {
                continue;
            }
            if record.ends_before::<N>(line) {
                self.pending = Some((number, line));
                break;
            }
            record.line::<N>(number, line);
            if record.is_page() && contains_tag(line, "</html") {
                break;
            }
        }
        record.finish()
    }
}

impl<'a> Record<'a> {
    fn is_page(&self) -> bool {
        matches!(self.stage, Stage::Lost(RecordError::Html))
    }

    /// Whether a line begins the next game.
    fn ends_before<N: Notation>(&self, line: &str) -> bool {
        match &self.stage {
            Stage::Head => self.head.is_over && (head::begins(line) || is_page(line)),
            Stage::Body(_) if N::has_moves(line) || head::comment(line).is_some() => false,
            Stage::Body(body) => {
                head::begins(line) || is_page(line) || body.is_ended() && !is_end(line) && head::may_begin(line)
            }
            Stage::Lost(RecordError::Html) => false,
            Stage::Lost(_) => head::begins(line) || is_page(line),
        }
    }

    fn line<N: Notation>(&mut self, number: u64, line: &'a str) {
        let is_first = self.first_line.is_none();
        self.first_line.get_or_insert(number);
        if matches!(self.stage, Stage::Head) && !self.head_line::<N>(number, line, is_first) {
            return;
        }
        if let Stage::Body(body) = &mut self.stage {
            body_line::<N>(body, line);
            if self.fault.is_none() && body.is_main_cut() {
                self.fault = Some(number);
            }
        }
    }

    /// Takes a line of the head; says whether it is one of the body instead.
    fn head_line<N: Notation>(&mut self, number: u64, line: &'a str, is_first: bool) -> bool {
        if is_page(line) || is_first && line.starts_with('<') {
            self.lose(number, RecordError::Html);
            return false;
        }
        if let Some(comment) = head::comment(line) {
            self.head.comments.push(comment);
            return false;
        }
        if is_remark(line) {
            return false;
        }
        self.head.has_text = true;
        let begins_body = is_end(line) || N::has_moves(line) && !head::is_columns(line);
        if begins_body {
            return self.begin(number);
        }
        self.head.line(line);
        false
    }

    /// Ends the head; says whether the game can be read.
    fn begin(&mut self, number: u64) -> bool {
        match self.head.game() {
            Ok(builder) => self.stage = Stage::Body(Box::new(Body::new(builder, self.head.ply()))),
            Err(error) => self.lose(number, error),
        }
        matches!(self.stage, Stage::Body(_))
    }

    fn lose(&mut self, number: u64, error: RecordError) {
        (self.stage, self.fault) = (Stage::Lost(error), Some(number));
    }

    fn finish(mut self) -> Option<Reading> {
        let first_line = self.first_line?;
        if matches!(self.stage, Stage::Head) {
            if self.head.is_record {
                self.begin(first_line);
            } else if !self.head.has_text {
                return None;
            } else {
                self.lose(first_line, RecordError::Unknown);
            }
        }
        let line = self.fault.unwrap_or(first_line);
        match self.stage {
            Stage::Body(body) => Some(Reading { line, game: Ok(body.finish()) }),
            Stage::Lost(error) => Some(Reading { line, game: Err(error) }),
            Stage::Head => None,
        }
    }
}

fn body_line<N: Notation>(body: &mut Body, line: &str) {
    if N::has_moves(line) {
        N::read(body, line);
    } else if let Some(comment) = head::comment(line) {
        body.comment(comment);
    } else if line.starts_with("変化") {
        body.branch(line);
    } else if line.starts_with("まで") {
        body.summary(line);
    } else if !is_remark(line) && !body.is_ended() {
        // It may have been a move.
        body.unreadable(line);
    }
}

/// Whether a line tells how the game ended, or begins a variation.
fn is_end(line: &str) -> bool {
    line.starts_with("まで") || line.starts_with("変化：")
}

/// Whether a line is for people, or for other programs.
fn is_remark(line: &str) -> bool {
    line.starts_with(['#', '&', '＃', '＆'])
}

/// Whether a line begins a page of the web.
fn is_page(line: &str) -> bool {
    line.starts_with('<') && ["<!doctype", "<html", "<head", "<?xml"].into_iter().any(|tag| contains_tag(line, tag))
}

fn contains_tag(line: &str, tag: &str) -> bool {
    line.as_bytes().windows(tag.len()).any(|window| window.eq_ignore_ascii_case(tag.as_bytes()))
}
