//! The quiet position at the end of the best captures, which is what an evaluation is asked about.

use komadai::hyoka::material::{self, EXCHANGE_VALUES};
use komadai::hyoka::{Centipawn, Hyoka};
use komadai::kyokumen::{Kyokumen, Te};

/// Captures on end that are looked at.
const DEEPEST: usize = 12;

/// A captures search: alpha-beta over captures that don't lose by exchange, in which either side may stop.
struct Captures<'a, H> {
    kyokumen: Kyokumen,
    hyoka: &'a mut H,
    lines: Vec<Vec<Te>>,
}

/// The quiet position that the best captures lead to, and whether the other side is to move in it.
pub fn leaf(kyokumen: &Kyokumen, hyoka: &mut impl Hyoka) -> (Kyokumen, bool) {
    hyoka.reset(kyokumen);
    let mut captures = Captures { kyokumen: kyokumen.clone(), hyoka, lines: vec![Vec::new(); DEEPEST + 2] };
    captures.search(-Centipawn::MAX, Centipawn::MAX, 0);
    let line = std::mem::take(&mut captures.lines[0]);
    let mut kyokumen = kyokumen.clone();
    for &te in &line {
        kyokumen.do_te(te);
    }
    (kyokumen, line.len() % 2 == 1)
}

impl<H: Hyoka> Captures<'_, H> {
    fn search(&mut self, mut alpha: Centipawn, beta: Centipawn, ply: usize) -> Centipawn {
        self.lines[ply].clear();
        let mut best = self.hyoka.value(&self.kyokumen);
        if best >= beta || ply >= DEEPEST {
            return best;
        }
        alpha = alpha.max(best);
        for te in self.captures() {
            let change = self.kyokumen.do_te(te);
            self.hyoka.push(&self.kyokumen, &change);
            let value = -self.search(-beta, -alpha, ply + 1);
            self.kyokumen.undo_te(&change);
            self.hyoka.pop(&self.kyokumen, &change);
            best = best.max(value);
            if value > alpha {
                alpha = value;
                let (here, below) = self.lines.split_at_mut(ply + 1);
                here[ply].clear();
                here[ply].push(te);
                here[ply].extend_from_slice(&below[0]);
                if value >= beta {
                    break;
                }
            }
        }
        best
    }

    /// The most valuable first.
    fn captures(&self) -> Vec<Te> {
        let kyokumen = &self.kyokumen;
        let captures = kyokumen.legal_captures();
        let takes = captures.iter().copied().filter(|te| !kyokumen.koma(te.to()).is_empty());
        let mut good: Vec<Te> = takes.filter(|&te| kyokumen.see_at_least(te, &EXCHANGE_VALUES, 0)).collect();
        good.sort_by_key(|te| -material::capture_value(kyokumen.koma(te.to())));
        good
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use komadai::hyoka::Material;

    #[test]
    fn a_loose_piece_is_taken_and_a_defended_one_is_not() {
        let leaf = |sfen: &str| leaf(&Kyokumen::from_sfen(sfen).unwrap(), &mut Material::default());
        let (quiet, turned) = leaf("4k4/9/9/4s4/4P4/9/9/9/4K4 b - 1");
        assert!(turned && quiet.to_sfen().starts_with("4k4/9/9/4P4/9"), "{}", quiet.to_sfen());
        let (quiet, turned) = leaf("4k4/9/4g4/4p4/9/9/9/4R4/4K4 b - 1");
        assert!(!turned && quiet.to_sfen().starts_with("4k4/9/4g4/4p4/9"), "{}", quiet.to_sfen());
    }
}
