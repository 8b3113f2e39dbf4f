//! The default engine, seen from outside: what it answers, and what it reports on the way.

use std::time::Instant;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use komadai::hyoka::Material;
use komadai::kyokumen::{ByTeban, Kyokumen, NyugyokuRule, Taikyoku, Te};
use komadai::sikou::{
    Answer, Clocks, Config, Limits, Line, MateAnswer, Report, Score, Sikou, StopSignal, Tansaku, Task,
};

/// A search with everything that goes into it.
struct Thought {
    config: Config,
    limits: Limits,
    stop: StopSignal,
    seed: u64,
}

impl Default for Thought {
    fn default() -> Thought {
        let config = Config { hash_mb: 4, ..Config::default() };
        Thought { config, limits: Limits::new(Instant::now()), stop: StopSignal::new(), seed: 1 }
    }
}

impl Thought {
    fn to_depth(depth: u32) -> Thought {
        let mut thought = Thought::default();
        thought.limits.depth = Some(depth);
        thought
    }

    fn of_nodes(nodes: u64) -> Thought {
        let mut thought = Thought::default();
        thought.limits.nodes = Some(nodes);
        thought
    }

    fn run(&self, engine: &mut dyn Sikou, taikyoku: &Taikyoku) -> (Answer, Vec<Line>) {
        let mut lines = Vec::new();
        let answer = self.with_task(taikyoku, &mut lines, |task| engine.think(task));
        for line in &lines {
            assert_is_legal_line(taikyoku.kyokumen(), &line.pv);
        }
        if let Answer::Play { te, ponder } = answer {
            let told = lines.last().expect("a line is told before the answer");
            assert_eq!(told.pv.first(), Some(&te), "the last line told is that of the answer");
            assert!(told.score.is_some());
            assert_is_legal_line(taikyoku.kyokumen(), &[Some(te), ponder].into_iter().flatten().collect::<Vec<_>>());
        }
        (answer, lines)
    }

    fn mate(&self, sfen: &str) -> MateAnswer {
        let taikyoku = game(sfen, "");
        let mut engine = Tansaku::default();
        self.with_task(&taikyoku, &mut Vec::new(), |task| engine.solve_mate(task))
    }

    fn with_task<R>(&self, taikyoku: &Taikyoku, lines: &mut Vec<Line>, run: impl FnOnce(&mut Task<'_>) -> R) -> R {
        run(&mut Task {
            kyokumen: taikyoku.kyokumen(),
            rireki: taikyoku.rireki(),
            limits: &self.limits,
            config: &self.config,
            stop: &self.stop,
            rng: &mut ChaCha8Rng::seed_from_u64(self.seed),
            report: &mut |report| {
                if let Report::Line(line) = report {
                    lines.push(line.clone());
                }
            },
        })
    }
}

fn assert_is_legal_line(start: &Kyokumen, line: &[Te]) {
    let mut kyokumen = start.clone();
    for &te in line {
        assert!(kyokumen.is_legal(te), "{te} of {line:?} in {start:?}");
        kyokumen.do_te(te);
    }
}

fn game(sfen: &str, moves: &str) -> Taikyoku {
    let mut taikyoku = Taikyoku::new(Kyokumen::from_sfen(sfen).unwrap());
    for te in moves.split_whitespace() {
        assert!(taikyoku.play(te.parse().unwrap()), "{te}");
    }
    taikyoku
}

fn played(answer: &Answer) -> String {
    match answer {
        Answer::Play { te, .. } => te.to_string(),
        other => panic!("{other:?} instead of a move"),
    }
}

const MATE_IN_3: &str = "9/3G5/5+B2R/3p5/G2PS1kp1/1PSG5/2PSGP+pP1/L4LS+BL/4RKNNL b 2N9Pp 215";
const NO_MATE: &str = "4k4/9/9/9/9/9/9/9/4K4 b G 1";

/// Positions with the shortest mate, in plies, or a word; see the head of the file.
fn mate_problems() -> Vec<(&'static str, &'static str)> {
    let lines = include_str!("mates.tsv").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once('\t').expect("two columns")).collect()
}

