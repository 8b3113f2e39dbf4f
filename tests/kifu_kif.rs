//! Records in Kakinoki's format, KIF.

use std::path::{Path, PathBuf};
use std::time::Duration;

use komadai::kifu::{Cut, Ending, Game, Handicap, Reading, RecordError, RecordFormat, Start, read_records};
use komadai::kyokumen::{ByTeban, Te, Teban};

fn read(text: &str) -> Vec<Reading> {
    read_records(text, RecordFormat::Kif, 1).collect()
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

fn decoded(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap();
    String::from_utf8(bytes).unwrap_or_else(|error| encoding_rs::SHIFT_JIS.decode(error.as_bytes()).0.into_owned())
}

fn sample(name: &str) -> Game {
    game(&decoded(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)))
}

const HEAD: &str = "手合割：平手\n手数----指手---------消費時間--\n";

#[test]
fn a_record_says_who_played_when_and_how_it_ended() {
    let text = "\u{feff}#KIF version=2.0 encoding=UTF-8\n# ---- Kifu for Windows V7 V7.08 棋譜ファイル ----\n\
                終了日時：2014/10/13(月) 18:53:37\n開始日時：2014/10/12 14:46:51\n備考：x：y\n*KEY1：VALUE1\n手合割：平手　　\n\
                先手：先-player(2038)\n後手：Lv20 ピヨ馬(R1050)　\n盤面反転\n手数----指手---------消費時間--\n*a\n*b\n\
                1 ７六歩(77)   ( 0:16/00:00:16)\n&しおり\n   2 ３四歩(33)   ( 1:00/00:01:00)+\n*c\n# x\n\
                3 投了         ( 0:03/00:00:19)\n*d\nまで2手で後手の勝ち\n";
    for text in [text.to_owned(), text.replace('\n', "\r\n"), text.replace('\n', "\r"), text.trim_end().to_owned()] {
        let game = game(&text);
        assert_eq!(usi(&game.moves), "7g7f 3c3d");
        assert_eq!(game.date.unwrap().to_string(), "2014-10-12");
        assert_eq!(game.start, Start::Handicap(Handicap::Even));
        assert_eq!(game.names, ByTeban([Some("先-player".to_owned()), Some("Lv20 ピヨ馬".to_owned())]));
        assert_eq!(game.ratings, ByTeban([Some(2038), Some(1050)]));
        assert_eq!(game.times, [Some(Duration::from_secs(16)), Some(Duration::from_secs(60))]);
        assert_eq!((game.ending, game.winner, game.cut), (Some(Ending::Resign), Some(Teban::Gote), None));
        let comments = [(0, "KEY1：VALUE1\na\nb".to_owned()), (2, "c\nd".to_owned())];
        assert_eq!(game.comments, comments);
    }
}

#[test]
fn moves_read_in_every_spelling() {
    let start = format!("{HEAD}1 ７六歩(77)\n2 ３四歩(33)\n3 ２二角成(88)\n");
    for line in [
        "4 同　銀(31)   ( 0:01/00:00:01)",
        "4 同銀(31)(00:01/00:00:01)",
        "   4 同 銀(31)+",
        "\t4\t同　銀(31)  何か",
        "　4　２二銀(31)",
        "4 22銀（31）",
        "4 2二銀(31)",
        "4 ２２銀不成(３１)",
        "4 △２二銀(31)",
        "4. ２二銀(31)",
        "0004 二二銀生 (31)",
    ] {
        assert_eq!(usi(&game(&format!("{start}{line}\n")).moves), "7g7f 3c3d 8h2b+ 3a2b", "{line}");
    }
    let start = format!("{start}4 同　銀(31)\n");
    for line in ["5 ５五角打", "5 ５五角打(00)  ( 0:07/00:01:00)", "5 ５五角(00)", "5 55角打  "] {
        assert_eq!(game(&format!("{start}{line}\n")).moves[4..], ["B*5e".parse().unwrap()], "{line}");
    }
    let sfen = "手合割：その他\n|v玉 ・ ・ ・ ・ ・ ・ 圭 杏|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ ・ ・ ・ 全 龍|三\n"
        .to_owned()
        + &"| ・ ・ ・ ・ ・ ・ ・ ・ ・|\n".repeat(5)
        + "| ・ ・ ・ ・ 玉 ・ ・ ・ ・|九\n先手の持駒：なし\n";
    for line in [
        "３一圭(21)",
        "３一成桂(21)",
        "１二杏(11)",
        "１二成香(11)",
        "２二全(23)",
        "２二成銀(23)",
        "１二竜(13)",
        "５八王(59)",
    ] {
        assert_eq!(game(&format!("{sfen}1 {line}\n")).moves.len(), 1, "{line}");
    }
}

