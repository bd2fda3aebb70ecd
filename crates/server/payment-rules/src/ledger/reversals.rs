//! Reserves and ends requests to cancel an operation. Each of them reserves the whole amount,
//! because it gives the payment back if the operation is paid when it arrives.

use super::balance::Balance;
use super::refund_attempts::Release;
use super::{Ledger, is_given_up};
use crate::operation::QuestionContext;
use crate::outgoing::{Failed, Outgoing, Progress, RequestEvent};
use crate::timing::Reading;
use payment_model::{Cents, IdempotencyKey, Outcome, Timestamp, TransactionState};
use serde::{Deserialize, Serialize};
use staff_model::{Reversal, ReversalState};
use std::time::Duration;

/// The purpose of a cancellation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// To end a waiting operation. A known payment is not given back.
    Cancel,
    /// To give the payment back.
    Reverse,
    /// To learn from the answer what the service has.
    SettleDoubt,
}

/// Why an unpaid operation was cancelled, for the other pages of its payer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndCause {
    /// Another operation of the order took its place, or paid the order.
    Replaced,
    /// The payer cancelled it.
    Payer,
    /// A member of staff cancelled it.
    Staff,
}

impl EndCause {
    /// The word in the store and in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Replaced => "replaced",
            Self::Payer => "payer",
            Self::Staff => "staff",
        }
    }
}

/// A request to cancel or reverse, as the store has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReversalRecord {
    /// The random id under which the request and its repetitions are known.
    pub id: String,
    /// The whole amount of the operation, in cents.
    pub amount: u64,
    /// Why the last request was sent.
    pub purpose: Purpose,
    /// The last member of staff who asked for it, if one did.
    pub staff: Option<String>,
    /// The idempotency key of the last request, if a program of the shop asked for it.
    pub key: Option<IdempotencyKey>,
    /// Why it was sent, if no member of staff asked for it; see [`Self::end_cause`].
    pub cause: Option<EndCause>,
    /// When its last request left. A request of unknown outcome may be repeated, because the
    /// service gives a payment back only once.
    pub begun_at: Timestamp,
    /// When its state last changed.
    pub changed_at: Timestamp,
    /// How far it is, and how it ended.
    pub state: ReversalState,
    /// Until when the service may carry out the last request if its answer is lost.
    pub may_run_until: Timestamp,
    /// Until when the service may carry out a request whose answer was lost.
    pub may_arrive_until: Option<Timestamp>,
    /// The HTTP status with which the service refused.
    pub service_status: Option<u16>,
    /// The reason for its state, in a sentence in English.
    pub detail: String,
    /// Who released its amount, if somebody did.
    pub release: Option<Release>,
    /// The first of the two members of staff who release a request that no person asked for.
    pub release_asked_by: Option<String>,
}

/// A request to reserve and send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReversal {
    /// A random id; a request in doubt that is repeated keeps its own.
    pub id: String,
    /// Why it is sent.
    pub purpose: Purpose,
    /// The member of staff who asks for it, if one does.
    pub staff: Option<String>,
    /// The idempotency key of the request, if a program of the shop asks for it.
    pub key: Option<IdempotencyKey>,
    /// Why it is sent, if no member of staff asks for it.
    pub cause: Option<EndCause>,
    /// What the account of staff may still give back, in cents; everything for the server and a payer.
    pub allowed: u64,
    /// When it was asked for. If a request left after this instant, that one is used, and none is
    /// sent.
    pub asked_at: Timestamp,
    /// For how long the service may carry it out if its answer is lost.
    pub may_run_for: Duration,
}

impl NewReversal {
    /// False for a payer's cancellation and for that of an unneeded code: they rest only on a state that the service has
    /// just answered.
    fn rests_on_history(&self) -> bool {
        self.staff.is_some() || self.purpose != Purpose::Cancel
    }
}

impl ReversalRecord {
    /// How far it is. It is sent as soon as it is stored.
    pub fn progress(&self) -> Progress {
        match self.state {
            ReversalState::Sending => Progress::Sent,
            ReversalState::InDoubt => Progress::Unknown,
            ReversalState::Done => Progress::Done,
            ReversalState::NotDone => Progress::NotDone,
            ReversalState::Released | ReversalState::Unknown => Progress::Released,
        }
    }

    /// The next state of its request after an event; `None` if the event changes nothing.
    pub(super) fn after(&self, event: RequestEvent<'_>) -> Option<Progress> {
        Outgoing::Cancellation.next(self.progress(), event)
    }

    /// True when it reserves the whole amount of its operation.
    pub fn is_pending(&self) -> bool {
        Outgoing::Cancellation.reserves(self.progress())
    }

