//! Finding moves.

use std::hint::black_box;

use criterion::Criterion;
use komadai::kyokumen::Kyokumen;

use crate::positions::{MAX, MIDDLE_GAMES, START, read};

criterion::criterion_group!(benches, generation);

/// What is called, by name, and how many moves it finds.
type Generator = (&'static str, fn(&Kyokumen) -> usize);

const GENERATORS: [Generator; 9] = [
    ("legal_te", |kyokumen| black_box(kyokumen.legal_te()).len()),
    ("legal_captures", |kyokumen| black_box(kyokumen.legal_captures()).len()),
    ("legal_quiet", |kyokumen| black_box(kyokumen.legal_quiet()).len()),
    ("legal_drops", |kyokumen| black_box(kyokumen.legal_drops()).len()),
    ("legal_evasions", |kyokumen| black_box(kyokumen.legal_evasions()).len()),
    ("legal_checks", |kyokumen| black_box(kyokumen.legal_checks()).len()),
    ("mate_in_one", |kyokumen| usize::from(black_box(kyokumen.mate_in_one()).is_some())),
    ("count_legal_te", |kyokumen| kyokumen.count_legal_te()),
    ("has_legal_te", |kyokumen| usize::from(kyokumen.has_legal_te())),
];

/// The side to move is in check: with much to put between, from a knight, and twice.
const CHECKS: [&str; 4] = [
    "4k4/9/3g5/9/4R4/9/9/9/4K4 w pln 1",
    "lns1kgs2/1rg4+Bl/5p2n/ppp+B2ppp/4p4/7PP/PP1PPPPG1/L2S3SL/1NG1rK1N1 b Pp 1",
    "4k4/9/5N3/9/9/9/9/9/4K4 w g 1",
    "4k4/9/5N3/9/4R4/9/9/9/4K4 w 2g 1",
];

fn generation(criterion: &mut Criterion) {
    let sets: [(&str, &[&str]); 4] =
        [("start", &[START]), ("middle games", &MIDDLE_GAMES), ("in check", &CHECKS), ("max", &[MAX])];
    assert!(CHECKS.iter().all(|sfen| read(sfen).is_oute()));
    for (name, sfens) in sets {
        let positions: Vec<Kyokumen> = sfens.iter().map(|sfen| read(sfen)).collect();
        let mut group = criterion.benchmark_group(format!("generation {name}"));
        for (function, generate) in GENERATORS {
            group.bench_function(function, |bencher| {
                bencher.iter(|| positions.iter().map(|kyokumen| generate(black_box(kyokumen))).sum::<usize>());
            });
        }
        group.finish();
    }
}
