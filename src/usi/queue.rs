//! The queue between those who have news and the session that acts on them.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use super::command::Command;
use super::thinker::Outcome;

/// Something for the session to act on.
#[derive(Debug)]
pub(super) enum Event {
    /// A command has arrived.
    Command(Command),
    /// Thinking has come to an end.
    Finished(Outcome),
    /// Something that the user should know has happened elsewhere.
    Remark(String),
}

/// Events in the order of their arrival. Waiting costs nothing: a condition variable wakes the session.
#[derive(Debug, Default)]
pub(super) struct Queue {
    events: Mutex<VecDeque<Event>>,
    arrived: Condvar,
}

impl Queue {
    pub fn push(&self, event: Event) {
        self.events.lock().push_back(event);
        self.arrived.notify_one();
    }

    /// The next event; waits for one.
    pub fn pop(&self) -> Event {
        let mut events = self.events.lock();
        loop {
            if let Some(event) = events.pop_front() {
                return event;
            }
            self.arrived.wait(&mut events);
        }
    }

    /// The end of the running search, taken out of turn; waits for it, but no longer than `limit`, and no longer than
    /// `at_quit` from the moment that a `quit` is waiting.
    pub fn pop_finished(&self, limit: Option<Duration>, at_quit: Duration) -> Option<Outcome> {
        let mut deadline = limit.map(|limit| Instant::now() + limit);
        let mut events = self.events.lock();
        loop {
            if deadline.is_none() && events.iter().any(|event| matches!(event, Event::Command(Command::Quit))) {
                deadline = Some(Instant::now() + at_quit);
            }
            if let Some(index) = events.iter().position(|event| matches!(event, Event::Finished(_))) {
                return match events.remove(index) {
                    Some(Event::Finished(outcome)) => Some(outcome),
                    _ => None,
                };
            }
            match deadline {
                None => self.arrived.wait(&mut events),
                Some(deadline) if self.arrived.wait_until(&mut events, deadline).timed_out() => return None,
                Some(_) => {}
            }
        }
    }
}
