//! The problem for each refusal that staff get. They say more than those for payers, since staff can act
//! on it. `rustfmt` skips the tables, which have a line for each refusal.

use crate::http::problem::{Failure, Problem, ProblemKind as Kind};
use crate::payment_service::ServiceError;
use crate::payments::{RefundError, RefundsUnknownError, ReleaseError, StaffCancelError};
use payment_model::{Cents, ProblemMoney, TransactionState};
use payment_rules::ledger::{
    AttemptReleaseError, ReturnEndError, ReturnError, ReversalReleaseError,
};
use serde::Serialize;
use staff_model::{
    AttemptState, CurrentState, Mismatched, RefundsRefused, ReturnRefusalReason, ReturnRefused,
    ReversalRefused, ServiceRefused,
};
use std::borrow::Cow;
use std::time::Duration;

const RUNNING_RETRY_AFTER: Duration = Duration::from_secs(1);
/// For what the server will probably know in a moment.
const UNKNOWN_RETRY_AFTER: Duration = Duration::from_secs(2);
/// Long, since a person has to renew the access token.
const TOKEN_RETRY_AFTER: Duration = Duration::from_secs(30);
const RESTORED: &str = "The server was restored from a backup, and this operation is older: compare it with the payment service, and resolve its exception `restored` first.";

#[rustfmt::skip]
impl From<StaffCancelError> for Problem {
    fn from(error: StaffCancelError) -> Self {
        use StaffCancelError as Why;
        let not_now = |detail| with_state(Kind::CannotCancelNow, detail, None::<TransactionState>);
        match error {
            Why::Settled => with_state(Kind::OperationSettled, "The payment is settled, so it cannot be reversed; refund it, or record a return where the method cannot be refunded.", Some(TransactionState::Settled)),
            Why::Paid => with_state(Kind::OperationPaid, "The operation is paid by now, so nothing was sent; reverse it if the payment is to be given back.", Some(TransactionState::Authorized)),
            Why::StateUnknown(state) => with_state(Kind::CannotCancelNow, "The payment service tells a state that is not known here, so nothing was sent; ask again later.", Some(state)),
            Why::NeverAuthorized => not_now("The payment service never had this operation; there is nothing to cancel."),
            Why::Authorizing => not_now("The authorization is on its way; ask again in a moment."),
            // A code that this server has not seen may have reached the payer by another way.
            Why::CodeMayBeOut => not_now("Whether the payer has its code is unknown, and with it whether it is paid; reverse it if a payment is to be given back too."),
            Why::Disputed => not_now("The payment service's answers disagree about this payment, so nothing was sent; ask again, and ask the service what is true."),
            Why::Restored => not_now(RESTORED),
            Why::Mismatch(mismatch) => Self::new(Kind::CannotCancelNow, "What the payment service answered is not this order's amount, currency or number, so nothing was sent.").carrying(&Mismatched { mismatch }),
            Why::OverLimit { left, paid } => {
                let detail = format!("This account may give back only {left} cents more now, and the payment is of {paid} cents; nothing was sent.");
                let (left, paid) = (Cents::new(left), Cents::new(paid));
                Self::new(Kind::ReversalRefused, detail).carrying(&ReversalRefused::OverLimit { left, paid })
            }
            Why::GivenBack(balance) => {
                let detail = format!("A reversal gives back the whole payment of {} cents, of which {} cents were given back, {} cents are reserved or on their way, and {} cents are perhaps given back; nothing was sent.", balance.paid, balance.given_back, balance.reserved, balance.unknown);
                Self::new(Kind::ReversalRefused, detail).carrying(&ReversalRefused::GivenBack {
                    paid: Cents::new(balance.paid),
                    given_back: Cents::new(balance.given_back),
                    reserved: Cents::new(balance.reserved),
                    unknown: Cents::new(balance.unknown),
                })
            }
            Why::StateNotKnown(error) => state_not_known(&error),
            Why::Unconfirmed(error) => unconfirmed(&error),
        }
    }
}