#[test]
fn a_line_that_is_no_move_cuts_and_is_never_passed_over() {
    let head = format!("{HEAD}1 ７六歩(77)\n2 ３四歩(33)\n");
    for line in [
        "3 ２六歩",
        "3 ２六歩(27",
        "3 ２六歩(2)",
        "3 ２六銀(27)",
        "3 ２六爆(27)",
        "3 ２六歩打(27)",
        "3 同(27)",
        "3 パス",
        "3",
        "3 投了図",
        "２六歩(27)",
        "x3 ２六歩(27)",
        "4 ２六歩(27)",
        "1 ２六歩(27)",
        "18446744073709551615 ２六歩(27)",
        "99999999999999999999999 ２六歩(27)",
        "3 ２二角成打",
    ] {
        let readings = read(&format!("{head}{line}\n4 ８四歩(83)\n5 投了\nまで4手で後手の勝ち\n"));
        assert_eq!((readings.len(), readings[0].line), (1, 5), "{line}");
        let game = readings[0].game.as_ref().unwrap();
        assert_eq!(game.cut, Some(Cut::Unreadable { number: 3, text: line.to_owned() }));
        assert_eq!((game.moves.len(), game.ending, game.winner), (2, None, None), "{line}");
    }
    let readings = read(&format!("{head}3 ７五歩(76)\n4 ４二角成(33)\n5 ７四歩(75)\n6 投了\n"));
    assert_eq!(readings[0].line, 6);
    let game = readings[0].game.as_ref().unwrap();
    assert_eq!(game.cut, Some(Cut::IllegalTe { number: 4, te: "3c4b+".parse().unwrap() }));
    assert_eq!(game.moves.len(), 3);
}

#[test]
fn every_word_for_an_ending_has_its_winner() {
    use Ending::*;
    let (sente, gote) = (Some(Teban::Sente), Some(Teban::Gote));
    // It is Gote's turn.
    for (word, ending, winner) in [
        ("投了", Resign, sente),
        ("切れ負け", Timeup, sente),
        ("時間切れ", Timeup, sente),
        ("Time-up", Timeup, sente),
        ("反則勝ち", Illegal, gote),
        ("反則負け", Illegal, sente),
        ("千日手", Sennichite, None),
        ("持将棋", Jishogi, None),
        ("引き分け", Draw, None),
        ("入玉勝ち", Declaration, gote),
        ("勝ち宣言", Declaration, gote),
        ("詰み", Mate, sente),
        ("不詰", Abort, None),
        ("中断", Abort, None),
        ("封じ手", Abort, None),
        ("不戦敗", Forfeit, sente),
        ("不戦勝", Forfeit, gote),
    ] {
        for line in [format!("2 {word}       ( 0:03/00:00:19)"), format!("   2 {word}"), word.to_owned()] {
            let game = game(&format!("{HEAD}1 ７六歩(77)\n{line}\n"));
            assert_eq!((game.ending, game.winner, game.cut), (Some(ending), winner, None), "{line}");
        }
    }
    for (line, ending, winner) in [
        ("まで1手で先手の勝ち", Some(Resign), sente),
        ("まで1手で後手の勝ち", None, gote),
        ("まで1手で時間切れにより先手の勝ち", Some(Timeup), sente),
        ("まで1手で後手の反則勝ち", Some(Illegal), gote),
        ("まで1手で先手の反則負け", Some(Illegal), gote),
        ("まで、1手で後手の入玉勝ち", Some(Declaration), gote),
        ("まで１手で千日手", Some(Sennichite), None),
        ("まで1手で持将棋", Some(Jishogi), None),
        ("まで1手で中断", Some(Abort), None),
        ("まで1手で封じ手", Some(Abort), None),
        ("まで1手で詰", Some(Mate), sente),
        ("まで1手詰", Some(Mate), sente),
        ("まで1手で不詰", Some(Abort), None),
        ("まで2手で先手の勝ち", Some(Resign), sente),
        ("まで1手", None, None),
    ] {
        let game = game(&format!("{HEAD}1 ７六歩(77)\n{line}\n"));
        assert_eq!((game.ending, game.winner, game.cut), (ending, winner, None), "{line}");
    }
    let abort = game(&format!("{HEAD}1 ７六歩(77)\n2 中断\nまで1手で後手の勝ち\n"));
    assert_eq!((abort.ending, abort.winner), (Some(Abort), gote), "the last line knows more");
    let twice = game(&format!("{HEAD}1 ７六歩(77)\n2 投了\n3 中断\nまで2手で中断\n"));
    assert_eq!((twice.ending, twice.winner, twice.cut), (Some(Resign), sente, None), "the first ending counts");
    let short = game(&format!("{HEAD}1 ７六歩(77)\nまで12手で先手の勝ち\n"));
    assert_eq!((short.ending, short.cut), (None, Some(Cut::Moves { stated: 12, found: 1 })));
}

