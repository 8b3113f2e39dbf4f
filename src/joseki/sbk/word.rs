//! Moves in 32 bits: rank and file it comes from in bits 0-3 and 4-7, both 0 for a drop; rank and file it goes to in
//! bits 8-11 and 12-15; bit 19 a promotion; bits 20-23 the captured piece; bits 24-27 the piece before the move; bits
//! 28 and 31 are Gote's. Pieces: pawn 1, lance 2, knight 3, silver 4, gold 5, bishop 6, rook 7, king 8; promoted + 8.

use crate::kyokumen::{Change, Dan, Koma, Masu, Suji, Syurui, Te, Teban};

const PROMOTES: u32 = 1 << 19;
const GOTE: u32 = 1 << 31 | 1 << 28;

/// The move of a word; which piece moves and which is captured follows from the position.
pub(super) fn read(word: u32) -> Option<Te> {
    let to = square(word >> 8)?;
    if word & 0xff == 0 {
        let syurui = match word >> 24 & 15 {
            1 => Syurui::Fu,
            2 => Syurui::Ky,
            3 => Syurui::Ke,
            4 => Syurui::Gi,
            5 => Syurui::Ki,
            6 => Syurui::Ka,
            7 => Syurui::Hi,
            _ => return None,
        };
        return Some(Te::drop(syurui, to));
    }
    square(word).filter(|&from| from != to).map(|from| Te::board(from, to, word & PROMOTES != 0))
}

/// The word of a move that was just played.
pub(super) fn write(change: &Change) -> u32 {
    let to = digits(change.te.to()) << 8;
    let from = change.te.from().map_or(0, digits);
    let promotes = if change.te.promotes() { PROMOTES } else { 0 };
    let gote = if change.teban() == Teban::Gote { GOTE } else { 0 };
    from | to | promotes | number(change.captured) << 20 | number(change.before) << 24 | gote
}

fn square(digits: u32) -> Option<Masu> {
    let (dan, suji) = (Dan::new(digits as u8 & 15)?, Suji::new(digits as u8 >> 4)?);
    Some(Masu::new(suji, dan))
}

fn digits(masu: Masu) -> u32 {
    u32::from(masu.dan().number()) | u32::from(masu.suji().number()) << 4
}

fn number(koma: Koma) -> u32 {
    let Some(syurui) = koma.syurui() else { return 0 };
    let base = match syurui.unpromoted() {
        Syurui::Ki => 5,
        Syurui::Ka => 6,
        Syurui::Hi => 7,
        other => u32::from(other.code()),
    };
    base + if syurui.is_promoted() { 8 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kyokumen::Kyokumen;

    fn check(sfen: &str, usi: &str, word: u32) {
        let te = usi.parse().unwrap();
        assert_eq!(read(word), Some(te), "{usi}");
        let mut kyokumen = Kyokumen::from_sfen(sfen).unwrap();
        assert!(kyokumen.is_legal(te), "{usi}");
        assert_eq!(write(&kyokumen.do_te(te)), word, "{usi}");
    }

    #[test]
    fn words_are_those_of_real_files() {
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        check(start, "7g7f", 0x0100_7677);
        check(start, "2g2f", 0x0100_2627);
        check(&start.replace(" b ", " w "), "3c3d", 0x9100_3433);
        let odd = "4k4/2r6/2n6/9/9/9/2P6/9/4K4 b S 1";
        check(odd, "S*5e", 0x0400_5500);
        let odd = "4k4/9/9/9/9/2n6/2+R6/9/4K4 b - 1";
        check(odd, "7g7f", 0x0f30_7677);
        let odd = "4k4/9/9/9/9/2R6/2b6/9/4K4 w g 1";
        check(odd, "G*1a", 0x9500_1100);
        check("4k4/9/9/2n6/9/3P5/9/9/4K4 w - 1", "7d6f+".replace("+", "").as_str(), 0x9310_6674);
        check("4k4/9/9/9/9/2n6/9/3G5/4K4 w - 1", "7f6h+", 0x9358_6876);
    }

    #[test]
    fn what_is_no_move_is_none() {
        for word in [0, 0x0100_0077, 0x0100_7777, 0x0800_7600, 0x0000_7600, 0x0900_7600, 0x0100_a677, 0x0100_767a] {
            assert_eq!(read(word), None, "{word:x}");
        }
    }
}
