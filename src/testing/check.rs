//! Sessions of all kinds that any engine has to come through.

use std::time::Duration;

use crate::sikou::{Answer, OwnOption, Sikou};

use super::gui::{DEADLINE, Gui};
use super::transcript::Failure;

/// Positions of different kinds, all with legal moves: the start, a handicap, a middle game with hands, a check, the
/// most legal moves that there can be, bare kings, a mate with the next move, and kings in the enemy camps.
const POSITIONS: [&str; 8] = [
    "startpos moves 7g7f 3c3d",
    "sfen lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
    "sfen 4k4/9/9/9/9/9/9/4r4/4K4 b - 1",
    "sfen R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
    "sfen 4k4/9/9/9/9/9/9/9/4K4 w - 1",
    "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1",
    "sfen 4K4/9/9/9/9/9/9/9/4k4 b 2R2B4G4S4N4L18P 1",
];

/// Limits that end a search by themselves.
const LIMITS: [&str; 9] = [
    "btime 0 wtime 0 byoyomi 100",
    "byoyomi 60",
    "btime 1000 wtime 1000 binc 50 winc 50",
    "btime 500 wtime 500",
    "btime 0 wtime 0",
    "movetime 60",
    "depth 1",
    "nodes 100",
    "btime 0 wtime 0 byoyomi 60 depth 2 nodes 1000",
];

/// The game that [`check`] lets an engine play against itself, in plies.
const GAME: usize = 40;

type Session = fn(&mut Gui) -> Result<(), Failure>;

const SESSIONS: [(&str, Session); 9] = [
    ("every kind of position", every_position),
    ("every kind of go", every_go),
    ("analysis", analysis),
    ("pondering", pondering),
    ("only some moves", only_some_moves),
    ("a mate to be found", mate),
    ("commands during a search", interruptions),
    ("the end of the game", ends_of_games),
    ("a game", game),
];

/// Holds an engine to the rules in sessions of all kinds: `make` makes one for each. Takes some seconds, most of them
/// for the engine's own thinking.
///
/// The sessions go without a book and with a small `USI_Hash`, through positions and limits of every kind, analysis,
/// pondering, mates, searches that are interrupted, ends of games, a short game, every value of the engine's own
/// options at the ends of its range, and ends of the input in the middle of everything. Files that options name are not
/// set to anything.
///
/// # Errors
/// The first [`Failure`], with the name of the session.
pub fn check<E: Sikou + 'static>(make: impl FnMut() -> E) -> Result<(), Failure> {
    check_within(DEADLINE, make)
}

/// The same, for engines that are slower or faster: no answer may take longer than this, `readyok` included. The
/// longest that is asked for is a tenth of a second.
///
/// # Errors
/// The first [`Failure`], with the name of the session.
pub fn check_within<E: Sikou + 'static>(deadline: Duration, mut make: impl FnMut() -> E) -> Result<(), Failure> {
    let mut hold = |name: &str, session: &dyn Fn(&mut Gui) -> Result<(), Failure>, quits: bool| {
        let mut gui = Gui::new(make()).deadline(deadline);
        let held = start(&mut gui).and_then(|()| session(&mut gui));
        held.and_then(|()| if quits { gui.quit() } else { gui.close() }).map_err(|failure| failure.in_session(name))
    };
    for (name, session) in SESSIONS {
        hold(name, &session, true)?;
    }
    for (name, commands) in [
        ("the end at once", &[][..]),
        ("the end in a search", &["position startpos", "go btime 60000 wtime 60000"]),
        ("the end in an analysis", &["go infinite"]),
        ("the end in pondering", &["position startpos moves 7g7f 3c3d", "go ponder btime 60000 wtime 60000"]),
        ("the end in a mate search", &["go mate infinite"]),
    ] {
        let session = |gui: &mut Gui| commands.iter().try_for_each(|command| gui.send(command));
        hold(name, &session, true)?;
        hold(name, &session, false)?;
    }
    let settings: Vec<(String, String)> =
        make().options().into_iter().map(OwnOption::split).flat_map(|(declared, _)| declared.samples()).collect();
    let options = |gui: &mut Gui| {
        settings.iter().try_for_each(|(name, value)| {
            gui.set_option(name, value)?;
            gui.ready()?;
            gui.position("startpos moves 7g7f")?;
            gui.go("byoyomi 60").map(drop)
        })
    };
    let mut gui = Gui::new(make()).deadline(deadline);
    let held = start(&mut gui).and_then(|()| options(&mut gui)).and_then(|()| gui.quit());
    held.map_err(|failure| failure.in_session("the engine's own options"))
}

