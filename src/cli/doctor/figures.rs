//! What a book has to offer to the engine.

use komadai::joseki::{Joseki, Probe, Selection};
use komadai::kyokumen::Kyokumen;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// So many positions from the beginning of a book are tried, and further on ever fewer.
const TRIED_AT_FIRST: u64 = 16;

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

/// Why the known moves are not played, as the engine says it.
pub fn refusal(probe: &Probe) -> Option<String> {
    probe.notes.iter().find(|note| note.contains("none played")).cloned()
}
