//! Requests to cancel an operation. Each gives the payment back, if there is one by then, and so
//! reserves the whole amount.

use super::balance::Balance;
use super::reversal_record::{NewReversal, Purpose, ReversalEnd, ReversalRecord};
use super::state::{Ledger, is_given_up};
use crate::operation::Asked;
use crate::planted::{Mistake, planted};
use crate::reading::Reading;
use payment_model::{Outcome, Timestamp, TransactionState};
use staff_model::ReversalState;

/// The result of the reservation of the whole amount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReserveReversalOutcome {
    /// The whole amount is reserved under this id, and the request may be sent.
    Created(String),
    /// Another request with this id is on its way, or was sent since this one was asked for.
    Running(String),
    /// No request is needed: the operation has ended, or is paid and has to stay so.
    NotNeeded,
    /// Money was given back, or may be.
    MoneyPending(Balance),
    /// The limit of the account leaves less than the amount: these cents.
    OverLimit(u64),
}

impl Ledger {
    pub fn reversal(&self, id: &str) -> Option<&ReversalRecord> {
        self.reversals.iter().find(|reversal| reversal.id == id)
    }

    /// The request that reserves the whole amount now, if there is one.
    pub fn pending_reversal(&self) -> Option<&ReversalRecord> {
        self.reversals.iter().find(|reversal| reversal.is_pending())
    }

    /// Reserves the whole for a request, if nothing stands in its way.
    pub fn reserve_reversal(&mut self, new: NewReversal, at: Reading) -> ReserveReversalOutcome {
        let now = at.now;
        let shared = |reversal: &&ReversalRecord| {
            // A request that seems to leave later was sent before the clock was set back.
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
        let balance = self.balance();
        if !balance.is_untouched() {
            return ReserveReversalOutcome::MoneyPending(balance);
        }
        // What is canceled before it is paid gives nothing back.
        if new.purpose == Purpose::Reverse && self.amount > new.allowed {
            return ReserveReversalOutcome::OverLimit(new.allowed);
        }
        let unknown = self.reversals.iter_mut().find(|own| own.is_pending());
        if let Some(again) = unknown {
            // The earlier request, whose answer was lost, may arrive beside this one.
            again.arrives_until = Some(now.saturating_add(again.arrives_within(at)));
            again.purpose = new.purpose;
            // A payer's repetition, or the server's own, leaves the request with who asked for it.
            again.staff = new.staff.or(again.staff.take());
            again.cause = new.cause.or(again.cause);
            again.begun_at = now;
            again.lost_until = now.saturating_add(new.lost_for);
            again.enter(ReversalState::Sending, "", now);
            return ReserveReversalOutcome::Created(again.id.clone());
        }
        self.reversals.push(ReversalRecord {
            id: new.id.clone(),
            amount: self.amount,
            purpose: new.purpose,
            staff: new.staff,
            cause: new.cause,
            begun_at: now,
            changed_at: now,
            state: ReversalState::Sending,
            lost_until: now.saturating_add(new.lost_for),
            arrives_until: None,
            service_status: None,
            detail: String::new(),
            release: None,
        });
        ReserveReversalOutcome::Created(new.id)
    }

    /// True when the request that left then is the last one under its id. Its answer says nothing
    /// about a later one.
    pub fn left_last(&self, id: &str, begun_at: Timestamp) -> bool {
        self.reversal(id)
            .is_some_and(|reversal| reversal.begun_at == begun_at)
    }

    /// Ends a request, unless a state of the operation was quicker.
    pub fn end_reversal(&mut self, id: &str, end: ReversalEnd, at: Reading) {
        let open = |own: &&mut ReversalRecord| own.id == id && own.state == ReversalState::Sending;
        let Some(reversal) = self.reversals.iter_mut().find(open) else {
            return;
        };
        match end {
            ReversalEnd::NotDone(detail, status) => {
                reversal.service_status = status;
                // A refusal does not cover an earlier request that may still arrive.
                let earlier = !reversal.arrives_within(at).is_zero();
                let state = if earlier && !planted(Mistake::RefusalCoversEarlierRequest) {
                    ReversalState::InDoubt
                } else {
                    ReversalState::NotDone
                };
                reversal.enter(state, detail, at.now);
            }
            ReversalEnd::InDoubt(detail) => reversal.lose(detail, at.now),
        }
    }

    /// A believed answer to a query or a cancellation has this state: what the
    /// service had not carried out by then, and can not any more, it never did.
    pub fn state_was_answered(
        &mut self,
        state: &TransactionState,
        outcome: Option<Outcome>,
        asked: &Asked,
        now: Timestamp,
    ) {
        // A state that the stored one cannot become may be an old one, unless it is an end. An
        // answer that reports a cancellation, even one that has to be confirmed, is that of the
        // request, and a state that this version does not know may be.
        let stands = Some(state) == self.state.as_ref() || outcome.is_some();
        let known = outcome.is_some() || state.is_waiting();
        let carried_out = is_given_up(outcome) && !planted(Mistake::ReversalEndsItsOwnDoubt);
        if !stands || !known || carried_out {
            return;
        }
        let over = |own: &&mut ReversalRecord| {
            own.state == ReversalState::InDoubt
                && asked.knew_request(own.begun_at)
                && own.arrives_within(asked.began).is_zero()
        };
        if let Some(reversal) = self.reversals.iter_mut().find(over) {
            let detail = "the payment service did not carry it out";
            reversal.enter(ReversalState::NotDone, detail, now);
        }
    }

    /// Puts a request in doubt that left so long ago that its sender must be gone.
    pub fn abandon_reversal(&mut self, begun_before: Timestamp, now: Timestamp) {
        let gone = |own: &&mut ReversalRecord| {
            own.state == ReversalState::Sending && own.begun_at < begun_before
        };
        if let Some(reversal) = self.reversals.iter_mut().find(gone) {
            reversal.lose("the server stopped before the answer came", now);
        }
    }
}

#[cfg(test)]
mod tests;
