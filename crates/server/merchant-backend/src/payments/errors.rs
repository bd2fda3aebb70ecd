//! Why money is not given back: by a refund, a return by hand or a reversal.

use crate::db::DbError;
use crate::payment_service::ServiceError;
use payment_model::TransactionState;
use payment_rules::ledger::{Balance, NoRefundWay, ReturnError};
use payment_rules::operation::OperationKey;
use staff_model::RefundRefusalItem;
use std::time::Duration;

/// Why nothing was given back or recorded.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum RefundError {
    /// The idempotency key was used for another request.
    KeyReused,
    /// The same request is still running.
    Running,
    /// At least one refund breaks a rule; has each such refund with its reason.
    Rules(Vec<RefundRefusalItem>),
    Unknown(RefundsUnknownError),
    /// There is no such operation.
    NotFound,
    /// A manual return breaks a rule.
    Return(ReturnError),
    /// A reversal that a program of the shop asked for was not made.
    Reversal(StaffCancelError),
    /// The money of an order cannot be given back in this way by a program of the shop.
    NoWay(NoRefundWay),
    Database(DbError),
}

impl From<RefundsUnknownError> for RefundError {
    fn from(error: RefundsUnknownError) -> Self {
        Self::Unknown(error)
    }
}

impl From<DbError> for RefundError {
    fn from(error: DbError) -> Self {
        match error {
            DbError::ClaimLost => Self::Running,
            error => Self::Database(error),
        }
    }
}

impl From<NoRefundWay> for RefundError {
    fn from(reason: NoRefundWay) -> Self {
        Self::NoWay(reason)
    }
}

/// Why the earlier refunds of an operation are not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RefundsUnknownError {
    /// The payment service does not accept the access token.
    TokenRejected,
    /// Other refunds of the same operations are under way.
    UnderWay,
    /// It is not known whether the operation is settled.
    SettlementUnknown,
    /// The service did not say whether the operation is still paid; to be asked again after so long.
    StateUnknown(OperationKey, Duration),
    /// The service's list is not complete.
    Incomplete(OperationKey),
    /// The service could not be asked; to be asked again after so long.
    NotListed(OperationKey, Duration),
}

/// Why an operation was not cancelled or reversed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum StaffCancelError {
    /// The payment is settled.
    Settled,
    /// It is paid, and the request was for a cancellation only.
    Paid,
    /// The service reports a state that this version does not know.
    StateUnknown(TransactionState),
    /// The service never had it.
    NeverAuthorized,
    /// Its authorization is on its way.
    Authorizing,
    /// Its code may have reached the payer by another way.
    CodeMayBeOut,
    /// An answer does not fit the order; with the difference.
    Mismatch(Option<String>),
    /// The service's answers disagree about the payment.
    Disputed,
    /// The account may give back only `left` cents more.
    OverLimit { left: u64, paid: u64 },
    /// A part of the payment is given back or may be.
    GivenBack(Balance),
    /// The database was restored from a backup since, and staff have not confirmed the operation.
    Restored,
    /// The service could not be asked for the state, and nothing was sent.
    StateNotKnown(ServiceError),
    /// A request was sent, and it was refused or its outcome is unknown.
    Unconfirmed(ServiceError),
}
