//! From what a record says, line after line, to a [`Game`] that holds only legal moves.

use std::time::Duration;

use super::{Cut, Ending, Game, Start, Variation};
use crate::kyokumen::{Kyokumen, Masu, Te, Teban};

/// So many lines are looked at for the one that a variation leaves, so that a record made for that can't take hours.
const LINES_BACK: usize = 1000;

/// A [`Game`] being read.
///
/// A move that is illegal or can't be read cuts the line in which it stands, the main one or a variation: whatever the
/// record says of that line afterwards is passed over.
#[derive(Debug)]
pub(super) struct GameBuilder {
    game: Game,
    /// The position after the moves of the current line.
    kyokumen: Kyokumen,
    /// How many moves that is from the start.
    moves: usize,
    last: Option<Te>,
    /// The current line: a variation or, where `None`, the main one.
    line: Option<usize>,
}

impl GameBuilder {
    pub(super) fn new(start: Start) -> GameBuilder {
        let kyokumen = start.kyokumen();
        GameBuilder { game: Game { start, ..Game::default() }, kyokumen, moves: 0, last: None, line: None }
    }

    /// The game so far, for what the head of a record says of it.
    pub(super) fn game(&mut self) -> &mut Game {
        &mut self.game
    }

    /// The position after the moves of the current line.
    pub(super) fn kyokumen(&self) -> &Kyokumen {
        &self.kyokumen
    }

    /// How many moves the current line has from the start.
    pub(super) fn moves(&self) -> usize {
        self.moves
    }

    /// Where the last move of the current line went, for 同.
    pub(super) fn last_to(&self) -> Option<Masu> {
        self.last.map(Te::to)
    }

    /// Whether the current line is the main one.
    pub(super) fn is_main(&self) -> bool {
        self.line.is_none()
    }

    /// Whether the current line was cut.
    pub(super) fn is_cut(&self) -> bool {
        match self.line {
            None => self.game.cut.is_some(),
            Some(index) => self.game.variations[index].cut.is_some(),
        }
    }

    pub(super) fn reserve(&mut self, moves: usize) {
        self.game.moves.reserve_exact(moves);
    }

    /// Adds a move to the current line; says whether it did. An illegal one cuts the line.
    pub(super) fn push(&mut self, te: Te) -> bool {
        if self.is_cut() {
            return false;
        }
        if !self.kyokumen.is_legal(te) {
            self.cut(Cut::IllegalTe { number: self.moves + 1, te });
            return false;
        }
        self.kyokumen.do_te(te);
        self.moves += 1;
        self.last = Some(te);
        match self.line {
            None => self.game.moves.push(te),
            Some(index) => self.game.variations[index].moves.push(te),
        }
        true
    }

    /// Cuts the current line because its next move can't be read.
    pub(super) fn unreadable(&mut self, text: &str) {
        self.cut(Cut::Unreadable { number: self.moves + 1, text: text.chars().take(40).collect() });
    }

    /// Cuts the current line; the first cut of a line stays.
    pub(super) fn cut(&mut self, cut: Cut) {
        match self.line {
            None => self.game.cut_by(cut),
            Some(index) => {
                self.game.variations[index].cut.get_or_insert(cut);
            }
        }
    }

    /// The time of the main line's last move.
    pub(super) fn time(&mut self, time: Duration) {
        if self.line.is_none() && self.moves > 0 && !self.is_cut() {
            self.game.times.resize(self.moves, None);
            self.game.times[self.moves - 1] = Some(time);
        }
    }

    /// A line of a remark on the main line's last move, or on the start.
    pub(super) fn comment(&mut self, text: &str) {
        if self.line.is_some() || self.is_cut() {
            return;
        }
        match self.game.comments.last_mut() {
            Some((moves, comment)) if *moves == self.moves => {
                comment.push('\n');
                comment.push_str(text);
            }
            _ => self.game.comments.push((self.moves, text.to_owned())),
        }
    }

    /// The main line ends so; the winner follows from whose turn it is.
    pub(super) fn end(&mut self, ending: Ending) {
        self.end_won_by(ending, ending.winner(self.kyokumen.teban()));
    }

    /// The main line ends so, with this winner. The first ending stays, and a line that was cut has none.
    pub(super) fn end_won_by(&mut self, ending: Ending, winner: Option<Teban>) {
        if self.line.is_none() && self.game.cut.is_none() && self.game.ending.is_none() {
            (self.game.ending, self.game.winner) = (Some(ending), winner);
        }
    }

    /// Begins a variation that leaves the current line after so many moves from the start of the game, or, where that
    /// line begins later, the line that it leaves itself; says whether there are so many. JKF, a tree, needs no more.
    #[cfg(any(test, feature = "workshop"))]
    pub(super) fn branch(&mut self, shared: usize) -> bool {
        let is_there = shared <= self.moves;
        if is_there {
            self.leave(self.line, shared);
        }
        is_there
    }

    /// The same, or, where the current line is whole but too short, for the nearest line before it that is long enough:
    /// records name no line, and while most have the last variation of a line first, some have the first one first.
    /// Before a line that was cut none is asked, for the moves that it has no more may be those meant.
    pub(super) fn branch_nearest(&mut self, shared: usize) -> bool {
        let mut line = self.line;
        for _ in 0..LINES_BACK {
            let (length, is_cut) = match line.map(|index| &self.game.variations[index]) {
                // Before the main line there is none.
                None => (self.game.moves.len(), true),
                Some(variation) => (variation.shared + variation.moves.len(), variation.cut.is_some()),
            };
            if shared <= length {
                self.leave(line, shared);
                return true;
            }
            if is_cut {
                return false;
            }
            line = line.and_then(|index| index.checked_sub(1));
        }
        false
    }

