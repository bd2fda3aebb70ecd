use crate::OperationRow;
use crate::strict::not_empty;
use crate::word::words;
use payment_model::Timestamp;
use serde::{Deserialize, Serialize};

words! {
    /// Why somebody has to look at an operation.
    pub enum ExceptionKind {
        /// Nobody knows if the service accepted the authorization.
        InDoubt = "in_doubt",
        /// The amount, currency, number or merchant in the service's answer is not the order's.
        Mismatch = "mismatch",
        /// Another operation of the same order is paid too.
        PaidTwice = "paid_twice",
        /// It was paid after it had ended or had been left for another one.
        PaidLate = "paid_late",
        /// It is paid and was not settled in the time that is usual.
        NotSettled = "not_settled",
        /// A payer asks in vain for another code, because it is not certain that this operation has
        /// ended.
        Blocked = "blocked",
        /// The service says that its number had been used before, maybe by another installation.
        NumberTaken = "number_taken",
        /// A refund was asked for, and whether the service has it is unknown.
        RefundUnknown = "refund_unknown",
        /// It was to be reversed or cancelled, and whether the service did so is unknown.
        ReversalUnknown = "reversal_unknown",
        /// Money is reserved to be given back by hand, for long or for a second person to confirm.
        ReturnOpen = "return_open",
        /// The service rejected a refund, or does not end it.
        RefundStuck = "refund_stuck",
        /// The shop does not accept an event about it, and later ones of its order wait.
        EventRefused = "event_refused",
        /// Money was given back by hand before anybody had reserved it.
        ReturnUnreserved = "return_unreserved",
        /// More was given back than was paid, or something beside a reversal.
        GivenBackBeyond = "given_back_beyond",
        /// A statement of the service says something else of it.
        StatementDiffers = "statement_differs",
        /// Answers of the service contradict each other about it.
        Contradicted = "contradicted",
        /// It is paid, and a request on its way may give the payment back: neither the shop nor the
        /// payer knows of it.
        PaymentHeld = "payment_held",
        /// The service's answers about it are not accepted, or have no transaction of it.
        NotAccepted = "not_accepted",
        /// The server was restored from a backup, and it is older: it may have been paid or given
        /// back since.
        Restored = "restored",
    }
}

/// One reason to look at one operation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exception {
    /// The reason.
    pub kind: ExceptionKind,
    /// Since when.
    pub since: Timestamp,
    /// The facts about it, in a sentence in English; empty when the kind says it all.
    pub detail: String,
    /// The operation.
    pub operation: OperationRow,
}

/// The answer of `GET /staff/exceptions`: the unresolved exceptions, the most urgent kinds first,
/// and of each kind the oldest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exceptions {
    /// The exceptions, at most 100 of each kind.
    pub exceptions: Vec<Exception>,
    /// How many there are of each kind that there is, in the same order.
    #[serde(default)]
    pub counts: Vec<ExceptionCount>,
}

/// How many exceptions there are of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExceptionCount {
    /// The kind.
    pub kind: ExceptionKind,
    /// How many, listed or not.
    pub count: u64,
}

/// The body of `POST /staff/operations/{merchant_code}/{merchant_operation_number}/release`; the
/// answer is [`OrderRelease`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReleaseOrder {
    /// Why the payer should not wait any longer; not empty.
    pub reason: String,
}

/// The answer of `POST /staff/operations/{merchant_code}/{merchant_operation_number}/release`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderRelease {
    /// True when the order is free now; if not, a second member of staff has to ask for it too.
    pub released: bool,
}

/// The body of `POST /staff/exceptions/resolve`: a member of staff has dealt with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResolveException {
    /// The merchant's code.
    #[serde(deserialize_with = "not_empty")]
    pub merchant_code: String,
    /// The operation.
    #[serde(deserialize_with = "not_empty")]
    pub merchant_operation_number: String,
    /// The kind of the exception.
    pub kind: ExceptionKind,
    /// The explanation of how it was resolved; not empty.
    pub reason: String,
}
