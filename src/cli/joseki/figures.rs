//! What a book knows of one position, with what follows from it: names, shares, win rates, where moves lead. What
//! people and programs are shown of a book is made of this.

use serde_json::{Value, json};

use komadai::joseki::{Annotation, Joseki, JosekiTe};
use komadai::kifu;
use komadai::kyokumen::{Kyokumen, Masu, Te, Tesu};

/// A position with the moves that a book knows in it.
pub struct Figures {
    pub kyokumen: Kyokumen,
    /// The smallest number of the next move with which the position occurred.
    pub tesu: Option<Tesu>,
    pub comment: Option<String>,
    /// The moves, in the book's order, illegal ones too.
    pub rows: Vec<Row>,
}

/// A move with what follows from it in its position.
pub struct Row {
    pub te: JosekiTe,
    /// Its Japanese name, as players write it where it is legal, such as ▲７六歩, else as in KIF, ▲７五歩(77); none where
    /// there is no piece to move.
    pub name: Option<String>,
    pub legal: bool,
    /// Percentage of the games with legal moves in the position; none for an illegal move, which nobody can play.
    pub share: Option<f64>,
    pub win_rate: Option<WinRate>,
    /// How many moves the book knows in the position after it.
    pub leads_to: usize,
}

/// How much the side that moves scored, in percent, and between which bounds its true strength lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinRate {
    /// Wins and half of the draws among the games. Where draws are unknown, wins among the decided games.
    pub rate: f64,
    /// Lower bound of the interval.
    pub low: f64,
    /// Upper bound of the interval.
    pub high: f64,
}

impl WinRate {
    /// The Wilson score interval that holds the true rate in 95 of 100 cases. A draw counts as half a win in it, though
    /// draws vary less than wins and losses do, so with many draws it is wider than need be.
    ///
    /// None where wins or losses are unknown, or there is no game.
    pub fn of(te: &JosekiTe) -> Option<WinRate> {
        /// The normal distribution has 95 % of its mass within so many standard deviations.
        const Z: f64 = 1.959_964;
        let (wins, losses) = (te.wins? as f64, te.losses? as f64);
        let draws = te.draws.unwrap_or(0) as f64;
        let games = wins + draws + losses;
        if games == 0.0 {
            return None;
        }
        let rate = (wins + draws / 2.0) / games;
        let spread = Z * Z / games;
        let middle = (rate + spread / 2.0) / (1.0 + spread);
        let half = (spread * (rate * (1.0 - rate) + spread / 4.0)).sqrt() / (1.0 + spread);
        let percent = |figure: f64| figure.clamp(0.0, 1.0) * 100.0;
        Some(WinRate { rate: percent(rate), low: percent(middle - half), high: percent(middle + half) })
    }
}

impl Figures {
    /// Looks a position up. `before` is where the move before went, so that a move to there is named 同.
    pub fn of(book: &Joseki, kyokumen: &Kyokumen, before: Option<Masu>) -> Figures {
        let entry = book.lookup(kyokumen).unwrap_or_default();
        let legal = entry.moves.iter().filter(|te| kyokumen.is_legal(te.te));
        let total: u128 = legal.filter_map(JosekiTe::known_count).map(u128::from).sum();
        let row = |te: JosekiTe| {
            let legal = kyokumen.is_legal(te.te);
            Row {
                name: name(kyokumen, te.te, before),
                legal,
                share: te.known_count().filter(|_| legal).map(|count| count as f64 * 100.0 / total as f64),
                win_rate: WinRate::of(&te),
                leads_to: if legal { known_after(book, kyokumen, te.te) } else { 0 },
                te,
            }
        };
        let rows = entry.moves.into_iter().map(row).collect();
        Figures { kyokumen: kyokumen.clone(), tesu: entry.tesu, comment: entry.comment, rows }
    }

    /// The legal moves as indices of rows, the main one first: by counts, of equals by values, else in the book's
    /// order.
    pub fn main_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.rows.len()).filter(|&at| self.rows[at].legal).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(weight(&self.rows[at].te)));
        order
    }

    /// The legal moves in that order.
    pub fn main_moves(&self) -> Vec<&Row> {
        self.main_order().into_iter().map(|at| &self.rows[at]).collect()
    }

    /// `{"sfen": ..., "ply": ..., "comment": ..., "moves": [...]}`; what is unknown is null.
    pub fn to_json(&self) -> Value {
        let moves: Vec<Value> = self.rows.iter().map(Row::to_json).collect();
        json!({ "sfen": self.kyokumen.to_sfen(), "ply": self.tesu, "comment": self.comment, "moves": moves })
    }
}

impl Row {
    /// The figures under the names that `probe --json` has for them; what is unknown is null.
    pub fn to_json(&self) -> Value {
        let te = &self.te;
        json!({
            "usi": te.te.to_string(),
            "japanese": self.name,
            "count": te.count,
            "share": self.share,
            "wins": te.wins,
            "draws": te.draws,
            "losses": te.losses,
            "win_rate": self.win_rate.map(|win_rate| win_rate.rate),
            "win_low": self.win_rate.map(|win_rate| win_rate.low),
            "win_high": self.win_rate.map(|win_rate| win_rate.high),
            "value": te.known_value(),
            "depth": te.depth,
            "ponder": te.ponder.map(|te| te.to_string()),
            "rating": te.rating,
            "opponent_rating": te.opponent_rating,
            "annotation": te.annotation.map(Annotation::name),
            "comment": te.comment,
            "legal": self.legal,
            "leads_to": self.leads_to,
        })
    }
}

