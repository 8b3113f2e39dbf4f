//! What a built book holds depends on the games alone: not on memory, threads, order, or parts. And whose moves it
//! holds.
#![cfg(feature = "cli")]

mod joseki_support;

use std::collections::BTreeMap;

use joseki_support::*;
use komadai::joseki::{Joseki, JosekiTe};
use komadai::kyokumen::Kyokumen;
use rand::RngExt;
use rand::seq::SliceRandom;

/// Games of random moves of the games file, many with a common start, some recorded twice with other ratings.
fn random_games(number: usize, seed: u64) -> Vec<String> {
    let mut rng = rng(seed);
    let mut lines: Vec<String> = Vec::new();
    for nth in 0..number {
        let mut kyokumen = Kyokumen::hirate();
        let mut moves = Vec::new();
        let plies = rng.random_range(1..30);
        while moves.len() < plies {
            let legal = kyokumen.legal_te();
            // Few moves at first, so that the same positions come often.
            let choice = if moves.len() < 4 { 2 } else { legal.len() };
            let Some(&te) = legal.get(rng.random_range(0..choice.max(1))) else { break };
            kyokumen.do_te(te);
            moves.push(te.to_string());
        }
        let mut rating =
            || if rng.random_range(0..5) == 0 { "-".to_owned() } else { rng.random_range(1000..3000).to_string() };
        let (sente, gote) = (rating(), rating());
        let ending = ["resign", "timeup", "sennichite", "jishogi", "abort", "none", "illegal"][nth % 7];
        let day = rng.random_range(1..9);
        let date = if nth.is_multiple_of(5) { "-".to_owned() } else { format!("2020-01-{day:02}") };
        lines.push(format!("{date}\t平手\tb\t{sente}\t{gote}\t{ending}\t{}\t{}", moves.len(), moves.join(" ")));
        if nth.is_multiple_of(6) {
            let again = format!("{date}\t平手\tw\t{gote}\t{sente}\tresign\t{}\t{}", moves.len(), moves.join(" "));
            lines.push(again);
        }
    }
    lines
}

fn workshop(files: &[(&str, &[String])]) -> Workshop {
    let workshop = Workshop::with("", &[]);
    for (name, lines) in files {
        std::fs::write(workshop.path(name), lines.join("\n")).unwrap();
    }
    workshop
}

fn read(workshop: &Workshop, book: &str) -> Vec<u8> {
    std::fs::read(workshop.path(book)).unwrap()
}

#[test]
fn memory_jobs_and_order_make_no_difference() {
    let mut lines = random_games(3000, 1);
    let workshop = workshop(&[("games", &lines)]);
    workshop.run(&["build", "games", "-o", "want.joseki"]);
    workshop.run(&["build", "games", "-o", "want.db"]);
    // A megabyte is for some thousand moves, far fewer than there are, and for some thousand games.
    assert!(Joseki::open(&workshop.path("want.joseki")).unwrap().size() > 1 << 20);
    for (memory, jobs) in [("1", "1"), ("1", "2"), ("1", "5"), ("256", "3"), ("4294967295", "2")] {
        lines.shuffle(&mut rng(memory.len() as u64));
        std::fs::write(workshop.path("games"), lines.join("\n")).unwrap();
        for format in ["joseki", "db"] {
            let book = format!("found.{format}");
            workshop.run(&["build", "games", "-o", &book, "--memory", memory, "--jobs", jobs]);
            assert!(read(&workshop, &book) == read(&workshop, &format!("want.{format}")), "{memory} {jobs} {format}");
        }
    }
}

