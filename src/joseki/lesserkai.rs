//! LesserKai's `public.bin`: games as they were played, read only.
//!
//! A line of 512 bytes for each game from the even start, two bytes for each move. The first one is the square it goes
//! to, (dan - 1) * 9 + suji, plus 100 for a promotion; 0 or 255 ends the line, and what follows is of no meaning. The
//! second one is the square it comes from, or for a drop 100 plus the code of the piece: its kind, in an order of its
//! own, in the low four bits, its owner above.
//!
//! Opening plays all games through and counts their moves, position by position; positions that differ in the hands are
//! different ones, which LesserKai itself does not tell apart. A line counts up to its first illegal move.

use crate::kyokumen::{Dan, Kyokumen, Masu, Suji, Syurui, Te, Tesu};

use super::bytes::Bytes;
use super::{Entry, JosekiTe, Record, Stored, book};

const LINE: usize = 512;
/// The longest file that is played through, for time and memory: 65,536 games.
const MAX_LENGTH: usize = 32 << 20;
/// How many lines, besides the first one, tell what a file is.
const SAMPLES: usize = 32;

/// The kinds by their codes, from 1.
const KINDS: [Syurui; 7] = {
    use Syurui::*;
    [Fu, Ky, Ke, Gi, Ki, Ka, Hi]
};

/// An open book in this format.
#[derive(Debug)]
pub(super) struct Book {
    bytes: Bytes,
    /// The moves that were played, sorted by their positions and by where they occur first.
    known: Vec<Known>,
    /// How many lines end in something illegal.
    damaged: usize,
}

/// A move in a position, and how often it was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Known {
    /// The key of the position.
    key: u64,
    /// Where the move occurs first, which proves the position: the line, and the ply from 0.
    line: u32,
    ply: u16,
    te: Te,
    count: u32,
    /// The smallest ply, from 0, of the move.
    least_ply: u16,
}

/// Why a line ends before its end.
#[derive(Clone, Copy, Debug)]
struct Cut {
    /// The ply from 0.
    ply: usize,
}

/// Whether the content is of this format: the first line is legal to its end, or most lines begin legally, which other
/// bytes do by chance once in two thousand times.
pub(super) fn recognises(bytes: &[u8]) -> bool {
    let lines: &[[u8; LINE]] = bytes.as_chunks().0;
    let Some(first) = lines.first() else { return false };
    let begins = |line: &[u8; LINE]| te(line, 0).is_some_and(|te| Kyokumen::hirate().is_legal(te));
    let mut game = Game::new(first);
    if game.by_ref().count() > 0 && game.cut().is_none() {
        return true;
    }
    let step = lines.len().div_ceil(SAMPLES);
    let samples = || lines.iter().step_by(step);
    samples().filter(|line| begins(line)).count() * 2 > samples().count()
}

/// The move at this ply; `None` where the line ends, or it is none.
fn te(line: &[u8; LINE], ply: usize) -> Option<Te> {
    let [to, from] = *line.as_chunks().0.get(ply)?;
    let promotes = to > 100;
    let to = masu(if promotes { to - 100 } else { to })?;
    if from <= 100 {
        return masu(from).filter(|&from| from != to).map(|from| Te::board(from, to, promotes));
    }
    let code = from - 100;
    let kind = KINDS.get(usize::from(code & 15).checked_sub(1)?)?;
    (code < 48 && !promotes).then(|| Te::drop(*kind, to))
}

fn masu(number: u8) -> Option<Masu> {
    let number = number.checked_sub(1)?;
    Some(Masu::new(Suji::new(number % 9 + 1)?, Dan::new(number / 9 + 1)?))
}

/// A game as it is played: each item is a move with the position before it.
struct Game<'a> {
    line: &'a [u8; LINE],
    kyokumen: Kyokumen,
    /// The ply from 0 that comes next.
    ply: usize,
    pending: Option<Te>,
}

