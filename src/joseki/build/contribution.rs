//! What a game gives to a book.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::Rules;
use crate::kifu::{Ending, Game};
use crate::kyokumen::{ByTeban, Kyokumen, PackedKyokumen, Te, Teban, Tesu};

/// The moves of a game that go into a book, and what is to be known of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Contribution {
    pub(super) start: PackedKyokumen,
    /// The number of the first move.
    pub(super) tesu: Tesu,
    pub(super) ratings: ByTeban<Option<u32>>,
    pub(super) ending: Option<Ending>,
    pub(super) winner: Option<Teban>,
    /// Whose moves are taken.
    pub(super) movers: ByTeban<bool>,
    pub(super) moves: Vec<Te>,
    /// Lines that leave the main one: all moves from the start, and how many of these belong to other lines.
    pub(super) variations: Vec<(usize, Vec<Te>)>,
}

/// What comes of a game.
pub(super) enum Given {
    Contribution(Contribution),
    /// The rules leave it out, or all of its moves.
    Nothing,
    /// A king is missing, which no book can hold.
    Unpackable,
}

impl Contribution {
    pub(super) fn of(game: &Game, rules: &Rules) -> Given {
        let Some(movers) = rules.movers(game) else { return Given::Nothing };
        let kyokumen = game.start.kyokumen();
        let plies = (u64::from(rules.max_ply) + 1).saturating_sub(kyokumen.tesu().into());
        let plies = usize::try_from(plies).unwrap_or(usize::MAX);
        let variations = if rules.variations { game.variations.len() } else { 0 };
        let lines = (0..variations).map(|index| (game.variations[index].shared, game.line(index)));
        let cut = |moves: &[Te]| moves[..moves.len().min(plies)].to_vec();
        let variations: Vec<_> = lines.map(|(shared, moves)| (shared, cut(&moves))).collect();
        let moves = cut(&game.moves);
        // The players move by turns, so one of the first two plies of a line is a move that is taken, or none is.
        let gives = |shared: usize, moves: &[Te]| {
            let turn = if shared.is_multiple_of(2) { kyokumen.teban() } else { !kyokumen.teban() };
            [turn, !turn].into_iter().take(moves.len().saturating_sub(shared)).any(|teban| movers[teban])
        };
        if !gives(0, &moves) && !variations.iter().any(|(shared, moves)| gives(*shared, moves)) {
            return Given::Nothing;
        }
        let Some(start) = kyokumen.pack() else { return Given::Unpackable };
        let (ratings, ending, winner) = (game.ratings, game.ending, game.winner);
        Given::Contribution(Contribution {
            start,
            tesu: kyokumen.tesu(),
            ratings,
            ending,
            winner,
            movers,
            moves,
            variations,
        })
    }

    /// The position in which it starts.
    pub(super) fn kyokumen(&self, hirate: &(PackedKyokumen, Kyokumen)) -> Option<Kyokumen> {
        if self.start == hirate.0 { Some(hirate.1.clone()) } else { self.start.unpack() }
    }

    /// Appends it as bytes. Of the same moves that with the greatest bytes tells most: ratings, ending, winner stand
    /// first, and what is known is greater than what is not.
    pub(super) fn encode(&self, bytes: &mut Vec<u8>) {
        for rating in self.ratings.0 {
            bytes.push(u8::from(rating.is_some()));
            bytes.extend_from_slice(&rating.unwrap_or(0).to_be_bytes());
        }
        bytes.push(self.ending.map_or(0, |ending| ending as u8 + 1));
        bytes.push(self.winner.map_or(0, |winner| winner as u8 + 1));
        bytes.push(u8::from(self.movers[Teban::Sente]) | u8::from(self.movers[Teban::Gote]) << 1);
        put(bytes, self.tesu as usize);
        put_moves(bytes, &self.moves);
        for (shared, moves) in &self.variations {
            put(bytes, *shared);
            put_moves(bytes, moves);
        }
    }

    /// Reads what [`Contribution::encode`] wrote.
    pub(super) fn decode(start: PackedKyokumen, bytes: &[u8]) -> Option<Contribution> {
        let mut reader = Reader { bytes };
        let ratings = [reader.rating()?, reader.rating()?];
        let ending = reader.byte()?.checked_sub(1).map(usize::from);
        let winner = reader.byte()?.checked_sub(1).map(usize::from);
        let movers = reader.byte()?;
        let (tesu, moves) = (reader.number()? as Tesu, reader.moves()?);
        let mut variations = Vec::new();
        while !reader.bytes.is_empty() {
            variations.push((reader.number()?, reader.moves()?));
        }
        Some(Contribution {
            start,
            tesu,
            ratings: ByTeban(ratings),
            ending: ending.and_then(|index| Ending::ALL.get(index).copied()),
            winner: winner.and_then(|index| Teban::ALL.get(index).copied()),
            movers: ByTeban([movers & 1 != 0, movers & 2 != 0]),
            moves,
            variations,
        })
    }
}

