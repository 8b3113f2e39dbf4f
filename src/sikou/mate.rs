//! Forced mates by checks, for `go mate`: depth-first proof-number search (df-pn).
//!
//! The attacker gives check with every move; the defender has every legal answer, drops between included. A position
//! has two numbers from the side to move: `phi`, how much is left to show that it reaches its aim (mate, or escape),
//! and `delta`, how much is left to show that it does not. A mate with the next move is seen without a search.
//! Repetition is an escape, since perpetual check loses.
//!
//! An escape by repetition holds on the path on which it was found. It is kept under a key that contains the whole
//! path, unless nothing before the position itself took part, so that "no mate" is never more than what was proved.

use super::time::Timer;
use super::tt::discard;
use super::{MateAnswer, Task};
use crate::kyokumen::{Kyokumen, Te};

/// Proved, or refuted.
const INFINITE: u32 = 1 << 30;
/// Longest line that is looked at, in plies; a limit for the stack.
const MAX_LENGTH: usize = 400;
/// Nodes between two looks at the clock and the stop signal; one of many answers takes a tenth of a millisecond.
const POLL: u64 = 4;
/// Size of the table at the least: a smaller one forgets so fast that hard problems make no headway.
const LEAST_MIB: usize = 16;
/// Nothing on the path took part in a result.
const NOWHERE: usize = usize::MAX;
/// What a path adds up to before its first position.
const EMPTY_PATH: u64 = 0x9e37_79b9_7f4a_7c15;

/// Looks for a mate within the limits of a task.
pub(super) fn solve(task: &Task<'_>) -> MateAnswer {
    let mut table = Table::new(task.config.hash_mb.max(LEAST_MIB));
    let answer = solve_with(task, &mut table);
    discard(table);
    answer
}

fn solve_with(task: &Task<'_>, table: &mut Table) -> MateAnswer {
    let timer = Timer::new(task.limits, task.config, task.stop, task.kyokumen.teban());
    let mut solver = Solver::new(task.kyokumen, timer, table, task.limits.nodes);
    let numbers = solver.explore(true, Numbers { phi: INFINITE, delta: INFINITE }, EMPTY_PATH);
    match numbers {
        Numbers { phi: 0, .. } => solver.line().map_or(MateAnswer::Timeout, MateAnswer::Checkmate),
        Numbers { delta: 0, .. } if !solver.stopped && !solver.too_long => MateAnswer::NoMate,
        _ => MateAnswer::Timeout,
    }
}

/// What is left to show, from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    phi: u32,
    delta: u32,
}

impl Numbers {
    const UNKNOWN: Numbers = Numbers { phi: 1, delta: 1 };
    const LOST: Numbers = Numbers { phi: INFINITE, delta: 0 };
    const WON: Numbers = Numbers { phi: 0, delta: INFINITE };

    fn is_final(self) -> bool {
        self.phi == 0 || self.delta == 0
    }
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    numbers: Numbers,
    /// Plies to the mate, where it is proved.
    length: u32,
    /// The first ply of the path that took part in an escape by repetition.
    since: usize,
}

/// A move and the key of the position behind it.
struct Child {
    te: Te,
    key: u64,
}

/// The children of a node taken together.
struct Summary {
    known: Known,
    best: usize,
    best_phi: u32,
    second_delta: u32,
}

struct Solver<'a> {
    kyokumen: Kyokumen,
    table: &'a mut Table,
    timer: Timer<'a>,
    path: Vec<u64>,
    nodes: u64,
    node_limit: u64,
    stopped: bool,
    /// Whether a line was given up for its length.
    too_long: bool,
}

