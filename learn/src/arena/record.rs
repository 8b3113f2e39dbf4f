//! What a match has come to so far, a line a game, so that a match broken off goes on where it was.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::Path;

use crate::elo::Score;
use crate::{Failure, named};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// One side gave up, was mated or declared a win that holds.
    Won,
    Repetition,
    /// It became too long.
    Length,
    /// The loser took too long.
    Time,
    /// The loser played or declared what the rules forbid.
    Illegal,
}

const ENDINGS: [(Ending, &str); 5] = [
    (Ending::Won, "won"),
    (Ending::Repetition, "repetition"),
    (Ending::Length, "length"),
    (Ending::Time, "time"),
    (Ending::Illegal, "illegal"),
];

/// A game that was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    pub number: usize,
    /// 2 won, 1 drawn, 0 lost by the first engine.
    pub points: u8,
    pub ending: Ending,
    pub plies: u32,
}

impl Played {
    fn line(&self, moves: &str) -> String {
        let ending = ENDINGS.iter().find(|(ending, _)| *ending == self.ending).map_or("", |(_, name)| name);
        format!("{}\t{}\t{ending}\t{}\t{moves}\n", self.number, self.points, self.plies)
    }

    fn parse(line: &str) -> Option<Played> {
        let mut fields = line.split('\t');
        let number = fields.next()?.parse().ok()?;
        let points = fields.next()?.parse().ok().filter(|points| *points <= 2)?;
        let name = fields.next()?;
        let (ending, _) = ENDINGS.into_iter().find(|(_, known)| *known == name)?;
        Some(Played { number, points, ending, plies: fields.next()?.parse().ok()? })
    }
}

/// The record of a match.
#[derive(Default)]
pub struct Record {
    pub played: Vec<Played>,
    file: Option<File>,
}

impl Record {
    /// Opens or begins the record of a match, whose first line is `title`.
    pub fn open(path: &Path, title: &str) -> Result<Record, Failure> {
        let in_file = |error: std::io::Error| named(path, &error);
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(in_file)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(in_file)?;
        // What was written last may have been broken off.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut lines = text[..whole].lines();
        match lines.next() {
            None => {
                file.rewind().map_err(in_file)?;
                file.set_len(0).map_err(in_file)?;
                file.write_all(format!("{title}\n").as_bytes()).map_err(in_file)?;
            }
            Some(first) if first == title => {
                file.set_len(whole as u64).map_err(in_file)?;
                file.seek(std::io::SeekFrom::End(0)).map_err(in_file)?;
            }
            Some(first) => {
                return Err(format!("{}: the record of another match: {first}", path.display()).into());
            }
        }
        let played = lines.map(Played::parse).collect::<Option<Vec<_>>>();
        let played = played.ok_or_else(|| format!("{}: not the record of a match", path.display()))?;
        Ok(Record { played, file: Some(file) })
    }

    pub fn has(&self, number: usize) -> bool {
        self.played.iter().any(|game| game.number == number)
    }

    pub fn add(&mut self, game: Played, moves: &str) -> Result<(), Failure> {
        if let Some(file) = &mut self.file {
            file.write_all(game.line(moves).as_bytes())?;
        }
        self.played.push(game);
        Ok(())
    }

    pub fn score(&self) -> Score {
        let count = |points| self.played.iter().filter(|game| game.points == points).count() as u64;
        Score { wins: count(2), draws: count(1), losses: count(0) }
    }

    /// How the games ended, and the losses that must not be.
    pub fn endings(&self) -> String {
        let count = |ending, points: &[u8]| {
            self.played.iter().filter(|game| game.ending == ending && points.contains(&game.points)).count()
        };
        let all = &[0, 1, 2];
        format!(
            "repetition {}, length {}, lost on time {} and {}, by a foul {} and {}",
            count(Ending::Repetition, all),
            count(Ending::Length, all),
            count(Ending::Time, &[0]),
            count(Ending::Time, &[2]),
            count(Ending::Illegal, &[0]),
            count(Ending::Illegal, &[2])
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_broken_off_goes_on_where_it_was() {
        let folder = std::env::temp_dir().join(format!("arena-record-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("match.tsv");
        let _ = std::fs::remove_file(&path);
        let game = |number| Played { number, points: 2, ending: Ending::Time, plies: 90 };
        let mut record = Record::open(&path, "a b").unwrap();
        record.add(game(0), "7g7f 3c3d").unwrap();
        record.add(game(3), "7g7f").unwrap();
        drop(record);
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.truncate(text.len() - 3);
        std::fs::write(&path, text).unwrap();
        let mut record = Record::open(&path, "a b").unwrap();
        assert_eq!(record.played, [game(0)]);
        assert!(record.has(0) && !record.has(3));
        record.add(game(3), "7g7f").unwrap();
        assert_eq!(Record::open(&path, "a b").unwrap().played, [game(0), game(3)]);
        assert!(Record::open(&path, "a c").is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
