//! Several books as one: the first that knows a legal move in a position answers for it.

use super::{Joseki, JosekiTe};
use crate::kyokumen::{Kyokumen, Te};

/// How far a book's continuation is followed, in plies.
const PV_LENGTH: usize = 8;

/// The books in the order in which they are asked.
pub(super) struct Shelf<'a> {
    pub(super) books: &'a [Joseki],
    /// Whether a book that has nothing is also asked for the rotated position.
    pub(super) mirror: bool,
}

/// What the books say about a position.
pub(super) struct Found<'a> {
    /// The legal moves, at least one, in the book's order.
    pub(super) moves: Vec<JosekiTe>,
    pub(super) source: &'a str,
}

impl<'a> Shelf<'a> {
    /// Looks a position up. `illegal` hears of each book that has illegal moves here, and which.
    pub(super) fn find(&self, kyokumen: &Kyokumen, illegal: &mut dyn FnMut(&str, &[Te])) -> Option<Found<'a>> {
        self.books.iter().find_map(|book| {
            let source = book.file_name();
            let mut legal_moves = |moves: Vec<JosekiTe>| {
                let (moves, dropped): (Vec<_>, Vec<_>) = moves.into_iter().partition(|te| kyokumen.is_legal(te.te));
                if !dropped.is_empty() {
                    illegal(source, &dropped.iter().map(|te| te.te).collect::<Vec<_>>());
                }
                (!moves.is_empty()).then_some(Found { moves, source })
            };
            let found = book.lookup(kyokumen).and_then(|entry| legal_moves(entry.moves));
            if found.is_some() || !self.mirror {
                return found;
            }
            let entry = book.lookup(&kyokumen.rotated())?;
            legal_moves(entry.moves.into_iter().map(JosekiTe::rotated).collect())
        })
    }

    /// What the position after a move is worth to the side that made it: minus the highest value among its moves.
    pub(super) fn worth_after(&self, kyokumen: &Kyokumen, te: Te) -> Option<(i32, &'a str)> {
        let mut after = kyokumen.clone();
        after.do_te(te);
        let found = self.find(&after, &mut |_, _| {})?;
        let highest = found.moves.iter().filter_map(JosekiTe::known_value).max()?;
        Some((highest.saturating_neg(), found.source))
    }

    /// The move and what the book expects after it: the stored reply, else the first move of the next position.
    pub(super) fn continuation(&self, kyokumen: &Kyokumen, te: &JosekiTe) -> Vec<Te> {
        let mut kyokumen = kyokumen.clone();
        let mut pv = vec![te.te];
        let mut expected = te.ponder;
        kyokumen.do_te(te.te);
        while pv.len() < PV_LENGTH {
            let stored = expected.filter(|&te| kyokumen.is_legal(te));
            let known = self.find(&kyokumen, &mut |_, _| {}).map(|found| found.moves);
            let te = match (stored, known.as_deref()) {
                (Some(stored), known) => {
                    expected = known.and_then(|moves| moves.iter().find(|te| te.te == stored)?.ponder);
                    stored
                }
                (None, Some([first, ..])) => {
                    expected = first.ponder;
                    first.te
                }
                _ => break,
            };
            pv.push(te);
            kyokumen.do_te(te);
        }
        pv
    }
}
