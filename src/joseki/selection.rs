//! The rules by which a book move is chosen.

use std::cmp::Reverse;

use rand::Rng;

use super::shelf::Shelf;
use super::{Candidate, Joseki, JosekiTe, Probe, draw};
use crate::kyokumen::{Kyokumen, Te, Tesu};

/// How one of the playable moves is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Select {
    /// At random, in proportion to the counts.
    #[default]
    Count,
    /// The highest count; of equals the higher value, then the first.
    Best,
    /// The highest value one ply ahead, equal ones at random.
    Value,
}

/// The rules of a choice. The default plays everything, by count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// How a move is chosen.
    pub select: Select,
    /// The book is used up to this ply.
    pub max_tesu: Tesu,
    /// Moves seen less often are not played; a move without a count is exempt.
    pub min_count: u64,
    /// Percentage of the position's games that a move needs; a move without a count is exempt.
    pub min_share: u32,
    /// Largest loss, in centipawns, against the best valued move.
    pub eval_diff: i32,
    /// Percentage of positions in which the book is passed over.
    pub ignore_rate: u32,
    /// Whether a miss also looks up the position turned by 180 degrees with the sides swapped.
    pub mirror: bool,
}

impl Default for Selection {
    fn default() -> Selection {
        Selection {
            select: Select::Count,
            max_tesu: 10_000,
            min_count: 1,
            min_share: 0,
            eval_diff: 50,
            ignore_rate: 0,
            mirror: true,
        }
    }
}

impl Selection {
    /// Looks a position up in the books, of which the first that knows a legal move counts, and chooses a move.
    ///
    /// The random source is used only where something is left to chance.
    pub fn probe(&self, books: &[Joseki], kyokumen: &Kyokumen, rng: &mut dyn Rng) -> Probe {
        let shelf = Shelf { books, mirror: self.mirror };
        let mut notes = Vec::new();
        let found = shelf.find(kyokumen, &mut |source, moves| notes.push(illegal(source, moves)));
        let (mut moves, mut source) = found.map_or((Vec::new(), ""), |found| (found.moves, found.source));
        if self.select == Select::Value && kyokumen.tesu() <= self.max_tesu {
            look_ahead(&shelf, kyokumen, &mut moves, &mut source);
        }
        let refused = if moves.is_empty() { None } else { self.passes_over(kyokumen, rng) };
        let verdicts: Vec<Option<Fault>> = match refused {
            Some(_) => vec![Some(Fault::PassedOver); moves.len()],
            None => self.judge(&moves),
        };
        let mut chosen = None;
        if refused.is_none() && verdicts.iter().any(Option::is_none) {
            chosen = self.choose(&moves, &verdicts, rng, &mut notes);
        }
        if chosen.is_none() && !moves.is_empty() {
            let reason = refused.unwrap_or_else(|| self.reasons(&verdicts));
            notes.push(format!("{} known, none played: {reason}", number_of_moves(moves.len())));
        }
        let candidates = moves.into_iter().zip(verdicts).map(|(te, verdict)| Candidate {
            pv: shelf.continuation(kyokumen, &te),
            playable: verdict.is_none(),
            te,
        });
        Probe { candidates: candidates.collect(), chosen, source: source.to_owned(), notes }
    }

    /// Why the book is not used in this position at all.
    fn passes_over(&self, kyokumen: &Kyokumen, rng: &mut dyn Rng) -> Option<String> {
        if kyokumen.tesu() > self.max_tesu {
            return Some(format!("ply {} is past the limit of {}", kyokumen.tesu(), self.max_tesu));
        }
        let rate = self.ignore_rate;
        (rate > 0 && draw::below(rng, 100) < u128::from(rate))
            .then(|| format!("passed over at random, as {rate}% of positions"))
    }

    /// What speaks against each move.
    fn judge(&self, moves: &[JosekiTe]) -> Vec<Option<Fault>> {
        let total: u128 = moves.iter().filter_map(JosekiTe::known_count).map(u128::from).sum();
        let best = moves.iter().filter_map(JosekiTe::known_value).max();
        let judge = |te: &JosekiTe| {
            if let Some(count) = te.known_count() {
                if count < self.min_count {
                    return Some(Fault::Rare);
                }
                if u128::from(count) * 100 < u128::from(self.min_share) * total {
                    return Some(Fault::SmallShare);
                }
            }
            match (te.known_value(), best) {
                (Some(value), Some(best)) if i64::from(value) < i64::from(best) - i64::from(self.eval_diff) => {
                    Some(Fault::LowValue)
                }
                (None, Some(_)) if total == 0 => Some(Fault::NoValue),
                _ => None,
            }
        };
        moves.iter().map(judge).collect()
    }