/// What games of the same day with the same start and moves have in common, and no others: 128 bits, so that among a
/// thousand million games two share one by chance once in 10^20 times.
pub(super) fn identity(game: &Game, start: &PackedKyokumen, tesu: Tesu) -> [u8; 16] {
    let mut key = [0; 16];
    for (salt, half) in key.chunks_exact_mut(8).enumerate() {
        let mut hasher = DefaultHasher::new();
        hasher.write_usize(salt);
        (game.date, start.0, tesu).hash(&mut hasher);
        for moves in game.moves.chunks(4) {
            hasher.write_u64(moves.iter().fold(0, |bits, te| bits << 16 | u64::from(te.bits())));
        }
        hasher.write_usize(game.moves.len());
        half.copy_from_slice(&hasher.finish().to_be_bytes());
    }
    key
}

fn put(bytes: &mut Vec<u8>, number: usize) {
    bytes.extend_from_slice(&u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
}

fn put_moves(bytes: &mut Vec<u8>, moves: &[Te]) {
    put(bytes, moves.len());
    bytes.extend(moves.iter().flat_map(|te| te.bits().to_le_bytes()));
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(*taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take().map(|[byte]| byte)
    }

    fn number(&mut self) -> Option<usize> {
        usize::try_from(u32::from_le_bytes(self.take()?)).ok()
    }

    fn rating(&mut self) -> Option<Option<u32>> {
        let known = self.byte()? != 0;
        let rating = u32::from_be_bytes(self.take()?);
        Some(known.then_some(rating))
    }

    fn moves(&mut self) -> Option<Vec<Te>> {
        let length = self.number()?.checked_mul(2)?;
        let (moves, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        moves.as_chunks().0.iter().map(|bits| Te::from_bits(u16::from_le_bytes(*bits))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kifu::read_line;

    fn game(line: &str) -> Game {
        read_line(line).unwrap().unwrap()
    }

    fn contribution(line: &str, rules: &Rules) -> Contribution {
        match Contribution::of(&game(line), rules) {
            Given::Contribution(contribution) => contribution,
            _ => panic!("{line} gives nothing"),
        }
    }

    #[test]
    fn what_is_read_back_is_what_was_written() {
        let rules = Rules { max_ply: 3, ..Rules::default() };
        for line in [
            "2020-01-01\t平手\tb\t2000\t-\tresign\t4\t7g7f 3c3d 2g2f 8c8d",
            "2020-01-01\t平手\tb\t-\t0\tforfeit\t1\t7g7f",
            "startpos moves 7g7f 3c3d 8h2b+",
        ] {
            let mut given = contribution(line, &rules);
            assert!(given.moves.len() <= 3);
            given.variations = vec![(1, given.moves.clone()), (0, Vec::new())];
            let mut bytes = Vec::new();
            given.encode(&mut bytes);
            assert_eq!(Contribution::decode(given.start, &bytes).as_ref(), Some(&given));
            bytes.pop();
            assert_eq!(Contribution::decode(given.start, &bytes), None);
        }
    }

    #[test]
    fn the_identity_tells_days_starts_and_moves_apart_and_nothing_else() {
        let of = |line: &str| {
            let game = game(line);
            let kyokumen = game.start.kyokumen();
            identity(&game, &kyokumen.pack().unwrap(), kyokumen.tesu())
        };
        let first = of("2020-01-01\t平手\tb\t2000\t-\tresign\t2\t7g7f 3c3d");
        assert_eq!(first, of("2020-01-01\teven\tw\t1\t2\tabort\t2\t7g7f 3c3d"));
        for other in [
            "2020-01-02\t平手\tb\t2000\t-\tresign\t2\t7g7f 3c3d",
            "2020-01-01\t平手\tb\t2000\t-\tresign\t1\t7g7f",
            "2020-01-01\t平手\tb\t2000\t-\tresign\t3\t7g7f 3c3d 2g2f",
            "2020-01-01\t香落ち\tb\t2000\t-\tresign\t2\t3c3d 7g7f",
        ] {
            assert_ne!(of(other), first, "{other}");
        }
    }
}
