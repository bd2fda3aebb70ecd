//! The events that the merchant's webhook receives: which change has one, and its body.

use crate::operation::OperationRecord;
use crate::order::{FullOrderId, OrderState};
use crate::timing::rfc3339;
use payment_model::{
    MerchantCode, MerchantOperationNumber, Outcome, PaymentMethodName, RefundState, Timestamp,
};
use serde_json::{Value, json};

/// The kind of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventKind {
    /// The order is paid.
    OrderPaid,
    /// The order is paid by an operation that had ended or had been left for another one.
    OrderPaidLate,
    /// Another payment of the order is in force already: one of them has to be given back.
    OrderPaidTwice,
    /// A payment was reversed.
    OrderReversed,
    /// Answers of the payment service say that an operation is paid although its payment was
    /// reversed: staff have to find out whether the money is there.
    OrderPaidAgain,
    /// A refund was carried out.
    RefundResolved,
    /// A refund was rejected.
    RefundRejected,
    /// A payer has a code or a link that can be paid.
    OrderWaiting,
    /// An attempt to pay was declined; the order can be paid all the same.
    OrderDeclined,
    /// A code was cancelled or has expired; the order can be paid all the same.
    OrderCanceled,
    /// The order has ended without a payment, and so has its last attempt to pay.
    OrderUnpaid,
}

impl EventKind {
    /// Every kind.
    pub const ALL: [Self; 11] = [
        Self::OrderPaid,
        Self::OrderPaidLate,
        Self::OrderPaidTwice,
        Self::OrderReversed,
        Self::OrderPaidAgain,
        Self::RefundResolved,
        Self::RefundRejected,
        Self::OrderWaiting,
        Self::OrderDeclined,
        Self::OrderCanceled,
        Self::OrderUnpaid,
    ];

    /// True for an event that a receiver gets without naming its kind.
    pub fn is_sent_unasked(self) -> bool {
        match self {
            Self::OrderPaid
            | Self::OrderPaidLate
            | Self::OrderPaidTwice
            | Self::OrderReversed
            | Self::OrderPaidAgain
            | Self::RefundResolved
            | Self::RefundRejected => true,
            Self::OrderWaiting | Self::OrderDeclined | Self::OrderCanceled | Self::OrderUnpaid => {
                false
            }
        }
    }

    /// The kind of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }

    /// The word in the store and in events.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OrderPaid => "order.paid",
            Self::OrderPaidLate => "order.paid_late",
            Self::OrderPaidTwice => "order.paid_twice",
            Self::OrderReversed => "order.reversed",
            Self::OrderPaidAgain => "order.paid_again",
            Self::RefundResolved => "refund.resolved",
            Self::RefundRejected => "refund.rejected",
            Self::OrderWaiting => "order.waiting",
            Self::OrderDeclined => "order.declined",
            Self::OrderCanceled => "order.canceled",
            Self::OrderUnpaid => "order.unpaid",
        }
    }

    /// The event of a change of an operation. `paid_count` is the number of the order's announced
    /// payments after the change. A change has at most one event, the most urgent one.
    pub fn of_payment(
        before: &OperationRecord,
        after: &OperationRecord,
        paid_count: usize,
    ) -> Option<Self> {
        match (before.announced_at.is_some(), after.announced_at.is_some()) {
            (true, false) => Some(Self::OrderReversed),
            (false, true) if paid_count > 1 => Some(Self::OrderPaidTwice),
            (false, true) if after.paid_again_at.is_some() => Some(Self::OrderPaidAgain),
            (false, true) if after.paid_late_at.is_some() => Some(Self::OrderPaidLate),
            (false, true) => Some(Self::OrderPaid),
            _ if after.was_given_back_unannounced(before) => Some(Self::OrderCanceled),
            _ => Self::of_attempt(before, after),
        }
    }

    /// The event of an attempt that can be paid from now on, or that has ended without a payment.
    fn of_attempt(before: &OperationRecord, after: &OperationRecord) -> Option<Self> {
        let can_be_paid = |operation: &OperationRecord| {
            let waits = operation.state().is_some_and(|state| state.is_waiting());
            operation.live && waits
        };
        if can_be_paid(after) {
            return (!can_be_paid(before)).then_some(Self::OrderWaiting);
        }
        if before.outcome().is_some() {
            return None;
        }
        match after.outcome()? {
            Outcome::Declined | Outcome::Invalid => Some(Self::OrderDeclined),
            Outcome::Cancelled | Outcome::Expired => Some(Self::OrderCanceled),
            Outcome::Paid | Outcome::Reversed => None,
        }
    }

    /// The event of a refund that enters a state; `None` for a state that is no end.
    pub fn of_refund(state: &RefundState) -> Option<Self> {
        match state {
            RefundState::Resolved => Some(Self::RefundResolved),
            RefundState::Rejected => Some(Self::RefundRejected),
            _ => None,
        }
    }
}

