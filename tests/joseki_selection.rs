//! The choice of a book move.

mod joseki_support;

use joseki_support::*;
use komadai::joseki::{Joseki, Select, Selection};
use komadai::kyokumen::Kyokumen;

/// A `.db` of positions, each given by the moves that lead to it and the lines of its moves.
fn db(positions: &[(&str, &str)]) -> Joseki {
    let entry =
        |(line, moves): &(&str, &str)| format!("sfen {}\n{}\n", after(line).to_sfen(), moves.replace(',', "\n"));
    book(positions.iter().map(entry).collect::<String>())
}

fn selection(select: Select) -> Selection {
    Selection { select, ..Selection::default() }
}

/// The moves that `seeds` different seeds choose, sorted, each once.
fn choices(selection: &Selection, books: &[Joseki], kyokumen: &Kyokumen) -> Vec<String> {
    let answer = |seed| selection.probe(books, kyokumen, &mut rng(seed)).answer().map(|(te, _)| te.to_string());
    let mut all: Vec<String> = (0..60).filter_map(answer).collect();
    all.sort();
    all.dedup();
    all
}

#[test]
fn choices_from_the_standard_book_follow_its_counts() {
    let books = [Joseki::standard().unwrap()];
    let start = Kyokumen::hirate();
    let counts: Vec<f64> = books[0].lookup(&start).unwrap().moves.iter().map(|te| te.count.unwrap() as f64).collect();
    let probes = 10_000.0;
    let times = frequencies(&Selection::default(), &books, &start, probes as usize);
    assert_eq!(times.last(), Some(&0));
    let total: f64 = counts.iter().sum();
    // Moves that are expected less than five times are taken together, as the test asks for.
    let (mut chi_square, mut degrees, mut rest) = (0.0, -1, (0.0, 0.0));
    for (count, &seen) in counts.iter().zip(&times) {
        let (expected, seen) = (count * probes / total, seen as f64);
        if expected < 5.0 {
            rest = (rest.0 + expected, rest.1 + seen);
        } else {
            chi_square += (seen - expected).powi(2) / expected;
            degrees += 1;
        }
    }
    if rest.0 > 0.0 {
        chi_square += (rest.1 - rest.0).powi(2) / rest.0.max(1.0);
        degrees += 1;
    }
    assert!(degrees >= 8, "{counts:?}");
    // The limit for a chance of 0.001 lies below degrees + 4.5 * sqrt(degrees) for 8 to 40 degrees of freedom.
    let limit = f64::from(degrees) + 4.5 * f64::from(degrees).sqrt();
    assert!(chi_square < limit, "chi-square {chi_square} of {degrees} degrees; {times:?}");
}

#[test]
fn twenty_and_thirty_games_give_forty_and_sixty_percent() {
    let books = [db(&[("", "7g7f none 0 0 20,2g2f none 0 0 30")])];
    let times = frequencies(&Selection::default(), &books, &Kyokumen::hirate(), 10_000);
    assert!((3_800..4_200).contains(&times[0]), "{times:?}");
    assert_eq!(times[0] + times[1], 10_000);
    let probe = selection(Select::Best).probe(&books, &Kyokumen::hirate(), &mut rng(1));
    assert_eq!(probe.summary().unwrap(), "2g2f 30 of 50 (60.0%) from test.book");
}

#[test]
fn uncounted_moves_have_equal_chances_but_none_beside_counted_ones() {
    let start = Kyokumen::hirate();
    let uncounted = [db(&[("", "7g7f,2g2f none none none 0,5g5f none none none none")])];
    let times = frequencies(&Selection::default(), &uncounted, &start, 3_000);
    assert!(times[..3].iter().all(|&times| (850..1_150).contains(&times)), "{times:?}");
    let mixed = [db(&[("", "7g7f,2g2f none 0 0 1,5g5f none 0 0 0")])];
    assert_eq!(choices(&Selection::default(), &mixed, &start), ["2g2f"]);
    // Even where the counted ones are not playable: a book that counts does not recommend what it did not count.
    let rare = Selection { min_count: 2, ..Selection::default() };
    let probe = rare.probe(&mixed, &start, &mut rng(1));
    assert_eq!(probe.answer(), None);
    assert_eq!(probe.notes, ["3 moves known, none played: 1 seen less than 2 times, 2 without a count"]);
    let probe = Selection::default().probe(&uncounted, &start, &mut rng(1));
    assert!(probe.summary().unwrap().ends_with(" (no count) from test.book"));
}