impl<'a> Solver<'a> {
    fn new(kyokumen: &Kyokumen, timer: Timer<'a>, table: &'a mut Table, nodes: Option<u64>) -> Solver<'a> {
        Solver {
            kyokumen: kyokumen.clone(),
            table,
            timer,
            path: Vec::new(),
            nodes: 0,
            node_limit: nodes.unwrap_or(u64::MAX),
            stopped: false,
            too_long: false,
        }
    }

    /// Searches the position until one of its numbers reaches its limit.
    fn explore(&mut self, attacks: bool, limit: Numbers, path_key: u64) -> Numbers {
        if self.nodes.is_multiple_of(POLL) {
            self.stopped |= self.timer.must_stop(false);
        }
        self.nodes += 1;
        self.stopped |= self.nodes > self.node_limit;
        if self.stopped {
            return Numbers::UNKNOWN;
        }
        let (key, ply) = (self.kyokumen.key(), self.path.len());
        if attacks && self.kyokumen.mate_in_one().is_some() {
            self.table.store(key, Known { numbers: Numbers::WON, length: 1, since: NOWHERE });
            return Numbers::WON;
        }
        let children = self.children(attacks);
        self.path.push(key);
        let below = extended(path_key, key);
        let known = loop {
            let Summary { known, best, best_phi, second_delta } = self.summarize(&children, attacks, below);
            let Numbers { phi, delta } = known.numbers;
            if phi >= limit.phi || delta >= limit.delta || self.stopped {
                break known;
            }
            let child = &children[best];
            let child_limit = Numbers {
                phi: limit.delta - (delta - best_phi),
                // Some slack, so that the search does not jump between children of equal worth.
                delta: limit.phi.min(second_delta.saturating_add(1 + second_delta / 4)),
            };
            let change = self.kyokumen.do_te(child.te);
            self.explore(!attacks, child_limit, below);
            self.kyokumen.undo_te(&change);
        };
        self.path.pop();
        if !self.stopped {
            let is_bound_to_path = known.since < ply;
            self.table.store(if is_bound_to_path { key ^ path_key } else { key }, known);
        }
        known.numbers
    }

    /// The attacker's checks, or the defender's answers.
    fn children(&mut self, attacks: bool) -> Vec<Child> {
        if self.path.len() >= MAX_LENGTH {
            // Counts as an escape, but is none.
            self.too_long |= attacks;
            if attacks {
                return Vec::new();
            }
        }
        let list = if attacks { self.kyokumen.legal_checks() } else { self.kyokumen.legal_te() };
        let child = |te| {
            let change = self.kyokumen.do_te(te);
            let key = self.kyokumen.key();
            self.kyokumen.undo_te(&change);
            Child { te, key }
        };
        list.into_iter().map(child).collect()
    }

    /// Takes together what is known of the children: the best is the one with the least left to refute it.
    fn summarize(&self, children: &[Child], attacks: bool, path_key: u64) -> Summary {
        let mut known = Known { numbers: Numbers::LOST, length: 0, since: NOWHERE };
        let mut summary = Summary { known, best: 0, best_phi: 0, second_delta: INFINITE };
        let mut total: u32 = 0;
        let mut lengths = 0;
        for (index, child) in children.iter().enumerate() {
            let of_child = self.look_up(child.key, attacks, path_key);
            let Numbers { phi, delta } = of_child.numbers;
            // A sum alone never amounts to a proof.
            total = if phi == INFINITE { INFINITE } else { total.max((total + phi).min(INFINITE - 1)) };
            lengths = lengths.max(of_child.length + 1);
            known.since = known.since.min(of_child.since);
            if delta < known.numbers.phi {
                summary.second_delta = known.numbers.phi;
                (known.numbers.phi, summary.best, summary.best_phi) = (delta, index, phi);
            } else {
                summary.second_delta = summary.second_delta.min(delta);
            }
        }
        known.numbers.delta = total;
        if attacks && known.numbers.phi == 0 {
            known.length = self.shortest(children, path_key) + 1;
            known.since = NOWHERE;
        } else if known.numbers.delta == 0 {
            // Lost: the longest defence counts. An attacker without a mate keeps what his escapes rest on.
            known.length = lengths;
        } else if known.numbers.phi == 0 {
            // The defender escapes; one way that does not rest on the path is enough.
            known.since = self.firmest(children, path_key);
        } else {
            known.since = NOWHERE;
        }
        summary.known = known;
        summary
    }

    fn shortest(&self, children: &[Child], path_key: u64) -> u32 {
        let known = children.iter().map(|child| self.look_up(child.key, true, path_key));
        known.filter(|known| known.numbers.delta == 0).map(|known| known.length).min().unwrap_or(0)
    }

    fn firmest(&self, children: &[Child], path_key: u64) -> usize {
        let known = children.iter().map(|child| self.look_up(child.key, false, path_key));
        known.filter(|known| known.numbers.delta == 0).map(|known| known.since).max().unwrap_or(NOWHERE)
    }

    /// What is known of a child of a node in which the attacker is to move or not, on this path.
    fn look_up(&self, key: u64, attacks: bool, path_key: u64) -> Known {
        if let Some(ply) = self.path.iter().rposition(|&on_path| on_path == key) {
            // For the defender, who comes to move after the attacker, the repetition is won.
            let numbers = if attacks { Numbers::WON } else { Numbers::LOST };
            return Known { numbers, length: 0, since: ply };
        }
        let plain = self.table.probe(key);
        if let Some(known) = plain.filter(|known| known.numbers.is_final()) {
            return Known { since: NOWHERE, ..known };
        }
        let unknown = Known { numbers: Numbers::UNKNOWN, length: 0, since: NOWHERE };
        self.table.probe(key ^ path_key).or(plain).unwrap_or(unknown)
    }

    /// The mate that was proved: the shortest known attack, the longest known defence.
    fn line(&mut self) -> Option<Vec<Te>> {
        let mut line = Vec::new();
        let mut changes = Vec::new();
        let mut attacks = true;
        let mut found = false;
        while line.len() < MAX_LENGTH && !self.path.contains(&self.kyokumen.key()) {
            let at_once = if attacks { self.kyokumen.mate_in_one() } else { None };
            let children = self.children(attacks);
            let Some(te) = at_once.or_else(|| self.next_of_line(&children, attacks)) else {
                found = !attacks && children.is_empty();
                break;
            };
            self.path.push(self.kyokumen.key());
            changes.push(self.kyokumen.do_te(te));
            line.push(te);
            attacks = !attacks;
        }
        for change in changes.iter().rev() {
            self.kyokumen.undo_te(change);
        }
        found.then_some(line)
    }

    /// The child that the line goes on with; what the table has lost is proved once more.
    fn next_of_line(&mut self, children: &[Child], attacks: bool) -> Option<Te> {
        let mut proved = Vec::new();
        for child in children {
            let known = self.table.probe(child.key);
            if attacks {
                proved.extend(known.filter(|known| known.numbers.delta == 0).map(|known| (known.length, child.te)));
                continue;
            }
            let length = match known.filter(|known| known.numbers.phi == 0) {
                Some(known) => known.length,
                None => self.prove_again(child, true)?,
            };
            proved.push((length, child.te));
        }
        if attacks {
            if proved.is_empty() {
                // One is enough: the others may well be no mates, and take for ever to tell.
                let again = |child: &Child| Some((self.prove_again(child, false)?, child.te));
                return children.iter().find_map(again).map(|(_, te)| te);
            }
            proved.into_iter().min_by_key(|&(length, _)| length).map(|(_, te)| te)
        } else {
            proved.into_iter().max_by_key(|&(length, _)| length).map(|(_, te)| te)
        }
    }

    /// Plies to the mate after a move, with the attacker to move then or not, if it can be shown.
    fn prove_again(&mut self, child: &Child, attacks: bool) -> Option<u32> {
        let change = self.kyokumen.do_te(child.te);
        let path = std::mem::take(&mut self.path);
        let numbers = self.explore(attacks, Numbers { phi: INFINITE, delta: INFINITE }, EMPTY_PATH);
        self.path = path;
        self.kyokumen.undo_te(&change);
        let is_mate = if attacks { numbers.phi == 0 } else { numbers.delta == 0 };
        is_mate.then(|| self.table.probe(child.key).map_or(0, |known| known.length))
    }
}

