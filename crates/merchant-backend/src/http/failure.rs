use super::problem::{Problem, ProblemKind};
use crate::db::DbError;
use crate::orders::RegisterError;
use crate::random::NoRandomness;
use axum::response::{IntoResponse, Response};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// When to ask again while the database is away.
const AWAY: Duration = Duration::from_secs(2);

/// How often the log says that the database is away, however many ask.
const NOTED: Duration = Duration::from_secs(10);

/// The failure of a handler: a problem for the browser, or a failure whose cause goes only to the
/// log.
#[derive(Debug)]
pub enum Failure {
    /// The request cannot be answered; the problem says why.
    Problem(Problem),
    /// The server failed.
    Internal,
    /// The database does not answer, or cannot do it now.
    DatabaseAway,
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl From<DbError> for Failure {
    fn from(error: DbError) -> Self {
        if error.is_away() {
            note_absence(&error);
            return Self::DatabaseAway;
        }
        tracing::error!(%error, "a request failed");
        Self::Internal
    }
}

impl From<RegisterError> for Failure {
    /// The payer caused none of these.
    fn from(error: RegisterError) -> Self {
        if let RegisterError::DatabaseAway(_) = &error {
            note_absence(&error);
            return Self::DatabaseAway;
        }
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
            Self::DatabaseAway => {
                let detail = "The database does not answer now; nothing is known to be lost. Repeat the request.";
                Problem::new(ProblemKind::NotReady, detail)
                    .retry_after(AWAY)
                    .into_response()
            }
        }
    }
}

fn note_absence(error: &impl std::fmt::Display) {
    static NOTED_AT: Mutex<Option<Instant>> = Mutex::new(None);
    let mut noted_at = NOTED_AT.lock().unwrap_or_else(PoisonError::into_inner);
    if noted_at.is_none_or(|at| at.elapsed() >= NOTED) {
        *noted_at = Some(Instant::now());
        tracing::error!(%error, "requests fail, since the database cannot carry them out now");
    }
}

/// The answer after a failure of the server.
pub(super) fn internal() -> Response {
    let detail = "Something broke on the server; nothing is known to be lost. Repeat the request.";
    Problem::new(ProblemKind::Internal, detail)
        .retry_after(Duration::from_secs(1))
        .into_response()
}
