//! The rules once more, slow and obvious: a board of 9 x 9, moves tried out on copies, nothing remembered.
//!
//! Shares with the library only the names of squares, pieces and moves.

use komadai::kyokumen::{Dan, Koma, Kyokumen, Masu, Suji, Syurui, Te, Teban};

/// A board and hands in the plainest form. Squares are `[dan - 1][suji - 1]`.
#[derive(Clone)]
pub struct Reference {
    board: [[Option<(Syurui, Teban)>; 9]; 9],
    hands: [[u8; 8]; 2],
    teban: Teban,
}

/// Steps as (suji, dan) for Sente, whose forward is towards dan 1.
fn steps(syurui: Syurui) -> &'static [(i32, i32)] {
    const GOLD: &[(i32, i32)] = &[(0, -1), (-1, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
    match syurui {
        Syurui::Fu => &[(0, -1)],
        Syurui::Ke => &[(-1, -2), (1, -2)],
        Syurui::Gi => &[(0, -1), (-1, -1), (1, -1), (-1, 1), (1, 1)],
        Syurui::Ki | Syurui::To | Syurui::Ny | Syurui::Nk | Syurui::Ng => GOLD,
        Syurui::Ou => &[(0, -1), (-1, -1), (1, -1), (-1, 0), (1, 0), (0, 1), (-1, 1), (1, 1)],
        Syurui::Um => &[(0, -1), (-1, 0), (1, 0), (0, 1)],
        Syurui::Ry => &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
        Syurui::Ky | Syurui::Ka | Syurui::Hi => &[],
    }
}

fn slides(syurui: Syurui) -> &'static [(i32, i32)] {
    match syurui {
        Syurui::Ky => &[(0, -1)],
        Syurui::Ka | Syurui::Um => &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
        Syurui::Hi | Syurui::Ry => &[(0, -1), (-1, 0), (1, 0), (0, 1)],
        _ => &[],
    }
}

fn masu(suji: i32, dan: i32) -> Option<Masu> {
    let number = |n: i32| u8::try_from(n).ok();
    Some(Masu::new(Suji::new(number(suji)?)?, Dan::new(number(dan)?)?))
}

impl Reference {
    pub fn of(kyokumen: &Kyokumen) -> Reference {
        let mut reference = Reference { board: [[None; 9]; 9], hands: [[0; 8]; 2], teban: kyokumen.teban() };
        for masu in Masu::all() {
            let koma = kyokumen.koma(masu);
            *reference.cell(masu) = koma.syurui().zip(koma.teban());
        }
        for teban in Teban::ALL {
            for syurui in Syurui::HAND {
                reference.hands[teban.index()][syurui.index()] = kyokumen.motigoma(teban).count(syurui);
            }
        }
        reference
    }

    fn cell(&mut self, masu: Masu) -> &mut Option<(Syurui, Teban)> {
        &mut self.board[usize::from(masu.dan().number()) - 1][usize::from(masu.suji().number()) - 1]
    }

    fn at(&self, masu: Masu) -> Option<(Syurui, Teban)> {
        self.board[usize::from(masu.dan().number()) - 1][usize::from(masu.suji().number()) - 1]
    }

    /// The squares that a piece on this square reaches, own pieces in the way or not.
    fn reach(&self, from: Masu) -> Vec<Masu> {
        let Some((syurui, teban)) = self.at(from) else { return Vec::new() };
        let forward = if teban == Teban::Sente { 1 } else { -1 };
        let (suji, dan) = (i32::from(from.suji().number()), i32::from(from.dan().number()));
        let mut reached: Vec<Masu> =
            steps(syurui).iter().filter_map(|&(s, d)| masu(suji + s * forward, dan + d * forward)).collect();
        for &(s, d) in slides(syurui) {
            for distance in 1.. {
                let Some(to) = masu(suji + s * forward * distance, dan + d * forward * distance) else { break };
                reached.push(to);
                if self.at(to).is_some() {
                    break;
                }
            }
        }
        reached
    }

