//! What threads that search the same tree tell each other, beyond what is in the table.

use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};

use parking_lot::Mutex;

use super::root::RootMove;
use crate::kyokumen::Te;

/// From this depth on threads keep out of each other's way.
pub(super) const SHARED_DEPTH: i32 = 3;
/// Places for claims: many times what each thread claims, a move or so for each ply.
const CLAIMS: usize = 1 << 12;

/// What the threads of a search have in common.
pub(super) struct Sharing {
    /// Which moves of which positions are being searched. Two moves can share a place, and then one of them is not
    /// seen: that costs time, and nothing else.
    claims: Box<[AtomicU64]>,
    /// Positions looked at by the helping threads.
    pub(super) nodes: AtomicU64,
    /// The depth that some thread was the first to finish, and what it found.
    depth: AtomicI32,
    moves: Mutex<Vec<RootMove>>,
}

impl Default for Sharing {
    fn default() -> Sharing {
        Sharing {
            claims: (0..CLAIMS).map(|_| AtomicU64::new(0)).collect(),
            nodes: AtomicU64::new(0),
            depth: AtomicI32::new(0),
            moves: Mutex::default(),
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
    pub(super) fn finish(&self, depth: i32, moves: &[RootMove]) {
        let mut latest = self.moves.lock();
        if depth > self.depth() {
            latest.clear();
            latest.extend_from_slice(moves);
            self.depth.store(depth, Ordering::Release);
        }
    }

    /// The depth that was finished last, and the moves of the root as they were found there.
    pub(super) fn latest(&self) -> (i32, Vec<RootMove>) {
        let moves = self.moves.lock();
        (self.depth(), moves.clone())
    }

    fn place(&self, key: u64, te: Te) -> (&AtomicU64, u64) {
        // The golden ratio spreads the bits of the move; 0 means nothing.
        let name = (key ^ u64::from(te.bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15)) | 1;
        (&self.claims[(name >> 32) as usize % CLAIMS], name)
    }
}

/// A move that a thread searches.
pub(super) struct Claim<'a> {
    place: &'a AtomicU64,
    name: u64,
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        if self.place.load(Ordering::Relaxed) == self.name {
            self.place.store(0, Ordering::Relaxed);
        }
    }
}

/// The moves of a position as one thread takes them.
///
/// A move that another thread is at is put off to the end: by then the table knows what came of it.
pub(super) struct Turns<'a> {
    /// None if nobody else searches, or it isn't worth while.
    sharing: Option<&'a Sharing>,
    key: u64,
    put_off: [Option<(Te, usize)>; 16],
    count: usize,
    next: usize,
}

/// A move is to be searched later.
pub(super) struct IsPutOff;

impl<'a> Turns<'a> {
    /// For the position with this key.
    pub(super) fn new(sharing: Option<&'a Sharing>, key: u64) -> Turns<'a> {
        Turns { sharing, key, put_off: [None; 16], count: 0, next: 0 }
    }

    /// Claims a move, which has this number among all and comes up again or not. The first move and one that comes up
    /// again are not put off.
    #[inline]
    pub(super) fn claim(&mut self, te: Te, number: usize, again: bool) -> Result<Option<Claim<'a>>, IsPutOff> {
        let Some(sharing) = self.sharing else { return Ok(None) };
        let (place, name) = sharing.place(self.key, te);
        if !again
            && number > 1
            && place.load(Ordering::Relaxed) == name
            && let Some(room) = self.put_off.get_mut(self.count)
        {
            *room = Some((te, number));
            self.count += 1;
            return Err(IsPutOff);
        }
        place.store(name, Ordering::Relaxed);
        Ok(Some(Claim { place, name }))
    }

    /// The next of the moves that were put off, with its number.
    #[inline]
    pub(super) fn next_put_off(&mut self) -> Option<(Te, usize)> {
        let found = *self.put_off[..self.count].get(self.next)?;
        self.next += 1;
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_that_another_thread_is_at_comes_up_again_at_the_end() {
        let sharing = Sharing::default();
        let (mut first, mut second) = (Turns::new(Some(&sharing), 7), Turns::new(Some(&sharing), 7));
        let [a, b, c]: [Te; 3] = ["7g7f", "2g2f", "5g5f"].map(|te| te.parse().unwrap());
        let claim = first.claim(b, 2, false);
        assert!(second.claim(a, 1, false).is_ok());
        assert!(second.claim(b, 2, false).is_err());
        assert!(second.claim(c, 3, false).is_ok());
        assert_eq!(second.next_put_off(), Some((b, 2)));
        // It can't wait for ever, and what is claimed twice is free as soon as one is done.
        let again = second.claim(b, 2, true);
        assert!(again.is_ok());
        drop((claim, again));
        assert!(first.claim(b, 2, false).is_ok());
        assert_eq!(second.next_put_off(), None);
    }

    #[test]
    fn the_first_move_and_moves_of_other_positions_are_not_put_off() {
        let sharing = Sharing::default();
        let te: Te = "7g7f".parse().unwrap();
        let _claim = Turns::new(Some(&sharing), 7).claim(te, 3, false);
        assert!(Turns::new(Some(&sharing), 7).claim(te, 2, false).is_err());
        assert!(Turns::new(Some(&sharing), 7).claim(te, 1, false).is_ok());
        assert!(Turns::new(Some(&sharing), 9).claim(te, 2, false).is_ok());
        assert!(Turns::new(None, 7).claim(te, 2, false).is_ok());
    }

    #[test]
    fn only_the_first_to_finish_a_depth_is_heard() {
        let mut sharing = Sharing::default();
        let moves = |te: &str| vec![RootMove { te: te.parse().unwrap(), value: 1, pv: Vec::new() }];
        sharing.finish(3, &moves("7g7f"));
        sharing.finish(3, &moves("2g2f"));
        sharing.finish(2, &moves("5g5f"));
        let (depth, found) = sharing.latest();
        assert_eq!((depth, found[0].te), (3, moves("7g7f")[0].te));
        sharing.restart();
        assert_eq!(sharing.depth(), 0);
    }
}
