//! Problems of refunds, returns and releases in answers to staff.

use super::problems::not_known;
use crate::http::failure::Failure;
use crate::http::problem::{Problem, ProblemKind};
use crate::payments::{RefundError, RefundsUnknownError, ReleaseError};
use payment_model::Cents;
use payment_rules::ledger::{
    ReleaseRefusal, ReturnEndRefusal, ReturnRefusal, ReversalReleaseRefusal,
};
use staff_model::{AttemptState, RefundsRefused, ReturnRefusalReason, ReturnRefused, Standing};
use std::time::Duration;

impl From<RefundError> for Failure {
    fn from(why: RefundError) -> Self {
        let problem = match why {
            RefundError::Database(error) => return error.into(),
            RefundError::KeyReused => {
                let detail = "This Idempotency-Key was used for another request; use a new key for a new request.";
                Problem::new(ProblemKind::KeyReused, detail)
            }
            RefundError::Running => {
                let detail = "This request is still being worked on; repeat it with the same Idempotency-Key.";
                Problem::new(ProblemKind::RequestRunning, detail)
                    .retry_after(Duration::from_secs(1))
            }
            RefundError::Rules(errors) => {
                let detail = "No refund was sent, because at least one of them breaks a rule; `errors` has each with its reason.";
                Problem::new(ProblemKind::RefundRefused, detail)
                    .carrying(&RefundsRefused { errors })
            }
            RefundError::Unknown(unknown) => unknown.into(),
            RefundError::NotFound => Problem::not_found(),
            RefundError::Restored => {
                let detail = "The server was restored from a backup, and this operation is older: compare it with the payment service, and resolve its exception `restored` first.";
                Problem::new(ProblemKind::ReturnRefused, detail).carrying(&ReturnRefused {
                    reason: ReturnRefusalReason::Restored,
                    left: None,
                    field: None,
                })
            }
            RefundError::Return(refusal) => return_refused(refusal),
        };
        problem.into()
    }
}

/// When to ask again about something that is not known only for a moment.
const SOON: Duration = Duration::from_secs(2);

impl From<RefundsUnknownError> for Problem {
    fn from(unknown: RefundsUnknownError) -> Self {
        let (detail, wait) = match unknown {
            RefundsUnknownError::TokenRejected => {
                let detail = "The payment service does not accept this server's access token, so nothing was done; whoever runs the server must renew PAYMENT_TOKEN.";
                return Self::new(ProblemKind::ServiceToken, detail).retry_after(Duration::from_secs(30));
            }
            RefundsUnknownError::UnderWay => (
                "Other refunds of the same operations are under way, so nothing was sent; try again."
                    .to_owned(),
                SOON,
            ),
            RefundsUnknownError::SettlementUnknown => (
                "The payment service did not say whether the operation is settled, so nothing was sent; try again."
                    .to_owned(),
                SOON,
            ),
            RefundsUnknownError::StateUnknown(key, wait) => {
                let number = key.number.as_str();
                (
                    format!(
                        "The payment service did not say whether operation {number} is still paid, so nothing was recorded; try again. A return that was made already is recorded with `already_made`."
                    ),
                    wait,
                )
            }
            RefundsUnknownError::Incomplete(key) => {
                let number = key.number.as_str();
                (
                    format!(
                        "The payment service's list of the refunds of operation {number} is not complete, so nothing was done; try again."
                    ),
                    SOON,
                )
            }
            RefundsUnknownError::NotListed(key, wait) => {
                let number = key.number.as_str();
                (
                    format!(
                        "The refunds of operation {number} could not be looked up at the payment service, so nothing was done; try again."
                    ),
                    wait,
                )
            }
        };
        Self::new(ProblemKind::RefundsUnknown, detail).retry_after(wait)
    }
}

