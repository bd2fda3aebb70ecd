//! Problems of payments in answers to staff. They tell more than those for payers, since staff can
//! act on it.

use crate::http::problem::{Problem, ProblemKind};
use crate::payment_service::ServiceError;
use crate::payments::StaffCancelError;
use payment_model::{Cents, TransactionState};
use staff_model::{Mismatched, ReversalRefused, ServiceRefused, Standing};
use std::time::Duration;

impl From<StaffCancelError> for Problem {
    fn from(why: StaffCancelError) -> Self {
        match why {
            StaffCancelError::Settled => with_state(
                ProblemKind::OperationSettled,
                "The payment is settled, so it cannot be reversed; refund it, or record a return where the method cannot be refunded.",
                Some(&TransactionState::Settled),
            ),
            StaffCancelError::Paid => with_state(
                ProblemKind::OperationPaid,
                "The operation is paid by now, so nothing was sent; reverse it if the payment is to be given back.",
                Some(&TransactionState::Authorized),
            ),
            StaffCancelError::StateUnknown(state) => with_state(
                ProblemKind::CannotCancelNow,
                "The payment service tells a state that is not known here, so nothing was sent; ask again later.",
                Some(&state),
            ),
            StaffCancelError::NeverAuthorized => with_state(
                ProblemKind::CannotCancelNow,
                "The payment service never had this operation; there is nothing to cancel.",
                None,
            ),
            StaffCancelError::Authorizing => with_state(
                ProblemKind::CannotCancelNow,
                "The authorization is on its way; ask again in a moment.",
                None,
            ),
            // A code that this server has not seen may have reached the payer by another way.
            StaffCancelError::CodeMayBeOut => with_state(
                ProblemKind::CannotCancelNow,
                "Whether the payer has its code is unknown, and with it whether it is paid; reverse it if a payment is to be given back too.",
                None,
            ),
            StaffCancelError::Mismatch(mismatch) => Self::new(
                ProblemKind::CannotCancelNow,
                "What the payment service answered is not this order's amount, currency or number, so nothing was sent.",
            )
            .carrying(&Mismatched { mismatch }),
            StaffCancelError::Disputed => with_state(
                ProblemKind::CannotCancelNow,
                "The payment service's answers disagree about this payment, so nothing was sent; ask again, and ask the service what is true.",
                None,
            ),
            StaffCancelError::OverLimit { left, paid } => {
                let detail = format!(
                    "This account may give back only {left} cents more now, and the payment is of {paid} cents; nothing was sent."
                );
                Self::new(ProblemKind::ReversalRefused, detail)
                    .carrying(&ReversalRefused::OverLimit {
                        left: Cents::new(left),
                        paid: Cents::new(paid),
                    })
            }
            StaffCancelError::GivenBack(balance) => {
                let detail = format!(
                    "A reversal gives back the whole payment of {} cents, of which {} cents were given back, {} cents are reserved or on their way, and {} cents are perhaps given back; nothing was sent.",
                    balance.paid, balance.given_back, balance.reserved, balance.unknown
                );
                Self::new(ProblemKind::ReversalRefused, detail)
                    .carrying(&ReversalRefused::GivenBack {
                        paid: Cents::new(balance.paid),
                        given_back: Cents::new(balance.given_back),
                        reserved: Cents::new(balance.reserved),
                        unknown: Cents::new(balance.unknown),
                    })
            }
            StaffCancelError::Restored => with_state(
                ProblemKind::CannotCancelNow,
                "The server was restored from a backup, and this operation is older: compare it with the payment service, and resolve its exception `restored` first.",
                None,
            ),
            StaffCancelError::StateNotKnown(error) => not_known(&error),
            StaffCancelError::Unconfirmed(error) => unconfirmed(&error),
        }
    }
}

fn with_state(
    kind: ProblemKind,
    detail: &'static str,
    state: Option<&TransactionState>,
) -> Problem {
    Problem::new(kind, detail).carrying(&Standing { state })
}

/// The service could not be asked for the state, so nothing else was done.
pub(super) fn not_known(error: &ServiceError) -> Problem {
    trouble(error, "Its state is not known now, so nothing was done")
}

/// A request was sent, and it was refused or its outcome is unknown.
fn unconfirmed(error: &ServiceError) -> Problem {
    match error {
        ServiceError::Refused { .. }
        | ServiceError::Unauthorized
        | ServiceError::Unreached
        | ServiceError::NotSent(_) => {
            trouble(error, "The operation is as it was")
        }
        _ => Problem::new(
            ProblemKind::CancelUnconfirmed,
            "The request was sent, but the payment service did not confirm it; ask for the state before doing anything else.",
        )
        .retry_after(Duration::from_secs(2)),
    }
}

/// The problem of a failure of the service, with its consequence.
fn trouble(error: &ServiceError, meaning: &str) -> Problem {
    match error {
        ServiceError::Unauthorized => Problem::new(
            ProblemKind::ServiceToken,
            format!("The payment service does not accept this server's access token. {meaning}; whoever runs the server must renew PAYMENT_TOKEN."),
        )
        .retry_after(Duration::from_secs(30)),
        ServiceError::Refused { status, messages } => Problem::new(
            ProblemKind::ServiceRefused,
            format!("The payment service refused with status {status}. {meaning}."),
        )
        .carrying(&ServiceRefused {
            service_status: *status,
            messages: messages.clone(),
        }),
        _ => {
            let wait = error.retry_after().unwrap_or(Duration::from_secs(2));
            let detail = format!("The payment service gave no usable answer ({error}). {meaning}; try again.");
            Problem::new(ProblemKind::ServiceUnavailable, detail).retry_after(wait)
        }
    }
}
