//! How players use their rook.

use crate::kifu::Game;
use crate::kyokumen::{ByTeban, Kyokumen, Masu, Syurui, Teban};

/// By so many plies of the game it shows how a player uses the rook.
const PLIES: usize = 30;
/// From this file on, as the player sees it, the rook has swung: the middle and all left of it.
const MIDDLE: u8 = 5;
/// From this rank on, as the player sees it, is the own camp.
const CAMP: u8 = 7;

/// Where a player's rook goes in the opening, the great divide of shogi.
///
/// Within the first 30 plies of the game. Only the rook that stands on the board at the start counts; moves that leave
/// the own camp, as when the rook takes a pawn and comes down to another file later, make no ranging rook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rook {
    /// It stays on the right side (居飛車), up to the fourth file as the player sees it.
    Static,
    /// It goes, within the own camp, to the middle file or further left (振り飛車), such as 5h to 9h for Sente.
    Ranging,
}

/// How the players use their rooks; `None` where one has none, or the game ended too early to tell.
pub(super) fn styles(game: &Game) -> ByTeban<Option<Rook>> {
    let kyokumen = game.start.kyokumen();
    let mut turn = kyokumen.teban();
    let mut rooks = ByTeban(Teban::ALL.map(|teban| rook(&kyokumen, teban)));
    let to_tell = if game.moves.len() >= PLIES { Some(Rook::Static) } else { None };
    let mut styles = ByTeban(Teban::ALL.map(|teban| rooks[teban].and(to_tell)));
    for te in game.moves.iter().take(PLIES) {
        if te.from().is_some() && te.from() == rooks[turn] {
            rooks[turn] = Some(te.to());
            if has_swung(te.from(), turn, false) && has_swung(Some(te.to()), turn, true) {
                styles[turn] = Some(Rook::Ranging);
            }
        }
        if rooks[!turn] == Some(te.to()) {
            rooks[!turn] = None;
        }
        turn = !turn;
    }
    styles
}

/// The only rook of a side on the board.
fn rook(kyokumen: &Kyokumen, teban: Teban) -> Option<Masu> {
    let mut rooks = kyokumen.pieces_of(teban, Syurui::Hi).into_iter();
    rooks.next().filter(|_| rooks.next().is_none())
}

/// Whether a square is in the own camp and, if asked for, on the middle file or left of it.
fn has_swung(masu: Option<Masu>, teban: Teban, left: bool) -> bool {
    let seen = masu.map(|masu| if teban == Teban::Sente { masu } else { masu.rotated() });
    seen.is_some_and(|masu| masu.dan().number() >= CAMP && (!left || masu.suji().number() >= MIDDLE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kifu::read_line;

    /// The styles of Sente and Gote: `s`, `r` or `-`.
    fn of(moves: &str) -> String {
        let game = read_line(&format!("startpos moves {moves}")).unwrap().unwrap();
        assert_eq!(game.cut, None, "{moves}");
        let letter = |style: &Option<Rook>| match style {
            Some(Rook::Static) => 's',
            Some(Rook::Ranging) => 'r',
            None => '-',
        };
        styles(&game).0.iter().map(letter).collect()
    }

    #[test]
    fn the_rook_tells_the_style_as_each_side_sees_it() {
        assert_eq!(of("7g7f 3c3d 2h6h"), "r-", "the fourth file from the left");
        assert_eq!(of("7g7f 3c3d 2h5h 8b4b"), "rr", "Gote's 4b is like Sente's 6h");
        assert_eq!(of("7g7f 3c3d 2h4h 8b6b"), "--", "files on the right side, and too early to tell");
        // Kings and golds go to and fro, thirty plies in all.
        let wait = " 5i5h 5a5b 5h5i 5b5a".repeat(7);
        assert_eq!(of(&format!("7g7f 3c3d{wait}")), "ss");
        assert_eq!(of(&format!("7g7f 8b4b{wait}")), "sr");
        assert_eq!(of(&format!("7g7f 3c3d{wait} 2h6h")), "ss", "too late to be an opening");
    }

    #[test]
    fn a_rook_that_comes_to_the_left_in_front_of_its_camp_is_static() {
        // The side pawn: the rook takes on 3d, and goes along the rank.
        let side_pawn = "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d 8e8f 8g8f 8b8f 2d3d 2b3c 3d8d";
        assert_eq!(of(&format!("{side_pawn}{}", " 5a5b 5i5h 5b5a 5h5i".repeat(4))), "ss");
    }

    #[test]
    fn a_rook_that_was_taken_or_was_not_there_tells_nothing_more() {
        let game = read_line("-\trook\t-\t-\t-\tresign\t2\t3c3d 2h6h").unwrap().unwrap();
        assert_eq!(styles(&game).0, [Some(Rook::Ranging), None]);
        // Gote takes the rook on 2h by its bishop, and the rook that it drops is another one.
        assert_eq!(of("7g7f 3c3d 8h2b+ 3a2b 3g3f B*5e 1g1f 5e2h+ 3i2h R*5b 1f1e 5b4b"), "--");
    }
}
