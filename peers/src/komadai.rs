//! Komadai itself.

use komadai::kyokumen::{Kyokumen, PerftMode, Te, perft};

use crate::{Peer, sorted};

struct Komadai(Kyokumen);

pub fn read(sfen: &str) -> Box<dyn Peer> {
    Box::new(Komadai(sfen.parse().unwrap_or_else(|error| panic!("{sfen}: {error}"))))
}

impl Peer for Komadai {
    fn name(&self) -> &'static str {
        "komadai"
    }

    fn perft(&mut self, depth: u32, mode: PerftMode) -> Option<u64> {
        Some(perft(&mut self.0, depth, mode))
    }

    fn moves(&self) -> Vec<String> {
        sorted(self.0.legal_te().iter().map(Te::to_string))
    }

    fn play(&mut self, te: &str) {
        self.0.do_te(te.parse().unwrap_or_else(|error| panic!("{error}")));
    }

    fn in_check(&self) -> bool {
        self.0.is_oute()
    }

    fn sfen(&self) -> String {
        self.0.to_sfen_without_ply()
    }
}
