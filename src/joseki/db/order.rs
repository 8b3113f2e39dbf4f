//! Files whose positions stand in the order of their texts are searched in place, by bisection.
//!
//! The order is that of the bytes behind `sfen`, ply included. Whatever follows a position's hands is less than what
//! could continue them (a letter or a digit), so all lines of a position stand together, before those of positions
//! whose text goes on, and are found by their text without ply. That takes positions written in the one usual way,
//! since a lookup knows no other, and no long stretches without any.

use std::borrow::Cow;

use super::line;
use super::lines::Lines;
use super::samples::Samples;

/// How many places are looked at to judge a whole file.
const SAMPLES: usize = 256;
/// How much of the start and the end of the file is looked at wholly.
const EDGE: usize = 1 << 16;
/// How far apart positions may stand.
const GAP: usize = 1 << 20;

/// Why a file can't be searched in place, with the offset of the position that shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unfit {
    /// It comes before the one before it.
    Order(usize),
    /// It is not written in the usual way.
    Spelling(usize),
    /// A long stretch begins behind it.
    Gap(usize),
}

/// Looks at positions in the order of the file.
#[derive(Default)]
struct Check<'a> {
    last: &'a [u8],
    last_offset: usize,
    /// How many positions are none.
    unreadable: u64,
}

impl<'a> Check<'a> {
    fn take(&mut self, offset: usize, sfen: &'a [u8]) -> Result<(), Unfit> {
        let text = sfen.trim_ascii();
        match line::normalised(text) {
            Some(Cow::Borrowed(_)) => {}
            Some(Cow::Owned(_)) => return Err(Unfit::Spelling(offset)),
            None => self.unreadable += 1,
        }
        if text < self.last {
            return Err(Unfit::Order(offset));
        }
        (self.last, self.last_offset) = (text, offset);
        Ok(())
    }
}

/// Looks at the whole file: how many of its positions can't be read, or why it can't be searched in place; `None` once
/// `goes_on`, which is asked again and again, says so. All positions are offered to `samples`.
pub(super) fn check(bytes: &[u8], samples: &mut Samples, goes_on: &dyn Fn() -> bool) -> Option<Result<u64, Unfit>> {
    let mut check = Check::default();
    let mut lines = Lines::from(bytes, 0);
    while lines.offset() < bytes.len() {
        if !goes_on() {
            return None;
        }
        let end = bytes.len().min(lines.offset() + GAP);
        while let Some((offset, sfen)) = lines.next_position(end) {
            if let Err(unfit) = check.take(offset, sfen) {
                return Some(Err(unfit));
            }
            samples.offer(offset, check.last);
        }
        if lines.offset() - check.last_offset > GAP {
            return Some(Err(Unfit::Gap(check.last_offset)));
        }
    }
    Some(Ok(check.unreadable))
}

/// Whether the file is fit as far as the samples show, and so probably as a whole.
pub(super) fn probably_fit(bytes: &[u8]) -> bool {
    let length = bytes.len();
    let mut check = Check::default();
    let mut fits = |begin: usize, end: usize, most: usize| {
        let mut lines = Lines::at_or_after(bytes, begin, end);
        for _ in 0..most {
            let Some((offset, sfen)) = lines.next_position(end) else { break };
            // Where positions are long, the sample before has seen it.
            let is_seen = offset < check.last_offset;
            if !is_seen && check.take(offset, sfen).is_err() {
                return false;
            }
        }
        // Nothing within a long stretch means that it is too long.
        check.last_offset >= begin || end == length
    };
    let last_edge = length.saturating_sub(EDGE);
    fits(0, EDGE.min(length), usize::MAX)
        && (1..SAMPLES)
            .map(|nth| (length as u128 * nth as u128 / SAMPLES as u128) as usize)
            .filter(|begin| (EDGE..last_edge).contains(begin))
            // Neighbours tell more than places far apart.
            .all(|begin| fits(begin, length.min(begin + GAP), 2))
        && fits(last_edge, length, usize::MAX)
}

