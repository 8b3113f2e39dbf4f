//! Questions about a position that are answered without playing, against slow answers that play.

#[path = "rules/reference.rs"]
#[allow(dead_code)] // Each suite uses a part of it.
mod reference;

use komadai::hyoka::material::EXCHANGE_VALUES;
use komadai::kyokumen::{ExchangeValues, Kyokumen, Syurui, Te, Teban};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reference::Reference;

const PERFT: &str = include_str!("data/rules/perft_suite.tsv");
const EDGE_CASES: &str = include_str!("data/rules/edge_cases.tsv");

/// The positions of a suite, in a column of each line that is no comment.
fn suite(text: &'static str, column: usize) -> impl Iterator<Item = Kyokumen> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(move |line| Kyokumen::from_sfen(line.split('\t').nth(column).unwrap()).unwrap())
}

const STARTS: [&str; 5] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
    // Attackers without a king.
    "4k4/9/4P4/9/9/9/9/9/9 b R2GSNL3Pg2s 1",
    "3sks3/9/4+P4/9/4L4/9/9/B8/9 b R2GSNL3Pr2gs2n9p 1",
];

/// Plays random games from each start, and hands every position to `check`. Every other game prefers checks, so that
/// kings come into the open.
fn random_games(games: u64, plies: usize, mut check: impl FnMut(&mut Kyokumen)) {
    for (start, seed) in STARTS.into_iter().flat_map(|start| (0..games).map(move |seed| (start, seed))) {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut kyokumen = Kyokumen::from_sfen(start).unwrap();
        for _ in 0..plies {
            check(&mut kyokumen);
            let checks: Vec<Te> = checks_by_playing(&mut kyokumen);
            let moves: Vec<Te> = kyokumen.legal_te().into_iter().collect();
            let from =
                if seed % 2 == 1 && !checks.is_empty() && random.random_range(0..2) == 0 { checks } else { moves };
            if from.is_empty() {
                break;
            }
            kyokumen.do_te(from[random.random_range(0..from.len())]);
        }
    }
}

/// Every position of the suites and of random games.
fn all_positions(mut check: impl FnMut(&mut Kyokumen)) {
    suite(PERFT, 0).chain(suite(EDGE_CASES, 1)).for_each(|mut kyokumen| check(&mut kyokumen));
    random_games(20, 100, check);
}

fn checks_by_playing(kyokumen: &mut Kyokumen) -> Vec<Te> {
    let mut checks: Vec<Te> = kyokumen.legal_te().into_iter().collect();
    checks.retain(|&te| {
        let change = kyokumen.do_te(te);
        let oute = kyokumen.is_oute();
        kyokumen.undo_te(&change);
        oute
    });
    checks.sort();
    checks
}

fn mates_by_playing(kyokumen: &mut Kyokumen) -> Vec<Te> {
    let mut mates = checks_by_playing(kyokumen);
    mates.retain(|&te| {
        let change = kyokumen.do_te(te);
        let mate = kyokumen.legal_te().is_empty();
        kyokumen.undo_te(&change);
        mate
    });
    mates
}

#[test]
fn exactly_those_moves_give_check_after_which_the_king_is_in_check() {
    let (mut moves, mut checks) = (0, 0);
    all_positions(|kyokumen| {
        let played = checks_by_playing(kyokumen);
        for te in kyokumen.legal_te() {
            assert_eq!(kyokumen.gives_check(te), played.binary_search(&te).is_ok(), "{te} in {kyokumen:?}");
            moves += 1;
        }
        let mut listed: Vec<Te> = kyokumen.legal_checks().into_iter().collect();
        listed.sort();
        assert_eq!(listed, played, "{kyokumen:?}");
        checks += listed.len();
    });
    assert!(moves > 100_000 && checks > 5_000, "{checks} of {moves}");
}

