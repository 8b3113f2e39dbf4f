//! What one book knows and another does not, and where they differ.

use std::cmp::Ordering;
use std::thread;

use super::copy::{MEMORY, Watch, failure};
use super::merge::{Merge, Position, Run, Trouble};
use super::stream::Reading;
use super::{Annotation, Entry, Joseki, JosekiError, JosekiTe, Writer};
use crate::kyokumen::{PackedKyokumen, Te};

/// One of the two books.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first.
    A,
    /// The second.
    B,
}

/// A difference in one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// Only this book has the position, with these moves.
    Position(Side, Vec<Te>),
    /// Only this book has the move.
    Te(Side, Te),
    /// A figure of a move, or of the position itself.
    Figure {
        /// The move.
        te: Option<Te>,
        /// Name of the figure.
        name: &'static str,
        /// What the first book has.
        a: Option<String>,
        /// What the second book has.
        b: Option<String>,
    },
}

/// Differences in numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Positions that only the first, only the second book has.
    pub positions: [u64; 2],
    /// Positions that both have, and in which something differs.
    pub differing: u64,
    /// Positions in which nothing differs.
    pub equal: u64,
    /// Moves that only the first, only the second book has in a position that both have.
    pub moves: [u64; 2],
    /// Figures that differ.
    pub figures: u64,
    /// What can't be read in either book.
    pub lost: u64,
}

/// Compares two books, in an order that is the same for all formats. `tell` hears of each difference with its position.
/// Moves may stand in another order without being a difference.
///
/// # Errors
/// [`JosekiError::Write`] where temporary files can't be written, [`JosekiError::Stopped`] by the one who watches.
pub fn diff(
    books: &[Joseki; 2],
    watch: &dyn Watch,
    tell: &mut dyn FnMut(&PackedKyokumen, &Difference),
) -> Result<Summary, JosekiError> {
    let mut compare = || {
        let sorts = [!is_ordered(&books[0], watch)?, !is_ordered(&books[1], watch)?];
        compare(books, sorts, watch, tell)
    };
    compare().map_err(|trouble| failure(trouble, &std::env::temp_dir()))
}

/// The order in which positions are compared, that of the own format.
fn key(packed: &PackedKyokumen, key: &mut Vec<u8>) {
    key.extend_from_slice(&Writer::sort_key(packed).0.to_be_bytes());
}

/// Whether a book needs no sorting. One that does shows it soon in most cases.
fn is_ordered(book: &Joseki, watch: &dyn Watch) -> Result<bool, Trouble> {
    let reading = Reading::new(None, watch);
    let read = thread::scope(|scope| {
        let mut stream = reading.stream(scope, (0, book), 1);
        stream.begin(&key)?;
        while stream.row().is_some() {
            stream.advance(&key)?;
        }
        Ok(())
    });
    reading.check()?;
    match read {
        Ok(()) => Ok(true),
        Err(Trouble::Unsorted(_)) => Ok(false),
        Err(trouble) => Err(trouble),
    }
}

fn compare(
    books: &[Joseki; 2],
    sorts: [bool; 2],
    watch: &dyn Watch,
    tell: &mut dyn FnMut(&PackedKyokumen, &Difference),
) -> Result<Summary, Trouble> {
    let reading = Reading::new(None, watch);
    let mut runs = [Vec::new(), Vec::new()];
    for (input, book) in books.iter().enumerate().filter(|&(input, _)| sorts[input]) {
        let sorted = reading.sort(&[(input, book)], &key, MEMORY / 2, &std::env::temp_dir())?;
        runs[input].extend(sorted.into_iter().map(Run::Sorted));
    }
    let mut summary = Summary::default();
    thread::scope(|scope| {
        for (input, book) in books.iter().enumerate().filter(|&(input, _)| !sorts[input]) {
            runs[input].push(Run::Book(reading.stream(scope, (input, book), 2)));
        }
        let [a, b] = runs;
        let a = Merge::new(a, false, MEMORY / 8, &key)?;
        let b = Merge::new(b, false, MEMORY / 8, &key)?;
        walk([a, b], &mut summary, &mut || reading.check(), tell)
    })?;
    reading.check()?;
    summary.lost = reading.losses().number;
    Ok(summary)
}

