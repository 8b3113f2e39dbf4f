//! The session: one loop over what happens, one `match` over the commands.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::kyokumen::{Declaration, Kyokumen, NyugyokuRule, Taikyoku, Te, Teban};
use crate::settings::Settings;
use crate::sikou::{Answer, Config, Limits, MateAnswer, StopSignal};
use crate::text::quoted;

use super::Identity;
use super::books::Books;
use super::command::{Command, Go, Purpose, SetOption};
use super::console;
use super::evaluation::Evaluation;
use super::log::Log;
use super::options::{OptionError, Options};
use super::output::{Output, moves};
use super::own::OwnOptions;
use super::places;
use super::position::read_position;
use super::queue::{Event, Queue};
use super::reply::Reply;
use super::thinker::{Job, Outcome, Thinker};

/// All that lasts from the first command to the last.
pub(super) struct Session {
    identity: Identity,
    settings: Settings,
    options: Options,
    /// Those that the engine declares.
    own: OwnOptions,
    output: Output,
    queue: Arc<Queue>,
    thinker: Thinker,
    log: Log,
    books: Books,
    evaluation: Evaluation,
    rng: ChaCha8Rng,
    taikyoku: Taikyoku,
    /// What the user should know, but only once the GUI has asked for readiness.
    notes: Vec<String>,
    /// Whether the engine may still be at work on values of its own options.
    unsettled: bool,
    /// The options as the engine last saw them; `None` before the first time.
    configured: Option<Config>,
    /// What the last `go` has not been answered yet.
    search: Option<Search>,
}

/// A `go` that is owed an answer.
struct Search {
    purpose: Purpose,
    limits: Limits,
    /// The rule that held when the search began.
    nyugyoku_rule: NyugyokuRule,
    stop: StopSignal,
    /// The answer, if it is known already, but must not be given yet.
    reply: Option<Reply>,
}

/// How long an engine that ignores its stop signal can delay the end of the program.
const PATIENCE_AT_QUIT: Duration = Duration::from_secs(2);

impl Session {
    /// With the engine's own options, and what is wrong with their settings.
    pub fn new(
        identity: Identity,
        settings: Settings,
        (own, own_errors): (OwnOptions, Vec<String>),
        output: Output,
        queue: Arc<Queue>,
        thinker: Thinker,
        log: Log,
    ) -> Session {
        let (options, errors) = Options::new(&settings);
        own.values().for_each(|(index, value)| thinker.put(index, value));
        let mut session = Session {
            identity,
            options,
            own,
            output,
            queue,
            thinker,
            log,
            books: Books::default(),
            evaluation: Evaluation::default(),
            rng: rand::make_rng(),
            taikyoku: Taikyoku::default(),
            notes: settings.errors().iter().map(ToString::to_string).chain(errors).chain(own_errors).collect(),
            unsettled: true,
            configured: None,
            search: None,
            settings,
        };
        session.seed();
        if let Err(note) = session.open_log() {
            session.notes.push(note);
        }
        session
    }

    /// Obeys until told to quit, or nobody listens any more.
    pub fn run(mut self) {
        while !self.output.failed() {
            match self.queue.pop() {
                Event::Command(command) => {
                    if self.obey(command).is_break() {
                        return;
                    }
                }
                Event::Finished(outcome) => self.finish(outcome),
                Event::Remark(text) => self.output.remark(text),
            }
        }
        if let Some(search) = &self.search {
            search.stop.stop();
        }
    }

