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

/// Positions of random games from the even start and from the vectors.
fn positions() -> Vec<Kyokumen> {
    use rand::{SeedableRng, seq::IndexedRandom};
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(2);
    let starts = VECTORS.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').next().unwrap());
    let mut positions = Vec::new();
    for sfen in starts {
        let mut kyokumen = Kyokumen::from_sfen(sfen).unwrap();
        for _ in 0..60 {
            positions.push(kyokumen.clone());
            let Some(&te) = kyokumen.legal_te().choose(&mut rng) else { break };
            kyokumen.do_te(te);
        }
    }
    assert!(positions.len() > 3_000);
    positions
}

fn text_of(packed: &PackedKyokumen) -> Option<String> {
    let mut text = b"before ".to_vec();
    let written = packed.push_sfen(&mut text);
    assert!(text.starts_with(b"before ") && (written || text.len() == 7));
    written.then(|| String::from_utf8(text.split_off(7)).unwrap())
}

#[test]
fn the_direct_way_between_sfen_and_packing_leads_where_the_long_one_does() {
    for kyokumen in positions() {
        let (packed, text) = (kyokumen.pack().unwrap(), kyokumen.to_sfen_without_ply());
        for sfen in [text.clone(), kyokumen.to_sfen(), format!(" {text}\t5 more")] {
            assert_eq!(PackedKyokumen::from_sfen(sfen.as_bytes()), Some(packed), "{sfen}");
        }
        assert_eq!(text_of(&packed), Some(text));
    }
}

#[test]
fn the_direct_way_accepts_no_more_and_no_less() {
    use rand::{RngExt, SeedableRng, seq::IndexedRandom};
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(3);
    let (mut good, mut bad, mut packings) = (0, 0, 0);
    let check = |text: &str, good: &mut u32, bad: &mut u32| {
        let fields: Vec<&str> = text.split_ascii_whitespace().take(3).collect();
        let want = Kyokumen::from_sfen(&fields.join(" ")).ok().and_then(|kyokumen| kyokumen.pack());
        *if want.is_some() { good } else { bad } += 1;
        assert_eq!(PackedKyokumen::from_sfen(text.as_bytes()), want, "{text:?}");
    };
    for kyokumen in positions() {
        for _ in 0..4 {
            let mut text = kyokumen.to_sfen_without_ply().into_bytes();
            for _ in 0..rng.random_range(1..4) {
                let at = rng.random_range(0..text.len());
                let byte = *b"123456789/+PpLlNnSsGgBbRrKkw -0\t~".choose(&mut rng).unwrap();
                match rng.random_range(0..4) {
                    0 => text.insert(at, byte),
                    1 => drop(text.remove(at)),
                    2 => text.swap(at, rng.random_range(0..at + 1)),
                    _ => text[at] = byte,
                }
            }
            check(std::str::from_utf8(&text).unwrap(), &mut good, &mut bad);
        }
        let mut packed = kyokumen.pack().unwrap();
        let bit = rng.random_range(0..256);
        packed.0[bit / 8] ^= 1 << (bit % 8);
        let want = packed.unpack().map(|kyokumen| kyokumen.to_sfen_without_ply());
        packings += u32::from(want.is_some());
        assert_eq!(text_of(&packed), want, "{kyokumen:?} and bit {bit}");
    }
    assert!(good > 500 && bad > 3_000 && packings > 100, "{good} {bad} {packings}");
    for hands in ["-", "2P", "20P", "P2", "99P", "999P", "0P", "9P9P", "9P9p", "9P9Pp", "rR", "2rR", "kP", "P-", "P+"] {
        check(&format!("4k4/9/9/9/9/9/9/9/4K4 b {hands}"), &mut good, &mut bad);
    }
    for text in
        ["", "9", "4k4/9/9/9/9/9/9/9/4K4", "4k4/9/9/9/9/9/9/9/4K4 b", "4k4/9/9/9/9/9/9/9/4K4/9 b -", "///////// b -"]
    {
        check(text, &mut good, &mut bad);
    }
    assert_eq!(PackedKyokumen::from_sfen(b"4k4/9/9/9/9/9/9/9/4K4 b \xff"), None);
    assert_eq!(text_of(&PackedKyokumen([0; 32])), None);
    assert_eq!(text_of(&PackedKyokumen([0xff; 32])), None);
}