#[test]
fn mates_are_found_at_low_depth_and_told_in_plies() {
    for (sfen, length) in mate_problems().into_iter().filter(|(_, length)| ["1", "3"].contains(length)) {
        let plies: i32 = length.parse().unwrap();
        let mut taikyoku = game(sfen, "");
        let (answer, lines) = Thought::to_depth(plies as u32 + 1).run(&mut Tansaku::default(), &taikyoku);
        let told = lines.last().unwrap();
        assert_eq!((told.score, told.pv.len()), (Some(Score::Mate(plies)), plies as usize), "{sfen}");
        // Seen from the other side it is a mate in one ply less, against the side to move.
        if plies > 1 {
            assert!(taikyoku.play(played(&answer).parse().unwrap()));
            let (_, lines) = Thought::to_depth(plies as u32 + 1).run(&mut Tansaku::default(), &taikyoku);
            assert_eq!(lines.last().unwrap().score, Some(Score::Mate(1 - plies)), "{sfen}");
        }
    }
}

#[test]
fn games_played_by_itself_have_legal_moves_and_lines_only() {
    for seed in 0..4 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut engine = Tansaku::default();
        engine.new_game();
        let mut taikyoku = Taikyoku::default();
        for ply in 0..120 {
            let list = taikyoku.kyokumen().legal_te();
            let te = if ply < 12 && !list.is_empty() {
                list[rng.next_u64() as usize % list.len()]
            } else {
                match Thought::to_depth(2 + ply % 2).run(&mut engine, &taikyoku).0 {
                    Answer::Play { te, .. } => te,
                    Answer::Win => break,
                    Answer::Resign => {
                        assert!(list.is_empty());
                        break;
                    }
                }
            };
            assert!(taikyoku.play(te), "{te} in {:?}", taikyoku.kyokumen());
        }
    }
}

#[test]
fn the_same_task_gives_the_same_lines_and_nodes_twice() {
    let run = || {
        let (answer, mut lines) = Thought::to_depth(5).run(&mut Tansaku::default(), &Taikyoku::default());
        lines.iter_mut().for_each(|line| line.time = std::time::Duration::ZERO);
        (answer, lines)
    };
    assert_eq!(run(), run());
}

#[test]
fn several_threads_search_together_find_a_mate_and_end_together() {
    let mut thought = Thought::of_nodes(60_000);
    thought.config.threads = 4;
    // However little of the processors the thread gets that reports.
    let mut deep = Thought::to_depth(9);
    deep.config.threads = 4;
    let mut engine = Tansaku::default();
    engine.configure(&thought.config);
    for _ in 0..3 {
        let (answer, lines) = deep.run(&mut engine, &game(MATE_IN_3, ""));
        // What the others leave in the table may show a longer mate first.
        assert!(matches!(lines.last().unwrap().score, Some(Score::Mate(3..=15))), "{answer:?} {lines:?}");
        let (_, lines) = thought.run(&mut engine, &Taikyoku::default());
        // All threads count.
        assert!(lines.last().unwrap().nodes >= 60_000, "{lines:?}");
    }
    // Fewer threads again, and the answers repeat.
    thought.config.threads = 1;
    engine.configure(&thought.config);
    engine.new_game();
    let first = thought.run(&mut engine, &Taikyoku::default()).0;
    assert_eq!(thought.run(&mut Tansaku::default(), &Taikyoku::default()).0, first);
    thought.stop.stop();
    thought.config.threads = 3;
    played(&thought.run(&mut engine, &Taikyoku::default()).0);
}

#[test]
fn what_threads_take_from_each_other_is_whole() {
    let chosen = ["7g7f", "2g2f"].map(|te| te.parse::<Te>().unwrap());
    for (multi_pv, asked) in [(1, &[][..]), (3, &[]), (2, &chosen)] {
        let mut thought = Thought::to_depth(8);
        (thought.config.threads, thought.config.multi_pv) = (4, multi_pv);
        thought.limits.searchmoves = asked.to_vec();
        let (_, lines) = thought.run(&mut Tansaku::default(), &Taikyoku::default());
        assert_eq!(lines.last().unwrap().depth, 8);
        for pair in lines.windows(2) {
            assert!(pair[0].nodes <= pair[1].nodes && pair[0].depth <= pair[1].depth, "{pair:?}");
        }
        // All lines of a depth come from one thread, the best first. That of the answer may follow once more.
        for told in lines.chunks_exact(multi_pv) {
            assert!(told.iter().map(|line| line.multipv).eq(1..=multi_pv as u32), "{told:?}");
            assert!(told.iter().all(|line| line.depth == told[0].depth && line.seldepth >= line.depth), "{told:?}");
            let firsts: Vec<Te> = told.iter().map(|line| line.pv[0]).collect();
            assert!((1..multi_pv).all(|rank| !firsts[..rank].contains(&firsts[rank])), "{firsts:?}");
            assert!(asked.is_empty() || firsts.iter().all(|te| asked.contains(te)), "{firsts:?}");
            let values: Vec<_> = told.iter().map(centipawns).collect();
            assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
        }
    }
}

