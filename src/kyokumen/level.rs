//! What the processor at hand can do, and the generator compiled for it.
//!
//! The code is the same; newer instructions count bits and write out sets faster. Where the target of the build has
//! them, nothing is asked at run time.

use super::Kyokumen;
use super::TeList;
use super::generate::Aim;
#[cfg(target_arch = "x86_64")]
use super::sink::ByCompress;
use super::sink::ByTable;

/// A set of instructions. Nobody but this module can make one, and it asks the processor first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level(Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    /// What every processor of the target has.
    Portable,
    /// AVX2 with its contemporaries.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512 with VBMI2.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// Something to be compiled for each level.
pub(crate) trait Job {
    type Result;

    /// Does it. Must be inlined, with all that it calls in its loops, or other instructions are of no use to it.
    fn run(self) -> Self::Result;
}

/// Whether every processor of the target has all that [`Set::Avx512`] names.
#[cfg(target_arch = "x86_64")]
const AVX512_BUILT_IN: bool = cfg!(all(
    target_feature = "avx512f",
    target_feature = "avx512bw",
    target_feature = "avx512vl",
    target_feature = "avx512vbmi2",
    target_feature = "avx2",
    target_feature = "popcnt",
    target_feature = "bmi1",
    target_feature = "bmi2",
    target_feature = "lzcnt"
));

impl Level {
    /// What every processor of the target has.
    #[cfg(any(test, not(target_arch = "x86_64")))]
    pub(crate) const PORTABLE: Level = Level(Set::Portable);

    /// The best level of this processor.
    #[inline(always)]
    pub(crate) fn best() -> Level {
        #[cfg(target_arch = "x86_64")]
        {
            if AVX512_BUILT_IN {
                return Level(Set::Avx512);
            }
            static BEST: std::sync::LazyLock<Level> =
                std::sync::LazyLock::new(|| Level::all().next_back().unwrap_or(Level(Set::Portable)));
            *BEST
        }
        #[cfg(not(target_arch = "x86_64"))]
        Level::PORTABLE
    }

    /// The levels of this processor, best last.
    #[cfg(any(test, target_arch = "x86_64"))]
    pub(crate) fn all() -> impl DoubleEndedIterator<Item = Level> {
        let known = [
            Set::Portable,
            #[cfg(target_arch = "x86_64")]
            Set::Avx2,
            #[cfg(target_arch = "x86_64")]
            Set::Avx512,
        ];
        known.into_iter().filter(|set| set.is_here()).map(Level)
    }

    /// Whether AVX2 is part of it.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn has_avx2(self) -> bool {
        self.0 != Set::Portable
    }

    /// Does something by the instructions of this level.
    #[inline(always)]
    pub(crate) fn run<J: Job>(self, job: J) -> J::Result {
        match self.0 {
            Set::Portable => job.run(),
            // SAFETY: a level is made only after the processor was asked.
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => unsafe { run_avx2(job) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => unsafe { run_avx512(job) },
        }
    }
}

