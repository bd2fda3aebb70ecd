use payment_model::{Cents, IdempotencyKey, LocalizedMessage, RefundId, RefundType, Timestamp};
use staff_model::{AttemptState, RefundAttempt};

/// The member of staff who made a request, and its idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asker {
    pub staff: String,
    pub key: IdempotencyKey,
}

/// One request to refund, as the store has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptRecord {
    /// 128 random bits; the service echoes them.
    pub id: String,
    pub kind: RefundType,
    /// In cents.
    pub amount: u64,
    pub asker: Asker,
    /// Which item of the staff's request, from 0.
    pub item: u32,
    pub requested_at: Timestamp,
    /// When its state last changed.
    pub changed_at: Timestamp,
    pub state: AttemptState,
    /// True when the service made no decision: it did not accept the access token, or nothing was
    /// sent.
    pub undecided: bool,
    /// When its one request left; it is never sent a second time.
    pub begun_at: Option<Timestamp>,
    pub refund_id: Option<RefundId>,
    /// The reason for its state, in a sentence in English.
    pub detail: String,
    /// The service's messages when it refused.
    pub messages: Vec<LocalizedMessage>,
    /// Kept even if it turns out that the service has the refund.
    pub release: Option<Release>,
}

/// The release of an attempt's amount: the member of staff, the time and the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Release {
    pub by: String,
    pub at: Timestamp,
    pub reason: String,
}

/// An attempt to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAttempt {
    pub id: String,
    pub kind: RefundType,
    pub amount: u64,
    pub asker: Asker,
    pub item: u32,
}

/// How a request to the service ended, other than with a refund.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The service did not register it.
    Refused(String, Vec<LocalizedMessage>),
    /// Nothing was sent.
    NotSent(String),
    /// The service did not accept the access token. A whole list without the refund proves that
    /// there is none.
    LockedOut,
    /// The outcome is unknown.
    InDoubt(String),
}

impl AttemptRecord {
    /// True when the attempt itself reserves its amount, whatever the service's list has: its
    /// outcome is not known.
    pub fn is_pending(&self) -> bool {
        matches!(self.state, AttemptState::Sending | AttemptState::InDoubt)
    }

    /// True while other items of its request come first.
    pub fn waits_for_its_turn(&self) -> bool {
        self.state == AttemptState::Sending && self.begun_at.is_none()
    }

    /// The attempt as staff see it.
    pub fn shown(&self) -> RefundAttempt {
        RefundAttempt {
            attempt_id: self.id.clone(),
            state: self.state,
            kind: self.kind.clone(),
            amount: Cents::new(self.amount),
            staff: self.asker.staff.clone(),
            at: self.requested_at,
            refund_id: self.refund_id.as_ref().map(|id| id.as_str().to_owned()),
            detail: self.detail.clone(),
            messages: self.messages.clone(),
            released_by: self.release.as_ref().map(|release| release.by.clone()),
        }
    }

    pub(super) fn enter(&mut self, state: AttemptState, detail: impl Into<String>, now: Timestamp) {
        self.state = state;
        self.detail = detail.into();
        self.changed_at = now;
    }

    /// The service has it. This overrules an earlier release or refusal.
    pub(super) fn found(&mut self, refund_id: RefundId, now: Timestamp) {
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
