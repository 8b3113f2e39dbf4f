//! What stands before the moves of a game: `key：value` lines, a board, remarks.

use super::words::{self, is_blank, skip_blanks};
use crate::kifu::builder::GameBuilder;
use crate::kifu::diagram::Diagram;
pub(super) use crate::kifu::diagram::is_columns;
use crate::kifu::{Date, Game, Handicap, RecordError, Start};
use crate::kyokumen::{ByTeban, Teban};

/// The head of a game, as far as it is read.
#[derive(Debug, Default)]
pub(in crate::kifu) struct Head<'a> {
    /// The day, and how much what it stands behind is worth.
    date: Option<(u8, Date)>,
    handicap: Option<&'a str>,
    diagram: Diagram<'a>,
    names: ByTeban<Option<&'a str>>,
    pub(super) comments: Vec<&'a str>,
    /// Whether it has any line that says something, to anybody.
    pub(super) has_text: bool,
    /// Whether it has any line that only a record has.
    pub(super) is_record: bool,
    /// Whether the line above the moves was read.
    pub(super) is_over: bool,
}

/// Keys that stand in heads only; the sides' are known besides.
const KEYS: [&str; 14] = [
    "開始日時",
    "終了日時",
    "対局日",
    "棋戦",
    "手合割",
    "表題",
    "戦型",
    "持ち時間",
    "場所",
    "作者",
    "作品名",
    "作品番号",
    "対局ID",
    "記録ID",
];

/// The parts of a `key：value` line. A colon of half width is as good where the key is known.
fn key_value(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once('：').or_else(|| line.split_once(':').filter(|(key, _)| is_key(key)))?;
    Some((key.trim_end_matches(is_blank), value.trim_matches(is_blank)))
}

fn is_key(key: &str) -> bool {
    KEYS.contains(&key) || words::side(key).is_some_and(|(_, rest)| rest.is_empty() || is_hand(rest))
}

fn is_hand(key: &str) -> bool {
    matches!(key, "の持駒" | "の持ち駒" | "持駒" | "持ち駒")
}

/// Whether a line begins a head, so that a game before it is over.
pub(super) fn begins(line: &str) -> bool {
    if let Some(comment) = line.strip_prefix('#') {
        let comment = skip_blanks(comment);
        return comment.starts_with("KIF") || comment.starts_with("KI2") || comment.starts_with("---");
    }
    line.starts_with(['|', '｜']) || line.starts_with("手数----") || is_key_line(line)
}

/// Whether a line has a key that only heads have, whatever its colon.
pub(in crate::kifu) fn is_key_line(line: &str) -> bool {
    key_value(line).is_some_and(|(key, _)| is_key(key))
}

/// Whether a line might belong to a head: behind a game's end, that is enough.
pub(super) fn may_begin(line: &str) -> bool {
    key_value(line).is_some()
}

impl<'a> Head<'a> {
    /// Takes a line; one that belongs to no record is passed over.
    pub(super) fn line(&mut self, line: &'a str) {
        if line.starts_with("手数--") {
            self.is_over = true;
        } else if let Some((key, value)) = key_value(line) {
            self.key(key, value);
        } else if !self.diagram.line(line) {
            return;
        }
        self.is_record = true;
    }

    /// Takes what stands behind a key.
    pub(in crate::kifu) fn key(&mut self, key: &str, value: &'a str) {
        match key {
            "開始日時" => self.date(3, value),
            "対局日" | "対局日時" => self.date(2, value),
            "終了日時" => self.date(1, value),
            "手合割" => self.handicap = Some(value),
            _ => match words::side(key) {
                Some((teban, "")) => self.names[teban] = Some(value),
                Some((teban, rest)) if is_hand(rest) => self.diagram.hand(teban, value),
                _ => {}
            },
        }
    }

    fn date(&mut self, worth: u8, text: &str) {
        if self.date.is_none_or(|(known, _)| known < worth)
            && let Some(date) = date(text)
        {
            self.date = Some((worth, date));
        }
    }

