//! Books out of books by the command line: convert, merge, prune, diff, edit, and what happens when it can't be done.
#![cfg(feature = "cli")]

mod joseki_support;

use std::path::PathBuf;
use std::process::Command;

use joseki_support::*;
use komadai::joseki::{Entry, Joseki, JosekiTe};
use komadai::kyokumen::Kyokumen;
use serde_json::Value;

/// The text book of most tests. Its last position is none.
const TEXT: &str = "#YANEURAOU-DB2016 1.00
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
7g7f 3c3d 35 22 90
2g2f none 30 22 10
sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2
3c3d none none none 50
sfen nonsense b - 3
8c8d none none none 1
";

impl Workshop {
    fn new() -> Workshop {
        Workshop::with(TEXT, &[])
    }

    /// Runs a command that must fail with these words, and leave everything as it was.
    fn fails(&self, arguments: &[&str], words: &str) {
        let before = self.files();
        let output = self.command(arguments).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && stderr.contains(words), "{arguments:?}: {stderr}");
        assert!(!stderr.contains("panicked"), "{arguments:?}: {stderr}");
        assert_eq!(output.stdout, b"", "{arguments:?}");
        assert!(self.files() == before, "{arguments:?}");
    }

    /// All files with their contents.
    fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let paths = std::fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = paths.map(|path| (path.clone(), std::fs::read(path).unwrap_or_default())).collect();
        files.sort();
        files
    }

    fn open(&self, name: &str) -> Joseki {
        Joseki::open(&self.path(name)).unwrap()
    }

    /// The moves of the position after these, with their counts.
    fn counts(&self, name: &str, moves: &str) -> String {
        let entry = self.open(name).lookup(&after(moves)).unwrap_or_default();
        let counts = entry.moves.iter().map(|te| format!("{} {}", te.te, te.count.map_or(-1, |count| count as i64)));
        counts.collect::<Vec<_>>().join(", ")
    }
}

#[test]
fn a_book_is_converted_and_what_is_lost_is_told() {
    let workshop = Workshop::new();
    let (stdout, stderr) = workshop.run(&["convert", "a.db", "b.joseki"]);
    assert!(stdout.starts_with("positions 2 moves 3 bytes "), "{stdout}");
    assert!(stderr.contains("1 positions, moves or pieces of the file can't be taken along"), "{stderr}");
    assert!(stderr.contains("line 7: "), "{stderr}");
    assert_eq!(workshop.counts("b.joseki", ""), "7g7f 90, 2g2f 10");
    assert_eq!(workshop.counts("b.joseki", "7g7f"), "3c3d 50");
    let provenance = workshop.open("b.joseki").provenance().unwrap();
    assert!(provenance.starts_with("converted from a.db (.db) by Komadai "), "{provenance}");
    workshop.run(&["convert", "b.joseki", "b.joseki"]);
    let twice = workshop.open("b.joseki").provenance().unwrap();
    assert!(twice.starts_with(&format!("{provenance}\nconverted from b.joseki (.joseki)")), "{twice}");
    assert_eq!(workshop.files().len(), 2);
}

