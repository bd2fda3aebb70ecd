use crate::word::words;
use payment_model::{Cents, LocalizedMessage, MerchantCode, Meta, Refund, RefundType, Timestamp};
use serde::{Deserialize, Serialize};

words! {
    /// The state of a refund attempt.
    pub enum AttemptState {
        /// The request is being sent to the service.
        Sending = "sending",
        /// The service registered the refund.
        Registered = "registered",
        /// The service rejected the refund, or it was not sent.
        Refused = "refused",
        /// It is unknown whether the service registered the refund, so its amount stays reserved.
        InDoubt = "in_doubt",
        /// A second member of staff released the reserved amount.
        Released = "released",
    }
}

/// A refund that was requested through this server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundAttempt {
    /// The id of the attempt, which the service gets as `attempt_id` in `additional_fields`.
    pub attempt_id: String,
    /// The state of the attempt.
    pub state: AttemptState,
    /// Whether the whole transaction or a part is refunded.
    #[serde(rename = "type")]
    pub kind: RefundType,
    /// The amount in cents.
    pub amount: Cents,
    /// The account that requested the refund.
    pub staff: String,
    /// The time of the request.
    pub at: Timestamp,
    /// The service's id of the refund, if it is known.
    #[serde(default)]
    pub refund_id: Option<String>,
    /// The reason for which the refund was rejected or is in doubt, as a sentence; may quote the service.
    pub detail: String,
    /// The messages of the service's rejection.
    #[serde(default)]
    pub messages: Vec<LocalizedMessage>,
    /// The account that released the reserved amount.
    #[serde(default)]
    pub released_by: Option<String>,
}

words! {
    /// The reason for which the server does not send a refund to the service.
    pub enum RefundRefusalReason {
        /// The transaction is not settled.
        NotSettled = "not_settled",
        /// The service does not refund payments by this method.
        MethodNotRefundable = "method_not_refundable",
        /// The amount is zero or not a whole number of cents.
        Amount = "amount",
        /// The amount is larger than the remaining one.
        MoreThanIsLeft = "more_than_is_left",
        /// A `TOTAL` refund does not have the whole amount, or a part was refunded already.
        NotTheWhole = "not_the_whole",
        /// The type is neither `TOTAL` nor `PARTIAL`.
        Type = "type",
        /// The amount is over the limit of the account.
        OverLimit = "over_limit",
        /// The operation does not exist, or the transaction belongs to another one.
        NotFound = "not_found",
        /// A reversal of the payment may be in progress.
        BeingReversed = "being_reversed",
        /// The operation is older than a restore from a backup, and staff have not confirmed it.
        Restored = "restored",
        /// The request has several items for one operation.
        Twice = "twice",
    }
}

/// An invalid item of a refund request: `errors[]` of the problem `refund-refused`. No item of the request
/// was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundRefusalItem {
    /// The index of the item, from 0.
    pub index: u32,
    /// The number of the item's operation.
    pub merchant_operation_number: String,
    /// The reason.
    pub reason: RefundRefusalReason,
    /// The largest allowed amount in cents, if the amount is too large.
    #[serde(default)]
    pub left: Option<Cents>,
}

/// The result of an item of a refund request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundResult {
    /// The operation's number.
    pub merchant_operation_number: String,
    /// The attempt in its current state.
    pub attempt: RefundAttempt,
}

/// The answer of `POST /staff/refund`: the form of the service's answer, with the results of all items.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StaffRefundResponse {
    /// True when the service registered all items.
    pub success: String,
    /// Always `refund`.
    pub action: String,
    /// The merchant's code.
    pub merchant_code: MerchantCode,
    /// The refunds that the service registered.
    pub operations: Vec<Refund>,
    /// The technical result, from the service's answer if there is one.
    #[serde(default)]
    pub meta: Meta,
    /// The results of the items, in the sequence of the request.
    pub results: Vec<RefundResult>,
}

/// The body of `POST /staff/refund-attempts/{attempt_id}/release`. The answer is the [`RefundAttempt`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReleaseAttempt {
    /// How staff know that the service does not have the refund; not empty.
    pub reason: String,
}