#[rustfmt::skip]
impl From<RefundError> for Failure {
    fn from(error: RefundError) -> Self {
        use RefundError as Why;
        let problem = match error {
            Why::Database(error) => return error.into(),
            Why::KeyReused => Problem::new(Kind::KeyReused, "This Idempotency-Key was used for another request; use a new key for a new request."),
            Why::Running => Problem::new(Kind::RequestRunning, "This request is still being worked on; repeat it with the same Idempotency-Key.").retry_after(RUNNING_RETRY_AFTER),
            Why::Rules(errors) => Problem::new(Kind::RefundRefused, "No refund was sent, because at least one of them breaks a rule; `errors` has each with its reason.").carrying(&RefundsRefused { errors }),
            Why::Unknown(unknown) => unknown.into(),
            Why::NotFound => Problem::not_found(),
            Why::Return(refusal) => refusal.into(),
            Why::Reversal(error) => error.into(),
            Why::NoWay(reason) => reason.into(),
        };
        problem.into()
    }
}

#[rustfmt::skip]
impl From<RefundsUnknownError> for Problem {
    fn from(error: RefundsUnknownError) -> Self {
        use RefundsUnknownError as Why;
        let unknown =
            |detail: String, wait| Self::new(Kind::RefundsUnknown, detail).retry_after(wait);
        match error {
            Why::TokenRejected => Self::new(Kind::ServiceToken, "The payment service does not accept this server's access token, so nothing was done; whoever runs the server must renew PAYMENT_TOKEN.").money(ProblemMoney::NothingCharged).retry_after(TOKEN_RETRY_AFTER),
            Why::UnderWay => unknown("Other refunds of the same operations are under way, so nothing was sent; try again.".to_owned(), UNKNOWN_RETRY_AFTER),
            Why::SettlementUnknown => unknown("The payment service did not say whether the operation is settled, so nothing was sent; try again.".to_owned(), UNKNOWN_RETRY_AFTER),
            Why::StateUnknown(key, wait) => unknown(format!("The payment service did not say whether operation {} is still paid, so nothing was recorded; try again. A return that was made already is recorded with `already_made`.", key.number), wait),
            Why::Incomplete(key) => unknown(format!("The payment service's list of the refunds of operation {} is not complete, so nothing was done; try again.", key.number), UNKNOWN_RETRY_AFTER),
            Why::NotListed(key, wait) => unknown(format!("The refunds of operation {} could not be looked up at the payment service, so nothing was done; try again.", key.number), wait),
        }
    }
}

#[rustfmt::skip]
impl From<ReturnError> for Problem {
    fn from(refusal: ReturnError) -> Self {
        use ReturnError as Why;
        use ReturnRefusalReason as Reason;
        match refusal {
            Why::NotPaid => return_refused(Reason::NotPaid, "This operation is not paid, so there is nothing to give back.", None),
            Why::Refundable => return_refused(Reason::Refundable, "The payment service refunds this operation once it is settled; use a refund, or reverse it before.", None),
            Why::BeingReversed => return_refused(Reason::BeingReversed, "The payment may be on its way back by a reversal, so nothing else may be given back now.", None),
            Why::Disputed => return_refused(Reason::Disputed, "The payment service's answers disagree about this payment, so nothing may be given back before it is known what is true.", None),
            Why::Restored => return_refused(Reason::Restored, RESTORED, None),
            Why::NothingAskedFor => return_refused(Reason::Amount, "The field `amount` must be more than zero.", None),
            Why::MoreThanIsLeft { left } => return_refused(Reason::MoreThanIsLeft, format!("The field `amount` is more than the {left} cents that were paid and not given back."), Some(left)),
            Why::OverLimit { left } => return_refused(Reason::OverLimit, format!("This account may give back only {left} cents more of this operation now."), Some(left)),
            Why::MoreThanWasPaid { paid } => return_refused(Reason::MoreThanWasPaid, format!("The field `amount` is more than the {paid} cents that were paid."), Some(paid)),
        }
    }
}

/// A return that cannot be recorded, with the largest amount that can if the amount is the reason.
fn return_refused(
    reason: ReturnRefusalReason,
    detail: impl Into<Cow<'static, str>>,
    largest: Option<u64>,
) -> Problem {
    Problem::new(Kind::ReturnRefused, detail).carrying(&ReturnRefused {
        reason,
        left: largest.map(Cents::new),
        field: largest.map(|_| "amount".to_owned()),
    })
}

#[rustfmt::skip]
impl From<ReturnEndError> for Problem {
    fn from(refusal: ReturnEndError) -> Self {
        use ReturnEndError as Why;
        match refusal {
            Why::NotFound => Self::not_found(),
            Why::SamePerson => Self::new(Kind::SecondPerson, "It takes a second member of staff with the permission to refund."),
            Why::Ended(state) => with_state(Kind::ReturnEnded, "Somebody said already what became of this return, and that stays.", Some(state)),
        }
    }
}

