//! What staff are told when the payment service is the trouble: more than payers, since they
//! can do something about it.

use super::query::QueryError;
use crate::db::DbError;
use crate::http::problem::{Problem, ProblemKind};
use crate::service::ServiceError;

/// The state could not be asked for, so nothing else was done.
pub(crate) fn not_known<T>(error: QueryError) -> Result<Result<T, Problem>, DbError> {
    match error {
        QueryError::Store(error) => Err(error),
        QueryError::Service(error) => Ok(Err(trouble(
            &error,
            "Its state is not known now, so nothing was done",
        ))),
        QueryError::GivenUp => Ok(Err(trouble(
            &ServiceError::Timeout,
            "Its state is not known now, so nothing was done",
        ))),
    }
}

/// Something was sent, and what came of it is unknown, or it was refused.
pub(crate) fn unconfirmed(error: &ServiceError) -> Problem {
    match error {
        ServiceError::Refused { .. }
        | ServiceError::Unauthorized
        | ServiceError::NotSent(_) => trouble(error, "The operation is as it was"),
        _ => Problem::new(
            ProblemKind::CancelUnconfirmed,
            "The request was sent, but the payment service did not confirm it; ask for the state before doing anything else.",
        )
        .retry_after(2),
    }
}

/// A failure of the service, with what it means.
fn trouble(error: &ServiceError, meaning: &str) -> Problem {
    match error {
        ServiceError::Unauthorized => Problem::new(
            ProblemKind::ServiceToken,
            format!("The payment service does not accept this server's access token. {meaning}; whoever runs the server must renew PAYMENT_TOKEN."),
        )
        .retry_after(30),
        ServiceError::Refused { status, messages } => Problem::new(
            ProblemKind::ServiceRefused,
            format!("The payment service refused with status {status}. {meaning}."),
        )
        .with("service_status", *status)
        .with("messages", serde_json::to_value(messages).unwrap_or_default()),
        _ => {
            let seconds = error.retry_after().map_or(2, |wait| wait.as_secs().max(1));
            let detail = format!("The payment service gave no usable answer ({error}). {meaning}; try again.");
            Problem::new(ProblemKind::ServiceUnavailable, detail).retry_after(seconds)
        }
    }
}
