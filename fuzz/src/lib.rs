//! What the targets share.

use std::cell::RefCell;
use std::path::PathBuf;

use komadai::joseki::{Joseki, Select, Selection};
use komadai::kifu::{RecordFormat, read_records, recognise};
use komadai::kyokumen::Kyokumen;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use tempfile::TempDir;

thread_local! {
    /// Where the books stand, for books are opened by their names.
    static FOLDER: RefCell<Option<TempDir>> = const { RefCell::new(None) };
}

fn path(ending: &str) -> PathBuf {
    FOLDER.with_borrow_mut(|folder| {
        let folder = folder.get_or_insert_with(|| tempfile::tempdir().unwrap());
        // LesserKai's books have a name of their own.
        folder.path().join(if ending == "public.bin" { ending.to_owned() } else { format!("book.{ending}") })
    })
}

/// Opens a book of these bytes, and asks everything of it that can be asked.
pub fn use_book(bytes: &[u8], ending: &str) {
    let path = path(ending);
    std::fs::write(&path, bytes).unwrap();
    let Ok(book) = Joseki::open(&path) else { return };
    let mut positions = vec![Kyokumen::hirate()];
    let listed = book.records().filter_map(|record| record.kyokumen).take(3);
    positions.extend(listed);
    for kyokumen in &positions {
        book.lookup(kyokumen);
        for select in [Select::Count, Select::Best, Select::Value] {
            let selection = Selection { select, ..Selection::default() };
            let mut random = ChaCha8Rng::seed_from_u64(1);
            let probe = selection.probe(std::slice::from_ref(&book), kyokumen, &mut random);
            assert!(probe.answer().is_none_or(|(te, _)| kyokumen.is_legal(te)));
            assert!(probe.candidates.iter().all(|candidate| kyokumen.is_legal(candidate.te.te)));
        }
    }
    book.verify(&mut |fault| assert!(fault.is_ascii(), "{fault}"));
    let whole: Vec<_> = book.parts(1).into_iter().flatten().collect();
    let parts: Vec<_> = book.parts(3).into_iter().flatten().collect();
    assert!(parts == whole);
}

/// Reads the games of a text: what they hold must be legal, and no more than the text can tell.
pub fn read_games(text: &str, format: RecordFormat) {
    let _ = recognise(text);
    let lines = 1 + text.matches(['\n', '\r']).count() as u64;
    for reading in read_records(text, format, 1) {
        assert!(reading.line >= 1 && reading.line <= lines);
        let Ok(game) = reading.game else { continue };
        let variations = (0..game.variations.len()).map(|index| game.line(index));
        for line in std::iter::once(game.moves.clone()).chain(variations) {
            let mut kyokumen = game.start.kyokumen();
            for te in line {
                assert!(kyokumen.is_legal(te));
                kyokumen.do_te(te);
            }
        }
        assert!(game.moves.len() <= text.len() && game.times.len() <= game.moves.len());
        assert!(game.cut.is_none() || game.ending.is_none());
    }
}
