//! What the tests of books share.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use komadai::joseki::{Annotation, Entry, Joseki, JosekiTe, Probe, Selection, Writer};
use komadai::kyokumen::{Kyokumen, Te};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tempfile::TempDir;

pub const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b -";
pub const AFTER_7G7F: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w -";
pub const AFTER_2G2F: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/7P1/PPPPPPP1P/1B5R1/LNSGKGSNL w -";

pub fn te(usi: &str) -> Te {
    usi.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// The even start after these moves.
pub fn after(moves: &str) -> Kyokumen {
    let mut kyokumen = Kyokumen::hirate();
    for usi in moves.split_whitespace() {
        assert!(kyokumen.is_legal(te(usi)), "{usi}");
        kyokumen.do_te(te(usi));
    }
    kyokumen
}

/// A book of these bytes, recognised by them.
pub fn book(bytes: impl AsRef<[u8]>) -> Joseki {
    open_bytes(bytes.as_ref()).unwrap_or_else(|error| panic!("{error}"))
}

pub fn open_bytes(bytes: &[u8]) -> Result<Joseki, komadai::joseki::JosekiError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.book");
    std::fs::write(&path, bytes).unwrap();
    Joseki::open(&path)
}

/// Writes a book in the own format and returns its bytes.
pub fn own_format(entries: &[(Kyokumen, Entry)], provenance: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.joseki");
    write(entries, provenance, &path);
    std::fs::read(&path).unwrap()
}

pub fn write(entries: &[(Kyokumen, Entry)], provenance: &str, path: &Path) {
    let mut packed: Vec<_> = entries.iter().map(|(kyokumen, entry)| (kyokumen.pack().unwrap(), entry)).collect();
    packed.sort_by_key(|(packed, _)| Writer::sort_key(packed));
    let mut writer = Writer::create(path, provenance).unwrap();
    for (packed, entry) in packed {
        writer.push(&packed, entry).unwrap();
    }
    writer.finish().unwrap();
}

/// The moves of a position with `usi count` each.
pub fn counts(entry: &Entry) -> Vec<(String, Option<u64>)> {
    entry.moves.iter().map(|te| (te.te.to_string(), te.count)).collect()
}

pub fn find(entry: &Entry, usi: &str) -> JosekiTe {
    entry.moves.iter().find(|known| known.te == te(usi)).unwrap_or_else(|| panic!("no {usi}")).clone()
}

pub fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

pub fn probe(selection: &Selection, book: Joseki, kyokumen: &Kyokumen) -> Probe {
    selection.probe(&[book], kyokumen, &mut rng(1))
}

/// How often each move was chosen in so many probes, in the order of the candidates; the last number counts none.
pub fn frequencies(selection: &Selection, books: &[Joseki], kyokumen: &Kyokumen, probes: usize) -> Vec<u64> {
    let mut rng = rng(7);
    let mut times = vec![0; selection.probe(books, kyokumen, &mut rng).candidates.len() + 1];
    for _ in 0..probes {
        let chosen = selection.probe(books, kyokumen, &mut rng).chosen;
        let none = times.len() - 1;
        times[chosen.unwrap_or(none)] += 1;
    }
    times
}

/// Positions of random games, every one with a move or more and random figures.
pub fn random_book(games: usize, seed: u64) -> Vec<(Kyokumen, Entry)> {
    let mut rng = rng(seed);
    let mut entries = std::collections::BTreeMap::new();
    for _ in 0..games {
        let mut kyokumen = Kyokumen::hirate();
        for _ in 0..60 {
            let legal = kyokumen.legal_te();
            if legal.is_empty() {
                break;
            }
            let some = |rng: &mut dyn Rng, limit: u64| (rng.random_range(0..3) > 0).then(|| rng.random_range(0..limit));
            let moves = legal.iter().take(1 + rng.random_range(0..3)).map(|&te| JosekiTe {
                count: some(&mut rng, u64::MAX),
                wins: some(&mut rng, 200),
                value: some(&mut rng, 2000).map(|value| value as i32 - 1000),
                rating: some(&mut rng, 3000).map(|rating| rating as u32),
                ..JosekiTe::new(te)
            });
            let entry = Entry { tesu: Some(kyokumen.tesu()), comment: None, moves: moves.collect() };
            let te = legal[rng.random_range(0..legal.len())];
            entries.insert(kyokumen.pack().unwrap(), (kyokumen.clone(), entry));
            kyokumen.do_te(te);
        }
    }
    entries.into_values().collect()
}

/// A move of which everything is known.
pub fn full(usi: &str) -> JosekiTe {
    JosekiTe {
        ponder: Some(te("3c3d")),
        count: Some(20),
        wins: Some(12),
        draws: Some(1),
        losses: Some(7),
        value: Some(-35),
        depth: Some(12),
        rating: Some(1500),
        opponent_rating: Some(1480),
        annotation: Some(Annotation::Good),
        comment: Some("a".into()),
        ..JosekiTe::new(te(usi))
    }
}

/// A folder with the text book `a.db`, in which subcommands of `komadai joseki` run.
pub struct Workshop {
    pub folder: TempDir,
    subcommand: &'static [&'static str],
}

impl Workshop {
    pub fn with(text: &str, subcommand: &'static [&'static str]) -> Workshop {
        let workshop = Workshop { folder: tempfile::tempdir().unwrap(), subcommand };
        std::fs::write(workshop.path("a.db"), text).unwrap();
        workshop
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_komadai"));
        command.arg("joseki").args(self.subcommand).args(arguments).current_dir(self.folder.path());
        command.env("KOMADAI_INI", self.path("komadai.ini"));
        command
    }

    /// Runs a command that must succeed: what it says, and what it complains about.
    pub fn run(&self, arguments: &[&str]) -> (String, String) {
        let Output { status, stdout, stderr } = self.command(arguments).output().unwrap();
        let (stdout, stderr) = (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap());
        assert!(status.success(), "{arguments:?}: {stderr}");
        (stdout, stderr)
    }
}
