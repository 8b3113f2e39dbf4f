//! The order in which moves are tried: the sooner the best one comes, the more of the others needs no look.

use std::cmp::Reverse;

use super::history::History;
use crate::hyoka::material;
use crate::kyokumen::{Koma, Kyokumen, Te, TeList};

/// A move with what it promises.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scored {
    pub(super) te: Te,
    /// The score, and below it the place in the list, so that no two are equal.
    key: i64,
}

/// So many moves are picked one by one; who wants more is likely to want all, and the rest is sorted.
const PICKED: usize = 6;

/// The move of the table comes first, then captures that do not lose, killers, quiet moves by history, captures that
/// seem to lose. History lies within 16,384 either way.
const HASH: i32 = 1 << 24;
const GOOD_CAPTURE: i32 = 1 << 20;
const KILLER: i32 = 1 << 19;
const BAD_CAPTURE: i32 = -(1 << 20);

/// The moves of one node, handed out best first.
#[derive(Debug, Default)]
pub(super) struct Picker {
    moves: Vec<Scored>,
    next: usize,
}

impl Picker {
    /// Takes all moves of a position.
    pub(super) fn fill(
        &mut self,
        kyokumen: &Kyokumen,
        list: &TeList,
        hash: Option<Te>,
        killers: &[Option<Te>; 2],
        history: &History,
    ) {
        self.fill_by(list, |te| {
            if Some(te) == hash {
                HASH
            } else if is_tactical(kyokumen, te) {
                let rank = if seems_to_lose(kyokumen, te) { BAD_CAPTURE } else { GOOD_CAPTURE };
                rank + capture_score(kyokumen, te)
            } else if let Some(rank) = killers.iter().position(|&killer| killer == Some(te)) {
                KILLER - rank as i32
            } else {
                history.get(kyokumen, te)
            }
        });
    }

    /// Takes captures alone.
    pub(super) fn fill_captures(&mut self, kyokumen: &Kyokumen, list: &TeList) {
        self.fill_by(list, |te| capture_score(kyokumen, te));
    }

    fn fill_by(&mut self, list: &TeList, score: impl Fn(Te) -> i32) {
        self.moves.clear();
        let places = (0..list.len() as i64).rev();
        self.moves
            .extend(list.iter().zip(places).map(|(&te, place)| Scored { te, key: i64::from(score(te)) << 16 | place }));
        self.next = 0;
    }

    /// The best move that is left; of equals the first in the list.
    #[inline]
    pub(super) fn next(&mut self) -> Option<Te> {
        let left = self.moves.get_mut(self.next..)?;
        if self.next < PICKED {
            let best = (0..left.len()).max_by_key(|&index| left[index].key)?;
            left.swap(0, best);
        } else if self.next == PICKED {
            left.sort_unstable_by_key(|scored| Reverse(scored.key));
        }
        let te = left.first()?.te;
        self.next += 1;
        Some(te)
    }

    /// The moves handed out so far, the newest last.
    pub(super) fn tried(&self) -> &[Scored] {
        &self.moves[..self.next]
    }
}

/// Whether a move captures or makes a pawn, lance or greater piece promote: what changes the material at once.
#[inline]
pub(super) fn is_tactical(kyokumen: &Kyokumen, te: Te) -> bool {
    !kyokumen.koma(te.to()).is_empty() || te.promotes()
}

/// Most valuable victim, least valuable attacker.
fn capture_score(kyokumen: &Kyokumen, te: Te) -> i32 {
    let Some(from) = te.from() else { return 0 };
    let koma = kyokumen.koma(from);
    let promotion = if te.promotes() { promotion_value(koma) } else { 0 };
    (material::capture_value(kyokumen.koma(te.to())) + promotion) * 16 - material::koma_value(koma)
}

fn promotion_value(koma: Koma) -> i32 {
    material::koma_value(koma.promoted()) - material::koma_value(koma)
}

/// Whether a piece goes where it can be taken, for something cheaper, or is dropped there unprotected. A guess without
/// playing the exchange out: it assumes that what is defended is taken back.
#[inline]
pub(super) fn seems_to_lose(kyokumen: &Kyokumen, te: Te) -> bool {
    let (own, to) = (kyokumen.teban(), te.to());
    if kyokumen.control(!own, to) == 0 {
        return false;
    }
    match te.from() {
        Some(from) => material::koma_value(kyokumen.koma(from)) > material::koma_value(kyokumen.koma(to)) + 50,
        None => kyokumen.control(own, to) == 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_come_hash_first_then_good_captures_killers_history_and_bad_captures() {
        // The rook may take a defended pawn or a loose gold.
        let kyokumen = Kyokumen::from_sfen("4k4/4s4/4p4/9/9/9/1g2R4/9/K8 b - 1").unwrap();
        let te = |text: &str| text.parse::<Te>().unwrap();
        let mut history = History::default();
        history.update(&kyokumen, te("5g5f"), 300);
        let killers = [Some(te("9i8i")), None];
        let mut picker = Picker::default();
        picker.fill(&kyokumen, &kyokumen.legal_te(), Some(te("5g6g")), &killers, &history);
        let mut order = Vec::new();
        while let Some(te) = picker.next() {
            order.push(te.to_string());
        }
        assert_eq!(order.len(), kyokumen.legal_te().len());
        assert_eq!(order[..4], ["5g6g", "5g8g", "9i8i", "5g5f"]);
        assert!(order[order.len() - 2..].iter().all(|te| te.starts_with("5g5c")), "{order:?}");
        assert_eq!(picker.tried().len(), order.len());
    }
}
