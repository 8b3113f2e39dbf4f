//! The ways of pieces as the side to move sees them: by these, records tell a piece from others of its kind.

use crate::kyokumen::{Dan, Kyokumen, Masu, Suji, Syurui, Teban};

/// A way from one square to another.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// Ranks that it goes forward.
    pub(super) forward: i8,
    /// Files by which it comes from the right.
    pub(super) right: i8,
}

impl Step {
    pub(super) fn new(teban: Teban, from: Masu, to: Masu) -> Step {
        let sign = if teban == Teban::Sente { 1 } else { -1 };
        let difference = |a: u8, b: u8| (a as i8 - b as i8) * sign;
        Step {
            forward: difference(from.dan().number(), to.dan().number()),
            right: difference(to.suji().number(), from.suji().number()),
        }
    }
}

/// Whether a piece of this kind, of the side to move, goes from one square to another, be it legal or not: not every
/// reader, and not every writer, sees that a piece is pinned.
pub(super) fn reaches(kyokumen: &Kyokumen, syurui: Syurui, from: Masu, to: Masu) -> bool {
    let step = Step::new(kyokumen.teban(), from, to);
    let (forward, aside) = (step.forward, step.right.abs());
    let is_near = forward.abs().max(aside) == 1;
    let is_diagonal = forward.abs() == aside;
    let is_line = forward == 0 || aside == 0;
    from != to
        && match syurui {
            Syurui::Fu => (forward, aside) == (1, 0),
            Syurui::Ke => (forward, aside) == (2, 1),
            Syurui::Gi => is_near && (forward == 1 || is_diagonal),
            Syurui::Ou => is_near,
            Syurui::Ki | Syurui::To | Syurui::Ny | Syurui::Nk | Syurui::Ng => is_near && (forward == 1 || is_line),
            Syurui::Ky => aside == 0 && forward > 0 && is_clear(kyokumen, from, to),
            Syurui::Ka => is_diagonal && is_clear(kyokumen, from, to),
            Syurui::Hi => is_line && is_clear(kyokumen, from, to),
            Syurui::Um => is_near || is_diagonal && is_clear(kyokumen, from, to),
            Syurui::Ry => is_near || is_line && is_clear(kyokumen, from, to),
        }
}

/// Whether nothing stands between two squares of one line.
fn is_clear(kyokumen: &Kyokumen, from: Masu, to: Masu) -> bool {
    let toward = |a: u8, b: u8| a.wrapping_add_signed((b as i8 - a as i8).signum());
    let next = |masu: Masu| {
        let suji = Suji::new(toward(masu.suji().number(), to.suji().number()))?;
        Some(Masu::new(suji, Dan::new(toward(masu.dan().number(), to.dan().number()))?))
    };
    let mut between = std::iter::successors(next(from), |&masu| next(masu)).take_while(|&masu| masu != to);
    between.all(|masu| kyokumen.koma(masu).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kyokumen::Te;

    /// Random games, to positions with many pieces promoted.
    #[test]
    fn a_piece_reaches_where_it_moves_and_nowhere_else_but_for_its_own_side_and_the_safety_of_its_king() {
        use rand::seq::IndexedRandom;
        let mut rng = <rand_chacha::ChaCha8Rng as rand::SeedableRng>::seed_from_u64(5);
        let (mut reached, mut pinned) = (0, 0);
        for _ in 0..30 {
            let mut kyokumen = Kyokumen::hirate();
            for _ in 0..200 {
                let teban = kyokumen.teban();
                for from in Masu::all().filter(|&from| kyokumen.koma(from).belongs_to(teban)) {
                    let Some(syurui) = kyokumen.koma(from).syurui() else { continue };
                    for to in Masu::all().filter(|&to| !kyokumen.koma(to).belongs_to(teban)) {
                        let legal =
                            [false, true].iter().any(|&up| from != to && kyokumen.is_legal(Te::board(from, to, up)));
                        let reaches = reaches(&kyokumen, syurui, from, to);
                        assert!(reaches || !legal, "{from}{to}: {}", kyokumen.to_sfen());
                        (reached, pinned) = (reached + u32::from(legal), pinned + u32::from(reaches && !legal));
                    }
                }
                let moves = kyokumen.legal_te();
                let Some(&te) = moves.choose(&mut rng) else { break };
                kyokumen.do_te(te);
            }
        }
        assert!(reached > 100_000 && pinned < reached / 2, "{reached} {pinned}");
    }
}
