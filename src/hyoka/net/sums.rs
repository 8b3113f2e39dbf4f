//! What both sides see, kept through the moves of a search and counted when it is asked for.

use super::attacks::Attacks;
use super::{Net, ONE, OUTPUT_ONE, Row, SCALE, View, WIDTH, layers, phase_index};
use crate::hyoka::Centipawn;
use crate::kyokumen::{Change, Koma, Kyokumen, Masu, Syurui, Teban};

/// The network corrects, and no more.
const MOST: Centipawn = 4_000;

/// A piece that comes or goes.
#[derive(Clone, Copy, Debug)]
enum Item {
    OnBoard(Koma, Masu),
    InHand(Syurui, Teban, u8),
}

impl Item {
    fn feature(self, view: View) -> usize {
        match self {
            Item::OnBoard(koma, masu) => view.on_board(koma, masu),
            Item::InHand(syurui, teban, number) => view.in_hand(syurui, teban, number),
        }
    }
}

/// A position on the way: what each side sees of it, once somebody has asked, and by what it differs from the one
/// before.
#[derive(Clone, Debug)]
struct Position {
    seen: [Row; 2],
    /// Whether `seen` is counted, by side.
    known: [bool; 2],
    view: [View; 2],
    /// What comes and goes: one pair for a move without capture, two for a capture.
    pairs: [[Item; 2]; 2],
    captures: bool,
}

impl Position {
    fn empty() -> Position {
        let item = Item::InHand(Syurui::Fu, Teban::Sente, 1);
        Position {
            seen: [Row([0; WIDTH]); 2],
            known: [false; 2],
            view: Teban::ALL.map(|teban| View::new(teban, None)),
            pairs: [[item; 2]; 2],
            captures: false,
        }
    }
}

/// The positions from the root of a search on.
#[derive(Clone, Debug)]
pub(in crate::hyoka) struct Stack {
    positions: Vec<Position>,
    top: usize,
    attacks: Attacks,
}

const NONE: Row = Row([0; WIDTH]);

impl Default for Stack {
    fn default() -> Stack {
        Stack { positions: vec![Position::empty()], top: 0, attacks: Attacks::default() }
    }
}

impl Stack {
    pub(in crate::hyoka) fn reset(&mut self, kyokumen: &Kyokumen) {
        self.top = 0;
        self.attacks = Attacks::default();
        let root = &mut self.positions[0];
        (root.known, root.view) = ([false; 2], views(kyokumen));
    }

    #[inline]
    pub(in crate::hyoka) fn push(&mut self, kyokumen: &Kyokumen, change: &Change) {
        self.top += 1;
        if self.top == self.positions.len() {
            self.positions.push(Position::empty());
        }
        let position = &mut self.positions[self.top];
        position.known = [false; 2];
        position.view = views(kyokumen);
        let (to, hand) = (change.te.to(), kyokumen.motigoma(change.teban()));
        let comes = Item::OnBoard(change.after, to);
        let goes = match (change.te.from(), change.te.dropped()) {
            (None, Some(syurui)) => Item::InHand(syurui, change.teban(), hand.count(syurui) + 1),
            (from, _) => Item::OnBoard(change.before, from.unwrap_or(to)),
        };
        position.pairs[0] = [comes, goes];
        position.captures = false;
        if let Some(captured) = change.captured.syurui() {
            let syurui = captured.unpromoted();
            let held = Item::InHand(syurui, change.teban(), hand.count(syurui));
            position.pairs[1] = [held, Item::OnBoard(change.captured, to)];
            position.captures = true;
        }
    }

    #[inline]
    pub(in crate::hyoka) fn pop(&mut self) {
        self.top = self.top.saturating_sub(1);
    }

    /// What the network adds to the value of the position on top, from the side to move.
    pub(in crate::hyoka) fn value(&mut self, net: &Net, kyokumen: &Kyokumen, phase: i32) -> Centipawn {
        Teban::ALL.into_iter().for_each(|teban| self.look(net, kyokumen, teban));
        let Position { seen, view, .. } = &self.positions[self.top];
        self.attacks.look(net, kyokumen, *view);
        let teban = kyokumen.teban();
        let phase = phase_index(phase);
        let seen = [teban, !teban].map(|teban| [&seen[teban.index()], self.attacks.seen(teban)]);
        let sum = layers::output(seen, &net.outputs[phase]);
        // In two steps, so that nothing leaves 32 bits.
        let parts = sum.saturating_add(net.constants[phase]) / (ONE * OUTPUT_ONE * ONE / 1024);
        (parts * SCALE / 1024).clamp(-MOST, MOST)
    }

    /// Makes known what a side sees on top.
    fn look(&mut self, net: &Net, kyokumen: &Kyokumen, teban: Teban) {
        let (side, top) = (teban.index(), self.top);
        let view = self.positions[top].view[side];
        let mut known = top;
        while !self.positions[known].known[side] {
            // Under another view everything has another place.
            if known == 0 || self.positions[known - 1].view[side] != view {
                self.positions[top].seen[side] = fresh(net, kyokumen, view);
                self.positions[top].known[side] = true;
                return;
            }
            known -= 1;
        }
        for index in known + 1..=top {
            let (before, after) = self.positions.split_at_mut(index);
            let Position { seen, known, pairs, captures, .. } = &mut after[0];
            let (from, to) = (&before[index - 1].seen[side], &mut seen[side]);
            let rows = |pair: [Item; 2]| pair.map(|item| &net.rows[item.feature(view)]);
            if *captures {
                layers::advance(from, pairs.map(rows), to);
            } else {
                layers::advance(from, [rows(pairs[0])], to);
            }
            known[side] = true;
        }
    }
}

fn views(kyokumen: &Kyokumen) -> [View; 2] {
    Teban::ALL.map(|teban| View::new(teban, kyokumen.ou(teban)))
}

/// What a side sees, counted from nothing.
fn fresh(net: &Net, kyokumen: &Kyokumen, view: View) -> Row {
    let mut sum = net.biases;
    view.each(kyokumen, |feature| {
        let from = sum;
        layers::advance(&from, [[&net.rows[feature], &NONE]], &mut sum);
    });
    sum
}
