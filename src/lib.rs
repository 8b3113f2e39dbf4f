//! Komadai: a shogi engine that speaks USI, and the parts to build your own.

pub mod hyoka;
pub mod joseki;
pub mod kifu;
pub mod kyokumen;
pub mod settings;
pub mod sikou;
pub mod usi;
