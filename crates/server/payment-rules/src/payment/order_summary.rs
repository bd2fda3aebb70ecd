//! The state of an order: whether it is paid and what may still come, as a program of the shop learns it; and what follows
//! from a change: announced payments, the order's state, events.

use super::{Order, Payment};
use crate::event::{Event, EventDetails, EventKind, Refunded};
use crate::forget_payer::forgotten;
use crate::ledger::{Balance, Ledger, RefundRecord};
use crate::operation::{OperationRecord, Phase};
use crate::order::OrderState;
use crate::staff::AuditRecord;
use payment_model::{MerchantCode, Outcome, Timestamp};
use serde::Serialize;
use staff_model::{AuditAction, ReversalState};

/// Whether an order is paid, as far as the server knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OrderOutcome {
    /// A payment of the whole amount is in force.
    Paid,
    /// The outcome of an operation is unknown, answers about it disagree, or there was no usable one for
    /// an hour: it may be paid. Also an order that is older than the last restore, which a lost operation
    /// may have paid.
    Unconfirmed,
    /// The payer has a code or a link that can still be paid.
    Waiting,
    /// The payment was given back, and no other one is in force.
    Reversed,
    /// No payment is in force and none is under way.
    Unpaid,
}

/// The truth about an order's payment, from everything that is stored about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderSummary {
    /// Whether the order is paid.
    pub outcome: OrderOutcome,
    /// True while an operation can still be paid, its outcome is unknown, or a restore may have lost
    /// one. Besides a payment in force, such an operation may become a second payment.
    pub payment_may_come: bool,
    /// The sums of what was given back of all payments. A reversal is no part of them.
    pub given_back: Balance,
}

impl Order {
    /// See [`OrderSummary`].
    pub fn summary(&self, now: Timestamp) -> OrderSummary {
        let mut payments = self.payments.iter();
        let unconfirmed = self.is_fenced() || payments.any(|one| one.is_unconfirmed(now));
        let waiting = self.payments.iter().any(Payment::is_waiting);
        let paid = self.payments.iter().any(Payment::is_in_force);
        let reversed = || {
            let mut operations = self.operations();
            operations.any(|operation| operation.outcome() == Some(Outcome::Reversed))
        };
        let outcome = match self.facts.state {
            OrderState::Paid if paid => OrderOutcome::Paid,
            // Each announced payment may be given back at this moment.
            OrderState::Paid => OrderOutcome::Unconfirmed,
            OrderState::Open if unconfirmed => OrderOutcome::Unconfirmed,
            OrderState::Open if waiting => OrderOutcome::Waiting,
            OrderState::Open if reversed() => OrderOutcome::Reversed,
            OrderState::Open => OrderOutcome::Unpaid,
        };
        OrderSummary {
            outcome,
            payment_may_come: waiting || unconfirmed,
            given_back: self.given_back(),
        }
    }

    fn given_back(&self) -> Balance {
        let mut sum = Balance {
            paid: 0,
            given_back: 0,
            reserved: 0,
            unknown: 0,
        };
        for payment in &self.payments {
            let balance = payment.ledger.balance();
            let paid = if payment.operation.is_paid() {
                balance.paid
            } else {
                0
            };
            sum.paid = sum.paid.saturating_add(paid);
            sum.given_back = sum.given_back.saturating_add(balance.given_back);
            sum.reserved = sum.reserved.saturating_add(balance.reserved);
            sum.unknown = sum.unknown.saturating_add(balance.unknown);
        }
        sum
    }
}

impl Payment {
    /// True when it is not known whether the operation is paid.
    pub fn is_unconfirmed(&self, now: Timestamp) -> bool {
        let operation = &self.operation;
        let is_outcome_unknown = match operation.phase {
            Phase::Sending | Phase::InDoubt => true,
            // The service reported it, and then gave no usable answer about it.
            Phase::Refused | Phase::Lost => operation.unanswered.is_some(),
            Phase::Known if operation.watch_ended_at.is_some() => false,
            Phase::Known => {
                let may_wait = self.is_waiting() && !operation.is_long_unanswered(now);
                operation.outcome().is_none() && !may_wait
            }
        };
        is_outcome_unknown
            || operation.is_held()
            || self.may_be_given_back()
            || operation.answer_mismatch.is_some()
            || operation.may_be_paid_again()
    }