/// Counts, results and sums of ratings, added up move by move in the plainest way.
#[test]
fn figures_are_those_of_a_plain_count() {
    type Sums = (u64, [u64; 3], [(u64, u64); 2]);
    let lines = random_games(400, 2);
    let workshop = workshop(&[("games", &lines)]);
    workshop.run(&["build", "games", "-o", "b.joseki", "--memory", "1"]);
    let mut games: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (nth, line) in lines.iter().enumerate() {
        let columns: Vec<&str> = line.split('\t').collect();
        let identity = if columns[0] == "-" { nth.to_string() } else { format!("{} {}", columns[0], columns[7]) };
        // Of a game recorded twice the one with the higher rating of Sente, then of Gote, then the later ending counts.
        let rank = |columns: &[&str]| {
            let rating = |index: usize| columns[index].parse::<i64>().unwrap_or(-1);
            let order = ["none", "resign", "timeup", "illegal", "abort", "draw", "sennichite", "jishogi"];
            (rating(3), rating(4), order.iter().position(|ending| *ending == columns[5]))
        };
        let known = games.entry(identity).or_insert_with(|| columns.clone());
        if rank(&columns) > rank(known) {
            *known = columns;
        }
    }
    let mut sums: BTreeMap<(String, String), Sums> = BTreeMap::new();
    for columns in games.values() {
        let mut kyokumen = Kyokumen::hirate();
        let moves: Vec<&str> = columns[7].split(' ').collect();
        for (nth, usi) in moves.iter().enumerate() {
            let sfen = kyokumen.to_sfen();
            let position = sfen.rsplit_once(' ').unwrap().0.to_owned();
            let (count, results, ratings) = sums.entry((position, (*usi).to_owned())).or_default();
            *count += 1;
            let last = (moves.len() - nth).is_multiple_of(2);
            match columns[5] {
                "resign" | "timeup" => results[if last { 2 } else { 0 }] += 1,
                "illegal" => results[if last { 0 } else { 2 }] += 1,
                "sennichite" | "jishogi" => results[1] += 1,
                _ => {}
            }
            for (side, sum) in ratings.iter_mut().enumerate() {
                if let Ok(rating) = columns[3 + (nth + side) % 2].parse::<u64>() {
                    *sum = (sum.0 + rating, sum.1 + 1);
                }
            }
            kyokumen.do_te(te(usi));
        }
    }
    let book = Joseki::open(&workshop.path("b.joseki")).unwrap();
    let mut found = 0;
    for ((position, usi), (count, results, ratings)) in &sums {
        let entry = book.lookup(&Kyokumen::from_sfen(&format!("{position} 1")).unwrap()).unwrap();
        let te = find(&entry, usi);
        let known = |index: usize| (results.iter().sum::<u64>() > 0).then_some(results[index]);
        assert_eq!((te.count, te.wins, te.draws, te.losses), (Some(*count), known(0), known(1), known(2)));
        let mean = |(sum, number): (u64, u64)| (sum + number / 2).checked_div(number).map(|mean| mean as u32);
        assert_eq!((te.rating, te.opponent_rating), (mean(ratings[0]), mean(ratings[1])));
        found += 1;
    }
    assert!(book.verify(&mut |fault| panic!("{fault}")).is_good());
    let (told, _) = workshop.run(&["stat", "b.joseki", "--json"]);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&told).unwrap()["moves"], found);
}

#[test]
fn books_of_parts_merge_into_the_book_of_all() {
    // Parts by days, for games of one day that are recorded twice must be in one part to count once.
    let lines = random_games(1500, 3);
    let part = |days: &[&str]| -> Vec<String> {
        lines.iter().filter(|line| days.iter().any(|day| line.starts_with(day))).cloned().collect()
    };
    let parts = [
        part(&["-", "2020-01-01", "2020-01-02"]),
        part(&["2020-01-03", "2020-01-04", "2020-01-05"]),
        part(&["2020-01-06", "2020-01-07", "2020-01-08"]),
    ];
    assert_eq!(parts.iter().map(Vec::len).sum::<usize>(), lines.len());
    let workshop = workshop(&[("all", &lines), ("1", &parts[0]), ("2", &parts[1]), ("3", &parts[2])]);
    let note = "Three parts.";
    for (name, book) in [("all", "all.joseki"), ("1", "1.joseki"), ("2", "2.joseki"), ("3", "3.joseki")] {
        workshop.run(&["build", name, "-o", book, "--provenance", note]);
    }
    for order in [["1", "2", "3"], ["3", "1", "2"]] {
        let books = order.map(|part| format!("{part}.joseki"));
        let [a, b, c] = books.each_ref().map(String::as_str);
        workshop.run(&["merge", a, b, c, "-o", "merged.joseki", "--provenance", note]);
        assert!(read(&workshop, "merged.joseki") == read(&workshop, "all.joseki"), "{order:?}");
        // Step by step too.
        workshop.run(&["merge", a, b, "-o", "two.joseki"]);
        workshop.run(&["merge", "two.joseki", c, "-o", "merged.joseki", "--provenance", note]);
        assert!(read(&workshop, "merged.joseki") == read(&workshop, "all.joseki"), "{order:?}");
    }
}

fn csa(names: [&str; 2], moves: &str, ending: &str) -> String {
    let moves = moves.split(' ').collect::<Vec<_>>().join("\n");
    format!("V2.2\nN+{}\nN-{}\nPI\n+\n{moves}\n{ending}\n", names[0], names[1])
}

