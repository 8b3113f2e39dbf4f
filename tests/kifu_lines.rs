//! Records of one line a game.

use komadai::kifu::{Cut, Date, Ending, Game, Handicap, LineError, Start, read_line};
use komadai::kyokumen::{Kyokumen, Teban};

fn game(line: &str) -> Game {
    read_line(line).unwrap_or_else(|error| panic!("{line}: {error}")).unwrap_or_else(|| panic!("{line}: no game"))
}

fn moves(game: &Game) -> String {
    game.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

#[test]
fn usi_lines_are_read_with_and_without_position() {
    let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    for line in [
        "startpos moves 7g7f 3c3d".to_owned(),
        "position startpos moves 7g7f 3c3d\r\n".to_owned(),
        format!("sfen {start} moves 7g7f  3c3d "),
        format!("\u{feff}position sfen {start} moves 7g7f 3c3d"),
        format!("sfen {} moves 7g7f 3c3d", start.trim_end_matches(" 1")),
    ] {
        let game = game(&line);
        assert_eq!(moves(&game), "7g7f 3c3d", "{line}");
        assert_eq!(game.start, Start::Handicap(Handicap::Even), "{line}");
        assert_eq!((game.winner, game.ending, game.date, game.cut), (None, None, None, None));
    }
    assert_eq!(game("startpos").moves, []);
    assert_eq!(game("startpos moves").moves, []);
    let resigned = game("startpos moves 7g7f resign");
    assert_eq!((resigned.ending, resigned.winner), (Some(Ending::Resign), Some(Teban::Sente)));
}

#[test]
fn other_starts_are_kept() {
    let sfen = "4k4/9/9/9/9/9/9/9/4K4 w P 30";
    let other = game(&format!("sfen {sfen} moves 5a5b P*5e"));
    assert_eq!(other.start.kyokumen(), Kyokumen::from_sfen(sfen).unwrap());
    assert_eq!((other.start.handicap(), other.moves.len()), (None, 2));
    let lance = game("sfen lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1 moves 3c3d");
    assert_eq!(lance.start.handicap(), Some(Handicap::Lance));
}

#[test]
fn columns_of_the_games_file_are_understood() {
    let even = game("2017-12-16\t平手\tb\t2820\t2530\tresign\t2\t7g7f 3c3d");
    assert_eq!(even.date, Date::new(2017, 12, 16));
    assert_eq!((even.ratings[Teban::Sente], even.ratings[Teban::Gote]), (Some(2820), Some(2530)));
    // It is Sente's turn, so Sente resigned.
    assert_eq!((even.ending, even.winner), (Some(Ending::Resign), Some(Teban::Gote)));
    let handicap = game("2017-12-16\t二枚落ち\tw\t-\t-\ttimeup\t1\t7a6b");
    assert_eq!(handicap.start.handicap(), Some(Handicap::TwoPiece));
    assert_eq!(handicap.ratings[Teban::Sente], None);
    assert_eq!(handicap.winner, Some(Teban::Gote));
    let winner = |ending: &str| game(&format!("-\t平手\t-\t-\t-\t{ending}\t1\t7g7f")).winner;
    assert_eq!(winner("illegal"), Some(Teban::Gote));
    for ending in ["abort", "draw", "none", "-"] {
        assert_eq!(winner(ending), None, "{ending}");
    }
}

#[test]
fn an_illegal_move_ends_the_moves_but_not_the_game() {
    let cut = game("startpos moves 7g7f 3c3d 8h2b+ 8h2b+ 2h2f");
    assert_eq!(moves(&cut), "7g7f 3c3d 8h2b+");
    assert!(matches!(cut.cut, Some(Cut::IllegalTe { number: 4, .. })));
    // A king left in check, then taken: whoever won, the record does not say.
    let game = game("2017-12-16\t平手\tb\t-\t-\tresign\t4\t7g7f 7c7d 8h3c+ 1c1d");
    assert_eq!((moves(&game).as_str(), game.winner, game.ending), ("7g7f 7c7d 8h3c+", None, None));
}

#[test]
fn a_line_cut_short_keeps_its_moves_without_the_result() {
    let game = game("2017-12-16\t平手\tb\t-\t-\tresign\t9\t7g7f 3c3d");
    assert_eq!((game.moves.len(), game.winner), (2, None));
    assert_eq!(game.cut, Some(Cut::Moves { stated: 9, found: 2 }));
}

#[test]
fn blank_lines_and_comments_are_no_games() {
    for line in ["", "  ", "\r\n", "# startpos moves 7g7f", "\u{feff}"] {
        assert_eq!(read_line(line), Ok(None), "{line:?}");
    }
}

#[test]
fn what_is_wrong_with_a_line_is_named() {
    let error = |line: &str| read_line(line).unwrap_err();
    assert_eq!(error("<html>"), LineError::Unknown);
    assert_eq!(error("startpos 7g7f"), LineError::Unknown);
    assert_eq!(error("position"), LineError::Unknown);
    assert!(matches!(error("sfen moves 7g7f"), LineError::Sfen(_)));
    assert!(error("startpos moves 7g7f foo").to_string().starts_with("move 2: \"foo\""));
    let columns = |columns: &str| error(&columns.replace('|', "\t")).to_string();
    assert_eq!(columns("2017-13-16|平手|b|1|1|resign|1|7g7f"), "column 1, date: \"2017-13-16\" can't be read");
    assert_eq!(columns("-|平手?|b|1|1|resign|1|7g7f"), "column 2, handicap: \"平手?\" can't be read");
    assert!(columns("-|平手|b|x|1|resign|1|7g7f").starts_with("column 4, rating of Sente"));
    assert!(columns("-|平手|b|1|1|gave up|1|7g7f").starts_with("column 6, ending"));
    assert!(columns("-|平手|b|1|1|resign|one|7g7f").starts_with("column 7"));
    assert!(columns("-|平手|b|1|1|resign|1|7g7g").starts_with("move 1"));
}

#[test]
fn start_lines_made_by_others_are_legal_to_their_end() {
    // Start lines for matches, only where the shared data is at hand.
    let shared = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/games");
    let Ok(lines) = std::fs::read_to_string(shared.join("taya_kamaitachi.sfen")) else { return };
    let games: Vec<Game> = lines.lines().map(game).collect();
    assert!(games.len() > 290);
    assert!(games.iter().all(|game| game.cut.is_none() && !game.moves.is_empty()));
}
