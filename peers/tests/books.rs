//! Books, of which rsshogi reads and writes the formats `.db`, `.ybb` and `.sbk`; the others it does not know.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;
use std::path::{Path, PathBuf};

use komadai::joseki::copy::{self, Rules};
use komadai::joseki::{Entry, Format, Joseki, JosekiTe, Stored, WriteOptions};
use komadai::kyokumen::{PackedKyokumen, Te};
use rsshogi::board::{PackedSfen, Position};
use rsshogi::book::{
    SbkBook, SbkEntry, YaneuraOuAccessMode, YaneuraOuBook, YaneuraOuBookEntry, YaneuraOuBookMove,
    YaneuraOuBookOpenOptions, YbbBook, YbbBookOpenOptions, YbbEntry, YbbMove, YbbStorageMode, YbbWriteOptions,
    YbbWriter,
};
use rsshogi::types::Move;
use tempfile::TempDir;

/// Every so many positions of the standard book are taken.
const STEP: usize = 40;

type Positions = BTreeMap<PackedKyokumen, Entry>;

/// Some positions of the standard book, and the small books among the tests' data, as this library reads them.
fn books() -> Vec<(String, Positions)> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/shogihome");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(data).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths
        .retain(|path| path.extension().is_some_and(|ending| ["db", "ybb", "sbk", "bin"].iter().any(|e| ending == *e)));
    paths.sort();
    let mut books: Vec<_> =
        paths.iter().map(|path| (path.display().to_string(), positions(&Joseki::open(path).unwrap(), 1))).collect();
    assert!(books.len() > 10, "{books:?}");
    books.push(("standard.joseki".to_owned(), positions(&Joseki::standard().unwrap(), STEP)));
    assert!(books.last().unwrap().1.len() > 300);
    books
}

/// Every so many positions, counted in the book's order.
fn positions(book: &Joseki, step: usize) -> Positions {
    let stored = book.parts(1).into_iter().flatten().filter_map(|stored| match stored {
        Stored::Position(packed, entry) => Some((packed, entry)),
        Stored::Lost(_) => None,
    });
    let mut positions = Positions::new();
    for (packed, entry) in stored.step_by(step) {
        positions.entry(packed).or_insert(entry);
    }
    positions
}

/// These positions as a file of a format.
fn write(positions: &Positions, format: Format) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("source");
    // Sorted as their own format wants them.
    let mut sorted: Vec<_> = positions.iter().collect();
    sorted.sort_by_key(|(packed, _)| komadai::joseki::Writer::sort_key(packed));
    let mut writer = komadai::joseki::Writer::create(&source, "").unwrap();
    sorted.into_iter().for_each(|(packed, entry)| writer.push(packed, entry).unwrap());
    writer.finish().unwrap();
    let target = folder.path().join("target").with_extension(format.name());
    let book = Joseki::open(&source).unwrap();
    copy::copy(vec![book], &target, format, &WriteOptions::default(), &Rules::default(), &()).unwrap();
    (folder, target)
}

/// The position in their packing, which is the same.
fn theirs(packed: &PackedKyokumen) -> Position {
    rsshogi::board::init();
    let mut position = Position::empty();
    position.set_packed_sfen(&PackedSfen::from_bytes(packed.0), false, 1).unwrap();
    position
}

fn ours(te: Move) -> Te {
    te.to_usi().parse().unwrap()
}

fn theirs_te(te: Te) -> Move {
    Move::from_usi(&te.to_string()).unwrap()
}

/// Other positions: those after each move of the book that are not there themselves.
fn others(positions: &Positions) -> BTreeSet<PackedKyokumen> {
    let mut others = BTreeSet::new();
    for (packed, entry) in positions {
        let kyokumen = packed.unpack().unwrap();
        for te in entry.moves.iter().filter(|te| kyokumen.is_legal(te.te)) {
            let mut after = kyokumen.clone();
            after.do_te(te.te);
            others.extend(after.pack().filter(|packed| !positions.contains_key(packed)));
        }
    }
    others
}

/// What a `.ybb` holds of an entry: ply, then move, value and depth.
fn as_in_ybb(entry: &Entry, has_depth: bool) -> (u16, Vec<(Te, i16, Option<u16>)>) {
    let value = |te: &JosekiTe| te.known_value().map_or(i16::MIN, |value| value.clamp(-32767, 32767) as i16);
    let depth = |te: &JosekiTe| has_depth.then(|| te.depth.unwrap_or(0).min(65535) as u16);
    let moves = entry.moves.iter().map(|te| (te.te, value(te), depth(te))).collect();
    (entry.tesu.and_then(|tesu| tesu.try_into().ok()).unwrap_or(0), moves)
}

fn read_ybb(entry: &YbbEntry) -> (u16, Vec<(Te, i16, Option<u16>)>) {
    let moves = entry.moves().iter().map(|te| (ours(te.mv()), te.eval(), te.depth()));
    (entry.ply(), moves.collect())
}

#[test]
fn rsshogi_finds_in_a_ybb_what_was_written() {
    for (name, positions) in books() {
        let (_folder, path) = write(&positions, Format::Ybb);
        for storage in [YbbStorageMode::Memory, YbbStorageMode::File] {
            let options = YbbBookOpenOptions::new().with_ignore_ply(true).with_storage_mode(storage);
            // It looks at all of the file, and wants the order.
            let book = YbbBook::open_with_options(&path, options).unwrap();
            let has_depth = positions.values().flat_map(|entry| &entry.moves).any(|te| te.depth.is_some());
            assert_eq!((book.len(), book.has_depth()), (positions.len() as u64, has_depth), "{name}");
            assert_eq!(book.diagnose_full().unwrap().duplicate_row_count(), 0);
            for ((packed, entry), read) in positions.iter().zip(book.iter_entries()) {
                let (read, sfen) = (read.unwrap(), theirs(packed).to_sfen(None));
                let found = book.lookup_position(&theirs(packed)).unwrap().unwrap();
                assert_eq!((read.packed_sfen().as_bytes(), &read), (&packed.0, &found), "{name}: {sfen}");
                assert_eq!(read_ybb(&read), as_in_ybb(entry, has_depth), "{name}: {sfen}");
            }
            for packed in others(&positions) {
                assert_eq!(book.lookup_position(&theirs(&packed)).unwrap(), None, "{name}");
            }
        }
    }
}

