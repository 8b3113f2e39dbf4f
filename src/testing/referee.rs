//! The rules of the protocol, held against every line of a session.
//!
//! Reads commands by itself, not by what the session reads them with, so that a slip there shows.

use std::collections::VecDeque;

use crate::kyokumen::{Declaration, Kyokumen, NyugyokuRule, Taikyoku, Te};

use super::lines::{read_info, read_option, read_te};

/// What was asked, and so may be said.
#[derive(Debug, Default)]
pub(super) struct Referee {
    /// How many `usi` and `isready` are not answered yet.
    usi: usize,
    isready: usize,
    /// Whether anything was asked yet.
    spoken_to: bool,
    /// The words behind `id` since the last `usi`.
    ids: Vec<String>,
    /// Names of options in small letters.
    options: Vec<String>,
    /// `None` after a `position` that can't be read.
    taikyoku: Option<Taikyoku>,
    rule: NyugyokuRule,
    /// Those that are owed an answer, the oldest first.
    searches: VecDeque<Search>,
}

#[derive(Debug)]
struct Search {
    mate: bool,
    infinite: bool,
    ponder: bool,
    /// Whether the answer must be held back.
    waits: bool,
    searchmoves: Vec<Te>,
    taikyoku: Option<Taikyoku>,
    rule: NyugyokuRule,
    /// The first move of the line told last.
    told: Option<Te>,
}

impl Referee {
    pub fn new() -> Referee {
        Referee { taikyoku: Some(Taikyoku::default()), ..Referee::default() }
    }

    /// Whether the engine has an option of this name.
    pub fn has_option(&self, name: &str) -> bool {
        self.options.contains(&name.to_ascii_lowercase())
    }

    /// A command goes to the engine.
    pub fn sent(&mut self, line: &str) {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words[..] {
            ["usi"] => {
                (self.usi, self.spoken_to) = (self.usi + 1, true);
                self.ids.clear();
                self.options.clear();
            }
            ["isready"] => (self.isready, self.spoken_to) = (self.isready + 1, true),
            ["setoption", "name", name, "value", value] if name.eq_ignore_ascii_case("EnteringKingRule") => {
                self.rule = rule_of(value).unwrap_or(self.rule);
            }
            ["position", ref rest @ ..] => {
                self.release();
                self.taikyoku = read_position(rest);
            }
            ["go", ref rest @ ..] => {
                self.release();
                self.spoken_to = true;
                self.searches.push_back(self.begin(rest));
            }
            ["ponderhit", ..] => {
                self.searches.iter_mut().filter(|search| !search.infinite).for_each(|search| search.waits = false);
            }
            ["stop" | "gameover" | "usinewgame" | "quit", ..] => self.release(),
            _ => {}
        }
    }

    /// Every answer may come now.
    fn release(&mut self) {
        self.searches.iter_mut().for_each(|search| search.waits = false);
    }

    fn begin(&self, words: &[&str]) -> Search {
        let mate = words.first() == Some(&"mate");
        let searchmoves: Vec<Te> = match words.iter().position(|&word| word == "searchmoves") {
            Some(at) => words[at + 1..].iter().map_while(|word| word.parse().ok()).collect(),
            None => Vec::new(),
        };
        let only_moves = words.is_empty() || words[0] == "searchmoves" && words.len() == searchmoves.len() + 1;
        let infinite = !mate && (only_moves || words.contains(&"infinite"));
        let ponder = !mate && words.contains(&"ponder");
        let waits = infinite || ponder;
        let taikyoku = self.taikyoku.clone();
        Search { mate, infinite, ponder, waits, searchmoves, taikyoku, rule: self.rule, told: None }
    }

