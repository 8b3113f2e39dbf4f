//! What a probe found.

use crate::kyokumen::Te;

use super::JosekiTe;

/// A legal move that the book knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The move with its figures.
    pub te: JosekiTe,
    /// The move, then the book's continuation; every move is legal.
    pub pv: Vec<Te>,
    /// Whether the rules allow it to be played.
    pub playable: bool,
}

/// What the books say about a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Probe {
    /// The legal moves known, in the book's order. Empty for a miss.
    pub candidates: Vec<Candidate>,
    /// Index of the candidate to play; `None` for a miss, or where the rules allow none.
    pub chosen: Option<usize>,
    /// Name of the book that answered; empty for a miss.
    pub source: String,
    /// What the user should know, in ASCII sentences without `joseki:` before them: why none is played, which entries
    /// are illegal.
    pub notes: Vec<String>,
}

impl Probe {
    /// The move to play and the reply to expect: the stored one, else the first book move of the next position.
    pub fn answer(&self) -> Option<(Te, Option<Te>)> {
        let candidate = self.candidates.get(self.chosen?)?;
        Some((candidate.te.te, candidate.pv.get(1).copied()))
    }

    /// The chosen move in a sentence: `7g7f 20 of 50 (40.0%) from standard.joseki`; `7g7f (no count) from FILE` where
    /// the move has no count.
    pub fn summary(&self) -> Option<String> {
        let te = &self.candidates.get(self.chosen?)?.te;
        let Some(count) = te.known_count() else {
            return Some(format!("{} (no count) from {}", te.te, self.source));
        };
        let total: u128 =
            self.candidates.iter().filter_map(|candidate| candidate.te.known_count()).map(u128::from).sum();
        let share = count as f64 * 100.0 / total as f64;
        Some(format!("{} {count} of {total} ({share:.1}%) from {}", te.te, self.source))
    }
}
