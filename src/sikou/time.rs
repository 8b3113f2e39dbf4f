//! How long to think.
//!
//! [`budget`] turns clocks into two durations by pure arithmetic; [`Timer`] holds a search to them.

use std::time::{Duration, Instant};

use super::{Clocks, Config, Limits, StopSignal};
use crate::kyokumen::Teban;

/// Time for one move, from the moment that the clock began to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    /// Begin nothing new after this.
    pub(super) soft: Duration,
    /// Answer now.
    pub(super) hard: Duration,
}

impl Budget {
    /// When to begin nothing new, if a move deserves so much of the usual time. Where nothing is saved by thinking
    /// less, it takes all.
    fn soft_by(&self, percent: u32, least: Duration) -> Duration {
        if self.soft == self.hard {
            self.hard
        } else {
            (self.soft.saturating_mul(percent) / 100).max(least).min(self.hard)
        }
    }
}

/// Into how many moves the time on the clock is divided.
const MOVES_TO_GO: u32 = 35;
/// How many shares a move may take to finish what it has begun.
const OVERDRAFT: u32 = 3;

/// What the first iteration may take beyond its time.
const GRACE: Duration = Duration::from_millis(5);

/// The time for one move of `teban`; `None` where his clock sets no limit.
///
/// An increment may or may not be contained in the time that a GUI tells, so only the greater of the two is relied on.
pub(super) fn budget(clocks: &Clocks, teban: Teban, config: &Config) -> Option<Budget> {
    let (time, increment, byoyomi) = (clocks.time[teban], clocks.increment[teban], clocks.byoyomi);
    if time.is_none() && increment.is_none() && byoyomi.is_none() {
        return None;
    }
    let [time, increment, byoyomi] = [time, increment, byoyomi].map(Option::unwrap_or_default);
    let usable = keep_back(time.max(increment).saturating_add(byoyomi), config);
    let share = time / MOVES_TO_GO;
    let every_move = (increment.saturating_mul(4) / 5).saturating_add(byoyomi);
    let (soft, hard) = if !byoyomi.is_zero() && time <= byoyomi {
        // Nothing is saved by thinking less.
        (usable, usable)
    } else {
        // An iteration takes about as long as all before it, so the last one begins at half the time.
        (share.saturating_add(every_move) / 2, share.saturating_mul(OVERDRAFT).saturating_add(every_move))
    };
    let least = config.minimum_thinking_time;
    Some(Budget { soft: soft.max(least).min(usable), hard: hard.max(least).min(usable) })
}

/// What is left of a time after the way to the GUI and back; of short times the half, for lack of anything better.
fn keep_back(available: Duration, config: &Config) -> Duration {
    available - config.network_delay.min(available / 2)
}

/// Holds a search to its limits in time and to the stop signal; of limits in depth and nodes it knows nothing.
///
/// A search that deepens step by step asks [`must_stop`](Timer::must_stop) every millisecond or so, and
/// [`is_enough`](Timer::is_enough) after each step. Pondering, hits with clocks of their own, infinite searches, times
/// for the move, increments and byoyomi, and the options `NetworkDelay` and `MinimumThinkingTime` are all dealt with
/// here. [`Task::timer`](super::Task::timer) makes one.
#[derive(Debug)]
pub struct Timer<'a> {
    limits: &'a Limits,
    config: &'a Config,
    stop: &'a StopSignal,
    teban: Teban,
    /// When the own clock began to run; `None` while pondering.
    start: Option<Instant>,
    /// `None` without limit, and while pondering.
    budget: Option<Budget>,
}