#[test]
fn a_foul_that_ended_the_game_is_not_among_the_moves() {
    for end in ["4 反則勝ち\nまで3手で後手の勝ち\n", "4 反則勝ち\n", "まで3手で先手の反則負け\n"]
    {
        let game = game(&format!("{HEAD}1 ７六歩(77)\n2 ３四歩(33)\n3 ７四歩(76)\n*二手指し\n{end}"));
        assert_eq!(
            (game.moves.len(), game.ending, game.winner),
            (2, Some(Ending::Illegal), Some(Teban::Gote)),
            "{end}"
        );
        assert_eq!(game.cut, None);
    }
    for end in ["4 投了\n", "4 ８四歩(83)\n5 反則勝ち\n", "まで3手で先手の勝ち\n", "まで3手で先手の反則勝ち\n"]
    {
        let game = game(&format!("{HEAD}1 ７六歩(77)\n2 ３四歩(33)\n3 ７四歩(76)\n{end}"));
        assert!(matches!(game.cut, Some(Cut::IllegalTe { number: 3, .. })), "{end}");
        assert_eq!((game.ending, game.winner), (None, None), "{end}");
    }
}

#[test]
fn handicaps_read_by_the_names_that_programs_write() {
    for (names, handicap) in [
        (&["平手", "平手　　", ""][..], Handicap::Even),
        (&["香落ち", "香落", "左香落ち"], Handicap::Lance),
        (&["右香落ち", "右香落"], Handicap::RightLance),
        (&["角落ち", "角行落ち"], Handicap::Bishop),
        (&["飛車落ち", "飛落ち", "飛落"], Handicap::Rook),
        (&["飛香落ち"], Handicap::RookLance),
        (&["二枚落ち", "２枚落ち", "2枚落", "二枚落"], Handicap::TwoPiece),
        (&["五枚落ち", "5枚落ち"], Handicap::FivePiece),
        (&["左五枚落ち", "左5枚落ち"], Handicap::LeftFivePiece),
        (&["左七枚落ち"], Handicap::LeftSevenPiece),
        (&["八枚落ち"], Handicap::EightPiece),
        (&["十枚落ち", "10枚落ち", "１０枚落ち"], Handicap::TenPiece),
    ] {
        for name in names {
            let game = game(&format!("手合割：{name}\n下手：a\n上手：b(1500)\n"));
            assert_eq!(game.start, Start::Handicap(handicap), "{name}");
            assert_eq!(game.names, ByTeban([Some("a".to_owned()), Some("b".to_owned())]));
            assert_eq!(game.ratings, ByTeban([None, Some(1500)]));
        }
    }
    let uwate = game("手合割：二枚落ち\n1 ３二銀(31)\n2 ７六歩(77)\n3 投了\nまで2手で下手の勝ち\n");
    assert_eq!((usi(&uwate.moves).as_str(), uwate.winner), ("3a3b 7g7f", Some(Teban::Sente)));
    for name in ["その他", "一枚落ち", "トンボ"] {
        let readings = read(&format!("手合割：{name}\n1 ７六歩(77)\n\n手合割：平手\n1 ７六歩(77)\n"));
        assert!(matches!(&readings[0].game, Err(RecordError::Start(_))), "{name}");
        assert_eq!((readings.len(), readings[0].line, readings[1].line), (2, 2, 4), "it costs itself only");
    }
}

#[test]
fn variations_leave_the_line_before_them() {
    let text = format!(
        "{HEAD}1 ７六歩(77)\n2 ３四歩(33)+\n3 ２六歩(27)\n4 投了\nまで3手で先手の勝ち\n\n変化：3手\n3 ７五歩(76)\n4 中断\n\
         まで3手で中断\n\n変化：   2手\n2 ８四歩(83)\n3 ６八銀(79)+\n4 持将棋\n\n変化：3手\n3 ２六歩(27)\n4 ８五銀(84)\n\
         変化：9手\n9 １六歩(17)\n"
    );
    let game = game(&text);
    assert_eq!((usi(&game.moves).as_str(), game.ending), ("7g7f 3c3d 2g2f", Some(Ending::Resign)));
    assert_eq!(game.cut, None);
    let lines: Vec<_> = (0..game.variations.len()).map(|index| usi(&game.line(index))).collect();
    assert_eq!(lines, ["7g7f 3c3d 7f7e", "7g7f 8c8d 7i6h", "7g7f 8c8d 2g2f"]);
    let leaves: Vec<_> = game.variations.iter().map(|variation| (variation.leaves, variation.shared)).collect();
    assert_eq!(leaves, [(None, 2), (None, 1), (Some(1), 2)]);
    assert!(game.variations[2].cut.is_some());
    // The mark of a move from the tenth on stands behind the time.
    let long = sample("mog-core-scala/kif_game_007.kif");
    assert_eq!((long.moves.is_empty(), long.variations.len()), (false, 4));
}