#[test]
fn a_mate_is_found_where_some_move_mates_and_nowhere_else() {
    let (mut positions, mut mates) = (0, 0);
    all_positions(|kyokumen| {
        let want = mates_by_playing(kyokumen);
        let found = kyokumen.mate_in_one();
        assert_eq!(found.is_some(), !want.is_empty(), "{found:?} {want:?} in {kyokumen:?}");
        assert!(found.is_none_or(|te| want.contains(&te)), "{found:?} {want:?} in {kyokumen:?}");
        positions += 1;
        mates += usize::from(found.is_some());
    });
    assert!(mates > 100 && mates < positions / 2, "{mates} of {positions}");
}

#[test]
fn a_slider_that_checks_bars_the_square_behind_the_king() {
    // The silver leaves the rook's file; only through the king is 1a attacked.
    let mut kyokumen = Kyokumen::from_sfen("9/6G1k/9/7PS/9/9/9/9/4K3R b - 1").unwrap();
    let found = kyokumen.mate_in_one().unwrap();
    assert!(mates_by_playing(&mut kyokumen).contains(&found) && found.from().unwrap().to_string() == "1d");
}

#[test]
fn a_king_left_in_check_is_no_reason_to_be_wrong() {
    let (mut positions, mut mates) = (0, 0);
    all_positions(|kyokumen| {
        if !kyokumen.is_oute() {
            return;
        }
        // The same, with the wrong side to move.
        let sfen = kyokumen.to_sfen();
        let wrong =
            if kyokumen.teban() == Teban::Sente { sfen.replace(" b ", " w ") } else { sfen.replace(" w ", " b ") };
        let mut kyokumen = Kyokumen::from_sfen(&wrong).unwrap();
        let played = checks_by_playing(&mut kyokumen);
        for te in kyokumen.legal_te() {
            assert_eq!(kyokumen.gives_check(te), played.contains(&te), "{te} in {wrong}");
        }
        let mut listed: Vec<Te> = kyokumen.legal_checks().into_iter().collect();
        listed.sort();
        assert_eq!(listed, played, "{wrong}");
        let want = mates_by_playing(&mut kyokumen);
        let found = kyokumen.mate_in_one();
        assert_eq!(found.is_some(), !want.is_empty(), "{found:?} {want:?} in {wrong}");
        positions += 1;
        mates += usize::from(found.is_some());
    });
    assert!(positions > 100 && mates > 10, "{mates} of {positions}");
}

/// What the exchange on a square wins for the side to move, which may also leave it: every capture is played.
fn exchange_by_playing(
    reference: &Reference,
    te: Te,
    values: &ExchangeValues,
    captures: usize,
    longest: &mut usize,
) -> i32 {
    *longest = captures.max(*longest);
    let price = |&(te, syurui): &(Te, Syurui)| {
        (syurui == Syurui::Ou, values.capture(syurui), te.from().map(|from| from.index()))
    };
    let Some((capture, syurui)) = reference.captures_on(te.to()).into_iter().min_by_key(price) else { return 0 };
    let standing = reference.kind_on(te.to()).unwrap();
    let won = values.capture(standing) + if capture.promotes() { values.promotion(syurui) } else { 0 };
    (won - exchange_by_playing(&reference.after(capture), te, values, captures + 1, longest)).max(0)
}

fn see_by_playing(kyokumen: &Kyokumen, te: Te, values: &ExchangeValues, longest: &mut usize) -> i32 {
    let reference = Reference::of(kyokumen);
    let captured = reference.kind_on(te.to()).map_or(0, |captured| values.capture(captured));
    let promotion = if te.promotes() { values.promotion(kyokumen.moved_syurui(te).unwrap()) } else { 0 };
    captured + promotion - exchange_by_playing(&reference.after(te), te, values, 0, longest)
}

