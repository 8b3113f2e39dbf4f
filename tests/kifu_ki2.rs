//! Records in the format of print, KI2, and what both formats of Kakinoki's programs must stand.

use std::fmt::Write;
use std::path::Path;

use komadai::kifu::{Cut, Ending, Game, Reading, RecordFormat, japanese, read_records};
use komadai::kyokumen::{Kyokumen, Masu, Syurui, Te, Teban};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn read(text: &str) -> Vec<Reading> {
    read_records(text, RecordFormat::Ki2, 1).collect()
}

/// The only game of a text.
fn game(text: &str) -> Game {
    let readings = read(text);
    assert_eq!(readings.len(), 1, "{text}");
    readings.into_iter().next().unwrap().game.unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn usi(moves: &[Te]) -> String {
    moves.iter().map(Te::to_string).collect::<Vec<_>>().join(" ")
}

fn sample(name: &str) -> Game {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name);
    let bytes = std::fs::read(path).unwrap();
    let text =
        String::from_utf8(bytes).unwrap_or_else(|error| encoding_rs::SHIFT_JIS.decode(error.as_bytes()).0.into_owned());
    let format = if name.ends_with(".ki2") { RecordFormat::Ki2 } else { RecordFormat::Kif };
    read_records(&text, format, 1).next().unwrap().game.unwrap()
}

/// A board with Sente to move, as a diagram; only what `pieces` puts on it, and two kings.
fn diagram(pieces: &[(&str, &str)], hand: &str) -> String {
    let mut text = format!("先手の持駒：{hand}\n");
    for dan in 1..=9 {
        text.push('|');
        for suji in (1..=9).rev() {
            let square = format!("{suji}{dan}");
            let kings = [("v玉", "91"), (" 玉", "99")];
            let all = pieces.iter().chain(&kings);
            let piece = all.clone().find(|(_, at)| at.split(' ').any(|at| at == square));
            text.push_str(&piece.map_or(" ・".to_owned(), |(piece, _)| format!("{piece:>2}")));
        }
        text.push_str("|\n");
    }
    text
}

#[test]
fn moves_stand_several_a_line_with_blanks_or_without() {
    for text in [
        "▲７六歩 △３四歩 ▲２二角成 △同　銀",
        "▲７六歩△３四歩▲２二角成△同銀",
        "▲７六歩    △３四歩    ▲２二角成  △同　銀\nまで4手で中断",
        "☗７六歩 ☖３四歩\n☗２二角成 ☖同 銀",
        "▼７六歩▽３四歩▼２２角成▽２二銀",
        "先手：a\n*x\n▲76歩\n*y\n△34歩\n▲22角成　△22銀",
    ] {
        assert_eq!(usi(&game(text).moves), "7g7f 3c3d 8h2b+ 3a2b", "{text}");
    }
    let ended = game("▲７六歩 △３四歩 ▲投了");
    assert_eq!((ended.moves.len(), ended.ending, ended.winner), (2, Some(Ending::Resign), Some(Teban::Gote)));
    let ended =
        game("▲７六歩 △３四歩 まで2手で先手の反則負け\n変化：   1手\n▲２六歩 △９四歩\nまで2手で先手の反則勝ち\n");
    assert_eq!((ended.ending, ended.winner, ended.variations.len()), (Some(Ending::Illegal), Some(Teban::Gote), 1));
}

