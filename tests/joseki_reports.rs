//! Faults that users of other programs reported about books in the `.db` format and the choice from them.

mod joseki_support;

use joseki_support::*;
use komadai::joseki::{Select, Selection};
use komadai::kyokumen::Kyokumen;

fn one(moves: &str) -> String {
    format!("#YANEURAOU-DB2016 1.00\nsfen {START} 1\n{moves}")
}

#[test]
fn every_position_of_a_small_sorted_file_is_found() {
    // The first line of the file is a position with many moves, the start comes late.
    let text = format!(
        "#YANEURAOU-DB2016 1.00\nsfen lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3\n2g2f none 0 1 1\n\
         sfen {AFTER_7G7F} 2\n3c3d none 5 1 9\n8c8d none 4 1 8\n4c4d none 3 1 7\n1c1d none 2 1 6\n9c9d none 1 1 5\n\
         8b3b none 0 1 4\n8b4b none 0 1 3\n8b5b none 0 1 2\n5c5d none 0 1 1\n\
         sfen {AFTER_2G2F} 2\n8c8d none 0 1 1\nsfen {START} 1\n7g7f none 0 1 1\n"
    );
    let book = book(text);
    assert_eq!(counts(&book.lookup(&Kyokumen::hirate()).unwrap()), [("7g7f".into(), Some(1))]);
    assert_eq!(book.lookup(&after("7g7f")).unwrap().moves.len(), 9);
    assert_eq!(book.lookup(&after("2g2f")).unwrap().moves.len(), 1);
    assert_eq!(book.lookup(&after("7g7f 3c3d")).unwrap().moves.len(), 1);
    assert!(book.lookup(&after("1g1f")).is_none());
}

#[test]
fn blank_lines_at_the_end_are_no_move() {
    let entry = book(one("7g7f none 0 0 1\n\n\n")).lookup(&Kyokumen::hirate()).unwrap();
    assert_eq!(counts(&entry), [("7g7f".into(), Some(1))]);
}

#[test]
fn a_last_line_without_its_end_is_read() {
    let entry = book(one("7g7f none 0 0 1\n2g2f none 3 0 25")).lookup(&Kyokumen::hirate()).unwrap();
    assert_eq!(counts(&entry), [("7g7f".into(), Some(1)), ("2g2f".into(), Some(25))]);
    // Even where that line is the position itself.
    let book = book(format!("sfen {START} 1"));
    assert!(book.lookup(&Kyokumen::hirate()).unwrap().moves.is_empty());
}

#[test]
fn the_last_position_of_the_file_has_its_moves() {
    let text = format!("sfen {START} 1\n7g7f none 0 0 1\nsfen {AFTER_7G7F} 2\n3c3d none 0 0 1\n");
    let probe = probe(&Selection::default(), book(text), &after("7g7f"));
    assert_eq!(probe.answer(), Some((te("3c3d"), None)));
}

#[test]
fn none_in_any_spelling_is_no_reply_and_no_move() {
    for word in ["none", "None", "NONE", "resign"] {
        let text = one(&format!("{word} none 0 0 1\n7g7f {word} 0 32 1\n"));
        let probe = probe(&Selection::default(), book(text), &Kyokumen::hirate());
        assert_eq!(probe.candidates.len(), 1, "{word}");
        assert_eq!(probe.answer(), Some((te("7g7f"), None)), "{word}");
        assert_eq!(probe.candidates[0].pv, [te("7g7f")]);
        assert!(probe.notes.is_empty(), "{:?}", probe.notes);
    }
}

#[test]
fn an_illegal_move_does_not_cost_the_legal_one() {
    let selection = Selection::default();
    let books = [book(one("7g7e none 0 0 100\n2g2f none 0 0 1\n"))];
    for seed in 0..50 {
        let probe = selection.probe(&books, &Kyokumen::hirate(), &mut rng(seed));
        assert_eq!(probe.answer(), Some((te("2g2f"), None)));
        assert_eq!(probe.candidates.len(), 1);
        assert_eq!(probe.notes, ["1 move of test.book not legal here: 7g7e"]);
        assert_eq!(probe.summary().unwrap(), "2g2f 1 of 1 (100.0%) from test.book");
    }
}