    /// True for an announced payment that stands.
    fn is_in_force(&self) -> bool {
        let operation = &self.operation;
        let is_announced = operation.is_paid() && operation.announced_at.is_some();
        is_announced && !self.may_be_given_back()
    }

    /// True while a request that gives a payment back is on its way or in doubt, or answers disagree
    /// about the payment. An announcement outlasts this, and so does the state of the order.
    fn may_be_given_back(&self) -> bool {
        self.ledger.pending_reversal().is_some() || self.operation.is_disputed()
    }

    fn is_waiting(&self) -> bool {
        let state = self.operation.state();
        let waits = state.is_some_and(|state| state.is_waiting());
        waits && self.operation.watch_ended_at.is_none()
    }
}

/// Who gives a payment back that was paid while a cancellation of the payer, the shop or the server was on its
/// way. No account of staff has a colon in its name.
const OWN_CANCELLATION: &str = "server:cancellation";

/// Announces a payment to the shop and the payer, unless a request that gives it back is on its way
/// or in doubt, or the service's answers disagree about it. An announcement lasts until the payment
/// is reversed.
pub fn announce(record: &mut OperationRecord, ledger: &Ledger, now: Timestamp) {
    let pending = ledger.pending_reversal().is_some();
    record.announce(pending || record.is_disputed(), now);
}

impl Order {
    /// Derives everything that follows from the payments that a change touched. The store calls it
    /// after each change; `before` is the order before the change.
    ///
    /// # Errors
    /// A stored answer cannot be written without the payer's data.
    pub fn conclude(&mut self, before: &Self, now: Timestamp) -> Result<(), serde_json::Error> {
        let forgotten_payer = self.payer_is_forgotten;
        // The shop may have sold the goods to somebody else.
        let is_late = self.closed_at.is_some() || self.facts.unpaid_at.is_some();
        for payment in &mut self.payments {
            if before.payment(&payment.operation.key) == Some(payment) {
                continue;
            }
            let Payment {
                operation, ledger, ..
            } = payment;
            ledger.follow(operation, now);
            let was_announced = operation.announced_at.is_some();
            announce(operation, ledger, now);
            operation.note_excess(ledger.excess(), now);
            let earlier = before.payment(&operation.key);
            let is_own = ledger
                .reversals
                .iter()
                .any(|own| own.state == ReversalState::Done);
            let is_new = |one: &Payment| operation.was_given_back_unannounced(&one.operation);
            if is_own && earlier.is_some_and(is_new) {
                self.effects.audit.push(AuditRecord {
                    staff: OWN_CANCELLATION.to_owned(),
                    action: AuditAction::Reverse,
                    key: Some(operation.key.clone()),
                    detail: "a cancellation gave back what was paid while it was on its way"
                        .to_owned(),
                });
            }
            if is_late && !was_announced && operation.announced_at.is_some() {
                operation.paid_late_at.get_or_insert(now);
            }
            if forgotten_payer {
                operation.operation = operation.operation.as_ref().map(forgotten).transpose()?;
                operation.answer = operation.answer.as_ref().map(forgotten).transpose()?;
                for record in &mut ledger.refunds {
                    record.refund = forgotten(&record.refund)?;
                }
            }
        }
        let paid_count = self.announced_count();
        self.facts.state = if paid_count > 0 {
            OrderState::Paid
        } else {
            OrderState::Open
        };
        // The flag stays after one of the two payments was given back.
        self.facts.paid_twice |= paid_count > 1;
        Ok(())
    }

    /// Ends the order for good if its time to pay has passed and no attempt can be paid. The shop releases
    /// the goods then, so that the caller must believe its clock.
    pub fn end_unpaid(&mut self, now: Timestamp) {
        if self.has_ended_unpaid(now) {
            self.facts.unpaid_at.get_or_insert(now);
        }
    }

