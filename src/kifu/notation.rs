//! Moves as people write them.

use super::step::{Step, reaches};
use crate::kyokumen::{Kyokumen, Masu, Syurui, Te, Teban};

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

/// The move as players write it and KI2 records hold it, by the rules of the Nihon Shogi Renmei: ▲７六歩, △同　銀, ▲５八金右,
/// △８九飛成, ▲４四銀打. `before` is where the move before went; a move to there is 同. A move that no piece of the
/// position can make has no name.
///
/// Where several pieces of a kind reach the square, the one that moves is told by its motion (上, 寄, 引), else by its
/// place (直, 左, 右), else by both. A pinned piece counts as one that reaches it: not every reader sees the pin.
pub fn ki2_name(kyokumen: &Kyokumen, te: Te, before: Option<Masu>) -> Option<String> {
    let (teban, to) = (kyokumen.teban(), te.to());
    let syurui = kyokumen.moved_syurui(te)?;
    if te.from().is_some_and(|from| !kyokumen.koma(from).belongs_to(teban)) {
        return None;
    }
    let rivals = kyokumen.pieces_of(teban, syurui);
    let rivals: Vec<Masu> = Masu::all()
        .filter(|&from| rivals.contains(from) && Some(from) != te.from() && reaches(kyokumen, syurui, from, to))
        .collect();
    let ending = match te.from() {
        None if rivals.is_empty() => String::new(),
        None => "打".to_owned(),
        Some(from) => {
            let promotion = match te.promotes() {
                true => "成",
                false if syurui.promoted().is_some() && (from.dan().promotes(teban) || to.dan().promotes(teban)) => {
                    "不成"
                }
                false => "",
            };
            which(syurui, teban, from, to, &rivals) + promotion
        }
    };
    let name = name(syurui);
    let place = match before == Some(to) {
        false => square(to),
        // Padded to the length of the shortest other names, as all records have it.
        true if ending.is_empty() && name.chars().count() == 1 => "同　".to_owned(),
        true => "同".to_owned(),
    };
    Some(format!("{}{place}{name}{ending}", mark(teban)))
}

/// The sign that stands before the moves of a side.
pub const fn mark(teban: Teban) -> char {
    match teban {
        Teban::Sente => '▲',
        Teban::Gote => '△',
    }
}

/// What tells a piece from others of its kind that reach the same square.
fn which(syurui: Syurui, teban: Teban, from: Masu, to: Masu, rivals: &[Masu]) -> String {
    let motion = |from: Masu| Step::new(teban, from, to).forward.signum();
    let great = matches!(syurui, Syurui::Um | Syurui::Ry);
    // There are but two of these: which is the right one is asked between them, and none of them is 直.
    let middle = if great { rivals.first().map_or(to, |&rival| rival) } else { to };
    let side = |from: Masu, middle: Masu| Step::new(teban, from, middle).right.signum();
    let by_motion = ["引", "寄", "上"][(motion(from) + 1) as usize];
    let by_side = ["左", "直", "右"][(side(from, middle) + 1) as usize];
    if rivals.is_empty() {
        String::new()
    } else if rivals.iter().all(|&rival| motion(rival) != motion(from)) {
        by_motion.to_owned()
    } else if side(from, middle) == 0 || great || rivals.iter().all(|&rival| side(rival, to) != side(from, to)) {
        by_side.to_owned()
    } else {
        by_side.to_owned() + by_motion
    }
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
