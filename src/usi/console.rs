//! What people ask for at a console.

use crate::kyokumen::{self, Dan, Kyokumen, Masu, PerftMode, Suji, Teban};
use crate::sikou::StopSignal;

/// Draws the board and the hands, and states the SFEN.
pub(super) fn draw(kyokumen: &Kyokumen) -> Vec<String> {
    let hand = |teban| {
        let pieces = kyokumen.motigoma(teban).iter().map(|(syurui, count)| format!(" {}{count}", syurui.letter()));
        pieces.collect::<String>()
    };
    let mut lines = vec![format!("Gote:{}", hand(Teban::Gote)), "+---------------------------+".into()];
    for dan in Dan::all() {
        let cells = Suji::all().rev().map(|suji| {
            let koma = kyokumen.koma(Masu::new(suji, dan));
            format!("{:>3}", if koma.is_empty() { ".".into() } else { koma.to_string() })
        });
        let letter = char::from(b'a' + dan.number() - 1);
        lines.push(format!("|{}| {letter}", cells.collect::<String>()));
    }
    lines.push("+--9--8--7--6--5--4--3--2--1+".into());
    lines.push(format!("Sente:{}", hand(Teban::Sente)));
    lines.push(format!("sfen {}", kyokumen.to_sfen()));
    lines
}

/// Counts the paths of legal moves behind each first move; `None` if it was stopped.
pub(super) fn divide(start: &Kyokumen, depth: u32, stop: &StopSignal, mut tell: impl FnMut(String)) -> Option<u64> {
    let mut kyokumen = start.clone();
    if depth == 0 {
        return Some(1);
    }
    let mut total = 0u64;
    for te in kyokumen.legal_te() {
        let change = kyokumen.do_te(te);
        let nodes = count(&mut kyokumen, depth - 1, stop)?;
        kyokumen.undo_te(&change);
        tell(format!("{te}: {nodes}"));
        total += nodes;
    }
    Some(total)
}

/// As perft, but looks at the signal three plies before the end.
fn count(kyokumen: &mut Kyokumen, depth: u32, stop: &StopSignal) -> Option<u64> {
    if stop.is_stopped() {
        return None;
    }
    if depth <= 2 {
        return Some(kyokumen::perft(kyokumen, depth, PerftMode::Count));
    }
    let mut nodes = 0u64;
    for te in kyokumen.legal_te() {
        let change = kyokumen.do_te(te);
        let behind = count(kyokumen, depth - 1, stop);
        kyokumen.undo_te(&change);
        nodes += behind?;
    }
    Some(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_is_drawn_as_sente_sees_it() {
        let kyokumen = Kyokumen::from_sfen("4k4/9/9/9/9/9/9/9/4K3+P b 2R10P2b 7").unwrap();
        let lines = draw(&kyokumen);
        assert_eq!(lines[2], "|  .  .  .  .  k  .  .  .  .| a");
        assert_eq!(lines[10], "|  .  .  .  .  K  .  .  . +P| i");
        assert_eq!(lines[0], "Gote: B2");
        assert_eq!(lines.last().unwrap(), "sfen 4k4/9/9/9/9/9/9/9/4K3+P b 2R10P2b 7");
    }

    #[test]
    fn the_counts_of_the_first_moves_add_up() {
        let stop = StopSignal::new();
        let mut lines = 0;
        assert_eq!(divide(&Kyokumen::hirate(), 4, &stop, |_| lines += 1), Some(719_731));
        assert_eq!(lines, 30);
        stop.stop();
        assert_eq!(divide(&Kyokumen::hirate(), 4, &stop, |_| {}), None);
    }
}