/// The kinds of events that a receiver wants.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum EventFilter {
    /// Those that are sent unasked.
    #[default]
    Unasked,
    /// Only these.
    Named(Vec<EventKind>),
}

impl EventFilter {
    /// True for an event that the receiver gets.
    pub fn wants(&self, kind: EventKind) -> bool {
        match self {
            Self::Unasked => kind.is_sent_unasked(),
            Self::Named(kinds) => kinds.contains(&kind),
        }
    }

    /// Every kind that the receiver gets.
    pub fn kinds(&self) -> impl Iterator<Item = EventKind> {
        EventKind::ALL.into_iter().filter(|kind| self.wants(*kind))
    }
}

/// The refund of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refunded {
    /// The service's id of the refund.
    pub refund_id: String,
    /// `None` when the service's amount cannot be read.
    pub cents: Option<u64>,
    /// The id of this server's request, by which a program of the shop reads the refund; `None` for a
    /// refund that others asked for.
    pub request_id: Option<String>,
}

/// What only some kinds of events have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventDetails {
    /// Nothing more.
    None,
    /// The refund that ended.
    Refund(Refunded),
    /// The reversal of this server that gave the payment back, by which a program of the shop reads it;
    /// `None` if others did.
    Reversed(Option<String>),
    /// What can be paid.
    Waiting {
        /// How it is paid.
        method: PaymentMethodName,
        /// Until when.
        expires_at: Option<Timestamp>,
    },
    /// How an attempt ended.
    Ended(Outcome),
    /// The order ended unpaid.
    Unpaid {
        /// A payment may arrive all the same, from an attempt that has ended.
        may_be_paid_late: bool,
    },
}

/// An event; it names no person and no details of the payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// What happened.
    pub kind: EventKind,
    /// The order that changed.
    pub order_id: String,
    /// The order as it is after the change.
    pub order_state: OrderState,
    /// The store that sells.
    pub merchant_code: MerchantCode,
    /// The operation whose change is the event; `None` if the event is about the order alone.
    pub number: Option<MerchantOperationNumber>,
    /// The service's id of the transaction, once it is known.
    pub transaction_id: Option<String>,
    /// The amount of the operation or the order, in cents.
    pub amount: u64,
    /// The currency of the amount.
    pub currency: String,
    /// What only events of this kind have.
    pub details: EventDetails,
}

impl Event {
    /// The key of the order that changed.
    pub fn full_order_id(&self) -> FullOrderId {
        FullOrderId::new(self.merchant_code.as_str(), &*self.order_id)
    }

    /// The body of the request to the webhook, in the form of the standard "Standard Webhooks": `type`,
    /// `timestamp` and `data`. `id` identifies the event, and `created_at` is when it was stored. Both
    /// are in `data` too, so that a program that stores only `data` has all of the event but its type.
    pub fn body(&self, id: &str, created_at: Timestamp) -> Value {
        let timestamp = rfc3339(created_at);
        let mut data = json!({
            "id": id,
            "created_at": timestamp,
            "order_id": self.order_id,
            "order_state": self.order_state,
            "merchant_code": self.merchant_code,
            "merchant_operation_number": self.number,
            "transaction_id": self.transaction_id,
            "amount": self.amount.to_string(),
            "currency": self.currency,
        });
        match &self.details {
            EventDetails::None => {}
            EventDetails::Refund(refund) => {
                data["refund_id"] = json!(refund.refund_id);
                data["refund_amount"] = json!(refund.cents.map(|cents| cents.to_string()));
                data["shop_refund_id"] = json!(refund.request_id);
            }
            EventDetails::Reversed(id) => data["shop_refund_id"] = json!(id),
            EventDetails::Waiting { method, expires_at } => {
                data["method_name"] = json!(method.as_str());
                data["expires_at"] = json!(expires_at.map(rfc3339));
            }
            EventDetails::Ended(outcome) => data["outcome"] = json!(outcome.as_str()),
            EventDetails::Unpaid { may_be_paid_late } => {
                data["may_be_paid_late"] = json!(may_be_paid_late);
            }
        }
        json!({"type": self.kind.as_str(), "timestamp": timestamp, "data": data})
    }
}

#[cfg(test)]
mod tests {
    use super::{Event, EventDetails, EventFilter, EventKind, Refunded};
    use crate::operation::fixture::with_state;
    use crate::order::OrderState;
    use crate::timing::instant;
    use payment_model::{PaymentMethodName, RefundState};
    use serde_json::json;

