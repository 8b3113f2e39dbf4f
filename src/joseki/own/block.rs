//! The moves of one position in the own format.
//!
//! A block is a row of numbers in LEB128: twice the number of moves, plus 1 if a comment follows; the ply, 0 if
//! unknown; the comment. Each move is its 16 bits, then the set of its known figures, then those figures.

use crate::joseki::zigzag::{unzigzag, zigzag};
use crate::joseki::{Annotation, Entry, JosekiTe, MAX_MOVES, REPEATED, Rated, SATURATED};
use crate::kyokumen::{Te, Tesu};

const COUNT: u64 = 1;
const WINS: u64 = 1 << 1;
const DRAWS: u64 = 1 << 2;
const LOSSES: u64 = 1 << 3;
const RATING: u64 = 1 << 4;
const OPPONENT_RATING: u64 = 1 << 5;
const VALUE: u64 = 1 << 6;
const DEPTH: u64 = 1 << 7;
const PONDER: u64 = 1 << 8;
const ANNOTATION: u64 = 1 << 9;
const COMMENT: u64 = 1 << 10;
const RATED: u64 = 1 << 11;
const OPPONENT_RATED: u64 = 1 << 12;
/// Figures of a later version, whose length is not known.
const UNKNOWN: u64 = !((1 << 13) - 1);

/// What could be read, and what could not.
pub(super) struct Block {
    pub(super) entry: Entry,
    pub(super) fault: Option<&'static str>,
}

/// Reads the block at the start of `bytes`. Damage ends it; what stands before the damage is kept.
pub(super) fn read(bytes: &[u8]) -> Block {
    read_into_moves(bytes, Vec::new())
}

/// The same, with a list of moves whose memory is used.
pub(super) fn read_into_moves(bytes: &[u8], mut moves: Vec<JosekiTe>) -> Block {
    moves.clear();
    let mut reader = Reader { bytes };
    let mut block = Block { entry: Entry { tesu: None, comment: None, moves }, fault: None };
    if let Err(fault) = read_into(&mut reader, &mut block) {
        block.fault = Some(fault);
    }
    block
}

