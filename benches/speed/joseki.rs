//! Looking positions up in books, of all formats that can be read.

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, Throughput};
use komadai::joseki::{DbOptions, DbWriter, Entry, Joseki, Selection, Writer, YbbWriter};
use komadai::kyokumen::{Kyokumen, PackedKyokumen};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

criterion::criterion_group!(benches, joseki);

/// How many positions of the embedded book go into the books that are written here.
const WRITTEN: usize = 5_000;
/// How many of them are looked up in one go; as many more positions are misses.
const LOOKED_UP: usize = 500;

type Known = (Kyokumen, PackedKyokumen, Entry);

fn joseki(criterion: &mut Criterion) {
    let standard = Joseki::standard().expect("the embedded book is good");
    let known: Vec<Known> = standard.records().take(WRITTEN).filter_map(known).collect();
    assert!(known.len() > LOOKED_UP, "the embedded book has {} positions", known.len());
    let hits: Vec<Kyokumen> = known.iter().step_by(known.len() / LOOKED_UP).map(|(hit, ..)| hit.clone()).collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let own = folder.path().join("some.joseki");
    write_own(&own, &known);
    let db = folder.path().join("some.db");
    std::fs::write(&db, db_text(&known)).expect("a book in the temporary folder");
    let sorted_db = folder.path().join("sorted.db");
    write_sorted_db(&sorted_db, &known);
    let ybb = folder.path().join("some.ybb");
    write_ybb(&ybb, &known);

    let books = [
        ("embedded", standard),
        ("own file", open(&own)),
        ("ybb file", open(&ybb)),
        ("db file", open(&db)),
        ("sorted db file", open(&sorted_db)),
    ];
    for (name, book) in books {
        let misses = misses(&hits, &book);
        assert!(hits.iter().all(|kyokumen| book.lookup(kyokumen).is_some()), "{name} misses what was written");
        let mut group = criterion.benchmark_group(format!("joseki {name}"));
        group.throughput(Throughput::Elements(hits.len() as u64));
        group.bench_function("lookup", |bencher| {
            bencher.iter(|| hits.iter().filter_map(|kyokumen| black_box(book.lookup(kyokumen))).count());
        });
        let books = [book];
        let mut random = ChaCha8Rng::seed_from_u64(0);
        let selection = Selection::default();
        group.bench_function("probe", |bencher| {
            bencher.iter(|| {
                hits.iter().filter(|kyokumen| selection.probe(&books, kyokumen, &mut random).chosen.is_some()).count()
            });
        });
        group.throughput(Throughput::Elements(misses.len() as u64));
        group.bench_function("lookup of a miss", |bencher| {
            bencher.iter(|| misses.iter().filter_map(|kyokumen| black_box(books[0].lookup(kyokumen))).count());
        });
        group.finish();
    }
    let mut group = criterion.benchmark_group("joseki open");
    group.bench_function("own file", |bencher| bencher.iter(|| open(&own)));
    group.bench_function("ybb file", |bencher| bencher.iter(|| open(&ybb)));
    group.bench_function("db file", |bencher| bencher.iter(|| open(&db)));
    group.bench_function("sorted db file", |bencher| bencher.iter(|| open(&sorted_db)));
    group.finish();
}

fn open(path: &Path) -> Joseki {
    Joseki::open(path).unwrap_or_else(|error| panic!("{error}"))
}

fn known(record: komadai::joseki::Record) -> Option<Known> {
    let kyokumen = record.kyokumen?;
    let packed = kyokumen.pack()?;
    Some((kyokumen, packed, record.entry))
}

fn write_own(path: &Path, known: &[Known]) {
    let mut known: Vec<&Known> = known.iter().collect();
    known.sort_by_key(|(_, packed, _)| Writer::sort_key(packed));
    let mut writer = Writer::create(path, "part of the embedded book").expect("a file in the temporary folder");
    for (_, packed, entry) in known {
        writer.push(packed, entry).expect("positions in order");
    }
    writer.finish().expect("a complete book");
}

fn write_ybb(path: &Path, known: &[Known]) {
    let mut known: Vec<&Known> = known.iter().collect();
    known.sort_by_key(|(_, packed, _)| *packed);
    let mut writer = YbbWriter::create(path, "").expect("a file in the temporary folder");
    for (_, packed, entry) in known {
        writer.push(packed, entry).expect("positions in order");
    }
    writer.finish().expect("a complete book");
}

fn write_sorted_db(path: &Path, known: &[Known]) {
    let mut known: Vec<&Known> = known.iter().collect();
    known.sort_by_cached_key(|(kyokumen, ..)| kyokumen.to_sfen_without_ply());
    let mut writer = DbWriter::create(path, DbOptions::default()).expect("a file in the temporary folder");
    for (_, packed, entry) in known {
        writer.push(packed, entry).expect("positions in order");
    }
    writer.finish().expect("a complete book");
}

/// In the order of the keys, which is none for this format.
fn db_text(known: &[Known]) -> String {
    let mut text = String::from("#YANEURAOU-DB2016 1.00\n");
    for (kyokumen, _, entry) in known {
        text += &format!("sfen {}\n", kyokumen.to_sfen());
        for te in &entry.moves {
            text += &format!("{} none 0 0 {}\n", te.te, te.count.unwrap_or(1));
        }
    }
    text
}

/// Positions one odd move away, which the book does not know.
fn misses(hits: &[Kyokumen], book: &Joseki) -> Vec<Kyokumen> {
    let after_last_move = |kyokumen: &Kyokumen| {
        let mut after = kyokumen.clone();
        after.do_te(*kyokumen.legal_te().last()?);
        book.lookup(&after).is_none().then_some(after)
    };
    hits.iter().filter_map(after_last_move).collect()
}