    /// Why the operation ended, if this request ended it.
    pub fn end_cause(&self) -> Option<EndCause> {
        let by_staff = self.staff.is_some().then_some(EndCause::Staff);
        by_staff
            .or(self.cause)
            .filter(|_| self.state == ReversalState::Done)
    }

    /// How long the service may still take to carry out its last request, or an earlier one whose
    /// answer was lost.
    pub(super) fn arrives_within(&self, at: Reading) -> Duration {
        let until = self.may_arrive_until.unwrap_or_default();
        let wait = until.duration_since(self.begun_at);
        wait.saturating_sub(at.min_elapsed_since(self.begun_at))
    }

    /// The request as staff see it.
    pub fn shown(&self) -> Reversal {
        Reversal {
            reversal_id: self.id.clone(),
            state: self.state,
            amount: Cents::new(self.amount),
            staff: self.staff.clone(),
            at: self.begun_at,
            detail: self.detail.clone(),
            released_by: self.release.as_ref().map(|release| release.by.clone()),
        }
    }

    fn mark_unknown(&mut self, detail: impl Into<String>, now: Timestamp) {
        self.service_status = None;
        self.may_arrive_until = self.may_arrive_until.max(Some(self.may_run_until));
        self.move_to(Progress::Unknown, detail, now);
    }

    pub(super) fn move_to(&mut self, next: Progress, detail: impl Into<String>, now: Timestamp) {
        self.state = match next {
            Progress::Reserved | Progress::Sent => ReversalState::Sending,
            Progress::Unknown => ReversalState::InDoubt,
            Progress::Done => ReversalState::Done,
            Progress::NotDone => ReversalState::NotDone,
            Progress::Released => ReversalState::Released,
        };
        self.detail = detail.into();
        self.changed_at = now;
    }
}

/// The result of the reservation of the whole amount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReserveReversalOutcome {
    /// The whole amount is reserved under this id, and the request may be sent.
    Created(String),
    /// The request with this id is on its way, or was sent after this one was asked for.
    Running(String),
    /// No request is needed: the operation has ended, or is paid and must not be given back.
    NotNeeded,
    /// Money was given back, or may be.
    MoneyPending(Balance),
    /// The limit of the account leaves only this many cents, which is less than the amount.
    OverLimit(u64),
    /// The operation is older than the last restore of the database, and staff have not compared it yet.
    Fenced,
}

impl Ledger {
    /// The request with this id.
    pub fn reversal(&self, id: &str) -> Option<&ReversalRecord> {
        self.reversals.iter().find(|reversal| reversal.id == id)
    }

    /// The request that reserves the whole amount now, if there is one.
    pub fn pending_reversal(&self) -> Option<&ReversalRecord> {
        self.reversals.iter().find(|reversal| reversal.is_pending())
    }

    /// The last reversal that was carried out.
    pub fn last_reversal(&self) -> Option<&str> {
        let mut reversals = self.reversals.iter().rev();
        let done = reversals.find(|reversal| reversal.state == ReversalState::Done)?;
        Some(&done.id)
    }

    /// Reserves the whole amount for a request, if no rule forbids it.
    pub fn reserve_reversal(&mut self, new: NewReversal, at: Reading) -> ReserveReversalOutcome {
        let now = at.now;
        let shared = |reversal: &&ReversalRecord| {
            // A request with an instant in the future was sent before the clock was set back.
            reversal.state == ReversalState::Sending
                || (new.asked_at..=now).contains(&reversal.begun_at)
        };
        if let Some(theirs) = self.reversals.iter().rev().find(shared) {
            return ReserveReversalOutcome::Running(theirs.id.clone());
        }
        match self.outcome {
            Some(Outcome::Paid) if new.purpose == Purpose::Reverse => {}
            Some(_) => return ReserveReversalOutcome::NotNeeded,
            None => {}
        }
        if new.rests_on_history() && self.awaits_comparison {
            return ReserveReversalOutcome::Fenced;
        }
        let balance = self.balance();
        if !balance.is_untouched() {
            return ReserveReversalOutcome::MoneyPending(balance);
        }
        // A cancellation before the payment gives nothing back.
        if new.purpose == Purpose::Reverse && self.amount > new.allowed {
            return ReserveReversalOutcome::OverLimit(new.allowed);
        }
        let unknown = |own: &&mut ReversalRecord| own.after(RequestEvent::Begins).is_some();
        if let Some(again) = self.reversals.iter_mut().find(unknown) {
            // The earlier request, whose answer was lost, may still arrive as well.
            again.may_arrive_until = Some(now.saturating_add(again.arrives_within(at)));
            again.purpose = new.purpose;
            // A repetition by a payer or the server keeps the member of staff who asked first.
            again.staff = new.staff.or(again.staff.take());
            again.key = new.key.or(again.key.take());
            again.cause = new.cause.or(again.cause);
            again.begun_at = now;
            again.may_run_until = now.saturating_add(new.may_run_for);
            again.move_to(Progress::Sent, "", now);
            return ReserveReversalOutcome::Created(again.id.clone());
        }
        self.reversals.push(ReversalRecord {
            id: new.id.clone(),
            amount: self.amount,
            purpose: new.purpose,
            staff: new.staff,
            key: new.key,
            cause: new.cause,
            begun_at: now,
            changed_at: now,
            state: ReversalState::Sending,
            may_run_until: now.saturating_add(new.may_run_for),
            may_arrive_until: None,
            service_status: None,
            detail: String::new(),
            release: None,
            release_asked_by: None,
        });
        ReserveReversalOutcome::Created(new.id)
    }