#[test]
fn a_move_into_the_promotion_zone_may_stay_unpromoted() {
    let sfen = "lnsgkgsnl/1r5b1/ppppppp1p/7P1/9/9/PPPPPPP1P/1B5R1/LNSGKGSNL b p 7";
    let text = format!("sfen {sfen}\n2d2c none 0 0 1\n");
    let probe = probe(&Selection::default(), book(text), &Kyokumen::from_sfen(sfen).unwrap());
    assert_eq!(probe.answer().map(|(te, _)| te), Some(te("2d2c")));
}

#[test]
fn positions_are_found_whatever_ply_the_file_or_the_game_has() {
    for ply in [" 0", " 1", " 55", ""] {
        let book = book(format!("sfen {AFTER_7G7F}{ply}\n3c3d none 0 0 1\n"));
        assert!(book.lookup(&after("7g7f")).is_some(), "{ply:?}");
        let other = Kyokumen::from_sfen(&format!("{AFTER_7G7F} 77")).unwrap();
        assert!(book.lookup(&other).is_some(), "{ply:?}");
    }
}

#[test]
fn figures_left_out_are_unknown_and_blanks_in_a_row_count_as_one() {
    let entry = book(one("7g7f none none none 8\n2g2f none   8\n5g5f\n")).lookup(&Kyokumen::hirate()).unwrap();
    let figures = |usi| (find(&entry, usi).value, find(&entry, usi).depth, find(&entry, usi).count);
    assert_eq!(figures("7g7f"), (None, None, Some(8)));
    assert_eq!(figures("2g2f"), (Some(8), None, None));
    assert_eq!(figures("5g5f"), (None, None, None));
}

#[test]
fn an_unknown_header_is_warned_of_and_the_book_read() {
    let moves = format!("sfen {START} 1\n7g7f none 0 0 1\n");
    let strange = book(format!("#YANEURAOU-DB2016 2.00\n{moves}"));
    assert_eq!(strange.warnings().len(), 1);
    assert!(strange.warnings()[0].contains("2.00"));
    assert!(strange.lookup(&Kyokumen::hirate()).is_some());
    for usual in [moves.clone(), format!("#YANEURAOU-DB2016 1.00\r\n{moves}"), format!("# a remark\n{moves}")] {
        let usual = book(usual);
        assert_eq!(usual.warnings(), [] as [&str; 0]);
        assert!(usual.lookup(&Kyokumen::hirate()).is_some());
    }
}

#[test]
fn positions_need_not_be_sorted() {
    let text = format!("sfen {START} 1\n7g7f\nsfen {AFTER_2G2F} 2\n8c8d\nsfen {AFTER_7G7F} 2\n3c3d\n");
    let book = book(text);
    for moves in ["", "2g2f", "7g7f"] {
        assert_eq!(book.lookup(&after(moves)).unwrap().moves.len(), 1, "{moves:?}");
    }
}

#[test]
fn a_rare_move_is_chosen_as_rarely_as_its_count_says() {
    let books = [book(one("7g7f none 0 0 1\n2g2f none 0 0 1\n5g5f none 0 0 998\n"))];
    let times = frequencies(&Selection::default(), &books, &Kyokumen::hirate(), 10_000);
    // 10 of 10,000 are expected of each rare one; 30 or more have a chance of one in a million.
    assert!((1..30).contains(&times[0]) && (1..30).contains(&times[1]), "{times:?}");
    assert_eq!(times[3], 0);
}

#[test]
fn choices_vary_with_the_seed_and_only_with_it() {
    let books = [book(one("7g7f\n2g2f\n5g5f\n2h7h\n3g3f\n"))];
    let choice = |seed| Selection::default().probe(&books, &Kyokumen::hirate(), &mut rng(seed)).chosen.unwrap();
    let choices: Vec<usize> = (0..20).map(choice).collect();
    assert!((0..5).all(|index| choices.contains(&index)), "{choices:?}");
    assert_eq!(choices, (0..20).map(choice).collect::<Vec<_>>());
}

#[test]
fn the_value_is_told_as_the_file_has_it() {
    let probe = probe(&Selection::default(), book(one("7g7f none 120 30 1\n")), &Kyokumen::hirate());
    assert_eq!(probe.candidates[0].te.value, Some(120));
    assert_eq!(probe.candidates[0].te.depth, Some(30));
}