#[test]
fn the_rules_of_notation_tell_which_piece_moves() {
    let golds = diagram(&[("金", "67 57 46"), ("銀", "16 38 18")], "金 銀");
    let majors = diagram(&[("馬", "85 94"), ("龍", "15 35"), ("と", "43")], "銀");
    let knights = diagram(&[("桂", "69 49"), ("飛", "21 28")], "桂");
    for (board, text, want) in [
        (&golds, "５六金右", Some("4f5f")),
        (&golds, "５六金寄", Some("4f5f")),
        (&golds, "５六金右寄", Some("4f5f")),
        (&golds, "５六金左", Some("6g5f")),
        (&golds, "５六金左上", Some("6g5f")),
        (&golds, "５六金直", Some("5g5f")),
        (&golds, "５六金打", Some("G*5f")),
        (&golds, "５六金上", None),
        (&golds, "５六金", None),
        (&golds, "５六金引", None),
        (&golds, "５八金", Some("5g5h")),
        (&golds, "４七金引", Some("4f4g")),
        (&golds, "４七金寄", Some("5g4g")),
        (&golds, "２七銀左", Some("3h2g")),
        (&golds, "２七銀右", None),
        (&golds, "２七銀上", None),
        (&golds, "２七銀右上", Some("1h2g")),
        (&golds, "２七銀引", Some("1f2g")),
        (&golds, "２七銀右引", Some("1f2g")),
        (&golds, "１七銀", Some("1h1g")),
        (&golds, "３六銀", Some("S*3f")),
        (&golds, "５五銀", Some("S*5e")),
        (&golds, "２七金", Some("G*2g")),
        (&majors, "７四馬左", Some("8e7d")),
        (&majors, "７六馬", Some("8e7f")),
        (&majors, "７六馬引", Some("8e7f")),
        (&majors, "７六馬上", None),
        (&majors, "８四馬左", Some("9d8d")),
        (&majors, "８四馬右", Some("8e8d")),
        (&majors, "８四馬上", Some("8e8d")),
        (&majors, "８四馬行", Some("8e8d")),
        (&majors, "２五龍右", Some("1e2e")),
        (&majors, "２五竜左", Some("3e2e")),
        (&majors, "２五龍", None),
        (&majors, "１一龍", Some("1e1a")),
        (&majors, "４二と", Some("4c4b")),
        (&majors, "４二と成", None),
        (&majors, "５五銀", Some("S*5e")),
        (&majors, "５五飛", None),
        (&knights, "５七桂左", Some("6i5g")),
        (&knights, "５七桂右", Some("4i5g")),
        (&knights, "５七桂", None),
        (&knights, "５五桂", Some("N*5e")),
        (&knights, "２三飛引成", Some("2a2c+")),
        (&knights, "２三飛引", Some("2a2c")),
        (&knights, "２三飛上不成", Some("2h2c")),
        (&knights, "２三飛上生", Some("2h2c")),
        (&knights, "２三飛成", None),
        (&knights, "２三飛打", None),
    ] {
        let game = game(&format!("{board}▲{text}"));
        let found = game.moves.first().map(Te::to_string);
        // What is impossible may also be named as an illegal move.
        assert_eq!(found.as_deref(), want, "{text}: {:?}", game.cut);
        assert_eq!(game.cut.is_some(), want.is_none(), "{text}");
    }
}

#[test]
fn a_pinned_piece_need_not_be_told_apart_but_is_not_moved_either() {
    // The gold on 98 is pinned by the rook on 92.
    let pinned = diagram(&[("金", "98 78"), ("v飛", "92")], "");
    assert_eq!(usi(&game(&format!("{pinned}▲８八金")).moves), "7h8h");
    assert_eq!(usi(&game(&format!("{pinned}▲８八金右")).moves), "7h8h");
    let illegal = game(&format!("{pinned}▲８八金左"));
    assert_eq!(illegal.cut, Some(Cut::IllegalTe { number: 1, te: "9h8h".parse().unwrap() }));
}

#[test]
fn what_is_out_of_turn_or_no_move_cuts() {
    for (text, number) in [
        ("▲７六歩 ▲２六歩", 2),
        ("△３四歩", 1),
        ("▲７六歩 △３四歩 ▲２二角成 ▲同銀", 4),
        ("▲７六歩 △３四歩 abc", 3),
        ("▲７六歩 △３四歩 △", 3),
        ("▲７六歩 △３四歩\n▲２２", 3),
        ("▲同歩", 1),
        ("▲７六歩 △３四歩\nabc\n▲２六歩", 3),
        ("▲７六歩 △３四歩 ▲投了 △８四歩", 3),
    ] {
        let game = game(text);
        assert!(
            matches!(game.cut, Some(Cut::Unreadable { number: found, .. }) if found == number),
            "{text}: {:?}",
            game.cut
        );
        assert_eq!(game.moves.len(), number - 1, "{text}");
    }
    let short = game("▲７六歩 △３四歩\nまで98手で後手の勝ち");
    assert_eq!((short.moves.len(), short.cut), (2, Some(Cut::Moves { stated: 98, found: 2 })));
}

#[test]
fn a_game_is_the_same_in_both_formats() {
    let (ki2, kif) = (sample("mog-core-scala/ki2_game_001.ki2"), sample("mog-core-scala/kif_game_001.kif"));
    assert_eq!((&ki2.moves, ki2.moves.len()), (&kif.moves, 111));
    assert_eq!((ki2.ending, ki2.winner, &ki2.names, ki2.date), (kif.ending, kif.winner, &kif.names, kif.date));
    assert_eq!(
        (sample("mog-core-scala/ki2_game_003.ki2").moves.len(), sample("mog-core-scala/ki2_game_004.ki2").moves.len()),
        (34, 27)
    );
    assert_eq!(sample("shogi-kifu-converter/simple.ki2").moves.len(), 167);
}