impl<'a> Game<'a> {
    fn new(line: &'a [u8; LINE]) -> Game<'a> {
        Game { line, kyokumen: Kyokumen::hirate(), ply: 0, pending: None }
    }

    /// Plays the move that was handed out last, and finds the next one.
    fn advance(&mut self) -> Option<Te> {
        if let Some(te) = self.pending.take() {
            self.kyokumen.do_te(te);
            self.ply += 1;
        }
        self.pending = te(self.line, self.ply).filter(|&te| self.kyokumen.is_legal(te));
        self.pending
    }

    /// Of a game that was played to its end: whether that is no proper one.
    fn cut(&self) -> Option<Cut> {
        let end = self.line.as_chunks::<2>().0.get(self.ply);
        end.filter(|[to, _]| !matches!(to, 0 | 255)).map(|_| Cut { ply: self.ply })
    }
}

impl Iterator for Game<'_> {
    type Item = (u64, usize, Te);

    /// The key of the position, the ply, the move.
    fn next(&mut self) -> Option<(u64, usize, Te)> {
        let te = self.advance()?;
        Some((self.kyokumen.key(), self.ply, te))
    }
}

impl Cut {
    fn sentence(self, line: usize) -> String {
        format!("line {}: move {} is illegal and ends it", line + 1, self.ply + 1)
    }
}

impl Book {
    /// Opens the book; on failure a sentence on what is wrong with it.
    pub(super) fn open(bytes: Bytes) -> Result<Book, String> {
        if bytes.len() > MAX_LENGTH {
            return Err(format!("its {} bytes are too many for game lines: {MAX_LENGTH} are the most", bytes.len()));
        }
        let mut book = Book { bytes, known: Vec::new(), damaged: 0 };
        let mut known = Vec::new();
        let mut damaged = 0;
        for (line, mut game) in (0..).zip(book.games()) {
            known.extend(game.by_ref().map(|(key, ply, te)| {
                let ply = ply as u16;
                Known { key, line, ply, te, count: 1, least_ply: ply }
            }));
            damaged += usize::from(game.cut().is_some());
        }
        known.sort_unstable_by_key(|known| (known.key, known.te, known.line, known.ply));
        known.dedup_by(|later, earlier| {
            let same = (later.key, later.te) == (earlier.key, earlier.te);
            if same {
                earlier.count += later.count;
                earlier.least_ply = earlier.least_ply.min(later.least_ply);
            }
            same
        });
        known.sort_unstable();
        known.shrink_to_fit();
        (book.known, book.damaged) = (known, damaged);
        Ok(book)
    }

    /// The number of lines; bytes behind the last whole one are none.
    fn len(&self) -> usize {
        self.bytes.len() / LINE
    }

    fn game(&self, line: usize) -> Option<Game<'_>> {
        self.bytes.as_chunks().0.get(line).map(Game::new)
    }

    fn games(&self) -> impl Iterator<Item = Game<'_>> {
        self.bytes.as_chunks().0.iter().map(Game::new)
    }

    /// The moves that were played in a position, in the order in which they occur first.
    fn find(&self, kyokumen: &Kyokumen) -> Vec<Known> {
        let key = kyokumen.key();
        let first = self.known.partition_point(|known| known.key < key);
        let same_key = self.known[first..].iter().take_while(|known| known.key == key);
        let packed = kyokumen.pack();
        let is_it = |known: &&Known| {
            let at = self.game(known.line as usize).and_then(|mut game| {
                game.by_ref().find(|&(_, ply, _)| ply == usize::from(known.ply))?;
                Some(game.kyokumen)
            });
            at.is_some_and(|at| at.pack() == packed)
        };
        same_key.filter(is_it).copied().collect()
    }

    /// The positions that occur first in this line, each with its ply from 0, then what is wrong with the line.
    fn firsts(&self, line: usize) -> impl Iterator<Item = Result<(usize, Kyokumen, Entry), Cut>> {
        let mut game = self.game(line);
        std::iter::from_fn(move || {
            let current = game.as_mut()?;
            while let Some((_, ply, _)) = current.next() {
                let known = self.find_first(&current.kyokumen, line, ply);
                if !known.is_empty() {
                    return Some(Ok((ply, current.kyokumen.clone(), entry(known))));
                }
            }
            game.take()?.cut().map(Err)
        })
    }

    /// The moves of a position that occurs here for the first time; none for others.
    fn find_first(&self, kyokumen: &Kyokumen, line: usize, ply: usize) -> Vec<Known> {
        let is_here = |known: &Known| (known.line as usize, usize::from(known.ply)) == (line, ply);
        let place = (kyokumen.key(), line as u32, ply as u16);
        // Most places are the first ones of no move, which is told without playing any game again.
        if self.known.binary_search_by_key(&place, |known| (known.key, known.line, known.ply)).is_err() {
            return Vec::new();
        }
        let known = self.find(kyokumen);
        if known.first().is_some_and(is_here) { known } else { Vec::new() }
    }
}