    fn obey(&mut self, command: Command) -> ControlFlow<()> {
        match command {
            Command::Usi => self.introduce(),
            Command::IsReady => self.get_ready(),
            Command::SetOption(set) => self.set_option(&set),
            Command::UsiNewGame => self.new_game(),
            Command::Position(text) => self.set_position(&text),
            Command::Go(go) => self.go(*go),
            // What these mean for a running search, the receiver has done already.
            Command::Stop => self.release(),
            Command::PonderHit(_) => self.ponder_hit(),
            Command::GameOver => self.conclude(None),
            Command::Side => self.output.line(if self.kyokumen().teban() == Teban::Sente { "black" } else { "white" }),
            Command::Draw => console::draw(self.kyokumen()).into_iter().for_each(|line| self.output.line(line)),
            Command::Eval => self.evaluate(),
            Command::Quit => {
                self.conclude(Some(PATIENCE_AT_QUIT));
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    fn kyokumen(&self) -> &Kyokumen {
        self.taikyoku.kyokumen()
    }

    fn introduce(&mut self) {
        self.output.line(format_args!("id name {}", self.identity.name));
        self.output.line(format_args!("id author {}", self.identity.author));
        for line in self.options.lines().into_iter().chain(self.own.lines()) {
            self.output.line(line);
        }
        self.output.line("usiok");
    }

    /// The place for slow work, except while a search is running: then only the answer counts.
    fn get_ready(&mut self) {
        if self.search.is_none() {
            self.prepare(true);
        }
        self.output.line("readyok");
    }

    /// Opens the files and hands changed options to the engine; cheap where nothing has changed.
    fn prepare(&mut self, look_again: bool) {
        self.notes.drain(..).for_each(|note| self.output.remark(note));
        if self.uses_book() {
            for note in self.books.update(&self.options.book_file, look_again) {
                self.output.remark(format_args!("joseki: {note}"));
            }
        }
        if std::mem::take(&mut self.unsettled) {
            self.thinker.settle().into_iter().for_each(|objection| self.output.remark(objection));
        }
        if self.configured.as_ref() != Some(&self.options.config) {
            self.thinker.configure(self.options.config.clone());
            self.configured = Some(self.options.config.clone());
        }
        if let Some(note) = self.evaluation.update(&self.options.eval_file, look_again, &self.thinker) {
            self.output.remark(note);
        }
    }

    fn uses_book(&self) -> bool {
        self.options.use_book && self.options.own_book
    }

    /// Takes an option at once; a running search keeps those that it began with.
    fn set_option(&mut self, set: &SetOption) {
        self.change_option(set);
        if set.names_log() {
            self.log.release();
        }
    }

    fn change_option(&mut self, set: &SetOption) {
        let change = match self.options.set(&set.name, set.value.as_deref()) {
            Ok(Some(change)) => change,
            Ok(None) => return,
            Err(OptionError::Unknown(_)) => return self.set_own_option(set),
            Err(error) => return self.output.remark(error),
        };
        self.keep(change.name, change.keep);
        match change.name {
            "RandomSeed" => {
                self.rng = rand::make_rng();
                self.seed();
            }
            "LogFile" => {
                if let Err(note) = self.open_log() {
                    self.output.remark(note);
                }
            }
            _ => {}
        }
    }

    /// The engine gets the value once it does not think.
    fn set_own_option(&mut self, set: &SetOption) {
        match self.own.set(&set.name, set.value.as_deref()) {
            Ok(Some(change)) => {
                self.keep(&change.name, change.keep);
                self.thinker.put(change.index, change.value);
                self.unsettled = true;
            }
            Ok(None) => {}
            Err(error @ OptionError::Unknown(_)) => self.log.note(&error.to_string()),
            Err(error) => self.output.remark(error),
        }
    }

    /// Writes a value to the INI file, if that is to hold it.
    fn keep(&mut self, name: &str, value: Option<String>) {
        if let Some(value) = value
            && let Err(error) = self.settings.set(name, &value)
        {
            self.output.remark(error);
        }
    }

    /// Starts the random numbers anew where the user wants them repeatable.
    fn seed(&mut self) {
        if self.options.random_seed != 0 {
            let mut seed = [0; 32];
            seed[..8].copy_from_slice(&self.options.random_seed.to_le_bytes());
            self.rng = ChaCha8Rng::from_seed(seed);
        }
    }

    /// Opens the log that the options name; the error is a sentence for the user.
    fn open_log(&self) -> Result<(), String> {
        if self.options.log_file.is_empty() {
            self.log.close();
            return Ok(());
        }
        let path = places::path_to_write(&self.options.log_file);
        let sentence = format!("can't write the log {}", quoted(&path));
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        if self.settings.files().any(|(settings, _)| absolute(settings) == absolute(&path)) {
            return Err(format!("{sentence}: it is the file of the settings"));
        }
        let (queue, later) = (Arc::clone(&self.queue), sentence.clone());
        let tell = move |error| queue.push(Event::Remark(format!("{later}: {error}")));
        self.log.open(&path, tell).map_err(|error| format!("{sentence}: {error}"))?;
        let files: Vec<String> =
            self.settings.files().map(|(path, state)| format!("{} {state}", quoted(path))).collect();
        self.log.note(&format!("settings: {}", files.join("; ")));
        for value in self.options.values().filter(|value| value.text != value.default) {
            self.log.note(&format!("{} is {:?}, by default {:?}", value.name, value.text, value.default));
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.conclude(None);
        self.seed();
        self.thinker.new_game();
    }

    fn set_position(&mut self, text: &str) {
        self.conclude(None);
        match read_position(text) {
            Ok(taikyoku) => self.taikyoku = taikyoku,
            Err(error) => self.output.remark(error),
        }
    }

    fn evaluate(&mut self) {
        if self.search.is_some() {
            return self.output.remark("busy thinking");
        }
        match self.thinker.evaluate(self.kyokumen()) {
            Some(value) => self.output.line(format_args!("eval {value} (side to move)")),
            None => self.output.remark("this engine has no evaluation to tell"),
        }
    }

    fn go(&mut self, go: Go) {
        self.conclude(None);
        self.prepare(false);
        let Go { purpose, mut limits, stop } = go;
        let kyokumen = self.taikyoku.kyokumen();
        limits.searchmoves.retain(|&te| kyokumen.is_legal(te));
        if !limits.infinite && !limits.ponder && limits.is_unlimited_for(kyokumen.teban()) {
            // Limits were meant, but none can be read: answer rather than think for ever.
            limits.clocks.byoyomi = Some(Duration::ZERO);
        }
        let reply = if purpose == Purpose::Move { self.reply_without_thinking(&limits) } else { None };
        let known = reply.is_some();
        let nyugyoku_rule = self.options.config.nyugyoku_rule;
        self.search = Some(Search { purpose, limits: limits.clone(), nyugyoku_rule, stop: stop.clone(), reply });
        if known {
            self.release();
            return self.send_early_lines();
        }
        self.thinker.think(Job {
            purpose,
            taikyoku: self.taikyoku.clone(),
            limits,
            config: self.options.config.clone(),
            stop,
            rng: ChaCha8Rng::from_rng(&mut self.rng),
        });
    }

    /// The answer where the rules or the book give it.
    fn reply_without_thinking(&mut self, limits: &Limits) -> Option<Reply> {
        if !self.kyokumen().has_legal_te() {
            return Some(Reply::of(Answer::Resign));
        }
        match self.kyokumen().nyugyoku(self.options.config.nyugyoku_rule) {
            Some(Declaration::Win) => {
                self.output.remark("nyugyoku: a declaration wins");
                return Some(Reply::of(Answer::Win));
            }
            Some(Declaration::Move(te)) => {
                self.output.remark(format_args!("nyugyoku: {te} wins"));
                return Some(Reply::of(te.into()));
            }
            Some(Declaration::Draw) | None => {}
        }
        let asks_book = self.uses_book() && !limits.infinite && limits.searchmoves.is_empty();
        if asks_book { self.reply_from_book() } else { None }
    }

    fn reply_from_book(&mut self) -> Option<Reply> {
        let probe = self.options.selection.probe(self.books.as_slice(), self.taikyoku.kyokumen(), &mut self.rng);
        for note in &probe.notes {
            self.output.remark(format_args!("joseki: {note}"));
        }
        let summary = probe.summary()?;
        let (te, ponder) = probe.answer()?;
        let mut early = vec![format!("info string joseki: {summary}")];
        let mut chosen = None;
        for (index, candidate) in probe.candidates.iter().enumerate() {
            let score = candidate.te.known_value().map(|value| format!(" score cp {value}")).unwrap_or_default();
            let line = format!("info multipv {}{score} pv {}", index + 1, moves(&candidate.pv));
            if probe.chosen == Some(index) {
                chosen = Some(line.clone());
            }
            early.push(line);
        }
        Some(Reply { early, info: chosen, ..Reply::of(Answer::Play { te, ponder }) })
    }

    fn ponder_hit(&mut self) {
        if let Some(search) = &self.search
            && search.limits.ponder
            && !search.limits.infinite
            && let Some(hit) = search.stop.ponder_hit_at()
        {
            let clocks = hit.clocks.unwrap_or_default().or(&search.limits.clocks);
            if (Limits { clocks, ..search.limits.clone() }).is_unlimited_for(self.kyokumen().teban()) {
                // Neither the `go` nor the hit came with a clock: nothing else would ever end this search.
                search.stop.stop();
            }
        }
        self.release();
    }

    /// Ends the search, if there is one, and gives its answer. After `limit` an engine that does not stop is given up.
    fn conclude(&mut self, limit: Option<Duration>) {
        let Some(search) = &self.search else { return };
        search.stop.stop();
        if search.reply.is_some() {
            self.release();
        } else {
            let outcome = self.queue.pop_finished(limit, PATIENCE_AT_QUIT).unwrap_or(Outcome::Failed);
            self.finish(outcome);
        }
    }

    /// The engine has come to an end: that gives the answer, now or later.
    fn finish(&mut self, outcome: Outcome) {
        let Some(search) = &self.search else { return };
        let reply = match outcome {
            Outcome::Move(answer) => Reply::of(self.checked(answer, search.nyugyoku_rule)),
            Outcome::Mate(answer) => Reply::of_mate(self.checked_mate(answer)),
            Outcome::Perft => Reply::none(),
            Outcome::Failed if search.purpose == Purpose::Mate => Reply::of_mate(MateAnswer::Timeout),
            Outcome::Failed if search.purpose == Purpose::Move => Reply::of(self.any_answer("the engine has failed")),
            Outcome::Failed => Reply::none(),
        };
        if let Some(search) = &mut self.search {
            search.reply = Some(reply);
        }
        self.release();
    }

    /// Gives the answer if it is known and its time has come.
    fn release(&mut self) {
        if let Some(search) = self.search.take_if(|search| search.reply.is_some() && search.may_be_answered())
            && let Some(reply) = search.reply
        {
            self.output.lines(reply.early.into_iter().chain(reply.info).chain(reply.line));
        }
    }

    /// Sends what need not wait for the time of the answer.
    fn send_early_lines(&mut self) {
        if let Some(reply) = self.search.as_mut().and_then(|search| search.reply.as_mut()) {
            self.output.lines(reply.early.drain(..));
        }
    }

    /// The answer of an engine, put right where it is against the rules.
    fn checked(&self, answer: Answer, rule: NyugyokuRule) -> Answer {
        let kyokumen = self.kyokumen();
        match answer {
            Answer::Play { te, .. } if !kyokumen.is_legal(te) => {
                self.any_answer(&format!("the engine chose {te}, which is illegal"))
            }
            Answer::Play { te, ponder } => {
                let mut after = kyokumen.clone();
                after.do_te(te);
                Answer::Play { te, ponder: ponder.filter(|&reply| after.is_legal(reply)) }
            }
            Answer::Win if kyokumen.nyugyoku(rule) != Some(Declaration::Win) => {
                self.any_answer("the engine declared a win that is none")
            }
            Answer::Win | Answer::Resign => answer,
        }
    }

    /// A legal move, which keeps the game going where the engine has let us down.
    fn any_answer(&self, reason: &str) -> Answer {
        let te: Option<Te> = self.kyokumen().legal_te().first().copied();
        match te {
            Some(te) => self.output.remark(format_args!("{reason}; playing {te} instead")),
            None => self.output.remark(reason),
        }
        te.into()
    }

    fn checked_mate(&self, answer: MateAnswer) -> MateAnswer {
        let MateAnswer::Checkmate(list) = &answer else { return answer };
        let mut taikyoku = self.taikyoku.clone();
        if !list.is_empty() && list.iter().all(|&te| taikyoku.play(te)) {
            return answer;
        }
        self.output.remark(format_args!("the engine's mate {} can't be played", moves(list)));
        MateAnswer::Timeout
    }
}

impl Search {
    /// In analysis only a `stop` may bring the answer forth, while pondering also a hit.
    fn may_be_answered(&self) -> bool {
        let waits = self.purpose == Purpose::Move && (self.limits.infinite || self.limits.ponder);
        let hit = !self.limits.infinite && self.stop.ponder_hit_at().is_some();
        !waits || self.stop.is_stopped() || hit
    }
}
