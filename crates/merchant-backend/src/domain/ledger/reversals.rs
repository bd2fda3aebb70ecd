//! Requests to cancel an operation. Each gives the payment back, if there is one by then, and so
//! reserves the whole amount.

use super::balance::Balance;
use super::reversal_record::{NewReversal, Purpose, ReversalEnd, ReversalRecord};
use super::state::Ledger;
use payment_model::{Outcome, Timestamp};
use staff_model::ReversalState;

/// The result of a reservation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reserved {
    /// The whole amount is reserved under this id, and the request may be sent.
    Ours(String),
    /// Another request with this id is on its way, or was sent in the meantime.
    Theirs(String),
    /// No request is needed: the operation has ended, or is paid and has to stay so.
    Needless,
    /// Money was given back, or may be.
    InTheWay(Balance),
}

impl Ledger {
    pub(crate) fn reversal(&self, id: &str) -> Option<&ReversalRecord> {
        self.reversals.iter().find(|reversal| reversal.id == id)
    }

    /// The request that reserves the whole amount now, if there is one.
    pub(crate) fn pending_reversal(&self) -> Option<&ReversalRecord> {
        self.reversals.iter().find(|reversal| reversal.is_pending())
    }

    /// Reserves the whole for a request, if nothing stands in its way.
    pub(crate) fn reserve_reversal(&mut self, new: NewReversal, now: Timestamp) -> Reserved {
        let shared = |reversal: &&ReversalRecord| {
            // A request that seems to leave later was sent before the clock was set back.
            reversal.state == ReversalState::Sending
                || (new.asked_at..=now).contains(&reversal.begun_at)
        };
        if let Some(theirs) = self.reversals.iter().rev().find(shared) {
            return Reserved::Theirs(theirs.id.clone());
        }
        match self.outcome {
            Some(Outcome::Paid) if new.purpose == Purpose::Reverse => {}
            Some(_) => return Reserved::Needless,
            None => {}
        }
        let balance = self.balance();
        if !balance.is_untouched() {
            return Reserved::InTheWay(balance);
        }
        let unknown = self.reversals.iter_mut().find(|own| own.is_pending());
        if let Some(again) = unknown {
            again.purpose = new.purpose;
            again.staff = new.staff;
            again.begun_at = now;
            again.lost_until = now.saturating_add(new.lost_for);
            again.enter(ReversalState::Sending, "", now);
            return Reserved::Ours(again.id.clone());
        }
        self.reversals.push(ReversalRecord {
            id: new.id.clone(),
            amount: self.amount,
            purpose: new.purpose,
            staff: new.staff,
            begun_at: now,
            changed_at: now,
            state: ReversalState::Sending,
            lost_until: now.saturating_add(new.lost_for),
            arrives_until: None,
            service_status: None,
            detail: String::new(),
            release: None,
        });
        Reserved::Ours(new.id)
    }

    /// True when the request that left then is the last one under its id. Its answer says nothing
    /// about a later one.
    pub(crate) fn left_last(&self, id: &str, begun_at: Timestamp) -> bool {
        self.reversal(id)
            .is_some_and(|reversal| reversal.begun_at == begun_at)
    }

    /// Ends a request, unless a state of the operation was quicker.
    pub(crate) fn end_reversal(&mut self, id: &str, end: ReversalEnd, now: Timestamp) {
        let open = |own: &&mut ReversalRecord| own.id == id && own.state == ReversalState::Sending;
        let Some(reversal) = self.reversals.iter_mut().find(open) else {
            return;
        };
        match end {
            ReversalEnd::NotDone(detail, status) => {
                reversal.service_status = status;
                // A refusal does not cover an earlier request that may still arrive.
                let earlier = reversal.arrives_until.is_some_and(|until| until > now);
                let state = if earlier {
                    ReversalState::InDoubt
                } else {
                    ReversalState::NotDone
                };
                reversal.enter(state, detail, now);
            }
            ReversalEnd::InDoubt(detail) => reversal.lose(detail, now),
        }
    }

    /// The service told the operation's state in an answer that is believed, to a query that
    /// began then: what it had not carried out by then, and can not any more, it never did.
    pub(crate) fn state_was_told(&mut self, began: Timestamp, now: Timestamp) {
        // A state nobody knows may be that of a reversal on its way.
        let is_known =
            self.outcome.is_some() || self.state.as_ref().is_some_and(|state| state.is_waiting());
        let over = |own: &&mut ReversalRecord| {
            own.state == ReversalState::InDoubt
                && own.arrives_until.is_none_or(|until| until <= began)
        };
        if let Some(reversal) = self.reversals.iter_mut().find(over)
            && is_known
        {
            let detail = "the payment service did not carry it out";
            reversal.enter(ReversalState::NotDone, detail, now);
        }
    }

    /// Puts a request in doubt that left so long ago that its sender must be gone.
    pub(crate) fn abandon_reversal(&mut self, begun_before: Timestamp, now: Timestamp) {
        let gone = |own: &&mut ReversalRecord| {
            own.state == ReversalState::Sending && own.begun_at < begun_before
        };
        if let Some(reversal) = self.reversals.iter_mut().find(gone) {
            reversal.lose("the server stopped before the answer came", now);
        }
    }
}

#[cfg(test)]
mod stories;
#[cfg(test)]
mod tests;
