//! Counting paths of moves in the three modes, on the positions of the table in docs/performance.md, less deep.

use criterion::{Criterion, Throughput};
use komadai::kyokumen::{PerftMode, perft};

use crate::positions::{MATSURI, MAX, START, read};

criterion::criterion_group!(benches, paths);

/// Name, position, depth, paths.
const CASES: [(&str, &str, u32, u64); 3] =
    [("start", START, 4, 719_731), ("matsuri", MATSURI, 2, 28_684), ("max", MAX, 2, 105_677)];

fn paths(criterion: &mut Criterion) {
    for (mode, name) in [(PerftMode::Count, "count"), (PerftMode::List, "list"), (PerftMode::Play, "play")] {
        let mut group = criterion.benchmark_group(format!("perft {name}"));
        for (position, sfen, depth, paths) in CASES {
            let mut kyokumen = read(sfen);
            assert_eq!(perft(&mut kyokumen, depth, mode), paths, "perft {depth} of {sfen}");
            group.throughput(Throughput::Elements(paths));
            group.bench_function(position, |bencher| bencher.iter(|| perft(&mut kyokumen, depth, mode)));
        }
        group.finish();
    }
}
