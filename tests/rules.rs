//! The rules against the suites of `tests/data/rules`, and against a slow reference over random games.

#[path = "rules/reference.rs"]
#[allow(dead_code)] // Each suite uses a part of it.
mod reference;

use komadai::kyokumen::{Declaration, Kyokumen, Masu, NyugyokuRule, PerftMode, Sennichite, Taikyoku, Te, Teban, perft};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reference::Reference;

/// The lines of a suite that are not comments, split at tabs.
fn suite(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(|line| line.split('\t').collect())
}

const PERFT: &str = include_str!("data/rules/perft_suite.tsv");
const EDGE_CASES: &str = include_str!("data/rules/edge_cases.tsv");
const REPETITION: &str = include_str!("data/rules/repetition.tsv");
const DECLARATION: &str = include_str!("data/rules/declaration.tsv");

fn sorted_usi(kyokumen: &Kyokumen) -> Vec<String> {
    let mut moves: Vec<String> = kyokumen.legal_te().iter().map(Te::to_string).collect();
    moves.sort();
    moves
}

/// Figures above this many paths are left to the release binary, to keep the test run short.
const PERFT_BUDGET: u64 = 1_000_000;

/// Compares all figures up to a number of paths in some modes, and returns how many there were.
fn compare_perft(budget: u64, modes: &[PerftMode]) -> usize {
    let mut compared = 0;
    for row in suite(PERFT) {
        let mut kyokumen = Kyokumen::from_sfen(row[0]).unwrap();
        for (depth, want) in (1..).zip(&row[1..5]) {
            let Some(want) = want.parse::<u64>().ok().filter(|&want| want <= budget) else { continue };
            for &mode in modes {
                assert_eq!(perft(&mut kyokumen, depth, mode), want, "perft {depth} {mode:?} of {}", row[0]);
            }
            compared += 1;
        }
    }
    compared
}

#[test]
fn every_perft_figure_within_the_budget_is_met_in_every_mode() {
    let compared = compare_perft(PERFT_BUDGET, &[PerftMode::Count, PerftMode::List, PerftMode::Play]);
    assert_eq!(compared, 911);
}

#[test]
#[ignore = "2.4 thousand million paths, for a release build"]
fn every_perft_figure_is_met() {
    assert_eq!(compare_perft(u64::MAX, &[PerftMode::Count]), 1136);
}

#[test]
fn as_many_moves_give_check_as_the_suite_says() {
    for row in suite(PERFT) {
        let mut kyokumen = Kyokumen::from_sfen(row[0]).unwrap();
        let mut checks = 0;
        for te in kyokumen.legal_te() {
            let change = kyokumen.do_te(te);
            checks += usize::from(kyokumen.is_oute());
            kyokumen.undo_te(&change);
        }
        assert_eq!(checks.to_string(), row[5], "checks in {}", row[0]);
    }
}

#[test]
fn legal_moves_of_every_edge_case_are_exactly_those_listed() {
    let mut cases = 0;
    for row in suite(EDGE_CASES) {
        let kyokumen = Kyokumen::from_sfen(row[1]).unwrap();
        let want: Vec<&str> = row[5].split(' ').filter(|word| !word.is_empty()).collect();
        assert_eq!(sorted_usi(&kyokumen), want, "{}: {}", row[0], row[6]);
        assert_eq!(want.len().to_string(), row[4]);
        assert_eq!(u8::from(kyokumen.is_oute()).to_string(), row[2], "{}", row[0]);
        assert_eq!(u8::from(kyokumen.is_oute() && !kyokumen.has_legal_te()).to_string(), row[3], "{}", row[0]);
        cases += 1;
    }
    assert!(cases > 100);
}

#[test]
fn repetition_is_judged_as_the_suite_says() {
    for row in suite(REPETITION) {
        let taikyoku = replay(row[1]);
        let state = match taikyoku.rireki().sennichite() {
            None => "none",
            Some(Sennichite::Draw) => "draw",
            Some(Sennichite::Win) => "win",
            Some(Sennichite::Loss) => "loss",
        };
        assert_eq!(state, row[3], "{}", row[0]);
        assert_eq!(taikyoku.rireki().occurrences().to_string(), row[2], "{}", row[0]);
    }
}

fn replay(game: &str) -> Taikyoku {
    let (start, moves) = game.split_once(" moves ").unwrap_or((game, ""));
    let start = match start.strip_prefix("sfen ") {
        Some(sfen) => Kyokumen::from_sfen(sfen).unwrap(),
        None => Kyokumen::hirate(),
    };
    let mut taikyoku = Taikyoku::new(start);
    for te in moves.split_whitespace() {
        assert!(taikyoku.play(te.parse().unwrap()), "{te} in {game}");
    }
    taikyoku
}

#[test]
fn declarations_are_judged_as_the_suite_says() {
    for row in suite(DECLARATION) {
        let kyokumen = Kyokumen::from_sfen(row[0]).unwrap();
        let wins_by_27 = kyokumen.nyugyoku(NyugyokuRule::Csa27) == Some(Declaration::Win);
        assert_eq!(u8::from(wins_by_27).to_string(), row[4], "{} {}", row[6], row[0]);
        let by_24 = match kyokumen.nyugyoku(NyugyokuRule::Csa24) {
            None => "none",
            Some(Declaration::Draw) => "draw",
            Some(Declaration::Win) => "win",
            Some(Declaration::Move(_)) => unreachable!("a move under a point rule"),
        };
        assert_eq!(by_24, row[5], "{} {}", row[6], row[0]);
    }
}

