//! Looking at all records of a file, without its moves.

use super::table::Table;

/// So many records are looked at before it is asked whether to go on.
const CHUNK: usize = 1 << 16;

/// What a look at all records found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Findings {
    /// The first record that comes before the one before it.
    pub(super) descent: Option<usize>,
    /// How many positions, of all but the last, have moves outside the file.
    pub(super) outside: u64,
}

impl Findings {
    /// The sentence on moves outside the file, if there are any.
    pub(super) fn tell_outside(self) -> Option<String> {
        let number = self.outside;
        (number > 0).then(|| format!("{number} of its positions before the last one have moves outside the file"))
    }
}

/// Looks at all records; `None` once `goes_on`, which is asked again and again, says so.
pub(super) fn check(table: &Table, goes_on: &dyn Fn() -> bool) -> Option<Findings> {
    let mut findings = Findings::default();
    let mut last = &[0; 32];
    let there = table.moves().len() as u64;
    for begin in (0..table.positions).step_by(CHUNK) {
        if !goes_on() {
            return None;
        }
        for record in begin..table.positions.min(begin + CHUNK) {
            let Some(packed) = table.packed(record) else { continue };
            if packed < last && findings.descent.is_none() {
                findings.descent = Some(record);
            }
            last = packed;
            let is_outside = table.span(record).is_some_and(|(_, end)| end > there);
            findings.outside += u64::from(is_outside && record + 1 < table.positions);
        }
    }
    Some(findings)
}
