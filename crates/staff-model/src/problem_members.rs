//! The members of problems besides the standard ones, each with the problems that have it.

use crate::word::words;
use crate::{Permission, ProblemType, RefundRefusalItem};
use payment_model::{Cents, LocalizedMessage};
use serde::{Deserialize, Serialize};

/// The members of a problem that the staff's element reads.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Problem {
    /// Which problem it is.
    #[serde(rename = "type", default)]
    pub kind: ProblemType,
    /// The fault of this request, in a sentence in English.
    #[serde(default)]
    pub detail: String,
    /// Of `refund-refused`: see [`RefundsRefused`].
    #[serde(default)]
    pub errors: Vec<RefundRefusalItem>,
    /// Of `return-refused` and `reversal-refused`, where the amount is too large: what it may be.
    #[serde(default)]
    pub left: Option<Cents>,
    /// Of `payment-service-refused`: see [`ServiceRefused`].
    #[serde(default)]
    pub messages: Vec<LocalizedMessage>,
}

/// Of `permission-required`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PermissionLacking {
    /// The permission that the account lacks.
    pub permission: Permission,
}

/// Of `bad-request` and `field-not-allowed`, where a field of the request is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrongField {
    /// Its name, with its path.
    pub field: String,
}

/// Of `refund-refused`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundsRefused {
    /// Each refund that breaks a rule.
    pub errors: Vec<RefundRefusalItem>,
}

words! {
    /// Why a return cannot be recorded.
    pub enum ReturnRefusalReason {
        /// The operation is not paid.
        NotPaid = "not_paid",
        /// The service refunds it.
        Refundable = "refundable",
        /// The amount is zero.
        Amount = "amount",
        /// More than what is left.
        MoreThanIsLeft = "more_than_is_left",
        /// More than the account may give back.
        OverLimit = "over_limit",
        /// More than was paid.
        MoreThanWasPaid = "more_than_was_paid",
        /// The payment may be on its way back by a reversal.
        BeingReversed = "being_reversed",
        /// The service's answers disagree about the payment.
        Disputed = "disputed",
        /// The server was restored from a backup since, and nobody has confirmed the operation.
        Restored = "restored",
    }
}

/// Of `return-refused`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReturnRefused {
    /// Why.
    pub reason: ReturnRefusalReason,
    /// The most that the amount may be, where it is more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<Cents>,
    /// The field that is wrong, where it is the amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// Of `reversal-refused`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum ReversalRefused {
    /// The account may not give back so much.
    OverLimit {
        /// What it may give back now.
        left: Cents,
        /// The amount that a reversal would give back.
        paid: Cents,
    },
    /// A part of the payment was given back, or may be.
    GivenBack {
        /// The amount that a reversal would give back.
        paid: Cents,
        /// The part of it that was given back.
        given_back: Cents,
        /// The part of it that is reserved or on its way.
        reserved: Cents,
        /// The part of it that was perhaps given back.
        unknown: Cents,
    },
}

/// Of the problems that report a state: an operation by its `TransactionState`, a refund by its
/// [`AttemptState`](crate::AttemptState), and so on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing<S> {
    /// The state, where there is one.
    pub state: Option<S>,
}

/// Of `cannot-cancel-now`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mismatched {
    /// The difference between the service's answer and the order, where that is known.
    pub mismatch: Option<String>,
}

/// Of `payment-service-refused`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceRefused {
    /// The status of its answer.
    pub service_status: u16,
    /// The messages of its answer.
    pub messages: Vec<LocalizedMessage>,
}

#[cfg(test)]
mod tests {
    use super::{
        Problem, RefundsRefused, ReturnRefusalReason, ReturnRefused, ReversalRefused, Standing,
    };
    use crate::{AttemptState, ProblemType, RefundRefusalItem, RefundRefusalReason};
    use payment_model::Cents;
    use serde_json::{json, to_value};

    #[test]
    fn only_what_is_known_is_carried() {
        let mut refused = ReturnRefused {
            reason: ReturnRefusalReason::NotPaid,
            left: None,
            field: None,
        };
        assert_eq!(to_value(&refused).unwrap(), json!({"reason": "not_paid"}));
        refused.reason = ReturnRefusalReason::MoreThanIsLeft;
        refused.left = Some(Cents::new(5));
        let expected = json!({"reason": "more_than_is_left", "left": 5});
        assert_eq!(to_value(&refused).unwrap(), expected);
        let [left, paid] = [1, 2].map(Cents::new);
        let refused = ReversalRefused::OverLimit { left, paid };
        let expected = json!({"reason": "over_limit", "left": 1, "paid": 2});
        assert_eq!(to_value(&refused).unwrap(), expected);
        assert_eq!(
            serde_json::from_value::<ReversalRefused>(expected).unwrap(),
            refused
        );
        let none = Standing::<AttemptState> { state: None };
        assert_eq!(to_value(&none).unwrap(), json!({"state": null}));
    }

    #[test]
    fn what_the_server_writes_of_a_refusal_is_what_the_element_reads() {
        let refused = RefundsRefused {
            errors: vec![RefundRefusalItem {
                index: 0,
                merchant_operation_number: "1".to_owned(),
                reason: RefundRefusalReason::OverLimit,
                left: None,
            }],
        };
        let mut document = to_value(&refused).unwrap();
        document["type"] = "urn:payment-checkout:problem:refund-refused".into();
        let read: Problem = serde_json::from_value(document).unwrap();
        assert_eq!(read.kind, ProblemType::RefundRefused);
        assert_eq!(read.errors, refused.errors);
        assert_eq!(
            serde_json::from_value::<Problem>(json!({})).unwrap(),
            Problem::default()
        );
    }
}
