//! Reserves, sends and ends the refunds that staff ask for through this server.

use super::Ledger;
use super::refund_list::RefundRecord;
use crate::outgoing::{Failed, Outgoing, Progress, RequestEvent, SendFailure};
use payment_model::{Cents, IdempotencyKey, LocalizedMessage, RefundId, RefundType, Timestamp};
use serde::{Deserialize, Serialize};
use staff_model::{AttemptState, RefundAttempt};

/// The member of staff who made a request, and its idempotency key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requester {
    /// The name of the staff account.
    pub staff: String,
    /// The idempotency key of the request.
    pub key: IdempotencyKey,
}

/// One request to refund, as the store has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptRecord {
    /// 128 random bits; the service echoes them.
    pub id: String,
    /// Whether the whole payment or a part is refunded.
    pub kind: RefundType,
    /// In cents.
    pub amount: u64,
    /// The member of staff who asked for it.
    pub requester: Requester,
    /// Which item of the staff's request, from 0.
    pub item: u32,
    /// When the amount was reserved.
    pub requested_at: Timestamp,
    /// When its state last changed.
    pub changed_at: Timestamp,
    /// How far it is, and how it ended.
    pub state: AttemptState,
    /// True when the service did not process the request: it rejected the access token, or nothing
    /// was sent.
    pub not_processed: bool,
    /// When its request left. It is never sent a second time.
    pub begun_at: Option<Timestamp>,
    /// The service's id of the refund, once it is known.
    pub refund_id: Option<RefundId>,
    /// The reason for its state, in a sentence in English.
    pub detail: String,
    /// The service's messages when it refused.
    pub messages: Vec<LocalizedMessage>,
    /// The release of its amount, which is kept even if the service turns out to have the refund.
    pub release: Option<Release>,
    /// The first of the two members of staff who release the request of a program of the shop.
    pub release_asked_by: Option<String>,
}

/// The release of an attempt's amount: the member of staff, the time and the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Release {
    /// The name of the staff account.
    pub by: String,
    /// When it was released.
    pub at: Timestamp,
    /// The reason that the member of staff gave.
    pub reason: String,
}

/// An attempt to reserve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAttempt {
    /// 128 random bits; the service echoes them.
    pub id: String,
    /// Whether the whole payment or a part is refunded.
    pub kind: RefundType,
    /// In cents.
    pub amount: u64,
    /// The member of staff who asks for it.
    pub requester: Requester,
    /// Which item of the staff's request, from 0.
    pub item: u32,
}

impl AttemptRecord {
    /// How far its request is. A state that this version does not know reserves nothing; only the service's list changes it.
    pub fn progress(&self) -> Progress {
        match self.state {
            AttemptState::Sending if self.begun_at.is_none() => Progress::Reserved,
            AttemptState::Sending => Progress::Sent,
            AttemptState::InDoubt => Progress::Unknown,
            AttemptState::Registered => Progress::Done,
            AttemptState::Refused => Progress::NotDone,
            AttemptState::Released | AttemptState::Unknown => Progress::Released,
        }
    }

    /// The next state of its request after an event; `None` if the event changes nothing.
    pub(super) fn after(&self, event: RequestEvent<'_>) -> Option<Progress> {
        Outgoing::Refund.next(self.progress(), event)
    }

    /// True while its outcome is not known, so that the attempt reserves its amount whatever the
    /// service's list has.
    pub fn is_pending(&self) -> bool {
        Outgoing::Refund.reserves(self.progress())
    }

    /// True while other items of its request come first.
    pub fn waits_for_its_turn(&self) -> bool {
        self.progress() == Progress::Reserved
    }

    /// The attempt as staff see it.
    pub fn shown(&self) -> RefundAttempt {
        RefundAttempt {
            attempt_id: self.id.clone(),
            state: self.state,
            kind: self.kind.clone(),
            amount: Cents::new(self.amount),
            staff: self.requester.staff.clone(),
            at: self.requested_at,
            refund_id: self.refund_id.as_ref().map(|id| id.as_str().to_owned()),
            detail: self.detail.clone(),
            messages: self.messages.clone(),
            released_by: self.release.as_ref().map(|release| release.by.clone()),
        }
    }

    fn move_to(&mut self, next: Progress, detail: impl Into<String>, now: Timestamp) {
        self.state = match next {
            Progress::Reserved | Progress::Sent => AttemptState::Sending,
            Progress::Unknown => AttemptState::InDoubt,
            Progress::Done => AttemptState::Registered,
            Progress::NotDone => AttemptState::Refused,
            Progress::Released => AttemptState::Released,
        };
        self.detail = detail.into();
        self.changed_at = now;
    }