#[test]
fn huge_counts_keep_their_proportions() {
    let books = [db(&[("", "7g7f none 0 0 18446744073709551615,2g2f none 0 0 18446744073709551615")])];
    let times = frequencies(&Selection::default(), &books, &Kyokumen::hirate(), 2_000);
    assert!((850..1_150).contains(&times[0]), "{times:?}");
}

#[test]
fn best_takes_the_highest_count_then_the_value_then_the_first() {
    let best = |moves: &str| choices(&selection(Select::Best), &[db(&[("", moves)])], &Kyokumen::hirate());
    assert_eq!(best("7g7f none 0 0 5,2g2f none 0 0 6,5g5f none 40 0 6"), ["5g5f"]);
    assert_eq!(best("7g7f none 10 0 6,2g2f none 10 0 6"), ["7g7f"]);
    assert_eq!(best("7g7f none none 0 6,2g2f none -40 0 6"), ["2g2f"]);
    assert_eq!(best("7g7f,2g2f"), ["7g7f"]);
}

#[test]
fn moves_seen_too_seldom_are_not_played_and_uncounted_ones_exempt() {
    let books = [db(&[("", "7g7f none 0 0 4,2g2f none 0 0 5,5g5f none 0 0 0")])];
    let rules = Selection { min_count: 5, ..selection(Select::Count) };
    let probe = rules.probe(&books, &Kyokumen::hirate(), &mut rng(1));
    assert_eq!(probe.candidates.iter().map(|candidate| candidate.playable).collect::<Vec<_>>(), [false, true, true]);
    assert_eq!(choices(&rules, &books, &Kyokumen::hirate()), ["2g2f"]);
}

#[test]
fn a_share_is_that_of_the_legal_moves_games() {
    // 7g7e is illegal and does not count: 10 of 50 are 20 percent.
    let books = [db(&[("", "7g7e none 0 0 950,7g7f none 0 0 10,2g2f none 0 0 40")])];
    let playable = |min_share| {
        let rules = Selection { min_share, ..Selection::default() };
        let probe = rules.probe(&books, &Kyokumen::hirate(), &mut rng(1));
        probe.candidates.iter().filter(|candidate| candidate.playable).count()
    };
    assert_eq!((playable(0), playable(20), playable(21), playable(80), playable(81)), (2, 2, 1, 1, 0));
}

#[test]
fn the_loss_against_the_best_valued_move_is_limited() {
    let playable = |moves: &str, eval_diff| {
        let books = [db(&[("", moves)])];
        let rules = Selection { eval_diff, ..Selection::default() };
        let probe = rules.probe(&books, &Kyokumen::hirate(), &mut rng(1));
        let names = probe.candidates.iter().filter(|candidate| candidate.playable).map(|c| c.te.te.to_string());
        names.collect::<Vec<_>>().join(" ")
    };
    let counted = "7g7f none 80 0 1,2g2f none 30 0 1,5g5f none 29 0 1,1g1f none none 0 1,9g9f none -32768 0 1";
    assert_eq!(playable(counted, 50), "7g7f 2g2f 1g1f 9g9f");
    assert_eq!(playable(counted, 51), "7g7f 2g2f 5g5f 1g1f 9g9f");
    assert_eq!(playable(counted, 0), "7g7f 1g1f 9g9f");
    let uncounted = "7g7f none 80,2g2f none 30,5g5f none 29,1g1f none none,9g9f none -32768";
    assert_eq!(playable(uncounted, 50), "7g7f 2g2f");
    // Where nothing is valued there is nothing to lose against.
    assert_eq!(playable("7g7f,2g2f none -32768 0 0", 0), "7g7f 2g2f");
    assert_eq!(playable("7g7f none 2147483647,2g2f none -2147483648", 99_999), "7g7f");
}

