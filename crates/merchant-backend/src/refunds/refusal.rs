//! Why money is not given back, and why a doubt is not released.

use crate::db::DbError;
use crate::payment_service::ServiceError;
use payment_rules::ledger::{ReleaseRefusal, ReturnRefusal, ReversalReleaseRefusal};
use payment_rules::operation::OperationKey;
use staff_model::RefundRefusalItem;
use std::time::Duration;

/// Why nothing was given back or recorded.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NotGivenBack {
    /// The idempotency key was used for another request.
    KeyReused,
    /// The same request is still running.
    Running,
    /// At least one refund breaks a rule; has each such refund with its reason.
    Rules(Vec<RefundRefusalItem>),
    Unknown(RefundsUnknown),
    /// There is no such operation.
    NotFound,
    /// The database was restored from a backup since, and staff have not confirmed the operation.
    Restored,
    /// A return by hand breaks a rule.
    Return(ReturnRefusal),
}

/// Why the earlier refunds are not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RefundsUnknown {
    /// The payment service does not accept the access token.
    LockedOut,
    /// Other refunds of the same operations are under way.
    UnderWay,
    /// It is not known whether the operation is settled.
    SettlementUnknown,
    /// The service did not say whether the operation is still paid; to be asked again after so long.
    StateUnknown(OperationKey, Duration),
    /// The service's list is not complete.
    Incomplete(OperationKey),
    /// The service could not be asked; to be asked again after so long.
    NotLookedUp(OperationKey, Duration),
}

/// Why a doubt is not released.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NotReleased {
    Unknown(RefundsUnknown),
    /// The service could not be asked for the operation's state.
    StateNotKnown(ServiceError),
    Refund(ReleaseRefusal),
    Reversal(ReversalReleaseRefusal),
}

/// Why a request ends before it sends anything.
pub(super) enum Stop {
    Refused(NotGivenBack),
    Database(DbError),
}

impl From<RefundsUnknown> for NotGivenBack {
    fn from(why: RefundsUnknown) -> Self {
        Self::Unknown(why)
    }
}

impl From<NotGivenBack> for Stop {
    fn from(why: NotGivenBack) -> Self {
        Self::Refused(why)
    }
}

impl From<RefundsUnknown> for Stop {
    fn from(why: RefundsUnknown) -> Self {
        Self::Refused(NotGivenBack::Unknown(why))
    }
}

impl From<DbError> for Stop {
    fn from(error: DbError) -> Self {
        Self::Database(error)
    }
}
