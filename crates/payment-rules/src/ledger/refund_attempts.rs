use super::refund_attempt_record::{AttemptRecord, Ending, NewAttempt};
use super::refund_record::RefundRecord;
use super::state::Ledger;
use payment_model::{RefundId, Timestamp};
use staff_model::AttemptState;

const LOCKED_OUT: &str = "the payment service did not accept the access token";

impl Ledger {
    pub fn attempt(&self, id: &str) -> Option<&AttemptRecord> {
        self.attempts.iter().find(|attempt| attempt.id == id)
    }

    pub(super) fn attempt_mut(&mut self, id: &str) -> Option<&mut AttemptRecord> {
        self.attempts.iter_mut().find(|attempt| attempt.id == id)
    }

    /// Takes the one turn that an attempt has to be sent; `false` when it had it, or when
    /// somebody decided that it is not sent.
    pub fn begin(&mut self, id: &str, now: Timestamp) -> bool {
        let Some(attempt) = self.attempt_mut(id) else {
            return false;
        };
        let may = attempt.state == AttemptState::Sending && attempt.begun_at.is_none();
        if may {
            attempt.begun_at = Some(now);
        }
        may
    }

    /// The service answered an attempt with this refund.
    pub fn register(&mut self, id: &str, refund_id: RefundId, now: Timestamp) {
        if let Some(attempt) = self.attempt_mut(id) {
            attempt.found(refund_id, now);
        }
    }

    /// Ends an attempt, unless a list of the service was quicker.
    pub fn end(&mut self, id: &str, ending: Ending, now: Timestamp) {
        let Some(attempt) = self.attempt_mut(id) else {
            return;
        };
        if attempt.state != AttemptState::Sending {
            return;
        }
        match ending {
            Ending::Refused(detail, messages) => {
                attempt.messages = messages;
                attempt.enter(AttemptState::Refused, detail, now);
            }
            Ending::NotSent(why) => {
                attempt.undecided = true;
                attempt.enter(AttemptState::Refused, why, now);
            }
            Ending::LockedOut => {
                attempt.undecided = true;
                attempt.enter(AttemptState::InDoubt, LOCKED_OUT, now);
            }
            Ending::InDoubt(detail) => attempt.enter(AttemptState::InDoubt, detail, now),
        }
    }

    /// Ends the attempts that a complete list proves not to have been processed: those that were
    /// rejected with 401 before its query began and that the list lacks.
    pub(super) fn end_unprocessed(&mut self, began: Timestamp, now: Timestamp) {
        for attempt in &mut self.attempts {
            let proven = attempt.undecided
                && attempt.state == AttemptState::InDoubt
                && attempt.changed_at <= began;
            if proven {
                attempt.enter(AttemptState::Refused, LOCKED_OUT, now);
            }
        }
    }

    /// Ends attempts that were on their way when their process ended, or that left so long ago that
    /// their sender must be gone, and those that wait for their turn where `is_gone` says so. An
    /// attempt that had not begun was never sent.
    pub fn abandon(
        &mut self,
        begun_before: Timestamp,
        is_gone: impl Fn(&AttemptRecord) -> bool,
        now: Timestamp,
    ) {
        for attempt in &mut self.attempts {
            if attempt.state != AttemptState::Sending {
                continue;
            }
            match attempt.begun_at {
                Some(begun) if begun < begun_before => {
                    let detail = "the server stopped before the answer came";
                    attempt.enter(AttemptState::InDoubt, detail, now);
                }
                None if is_gone(attempt) => {
                    let detail = "the server stopped before it was sent; ask for it again";
                    attempt.enter(AttemptState::Refused, detail, now);
                }
                Some(_) | None => {}
            }
        }
    }

    /// Puts down an attempt that is allowed; its amount is reserved from now on.
    pub fn reserve(&mut self, new: NewAttempt, now: Timestamp) {
        self.attempts.push(AttemptRecord {
            id: new.id,
            kind: new.kind,
            amount: new.amount,
            asker: new.asker,
            item: new.item,
            requested_at: now,
            changed_at: now,
            state: AttemptState::Sending,
            undecided: false,
            begun_at: None,
            refund_id: None,
            detail: String::new(),
            messages: Vec::new(),
            release: None,
        });
    }

    /// True when an attempt came to be in doubt after this instant.
    pub fn doubts_since(&self, instant: Timestamp) -> bool {
        self.attempts
            .iter()
            .any(|attempt| attempt.state == AttemptState::InDoubt && attempt.changed_at >= instant)
    }

    /// The refund of an attempt, once it is known.
    pub fn refund_of(&self, attempt: &AttemptRecord) -> Option<&RefundRecord> {
        let id = attempt.refund_id.as_ref()?;
        self.refunds
            .iter()
            .find(|record| record.refund.refund_id == *id)
    }
}

#[cfg(test)]
mod tests;