#[test]
fn the_book_is_passed_over_as_often_as_asked() {
    let books = [db(&[("", "7g7f")])];
    let passed = |ignore_rate| {
        let rules = Selection { ignore_rate, ..Selection::default() };
        frequencies(&rules, &books, &Kyokumen::hirate(), 1_000).pop().unwrap()
    };
    assert_eq!((passed(0), passed(100)), (0, 1_000));
    assert!((220..380).contains(&passed(30)));
}

#[test]
fn the_limit_of_plies_includes_its_last() {
    let books = [db(&[("7g7f", "3c3d")])];
    let plays = |max_tesu| {
        let rules = Selection { max_tesu, ..Selection::default() };
        rules.probe(&books, &after("7g7f"), &mut rng(1)).chosen.is_some()
    };
    assert!(!plays(1) && plays(2));
}

#[test]
fn a_rotated_position_answers_with_rotated_moves() {
    // The book knows 7g7f 3c3d 2g2f for Sente; here Gote stands as Sente did, and may answer likewise.
    let books = [db(&[("7g7f 3c3d", "2g2f 8c8d 30 0 5,7g7e none 0 0 5"), ("7g7f 3c3d 2g2f 8c8d", "2f2e")])];
    let turned = after("7g7f 3c3d").rotated();
    let probe = Selection::default().probe(&books, &turned, &mut rng(1));
    assert_eq!(probe.answer(), Some((te("8c8d"), Some(te("2g2f")))));
    assert_eq!(probe.candidates[0].te.value, Some(30));
    assert_eq!(probe.candidates[0].pv, [te("8c8d"), te("2g2f"), te("8d8e")]);
    assert_eq!(probe.notes, ["1 move of test.book not legal here: 3c3e"]);
    let off = Selection { mirror: false, ..Selection::default() };
    assert_eq!(off.probe(&books, &turned, &mut rng(1)).candidates, []);
    // A hit needs no mirror: the position's own entry comes first.
    let own = db(&[("7g7f 3c3d", "2g2f")]);
    let probe = Selection::default().probe(&[own], &after("7g7f 3c3d"), &mut rng(1));
    assert_eq!(probe.answer().unwrap().0, te("2g2f"));
}

#[test]
fn the_first_book_with_a_legal_move_answers() {
    let books = [db(&[("7g7f", "3c3d")]), db(&[("", "7g7e none 0 0 9")]), db(&[("", "2g2f none 0 0 9")])];
    let probe = Selection::default().probe(&books, &Kyokumen::hirate(), &mut rng(1));
    assert_eq!(probe.answer().unwrap().0, te("2g2f"));
    assert_eq!(probe.notes.len(), 1);
    let probe = Selection::default().probe(&books, &after("7g7f"), &mut rng(1));
    assert_eq!(probe.answer().unwrap().0, te("3c3d"));
    assert_eq!(Selection::default().probe(&books, &after("1g1f"), &mut rng(1)).candidates, []);
    assert_eq!(Selection::default().probe(&[], &after("1g1f"), &mut rng(1)).source, "");
}

#[test]
fn value_looks_one_ply_ahead() {
    // After 7g7f Gote's best is worth 90 to him, after 2g2f only -20: 2g2f is worth 20 to Sente, whatever was stored.
    let books = [db(&[
        ("", "7g7f none 30 0 100,2g2f none 0 0 1"),
        ("7g7f", "3c3d none 90,8c8d none -500,3c3e none 900"),
        ("2g2f", "8c8d none -20,3c3d none -60,5c5d none -32768"),
    ])];
    assert_eq!(choices(&selection(Select::Value), &books, &Kyokumen::hirate()), ["2g2f"]);
    assert_eq!(choices(&selection(Select::Best), &books, &Kyokumen::hirate()), ["7g7f"]);
}

