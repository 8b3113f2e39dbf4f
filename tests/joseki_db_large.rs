//! Large `.db` books: searched where they are, or through an index, and looked at wholly behind the opening.

mod joseki_support;

use std::collections::BTreeMap;

use joseki_support::*;
use komadai::joseki::{Entry, Joseki};
use komadai::kyokumen::Kyokumen;
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};

/// Enough positions for a file of more than a megabyte.
const POSITIONS: usize = 12_000;

/// Texts of positions of random games without ply, in order, with a move each.
fn positions(seed: u64) -> BTreeMap<String, (Kyokumen, String)> {
    let mut rng = rng(seed);
    let mut positions = BTreeMap::new();
    while positions.len() < POSITIONS {
        let mut kyokumen = Kyokumen::hirate();
        for _ in 0..80 {
            let Some(&te) = kyokumen.legal_te().choose(&mut rng) else { break };
            positions.insert(kyokumen.to_sfen_without_ply(), (kyokumen.clone(), te.to_string()));
            kyokumen.do_te(te);
        }
    }
    positions
}

fn block(text: &str, te: &str) -> String {
    format!("sfen {text} 1\n{te} none 10 5 7\n# one\n")
}

fn blocks(positions: &BTreeMap<String, (Kyokumen, String)>) -> Vec<String> {
    positions.iter().map(|(text, (_, te))| block(text, te)).collect()
}

/// Every position is found with its move, whatever the ply of the game.
fn assert_finds_all(book: &Joseki, positions: &BTreeMap<String, (Kyokumen, String)>) {
    for (text, (kyokumen, usi)) in positions {
        let entry = book.lookup(kyokumen).unwrap_or_else(|| panic!("{text} is not found"));
        assert_eq!(counts(&entry), [(usi.clone(), Some(7))], "{text}");
    }
}

fn large(text: impl AsRef<[u8]>) -> Joseki {
    assert!(text.as_ref().len() > 1 << 20, "the file is too small to be looked at behind the opening");
    book(text)
}

#[test]
fn sorted_or_not_and_however_written_every_position_is_found_and_no_other() {
    let known = positions(1);
    let others: Vec<_> = positions(2).into_iter().filter(|(text, _)| !known.contains_key(text)).collect();
    assert!(others.len() > 1_000);
    let sorted = blocks(&known);
    let mut shuffled = sorted.clone();
    shuffled.shuffle(&mut rng(3));
    let plain = sorted.concat();
    for text in [
        plain.clone(),
        shuffled.concat(),
        format!("\u{feff}#YANEURAOU-DB2016 1.00\n{plain}").replace('\n', "\r\n"),
        plain.replace(" 1\n", "\n"),
        plain.replace(" 1\n", " 33 \t\n"),
        plain.replace("sfen ", "  sfen\t"),
        plain.replace(" b ", "  b  "),
        plain.trim_end().to_owned(),
    ] {
        let book = large(&text);
        assert_finds_all(&book, &known);
        assert!(others.iter().all(|(_, (kyokumen, _))| book.lookup(kyokumen).is_none()));
        book.settle();
        assert_finds_all(&book, &known);
        assert!(others.iter().all(|(_, (kyokumen, _))| book.lookup(kyokumen).is_none()));
        assert_eq!((book.warnings().len(), book.late_warnings().len()), (0, 0), "{}", &text[..200]);
    }
}

#[test]
fn the_same_position_with_several_plies_is_one() {
    let known = positions(4);
    let mut lines = Vec::new();
    for (text, (_, te)) in &known {
        for ply in ["", " 1", " 10", " 2"] {
            lines.push(format!("{text}{ply}\n{te} none 1 1 {}\n", if ply == " 10" { 100 } else { 1 }));
        }
    }
    lines.sort();
    let sorted: String = lines.iter().map(|line| format!("sfen {line}")).collect();
    lines.shuffle(&mut rng(5));
    let shuffled: String = lines.iter().map(|line| format!("sfen {line}")).collect();
    for text in [sorted, shuffled] {
        let book = large(&text);
        for (kyokumen, te) in known.values() {
            let entry = book.lookup(kyokumen).unwrap();
            assert_eq!((entry.tesu, counts(&entry)), (Some(1), vec![(te.clone(), Some(103))]));
        }
    }
}

