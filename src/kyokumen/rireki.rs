//! The history of a game, and sennichite (fourfold repetition).

use super::{Kyokumen, Te};

/// What repetition means for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sennichite {
    /// The game is drawn and played again.
    Draw,
    /// The opponent gave check with every move of the repetition, which loses for him.
    Win,
    /// The side to move gave check with every move of the repetition.
    Loss,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    key: u64,
    oute: bool,
}

/// Keys and checks of all positions of a game, the current one last.
///
/// Two positions with equal 64-bit keys are taken for equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rireki {
    entries: Vec<Entry>,
}

impl Rireki {
    /// A history that starts at this position.
    pub fn new(start: &Kyokumen) -> Rireki {
        let mut rireki = Rireki { entries: Vec::with_capacity(600) };
        rireki.push(start);
        rireki
    }

    /// Adds the position after a move.
    #[inline]
    pub fn push(&mut self, kyokumen: &Kyokumen) {
        self.entries.push(Entry { key: kyokumen.key(), oute: kyokumen.is_oute() });
    }

    /// Removes the newest position; the one that the history started with stays.
    #[inline]
    pub fn pop(&mut self) {
        if self.entries.len() > 1 {
            self.entries.pop();
        }
    }

    /// How many moves were played since the start.
    #[inline]
    pub fn moves(&self) -> usize {
        self.entries.len() - 1
    }

    /// How often the current position has occurred, now included.
    pub fn occurrences(&self) -> usize {
        self.same_as_now(0).count() + 1
    }

    /// The result of sennichite by the rules: `Some` once the current position has occurred four times, judged over the
    /// moves since the first of the last four.
    pub fn sennichite(&self) -> Option<Sennichite> {
        self.repetition(4, 0)
    }

    /// What a repetition would come to that needs only `occurrences` occurrences (2 at the least) of the current
    /// position, looking no further back than the position after `since` moves. A search that goes by 2 sees
    /// repetitions early.
    pub fn repetition(&self, occurrences: usize, since: usize) -> Option<Sennichite> {
        let first = self.same_as_now(since).nth(occurrences.max(2) - 2)?;
        let last = self.entries.len() - 1;
        // Positions after the opponent's moves have the current parity: there the side to move is checked.
        let all_oute = |newest: usize| (first + 1..=newest).rev().step_by(2).all(|index| self.entries[index].oute);
        Some(if all_oute(last) {
            Sennichite::Win
        } else if all_oute(last - 1) {
            Sennichite::Loss
        } else {
            Sennichite::Draw
        })
    }

    /// The earlier places of the current position, newest first.
    fn same_as_now(&self, since: usize) -> impl Iterator<Item = usize> + '_ {
        let last = self.entries.len() - 1;
        let key = self.entries[last].key;
        (since..(last + 1).saturating_sub(4))
            .rev()
            .filter(move |&i| (last - i).is_multiple_of(2) && self.entries[i].key == key)
    }
}

/// A position with the history that led to it: what a `position` command sets up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taikyoku {
    kyokumen: Kyokumen,
    rireki: Rireki,
}

impl Taikyoku {
    /// A game that starts at this position.
    pub fn new(start: Kyokumen) -> Taikyoku {
        Taikyoku { rireki: Rireki::new(&start), kyokumen: start }
    }

    /// The current position.
    pub fn kyokumen(&self) -> &Kyokumen {
        &self.kyokumen
    }

    /// The history up to the current position.
    pub fn rireki(&self) -> &Rireki {
        &self.rireki
    }

    /// Plays a move if it is legal; says whether it was.
    #[must_use]
    pub fn play(&mut self, te: Te) -> bool {
        let legal = self.kyokumen.is_legal(te);
        if legal {
            self.kyokumen.do_te(te);
            self.rireki.push(&self.kyokumen);
        }
        legal
    }
}

impl Default for Taikyoku {
    fn default() -> Taikyoku {
        Taikyoku::new(Kyokumen::hirate())
    }
}
