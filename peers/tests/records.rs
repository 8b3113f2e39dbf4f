//! Records, which rsshogi reads too: the samples of the repository, and of a folder beside it where there is one.

use std::path::{Path, PathBuf};

use encoding_rs::SHIFT_JIS;
use komadai::kifu::{Reading, RecordFormat, read_records, recognise};
use komadai::kyokumen::Kyokumen;
use rsshogi::records::{Record, parse_csa_games, parse_jkf_str, parse_ki2_str, parse_kif_str};

/// Files that we read otherwise, or not at all, while rsshogi reads them, and why we are right.
const DIFFERENCES: [(&str, &str); 6] = [
    ("data_tests_csa_tsumeshogi.csa", "P-00AL gives Gote all pieces that are not on the board: 14 pawns, not 5"),
    ("packages_Kifu-for-JS_examples_files_ki2_9fu.ki2", "nine pawns on a file are no position of shogi"),
    ("packages_json-kifu-format_test_files_csa_9fu.csa", "the same position"),
    ("packages_json-kifu-format_test_files_csa_9fu_komabetsu.csa", "the same position"),
    ("packages_json-kifu-format_test_files_ki2_9fu.ki2", "the same position"),
    ("packages_json-kifu-format_test_files_kif_9fu.kif", "the same position"),
];

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() { collect(&path, paths) } else { paths.push(path) }
    }
}

/// Start and main line of each game, for one reader.
type Games = Vec<(String, Vec<String>)>;

fn ours(readings: impl Iterator<Item = Reading>) -> Option<Games> {
    let games = readings.map(|reading| reading.game.ok());
    let told = games.map(|game| {
        let game = game?;
        let moves = game.moves.iter().map(ToString::to_string).collect();
        Some((game.start.kyokumen().to_sfen(), moves))
    });
    told.collect()
}

fn theirs(text: &str, format: RecordFormat) -> Option<Games> {
    let records: Vec<Record> = match format {
        RecordFormat::Csa => parse_csa_games(text).ok()?,
        RecordFormat::Jkf => vec![parse_jkf_str(text).ok()?],
        RecordFormat::Kif => vec![parse_kif_str(text).ok()?],
        RecordFormat::Ki2 => vec![parse_ki2_str(text).ok()?],
        RecordFormat::Lines => return None,
    };
    let told = records.iter().map(|record| {
        let moves = record.main_moves().map(|entry| entry.mv().to_usi()).collect();
        // Writers of SFEN differ in the order of the pieces in hand.
        let start = record.init_position_sfen();
        (Kyokumen::from_sfen(start).map_or_else(|_| start.to_owned(), |start| start.to_sfen()), moves)
    });
    Some(told.collect())
}

#[test]
fn records_have_the_same_moves_as_rsshogi_finds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut paths = Vec::new();
    collect(&root.join("tests/data"), &mut paths);
    let committed = paths.len();
    collect(&root.join("../shared/data/records"), &mut paths);
    let has_more = paths.len() > committed;
    let (mut same, mut different) = (0, Vec::new());
    for path in paths {
        let bytes = std::fs::read(&path).unwrap();
        let text = String::from_utf8(bytes).unwrap_or_else(|error| SHIFT_JIS.decode(error.as_bytes()).0.into_owned());
        let Some(format) = recognise(&text).ok() else { continue };
        let Some(theirs) = theirs(&text, format) else { continue };
        let ours = ours(read_records(&text, format, 1));
        if ours.as_ref() == Some(&theirs) {
            same += 1;
        } else {
            println!("{}:\n  ours {ours:?}\n  theirs {theirs:?}", path.display());
            different.push(path.file_name().unwrap().to_string_lossy().into_owned());
        }
    }
    assert!(same >= 30, "only {same} records were compared");
    different.sort();
    different.dedup();
    let known = DIFFERENCES.map(|(name, _)| name);
    assert!(different.iter().all(|name| known.contains(&name.as_str())), "{different:?}");
    assert!(!has_more || different == known, "no difference any more: {different:?}");
}