#[test]
fn what_can_t_be_done_is_said_and_leaves_nothing_behind() {
    let workshop = Workshop::new();
    std::fs::write(workshop.path("noise"), "no book").unwrap();
    std::fs::create_dir(workshop.path("folder.joseki")).unwrap();
    workshop.fails(&["convert", "a.db", "b.txt"], "must end like one of the formats: .joseki, .db");
    workshop.fails(&["convert", "a.db", "b"], "must end like one of the formats");
    workshop.fails(&["convert", "none.db", "b.joseki"], "can't read the book \"none.db\"");
    workshop.fails(&["convert", "noise", "b.joseki"], "is no book");
    workshop.fails(&["convert", "folder.joseki", "b.joseki"], "no plain file");
    workshop.fails(&["convert", "a.db", "no/such/b.joseki"], "can't write the book \"no/such/b.joseki\"");
    workshop.fails(&["convert", "a.db", "folder.joseki"], "no plain file");
    workshop.fails(&["convert", "a.db", "b.joseki", "--root", "nonsense"], "");
    workshop.fails(&["merge", "a.db", "none.db", "-o", "b.joseki"], "can't read the book \"none.db\"");
    workshop.fails(&["convert", "a.db", "b.joseki", "--root", "9/9/9/9/9/9/9/9/9 b - 1"], "without both kings");
    workshop.fails(&["convert", "a.db", "b.joseki", "--root", "startpos moves 7g7e"], "move 1, 7g7e, is illegal");
    workshop.fails(&["convert", "a.db", "public.bin"], "books of the format public.bin can only be read");
    workshop.fails(&["probe", "a.db", "startpos", "7g7f"], "\"startpos 7g7f\" is no position");
    workshop.fails(&["prune", "a.db", "-o", "b.joseki"], "no limit is given");
    workshop.fails(&["prune", "a.db", "-o", "b.joseki", "--min-share", "101"], "from 0 to 100");
    workshop.fails(&["diff", "a.db", "none.db"], "can't read the book \"none.db\"");
}

#[test]
fn wrong_usage_is_told_from_failure() {
    let workshop = Workshop::new();
    let code = |arguments: &[&str]| workshop.command(arguments).output().unwrap().status.code();
    assert_eq!(code(&["prune", "a.db", "-o", "b.joseki"]), Some(2));
    assert_eq!(code(&["edit", "a.db", "set", "7g7f"]), Some(2));
    assert_eq!(code(&["edit", "a.db", "set", "1g1f", "--count", "1"]), Some(1));
    assert_eq!(code(&["probe"]), Some(2));
}