#[test]
fn what_the_samples_did_not_show_is_found_later_and_told_once() {
    let known = positions(6);
    let sorted = blocks(&known);
    let mut rng = rng(7);
    let mut late = 0;
    for round in 0..12 {
        let mut disturbed = sorted.clone();
        let place = rng.random_range(1_000..POSITIONS - 1_000);
        let want = match round % 3 {
            0 => {
                disturbed.swap(place, place + 1);
                format!("line {} is out of order", 3 * place + 4)
            }
            1 => {
                disturbed[place] = disturbed[place].replace(" b ", "  b ").replace(" w ", " w  ");
                format!("line {} does not write its position in the usual way", 3 * place + 1)
            }
            _ => {
                // Far away from where it belongs.
                let block = disturbed.remove(place);
                disturbed.insert(place - 700, block);
                format!("line {} is out of order", 3 * (place - 700) + 4)
            }
        };
        let book = large(disturbed.concat());
        book.settle();
        assert_finds_all(&book, &known);
        let warnings = book.late_warnings();
        if !warnings.is_empty() {
            late += 1;
            assert_eq!(warnings, [format!("{want}, so all positions are found through an index now")]);
            assert!(book.late_warnings().is_empty());
        }
        assert!(book.warnings().is_empty());
        if round == 0 {
            assert!(!book.verify(&mut |fault| assert!(fault.contains("order"), "{fault}")).sorted);
        }
    }
    assert!(late >= 6, "only {late} of 12 were missed by the samples");
}

#[test]
fn positions_that_can_not_be_read_are_counted_in_the_end() {
    let known = positions(8);
    let mut disturbed = blocks(&known);
    // In its place by its bytes, but no position.
    let place = 7_000;
    let spoilt = disturbed[place].replacen(" 1\n", "~ 1\n", 1);
    disturbed.insert(place + 1, spoilt);
    let book = large(disturbed.concat());
    book.settle();
    let told = [book.warnings().to_vec(), book.late_warnings()].concat();
    assert_eq!(told, ["1 of its positions can't be read"]);
    assert_finds_all(&book, &known);
}

#[test]
fn a_long_stretch_without_positions_does_no_harm() {
    let known = positions(9);
    let mut text = blocks(&known);
    text.insert(5_000, "# a long remark\n".repeat(200_000));
    let book = large(text.concat());
    let (kyokumen, _) = known.values().nth(4_999).unwrap();
    assert!(book.lookup(kyokumen).unwrap().moves[0].comment.as_ref().unwrap().len() > 2_000_000);
    book.settle();
    let (kyokumen, te) = known.values().nth(5_000).unwrap();
    assert_eq!(counts(&book.lookup(kyokumen).unwrap())[0].0, *te);
}

#[test]
fn a_book_may_be_closed_while_it_is_looked_at() {
    let text = blocks(&positions(10)).concat();
    for _ in 0..20 {
        assert!(large(&text).late_warnings().is_empty());
    }
}

#[test]
fn one_position_with_very_many_lines_is_read_at_once() {
    // Every move there is, again and again, with a remark; and lines that are no move.
    let squares: Vec<String> =
        (1..=9).flat_map(|suji| "abcdefghi".chars().map(move |dan| format!("{suji}{dan}"))).collect();
    let mut text = format!("sfen {START} 1\n");
    for _ in 0..5 {
        for from in &squares {
            squares.iter().filter(|to| *to != from).for_each(|to| text += &format!("{from}{to} none 1 1 1 x\n"));
        }
    }
    text += &"?\n".repeat(300_000);
    let book = large(&text);
    let entry: Entry = book.lookup(&Kyokumen::hirate()).unwrap();
    assert_eq!(entry.moves.len(), 81 * 80);
    assert!(entry.moves.iter().all(|te| te.count == Some(5) && te.comment.as_deref() == Some("x")));
    let faults = book.records().next().unwrap().faults;
    assert!(faults.len() <= 1_002 && faults.last().unwrap().ends_with("more faults follow"), "{:?}", faults.last());
}
