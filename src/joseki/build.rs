//! Building a book from games: counts, results and ratings of the moves, position by position.
//!
//! The outcome depends on the games alone, neither on their order nor on the number of threads.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;

use rayon::prelude::*;

use super::{Entry, Format, JosekiError, JosekiTe, WriteOptions, Writer, Written, copy};
use crate::kifu::{Date, Ending, Game, Handicap};
use crate::kyokumen::{PackedKyokumen, Te, Teban, Tesu};

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
    /// Games with this handicap; `None` for any, other starts included.
    pub handicap: Option<Handicap>,
    /// Games of at least so many plies.
    pub min_game: usize,
    /// Games of this day or later; those without a date are left out.
    pub since: Option<Date>,
    /// Games of this day or earlier; those without a date are left out.
    pub until: Option<Date>,
    /// Games with one of these endings; empty for any.
    pub endings: Vec<Ending>,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            max_ply: Tesu::MAX,
            min_count: 1,
            min_rating: None,
            side: Side::Both,
            handicap: Some(Handicap::Even),
            min_game: 1,
            since: None,
            until: None,
            endings: Vec::new(),
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

/// Positions with their counted moves, ready to be written.
pub struct Counted {
    /// The positions, in the order of the own format.
    positions: Vec<(PackedKyokumen, Entry)>,
    /// Games whose moves were counted.
    pub games: u64,
    /// Games left out because another of the same day has the same moves.
    pub repeated: u64,
    /// Games in which a king is missing, which no book can hold.
    pub unpackable: u64,
}

impl Rules {
    /// Whether a game has moves to give.
    pub fn accepts(&self, game: &Game) -> bool {
        let date_fits = |limit: Option<Date>, fits: fn(&Date, &Date) -> bool| {
            limit.is_none_or(|limit| game.date.is_some_and(|date| fits(&date, &limit)))
        };
        game.moves.len() >= self.min_game
            && self.handicap.is_none_or(|handicap| game.start.handicap() == Some(handicap))
            && date_fits(self.since, Date::ge)
            && date_fits(self.until, Date::le)
            && (self.endings.is_empty() || game.ending.is_some_and(|ending| self.endings.contains(&ending)))
            && self.accepts_first_movers(game)
    }

    /// Whether a mover is accepted within the plies looked at. The players move by turns, so it is one of the first two.
    fn accepts_first_movers(&self, game: &Game) -> bool {
        let start = game.start.kyokumen();
        let plies = (u64::from(self.max_ply) + 1).saturating_sub(start.tesu().into());
        let plies = usize::try_from(plies).unwrap_or(usize::MAX).min(game.moves.len());
        [start.teban(), !start.teban()].into_iter().take(plies).any(|teban| self.accepts_mover(game, teban))
    }

    fn accepts_mover(&self, game: &Game, teban: Teban) -> bool {
        let rated = self.min_rating.is_none_or(|least| game.ratings[teban].is_some_and(|rating| rating >= least));
        rated
            && match self.side {
                Side::Both => true,
                Side::Sente => teban == Teban::Sente,
                Side::Gote => teban == Teban::Gote,
                Side::Winner => game.winner == Some(teban),
                Side::Loser => game.winner == Some(!teban),
            }
    }
}

/// Counts the moves of games; runs on the current rayon pool.
pub fn count(mut games: Vec<Game>, rules: &Rules) -> Counted {
    let all = games.len();
    remove_repeated(&mut games);
    let repeated = all - games.len();
    let tallies = Tallies::default();
    let unpackable = games.par_iter().filter(|game| !tallies.add(game, rules)).count();
    Counted {
        positions: tallies.into_positions(rules.min_count),
        games: (games.len() - unpackable) as u64,
        repeated: repeated as u64,
        unpackable: unpackable as u64,
    }
}

impl Counted {
    /// How many positions the book will have.
    pub fn positions(&self) -> usize {
        self.positions.len()
    }

    /// Writes the book.
    ///
    /// # Errors
    /// [`JosekiError::Write`] where the file can't be written.
    pub fn write(&self, path: &Path, provenance: &str) -> Result<Written, JosekiError> {
        let mut writer = Writer::create(path, provenance)?;
        for (packed, entry) in &self.positions {
            writer.push(packed, entry)?;
        }
        writer.finish()
    }

    /// Writes the book in any format.
    ///
    /// # Errors
    /// As [`Counted::write`], and [`JosekiError::ReadOnly`].
    pub fn write_as(&self, path: &Path, format: Format, options: &WriteOptions) -> Result<Written, JosekiError> {
        match format {
            Format::Own => self.write(path, &options.provenance),
            format => {
                copy::write_all(self.positions.iter().map(|(packed, entry)| (packed, entry)), path, format, options)
            }
        }
    }
}

