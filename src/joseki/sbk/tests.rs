//! What goes in comes out again.

use std::path::Path;

use prost::Message;

use super::Writer;
use super::messages::Book as Whole;
use crate::joseki::{Entry, Joseki, JosekiTe, Stored};
use crate::kyokumen::{Kyokumen, PackedKyokumen};

fn sample(name: &str) -> Joseki {
    Joseki::open(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/shogihome").join(name)).unwrap()
}

const SAMPLES: [&str; 7] = [
    "sbk-merge.sbk",
    "shogigui01.sbk",
    "shogigui01-copy.sbk",
    "shogigui01-copy-otf.sbk",
    "shogigui02.sbk",
    "shogigui02-copy.sbk",
    "shogigui02-copy-otf.sbk",
];

fn positions(joseki: &Joseki) -> Vec<(PackedKyokumen, Entry)> {
    let mut positions: Vec<_> = joseki
        .parts(3)
        .into_iter()
        .flatten()
        .map(|stored| match stored {
            Stored::Position(packed, entry) => (packed, entry),
            Stored::Lost(what) => panic!("{what}"),
        })
        .collect();
    positions.sort_by_key(|(packed, _)| *packed);
    positions
}

/// Writes a book of these positions, and returns its bytes, what was left out, and the book as it is read again.
fn write(positions: &[(PackedKyokumen, Entry)], provenance: &str) -> (Vec<u8>, Vec<String>, Joseki) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("copy.sbk");
    let mut writer = Writer::create(&path, provenance).unwrap();
    for (packed, entry) in positions {
        writer.push(packed, entry).unwrap();
    }
    let written = writer.finish().unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert_eq!(written.positions, positions.len() as u64);
    assert_eq!(written.bytes, bytes.len() as u64);
    (bytes, written.left_out, Joseki::open(&path).unwrap())
}

fn after(moves: &str) -> Kyokumen {
    let mut kyokumen = Kyokumen::hirate();
    for te in moves.split_whitespace() {
        kyokumen.do_te(te.parse().unwrap());
    }
    kyokumen
}

#[test]
fn samples_are_the_same_after_writing() {
    for name in SAMPLES {
        let book = sample(name);
        let before = positions(&book);
        let (bytes, left_out, copy) = write(&before, &book.provenance().unwrap_or_default());
        assert_eq!(copy.warnings(), [""; 0], "{name}");
        assert_eq!(left_out, [""; 0], "{name}");
        assert_eq!(positions(&copy), before, "{name}");
        assert_eq!(copy.provenance(), book.provenance(), "{name}");
        // Written once more, nothing changes at all.
        assert_eq!(write(&positions(&copy), &copy.provenance().unwrap_or_default()).0, bytes, "{name}");
    }
}

/// B048: ShogiGUI passes over states without hashes where others have them, and over roots that don't stand first.
#[test]
fn no_state_has_hashes_and_roots_stand_first_and_every_id_is_its_index() {
    for name in SAMPLES {
        let (bytes, _, _) = write(&positions(&sample(name)), "");
        let whole = Whole::decode(&bytes[..]).unwrap();
        for (nth, state) in whole.states.iter().enumerate() {
            assert_eq!((state.id, state.board_key, state.hand_key), (Some(nth as i32), Some(0), Some(0)), "{name}");
            for te in &state.moves {
                assert!(whole.states.get(te.next.unwrap() as usize).is_some(), "{name}");
            }
        }
        assert!(whole.states.is_sorted_by_key(|state| state.position.is_none()), "{name}");
        let start = whole.states[0].position.as_deref().map(String::from_utf8_lossy);
        assert_eq!(start.as_deref(), Some(&Kyokumen::hirate().to_sfen()[..]), "{name}");
    }
}