/// Ranks forward and files from the right, as the side to move sees a move.
fn way(teban: Teban, from: Masu, to: Masu) -> (i32, i32) {
    let sign = if teban == Teban::Sente { 1 } else { -1 };
    let number = |masu: Masu| (i32::from(masu.dan().number()), i32::from(masu.suji().number()));
    ((number(from).0 - number(to).0) * sign, (number(to).1 - number(from).1) * sign)
}

/// Whether the marks of a move, as in 左上, are true of a piece among all that could go there.
fn is_told(kyokumen: &Kyokumen, marks: &str, from: Masu, all: &[Masu], to: Masu) -> bool {
    let way = |from| way(kyokumen.teban(), from, to);
    let syurui = kyokumen.koma(from).syurui().unwrap();
    let is_long = [Syurui::Ka, Syurui::Hi, Syurui::Um, Syurui::Ry].contains(&syurui);
    let moves_alike = |other: &&Masu| way(**other).0.signum() == way(from).0.signum();
    let others: Vec<i32> = all
        .iter()
        .filter(|other| marks.chars().count() == 1 || moves_alike(other))
        .map(|&other| way(other).1)
        .collect();
    marks.chars().all(|mark| match mark {
        '上' => way(from).0 > 0,
        '寄' => way(from).0 == 0,
        '引' => way(from).0 < 0,
        '直' => !is_long && way(from).0 > 0 && way(from).1 == 0,
        '右' if is_long => others.iter().filter(|&&right| right >= way(from).1).count() == 1,
        '左' if is_long => others.iter().filter(|&&right| right <= way(from).1).count() == 1,
        '右' => way(from).1 > 0,
        '左' => way(from).1 < 0,
        _ => false,
    })
}

/// Writes a move as the rules want it, with as few marks as tell it from the legal moves of its like.
fn write(kyokumen: &Kyokumen, te: Te, last: Option<Masu>) -> String {
    let mark = if kyokumen.teban() == Teban::Sente { '▲' } else { '△' };
    let long = japanese(kyokumen, te).unwrap();
    let (to, piece) = long.split_at("７六".len());
    let piece = piece.split(['(', '打']).next().unwrap();
    let to = if last == Some(te.to()) { "同　" } else { to };
    let Some(from) = te.from() else {
        let like = |other: &Te| {
            other.to() == te.to() && other.from().is_some() && kyokumen.moved_syurui(*other) == te.dropped()
        };
        let drop = if kyokumen.legal_te().iter().any(like) { "打" } else { "" };
        return format!("{mark}{to}{piece}{drop}");
    };
    let stem = piece.strip_suffix('成').filter(|_| te.promotes()).unwrap_or(piece);
    let mut all: Vec<Masu> = Vec::new();
    for other in kyokumen.legal_te().iter().filter(|other| other.to() == te.to()) {
        if let Some(origin) = other.from()
            && kyokumen.koma(origin) == kyokumen.koma(from)
            && !all.contains(&origin)
        {
            all.push(origin);
        }
    }
    let marks = ["", "上", "寄", "引", "直", "右", "左", "右上", "右寄", "右引", "左上", "左寄", "左引"];
    let tells = |marks: &&&str| {
        all.iter().filter(|&&origin| marks.is_empty() || is_told(kyokumen, marks, origin, &all, te.to())).eq([&from])
    };
    let marks = marks.iter().find(tells).unwrap_or_else(|| panic!("{te}: {}", kyokumen.to_sfen()));
    let stays =
        kyokumen.legal_te().iter().any(|other| other.from() == te.from() && other.to() == te.to() && other.promotes());
    let promotion = if te.promotes() {
        "成"
    } else if stays {
        "不成"
    } else {
        ""
    };
    format!("{mark}{to}{stem}{marks}{promotion}")
}

/// A game of random moves, with many pieces promoted and in hand.
fn random_game(rng: &mut ChaCha8Rng, moves: usize) -> Vec<Te> {
    let mut kyokumen = Kyokumen::hirate();
    let mut played = Vec::new();
    while played.len() < moves && kyokumen.has_legal_te() {
        let captures = kyokumen.legal_captures();
        let all = if captures.is_empty() || rng.random_bool(0.6) { kyokumen.legal_te() } else { captures };
        let te = *all.choose(rng).unwrap();
        kyokumen.do_te(te);
        played.push(te);
    }
    played
}