    /// True when the request that left at this instant is the last one under its id. An answer
    /// proves nothing about a later request.
    pub fn left_last(&self, id: &str, begun_at: Timestamp) -> bool {
        self.reversal(id)
            .is_some_and(|reversal| reversal.begun_at == begun_at)
    }

    /// Ends a request whose sending failed, unless a state of the operation has ended it before.
    pub fn end_reversal(&mut self, id: &str, failed: Failed, at: Reading) {
        let Failed { failure, detail } = failed;
        let Some(reversal) = self.reversals.iter_mut().find(|own| own.id == id) else {
            return;
        };
        match reversal.after(RequestEvent::Failed(&failure)) {
            None => {}
            Some(Progress::Unknown) => reversal.mark_unknown(detail, at.now),
            Some(next) => {
                reversal.service_status = failure.status();
                // A refusal does not cover an earlier request that may still arrive.
                let is_last = reversal.arrives_within(at).is_zero();
                let next = if is_last { next } else { Progress::Unknown };
                reversal.move_to(next, detail, at.now);
            }
        }
    }

    /// Ends a request in doubt by the state in a believed answer to a query. If
    /// the service had not carried the request out by then, and the request can no longer arrive,
    /// it was never carried out.
    pub fn state_was_answered(
        &mut self,
        state: &TransactionState,
        outcome: Option<Outcome>,
        question: &QuestionContext,
        now: Timestamp,
    ) {
        // A state other than the stored one may be old, unless it is an end. A reported
        // cancellation, even an unconfirmed one, is the effect of the request, and an unknown state
        // may be.
        let stands = Some(state) == self.state.as_ref() || outcome.is_some();
        let known = outcome.is_some() || state.is_waiting();
        if !stands || !known || is_given_up(outcome) {
            return;
        }
        let over = |own: &&mut ReversalRecord| {
            let proven =
                question.knew_request(own.begun_at) && own.arrives_within(question.began).is_zero();
            proven && own.after(RequestEvent::Disproved).is_some()
        };
        if let Some(reversal) = self.reversals.iter_mut().find(over) {
            let detail = "the payment service did not carry it out";
            reversal.move_to(Progress::NotDone, detail, now);
        }
    }

    /// Notes that the request on its way was answered: the service carries it out later no more.
    pub fn request_was_answered(&mut self) {
        let sending = |own: &&mut ReversalRecord| own.state == ReversalState::Sending;
        if let Some(own) = self.reversals.iter_mut().find(sending) {
            own.may_run_until = own.begun_at;
        }
    }

    /// Puts a request in doubt again that seemed to have given the payment back, since the payment is in force
    /// again: somebody else may have given it back, and the request may still arrive.
    pub(super) fn doubt_what_may_still_arrive(&mut self, now: Timestamp) {
        let may_arrive = |own: &&mut ReversalRecord| {
            let may_be_open = own.after(RequestEvent::InForceAgain).is_some();
            may_be_open && own.may_arrive_until > Some(own.begun_at)
        };
        let done = self.reversals.iter_mut().filter(may_arrive);
        if let Some(last) = done.max_by_key(|own| own.may_arrive_until) {
            last.mark_unknown(
                "the payment is in force again, and this request may still arrive",
                now,
            );
        }
    }

    /// Puts a request in doubt that left so long ago that its sender must have stopped.
    pub fn give_up_reversal(&mut self, begun_before: Timestamp, now: Timestamp) {
        let gone = |own: &&mut ReversalRecord| {
            own.begun_at < begun_before && own.after(RequestEvent::SenderGone).is_some()
        };
        if let Some(reversal) = self.reversals.iter_mut().find(gone) {
            reversal.mark_unknown("the server stopped before the answer came", now);
        }
    }
}

#[cfg(test)]
mod tests;
