//! The outermost level of the file, field by field, without decoding what stands in the fields.

use prost::Message;

use super::messages::State;
use super::word;

/// How many states are looked at to recognise a file.
const LOOKED_AT: usize = 8;

/// What stands at one place of the outermost level.
#[derive(Clone, Copy)]
pub(super) enum Field<'a> {
    Author(&'a [u8]),
    Description(&'a [u8]),
    /// A state, and where the number stands that says how long it is.
    State(&'a [u8], usize),
    /// Another field, to be passed over.
    Other,
}

/// Goes through the fields; ends at what is none, and says where in `end`.
pub(super) struct Fields<'a> {
    bytes: &'a [u8],
    pub(super) end: usize,
    /// Whether the last field was longer than what is left of the file.
    pub(super) is_cut: bool,
}

impl<'a> Fields<'a> {
    pub(super) fn of(bytes: &'a [u8]) -> Fields<'a> {
        Fields { bytes, end: 0, is_cut: false }
    }

    fn field(&mut self) -> Option<Field<'a>> {
        let mut at = self.end;
        let tag = number(self.bytes, &mut at)?;
        let length_at = at;
        let (field, kind) = (tag >> 3, tag & 7);
        let length = match kind {
            0 => number(self.bytes, &mut at).map(|_| 0)?,
            1 => 8,
            2 => number(self.bytes, &mut at)?,
            5 => 4,
            _ => return None,
        };
        if field == 0 || field >= 1 << 29 {
            return None;
        }
        let rest = self.bytes.get(at..).unwrap_or_default();
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        self.is_cut = length > rest.len();
        let content = &rest[..length.min(rest.len())];
        self.end = at + content.len();
        Some(match (field, kind) {
            (1, 2) => Field::Author(content),
            (2, 2) => Field::Description(content),
            (3, 2) => Field::State(content, length_at),
            _ => Field::Other,
        })
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Field<'a>;

    fn next(&mut self) -> Option<Field<'a>> {
        if self.end >= self.bytes.len() { None } else { self.field() }
    }
}

/// The bytes of the state whose length stands at this place, as far as they are there.
pub(super) fn state_at(bytes: &[u8], mut at: usize) -> &[u8] {
    let length = number(bytes, &mut at).and_then(|length| usize::try_from(length).ok()).unwrap_or(0);
    let rest = bytes.get(at..).unwrap_or_default();
    &rest[..length.min(rest.len())]
}

/// Whether these are the first fields of a book. Protobuf has no magic, so the first states must be states down to the
/// last bit, and one must have a position or a move. In a file that is named `.sbk` less is asked, so that what is left
/// of a damaged one can be read.
pub(in crate::joseki) fn recognises(bytes: &[u8], is_named_so: bool) -> bool {
    let mut fields = Fields::of(bytes);
    let mut states = 0;
    let mut has_content = false;
    while states < LOOKED_AT && fields.end < bytes.len() {
        match fields.next() {
            Some(Field::State(..)) if fields.is_cut => break,
            Some(Field::State(state, _)) => match plausible(state) {
                Some(content) => has_content |= content,
                None => return is_named_so && has_content,
            },
            Some(Field::Author(_) | Field::Description(_)) if !fields.is_cut && states == 0 => continue,
            _ => return is_named_so && has_content,
        }
        states += 1;
    }
    has_content || is_named_so && fields.end > 0 && states > 0
}

/// Whether a state has a position or a move; `None` where this is no state.
fn plausible(bytes: &[u8]) -> Option<bool> {
    let mut fields = Fields::of(bytes);
    while fields.end < bytes.len() {
        let tag = bytes[fields.end];
        fields.next().filter(|_| !fields.is_cut)?;
        if ![8, 16, 24, 32, 40, 48, 58, 66, 74, 82].contains(&tag) {
            return None;
        }
    }
    let state = State::decode(bytes).ok()?;
    let is_move = |word: i32| word::read(word as u32).is_some();
    if !state.moves.is_empty() && !state.moves.iter().any(|te| te.word.is_some_and(is_move)) {
        return None;
    }
    match &state.position {
        Some(position) => (position.iter().filter(|&&byte| byte == b'/').count() == 8).then_some(true),
        None => Some(!state.moves.is_empty()),
    }
}

/// The number at this place, which then is behind it.
fn number(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let mut rest = bytes.get(*at..)?;
    let number = prost::encoding::decode_varint(&mut rest).ok()?;
    *at = bytes.len() - rest.len();
    Some(number)
}
