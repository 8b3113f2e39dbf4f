//! Walking through a book that can only be asked: from given positions along the moves it knows.
//!
//! Apery's books are walked in a way of their own, which looks for positions beside those moves too.

use std::collections::{HashSet, VecDeque};

use super::Entry;
use crate::kyokumen::{Kyokumen, PackedKyokumen};

/// The positions that a book knows, breadth first from the roots along its legal moves, each once. It keeps about 80
/// bytes for each position that was found.
pub(super) struct Walk<F> {
    lookup: F,
    seen: HashSet<PackedKyokumen>,
    open: VecDeque<PackedKyokumen>,
}

impl<F: Fn(&Kyokumen) -> Option<Entry>> Walk<F> {
    /// Starts at those of the roots that the book knows.
    pub(super) fn new(roots: impl IntoIterator<Item = Kyokumen>, lookup: F) -> Walk<F> {
        let mut walk = Walk { lookup, seen: HashSet::new(), open: VecDeque::new() };
        for root in roots {
            walk.reach(&root);
        }
        walk
    }

    fn reach(&mut self, kyokumen: &Kyokumen) {
        let Some(packed) = kyokumen.pack().filter(|packed| !self.seen.contains(packed)) else { return };
        if (self.lookup)(kyokumen).is_some() {
            self.seen.insert(packed);
            self.open.push_back(packed);
        }
    }
}

impl<F: Fn(&Kyokumen) -> Option<Entry>> Iterator for Walk<F> {
    /// The position, always with ply 1, and what the book knows of it.
    type Item = (Kyokumen, PackedKyokumen, Entry);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let packed = self.open.pop_front()?;
            let Some(mut kyokumen) = packed.unpack() else { continue };
            let Some(entry) = (self.lookup)(&kyokumen) else { continue };
            for te in &entry.moves {
                if kyokumen.is_legal(te.te) {
                    let change = kyokumen.do_te(te.te);
                    self.reach(&kyokumen);
                    kyokumen.undo_te(&change);
                }
            }
            return Some((kyokumen, packed, entry));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joseki::JosekiTe;

    #[test]
    fn each_known_position_comes_once_and_no_other() {
        // Two ways to one position, an illegal move, a way back, and a position outside.
        let lookup = |kyokumen: &Kyokumen| {
            let moves: &[&str] = match kyokumen.to_sfen_without_ply().split(' ').next()? {
                "4k4/9/9/9/9/9/9/9/4K4" => &["5i4i", "5i6i", "5i5a", "5a4a", "5a6a"],
                "4k4/9/9/9/9/9/9/9/5K3" | "4k4/9/9/9/9/9/9/9/3K5" => &["5a4a", "5a6a"],
                "5k3/9/9/9/9/9/9/9/5K3" => &["4i5i"],
                _ => return None,
            };
            let moves = moves.iter().map(|usi| JosekiTe::new(usi.parse().unwrap())).collect();
            Some(Entry { moves, ..Entry::default() })
        };
        let root = Kyokumen::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b - 1").unwrap();
        let unknown = Kyokumen::hirate();
        let found: Vec<_> = Walk::new([unknown, root.clone(), root], lookup)
            .map(|(kyokumen, packed, _)| {
                assert_eq!(kyokumen.pack(), Some(packed));
                kyokumen.to_sfen_without_ply()
            })
            .collect();
        let want = ["4k4/9/9/9/9/9/9/9/4K4 b -", "4k4/9/9/9/9/9/9/9/5K3 w -", "4k4/9/9/9/9/9/9/9/3K5 w -"];
        assert_eq!(found[..3], want);
        assert_eq!(found[3], "5k3/9/9/9/9/9/9/9/5K3 b -");
        assert_eq!(found.len(), 4);
    }
}