    /// The number of moves before the start position.
    pub(super) fn ply(&self) -> usize {
        self.diagram.ply()
    }

    /// The game, still without moves.
    pub(super) fn game(&self) -> Result<GameBuilder, RecordError> {
        let mut builder = GameBuilder::new(self.start()?);
        builder.reserve(160);
        self.tell(builder.game());
        for comment in &self.comments {
            builder.comment(comment);
        }
        Ok(builder)
    }

    /// Tells a game its day and its players.
    pub(in crate::kifu) fn tell(&self, game: &mut Game) {
        game.date = self.date.map(|(_, date)| date);
        for teban in Teban::ALL {
            let (name, rating) = player(self.names[teban].unwrap_or_default());
            game.names[teban] = (!name.is_empty()).then(|| name.to_owned());
            game.ratings[teban] = rating;
        }
    }

    /// The start: what the board shows or, where none is drawn, the handicap that is named.
    pub(in crate::kifu) fn start(&self) -> Result<Start, RecordError> {
        let name = self.handicap.unwrap_or_default();
        let handicap = if name.is_empty() { Some(Handicap::Even) } else { Handicap::from_record(name) };
        if !self.diagram.is_empty() {
            return Ok(self.diagram.kyokumen(handicap).map_err(RecordError::Start)?.into());
        }
        let unusual = || RecordError::Start(format!("no board, and {name:?} is no usual handicap"));
        handicap.map(Start::Handicap).ok_or_else(unusual)
    }
}

/// A name and the rating in brackets behind it, such as Habu(2038) or Lv19(R990).
fn player(text: &str) -> (&str, Option<u32>) {
    let read = || {
        let inside = text.strip_suffix([')', '）'])?;
        let (name, rating) = inside.rsplit_once(['(', '（'])?;
        let digits = rating.strip_prefix(['R', 'r', 'Ｒ']).unwrap_or(rating);
        let is_rating = (1..=5).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_rating.then(|| Some((name.trim_end_matches(is_blank), Some(digits.parse().ok()?))))?
    };
    read().unwrap_or((text, None))
}

/// A day such as 2014/07/08, 2008-12-20T01:00, 2016年12月24日, or 12/30/2018, whatever stands behind it.
fn date(text: &str) -> Option<Date> {
    let mut rest = text;
    let mut parts = [0; 3];
    for (index, part) in parts.iter_mut().enumerate() {
        let (number, after) = words::number(skip_blanks(rest))?;
        *part = number;
        rest = after;
        if index < 2 {
            rest = skip_blanks(rest).strip_prefix(['/', '-', '.', '／', '年', '月'])?;
        }
    }
    let [year, month, day] = if parts[0] <= 12 && parts[2] > 31 { [parts[2], parts[0], parts[1]] } else { parts };
    Date::new(year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?)
}

/// The text of a remark.
pub(super) fn comment(line: &str) -> Option<&str> {
    line.strip_prefix(['*', '＊'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_only_what_is_a_rating() {
        assert_eq!(player("-player(2038)"), ("-player", Some(2038)));
        assert_eq!(player("Lv19 ひよな(R990)"), ("Lv19 ひよな", Some(990)));
        assert_eq!(player("羽生　（1500）"), ("羽生", Some(1500)));
        for name in ["elmo", "elmo(WCSC27)", "elmo()", "elmo(123456)", "1500)", "", ")"] {
            assert_eq!(player(name), (name, None));
        }
    }

    #[test]
    fn dates_read_in_the_ways_that_programs_write_them() {
        let read = |text| date(text).map(|date| date.to_string());
        for text in [
            "2008/12/20(土) 19:07:12",
            "2008-12-20T01:00:00.000Z",
            "2008年12月20日",
            "2008/12/20･21日",
            "12/20/2008 10:29:48 PM",
            "２００８／１２／２０",
        ] {
            assert_eq!(read(text).as_deref(), Some("2008-12-20"), "{text}");
        }
        for text in ["", "2008", "2008/12", "2008/13/01", "99999/12/20", "昨日"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