#[test]
fn what_is_told_reads_as_it_is_meant() {
    let workshop = Workshop::new();
    std::fs::copy("tests/data/shogihome/apery-merge.bin", workshop.path("定跡.bin")).unwrap();
    let (_, stderr) = workshop.run(&["convert", "定跡.bin", "b.joseki"]);
    assert!(stderr.contains("positions that can't be reached"), "{stderr}");
    let (stdout, _) = workshop.run(&["stat", "定跡.bin"]);
    assert!(stdout.starts_with("file       定跡.bin\n"), "{stdout}");
    let (stdout, _) = workshop.run(&["stat", "定跡.bin", "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&stdout).unwrap()["file"], "定跡.bin");
    let lost = [("c.sbk", "1 ponder move"), ("c.ybb", "3 counts"), ("c.bin", "1 unknown value, written as 0")];
    for (name, words) in lost {
        let (_, stderr) = workshop.run(&["convert", "a.db", name]);
        assert!(stderr.contains(&format!("the format can't hold {words}\n")), "{name}: {stderr}");
    }
}

#[test]
fn comments_in_cp932_are_kept() {
    let workshop = Workshop::new();
    let text = [format!("sfen {START} 1\n#").as_bytes(), b"\x92\xe8\x90\xd5\n7g7f\n"].concat();
    std::fs::write(workshop.path("cp932.db"), text).unwrap();
    workshop.run(&["convert", "cp932.db", "b.joseki"]);
    assert_eq!(workshop.open("b.joseki").lookup(&Kyokumen::hirate()).unwrap().comment.as_deref(), Some("定跡"));
}

#[test]
fn comments_at_the_head_of_a_book_say_where_it_comes_from() {
    let workshop = Workshop::new();
    let body = TEXT.split_once('\n').unwrap().1;
    let head = "#YANEURAOU-DB2016 1.00\n# NOE:2\n// Of 100 games\n\n#by hand\n";
    std::fs::write(workshop.path("head.db"), [head, body].concat()).unwrap();
    assert_eq!(workshop.open("head.db").provenance().as_deref(), Some("Of 100 games\nby hand"));
    assert_eq!(workshop.open("a.db").provenance(), None);
    workshop.run(&["convert", "head.db", "b.joseki"]);
    let kept = workshop.open("b.joseki").provenance().unwrap();
    assert!(kept.starts_with("Of 100 games\nby hand\nconverted from head.db"), "{kept}");
    workshop.run(&["convert", "head.db", "b.psb"]);
    assert_eq!(workshop.open("b.psb").provenance().as_deref(), Some("Of 100 games\nby hand"));
    for name in ["b.db", "b.ybb", "b.bin"] {
        let (_, stderr) = workshop.run(&["convert", "head.db", name]);
        assert!(stderr.contains("can't hold 1 note on where the numbers come from\n"), "{name}: {stderr}");
        let (_, stderr) = workshop.run(&["convert", "a.db", name]);
        assert!(!stderr.contains("note on where"), "{name}: {stderr}");
    }
}

#[test]
fn a_move_that_stands_there_often_is_counted_and_no_loss() {
    let workshop = Workshop::new();
    let text = format!("sfen {START} 1\n{}", "7g7f none 1 1 1\n".repeat(5000));
    std::fs::write(workshop.path("often.db"), text).unwrap();
    let (_, stderr) = workshop.run(&["convert", "often.db", "b.joseki"]);
    assert_eq!(stderr, "");
    assert_eq!(workshop.counts("b.joseki", ""), "7g7f 5000");
    let verdict = workshop.open("often.db").verify(&mut |_| {});
    assert!(verdict.repeated > 0 && verdict.damaged == 0, "{verdict:?}");
}

#[test]
fn a_file_of_lines_without_a_position_is_not_in_order() {
    let workshop = Workshop::new();
    std::fs::write(workshop.path("bare.db"), "#YANEURAOU-DB2016 1.00\n7g7f none 1 1 1\n").unwrap();
    let mut faults = Vec::new();
    assert!(!workshop.open("bare.db").verify(&mut |fault| faults.push(fault.to_owned())).is_good());
    assert_eq!(faults, ["line 2: it belongs to no position"]);
}

#[test]
fn lines_before_the_first_position_are_told_by_whatever_reads_the_whole_book() {
    let workshop = Workshop::new();
    let orphans = "7g7f none 1 1 1\nrubbish\n# a remark\nnone\n".repeat(700);
    std::fs::write(workshop.path("orphans.db"), format!("#YANEURAOU-DB2016 1.00\n{orphans}{TEXT}")).unwrap();
    let (stdout, stderr) = workshop.run(&["convert", "orphans.db", "b.joseki"]);
    assert!(stdout.starts_with("positions 2 moves 3 "), "{stdout}");
    assert!(stderr.contains("line 2: it belongs to no position\nkomadai:   line 3: it belongs"), "{stderr}");
    let mut faults = Vec::new();
    workshop.open("orphans.db").verify(&mut |fault| faults.push(fault.to_owned()));
    assert_eq!(faults.iter().filter(|fault| fault.ends_with("it belongs to no position")).count(), 1000);
    assert!(faults.contains(&"line 2002: 400 more faults follow".to_owned()), "{:?}", &faults[1000..]);
    workshop.fails(&["edit", "orphans.db", "remove", "2g2f"], "would be lost: line 2: it belongs to no position");
    std::fs::write(workshop.path("one.db"), format!("#YANEURAOU-DB2016 1.00\n7g7f\n{TEXT}")).unwrap();
    for command in
        [&["merge", "one.db", "-o", "b.joseki"][..], &["prune", "one.db", "-o", "b.joseki", "--max-ply", "1"]]
    {
        let (_, stderr) = workshop.run(command);
        assert!(stderr.contains("line 2: it belongs to no position\n") && !stderr.contains("line 3"), "{stderr}");
    }
}

#[test]
fn books_are_merged_into_one_of_them() {
    let workshop = Workshop::new();
    workshop.run(&["convert", "a.db", "b.joseki"]);
    let other = Entry { moves: vec![JosekiTe { count: Some(95), ..JosekiTe::new(te("2g2f")) }], ..Entry::default() };
    write(&[(Kyokumen::hirate(), other.clone()), (after("2g2f"), other)], "by hand", &workshop.path("c.joseki"));
    let (_, stderr) = workshop.run(&["merge", "b.joseki", "c.joseki", "-o", "d.joseki", "--first-wins"]);
    assert!(stderr.contains("1 positions were there already; the first book's stay"), "{stderr}");
    assert_eq!(workshop.counts("d.joseki", ""), "7g7f 90, 2g2f 10");
    let (stdout, _) = workshop.run(&["merge", "b.joseki", "a.db", "c.joseki", "-o", "b.joseki"]);
    assert!(stdout.starts_with("positions 3 moves 4 "), "{stdout}");
    assert_eq!(workshop.counts("b.joseki", ""), "7g7f 180, 2g2f 115");
    let provenance = workshop.open("b.joseki").provenance().unwrap();
    assert!(
        provenance.contains("\nc.joseki: by hand\nmerged from b.joseki, a.db, c.joseki by Komadai"),
        "{provenance}"
    );
}

#[test]
fn a_book_is_pruned_over_itself() {
    let workshop = Workshop::new();
    workshop.run(&["convert", "a.db", "b.joseki"]);
    workshop.run(&["prune", "b.joseki", "-o", "b.joseki", "--min-value", "-5", "--min-share", "10.5"]);
    assert_eq!(workshop.counts("b.joseki", ""), "7g7f 90");
    let (stdout, stderr) =
        workshop.run(&["prune", "b.joseki", "-o", "c.joseki", "--max-ply", "1", "--min-count", "90"]);
    assert!(stdout.starts_with("positions 1 moves 1 ") && stderr.is_empty(), "{stdout}{stderr}");
    let provenance = workshop.open("c.joseki").provenance().unwrap();
    assert!(provenance.contains("\npruned by --min-count 90 --max-ply 1 by Komadai"), "{provenance}");
}

#[test]
fn a_book_without_any_position_is_not_written_but_where_its_last_one_is_removed_by_name() {
    let workshop = Workshop::new();
    workshop.run(&["convert", "a.db", "b.joseki"]);
    for target in ["b.joseki", "c.joseki", "c.db", "c.ybb", "c.bin", "c.sbk", "c.psb"] {
        workshop.fails(
            &["prune", "b.joseki", "-o", target, "--min-count", "91"],
            "is not written, for nothing would be in it: of 2 positions read none is left; loosen --min-count 91\n",
        );
    }
    std::fs::write(workshop.path("nothing.db"), "#YANEURAOU-DB2016 1.00\nsfen nonsense b - 3\n8c8d none 0 1 1\n")
        .unwrap();
    let lost = "of 0 positions read none is left; what can't be taken along begins with line 2: ";
    workshop.fails(&["convert", "nothing.db", "b.joseki"], lost);
    workshop.fails(&["merge", "nothing.db", "nothing.db", "-o", "b.joseki"], lost);
    workshop.fails(&["prune", "nothing.db", "-o", "b.joseki", "--max-ply", "3"], lost);
    workshop.run(&["edit", "b.joseki", "remove", "all", "startpos", "moves", "7g7f"]);
    let (stdout, stderr) = workshop.run(&["edit", "b.joseki", "remove", "all"]);
    assert!(stdout.starts_with("positions 0 moves 0 "), "{stdout}");
    assert_eq!(stderr, "komadai: there is no move in the new book\n");
}

#[test]
fn a_book_of_nothing_but_comments_is_written_and_that_is_told() {
    let workshop = Workshop::with(&format!("#YANEURAOU-DB2016 1.00\nsfen {START} 1\n#the start\n"), &[]);
    let (stdout, stderr) = workshop.run(&["convert", "a.db", "b.joseki"]);
    assert!(stdout.starts_with("positions 1 moves 0 "), "{stdout}");
    assert_eq!(stderr, "komadai: there is no move in the new book\n");
    // A format that holds moves only has nothing of it.
    let (stdout, stderr) = workshop.run(&["convert", "a.db", "b.psb"]);
    assert!(stdout.starts_with("positions 0 moves 0 ") && stderr.ends_with("no move in the new book\n"), "{stderr}");
}

#[test]
fn differences_are_shown_as_text_and_as_json() {
    let workshop = Workshop::new();
    workshop.run(&["convert", "a.db", "b.joseki"]);
    let (same, _) = workshop.run(&["diff", "a.db", "b.joseki"]);
    assert_eq!(same, "positions only-A 0 only-B 0 differing 0 equal 2 moves only-A 0 only-B 0 figures 0\n");
    workshop.run(&["edit", "b.joseki", "set", "2g2f", "--count", "11", "--value", "none"]);
    workshop.run(&["edit", "b.joseki", "remove", "all", "startpos", "moves", "7g7f"]);
    let (text, _) = workshop.run(&["diff", "a.db", "b.joseki"]);
    let mut lines: Vec<&str> = text.lines().collect();
    let summary = lines.pop();
    lines.sort();
    let want = [
        format!("{AFTER_7G7F}: only A: 3c3d"),
        format!("{START}: 2g2f count 10 11"),
        format!("{START}: 2g2f value 30 -"),
    ];
    assert_eq!(lines, want);
    let all = "positions only-A 1 only-B 0 differing 1 equal 0 moves only-A 0 only-B 0 figures 2";
    assert_eq!(summary, Some(all));
    let (short, _) = workshop.run(&["diff", "a.db", "b.joseki", "--limit", "1"]);
    assert!(short.ends_with(&format!("\n... and 2 more\n{all}\n")), "{short}");
    let (json, _) = workshop.run(&["diff", "b.joseki", "a.db", "--json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["a"], &json["all"], &json["equal"]), (&"b.joseki".into(), &3.into(), &false.into()));
    assert_eq!((&json["positions"]["only_b"], &json["figures"]), (&1.into(), &2.into()));
    let figure = json["differences"].as_array().unwrap().iter().find(|one| one["figure"] == "value").unwrap();
    assert_eq!((&figure["usi"], &figure["a"], &figure["b"]), (&"2g2f".into(), &Value::Null, &30.into()));
}

#[test]
fn one_position_is_edited_and_illegal_moves_are_refused() {
    let workshop = Workshop::new();
    workshop.run(&["convert", "a.db", "b.joseki"]);
    let edit = |arguments: &[&str]| workshop.run(&[&["edit", "b.joseki"], arguments].concat());
    edit(&["add", "1g1f", "--count", "7", "--value", "-12", "--ponder", "1c1d", "--annotation", "bad"]);
    edit(&["add", "8c8d", "startpos", "moves", "2g2f"]);
    edit(&["add", "P*5e", "4k4/9/9/9/9/9/9/9/4K4 b P 7", "--depth", "3"]);
    edit(&["comment", "角道", "--move", "7g7f"]);
    edit(&["comment", "the start"]);
    let start = workshop.open("b.joseki").lookup(&Kyokumen::hirate()).unwrap();
    assert_eq!(workshop.counts("b.joseki", ""), "7g7f 90, 2g2f 10, 1g1f 7");
    assert_eq!(start.comment.as_deref(), Some("the start"));
    assert_eq!(find(&start, "7g7f").comment.as_deref(), Some("角道"));
    let added = find(&start, "1g1f");
    assert_eq!((added.value, added.ponder, added.annotation.unwrap().name()), (Some(-12), Some(te("1c1d")), "bad"));
    assert_eq!(workshop.counts("b.joseki", "2g2f"), "8c8d -1");
    let drop = workshop.open("b.joseki").lookup(&Kyokumen::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b P 1").unwrap()).unwrap();
    assert_eq!((drop.tesu, find(&drop, "P*5e").depth), (Some(7), Some(3)));

    edit(&["set", "1g1f", "--count", "none", "--ponder", "none"]);
    edit(&["remove", "2g2f"]);
    edit(&["comment", ""]);
    edit(&["remove", "8c8d", "startpos", "moves", "2g2f"]);
    assert_eq!(workshop.counts("b.joseki", ""), "7g7f 90, 1g1f -1");
    assert_eq!(workshop.open("b.joseki").lookup(&Kyokumen::hirate()).unwrap().comment, None);
    assert!(workshop.open("b.joseki").lookup(&after("2g2f")).is_none());

    let refused = |arguments: &[&str], words: &str| workshop.fails(&[&["edit", "b.joseki"], arguments].concat(), words);
    refused(&["add", "7g7e"], "7g7e is illegal in");
    refused(&["add", "2g2f", "--ponder", "7g7f"], "the reply 7g7f is illegal");
    refused(&["set", "7g7f", "--ponder", "5a5c"], "the reply 5a5c is illegal");
    refused(&["add", "7g7f"], "is there already");
    refused(&["set", "2g2f", "--count", "1"], "does not know 2g2f");
    refused(&["set", "7g7f"], "no figure is given");
    refused(&["set", "7g7f", "--count", "-1"], "");
    refused(&["remove", "all", "startpos", "moves", "1g1f"], "does not know the position");
    refused(&["add", "7g7f", "startpos", "moves", "7g7e"], "move 1, 7g7e, is illegal");
    refused(&["add", "7g7f", "9/9/9/9/9/9/9/9/9 b - 1"], "");
}

#[test]
fn an_edit_of_which_the_format_holds_nothing_is_refused_and_a_part_is_told() {
    let workshop = Workshop::new();
    for name in ["b.bin", "b.ybb", "b.psb", "b.sbk", "b.db"] {
        workshop.run(&["convert", "a.db", name]);
    }
    let refused = |name: &str, arguments: &[&str], what: &str| {
        let format = name.rsplit('.').next().unwrap();
        let words = format!("nothing is changed: the format .{format} can't hold {what}");
        workshop.fails(&[&["edit", name], arguments].concat(), &words);
    };
    for name in ["b.bin", "b.ybb", "b.psb"] {
        refused(name, &["comment", "x"], "1 comment on a position");
        refused(name, &["comment", "x", "--move", "7g7f"], "1 comment on a move");
    }
    refused("b.sbk", &["comment", "x", "--move", "7g7f"], "1 comment on a move");
    refused("b.bin", &["set", "7g7f", "--ponder", "3c3d"], "1 ponder move");
    refused("b.db", &["set", "7g7f", "--rating", "1500"], "1 set of ratings");
    let (_, stderr) = workshop.run(&["edit", "b.bin", "set", "7g7f", "--count", "7", "--ponder", "3c3d"]);
    assert!(stderr.contains("the format can't hold 1 ponder move\n"), "{stderr}");
    assert_eq!(workshop.counts("b.bin", ""), "7g7f 7, 2g2f 10");
    for name in ["b.sbk", "b.db"] {
        workshop.run(&["edit", name, "comment", "x"]);
        assert_eq!(workshop.open(name).lookup(&Kyokumen::hirate()).unwrap().comment.as_deref(), Some("x"), "{name}");
        workshop.run(&["edit", name, "comment", ""]);
        workshop.run(&["edit", name, "comment", ""]);
        assert_eq!(workshop.open(name).lookup(&Kyokumen::hirate()).unwrap().comment, None, "{name}");
    }
    workshop.run(&["edit", "b.bin", "remove", "2g2f"]);
    workshop.run(&["edit", "b.bin", "remove", "all"]);
    assert_eq!(workshop.counts("b.bin", ""), "");
}

#[test]
fn books_of_keys_are_walked_from_further_positions_that_are_named() {
    let workshop = Workshop::new();
    let root = "4k4/9/9/9/9/9/9/9/4K4 b P 7";
    workshop.run(&["convert", "a.db", "b.joseki"]);
    workshop.run(&["edit", "b.joseki", "add", "P*5e", root, "--count", "3"]);
    workshop.run(&["convert", "b.joseki", "b.bin"]);
    workshop.run(&["convert", "b.joseki", "b.psb"]);
    // This format names its roots; without that it starts at the even start, as the other.
    let psb = std::fs::read(workshop.path("b.psb")).unwrap();
    let named = psb.windows(8).position(|bytes| bytes == b"root=4k4");
    let mut other = psb.clone();
    other[named.unwrap()] = b'R';
    std::fs::write(workshop.path("c.psb"), other).unwrap();
    assert!(workshop.open("b.psb").verify(&mut |fault| panic!("{fault}")).is_good());
    for name in ["b.bin", "c.psb"] {
        let lost = "1 of 4 records belong to positions that can't be reached from the known ones";
        let verify = |arguments: &[&str]| workshop.command(&[&["verify", name], arguments].concat()).output().unwrap();
        let output = verify(&[]);
        assert!(!output.status.success() && String::from_utf8(output.stdout).unwrap().contains(lost), "{name}");
        assert!(verify(&["--root", root]).status.success(), "{name}");
        let (_, stderr) = workshop.run(&["convert", name, "d.db"]);
        assert!(stderr.contains(lost), "{name}: {stderr}");
        let (stdout, stderr) = workshop.run(&["convert", name, "d.db", "--root", root]);
        assert!(stdout.starts_with("positions 3 moves 4 ") && !stderr.contains("reached"), "{name}: {stderr}");
        workshop.fails(&["edit", name, "set", "7g7f", "--count", "1"], lost);
        workshop.run(&["edit", name, "--root", root, "set", "7g7f", "--count", "1"]);
        assert_eq!(workshop.counts(name, ""), "7g7f 1, 2g2f 10", "{name}");
    }
}

#[test]
fn a_large_book_is_made_in_pieces_and_the_same() {
    let workshop = Workshop::new();
    write(&random_book(1500, 3), "", &workshop.path("large.joseki"));
    assert!(workshop.open("large.joseki").size() > 3 << 20);
    workshop.run(&["merge", "large.joseki", "a.db", "-o", "b.joseki", "--first-wins"]);
    let (text, _) = workshop.run(&["diff", "large.joseki", "b.joseki"]);
    let want = if text.contains(" only-B 1 ") { 1 } else { 0 };
    assert!(text.contains(&format!("only-A 0 only-B {want} differing 0 ")), "{text}");
    assert!(workshop.open("b.joseki").verify(&mut |fault| panic!("{fault}")).is_good());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_the_old_book_and_nothing_else() {
    let workshop = Workshop::new();
    write(&random_book(100, 3), "", &workshop.path("b.joseki"));
    std::fs::write(workshop.path("c.joseki"), "old").unwrap();
    let before = workshop.files();
    for size in ["0", "8", "200"] {
        let script = format!("trap '' XFSZ; ulimit -f {size}; exec \"$0\" joseki merge b.joseki a.db -o c.joseki");
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_komadai")]).current_dir(workshop.folder.path());
        let output = command.output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && stderr.contains("can't write the book \"c.joseki\""), "{stderr}");
        assert!(workshop.files() == before, "with {size} blocks");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_nothing_unfinished() {
    let workshop = Workshop::new();
    write(&random_book(1000, 3), "", &workshop.path("b.joseki"));
    let before = workshop.files();
    let mut command = workshop.command(&["merge", "b.joseki", "a.db", "-o", "c.joseki"]);
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The unfinished book appears as soon as it is begun.
    while child.try_wait().unwrap().is_none()
        && std::fs::read_dir(workshop.folder.path()).unwrap().count() == before.len()
    {
        std::thread::yield_now();
    }
    let _ = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    let output = child.wait_with_output().unwrap();
    if output.status.success() {
        // It was faster.
        assert_eq!(workshop.files().len(), before.len() + 1);
    } else {
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains("broken off"), "{stderr}");
        assert!(workshop.files() == before);
    }
}
