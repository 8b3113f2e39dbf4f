//! What is sent for a `go` in the end.

use crate::sikou::{Answer, MateAnswer};

use super::output::moves;

/// An answer, ready to be sent.
pub(super) struct Reply {
    /// What may be sent before its time has come, and goes with it in one piece if that is now.
    pub early: Vec<String>,
    /// Sent directly before.
    pub info: Option<String>,
    /// `bestmove ...` or `checkmate ...`; nothing after a count of moves.
    pub line: Option<String>,
}

impl Reply {
    pub fn none() -> Reply {
        Reply { early: Vec::new(), info: None, line: None }
    }

    pub fn of(answer: Answer) -> Reply {
        let line = match answer {
            Answer::Play { te, ponder: Some(ponder) } => format!("bestmove {te} ponder {ponder}"),
            Answer::Play { te, ponder: None } => format!("bestmove {te}"),
            Answer::Resign => "bestmove resign".into(),
            Answer::Win => "bestmove win".into(),
        };
        Reply { line: Some(line), ..Reply::none() }
    }

    pub fn of_mate(answer: MateAnswer) -> Reply {
        let line = match answer {
            MateAnswer::Checkmate(list) => format!("checkmate {}", moves(&list)),
            MateAnswer::NoMate => "checkmate nomate".into(),
            MateAnswer::Timeout => "checkmate timeout".into(),
            MateAnswer::NotImplemented => "checkmate notimplemented".into(),
        };
        Reply { line: Some(line), ..Reply::none() }
    }
}