    fn leave(&mut self, line: Option<usize>, shared: usize) {
        let mut leaves = line;
        while let Some(variation) = leaves.map(|index| &self.game.variations[index])
            && variation.shared >= shared
        {
            leaves = variation.leaves;
        }
        let moves = self.game.shared_moves(leaves, shared);
        self.kyokumen = self.game.start.kyokumen();
        for &te in &moves {
            self.kyokumen.do_te(te);
        }
        (self.moves, self.last) = (shared, moves.last().copied());
        self.line = Some(self.game.variations.len());
        self.game.variations.push(Variation { leaves, shared, moves: Vec::new(), cut: None });
    }

    /// The whole game.
    pub(super) fn finish(mut self) -> Game {
        self.game.moves.shrink_to_fit();
        self.game
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(builder: &mut GameBuilder, moves: &str) {
        for te in moves.split_ascii_whitespace() {
            assert!(builder.push(te.parse().unwrap()), "{te}");
        }
    }

    fn line(game: &Game, variation: usize) -> String {
        game.line(variation).iter().map(Te::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn variations_leave_the_line_that_has_the_moves_before_them() {
        let mut builder = GameBuilder::new(Start::default());
        push(&mut builder, "7g7f 3c3d 2g2f 4c4d");
        builder.end(Ending::Resign);
        assert!(builder.branch(3));
        assert_eq!(builder.last_to().map(|masu| masu.to_string()).as_deref(), Some("2f"));
        push(&mut builder, "8c8d 2f2e");
        assert!(builder.branch(4), "a variation of the variation");
        push(&mut builder, "6i7h");
        assert!(builder.branch(3), "a second one beside the first");
        push(&mut builder, "5c5d");
        assert!(builder.branch(0));
        push(&mut builder, "2g2f");
        assert!(!builder.branch(2), "the line has no two moves");
        let game = builder.finish();
        assert_eq!((game.moves.len(), game.winner), (4, Some(Teban::Gote)));
        let leaves: Vec<_> = game.variations.iter().map(|variation| (variation.leaves, variation.shared)).collect();
        assert_eq!(leaves, [(None, 3), (Some(0), 4), (None, 3), (None, 0)]);
        assert_eq!(line(&game, 1), "7g7f 3c3d 2g2f 8c8d 6i7h");
        assert_eq!(line(&game, 2), "7g7f 3c3d 2g2f 5c5d");
        assert_eq!(line(&game, 3), "2g2f");
        assert_eq!(line(&game, 4), "");
    }

    #[test]
    fn a_variation_that_the_line_before_it_is_too_short_for_leaves_the_nearest_that_is_not() {
        let mut builder = GameBuilder::new(Start::default());
        push(&mut builder, "7g7f 3c3d 2g2f 4c4d 2f2e");
        assert!(builder.branch_nearest(1));
        push(&mut builder, "8c8d 2g2f 8d8e");
        assert!(builder.branch_nearest(0));
        push(&mut builder, "2g2f");
        assert!(!builder.branch(3), "it has one move");
        assert!(builder.branch_nearest(3), "the variation before it has four");
        push(&mut builder, "5c5d");
        assert!(builder.branch_nearest(5), "only the main line has five");
        assert!(!builder.branch_nearest(6), "none has six");
        assert!(builder.branch_nearest(1));
        builder.unreadable("?");
        assert!(!builder.branch_nearest(2), "the line that was cut may have had two");
        let game = builder.finish();
        let leaves: Vec<_> = game.variations.iter().map(|variation| (variation.leaves, variation.shared)).collect();
        assert_eq!(leaves, [(None, 1), (None, 0), (Some(0), 3), (None, 5), (None, 1)]);
        assert_eq!(line(&game, 2), "7g7f 8c8d 2g2f 5c5d");
    }

    #[test]
    fn a_line_keeps_what_stands_before_its_first_fault_and_no_other_line_suffers() {
        let mut builder = GameBuilder::new(Start::default());
        push(&mut builder, "7g7f");
        builder.time(Duration::from_secs(3));
        builder.comment("a");
        builder.comment("b");
        assert!(!builder.push("7f7e".parse().unwrap()));
        assert!(!builder.push("3c3d".parse().unwrap()));
        builder.comment("c");
        builder.end(Ending::Resign);
        assert!(builder.branch(1));
        push(&mut builder, "8c8d");
        builder.unreadable("?");
        builder.unreadable("!");
        let game = builder.finish();
        assert_eq!(game.cut, Some(Cut::IllegalTe { number: 2, te: "7f7e".parse().unwrap() }));
        assert_eq!((game.moves.len(), game.ending, game.winner), (1, None, None));
        assert_eq!(game.times, [Some(Duration::from_secs(3))]);
        assert_eq!(game.comments, [(1, "a\nb".to_owned())]);
        assert_eq!(game.variations[0].moves.len(), 1);
        assert_eq!(game.variations[0].cut, Some(Cut::Unreadable { number: 3, text: "?".to_owned() }));
    }
}