    #[test]
    fn only_changes_that_matter_are_events() {
        let check = |was_announced: bool, state: &str, late, standing, expected: Option<&str>| {
            let mut before = with_state("PENDIENTE", instant(0));
            before.announced_at = was_announced.then(|| instant(0));
            let mut after = with_state(state, instant(0));
            after.announced_at = before.announced_at;
            after.announce(false, instant(1));
            after.paid_late_at = late;
            let kind = EventKind::of_payment(&before, &after, standing);
            assert_eq!(kind.map(EventKind::as_str), expected, "{state}");
        };
        check(false, "PENDIENTE", None, 0, None);
        check(false, "AUTORIZADO", None, 1, Some("order.paid"));
        check(false, "LIQUIDADO", None, 1, Some("order.paid"));
        check(true, "LIQUIDADO", None, 1, None);
        check(
            false,
            "AUTORIZADO",
            Some(instant(1)),
            1,
            Some("order.paid_late"),
        );
        check(false, "AUTORIZADO", None, 2, Some("order.paid_twice"));
        check(
            false,
            "AUTORIZADO",
            Some(instant(1)),
            2,
            Some("order.paid_twice"),
        );
        check(true, "EXTORNADO", None, 0, Some("order.reversed"));
        check(
            true,
            "EXTORNADO",
            Some(instant(1)),
            1,
            Some("order.reversed"),
        );
        check(false, "EXTORNADO", None, 0, Some("order.canceled"));
        check(false, "EXPIRADO", None, 0, Some("order.canceled"));
        check(false, "CANCELADO", None, 0, Some("order.canceled"));
        check(false, "DENEGADO", None, 0, Some("order.declined"));
    }

    #[test]
    fn a_refund_has_an_event_when_it_ends() {
        for (state, expected) in [
            ("REGISTERED", None),
            ("IN_PROCESS", None),
            ("NEW", None),
            ("RESOLVED", Some("refund.resolved")),
            ("REJECTED", Some("refund.rejected")),
        ] {
            let kind = EventKind::of_refund(&RefundState::from(state));
            assert_eq!(kind.map(EventKind::as_str), expected, "{state}");
        }
    }

    #[test]
    fn a_receiver_gets_the_kinds_that_it_names_or_those_that_are_sent_unasked() {
        let named = EventFilter::Named(vec![EventKind::RefundRejected, EventKind::OrderPaid]);
        let kinds: Vec<_> = named.kinds().map(EventKind::as_str).collect();
        assert_eq!(kinds, ["order.paid", "refund.rejected"]);
        assert!(!named.wants(EventKind::OrderReversed));
        for kind in EventKind::ALL {
            assert_eq!(EventFilter::default().wants(kind), kind.is_sent_unasked());
        }
    }

    #[test]
    fn the_body_names_the_order_the_payment_and_the_refund() {
        let mut event = Event {
            kind: EventKind::RefundResolved,
            order_id: "o".to_owned(),
            order_state: OrderState::Paid,
            merchant_code: "shop".into(),
            number: Some("1".into()),
            transaction_id: Some("t".to_owned()),
            amount: 38_700,
            currency: "PEN".to_owned(),
            details: EventDetails::None,
        };
        let written_at = instant(1_763_700_000_000);
        let mut body = json!({
            "type": "refund.resolved", "timestamp": "2025-11-21T04:40:00Z", "data": {
                "id": "e", "created_at": "2025-11-21T04:40:00Z", "order_id": "o",
                "order_state": "paid", "merchant_code": "shop", "merchant_operation_number": "1",
                "transaction_id": "t", "amount": "38700", "currency": "PEN",
            },
        });
        assert_eq!(event.body("e", written_at), body);
        for (cents, amount) in [(Some(100), json!("100")), (None, json!(null))] {
            event.details = EventDetails::Refund(Refunded {
                refund_id: "r".to_owned(),
                cents,
                request_id: cents.map(|_| "ours".to_owned()),
            });
            body["data"]["refund_id"] = json!("r");
            body["data"]["refund_amount"] = amount;
            body["data"]["shop_refund_id"] = json!(cents.map(|_| "ours"));
            assert_eq!(event.body("e", written_at), body);
        }
        event.details = EventDetails::Waiting {
            method: PaymentMethodName::CashCode,
            expires_at: Some(written_at),
        };
        let waiting = event.body("e", written_at)["data"].clone();
        assert_eq!(waiting["method_name"], "CASHCODE");
        assert_eq!(waiting["expires_at"], "2025-11-21T04:40:00Z");
        (event.number, event.details) = (
            None,
            EventDetails::Unpaid {
                may_be_paid_late: true,
            },
        );
        let unpaid = event.body("e", written_at)["data"].clone();
        assert_eq!(unpaid["may_be_paid_late"], true);
        assert_eq!(unpaid["merchant_operation_number"], json!(null));
    }
}