fn start(gui: &mut Gui) -> Result<(), Failure> {
    gui.send("usi")?;
    gui.wait_for("usiok")?;
    gui.set_option("UseBook", "false")?;
    gui.set_option("USI_Hash", "1")?;
    gui.ready()?;
    gui.send("usinewgame")
}

fn every_position(gui: &mut Gui) -> Result<(), Failure> {
    for position in POSITIONS {
        gui.position(position)?;
        gui.go("btime 0 wtime 0 byoyomi 60")?;
    }
    Ok(())
}

fn every_go(gui: &mut Gui) -> Result<(), Failure> {
    for limits in LIMITS {
        for position in ["startpos", "startpos moves 2g2f"] {
            gui.position(position)?;
            gui.go(limits)?;
        }
    }
    gui.set_option("MultiPV", "3")?;
    gui.go("byoyomi 60").map(drop)
}

fn analysis(gui: &mut Gui) -> Result<(), Failure> {
    for position in POSITIONS {
        gui.position(position)?;
        gui.send("go infinite")?;
        gui.ready()?;
        gui.stop()?;
        // A stop that comes before the search has begun.
        gui.send("go infinite")?;
        gui.stop()?;
    }
    // One too many is ignored.
    gui.send("stop")?;
    gui.ready()
}

fn pondering(gui: &mut Gui) -> Result<(), Failure> {
    for position in POSITIONS {
        gui.position(position)?;
        gui.send("go ponder btime 1000 wtime 1000 byoyomi 60")?;
        gui.ready()?;
        gui.stop()?;
        gui.send("go ponder btime 0 wtime 0 byoyomi 60")?;
        gui.ready()?;
        gui.ponderhit()?;
        gui.send("go ponder")?;
        gui.ready()?;
        gui.send("ponderhit btime 0 wtime 0 byoyomi 60")?;
        gui.bestmove()?;
    }
    Ok(())
}

fn only_some_moves(gui: &mut Gui) -> Result<(), Failure> {
    gui.position("startpos moves 7g7f 3c3d")?;
    for moves in ["9g9f", "1g1f 9g9f", "8h2b+"] {
        gui.go(&format!("byoyomi 60 searchmoves {moves}"))?;
    }
    Ok(())
}

fn mate(gui: &mut Gui) -> Result<(), Failure> {
    for position in POSITIONS.into_iter().chain(["sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"]) {
        gui.position(position)?;
        gui.go_mate("100")?;
        gui.send("go mate infinite")?;
        gui.ready()?;
        gui.send("stop")?;
        gui.checkmate()?;
    }
    Ok(())
}

fn interruptions(gui: &mut Gui) -> Result<(), Failure> {
    for interruption in ["position startpos moves 2g2f", "usinewgame", "gameover win", "gameover"] {
        for go in ["go infinite", "go ponder btime 9000 wtime 9000", "go btime 600000 wtime 600000"] {
            gui.position("startpos moves 7g7f")?;
            gui.send(go)?;
            gui.ready()?;
            gui.send("setoption name MultiPV value 2")?;
            gui.send(interruption)?;
            gui.bestmove()?;
        }
    }
    gui.send("go infinite")?;
    gui.send("go infinite")?;
    gui.bestmove()?;
    gui.stop().map(drop)
}

fn ends_of_games(gui: &mut Gui) -> Result<(), Failure> {
    gui.position("sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1")?;
    gui.go("byoyomi 60")?;
    // Sennichite is near, and must not confuse anybody.
    let there_and_back = " 2h3h 8b7b 3h2h 7b8b".repeat(3);
    gui.position(&format!("startpos moves{there_and_back}"))?;
    gui.go("byoyomi 60").map(drop)
}

fn game(gui: &mut Gui) -> Result<(), Failure> {
    let mut moves = String::new();
    for _ in 0..GAME {
        gui.position(&format!("startpos moves{moves}"))?;
        let Answer::Play { te, .. } = gui.go("btime 0 wtime 0 byoyomi 20")? else { break };
        moves.push_str(&format!(" {te}"));
    }
    gui.send("gameover draw")?;
    gui.ready()
}