    /// A line comes from the engine; the error says what is wrong with it.
    pub fn heard(&mut self, line: &str) -> Result<(), String> {
        if !line.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
            return Err("not printable ASCII".into());
        }
        if !self.spoken_to {
            return Err("said before anything was asked".into());
        }
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words[..] {
            ["id", what, ref text @ ..] => self.hear_id(what, text),
            ["option", ref rest @ ..] => self.hear_option(rest),
            ["usiok"] => self.hear_usiok(),
            ["readyok"] if self.isready > 0 => {
                self.isready -= 1;
                Ok(())
            }
            ["readyok"] => Err("readyok without isready".into()),
            ["info", ref rest @ ..] => self.hear_info(rest),
            ["bestmove", ref rest @ ..] => self.hear_bestmove(rest),
            ["checkmate", ref rest @ ..] => self.hear_checkmate(rest),
            _ => Err("no line of the protocol".into()),
        }
    }

    fn hear_id(&mut self, what: &str, text: &[&str]) -> Result<(), String> {
        if self.usi == 0 {
            return Err("id without usi".into());
        }
        if !["name", "author"].contains(&what) || text.is_empty() || self.ids.iter().any(|id| id == what) {
            return Err("id needs one name and one author, each with a text".into());
        }
        self.ids.push(what.to_owned());
        Ok(())
    }

    fn hear_option(&mut self, words: &[&str]) -> Result<(), String> {
        if self.usi == 0 {
            return Err("option without usi".into());
        }
        let name = read_option(words)?.to_ascii_lowercase();
        if self.options.contains(&name) {
            return Err("there is another option of this name".into());
        }
        self.options.push(name);
        Ok(())
    }

    fn hear_usiok(&mut self) -> Result<(), String> {
        if self.usi == 0 {
            return Err("usiok without usi".into());
        }
        if self.ids.len() < 2 {
            return Err("usiok without an id name and an id author before it".into());
        }
        self.usi -= 1;
        Ok(())
    }

    fn hear_info(&mut self, words: &[&str]) -> Result<(), String> {
        let info = read_info(words)?;
        if !info.tells {
            return Ok(());
        }
        let search = self.searches.front_mut().ok_or("info of a search, and none is running")?;
        let Some(pv) = info.pv else { return Ok(()) };
        if let Some(taikyoku) = &search.taikyoku {
            play_all(taikyoku, &pv)?;
        }
        if let Some(first) = pv.first()
            && !search.allows(*first)
        {
            return Err(format!("{first} is none of searchmoves"));
        }
        search.told = pv.first().copied();
        Ok(())
    }

    fn hear_bestmove(&mut self, words: &[&str]) -> Result<(), String> {
        let search = self.searches.pop_front().ok_or("a bestmove without a go that waits for one")?;
        if search.mate {
            return Err("go mate is answered by checkmate, not by bestmove".into());
        }
        if search.waits {
            let wanted = if search.ponder { "ponderhit or stop" } else { "stop" };
            return Err(format!("a bestmove before {wanted}"));
        }
        let (te, ponder) = match *words {
            ["resign"] => return Ok(()),
            ["win"] => return search.judge_win(),
            [te] => (read_te(te)?, None),
            [te, "ponder", ponder] => (read_te(te)?, Some(read_te(ponder)?)),
            _ => return Err("bestmove is followed by resign, win, or a move and perhaps `ponder` and a move".into()),
        };
        if let Some(taikyoku) = &search.taikyoku {
            play_all(taikyoku, &[Some(te), ponder].into_iter().flatten().collect::<Vec<_>>())?;
        }
        if !search.allows(te) {
            return Err(format!("{te} is none of searchmoves"));
        }
        match search.told {
            Some(told) if told != te => Err(format!("the last pv before it begins with {told}")),
            _ => Ok(()),
        }
    }

    fn hear_checkmate(&mut self, words: &[&str]) -> Result<(), String> {
        let search = self.searches.pop_front().ok_or("a checkmate without a go that waits for one")?;
        if !search.mate {
            return Err("a checkmate, and the go was not go mate".into());
        }
        if let ["nomate" | "timeout" | "notimplemented"] = *words {
            return Ok(());
        }
        let moves = words.iter().map(|word| read_te(word)).collect::<Result<Vec<_>, _>>()?;
        search.taikyoku.as_ref().map_or(Ok(()), |taikyoku| judge_mate(taikyoku, &moves))
    }
}