#[test]
fn a_hit_that_is_not_played_says_why() {
    let text = one("7g7f none 0 0 5\n2g2f none -200 0 50\n5g5f none 0 0 1\n");
    let note = |selection: Selection| {
        let probe = probe(&selection, book(&text), &Kyokumen::hirate());
        assert_eq!((probe.answer(), probe.summary(), probe.candidates.len()), (None, None, 3));
        probe.notes.last().unwrap().clone()
    };
    let rules = Selection::default();
    assert_eq!(note(Selection { max_tesu: 0, ..rules }), "3 moves known, none played: ply 1 is past the limit of 0");
    assert_eq!(
        note(Selection { min_count: 10, ..rules }),
        "3 moves known, none played: 2 seen less than 10 times, 1 more than 50 below the best value"
    );
    assert_eq!(
        note(Selection { min_share: 60, ..rules }),
        "3 moves known, none played: 2 below 60% of the games, 1 more than 50 below the best value"
    );
    assert_eq!(
        note(Selection { ignore_rate: 100, ..rules }),
        "3 moves known, none played: passed over at random, as 100% of positions"
    );
    // The default rules play it, also late in a game.
    let mut late = Kyokumen::from_sfen(&format!("{START} 9999")).unwrap();
    assert!(probe(&rules, book(&text), &late).answer().is_some());
    late = Kyokumen::from_sfen(&format!("{START} 10001")).unwrap();
    assert!(probe(&rules, book(&text), &late).answer().is_none());
}

#[test]
fn a_line_without_a_ply_keeps_its_hands() {
    let board = "4k4/9/9/9/9/9/9/9/4K4";
    let book = book(format!("sfen {board} b 2Pp\nP*5e none 0 0 1\nsfen {board} b - 3\n5i5h none 0 0 1\n"));
    let lookup = |hands: &str| book.lookup(&Kyokumen::from_sfen(&format!("{board} b {hands}")).unwrap());
    assert_eq!(counts(&lookup("2Pp").unwrap()), [("P*5e".into(), Some(1))]);
    assert_eq!(lookup("2Pp").unwrap().tesu, None);
    assert_eq!(counts(&lookup("-").unwrap()), [("5i5h".into(), Some(1))]);
    assert!(lookup("2P").is_none());
}

#[test]
fn without_a_stored_reply_the_next_position_is_asked_and_may_know_none() {
    let selection = Selection::default();
    let next = format!("sfen {AFTER_7G7F} 2\n3c3e none 0 0 9\n8c8d none 0 0 1\n");
    let answer = |text: String| probe(&selection, book(text), &Kyokumen::hirate()).answer();
    assert_eq!(answer(one("7g7f none 0 0 1\n")), Some((te("7g7f"), None)));
    assert_eq!(answer(one(&format!("7g7f none 0 0 1\n{next}"))), Some((te("7g7f"), Some(te("8c8d")))));
    assert_eq!(answer(one(&format!("7g7f 3c3d 0 0 1\n{next}"))), Some((te("7g7f"), Some(te("3c3d")))));
    // A stored reply that is illegal is none.
    assert_eq!(answer(one(&format!("7g7f 7g7f 0 0 1\n{next}"))), Some((te("7g7f"), Some(te("8c8d")))));
}

#[test]
fn a_file_without_content_is_no_hit_and_no_crash() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("empty.db");
    std::fs::write(&path, "").unwrap();
    let empty = komadai::joseki::Joseki::open(&path).unwrap();
    assert!(empty.lookup(&Kyokumen::hirate()).is_none());
    for select in [Select::Count, Select::Best, Select::Value] {
        let selection = Selection { select, ..Selection::default() };
        let header_only = book("#YANEURAOU-DB2016 1.00\n");
        let no_moves = book(format!("sfen {START} 1\n"));
        let probe = selection.probe(&[header_only, no_moves], &Kyokumen::hirate(), &mut rng(1));
        assert_eq!((probe.answer(), probe.candidates.len(), probe.notes.len()), (None, 0, 0));
    }
    let error = open_bytes(b"").unwrap_err().to_string();
    assert!(error.contains("no book"), "{error}");
}
