//! Sums kept through moves, by every level, give what a slow reading of the file gives.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::kyokumen::level::Level;

#[path = "../../../tests/nnue_support/mod.rs"]
mod support;

use support::{Kind as Files, Spread, file, slow_output};

const STARTS: [&str; 6] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    // At odds: rook and bishop are missing.
    "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    // The most in hand.
    "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
    // A king is missing.
    "4k4/9/3p1p3/9/4G4/9/3P1P3/9/9 b RBrb 1",
    "+P+N+P1K1+P2/1+S+R2+P3/3g5/9/9/9/3p1p3/2+b1k1+n2/9 b BRGSNL4P2g2sn3l7p 200",
];

fn read(bytes: &[u8]) -> Nnue {
    Nnue::read(bytes, bytes.len() as u64).unwrap()
}

fn at_level(mut nnue: Nnue, level: Level) -> Nnue {
    match &mut nnue.0 {
        Kind::HalfKp(work) => work.level = level,
        Kind::Kp(work) => work.level = level,
    }
    nnue
}

fn fresh(nnue: &mut Nnue, kyokumen: &Kyokumen) -> i32 {
    nnue.reset(kyokumen);
    nnue.output(kyokumen)
}

/// Walks up and down at random from a start, asking for values only now and then, and compares each with those counted
/// from nothing. Returns how many were compared, and how many of them differed from the one before.
fn walk(files: Files, bytes: &[u8], at_work: &mut Nnue, scratch: &mut Nnue, (sfen, seed): (&str, u64)) -> (u32, u32) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut kyokumen = Kyokumen::from_sfen(sfen).unwrap();
    let (mut played, mut compared, mut different, mut last) = (Vec::new(), 0, 0, 0);
    at_work.reset(&kyokumen);
    for _ in 0..200 {
        let list = kyokumen.legal_te();
        if rng.next_u32() % 3 == 0 || list.is_empty() {
            if let Some(change) = played.pop() {
                kyokumen.undo_te(&change);
                at_work.pop(&kyokumen, &change);
            }
        } else {
            let captures = kyokumen.legal_captures();
            let from = if captures.is_empty() || rng.next_u32() % 2 == 0 { &list } else { &captures };
            let change = kyokumen.do_te(from[rng.next_u32() as usize % from.len()]);
            at_work.push(&kyokumen, &change);
            played.push(change);
        }
        if rng.next_u32() % 4 != 0 {
            continue;
        }
        // As in the search, a pass goes unsaid.
        let passes = rng.next_u32() % 4 == 0 && !kyokumen.is_oute();
        if passes {
            kyokumen.do_pass();
        }
        let output = at_work.output(&kyokumen);
        assert_eq!(output, fresh(scratch, &kyokumen), "{kyokumen:?}");
        assert_eq!(output, slow_output(files, bytes, &kyokumen.to_sfen()), "{kyokumen:?}");
        assert_eq!(output, fresh(scratch, &kyokumen.rotated()), "both sides count alike: {kyokumen:?}");
        compared += 1;
        different += u32::from(output != last);
        last = output;
        if passes {
            kyokumen.undo_pass();
        }
    }
    (compared, different)
}

fn compare(files: Files, spread: Spread, starts: &[&str]) {
    let bytes = file(files, 7, spread);
    let (nnue, mut scratch) = (read(&bytes), at_level(read(&bytes), Level::PORTABLE));
    for level in Level::all() {
        let mut at_work = at_level(nnue.clone(), level);
        let (mut compared, mut different) = (0, 0);
        for (seed, sfen) in (1..).zip(starts) {
            let counts = walk(files, &bytes, &mut at_work, &mut scratch, (sfen, seed));
            compared += counts.0;
            different += counts.1;
        }
        assert!(compared > 25 * starts.len() as u32 && different > compared / 4, "{level:?}: {compared}, {different}");
    }
}

#[test]
fn sums_of_half_kp_kept_through_moves_give_what_the_file_gives() {
    compare(Files::HalfKp, Spread::Usual, &STARTS);
}

#[test]
fn sums_of_k_p_kept_through_moves_give_what_the_file_gives() {
    compare(Files::Kp, Spread::Usual, &STARTS);
}

#[test]
fn sums_that_wrap_round_do_so_alike() {
    compare(Files::Kp, Spread::Extreme, &STARTS);
}

#[test]
fn a_net_with_fewer_sums_works_alike() {
    let bytes = file(Files::SmallKp, 5, Spread::Usual);
    let mut source = Source::new(bytes.as_slice(), bytes.len() as u64).unwrap();
    let mut work: Work<Kp, 64> = Work::new(source.read().unwrap().unwrap());
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut kyokumen = Kyokumen::hirate();
    work.reset();
    for _ in 0..100 {
        let list = kyokumen.legal_te();
        if list.is_empty() {
            break;
        }
        let change = kyokumen.do_te(list[rng.next_u32() as usize % list.len()]);
        work.push(&kyokumen, &change);
        assert_eq!(work.output(&kyokumen), slow_output(Files::SmallKp, &bytes, &kyokumen.to_sfen()), "{kyokumen:?}");
    }
    assert!(kyokumen.tesu() > 50);
}

#[test]
fn values_stay_in_range_and_are_outputs_in_hundredths_of_a_pawn() {
    let hirate = Kyokumen::hirate();
    for (files, spread) in [(Files::Kp, Spread::Usual), (Files::Kp, Spread::Extreme)] {
        for seed in 0..20 {
            let mut nnue = read(&file(files, seed, spread));
            nnue.reset(&hirate);
            let (value, output) = (nnue.value(&hirate), i64::from(nnue.output(&hirate)));
            let pawns = output as f64 / 16.0 / 90.0;
            let expected = (pawns * 100.0).clamp(-29_000.0, 29_000.0);
            assert!((f64::from(value) - expected).abs() < 1.0, "{value} {expected}");
        }
    }
}

#[test]
fn values_are_those_of_another_program_that_reads_such_files() {
    let mut nets = [Files::HalfKp, Files::Kp].map(|files| read(&file(files, 1, Spread::Usual)));
    let table = include_str!("../../../tests/data/nnue/values.tsv");
    let mut rows = 0;
    for row in table.lines().filter(|line| !line.starts_with('#')) {
        let mut columns = row.split('\t');
        let sfen = columns.next().unwrap();
        let kyokumen = Kyokumen::from_sfen(sfen).unwrap();
        for nnue in &mut nets {
            let expected: i32 = columns.next().unwrap().parse().unwrap();
            assert_eq!(fresh(nnue, &kyokumen), expected, "{nnue:?} {sfen}");
        }
        rows += 1;
    }
    assert!(rows > 300);
}