/// The key of a path that goes on with this position. The order matters.
fn extended(path_key: u64, key: u64) -> u64 {
    (path_key.rotate_left(7) ^ key).wrapping_mul(0xd134_2543_de82_ef95)
}

type Slot = [u64; 3];

/// A table of a fixed size that is not touched before use, so that even a large one is there at once.
#[derive(Default)]
pub(super) struct Table {
    slots: Box<[Slot]>,
}

/// Places that a key may have.
const WAYS: usize = 4;

impl Table {
    fn new(mib: usize) -> Table {
        let mut slots = (mib.clamp(1, usize::MAX >> 20) << 20) / size_of::<Slot>();
        loop {
            match bytemuck::try_zeroed_slice_box(slots) {
                Ok(slots) => return Table { slots },
                Err(()) if slots > WAYS => slots /= 2,
                Err(()) => return Table { slots: Box::default() },
            }
        }
    }

    fn start(&self, key: u64) -> usize {
        ((u128::from(key) * self.slots.len().saturating_sub(WAYS - 1) as u128) >> 64) as usize
    }

    fn probe(&self, key: u64) -> Option<Known> {
        let ways = self.slots.iter().skip(self.start(key)).take(WAYS);
        ways.into_iter().find(|slot| slot[0] == key && slot[1] != 0).map(unpack)
    }

