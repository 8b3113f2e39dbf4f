//! From a state to what a book knows of a position.
//!
//! | in the file | here |
//! | --- | --- |
//! | weight of a move | its count: ShogiGUI draws moves by it, and sets it to the number of games where it has games |
//! | evaluation of a move | its annotation |
//! | games won by either side, at a state | wins and losses of the moves that lead to it |
//! | first engine value at a state, with its depth | value and depth of the moves that lead to it |
//! | comment | comment of the position |
//! | other engine values, engine, nodes, variation | a line of the comment |
//! | games won, at a root that no move leads to | a line of the comment |
//!
//! The number of games at a state stays behind: as a rule it is the sum of the weights that lead there. A field that is
//! absent is unknown, one that is 0 is 0.
//!
//! Engine values are taken to be Sente's, whoever moves. No description of the format says so; it is inferred from a
//! file that ShogiGUI itself wrote, `shogigui01.sbk`: one of its states, in which Gote moves, has the three best lines
//! of one search, the first ones no worse than the next for the side that moves, as engines tell them, with the values
//! 5, 5 and 43, which descend only as Sente's. ShogiHome reads the values that ShogiGUI puts into game records as
//! Sente's too.

use super::messages::{Eval, Results, State};
use super::word;
use crate::joseki::{Annotation, Entry, JosekiTe, MAX_MOVES, REPEATED, SATURATED};
use crate::kyokumen::{Kyokumen, PackedKyokumen, Teban};

/// What is known of a state besides its content.
pub(super) struct Surroundings<'a> {
    /// Its position; `None` where no root leads to it.
    pub(super) kyokumen: Option<&'a Kyokumen>,
    /// Whether a move leads to it.
    pub(super) is_linked: bool,
    /// Finds the results of a state by its index, if it is this position.
    pub(super) results: &'a dyn Fn(usize, &PackedKyokumen) -> Option<Results>,
}

/// The entry of a state, and what is wrong with it.
pub(super) fn entry(state: &State, around: &Surroundings<'_>) -> (Entry, Vec<String>) {
    let mut entry = Entry { tesu: None, comment: comment(state, around.is_linked), moves: Vec::new() };
    let mut faults = Vec::new();
    for te in state.moves.iter().take(MAX_MOVES) {
        let Some(read) = te.word.and_then(|word| word::read(word as u32)) else {
            faults.push("it has a move that is none".to_owned());
            continue;
        };
        let annotation = te.evaluation.and_then(|number| Annotation::from_number(u64::try_from(number).ok()?));
        let mut found =
            JosekiTe { count: te.weight.and_then(|weight| weight.try_into().ok()), annotation, ..JosekiTe::new(read) };
        if let Some(next) = te.next.and_then(|next| usize::try_from(next).ok()) {
            add_results(&mut found, next, around);
        }
        match entry.moves.iter_mut().find(|known| known.te == read) {
            Some(known) => faults.push(if known.merge(found) { REPEATED } else { SATURATED }.to_owned()),
            None => entry.moves.push(found),
        }
    }
    if state.moves.len() > MAX_MOVES {
        faults.push("it has more moves than any position".to_owned());
    }
    (entry, faults)
}

/// Takes over what the state says that a move leads to.
fn add_results(te: &mut JosekiTe, next: usize, around: &Surroundings<'_>) {
    let Some(kyokumen) = around.kyokumen.filter(|kyokumen| kyokumen.is_legal(te.te)) else { return };
    let mut after = kyokumen.clone();
    after.do_te(te.te);
    let Some(results) = after.pack().and_then(|packed| (around.results)(next, &packed)) else { return };
    let known = |won: Option<i32>| won.and_then(|won| u64::try_from(won).ok());
    let (black, white) = (known(results.won_black), known(results.won_white));
    let by_sente = kyokumen.teban() == Teban::Sente;
    (te.wins, te.losses) = if by_sente { (black, white) } else { (white, black) };
    if let Some(eval) = results.evals.first() {
        te.value = eval.value.map(|value| if by_sente { value } else { value.saturating_neg() });
        te.depth = eval.depth.and_then(|depth| depth.try_into().ok());
    }
}

/// The comment of a state with all that has no other place.
fn comment(state: &State, is_linked: bool) -> Option<String> {
    let mut lines = Vec::new();
    if let Some(comment) = state.comment.as_deref().filter(|comment| !comment.is_empty()) {
        lines.push(String::from_utf8_lossy(comment).into_owned());
    }
    let (black, white) = (state.won_black.unwrap_or(0), state.won_white.unwrap_or(0));
    if !is_linked && (black > 0 || white > 0) {
        let games = state.games.map(|games| format!("{games} games, ")).unwrap_or_default();
        lines.push(format!("{games}{black} won by Sente, {white} by Gote"));
    }
    for (nth, eval) in state.evals.iter().enumerate() {
        lines.extend(line(eval, is_linked && nth == 0));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// An engine's value in a line; `None` where it says nothing that is not `taken` elsewhere.
fn line(eval: &Eval, taken: bool) -> Option<String> {
    let (engine, variation) = (text(eval.engine.as_deref()), text(eval.variation.as_deref()));
    let nodes = eval.nodes.filter(|&nodes| nodes > 0);
    let selective = eval.selective_depth.filter(|&depth| depth > 0);
    if taken && engine.is_none() && variation.is_none() && nodes.is_none() && selective.is_none() {
        return None;
    }
    let depth = match (eval.depth, selective) {
        (Some(depth), Some(selective)) => Some(format!("depth {depth}/{selective}")),
        (None, Some(selective)) => Some(format!("depth ?/{selective}")),
        (depth, None) => depth.map(|depth| format!("depth {depth}")),
    };
    let parts = [
        engine,
        eval.value.map(|value| format!("value {value}")),
        depth,
        nodes.map(|nodes| format!("{nodes} nodes")),
        variation,
    ];
    let line = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    (!line.is_empty()).then_some(line)
}

/// A text without blanks around it, if there is one.
fn text(bytes: Option<&[u8]>) -> Option<String> {
    let text = String::from_utf8_lossy(bytes?);
    (!text.trim().is_empty()).then(|| text.trim().to_owned())
}
