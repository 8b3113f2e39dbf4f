//! Tables and drawings for a terminal, on which Japanese characters are twice as wide as others.

use komadai::kyokumen::{Dan, Koma, Kyokumen, Masu, Motigoma, Suji, Syurui, Teban};

/// Columns of the narrowest terminal that all is made for.
pub const TERMINAL: usize = 80;

/// What stands in a table for a figure that is unknown.
pub const UNKNOWN: &str = "-";

/// A column of a table: its head, and a cell for each row.
pub struct Column<'a> {
    pub head: &'a str,
    /// Figures stand on the right, names on the left.
    pub figures: bool,
    pub cells: Vec<String>,
}

/// The columns side by side, closer where they take too much room. Those in which nothing is known are left out.
pub fn table(columns: &[Column]) -> String {
    let known = |column: &&Column| column.cells.iter().any(|cell| cell != UNKNOWN && !cell.is_empty());
    let columns: Vec<&Column> = columns.iter().filter(known).collect();
    let rows = columns.first().map_or(0, |column| column.cells.len());
    let widths: Vec<usize> = columns
        .iter()
        .map(|column| column.cells.iter().map(|cell| width(cell)).fold(width(column.head), usize::max))
        .collect();
    let wide = widths.iter().map(|width| width + 2).sum::<usize>() > TERMINAL + 2;
    let gap = if wide { " " } else { "  " };
    let line = |cell: &dyn Fn(&Column) -> String| {
        let cells = columns.iter().zip(&widths).map(|(column, room)| {
            let cell = cell(column);
            let blanks = " ".repeat(room - width(&cell));
            if column.figures { blanks + &cell } else { cell + &blanks }
        });
        cells.collect::<Vec<_>>().join(gap).trim_end().to_owned() + "\n"
    };
    let mut text = line(&|column| column.head.to_owned());
    for row in 0..rows {
        text += &line(&|column| column.cells[row].clone());
    }
    text
}

/// Columns that a text takes. The marks of the sides are counted as wide, though some terminals have them narrow: a
/// table with one in each row is straight on all of them.
pub fn width(text: &str) -> usize {
    text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum()
}

/// As many of the words, from the first, as fit into so many columns, with blanks between them.
pub fn fitting(words: &[String], room: usize) -> String {
    let mut text = String::new();
    for word in words {
        if width(&text) + width(word) >= room {
            break;
        }
        text = if text.is_empty() { word.clone() } else { text + " " + word };
    }
    text
}

/// A figure, or the sign for none.
pub fn known(figure: Option<impl ToString>) -> String {
    figure.map_or(UNKNOWN.to_owned(), |figure| figure.to_string())
}

/// A percentage, or the sign for none.
pub fn percent(figure: Option<f64>) -> String {
    known(figure.map(|figure| format!("{figure:.1}%")))
}

/// The board with both hands, as it is drawn in KIF files.
pub fn board(kyokumen: &Kyokumen) -> String {
    const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
    let mut text = format!("後手の持駒：{}\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n", hand(kyokumen.motigoma(Teban::Gote)));
    text += "+---------------------------+\n";
    for (dan, rank) in Dan::all().zip(RANKS) {
        let cells = Suji::all().rev().map(|suji| cell(kyokumen.koma(Masu::new(suji, dan))));
        text += &format!("|{}|{rank}\n", cells.collect::<String>());
    }
    text += "+---------------------------+\n";
    text + &format!("先手の持駒：{}\n", hand(kyokumen.motigoma(Teban::Sente)))
}

/// A piece in three columns; Gote's have a v before them.
fn cell(koma: Koma) -> String {
    let Some(syurui) = koma.syurui() else { return " ・".to_owned() };
    format!("{}{}", if koma.belongs_to(Teban::Gote) { 'v' } else { ' ' }, letter(syurui))
}

fn hand(motigoma: &Motigoma) -> String {
    const NUMBERS: [&str; 10] = ["", "", "二", "三", "四", "五", "六", "七", "八", "九"];
    let mut pieces: Vec<String> = motigoma
        .iter()
        .map(|(syurui, count)| {
            let tens = if count >= 10 { "十" } else { "" };
            let ones = if count == 11 { "一" } else { NUMBERS[usize::from(count % 10)] };
            format!("{}{tens}{ones}", letter(syurui))
        })
        .collect();
    pieces.reverse();
    if pieces.is_empty() { "なし".to_owned() } else { pieces.join("　") }
}

/// The one character that a piece has on a board.
const fn letter(syurui: Syurui) -> char {
    match syurui {
        Syurui::Fu => '歩',
        Syurui::Ky => '香',
        Syurui::Ke => '桂',
        Syurui::Gi => '銀',
        Syurui::Ka => '角',
        Syurui::Hi => '飛',
        Syurui::Ki => '金',
        Syurui::Ou => '玉',
        Syurui::To => 'と',
        Syurui::Ny => '杏',
        Syurui::Nk => '圭',
        Syurui::Ng => '全',
        Syurui::Um => '馬',
        Syurui::Ry => '龍',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_straight_whatever_stands_in_them() {
        let name = ["▲７六歩", "▲同　銀右不成"].map(str::to_owned).to_vec();
        let count = ["5", "12345"].map(str::to_owned).to_vec();
        let columns = [
            Column { head: "▲", figures: false, cells: name },
            Column { head: "value", figures: true, cells: vec![UNKNOWN.to_owned(); 2] },
            Column { head: "count", figures: true, cells: count },
        ];
        let text = table(&columns);
        assert_eq!(text, "▲              count\n▲７六歩            5\n▲同　銀右不成  12345\n");
        assert!(text.lines().all(|line| width(line) == 21));
    }

    #[test]
    fn words_that_do_not_fit_are_left_out() {
        let words = ["▲７六歩", "△３四歩"].map(str::to_owned);
        assert_eq!(fitting(&words, 16), "▲７六歩");
        assert_eq!(fitting(&words, 17), "▲７六歩 △３四歩");
        assert_eq!(fitting(&words, 0), "");
    }

    #[test]
    fn the_board_is_drawn_as_in_kif_files() {
        let text = board(&Kyokumen::from_sfen("4k4/9/9/9/9/9/9/9/4K3+P b 2R6P2b11p 7").unwrap());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "後手の持駒：角二　歩十一");
        assert_eq!(lines[3], "| ・ ・ ・ ・v玉 ・ ・ ・ ・|一");
        assert_eq!(lines[11], "| ・ ・ ・ ・ 玉 ・ ・ ・ と|九");
        assert_eq!(lines[13], "先手の持駒：飛二　歩六");
        assert!(lines[3..12].iter().all(|line| width(line) == 31));
        let eighteen = board(&Kyokumen::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b 18P 1").unwrap());
        assert!(eighteen.ends_with("先手の持駒：歩十八\n"));
        assert!(board(&Kyokumen::hirate()).starts_with("後手の持駒：なし\n"));
    }
}
