//! Start positions drawn as boards, as in KIF and KI2 records (BOD).

use super::Handicap;
use super::kif::words::{self, is_blank, skip_blanks, take};
use crate::kyokumen::{ByTeban, Koma, Kyokumen, Syurui, Teban};

/// What a record says of its start position, line after line.
#[derive(Debug, Default)]
pub(super) struct Diagram<'a> {
    /// The lines of the board, without the stroke at their start.
    rows: Vec<&'a str>,
    hands: ByTeban<Option<&'a str>>,
    turn: Option<Teban>,
    /// The number of moves before it, and who played the last, where that is said.
    ply: Option<(usize, Option<Teban>)>,
}

impl<'a> Diagram<'a> {
    /// Whether nothing is drawn.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The number of moves before it; 0 where that is not said.
    pub(super) fn ply(&self) -> usize {
        self.ply.map_or(0, |(ply, _)| ply)
    }

    /// What one side holds, such as 飛二　歩十七 or なし.
    pub(super) fn hand(&mut self, teban: Teban, text: &'a str) {
        self.hands[teban] = Some(text);
    }

    /// Takes a line of the diagram; says whether it is one.
    pub(super) fn line(&mut self, line: &'a str) -> bool {
        if let Some(row) = line.strip_prefix(['|', '｜']) {
            // One more than there may be is enough to be found wrong.
            if self.rows.len() < 10 {
                self.rows.push(row);
            }
            return true;
        }
        if let Some(("番", teban)) = words::side(line).map(|(teban, rest)| (rest, teban)) {
            self.turn = Some(teban);
            return true;
        }
        if let Some(rest) = line.strip_prefix("手数＝").or_else(|| line.strip_prefix("手数=")) {
            self.ply = words::number(skip_blanks(rest))
                .map(|(ply, rest)| (ply, take(skip_blanks(rest)).and_then(|(mark, _)| words::mark(mark))));
            return true;
        }
        line.starts_with("+-") || line.starts_with("＋") || is_columns(line)
    }

    /// The position. Where it is not said whose turn it is, the last move tells, or else the handicap.
    pub(super) fn kyokumen(&self, handicap: Option<Handicap>) -> Result<Kyokumen, String> {
        if self.rows.len() != 9 {
            return Err(format!("the board has {} ranks", self.rows.len()));
        }
        let mut sfen = String::with_capacity(128);
        for row in &self.rows {
            push_row(&mut sfen, row)?;
        }
        sfen.pop();
        sfen.push_str(if self.turn(handicap) == Teban::Sente { " b " } else { " w " });
        let before_hands = sfen.len();
        for teban in Teban::ALL {
            push_hand(&mut sfen, teban, self.hands[teban].unwrap_or_default())?;
        }
        if sfen.len() == before_hands {
            sfen.push('-');
        }
        sfen.push_str(&format!(" {}", self.ply().min(99_999) + 1));
        Kyokumen::from_sfen(&sfen).map_err(|error| error.to_string())
    }

    fn turn(&self, handicap: Option<Handicap>) -> Teban {
        let is_even = handicap.is_none_or(|handicap| handicap == Handicap::Even);
        self.turn.unwrap_or(match self.ply {
            Some((_, Some(last))) => last.opponent(),
            Some((ply, None)) if is_even && ply % 2 == 1 => Teban::Gote,
            _ if is_even => Teban::Sente,
            _ => Teban::Gote,
        })
    }
}

/// Whether a line has only the numbers of the files, as above a board.
pub(super) fn is_columns(line: &str) -> bool {
    let digits = line.chars().filter(|&character| words::digit(character).is_some()).count();
    digits == 9 && line.chars().all(|character| is_blank(character) || words::digit(character).is_some())
}

fn push_koma(sfen: &mut String, syurui: Syurui, teban: Teban) {
    use std::fmt::Write;
    let _ = write!(sfen, "{}", Koma::new(syurui, teban));
}

fn push_row(sfen: &mut String, row: &str) -> Result<(), String> {
    let (mut rest, mut teban, mut squares) = (row, Teban::Sente, 0);
    while let Some((character, after)) = take(rest) {
        rest = after;
        match character {
            '|' | '｜' => break,
            'v' | 'V' | 'ｖ' => {
                teban = Teban::Gote;
                continue;
            }
            '^' => continue,
            _ if is_blank(character) => continue,
            '・' | '･' | '.' | '．' | '□' | '＿' | '*' => sfen.push('1'),
            _ => {
                // One character, or two for 成銀.
                let text = &row[row.len() - rest.len() - character.len_utf8()..];
                let (syurui, after) =
                    words::syurui(text).ok_or_else(|| format!("the board has {character:?} for a piece"))?;
                push_koma(sfen, syurui, teban);
                rest = after;
            }
        }
        teban = Teban::Sente;
        squares += 1;
        if squares > 9 {
            break;
        }
    }
    if squares != 9 {
        return Err("a rank of the board has not nine squares".to_owned());
    }
    sfen.push('/');
    Ok(())
}