fn centipawns(line: &Line) -> i32 {
    match line.score {
        Some(Score::Cp(value)) => value,
        ref other => panic!("{other:?}"),
    }
}

#[test]
fn threads_end_by_themselves_and_at_a_stop_on_the_way() {
    let mut shallow = Thought::to_depth(1);
    shallow.config.threads = 4;
    played(&shallow.run(&mut Tansaku::default(), &Taikyoku::default()).0);
    let mut endless = Thought::default();
    endless.config.threads = 3;
    endless.limits.infinite = true;
    let stop = endless.stop.clone();
    let answer = endless.with_task(&Taikyoku::default(), &mut Vec::new(), |task| {
        let mut report = |report: &Report| {
            if matches!(report, Report::Line(line) if line.depth >= 6) {
                stop.stop();
            }
        };
        Tansaku::default().think(&mut Task { report: &mut report, rng: &mut ChaCha8Rng::seed_from_u64(1), ..*task })
    });
    played(&answer);
}

#[test]
fn a_new_game_forgets_the_last_one() {
    let nodes =
        |engine: &mut Tansaku<_>| Thought::to_depth(5).run(engine, &Taikyoku::default()).1.last().unwrap().nodes;
    let mut engine = Tansaku::default();
    let first = nodes(&mut engine);
    assert_ne!(nodes(&mut engine), first);
    engine.new_game();
    assert_eq!(nodes(&mut engine), first);
}

#[test]
fn the_node_limit_is_kept_exactly() {
    for limit in [1, 2, 100, 5_000] {
        let (_, lines) = Thought::of_nodes(limit).run(&mut Tansaku::default(), &Taikyoku::default());
        assert_eq!(lines.last().unwrap().nodes, limit);
    }
}

#[test]
fn the_depth_limit_is_kept_and_every_depth_is_told() {
    let (_, lines) = Thought::to_depth(4).run(&mut Tansaku::default(), &Taikyoku::default());
    let depths: Vec<u32> = lines.iter().map(|line| line.depth).collect();
    assert_eq!(depths, [1, 2, 3, 4]);
    assert!(lines.iter().all(|line| line.seldepth >= line.depth && line.multipv == 1));
}

#[test]
fn a_stop_that_comes_before_the_start_still_gets_a_legal_move() {
    let thought = Thought::default();
    thought.stop.stop();
    played(&thought.run(&mut Tansaku::default(), &Taikyoku::default()).0);
}

#[test]
fn clocks_that_have_run_out_still_get_a_legal_move() {
    let mut thought = Thought::default();
    thought.limits.clocks = Clocks { time: ByTeban([Some(Default::default()); 2]), ..Clocks::default() };
    played(&thought.run(&mut Tansaku::default(), &Taikyoku::default()).0);
}

#[test]
fn a_clock_without_any_time_still_lets_the_moves_be_looked_at_once() {
    let mut thought = Thought::default();
    // No time passes, as the command has yet to arrive.
    thought.limits.received += std::time::Duration::from_secs(3600);
    thought.limits.clocks.byoyomi = Some(std::time::Duration::ZERO);
    let taikyoku = game("4k4/9/4p4/9/4r4/9/4R4/9/4K4 b - 1", "");
    let (answer, lines) = thought.run(&mut Tansaku::default(), &taikyoku);
    assert_eq!((played(&answer).as_str(), lines.len()), ("5g5e", 1));
}

#[test]
fn only_the_moves_asked_for_are_chosen() {
    let mut thought = Thought::to_depth(3);
    thought.limits.searchmoves = vec!["9g9f".parse().unwrap(), "1a1b".parse().unwrap()];
    assert_eq!(played(&thought.run(&mut Tansaku::default(), &Taikyoku::default()).0), "9g9f");
}

#[test]
fn several_lines_are_told_best_first_and_the_best_once_more_at_the_end() {
    let mut thought = Thought::to_depth(3);
    thought.config.multi_pv = 3;
    let (_, lines) = thought.run(&mut Tansaku::default(), &Taikyoku::default());
    let ranks: Vec<u32> = lines.iter().map(|line| line.multipv).collect();
    assert_eq!(ranks, [1, 2, 3, 1, 2, 3, 1, 2, 3, 1]);
    let cp = |line: &Line| match line.score {
        Some(Score::Cp(cp)) => cp,
        _ => panic!("{line:?}"),
    };
    let last = &lines[6..9];
    assert!(cp(&last[0]) >= cp(&last[1]) && cp(&last[1]) >= cp(&last[2]));
    assert!(last[0].pv[0] != last[1].pv[0] && last[1].pv[0] != last[2].pv[0]);
    // More lines than there are moves.
    thought.config.multi_pv = 600;
    thought.run(&mut Tansaku::default(), &game("4k4/9/9/9/9/9/9/9/4K4 b - 1", ""));
}