/// An entry of these moves, the most played first.
fn entry(mut known: Vec<Known>) -> Entry {
    known.sort_by_key(|known| std::cmp::Reverse(known.count));
    let tesu = known.iter().map(|known| Tesu::from(known.least_ply) + 1).min();
    let te = |known: Known| JosekiTe { count: Some(known.count.into()), ..JosekiTe::new(known.te) };
    Entry { tesu, comment: None, moves: known.into_iter().map(te).collect() }
}

fn place(line: usize, ply: usize) -> String {
    format!("line {}, move {}", line + 1, ply + 1)
}

impl book::Book for Book {
    fn lookup(&self, kyokumen: &Kyokumen) -> Option<Entry> {
        let known = self.find(kyokumen);
        (!known.is_empty()).then(|| entry(known))
    }

    /// The positions in the order in which they occur first.
    fn records(&self) -> Box<dyn Iterator<Item = Record> + '_> {
        let positions = (0..self.len()).flat_map(|line| self.firsts(line).flatten().map(move |first| (line, first)));
        Box::new(positions.map(|(line, (ply, kyokumen, entry))| Record {
            place: place(line, ply),
            kyokumen: Some(kyokumen),
            entry,
            faults: Vec::new(),
        }))
    }

    fn first_out_of_order(&self) -> Option<String> {
        None
    }

    fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.damaged > 0 {
            warnings.push(format!("{} of {} lines end in an illegal move", self.damaged, self.len()));
        }
        let surplus = self.bytes.len() % LINE;
        if surplus > 0 {
            warnings.push(format!("{surplus} bytes behind the last whole line are ignored"));
        }
        warnings
    }

    fn faults(&self) -> Vec<String> {
        let cut = |(line, mut game): (usize, Game<'_>)| {
            game.by_ref().for_each(drop);
            game.cut().map(|cut| cut.sentence(line))
        };
        self.games().enumerate().filter_map(cut).collect()
    }

    fn parts(&self, parts: usize) -> Vec<Box<dyn Iterator<Item = Stored> + Send + '_>> {
        let parts = parts.max(1);
        let share = move |nth: usize| self.len() * nth / parts;
        let part = |nth: usize| {
            let firsts =
                (share(nth)..share(nth + 1)).flat_map(|line| self.firsts(line).map(move |first| (line, first)));
            Box::new(firsts.map(|(line, first)| match first {
                Ok((ply, kyokumen, entry)) => match kyokumen.pack() {
                    Some(packed) => Stored::Position(packed, entry),
                    None => Stored::Lost(format!("{}: no position that a book can hold", place(line, ply))),
                },
                Err(cut) => Stored::Lost(cut.sentence(line)),
            })) as Box<dyn Iterator<Item = Stored> + Send + '_>
        };
        (0..parts).map(part).collect()
    }
}
