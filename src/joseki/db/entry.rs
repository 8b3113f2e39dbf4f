//! A position of a `.db` with the lines that belong to it.

use std::borrow::Cow;
use std::collections::HashMap;

use super::line::{self, Line};
use super::lines::Lines;
use crate::joseki::{Entry, JosekiTe, REPEATED, SATURATED, least};
use crate::kyokumen::Te;

/// From so many moves of a position on, a repeated one is looked for in a table.
const MANY: usize = 64;

/// What stands in a line that can't be read.
const NO_MOVE: &str = "this is no move";

/// Collects what the lines say about one position, which may stand in several places.
#[derive(Default)]
pub(super) struct Collector {
    pub(super) entry: Entry,
    /// Index of each move, once there are many.
    places: HashMap<Te, usize>,
}

impl Collector {
    /// Takes over the ply of a position's line, if it has one and it is the smallest so far.
    pub(super) fn add_tesu(&mut self, sfen: &[u8]) {
        self.entry.tesu = least(self.entry.tesu, line::tesu(sfen));
    }

    /// Takes over the lines behind a position's line, up to the next position, and says how many they are. `fault`
    /// hears of lines that are no move, or repeat one, with their number from 1 on.
    pub(super) fn add_moves(&mut self, lines: &mut Lines<'_>, fault: &mut dyn FnMut(u64, &'static str)) -> u64 {
        // Index of the move to which a comment belongs; before the first it belongs to the position.
        let mut current = None;
        let mut nth = 0;
        while let Some((offset, line)) = lines.next() {
            nth += 1;
            match Line::read(line) {
                Line::Move(te) => current = Some(self.add_te(te, nth, fault)),
                Line::Position => {
                    lines.back_to(offset);
                    return nth - 1;
                }
                Line::Comment(text) => {
                    let entry = &mut self.entry;
                    let place = current.and_then(|index: usize| entry.moves.get_mut(index)).map(|te| &mut te.comment);
                    add_comment(place.unwrap_or(&mut entry.comment), line::comment(text));
                }
                Line::Blank | Line::NoMove => {}
                Line::Junk => fault(nth, NO_MOVE),
            }
        }
        nth
    }

    /// Adds a move or merges it with the same one, and returns its index.
    fn add_te(&mut self, te: JosekiTe, nth: u64, fault: &mut dyn FnMut(u64, &'static str)) -> usize {
        let moves = &mut self.entry.moves;
        let known = if moves.len() < MANY {
            moves.iter().position(|old| old.te == te.te)
        } else {
            if self.places.is_empty() {
                self.places = moves.iter().enumerate().map(|(index, te)| (te.te, index)).collect();
            }
            self.places.get(&te.te).copied()
        };
        match known {
            Some(index) => {
                fault(nth, REPEATED);
                if !moves[index].merge(te) {
                    fault(nth, SATURATED);
                }
                index
            }
            None => {
                if moves.len() >= MANY {
                    self.places.insert(te.te, moves.len());
                }
                moves.push(te);
                moves.len() - 1
            }
        }
    }
}

fn add_comment(place: &mut Option<String>, text: Cow<'_, str>) {
    match place {
        Some(comment) => {
            comment.push('\n');
            comment.push_str(&text);
        }
        None => *place = Some(text.into_owned()),
    }
}
