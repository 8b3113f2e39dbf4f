//! Playing below full strength: less search, and not always the best move.

use rand::Rng;

use super::Config;
use super::value::Value;

/// The level of full strength.
const FULL: u32 = 20;

/// How a level below the full one plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Skill {
    /// Positions that it looks at.
    pub(super) nodes: u64,
    /// Moves among which it chooses.
    pub(super) lines: usize,
    /// A move this much worse than the best is not played any more, in centipawns.
    margin: Value,
}

impl Skill {
    /// `None` for full strength.
    pub(super) fn of(config: &Config) -> Option<Skill> {
        let below = FULL.saturating_sub(config.skill_level);
        // 566 is 400 times the root of 2, so that each level looks at more than the one before. The square makes the
        // steps between weak levels large.
        (below > 0).then(|| Skill {
            nodes: [400, 566][config.skill_level as usize % 2] << (config.skill_level / 2),
            lines: 2 + below as usize / 3,
            margin: 2 * (below * below) as Value,
        })
    }

    /// Chooses among lines by their values, the best first: the worse a move is, the less likely.
    pub(super) fn choose(&self, values: &[Value], rng: &mut dyn Rng) -> usize {
        let best = values.first().copied().unwrap_or_default();
        let weights = values.iter().map(|value| (self.margin - (best - value)).max(0) as u64);
        let total: u64 = weights.clone().sum();
        let mut draw = rng.next_u64() % total.max(1);
        for (index, weight) in weights.enumerate() {
            if draw < weight {
                return index;
            }
            draw -= weight;
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn skill(level: u32) -> Option<Skill> {
        Skill::of(&Config { skill_level: level, ..Config::default() })
    }

    #[test]
    fn level_20_is_the_full_strength_and_every_other_one_has_less_than_the_next() {
        assert_eq!(skill(20), None);
        let weak: Vec<Skill> = (0..20).filter_map(skill).collect();
        assert_eq!(weak.len(), 20);
        assert!(weak.windows(2).all(|pair| pair[0].nodes < pair[1].nodes
            && pair[0].lines >= pair[1].lines
            && pair[0].margin > pair[1].margin));
    }

    #[test]
    fn worse_moves_are_chosen_less_often_and_bad_ones_never() {
        let skill = skill(10).unwrap();
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut counts = [0; 4];
        for _ in 0..4_000 {
            counts[skill.choose(&[50, 0, -50, -151], &mut rng)] += 1;
        }
        assert!(counts[0] > counts[1] && counts[1] > counts[2] && counts[2] > 0, "{counts:?}");
        assert_eq!(counts[3], 0);
        assert_eq!(skill.choose(&[], &mut rng), 0);
    }
}
