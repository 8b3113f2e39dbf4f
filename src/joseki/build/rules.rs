//! Which games and moves go into a book.

use super::names::folded;
use super::rook::{self, Rook};
use crate::kifu::{Date, Ending, Game, Handicap};
use crate::kyokumen::{ByTeban, Teban, Tesu};

/// Which games and moves go into a book. The default takes every move of every even game.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Moves up to this number.
    pub max_ply: Tesu,
    /// Moves seen at least this often in their position, after all is added up.
    pub min_count: u64,
    /// Moves of players rated at least so; an unknown rating is too low.
    pub min_rating: Option<u32>,
    /// Whose moves.
    pub side: Side,
    /// Moves of players with one of these names; empty for any. Capital and small letters, full and half width are the
    /// same, and blanks do not count.
    pub players: Vec<String>,
    /// Moves of players who play their rook so.
    pub rook: Option<Rook>,
    /// Games with this handicap; `None` for any, other starts included.
    pub handicap: Option<Handicap>,
    /// Games of at least so many plies.
    pub min_game: usize,
    /// Games of this day or later; those without a date are left out.
    pub since: Option<Date>,
    /// Games of this day or earlier; those without a date are left out.
    pub until: Option<Date>,
    /// Games with one of these endings; empty for any. [`Ending::Draw`] stands for all draws.
    pub endings: Vec<Ending>,
    /// Whether moves of variations count too, without result and ratings.
    pub variations: bool,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            max_ply: Tesu::MAX,
            min_count: 1,
            min_rating: None,
            side: Side::Both,
            players: Vec::new(),
            rook: None,
            handicap: Some(Handicap::Even),
            min_game: 1,
            since: None,
            until: None,
            endings: Vec::new(),
            variations: false,
        }
    }
}

/// Whose moves go into a book.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// Both players'.
    #[default]
    Both,
    /// Only Sente's.
    Sente,
    /// Only Gote's.
    Gote,
    /// Only the winner's; none where nobody won.
    Winner,
    /// Only the loser's; none where nobody lost.
    Loser,
}

impl Rules {
    /// Whose moves of a game are taken; `None` where the game as a whole is left out.
    pub(super) fn movers(&self, game: &Game) -> Option<ByTeban<bool>> {
        if !self.accepts_game(game) {
            return None;
        }
        let styles = self.rook.map(|_| rook::styles(game));
        let accepts = |teban: Teban| {
            self.accepts_mover(game, teban) && styles.as_ref().is_none_or(|styles| styles[teban] == self.rook)
        };
        Some(ByTeban(Teban::ALL.map(accepts)))
    }

    fn accepts_game(&self, game: &Game) -> bool {
        let date_fits = |limit: Option<Date>, fits: fn(&Date, &Date) -> bool| {
            limit.is_none_or(|limit| game.date.is_some_and(|date| fits(&date, &limit)))
        };
        game.moves.len() >= self.min_game
            && self.handicap.is_none_or(|handicap| game.start.handicap() == Some(handicap))
            && date_fits(self.since, Date::ge)
            && date_fits(self.until, Date::le)
            && (self.endings.is_empty() || game.ending.is_some_and(|ending| self.accepts_ending(ending)))
    }

    fn accepts_ending(&self, ending: Ending) -> bool {
        self.endings.contains(&ending) || ending.is_draw() && self.endings.contains(&Ending::Draw)
    }

    fn accepts_mover(&self, game: &Game, teban: Teban) -> bool {
        let rated = self.min_rating.is_none_or(|least| game.ratings[teban].is_some_and(|rating| rating >= least));
        let fits = match self.side {
            Side::Both => true,
            Side::Sente => teban == Teban::Sente,
            Side::Gote => teban == Teban::Gote,
            Side::Winner => game.winner == Some(teban),
            Side::Loser => game.winner == Some(!teban),
        };
        rated && fits && self.accepts_name(game.names[teban].as_deref())
    }

    fn accepts_name(&self, name: Option<&str>) -> bool {
        if self.players.is_empty() {
            return true;
        }
        let name = name.map(folded).filter(|name| !name.is_empty());
        name.is_some_and(|name| self.players.iter().any(|player| folded(player) == name))
    }
}
