use crate::OperationRow;
use crate::strict::not_empty;
use crate::word::words;
use payment_model::Timestamp;
use serde::{Deserialize, Serialize};

words! {
    /// The reason for which staff must look at an operation.
    pub enum ExceptionKind {
        /// It is unknown whether the service accepted the authorization.
        InDoubt = "in_doubt",
        /// The amount, currency, number or merchant in the service's answer is not that of the order.
        Mismatch = "mismatch",
        /// The QR of the payment service is not for the order, or was refused because it could not be read or said
        /// nothing. Resolving it offers the method again, if the store stopped offering it after several such codes.
        WrongCode = "wrong_code",
        /// Two operations of one order are paid.
        PaidTwice = "paid_twice",
        /// The operation was paid after it had ended or had been replaced by another one.
        PaidLate = "paid_late",
        /// The operation is paid, but was not settled within the configured time.
        NotSettled = "not_settled",
        /// A payer's request for another code was refused, since it is not certain that this operation has
        /// ended.
        Blocked = "blocked",
        /// The service reports that the operation number was used before, maybe by another installation.
        NumberTaken = "number_taken",
        /// It is unknown whether the service has a requested refund.
        RefundUnknown = "refund_unknown",
        /// It is unknown whether the service carried out a cancellation or reversal.
        ReversalUnknown = "reversal_unknown",
        /// A manual return has been reserved for a long time, or a second person must confirm it.
        ReturnOpen = "return_open",
        /// The service rejected a refund, or has not finished it for a long time.
        RefundStuck = "refund_stuck",
        /// The shop does not accept an event about the operation, so that later events of the order wait.
        EventRefused = "event_refused",
        /// Money was given back manually before it was reserved.
        ReturnUnreserved = "return_unreserved",
        /// More money was given back than was paid, or money was given back in addition to a reversal.
        GivenBackBeyond = "given_back_beyond",
        /// Answers of the service about the operation contradict each other.
        Contradicted = "contradicted",
        /// The operation is paid, but a request of unknown outcome may reverse it, so that the payment has
        /// not been announced to the shop or to the payer.
        PaymentHeld = "payment_held",
        /// For an hour no query of the operation had a usable answer, whatever the cause. Resolving it for an
        /// operation without an outcome ends its watch: nothing was paid.
        Unanswered = "unanswered",
        /// The operation is older than a restore from a backup: it may have been paid or given back since
        /// the backup.
        Restored = "restored",
    }
}

/// An operation at which staff must look, with one reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exception {
    /// The reason.
    pub kind: ExceptionKind,
    /// The time since which the exception exists.
    pub since: Timestamp,
    /// The facts as a sentence in English; empty if the kind needs no further facts.
    pub detail: String,
    /// The operation.
    pub operation: OperationRow,
}

/// The answer of `GET /staff/exceptions`: the unresolved exceptions, with the most urgent kinds first, and
/// the oldest exceptions of a kind first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exceptions {
    /// The exceptions, at most 100 of each kind.
    pub exceptions: Vec<Exception>,
    /// The numbers of exceptions of the kinds that occur, in the same sequence.
    #[serde(default)]
    pub counts: Vec<ExceptionCount>,
}

/// The number of exceptions of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExceptionCount {
    /// The kind.
    pub kind: ExceptionKind,
    /// The number of exceptions, including those that are not listed.
    pub count: u64,
}

/// The body of `POST /staff/operations/{merchant_code}/{merchant_operation_number}/release`. The answer is
/// [`OrderRelease`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReleaseOrder {
    /// The reason for which the payer should not wait any longer; not empty.
    pub reason: String,
}

/// The answer of `POST /staff/operations/{merchant_code}/{merchant_operation_number}/release`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderRelease {
    /// True when the order is released. Otherwise a second member of staff must send the same request.
    pub released: bool,
}

/// The body of `POST /staff/exceptions/resolve`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResolveException {
    /// The merchant's code.
    #[serde(deserialize_with = "not_empty")]
    pub merchant_code: String,
    /// The operation's number.
    #[serde(deserialize_with = "not_empty")]
    pub merchant_operation_number: String,
    /// The kind of the exception.
    pub kind: ExceptionKind,
    /// How the exception was resolved; not empty.
    pub reason: String,
}