#[test]
fn variations_in_ascending_order_are_kept() {
    let ascending = game(&format!(
        "{HEAD}1 ７六歩(77)\n2 ３四歩(33)\n3 ２六歩(27)\n\n変化：1手\n1 ２六歩(27)\n\n変化：3手\n3 ７五歩(76)\n"
    ));
    let lines: Vec<_> = (0..ascending.variations.len()).map(|index| usi(&ascending.line(index))).collect();
    assert_eq!(lines, ["2g2f", "7g7f 3c3d 7f7e"], "the first variation is too short for the second");
}

#[test]
fn a_diagram_sets_the_start_and_the_numbers() {
    let board = "後手の持駒：飛　金四　銀四　桂二　香二　歩十五　\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n\
                 | ・ ・ ・ ・ ・ ・v香 ・ ・|一\n| ・ ・ ・ ・ ・ ・v桂v玉 ・|二\n| ・ ・ ・ ・ ・ ・ 飛 ・ ・|三\n\
                 | ・ ・ ・ ・ ・ 香v歩v歩v歩|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n\
                 | ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|九\n\
                 +---------------------------+\n先手の持駒：角二　桂　\n";
    let sfen = "6l2/6nk1/6R2/5Lppp/9/9/9/9/9";
    let tsume =
        game(&format!("手合割：平手　　\n{board}先手：\n後手：\n手数----指手--\n1 １一角打\n2 詰み\nまで1手詰\n"));
    assert_eq!(tsume.start.kyokumen().to_sfen(), format!("{sfen} b 2BNr4g4s2n2l15p 1"));
    assert_eq!((tsume.moves.len(), tsume.ending, tsume.winner), (1, Some(Ending::Mate), Some(Teban::Sente)));
    let later = game(&format!(
        "{board}手数＝24  ▲８二角成  まで\n後手番\n25 １二玉(22)\n26 １一角打\n変化：26手\n26 ２一角打\n"
    ));
    assert_eq!(later.start.kyokumen().to_sfen(), format!("{sfen} w 2BNr4g4s2n2l15p 25"));
    assert_eq!((later.moves.len(), later.variations[0].shared, later.cut), (2, 1, None));
    let from_one = game(&format!("{board}手数＝24  ▲８二角成  まで\n1 １二玉(22)\n2 １一角打\n"));
    assert_eq!(from_one.moves, later.moves);
    let two = board.replace("| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n", "");
    assert!(matches!(read(&format!("{two}1 １一角打\n"))[0].game, Err(RecordError::Start(_))));
}

#[test]
fn games_follow_each_other_in_a_text_and_a_damaged_one_costs_itself() {
    let one = "手合割：平手\n先手：a\n1 ７六歩(77)\n2 投了\nまで1手で先手の勝ち\n";
    let text = format!(
        "\n{one}\n# ---- Kifu for Windows ----\n{one}開始日時：2020/01/01\n1 ７六歩(77)\n2 ７六歩(77)\n手合割：その他\n\
         1 ７六歩(77)\n2 ３四歩(33)\n<!DOCTYPE html>\n<html>\n手合割：平手\n</html>\n{one}備考：y\n{HEAD}\n{HEAD}"
    );
    let readings = read_records(&text, RecordFormat::Kif, 101).collect::<Vec<_>>();
    let found: Vec<_> = readings
        .iter()
        .map(|reading| match &reading.game {
            Ok(game) => (reading.line, format!("{} {:?}", game.moves.len(), game.cut.as_ref().map(Cut::kind))),
            Err(error) => (reading.line, error.kind().to_owned()),
        })
        .collect();
    let want = [
        (102, "1 None"),
        (108, "1 None"),
        (116, "1 Some(\"illegal move\")"),
        (118, "unreadable start position"),
        (120, "web page"),
        (124, "1 None"),
        (129, "0 None"),
        (133, "0 None"),
    ];
    assert_eq!(found, want.map(|(line, what)| (line, what.to_owned())));
}