fn first_moves(workshop: &Workshop, options: &[&str]) -> String {
    workshop.run(&[&["build", "games", "-o", "b.joseki"], options].concat());
    let book = Joseki::open(&workshop.path("b.joseki")).unwrap();
    let all = |kyokumen: &Kyokumen| {
        let entry = book.lookup(kyokumen).unwrap_or_default();
        counts(&entry).into_iter().map(|(te, count)| format!("{te} {}", count.unwrap())).collect::<Vec<_>>().join(" ")
    };
    format!("{} / {}", all(&Kyokumen::hirate()), all(&after("7g7f")))
}

#[test]
fn moves_of_a_player_are_found_by_the_name_in_any_width() {
    let games = [
        csa(["羽生 善治", "Bonanza"], "+7776FU -3334FU", "%TORYO"),
        csa(["bonanza", "羽生　善治 九段"], "+7776FU -8384FU", "%TORYO"),
        csa(["ﾊﾌﾞ", "x"], "+2726FU -8384FU", "%TORYO"),
    ];
    let workshop = workshop(&[("games", &[games.join("/\n")])]);
    assert_eq!(first_moves(&workshop, &["--player", "ＢＯＮＡＮＺＡ"]), "7g7f 1 / 3c3d 1");
    assert_eq!(first_moves(&workshop, &["--player", "羽生善治"]), "7g7f 1 / ");
    assert_eq!(first_moves(&workshop, &["--player", "羽生善治", "--player", "ハブ"]), "2g2f 1 7g7f 1 / ");
    let nobody = workshop.command(&["build", "games", "-o", "x.joseki", "--player", "善治"]).output().unwrap();
    assert_eq!(nobody.status.code(), Some(1), "only whole names count");
}

#[test]
fn draw_stands_for_all_draws() {
    let game = |first: &str, ending| csa(["a", "b"], first, ending);
    let games = [
        game("+7776FU", "%SENNICHITE"),
        game("+7776FU", "%JISHOGI"),
        game("+7776FU", "%HIKIWAKE"),
        game("+7776FU", "%TORYO"),
    ];
    let workshop = workshop(&[("games", &[games.join("/\n")])]);
    for (ending, count) in [("draw", 3), ("sennichite", 1), ("jishogi,sennichite", 2), ("resign,draw", 4)] {
        assert_eq!(first_moves(&workshop, &["--ending", ending]), format!("7g7f {count} / "), "{ending}");
    }
    let book = Joseki::open(&workshop.path("b.joseki")).unwrap();
    let te: JosekiTe = find(&book.lookup(&Kyokumen::hirate()).unwrap(), "7g7f");
    assert_eq!((te.wins, te.draws, te.losses), (Some(1), Some(3), Some(0)));
}

#[test]
fn moves_of_variations_count_once_and_without_results() {
    let kif = "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n\n変化：2手\n   2 ８四歩(83)\n   3 ２六歩(27)\n\n変化：1手\n   1 ２六歩(27)\n";
    let workshop = workshop(&[("games", &[kif.to_owned()])]);
    assert_eq!(first_moves(&workshop, &[]), "7g7f 1 / 3c3d 1");
    assert_eq!(first_moves(&workshop, &["--variations"]), "2g2f 1 7g7f 1 / 3c3d 1 8c8d 1");
    let book = Joseki::open(&workshop.path("b.joseki")).unwrap();
    let of = |moves: &str, usi: &str| find(&book.lookup(&after(moves)).unwrap(), usi);
    assert_eq!((of("", "7g7f").losses, of("7g7f", "3c3d").wins), (Some(1), Some(1)));
    assert_eq!((of("", "2g2f").wins, of("7g7f", "8c8d").losses), (None, None));
    assert_eq!(of("7g7f 8c8d", "2g2f").count, Some(1));
    assert_eq!(first_moves(&workshop, &["--variations", "--side", "gote"]), " / 3c3d 1 8c8d 1");
    assert_eq!(first_moves(&workshop, &["--variations", "--max-ply", "1"]), "2g2f 1 7g7f 1 / ");
}

#[test]
fn the_rook_divides_players_within_one_game() {
    let wait = " 5i5h 5a5b 5h5i 5b5a".repeat(7);
    let games = [
        format!("startpos moves 7g7f 8b4b{wait}"),
        format!("startpos moves 2g2f 3c3d{wait}"),
        "startpos moves 7g7f 3c3d 2h6h".to_owned(),
    ];
    let workshop = workshop(&[("games", &games)]);
    assert_eq!(first_moves(&workshop, &["--rook", "static"]), "2g2f 1 7g7f 1 / ");
    assert_eq!(first_moves(&workshop, &["--rook", "ranging"]), "7g7f 1 / 8b4b 1");
}
