//! The extension members of problems (RFC 9457).

use crate::word::words;
use crate::{Permission, ProblemType, RefundRefusalItem};
use payment_model::{Cents, LocalizedMessage};
use serde::{Deserialize, Serialize};

/// A problem with the members that the staff's element uses.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Problem {
    /// The type of the problem.
    #[serde(rename = "type", default)]
    pub kind: ProblemType,
    /// The explanation for this request, as a sentence in English.
    #[serde(default)]
    pub detail: String,
    /// What the server knows of the money: a word of [`ProblemMoney`](payment_model::ProblemMoney).
    #[serde(default)]
    pub money: Option<String>,
    /// The id of the request's trace, by which the log has what failed.
    #[serde(default)]
    pub trace_id: Option<String>,
    /// The member of [`RefundsRefused`].
    #[serde(default)]
    pub errors: Vec<RefundRefusalItem>,
    /// The largest allowed amount in cents, from [`ReturnRefused`], [`ReversalRefused`] or [`LinkRefused`].
    #[serde(default)]
    pub left: Option<Cents>,
    /// The member of [`ServiceRefused`].
    #[serde(default)]
    pub messages: Vec<LocalizedMessage>,
}

/// The members of the problem `permission-required`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PermissionLacking {
    /// The permission that the account lacks.
    pub permission: Permission,
}

/// The members of the problems `bad-request` and `field-not-allowed` if a field of the request is invalid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrongField {
    /// The path of the field.
    pub field: String,
}

/// The members of the problem `refund-refused`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundsRefused {
    /// The items that break a rule.
    pub errors: Vec<RefundRefusalItem>,
}

/// The member of the problem `link-refused`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkRefused {
    /// The largest amount in cents that a link of this account may have now.
    pub left: Cents,
}

words! {
    /// The reason for which a manual return cannot be recorded.
    pub enum ReturnRefusalReason {
        /// The operation is not paid.
        NotPaid = "not_paid",
        /// The service can refund the payment.
        Refundable = "refundable",
        /// The amount is zero.
        Amount = "amount",
        /// The amount is larger than the remaining one.
        MoreThanIsLeft = "more_than_is_left",
        /// The amount is over the limit of the account.
        OverLimit = "over_limit",
        /// The amount is larger than the paid one.
        MoreThanWasPaid = "more_than_was_paid",
        /// A reversal of the payment may be in progress.
        BeingReversed = "being_reversed",
        /// The service's answers about the payment contradict each other.
        Disputed = "disputed",
        /// The operation is older than a restore from a backup, and staff have not confirmed it.
        Restored = "restored",
    }
}

/// The members of the problem `return-refused`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReturnRefused {
    /// The reason.
    pub reason: ReturnRefusalReason,
    /// The largest allowed amount in cents, if the amount is too large.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<Cents>,
    /// The name of the amount's field, if the amount is invalid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// The members of the problem `reversal-refused`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum ReversalRefused {
    /// The payment is over the limit of the account.
    OverLimit {
        /// The amount in cents that the account may still give back.
        left: Cents,
        /// The amount that a reversal would give back.
        paid: Cents,
    },
    /// A part of the payment was given back, is reserved or is in doubt.
    GivenBack {
        /// The amount that a reversal would give back.
        paid: Cents,
        /// The part that was given back.
        given_back: Cents,
        /// The part that is reserved or for which a request is running.
        reserved: Cents,
        /// The part whose refund has an unknown outcome.
        unknown: Cents,
    },
}

/// The member of the problems that report a state, such as the `TransactionState` of an operation or the
/// [`AttemptState`](crate::AttemptState) of a refund attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CurrentState<S> {
    /// The state, if there is one.
    pub state: Option<S>,
}

/// The members of the problem `cannot-cancel-now`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mismatched {
    /// The difference between the service's answer and the order, if there is one.
    pub mismatch: Option<String>,
}

/// The members of the problem `payment-service-refused`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceRefused {
    /// The status of the service's answer.
    pub service_status: u16,
    /// The messages of the service's answer.
    pub messages: Vec<LocalizedMessage>,
}

#[cfg(test)]
mod tests {
    use super::{
        CurrentState, Problem, RefundsRefused, ReturnRefusalReason, ReturnRefused, ReversalRefused,
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
        let none = CurrentState::<AttemptState> { state: None };
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