    /// True when no new attempt may begin and no earlier one can still be paid, as far as believed answers tell.
    fn has_ended_unpaid(&self, now: Timestamp) -> bool {
        let has_ended = self.closed_at.is_some() || self.facts.has_ended(now);
        let is_open = self.facts.state == OrderState::Open;
        is_open && has_ended && !self.summary(now).payment_may_come
    }

    /// True unless every attempt is known never to have had a code that could be paid.
    fn may_be_paid_late(&self) -> bool {
        self.operations().any(|operation| match operation.phase {
            // The service may have sent its code although it answered a refusal.
            Phase::Refused => !operation.is_shown_by_us() && !operation.unsent,
            Phase::Known => operation.outcome() != Some(Outcome::Invalid),
            Phase::Sending | Phase::InDoubt | Phase::Lost => true,
        })
    }

    /// How many payments are in force and announced.
    fn announced_count(&self) -> usize {
        let announced =
            |operation: &&OperationRecord| operation.is_paid() && operation.announced_at.is_some();
        self.operations().filter(announced).count()
    }
}

/// The events of a change, from the order before it and after it.
pub fn events_between(before: &Order, after: &Order) -> Vec<Event> {
    let paid_count = after.announced_count();
    let mut events = Vec::new();
    for payment in &after.payments {
        let operation = &payment.operation;
        let earlier = before.payment(&operation.key);
        let event = |kind, transaction_id, details| Event {
            kind,
            order_id: operation.order_id.clone(),
            order_state: after.facts.state,
            merchant_code: operation.key.merchant_code.clone(),
            number: Some(operation.key.number.clone()),
            transaction_id,
            amount: operation.amount,
            currency: operation.currency.clone(),
            details,
        };
        let kind = earlier
            .and_then(|earlier| EventKind::of_payment(&earlier.operation, operation, paid_count));
        if let Some(kind) = kind {
            let transaction_id = operation.transaction_id().map(|id| id.as_str().to_owned());
            events.push(event(kind, transaction_id, details(kind, payment)));
        }
        for record in &payment.ledger.refunds {
            let known = earlier.and_then(|earlier| {
                let mut refunds = earlier.ledger.refunds.iter();
                refunds.find(|known| known.refund.refund_id == record.refund.refund_id)
            });
            let state = &record.refund.state;
            let ended = known.is_none_or(|known| known.refund.state != *state);
            let denied = record.is_denied() && !known.is_some_and(RefundRecord::is_denied);
            let kind = EventKind::of_refund(state).filter(|_| ended);
            if let Some(kind) = kind.or(denied.then_some(EventKind::RefundRejected)) {
                let id = record.refund.transaction_id.as_str();
                let transaction_id = (!id.is_empty()).then(|| id.to_owned());
                let refunded = Refunded {
                    refund_id: record.refund.refund_id.as_str().to_owned(),
                    cents: record.cents,
                    request_id: payment.ledger.request_of(record),
                };
                events.push(event(kind, transaction_id, EventDetails::Refund(refunded)));
            }
        }
    }
    if before.facts.unpaid_at.is_none() && after.facts.unpaid_at.is_some() {
        events.push(unpaid(after));
    }
    events
}

fn details(kind: EventKind, payment: &Payment) -> EventDetails {
    let operation = &payment.operation;
    match (kind, operation.outcome()) {
        (EventKind::OrderWaiting, _) => EventDetails::Waiting {
            method: operation.method.clone(),
            expires_at: operation.expires_at(),
        },
        (EventKind::OrderDeclined | EventKind::OrderCanceled, Some(outcome)) => {
            EventDetails::Ended(outcome)
        }
        (EventKind::OrderReversed, _) => {
            EventDetails::Reversed(payment.ledger.last_reversal().map(str::to_owned))
        }
        _ => EventDetails::None,
    }
}

fn unpaid(order: &Order) -> Event {
    let facts = &order.facts;
    Event {
        kind: EventKind::OrderUnpaid,
        order_id: facts.order_id.clone(),
        order_state: facts.state,
        merchant_code: MerchantCode::new(&*facts.merchant_code),
        number: None,
        transaction_id: None,
        amount: facts.amount,
        currency: facts.currency.clone(),
        details: EventDetails::Unpaid {
            may_be_paid_late: order.may_be_paid_late(),
        },
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod order_state_and_events_tests;
