//! Komadai and other crates behind one trait, to compare their speed (`cargo run --release -p peers`) and their rules
//! (`cargo test -p peers`).

mod haitaka;
mod komadai;
mod rsshogi;
mod shunsai;

pub use ::komadai::kyokumen::PerftMode;

/// A position in one of the crates.
pub trait Peer {
    /// Name of the crate.
    fn name(&self) -> &'static str;

    /// Counts paths of `depth` legal moves, at least 1; `None` where the crate offers nothing for this mode.
    ///
    /// `Count`: leaf parents add up the sizes of move sets. `List`: leaf parents build a list. `Play`: leaves are
    /// played and taken back.
    fn perft(&mut self, depth: u32, mode: PerftMode) -> Option<u64>;

    /// The legal moves in USI, sorted.
    fn moves(&self) -> Vec<String>;

    /// Plays a move, given in USI, which must be one that the crate can read; the rules are not asked.
    fn play(&mut self, te: &str);

    /// Whether the side to move is in check.
    fn in_check(&self) -> bool;

    /// The position as SFEN without ply.
    fn sfen(&self) -> String;
}

/// Number of peers, with Komadai.
pub const COUNT: usize = 4;

/// A position in all crates, Komadai first.
///
/// # Panics
/// If one of them can't read the SFEN.
pub fn all(sfen: &str) -> [Box<dyn Peer>; COUNT] {
    [komadai::read(sfen), shunsai::read(sfen), haitaka::read(sfen), rsshogi::read(sfen)]
}

fn sorted(moves: impl Iterator<Item = String>) -> Vec<String> {
    let mut moves: Vec<String> = moves.collect();
    moves.sort();
    moves
}

/// A SFEN without its last word.
fn without_ply(sfen: &str) -> String {
    sfen.rsplit_once(' ').map_or(sfen, |(rest, _)| rest).to_owned()
}
