//! What a book has to offer to the engine.

use komadai::joseki::{Joseki, Probe, Selection, Verdict};
use komadai::kyokumen::Kyokumen;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// So many positions from the beginning of a book are tried, and further on ever fewer.
const TRIED_AT_FIRST: u64 = 16;

/// So many positions are checked, and no more, lest a book of millions keep its user waiting.
const CHECKED: u64 = 500_000;

/// Figures of one book.
pub struct Figures {
    pub positions: u64,
    pub moves: u64,
    /// Moves of which the count is known.
    pub counts: u64,
    /// Moves of which the value is known.
    pub values: u64,
    /// What the engine would do at the start, asked in this book alone.
    pub start: Probe,
    /// Positions of the book that were tried as the engine would, those of them in which a move is played, and those
    /// that a book before this one knows.
    pub tried: u64,
    pub played: u64,
    pub known_before: u64,
    /// Why none was played where that was tried last.
    pub refusal: Option<String>,
    /// What a check of the positions found, and the first fault.
    pub verdict: Verdict,
    pub first_fault: Option<String>,
    /// What was odd about the file.
    pub warnings: Vec<String>,
}

impl Figures {
    /// Reads all of a book; `before` are those that are asked before it.
    pub fn of(book: &Joseki, before: &[&Joseki], selection: &Selection) -> Figures {
        // What is passed over at random says nothing about the book.
        let selection = Selection { ignore_rate: 0, ..*selection };
        let probe = |kyokumen: &Kyokumen| {
            selection.probe(std::slice::from_ref(book), kyokumen, &mut ChaCha8Rng::seed_from_u64(0))
        };
        book.settle();
        let (verdict, first_fault) = check(book, CHECKED);
        let mut figures = Figures {
            positions: 0,
            moves: 0,
            counts: 0,
            values: 0,
            start: probe(&Kyokumen::hirate()),
            tried: 0,
            played: 0,
            known_before: 0,
            refusal: None,
            verdict,
            first_fault,
            warnings: book.warnings().iter().cloned().chain(book.late_warnings()).collect(),
        };
        for record in book.records() {
            let index = figures.positions;
            figures.positions += 1;
            figures.moves += record.entry.moves.len() as u64;
            for te in &record.entry.moves {
                figures.counts += u64::from(te.known_count().is_some());
                figures.values += u64::from(te.known_value().is_some());
            }
            if let Some(kyokumen) = record.kyokumen.filter(|_| index < TRIED_AT_FIRST || index.is_power_of_two()) {
                figures.take(probe(&kyokumen), before.iter().any(|book| book.lookup(&kyokumen).is_some()));
            }
        }
        figures
    }

    /// How much of the book was checked, in words.
    pub fn checked(&self) -> String {
        match self.verdict {
            Verdict { partial: false, .. } => "all of it was checked".to_owned(),
            Verdict { positions, .. } => {
                format!("only the first {positions} positions were checked; `komadai joseki verify` checks all")
            }
        }
    }

    fn take(&mut self, probe: Probe, known_before: bool) {
        if probe.candidates.is_empty() {
            return;
        }
        self.tried += 1;
        self.known_before += u64::from(known_before);
        match probe.chosen {
            Some(_) => self.played += 1,
            None => self.refusal = refusal(&probe),
        }
    }
}

/// Looks for faults in the first positions of a book.
fn check(book: &Joseki, most: u64) -> (Verdict, Option<String>) {
    let mut first = None;
    let verdict = book.verify_first(most, &mut |fault| {
        first.get_or_insert_with(|| fault.to_owned());
    });
    (verdict, first)
}

/// Why the known moves are not played, as the engine says it.
pub fn refusal(probe: &Probe) -> Option<String> {
    probe.notes.iter().find(|note| note.contains("none played")).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_large_book_only_a_part_is_checked_and_that_is_said() {
        let book = Joseki::standard().unwrap();
        let mut figures = Figures::of(&book, &[], &Selection::default());
        assert_eq!(figures.checked(), "all of it was checked");
        assert_eq!(figures.verdict.positions, figures.positions);
        for (most, partial) in [(100, true), (figures.positions - 1, true), (figures.positions, false)] {
            let (verdict, fault) = check(&book, most);
            assert_eq!((verdict.positions, verdict.partial, fault), (most, partial, None));
            figures.verdict = verdict;
            assert_eq!(figures.checked().starts_with(&format!("only the first {most} positions")), partial);
        }
    }
}