impl Search {
    fn allows(&self, te: Te) -> bool {
        let is_legal = |&te: &Te| self.taikyoku.as_ref().is_none_or(|taikyoku| taikyoku.kyokumen().is_legal(te));
        self.searchmoves.contains(&te) || !self.searchmoves.iter().any(is_legal)
    }

    fn judge_win(&self) -> Result<(), String> {
        let Some(taikyoku) = &self.taikyoku else { return Ok(()) };
        match taikyoku.kyokumen().nyugyoku(self.rule) {
            Some(Declaration::Win) => Ok(()),
            _ => Err("a declaration that does not win".into()),
        }
    }
}

/// Plays moves; the error names the first that is illegal.
fn play_all(taikyoku: &Taikyoku, moves: &[Te]) -> Result<Taikyoku, String> {
    let mut taikyoku = taikyoku.clone();
    for &te in moves {
        if !taikyoku.play(te) {
            return Err(format!("{te} is illegal in {}", taikyoku.kyokumen().to_sfen()));
        }
    }
    Ok(taikyoku)
}

/// Every move of the attacker gives check, and the last one mates.
fn judge_mate(taikyoku: &Taikyoku, moves: &[Te]) -> Result<(), String> {
    if moves.is_empty() {
        return Err("checkmate is followed by moves, nomate, timeout or notimplemented".into());
    }
    for count in (1..=moves.len()).step_by(2) {
        if !play_all(taikyoku, &moves[..count])?.kyokumen().is_oute() {
            return Err(format!("{} gives no check", moves[count - 1]));
        }
    }
    let end = play_all(taikyoku, moves)?;
    if end.kyokumen().has_legal_te() || moves.len().is_multiple_of(2) {
        return Err("these moves don't mate".into());
    }
    Ok(())
}

fn read_position(words: &[&str]) -> Option<Taikyoku> {
    let at = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
    let start = match &words[..at] {
        ["startpos"] => Kyokumen::hirate(),
        ["sfen", sfen @ ..] => Kyokumen::from_sfen(&sfen.join(" ")).ok()?,
        _ => return None,
    };
    let moves = words.iter().skip(at + 1).map(|word| word.parse().ok()).collect::<Option<Vec<Te>>>()?;
    play_all(&Taikyoku::new(start), &moves).ok()
}

