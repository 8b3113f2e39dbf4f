//! The moves of a game, its variations, and how it ended.

use std::time::Duration;

use super::words::{self, Winner, skip_blanks};
use crate::kifu::builder::GameBuilder;
use crate::kifu::{Cut, Ending, Game};
use crate::kyokumen::{Kyokumen, Masu, Te, Teban};

/// Moves that may be played again to reach where variations begin; of more variations the rest is passed over, so that
/// a record made for that can't take hours.
const REPLAYED: usize = 10_000_000;

/// A game of which at least one line behind the head was read.
pub(in crate::kifu) struct Body {
    builder: GameBuilder,
    /// The number of moves before the start position, by its diagram.
    ply: usize,
    /// What the numbers of the moves are too high by; known from the first.
    offset: Option<usize>,
    /// Whether the end of the current line was read.
    is_ended: bool,
    /// Whether the current line is a variation that can't be followed.
    is_lost: bool,
    /// Whether the last move of the main line was illegal, and nothing followed it yet.
    has_foul: bool,
    replayed: usize,
}

impl Body {
    pub(super) fn new(builder: GameBuilder, ply: usize) -> Body {
        Body { builder, ply, offset: None, is_ended: false, is_lost: false, has_foul: false, replayed: 0 }
    }

    pub(super) fn finish(self) -> Game {
        self.builder.finish()
    }

    /// Whether the main line was cut; once variations began, that is no news.
    pub(super) fn is_main_cut(&self) -> bool {
        self.builder.is_main() && self.builder.is_cut()
    }

    /// Whether the end of the current line was read.
    pub(super) fn is_ended(&self) -> bool {
        self.is_ended
    }

    /// Whether what the current line says is of no use any more.
    pub(in crate::kifu) fn is_closed(&self) -> bool {
        self.is_lost || self.builder.is_cut()
    }

    /// The position after the moves of the current line.
    pub(in crate::kifu) fn kyokumen(&self) -> &Kyokumen {
        self.builder.kyokumen()
    }

    /// Where 同 is.
    pub(in crate::kifu) fn last_to(&self) -> Option<Masu> {
        self.builder.last_to()
    }

    /// Whether a move may have this number: it must be the next one, or again that of the last, as programs that put
    /// variations in by hand have it. Others stand behind a line that is lost.
    pub(super) fn may_number(&mut self, number: usize) -> bool {
        let ply = self.ply;
        let offset = *self.offset.get_or_insert(if number == ply.saturating_add(1) { ply } else { 0 });
        let last = self.builder.moves() + offset;
        number == last || number == last + 1
    }

    /// Adds a move; says whether it did. Behind the end of a line none may stand.
    pub(in crate::kifu) fn push(&mut self, te: Te, text: &str) -> bool {
        if self.is_ended {
            self.unreadable(text);
        }
        if self.is_closed() {
            return false;
        }
        let is_legal = self.builder.push(te);
        self.has_foul = !is_legal && self.builder.is_main();
        is_legal
    }

    /// Takes what stands behind a cut: nothing counts, but for the word that says that the move there was the foul by
    /// which the game ended.
    pub(in crate::kifu) fn pass(&mut self, word: &str) {
        let has_foul = std::mem::take(&mut self.has_foul);
        if has_foul && matches!(words::ending(word), Some((Ending::Illegal, Winner::Turn | Winner::Usual))) {
            self.end_by_foul();
        }
    }

    /// The move that cut the main line ended the game: it is not among the moves, and whose turn it was lost.
    fn end_by_foul(&mut self) {
        let fouled = self.kyokumen().teban();
        self.builder.game().cut = None;
        self.builder.end_won_by(Ending::Illegal, Some(fouled.opponent()));
        self.is_ended = true;
    }

    pub(super) fn time(&mut self, time: Duration) {
        if !self.is_lost {
            self.builder.time(time);
        }
    }

    pub(super) fn comment(&mut self, text: &str) {
        self.builder.comment(text);
    }

    /// Cuts the current line, where no move can be read.
    pub(in crate::kifu) fn unreadable(&mut self, text: &str) {
        if !self.is_lost {
            self.builder.unreadable(text);
        }
    }

