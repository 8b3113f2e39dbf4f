//! Reading and writing positions; figures are for one position.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use komadai::kyokumen::{Kyokumen, PackedKyokumen};

use crate::positions::{MIDDLE_GAMES, read};

criterion::criterion_group!(benches, sfen);

fn sfen(criterion: &mut Criterion) {
    let positions: Vec<Kyokumen> = MIDDLE_GAMES.iter().map(|sfen| read(sfen)).collect();
    let packed: Vec<PackedKyokumen> = positions.iter().map(|kyokumen| kyokumen.pack().expect("two kings")).collect();
    let mut group = criterion.benchmark_group("sfen");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("from_sfen", |bencher| {
        bencher.iter(|| {
            for sfen in MIDDLE_GAMES {
                black_box(Kyokumen::from_sfen(black_box(sfen))).expect("a SFEN");
            }
        });
    });
    group.bench_function("to_sfen", |bencher| {
        bencher.iter(|| positions.iter().map(|kyokumen| black_box(kyokumen).to_sfen().len()).sum::<usize>());
    });
    group.bench_function("pack", |bencher| {
        bencher.iter(|| positions.iter().filter_map(|kyokumen| black_box(black_box(kyokumen).pack())).count());
    });
    group.bench_function("unpack", |bencher| {
        bencher.iter(|| packed.iter().filter_map(|packed| black_box(black_box(packed).unpack())).count());
    });
    group.finish();
}