/// Plays random games from a position, and hands every position to `check`.
fn random_games(sfen: &str, games: u64, plies: usize, mut check: impl FnMut(&mut Kyokumen)) {
    for seed in 0..games {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut kyokumen = Kyokumen::from_sfen(sfen).unwrap();
        for _ in 0..plies {
            check(&mut kyokumen);
            let moves = kyokumen.legal_te();
            if moves.is_empty() {
                break;
            }
            kyokumen.do_te(moves[random.random_range(0..moves.len())]);
        }
    }
}

const STARTS: [&str; 4] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
    "4k4/9/4P4/9/9/9/9/9/9 b R2GSNL3Pg2s 1",
];

#[test]
fn random_games_have_the_same_legal_moves_as_the_slow_reference() {
    for start in STARTS {
        random_games(start, 2, 90, |kyokumen| {
            let reference = Reference::of(kyokumen);
            let mut moves: Vec<Te> = kyokumen.legal_te().into_iter().collect();
            moves.sort();
            assert_eq!(moves, reference.legal_moves(), "{kyokumen:?}");
            assert_eq!(moves.len(), kyokumen.count_legal_te());
        });
    }
}

/// Positions that random games hardly reach: a pinned gold that takes a dropped pawn along its line, which is no mate
/// then; the same beside the line, which is one; kings that stand side by side.
const RARE: [(&str, &str, bool); 3] = [
    ("7lk/6G2/8g/7N1/9/9/9/8R/K8 b P 1", "P*1b", true),
    ("7lk/6Gg1/9/7N1/4B4/9/9/9/K8 b P 1", "P*1b", false),
    ("9/9/4k4/4K4/9/9/9/9/9 b G 1", "5d5c", false),
];

#[test]
fn rare_positions_have_the_same_legal_moves_as_the_slow_reference() {
    for (sfen, te, is_legal) in RARE {
        let kyokumen = Kyokumen::from_sfen(sfen).unwrap();
        for kyokumen in [kyokumen.rotated(), kyokumen] {
            let mut moves: Vec<Te> = kyokumen.legal_te().into_iter().collect();
            moves.sort();
            assert_eq!(moves, Reference::of(&kyokumen).legal_moves(), "{kyokumen:?}");
            let te: Te = te.parse().unwrap();
            let te = if kyokumen.teban() == Teban::Sente { te } else { te.rotated() };
            assert_eq!((moves.contains(&te), kyokumen.is_legal(te)), (is_legal, is_legal), "{te} in {kyokumen:?}");
        }
    }
}

#[test]
fn moves_lead_where_the_reference_says_and_back_again() {
    for start in STARTS {
        random_games(start, 2, 60, |kyokumen| {
            let before = kyokumen.clone();
            let reference = Reference::of(kyokumen);
            for te in kyokumen.legal_te() {
                let change = kyokumen.do_te(te);
                assert!(reference.after(te).equals(kyokumen), "{te} in {before:?}");
                assert!(kyokumen.is_consistent(), "{te} in {before:?}");
                assert_eq!(change.teban(), before.teban());
                kyokumen.undo_te(&change);
                assert_eq!(*kyokumen, before, "{te} taken back in {before:?}");
            }
        });
    }
}

#[test]
fn control_counts_the_attackers_that_the_reference_sees() {
    for start in STARTS {
        random_games(start, 2, 60, |kyokumen| {
            let reference = Reference::of(kyokumen);
            for teban in Teban::ALL {
                assert_eq!(kyokumen.is_oute_on(teban), reference.in_check(teban), "{kyokumen:?}");
                for masu in Masu::all() {
                    let attackers = kyokumen.control(teban, masu).count_ones() as usize;
                    assert_eq!(attackers, reference.attackers(teban, masu), "{masu} by {teban} in {kyokumen:?}");
                }
            }
        });
    }
}

#[test]
fn a_turned_position_has_the_turned_moves() {
    random_games(STARTS[1], 4, 100, |kyokumen| {
        let rotated = kyokumen.rotated();
        let mut moves: Vec<Te> = kyokumen.legal_te().iter().map(|te| te.rotated()).collect();
        let mut rotated_moves: Vec<Te> = rotated.legal_te().into_iter().collect();
        moves.sort();
        rotated_moves.sort();
        assert_eq!(moves, rotated_moves);
        assert_eq!(rotated.rotated(), *kyokumen);
        assert_ne!(rotated.key(), kyokumen.key());
    });
}

#[test]
fn positions_read_back_as_they_are_written_and_keys_follow_the_position() {
    let mut sfen_of_key = std::collections::HashMap::new();
    random_games(STARTS[0], 20, 150, |kyokumen| {
        assert_eq!(Kyokumen::from_sfen(&kyokumen.to_sfen()).as_ref(), Ok(&*kyokumen));
        let sfen = kyokumen.to_sfen_without_ply();
        assert_eq!(sfen_of_key.entry(kyokumen.key()).or_insert_with(|| sfen.clone()), &sfen);
    });
    assert!(sfen_of_key.len() > 2000);
}

#[test]
fn the_opponents_king_is_never_captured_even_where_he_stands_in_check() {
    let kyokumen = Kyokumen::from_sfen("4k4/9/9/9/9/9/9/4R4/4K4 b - 1").unwrap();
    assert!(kyokumen.is_oute_on(Teban::Gote));
    assert!(!sorted_usi(&kyokumen).iter().any(|te| te.ends_with("5a") || te.ends_with("5a+")));
    assert!(!kyokumen.is_legal("5h5a".parse().unwrap()));
}
