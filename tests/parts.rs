//! Parts of the legal moves against the full list, filtered the slow way; and single moves against the list.

use komadai::kyokumen::{Kyokumen, Te, TeList};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const PERFT: &str = include_str!("data/rules/perft_suite.tsv");
const EDGE_CASES: &str = include_str!("data/rules/edge_cases.tsv");

/// Few pieces and full hands, a side without king, and kings in check from either side.
const ODD: [&str; 7] = [
    "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
    "4k4/9/4P4/9/9/9/9/9/9 b R2GSNL3Pg2s 1",
    "4k4/9/9/9/9/9/9/4R4/4K4 b - 1",
    "4k4/9/9/4+B4/3PLG3/9/9/4R4/4K4 b GSN 1",
    "4k4/4P4/9/9/4K4/9/9/4r4/9 b P 1",
    "9/9/9/4k4/4L4/3+R1+B3/4N4/4L4/9 b RB2G2S3P 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
];

/// The column of a suite that holds positions.
fn column(suite: &str, column: usize) -> impl Iterator<Item = &str> {
    let rows = suite.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    rows.filter_map(move |line| line.split('\t').nth(column))
}

/// Every position of the suites, the odd ones, and those of a random game from each.
fn positions(plies: usize, mut check: impl FnMut(&Kyokumen)) {
    let sfens = column(PERFT, 0).chain(column(EDGE_CASES, 1)).chain(ODD);
    for (seed, sfen) in (0..).zip(sfens) {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut kyokumen = Kyokumen::from_sfen(sfen).unwrap();
        for _ in 0..plies {
            check(&kyokumen);
            let moves = kyokumen.legal_te();
            if moves.is_empty() {
                break;
            }
            kyokumen.do_te(moves[random.random_range(0..moves.len())]);
        }
    }
}

fn sorted(list: impl IntoIterator<Item = Te>) -> Vec<Te> {
    let mut moves: Vec<Te> = list.into_iter().collect();
    moves.sort();
    moves
}

/// Compares a part with the moves that `belongs` picks from all, and returns how many there were.
fn compare(part: fn(&Kyokumen) -> TeList, belongs: fn(&Kyokumen, Te) -> bool) -> usize {
    let mut moves = 0;
    positions(50, |kyokumen| {
        let found = sorted(part(kyokumen));
        assert_eq!(found, sorted(kyokumen.legal_te().into_iter().filter(|&te| belongs(kyokumen, te))), "{kyokumen:?}");
        moves += found.len();
    });
    moves
}

fn is_capture(kyokumen: &Kyokumen, te: Te) -> bool {
    !kyokumen.koma(te.to()).is_empty()
}

#[test]
fn captures_are_the_moves_that_capture_or_promote() {
    assert!(compare(Kyokumen::legal_captures, |kyokumen, te| is_capture(kyokumen, te) || te.promotes()) > 10_000);
}

#[test]
fn quiet_moves_are_the_others_on_the_board() {
    let quiet = |kyokumen: &Kyokumen, te: Te| !is_capture(kyokumen, te) && !te.promotes() && !te.is_drop();
    assert!(compare(Kyokumen::legal_quiet, quiet) > 10_000);
}

#[test]
fn drops_are_the_moves_that_come_from_the_hand() {
    assert!(compare(Kyokumen::legal_drops, |_, te| te.is_drop()) > 10_000);
}

#[test]
fn evasions_are_all_moves_in_check_and_none_out_of_it() {
    assert!(compare(Kyokumen::legal_evasions, |kyokumen, _| kyokumen.is_oute()) > 1_000);
}

#[test]
fn checks_are_the_moves_after_which_the_opponent_is_in_check() {
    let gives_check = |kyokumen: &Kyokumen, te: Te| {
        let mut after = kyokumen.clone();
        after.do_te(te);
        after.is_oute()
    };
    assert!(compare(Kyokumen::legal_checks, gives_check) > 1_000);
}

#[test]
fn a_list_of_moves_is_added_to_what_is_there() {
    let kyokumen = Kyokumen::hirate();
    let mut list = kyokumen.legal_te();
    kyokumen.add_legal_te(&mut list);
    assert_eq!(list.len(), 60);
    assert_eq!(list[..30], list[30..]);
}

#[test]
fn a_move_is_legal_if_the_list_has_it_and_else_not() {
    let mut legal = 0;
    let mut kings = [0; 3];
    positions(6, |kyokumen| {
        let list = sorted(kyokumen.legal_te());
        let answers = (0..=u16::MAX).filter_map(Te::from_bits).filter(|&te| kyokumen.is_legal(te));
        assert_eq!(sorted(answers), list, "{kyokumen:?}");
        legal += list.len();
        kings[usize::from(kyokumen.is_oute()) + usize::from(kyokumen.count_legal_te() == 0)] += 1;
    });
    assert!(legal > 10_000 && kings.iter().all(|&positions| positions > 0), "{legal} {kings:?}");
}
