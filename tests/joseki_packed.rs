//! The 256-bit packing, against vectors computed with another library.

use komadai::kyokumen::{Kyokumen, PackedKyokumen};

/// Lines of `SFEN without ply TAB 64 hexadecimal digits`: starts, handicaps, full and empty hands, random games.
const VECTORS: &str = include_str!("data/packed.tsv");

fn bytes(hex: &str) -> PackedKyokumen {
    assert_eq!(hex.len(), 64, "{hex}");
    PackedKyokumen(std::array::from_fn(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()))
}

fn check(line: &str) {
    let (sfen, hex) = line.split_once('\t').unwrap();
    let kyokumen = Kyokumen::from_sfen(sfen).unwrap();
    assert_eq!(kyokumen.pack(), Some(bytes(hex)), "{sfen}");
    assert_eq!(bytes(hex).unpack(), Some(kyokumen), "{sfen}");
}

#[test]
fn positions_pack_and_unpack_as_other_programs_do() {
    let lines = VECTORS.lines().filter(|line| !line.starts_with('#'));
    assert!(lines.clone().count() > 60);
    lines.for_each(check);
}

#[test]
fn what_packs_no_position_is_refused() {
    let start = Kyokumen::hirate().pack().unwrap();
    let mut refused = 0;
    for bit in 0..256 {
        let mut bytes = start;
        bytes.0[bit / 8] ^= 1 << (bit % 8);
        match bytes.unpack() {
            // The turn, the side of a piece: still a position, but another one that packs to these bytes.
            Some(kyokumen) => assert_eq!(kyokumen.pack(), Some(bytes)),
            None => refused += 1,
        }
    }
    assert!(refused > 128, "{refused}");
    assert_eq!(PackedKyokumen([0; 32]).unpack(), None);
    assert_eq!(PackedKyokumen([0xff; 32]).unpack(), None);
}

#[test]
fn random_bytes_unpack_to_nothing_or_to_what_packs_to_them() {
    use rand::{Rng, SeedableRng};
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
    for _ in 0..20_000 {
        let mut bytes = PackedKyokumen([0; 32]);
        rng.fill_bytes(&mut bytes.0);
        if let Some(kyokumen) = bytes.unpack() {
            assert_eq!(kyokumen.pack(), Some(bytes));
        }
    }
}

#[test]
fn a_position_without_a_king_does_not_pack() {
    assert_eq!(Kyokumen::from_sfen("4k4/9/9/9/9/9/9/9/9 b - 1").unwrap().pack(), None);
}

#[test]
fn the_ply_is_no_part_of_the_packing() {
    let other = Kyokumen::from_sfen("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 77").unwrap();
    assert_eq!(other.pack(), Kyokumen::hirate().pack());
}
