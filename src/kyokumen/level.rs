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

/// A set of instructions. Only [`Level::best`] and [`Level::all`] make one, which makes sure that the processor has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// What every processor of the target has.
    Portable,
    /// AVX2 with its contemporaries.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512 with VBMI2.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// Whether every processor of the target has all that [`Level::Avx512`] names.
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
    /// The best level of this processor.
    #[inline(always)]
    pub(crate) fn best() -> Level {
        #[cfg(target_arch = "x86_64")]
        {
            if AVX512_BUILT_IN {
                return Level::Avx512;
            }
            static BEST: std::sync::LazyLock<Level> =
                std::sync::LazyLock::new(|| Level::all().next_back().unwrap_or(Level::Portable));
            *BEST
        }
        #[cfg(not(target_arch = "x86_64"))]
        Level::Portable
    }

    /// The levels of this processor, best last.
    #[cfg(any(test, target_arch = "x86_64"))]
    pub(crate) fn all() -> impl DoubleEndedIterator<Item = Level> {
        let known = [
            Level::Portable,
            #[cfg(target_arch = "x86_64")]
            Level::Avx2,
            #[cfg(target_arch = "x86_64")]
            Level::Avx512,
        ];
        known.into_iter().filter(|level| level.is_here())
    }

    /// Whether this processor has what the level asks for.
    #[cfg(any(test, target_arch = "x86_64"))]
    fn is_here(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        use std::arch::is_x86_feature_detected as has;
        match self {
            Level::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => has!("avx2") && has!("popcnt") && has!("bmi1") && has!("bmi2") && has!("lzcnt"),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => {
                let has_avx512 = has!("avx512f") && has!("avx512bw") && has!("avx512vl") && has!("avx512vbmi2");
                Level::Avx2.is_here() && has_avx512
            }
        }
    }
}

/// For which instructions the code that generates moves was chosen: `portable`, `AVX2` or `AVX-512`. It depends on the
/// target of the build, and else on the processor at hand.
pub fn instruction_set() -> &'static str {
    match Level::best() {
        Level::Portable => "portable",
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => "AVX2",
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => "AVX-512",
    }
}

/// Adds the moves that an aim asks for to a list.
#[inline(always)]
pub(super) fn list(kyokumen: &Kyokumen, aim: &impl Aim, list: &mut TeList) {
    list_at(Level::best(), kyokumen, aim, list);
}

#[inline(always)]
fn list_at(level: Level, kyokumen: &Kyokumen, aim: &impl Aim, list: &mut TeList) {
    match level {
        Level::Portable => list_portable(kyokumen, aim, list),
        // SAFETY: levels are made by `all` and `best` only, which ask the processor.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { list_avx2(kyokumen, aim, list) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { list_avx512(kyokumen, aim, list) },
    }
}

fn list_portable(kyokumen: &Kyokumen, aim: &impl Aim, list: &mut TeList) {
    kyokumen.generate(aim, &mut ByTable(list));
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
fn list_avx2(kyokumen: &Kyokumen, aim: &impl Aim, list: &mut TeList) {
    kyokumen.generate(aim, &mut ByTable(list));
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
    count_at(Level::best(), kyokumen, aim)
}

#[inline(always)]
fn count_at(level: Level, kyokumen: &Kyokumen, aim: &impl Aim) -> usize {
    match level {
        Level::Portable => count_portable(kyokumen, aim),
        // SAFETY: levels are made by `all` and `best` only, which ask the processor.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { count_avx2(kyokumen, aim) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { count_avx512(kyokumen, aim) },
    }
}

fn count_portable(kyokumen: &Kyokumen, aim: &impl Aim) -> usize {
    let mut count = 0;
    kyokumen.generate(aim, &mut count);
    count
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2,lzcnt")]
fn count_avx2(kyokumen: &Kyokumen, aim: &impl Aim) -> usize {
    let mut count = 0;
    kyokumen.generate(aim, &mut count);
    count
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,avx2,popcnt,bmi1,bmi2,lzcnt")]
fn count_avx512(kyokumen: &Kyokumen, aim: &impl Aim) -> usize {
    let mut count = 0;
    kyokumen.generate(aim, &mut count);
    count
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
            assert_eq!(moves.len(), count_at(level, kyokumen, aim), "{level:?} {kyokumen:?}");
            moves
        };
        let portable = of_level(Level::Portable);
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
