//! The first block of the file, which says how the others are laid out, and the figures of a move in one number.

use super::radix::{self, MAX_BITS, MAX_RADIX, Wide};
use crate::joseki::zigzag::{unzigzag, zigzag};
use crate::joseki::{Annotation, JosekiTe};
use crate::kyokumen::{Kyokumen, PackedKyokumen, Te, Tesu};

/// The first line of every book.
pub(in crate::joseki) const MAGIC: &[u8] = b"[parameters]\n";
pub(super) const MOVES: &[u8] = b"[moves]\n";
pub(super) const TABLE: &[u8] = b"[zTab]\n";

/// The figures in the order in which they are written, and whether they stand as they are, 0 for none; others stand one
/// larger, for their 0 means unknown.
pub(super) const FIGURES: [(&str, bool); 12] = [
    ("move", true),
    ("annotation", true),
    ("games", false),
    ("wins", false),
    ("draws", false),
    ("losses", false),
    ("opponentsElo", false),
    ("ownElo", false),
    ("value", false),
    ("depth", false),
    ("reply", true),
    ("ply", true),
];

/// The figures of a move, each of which may be unknown.
pub(super) type Figures = [Option<u64>; FIGURES.len()];

/// A figure's place in the number: its lowest bit, and how many it has.
#[derive(Clone, Copy, Debug)]
struct Place {
    figure: usize,
    start: u32,
    bits: u32,
}

/// What the first block says.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) radix: u64,
    /// Number of records.
    pub(super) moves: usize,
    places: Vec<Place>,
    pub(super) roots: Vec<PackedKyokumen>,
    /// How many more are no position that a book can hold.
    pub(super) bad_roots: u64,
    pub(super) source: Option<String>,
    /// Where the records begin.
    pub(super) start: usize,
    /// Bytes of the lines of a record.
    pub(super) key_line: usize,
    pub(super) figures_line: usize,
}

impl Layout {
    /// A layout with room for the largest of each figure, as it stands in the file.
    pub(super) fn new(largest: &[u128; FIGURES.len()], moves: usize) -> Layout {
        let widths = (0..).zip(largest.map(|number| 128 - number.leading_zeros()));
        let mut layout = Layout {
            radix: MAX_RADIX,
            moves,
            places: Vec::new(),
            roots: Vec::new(),
            bad_roots: 0,
            source: None,
            start: 0,
            key_line: 0,
            figures_line: 0,
        };
        layout.place(widths.filter(|&(_, bits)| bits > 0).map(|(figure, bits)| (Some(figure), bits)));
        layout
    }

    /// Gives the figures their places; `false` where they have not enough room.
    fn place(&mut self, widths: impl Iterator<Item = (Option<usize>, u32)>) -> bool {
        let mut start = 0;
        for (figure, bits) in widths {
            if bits > MAX_BITS - start {
                return false;
            }
            self.places.extend(figure.map(|figure| Place { figure, start, bits }));
            start += bits;
        }
        self.key_line = radix::digits(64, self.radix) + 1;
        self.figures_line = radix::digits(start, self.radix) + 1;
        true
    }

    /// Reads the block; the error is a sentence.
    pub(super) fn read(bytes: &[u8]) -> Result<Layout, String> {
        let mut layout = Layout::new(&[0; FIGURES.len()], 0);
        let mut fields = None;
        let (mut is_shogi, mut moves) = (false, None);
        let mut sources = Vec::new();
        let mut rest = bytes.strip_prefix(MAGIC).ok_or("its first line is not [parameters]")?;
        while !rest.starts_with(MOVES) {
            let end = memchr::memchr(b'\n', rest).ok_or("it has no block [moves]")?;
            let line = String::from_utf8_lossy(&rest[..end]);
            rest = &rest[end + 1..];
            match line.split_once('=').unwrap_or((&line, "")) {
                ("game", game) => is_shogi = game == "shogi",
                ("hashSz", "64") => {}
                ("hashSz", other) => return Err(format!("its keys have {other:.20} bits, this program reads 64")),
                ("numBase", base) => {
                    layout.radix = base
                        .parse()
                        .ok()
                        .filter(|base| (2..=MAX_RADIX).contains(base))
                        .ok_or("its numBase is none of 2 to 224")?
                }
                ("moves", number) => moves = number.parse().ok(),
                ("fields", list) => fields = Some(list.to_owned()),
                ("root", sfen) => match Kyokumen::from_sfen(sfen).ok().and_then(|root| root.pack()) {
                    Some(root) => layout.roots.push(root),
                    None => layout.bad_roots += 1,
                },
                ("source", text) => sources.push(text.to_owned()),
                _ => {}
            }
        }
        if !is_shogi {
            return Err("it is no book of shogi".into());
        }
        layout.moves = moves.ok_or("it does not say how many moves it has")?;
        let fields = fields.as_deref().and_then(widths).filter(|fields| layout.place(fields.iter().copied()));
        fields.ok_or("it does not say how its moves are laid out")?;
        layout.source = (!sources.is_empty()).then(|| sources.join("\n"));
        layout.start = bytes.len() - rest.len() + MOVES.len();
        Ok(layout)
    }

