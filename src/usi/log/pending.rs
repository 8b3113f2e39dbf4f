//! Lines that wait to be written, in memory of bounded size: what does not fit is left out and counted.

use super::stamp;

/// So many bytes may wait.
const ROOM: usize = 1 << 20;

/// Longer texts are cut off: a game of some ten thousand moves is shorter.
const LONGEST: usize = 1 << 16;

/// Lines with their stamps, in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Pending {
    batch: Batch,
    /// Lines that were left out since the last that is in the batch.
    left_out: usize,
}

/// Lines on their way to the file.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub text: Vec<u8>,
    /// How many lines of the session it stands for: those that it holds, and those of which it says that they are left
    /// out.
    pub number: usize,
}

impl Pending {
    pub fn is_empty(&self) -> bool {
        self.batch.text.is_empty()
    }

    /// Adds a line, if there is room for it. Control characters become blanks, so that a line stays one.
    pub fn add(&mut self, mark: char, text: &str) {
        if self.batch.text.len() + text.len().min(LONGEST) > ROOM {
            self.left_out += 1;
            return;
        }
        self.tell_what_is_left_out();
        self.push(mark, text);
        self.batch.number += 1;
    }

    /// Adds lines that have waited elsewhere, with the stamps that they have, if there is room for all.
    pub fn append(&mut self, mut lines: Pending) {
        let Batch { text, number } = lines.take(true);
        if self.batch.text.len() + text.len() > 2 * ROOM {
            self.left_out += number;
        } else if number > 0 {
            self.tell_what_is_left_out();
            self.batch.text.extend_from_slice(&text);
            self.batch.number += number;
        }
    }

    /// All that waits; with `last` also a word on what was left out after the last line.
    pub fn take(&mut self, last: bool) -> Batch {
        if last {
            self.tell_what_is_left_out();
        }
        std::mem::take(&mut self.batch)
    }

    /// Counts lines that were taken, but could not be written.
    pub fn lose(&mut self, batch: &Batch) {
        self.left_out += batch.number;
    }

    fn tell_what_is_left_out(&mut self) {
        if self.left_out > 0 {
            let number = std::mem::take(&mut self.left_out);
            self.push('#', &format!("{number} lines are left out here"));
            self.batch.number += number;
        }
    }

    fn push(&mut self, mark: char, text: &str) {
        let cut = &text[..text.floor_char_boundary(LONGEST)];
        let printable: String = cut.trim_end().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let more = text.len() - cut.len();
        let more = if more > 0 { format!(" ... {more} bytes more") } else { String::new() };
        let line = format!("{} {mark} {printable}{more}\n", stamp::now());
        self.batch.text.extend_from_slice(line.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(pending: &mut Pending) -> Vec<String> {
        let text = String::from_utf8(pending.take(true).text).unwrap();
        text.lines().map(|line| line.splitn(4, ' ').nth(3).unwrap().to_owned()).collect()
    }

    #[test]
    fn a_line_stays_one_line_and_is_cut_where_it_is_endless() {
        let mut pending = Pending::default();
        pending.add('>', "a\rb\n\0c \t\r");
        pending.add('>', &"定".repeat(LONGEST));
        let lines = said(&mut pending);
        assert_eq!(lines[0], "> a b  c");
        let kept = "定".repeat(LONGEST / 3);
        assert_eq!(lines[1], format!("> {kept} ... {} bytes more", 3 * LONGEST - kept.len()));
        assert_eq!(lines.len(), 2);
    }

    #[test]
    fn lines_that_have_waited_elsewhere_come_as_they_are_or_are_counted() {
        let waiting = |text: &str, number: usize| {
            let mut lines = Pending::default();
            (0..number).for_each(|_| lines.add('>', text));
            lines
        };
        let mut pending = waiting("a", 1);
        pending.append(waiting("b", 2));
        pending.append(Pending::default());
        assert_eq!(said(&mut pending), ["> a", "> b", "> b"]);
        // Not even where they wait is there room for all of these.
        let (text, number) = ("x".repeat(1000), 2000);
        for _ in 0..3 {
            pending.append(waiting(&text, number));
        }
        let room = pending.batch.text.len();
        assert!(ROOM / 2 < room && room <= 2 * ROOM, "{room}");
        let lines = said(&mut pending);
        let left_out = |line: &String| line.strip_prefix("# ")?.split(' ').next()?.parse::<usize>().ok();
        let told: Vec<usize> = lines.iter().filter_map(left_out).collect();
        assert_eq!(lines.len() - told.len() + told.iter().sum::<usize>(), 3 * number);
        // Of the last, nothing is kept, and all is counted.
        assert!(told.last().unwrap() >= &number && told[0] < number, "{told:?}");
    }

    #[test]
    fn lines_that_are_lost_twice_are_counted_once() {
        let mut pending = Pending::default();
        pending.add('<', "a");
        pending.add('<', "b");
        let batch = pending.take(false);
        pending.lose(&batch);
        pending.add('<', "c");
        let batch = pending.take(false);
        pending.lose(&batch);
        assert_eq!(said(&mut pending), ["# 3 lines are left out here"]);
        assert!(pending.is_empty() && said(&mut pending).is_empty());
    }
}
