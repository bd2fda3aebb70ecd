//! A payer's attempt to pay an order, and how it ends.

use crate::db::DbError;
use payment_model::{AuthorizeResponse, PaymentMethodName};
use payment_rules::idempotent_answer::{AuthorizationRefusal, Numbers};
use payment_rules::idempotent_request::{Claim, IdempotentRequest};
use payment_rules::operation::OperationRecord;
use payment_rules::order::OrderFacts;
use std::time::Duration;
use url::Url;

/// When to ask again, where the service did not say so.
pub(super) const SOON: Duration = Duration::from_secs(1);

/// A payer's choice of a method, with the data that it needs from the browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Method {
    Qr,
    Installment {
        redirect_url: Url,
    },
    /// Any other method; its details are the merchant's setting.
    Other {
        name: PaymentMethodName,
        redirect_url: Option<Url>,
    },
}

impl Method {
    pub(crate) fn name(&self) -> PaymentMethodName {
        match self {
            Self::Qr => PaymentMethodName::Qr,
            Self::Installment { .. } => PaymentMethodName::Installment,
            Self::Other { name, .. } => name.clone(),
        }
    }

    /// The address that the payer comes back to.
    pub(crate) fn redirect_url(&self) -> Option<&Url> {
        match self {
            Self::Qr => None,
            Self::Installment { redirect_url } => Some(redirect_url),
            Self::Other { redirect_url, .. } => redirect_url.as_ref(),
        }
    }
}

/// The checked request of a payer's browser.
pub(crate) struct AuthorizeOrder {
    pub(crate) order: OrderFacts,
    pub(crate) request: IdempotentRequest,
    pub(crate) method: Method,
    /// The number of the operation that its payer leaves for this method.
    pub(crate) replaces: Option<String>,
}

/// An attempt that runs, by the right that its claim gives.
pub(super) struct Attempt {
    pub(super) order: OrderFacts,
    pub(super) method: Method,
    pub(super) replaces: Option<String>,
    pub(super) claim: Claim,
}

impl Attempt {
    /// True when its payer said that this operation is left for another method.
    pub(super) fn replaces(&self, live: &OperationRecord) -> bool {
        self.replaces.as_deref() == Some(live.key.number.as_str())
    }
}

/// The answer to an attempt.
pub(crate) enum Authorization {
    /// The operation to pay, as the service first answered.
    Operation(Box<AuthorizeResponse>),
    /// The final answer of this key.
    Refused(AuthorizationRefusal),
    /// The key is not spent.
    Undecided(Undecided),
}

/// Why an attempt has no final answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Undecided {
    /// The key was used for another order, method or redirect URL.
    KeyReused,
    /// The same attempt, or another one of its order, still runs.
    Running,
    /// The order is paid, by this operation.
    OrderPaid(Numbers),
    /// The order has this live operation of another method, and its payer did not say to leave it.
    Live(Numbers, PaymentMethodName),
    /// The first code of the order is still being confirmed; to be asked again after so long.
    Unconfirmed(Numbers, Duration),
    /// The order is older than the backup from which the server was restored.
    Restored,
    /// The service gave no usable answer; to be asked again after so long.
    Unavailable(Duration),
}

/// Why an attempt stops: with an answer, or because the database failed.
pub(super) enum Stop {
    Answer(Authorization),
    Database(DbError),
}

impl Stop {
    /// The order has a payment in force, which may not be announced yet.
    pub(super) fn paid(record: &OperationRecord) -> Self {
        let numbers = Numbers::of(record);
        if record.is_held() {
            return Undecided::Unconfirmed(numbers, SOON).into();
        }
        Undecided::OrderPaid(numbers).into()
    }
}

impl From<DbError> for Stop {
    fn from(error: DbError) -> Self {
        Self::Database(error)
    }
}

impl From<Undecided> for Stop {
    fn from(undecided: Undecided) -> Self {
        Self::Answer(Authorization::Undecided(undecided))
    }
}

impl From<AuthorizationRefusal> for Stop {
    fn from(refusal: AuthorizationRefusal) -> Self {
        Self::Answer(Authorization::Refused(refusal))
    }
}
