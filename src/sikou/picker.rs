//! The order in which moves are tried: the sooner the best one comes, the more of the others needs no look.
//!
//! Moves come in stages, and what a stage needs is generated only when it is reached: often the first move is enough.

use std::cmp::Reverse;

use super::history::{self, Before, History};
use crate::hyoka::material::EXCHANGE_VALUES;
use crate::kyokumen::{Kyokumen, Syurui, Te, TeList};

/// A move with what it promises.
#[derive(Clone, Copy, Debug)]
struct Scored {
    te: Te,
    /// The score, and below it the place in the list, so that no two are equal.
    key: i64,
}

/// So many moves of a stage are picked one by one; who wants more is likely to want all, and the rest is sorted.
const PICKED: usize = 6;

/// Killers and the counter move.
pub(super) type Refutations = [Option<Te>; 3];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    /// The move of the table.
    Hash,
    /// Captures and promotions that don't lose the exchange, by what they win.
    Captures,
    Refutations,
    /// Other moves by history.
    Quiet,
    /// Captures that lose, in the order in which they were put off.
    Losing,
    /// All answers to a check.
    Answers,
    #[default]
    Done,
}

/// Which moves are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    All,
    /// Captures and promotions of pawns, whatever they lose.
    Captures,
    /// Captures and promotions whose exchange wins at least so much.
    Winning(i32),
}

/// The moves of one node, handed out best first.
#[derive(Debug)]
pub(super) struct Picker {
    stage: Stage,
    wanted: Wanted,
    hash: Option<Te>,
    refutations: Refutations,
    before: Before,
    moves: Vec<Scored>,
    next: usize,
    losing: Vec<Te>,
}

impl Default for Picker {
    fn default() -> Picker {
        Picker {
            stage: Stage::Done,
            wanted: Wanted::All,
            hash: None,
            refutations: [None; 3],
            before: [history::NOWHERE; 2],
            moves: Vec::new(),
            next: 0,
            losing: Vec::new(),
        }
    }
}

impl Picker {
    /// Begins with a position: the move of the table, if it is one of those wanted, and those that have refuted others.
    pub(super) fn start(
        &mut self,
        kyokumen: &Kyokumen,
        wanted: Wanted,
        hash: Option<Te>,
        refutations: Refutations,
        before: Before,
    ) {
        let fits = |&te: &Te| {
            let wanted = match wanted {
                Wanted::All => true,
                Wanted::Captures => kyokumen.is_oute() || is_wanted_capture(kyokumen, te),
                Wanted::Winning(least) => {
                    is_tactical(kyokumen, te) && kyokumen.see_at_least(te, &EXCHANGE_VALUES, least)
                }
            };
            // Two positions may share a key, and another thread may have written in between.
            wanted && kyokumen.is_legal(te)
        };
        self.hash = hash.filter(fits);
        (self.wanted, self.refutations, self.before) = (wanted, refutations, before);
        self.losing.clear();
        self.stage = Stage::Hash;
    }

