//! Handicaps: the even start and the starts for which Gote leaves pieces in the box.

use super::kif::words;
use crate::kyokumen::Kyokumen;

/// How a game starts. Sente moves first in an even game, Gote, who gives the handicap, in all others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Handicap {
    /// No handicap.
    #[default]
    Even,
    /// Without the left lance, on 1a.
    Lance,
    /// Without the right lance, on 9a.
    RightLance,
    /// Without the bishop.
    Bishop,
    /// Without the rook.
    Rook,
    /// Without the rook and the left lance.
    RookLance,
    /// Without rook and bishop.
    TwoPiece,
    /// Without rook, bishop and left lance.
    ThreePiece,
    /// Without rook, bishop and lances.
    FourPiece,
    /// Without rook, bishop, lances and the right knight.
    FivePiece,
    /// Without rook, bishop, lances and the left knight.
    LeftFivePiece,
    /// Without rook, bishop, lances and knights.
    SixPiece,
    /// Without those of six pieces and the left silver.
    LeftSevenPiece,
    /// Without those of six pieces and the right silver.
    RightSevenPiece,
    /// Only king, golds and pawns.
    EightPiece,
    /// Only king and pawns.
    TenPiece,
}

/// Name on the command line, name in records, the first two ranks.
const TABLE: [(Handicap, &str, &str, &str); 16] = {
    use Handicap::*;
    [
        (Even, "even", "平手", "lnsgkgsnl/1r5b1"),
        (Lance, "lance", "香落ち", "lnsgkgsn1/1r5b1"),
        (RightLance, "right-lance", "右香落ち", "1nsgkgsnl/1r5b1"),
        (Bishop, "bishop", "角落ち", "lnsgkgsnl/1r7"),
        (Rook, "rook", "飛車落ち", "lnsgkgsnl/7b1"),
        (RookLance, "rook-lance", "飛香落ち", "lnsgkgsn1/7b1"),
        (TwoPiece, "2-piece", "二枚落ち", "lnsgkgsnl/9"),
        (ThreePiece, "3-piece", "三枚落ち", "lnsgkgsn1/9"),
        (FourPiece, "4-piece", "四枚落ち", "1nsgkgsn1/9"),
        (FivePiece, "5-piece", "五枚落ち", "2sgkgsn1/9"),
        (LeftFivePiece, "left-5-piece", "左五枚落ち", "1nsgkgs2/9"),
        (SixPiece, "6-piece", "六枚落ち", "2sgkgs2/9"),
        (LeftSevenPiece, "left-7-piece", "左七枚落ち", "2sgkg3/9"),
        (RightSevenPiece, "right-7-piece", "右七枚落ち", "3gkgs2/9"),
        (EightPiece, "8-piece", "八枚落ち", "3gkg3/9"),
        (TenPiece, "10-piece", "十枚落ち", "4k4/9"),
    ]
};

impl Handicap {
    /// All handicaps, the even start first.
    pub fn all() -> impl Iterator<Item = Handicap> {
        TABLE.into_iter().map(|(handicap, ..)| handicap)
    }

    /// The name on the command line, such as `2-piece`.
    pub fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// The name in Japanese records, such as 二枚落ち.
    pub fn kifu_name(self) -> &'static str {
        TABLE[self as usize].2
    }

    /// The handicap with this name, in either language.
    pub fn from_name(name: &str) -> Option<Handicap> {
        Handicap::all().find(|handicap| [handicap.name(), handicap.kifu_name()].contains(&name))
    }

    /// The handicap that a record names, in any of the ways in which programs write it, such as 二枚落ち, ２枚落 or 飛落ち.
    pub(super) fn from_record(name: &str) -> Option<Handicap> {
        let name = name.trim_end_matches('ち').trim_end_matches('落');
        let name = match name {
            "左香" | "香車" => "香",
            "右香車" => "右香",
            "角行" => "角",
            "飛" => "飛車",
            "飛車香" | "飛車香車" | "飛左香" => "飛香",
            "右五枚" => "五枚",
            _ => name,
        };
        let same = |own: &str| own == name || pieces(name).is_some() && pieces(name) == pieces(own);
        Handicap::all().find(|handicap| same(handicap.kifu_name().trim_end_matches("落ち")))
    }

    /// The position in which the game starts.
    pub fn kyokumen(self) -> Kyokumen {
        let turn = if self == Handicap::Even { 'b' } else { 'w' };
        let sfen = format!("{}/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL {turn} - 1", TABLE[self as usize].3);
        // Every row of the table is a position, which a test makes sure of.
        Kyokumen::from_sfen(&sfen).unwrap_or_default()
    }
}

/// The side and the number in a name such as 左五枚.
fn pieces(stem: &str) -> Option<(Option<char>, usize)> {
    let side = stem.chars().next().filter(|side| matches!(side, '左' | '右'));
    let (number, rest) = words::number(stem.trim_start_matches(['左', '右']))?;
    (rest == "枚").then_some((side, number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kyokumen::{Masu, Teban};

    #[test]
    fn names_and_positions_belong_together() {
        for (index, handicap) in Handicap::all().enumerate() {
            assert_eq!(handicap as usize, index);
            assert_eq!(Handicap::from_name(handicap.name()), Some(handicap));
            assert_eq!(Handicap::from_name(handicap.kifu_name()), Some(handicap));
            let kyokumen = handicap.kyokumen();
            let pieces = Masu::all().filter(|&masu| !kyokumen.koma(masu).is_empty()).count();
            let lacking = match handicap.name().chars().find_map(|c| c.to_digit(10)) {
                Some(1) => 10,
                Some(number) => number as usize,
                None => handicap.name().split('-').filter(|word| !matches!(*word, "even" | "right")).count(),
            };
            assert_eq!(pieces, 40 - lacking, "{}", handicap.name());
            assert_eq!(kyokumen.teban() == Teban::Sente, handicap == Handicap::Even);
        }
        assert_eq!(Handicap::from_name("1-piece"), None);
    }
}