/// Goes through both books side by side.
fn walk(
    [mut a, mut b]: [Merge; 2],
    summary: &mut Summary,
    check: &mut dyn FnMut() -> Result<(), Trouble>,
    tell: &mut dyn FnMut(&PackedKyokumen, &Difference),
) -> Result<(), Trouble> {
    let (mut first, mut second) = (Position::default(), Position::default());
    let (mut more_a, mut more_b) = (a.next(&key, &mut first)?, b.next(&key, &mut second)?);
    for step in 0u64.. {
        if step % 1024 == 0 {
            check()?;
        }
        let order = match (more_a, more_b) {
            (false, false) => break,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (true, true) => (&first.key, first.packed).cmp(&(&second.key, second.packed)),
        };
        match order {
            Ordering::Less => summary.count(&first.packed, &only(Side::A, &first.entry), tell),
            Ordering::Greater => summary.count(&second.packed, &only(Side::B, &second.entry), tell),
            Ordering::Equal => summary.both(&first, &second, tell),
        }
        if order.is_le() {
            more_a = a.next(&key, &mut first)?;
        }
        if order.is_ge() {
            more_b = b.next(&key, &mut second)?;
        }
    }
    Ok(())
}

fn only(side: Side, entry: &Entry) -> Difference {
    Difference::Position(side, entry.moves.iter().map(|te| te.te).collect())
}

impl Summary {
    fn count(
        &mut self,
        packed: &PackedKyokumen,
        difference: &Difference,
        tell: &mut dyn FnMut(&PackedKyokumen, &Difference),
    ) {
        match difference {
            Difference::Position(side, _) => self.positions[*side as usize] += 1,
            Difference::Te(side, _) => self.moves[*side as usize] += 1,
            Difference::Figure { .. } => self.figures += 1,
        }
        tell(packed, difference);
    }

    fn both(&mut self, a: &Position, b: &Position, tell: &mut dyn FnMut(&PackedKyokumen, &Difference)) {
        if a.entry == b.entry {
            self.equal += 1;
            return;
        }
        let differences = differences(&a.entry, &b.entry);
        *if differences.is_empty() { &mut self.equal } else { &mut self.differing } += 1;
        for difference in differences {
            self.count(&a.packed, &difference, tell);
        }
    }

    /// Whether the books say the same.
    pub fn is_equal(&self) -> bool {
        self.positions == [0; 2] && self.differing == 0
    }
}

fn differences(a: &Entry, b: &Entry) -> Vec<Difference> {
    let mut differences = Vec::new();
    let text = |tesu: Option<u32>| tesu.map(|tesu| tesu.to_string());
    let own = [("ply", text(a.tesu), text(b.tesu)), ("comment", a.comment.clone(), b.comment.clone())];
    let own = own.into_iter().filter(|(_, a, b)| a != b);
    differences.extend(own.map(|(name, a, b)| Difference::Figure { te: None, name, a, b }));
    for te in &a.moves {
        let Some(other) = b.moves.iter().find(|other| other.te == te.te) else {
            differences.push(Difference::Te(Side::A, te.te));
            continue;
        };
        if te != other {
            let pairs = figures(te).into_iter().zip(figures(other)).filter(|(a, b)| a != b);
            differences.extend(pairs.map(|((name, a), (_, b))| Difference::Figure { te: Some(te.te), name, a, b }));
        }
    }
    let others = b.moves.iter().filter(|te| a.moves.iter().all(|other| other.te != te.te));
    differences.extend(others.map(|te| Difference::Te(Side::B, te.te)));
    differences
}

fn figures(te: &JosekiTe) -> [(&'static str, Option<String>); 11] {
    fn text(figure: Option<impl ToString>) -> Option<String> {
        figure.map(|figure| figure.to_string())
    }
    [
        ("count", text(te.count)),
        ("wins", text(te.wins)),
        ("draws", text(te.draws)),
        ("losses", text(te.losses)),
        ("value", text(te.value)),
        ("depth", text(te.depth)),
        ("rating", text(te.rating)),
        ("opponent_rating", text(te.opponent_rating)),
        ("ponder", text(te.ponder)),
        ("annotation", text(te.annotation.map(Annotation::name))),
        ("comment", te.comment.clone()),
    ]
}
