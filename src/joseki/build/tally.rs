//! Figures of a move in a position.

use super::contribution::Contribution;
use crate::joseki::{JosekiTe, Rated};
use crate::kyokumen::{Te, Teban, Tesu};

/// Figures of a move in a position, added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) count: u64,
    /// Games won, drawn, lost by the mover.
    results: [u64; 3],
    /// Sum and number of the known ratings of movers, of opponents.
    ratings: [(u64, u64); 2],
    pub(super) tesu: Tesu,
}

impl Tally {
    /// Of one move of a game.
    pub(super) fn of(game: &Contribution, teban: Teban, tesu: Tesu) -> Tally {
        let result = match (game.winner, game.ending) {
            (Some(winner), _) => Some(if winner == teban { 0 } else { 2 }),
            (None, Some(ending)) if ending.is_draw() => Some(1),
            _ => None,
        };
        let rating = |teban: Teban| game.ratings[teban].map_or((0, 0), |rating| (u64::from(rating), 1));
        let results = std::array::from_fn(|index| u64::from(result == Some(index)));
        Tally { count: 1, results, ratings: [rating(teban), rating(!teban)], tesu }
    }

    /// Of one move of a variation, which nobody played.
    pub(super) fn of_variation(tesu: Tesu) -> Tally {
        Tally { count: 1, tesu, ..Tally::default() }
    }

    pub(super) fn add(&mut self, other: &Tally) {
        self.count += other.count;
        for (sum, more) in self.results.iter_mut().zip(other.results) {
            *sum += more;
        }
        for (sum, more) in self.ratings.iter_mut().zip(other.ratings) {
            *sum = (sum.0 + more.0, sum.1 + more.1);
        }
        self.tesu = self.tesu.min(other.tesu);
    }

    /// The move as it stands in the book; `exact` keeps what makes means of ratings exact.
    pub(super) fn to_te(self, te: Te, exact: bool) -> JosekiTe {
        // Where no game has a result, nothing is known of them; else an unknown one only lacks in the sum.
        let result = |index: usize| (self.results != [0; 3]).then_some(self.results[index]);
        let [own, opponent] = self.ratings.map(|(sum, number)| Rated::mean(sum.into(), number));
        let rated = |mean: Option<(u32, Rated)>| mean.map(|(_, rated)| rated).filter(|_| exact);
        let mut te = JosekiTe {
            count: Some(self.count),
            wins: result(0),
            draws: result(1),
            losses: result(2),
            rating: own.map(|(mean, _)| mean),
            opponent_rating: opponent.map(|(mean, _)| mean),
            rated: rated(own),
            opponent_rated: rated(opponent),
            ..JosekiTe::new(te)
        };
        te.drop_implied();
        te
    }

    fn numbers(&self) -> [u64; 9] {
        let [(a, b), (c, d)] = self.ratings;
        let [wins, draws, losses] = self.results;
        [self.count, self.tesu.into(), wins, draws, losses, a, b, c, d]
    }

    /// Appends it as bytes, seven bits each, the highest bit set where more of a number follow.
    pub(super) fn encode(&self, bytes: &mut Vec<u8>) {
        for mut number in self.numbers() {
            while number >= 128 {
                bytes.push(number as u8 | 128);
                number >>= 7;
            }
            bytes.push(number as u8);
        }
    }

    /// Reads what [`Tally::encode`] wrote.
    pub(super) fn decode(bytes: &[u8]) -> Tally {
        let mut bytes = bytes.iter();
        let mut number = || {
            let (mut number, mut shift) = (0, 0);
            for &byte in bytes.by_ref() {
                number |= u64::from(byte & 127) << shift;
                shift += 7;
                if byte < 128 {
                    break;
                }
            }
            number
        };
        let [count, tesu, wins, draws, losses, a, b, c, d] = std::array::from_fn(|_| number());
        Tally { count, tesu: tesu as Tesu, results: [wins, draws, losses], ratings: [(a, b), (c, d)] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_back_is_what_was_written() {
        let tally =
            Tally { count: u64::MAX, results: [0, 127, 128], ratings: [(1 << 40, 3), (0, 1 << 62)], tesu: Tesu::MAX };
        let mut bytes = Vec::new();
        tally.encode(&mut bytes);
        assert_eq!(Tally::decode(&bytes), tally);
    }

    #[test]
    fn means_are_rounded_to_the_nearest_and_the_rest_is_kept_where_it_is_asked_for() {
        let tally = Tally { count: 4, ratings: [(5002, 3), (0, 0)], tesu: 1, ..Tally::default() };
        let te = tally.to_te("7g7f".parse().unwrap(), true);
        assert_eq!((te.rating, te.rated), (Some(1667), Some(Rated { number: 3, rest: 1 })));
        assert_eq!((te.opponent_rating, te.opponent_rated), (None, None));
        assert_eq!(tally.to_te("7g7f".parse().unwrap(), false).rated, None);
        let whole = Tally { count: 3, ratings: [(5001, 3), (0, 0)], tesu: 1, ..Tally::default() };
        assert_eq!(whole.to_te("7g7f".parse().unwrap(), true).rated, None, "the count tells as much");
    }
}
