//! Records from folders, archives and large files, of all formats, whole and broken.
#![cfg(feature = "cli")]

mod joseki_support;

use std::io::Write;
use std::process::Output;

use joseki_support::*;
use komadai::joseki::Joseki;
use komadai::kyokumen::Kyokumen;

const KIF: &str = "開始日時：2020/01/01\n手合割：平手\n先手：甲\n後手：乙\n手数----指手---------消費時間--\n   1 ７六歩(77)   ( 0:01/00:00:01)\n   2 ３四歩(33)   ( 0:01/00:00:01)\n   3 投了\n";
const CSA: &str = "V2.2\nN+a\nN-b\nPI\n+\n+2726FU\n-3334FU\n%TORYO\n";
const LINE: &str = "startpos moves 5g5f\n";

fn cp932(text: &str) -> Vec<u8> {
    encoding_rs::SHIFT_JIS.encode(text).0.into_owned()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

/// A member of an archive.
struct Member {
    name: Vec<u8>,
    content: Vec<u8>,
    deflated: bool,
    encrypted: bool,
    /// Whether the sum over it is wrong.
    damaged: bool,
}

fn member(name: &str, content: impl AsRef<[u8]>) -> Member {
    let content = content.as_ref().to_vec();
    Member { name: name.into(), content, deflated: true, encrypted: false, damaged: false }
}

fn zip(members: &[Member]) -> Vec<u8> {
    let (mut bytes, mut list) = (Vec::new(), Vec::new());
    for member in members {
        let data = if member.deflated {
            let mut packed = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
            packed.write_all(&member.content).unwrap();
            packed.finish().unwrap()
        } else {
            member.content.clone()
        };
        let mut sum = flate2::Crc::new();
        sum.update(&member.content);
        let mut head = Vec::new();
        head.extend(20u16.to_le_bytes());
        head.extend(u16::from(member.encrypted).to_le_bytes());
        head.extend((if member.deflated { 8u16 } else { 0 }).to_le_bytes());
        head.extend([0; 4]);
        head.extend((sum.sum() ^ u32::from(member.damaged)).to_le_bytes());
        head.extend((data.len() as u32).to_le_bytes());
        head.extend((member.content.len() as u32).to_le_bytes());
        head.extend((member.name.len() as u16).to_le_bytes());
        head.extend(0u16.to_le_bytes());
        list.extend(b"PK\x01\x02\x14\x00");
        list.extend(&head);
        list.extend([0; 10]);
        list.extend((bytes.len() as u32).to_le_bytes());
        list.extend(&member.name);
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&head);
        bytes.extend(&member.name);
        bytes.extend(&data);
    }
    let start = bytes.len() as u32;
    bytes.extend(&list);
    bytes.extend(b"PK\x05\x06\x00\x00\x00\x00");
    bytes.extend([(members.len() as u16).to_le_bytes(); 2].as_flattened());
    bytes.extend((list.len() as u32).to_le_bytes());
    bytes.extend(start.to_le_bytes());
    bytes.extend(0u16.to_le_bytes());
    bytes
}

/// Builds a book of what is in `records`: the first moves with their counts, the list of errors, what was said.
struct Built {
    first_moves: Vec<(String, Option<u64>)>,
    listed: String,
    said: String,
}

