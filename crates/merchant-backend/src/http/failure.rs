use super::problem::{Problem, ProblemKind};
use crate::db::DbError;
use crate::orders::RegisterError;
use crate::random::NoRandomness;
use axum::response::{IntoResponse, Response};
use std::time::Duration;

/// The failure of a handler: a problem for the browser, or a failure whose cause goes only to the
/// log.
#[derive(Debug)]
pub enum Failure {
    /// The request cannot be answered; the problem says why.
    Problem(Problem),
    /// The server failed.
    Internal,
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl From<DbError> for Failure {
    fn from(error: DbError) -> Self {
        tracing::error!(%error, "a request failed");
        Self::Internal
    }
}

impl From<RegisterError> for Failure {
    /// The payer caused none of these.
    fn from(error: RegisterError) -> Self {
        tracing::error!(%error, "an order was not registered");
        Self::Internal
    }
}

impl From<NoRandomness> for Failure {
    fn from(error: NoRandomness) -> Self {
        tracing::error!(%error, "a request failed");
        Self::Internal
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        match self {
            Self::Problem(problem) => problem.into_response(),
            Self::Internal => internal(),
        }
    }
}

/// The answer after a failure of the server.
pub(super) fn internal() -> Response {
    let detail = "Something broke on the server; nothing is known to be lost. Repeat the request.";
    Problem::new(ProblemKind::Internal, detail)
        .retry_after(Duration::from_secs(1))
        .into_response()
}