fn rule_of(name: &str) -> Option<NyugyokuRule> {
    Some(match name {
        "NoEnteringKing" => NyugyokuRule::None,
        "CSARule24" => NyugyokuRule::Csa24,
        "CSARule24H" => NyugyokuRule::Csa24H,
        "CSARule27" => NyugyokuRule::Csa27,
        "CSARule27H" => NyugyokuRule::Csa27H,
        "TryRule" => NyugyokuRule::Try,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Follows a session, `>` to the engine and `<` from it, separated by `|`; what is wrong with its last line.
    fn judge(session: &str) -> Result<(), String> {
        let mut referee = Referee::new();
        let lines: Vec<&str> = session.split('|').map(str::trim).collect();
        for (index, line) in lines.iter().enumerate() {
            match line.split_at(2) {
                ("> ", line) => referee.sent(line),
                (_, line) => match referee.heard(line) {
                    result if index + 1 == lines.len() => return result,
                    result => result.unwrap(),
                },
            }
        }
        Ok(())
    }

    const MATED: &str = "> position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1";

    #[test]
    fn a_session_by_the_rules_is_let_pass() {
        for session in [
            "> usi|< id name A|< id author B|< option name C type button|< usiok|> isready|< readyok|> isready|< readyok",
            "> isready|< readyok",
            "> go|< info depth 1 pv 7g7f 3c3d|> stop|< bestmove 7g7f ponder 3c3d",
            "> go ponder btime 1|> ponderhit|< bestmove 2g2f",
            "> go infinite|> position startpos moves 7g7f|< bestmove 2g2f|> go byoyomi 1|< bestmove 3c3d",
            "> go infinite|> go infinite|< bestmove 2g2f|> stop|< bestmove 7g7f",
            "> go depth 1 searchmoves 2g2f 9i9h|< info pv 9i9h|< info pv 2g2f|< bestmove 2g2f",
            &format!("{MATED}|> go mate infinite|< checkmate G*5b"),
            "> go mate 100|< checkmate nomate",
            "> position rubbish|> go byoyomi 1|< bestmove 5e5d",
        ] {
            assert_eq!(judge(session), Ok(()), "{session}");
        }
    }

    #[test]
    fn whatever_breaks_a_rule_is_told() {
        for (session, what) in [
            ("< Hello", "before anything"),
            ("> usi|< Hello", "no line of the protocol"),
            ("> usi|< id name \u{e9}", "ASCII"),
            ("> usi|< id name", "text"),
            ("> usi|< id name A|< id name B", "one name"),
            ("> usi|< id name A|< usiok", "id author"),
            ("> usi|< id name A|< id author B|< usiok|< usiok", "without usi"),
            ("> usi|< option name A type button|< option name a type button", "another option"),
            ("> isready|< option name A type button", "without usi"),
            ("> isready|< readyok|< readyok", "without isready"),
            ("> isready|< bestmove 7g7f", "without a go"),
            ("> go byoyomi 1|< bestmove 7g7f|< bestmove 7g7f", "without a go"),
            ("> go byoyomi 1|< bestmove 7g7e", "7g7e is illegal"),
            ("> go byoyomi 1|< bestmove 7g7f ponder 7g7f", "7g7f is illegal"),
            ("> go byoyomi 1|< bestmove 7g7f 3c3d", "followed by"),
            ("> go byoyomi 1|< bestmove", "followed by"),
            ("> go byoyomi 1|< bestmove win", "does not win"),
            ("> go byoyomi 1|< info pv 7g7f 7g7f", "7g7f is illegal"),
            ("> go byoyomi 1|< info depth 1 pv 7g7f|< bestmove 2g2f", "begins with 7g7f"),
            ("> go byoyomi 1|< bestmove 7g7f|< info depth 1", "none is running"),
            ("> go|< bestmove 7g7f", "before stop"),
            ("> go infinite|< bestmove 7g7f", "before stop"),
            ("> go infinite|> ponderhit|< bestmove 7g7f", "before stop"),
            ("> go searchmoves 7g7f|< bestmove 7g7f", "before stop"),
            ("> go ponder|< bestmove 7g7f", "before ponderhit or stop"),
            ("> go infinite|> go infinite|< bestmove 2g2f|< bestmove 7g7f", "before stop"),
            ("> go depth 1 searchmoves 7g7f|< bestmove 2g2f", "none of searchmoves"),
            ("> go depth 1 searchmoves 7g7f|< info pv 2g2f", "none of searchmoves"),
            ("> go mate 100|< bestmove 7g7f", "not by bestmove"),
            ("> go byoyomi 1|< checkmate nomate", "was not go mate"),
            ("> go mate 100|< checkmate", "followed by"),
            ("> go mate 100|< checkmate 7g7f", "gives no check"),
            (&format!("{MATED}|> go mate 9|< checkmate G*6b"), "don't mate"),
            (&format!("{MATED}|> go mate 9|< checkmate G*6b 5a6b"), "don't mate"),
        ] {
            let fault = judge(session).expect_err(session);
            assert!(fault.contains(what), "{session}: {fault}");
        }
    }
}
