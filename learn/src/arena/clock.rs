//! How long each side may think.

use std::time::Duration;

use komadai::kyokumen::Teban;

/// What a match gives its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// For the whole game.
    pub time: Duration,
    /// For each move beyond that.
    pub byoyomi: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Instead of all that, so many nodes.
    pub nodes: Option<u64>,
}

/// Both clocks in a game.
pub struct Clock {
    pace: Pace,
    left: [Duration; 2],
}

impl Clock {
    pub fn new(pace: Pace) -> Clock {
        Clock { pace, left: [pace.time; 2] }
    }

    /// What stands behind the `go` that lets the side to move think.
    pub fn limits(&self) -> String {
        let Pace { byoyomi, increment, nodes, .. } = self.pace;
        let [sente, gote] = self.left.map(|left| left.as_millis());
        match nodes {
            Some(nodes) => format!("nodes {nodes}"),
            None if increment.is_zero() => {
                format!("btime {sente} wtime {gote} byoyomi {}", byoyomi.as_millis())
            }
            None => format!("btime {sente} wtime {gote} binc {0} winc {0}", increment.as_millis()),
        }
    }

    /// What a side may take for a move; without a clock, any time.
    pub fn allowed(&self, teban: Teban) -> Option<Duration> {
        self.pace.nodes.is_none().then(|| self.left[teban.index()] + self.pace.byoyomi)
    }

    /// A move took so long: says by how much it was late.
    pub fn pass(&mut self, teban: Teban, took: Duration) -> Duration {
        let late = self.allowed(teban).map_or(Duration::ZERO, |allowed| took.saturating_sub(allowed));
        let left = &mut self.left[teban.index()];
        *left = left.saturating_sub(took) + self.pace.increment;
        late
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(time: u64, byoyomi: u64, increment: u64) -> Pace {
        let [time, byoyomi, increment] = [time, byoyomi, increment].map(Duration::from_millis);
        Pace { time, byoyomi, increment, nodes: None }
    }

    #[test]
    fn increments_are_added_and_byoyomi_is_not_used_up() {
        let mut clock = Clock::new(pace(1_000, 0, 10));
        assert_eq!(clock.pass(Teban::Gote, Duration::from_millis(400)), Duration::ZERO);
        assert_eq!(clock.limits(), "btime 1000 wtime 610 binc 10 winc 10");
        assert_eq!(clock.pass(Teban::Gote, Duration::from_millis(700)), Duration::from_millis(90));
        let mut clock = Clock::new(pace(0, 100, 0));
        for _ in 0..3 {
            assert_eq!(clock.pass(Teban::Sente, Duration::from_millis(99)), Duration::ZERO);
        }
        assert_eq!(clock.limits(), "btime 0 wtime 0 byoyomi 100");
        assert_eq!(clock.pass(Teban::Sente, Duration::from_millis(103)), Duration::from_millis(3));
    }
}
