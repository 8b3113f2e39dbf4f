//! Days.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A day of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

/// Text that is no day.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{0:?} is no date such as 2024-05-31")]
pub struct DateError(String);

impl Date {
    /// The day; `None` where the calendar has none.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Date> {
        let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            2 => 28 + u8::from(leap),
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => return None,
        };
        (day >= 1 && day <= days).then_some(Date { year, month, day })
    }
}

/// Reads `2024-05-31` or `2024/05/31`; the month and the day may lack their leading zero.
impl FromStr for Date {
    type Err = DateError;

    fn from_str(text: &str) -> Result<Date, DateError> {
        let read = || {
            let mut parts = text.split(['-', '/']);
            let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
            let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
            if parts.next().is_some() || ![year, month, day].into_iter().all(all_digits) {
                return None;
            }
            Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
        };
        read().ok_or_else(|| DateError(text.chars().take(20).collect()))
    }
}

/// Writes `2024-05-31`.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_read_and_sort_as_days() {
        let read = |text: &str| text.parse::<Date>();
        assert_eq!(read("2024-02-29").unwrap().to_string(), "2024-02-29");
        assert_eq!(read("2024/2/9"), read("2024-02-09"));
        assert!(read("2024-02-09").unwrap() < read("2024-10-01").unwrap());
        for text in ["", "-", "2024", "2024-13-01", "2023-02-29", "1900-02-29", "2024-01-+1", "2024-01-01-01"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