impl From<ReleaseError> for Failure {
    fn from(error: ReleaseError) -> Self {
        use ReleaseError as Why;
        let problem = match error {
            Why::Database(error) => return error.into(),
            Why::Unknown(unknown) => unknown.into(),
            Why::StateNotKnown(error) => state_not_known(&error),
            Why::Refund(refusal) => refusal.into(),
            Why::Reversal(refusal) => refusal.into(),
        };
        problem.into()
    }
}

#[rustfmt::skip]
impl From<AttemptReleaseError> for Problem {
    fn from(refusal: AttemptReleaseError) -> Self {
        use AttemptReleaseError as Why;
        match refusal {
            Why::NotFound => Self::not_found(),
            Why::SamePerson => Self::new(Kind::SecondPerson, "Somebody else than who asked for the refund, or for its release, must release it."),
            Why::SecondPerson => Self::new(Kind::SecondPerson, "A program of the shop asked for the refund. Your request is on record; somebody else must release it too."),
            Why::TooEarly => Self::new(Kind::NotInDoubt, "The payment service may still carry this refund out; try again in a few minutes."),
            Why::NotInDoubt(state) => {
                let detail = match state {
                    AttemptState::Registered => "The payment service has this refund; it is not in doubt.",
                    AttemptState::Sending => "This refund is still on its way; try again.",
                    _ => "This refund is not in doubt.",
                };
                with_state(Kind::NotInDoubt, detail, Some(state))
            }
        }
    }
}

#[rustfmt::skip]
impl From<ReversalReleaseError> for Problem {
    fn from(refusal: ReversalReleaseError) -> Self {
        use ReversalReleaseError as Why;
        match refusal {
            Why::NotFound => Self::not_found(),
            Why::SamePerson => Self::new(Kind::SecondPerson, "Somebody else than who asked for the reversal must release it."),
            Why::SecondPerson => Self::new(Kind::SecondPerson, "Your request is on record; somebody else must release it too, since that announces the payment."),
            Why::TooEarly => Self::new(Kind::NotInDoubt, "The payment service may still carry this reversal out; try again in a few minutes."),
            Why::NotInDoubt(state) => with_state(Kind::NotInDoubt, "It is known what became of this reversal, or it is on its way.", Some(state)),
        }
    }
}

fn with_state<S: Serialize>(kind: Kind, detail: &'static str, state: Option<S>) -> Problem {
    Problem::new(kind, detail).carrying(&CurrentState { state })
}

/// The server could not query the operation's state, and did nothing else.
pub(super) fn state_not_known(error: &ServiceError) -> Problem {
    service_failed(error, "Its state is not known now, so nothing was done")
}

/// The server sent a request, which was refused or has an unknown outcome.
#[rustfmt::skip]
fn unconfirmed(error: &ServiceError) -> Problem {
    use ServiceError as Why;
    match error {
        Why::Refused { .. } | Why::Unauthorized | Why::Unreached | Why::NotSent(_) => service_failed(error, "The operation is as it was"),
        _ => Problem::new(Kind::CancelUnconfirmed, "The request was sent, but the payment service did not confirm it; ask for the state before doing anything else.").retry_after(UNKNOWN_RETRY_AFTER),
    }
}

/// A failure of the service before anything changed, and what it means for the operation.
#[rustfmt::skip]
fn service_failed(error: &ServiceError, meaning: &str) -> Problem {
    let problem = match error {
        ServiceError::Unauthorized => Problem::new(Kind::ServiceToken, format!("The payment service does not accept this server's access token. {meaning}; whoever runs the server must renew PAYMENT_TOKEN.")).retry_after(TOKEN_RETRY_AFTER),
        ServiceError::Refused { status, messages } => Problem::new(Kind::ServiceRefused, format!("The payment service refused with status {status}. {meaning}.")).carrying(&ServiceRefused { service_status: *status, messages: messages.clone() }),
        _ => Problem::new(Kind::ServiceUnavailable, format!("The payment service gave no usable answer ({error}). {meaning}; try again.")).retry_after(error.retry_after().unwrap_or(UNKNOWN_RETRY_AFTER)),
    };
    problem.money(ProblemMoney::NothingCharged)
}
