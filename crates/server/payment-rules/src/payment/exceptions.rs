//! What staff have to look at: the exceptions of a payment, found in its own facts.
//!
//! Exceptions that other facts decide have sources of their own: an event that its receiver refuses, a database that was
//! restored, and a payment that is not settled within the time of a setting.

use super::{Order, Payment};
use crate::ledger::{
    AttemptRecord, Purpose, REFUND_LISTED_AFTER, RETURN_LISTED_AFTER, RefundRecord, ReturnRecord,
    ReversalRecord,
};
use crate::operation::{
    BLOCK_LISTED_AFTER, HELD_PAYMENT_LISTED_AFTER, Phase, UNANSWERED_LISTED_AFTER,
};
use payment_model::{RefundState, Timestamp};
use staff_model::{AttemptState, ExceptionKind, ReturnState, ReversalState};
use std::time::Duration;

/// Counts the changes of these rules: what an earlier version has stored is found anew.
pub const EXCEPTIONS_VERSION: u32 = 2;

/// The kinds in the order in which staff see them: what may cost money soonest comes first.
pub const BY_URGENCY: [ExceptionKind; 19] = [
    ExceptionKind::PaidTwice,
    ExceptionKind::GivenBackBeyond,
    ExceptionKind::Mismatch,
    ExceptionKind::WrongCode,
    ExceptionKind::PaymentHeld,
    ExceptionKind::Contradicted,
    ExceptionKind::ReversalUnknown,
    ExceptionKind::RefundUnknown,
    ExceptionKind::InDoubt,
    ExceptionKind::PaidLate,
    ExceptionKind::ReturnOpen,
    ExceptionKind::ReturnUnreserved,
    ExceptionKind::Unanswered,
    ExceptionKind::Blocked,
    ExceptionKind::NumberTaken,
    ExceptionKind::EventRefused,
    ExceptionKind::RefundStuck,
    ExceptionKind::Restored,
    ExceptionKind::NotSettled,
];

/// A reason for staff to look at a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundException {
    /// The reason.
    pub kind: ExceptionKind,
    /// Since when it is there. A later one of its kind is another exception.
    pub since: Timestamp,
    /// From when on staff see it, if it may still end by itself before.
    pub listed_from: Option<Timestamp>,
    /// The facts in a sentence; empty where the kind says all.
    pub detail: String,
}

impl FoundException {
    fn new(kind: ExceptionKind, since: Timestamp, detail: impl Into<String>) -> Self {
        Self {
            kind,
            since,
            listed_from: None,
            detail: detail.into(),
        }
    }

    /// Staff see it only once it is this old.
    fn once_older_than(self, age: Duration) -> Self {
        Self {
            listed_from: Some(self.since.saturating_add(age)),
            ..self
        }
    }
}

impl Order {
    /// The exceptions of one of its payments, the most urgent kinds first.
    pub fn exceptions_of(&self, payment: &Payment) -> Vec<FoundException> {
        let kept = self.payments.iter().filter(|payment| payment.is_kept());
        let twice = self.facts.paid_twice && payment.is_kept() && kept.count() > 1;
        let changed_at = payment.operation.changed_at;
        let twice = twice.then(|| FoundException::new(ExceptionKind::PaidTwice, changed_at, ""));
        twice.into_iter().chain(payment.exceptions()).collect()
    }
}

impl Payment {
    /// True while it is paid and not given back whole. A return that somebody only reserved has given nothing back.
    fn is_kept(&self) -> bool {
        let open = |one: &&ReturnRecord| one.state == ReturnState::Open;
        let promised = self.ledger.returns.iter().filter(open);
        let promised: u64 = promised.map(|one| one.amount).sum();
        let gone = self.ledger.balance().gone().saturating_sub(promised);
        self.operation.is_paid() && gone < self.operation.amount
    }

