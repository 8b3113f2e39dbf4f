//! Helpers for books that are read in place: moves of a position from several records, and the order by samples.

use super::{JosekiTe, REPEATED, SATURATED};

/// Up to so many records the whole order is looked at when a book is opened; beyond, it is sampled.
const ALL_LOOKED_AT: usize = 4096;
/// How many samples are taken of the order.
const SAMPLES: usize = 256;

/// The moves of a position, of which those that come several times are made one.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    moves: Vec<JosekiTe>,
    /// The bits of each, side by side so that they are searched fast.
    bits: Vec<u16>,
}

impl Gathered {
    /// Adds a move; says what is wrong with that.
    pub(super) fn add(&mut self, te: JosekiTe) -> Option<&'static str> {
        let bits = te.te.bits();
        let Some(index) = self.bits.iter().position(|&known| known == bits) else {
            self.bits.push(bits);
            self.moves.push(te);
            return None;
        };
        Some(if self.moves[index].merge(te) { REPEATED } else { SATURATED })
    }

    pub(super) fn moves(&self) -> &[JosekiTe] {
        &self.moves
    }

    pub(super) fn into_moves(self) -> Vec<JosekiTe> {
        self.moves
    }
}

/// Pairs of places in `0..count`, the earlier first, that tell whether the items there ascend: all neighbours of few
/// items; of many some hundreds, spread evenly, each with its neighbour and with the next sample.
pub(super) fn pairs_to_compare(count: usize) -> Box<dyn Iterator<Item = (usize, usize)>> {
    let Some(last) = count.checked_sub(1) else { return Box::new(std::iter::empty()) };
    if count <= ALL_LOOKED_AT {
        return Box::new((0..last).map(|place| (place, place + 1)));
    }
    let sample = move |nth: usize| (last as u128 * nth as u128 / SAMPLES as u128) as usize;
    let pairs = move |nth| [(sample(nth), sample(nth) + 1), (sample(nth), sample(nth + 1))];
    Box::new((0..SAMPLES).flat_map(pairs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_span_the_whole_and_stay_inside() {
        for count in [0, 1, 2, 3, 4096, 4097, 1 << 40] {
            let pairs: Vec<_> = pairs_to_compare(count).collect();
            assert!(pairs.len() <= 4095);
            assert!(pairs.iter().all(|&(a, b)| a < b && b < count), "{count}");
            // Each item that is looked at is linked to the first and to the last one.
            assert_eq!(pairs.first().map(|pair| pair.0), (count > 1).then_some(0));
            assert_eq!(pairs.iter().map(|pair| pair.1).max(), (count > 1).then(|| count - 1));
        }
    }
}
