//! Mean ratings that can be added up.

use super::JosekiTe;

/// What a mean rating leaves out: of how many ratings it is the mean, and how much their sum is more than so many times
/// the mean. With it the means of several books make the mean that one book of all games has.
///
/// Where it is `None` beside a known mean and a known count, every game counted has a rating and nothing is left over;
/// or more is not known, and a mean of such means is not exact to the last digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rated {
    /// How many ratings.
    pub number: u64,
    /// Their sum less `number` times the mean.
    pub rest: i64,
}

/// A sum of ratings, and their number.
type Sum = (i128, u64);

impl Rated {
    /// The mean, rounded, and what it leaves out; `None` of no ratings.
    pub(super) fn mean(sum: i128, number: u64) -> Option<(u32, Rated)> {
        let mean = (sum + i128::from(number / 2)).checked_div(number.into())?;
        let mean = mean.clamp(0, u32::MAX.into()) as u32;
        let rest = sum - i128::from(mean) * i128::from(number);
        Some((mean, Rated { number, rest: rest.clamp(i64::MIN.into(), i64::MAX.into()) as i64 }))
    }

    /// Whether a mean without this would say the same beside a count.
    fn is_implied(self, count: Option<u64>) -> bool {
        self.rest == 0 && Some(self.number) == count
    }
}

/// The sum behind a mean. Without a word on how many ratings these are, it is as many as the count.
fn sum(mean: u32, rated: Option<Rated>, count: Option<u64>) -> Option<Sum> {
    let rated = rated.or(count.map(|number| Rated { number, rest: 0 })).filter(|rated| rated.number > 0)?;
    Some((i128::from(mean) * i128::from(rated.number) + i128::from(rated.rest), rated.number))
}

/// The mean of what two books have of a move: means, what they leave out, counts. Where one of the means has no weight,
/// the later one stays.
pub(super) fn merged(
    means: [Option<u32>; 2],
    rated: [Option<Rated>; 2],
    counts: [Option<u64>; 2],
) -> (Option<u32>, Option<Rated>) {
    let sums = [0, 1].map(|book| means[book].map(|mean| sum(mean, rated[book], counts[book])));
    let all = match sums {
        [Some(Some(a)), Some(Some(b))] => Some((a.0 + b.0, a.1.saturating_add(b.1))),
        [Some(Some(a)), None] | [None, Some(Some(a))] => Some(a),
        _ => None,
    };
    match all.and_then(|(sum, number)| Rated::mean(sum, number)) {
        Some((mean, rated)) => (Some(mean), Some(rated)),
        None => (means[1].or(means[0]), None),
    }
}

impl JosekiTe {
    /// Leaves out what the count says as well.
    pub(super) fn drop_implied(&mut self) {
        self.rated = self.rated.filter(|rated| !rated.is_implied(self.count));
        self.opponent_rated = self.opponent_rated.filter(|rated| !rated.is_implied(self.count));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    /// A move of games with these ratings.
    fn of(ratings: &[Option<u32>]) -> JosekiTe {
        let known = || ratings.iter().flatten();
        let mean = Rated::mean(known().map(|&rating| i128::from(rating)).sum(), known().count() as u64);
        let mut te = JosekiTe::new("7g7f".parse().unwrap());
        te.count = Some(ratings.len() as u64);
        (te.rating, te.rated) = mean.unzip();
        te.drop_implied();
        te
    }

    #[test]
    fn means_of_parts_make_the_mean_of_all_in_any_order() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(3);
        for _ in 0..500 {
            let mut rating = || (rng.random_range(0..4) > 0).then(|| rng.random_range(0..4000));
            let ratings: Vec<Option<u32>> = (0..9).map(|_| rating()).collect();
            let (a, rest) = ratings.split_at(rng.random_range(0..4));
            let (b, c) = rest.split_at(rng.random_range(0..4));
            let parts = [of(a), of(b), of(c)];
            for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
                let [mut all, second, third] = order.map(|part: usize| parts[part].clone());
                all.merge(second);
                all.merge(third);
                assert_eq!(all, of(&ratings), "{ratings:?} {order:?}");
            }
        }
    }

    #[test]
    fn means_that_have_no_weight_are_replaced_by_the_later_one() {
        assert_eq!(merged([Some(1), Some(5)], [None; 2], [None, Some(3)]), (Some(5), None));
        assert_eq!(merged([Some(1), None], [None; 2], [None, Some(3)]), (Some(1), None));
        assert_eq!(merged([Some(1), Some(4)], [None; 2], [Some(2), Some(1)]).0, Some(2), "weighed by the counts");
        let odd = Some(Rated { number: u64::MAX, rest: i64::MIN });
        assert_eq!(merged([Some(7), Some(7)], [odd; 2], [None; 2]).0, Some(13), "whatever a damaged book says");
    }
}