    fn pieces(&self, teban: Teban) -> impl Iterator<Item = (Masu, Syurui)> + '_ {
        Masu::all().filter_map(move |m| self.at(m).filter(|&(_, owner)| owner == teban).map(|(syurui, _)| (m, syurui)))
    }

    /// How many pieces of a side attack a square.
    pub fn attackers(&self, teban: Teban, target: Masu) -> usize {
        self.pieces(teban).filter(|&(from, _)| self.reach(from).contains(&target)).count()
    }

    pub fn in_check(&self, teban: Teban) -> bool {
        let king = self.pieces(teban).find(|&(_, syurui)| syurui == Syurui::Ou);
        king.is_some_and(|(king, _)| self.attackers(!teban, king) > 0)
    }

    fn rank_from_far_side(&self, masu: Masu) -> u8 {
        if self.teban == Teban::Sente { masu.dan().number() } else { 10 - masu.dan().number() }
    }

    fn can_live(&self, syurui: Syurui, to: Masu) -> bool {
        match syurui {
            Syurui::Fu | Syurui::Ky => self.rank_from_far_side(to) > 1,
            Syurui::Ke => self.rank_from_far_side(to) > 2,
            _ => true,
        }
    }

    fn board_moves(&self) -> Vec<Te> {
        let mut moves = Vec::new();
        for (from, syurui) in self.pieces(self.teban) {
            for to in self.reach(from) {
                if self.at(to).is_some_and(|(target, owner)| owner == self.teban || target == Syurui::Ou) {
                    continue;
                }
                if self.can_live(syurui, to) {
                    moves.push(Te::board(from, to, false));
                }
                let in_zone = self.rank_from_far_side(from) <= 3 || self.rank_from_far_side(to) <= 3;
                if in_zone && syurui.promoted().is_some() {
                    moves.push(Te::board(from, to, true));
                }
            }
        }
        moves
    }

    fn drop_moves(&self) -> Vec<Te> {
        let mut moves = Vec::new();
        for syurui in Syurui::HAND {
            if self.hands[self.teban.index()][syurui.index()] == 0 {
                continue;
            }
            for to in Masu::all().filter(|&to| self.at(to).is_none() && self.can_live(syurui, to)) {
                let two_pawns = syurui == Syurui::Fu
                    && self.pieces(self.teban).any(|(m, kind)| kind == Syurui::Fu && m.suji() == to.suji());
                if !two_pawns {
                    moves.push(Te::drop(syurui, to));
                }
            }
        }
        moves
    }

    /// All legal moves, sorted.
    pub fn legal_moves(&self) -> Vec<Te> {
        let mut moves = self.moves_without_check();
        moves.retain(|&te| {
            let after = self.after(te);
            let drop_mate = te.dropped() == Some(Syurui::Fu)
                && after.in_check(after.teban)
                && after.moves_without_check().is_empty();
            !drop_mate
        });
        moves.sort();
        moves
    }

    /// Moves that don't leave the own king in check, pawn-drop mates included. (A pawn-drop mate never answers a pawn's
    /// check: whoever is mated by a pawn can't drop one in between.)
    fn moves_without_check(&self) -> Vec<Te> {
        let mut moves = self.board_moves();
        moves.extend(self.drop_moves());
        moves.retain(|&te| !self.after(te).in_check(self.teban));
        moves
    }

    /// All legal moves of pieces on the board to a square, sorted, with what moves; promotions only where there is the
    /// choice.
    pub fn captures_on(&self, target: Masu) -> Vec<(Te, Syurui)> {
        let mut moves = self.board_moves();
        moves.retain(|te| te.to() == target);
        let promoted: Vec<_> = moves.iter().filter(|te| te.promotes()).map(|te| te.from()).collect();
        moves.retain(|te| te.promotes() || !promoted.contains(&te.from()));
        moves.retain(|&te| !self.after(te).in_check(self.teban));
        moves.sort();
        let kind = |te: Te| te.from().and_then(|from| self.at(from)).map(|(syurui, _)| syurui);
        moves.into_iter().filter_map(|te| kind(te).map(|syurui| (te, syurui))).collect()
    }

    /// What stands on a square.
    pub fn kind_on(&self, target: Masu) -> Option<Syurui> {
        self.at(target).map(|(syurui, _)| syurui)
    }

    /// The position after a move.
    pub fn after(&self, te: Te) -> Reference {
        let mut next = self.clone();
        let hand = &mut next.hands[self.teban.index()];
        if let Some((captured, _)) = self.at(te.to()) {
            hand[captured.unpromoted().index() % 8] += 1;
        }
        let syurui = match te.from() {
            None => {
                let syurui = te.dropped().expect("a move is on the board or a drop");
                hand[syurui.index()] -= 1;
                syurui
            }
            Some(from) => {
                let (syurui, _) = next.cell(from).take().expect("a piece moves");
                if te.promotes() { syurui.promoted().expect("it can promote") } else { syurui }
            }
        };
        *next.cell(te.to()) = Some((syurui, self.teban));
        next.teban = !self.teban;
        next
    }

    /// Whether a fast position shows the same pieces.
    pub fn equals(&self, kyokumen: &Kyokumen) -> bool {
        kyokumen.teban() == self.teban
            && Masu::all()
                .all(|m| kyokumen.koma(m) == self.at(m).map_or(Koma::EMPTY, |(syurui, teban)| Koma::new(syurui, teban)))
            && Teban::ALL.iter().all(|&teban| {
                Syurui::HAND.iter().all(|&s| kyokumen.motigoma(teban).count(s) == self.hands[teban.index()][s.index()])
            })
    }
}
