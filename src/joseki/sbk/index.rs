//! The way from positions to states. Only roots say which position they are, so all others follow from the moves that
//! lead to them: a walk from the roots, breadth first, each state once.

use prost::Message;

use super::messages::State;
use super::scan::{self, Field, Fields};
use super::word;
use crate::joseki::MAX_MOVES;
use crate::kyokumen::{Kyokumen, PackedKyokumen, Te, Tesu};

const NONE: u32 = u32::MAX;

/// A state whose position is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) packed: PackedKyokumen,
    pub(super) state: u32,
    pub(super) tesu: Tesu,
}

/// All states of a file.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// Where the length of each state stands.
    places: Vec<u64>,
    /// The states that were reached, by position, then in the order of the file.
    rows: Vec<Row>,
    /// The row of each state.
    row_of: Vec<u32>,
    /// Whether a move leads to the state.
    is_linked: Vec<bool>,
    pub(super) author: Option<String>,
    pub(super) description: Option<String>,
    pub(super) oddities: Oddities,
}

/// What is wrong with a file, counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Oddities {
    /// Bytes at the end that are no fields.
    pub(super) unreadable_bytes: u64,
    /// 1 where the last field is longer than what is left of the file.
    pub(super) cut: u64,
    /// States that can't be decoded to their end.
    pub(super) damaged: u64,
    /// States whose Id is not their index.
    pub(super) misnumbered: u64,
    /// Roots that are no position that a book can hold.
    pub(super) bad_roots: u64,
    /// Moves to a state that is not there, or that is another position.
    pub(super) wrong_links: u64,
    /// States that no root leads to.
    pub(super) unreached: u64,
}

