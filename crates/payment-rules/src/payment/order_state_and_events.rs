//! What follows from any change of an order: announced payments, its state, its events.

use super::{Order, Payment};
use crate::event::{Event, EventKind, Refunded};
use crate::forget_payer::forgotten;
use crate::ledger::Ledger;
use crate::operation::OperationRecord;
use crate::order::OrderState;
use payment_model::Timestamp;

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
        let is_closed = self.closed_at.is_some();
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
            // The shop may have sold the goods to somebody else.
            if is_closed && !was_announced && operation.announced_at.is_some() {
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
        let event = |kind, transaction_id, refund| Event {
            kind,
            order_id: operation.order_id.clone(),
            order_state: after.facts.state,
            key: operation.key.clone(),
            transaction_id,
            amount: operation.amount,
            currency: operation.currency.clone(),
            refund,
        };
        let kind = earlier
            .and_then(|earlier| EventKind::of_payment(&earlier.operation, operation, paid_count));
        if let Some(kind) = kind {
            let transaction_id = operation.transaction_id().map(|id| id.as_str().to_owned());
            events.push(event(kind, transaction_id, None));
        }
        for record in &payment.ledger.refunds {
            let known = earlier.and_then(|earlier| {
                let mut refunds = earlier.ledger.refunds.iter();
                refunds.find(|known| known.refund.refund_id == record.refund.refund_id)
            });
            let state = &record.refund.state;
            let ended = known.is_none_or(|known| known.refund.state != *state);
            if let Some(kind) = EventKind::of_refund(state).filter(|_| ended) {
                let id = record.refund.transaction_id.as_str();
                let transaction_id = (!id.is_empty()).then(|| id.to_owned());
                let refunded = Refunded {
                    refund_id: record.refund.refund_id.as_str().to_owned(),
                    cents: record.cents,
                };
                events.push(event(kind, transaction_id, Some(refunded)));
            }
        }
    }
    events
}

#[cfg(test)]
mod tests {
    use super::events_between;
    use crate::event::{Event, EventKind, Refunded};
    use crate::forget_payer::forgotten;
    use crate::ledger::Purpose;
    use crate::ledger::fixture::{refund, reversal};
    use crate::operation::OperationRecord;
    use crate::operation::fixture::{pending, reading, with_state};
    use crate::order::OrderState;
    use crate::payment::Order;
    use crate::payment::fixture::{key, order};
    use crate::timing::instant;

    /// Changes an order and concludes the change; returns its events.
    fn change(order: &mut Order, change: impl FnOnce(&mut Order)) -> Vec<Event> {
        let before = order.clone();
        change(order);
        order.conclude(&before, instant(9)).unwrap();
        events_between(&before, order)
    }

    fn settle(order: &mut Order, number: usize) {
        let payment = order.payment_mut(&key(number)).unwrap();
        payment.operation = OperationRecord {
            key: key(number),
            ..with_state("LIQUIDADO", instant(1))
        };
    }

    fn kinds(events: &[Event]) -> Vec<EventKind> {
        events.iter().map(|event| event.kind).collect()
    }

    #[test]
    fn a_payment_pays_its_order_and_a_second_one_marks_it_for_good() {
        let mut order = order([pending(), pending()]);
        assert_eq!(change(&mut order, |_| {}), []);
        let paid = change(&mut order, |order| settle(order, 1));
        assert_eq!(kinds(&paid), [EventKind::OrderPaid]);
        assert_eq!(paid[0].order_state, OrderState::Paid);
        assert_eq!(paid[0].transaction_id.as_deref(), Some("t"));
        assert!(!order.facts.paid_twice);
        let twice = change(&mut order, |order| settle(order, 2));
        assert_eq!(kinds(&twice), [EventKind::OrderPaidTwice]);
        assert!(order.facts.paid_twice);
        // Both are given back.
        let reversed = change(&mut order, |order| {
            for payment in &mut order.payments {
                let key = payment.operation.key.clone();
                let reversed = with_state("EXTORNADO", instant(2));
                payment.operation = OperationRecord { key, ..reversed };
            }
        });
        assert_eq!(kinds(&reversed), [EventKind::OrderReversed; 2]);
        assert_eq!(order.facts.state, OrderState::Open);
        assert!(order.facts.paid_twice);
    }

    #[test]
    fn a_payment_of_a_closed_order_is_late() {
        let mut order = order([pending(), pending()]);
        order.closed_at = Some(instant(1));
        let late = change(&mut order, |order| settle(order, 1));
        assert_eq!(kinds(&late), [EventKind::OrderPaidLate]);
        assert_eq!(order.payments[0].operation.paid_late_at, Some(instant(9)));
        assert_eq!(order.facts.state, OrderState::Paid);
    }

    #[test]
    fn a_payment_is_announced_when_no_request_can_give_it_back_any_more() {
        let mut order = order([pending()]);
        let cancel = reversal("cancel", Purpose::Cancel, instant(0));
        let ledger = &mut order.payments[0].ledger;
        ledger.reserve_reversal(cancel, reading(instant(0)));
        assert_eq!(change(&mut order, |order| settle(order, 1)), []);
        assert_eq!(order.facts.state, OrderState::Open);
        let ended = change(&mut order, |order| {
            let ledger = &mut order.payments[0].ledger;
            let refused = crate::ledger::ReversalEnd::NotDone("no".to_owned(), Some(400));
            ledger.end_reversal("cancel", refused, reading(instant(1)));
        });
        assert_eq!(kinds(&ended), [EventKind::OrderPaid]);
    }

    #[test]
    fn each_end_of_a_refund_is_one_event() {
        let mut order = order([pending()]);
        change(&mut order, |order| settle(order, 1));
        let mut list = |state: &str| {
            change(&mut order, |order| {
                let ledger = &mut order.payments[0].ledger;
                let units = crate::service_answers::AmountUnits::Cents;
                ledger.merge_refunds(&[refund("r", state, "100")], units, instant(5));
            })
        };
        assert_eq!(list("IN_PROCESS"), []);
        let rejected = list("REJECTED");
        assert_eq!(kinds(&rejected), [EventKind::RefundRejected]);
        let refunded = Refunded {
            refund_id: "r".to_owned(),
            cents: Some(100),
        };
        assert_eq!(rejected[0].refund, Some(refunded));
        assert_eq!(rejected[0].order_state, OrderState::Paid);
        assert_eq!(list("REJECTED"), []);
        assert_eq!(kinds(&list("RESOLVED")), [EventKind::RefundResolved]);
        assert_eq!(list("IN_PROCESS"), []);
    }

    #[test]
    fn a_forgotten_payer_stays_forgotten_when_an_answer_comes() {
        let mut order = order([pending()]);
        order.payer_is_forgotten = true;
        change(&mut order, |order| settle(order, 1));
        let payment = &order.payments[0];
        let operation = with_state("LIQUIDADO", instant(1));
        assert_ne!(payment.operation.operation, operation.operation);
        let stored = payment.operation.operation.as_ref().unwrap();
        assert_eq!(*stored, forgotten(stored).unwrap());
        let answer = payment.operation.answer.as_ref().unwrap();
        assert_eq!(*answer, forgotten(answer).unwrap());
    }
}