fn read_into(reader: &mut Reader<'_>, block: &mut Block) -> Result<(), &'static str> {
    let head = reader.number()?;
    let tesu = reader.small("its ply is too large")?;
    block.entry.tesu = (tesu > 0).then_some(tesu);
    if head & 1 != 0 {
        block.entry.comment = Some(reader.text()?);
    }
    // A damaged number of moves must not cost memory.
    block.entry.moves.reserve((head >> 1).min(16) as usize);
    for nth in 0..head >> 1 {
        if nth == MAX_MOVES as u64 {
            return Err("it has more moves than any position");
        }
        match read_te(reader)? {
            Some(te) => match block.entry.moves.iter_mut().find(|known| known.te == te.te) {
                Some(known) => {
                    let fault = if known.merge(te) { block.fault.unwrap_or(REPEATED) } else { SATURATED };
                    block.fault = Some(fault);
                }
                None => block.entry.moves.push(te),
            },
            None => block.fault = Some("it has a move that is none"),
        }
    }
    Ok(())
}

/// One move; `None` where its 16 bits are no move at all.
fn read_te(reader: &mut Reader<'_>) -> Result<Option<JosekiTe>, &'static str> {
    let te = Te::from_bits(reader.word()?);
    let known = reader.number()?;
    if known & UNKNOWN != 0 {
        return Err("it has figures that this program does not know");
    }
    let has = |figure: u64| known & figure != 0;
    // The order of the figures is that of their bits.
    let count = has(COUNT).then(|| reader.number()).transpose()?;
    let wins = has(WINS).then(|| reader.number()).transpose()?;
    let draws = has(DRAWS).then(|| reader.number()).transpose()?;
    let losses = has(LOSSES).then(|| reader.number()).transpose()?;
    let rating = has(RATING).then(|| reader.small("a rating is too large")).transpose()?;
    let opponent_rating = has(OPPONENT_RATING).then(|| reader.small("a rating is too large")).transpose()?;
    let value = has(VALUE).then(|| reader.small("a value is too large")).transpose()?;
    let depth = has(DEPTH).then(|| reader.small("a depth is too large")).transpose()?;
    let ponder = if has(PONDER) { Te::from_bits(reader.word()?) } else { None };
    let annotation = if has(ANNOTATION) { Annotation::from_number(reader.number()?) } else { None };
    let comment = has(COMMENT).then(|| reader.text()).transpose()?;
    let rated = has(RATED).then(|| reader.rated()).transpose()?;
    let opponent_rated = has(OPPONENT_RATED).then(|| reader.rated()).transpose()?;
    let value = value.map(unzigzag);
    Ok(te.map(|te| JosekiTe {
        te,
        ponder,
        count,
        wins,
        draws,
        losses,
        value,
        depth,
        rating,
        opponent_rating,
        annotation,
        comment,
        rated,
        opponent_rated,
    }))
}

/// Appends the block of an entry.
pub(super) fn write(entry: &Entry, out: &mut Vec<u8>) {
    put(out, (entry.moves.len() as u64) << 1 | u64::from(entry.comment.is_some()));
    put(out, entry.tesu.unwrap_or(0).into());
    put_text(out, entry.comment.as_deref());
    for te in &entry.moves {
        write_te(te, out);
    }
}

fn write_te(te: &JosekiTe, out: &mut Vec<u8>) {
    let numbers = [
        (COUNT, te.count),
        (WINS, te.wins),
        (DRAWS, te.draws),
        (LOSSES, te.losses),
        (RATING, te.rating.map(u64::from)),
        (OPPONENT_RATING, te.opponent_rating.map(u64::from)),
        (VALUE, te.value.map(zigzag).map(u64::from)),
        (DEPTH, te.depth.map(u64::from)),
    ];
    let mut known: u64 = numbers.iter().filter(|(_, number)| number.is_some()).map(|(bit, _)| bit).sum();
    known |= if te.ponder.is_some() { PONDER } else { 0 };
    known |= if te.annotation.is_some() { ANNOTATION } else { 0 };
    known |= if te.comment.is_some() { COMMENT } else { 0 };
    known |= if te.rated.is_some() { RATED } else { 0 };
    known |= if te.opponent_rated.is_some() { OPPONENT_RATED } else { 0 };
    out.extend_from_slice(&te.te.bits().to_le_bytes());
    put(out, known);
    numbers.iter().filter_map(|&(_, number)| number).for_each(|number| put(out, number));
    if let Some(ponder) = te.ponder {
        out.extend_from_slice(&ponder.bits().to_le_bytes());
    }
    if let Some(annotation) = te.annotation {
        put(out, annotation as u64);
    }
    put_text(out, te.comment.as_deref());
    for rated in [te.rated, te.opponent_rated].into_iter().flatten() {
        put(out, rated.number);
        put(out, ((rated.rest << 1) ^ (rated.rest >> 63)) as u64);
    }
}

/// Appends a number, seven bits a byte, low ones first, the highest bit set where more follow.
fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

fn put_text(out: &mut Vec<u8>, text: Option<&str>) {
    if let Some(text) = text {
        put(out, text.len() as u64);
        out.extend_from_slice(text.as_bytes());
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn take(&mut self, length: usize) -> Result<&[u8], &'static str> {
        let (taken, rest) = self.bytes.split_at_checked(length).ok_or("it is cut short")?;
        self.bytes = rest;
        Ok(taken)
    }

    fn word(&mut self) -> Result<u16, &'static str> {
        self.take(2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    fn number(&mut self) -> Result<u64, &'static str> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = u64::from(self.take(1)?[0]);
            let bits = byte & 127;
            if bits << shift >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte < 128 {
                return Ok(number);
            }
        }
        Err("it has a number of more than 64 bits")
    }

    fn small(&mut self, fault: &'static str) -> Result<Tesu, &'static str> {
        u32::try_from(self.number()?).map_err(|_| fault)
    }

    fn rated(&mut self) -> Result<Rated, &'static str> {
        let (number, zigzag) = (self.number()?, self.number()?);
        Ok(Rated { number, rest: (zigzag >> 1) as i64 ^ -((zigzag & 1) as i64) })
    }

    fn text(&mut self) -> Result<String, &'static str> {
        let length = usize::try_from(self.number()?).map_err(|_| "it is cut short")?;
        Ok(String::from_utf8_lossy(self.take(length)?).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(figures: impl Fn(&mut JosekiTe)) -> Entry {
        let mut te = JosekiTe::new("7g7f".parse().unwrap());
        figures(&mut te);
        Entry { tesu: Some(1), comment: None, moves: vec![te] }
    }

    fn check(entry: &Entry) {
        let mut bytes = Vec::new();
        write(entry, &mut bytes);
        let block = read(&bytes);
        assert_eq!(block.fault, None);
        assert_eq!(block.entry, *entry);
    }

    #[test]
    fn every_figure_is_kept_in_full() {
        check(&entry(|_| {}));
        check(&entry(|te| te.count = Some(0)));
        check(&entry(|te| te.value = Some(i32::MIN)));
        check(&entry(|te| te.value = Some(-1)));
        check(&entry(|te| {
            let all = u64::MAX;
            (te.count, te.wins, te.draws, te.losses) = (Some(all), Some(all - 1), Some(0), Some(1 << 63));
            (te.rating, te.opponent_rating, te.depth) = (Some(u32::MAX), Some(0), Some(127));
            te.value = Some(i32::MAX);
            te.ponder = "P*5e".parse().ok();
            te.annotation = Some(Annotation::Blunder);
            te.comment = Some("角換わり".into());
            te.rated = Some(Rated { number: u64::MAX, rest: i64::MIN });
            te.opponent_rated = Some(Rated { number: 0, rest: i64::MAX });
        }));
        check(&entry(|te| te.opponent_rated = Some(Rated { number: 3, rest: -1 })));
        check(&Entry { tesu: None, comment: Some(String::new()), moves: Vec::new() });
    }

    #[test]
    fn no_more_moves_are_read_than_a_position_can_have() {
        let mut bytes = Vec::new();
        put(&mut bytes, 3_000_000 << 1);
        put(&mut bytes, 0);
        let moves: Vec<Te> = (0..=u16::MAX).filter_map(Te::from_bits).take(MAX_MOVES + 1).collect();
        for &te in &moves {
            write_te(&JosekiTe::new(te), &mut bytes);
        }
        let block = read(&bytes);
        assert_eq!(block.entry.moves.len(), 593);
        assert_eq!(block.fault, Some("it has more moves than any position"));
    }

    #[test]
    fn moves_before_the_damage_are_kept() {
        let mut two = entry(|te| te.count = Some(300));
        two.moves.push(JosekiTe { comment: Some("abc".into()), ..JosekiTe::new("2g2f".parse().unwrap()) });
        let mut bytes = Vec::new();
        write(&two, &mut bytes);
        for length in 0..bytes.len() {
            let block = read(&bytes[..length]);
            assert!(block.fault.is_some());
            assert!(block.entry.moves.len() <= 1);
            assert_eq!(block.entry.moves.len() == 1, length >= 7, "{length}");
        }
        // 0xffff is no move, its neighbour is.
        bytes[2..4].fill(0xff);
        let block = read(&bytes);
        assert_eq!(block.entry.moves, two.moves[1..]);
        assert!(block.fault.is_some());
    }
}