#[test]
fn random_games_come_back_from_both_formats() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let (mut told, mut dropped) = (0, 0);
    for _ in 0..120 {
        let moves = random_game(&mut rng, 300);
        let (mut ki2, mut kif) = (String::new(), String::new());
        let (mut kyokumen, mut last) = (Kyokumen::hirate(), None);
        for (index, &te) in moves.iter().enumerate() {
            let text = write(&kyokumen, te, last);
            told += usize::from(text.contains(['上', '寄', '引', '直', '右', '左']));
            dropped += usize::from(text.contains('打'));
            ki2 += &text;
            ki2.push(if index % 6 == 5 { '\n' } else { ' ' });
            let _ = writeln!(kif, "{:4} {}   ( 0:01/00:00:01)", index + 1, japanese(&kyokumen, te).unwrap());
            last = Some(te.to());
            kyokumen.do_te(te);
        }
        let found = game(&ki2);
        assert_eq!((usi(&found.moves), found.cut), (usi(&moves), None));
        let found = read_records(&kif, RecordFormat::Kif, 1).next().unwrap().game.unwrap();
        assert_eq!((found.moves, found.cut), (moves, None));
    }
    assert!(told > 500 && dropped > 100, "{told} {dropped}");
}

/// A damaged copy of a text.
fn damage(rng: &mut ChaCha8Rng, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
    match rng.random_range(0..5) {
        0 => {
            let at = rng.random_range(0..=text.chars().count());
            return text.chars().take(at).collect();
        }
        1 => {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..rng.random_range(1..4) {
                let at = rng.random_range(0..bytes.len());
                bytes[at] ^= 1 << rng.random_range(0..8);
            }
            return String::from_utf8_lossy(&bytes).into_owned();
        }
        2 => {
            let at = rng.random_range(0..lines.len());
            lines.insert(at, lines[at]);
        }
        3 => {
            let (a, b) = (rng.random_range(0..lines.len()), rng.random_range(0..lines.len()));
            lines.swap(a, b);
        }
        _ => {
            let odd = [
                "変化：3手\n",
                "まで9手で先手の勝ち\n",
                "手合割：二枚落ち\n",
                "|v玉\n",
                "手数＝9\n",
                "*\n",
                "投了\n",
                "同\n",
                "▲\n",
                "<html>\n",
            ];
            lines.insert(rng.random_range(0..=lines.len()), *odd.choose(rng).unwrap());
        }
    }
    lines.concat()
}

#[test]
fn damaged_records_give_legal_moves_and_no_panic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut texts = Vec::new();
    for (name, format) in [
        ("shogi-kifu-converter/forks.kif", RecordFormat::Kif),
        ("mog-core-scala/kif_game_007.kif", RecordFormat::Kif),
        ("shogi-kifu-converter/piyo-shogi_KY.kif", RecordFormat::Kif),
        ("mog-core-scala/ki2_game_001.ki2", RecordFormat::Ki2),
        ("shogi-kifu-converter/simple.ki2", RecordFormat::Ki2),
    ] {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        let text = std::str::from_utf8(&bytes).map_or_else(|_| encoding_rs::SHIFT_JIS.decode(&bytes).0, Into::into);
        texts.push((text.into_owned(), format));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let (mut cut, mut whole, mut refused) = (0, 0, 0);
    for round in 0..12_000 {
        let (text, format) = &texts[round % texts.len()];
        let mut damaged = damage(&mut rng, text);
        if rng.random_bool(0.3) {
            damaged = damage(&mut rng, &damaged);
        }
        let mut found = 0;
        for reading in read_records(&damaged, *format, 1) {
            assert!(reading.line >= 1 && reading.line <= damaged.len() as u64);
            let Ok(game) = reading.game else {
                refused += 1;
                continue;
            };
            found += game.moves.len() + game.variations.iter().map(|variation| variation.moves.len()).sum::<usize>();
            let lines = (0..game.variations.len()).map(|index| game.line(index)).chain([game.moves.clone()]);
            for line in lines {
                let mut kyokumen = game.start.kyokumen();
                for te in line {
                    assert!(kyokumen.is_legal(te), "{damaged}");
                    kyokumen.do_te(te);
                }
            }
            if game.cut.is_some() { cut += 1 } else { whole += 1 }
        }
        assert!(found * 6 <= damaged.len(), "more moves than the text has room for");
    }
    assert!(cut > 2000 && whole > 2000 && refused > 50, "{cut} {whole} {refused}");
}

#[test]
fn a_record_of_nothing_but_variations_does_not_take_for_ever() {
    let mut text = String::new();
    for round in 0..2000 {
        for (index, te) in ["４八玉(59)", "５二玉(51)", "５九玉(48)", "５一玉(52)"].into_iter().enumerate()
        {
            let _ = writeln!(text, "{} {te}", round * 4 + index + 1);
        }
    }
    // Each leaves the game's end, and would have all its moves played again.
    text += &"変化：8001手\n8001 ７六歩(77)\n".repeat(20_000);
    let game = read_records(&text, RecordFormat::Kif, 1).next().unwrap().game.unwrap();
    assert_eq!((game.moves.len(), game.cut), (8000, None));
    assert!((1000..2000).contains(&game.variations.len()), "{}", game.variations.len());
}
