//! How often each piece is guarded and attacked.

use super::level::{Job, Level};
use super::masu::BAN_SIZE;
use super::{Koma, Kyokumen, Syurui, Teban};

/// Every piece but the kings, each with how often either side attacks its square, by cell of the padded board.
#[derive(Clone, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Guards([u16; BAN_SIZE]);

/// A piece, and how often either side attacks its square, 2 standing for more, too; in one number from 1 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Guard(u16);

impl Guard {
    /// One more than the highest number.
    pub(crate) const CODES: usize = Koma::CODES * 16;

    /// The guard with this number, if there is any.
    pub(crate) const fn from_index(index: usize) -> Option<Guard> {
        let guard = Guard(index as u16);
        match (guard.koma().syurui(), guard.koma().teban()) {
            (Some(Syurui::Ou) | None, _) | (_, None) => None,
            _ if index & 15 < 9 => Some(guard),
            _ => None,
        }
    }

    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize % Guard::CODES
    }

    pub(crate) const fn koma(self) -> Koma {
        Koma::from_index(self.0 as usize >> 4)
    }

    /// How often a side attacks the square.
    pub(crate) const fn attacks(self, teban: Teban) -> usize {
        let both = self.0 as usize & 15;
        match teban {
            Teban::Sente => both / 3,
            Teban::Gote => both % 3,
        }
    }
}

impl Guards {
    /// Of an empty board.
    pub(crate) const NONE: Guards = Guards([0; BAN_SIZE]);

    /// Hands over all of them.
    pub(crate) fn each(&self, mut take: impl FnMut(Guard)) {
        self.0.iter().filter(|&&code| code != 0).for_each(|&code| take(Guard(code)));
    }

    /// Hands over what is there now and what was there before, `None` for no piece, at each place where they differ.
    #[inline]
    pub(crate) fn each_change(&self, before: &Guards, mut take: impl FnMut(Option<Guard>, Option<Guard>)) {
        let differ: [u16; BAN_SIZE] = std::array::from_fn(|cell| self.0[cell] ^ before.0[cell]);
        let guard = |code| (code != 0).then_some(Guard(code));
        // Four cells at once, since most are as before.
        let fours: [[u8; 8]; BAN_SIZE / 4] = bytemuck::must_cast(differ);
        for (number, mut four) in fours.map(u64::from_le_bytes).into_iter().enumerate() {
            while four != 0 {
                let lane = four.trailing_zeros() as usize / 16;
                four &= !(0xffff << (16 * lane));
                let cell = (number * 4 + lane) % BAN_SIZE;
                take(guard(self.0[cell]), guard(before.0[cell]));
            }
        }
    }
}

impl Kyokumen {
    /// How each piece is guarded and attacked.
    #[inline]
    pub(crate) fn guards(&self) -> Guards {
        Level::best().run(Count(self))
    }
}

struct Count<'a>(&'a Kyokumen);

impl Job for Count<'_> {
    type Result = Guards;

    #[inline(always)]
    fn run(self) -> Guards {
        let mut guards = Guards::NONE;
        for ((code, koma), control) in guards.0.iter_mut().zip(&self.0.ban).zip(&self.0.control) {
            let [sente, gote] = control.map(u32::from_le_bytes).map(up_to_two);
            let kind = koma.index() as u16 & 15;
            let is_piece = kind != 0 && kind != Syurui::Ou.index() as u16;
            *code = if is_piece { (koma.index() as u16) << 4 | (3 * sente + gote) as u16 } else { 0 };
        }
        guards
    }
}

/// The number of bits, if it is less than 2.
#[inline(always)]
fn up_to_two(bits: u32) -> u32 {
    u32::from(bits != 0) + u32::from(bits & bits.wrapping_sub(1) != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kyokumen::Masu;

    /// Positions on the way of a game without a plan.
    fn positions() -> Vec<Kyokumen> {
        let mut kyokumen = Kyokumen::hirate();
        let mut all = vec![kyokumen.clone()];
        for number in 0..200 {
            let moves = kyokumen.legal_te();
            let Some(&te) = moves.get(number * 31 % moves.len().max(1)) else { break };
            kyokumen.do_te(te);
            all.push(kyokumen.clone());
        }
        all
    }

    /// By square, as a person would count.
    fn counted(kyokumen: &Kyokumen) -> Vec<(Koma, [u32; 2])> {
        let pieces = Masu::all().map(|masu| (kyokumen.koma(masu), masu));
        pieces
            .filter(|(koma, _)| koma.syurui().is_some_and(|syurui| syurui != Syurui::Ou))
            .map(|(koma, masu)| (koma, Teban::ALL.map(|teban| kyokumen.control(teban, masu).count_ones().min(2))))
            .collect()
    }

    #[test]
    fn every_level_counts_as_a_person_would() {
        for kyokumen in positions() {
            for level in Level::all() {
                let mut guards = Vec::new();
                level.run(Count(&kyokumen)).each(|guard| {
                    guards.push((guard.koma(), Teban::ALL.map(|teban| guard.attacks(teban) as u32)));
                    assert_eq!(Guard::from_index(guard.index()), Some(guard));
                });
                assert_eq!(guards, counted(&kyokumen), "{level:?} {kyokumen:?}");
            }
        }
    }

    #[test]
    fn changes_lead_from_one_position_to_another() {
        let positions = positions();
        assert!(positions.len() > 50);
        for pair in positions.iter().zip(&positions[3..]) {
            let [from, to] = [pair.0, pair.1].map(Kyokumen::guards);
            let list = |guards: &Guards| {
                let mut list = Vec::new();
                guards.each(|guard| list.push(guard.index()));
                list
            };
            let mut changed = list(&from);
            to.each_change(&from, |new, old| {
                assert_ne!(new, old);
                if let Some(old) = old {
                    let place = changed.iter().position(|&index| index == old.index()).unwrap();
                    changed.swap_remove(place);
                }
                changed.extend(new.map(Guard::index));
            });
            changed.sort_unstable();
            let mut expected = list(&to);
            expected.sort_unstable();
            assert_eq!(changed, expected);
        }
    }
}
