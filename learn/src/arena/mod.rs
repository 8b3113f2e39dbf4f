//! Matches between two engines that speak USI, with their time watched; broken off, they go on where they were.

mod clock;
mod engine;
mod record;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use clap::Args;
use komadai::kyokumen::{Declaration, NyugyokuRule, Taikyoku, Te, Teban};

use crate::Failure;
use crate::elo::likelihood;
use crate::games::StartLines;
use crate::player::{LONGEST, ended_by_repetition};
use clock::{Clock, Pace};
use engine::{Engine, Figures};
use record::{Ending, Played, Record};

/// Plays a match between two engines: each start line twice, with colours changed
///
/// Books are the engines' own affair: --option UseBook=false keeps ours out.
#[derive(Args)]
pub struct Arguments {
    /// The first engine: a program and its arguments, with blanks between
    a: String,
    /// The second
    b: String,
    #[command(flatten)]
    start: StartLines,
    /// How many games
    #[arg(long, default_value_t = 100)]
    games: usize,
    /// Games at a time
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Milliseconds for each move
    #[arg(long, default_value_t = 0)]
    byoyomi: u64,
    /// Milliseconds for the whole game
    #[arg(long, default_value_t = 0)]
    time: u64,
    /// Milliseconds added after each move
    #[arg(long, default_value_t = 0)]
    increment: u64,
    /// Nodes for each move, instead of time
    #[arg(long)]
    nodes: Option<u64>,
    /// Milliseconds by which an engine may be late
    #[arg(long, default_value_t = 0)]
    late: u64,
    /// An option of both engines, as NAME=VALUE; of one with `a:` or `b:` before it
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Moves after which a game is drawn
    #[arg(long, default_value_t = LONGEST)]
    longest: u32,
    /// Stop once one of two differences in Elo is 19 times as likely as the other, as 0,20
    #[arg(long, value_name = "ELO,ELO")]
    sprt: Option<String>,
    /// Where the games are kept, and gone on with
    #[arg(long)]
    record: Option<PathBuf>,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let pace = Pace {
        time: Duration::from_millis(arguments.time),
        byoyomi: Duration::from_millis(arguments.byoyomi),
        increment: Duration::from_millis(arguments.increment),
        nodes: arguments.nodes,
    };
    if arguments.increment > 0 && arguments.byoyomi > 0 {
        return Err("--increment and --byoyomi exclude each other".into());
    }
    if pace == (Pace { time: Duration::ZERO, byoyomi: Duration::ZERO, increment: Duration::ZERO, nodes: None }) {
        return Err("give --byoyomi, --time, --increment or --nodes".into());
    }
    let lines = arguments.start.read()?;
    if arguments.games > 2 * lines.len() {
        let most = 2 * lines.len();
        return Err(format!("the lines are enough for {most} games: more would repeat them").into());
    }
    let hypotheses = arguments.sprt.as_deref().map(parse_pair).transpose()?;
    let record = match &arguments.record {
        Some(path) => Record::open(path, &title(arguments))?,
        None => Record::default(),
    };
    let settings = tempfile::tempdir()?;
    let hall = Hall {
        arguments,
        pace,
        lines,
        hypotheses,
        settings: settings.path(),
        next: AtomicUsize::new(0),
        state: Mutex::new((record, [Figures::default(); 2])),
    };
    std::thread::scope(|scope| {
        let hall = &hall;
        let threads: Vec<_> =
            (0..arguments.jobs.max(1)).map(|job| scope.spawn(move || hall.work_or_stop(job))).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().map_err(|_| Failure::from("a game ended by a panic"))?)
    })?;
    let (record, figures) = hall.state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    println!("{}", summary(&record));
    println!("{}", record.endings());
    for (name, figures) in ["a", "b"].into_iter().zip(figures) {
        println!(
            "{name}: {} nodes a ms, depth {:.1}, latest {} ms",
            figures.nodes / figures.time.max(1),
            figures.depths as f64 / figures.moves.max(1) as f64,
            figures.latest
        );
    }
    Ok(())
}

/// What makes two matches the same.
fn title(arguments: &Arguments) -> String {
    let Arguments { a, b, byoyomi, time, increment, nodes, options, start, longest, late, .. } = arguments;
    let (options, lines, plies) = (options.join(" "), start.lines.display(), start.plies);
    format!(
        "{a} | {b} | byoyomi {byoyomi} time {time} increment {increment} nodes {nodes:?} late {late} | \
         {lines} plies {plies} longest {longest} | {options}"
    )
}

fn parse_pair(text: &str) -> Result<[f64; 2], Failure> {
    let (low, high) = text.split_once(',').ok_or("--sprt takes two numbers with a comma between")?;
    let pair: [f64; 2] = [low.parse()?, high.parse()?];
    let rises = pair[0] < pair[1] && pair.into_iter().all(f64::is_finite);
    rises.then_some(pair).ok_or_else(|| "--sprt takes the lower number first".into())
}

/// `NAME=VALUE` of the options for one engine.
fn options_for(side: &str, options: &[String]) -> Result<Vec<(String, String)>, Failure> {
    let mut own = Vec::new();
    for option in options {
        let (who, option) =
            option.split_once(':').filter(|(who, _)| ["a", "b"].contains(who)).unwrap_or((side, option));
        let (name, value) = option.split_once('=').ok_or_else(|| format!("{option}: no NAME=VALUE"))?;
        if who == side {
            own.push((name.into(), value.into()));
        }
    }
    Ok(own)
}

