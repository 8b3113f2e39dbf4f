//! Records in JKF, the JSON of Kifu for JS.
#![cfg(feature = "workshop")]

use std::time::Duration;

use komadai::kifu::{Cut, Ending, Game, Handicap, Reading, RecordError, RecordFormat, read_records};
use komadai::kyokumen::{Te, Teban};

fn read(text: &str) -> Vec<Reading> {
    read_records(text, RecordFormat::Jkf, 1).collect()
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

/// A move with its origin, and more where `more` has it.
fn mv(from: u8, to: u8, piece: &str, more: &str) -> String {
    let place = |square: u8| format!(r#"{{"x":{},"y":{}}}"#, square / 10, square % 10);
    format!(r#"{{"move":{{"from":{},"to":{},"piece":"{piece}"{more}}}}}"#, place(from), place(to))
}

/// A record with these elements behind the first.
fn record(elements: &[String]) -> String {
    format!(r#"{{"header":{{}},"moves":[{{}},{}]}}"#, elements.join(","))
}

/// The element with these lines that leave before it.
fn with_forks(element: &str, forks: &str) -> String {
    format!(r#"{},"forks":[{forks}]}}"#, element.strip_suffix('}').unwrap())
}

fn raw(text: &str) -> String {
    text.to_owned()
}

#[test]
fn a_record_says_who_played_when_and_how_it_ended() {
    let game = game(
        r#"{"header":{"先手":"A","後手":" B ","開始日時":"2023/08/01(火) 10:30:00"},"initial":{"preset":"HIRATE"},"moves":[
        {"comments":["a",""]},
        {"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6},"color":0,"piece":"FU"},
         "time":{"now":{"h":1,"m":2,"s":3},"total":{"h":1,"m":2,"s":3}},"comments":["b"]},
        {"move":{"from":{"x":3,"y":3},"to":{"x":3,"y":4},"color":1,"piece":"FU"},"time":{"now":{"m":0,"s":1.5}}},
        {"special":"TORYO","comments":["c"]}]}"#,
    );
    assert_eq!(game.names.0, [Some("A".to_owned()), Some("B".to_owned())]);
    assert_eq!(game.date, "2023-08-01".parse().ok());
    assert_eq!(usi(&game.moves), "7g7f 3c3d");
    assert_eq!(game.times, [3_723_000, 1500].map(|millis| Some(Duration::from_millis(millis))));
    assert_eq!(game.comments, [(0, raw("a\n")), (1, raw("b")), (2, raw("c"))]);
    assert_eq!((game.ending, game.winner), (Some(Ending::Resign), Some(Teban::Gote)));
}

#[test]
fn the_header_is_read_like_the_head_of_a_kif_record() {
    let read = |header: &str| read(&format!(r#"{{"header":{{{header}}},"moves":[{{}}]}}"#)).remove(0).game;
    let game =
        read(r#""下手":"A(1500)","上手":"B","手合割":"２枚落ち　　","開始日時":"2016年12月24日","棋戦":7"#).unwrap();
    assert_eq!(game.start.handicap(), Some(Handicap::TwoPiece));
    assert_eq!(game.names.0, [Some("A".to_owned()), Some("B".to_owned())]);
    assert_eq!((game.ratings.0, game.date), ([Some(1500), None], "2016-12-24".parse().ok()));
    assert!(matches!(read(r#""手合割":"トンボ""#), Err(RecordError::Start(_))), "not the even start");
}

#[test]
fn moves_may_lack_what_the_position_tells() {
    let elements = [
        raw(r#"{"move":{"from":{"x":7,"y":7},"to":{"x":7,"y":6}}}"#),
        raw(r#"{"move":{"to":{"x":3,"y":4},"piece":"FU"}}"#),
        mv(88, 22, "KA", r#","promote":true,"capture":"KA","color":0"#),
        raw(r#"{"move":{"from":{"x":3,"y":1},"same":true,"piece":"GI","capture":"UM"}}"#),
        raw(r#"{"move":{"to":{"x":5,"y":5},"piece":"KA"}}"#),
        mv(22, 33, "GI", ""),
        mv(55, 33, "UM", ""),
    ];
    let game = game(&record(&elements));
    assert_eq!(usi(&game.moves), "7g7f 3c3d 8h2b+ 3a2b B*5e 2b3c 5e3c+");
    assert_eq!(game.cut, None);
}

#[test]
fn several_pieces_are_told_apart_by_words() {
    let read = |relative: &str| {
        let mut elements =
            vec![raw(&format!(r#"{{"move":{{"to":{{"x":5,"y":8}},"piece":"KI","relative":"{relative}"}}}}"#))];
        elements.push(raw(r#"{"special":"CHUDAN"}"#));
        game(&record(&elements))
    };
    assert_eq!(usi(&read("L").moves), "6i5h");
    assert_eq!(usi(&read("R").moves), "4i5h");
    assert!(matches!(read("").cut, Some(Cut::Unreadable { number: 1, .. })), "two golds can go there");
    assert!(matches!(read("D").cut, Some(Cut::Unreadable { number: 1, .. })));
    assert!(matches!(read("H").cut, Some(Cut::IllegalTe { number: 1, .. })), "none is in hand");
}

#[test]
fn variations_leave_the_line_they_stand_in() {
    let line = |elements: &[String]| format!("[{}]", elements.join(","));
    let second = with_forks(&mv(83, 84, "FU", ""), &line(&[mv(22, 33, "KA", "")]));
    let outer = line(&[mv(27, 26, "FU", ""), second]);
    let third = with_forks(&mv(88, 22, "KA", ""), &format!(r#"{outer},[],[{{"special":"TORYO"}}]"#));
    let last = with_forks(&mv(31, 22, "GI", ""), &line(&[mv(82, 22, "HI", "")]));
    let game = game(&record(&[mv(77, 76, "FU", ""), mv(33, 34, "FU", ""), third, last]));
    assert_eq!(usi(&game.moves), "7g7f 3c3d 8h2b 3a2b");
    let lines: Vec<_> = (0..game.variations.len()).map(|index| usi(&game.line(index))).collect();
    assert_eq!(lines, ["7g7f 3c3d 8h2b 8b2b", "7g7f 3c3d 2g2f 8c8d", "7g7f 3c3d 2g2f 2b3c"]);
    let leaves: Vec<_> = game.variations.iter().map(|variation| (variation.leaves, variation.shared)).collect();
    assert_eq!(leaves, [(None, 3), (None, 2), (Some(1), 3)]);
}

#[test]
fn starts_are_presets_or_boards() {
    let read = |initial: &str| {
        let text = format!(r#"{{"header":{{"手合割":"角落ち"}},"moves":[{{}}]{initial}}}"#);
        read(&text).remove(0).game.map(|game| game.start)
    };
    let presets = ["HIRATE", "KY", "KY_R", "KA", "HI", "HIKY", "2", "3", "4", "5", "5_L", "6", "7_L", "7_R", "8", "10"];
    for (preset, handicap) in presets.into_iter().zip(Handicap::all()) {
        let start = read(&format!(r#","initial":{{"preset":"{preset}"}}"#)).unwrap();
        assert_eq!(start.handicap(), Some(handicap), "{preset}");
    }
    assert_eq!(read("").unwrap().handicap(), Some(Handicap::Bishop), "as the header says");
    let data = |square: &str, hand: &str, color: &str| {
        let file = |first: &str| format!("[{first}{}]", ",{}".repeat(8));
        let empty = format!(",{}", file("{}")).repeat(7);
        let king = file(r#"{"color":1,"kind":"OU"}"#);
        let board = format!("[{}{empty},{king}]", file(square));
        format!(
            r#","initial":{{"preset":"OTHER","data":{{"color":{color},"board":{board},"hands":[{{"FU":2}},{{{hand}}}]}}}}"#
        )
    };
    let start = read(&data(r#"{"color":0,"kind":"RY"}"#, r#""KI":1,"FU":0"#, "1")).unwrap();
    assert_eq!(start.kyokumen().to_sfen(), "k7+R/9/9/9/9/9/9/9/9 w 2Pg 1");
    for (square, hand, color) in [
        (r#"{"color":0,"kind":"XX"}"#, "", "0"),
        (r#"{"color":2,"kind":"FU"}"#, "", "0"),
        ("{}", r#""TO":1"#, "0"),
        ("{}", r#""FU":-1"#, "0"),
        ("{}", "", "7"),
    ] {
        assert!(matches!(read(&data(square, hand, color)), Err(RecordError::Start(_))), "{square} {hand} {color}");
    }
    assert!(matches!(read(&data(r#"{"color":0,"kind":"FU"}"#, "", "0")), Err(RecordError::Sfen(_))), "a dead pawn");
    assert!(matches!(read(r#","initial":{"preset":"9"}"#), Err(RecordError::Start(_))));
    assert!(matches!(read(r#","initial":{"preset":"OTHER"}"#), Err(RecordError::Start(_))));
}

#[test]
fn what_is_no_legal_move_cuts_its_line_there() {
    for faulty in [
        raw(r#"{"move":{}}"#),
        raw(r#"{"move":7}"#),
        mv(33, 34, "KI", ""),
        mv(33, 34, "XX", ""),
        mv(33, 34, "FU", r#","color":0"#),
        mv(33, 30, "FU", ""),
        mv(33, 33, "FU", ""),
        raw(r#"{"special":"NANTOKA"}"#),
    ] {
        let game = game(&record(&[mv(77, 76, "FU", ""), faulty.clone(), mv(27, 26, "FU", "")]));
        assert!(matches!(game.cut, Some(Cut::Unreadable { number: 2, .. })), "{faulty}: {:?}", game.cut);
        assert_eq!((usi(&game.moves).as_str(), game.ending), ("7g7f", None));
    }
    let text = record(&[mv(77, 76, "FU", ""), raw("\n{\"comments\":[\"]{\"]}"), mv(33, 35, "FU", "")]);
    assert_eq!(read(&text.replace("},{", "},\n{")).remove(0).line, 4, "each element on a line of its own");
    let game = |end: &str| game(&record(&[mv(77, 76, "FU", ""), mv(33, 35, "FU", ""), raw(end)]));
    assert!(matches!(game(r#"{"special":"TORYO"}"#).cut, Some(Cut::IllegalTe { number: 2, .. })));
    let explained = game(r#"{"special":"ILLEGAL_MOVE"}"#);
    assert_eq!((explained.cut, explained.winner), (None, Some(Teban::Sente)));
}

#[test]
fn a_damaged_record_costs_only_itself() {
    let good = record(&[mv(77, 76, "FU", "")]);
    let text = format!("\u{feff}{good}\n\n{{\"moves\":\n[{{}},\n {{]\n{good}\n{{\"moves\":[\n{good}{good}\n[]\n");
    let found: Vec<_> = read(&text).into_iter().map(|reading| (reading.line, reading.game.is_ok())).collect();
    assert_eq!(found, [(1, true), (5, false), (6, true), (8, false), (8, true), (8, true), (9, false)]);
    assert_eq!(read(" \n"), []);
}

#[test]
fn deep_and_large_nests_are_refused_or_read_but_never_crash() {
    for text in ["[".repeat(1 << 20), "{\"moves\":[".repeat(1 << 17), "{\"moves\":[{}\n".repeat(1 << 16)] {
        assert!(read(&text).iter().all(|reading| reading.game.is_err()));
    }
    let line = [mv(28, 38, "HI", ""), mv(82, 72, "HI", ""), mv(38, 28, "HI", ""), mv(72, 82, "HI", "")];
    let mut elements: Vec<_> = line.iter().cycle().take(4000).cloned().collect();
    let forks = vec![format!("[{}]", mv(77, 76, "FU", "")); 10_000].join(",");
    elements.push(with_forks(&mv(77, 76, "FU", ""), &forks));
    let readings = read(&record(&elements));
    assert!(matches!(readings[0].game, Err(RecordError::Malformed { .. })), "forty million moves played again");
}
