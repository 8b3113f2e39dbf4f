//! Records in the format of the Computer Shogi Association.

use std::time::Duration;

use komadai::kifu::{Cut, Ending, Game, Handicap, Reading, RecordError, RecordFormat, read_records};
use komadai::kyokumen::{Syurui, Te, Teban};

fn read(text: &str) -> Vec<Reading> {
    read_records(text, RecordFormat::Csa, 1).collect()
}

/// The only game of a text.
fn game(text: &str) -> Game {
    let readings = read(text);
    assert_eq!(readings.len(), 1, "{text}");
    readings.into_iter().next().unwrap().game.unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn moves(game: &Game) -> String {
    game.moves.iter().map(Te::to_string).collect::<Vec<_>>().join(" ")
}

const BOARD: &str = "\
P1-KY-KE-GI-KI-OU-KI-GI-KE-KY
P2 * -HI *  *  *  *  * -KA *
P3-FU-FU-FU-FU-FU-FU-FU-FU-FU
P4 *  *  *  *  *  *  *  *  *.
P5
P6 *  *  *  *  *  *  *  *  *
P7+FU+FU+FU+FU+FU+FU+FU+FU+FU
P8 * +KA *  *  *  *  * +HI *
P9+KY+KE+GI+KI+OU+KI+GI+KE+KY
";

#[test]
fn a_record_says_who_played_when_and_how_it_ended() {
    let text = format!(
        "'CSA encoding=UTF-8\nV3.0\nN+先手 太郎\nN-Gote, Jiro\n$EVENT:x,y\n$START_TIME:2003/05/03 10:30:00\n\
         $TIME_LIMIT:00:25+00\n{BOARD}+\n'rating:a:b\n'black_rate:a+12:2345.6\n'white_rate:b:1999\n\
         +7776FU\nT12\n'* good\n'** 30 -3334FU\n-3334FU\nT1.5\n+8822UM\n'plain\nT0.250\n%TORYO\nT3\n'P1-KY\n'*end\n"
    );
    let game = game(&text);
    assert_eq!(moves(&game), "7g7f 3c3d 8h2b+");
    assert_eq!(game.names[Teban::Sente].as_deref(), Some("先手 太郎"));
    assert_eq!(game.names[Teban::Gote].as_deref(), Some("Gote, Jiro"));
    assert_eq!(game.date, "2003-05-03".parse().ok());
    assert_eq!(game.ratings.0, [Some(2346), Some(1999)]);
    assert_eq!((game.ending, game.winner), (Some(Ending::Resign), Some(Teban::Sente)));
    assert_eq!(game.start.handicap(), Some(Handicap::Even));
    let times: Vec<_> = [12_000, 1_500, 250].map(|millis| Some(Duration::from_millis(millis))).into();
    assert_eq!(game.times, times);
    let comments: Vec<_> = game.comments.iter().map(|(moves, text)| (*moves, text.as_str())).collect();
    assert_eq!(comments, [(0, "rating:a:b"), (1, " good\n** 30 -3334FU"), (3, "plain\nend")]);
    assert_eq!(game.cut, None);
}

#[test]
fn a_line_may_hold_several_statements_and_blanks_do_no_harm() {
    let want = "7g7f 3c3d";
    for text in [
        "PI,+\n+7776FU,T5,-3334FU,T1\n%CHUDAN",
        "PI\r\n+\r\n\r\n+7776FU,T5  \r\n  -3334FU , T1\r\n%CHUDAN,T0\r\n",
        "PI\r+\r+7776FU\rT5\r-3334FU\rT1\r%CHUDAN\r",
        "\u{feff}V2\n+\n+7776FU\nT5\n\n-3334FU\nT1\n%CHUDAN\n",
        "'only moves\n+7776FU,T5,\n-3334FU,T1,'* with, commas\n%CHUDAN",
    ] {
        let game = game(text);
        assert_eq!(moves(&game), want, "{text}");
        assert_eq!(game.ending, Some(Ending::Abort), "{text}");
        assert_eq!(game.times, [5, 1].map(|seconds| Some(Duration::from_secs(seconds))), "{text}");
    }
    assert!(game("+7776FU\n-3334FU").times.is_empty());
    assert_eq!(game("+7776FU\n%TORYO\nT9").times, []);
}

#[test]
fn starts_are_read_however_they_are_written() {
    for (start, handicap) in [
        (format!("{BOARD}+"), Handicap::Even),
        ("+".to_owned(), Handicap::Even),
        ("PI\n+".to_owned(), Handicap::Even),
        ("PI82HI22KA\n-".to_owned(), Handicap::TwoPiece),
        ("PI11KY\n-".to_owned(), Handicap::Lance),
        ("PI82HI22KA11KY91KY21KE81KE\n-".to_owned(), Handicap::SixPiece),
    ] {
        assert_eq!(game(&format!("{start}\n%TORYO")).start.handicap(), Some(handicap), "{start}");
    }
    let sfen = |text: &str| game(text).start.kyokumen().to_sfen();
    assert_eq!(sfen("P-51OU\nP+59OU00FU00FU00KI\nP+00FU\n-\n"), "4k4/9/9/9/9/9/9/9/4K4 w G3P 1");
    assert_eq!(sfen("P-11OU\nP+53TO\nP-00AL\n+\n%TSUMI"), "8k/9/4+P4/9/9/9/9/9/9 b 2r2b4g4s4n4l17p 1");
    assert_eq!(sfen("P1-OU\nP9 *  *  *  *  *  *  *  * +OU\n-"), "k8/9/9/9/9/9/9/9/8K w - 1");
    // Without a turn the first move shows it.
    assert_eq!(moves(&game("PI82HI\n-8232GI\n")), "");
    assert_eq!(moves(&game("PI82HI\n-7162GI\n")), "7a6b");
}

#[test]
fn starts_that_are_none_name_their_line() {
    for (text, line) in [
        ("V2\nPI82KA\n+\n+7776FU", 2),
        ("PI\nP1-XX\n+", 2),
        ("P0\n+", 1),
        ("P\n+", 1),
        ("P1-KY-KE-GI-KI-OU-KI-GI-KE-KY-KY\n", 1),
        ("P+00OU\n+", 1),
        ("P+0FU\n+", 1),
        ("P+99漢\n+", 1),
        ("PI漢字\n+", 1),
    ] {
        let readings = read(text);
        assert_eq!(readings.len(), 1, "{text}");
        assert_eq!(readings[0].line, line, "{text}");
        assert!(matches!(readings[0].game, Err(RecordError::Start(_))), "{text}");
    }
    let readings = read("N+a\nP+55FU56FU\n+\n+5554FU\n/\nPI\n+\n+7776FU");
    assert!(matches!(readings[0].game, Err(RecordError::Sfen(_))), "two pawns on a file");
    assert_eq!(readings[1].game.as_ref().map(moves), Ok("7g7f".to_owned()), "the next game does not suffer");
}

#[test]
fn every_ending_has_its_winner() {
    use Ending::*;
    let (sente, gote) = (Some(Teban::Sente), Some(Teban::Gote));
    for (name, ending, winner) in [
        ("TORYO", Resign, sente),
        ("TIME_UP", Timeup, sente),
        ("TSUMI", Mate, sente),
        ("KACHI", Declaration, gote),
        ("ILLEGAL_MOVE", Illegal, sente),
        ("+ILLEGAL_ACTION", Illegal, gote),
        ("-ILLEGAL_ACTION", Illegal, sente),
        ("SENNICHITE", Sennichite, None),
        ("JISHOGI", Jishogi, None),
        ("HIKIWAKE", Draw, None),
        ("MAX_MOVES", Draw, None),
        ("CHUDAN", Abort, None),
        ("MATTA", Abort, None),
        ("ERROR", Abort, None),
        ("FUZUMI", Abort, None),
    ] {
        let game = game(&format!("+7776FU\n%{name}\n"));
        assert_eq!((game.ending, game.winner, game.cut), (Some(ending), winner, None), "{name}");
    }
    assert_eq!(game("+7776FU").ending, None);
}

#[test]
fn the_word_of_a_server_decides() {
    let result = |text: &str| {
        let game = game(&format!("N+a\nN-b\n+7776FU\n{text}"));
        (game.ending, game.winner)
    };
    assert_eq!(result("'summary:toryo:a win:b lose"), (Some(Ending::Resign), Some(Teban::Sente)));
    assert_eq!(result("'summary:abnormal:a lose:b win"), (Some(Ending::Abort), Some(Teban::Gote)));
    let perpetual = "%SENNICHITE\n'summary:oute_sennichite:a lose:b win";
    assert_eq!(result(perpetual), (Some(Ending::Illegal), Some(Teban::Gote)));
    assert_eq!(result("%KACHI\n'summary:illegal kachi:a win:b lose"), (Some(Ending::Illegal), Some(Teban::Sente)));
    assert_eq!(result("-9999FU\n'summary:toryo:a win:b lose"), (None, None), "not where the record is cut");
}

#[test]
fn what_is_no_legal_move_cuts_the_game_there() {
    for (statement, text) in [
        ("-3334", "-3334"),
        ("-3334FUx", "-3334FUx"),
        ("-3334KI", "-3334KI"),
        ("+3334FU", "+3334FU"),
        ("-0055OU", "-0055OU"),
        ("-0055TO", "-0055TO"),
        ("-3333FU", "-3333FU"),
        ("-5555FU", "-5555FU"),
        ("-0A34FU", "-0A34FU"),
        ("%NANTOKA", "%NANTOKA"),
        ("3334FU", "3334FU"),
        ("★", "★"),
        ("%TORYO\n-3334FU", "-3334FU"),
    ] {
        let readings = read(&format!("PI\n+\n+7776FU\n{statement}\n+2726FU\n%TORYO"));
        let game = readings[0].game.as_ref().unwrap();
        assert_eq!(moves(game), "7g7f", "{statement}");
        assert_eq!(game.cut, Some(Cut::Unreadable { number: 2, text: text.to_owned() }));
        assert_eq!((game.ending, game.winner), (None, None), "{statement}");
        assert_eq!(readings[0].line, 4 + statement.matches('\n').count() as u64, "{statement}");
    }
    for statement in ["-3335FU", "-0055FU", "-8822UM", "-5554FU", "-7675FU"] {
        let readings = read(&format!("PI\n+\n+7776FU,T1,{statement},T2\n+2726FU\n%TORYO"));
        let game = readings[0].game.as_ref().unwrap();
        assert!(matches!(game.cut, Some(Cut::IllegalTe { number: 2, .. })), "{statement}: {:?}", game.cut);
        assert_eq!((readings[0].line, moves(game)), (3, "7g7f".to_owned()));
        assert_eq!(game.times.len(), 1);
    }
}

#[test]
fn the_illegal_move_that_ended_the_game_may_stand_before_those_words() {
    let readings = read("+7776FU\n-3335FU,T3\n'* oh\n%ILLEGAL_MOVE\n");
    let game = readings[0].game.as_ref().unwrap();
    assert_eq!((moves(game).as_str(), game.cut.clone()), ("7g7f", None));
    assert_eq!((game.ending, game.winner), (Some(Ending::Illegal), Some(Teban::Sente)));
    assert_eq!(readings[0].line, 1);
    let later = self::game("+7776FU\n-3335FU\n+2726FU\n%ILLEGAL_MOVE\n");
    assert!(later.cut.is_some() && later.ending.is_none());
}

#[test]
fn a_text_may_hold_several_games() {
    let text = "V2\nN+a\n+7776FU\n%TORYO\n/\n'c\n\nN+b\n+2726FU\n/\n/\nV2\nN+c\n+5756FU\nV2.2\nN+d\n+6766FU\nPI\n+\n";
    let found: Vec<_> = read_records(text, RecordFormat::Csa, 101)
        .map(|reading| (reading.line, reading.game.map(|game| (game.names.0[0].clone(), moves(&game)))))
        .collect();
    let want = |line, name: Option<&str>, moves: &str| (line, Ok((name.map(str::to_owned), moves.to_owned())));
    assert_eq!(
        found,
        [
            want(102, Some("a"), "7g7f"),
            want(108, Some("b"), "2g2f"),
            want(113, Some("c"), "5g5f"),
            want(116, Some("d"), "6g6f"),
            want(118, None, ""),
        ]
    );
    for text in ["", "\n", "/", "V2.2\n", "'c\n/\n"] {
        assert_eq!(read(text), [], "{text:?}");
    }
}

#[test]
fn hands_count_every_piece() {
    let kyokumen = game("P-51OU\nP+59OU\nP+00FU00FU00KI\nP-00HI00HI00FU\n+\n%TSUMI").start.kyokumen();
    let held = |teban, syurui| kyokumen.motigoma(teban).count(syurui);
    assert_eq!((held(Teban::Sente, Syurui::Fu), held(Teban::Sente, Syurui::Ki)), (2, 1));
    assert_eq!((held(Teban::Gote, Syurui::Fu), held(Teban::Gote, Syurui::Hi)), (1, 2));
}