    fn choose(
        &self,
        moves: &[JosekiTe],
        verdicts: &[Option<Fault>],
        rng: &mut dyn Rng,
        notes: &mut Vec<String>,
    ) -> Option<usize> {
        let playable = || (0..moves.len()).filter(|&index| verdicts[index].is_none());
        match self.select {
            Select::Best => {
                let rank = |index: &usize| (moves[*index].known_count(), moves[*index].known_value(), Reverse(*index));
                playable().max_by_key(rank)
            }
            Select::Value => {
                let valued = playable().filter_map(|index| Some((index, moves[index].known_value()?)));
                choose_highest(valued, rng).or_else(|| {
                    notes.push("no move is valued, chosen by count".to_owned());
                    choose_by_count(moves, playable(), rng)
                })
            }
            Select::Count => choose_by_count(moves, playable(), rng),
        }
    }

    fn reasons(&self, verdicts: &[Option<Fault>]) -> String {
        let number = |fault: Fault| verdicts.iter().filter(|&&verdict| verdict == Some(fault)).count();
        let faults = [
            (number(Fault::Rare), format!("seen less than {} times", self.min_count)),
            (number(Fault::SmallShare), format!("below {}% of the games", self.min_share)),
            (number(Fault::LowValue), format!("more than {} below the best value", self.eval_diff)),
            (number(Fault::NoValue), "without a value".to_owned()),
            (verdicts.iter().filter(|verdict| verdict.is_none()).count(), "without a count".to_owned()),
        ];
        let named = faults.into_iter().filter(|&(number, _)| number > 0);
        named.map(|(number, fault)| format!("{number} {fault}")).collect::<Vec<_>>().join(", ")
    }
}

/// What speaks against playing a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    PassedOver,
    Rare,
    SmallShare,
    LowValue,
    NoValue,
}

/// Gives each move what it is worth one ply ahead in place of its own value, where that is known. Legal moves that the
/// position's entry lacks, but that lead to a valued position, join the moves.
fn look_ahead<'a>(shelf: &Shelf<'a>, kyokumen: &Kyokumen, moves: &mut Vec<JosekiTe>, source: &mut &'a str) {
    for te in moves.iter_mut() {
        te.value = shelf.worth_after(kyokumen, te.te).map(|(worth, _)| worth).or(te.value);
    }
    for te in kyokumen.legal_te() {
        if moves.iter().any(|known| known.te == te) {
            continue;
        }
        if let Some((worth, file)) = shelf.worth_after(kyokumen, te) {
            *source = if moves.is_empty() { file } else { source };
            moves.push(JosekiTe { value: Some(worth), ..JosekiTe::new(te) });
        }
    }
}

/// One pass over the playable moves: each replaces the choice so far with the probability that its weight has in the
/// sum of the weights up to it, which makes every move as likely as its weight says.
fn choose_by_count(moves: &[JosekiTe], playable: impl Iterator<Item = usize>, rng: &mut dyn Rng) -> Option<usize> {
    // Moves without a count have no chance beside counted ones, and equal chances among themselves.
    let uncounted = if moves.iter().any(|te| te.known_count().is_some()) { 0 } else { 1 };
    let (mut sum, mut chosen) = (0, None);
    for index in playable {
        let weight = u128::from(moves[index].known_count().unwrap_or(uncounted));
        sum += weight;
        if weight > 0 && (weight == sum || draw::below(rng, sum) < weight) {
            chosen = Some(index);
        }
    }
    chosen
}

/// One pass that keeps the highest; the k-th of equals replaces the choice with probability 1/k.
fn choose_highest(valued: impl Iterator<Item = (usize, i32)>, rng: &mut dyn Rng) -> Option<usize> {
    let mut best: Option<(i32, usize)> = None;
    let mut equals = 0;
    for (index, value) in valued {
        equals = match best {
            Some((highest, _)) if value < highest => continue,
            Some((highest, _)) if value == highest => equals + 1,
            _ => 1,
        };
        if equals == 1 || draw::below(rng, equals) == 0 {
            best = Some((value, index));
        }
    }
    best.map(|(_, index)| index)
}

fn number_of_moves(number: usize) -> String {
    if number == 1 { "1 move".to_owned() } else { format!("{number} moves") }
}

fn illegal(source: &str, moves: &[Te]) -> String {
    let names: Vec<String> = moves.iter().take(10).map(Te::to_string).collect();
    let more = if moves.len() > names.len() { " ..." } else { "" };
    format!("{} of {source} not legal here: {}{more}", number_of_moves(moves.len()), names.join(" "))
}