    /// Keeps what is known, in place of what was known of this position, else of an unproved position.
    fn store(&mut self, key: u64, known: Known) {
        let start = self.start(key);
        let end = (start + WAYS).min(self.slots.len());
        let worth = |slot: &Slot| match unpack(slot).numbers {
            _ if slot[1] == 0 => 0,
            _ if slot[0] == key => 0,
            numbers if numbers.is_final() => u32::MAX,
            numbers => numbers.phi + numbers.delta,
        };
        let ways = &mut self.slots[start..end];
        let same = ways.iter().position(|slot| slot[0] == key && slot[1] != 0);
        let place = same.or_else(|| (0..ways.len()).min_by_key(|&index| worth(&ways[index])));
        if let Some(slot) = place.and_then(|index| ways.get_mut(index)) {
            let Known { numbers: Numbers { phi, delta }, length, since } = known;
            let since = u32::try_from(since).unwrap_or(u32::MAX);
            *slot = [key, u64::from(phi) | u64::from(delta) << 32, u64::from(length) | u64::from(since) << 32];
        }
    }
}

fn unpack(slot: &Slot) -> Known {
    let since = (slot[2] >> 32) as u32;
    Known {
        numbers: Numbers { phi: slot[1] as u32, delta: (slot[1] >> 32) as u32 },
        length: slot[2] as u32,
        since: if since == u32::MAX { NOWHERE } else { since as usize },
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::sikou::{Config, Limits, StopSignal};

    /// Three plies.
    const MATE: &str = "9/3G5/5+B2R/3p5/G2PS1kp1/1PSG5/2PSGP+pP1/L4LS+BL/4RKNNL b 2N9Pp 215";

    fn solve_with(sfen: &str, nodes: Option<u64>, mib: usize) -> (MateAnswer, Kyokumen) {
        let kyokumen = Kyokumen::from_sfen(sfen).unwrap();
        let limits = Limits { nodes, ..Limits::new(Instant::now()) };
        let (config, stop) = (Config::default(), StopSignal::new());
        let timer = Timer::new(&limits, &config, &stop, kyokumen.teban());
        let mut table = Table::new(mib);
        let mut solver = Solver::new(&kyokumen, timer, &mut table, limits.nodes);
        let numbers = solver.explore(true, Numbers { phi: INFINITE, delta: INFINITE }, EMPTY_PATH);
        let answer = match numbers {
            Numbers { phi: 0, .. } => MateAnswer::Checkmate(solver.line().unwrap()),
            Numbers { delta: 0, .. } => MateAnswer::NoMate,
            _ => MateAnswer::Timeout,
        };
        assert_eq!(solver.kyokumen, kyokumen);
        (answer, kyokumen)
    }

    #[test]
    fn a_small_table_still_gives_a_whole_line() {
        let (MateAnswer::Checkmate(line), mut kyokumen) = solve_with(MATE, Some(100_000), 1) else { panic!("no mate") };
        for te in line {
            assert!(kyokumen.is_legal(te));
            kyokumen.do_te(te);
        }
        assert!(kyokumen.is_oute() && !kyokumen.has_legal_te());
    }

    #[test]
    fn the_node_limit_ends_the_search_without_a_verdict() {
        assert_eq!(solve_with(MATE, Some(2), 1).0, MateAnswer::Timeout);
    }

    #[test]
    fn a_stored_result_is_read_back_and_proofs_outlive_guesses() {
        let mut table = Table::new(1);
        let known = |phi, delta| Known { numbers: Numbers { phi, delta }, length: 7, since: 3 };
        table.store(1, known(0, INFINITE));
        assert_eq!((table.probe(1), table.probe(2)), (Some(known(0, INFINITE)), None));
        for key in 2..20 {
            table.store(key, known(key as u32, 5));
        }
        assert_eq!(table.probe(1), Some(known(0, INFINITE)));
    }
}