/// A number, and what it counts.
pub(super) type Counted = (u64, &'static str);

impl Oddities {
    /// What can't be read at all.
    pub(super) fn unread(&self) -> [Counted; 2] {
        [
            (self.unreadable_bytes, "bytes at its end can't be read; it is cut short or damaged"),
            (self.cut, "of its states is cut short, and it may lack more"),
        ]
    }

    /// Moves that are kept, but have lost where they lead.
    pub(super) fn astray(&self) -> Counted {
        (self.wrong_links, "of its moves lead to a state that is not there or is another position")
    }

    /// All that is odd.
    pub(super) fn all(&self) -> Vec<Counted> {
        let states = [
            (self.damaged, "of its states are damaged"),
            (self.misnumbered, "of its states have a number that is not their place; their place counts"),
            (self.bad_roots, "of its roots are no position that a book can hold"),
            self.astray(),
            (self.unreached, "of its states are lost, for no root leads to them"),
        ];
        self.unread().into_iter().chain(states).collect()
    }
}

impl Index {
    pub(super) fn build(bytes: &[u8]) -> Result<Index, String> {
        let mut index = Index::default();
        index.scan(bytes)?;
        index.row_of = vec![NONE; index.places.len()];
        index.is_linked = vec![false; index.places.len()];
        index.find_roots(bytes);
        let mut next = 0;
        while let Some(&row) = index.rows.get(next) {
            index.follow(bytes, row);
            next += 1;
        }
        index.oddities.unreached = (index.places.len() - index.rows.len()) as u64;
        index.rows.sort_unstable_by_key(|row| (row.packed, row.state));
        for (place, row) in (0..).zip(&index.rows) {
            index.row_of[row.state as usize] = place;
        }
        Ok(index)
    }

    /// Notes where the states are.
    fn scan(&mut self, bytes: &[u8]) -> Result<(), String> {
        let text = |bytes: &[u8]| Some(String::from_utf8_lossy(bytes).into_owned());
        let mut fields = Fields::of(bytes);
        for field in fields.by_ref() {
            match field {
                Field::Author(author) => self.author = text(author),
                Field::Description(description) => self.description = text(description),
                Field::State(_, place) => self.places.push(place as u64),
                Field::Other => {}
            }
        }
        self.oddities.unreadable_bytes = (bytes.len() - fields.end) as u64;
        self.oddities.cut = u64::from(fields.is_cut);
        if self.places.len() >= i32::MAX as usize {
            return Err("it has more states than their numbers can count".into());
        }
        if self.places.is_empty() {
            return Err("it has no states".into());
        }
        Ok(())
    }

    /// Takes up the states that say which position they are, and the first one, which need not say so.
    fn find_roots(&mut self, bytes: &[u8]) {
        for nth in 0..self.places.len() {
            let (state, is_whole) = self.state(bytes, nth);
            self.oddities.damaged += u64::from(!is_whole);
            self.oddities.misnumbered += u64::from(state.id.unwrap_or(0) != nth as i32);
            let kyokumen = match state.position.as_deref().map(position) {
                Some(None) => None,
                Some(Some(kyokumen)) => Some(kyokumen),
                None if nth == 0 => Some(Kyokumen::hirate()),
                None => continue,
            };
            match kyokumen.and_then(|kyokumen| Some((kyokumen.pack()?, kyokumen.tesu()))) {
                Some((packed, tesu)) => self.reach(nth, packed, tesu),
                None => self.oddities.bad_roots += 1,
            }
        }
    }

    fn reach(&mut self, state: usize, packed: PackedKyokumen, tesu: Tesu) {
        self.row_of[state] = self.rows.len() as u32;
        self.rows.push(Row { packed, state: state as u32, tesu });
    }

    /// Takes up the states that the moves of a state lead to.
    fn follow(&mut self, bytes: &[u8], row: Row) {
        let (state, _) = self.state(bytes, row.state as usize);
        let Some(mut kyokumen) = row.packed.unpack() else { return };
        for (te, next) in links(&state) {
            if !kyokumen.is_legal(te) {
                continue;
            }
            let Some(&reached) = self.row_of.get(next) else {
                self.oddities.wrong_links += 1;
                continue;
            };
            let change = kyokumen.do_te(te);
            let packed = kyokumen.pack();
            kyokumen.undo_te(&change);
            let Some(packed) = packed else { continue };
            if reached == NONE {
                self.reach(next, packed, row.tesu.saturating_add(1));
            } else if self.rows[reached as usize].packed != packed {
                self.oddities.wrong_links += 1;
                continue;
            }
            self.is_linked[next] = true;
        }
    }

    pub(super) fn states(&self) -> usize {
        self.places.len()
    }

    /// The bytes of a state.
    pub(super) fn bytes<'a>(&self, bytes: &'a [u8], state: usize) -> &'a [u8] {
        self.places.get(state).map_or(&[], |&place| scan::state_at(bytes, place as usize))
    }

    /// A state as far as it can be read, and whether that is all of it.
    pub(super) fn state(&self, bytes: &[u8], state: usize) -> (State, bool) {
        let mut read = State::default();
        let is_whole = read.merge(self.bytes(bytes, state)).is_ok();
        (read, is_whole)
    }

    /// The row of a state; `None` where no root leads to it.
    pub(super) fn row(&self, state: usize) -> Option<&Row> {
        self.rows.get(*self.row_of.get(state)? as usize)
    }

    /// The rows of a position, several where the file has it several times.
    pub(super) fn find(&self, packed: &PackedKyokumen) -> &[Row] {
        let from = self.rows.partition_point(|row| row.packed < *packed);
        let rows = &self.rows[from..];
        &rows[..rows.partition_point(|row| row.packed == *packed)]
    }

    pub(super) fn is_linked(&self, state: usize) -> bool {
        self.is_linked.get(state).copied().unwrap_or(false)
    }
}

/// The moves of a state that lead to another, with the index of that one.
fn links(state: &State) -> impl Iterator<Item = (Te, usize)> {
    state.moves.iter().take(MAX_MOVES).filter_map(|te| {
        let next = te.next.filter(|&next| next != -1)?;
        // Numbers below 0 become those of no state.
        Some((word::read(te.word? as u32)?, usize::try_from(next).unwrap_or(usize::MAX)))
    })
}

/// The position of a root; `sfen` or `position sfen` may stand before it.
fn position(text: &[u8]) -> Option<Kyokumen> {
    let text = std::str::from_utf8(text).ok()?.trim();
    let text = text.strip_prefix("position").unwrap_or(text).trim_start();
    Kyokumen::from_sfen(text.strip_prefix("sfen ").unwrap_or(text)).ok()
}
