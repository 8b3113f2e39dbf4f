//! How games end, times and ratings, in the words of CSA's format and of its servers. JKF shares those of the endings.

use std::time::Duration;

use super::Ending;
use crate::kyokumen::Teban;

/// How a game ended, and who won.
pub(super) type Outcome = (Ending, Option<Teban>);

/// What a special move means with this side to move; its name is without the percent sign.
pub(super) fn special(name: &str, turn: Teban) -> Option<Outcome> {
    let ending = match name {
        "TORYO" => Ending::Resign,
        "TIME_UP" => Ending::Timeup,
        "TSUMI" => Ending::Mate,
        "KACHI" => Ending::Declaration,
        "SENNICHITE" => Ending::Sennichite,
        "JISHOGI" => Ending::Jishogi,
        "HIKIWAKE" | "MAX_MOVES" => Ending::Draw,
        // Broken off, a move taken back, a fault, or a problem without solution: nobody has won.
        "CHUDAN" | "MATTA" | "ERROR" | "FUZUMI" => Ending::Abort,
        // The side to move loses by it, the side with the sign by the others.
        "ILLEGAL_MOVE" => return Some((Ending::Illegal, Some(turn.opponent()))),
        "+ILLEGAL_ACTION" => return Some((Ending::Illegal, Some(Teban::Gote))),
        "-ILLEGAL_ACTION" => return Some((Ending::Illegal, Some(Teban::Sente))),
        // JKF's, from records that name no side.
        "ILLEGAL_ACTION" => Ending::Illegal,
        _ => return None,
    };
    Some((ending, ending.winner(turn)))
}

/// Whether a special move tells of an illegal one.
pub(super) fn is_illegal(name: &str) -> bool {
    name.contains("ILLEGAL_")
}

/// A server's result: `toryo:NAME win:NAME lose`, Sente first.
pub(super) fn summary(text: &str) -> Option<Outcome> {
    let (kind, players) = text.split_once(':')?;
    // A name may have colons.
    let gote_wins = players.ends_with(" win");
    let sente_wins = players.contains(" win:");
    let winner = match (sente_wins, gote_wins) {
        (true, false) => Some(Teban::Sente),
        (false, true) => Some(Teban::Gote),
        _ => None,
    };
    let ending = match kind {
        "toryo" => Ending::Resign,
        "time up" => Ending::Timeup,
        "kachi" => Ending::Declaration,
        "sennichite" => Ending::Sennichite,
        "jishogi" => Ending::Jishogi,
        "max_moves" => Ending::Draw,
        "illegal move" | "illegal kachi" | "oute_sennichite" | "uchifuzume" | "oute_kaihimore" => Ending::Illegal,
        _ => Ending::Abort,
    };
    Some((ending, if ending.is_draw() { None } else { winner }))
}

/// A rating behind a player's name: `NAME:2345.6`.
pub(super) fn rating(text: &str) -> Option<u32> {
    let (_, number) = text.rsplit_once(':')?;
    let rating: f64 = number.trim().parse().ok()?;
    (0.0..1e6).contains(&rating).then_some(rating.round() as u32)
}

/// Seconds, since version 3.0 with a fraction.
pub(super) fn time(text: &str) -> Option<Duration> {
    let (seconds, fraction) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(seconds) || !digits(fraction) {
        return None;
    }
    let nanos = fraction.bytes().chain(std::iter::repeat(b'0')).take(9);
    let nanos = nanos.fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0'));
    Some(Duration::new(seconds.parse().ok()?, nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_fractions_of_any_length() {
        assert_eq!(time("12"), Some(Duration::from_secs(12)));
        assert_eq!(time("1.5"), Some(Duration::from_millis(1500)));
        assert_eq!(time("0.001"), Some(Duration::from_millis(1)));
        assert_eq!(time("0.00000000009"), Some(Duration::ZERO));
        for text in ["", "-1", "1:30", "x", "1.x", "99999999999999999999"] {
            assert_eq!(time(text), None, "{text}");
        }
    }

    #[test]
    fn ratings_stand_behind_the_last_colon() {
        assert_eq!(rating("a:b+1234:3345.6"), Some(3346));
        for text in ["a", "a:", "a:-5", "a:1e9", "a:NaN"] {
            assert_eq!(rating(text), None, "{text}");
        }
    }

    #[test]
    fn servers_say_who_won() {
        let cases = [
            ("toryo:a lose:b win", (Ending::Resign, Some(Teban::Gote))),
            ("toryo:a win:b lose", (Ending::Resign, Some(Teban::Sente))),
            ("sennichite:a draw:b draw", (Ending::Sennichite, None)),
            ("oute_sennichite:a win:b lose", (Ending::Illegal, Some(Teban::Sente))),
            ("abnormal:a lose:b win", (Ending::Abort, Some(Teban::Gote))),
            ("max_moves:a draw:b draw", (Ending::Draw, None)),
        ];
        for (text, outcome) in cases {
            assert_eq!(summary(text), Some(outcome), "{text}");
        }
    }
}
