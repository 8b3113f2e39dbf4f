//! The positions that are measured.

use komadai::kyokumen::{Kyokumen, Te};

pub const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
/// A middle game with much in hand, often used to compare generators.
pub const MATSURI: &str = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
/// 593 legal moves, the most there are.
pub const MAX: &str = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";

/// From the opening to the endgame, without and with pieces in hand; none is in check.
pub const MIDDLE_GAMES: [&str; 6] = [
    "lnsgk1snl/1r4gb1/p1pppp1pp/6p2/1p5P1/2P6/PPSPPPP1P/1B5R1/LN1GKGSNL b - 11",
    "ln1g3nl/1ks1gr3/1ppppsbpp/p4pp2/7P1/P1P1P1P2/1PBPSP1SP/2GR2GK1/LN5NL b - 31",
    "ln3gsnl/1r1sk4/p1ppppgpp/1p4p2/7P1/2P1P4/PP1P1PP1P/1S2G2R1/LN1GK1SNL w Bb 19",
    MATSURI,
    "lR1B3nl/2gp5/ks3p3/pp4p1p/4P4/P1P2P1PP/1PS3P2/1KG6/LN3+r1NL b GSN2Pbgs2p 89",
    "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
];

pub fn read(sfen: &str) -> Kyokumen {
    sfen.parse().unwrap_or_else(|error| panic!("{sfen}: {error}"))
}

/// The middle games, each with its legal moves.
pub fn middle_games() -> Vec<(Kyokumen, Vec<Te>)> {
    let with_moves = |sfen: &&str| {
        let kyokumen = read(sfen);
        let moves = kyokumen.legal_te().to_vec();
        (kyokumen, moves)
    };
    MIDDLE_GAMES.iter().map(with_moves).collect()
}