fn summary(record: &Record) -> String {
    let score = record.score();
    let [elo, low, high] = score.elo();
    format!("{}-{}-{} elo {elo:+.0} [{low:+.0}, {high:+.0}]", score.wins, score.losses, score.draws)
}

/// Where the games are played.
struct Hall<'a> {
    arguments: &'a Arguments,
    pace: Pace,
    lines: Vec<Vec<Te>>,
    hypotheses: Option<[f64; 2]>,
    settings: &'a Path,
    next: AtomicUsize,
    state: Mutex<(Record, [Figures; 2])>,
}

impl Hall<'_> {
    /// Plays until there is nothing left to play; a failure ends the other jobs, too.
    fn work_or_stop(&self, job: usize) -> Result<(), Failure> {
        let outcome = self.work(job);
        if outcome.is_err() {
            self.next.store(usize::MAX / 2, Ordering::Relaxed);
        }
        outcome
    }

    fn work(&self, job: usize) -> Result<(), Failure> {
        let mut engines = None;
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.arguments.games || self.is_settled() {
                return Ok(());
            }
            if self.lock().0.has(number) {
                continue;
            }
            let engines = match &mut engines {
                Some(engines) => engines,
                None => engines.insert(self.start(job)?),
            };
            let line = &self.lines[number / 2 % self.lines.len()];
            let a_is = if number.is_multiple_of(2) { Teban::Sente } else { Teban::Gote };
            let game = Game { line, pace: self.pace, longest: self.arguments.longest, late: self.arguments.late };
            let (winner, ending, moves) = game.play(engines, a_is)?;
            let points = winner.map_or(1, |winner| if winner == a_is { 2 } else { 0 });
            let mut state = self.lock();
            for (sum, engine) in state.1.iter_mut().zip(engines) {
                sum.add(engine.take_figures());
            }
            let plies = moves.split(' ').count() as u32;
            state.0.add(Played { number, points, ending, plies }, &moves)?;
            eprintln!("game {number} {ending:?} after {plies}: {}", summary(&state.0));
        }
    }

    fn start(&self, job: usize) -> Result<[Engine; 2], Failure> {
        let Arguments { a, b, options, .. } = self.arguments;
        let engine = |side: &str, command: &str| {
            let settings = self.settings.join(format!("{side}-{job}.ini"));
            Engine::start(command, &options_for(side, options)?, &settings)
        };
        Ok([engine("a", a)?, engine("b", b)?])
    }

    fn is_settled(&self) -> bool {
        let Some(hypotheses) = self.hypotheses else { return false };
        likelihood(&self.lock().0.score(), hypotheses).abs() > 19_f64.ln()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, (Record, [Figures; 2])> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// A game to be played.
struct Game<'a> {
    line: &'a [Te],
    pace: Pace,
    longest: u32,
    late: u64,
}

impl Game<'_> {
    /// The winner, how it came about, and the moves.
    fn play(&self, engines: &mut [Engine; 2], a_is: Teban) -> Result<(Option<Teban>, Ending, String), Failure> {
        let mut taikyoku = Taikyoku::default();
        let mut moves = String::new();
        let mut play = |taikyoku: &mut Taikyoku, te: Te| {
            let legal = taikyoku.play(te);
            if legal {
                moves.push_str(if moves.is_empty() { "" } else { " " });
                moves.push_str(&te.to_string());
            }
            legal.then(|| moves.clone())
        };
        let mut so_far = String::new();
        for &te in self.line {
            so_far = play(&mut taikyoku, te).ok_or("a start line with an illegal move")?;
        }
        for engine in &mut *engines {
            engine.new_game()?;
        }
        let mut clock = Clock::new(self.pace);
        loop {
            let turn = taikyoku.kyokumen().teban();
            let end = |winner, ending| Ok((winner, ending, so_far.clone()));
            if let Some(winner) = ended_by_repetition(&taikyoku) {
                return end(winner, Ending::Repetition);
            }
            if !taikyoku.kyokumen().has_legal_te() {
                return end(Some(!turn), Ending::Won);
            }
            if taikyoku.kyokumen().tesu() > self.longest {
                return end(None, Ending::Length);
            }
            let engine = &mut engines[usize::from(turn != a_is)];
            let grace = Duration::from_millis(self.late);
            // Long enough to find out by how much it is late.
            let patience = clock.allowed(turn).unwrap_or(Duration::from_secs(600)) + grace + Duration::from_secs(10);
            let played = engine.go(&format!("startpos moves {so_far}"), &clock.limits(), patience)?;
            let late = clock.pass(turn, played.took);
            engine.note_late(late);
            if late > grace {
                return end(Some(!turn), Ending::Time);
            }
            match &*played.te {
                "resign" => return end(Some(!turn), Ending::Won),
                "win" => {
                    let holds = taikyoku.kyokumen().nyugyoku(NyugyokuRule::default()) == Some(Declaration::Win);
                    return if holds { end(Some(turn), Ending::Won) } else { end(Some(!turn), Ending::Illegal) };
                }
                _ => {}
            }
            match played.te.parse().ok().and_then(|te| play(&mut taikyoku, te)) {
                Some(moves) => so_far = moves,
                None => return end(Some(!turn), Ending::Illegal),
            }
        }
    }
}
