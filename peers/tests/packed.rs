//! Packed positions, which rsshogi has too.

use komadai::kyokumen::{Kyokumen, PackedKyokumen};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rsshogi::board::{PackedSfen, Position};

/// Full sets, and handicaps, whose missing pieces are packed as well.
const STARTS: [&str; 6] = [
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "4k4/9/9/9/9/9/9/9/4K4 b 2R2B4G4S4N4L18P 1",
    "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 3p 1",
    "4k4/9/9/9/9/9/9/9/4K4 b - 1",
];

#[test]
fn positions_of_random_games_are_packed_and_unpacked_as_by_rsshogi() {
    for start in STARTS {
        for seed in 0..20 {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let mut kyokumen: Kyokumen = start.parse().unwrap();
            for _ in 0..120 {
                compare(&kyokumen);
                let moves = kyokumen.legal_te();
                if moves.is_empty() {
                    break;
                }
                kyokumen.do_te(moves[random.random_range(0..moves.len())]);
            }
        }
    }
}

fn compare(kyokumen: &Kyokumen) {
    let sfen = kyokumen.to_sfen();
    let theirs = *Position::from_sfen(&sfen).unwrap().to_packed_sfen().as_bytes();
    let ours = kyokumen.pack().unwrap();
    assert_eq!(ours.0, theirs, "{sfen}");
    let unpacked = PackedKyokumen(theirs).unpack().unwrap_or_else(|| panic!("packed by rsshogi: {sfen}"));
    assert_eq!(unpacked.to_sfen_without_ply(), kyokumen.to_sfen_without_ply());
    let mut position = Position::empty();
    position.set_packed_sfen(&PackedSfen::from_bytes(ours.0), false, 1).unwrap();
    assert_eq!(position.to_sfen(Some(-1)), kyokumen.to_sfen_without_ply());
}