/// Of games of the same day with the same start and moves one stays: a game that was recorded twice, or was broken off
/// after a move or two, tells nothing more the second time. Which one does not depend on their order. Games without a
/// date all stay.
fn remove_repeated(games: &mut Vec<Game>) {
    let place = |a: &Game, b: &Game| {
        let start = |game: &Game| game.start.handicap().ok_or_else(|| game.start.kyokumen().to_sfen());
        a.date.cmp(&b.date).then_with(|| a.moves.cmp(&b.moves)).then_with(|| start(a).cmp(&start(b)))
    };
    let rest = |game: &Game| (game.ratings.0, game.ending, game.winner);
    games.par_sort_unstable_by(|a, b| place(a, b).then_with(|| rest(b).cmp(&rest(a))));
    games.dedup_by(|later, earlier| later.date.is_some() && place(later, earlier).is_eq());
}

/// Figures of a move in a position.
#[derive(Clone, Copy, Default)]
struct Tally {
    count: u64,
    /// Games won, drawn, lost by the mover.
    results: [u64; 3],
    /// Sum and number of the known ratings of movers, of opponents.
    ratings: [(u64, u64); 2],
    tesu: Tesu,
}

/// Tallies in parts, each behind a lock, so that threads seldom meet.
struct Tallies {
    parts: Vec<Mutex<HashMap<(PackedKyokumen, Te), Tally>>>,
}

impl Default for Tallies {
    fn default() -> Tallies {
        Tallies { parts: (0..256).map(|_| Mutex::default()).collect() }
    }
}

impl Tallies {
    /// Adds the moves of a game; says whether its positions can be packed.
    fn add(&self, game: &Game, rules: &Rules) -> bool {
        let mut kyokumen = game.start.kyokumen();
        for &te in &game.moves {
            if kyokumen.tesu() > rules.max_ply {
                break;
            }
            if rules.accepts_mover(game, kyokumen.teban()) {
                let Some(packed) = kyokumen.pack() else { return false };
                self.add_te(packed, te, &Tally::of(game, kyokumen.teban(), kyokumen.tesu()));
            }
            kyokumen.do_te(te);
        }
        true
    }

    fn add_te(&self, packed: PackedKyokumen, te: Te, tally: &Tally) {
        let part = (Writer::sort_key(&packed).0 >> 56) as usize;
        let mut part = self.parts[part].lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        part.entry((packed, te)).and_modify(|sum| sum.add(tally)).or_insert(*tally);
    }

    fn into_positions(self, min_count: u64) -> Vec<(PackedKyokumen, Entry)> {
        let parts = self.parts.into_par_iter().map(|part| {
            let part = part.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
            let mut moves: Vec<_> = part.into_iter().filter(|(_, tally)| tally.count >= min_count).collect();
            moves.sort_unstable_by_key(|((packed, te), tally)| {
                (Writer::sort_key(packed), std::cmp::Reverse(tally.count), *te)
            });
            let positions = moves.chunk_by(|((a, _), _), ((b, _), _)| a == b).map(|moves| {
                let tesu = moves.iter().map(|(_, tally)| tally.tesu).min();
                let te = moves.iter().map(|((_, te), tally)| tally.to_te(*te)).collect();
                (moves[0].0.0, Entry { tesu, comment: None, moves: te })
            });
            positions.collect::<Vec<_>>()
        });
        // The parts are cut by the highest bits of the key, so side by side they are in its order.
        parts.collect::<Vec<_>>().into_iter().flatten().collect()
    }
}

impl Tally {
    fn of(game: &Game, teban: Teban, tesu: Tesu) -> Tally {
        let result = match (game.winner, game.ending) {
            (Some(winner), _) => Some(if winner == teban { 0 } else { 2 }),
            (None, Some(Ending::Draw)) => Some(1),
            _ => None,
        };
        let rating = |teban: Teban| game.ratings[teban].map_or((0, 0), |rating| (u64::from(rating), 1));
        let results = std::array::from_fn(|index| u64::from(result == Some(index)));
        Tally { count: 1, results, ratings: [rating(teban), rating(!teban)], tesu }
    }

    fn add(&mut self, other: &Tally) {
        self.count += other.count;
        for (sum, more) in self.results.iter_mut().zip(other.results) {
            *sum += more;
        }
        for (sum, more) in self.ratings.iter_mut().zip(other.ratings) {
            *sum = (sum.0 + more.0, sum.1 + more.1);
        }
        self.tesu = self.tesu.min(other.tesu);
    }

    fn to_te(self, te: Te) -> JosekiTe {
        // Where no game has a result, nothing is known of them; else an unknown one only lacks in the sum.
        let result = |index: usize| (self.results != [0; 3]).then_some(self.results[index]);
        let mean = |(sum, number): (u64, u64)| Some((sum + number / 2).checked_div(number)? as u32);
        JosekiTe {
            count: Some(self.count),
            wins: result(0),
            draws: result(1),
            losses: result(2),
            rating: mean(self.ratings[0]),
            opponent_rating: mean(self.ratings[1]),
            ..JosekiTe::new(te)
        }
    }
}