#[test]
fn value_takes_a_moves_own_value_where_its_successor_has_none() {
    let books = [db(&[("", "7g7f none 30,2g2f none 40,5g5f"), ("2g2f", "8c8d none none 0 7")])];
    assert_eq!(choices(&selection(Select::Value), &books, &Kyokumen::hirate()), ["2g2f"]);
    // 5g5f is worth 35 by its successor, 2g2f 40 by itself.
    let books = [db(&[("", "7g7f none 30 0 1,2g2f none 40 0 1,5g5f none 0 0 1"), ("5g5f", "3c3d none -35")])];
    assert_eq!(choices(&selection(Select::Value), &books, &Kyokumen::hirate()), ["2g2f"]);
}

#[test]
fn value_chooses_among_equals_at_random() {
    let books = [db(&[
        ("", "1g1f none 7,7g7f none 10,2g2f none 0,5g5f none -5"),
        ("2g2f", "8c8d none -10"),
        ("5g5f", "3c3d none -10"),
    ])];
    let times = frequencies(&selection(Select::Value), &books, &Kyokumen::hirate(), 3_000);
    assert_eq!((times[0], times[4]), (0, 0));
    assert!(times[1..4].iter().all(|&times| (850..1_150).contains(&times)), "{times:?}");
}

#[test]
fn value_also_finds_moves_that_only_the_next_positions_know() {
    // The start itself is not in the book.
    let books = [db(&[("7g7f", "3c3d none 20"), ("2g2f", "8c8d none -20")])];
    let probe = selection(Select::Value).probe(&books, &Kyokumen::hirate(), &mut rng(1));
    assert_eq!(probe.answer(), Some((te("2g2f"), Some(te("8c8d")))));
    assert_eq!(probe.summary().unwrap(), "2g2f (no count) from test.book");
    assert_eq!(probe.candidates.len(), 2);
}

#[test]
fn value_goes_by_counts_where_nothing_is_valued_and_says_so() {
    let books = [db(&[("", "7g7f none none 0 1,2g2f none none 0 3"), ("7g7f", "3c3d none none 0 7")])];
    let times = frequencies(&selection(Select::Value), &books, &Kyokumen::hirate(), 4_000);
    assert!((850..1_150).contains(&times[0]), "{times:?}");
    let probe = selection(Select::Value).probe(&books, &Kyokumen::hirate(), &mut rng(1));
    assert_eq!(probe.notes, ["no move is valued, chosen by count"]);
}

#[test]
fn the_continuation_is_legal_and_ends_in_a_circle() {
    // The kings' golds go to and fro for ever.
    let books = [db(&[("", "4i4h"), ("4i4h", "4a4b"), ("4i4h 4a4b", "4h4i"), ("4i4h 4a4b 4h4i", "4b4a")])];
    let probe = Selection::default().probe(&books, &Kyokumen::hirate(), &mut rng(1));
    let pv = &probe.candidates[0].pv;
    assert_eq!(pv.len(), 8);
    let mut kyokumen = Kyokumen::hirate();
    for &te in pv {
        assert!(kyokumen.is_legal(te));
        kyokumen.do_te(te);
    }
}

#[test]
fn every_line_of_the_standard_book_is_legal() {
    let verdict = Joseki::standard().unwrap().verify(&mut |fault| panic!("{fault}"));
    assert!(verdict.is_good());
    assert!(verdict.moves > 30_000);
}

#[test]
fn value_filters_by_what_moves_are_worth_one_ply_ahead() {
    let value = selection(Select::Value);
    let uncounted = [db(&[("", "7g7f none 0,2g2f"), ("2g2f", "8c8d none -500")])];
    assert_eq!(choices(&value, &uncounted, &Kyokumen::hirate()), ["2g2f"]);
    let counted =
        [db(&[("", "7g7f none 200 0 1,2g2f none 0 0 1"), ("7g7f", "3c3d none 300"), ("2g2f", "8c8d none -500")])];
    assert_eq!(choices(&value, &counted, &Kyokumen::hirate()), ["2g2f"]);
    let probe = value.probe(&counted, &Kyokumen::hirate(), &mut rng(1));
    assert_eq!(probe.candidates.iter().map(|c| c.te.value).collect::<Vec<_>>(), [Some(-300), Some(500)]);
}
