//! Nyugyoku: winning by a declaration once the king has entered the enemy camp.
//!
//! The point rules are those of the Japan Shogi Association as the Computer Shogi Association plays them: the king in
//! the camp (its three ranks), at least ten other own pieces there, not in check, and points from the pieces in the
//! camp and in hand: 5 for bishop and rook, 1 for every other piece but the king.

use super::{Koma, Kyokumen, Masu, Syurui, Te, Teban};

/// Which rule decides about a declaration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NyugyokuRule {
    /// No declaration.
    None,
    /// 31 points win; with 24 to 30 the game is a draw, which no engine declares.
    Csa24,
    /// As `Csa24`, and the pieces that the handicap giver lacks count as his points.
    Csa24H,
    /// 28 points win for Sente, 27 for Gote.
    #[default]
    Csa27,
    /// As `Csa27`, and the pieces that the handicap giver lacks count as his points.
    Csa27H,
    /// The king wins by moving to the square on which the enemy king started: 5a for Sente, 5i for Gote.
    Try,
}

/// What the side to move can do about nyugyoku.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declaration {
    /// Declare, and win.
    Win,
    /// Declare, and draw; by the 24-point rules only.
    Draw,
    /// Win by this king move; by the try rule only.
    Move(Te),
}

impl Kyokumen {
    /// What the side to move can declare; `None` where the rule's conditions are not met.
    pub fn nyugyoku(&self, rule: NyugyokuRule) -> Option<Declaration> {
        let threshold = match rule {
            NyugyokuRule::None => return None,
            NyugyokuRule::Try => return self.try_move().map(Declaration::Move),
            NyugyokuRule::Csa24 | NyugyokuRule::Csa24H => 24,
            NyugyokuRule::Csa27 | NyugyokuRule::Csa27H => 27 + u32::from(self.teban == Teban::Sente),
        };
        let ou = self.ou(self.teban)?;
        if !ou.dan().promotes(self.teban) || self.is_oute() {
            return None;
        }
        let (pieces, mut points) = self.camp_pieces_and_points();
        // By custom Gote is the side that gives a handicap.
        if matches!(rule, NyugyokuRule::Csa24H | NyugyokuRule::Csa27H) && self.teban == Teban::Gote {
            points += self.points_missing_from_set();
        }
        match (pieces >= 10 && points >= threshold, threshold) {
            (false, _) => None,
            (true, 24) if points <= 30 => Some(Declaration::Draw),
            (true, _) => Some(Declaration::Win),
        }
    }

    /// Own pieces other than the king in the enemy camp, and the points of these and the hand.
    fn camp_pieces_and_points(&self) -> (u32, u32) {
        let teban = self.teban;
        let mut pieces = 0;
        let mut points = 0;
        for masu in Masu::all().filter(|masu| masu.dan().promotes(teban)) {
            let koma = self.koma(masu);
            if koma.belongs_to(teban) && koma != Koma::new(Syurui::Ou, teban) {
                pieces += 1;
                points += koma.syurui().map_or(0, points_of);
            }
        }
        for (syurui, count) in self.motigoma(teban).iter() {
            points += u32::from(count) * points_of(syurui);
        }
        (pieces, points)
    }

    fn points_missing_from_set(&self) -> u32 {
        const SET: u32 = 54;
        let board: u32 = Masu::all().filter_map(|masu| self.koma(masu).syurui()).map(points_of).sum();
        let hands: u32 = Teban::ALL
            .iter()
            .flat_map(|&teban| self.motigoma(teban).iter())
            .map(|(syurui, count)| u32::from(count) * points_of(syurui))
            .sum();
        SET.saturating_sub(board + hands)
    }

    fn try_move(&self) -> Option<Te> {
        let from = self.ou(self.teban)?;
        let goal = Masu::from_usi(if self.teban == Teban::Sente { *b"5a" } else { *b"5i" })?;
        (from != goal).then(|| Te::board(from, goal, false)).filter(|&te| self.is_legal(te))
    }
}

fn points_of(syurui: Syurui) -> u32 {
    match syurui.unpromoted() {
        Syurui::Ou => 0,
        Syurui::Ka | Syurui::Hi => 5,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_set_has_54_points() {
        let bare = Kyokumen::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b - 1").unwrap();
        assert_eq!(bare.points_missing_from_set(), 54);
        assert_eq!(Kyokumen::hirate().points_missing_from_set(), 0);
    }

    #[test]
    fn the_handicap_giver_counts_what_he_gave() {
        // Ten small pieces in the camp, a rook and six pawns in hand: 21 points, and a rook and a bishop are missing.
        let sfen = "4k4/9/9/9/9/9/ppppp4/ggggk4/s8 w r6p 1".replacen("4k4", "9", 1);
        let kyokumen = Kyokumen::from_sfen(&sfen).unwrap();
        assert_eq!(kyokumen.nyugyoku(NyugyokuRule::Csa27), None);
        assert_eq!(kyokumen.nyugyoku(NyugyokuRule::Csa27H), Some(Declaration::Win));
        assert_eq!(kyokumen.nyugyoku(NyugyokuRule::Csa24), None);
        assert_eq!(kyokumen.nyugyoku(NyugyokuRule::Csa24H), Some(Declaration::Win));
        assert_eq!(kyokumen.nyugyoku(NyugyokuRule::None), None);
    }

    #[test]
    fn the_try_rule_answers_with_a_legal_king_move_only() {
        let kyokumen = |sfen| Kyokumen::from_sfen(sfen).unwrap();
        let te = kyokumen("9/4K4/9/9/9/9/9/9/4k4 b - 1").nyugyoku(NyugyokuRule::Try);
        assert_eq!(te, Some(Declaration::Move("5b5a".parse().unwrap())));
        assert_eq!(kyokumen("3g5/4K4/9/9/9/9/9/9/4k4 b - 1").nyugyoku(NyugyokuRule::Try), None);
        assert_eq!(kyokumen("9/9/4K4/9/9/9/9/9/4k4 b - 1").nyugyoku(NyugyokuRule::Try), None);
        let te = kyokumen("9/9/9/9/9/4K4/9/3k5/9 w - 1").nyugyoku(NyugyokuRule::Try);
        assert_eq!(te, Some(Declaration::Move("6h5i".parse().unwrap())));
    }
}
