use crate::word::words;
use payment_model::{Cents, LocalizedMessage, MerchantCode, Meta, Refund, RefundType, Timestamp};
use serde::{Deserialize, Serialize};

words! {
    /// The state of an attempt to refund.
    pub enum AttemptState {
        /// The request is on its way to the service.
        Sending = "sending",
        /// The service registered it.
        Registered = "registered",
        /// The service refused it.
        Refused = "refused",
        /// It is not known whether the service has it; its amount stays reserved.
        InDoubt = "in_doubt",
        /// A second member of staff released its amount.
        Released = "released",
    }
}

/// A refund that was asked for through this server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundAttempt {
    /// The id that travels in `additional_fields` of the refund, as `attempt_id`.
    pub attempt_id: String,
    /// Its state.
    pub state: AttemptState,
    /// All of the transaction or a part.
    #[serde(rename = "type")]
    pub kind: RefundType,
    /// How much, in cents.
    pub amount: Cents,
    /// The member of staff who asked for it.
    pub staff: String,
    /// When.
    pub at: Timestamp,
    /// The service's id of the refund, once it is known.
    #[serde(default)]
    pub refund_id: Option<String>,
    /// Why it was refused or is unknown, in a sentence; may quote the service.
    pub detail: String,
    /// The service's messages, where it refused.
    #[serde(default)]
    pub messages: Vec<LocalizedMessage>,
    /// The member of staff who released its amount.
    #[serde(default)]
    pub released_by: Option<String>,
}

words! {
    /// Why the merchant's server does not ask the service for a refund.
    pub enum RefundRefusalReason {
        /// The transaction is not settled.
        NotSettled = "not_settled",
        /// The service does not refund this method.
        MethodNotRefundable = "method_not_refundable",
        /// The amount is zero or not a whole number of cents.
        Amount = "amount",
        /// More than what is left.
        MoreThanIsLeft = "more_than_is_left",
        /// `TOTAL` after a part was refunded, or of another amount than the whole.
        NotTheWhole = "not_the_whole",
        /// Neither `TOTAL` nor `PARTIAL`.
        Type = "type",
        /// More than the account may give back.
        OverLimit = "over_limit",
        /// No such operation, or another operation's transaction.
        NotFound = "not_found",
        /// Its payment may be on its way back by a reversal.
        BeingReversed = "being_reversed",
        /// The server was restored from a backup since, and nobody has confirmed the operation.
        Restored = "restored",
        /// The request names one operation twice.
        Twice = "twice",
    }
}

/// A wrong item of a request to refund: `errors[]` of the problem `refund-refused`. Nothing was
/// sent for any item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundRefusalItem {
    /// Which item, from 0.
    pub index: u32,
    /// Its operation.
    pub merchant_operation_number: String,
    /// Why.
    pub reason: RefundRefusalReason,
    /// What is left to refund, or for the account to give back, in cents, where that is the reason.
    #[serde(default)]
    pub left: Option<Cents>,
}

/// The result of one item of a request to refund.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefundResult {
    /// The operation.
    pub merchant_operation_number: String,
    /// The attempt, as it stands.
    pub attempt: RefundAttempt,
}

/// The answer of `POST /staff/refund`: the service's own body, with the result of each item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StaffRefundResponse {
    /// `true` when the service registered every item.
    pub success: String,
    /// `refund`.
    pub action: String,
    /// The merchant's code.
    pub merchant_code: MerchantCode,
    /// The refunds that the service registered.
    pub operations: Vec<Refund>,
    /// Technical result, the service's own where there is one.
    #[serde(default)]
    pub meta: Meta,
    /// One for each item of the request, in its order.
    pub results: Vec<RefundResult>,
}

/// The body of `POST /staff/refund-attempts/{attempt_id}/release`; the answer is the
/// [`RefundAttempt`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReleaseAttempt {
    /// How it is known that the service does not have it; not empty.
    pub reason: String,
}
