//! Compares the service's list of refunds with the attempts of this server.

use super::Ledger;
use crate::operation::OperationKey;
use crate::service_answers::AmountUnits;
use payment_model::{Currency, Refund, RefundQueryResponse, RefundState, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A refund as the service last answered it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RefundRecord {
    /// The refund as the service answered it.
    pub refund: Refund,
    /// In cents; `None` when the amount cannot be read, which counts as the whole payment.
    pub cents: Option<u64>,
    /// True when it reduces what can be refunded of this operation.
    pub counts: bool,
    /// The attempt of this server that it is, if it is one.
    pub attempt_id: Option<String>,
    /// When its state at the service last changed.
    pub changed_at: Timestamp,
    /// The service's word that it was rejected, after it had said that the money was given back; until a list says
    /// again that it was. The money stays counted as given back.
    pub denied: Option<DeniedRefund>,
}

/// Lists that say *rejected* of a refund that an earlier one called resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeniedRefund {
    /// When the first of them came.
    pub since: Timestamp,
    /// When a second list said so too. The shop then gets the event `refund.rejected`.
    pub confirmed_at: Option<Timestamp>,
}

impl RefundRecord {
    /// What a list that says this state adds to the doubt about a refund that was resolved.
    fn denied_by(&self, state: &RefundState, now: Timestamp) -> Option<DeniedRefund> {
        let contradicts =
            self.refund.state == RefundState::Resolved && *state == RefundState::Rejected;
        match self.denied {
            // A single contradicting list is not confirmed; a confirmed contradiction stays.
            before if !contradicts => before.filter(|denied| denied.confirmed_at.is_some()),
            None => Some(DeniedRefund {
                since: now,
                confirmed_at: None,
            }),
            Some(first) => Some(DeniedRefund {
                confirmed_at: first.confirmed_at.or((now > first.since).then_some(now)),
                ..first
            }),
        }
    }

    /// True while only one list has said so.
    pub(super) fn is_to_be_confirmed(&self) -> bool {
        self.denied
            .is_some_and(|denied| denied.confirmed_at.is_none())
    }

    /// True when the service says for sure that it was rejected, although it was resolved.
    pub fn is_denied(&self) -> bool {
        self.denied
            .is_some_and(|denied| denied.confirmed_at.is_some())
    }
}

/// The member of `additional_fields` that identifies an attempt in the list.
pub const ATTEMPT_ID_FIELD: &str = "attempt_id";

/// True when the list has all refunds of the operation. Only such a list proves that a refund is
/// missing.
pub fn is_complete(key: &OperationKey, list: &RefundQueryResponse) -> bool {
    let refunds = &list.operations;
    let named = |refund: &Refund| {
        refund.merchant_operation_number == key.number && !refund.refund_id.as_str().is_empty()
    };
    // Two different refunds with the same id would count as one.
    let single = |refund: &Refund| {
        let same = |other: &&Refund| other.refund_id == refund.refund_id;
        refunds.iter().filter(same).all(|other| other == refund)
    };
    list.merchant_code == key.merchant_code
        && list.is_complete()
        && refunds.iter().all(|refund| named(refund) && single(refund))
}

impl Ledger {
    /// Merges the refunds of the service's list. A refund that is missing in the list stays as it is.
    pub fn merge_refunds(&mut self, listed: &[Refund], units: AmountUnits, now: Timestamp) {
        let number = self.key.number.clone();
        let ours = listed.iter().filter(|refund| {
            refund.merchant_operation_number == number && !refund.refund_id.as_str().is_empty()
        });
        for refund in ours {
            self.merge_refund(refund, units, now);
        }
    }

    fn merge_refund(&mut self, refund: &Refund, units: AmountUnits, now: Timestamp) {
        let attempt_id = self.match_attempt(refund);
        let own = attempt_id.as_deref().and_then(|id| self.attempt_mut(id));
        let asked = own.map(|attempt| {
            attempt.found(refund.refund_id.clone(), now);
            attempt.amount
        });
        let same_currency = refund
            .currency
            .same_as(&Currency::new(self.currency.clone()));
        let told = units
            .cents(&refund.refund_amount, &refund.currency)
            .filter(|_| same_currency);
        // At least the requested amount counts, even when the service names less.
        let cents = told.map(|told| told.max(asked.unwrap_or_default()));
        let id = &refund.transaction_id;
        let of_this =
            id.as_str().is_empty() || self.transaction_id.as_ref().is_none_or(|own| own == id);
        let next = RefundRecord {
            refund: refund.clone(),
            cents,
            counts: of_this || asked.is_some(),
            attempt_id,
            changed_at: now,
            denied: None,
        };
        let stored = self
            .refunds
            .iter_mut()
            .find(|record| record.refund.refund_id == refund.refund_id);
        match stored {
            None => self.refunds.push(next),
            Some(stored) if may_follow(&stored.refund.state, &refund.state) => {
                let same = stored.refund.state == refund.state;
                let changed_at = if same { stored.changed_at } else { now };
                *stored = RefundRecord { changed_at, ..next };
            }
            Some(stored) => stored.denied = stored.denied_by(&refund.state, now),
        }
    }

    /// The attempt of a refund, found by the service's id, or by the echoed id of the attempt
    /// before the service's id is known. Each attempt is one refund. Another refund with the same
    /// echoed id was made elsewhere, and counts separately.
    fn match_attempt(&self, refund: &Refund) -> Option<String> {
        let by_refund = self
            .attempts
            .iter()
            .find(|attempt| attempt.refund_id.as_ref() == Some(&refund.refund_id));
        let echoed = refund
            .additional_fields
            .as_ref()
            .and_then(|fields| fields.get(ATTEMPT_ID_FIELD))
            .and_then(Value::as_str);
        let by_echo = || {
            self.attempts
                .iter()
                .find(|attempt| attempt.refund_id.is_none() && Some(attempt.id.as_str()) == echoed)
        };
        by_refund.or_else(by_echo).map(|attempt| attempt.id.clone())
    }
}

/// True when a refund may go from one state to another, which is only forward. The only correction
/// of an end is from rejected to resolved, so that money is not given back twice.
fn may_follow(stored: &RefundState, next: &RefundState) -> bool {
    let rank = |state: &RefundState| match state {
        RefundState::Registered => 0,
        RefundState::InProcess | RefundState::Unknown(_) => 1,
        RefundState::Rejected => 2,
        RefundState::Resolved => 3,
    };
    rank(stored) <= rank(next)
}

#[cfg(test)]
mod tests;
