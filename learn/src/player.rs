//! A player of fixed strength: the engine's search, to so many nodes.

use std::time::Instant;

use komadai::hyoka::Learned;
use komadai::kyokumen::{Sennichite, Taikyoku, Te, Teban};
use komadai::sikou::{Answer, Config, Limits, Report, Score, Sikou, StopSignal, Tansaku, Task};
use rand_chacha::ChaCha8Rng;

/// After so many moves a game that is still not over is a draw.
pub const LONGEST: u32 = 320;

/// MiB of the transposition table: few nodes need no more, and a small one is soon cleared.
const HASH_MB: usize = 2;

pub struct Player {
    engine: Tansaku<Learned>,
    config: Config,
    nodes: u64,
}

/// What a player does.
pub enum Choice {
    Move {
        te: Te,
        /// Its value for the player.
        score: Score,
    },
    /// It has no move, or gives up.
    Lost,
    /// It declares its win.
    Won,
}

impl Player {
    pub fn new(hyoka: &Learned, nodes: u64) -> Player {
        let config = Config { hash_mb: HASH_MB, ..Config::default() };
        let mut engine = Tansaku::new(hyoka.clone());
        engine.configure(&config);
        Player { engine, config, nodes }
    }

    /// Forgets the last game.
    pub fn new_game(&mut self) {
        self.engine.new_game();
    }

    pub fn choose(&mut self, taikyoku: &Taikyoku, rng: &mut ChaCha8Rng) -> Choice {
        let mut score = Score::Cp(0);
        let limits = Limits { nodes: Some(self.nodes), ..Limits::new(Instant::now()) };
        let answer = self.engine.think(&mut Task {
            kyokumen: taikyoku.kyokumen(),
            rireki: taikyoku.rireki(),
            limits: &limits,
            config: &self.config,
            stop: &StopSignal::new(),
            rng,
            report: &mut |report| {
                if let Report::Line(line) = report {
                    score = line.score.unwrap_or(score);
                }
            },
        });
        match answer {
            Answer::Play { te, .. } => Choice::Move { te, score },
            Answer::Resign => Choice::Lost,
            Answer::Win => Choice::Won,
        }
    }
}

/// The winner of a game that has ended by repetition; `None` inside for a draw.
pub fn ended_by_repetition(taikyoku: &Taikyoku) -> Option<Option<Teban>> {
    let turn = taikyoku.kyokumen().teban();
    Some(match taikyoku.rireki().sennichite()? {
        Sennichite::Draw => None,
        Sennichite::Win => Some(turn),
        Sennichite::Loss => Some(!turn),
    })
}