/// Where a position stands in a file that is fit, in the order of the file. Samples spare looking at most of it.
pub(super) fn find<'a>(
    bytes: &'a [u8],
    samples: Option<&Samples>,
    position: &'a [u8],
) -> impl Iterator<Item = usize> + 'a {
    let mut lines = Lines::from(bytes, first_from(bytes, samples, position));
    std::iter::from_fn(move || {
        loop {
            let (offset, sfen) = lines.next_position(bytes.len())?;
            match sfen.trim_ascii().strip_prefix(position)?.first() {
                None => return Some(offset),
                Some(next) if next.is_ascii_whitespace() => return Some(offset),
                Some(next) if next > &b' ' => return None,
                Some(_) => {}
            }
        }
    })
}

/// An offset from which on the first position is the first whose text is not less.
fn first_from(bytes: &[u8], samples: Option<&Samples>, text: &[u8]) -> usize {
    // Positions before `low` are less; the first one from `high` on is not.
    let (low, high) = samples.map_or((None, None), |samples| samples.around(text));
    let (mut low, mut high) = (low.unwrap_or(0), high.unwrap_or(bytes.len()));
    while low < high {
        let middle = low.midpoint(high);
        let mut lines = Lines::at_or_after(bytes, middle, high);
        match lines.next_position(high) {
            Some((_, sfen)) if sfen.trim_ascii() < text => low = lines.offset(),
            _ => high = middle,
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use rand::seq::{IndexedRandom, SliceRandom};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// Positions whose texts begin with each other, with what may follow.
    fn lines(rng: &mut ChaCha8Rng) -> Vec<String> {
        let mut lines = Vec::new();
        for board in ["4k4/9/9/9/9/9/9/9/4K4", "4k4/9/9/9/9/9/9/9/5K3", "4k4/9/9/9/9/9/9/9/K8"] {
            for hands in ["-", "P", "P2p", "Pp", "2P", "10P", "R", "RB", "RBP", "RBPp", "18p"] {
                for turn in ["b", "w"] {
                    for ply in ["", " 1", " 12", " 2", "  3", "\t4", " 999 ", " 5 x"] {
                        if rng.random_ratio(1, 3) {
                            let end = ["", " ", "\r"].choose(rng).unwrap();
                            lines.push(format!("{board} {turn} {hands}{ply}{end}"));
                        }
                    }
                }
            }
        }
        lines.sort_by(|a, b| a.trim_ascii().cmp(b.trim_ascii()));
        lines
    }

    fn file(lines: &[String], rng: &mut ChaCha8Rng) -> Vec<u8> {
        let mut text = (*["", "\u{feff}", "#YANEURAOU-DB2016 1.00\n", "\n\n"].choose(rng).unwrap()).to_owned();
        for line in lines {
            text += ["sfen ", "sfen ", " sfen ", "sfen\t"].choose(rng).unwrap();
            text += line;
            text += ["\n", "\n7g7f\n", "\n# a remark\n5i5h none 1 2 3\n\n"].choose(rng).unwrap();
        }
        text.into_bytes()
    }

    /// All positions by their normalised text.
    fn all(bytes: &[u8]) -> Vec<(Vec<u8>, usize)> {
        let mut walk = Lines::from(bytes, 0);
        let positions = std::iter::from_fn(|| walk.next_position(bytes.len()));
        positions.filter_map(|(offset, sfen)| Some((line::normalised(sfen)?.into_owned(), offset))).collect()
    }

    fn judge(bytes: &[u8]) -> Result<u64, Unfit> {
        check(bytes, &mut Samples::new(bytes.len()), &|| true).unwrap()
    }

    fn assert_all_found(bytes: &[u8]) {
        for spacing in [1, 100, 1000] {
            let mut samples = Samples::with_spacing(spacing);
            assert!(check(bytes, &mut samples, &|| true).unwrap().is_ok());
            assert_found(bytes, Some(&samples.finish()));
        }
        assert_found(bytes, None);
    }

    fn assert_found(bytes: &[u8], samples: Option<&Samples>) {
        let all = all(bytes);
        let text = bytes.escape_ascii();
        for (position, _) in &all {
            let want: Vec<usize> =
                all.iter().filter(|(other, _)| other == position).map(|&(_, offset)| offset).collect();
            assert_eq!(
                find(bytes, samples, position).collect::<Vec<_>>(),
                want,
                "{} in {text}",
                position.escape_ascii()
            );
        }
    }

    #[test]
    fn in_a_file_in_order_every_place_of_a_position_is_found() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..100 {
            let lines = lines(&mut rng);
            let bytes = file(&lines, &mut rng);
            assert_eq!(judge(&bytes), Ok(0), "{}", bytes.escape_ascii());
            assert!(probably_fit(&bytes));
            assert_all_found(&bytes);
            let count = |text: &[u8]| find(&bytes, None, text).count();
            assert_eq!(count(b"4k4/9/9/9/9/9/9/9/7K1 b -") + count(b"") + count(b"z"), 0);
        }
        for empty in [&b""[..], b"\xef\xbb\xbf", b"\n", b"sfen", b"sfen\n"] {
            assert_eq!(find(empty, None, b"4k4/9/9/9/9/9/9/9/7K1 b -").count(), 0);
            assert!(judge(empty).is_ok());
        }
    }

    #[test]
    fn whatever_the_check_lets_pass_can_be_searched() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let (mut fit, mut unfit) = (0, 0);
        for _ in 0..2000 {
            let mut lines: Vec<String> = lines(&mut rng).into_iter().filter(|_| rng.random_ratio(1, 8)).collect();
            if rng.random_ratio(1, 4) {
                lines.shuffle(&mut rng);
            }
            let mut bytes = file(&lines, &mut rng);
            for _ in 0..rng.random_range(0..3) {
                let at = rng.random_range(0..=bytes.len());
                match rng.random_range(0..3) {
                    0 if at < bytes.len() => drop(bytes.remove(at)),
                    1 => bytes.insert(at, *b" \t\r\n\x01/+9kKbw-1Pps#".choose(&mut rng).unwrap()),
                    _ => bytes.truncate(at),
                }
            }
            probably_fit(&bytes);
            if judge(&bytes).is_ok() {
                fit += 1;
                assert_all_found(&bytes);
            } else {
                unfit += 1;
            }
        }
        assert!(fit > 500 && unfit > 500, "{fit} {unfit}");
    }

    #[test]
    fn what_can_not_be_searched_is_named() {
        let position = |turn, hands| format!("sfen 4k4/9/9/9/9/9/9/9/4K4 {turn} {hands} 1\n");
        let judge = |text: String| judge(text.as_bytes());
        let first = position("b", "-");
        assert_eq!(judge(position("w", "-") + &first), Err(Unfit::Order(first.len())));
        assert_eq!(judge(first.clone() + &position("w", "pP")), Err(Unfit::Spelling(first.len())));
        assert_eq!(judge(first.clone() + &position(" w", "-")), Err(Unfit::Spelling(first.len())));
        assert_eq!(judge(first.clone() + &position("w", "Q")), Ok(1));
        let long = first.clone() + &"# a long remark\n".repeat(GAP / 8);
        assert_eq!(judge(long.clone()), Err(Unfit::Gap(0)));
        assert_eq!(judge(long.clone() + &position("w", "-")), Err(Unfit::Gap(0)));
        assert!(!probably_fit((long + &position("w", "-")).as_bytes()));
        assert_eq!(judge(first.clone() + &"-".repeat(GAP)), Err(Unfit::Gap(0)), "a long line");
        let mut samples = Samples::new(first.len());
        assert_eq!(check(first.as_bytes(), &mut samples, &|| false), None);
    }
}