/// Compares the value of every `step`th legal move, and the answers for thresholds around it.
fn compare_see(kyokumen: &Kyokumen, values: &ExchangeValues, step: usize, longest: &mut usize) -> usize {
    let moves = kyokumen.legal_te();
    for &te in moves.iter().step_by(step) {
        let want = see_by_playing(kyokumen, te, values, longest);
        assert_eq!(kyokumen.see(te, values), want, "{te} in {kyokumen:?}");
        for threshold in [i32::MIN, want - 300, want - 1, want, want + 1, want + 300, i32::MAX, 0] {
            let at_least = kyokumen.see_at_least(te, values, threshold);
            assert_eq!(at_least, want >= threshold, "{te} at least {threshold}, is {want} in {kyokumen:?}");
        }
    }
    moves.len().div_ceil(step)
}

#[test]
fn an_exchange_is_worth_what_playing_it_out_wins() {
    // Other values, of which some are alike and a promotion costs something.
    let odd = ExchangeValues::new(
        &[0, 10, 30, 30, 50, 80, 100, 50, 0, 40, 40, 30, 45, 110, 120, 0],
        &[0, 10, 30, 30, 50, 80, 100, 50],
    );
    let (mut compared, mut longest) = (0, 0);
    let mut positions = 0;
    all_positions(|kyokumen| {
        positions += 1;
        let values = if positions % 3 == 0 { &odd } else { &EXCHANGE_VALUES };
        compared += compare_see(kyokumen, values, 7, &mut longest);
    });
    assert!(compared > 10_000 && longest >= 5, "{compared}, the longest of {longest} captures");
}

#[test]
fn exchanges_that_show_a_rule_each() {
    let value = |sfen: &str, te: &str| {
        let kyokumen = Kyokumen::from_sfen(sfen).unwrap();
        let te = te.parse().unwrap();
        assert!(kyokumen.is_legal(te));
        compare_see(&kyokumen, &EXCHANGE_VALUES, 1, &mut 0);
        kyokumen.see(te, &EXCHANGE_VALUES)
    };
    let [pawn, silver, gold, rook] =
        [Syurui::Fu, Syurui::Gi, Syurui::Ki, Syurui::Hi].map(|syurui| EXCHANGE_VALUES.capture(syurui));
    // A pawn that nothing defends; one that a gold defends; one that two rooks take, one behind the other.
    assert_eq!(value("4k4/9/9/9/2p6/2R6/9/9/4K4 b - 1", "7f7e"), pawn);
    assert_eq!(value("4k4/9/9/2g6/2p6/2R6/9/9/4K4 b - 1", "7f7e"), pawn - rook);
    assert_eq!(value("4k4/9/9/2g6/2p6/2R6/2R6/9/4K4 b - 1", "7f7e"), pawn - rook + gold);
    // A silver takes; pinned, it takes only along its line.
    assert_eq!(value("4k4/9/4s4/9/5P3/9/9/9/4K4 b - 1", "4e4d"), -pawn);
    assert_eq!(value("4k4/9/4s4/9/5P3/9/4L4/9/4K4 b - 1", "4e4d"), 0);
    assert_eq!(value("4k4/9/4s4/9/5P3/9/4L4/9/4K4 b G 1", "G*5d"), silver - gold);
    // A check discovered by the move has to be answered elsewhere.
    assert_eq!(value("4k4/9/3gS4/9/9/9/4L4/9/4K4 b - 1", "5c6d"), 0);
    assert_eq!(value("4k4/9/3gS4/9/9/9/9/9/4K4 b - 1", "5c6d"), -silver);
    // Promotion wins by itself. What is dropped may be lost.
    assert_eq!(value("4k4/9/9/2P6/9/9/9/9/4K4 b - 1", "7d7c+"), EXCHANGE_VALUES.promotion(Syurui::Fu));
    assert_eq!(value("4k4/9/9/9/9/9/9/9/4K4 b G 1", "G*5b"), -gold);
    // A king takes only what nothing defends.
    assert_eq!(value("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b"), 0);
}
