//! What threads that search the same tree tell each other, beyond what is in the table.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};

use parking_lot::Mutex;

use super::root::RootMove;
use crate::kyokumen::Te;

/// Below the root threads keep out of each other's way from this depth on.
pub(super) const SHARED_DEPTH: i32 = 3;
/// Places for claims: enough for dozens of threads, each of which claims a move or so for each ply.
const CLAIMS: usize = 1 << 12;

/// What the threads of a search tell each other while they search.
pub(super) struct Sharing {
    /// Which moves of which positions are being searched. Two moves can share a place, and then one of them is not
    /// seen: that costs time, and nothing else.
    claims: Box<[AtomicU64]>,
    /// Positions looked at by the helping threads.
    pub(super) nodes: AtomicU64,
    /// The depth that some thread was the first to finish,
    depth: AtomicI32,
    /// and what it found.
    found: Mutex<Arc<Found>>,
}

/// What a thread has found when it has finished a depth.
#[derive(Clone, Default)]
pub(super) struct Found {
    pub(super) moves: Vec<RootMove>,
    pub(super) seldepth: usize,
}

impl Default for Sharing {
    fn default() -> Sharing {
        Sharing {
            claims: (0..CLAIMS).map(|_| AtomicU64::new(0)).collect(),
            nodes: AtomicU64::new(0),
            depth: AtomicI32::new(0),
            found: Mutex::default(),
        }
    }
}

impl Sharing {
    /// Forgets the search before.
    pub(super) fn restart(&mut self) {
        *self.nodes.get_mut() = 0;
        *self.depth.get_mut() = 0;
    }

    /// The depth that was finished last by any thread.
    #[inline]
    pub(super) fn depth(&self) -> i32 {
        self.depth.load(Ordering::Acquire)
    }

    /// A thread has finished a depth; only the first to do so is heard.
    pub(super) fn finish(&self, depth: i32, moves: &[RootMove], seldepth: usize) {
        if depth <= self.depth() {
            return;
        }
        // Copied before the lock is taken, so that nobody waits for it.
        let found = Arc::new(Found { moves: moves.to_vec(), seldepth });
        let mut latest = self.found.lock();
        if depth > self.depth() {
            *latest = found;
            self.depth.store(depth, Ordering::Release);
        }
    }

    /// The depth that was finished last, and what was found there.
    pub(super) fn latest(&self) -> (i32, Arc<Found>) {
        let latest = self.found.lock();
        (self.depth(), latest.clone())
    }

    fn place(&self, key: u64, te: Te) -> (&AtomicU64, u64) {
        // The golden ratio spreads the bits of the move; 0 means nothing.
        let name = (key ^ u64::from(te.bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1;
        (&self.claims[(name >> 32) as usize % CLAIMS], name)
    }
}

/// A move that a thread searches; of no meaning where it searches alone.
pub(super) struct Claim<'a>(Option<(&'a AtomicU64, u64)>);

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        if let Some((place, name)) = self.0
            && place.load(Ordering::Relaxed) == name
        {
            place.store(0, Ordering::Relaxed);
        }
    }
}

/// A move with its number among all, from 1 on, and whether it was put off before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) te: Te,
    pub(super) number: usize,
    pub(super) again: bool,
}

/// In which order a thread takes the moves of a position: those that another thread is at come at the end, for by then
/// the table knows what came of them.
pub(super) struct Turns<'a> {
    /// None if nobody else searches, or it isn't worth while.
    sharing: Option<&'a Sharing>,
    key: u64,
    /// How many moves have come up for the first time.
    pub(super) count: usize,
    put_off: [Option<(Te, u16)>; 16],
    last: usize,
    next: usize,
}

