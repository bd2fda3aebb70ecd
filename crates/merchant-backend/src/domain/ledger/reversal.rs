//! Requests to cancel an operation: each gives its payment back, if there is one by then, so
//! that each reserves the whole.

use super::balance::Balance;
use super::refund_attempt::Release;
use super::state::Ledger;
use crate::clock::Millis;
use payment_model::Outcome;
use staff_model::{Reversal, ReversalState};

/// Why a cancellation is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// So that nobody can pay any more; a payment that is known is left alone.
    Cancel,
    /// So that the payment is given back.
    Reverse,
    /// So that the service tells what it has.
    SettleDoubt,
}

impl Purpose {
    const ALL: [Self; 3] = [Self::Cancel, Self::Reverse, Self::SettleDoubt];

    /// The word in the store.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Cancel => "cancel",
            Self::Reverse => "reverse",
            Self::SettleDoubt => "settle_doubt",
        }
    }

    /// Reads the word of the store.
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|purpose| purpose.as_str() == word)
    }
}

/// One of these requests, as the store keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReversalRecord {
    pub(crate) id: String,
    /// In cents: all of the operation.
    pub(crate) amount: u64,
    pub(crate) purpose: Purpose,
    /// The member of staff who asked for it, if one did.
    pub(crate) staff: Option<String>,
    /// When its last request left. A request of unknown outcome may be repeated: the service
    /// gives a payment back once, however often it is asked.
    pub(crate) begun_at: Millis,
    pub(crate) changed_at: Millis,
    pub(crate) state: ReversalState,
    /// Until when the last request may be carried out, should its answer be lost.
    pub(crate) lost_until: Millis,
    /// Until when a request whose answer was lost may still be carried out.
    pub(crate) arrives_until: Option<Millis>,
    /// With which status the service refused.
    pub(crate) service_status: Option<u16>,
    /// Why it stands as it does, in a sentence in English.
    pub(crate) detail: String,
    pub(crate) release: Option<Release>,
}

/// A request that is to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NewReversal {
    pub(crate) id: String,
    pub(crate) purpose: Purpose,
    pub(crate) staff: Option<String>,
    /// When it was asked for. One that left since then is as good.
    pub(crate) asked_at: Millis,
    /// For how long the service may take to carry it out, should its answer be lost.
    pub(crate) lost_for: Millis,
}

/// The answer to the wish to send one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reserved {
    /// The whole is reserved, under this id: it may be sent.
    Ours(String),
    /// Another one with this id is on its way, or was in the meantime.
    Theirs(String),
    /// There is nothing to send for: the operation has ended, or is paid and is to stay so.
    Needless,
    /// Something was given back, or may be.
    InTheWay(Balance),
}

/// How a request ended, other than by a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ReversalEnd {
    /// The service has not carried it out: its status, if it answered.
    NotDone(String, Option<u16>),
    /// Nobody knows.
    InDoubt(String),
}

impl ReversalRecord {
    /// It reserves the whole of its operation.
    pub(crate) fn is_pending(&self) -> bool {
        matches!(self.state, ReversalState::Sending | ReversalState::InDoubt)
    }

    /// The request as staff see it.
    pub(crate) fn shown(&self) -> Reversal {
        Reversal {
            reversal_id: self.id.clone(),
            state: self.state,
            amount: self.amount,
            staff: self.staff.clone(),
            at: self.begun_at,
            detail: self.detail.clone(),
            released_by: self.release.as_ref().map(|release| release.by.clone()),
        }
    }

    fn lose(&mut self, detail: impl Into<String>, now: Millis) {
        self.service_status = None;
        self.arrives_until = self.arrives_until.max(Some(self.lost_until));
        self.enter(ReversalState::InDoubt, detail, now);
    }

    pub(super) fn enter(&mut self, state: ReversalState, detail: impl Into<String>, now: Millis) {
        self.state = state;
        self.detail = detail.into();
        self.changed_at = now;
    }
}

impl Ledger {
    pub(crate) fn reversal(&self, id: &str) -> Option<&ReversalRecord> {
        self.reversals.iter().find(|reversal| reversal.id == id)
    }

    /// The one that reserves the whole now, if there is one.
    pub(crate) fn pending_reversal(&self) -> Option<&ReversalRecord> {
        self.reversals.iter().find(|reversal| reversal.is_pending())
    }

    /// Reserves the whole for a request, if nothing stands in its way.
    pub(crate) fn reserve_reversal(&mut self, new: NewReversal, now: Millis) -> Reserved {
        let shared = |reversal: &&ReversalRecord| {
            // One that seems to leave later was sent before the clock was set back.
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

    /// Ends a request, unless a state of the operation was quicker.
    pub(crate) fn end_reversal(&mut self, id: &str, end: ReversalEnd, now: Millis) {
        let open = |own: &&mut ReversalRecord| own.id == id && own.state == ReversalState::Sending;
        let Some(reversal) = self.reversals.iter_mut().find(open) else {
            return;
        };
        match end {
            ReversalEnd::NotDone(detail, status) => {
                reversal.service_status = status;
                // A refusal says nothing about an earlier request that may still arrive.
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
    pub(crate) fn state_was_told(&mut self, began: Millis, now: Millis) {
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
    pub(crate) fn abandon_reversal(&mut self, begun_before: Millis, now: Millis) {
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