impl<'a> Timer<'a> {
    /// The timer for a task of which `teban` is the side to move.
    pub fn new(limits: &'a Limits, config: &'a Config, stop: &'a StopSignal, teban: Teban) -> Timer<'a> {
        let mut timer = Timer { limits, config, stop, teban, start: None, budget: None };
        if !limits.ponder {
            timer.start_clock(limits.received, &limits.clocks);
        }
        timer
    }

    fn start_clock(&mut self, start: Instant, clocks: &Clocks) {
        self.start = Some(start);
        let by_clock = budget(clocks, self.teban, self.config);
        self.budget = match self.limits.movetime.map(|time| keep_back(time, self.config)) {
            _ if self.limits.infinite => None,
            // A time for the move goes before a share of the clock, but not beyond what the clock has.
            Some(time) => {
                let hard = by_clock.map_or(time, |_| time.min(self.all_of(clocks)));
                Some(Budget { soft: hard, hard })
            }
            None => by_clock,
        };
    }

    fn all_of(&self, clocks: &Clocks) -> Duration {
        let [time, increment] = [&clocks.time, &clocks.increment].map(|times| times[self.teban].unwrap_or_default());
        keep_back(time.max(increment).saturating_add(clocks.byoyomi.unwrap_or_default()), self.config)
    }

    /// Whether the search must end at once. The first iteration may go a little beyond its time, so that without any
    /// there is still a move that was looked at.
    pub fn must_stop(&mut self, is_first: bool) -> bool {
        let grace = if is_first { GRACE } else { Duration::ZERO };
        self.stop.is_stopped() || self.has_used(|budget| budget.hard.saturating_add(grace))
    }

    /// Whether no further iteration should begin, if this move deserves so much of the usual time: 100 for a move like
    /// any other.
    pub fn is_enough(&mut self, percent: u32) -> bool {
        let least = self.config.minimum_thinking_time;
        self.must_stop(false) || self.has_used(|budget| budget.soft_by(percent, least))
    }

    /// Whether a move that needs no thought may be answered at once: not before the least time that the user wants.
    pub fn may_answer(&mut self) -> bool {
        self.must_stop(false)
            || match (self.running_since(), self.budget) {
                (Some(start), Some(budget)) => start.elapsed() >= self.config.minimum_thinking_time.min(budget.hard),
                (start, _) => start.is_some(),
            }
    }

    /// Whether the answer is not yet wanted: the search was for the opponent's time, and he has not moved.
    pub fn is_pondering(&mut self) -> bool {
        self.running_since().is_none()
    }

    /// Time since the `go`.
    pub fn elapsed(&self) -> Duration {
        self.limits.received.elapsed()
    }

    /// The start of the own clock; a ponder hit starts it.
    fn running_since(&mut self) -> Option<Instant> {
        if self.start.is_none()
            && let Some(hit) = self.stop.ponder_hit_at()
        {
            self.start_clock(hit.received, &hit.clocks.unwrap_or_default().or(&self.limits.clocks));
        }
        self.start
    }

    fn has_used(&mut self, limit: impl Fn(&Budget) -> Duration) -> bool {
        let start = self.running_since();
        start.zip(self.budget.as_ref()).is_some_and(|(start, budget)| start.elapsed() >= limit(budget))
    }
}

#[cfg(test)]
mod tests {
    use super::super::PonderHit;
    use super::*;
    use crate::kyokumen::ByTeban;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    /// Clocks of Sente; Gote's are such that a mix-up would be seen.
    fn clocks(time: Option<u64>, increment: Option<u64>, byoyomi: Option<u64>) -> Clocks {
        let other = Some(ms(3_600_000));
        Clocks {
            time: ByTeban([time.map(ms), other]),
            increment: ByTeban([increment.map(ms), other]),
            byoyomi: byoyomi.map(ms),
        }
    }

    fn sente(time: u64, increment: u64, byoyomi: u64) -> Budget {
        let clocks = clocks(Some(time), Some(increment), Some(byoyomi));
        budget(&clocks, Teban::Sente, &Config::default()).unwrap()
    }

    #[test]
    fn byoyomi_is_used_up_but_for_the_delay() {
        for byoyomi in [200, 1000, 10_000, 60_000] {
            let all = ms(byoyomi - 50);
            assert_eq!(sente(0, 0, byoyomi), Budget { soft: all, hard: all });
        }
    }

    #[test]
    fn no_clock_is_ever_exceeded() {
        for time in [0, 1, 10, 49, 50, 51, 100, 999, 5_000, 60_000, 3_600_000, u64::MAX / 4] {
            for increment in [0, 1, 10, 100, 1_000, 30_000] {
                for byoyomi in [0, 1, 10, 100, 1_000, 30_000] {
                    let Budget { soft, hard } = sente(time, increment, byoyomi);
                    assert!(soft <= hard);
                    let available = time.max(increment) + byoyomi;
                    assert!(hard <= ms(available), "{time} {increment} {byoyomi}");
                    assert!(available < 100 || hard <= ms(available - 50), "{time} {increment} {byoyomi}");
                }
            }
        }
    }

    #[test]
    fn a_move_gets_more_or_less_time_within_its_limits() {
        let budget = Budget { soft: ms(1_000), hard: ms(3_000) };
        let soft = |percent| budget.soft_by(percent, ms(700));
        assert_eq!([50, 100, 150, 400].map(soft), [ms(700), ms(1_000), ms(1_500), ms(3_000)]);
        let byoyomi = Budget { soft: ms(950), hard: ms(950) };
        assert_eq!(byoyomi.soft_by(50, ms(0)), ms(950));
    }

    #[test]
    fn a_clock_of_sudden_death_lasts_for_a_long_game() {
        let mut left = ms(60_000);
        for _ in 0..100 {
            let clocks = Clocks { time: ByTeban([Some(left); 2]), ..Clocks::default() };
            let budget = budget(&clocks, Teban::Gote, &Config::default()).unwrap();
            left = left.saturating_sub(budget.soft * 2 + ms(50));
        }
        assert!(left > ms(500), "{left:?}");
    }

