//! Random games in which all crates must have the same legal moves, checks and positions at every turn, each crate
//! playing the moves on a position of its own.

use std::collections::HashMap;

use komadai::kyokumen::{Kyokumen, Te};
use peers::Peer;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Positions from which games of all kinds come: much in hand, promoted pieces, bare kings, kings in the enemy camp.
const STARTS: [&str; 9] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "3l1l1l1/9/9/9/9/9/4b4/Kss1s1k2/8r w 3G3N17Prbgsnlp 1",
    "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
    "4k4/9/9/9/9/9/9/9/4K4 w RB2G2S2N2L9Prb2g2s2n2l9p 1",
    "4k4/9/4P4/9/9/9/9/9/4K4 b R2GSNL3Pg2s2p 1",
    "+P+N+P1K1+P2/1+S+R2+P3/3g5/9/9/9/3p1p3/2+b1k1+n2/9 b BRGSNL4P2g2sn3l7p 1",
    "lR1B3nl/2gp5/ks3p3/pp4p1p/4P4/P1P2P1PP/1PS3P2/1KG6/LN3+r1NL b GSN2Pbgs2p 1",
];
const GAMES: u64 = 60;
const PLIES: usize = 150;

/// What the games were made of, to see that they are worth the name.
#[derive(Debug, Default)]
struct Seen {
    positions: usize,
    in_check: usize,
    in_double_check: usize,
    drops: usize,
    promotions: usize,
    ends: usize,
    pawn_drop_mates: usize,
}

#[test]
fn random_games_have_the_same_moves_checks_and_positions_in_all_crates() {
    let mut seen = Seen::default();
    for start in STARTS {
        for seed in 0..GAMES {
            play(start, &mut ChaCha8Rng::seed_from_u64(seed), &mut seen);
        }
    }
    println!("{seen:?}");
    assert!(seen.positions > 50_000, "{seen:?}");
    assert!(seen.in_check > 5_000 && seen.in_double_check > 30, "{seen:?}");
    assert!(seen.drops > 10_000 && seen.promotions > 2_000, "{seen:?}");
    assert!(seen.ends > 100 && seen.pawn_drop_mates > 50, "{seen:?}");
}

fn play(start: &str, random: &mut ChaCha8Rng, seen: &mut Seen) {
    let mut kyokumen: Kyokumen = start.parse().unwrap();
    let mut peers = peers::all(start);
    for _ in 0..PLIES {
        let moves = compare(&peers, seen);
        seen.positions += 1;
        seen.in_check += usize::from(checkers(&kyokumen) > 0);
        seen.in_double_check += usize::from(checkers(&kyokumen) > 1);
        let Some(te) = choose(&mut kyokumen, &moves, random) else {
            seen.ends += 1;
            break;
        };
        seen.drops += usize::from(te.is_drop());
        seen.promotions += usize::from(te.promotes());
        kyokumen.do_te(te);
        for peer in &mut peers {
            peer.play(&te.to_string());
        }
    }
}

/// One of the moves: half the time a check, of which double ones come first, or a drop, where there is one.
fn choose(kyokumen: &mut Kyokumen, moves: &[String], random: &mut ChaCha8Rng) -> Option<Te> {
    let moves: Vec<Te> = moves.iter().map(|te| te.parse().unwrap()).collect();
    let wanted: Vec<Te> = match random.random_range(0..4) {
        0 => {
            let checkers: Vec<(u32, Te)> = moves.iter().map(|&te| (checkers_after(kyokumen, te), te)).collect();
            let most = checkers.iter().map(|&(count, _)| count).max().filter(|&most| most > 0);
            checkers.iter().filter(|&&(count, _)| Some(count) == most).map(|&(_, te)| te).collect()
        }
        1 => moves.iter().copied().filter(|te| te.is_drop()).collect(),
        _ => Vec::new(),
    };
    let moves = if wanted.is_empty() { moves } else { wanted };
    (!moves.is_empty()).then(|| moves[random.random_range(0..moves.len())])
}

fn checkers_after(kyokumen: &mut Kyokumen, te: Te) -> u32 {
    let change = kyokumen.do_te(te);
    let count = checkers(kyokumen);
    kyokumen.undo_te(&change);
    count
}

/// By how many pieces the side to move is in check.
fn checkers(kyokumen: &Kyokumen) -> u32 {
    let ou = kyokumen.ou(kyokumen.teban()).unwrap();
    kyokumen.control(!kyokumen.teban(), ou).count_ones()
}

/// Compares a position in all crates, and returns its moves.
fn compare(peers: &[Box<dyn Peer>], seen: &mut Seen) -> Vec<String> {
    let (ours, others) = peers.split_first().unwrap();
    let (sfen, moves) = (ours.sfen(), ours.moves());
    for peer in others {
        assert_eq!(peer.sfen(), sfen, "{} stands elsewhere", peer.name());
        assert_eq!(peer.in_check(), ours.in_check(), "check in {} and Komadai: {sfen}", peer.name());
        let mut theirs = peer.moves();
        if peer.name() == "haitaka" {
            correct_haitaka(&sfen, &mut theirs, &moves, seen);
        }
        if theirs != moves {
            panic!("{}", difference(peer.name(), &sfen, &theirs, &moves));
        }
    }
    moves
}

/// Removes the known faults of haitaka 0.3.2 from its moves, and no others. It looks for a pawn-drop mate only on the
/// first square on which a pawn may be dropped, and not at all in check, so it lists other such mates. And it looks
/// only at the rank of that square, so it misses a drop beside the square in front of the king that gives no check and
/// leaves the other side nothing but drops. Whether a move is of that kind is told by shunsai.
fn correct_haitaka(sfen: &str, theirs: &mut Vec<String>, moves: &[String], seen: &mut Seen) {
    let after_pawn_drop = |te: &String| {
        let [_, mut shunsai, ..] = peers::all(&format!("{sfen} 1"));
        assert_eq!(shunsai.name(), "shunsai");
        shunsai.play(te);
        te.starts_with("P*").then(|| (shunsai.in_check(), shunsai.moves()))
    };
    let is_mate = |te: &String| after_pawn_drop(te).is_some_and(|(check, answers)| check && answers.is_empty());
    let leaves_only_drops = |te: &String| {
        let after = after_pawn_drop(te);
        after.is_some_and(|(check, answers)| !check && answers.iter().all(|answer| answer.contains('*')))
    };
    let before = theirs.len();
    theirs.retain(|te| moves.contains(te) || !is_mate(te));
    seen.pawn_drop_mates += before - theirs.len();
    let missed = moves.iter().find(|te| te.starts_with("P*") && !theirs.contains(te) && leaves_only_drops(te));
    theirs.extend(missed.cloned());
    theirs.sort();
}

fn difference(peer: &str, sfen: &str, theirs: &[String], ours: &[String]) -> String {
    let mut by: HashMap<&String, i32> = HashMap::new();
    theirs.iter().for_each(|te| *by.entry(te).or_default() += 1);
    ours.iter().for_each(|te| *by.entry(te).or_default() -= 1);
    let mut only: Vec<String> = by
        .into_iter()
        .filter(|(_, more)| *more != 0)
        .map(|(te, more)| format!("{te} only in {}", if more > 0 { peer } else { "Komadai" }))
        .collect();
    only.sort();
    format!("{sfen}: {}", only.join(", "))
}
