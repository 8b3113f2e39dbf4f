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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_wins_of_four_are_191_elo() {
        let [elo, low, high] = Score { wins: 75, draws: 0, losses: 25 }.elo();
        assert!((elo - 190.8).abs() < 0.1 && low < 130.0 && high > 260.0, "{elo} {low} {high}");
        assert_eq!(Score { wins: 10, draws: 3, losses: 10 }.elo()[0].abs(), 0.0);
    }
}
