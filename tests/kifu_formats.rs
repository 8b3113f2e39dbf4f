//! Records of all formats: told apart, read from samples, and read whatever has happened to them.

use std::path::{Path, PathBuf};

use komadai::kifu::{Ending, Game, Reading, RecordFormat, read_records, recognise};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/records");

fn readings(text: &str) -> Vec<Reading> {
    recognise(text).map(|format| read_records(text, format, 1).collect()).unwrap_or_default()
}

fn sample(name: &str) -> Game {
    let path = Path::new(SAMPLES).join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut readings = readings(&text);
    assert_eq!(readings.len(), 1, "{name}");
    readings.remove(0).game.unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Moves, ending and number of variations of the samples.
#[test]
fn samples_of_other_projects_are_read_whole() {
    for name in ["v1", "v2", "v2_1", "v2_2"] {
        let game = sample(&format!("csa-rs/fixtures_{name}.csa"));
        assert_eq!((game.moves.len(), game.ending, game.cut), (2, Some(Ending::Abort), None), "{name}");
        assert_eq!(game.names.0[0].as_deref(), Some("NAKAHARA"));
        assert_eq!(game.date.is_some(), name != "v1", "{name}");
    }
    let csa = |name: &str| sample(&format!("shogi-kifu-converter/data_tests_csa_{name}.csa"));
    for (name, handicap) in [
        ("initial_hirate", "even"),
        ("initial_ky", "lance"),
        ("initial_ka", "bishop"),
        ("initial_hi", "rook"),
        ("initial_2", "2-piece"),
        ("initial_4", "4-piece"),
        ("initial_6", "6-piece"),
    ] {
        assert_eq!(csa(name).start.handicap().map(|handicap| handicap.name()), Some(handicap), "{name}");
    }
    let problem = csa("tsumeshogi");
    assert_eq!((problem.moves.len(), problem.ending, problem.cut), (3, Some(Ending::Mate), None));
}

#[cfg(feature = "workshop")]
#[test]
fn samples_in_json_are_read_whole() {
    for (number, moves, variations) in [(1, 2, 0), (2, 0, 0), (5, 6, 0)] {
        let game = sample(&format!("tsshogi/src_tests_testdata_jkf_sample0{number}.jkf"));
        assert_eq!((game.moves.len(), game.variations.len(), game.cut), (moves, variations, None), "{number}");
    }
}

/// The committed samples, and some of each grammar that has none.
fn seeds() -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in ["csa-rs", "tsshogi", "shogi-kifu-converter", "../shogi-kifu-converter", "../mog-core-scala"] {
        let entries = std::fs::read_dir(Path::new(SAMPLES).join(folder)).unwrap();
        paths.extend(entries.map(|entry| entry.unwrap().path()));
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension != "md" && extension != "upstream"));
    paths.sort();
    let mut seeds: Vec<Vec<u8>> = paths.iter().map(|path| std::fs::read(path).unwrap()).collect();
    for text in [
        "V3.0\nN+a\n'black_rate:a:1.5\nPI82HI\n-\n-7162GI,T1.5,+7776FU\n%-ILLEGAL_ACTION\n'summary:toryo:a win:b lose\n/\nP-00AL\nP+59OU\n+",
        "position startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e resign\nsfen 4k4/9/9/9/9/9/9/9/4K4 b G 1 moves G*5b\n",
        "2024-05-31\teven\tsente\t1500\t-\tresign\t2\t7g7f 3c3d\n",
        "# KIF\n手合割：平手\n先手：a\n   1 ７六歩(77)   ( 0:16/00:00:16)\n   2 投了\n変化：1手\n   1 ２六歩(27)\n",
        "手合割：香落ち\n△３四歩 ▲７六歩\n",
    ] {
        seeds.push(text.as_bytes().to_vec());
    }
    seeds
}

/// One change to the text: a byte, a piece cut out, doubled, or one of another text put in.
fn mutate(text: &mut Vec<u8>, other: &[u8], random: &mut impl Rng) {
    if text.is_empty() {
        return text.extend_from_slice(other);
    }
    let at = random.random_range(0..text.len());
    let end = (at + random.random_range(1..40)).min(text.len());
    match random.random_range(0..5) {
        0 => text[at] = random.random(),
        1 => text[at] = b"+-%/,'\n\"{}[]:0123456789 "[random.random_range(0..24)],
        2 => drop(text.drain(at..end)),
        3 => {
            let piece = text[at..end].to_vec();
            text.splice(at..at, piece);
        }
        _ => {
            let from = random.random_range(0..other.len());
            let piece = &other[from..(from + 60).min(other.len())];
            text.splice(at..at, piece.iter().copied());
        }
    }
}

/// All lines of a game are legal, and no more than its text can hold.
fn check(reading: &Reading, text: &str) {
    let Ok(game) = &reading.game else { return };
    let lines = (0..game.variations.len()).map(|index| game.line(index));
    for line in std::iter::once(game.moves.clone()).chain(lines) {
        let mut kyokumen = game.start.kyokumen();
        for te in line {
            assert!(kyokumen.is_legal(te), "{te} in {text}");
            kyokumen.do_te(te);
        }
    }
    let held = game.moves.len() + game.variations.iter().map(|variation| variation.moves.len() + 1).sum::<usize>();
    assert!(held + game.times.len() <= text.len() + 1 && game.times.len() <= game.moves.len(), "{text}");
    let said: usize = game.comments.iter().map(|(_, comment)| comment.len() + 1).sum();
    assert!(said <= text.len(), "{text}");
    assert!(game.cut.is_none() || game.ending.is_none() && game.winner.is_none(), "{text}");
    assert!(reading.line >= 1 && reading.line <= 1 + text.matches(['\n', '\r']).count() as u64, "{text}");
}

#[test]
fn damaged_records_are_read_without_harm() {
    let (seeds, mut random) = (seeds(), ChaCha8Rng::seed_from_u64(21));
    let (mut read, mut games) = (0, 0);
    for round in 0..4000 {
        let mut bytes = seeds[round % seeds.len()].clone();
        for _ in 0..random.random_range(1..6) {
            let other = &seeds[random.random_range(0..seeds.len())];
            mutate(&mut bytes, other, &mut random);
        }
        let text = String::from_utf8_lossy(&bytes);
        for format in RecordFormat::ALL.into_iter().filter(|&format| recognise(&text) == Ok(format) || round % 7 == 0) {
            for reading in read_records(&text, format, 1) {
                check(&reading, &text);
                read += 1;
                games += usize::from(reading.game.is_ok_and(|game| !game.moves.is_empty()));
            }
        }
    }
    assert!(read > 1000 && games > 500, "{read} readings, {games} games with moves: too few to tell anything");
}