    #[test]
    fn an_increment_is_used_without_eating_up_the_clock() {
        let Budget { soft, .. } = sente(60_000, 10_000, 0);
        assert!(soft > ms(4_000) && soft < ms(6_000), "{soft:?}");
        // With nothing on the clock yet, the increment is there.
        assert_eq!(sente(0, 10_000, 0).hard, ms(8_000));
    }

    #[test]
    fn clocks_at_zero_give_no_time_and_no_clock_gives_no_limit() {
        assert_eq!(sente(0, 0, 0).hard, Duration::ZERO);
        let none = Clocks { time: ByTeban([None, Some(ms(1000))]), ..Clocks::default() };
        assert_eq!(budget(&none, Teban::Sente, &Config::default()), None);
        assert_eq!(
            budget(&clocks(None, None, Some(1000)), Teban::Sente, &Config::default()).map(|b| b.hard),
            Some(ms(950))
        );
    }

    #[test]
    fn the_least_time_is_kept_within_the_clock_only() {
        let config = Config { minimum_thinking_time: ms(2_000), ..Config::default() };
        let soft = |time| budget(&clocks(Some(time), None, None), Teban::Sente, &config).unwrap().soft;
        assert_eq!(soft(10_000), ms(2_000));
        assert_eq!(soft(1_000), ms(950));
    }

    #[test]
    fn a_time_for_the_move_goes_before_the_clock_but_not_beyond_it() {
        let (config, stop) = (Config::default(), StopSignal::new());
        let hard = |clocks, movetime| {
            let limits = Limits { clocks, movetime: Some(ms(movetime)), ..Limits::new(Instant::now()) };
            Timer::new(&limits, &config, &stop, Teban::Sente).budget.unwrap().hard
        };
        assert_eq!(hard(Clocks::default(), 1_000), ms(950));
        assert_eq!(hard(clocks(Some(60_000), None, None), 20_000), ms(19_950));
        assert_eq!(hard(clocks(Some(1_000), None, None), 20_000), ms(950));
    }

    #[test]
    fn the_clock_runs_from_the_ponder_hit_with_its_new_clocks() {
        let (config, stop) = (Config::default(), StopSignal::new());
        let limits =
            Limits { ponder: true, clocks: clocks(Some(0), None, None), ..Limits::new(Instant::now() - ms(9_000)) };
        let mut timer = Timer::new(&limits, &config, &stop, Teban::Sente);
        assert!(timer.is_pondering() && !timer.must_stop(false) && !timer.may_answer());
        let clocks = Some(clocks(None, None, Some(600_000)));
        stop.ponder_hit(PonderHit { received: Instant::now(), clocks });
        assert!(!timer.is_pondering() && !timer.must_stop(false) && !timer.is_enough(100));
        assert_eq!(timer.budget.map(|budget| budget.hard), Some(ms(599_950)));
        stop.stop();
        assert!(timer.must_stop(false));
    }

    #[test]
    fn a_clock_that_the_ponder_hit_does_not_name_stays() {
        let (config, stop) = (Config::default(), StopSignal::new());
        let limits =
            Limits { ponder: true, clocks: clocks(Some(9), None, Some(10_000)), ..Limits::new(Instant::now()) };
        let mut timer = Timer::new(&limits, &config, &stop, Teban::Sente);
        stop.ponder_hit(PonderHit { received: Instant::now(), clocks: Some(clocks(Some(0), None, None)) });
        assert!(!timer.must_stop(false));
        assert_eq!(timer.budget.map(|budget| budget.hard), Some(ms(9_950)));
    }

    #[test]
    fn the_first_iteration_alone_may_take_a_little_more() {
        let (config, stop) = (Config::default(), StopSignal::new());
        let limits = Limits { clocks: clocks(Some(0), None, None), ..Limits::new(Instant::now() + ms(60_000)) };
        let mut timer = Timer::new(&limits, &config, &stop, Teban::Sente);
        assert!(timer.must_stop(false) && !timer.must_stop(true));
        stop.stop();
        assert!(timer.must_stop(true));
    }

    #[test]
    fn the_clock_of_the_go_runs_on_where_the_ponder_hit_brings_none() {
        let (config, stop) = (Config::default(), StopSignal::new());
        let limits = Limits { ponder: true, clocks: clocks(Some(0), None, None), ..Limits::new(Instant::now()) };
        let mut timer = Timer::new(&limits, &config, &stop, Teban::Sente);
        stop.ponder_hit(PonderHit { received: Instant::now(), clocks: None });
        assert!(timer.must_stop(false));
    }

    #[test]
    fn an_infinite_search_knows_no_time() {
        let (config, stop) = (Config::default(), StopSignal::new());
        let limits = Limits { infinite: true, clocks: clocks(Some(0), None, None), ..Limits::new(Instant::now()) };
        assert!(!Timer::new(&limits, &config, &stop, Teban::Sente).must_stop(false));
    }
}
