//! Moves as people write them.

use crate::kyokumen::{Kyokumen, Masu, Syurui, Te};

/// The move as in a KIF record, such as ７六歩(77), ２二角成(88), ５五角打; the square in brackets is the one it comes
/// from. A move that no piece of the position can make has no name.
pub fn japanese(kyokumen: &Kyokumen, te: Te) -> Option<String> {
    let to = square(te.to());
    Some(match te.from() {
        Some(from) => {
            let name = name(kyokumen.moved_syurui(te)?);
            let promotes = if te.promotes() { "成" } else { "" };
            format!("{to}{name}{promotes}({}{})", from.suji().number(), from.dan().number())
        }
        None => format!("{to}{}打", name(te.dropped()?)),
    })
}

fn square(masu: Masu) -> String {
    const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
    const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
    [FILES[masu.index() / 9], RANKS[masu.index() % 9]].iter().collect()
}

const fn name(syurui: Syurui) -> &'static str {
    match syurui {
        Syurui::Fu => "歩",
        Syurui::Ky => "香",
        Syurui::Ke => "桂",
        Syurui::Gi => "銀",
        Syurui::Ka => "角",
        Syurui::Hi => "飛",
        Syurui::Ki => "金",
        Syurui::Ou => "玉",
        Syurui::To => "と",
        Syurui::Ny => "成香",
        Syurui::Nk => "成桂",
        Syurui::Ng => "成銀",
        Syurui::Um => "馬",
        Syurui::Ry => "龍",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_written_as_in_kif_records() {
        let mut kyokumen = Kyokumen::hirate();
        for (usi, want) in
            [("7g7f", "７六歩(77)"), ("3c3d", "３四歩(33)"), ("8h2b+", "２二角成(88)"), ("3a2b", "２二銀(31)")]
        {
            let te = usi.parse().unwrap();
            assert_eq!(japanese(&kyokumen, te).as_deref(), Some(want));
            kyokumen.do_te(te);
        }
        assert_eq!(japanese(&kyokumen, "B*5e".parse().unwrap()).as_deref(), Some("５五角打"));
        assert_eq!(japanese(&kyokumen, "5e5d".parse().unwrap()), None);
    }
}