#[test]
fn rsshogi_writes_the_same_ybb_byte_by_byte() {
    for (name, positions) in books() {
        let (_folder, path) = write(&positions, Format::Ybb);
        let has_depth = positions.values().flat_map(|entry| &entry.moves).any(|te| te.depth.is_some());
        let options = YbbWriteOptions::new().with_depth(has_depth);
        let mut writer = YbbWriter::new(Cursor::new(Vec::new()), positions.len() as u64, options).unwrap();
        for (packed, entry) in &positions {
            let (tesu, moves) = as_in_ybb(entry, has_depth);
            let moves = moves.into_iter().map(|(te, value, depth)| YbbMove::new(theirs_te(te), value, depth).unwrap());
            let entry = YbbEntry::new(PackedSfen::from_bytes(packed.0), tesu, moves.collect()).unwrap();
            writer.write_entry(&entry).unwrap();
        }
        let bytes = writer.finish().unwrap().into_inner();
        assert!(std::fs::read(path).unwrap() == bytes, "{name}");
    }
}

/// Of a move in a `.db`: move, reply, value, depth and count.
type InDb = (Te, Option<Te>, Option<i32>, Option<u32>, Option<u64>);

fn as_in_db(te: &JosekiTe) -> InDb {
    (te.te, te.ponder, te.value, te.depth, te.count)
}

fn read_db(te: &YaneuraOuBookMove) -> InDb {
    (ours(te.mv()), te.ponder().is_normal().then(|| ours(te.ponder())), te.score(), te.depth(), te.count())
}

#[test]
fn rsshogi_finds_in_a_db_what_was_written() {
    for (name, positions) in books() {
        let (_folder, path) = write(&positions, Format::Db);
        let mode = YaneuraOuAccessMode::ValidateFullBeforeLookup;
        let options = YaneuraOuBookOpenOptions::with_access_mode(mode);
        // Refused where positions are out of order.
        let book = YaneuraOuBook::open_with_options(&path, options).unwrap();
        let all: Result<Vec<YaneuraOuBookEntry>, _> = book.iter_entries().unwrap().collect();
        assert_eq!(all.unwrap().len(), positions.len(), "{name}");
        for (packed, entry) in &positions {
            let found = book.lookup_position(&theirs(packed)).unwrap().unwrap();
            let sfen = found.sfen();
            // Most counted first.
            let set = |moves: Vec<InDb>| moves.into_iter().map(|te| (te.0.to_string(), te)).collect::<BTreeMap<_, _>>();
            let read = set(found.moves().iter().map(read_db).collect());
            assert_eq!(read, set(entry.moves.iter().map(as_in_db).collect()), "{name}: {sfen}");
            assert_eq!(found.moves().len(), entry.moves.len(), "{name}: {sfen}");
            assert!(entry.tesu.is_none() || found.original_ply() == entry.tesu, "{name}: {sfen}");
        }
        for packed in others(&positions) {
            assert_eq!(book.lookup_position(&theirs(&packed)).unwrap(), None, "{name}");
        }
    }
}

#[test]
fn rsshogi_finds_in_an_sbk_what_was_written() {
    for (name, positions) in books() {
        let (_folder, path) = write(&positions, Format::Sbk);
        let book = SbkBook::open(&path).unwrap();
        assert_eq!(book.diagnostics().unresolved_next_states(), 0, "{name}");
        assert_eq!(book.diagnostics().duplicate_positions(), 0, "{name}");
        let mut moves = 0;
        for (packed, entry) in &positions {
            let kyokumen = packed.unpack().unwrap();
            // The format has room for legal moves only.
            let legal: Vec<_> = entry.moves.iter().filter(|te| kyokumen.is_legal(te.te)).collect();
            if legal.is_empty() {
                continue;
            }
            let found: SbkEntry = book.lookup_position(&theirs(packed)).unwrap().unwrap();
            let read = found.moves().iter().map(|te| (ours(te.mv()), te.weight()));
            let want = legal.iter().map(|te| (te.te, te.count.map(|count| count.min(i32::MAX as u64) as i32)));
            assert_eq!(read.collect::<Vec<_>>(), want.collect::<Vec<_>>(), "{name}: {}", found.sfen());
            // What a move leads to is the position after it.
            for (nth, te) in legal.iter().enumerate() {
                let mut after = kyokumen.clone();
                after.do_te(te.te);
                let child = book.child_entry(&found, nth).unwrap().unwrap();
                let sfen = Position::from_sfen(child.sfen()).unwrap().to_sfen(Some(-1));
                assert_eq!(sfen, after.to_sfen_without_ply(), "{name}");
            }
            moves += legal.len();
        }
        let stored: usize = book.iter_entries().map(|entry| entry.unwrap().moves().len()).sum();
        assert_eq!(stored, moves, "{name}");
        for packed in others(&positions) {
            let found = book.lookup_position(&theirs(&packed)).unwrap();
            assert!(found.is_some_and(|entry| entry.moves().is_empty()), "{name}: a leaf");
        }
    }
}
