use super::state::{Ledger, RefundRecord};
use crate::clock::Millis;
use payment_model::{LocalizedMessage, RefundId, RefundType};
use staff_model::{AttemptState, RefundAttempt};

/// Who asks for something, and under which idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asker {
    pub(crate) staff: String,
    pub(crate) key: String,
}

/// One request to refund, as the store keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AttemptRecord {
    /// 128 random bits; the service echoes them.
    pub(crate) id: String,
    pub(crate) kind: RefundType,
    /// In cents.
    pub(crate) amount: u64,
    pub(crate) asker: Asker,
    /// Which item of the staff's request, from 0.
    pub(crate) item: u32,
    pub(crate) requested_at: Millis,
    /// When its state last changed.
    pub(crate) changed_at: Millis,
    pub(crate) state: AttemptState,
    /// The service did not decide about it: it did not accept the access token, or nothing was
    /// sent.
    pub(crate) undecided: bool,
    /// When its one request left; it is never sent a second time.
    pub(crate) begun_at: Option<Millis>,
    pub(crate) refund_id: Option<RefundId>,
    /// Why it stands as it does, in a sentence in English.
    pub(crate) detail: String,
    /// What the service said when it refused.
    pub(crate) messages: Vec<LocalizedMessage>,
    /// Kept also when the service turns out to have it after all.
    pub(crate) release: Option<Release>,
}

/// Who gave an attempt's amount free.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Release {
    pub(crate) by: String,
    pub(crate) at: Millis,
    pub(crate) reason: String,
}

/// An attempt that is to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewAttempt {
    pub(crate) id: String,
    pub(crate) kind: RefundType,
    pub(crate) amount: u64,
    pub(crate) asker: Asker,
    pub(crate) item: u32,
}

/// How a request to the service ended, other than with a refund.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The service has nothing of it.
    Refused(String, Vec<LocalizedMessage>),
    /// Nothing was sent.
    NotSent(String),
    /// The service did not accept the access token. It has nothing of it once a whole list
    /// lacks it.
    LockedOut,
    /// Nobody knows.
    InDoubt(String),
}

const LOCKED_OUT: &str = "the payment service did not accept the access token";

impl AttemptRecord {
    /// Whether its amount is reserved by itself, whatever the service's list says: nobody has
    /// seen what became of it.
    pub(crate) fn is_pending(&self) -> bool {
        matches!(self.state, AttemptState::Sending | AttemptState::InDoubt)
    }

    /// The attempt as staff see it.
    pub(crate) fn shown(&self) -> RefundAttempt {
        RefundAttempt {
            attempt_id: self.id.clone(),
            state: self.state,
            kind: self.kind.clone(),
            amount: self.amount,
            staff: self.asker.staff.clone(),
            at: self.requested_at,
            refund_id: self.refund_id.as_ref().map(|id| id.as_str().to_owned()),
            detail: self.detail.clone(),
            messages: self.messages.clone(),
            released_by: self.release.as_ref().map(|release| release.by.clone()),
        }
    }

    fn enter(&mut self, state: AttemptState, detail: impl Into<String>, now: Millis) {
        self.state = state;
        self.detail = detail.into();
        self.changed_at = now;
    }

    /// The service has it. What somebody wrote about it before is overruled.
    pub(super) fn found(&mut self, refund_id: RefundId, now: Millis) {
        let detail = match self.state {
            AttemptState::Registered => return,
            AttemptState::Sending => "",
            AttemptState::Released => {
                "the service has it after all, though it was released: it counts again"
            }
            AttemptState::Refused => "the service has it after all, though it refused it",
            AttemptState::InDoubt | AttemptState::Unknown => {
                "found among the refunds that the service has"
            }
        };
        self.refund_id = Some(refund_id);
        self.messages.clear();
        self.enter(AttemptState::Registered, detail, now);
    }

    pub(super) fn released(&mut self, release: Release) {
        let now = release.at;
        self.enter(AttemptState::Released, release.reason.clone(), now);
        self.release = Some(release);
    }
}

impl Ledger {
    pub(crate) fn attempt(&self, id: &str) -> Option<&AttemptRecord> {
        self.attempts.iter().find(|attempt| attempt.id == id)
    }

    pub(super) fn attempt_mut(&mut self, id: &str) -> Option<&mut AttemptRecord> {
        self.attempts.iter_mut().find(|attempt| attempt.id == id)
    }

    /// Takes the one turn that an attempt has to be sent; `false` when it had it, or when
    /// somebody decided that it is not sent.
    pub(crate) fn begin(&mut self, id: &str, now: Millis) -> bool {
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
    pub(crate) fn register(&mut self, id: &str, refund_id: RefundId, now: Millis) {
        if let Some(attempt) = self.attempt_mut(id) {
            attempt.found(refund_id, now);
        }
    }

    /// Ends an attempt, unless a list of the service was quicker.
    pub(crate) fn end(&mut self, id: &str, ending: Ending, now: Millis) {
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

    /// A whole list came, of a look that began then: what was not let in and is not in it never
    /// arrived.
    pub(crate) fn whole_list_came(&mut self, began: Millis, now: Millis) {
        for attempt in &mut self.attempts {
            let proven = attempt.undecided
                && attempt.state == AttemptState::InDoubt
                && attempt.changed_at <= began;
            if proven {
                attempt.enter(AttemptState::Refused, LOCKED_OUT, now);
            }
        }
    }

    /// Ends what was on its way when its process ended, or so long ago that its sender must be
    /// gone. What had not begun was never sent.
    pub(crate) fn abandon(&mut self, begun_before: Millis, asked_before: Millis, now: Millis) {
        for attempt in &mut self.attempts {
            if attempt.state != AttemptState::Sending {
                continue;
            }
            match attempt.begun_at {
                Some(begun) if begun < begun_before => {
                    let detail = "the server stopped before the answer came";
                    attempt.enter(AttemptState::InDoubt, detail, now);
                }
                None if attempt.requested_at < asked_before => {
                    let detail = "the server stopped before it was sent; ask for it again";
                    attempt.enter(AttemptState::Refused, detail, now);
                }
                Some(_) | None => {}
            }
        }
    }

    /// Puts down an attempt that is allowed; its amount is reserved from now on.
    pub(crate) fn reserve(&mut self, new: NewAttempt, now: Millis) {
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

    /// Whether an attempt came to be in doubt after this instant.
    pub(crate) fn doubts_since(&self, instant: Millis) -> bool {
        self.attempts
            .iter()
            .any(|attempt| attempt.state == AttemptState::InDoubt && attempt.changed_at >= instant)
    }

    /// The refund that an attempt became.
    pub(crate) fn refund_of(&self, attempt: &AttemptRecord) -> Option<&RefundRecord> {
        let id = attempt.refund_id.as_ref()?;
        self.refunds
            .iter()
            .find(|record| record.refund.refund_id == *id)
    }
}