/// The Japanese name of a move, see [`Row::name`].
pub fn name(kyokumen: &Kyokumen, te: Te, before: Option<Masu>) -> Option<String> {
    if kyokumen.is_legal(te) {
        return kifu::ki2_name(kyokumen, te, before);
    }
    kifu::japanese(kyokumen, te).map(|name| format!("{}{name}", kifu::mark(kyokumen.teban())))
}

/// The Japanese names of a line of legal moves.
pub fn names(kyokumen: &Kyokumen, mut before: Option<Masu>, line: &[Te]) -> Vec<String> {
    let mut kyokumen = kyokumen.clone();
    let name = |&te: &Te| {
        let name = name(&kyokumen, te, before.replace(te.to()));
        kyokumen.do_te(te);
        name.unwrap_or_else(|| te.to_string())
    };
    line.iter().map(name).collect()
}

/// A legal move and the main moves that follow it, as in [`Figures::main_order`], `plies` in all at the most. A line
/// that comes back to one of its positions ends there.
pub fn main_line(book: &Joseki, kyokumen: &Kyokumen, te: Te, plies: usize) -> Vec<Te> {
    let mut kyokumen = kyokumen.clone();
    let (mut line, mut seen) = (Vec::new(), vec![kyokumen.key()]);
    let mut next = Some(te);
    while let Some(te) = next.filter(|_| line.len() < plies) {
        line.push(te);
        kyokumen.do_te(te);
        if seen.contains(&kyokumen.key()) {
            break;
        }
        seen.push(kyokumen.key());
        let mut moves = book.lookup(&kyokumen).unwrap_or_default().moves;
        moves.retain(|te| kyokumen.is_legal(te.te));
        // Of equals the first one.
        next = moves.iter().rev().max_by_key(|te| weight(te)).map(|te| te.te);
    }
    line
}

/// The larger one belongs to the main move.
fn weight(te: &JosekiTe) -> (Option<u64>, Option<i32>) {
    (te.known_count(), te.known_value())
}

fn known_after(book: &Joseki, kyokumen: &Kyokumen, te: Te) -> usize {
    let mut after = kyokumen.clone();
    after.do_te(te);
    book.lookup(&after).map_or(0, |entry| entry.moves.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn win_rate(wins: u64, draws: Option<u64>, losses: u64) -> Option<WinRate> {
        let te = JosekiTe::new("7g7f".parse().unwrap());
        WinRate::of(&JosekiTe { wins: Some(wins), draws, losses: Some(losses), ..te })
    }

    #[test]
    fn the_interval_is_that_of_wilson() {
        // From tables of the interval without continuity correction.
        for (wins, losses, want) in
            [(1, 0, [100.0, 20.7, 100.0]), (5, 5, [50.0, 23.7, 76.3]), (81, 182, [30.8, 25.5, 36.6])]
        {
            let found = win_rate(wins, Some(0), losses).unwrap();
            let found = [found.rate, found.low, found.high];
            assert!(found.iter().zip(want).all(|(found, want)| (found - want).abs() < 0.06), "{found:?} {want:?}");
        }
    }

    /// By the definition: the rates from which what was seen lies 1.96 standard deviations away, by bisection.
    #[test]
    fn the_bounds_are_the_rates_of_which_what_was_seen_is_just_probable_enough() {
        let distance = |games: f64, seen: f64, rate: f64| (seen - rate).abs() / (rate * (1.0 - rate) / games).sqrt();
        let bound = |games: f64, seen: f64, end: f64| {
            let (mut inside, mut outside) = (seen, end);
            for _ in 0..200 {
                let rate = (inside + outside) / 2.0;
                *(if distance(games, seen, rate) < 1.959_963_985 { &mut inside } else { &mut outside }) = rate;
            }
            inside * 100.0
        };
        for games in [1, 2, 3, 10, 77, 1000, 5_000_000] {
            for losses in [0, 1, games / 3, games / 2, games] {
                for draws in [0, (games - losses) / 2] {
                    let wins = games - losses - draws;
                    let seen = (wins as f64 + draws as f64 / 2.0) / games as f64;
                    let want = [seen * 100.0, bound(games as f64, seen, 0.0), bound(games as f64, seen, 1.0)];
                    let found = win_rate(wins, Some(draws), losses).unwrap();
                    let found = [found.rate, found.low, found.high];
                    assert!(
                        found.iter().zip(want).all(|(found, want)| (found - want).abs() < 1e-5),
                        "{found:?} {want:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn draws_count_half_and_unknown_ones_not_at_all() {
        assert_eq!(win_rate(3, Some(4), 1), win_rate(5, Some(0), 3));
        assert_eq!(win_rate(3, None, 1), win_rate(3, Some(0), 1));
        assert_eq!(win_rate(0, None, 0), None);
        assert_eq!(WinRate::of(&JosekiTe { wins: Some(3), ..JosekiTe::new("7g7f".parse().unwrap()) }), None);
    }
}
