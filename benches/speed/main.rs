//! How long the parts of the library take, on one thread. `cargo bench -p peers -- sfen` measures only what has that in
//! its name.

mod generation;
mod joseki;
mod making;
mod perft;
mod positions;
mod sfen;

criterion::criterion_main!(perft::benches, making::benches, generation::benches, sfen::benches, joseki::benches);