#[test]
fn texts_without_a_game_say_so() {
    for text in ["", "\n\r\n", " \n\u{3000}", "# only a remark\n", "\u{1a}"] {
        assert_eq!(read(text), [], "{text:?}");
    }
    for text in ["hello", "hello\nworld\n", "position startpos\n"] {
        assert_eq!(read(text), [Reading { line: 1, game: Err(RecordError::Unknown) }], "{text}");
    }
    for text in ["<!DOCTYPE HTML PUBLIC \"\">\n<html>\n<p>開始日時：2020/01/01\n", "\n <html>x", "<p>Error</p>"] {
        let line = if text.starts_with('\n') { 2 } else { 1 };
        assert_eq!(read(text), [Reading { line, game: Err(RecordError::Html) }], "{text}");
    }
    assert_eq!(sample("shogi-kifu-converter/empty.kif"), Game::default());
}

#[test]
fn records_of_other_programs_read_whole() {
    let piyo = sample("shogi-kifu-converter/piyo-shogi_KY.kif");
    assert_eq!((piyo.start.clone(), piyo.moves.len()), (Start::Handicap(Handicap::Lance), 104));
    assert_eq!((piyo.ending, piyo.winner, &piyo.cut), (Some(Ending::Resign), Some(Teban::Sente), &None));
    assert_eq!((piyo.ratings, piyo.times.len()), (ByTeban([Some(990), Some(1050)]), 104));
    let forks = sample("shogi-kifu-converter/forks.kif");
    let lengths: Vec<_> = (0..forks.variations.len()).map(|index| forks.line(index).len()).collect();
    assert_eq!((forks.moves.len(), lengths), (12, vec![14, 12, 15]));
    let example = sample("shogi-kifu-converter/example.kifu");
    assert_eq!((example.moves.len(), example.ending), (2, Some(Ending::Abort)));
    assert_eq!(example.date.unwrap().to_string(), "1999-07-15");
    let fouled = sample("mog-core-scala/kif_game_014.kif");
    assert_eq!(fouled.cut, Some(Cut::IllegalTe { number: 157, te: "B*5c".parse().unwrap() }));
    let narrow = sample("mog-core-scala/kif_game_016.kif");
    assert_eq!((narrow.moves.len(), narrow.cut), (37, None));
    let forked = sample("mog-core-scala/kif_game_005.kif");
    assert_eq!((forked.moves.len(), forked.variations.len()), (8, 3));
}

/// The files of a folder of club games, which can't be in the repository.
fn club(folder: &str) -> Vec<PathBuf> {
    let records = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/records/club-kif").join(folder);
    let mut paths: Vec<_> =
        std::fs::read_dir(records).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn club_games_read_as_their_folders_say() {
    for (folder, ending) in [
        ("abort", Some(Ending::Abort)),
        ("draw", Some(Ending::Draw)),
        ("illegal", Some(Ending::Illegal)),
        ("timeup", Some(Ending::Timeup)),
        ("plain", None),
        ("legend", None),
        ("crlf", None),
        ("handicap", None),
    ] {
        for path in club(folder) {
            let text = decoded(&path);
            let game = game(&text);
            let path = path.display();
            assert_eq!(game.cut, None, "{path}");
            assert!(ending.is_none_or(|ending| game.ending == Some(ending)), "{path}");
            assert!(game.ending.is_some() && game.date.is_some(), "{path}");
            let is_won = !matches!(game.ending, Some(Ending::Abort | Ending::Draw));
            assert_eq!(game.winner.is_some(), is_won, "{path}");
            let is_foul = game.ending == Some(Ending::Illegal);
            let lines = text.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit())).count();
            assert!((lines - 2 + usize::from(!is_foul)..lines).contains(&game.moves.len()), "{path}");
            assert_eq!(game.times.len(), game.moves.len(), "{path}");
            assert!(game.ratings.0.iter().all(Option::is_some), "{path}");
            assert_eq!(folder == "handicap", game.start != Start::default(), "{path}");
        }
    }
    for path in club("illegal_move_inside") {
        let game = game(&decoded(&path));
        // In some the foul is the last move, and the next line says so.
        let is_cut = matches!(game.cut, Some(Cut::IllegalTe { number, .. }) if number == game.moves.len() + 1);
        assert!(is_cut || game.cut.is_none() && game.ending == Some(Ending::Illegal), "{}", path.display());
        assert!(game.moves.len() > 20 && is_cut == game.ending.is_none());
    }
    for path in club("html") {
        assert_eq!(read(&decoded(&path)), [Reading { line: 1, game: Err(RecordError::Html) }]);
    }
}