    /// Its own exceptions, the most urgent kinds first.
    pub fn exceptions(&self) -> Vec<FoundException> {
        use ExceptionKind as Kind;
        use FoundException as Found;
        let (operation, ledger) = (&self.operation, &self.ledger);
        let mut found = Vec::new();
        if let Some(excess) = &operation.excess {
            found.push(Found::new(
                Kind::GivenBackBeyond,
                excess.at,
                &*excess.detail,
            ));
        }
        if let Some(mismatch) = &operation.answer_mismatch {
            found.push(Found::new(Kind::Mismatch, mismatch.at, &*mismatch.detail));
        }
        if let Some(detail) = operation.wrong_code() {
            found.push(Found::new(Kind::WrongCode, operation.created_at, detail));
        }
        if operation.is_held() {
            let held = Found::new(Kind::PaymentHeld, operation.changed_at, "");
            found.push(held.once_older_than(HELD_PAYMENT_LISTED_AFTER));
        }
        if let Some(one) = &operation.contradiction {
            found.push(Found::new(Kind::Contradicted, one.at, &*one.detail));
        }
        for one in ledger.reversals.iter().filter(|one| self.is_doubtful(one)) {
            found.push(Found::new(
                Kind::ReversalUnknown,
                one.begun_at,
                &*one.detail,
            ));
        }
        found.extend(ledger.attempts.iter().filter_map(unknown_refund));
        if operation.phase == Phase::InDoubt {
            let why = operation.failure_note.as_deref().unwrap_or_default();
            found.push(Found::new(Kind::InDoubt, operation.created_at, why));
        }
        if let Some(at) = operation.paid_late_at.filter(|_| operation.is_paid()) {
            found.push(Found::new(Kind::PaidLate, at, ""));
        }
        for one in &ledger.returns {
            found.extend(open_return(one));
            found.extend(unreserved_return(one, operation.amount));
        }
        if let Some(one) = &operation.unanswered {
            let unanswered = Found::new(Kind::Unanswered, one.since, &*one.reason);
            found.push(unanswered.once_older_than(UNANSWERED_LISTED_AFTER));
        }
        if let Some(since) = operation.blocked_since.filter(|_| operation.live) {
            let blocked = Found::new(Kind::Blocked, since, "");
            found.push(blocked.once_older_than(BLOCK_LISTED_AFTER));
        }
        if let Some(at) = operation.number_taken_at {
            let why = operation.failure_note.as_deref().unwrap_or_default();
            found.push(Found::new(Kind::NumberTaken, at, why));
        }
        found.extend(ledger.refunds.iter().filter_map(stuck_refund));
        found
    }

    /// True for a request of unknown outcome. One that settles the doubt about the operation is no doubt of its own.
    fn is_doubtful(&self, reversal: &ReversalRecord) -> bool {
        let settles =
            reversal.purpose == Purpose::SettleDoubt && self.operation.phase == Phase::InDoubt;
        reversal.state == ReversalState::InDoubt && !settles
    }
}

/// A refund of which it is not known whether the service has it, or that came although staff had released it.
fn unknown_refund(attempt: &AttemptRecord) -> Option<FoundException> {
    let since = match attempt.state {
        AttemptState::InDoubt => attempt.requested_at,
        AttemptState::Registered if attempt.release.is_some() => attempt.changed_at,
        _ => return None,
    };
    let kind = ExceptionKind::RefundUnknown;
    Some(FoundException::new(kind, since, &*attempt.detail))
}

fn open_return(returned: &ReturnRecord) -> Option<FoundException> {
    if returned.state != ReturnState::Open {
        return None;
    }
    let detail = format!(
        "{} cents are reserved to be given back by hand, or wait for a second person",
        returned.amount
    );
    let open = FoundException::new(ExceptionKind::ReturnOpen, returned.at, detail);
    // A second person has to confirm what was given back already.
    Some(if returned.already_made {
        open
    } else {
        open.once_older_than(RETURN_LISTED_AFTER)
    })
}

fn unreserved_return(returned: &ReturnRecord, paid: u64) -> Option<FoundException> {
    let is_listed = returned.already_made && returned.state != ReturnState::GivenUp;
    let detail = format!(
        "of {paid} cents, {} cents were given back by hand before anybody reserved them",
        returned.amount
    );
    let kind = ExceptionKind::ReturnUnreserved;
    is_listed.then(|| FoundException::new(kind, returned.at, detail))
}

/// A refund that the service rejected, has not finished, or calls rejected although it was resolved.
fn stuck_refund(record: &RefundRecord) -> Option<FoundException> {
    let (id, state) = (record.refund.refund_id.as_str(), &record.refund.state);
    let stuck = |since, detail: String| {
        Some(FoundException::new(
            ExceptionKind::RefundStuck,
            since,
            detail,
        ))
    };
    if let Some(denied) = record.denied {
        let detail = format!("refund {id} was RESOLVED, and the service says REJECTED now");
        return stuck(denied.since, detail);
    }
    if !record.counts || *state == RefundState::Resolved {
        return None;
    }
    let found = stuck(record.changed_at, format!("refund {id} is {state}"));
    if *state == RefundState::Rejected {
        return found;
    }
    found.map(|found| found.once_older_than(REFUND_LISTED_AFTER))
}

#[cfg(test)]
mod tests;