    /// The block, with the line that begins the next.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let fields: Vec<_> =
            self.places.iter().map(|place| format!("{}:{}", FIGURES[place.figure].0, place.bits)).collect();
        let mut text = String::from_utf8_lossy(MAGIC).into_owned();
        text += &format!(
            "game=shogi\nhashSz=64\nnumBase={}\nmoves={}\nfields={}\n",
            self.radix,
            self.moves,
            fields.join(" ")
        );
        for root in self.roots.iter().filter_map(|root| root.unpack()) {
            text += &format!("root={}\n", root.to_sfen());
        }
        for line in self.source.iter().flat_map(|source| source.lines()) {
            text += &format!("source={line}\n");
        }
        [text.as_bytes(), MOVES].concat()
    }

    /// Bytes of a record.
    pub(super) fn record(&self) -> usize {
        2 * self.key_line + self.figures_line
    }

    /// The figures of a move from the digits of their line.
    pub(super) fn figures(&self, digits: &[u8]) -> Option<Figures> {
        let wide = radix::read(digits, self.radix)?;
        let mut figures = Figures::default();
        for place in &self.places {
            let (_, is_plain) = FIGURES[place.figure];
            let stored = wide.bits(place.start, place.bits);
            figures[place.figure] = stored.checked_sub(u128::from(!is_plain)).and_then(|number| number.try_into().ok());
        }
        Some(figures)
    }

    /// Appends the line of a move.
    pub(super) fn write(&self, figures: &Figures, out: &mut Vec<u8>) {
        let mut wide = Wide::default();
        for place in &self.places {
            wide.put(place.start, place.bits, stored(place.figure, figures[place.figure]));
        }
        radix::write(wide, self.figures_line - 1, self.radix, out);
    }
}

/// A figure as it stands in the file.
pub(super) fn stored(figure: usize, number: Option<u64>) -> u128 {
    number.map_or(0, |number| u128::from(number) + u128::from(!FIGURES[figure].1))
}

/// The figures with their widths, unknown ones as `None`.
fn widths(list: &str) -> Option<Vec<(Option<usize>, u32)>> {
    let mut widths: Vec<(Option<usize>, u32)> = Vec::new();
    for field in list.split_whitespace() {
        let (name, bits) = field.split_once(':')?;
        let figure = FIGURES.iter().position(|&(known, _)| known == name);
        let bits = bits.parse().ok().filter(|&bits| bits <= if figure.is_some() { 66 } else { MAX_BITS })?;
        if figure.is_some() && widths.iter().any(|&(other, _)| other == figure) {
            return None;
        }
        widths.push((figure, bits));
    }
    widths.iter().any(|&(figure, _)| figure == Some(0)).then_some(widths)
}

/// The figures of a move of a position that has this ply.
pub(super) fn to_figures(te: &JosekiTe, tesu: Option<Tesu>) -> Figures {
    [
        Some(te.te.bits().into()),
        te.annotation.map(|annotation| annotation as u64),
        te.count,
        te.wins,
        te.draws,
        te.losses,
        te.opponent_rating.map(u64::from),
        te.rating.map(u64::from),
        te.value.map(zigzag).map(u64::from),
        te.depth.map(u64::from),
        te.ponder.map(|te| te.bits().into()),
        tesu.map(u64::from),
    ]
}

/// The move with its figures and the ply; `None` where it is none.
pub(super) fn of_figures(figures: &Figures) -> Option<(JosekiTe, Option<Tesu>)> {
    let te = |bits: Option<u64>| Te::from_bits(u16::try_from(bits?).ok()?);
    let small = |number: Option<u64>| u32::try_from(number?).ok();
    let [word, annotation, count, wins, draws, losses, opponent_rating, rating, value, depth, ponder, tesu] = *figures;
    let read = JosekiTe {
        annotation: annotation.and_then(Annotation::from_number),
        ponder: te(ponder),
        count,
        wins,
        draws,
        losses,
        opponent_rating: small(opponent_rating),
        rating: small(rating),
        value: small(value).map(unzigzag),
        depth: small(depth),
        ..JosekiTe::new(te(word)?)
    };
    Some((read, small(tesu).filter(|&tesu| tesu > 0)))
}