impl<'a> Turns<'a> {
    /// For the position with this key.
    pub(super) fn new(sharing: Option<&'a Sharing>, key: u64) -> Turns<'a> {
        Turns { sharing, key, count: 0, put_off: [None; 16], last: 0, next: 0 }
    }

    /// The turn of a new move, or where there is none, of one that was put off.
    #[inline]
    pub(super) fn next(&mut self, new: Option<Te>) -> Option<Turn> {
        if let Some(te) = new {
            self.count += 1;
            return Some(Turn { te, number: self.count, again: false });
        }
        let (te, number) = (*self.put_off[..self.last].get(self.next)?)?;
        self.next += 1;
        Some(Turn { te, number: number.into(), again: true })
    }

    /// Claims a move, if it isn't put off. The first move never is, nor one that comes up again.
    #[inline]
    pub(super) fn claim(&mut self, turn: Turn) -> Option<Claim<'a>> {
        let Some(sharing) = self.sharing else { return Some(Claim(None)) };
        let (place, name) = sharing.place(self.key, turn.te);
        if !turn.again
            && turn.number > 1
            && place.load(Ordering::Relaxed) == name
            && let Some(room) = self.put_off.get_mut(self.last)
        {
            *room = Some((turn.te, turn.number as u16));
            self.last += 1;
            return None;
        }
        place.store(name, Ordering::Relaxed);
        Some(Claim(Some((place, name))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn te(usi: &str) -> Te {
        usi.parse().unwrap()
    }

    fn first_turns<'a>(sharing: &'a Sharing, key: u64) -> (Turns<'a>, impl FnMut(&mut Turns<'a>, &str) -> bool) {
        let claim = |turns: &mut Turns<'a>, usi: &str| {
            let turn = turns.next(Some(te(usi))).unwrap();
            turns.claim(turn).is_some()
        };
        (Turns::new(Some(sharing), key), claim)
    }

    #[test]
    fn a_move_that_another_thread_is_at_comes_up_again_at_the_end() {
        let sharing = Sharing::default();
        let mut other = Turns::new(Some(&sharing), 7);
        let claim = other.claim(Turn { te: te("2g2f"), number: 2, again: false });
        let (mut turns, mut takes) = first_turns(&sharing, 7);
        assert!(takes(&mut turns, "7g7f") && !takes(&mut turns, "2g2f") && takes(&mut turns, "5g5f"));
        let again = turns.next(None).unwrap();
        assert_eq!(again, Turn { te: te("2g2f"), number: 2, again: true });
        // It can't wait for ever.
        let second = turns.claim(again);
        assert!(second.is_some());
        assert_eq!((turns.next(None), turns.count), (None, 3));
        drop((claim, second));
        assert!(other.claim(Turn { te: te("2g2f"), number: 2, again: false }).is_some());
    }

    #[test]
    fn the_first_move_and_moves_of_other_positions_are_not_put_off() {
        let sharing = Sharing::default();
        let _claim = Turns::new(Some(&sharing), 7).claim(Turn { te: te("7g7f"), number: 3, again: false });
        for (key, sharing, number, is_put_off) in [
            (7, Some(&sharing), 2, true),
            (7, Some(&sharing), 1, false),
            (9, Some(&sharing), 2, false),
            (7, None, 2, false),
        ] {
            let claim = Turns::new(sharing, key).claim(Turn { te: te("7g7f"), number, again: false });
            assert_eq!(claim.is_none(), is_put_off, "{key} {number}");
        }
    }

    #[test]
    fn no_more_moves_are_put_off_than_there_is_room_for() {
        let sharing = Sharing::default();
        let squares = (1..=9).flat_map(|file| ["c", "d"].map(|rank| format!("{file}{rank}{file}e")));
        let moves: Vec<Te> = squares.map(|usi| te(&usi)).collect();
        let mut other = Turns::new(Some(&sharing), 7);
        let claims: Vec<_> = moves.iter().map(|&te| other.claim(Turn { te, number: 1, again: true })).collect();
        let mut turns = Turns::new(Some(&sharing), 7);
        turns.count = 1;
        let put_off: Vec<Te> = moves
            .iter()
            .copied()
            .filter(|&te| {
                let turn = turns.next(Some(te)).unwrap();
                turns.claim(turn).is_none()
            })
            .collect();
        assert_eq!(put_off[..], moves[..16]);
        drop(claims);
        let again: Vec<Te> = std::iter::from_fn(|| turns.next(None)).map(|turn| turn.te).collect();
        assert_eq!(again, put_off);
    }

    #[test]
    fn only_the_first_to_finish_a_depth_is_heard() {
        let mut sharing = Sharing::default();
        let moves = |usi| [RootMove { te: te(usi), value: 1, pv: Vec::new() }];
        sharing.finish(3, &moves("7g7f"), 5);
        sharing.finish(3, &moves("2g2f"), 6);
        sharing.finish(2, &moves("5g5f"), 7);
        let (depth, found) = sharing.latest();
        assert_eq!((depth, found.moves[0].te, found.seldepth), (3, te("7g7f"), 5));
        sharing.restart();
        assert_eq!(sharing.depth(), 0);
    }
}
