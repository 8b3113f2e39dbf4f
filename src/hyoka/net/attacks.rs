//! What a side sees of attacks: on the squares around its king, and on the pieces of both.

use super::around::{Around, SQUARES};
use super::{GUARDED, KINDS, Net, Row, View, WIDTH, layers};
use crate::kyokumen::guards::{Guard, Guards};
use crate::kyokumen::{Kyokumen, Teban};

/// What can be said of a piece's square: 0, 1, or 2 and more attacks by either side.
const GRADES: usize = 9;
/// Kinds of rows of pieces.
pub(super) const KINDS_OF_GUARDS: usize = 2 * KINDS * GRADES;
/// Pieces of a set, and so the most that can change.
const PIECES: usize = 40;
/// The most features of attacks that a side sees.
pub const MOST_ATTACKS: usize = SQUARES + PIECES;

impl View {
    /// Hands over every feature of attacks.
    pub fn each_attack(self, kyokumen: &Kyokumen, mut take: impl FnMut(usize)) {
        Around::new(self, kyokumen).features().into_iter().for_each(|feature| take(feature.into()));
        kyokumen.guards().each(|guard| take(feature(self.teban, guard).into()));
    }
}

/// What the two sides see of attacks, in the position that was valued last.
#[derive(Clone, Debug)]
pub(super) struct Attacks {
    known: bool,
    guards: Guards,
    sides: [Side; 2],
}

#[derive(Clone, Debug)]
struct Side {
    around: Around,
    sum: Row,
}

impl Default for Attacks {
    fn default() -> Attacks {
        let sides = Teban::ALL.map(|teban| Side { around: Around::none(teban), sum: Row([0; WIDTH]) });
        Attacks { known: false, guards: Guards::NONE, sides }
    }
}

impl Attacks {
    /// What a side sees.
    #[inline]
    pub(super) fn seen(&self, teban: Teban) -> &Row {
        &self.sides[teban.index()].sum
    }

    /// Makes known what both see of a position: whatever was seen last, little of it is different.
    pub(super) fn look(&mut self, net: &Net, kyokumen: &Kyokumen, views: [View; 2]) {
        if !self.known {
            self.begin(net);
        }
        let mut changes = [Changes::NONE; 2];
        let guards = kyokumen.guards();
        guards.each_change(&self.guards, |new, old| {
            for (changes, teban) in changes.iter_mut().zip(Teban::ALL) {
                new.into_iter().for_each(|new| changes.more.push(feature(teban, new)));
                old.into_iter().for_each(|old| changes.less.push(feature(teban, old)));
            }
        });
        self.guards = guards;
        for ((side, changes), view) in self.sides.iter_mut().zip(&mut changes).zip(views) {
            side.around.change(view, kyokumen, |[new, old]| {
                changes.more.push(new);
                changes.less.push(old);
            });
            side.add(net, changes);
        }
    }

    /// Sees no attacks at all.
    fn begin(&mut self, net: &Net) {
        self.known = true;
        for side in &mut self.sides {
            let mut changes = Changes::NONE;
            side.around.features().into_iter().for_each(|feature| changes.more.push(feature));
            side.add(net, &changes);
        }
    }
}

impl Side {
    #[inline]
    fn add(&mut self, net: &Net, Changes { more, less }: &Changes) {
        layers::exchange(&mut self.sum, &net.rows, more.get(), less.get());
    }
}

/// Features that come and that go.
struct Changes {
    more: Features,
    less: Features,
}

impl Changes {
    const NONE: Changes = Changes { more: Features::NONE, less: Features::NONE };
}

struct Features {
    features: [u16; MOST_ATTACKS],
    count: usize,
}

impl Features {
    const NONE: Features = Features { features: [0; MOST_ATTACKS], count: 0 };

    #[inline]
    fn push(&mut self, feature: u16) {
        // There are never more; so nothing is lost, and no bound needs to be checked.
        self.features[self.count % MOST_ATTACKS] = feature;
        self.count += 1;
    }

    #[inline]
    fn get(&self) -> &[u16] {
        &self.features[..self.count.min(MOST_ATTACKS)]
    }
}

#[inline]
fn feature(teban: Teban, guard: Guard) -> u16 {
    FEATURES_OF[teban.index()][guard.index()]
}

/// By side and guard.
static FEATURES_OF: [[u16; Guard::CODES]; 2] = {
    let mut features = [[0; Guard::CODES]; 2];
    let mut index = 0;
    while index < 2 * Guard::CODES {
        let teban = Teban::ALL[index % 2];
        if let Some(guard) = Guard::from_index(index / 2) {
            let kind = match guard.koma().syurui() {
                Some(syurui) => syurui.index() - 1,
                None => 0,
            };
            let kind = if guard.koma().index() & 16 << teban.index() != 0 { kind } else { kind + KINDS };
            let grade = 3 * guard.attacks(teban) + guard.attacks(teban.opponent());
            features[index % 2][index / 2] = (GUARDED + kind * GRADES + grade) as u16;
        }
        index += 1;
    }
    features
};
