//! The payer's own question to the server.

use super::operations::Slot;
use super::{Flow, schedule};
use crate::time::FlowTime;
use payment_model::Timestamp;
use std::time::Duration;

/// The answer to the payer's own question, while nothing is new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checked {
    /// The time of the known state, by the server's clock; `None` while no state is known.
    pub at: Option<Timestamp>,
    /// True when the server answered the question. If false, the known state is from before it.
    pub answered: bool,
    /// The number of the question: answers to two questions may otherwise be equal.
    pub question: u32,
}

/// The payer's own question, "check now", and its answer.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Check {
    /// When it was asked last.
    last: Option<FlowTime>,
    /// How often it was asked.
    question: u32,
    /// True while the answer has not come.
    pub(super) awaited: bool,
    /// The operation about which nothing was new.
    nothing_new: Option<(Slot, Checked)>,
}

impl Check {
    /// The time until the payer may ask.
    pub(super) fn opens_after(&self, now: FlowTime) -> Duration {
        self.last.map_or(Duration::ZERO, |last| {
            schedule::CHECK.saturating_sub(now.duration_since(last))
        })
    }

    pub(super) fn asked(&mut self, now: FlowTime) {
        (self.last, self.awaited) = (Some(now), true);
        self.question = self.question.wrapping_add(1);
    }

    /// The server answered about the operation in front, which still waits or is not paid after its end.
    pub(super) fn answered(&mut self, slot: Slot, at: Timestamp) {
        if std::mem::take(&mut self.awaited) {
            self.note(slot, Some(at), true);
        }
    }

    /// The server gave no answer. `at` is the time of the last known state, if there is one. The next answer still
    /// counts as the answer to this question.
    pub(super) fn unanswered(&mut self, slot: Slot, at: Option<Timestamp>) {
        if self.awaited {
            self.note(slot, at, false);
        }
    }

    /// The end of an operation answers every question.
    pub(super) fn ended(&mut self) {
        (self.awaited, self.nothing_new) = (false, None);
    }

    fn note(&mut self, slot: Slot, at: Option<Timestamp>, answered: bool) {
        let question = self.question;
        let checked = Checked {
            at,
            answered,
            question,
        };
        self.nothing_new = Some((slot, checked));
    }

    /// The answer to the payer's last question about this operation.
    pub(super) fn nothing_new(&self, slot: Slot) -> Option<Checked> {
        self.nothing_new
            .filter(|(of, _)| *of == slot)
            .map(|(_, checked)| checked)
    }
}

impl Flow {
    pub(super) fn check_now(&mut self) {
        let now = self.now();
        if self.check.opens_after(now).is_zero() {
            self.check.asked(now);
            self.ask_at_once();
            // The server asked for a pause, so no request leaves now.
            if let Some(slot) = self.front_slot().filter(|_| self.poller.is_quiet(now)) {
                self.check.unanswered(slot, self.operations[slot].known_at);
            }
        }
    }
}
