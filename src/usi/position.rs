//! The `position` command.

use thiserror::Error;

use crate::kyokumen::{Kyokumen, SfenError, Taikyoku, Te, TeError};

/// What is wrong with a `position` command.
#[derive(Debug, Error, PartialEq, Eq)]
pub(super) enum PositionError {
    #[error("position needs startpos or sfen, not {0:?}")]
    Start(String),
    #[error(transparent)]
    Sfen(#[from] SfenError),
    #[error("position goes on with {0:?}, not with moves")]
    NotMoves(String),
    #[error("move {number}: {error}")]
    NoMove { number: usize, error: TeError },
    #[error("move {number}: {te} is illegal")]
    Illegal { number: usize, te: Te },
}

/// Sets up the game that the words after `position` describe. A last word `resign` or `win` is no move, but allowed.
pub(super) fn read_position(text: &str) -> Result<Taikyoku, PositionError> {
    let (start, moves) = split_at_moves(text);
    let start = start.trim_ascii();
    let kyokumen = match start.split_once(' ').unwrap_or((start, "")) {
        ("startpos", "") => Kyokumen::hirate(),
        ("startpos", rest) => return Err(PositionError::NotMoves(excerpt(rest))),
        ("sfen", sfen) => Kyokumen::from_sfen(sfen)?,
        (other, _) => return Err(PositionError::Start(excerpt(other))),
    };
    let mut taikyoku = Taikyoku::new(kyokumen);
    let mut words = moves.split_ascii_whitespace().enumerate().peekable();
    while let Some((index, word)) = words.next() {
        if matches!(word, "resign" | "win") && words.peek().is_none() {
            break;
        }
        let number = index + 1;
        let te = word.parse().map_err(|error| PositionError::NoMove { number, error })?;
        if !taikyoku.play(te) {
            return Err(PositionError::Illegal { number, te });
        }
    }
    Ok(taikyoku)
}

fn split_at_moves(text: &str) -> (&str, &str) {
    match text.split_once(" moves") {
        Some((start, moves)) if moves.is_empty() || moves.starts_with(' ') => (start, moves),
        _ => (text, ""),
    }
}

fn excerpt(word: &str) -> String {
    word.split(' ').next().unwrap_or_default().chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sfen(text: &str) -> String {
        read_position(text).unwrap().kyokumen().to_sfen()
    }

    fn error(text: &str) -> String {
        read_position(text).unwrap_err().to_string()
    }

    const HIRATE: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";

    #[test]
    fn the_word_moves_may_be_missing_or_end_the_line() {
        for text in ["startpos", "startpos moves", "startpos moves ", &format!("sfen {HIRATE} b -")] {
            assert_eq!(sfen(text), format!("{HIRATE} b - 1"));
        }
        assert_eq!(sfen(&format!("sfen {HIRATE} w - 1 moves")), format!("{HIRATE} w - 1"));
    }

    #[test]
    fn moves_are_played_and_kept_as_history() {
        let taikyoku = read_position("startpos moves 2h3h 8b7b 3h2h 7b8b").unwrap();
        assert_eq!(taikyoku.kyokumen().tesu(), 5);
        assert_eq!(taikyoku.rireki().occurrences(), 2);
    }

    #[test]
    fn a_move_that_could_have_promoted_is_accepted_without() {
        assert!(sfen("startpos moves 7g7f 3c3d 8h2b").contains(" w B "));
    }

    #[test]
    fn a_resignation_may_end_the_moves_and_only_end_them() {
        assert_eq!(sfen("startpos moves 7g7f resign"), sfen("startpos moves 7g7f"));
        assert_eq!(sfen("startpos moves win"), sfen("startpos"));
        assert!(error("startpos moves resign 7g7f").contains("resign"));
    }

    #[test]
    fn an_error_says_what_and_where() {
        assert_eq!(error(""), "position needs startpos or sfen, not \"\"");
        assert_eq!(error("foo bar"), "position needs startpos or sfen, not \"foo\"");
        assert_eq!(error("startpos foo"), "position goes on with \"foo\", not with moves");
        assert_eq!(error("startpos moves 7g7f 7g7f"), "move 2: 7g7f is illegal");
        assert!(error("startpos moves 7g7f 9z9z").starts_with("move 2: \"9z9z\" is no move"));
        assert!(error("sfen").contains("lacks its board"));
        assert!(error(&format!("sfen {HIRATE}_b_BPsn3p_1")).contains("'_' is no piece"));
    }
}
