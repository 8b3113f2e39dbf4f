//! What a match says about strength.

/// Wins, draws and losses.
#[derive(Clone, Copy, Default)]
pub struct Score {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Score {
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The difference in Elo, and the ends of its 95 % interval, by the normal approximation.
    pub fn elo(&self) -> [f64; 3] {
        let games = self.games().max(1) as f64;
        let mean = (self.wins as f64 + self.draws as f64 / 2.0) / games;
        let square = (self.wins as f64 + self.draws as f64 / 4.0) / games;
        let margin = 1.96 * ((square - mean * mean).max(0.0) / games).sqrt();
        [mean, mean - margin, mean + margin].map(|share| {
            let share = share.clamp(1e-3, 1.0 - 1e-3);
            -400.0 * (1.0 / share - 1.0).log10()
        })
    }
}

/// How much more likely a score is with the second difference in Elo than with the first, as a logarithm; by the normal
/// approximation.
pub fn likelihood(score: &Score, [low, high]: [f64; 2]) -> f64 {
    // Half a game of each kind more, so that a score without losses says something, too.
    let [wins, draws] = [score.wins, score.draws].map(|count| count as f64 + 0.5);
    let games = score.games() as f64 + 1.5;
    let mean = (wins + draws / 2.0) / games;
    let variance = (wins + draws / 4.0) / games - mean * mean;
    if score.games() < 10 {
        return 0.0;
    }
    let [low, high] = [low, high].map(|elo| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0)));
    games * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_wins_of_four_are_191_elo() {
        let [elo, low, high] = Score { wins: 75, draws: 0, losses: 25 }.elo();
        assert!((elo - 190.8).abs() < 0.1 && low < 130.0 && high > 260.0, "{elo} {low} {high}");
        assert_eq!(Score { wins: 10, draws: 3, losses: 10 }.elo()[0].abs(), 0.0);
    }

    #[test]
    fn clear_scores_settle_and_even_ones_speak_for_the_middle() {
        let of = |wins, losses| likelihood(&Score { wins, draws: 0, losses }, [0.0, 20.0]);
        assert!(of(300, 200) > 3.0 && of(200, 300) < -3.0, "{} {}", of(300, 200), of(200, 300));
        // 10 Elo of 1,000 games are 28 more won than lost.
        assert!(of(514, 486).abs() < 0.1, "{}", of(514, 486));
        assert_eq!(of(9, 0), 0.0);
    }
}
