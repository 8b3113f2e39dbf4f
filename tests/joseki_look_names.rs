//! Names of moves, against records whose names were written by other programs and by people.

use std::path::Path;

use komadai::kifu::{Handicap, Start, ki2_name};
use komadai::kyokumen::{Kyokumen, Masu, Te};

/// The signs with which a move begins.
const MARKS: [char; 5] = ['▲', '△', '▽', '☗', '☖'];

/// The main line of a KI2 record: its handicap, and the names as they stand there, without marks and blanks.
fn read(text: &str) -> (Option<Handicap>, Vec<String>) {
    let handicap = text.lines().find_map(|line| line.strip_prefix("手合割：")).unwrap_or("平手");
    let lines = text.lines().take_while(|line| !line.starts_with("変化："));
    let moves: String = lines.filter(|line| line.starts_with(MARKS)).flat_map(|line| [line, "\n"]).collect();
    let name = |part: &str| {
        // What is behind the move in the same line.
        let part = part.split(['(', '\n']).next().unwrap_or_default();
        part.chars().filter(|c| !c.is_whitespace()).map(|c| if c == '竜' { '龍' } else { c }).collect::<String>()
    };
    let names: Vec<String> = moves.split(MARKS).map(name).filter(|name| !name.is_empty()).collect();
    (Handicap::from_name(handicap.trim()), names)
}

/// Plays the game by names alone: each must be that of just one legal move. Returns the moves, or what was found.
fn play(handicap: Handicap, names: &[String]) -> Result<Vec<Te>, String> {
    let mut kyokumen = Start::Handicap(handicap).kyokumen();
    let (mut before, mut moves): (Option<Masu>, Vec<Te>) = (None, Vec::new());
    for want in names {
        let named =
            kyokumen.legal_te().iter().map(|&te| (te, ki2_name(&kyokumen, te, before).unwrap())).collect::<Vec<_>>();
        let same = |name: &str| name.chars().skip(1).filter(|c| !c.is_whitespace()).eq(want.chars());
        let found: Vec<_> = named.iter().filter(|(_, name)| same(name)).collect();
        let [(te, _)] = found[..] else {
            return Err(format!("move {}: {want} is {found:?} in {}", moves.len() + 1, kyokumen.to_sfen()));
        };
        before = Some(te.to());
        kyokumen.do_te(*te);
        moves.push(*te);
    }
    Ok(moves)
}

fn decode(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    String::from_utf8(bytes).unwrap_or_else(|error| encoding_rs::SHIFT_JIS.decode(error.as_bytes()).0.into_owned())
}

#[test]
fn records_are_played_by_their_names() {
    for (file, plies) in [("simple.ki2u", 167), ("4.ki2u", 102)] {
        let (handicap, names) = read(&decode(&Path::new("tests/data/shogi-kifu-converter").join(file)));
        let moves = play(handicap.unwrap(), &names).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert_eq!(moves.len(), plies, "{file}");
    }
}

#[test]
fn shared_records_are_played_by_their_names() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/records/kifu-for-js");
    for (file, plies) in [("20091203", 172), ("denou3-1", 98), ("8mai", 25)] {
        let path = folder.join(format!("packages_json-kifu-format_test_files_ki2_{file}.ki2"));
        if path.exists() {
            let (handicap, names) = read(&decode(&path));
            let moves = play(handicap.unwrap(), &names).unwrap_or_else(|error| panic!("{file}: {error}"));
            assert_eq!(moves.len(), plies, "{file}");
        }
    }
}

/// What stands behind the square in the name of each of these moves.
fn endings(sfen: &str, moves: &str) -> String {
    let kyokumen = Kyokumen::from_sfen(sfen).unwrap();
    let name = |usi: &str| ki2_name(&kyokumen, usi.parse().unwrap(), None).unwrap().chars().skip(3).collect::<String>();
    moves.split(' ').map(name).collect::<Vec<_>>().join(" ")
}

#[test]
fn pieces_of_a_kind_are_told_apart_as_the_rules_say() {
    // By motion alone, by place alone, and by both where neither will do.
    assert_eq!(endings("k8/9/9/9/3G5/3GG4/9/9/K8 b - 1", "6e5e 6f5e 5f5e"), "金寄 金左上 金直");
    assert_eq!(endings("k8/9/9/S8/9/SSS6/9/9/K8 b - 1", "9d8e 9f8e 8f8e 7f8e"), "銀引 銀左上 銀直 銀右");
    // Gote sees the board from the other side.
    assert_eq!(endings("8k/9/9/6sss/9/8s/9/9/8K w - 1", "1f2e 1d2e 2d2e 3d2e"), "銀引 銀左上 銀直 銀右");
    // Dragons and horses are right or left of one another, and never 直.
    assert_eq!(endings("9/7+R1/8+R/9/9/9/9/k8/K8 b - 1", "2b2d 1c2d"), "龍左 龍右");
    assert_eq!(endings("k8/9/9/9/9/9/9/7+B1/K6+B1 b - 1", "2h2g"), "馬");
    assert_eq!(endings("k8/9/9/9/9/9/9/7+B+B/K8 b - 1", "2h2g 1h2g"), "馬左 馬右");
}

#[test]
fn drops_and_promotions_are_told_where_they_could_be_otherwise() {
    assert_eq!(endings("k8/9/9/9/9/4G4/9/9/K8 b G 1", "G*5e G*1e 5f5e"), "金打 金 金");
    assert_eq!(endings("k8/9/9/3S5/9/9/9/9/K8 b - 1", "6d6c+ 6d6c 6d7e"), "銀成 銀不成 銀");
    assert_eq!(endings("k8/9/3S5/9/9/9/9/9/K8 b - 1", "6c5d+ 6c5d"), "銀成 銀不成");
    // A pinned piece still makes a difference.
    assert_eq!(endings("k3r4/9/9/9/9/4G4/3G5/4K4/9 b - 1", "6g6f"), "金上");
}

#[test]
fn the_same_square_is_not_named_twice() {
    let kyokumen = Kyokumen::from_sfen("k8/9/9/9/9/3p5/2GG5/9/K8 b - 1").unwrap();
    let name =
        |usi: &str, before: &str| ki2_name(&kyokumen, usi.parse().unwrap(), Some(before.parse::<Te>().unwrap().to()));
    assert_eq!(name("6g6f", "6e6f").as_deref(), Some("▲同金直"));
    assert_eq!(name("9i9h", "9g9h").as_deref(), Some("▲同　玉"));
    assert_eq!(name("6g6f", "6e6d").as_deref(), Some("▲６六金直"));
    assert_eq!(name("5e5d", "6e6d"), None);
    assert_eq!(name("6f6g", "6e6d"), None, "the piece of the other side");
}
