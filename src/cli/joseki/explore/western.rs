//! Moves as they are written in English.

use komadai::kyokumen::{Kyokumen, Te};

/// The move as `P-7f`, `Bx2b+`, `N*5e`, `G6i-5h`: piece, `-`, `x` for a capture or `*` for a drop, square, `+` for a
/// promotion or `=` for one that is declined. The square where it comes from stands there only if another piece of its
/// kind may go to the same. None where there is no piece to move.
pub fn name(kyokumen: &Kyokumen, te: Te) -> Option<String> {
    let syurui = kyokumen.moved_syurui(te)?;
    let piece = format!("{}{}", if syurui.is_promoted() { "+" } else { "" }, syurui.unpromoted().letter());
    let to = te.to();
    let Some(from) = te.from() else { return Some(format!("{piece}*{to}")) };
    let rival = |other: &Te| {
        let elsewhere = other.from().is_some_and(|square| square != from);
        elsewhere && other.to() == to && kyokumen.moved_syurui(*other) == Some(syurui)
    };
    let origin = if kyokumen.legal_te().iter().any(rival) { from.to_string() } else { String::new() };
    let step = if kyokumen.koma(to).is_empty() { '-' } else { 'x' };
    let teban = kyokumen.teban();
    let may_promote = syurui.promoted().is_some() && (from.dan().promotes(teban) || to.dan().promotes(teban));
    let promotion = match (te.promotes(), may_promote) {
        (true, _) => "+",
        (false, true) => "=",
        (false, false) => "",
    };
    Some(format!("{piece}{origin}{step}{to}{promotion}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sfen: &str, usi: &str, want: Option<&str>) {
        let kyokumen = Kyokumen::from_sfen(sfen).unwrap();
        assert_eq!(name(&kyokumen, usi.parse().unwrap()).as_deref(), want, "{usi}");
    }

    #[test]
    fn moves_are_named_as_in_english_books() {
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        check(start, "7g7f", Some("P-7f"));
        check(start, "4i5h", Some("G4i-5h"));
        check(start, "7i6h", Some("S-6h"));
        check(start, "5e5d", None);
        let open = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGS1L b N 3";
        check(open, "8h2b+", Some("Bx2b+"));
        check(open, "8h2b", Some("Bx2b="));
        check(open, "N*5e", Some("N*5e"));
        check("4k4/9/4+R4/9/9/9/9/9/4K4 b - 1", "5c5b", Some("+R-5b"));
    }
}
