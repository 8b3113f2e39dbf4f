//! What stands before each line.

use std::process;
use std::time::{SystemTime, UNIX_EPOCH};

/// Date and time in UTC, to the millisecond, and the number of this process: `2026-11-30 14:36:35.123 4711`.
pub(super) fn now() -> String {
    let ms = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    format!("{} {}", date_and_time(u64::try_from(ms).unwrap_or(u64::MAX)), process::id())
}

/// Whether a file begins as a log does. Before the first whole stamp there may be one that was written in part.
pub(super) fn begins(file: &[u8]) -> bool {
    agrees(file) && lines(file).any(|line| line.len() >= SHAPE.len())
}

/// Whether nothing in the beginning of a file speaks against a log; any line may end within its stamp.
pub(super) fn agrees(file: &[u8]) -> bool {
    let alike = |(&byte, &sign): (&u8, &u8)| if sign == b'0' { byte.is_ascii_digit() } else { byte == sign };
    lines(file).all(|line| line.iter().zip(SHAPE).all(alike))
}

fn lines(file: &[u8]) -> impl Iterator<Item = &[u8]> {
    file.split(|&byte| byte == b'\n')
}

/// How a log begins; 0 stands for any digit.
const SHAPE: &[u8] = b"0000-00-00 00:00:00.000 0";

/// A moment by its milliseconds since 1970.
fn date_and_time(ms: u64) -> String {
    let (year, month, day) = date(ms / 86_400_000);
    let of_day = |unit: u64, number: u64| ms / unit % number;
    let (hour, minute, second) = (of_day(3_600_000, 24), of_day(60_000, 60), of_day(1000, 60));
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{:03}", ms % 1000)
}

/// The date by the number of days since 1970.
fn date(days: u64) -> (u64, u64, u64) {
    // Years begin in March here, so that a leap day is the last of its year; day 0 is the first of March of year 0.
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts day by day, by the rule that everybody knows.
    #[test]
    fn every_day_of_eight_centuries_has_its_date() {
        let (mut year, mut month, mut day) = (1970, 1, 1);
        for days in 0..300_000 {
            assert_eq!(date(days), (year, month, day), "{days}");
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let length = match month {
                2 => 28 + u64::from(leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            day += 1;
            if day > length {
                (month, day) = (month + 1, 1);
            }
            if month > 12 {
                (year, month) = (year + 1, 1);
            }
        }
        assert!(year > 2700);
    }

    #[test]
    fn a_stamp_is_known_again() {
        assert_eq!(date_and_time(1_709_210_096_007), "2024-02-29 12:34:56.007");
        assert!(begins(format!("{} > usi", now()).as_bytes()));
        let torn = b"2024-02-29 12:34\n2024-02-29 12:34:56.007 1 > usi\n";
        assert!(begins(torn) && !begins(&torn[..40]) && agrees(&torn[..40]) && !agrees(b"2024-02-29 12:34\nnotes"));
        assert!(agrees(b"") && agrees(b"2024-02-29 12") && !agrees(b"2024-02-29 12h") && !agrees(b"#YANEURAOU-DB2016"));
        assert!(!begins(b"") && !begins(b"#YANEURAOU-DB2016 1.00\nsfen lnsgkgsnl") && !begins(b"2024-02-29 12"));
    }
}