fn return_refused(refusal: ReturnRefusal) -> Problem {
    let (reason, detail) = match refusal {
        ReturnRefusal::NotPaid => (
            ReturnRefusalReason::NotPaid,
            "This operation is not paid, so there is nothing to give back.".to_owned(),
        ),
        ReturnRefusal::Refundable => (
            ReturnRefusalReason::Refundable,
            "The payment service refunds this operation once it is settled; use a refund, or reverse it before.".to_owned(),
        ),
        ReturnRefusal::BeingReversed => (
            ReturnRefusalReason::BeingReversed,
            "The payment may be on its way back by a reversal, so nothing else may be given back now.".to_owned(),
        ),
        ReturnRefusal::Disputed => (
            ReturnRefusalReason::Disputed,
            "The payment service's answers disagree about this payment, so nothing may be given back before it is known what is true.".to_owned(),
        ),
        ReturnRefusal::NothingAskedFor => (
            ReturnRefusalReason::Amount,
            "The field `amount` must be more than zero.".to_owned(),
        ),
        ReturnRefusal::MoreThanIsLeft { left } => (
            ReturnRefusalReason::MoreThanIsLeft,
            format!("The field `amount` is more than the {left} cents that were paid and not given back."),
        ),
        ReturnRefusal::OverLimit { left } => (
            ReturnRefusalReason::OverLimit,
            format!("This account may give back only {left} cents more of this operation now."),
        ),
        ReturnRefusal::MoreThanWasPaid { paid } => (
            ReturnRefusalReason::MoreThanWasPaid,
            format!("The field `amount` is more than the {paid} cents that were paid."),
        ),
    };
    let left = match refusal {
        ReturnRefusal::MoreThanIsLeft { left } | ReturnRefusal::OverLimit { left } => Some(left),
        ReturnRefusal::MoreThanWasPaid { paid } => Some(paid),
        _ => None,
    };
    Problem::new(ProblemKind::ReturnRefused, detail).carrying(&ReturnRefused {
        reason,
        left: left.map(Cents::new),
        field: left.map(|_| "amount".to_owned()),
    })
}

impl From<ReleaseError> for Failure {
    fn from(why: ReleaseError) -> Self {
        let problem = match why {
            ReleaseError::Database(error) => return error.into(),
            ReleaseError::Unknown(unknown) => unknown.into(),
            ReleaseError::StateNotKnown(error) => not_known(&error),
            ReleaseError::Refund(refusal) => refund_not_released(refusal),
            ReleaseError::Reversal(refusal) => reversal_not_released(refusal),
        };
        problem.into()
    }
}

fn refund_not_released(refusal: ReleaseRefusal) -> Problem {
    match refusal {
        ReleaseRefusal::NotFound => Problem::not_found(),
        ReleaseRefusal::SamePerson => Problem::new(
            ProblemKind::SecondPerson,
            "Somebody else than who asked for the refund must release it.",
        ),
        ReleaseRefusal::NotInDoubt(state) => {
            let detail = match state {
                AttemptState::Registered => {
                    "The payment service has this refund; it is not in doubt."
                }
                AttemptState::Sending => "This refund is still on its way; try again.",
                _ => "This refund is not in doubt.",
            };
            Problem::new(ProblemKind::NotInDoubt, detail).carrying(&Standing { state: Some(state) })
        }
    }
}

fn reversal_not_released(refusal: ReversalReleaseRefusal) -> Problem {
    match refusal {
        ReversalReleaseRefusal::NotFound => Problem::not_found(),
        ReversalReleaseRefusal::SamePerson => Problem::new(
            ProblemKind::SecondPerson,
            "Somebody else than who asked for the reversal must release it.",
        ),
        ReversalReleaseRefusal::SecondPerson => Problem::new(
            ProblemKind::SecondPerson,
            "Your request is on record; somebody else must release it too, since that announces the payment.",
        ),
        ReversalReleaseRefusal::TooEarly => Problem::new(
            ProblemKind::NotInDoubt,
            "The payment service may still carry this reversal out; try again in a few minutes.",
        ),
        ReversalReleaseRefusal::NotInDoubt(state) => Problem::new(
            ProblemKind::NotInDoubt,
            "It is known what became of this reversal, or it is on its way.",
        )
        .carrying(&Standing { state: Some(state) }),
    }
}

impl From<ReturnEndRefusal> for Problem {
    fn from(why: ReturnEndRefusal) -> Self {
        match why {
            ReturnEndRefusal::NotFound => Self::not_found(),
            ReturnEndRefusal::SamePerson => Self::new(
                ProblemKind::SecondPerson,
                "It takes a second member of staff with the permission to refund.",
            ),
            ReturnEndRefusal::Ended(state) => {
                let detail = "Somebody said already what became of this return, and that stays.";
                Self::new(ProblemKind::ReturnEnded, detail)
                    .carrying(&Standing { state: Some(state) })
            }
        }
    }
}