fn push_hand(sfen: &mut String, teban: Teban, text: &str) -> Result<(), String> {
    let mut rest = skip_blanks(text);
    while !rest.is_empty() && !rest.starts_with("なし") && !rest.starts_with("無し") {
        let error = || format!("the hand has {:?}", text.chars().take(40).collect::<String>());
        let (syurui, after) = words::syurui(rest).ok_or_else(error)?;
        let after = after.strip_prefix('車').or_else(|| after.strip_prefix('行')).unwrap_or(after);
        let (count, after) = words::number(after).unwrap_or((1, after));
        if syurui.is_promoted() || !(1..=18).contains(&count) {
            return Err(error());
        }
        sfen.push_str(&count.to_string());
        push_koma(sfen, syurui, teban);
        rest = after.trim_start_matches(|character| is_blank(character) || matches!(character, '、' | ','));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: [&str; 12] = [
        "９ ８ ７ ６ ５ ４ ３ ２ １",
        "+---------------------------+",
        "|v香v桂 ・ ・v王 ・ ・ 全 圭|一",
        "| ・ 竜 ・ ・ ・ ・ ・ 馬 ・|二",
        "|v歩 ・ ・v成銀 ・ ・ ・ ・ 杏|三",
        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|四",
        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|五",
        "|・・・・・・・・・|六",
        "| ・ ・ ・ ・ ・ ・ ・ ・ 歩",
        "| ・ ・ ・ ・ ・ ・ ・ ・ ・|八",
        "| ・ ・ ・ ・ 玉 ・vと ・ ・|九",
        "+---------------------------+",
    ];

    fn diagram<'a>(lines: &[&'a str]) -> Diagram<'a> {
        let mut diagram = Diagram::default();
        for line in BOARD.iter().chain(lines) {
            assert!(diagram.line(line), "{line}");
        }
        diagram
    }

    #[test]
    fn a_board_reads_as_drawn_with_hands_turn_and_ply() {
        let mut drawn = diagram(&["後手番", "手数＝24  ▲８二龍  まで"]);
        drawn.hand(Teban::Sente, "飛車　角行 歩１２ ");
        drawn.hand(Teban::Gote, "金三　桂、");
        assert_eq!(
            drawn.kyokumen(None).unwrap().to_sfen(),
            "ln2k2+S+N/1+R5+B1/p2+s4+L/9/9/9/8P/9/4K1+p2 w RB12P3gn 25"
        );
    }

    #[test]
    fn the_turn_is_told_by_the_last_move_or_by_the_handicap() {
        let turn = |lines: &[&str], handicap| diagram(lines).kyokumen(handicap).unwrap().teban();
        assert_eq!(turn(&[], None), Teban::Sente);
        assert_eq!(turn(&[], Some(Handicap::Even)), Teban::Sente);
        assert_eq!(turn(&[], Some(Handicap::TwoPiece)), Teban::Gote);
        assert_eq!(turn(&["下手番"], Some(Handicap::TwoPiece)), Teban::Sente);
        assert_eq!(turn(&["手数＝5"], None), Teban::Gote);
        assert_eq!(turn(&["手数=6 "], None), Teban::Sente);
        assert_eq!(turn(&["手数＝6 ▲５五歩 まで"], None), Teban::Gote);
        assert_eq!(turn(&["手数＝6 ▲５五歩 まで", "先手番"], None), Teban::Sente);
    }

    #[test]
    fn what_is_no_position_is_refused_with_its_fault() {
        let mut short = Diagram::default();
        assert!(short.line("| ・ ・|"));
        assert!(short.kyokumen(None).unwrap_err().contains("1 ranks"));
        assert!(diagram(&["| ・ ・|"]).kyokumen(None).unwrap_err().contains("10 ranks"));
        for hand in ["歩十九", "歩零", "と", "x", "歩99999999999999999999"] {
            let mut drawn = diagram(&[]);
            drawn.hand(Teban::Sente, hand);
            assert!(drawn.kyokumen(None).unwrap_err().contains("hand"), "{hand}");
        }
        let mut kings = diagram(&[]);
        kings.hand(Teban::Sente, "玉");
        assert!(kings.kyokumen(None).is_err());
        for row in [" ・ ・ ・ ・ ・ ・ ・ ・|", " 爆 ・ ・ ・ ・ ・ ・ ・ ・|", "・・・・・・・・・・|"]
        {
            assert!(push_row(&mut String::new(), row).is_err(), "{row}");
        }
    }
}
