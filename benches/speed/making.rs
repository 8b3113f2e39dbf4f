//! Playing moves and taking them back, and asking whether moves are legal.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use komadai::kyokumen::{Kyokumen, Te};

use crate::positions::middle_games;

criterion::criterion_group!(benches, do_and_undo, is_legal);

/// Every legal move of every middle game is played and taken back; figures are for one move.
fn do_and_undo(criterion: &mut Criterion) {
    let mut positions = middle_games();
    let moves: usize = positions.iter().map(|(_, moves)| moves.len()).sum();
    let mut group = criterion.benchmark_group("making");
    group.throughput(Throughput::Elements(moves as u64));
    group.bench_function("do_te and undo_te", |bencher| {
        bencher.iter(|| {
            for (kyokumen, moves) in &mut positions {
                for &te in &*moves {
                    let change = black_box(&mut *kyokumen).do_te(te);
                    black_box(&mut *kyokumen).undo_te(&change);
                }
            }
        });
    });
    group.finish();
}

/// The legal moves of all middle games asked of each of them, as from a table or a book: most are not legal there.
fn is_legal(criterion: &mut Criterion) {
    let positions = middle_games();
    let moves: Vec<Te> = positions.iter().flat_map(|(_, moves)| moves.iter().copied()).collect();
    let legal_ones = |kyokumen: &Kyokumen| moves.iter().filter(|&&te| black_box(kyokumen).is_legal(te)).count();
    let mut group = criterion.benchmark_group("legality");
    group.throughput(Throughput::Elements((positions.len() * moves.len()) as u64));
    group.bench_function("is_legal", |bencher| {
        bencher.iter(|| positions.iter().map(|(kyokumen, _)| legal_ones(kyokumen)).sum::<usize>());
    });
    group.finish();
}