    /// Notes that the service has the refund. This overrules an earlier release or refusal.
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
        self.move_to(Progress::Done, detail, now);
    }

    pub(super) fn released(&mut self, release: Release) {
        let now = release.at;
        self.move_to(Progress::Released, release.reason.clone(), now);
        self.release = Some(release);
    }
}

const ACCESS_TOKEN_REJECTED: &str = "the payment service did not accept the access token";

impl Ledger {
    /// The attempt with this id.
    pub fn attempt(&self, id: &str) -> Option<&AttemptRecord> {
        self.attempts.iter().find(|attempt| attempt.id == id)
    }

    pub(super) fn attempt_mut(&mut self, id: &str) -> Option<&mut AttemptRecord> {
        self.attempts.iter_mut().find(|attempt| attempt.id == id)
    }

    /// Allows an attempt to be sent, once. False when it was sent before, or has ended without
    /// being sent.
    pub fn begin(&mut self, id: &str, now: Timestamp) -> bool {
        let Some(attempt) = self.attempt_mut(id) else {
            return false;
        };
        let may = attempt.after(RequestEvent::Begins).is_some();
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

    /// Ends an attempt whose sending failed, unless a list of the service has ended it before.
    pub fn end(&mut self, id: &str, failed: Failed, now: Timestamp) {
        let Failed { failure, detail } = failed;
        let Some(attempt) = self.attempt_mut(id) else {
            return;
        };
        let Some(next) = attempt.after(RequestEvent::Failed(&failure)) else {
            return;
        };
        let detail = match failure {
            SendFailure::TokenRejected => ACCESS_TOKEN_REJECTED.to_owned(),
            _ => detail,
        };
        attempt.not_processed |=
            matches!(failure, SendFailure::NotSent | SendFailure::TokenRejected);
        if let (SendFailure::Refused { messages, .. }, Progress::NotDone) = (failure, next) {
            attempt.messages = messages;
        }
        attempt.move_to(next, detail, now);
    }

    /// Ends the attempts that a complete list proves not to have been processed. These are attempts
    /// that were rejected with 401 before the query of the list began, and that are not in the
    /// list.
    pub(super) fn end_unprocessed(&mut self, began: Timestamp, now: Timestamp) {
        for attempt in &mut self.attempts {
            let proven = attempt.not_processed && attempt.changed_at <= began;
            if let Some(next) = attempt.after(RequestEvent::Disproved).filter(|_| proven) {
                attempt.move_to(next, ACCESS_TOKEN_REJECTED, now);
            }
        }
    }

    /// Ends attempts whose sender stopped. An attempt that left before `begun_before` is in doubt.
    /// An attempt that has not left is refused if `is_gone` says so, because it was never sent.
    pub fn give_up_attempts(
        &mut self,
        begun_before: Timestamp,
        is_gone: impl Fn(&AttemptRecord) -> bool,
        now: Timestamp,
    ) {
        for attempt in &mut self.attempts {
            let Some(next) = attempt.after(RequestEvent::SenderGone) else {
                continue;
            };
            let detail = match attempt.begun_at {
                Some(begun) if begun < begun_before => "the server stopped before the answer came",
                None if is_gone(attempt) => {
                    "the server stopped before it was sent; ask for it again"
                }
                Some(_) | None => continue,
            };
            attempt.move_to(next, detail, now);
        }
    }

    /// Adds an attempt that is allowed. Its amount is reserved from now on.
    pub fn reserve(&mut self, new: NewAttempt, now: Timestamp) {
        self.attempts.push(AttemptRecord {
            id: new.id,
            kind: new.kind,
            amount: new.amount,
            requester: new.requester,
            item: new.item,
            requested_at: now,
            changed_at: now,
            state: AttemptState::Sending,
            not_processed: false,
            begun_at: None,
            refund_id: None,
            detail: String::new(),
            messages: Vec::new(),
            release: None,
            release_asked_by: None,
        });
    }

    /// True when the outcome of an attempt became unknown at this instant or later.
    pub fn has_doubt_since(&self, instant: Timestamp) -> bool {
        self.attempts
            .iter()
            .any(|attempt| attempt.state == AttemptState::InDoubt && attempt.changed_at >= instant)
    }

    /// The id of the attempt that asked for a refund; `None` if others asked for it.
    pub fn request_of(&self, record: &RefundRecord) -> Option<String> {
        let asked =
            |attempt: &&AttemptRecord| attempt.refund_id.as_ref() == Some(&record.refund.refund_id);
        let attempt = self.attempts.iter().find(asked)?;
        Some(attempt.id.clone())
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