    /// The current line ends with this word, such as 投了; says whether it is one for that.
    pub(in crate::kifu) fn end(&mut self, word: &str) -> bool {
        let Some((ending, winner)) = words::ending(word) else { return false };
        self.end_so(ending, winner);
        true
    }

    fn end_so(&mut self, ending: Ending, winner: Winner) {
        let winner = self.winner(ending, winner);
        if !self.is_closed() {
            self.builder.end_won_by(ending, winner);
        }
        self.is_ended = true;
    }

    fn winner(&self, ending: Ending, winner: Winner) -> Option<Teban> {
        let turn = self.kyokumen().teban();
        match winner {
            Winner::Usual => ending.winner(turn),
            Winner::Turn => Some(turn),
            Winner::Opponent => Some(turn.opponent()),
            Winner::Nobody => None,
            // Who gave the last check did so all the time.
            Winner::Checked => Some(if self.kyokumen().is_oute() { turn } else { turn.opponent() }),
        }
    }

    /// Reads the last line, such as まで98手で後手の勝ち.
    pub(in crate::kifu) fn summary(&mut self, line: &str) {
        let text = line.strip_prefix("まで").unwrap_or(line).trim_start_matches(['、', ' ', '\u{3000}']);
        let (stated, text) = words::number(text).map_or((None, text), |(number, rest)| (Some(number), rest));
        if self.builder.is_main() && !self.is_ended && !self.is_closed() {
            let found = self.builder.moves();
            // Some count the end as a move.
            if let Some(stated) =
                stated.filter(|&stated| ![found, found + 1].contains(&stated.saturating_sub(self.ply)))
                && !(found..=found + 1).contains(&stated)
            {
                self.builder.cut(Cut::Moves { stated, found });
            }
        }
        let named = named_winner(text);
        let told = words::ending_in(text);
        if std::mem::take(&mut self.has_foul)
            && matches!(told, Some((Ending::Illegal, _)))
            && named.is_none_or(|winner| winner != self.kyokumen().teban())
        {
            return self.end_by_foul();
        }
        match told {
            Some((ending, winner)) => self.end_so(ending, winner),
            // Only that somebody won; where it is not the side that has just moved, nothing tells how.
            None if named.is_some_and(|winner| winner != self.kyokumen().teban()) => {
                self.end_so(Ending::Resign, Winner::Usual);
            }
            None => self.is_ended = true,
        }
        let is_cut = self.builder.is_cut();
        if self.builder.is_main() && !is_cut {
            let game = self.builder.game();
            if named.is_some() && !game.ending.is_some_and(Ending::is_draw) {
                game.winner = named;
            }
        }
    }

    /// Begins the variation of a line such as 変化：12手.
    pub(super) fn branch(&mut self, line: &str) {
        let text = line.trim_start_matches("変化").trim_start_matches(['：', ':']);
        let number = words::number(skip_blanks(text)).map(|(number, _)| number);
        let shared = number.and_then(|number| number.checked_sub(1 + self.offset.unwrap_or(0)));
        let allowed = shared.filter(|&shared| shared <= REPLAYED - self.replayed);
        (self.is_ended, self.has_foul) = (false, false);
        self.is_lost = !allowed.is_some_and(|shared| self.builder.branch_nearest(shared));
        if let Some(shared) = allowed.filter(|_| !self.is_lost) {
            self.replayed += shared;
        }
    }
}

/// The winner that a sentence names, such as 先手の勝ち or 先手の反則負け.
fn named_winner(text: &str) -> Option<Teban> {
    let names = [("先手", Teban::Sente), ("下手", Teban::Sente), ("後手", Teban::Gote), ("上手", Teban::Gote)];
    let (at, teban) = names.into_iter().filter_map(|(name, teban)| Some((text.find(name)?, teban))).min()?;
    let rest = &text[at..];
    match (rest.contains(['負', '敗']), rest.contains('勝')) {
        (true, false) => Some(teban.opponent()),
        (false, true) => Some(teban),
        _ => None,
    }
}
