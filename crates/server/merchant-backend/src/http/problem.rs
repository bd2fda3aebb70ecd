//! Refusals as `application/problem+json` (RFC 9457) with a stable `type`, and failures whose cause is
//! only logged.

mod kind;

pub(crate) use kind::ProblemKind;

use crate::db::DbError;
use crate::orders::RegisterError;
use crate::random::NoRandomness;
use crate::trace;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::response::{IntoResponse, Response};
use payment_model::{Fields, ProblemMoney};
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;
use std::fmt::Display;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// An answer that names the error and the remedy.
#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    kind: ProblemKind,
    detail: Cow<'static, str>,
    money: ProblemMoney,
    retry_after: Option<Duration>,
    members: Fields,
}

impl Problem {
    pub(crate) fn new(kind: ProblemKind, detail: impl Into<Cow<'static, str>>) -> Self {
        Self {
            kind,
            detail: detail.into(),
            money: kind.money(),
            retry_after: None,
            members: Fields::new(),
        }
    }

    /// The problem of an address that leads nowhere.
    pub(super) fn nothing_here() -> Self {
        Self::new(ProblemKind::NotFound, "There is nothing at this address.")
    }

    /// The problem of a method that an address does not have; the header `Allow` lists those that it has.
    pub(super) fn wrong_method() -> Self {
        let detail = "Use a method that the header Allow lists.";
        Self::new(ProblemKind::MethodNotAllowed, detail)
    }

    /// The problem of a request that cannot be read. The detail says what to send instead.
    pub fn bad_request(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ProblemKind::BadRequest, detail)
    }

    /// The answer for a thing that is unknown, or belongs to another session or account.
    #[must_use]
    pub fn not_found() -> Self {
        Self::new(
            ProblemKind::NotFound,
            "There is nothing here for this session.",
        )
    }

    /// The answer to a payer whose order or operation is not known. A server that was restored from a backup may lack
    /// one that is paid.
    pub(super) fn not_known() -> Self {
        Self::not_found().money(ProblemMoney::Unknown)
    }

    /// True for a problem of this kind.
    pub(crate) fn is(&self, kind: ProblemKind) -> bool {
        self.kind == kind
    }

    /// Says what is known of the money, where that is not what problems of this kind usually say.
    pub(crate) fn money(mut self, money: ProblemMoney) -> Self {
        self.money = money;
        self
    }

    /// Adds how long to wait before a repetition.
    pub(crate) fn retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }

    /// Adds a member to the body.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.members.insert(name.to_owned(), value.into());
        self
    }

    /// Adds the members that problems of its kind have.
    pub(crate) fn carrying(mut self, members: &impl Serialize) -> Self {
        if let Ok(Value::Object(members)) = serde_json::to_value(members) {
            self.members.extend(members);
        }
        self
    }

    /// The last part of the `type`.
    pub(crate) fn word(&self) -> &'static str {
        self.kind.uri().rsplit(':').next().unwrap_or_default()
    }

    /// The JSON body.
    pub(crate) fn body(&self) -> Value {
        let mut body = Fields::new();
        body.insert("type".to_owned(), self.kind.uri().into());
        body.insert("title".to_owned(), self.kind.title().into());
        body.insert("status".to_owned(), self.kind.status().as_u16().into());
        body.insert("detail".to_owned(), self.detail.as_ref().into());
        body.insert("money".to_owned(), self.money.as_str().into());
        body.extend(trace::current().map(|trace| ("trace_id".to_owned(), trace.id().into())));
        body.extend(self.members.clone());
        Value::Object(body)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = self.body().to_string();
        let mut response = (self.kind.status(), body).into_response();
        let headers = response.headers_mut();
        let json = HeaderValue::from_static("application/problem+json");
        headers.insert(CONTENT_TYPE, json);
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if self.kind == ProblemKind::ApiKeyRequired {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(wait) = self.retry_after {
            // Rounded up to whole seconds: a client that asks too early is refused again.
            let seconds = wait.as_millis().div_ceil(1000).max(1);
            let seconds = u64::try_from(seconds).unwrap_or(u64::MAX);
            headers.insert(RETRY_AFTER, seconds.into());
        }
        response
    }
}

const DATABASE_RETRY_AFTER: Duration = Duration::from_secs(2);

/// The shortest time between two messages in the log that the database is away.
const DATABASE_LOG_INTERVAL: Duration = Duration::from_secs(10);

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
        if error == DbError::Changing {
            tracing::error!(%error, "a request failed");
            let detail = "The payment changes at this moment; nothing is known to be lost. Repeat the request.";
            let problem = Problem::new(ProblemKind::NotReady, detail);
            return Self::Problem(problem.retry_after(DATABASE_RETRY_AFTER));
        }
        if let DbError::Later(_) = &error {
            tracing::error!(alert = true, %error, "this server cannot change a payment");
            let detail = "A server of a later version takes care of this payment; nothing is known to be lost. Repeat the request.";
            let problem = Problem::new(ProblemKind::NotReady, detail);
            return Self::Problem(problem.retry_after(DATABASE_RETRY_AFTER));
        }
        if error.is_away() {
            log_database_away(&error);
            return Self::DatabaseAway;
        }
        tracing::error!(%error, "a request failed");
        Self::Internal
    }
}

impl From<RegisterError> for Failure {
    fn from(error: RegisterError) -> Self {
        if let RegisterError::DatabaseAway(_) = &error {
            log_database_away(&error);
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
                    .retry_after(DATABASE_RETRY_AFTER)
                    .into_response()
            }
        }
    }
}

fn log_database_away(error: &impl Display) {
    static LOGGED_AT: Mutex<Option<Instant>> = Mutex::new(None);
    let mut logged_at = LOGGED_AT.lock().unwrap_or_else(PoisonError::into_inner);
    if logged_at.is_none_or(|at| at.elapsed() >= DATABASE_LOG_INTERVAL) {
        *logged_at = Some(Instant::now());
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

#[cfg(test)]
mod tests;