#[test]
fn a_game_without_legal_moves_is_resigned() {
    let mated = game("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "");
    assert_eq!(Thought::to_depth(3).run(&mut Tansaku::default(), &mated).0, Answer::Resign);
}

#[test]
fn a_hopeless_game_is_resigned_at_the_value_asked_for_but_not_in_analysis() {
    let lost = game("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/9/4K4 b - 1", "");
    let mut thought = Thought::to_depth(2);
    thought.run(&mut Tansaku::default(), &lost);
    thought.config.resign_value = 2_000;
    assert_eq!(thought.run(&mut Tansaku::default(), &lost).0, Answer::Resign);
    thought.limits.infinite = true;
    played(&thought.run(&mut Tansaku::default(), &lost).0);
    let pondering = Thought { limits: Limits { infinite: false, ponder: true, ..thought.limits }, ..thought };
    played(&pondering.run(&mut Tansaku::default(), &lost).0);
}

/// Sente is a rook up; both kings and the rook have shuffled until the next shuffle would be the fourth occurrence.
#[test]
fn the_side_that_is_ahead_avoids_the_fourth_occurrence() {
    let cycle = "5i4i 5a4a 4i5i 4a5a ";
    let ahead = game("4k4/9/4p4/9/9/4P4/9/9/R3K4 b R 1", &(cycle.repeat(2) + "5i4i 5a4a 4i5i 4a5a 5i4i 5a4a"));
    let answer = Thought::to_depth(4).run(&mut Tansaku::default(), &ahead).0;
    assert_ne!(played(&answer), "4i5i");
}

/// Gote, a rook down, draws by repetition where Sente lets him; a lone repetition in the tree counts already.
#[test]
fn the_side_that_is_behind_takes_a_draw() {
    let cycle = "9i8i 5a4a 8i9i 4a5a ";
    let behind = game("4k4/9/9/9/9/9/9/9/R3K4 b - 1", &(cycle.repeat(2) + "9i8i 5a4a 8i9i"));
    let (answer, lines) = Thought::to_depth(4).run(&mut Tansaku::default(), &behind);
    assert_eq!((played(&answer).as_str(), lines.last().unwrap().score), ("4a5a", Some(Score::Cp(0))));
}

/// Sente has nothing but checks with his rook; as perpetual check they lose, so he must give something else.
#[test]
fn perpetual_check_is_not_walked_into() {
    let start = "k8/9/9/8p/9/9/9/9/R3K4 b - 1";
    let cycle = "9i9h 9a8a 9h8h 8a9a 8h9h 9a8a 9h8h 8a9a 8h9h 9a8a 9h8h 8a9a";
    let checking = game(start, cycle);
    let (answer, lines) = Thought::to_depth(4).run(&mut Tansaku::default(), &checking);
    assert_ne!(played(&answer), "8h9h");
    assert!(matches!(lines.last().unwrap().score, Some(Score::Cp(cp)) if cp > 0), "{lines:?}");
}

#[test]
fn a_declaration_that_a_move_leads_to_is_found() {
    // 28 points and twelve pieces in the camp; the king has to come in first, and then may declare.
    let sfen = "GGGGSSSS1/9/3NNNN2/K8/9/9/9/9/8k b 4L12P 1";
    // Three plies would do, but late quiet moves are searched less deep.
    let (answer, lines) = Thought::to_depth(8).run(&mut Tansaku::default(), &game(sfen, ""));
    assert!(["9d8c", "9d9c"].contains(&played(&answer).as_str()), "{answer:?}");
    assert_eq!(lines.last().unwrap().score, Some(Score::Mate(3)));
    let declared = game("GGGGSSSS1/9/K2NNNN2/9/9/9/9/9/8k b 4L12P 1", "");
    assert_eq!(Thought::to_depth(3).run(&mut Tansaku::default(), &declared).0, Answer::Win);
    let mut thought = Thought::to_depth(3);
    thought.config.nyugyoku_rule = NyugyokuRule::None;
    let (_, lines) = thought.run(&mut Tansaku::default(), &game(sfen, ""));
    assert_ne!(lines.last().unwrap().score, Some(Score::Mate(3)));
    played(&thought.run(&mut Tansaku::default(), &declared).0);
}

#[test]
fn the_last_move_before_the_limit_of_moves_is_worth_a_draw() {
    let mut thought = Thought::to_depth(3);
    thought.config.max_moves_to_draw = 10;
    let ahead = "4k4/9/9/9/9/9/9/9/R3K4 b 2B2G";
    let (_, lines) = thought.run(&mut Tansaku::default(), &game(&format!("{ahead} 10"), ""));
    assert_eq!(lines.last().unwrap().score, Some(Score::Cp(0)));
    let (_, lines) = thought.run(&mut Tansaku::default(), &game(&format!("{ahead} 11"), ""));
    assert_ne!(lines.last().unwrap().score, Some(Score::Cp(0)));
}

#[test]
fn positions_without_one_or_both_kings_are_searched() {
    for sfen in ["4k4/9/9/9/9/9/9/9/9 b RB 1", "9/9/9/9/9/9/9/9/4K4 b RB 1", "9/4p4/9/9/9/9/4P4/9/9 b RBrb 1"] {
        played(&Thought::to_depth(3).run(&mut Tansaku::default(), &game(sfen, "")).0);
    }
}

#[test]
fn the_position_with_the_most_moves_is_searched() {
    let sfen = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1";
    let most = game(sfen, "");
    assert_eq!(most.kyokumen().legal_te().len(), 593);
    Thought::of_nodes(3_000).run(&mut Tansaku::default(), &most);
}

#[test]
fn weak_levels_play_legally_vary_with_the_seed_and_repeat_with_it() {
    let run = |level, seed| {
        let mut thought = Thought { seed, ..Thought::to_depth(4) };
        thought.config.skill_level = level;
        thought.run(&mut Tansaku::default(), &Taikyoku::default()).0
    };
    assert!((1..20).any(|seed| run(3, seed) != run(3, 0)));
    assert_eq!(run(3, 7), run(3, 7));
    assert!((1..5).all(|seed| run(20, seed) == run(20, 0)));
}

#[test]
fn any_evaluation_can_drive_the_search() {
    let capture = game("4k4/9/9/4r4/4P4/9/9/9/4K4 b - 1", "");
    let (answer, _) = Thought::to_depth(3).run(&mut Tansaku::new(Material::default()), &capture);
    assert_eq!(played(&answer), "5e5d");
}

/// Checks a mate line by the rules alone.
fn assert_is_mate(sfen: &str, line: &[Te]) {
    let mut kyokumen = Kyokumen::from_sfen(sfen).unwrap();
    assert_eq!(line.len() % 2, 1, "{line:?}");
    for (ply, &te) in line.iter().enumerate() {
        assert!(kyokumen.is_legal(te), "{te} of {line:?}");
        kyokumen.do_te(te);
        assert!(ply % 2 == 1 || kyokumen.is_oute(), "{te} of {line:?} is no check");
    }
    assert!(!kyokumen.has_legal_te(), "{line:?} does not mate");
}

#[test]
fn mate_problems_are_solved_with_lines_that_mate() {
    // The attacker may have no king.
    let without_king = ("4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1", "1");
    for (sfen, length) in mate_problems().into_iter().chain([without_king]) {
        match (Thought::default().mate(sfen), length.parse::<usize>()) {
            (MateAnswer::Checkmate(line), shortest) => {
                assert_is_mate(sfen, &line);
                assert!(shortest.is_ok_and(|plies| line.len() >= plies) || length == "mate", "{sfen}");
            }
            (MateAnswer::NoMate, Err(_)) if length == "nomate" => {}
            (other, _) => panic!("{other:?} for {sfen}, which has {length}"),
        }
    }
}

#[test]
fn no_mate_is_answered_only_where_there_is_none() {
    assert_eq!(Thought::default().mate(NO_MATE), MateAnswer::NoMate);
    // A pawn's drop would mate, and is forbidden.
    assert_eq!(Thought::default().mate("3nkl3/3p1p3/4G4/9/9/9/9/9/9 b P 1"), MateAnswer::NoMate);
    // Nobody to mate.
    assert_eq!(Thought::default().mate("9/9/9/9/9/9/9/9/4K4 b RG 1"), MateAnswer::NoMate);
}

#[test]
fn endless_checks_are_no_mate() {
    assert_eq!(Thought::default().mate("k8/9/9/9/9/9/9/9/R3K4 b - 1"), MateAnswer::NoMate);
}

#[test]
fn a_stopped_mate_search_says_so() {
    let thought = Thought::default();
    thought.stop.stop();
    assert_eq!(thought.mate(MATE_IN_3), MateAnswer::Timeout);
}
