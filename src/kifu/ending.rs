//! How games end.

use crate::kyokumen::Teban;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ending {
    /// The side to move resigned (投了).
    Resign,
    /// The side to move overstepped the time (切れ負け).
    Timeup,
    /// An illegal move (反則), which is not among the moves: where nothing else is said, by the side that had just moved,
    /// so that the side to move won (反則勝ち).
    Illegal,
    /// The game was broken off (中断), or adjourned with a sealed move (封じ手).
    Abort,
    /// A draw, of which no more is known.
    Draw,
    /// A draw by repetition (千日手).
    Sennichite,
    /// A draw because both kings entered (持将棋).
    Jishogi,
    /// The side to move declared its win (入玉宣言).
    Declaration,
    /// The side to move is mated (詰み).
    Mate,
    /// The game was not played (不戦敗), to the loss of the side to move where nothing else is said.
    Forfeit,
}

impl Ending {
    /// All endings.
    pub const ALL: [Ending; 10] = [
        Ending::Resign,
        Ending::Timeup,
        Ending::Illegal,
        Ending::Abort,
        Ending::Draw,
        Ending::Sennichite,
        Ending::Jishogi,
        Ending::Declaration,
        Ending::Mate,
        Ending::Forfeit,
    ];

    /// The name on the command line and in the games file.
    pub const fn name(self) -> &'static str {
        match self {
            Ending::Resign => "resign",
            Ending::Timeup => "timeup",
            Ending::Illegal => "illegal",
            Ending::Abort => "abort",
            Ending::Draw => "draw",
            Ending::Sennichite => "sennichite",
            Ending::Jishogi => "jishogi",
            Ending::Declaration => "declaration",
            Ending::Mate => "mate",
            Ending::Forfeit => "forfeit",
        }
    }

    /// The ending with this name.
    pub fn from_name(name: &str) -> Option<Ending> {
        Ending::ALL.into_iter().find(|ending| ending.name() == name)
    }

    /// Who won, when it was this side's turn at the end and the record says no more.
    pub const fn winner(self, turn: Teban) -> Option<Teban> {
        match self {
            Ending::Resign | Ending::Timeup | Ending::Mate | Ending::Forfeit => Some(turn.opponent()),
            Ending::Illegal | Ending::Declaration => Some(turn),
            Ending::Abort | Ending::Draw | Ending::Sennichite | Ending::Jishogi => None,
        }
    }

    /// Whether neither side won.
    pub const fn is_draw(self) -> bool {
        matches!(self, Ending::Draw | Ending::Sennichite | Ending::Jishogi)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_is_found_by_its_name_and_no_draw_is_won() {
        for ending in Ending::ALL {
            assert_eq!(Ending::from_name(ending.name()), Some(ending));
            assert!(!ending.is_draw() || ending.winner(Teban::Sente).is_none());
        }
        assert_eq!(Ending::from_name("Resign"), None);
        assert_eq!(Ending::Resign.winner(Teban::Sente), Some(Teban::Gote));
        assert_eq!(Ending::Illegal.winner(Teban::Sente), Some(Teban::Sente));
        assert_eq!(Ending::Abort.winner(Teban::Gote), None);
    }
}