impl Set {
    /// Whether this processor has what it takes.
    #[cfg(any(test, target_arch = "x86_64"))]
    fn is_here(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        use std::arch::is_x86_feature_detected as has;
        match self {
            Set::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => has!("avx2") && has!("popcnt") && has!("bmi1") && has!("bmi2") && has!("lzcnt"),
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => {
                let has_avx512 = has!("avx512f") && has!("avx512bw") && has!("avx512vl") && has!("avx512vbmi2");
                Set::Avx2.is_here() && has_avx512
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
fn run_avx2<J: Job>(job: J) -> J::Result {
    job.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,avx2,popcnt,bmi1,bmi2,lzcnt")]
fn run_avx512<J: Job>(job: J) -> J::Result {
    job.run()
}

/// For which instructions the generator of moves and the evaluation were chosen: `portable`, `AVX2` or `AVX-512`. It
/// depends on the target of the build, and else on the processor at hand.
pub fn instruction_set() -> &'static str {
    match Level::best().0 {
        Set::Portable => "portable",
        #[cfg(target_arch = "x86_64")]
        Set::Avx2 => "AVX2",
        #[cfg(target_arch = "x86_64")]
        Set::Avx512 => "AVX-512",
    }
}

/// Adds the moves that an aim asks for to a list.
#[inline(always)]
pub(super) fn list(kyokumen: &Kyokumen, aim: &impl Aim, list: &mut TeList) {
    list_at(Level::best(), kyokumen, aim, list);
}

#[inline(always)]
fn list_at(level: Level, kyokumen: &Kyokumen, aim: &impl Aim, list: &mut TeList) {
    match level.0 {
        // SAFETY: a level is made only after the processor was asked.
        #[cfg(target_arch = "x86_64")]
        Set::Avx512 => unsafe { list_avx512(kyokumen, aim, list) },
        _ => level.run(List { kyokumen, aim, list }),
    }
}

struct List<'a, A> {
    kyokumen: &'a Kyokumen,
    aim: &'a A,
    list: &'a mut TeList,
}

impl<A: Aim> Job for List<'_, A> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        self.kyokumen.generate(self.aim, &mut ByTable(self.list));
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,avx2,popcnt,bmi1,bmi2,lzcnt")]
fn list_avx512(kyokumen: &Kyokumen, aim: &impl Aim, list: &mut TeList) {
    // SAFETY: this function is called only where the processor has what it names.
    kyokumen.generate(aim, &mut unsafe { ByCompress::new(list) });
}

/// The number of moves that an aim asks for.
#[inline(always)]
pub(super) fn count(kyokumen: &Kyokumen, aim: &impl Aim) -> usize {
    Level::best().run(Count { kyokumen, aim })
}

struct Count<'a, A> {
    kyokumen: &'a Kyokumen,
    aim: &'a A,
}

impl<A: Aim> Job for Count<'_, A> {
    type Result = usize;

    #[inline(always)]
    fn run(self) -> usize {
        let mut count = 0;
        self.kyokumen.generate(self.aim, &mut count);
        count
    }
}

#[cfg(test)]
mod tests {
    use super::super::MasuSet;
    use super::super::generate::{Everything, Parts};
    use super::*;

    /// The lists of all levels that this processor has must be the same, in the same order.
    fn compare(kyokumen: &Kyokumen, aim: &impl Aim) -> usize {
        let of_level = |level| {
            let mut moves = TeList::new();
            list_at(level, kyokumen, aim, &mut moves);
            assert_eq!(moves.len(), level.run(Count { kyokumen, aim }), "{level:?} {kyokumen:?}");
            moves
        };
        let portable = of_level(Level::PORTABLE);
        for level in Level::all() {
            assert_eq!(*of_level(level), *portable, "{level:?} {kyokumen:?}");
        }
        portable.len()
    }

    #[test]
    fn every_level_makes_the_same_list_as_the_portable_one() {
        let suite = include_str!("../../tests/data/rules/perft_suite.tsv");
        let mut moves = 0;
        for row in suite.lines().filter(|line| !line.starts_with('#')) {
            let mut kyokumen: Kyokumen = row.split('\t').next().unwrap_or_default().parse().unwrap();
            for ply in 0..30 {
                moves += compare(&kyokumen, &Everything);
                let captures = kyokumen.pieces(!kyokumen.teban());
                compare(&kyokumen, &Parts { stay: captures, promote: MasuSet::ALL, drops: MasuSet::EMPTY });
                let list = kyokumen.legal_te();
                let Some(&te) = list.get(ply * 7 % list.len().max(1)) else { break };
                kyokumen.do_te(te);
            }
        }
        assert!(moves > 100_000, "{moves}");
    }

    #[test]
    fn the_best_level_is_one_of_this_processor() {
        assert_eq!(Some(Level::best()), Level::all().next_back());
    }
}