    /// The next move, or none when all were handed out.
    pub(super) fn next(&mut self, kyokumen: &Kyokumen, history: &History) -> Option<Te> {
        loop {
            match self.stage {
                Stage::Hash => {
                    if kyokumen.is_oute() && !matches!(self.wanted, Wanted::Winning(_)) {
                        self.fill_answers(kyokumen, history);
                        self.stage = Stage::Answers;
                    } else {
                        self.moves.clear();
                        self.stage = Stage::Captures;
                        self.next = usize::MAX;
                    }
                    if self.hash.is_some() {
                        return self.hash;
                    }
                }
                Stage::Captures => {
                    if self.next == usize::MAX {
                        self.fill_captures(kyokumen, history);
                    }
                    if let Some(te) = self.pick_capture(kyokumen) {
                        return Some(te);
                    }
                    self.next = 0;
                    self.stage = if self.wanted == Wanted::All { Stage::Refutations } else { Stage::Done };
                }
                Stage::Refutations => {
                    while let Some(refutation) = self.refutations.get(self.next) {
                        let earlier = &self.refutations[..self.next];
                        self.next += 1;
                        if let Some(te) = *refutation
                            && !earlier.contains(refutation)
                            && *refutation != self.hash
                            && !is_tactical(kyokumen, te)
                            && kyokumen.is_legal(te)
                        {
                            return Some(te);
                        }
                    }
                    self.fill_quiet(kyokumen, history);
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet | Stage::Answers => {
                    if let Some(te) = self.pick() {
                        return Some(te);
                    }
                    self.next = 0;
                    self.stage = Stage::Losing;
                }
                Stage::Losing => match self.losing.get(self.next) {
                    Some(&te) => {
                        self.next += 1;
                        return Some(te);
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Nothing but losing captures shall come any more.
    pub(super) fn skip_quiet(&mut self) {
        if matches!(self.stage, Stage::Quiet | Stage::Refutations) {
            self.next = 0;
            self.stage = Stage::Losing;
        }
    }

    /// The best capture that is left; those that lose are put off.
    fn pick_capture(&mut self, kyokumen: &Kyokumen) -> Option<Te> {
        while let Some(te) = self.pick() {
            let least = match self.wanted {
                Wanted::All => 0,
                Wanted::Captures => return Some(te),
                Wanted::Winning(least) => least,
            };
            if kyokumen.see_at_least(te, &EXCHANGE_VALUES, least) {
                return Some(te);
            }
            self.losing.push(te);
        }
        None
    }

    fn fill_captures(&mut self, kyokumen: &Kyokumen, history: &History) {
        let mut list = kyokumen.legal_captures();
        if self.wanted == Wanted::Captures {
            list.retain(|te| is_wanted_capture(kyokumen, te));
        }
        self.fill([&list], |te| capture_score(kyokumen, history, te), kyokumen);
    }

    fn fill_quiet(&mut self, kyokumen: &Kyokumen, history: &History) {
        let (before, refutations) = (self.before, self.refutations);
        let lists = [kyokumen.legal_quiet(), kyokumen.legal_drops()];
        self.fill([&lists[0], &lists[1]], |te| history.quiet(kyokumen, te, before), kyokumen);
        // They have been.
        self.moves.retain(|scored| !refutations.contains(&Some(scored.te)));
    }

    fn fill_answers(&mut self, kyokumen: &Kyokumen, history: &History) {
        let before = self.before;
        let score = |te| {
            // Whatever takes the checker comes first.
            let rank = if is_tactical(kyokumen, te) { 1 << 24 } else { 0 };
            rank + if rank > 0 { capture_score(kyokumen, history, te) } else { history.quiet(kyokumen, te, before) }
        };
        self.fill([&kyokumen.legal_te()], score, kyokumen);
    }

    fn fill<const N: usize>(&mut self, lists: [&TeList; N], score: impl Fn(Te) -> i32, kyokumen: &Kyokumen) {
        self.moves.clear();
        self.next = 0;
        let hash = self.hash;
        let all = lists.into_iter().flat_map(|list| list.iter().copied());
        let moves = all.filter(|&te| Some(te) != hash && !is_pointless(kyokumen, te));
        self.moves.extend(moves.zip((0..1_i64 << 16).rev()).map(|(te, place)| {
            let key = i64::from(score(te)) << 16 | place;
            Scored { te, key }
        }));
    }

    /// The best move of the stage that is left; of equals the first in the list.
    #[inline]
    fn pick(&mut self) -> Option<Te> {
        let left = self.moves.get_mut(self.next..)?;
        if self.next < PICKED {
            let best = (0..left.len()).max_by_key(|&index| left[index].key)?;
            left.swap(0, best);
        } else if self.next == PICKED {
            left.sort_unstable_by_key(|scored| Reverse(scored.key));
        }
        let te = left.first()?.te;
        self.next += 1;
        Some(te)
    }
}

/// Whether a move captures or promotes: what changes the material at once.
#[inline]
pub(super) fn is_tactical(kyokumen: &Kyokumen, te: Te) -> bool {
    te.promotes() || !kyokumen.koma(te.to()).is_empty()
}

/// Of promotions that take nothing only those of pawns gain enough for the quiescence search.
fn is_wanted_capture(kyokumen: &Kyokumen, te: Te) -> bool {
    !kyokumen.koma(te.to()).is_empty() || te.promotes() && kyokumen.moved_syurui(te) == Some(Syurui::Fu)
}

/// Whether a pawn, bishop or rook could promote, and does not. Assumes that this never helps: it does in composed
/// problems, by not mating with a pawn drop.
#[inline]
fn is_pointless(kyokumen: &Kyokumen, te: Te) -> bool {
    let Some(from) = te.from().filter(|_| !te.promotes()) else { return false };
    let in_camp = te.to().dan().promotes(kyokumen.teban()) || from.dan().promotes(kyokumen.teban());
    in_camp && matches!(kyokumen.koma(from).syurui(), Some(Syurui::Fu | Syurui::Ka | Syurui::Hi))
}

/// What it wins, and what captures like it have come to.
fn capture_score(kyokumen: &Kyokumen, history: &History, te: Te) -> i32 {
    history::won_by(kyokumen, te) * 16 + history.capture(kyokumen, te) / 4
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(picker: &mut Picker, kyokumen: &Kyokumen, history: &History) -> Vec<String> {
        std::iter::from_fn(|| picker.next(kyokumen, history)).map(|te| te.to_string()).collect()
    }

    #[test]
    fn moves_come_hash_first_then_good_captures_refutations_history_and_bad_captures() {
        // The rook may take a defended pawn or a loose gold.
        let kyokumen = Kyokumen::from_sfen("4k4/4s4/4p4/9/9/9/1g2R4/9/K8 b - 1").unwrap();
        let te = |text: &str| text.parse::<Te>().unwrap();
        let (history, before) = (History::default(), [1, 2]);
        history.learn_quiet(&kyokumen, te("5g5f"), before, 300);
        let mut picker = Picker::default();
        // A killer of another position, and one twice.
        let refutations = [Some(te("1a1b")), Some(te("9i8i")), Some(te("9i8i"))];
        picker.start(&kyokumen, Wanted::All, Some(te("5g6g")), refutations, before);
        let order = all(&mut picker, &kyokumen, &history);
        assert_eq!(order[..4], ["5g6g", "5g8g", "9i8i", "5g5f"]);
        assert_eq!(order.last().unwrap(), "5g5c+");
        let mut sorted = order.clone();
        sorted.sort();
        let mut legal: Vec<_> = kyokumen.legal_te().iter().map(ToString::to_string).filter(|te| te != "5g5c").collect();
        legal.sort();
        assert_eq!(sorted, legal, "each once");
    }

    #[test]
    fn only_the_wanted_captures_come() {
        let kyokumen = Kyokumen::from_sfen("4k4/4s4/4p4/9/9/9/1g2R4/9/K8 b - 1").unwrap();
        let (mut picker, history) = (Picker::default(), History::default());
        let mut list = |wanted, hash: &str| {
            picker.start(&kyokumen, wanted, hash.parse().ok(), [None; 3], [0, 0]);
            all(&mut picker, &kyokumen, &history)
        };
        assert_eq!(list(Wanted::Captures, "5g6g"), ["5g8g", "5g5c+"]);
        assert_eq!(list(Wanted::Winning(0), "5g5c+"), ["5g8g"]);
        assert_eq!(list(Wanted::Captures, "5g5c+"), ["5g5c+", "5g8g"]);
    }

    #[test]
    fn in_check_all_answers_come_and_the_hash_move_only_if_it_is_one() {
        let kyokumen = Kyokumen::from_sfen("4k4/9/9/9/4r4/9/9/9/3GK4 b P 1").unwrap();
        let (mut picker, history) = (Picker::default(), History::default());
        picker.start(&kyokumen, Wanted::Captures, "6i6h".parse().ok(), [None; 3], [0, 0]);
        let order = all(&mut picker, &kyokumen, &history);
        assert_eq!(order.len(), kyokumen.legal_te().len());
        assert!(!order.contains(&"6i6h".into()));
    }
}
