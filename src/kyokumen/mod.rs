//! The game of shogi: board, pieces, moves, rules. No I/O, no search, and no allocation in making moves.
//!
//! [`Kyokumen`] is a position; [`Te`] a move; [`Rireki`] the history that decides about sennichite; [`Taikyoku`] both
//! together. Positions are read and written as [SFEN](sfen), moves in USI notation.

pub(crate) mod around;
mod checks;
mod compact;
mod control;
mod direction;
mod do_te;
mod generate;
pub(crate) mod guards;
mod hash;
mod koma;
mod legal;
pub(crate) mod level;
mod masu;
mod masu_set;
mod mate_in_one;
mod motigoma;
mod nyugyoku;
mod packed;
mod packed_sfen;
mod perft;
mod position;
mod rireki;
mod safety;
mod see;
pub mod sfen;
mod sink;
mod te;
mod te_list;
mod teban;

pub use do_te::Change;
pub use koma::{Koma, Syurui};
pub use level::instruction_set;
pub use masu::{Dan, Masu, Suji};
pub use masu_set::MasuSet;
pub use motigoma::Motigoma;
pub use nyugyoku::{Declaration, NyugyokuRule};
pub use packed::PackedKyokumen;
pub use perft::{PerftMode, perft};
pub use position::{Kyokumen, Tesu};
pub use rireki::{Rireki, Sennichite, Taikyoku};
pub use see::ExchangeValues;
pub use sfen::SfenError;
pub use te::{Te, TeError};
pub use te_list::{MAX_TE, TeList};
pub use teban::{ByTeban, Teban};