#[test]
fn results_stand_where_the_move_leads_and_are_added_up_over_the_moves() {
    let te = |usi: &str, count, wins, losses, value: Option<i32>| {
        let mut te = JosekiTe::new(usi.parse().unwrap());
        (te.count, te.wins, te.losses, te.value, te.depth) = (count, wins, losses, value, value.map(|_| 9));
        te
    };
    let position = |moves: &str, te| {
        let tesu = Some(moves.split_whitespace().count() as u32 + 1);
        (after(moves).pack().unwrap(), Entry { tesu, comment: None, moves: vec![te] })
    };
    let mut before = vec![
        position("7g7f 3c3d", te("2g2f", Some(7), Some(4), Some(2), Some(30))),
        position("2g2f 3c3d", te("7g7f", Some(5), Some(1), Some(4), Some(30))),
        position("2g2f 3c3d 7g7f", te("8c8d", Some(u64::MAX), Some(0), None, Some(-32_768))),
    ];
    before.sort_by_key(|(packed, _)| *packed);
    let (bytes, left_out, book) = write(&before, "a note");
    assert_eq!(
        left_out,
        [
            "1 count that is too large, cut down",
            "2 sets of results, joined with those of other moves to the same positions"
        ]
    );
    assert_eq!(book.provenance().as_deref(), Some("a note"));
    let whole = Whole::decode(&bytes[..]).unwrap();
    assert_eq!(whole.states.len(), 4);
    let state = &whole.states[2];
    assert_eq!((state.games, state.won_black, state.won_white), (Some(12), Some(5), Some(6)));
    // Sente moved there, then Gote; values are Sente's.
    assert_eq!(state.evals[0].value, Some(30));
    assert!(whole.states.iter().any(|state| state.evals.iter().any(|eval| eval.value == Some(32_768))));
    let found = &book.lookup(&after("7g7f 3c3d")).unwrap().moves[0];
    assert_eq!((found.count, found.wins, found.losses, found.value), (Some(7), Some(5), Some(6), Some(30)));
    let found = &book.lookup(&after("7g7f 3c3d 2g2f")).unwrap();
    assert_eq!(found.tesu, Some(4));
    let found = &found.moves[0];
    assert_eq!((found.count, found.wins, found.losses), (Some(i32::MAX as u64), Some(0), None));
    assert_eq!((found.value, found.depth), (Some(-32_768), Some(9)));
}

#[test]
fn what_the_format_cannot_hold_is_counted() {
    let mut te = JosekiTe::new("7g7f".parse().unwrap());
    te.draws = Some(0);
    te.ponder = "3c3d".parse().ok();
    te.comment = Some("x".into());
    te.rating = Some(1);
    let moves = vec![te, JosekiTe::new("7g7e".parse().unwrap())];
    let start = Kyokumen::hirate().pack().unwrap();
    let (_, left_out, book) = write(&[(start, Entry { tesu: None, comment: Some("y".into()), moves })], "");
    assert_eq!(
        left_out,
        [
            "1 ply that will be read as another",
            "1 illegal move",
            "1 ponder move",
            "1 number of draws",
            "1 set of ratings",
            "1 comment on a move"
        ]
    );
    assert_eq!(book.lookup(&Kyokumen::hirate()).unwrap().comment.as_deref(), Some("y"));
}

#[test]
fn cycles_without_a_beginning_are_written_and_read() {
    // Four rook moves that lead back to where they began.
    let moves = ["2h1h", "8b9b", "1h2h", "9b8b"];
    let mut kyokumen = after("7g7f 3c3d");
    let mut before = Vec::new();
    for (ply, te) in (3..).zip(moves) {
        let te = te.parse().unwrap();
        let entry = Entry { tesu: Some(ply), comment: None, moves: vec![JosekiTe::new(te)] };
        before.push((kyokumen.pack().unwrap(), entry));
        kyokumen.do_te(te);
    }
    before.sort_by_key(|(packed, _)| *packed);
    let (_, _, book) = write(&before, "");
    assert_eq!(book.warnings(), [""; 0]);
    let moves = |positions: Vec<(PackedKyokumen, Entry)>| -> Vec<_> {
        positions.into_iter().map(|(packed, entry)| (packed, entry.moves)).collect()
    };
    assert_eq!(moves(positions(&book)), moves(before));
}

#[test]
fn a_book_without_positions_is_one_state_without_content() {
    let (bytes, _, book) = write(&[], "");
    assert_eq!((book.parts(1).into_iter().flatten().count(), book.lookup(&Kyokumen::hirate())), (0, None));
    assert_eq!(Whole::decode(&bytes[..]).unwrap().states.len(), 1);
}