fn workshop(files: &[(&str, &[u8])]) -> Workshop {
    let workshop = Workshop::with("", &["build"]);
    std::fs::create_dir(workshop.path("records")).unwrap();
    for (name, content) in files {
        let path = workshop.path("records").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    workshop
}

fn build(files: &[(&str, &[u8])]) -> Built {
    let workshop = workshop(files);
    let Output { status, stderr, .. } =
        workshop.command(&["records", "-o", "b.joseki", "--errors", "errors"]).output().unwrap();
    let said = String::from_utf8(stderr).unwrap();
    assert!(status.success(), "{said}");
    let book = Joseki::open(&workshop.path("b.joseki")).unwrap();
    let mut first_moves = counts(&book.lookup(&Kyokumen::hirate()).unwrap());
    first_moves.sort();
    Built { first_moves, listed: std::fs::read_to_string(workshop.path("errors")).unwrap(), said }
}

fn moves(all: &[(&str, u64)]) -> Vec<(String, Option<u64>)> {
    all.iter().map(|&(te, count)| (te.to_owned(), Some(count))).collect()
}

#[test]
fn every_format_is_known_by_its_content_whatever_the_name_and_the_encoding() {
    let built = build(&[
        ("a.txt", &cp932(KIF)),
        ("b.csa", KIF.as_bytes()),
        ("c.kif", CSA.as_bytes()),
        ("d", LINE.as_bytes()),
        ("e.gz", &gzip(&cp932(KIF))),
        ("deeper/f.dat", &gzip(CSA.as_bytes())),
    ]);
    assert_eq!(built.listed, "");
    assert_eq!(built.first_moves, moves(&[("2g2f", 2), ("5g5f", 1), ("7g7f", 1)]), "two of the KIF are repeated");
    assert!(built.said.contains("6 games read, 6 taken, 2 of them repeated"), "{}", built.said);
}

#[test]
fn members_of_an_archive_are_read_in_the_order_of_their_names_which_may_be_cp932() {
    let bad = "startpos moves 5g5e\n";
    let mut members = vec![
        member("b/２.txt", bad),
        member("", bad),
        member("a/1.txt.gz", gzip(bad.as_bytes())),
        member("a/", ""),
        member("c.kif", cp932(KIF)),
        member("d.csa", CSA),
    ];
    members[1].name = cp932("棋譜/対局.txt");
    members[1].deflated = false;
    let built = build(&[("all.zip", &zip(&members))]);
    let names: Vec<&str> = built.listed.lines().map(|line| line.split_once(':').unwrap().0).collect();
    let slashes = |name: &str| name.replace('\\', "/");
    let want = ["a/1.txt.gz", "b/２.txt", "棋譜/対局.txt"].map(|name| format!("records/all.zip/{name}"));
    assert_eq!(names.iter().map(|name| slashes(name)).collect::<Vec<_>>(), want);
    assert_eq!(built.first_moves, moves(&[("2g2f", 1), ("7g7f", 1)]));
}

#[test]
fn broken_encrypted_and_nested_members_cost_only_themselves() {
    let mut members = ["a", "b", "c", "d", "e"].map(|name| member(name, LINE));
    members[1].encrypted = true;
    (members[2].damaged, members[2].content) = (true, LINE.trim_end().into());
    members[3].content = zip(&[member("x", LINE)]);
    let mut archive = zip(&members);
    // The head of a member that is not where the list says.
    let at = archive.windows(4).rposition(|bytes| bytes == b"PK\x03\x04").unwrap();
    archive[at + 1] = b'X';
    let built = build(&[("a.zip", &archive), ("b.zip", &archive[..archive.len() - 30]), ("c", LINE.as_bytes())]);
    assert_eq!(built.first_moves, moves(&[("5g5f", 2)]), "{}", built.listed);
    let listed: Vec<&str> = built.listed.lines().collect();
    for (line, words) in
        listed.iter().zip(["it is encrypted", "it is damaged", "inside another", "not where", "b.zip: "])
    {
        assert!(line.contains(words), "{words}: {}", built.listed);
    }
    assert_eq!(listed.len(), 5, "{}", built.listed);
    assert!(built.said.contains("unreadable file: 5 skipped"), "{}", built.said);
}

#[test]
fn members_that_share_a_name_are_not_lost_in_silence() {
    let built = build(&[("a.zip", &zip(&[member("a", CSA), member("b", KIF), member("a", LINE)]))]);
    assert_eq!(built.first_moves, moves(&[("5g5f", 1), ("7g7f", 1)]));
    assert!(built.listed.contains("a.zip: several members have the same name"), "{}", built.listed);
    assert!(built.said.contains("unreadable file: 1 skipped"), "{}", built.said);
}

#[test]
fn lines_end_in_whatever_ends_them() {
    let table = "2020-01-0DAY\t平手\tb\t-\t-\tresign\t1\t7g7f\n";
    let (first, second) = (table.replace("DAY", "1"), table.replace("DAY", "2"));
    for end in ["\n", "\r\n", "\r"] {
        let ended = |text: &str| text.replace('\n', end);
        let built = build(&[
            ("a", ended(&LINE.repeat(3)).as_bytes()),
            ("b", &cp932(&ended(&(first.clone() + &second)))),
            ("c", ended(CSA).as_bytes()),
            ("d", ended(KIF).as_bytes()),
        ]);
        assert_eq!(built.listed, "", "{end:?}");
        assert_eq!(built.first_moves, moves(&[("2g2f", 1), ("5g5f", 3), ("7g7f", 3)]), "{end:?}");
    }
}

#[test]
fn more_faults_than_are_kept_at_once_are_told_in_their_order() {
    let text: String = (0..3000).map(|nth| format!("startpos moves {nth}\n")).collect();
    let built = build(&[("a", (text + LINE).as_bytes()), ("b", b"<html>")]);
    let numbers: Vec<&str> = built.listed.lines().map(|line| line.split(':').nth(1).unwrap()).collect();
    let want: Vec<String> = (1..=3000).map(|line: u32| line.to_string()).chain(["1".to_owned()]).collect();
    assert_eq!(numbers, want);
    assert!(built.said.contains("unreadable line: 3000 skipped, the first is records"), "{}", built.said);
}

#[test]
fn an_archive_may_come_through_a_pipe() {
    let workshop = workshop(&[]);
    let mut child = workshop
        .command(&["-", "-o", "b.joseki"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&zip(&[member("a", LINE), member("b", CSA)])).unwrap();
    assert!(child.wait().unwrap().success());
    let book = Joseki::open(&workshop.path("b.joseki")).unwrap();
    assert_eq!(book.lookup(&Kyokumen::hirate()).unwrap().moves.len(), 2);
}

#[test]
fn what_is_no_record_in_a_folder_is_skipped_and_told_by_kind() {
    let kif = cp932(KIF);
    let broken_gz = {
        let mut packed = gzip(&kif);
        packed.truncate(packed.len() / 2);
        packed
    };
    let illegal = KIF.replace("３四歩(33)", "３五歩(33)");
    let built = build(&[
        ("1.kif", &kif),
        ("2.kif", b"<!DOCTYPE html>\n<html><body>404</body></html>"),
        ("3.html", b"<html>\n"),
        ("4.md", b"Games of the club, thanks to all\n"),
        ("5.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0"),
        ("6.kif", b""),
        ("7.kif.gz", &broken_gz),
        ("8.kif", illegal.as_bytes()),
        ("9.txt", LINE.as_bytes()),
    ]);
    assert_eq!(built.first_moves, moves(&[("5g5f", 1), ("7g7f", 2)]), "{}", built.listed);
    for words in
        ["web page: 2 skipped, the first is ", "unknown format: 2 skipped, the first is ", "unreadable file: 1"]
    {
        assert!(built.said.contains(words), "{words}: {}", built.said);
    }
    assert!(built.said.contains("illegal move: 1 kept up to there"), "{}", built.said);
    assert!(built.said.contains("3 games read"), "{}", built.said);
}

#[test]
fn large_files_are_cut_between_their_games() {
    // Some megabytes each: CSA with games of many lengths, lines, and the same compressed.
    let game = |nth: usize| {
        let comment = format!("'{}\n", "x".repeat(nth * 37 % 4000));
        format!(
            "{comment}V2.2\nPI\n+\n{}\n-3334FU\n%TORYO\n",
            if nth.is_multiple_of(3) { "+2726FU" } else { "+7776FU" }
        )
    };
    let csa = (0..2000).map(game).collect::<Vec<_>>().join("/\r\n");
    assert!(csa.len() > 3 << 20);
    let lines = "startpos moves 5g5f 8c8d\n".repeat(150_000);
    let built = build(&[("a.csa", csa.as_bytes()), ("b.gz", &gzip(csa.as_bytes())), ("c", lines.as_bytes())]);
    assert_eq!(built.listed, "");
    assert_eq!(built.first_moves, moves(&[("2g2f", 2 * 667), ("5g5f", 150_000), ("7g7f", 2 * 1333)]));
}

#[test]
fn a_game_that_is_longer_than_any_costs_only_itself_and_lines_are_numbered_on() {
    let long = format!("V2.2\nPI\n+\n{}", "'remark\n".repeat(3 << 20));
    let csa = format!("{CSA}/\n{long}/\n{CSA}/\nV2.2\nPI\n+\n+2725FU\n");
    let built = build(&[("a.csa", csa.as_bytes()), ("b", LINE.as_bytes())]);
    assert_eq!(built.first_moves, moves(&[("2g2f", 2), ("5g5f", 1)]));
    let lines: Vec<&str> = built.listed.lines().collect();
    assert!(lines.len() == 2 && lines[0].contains("a.csa:10: ") && lines[0].contains("16 MiB"), "{}", built.listed);
    let line = csa.lines().count();
    assert!(lines[1].contains(&format!("a.csa:{line}: move 1")), "{}", built.listed);
}

#[test]
fn bombs_and_endless_inputs_end() {
    // 64 MiB of a KIF without end, and of nothing at all, in some kilobytes.
    let kif = format!("{KIF}{}", "*remark\n".repeat(8 << 20));
    let bombs = [gzip(kif.as_bytes()), gzip(&vec![0; 64 << 20]), zip(&[member("x", kif.as_bytes())])];
    let [a, b, c] = &bombs;
    let built = build(&[("a.kif.gz", a), ("b.gz", b), ("c.zip", c), ("d", LINE.as_bytes())]);
    assert_eq!(built.first_moves, moves(&[("5g5f", 1)]));
    assert_eq!(built.listed.matches("16 MiB").count(), 2, "{}", built.listed);
    assert_eq!(built.listed.lines().count(), 3, "{}", built.listed);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_wait_for_a_pipe_and_leaves_nothing() {
    let workshop = workshop(&[]);
    let pipe = workshop.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut command = workshop.command(&["pipe", "-o", "b.joseki"]);
    let child = command.stderr(std::process::Stdio::piped()).spawn().unwrap();
    // Opening waits for the one who reads.
    let writer = std::fs::OpenOptions::new().write(true).open(&pipe).unwrap();
    let interrupt = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    let output = child.wait_with_output().unwrap();
    drop(writer);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "komadai: broken off; nothing was written\n");
    let left: Vec<_> =
        std::fs::read_dir(workshop.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "{left:?}: a.db, records and the pipe");
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_without_end_is_no_record() {
    let workshop = workshop(&[("a", LINE.as_bytes())]);
    let (_, said) = workshop.run(&["/dev/zero", "records", "-o", "b.joseki"]);
    assert!(said.contains("unknown format: 1 skipped") && said.contains("1 games read"), "{said}");
}

#[test]
fn thousands_of_small_files_are_read_in_the_order_of_their_names() {
    let files: Vec<(String, Vec<u8>)> = (0..3000)
        .map(|nth| (format!("{}/{nth:04}", nth % 7), if nth % 100 == 0 { b"x".to_vec() } else { LINE.into() }))
        .collect();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (&name[..], &bytes[..])).collect();
    let built = build(&files);
    assert_eq!(built.first_moves, moves(&[("5g5f", 2970)]));
    let listed: Vec<&str> = built.listed.lines().collect();
    assert!(listed.len() == 30 && listed.is_sorted(), "{}", built.listed);
}
