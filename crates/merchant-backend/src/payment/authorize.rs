//! An attempt to pay an order: at most one live operation, one answer for each key.

use super::live::meet;
use super::send::{Draft, Sent};
use crate::backend::Backend;
use crate::clock::now;
use crate::operation::OperationRecord;
use crate::order::Order;
use crate::problem::{Problem, ProblemKind};
use crate::service::ServiceError;
use crate::store::{Attempt, Reservation, Standing, StoreError};
use crate::wakeups::Topic;
use payment_model::{AuthorizeResponse, PaymentMethodName};
use serde_json::Value;
use std::convert::Infallible;
use std::time::Duration;
use tokio::time::Instant;
use url::Url;

/// How a payer wants to pay, with what that needs from the browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Method {
    Qr,
    Installment {
        redirect_url: Url,
    },
    /// Any other one, whose details are the merchant's setting.
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

    /// Where the payer comes back to.
    pub(crate) fn redirect_url(&self) -> Option<&Url> {
        match self {
            Self::Qr => None,
            Self::Installment { redirect_url } => Some(redirect_url),
            Self::Other { redirect_url, .. } => redirect_url.as_ref(),
        }
    }
}

/// What a payer's browser asks for, checked.
pub(crate) struct AuthorizeOrder {
    pub(crate) order: Order,
    pub(crate) attempt: Attempt,
    pub(crate) method: Method,
}

/// The answer to an attempt.
pub(crate) enum Authorization {
    /// The operation to pay, as the service first answered.
    Operation(Box<AuthorizeResponse>),
    /// A problem that is this key's answer for good: status and body.
    Kept(u16, Value),
    /// Anything else that is wrong.
    Problem(Problem),
}

impl From<Problem> for Authorization {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

/// Why an attempt cannot go on: an answer, or the store itself.
pub(super) enum Stop {
    Answer(Authorization),
    Store(StoreError),
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<Problem> for Stop {
    fn from(problem: Problem) -> Self {
        Self::Answer(problem.into())
    }
}

/// Runs an attempt, or answers with what its key was answered before. Run this as a task of
/// its own: it must not end with the request that began it.
pub(crate) async fn authorize(
    backend: &Backend,
    wanted: AuthorizeOrder,
) -> Result<Authorization, StoreError> {
    let attempt = &wanted.attempt;
    let deadline = Instant::now() + backend.config.pace.key_wait;
    let topic = Topic::Attempt(attempt.session_hash.clone(), attempt.key.clone());
    let mut wakeup = backend.wakeups.subscribe(topic.clone());
    loop {
        match backend.store.claim(attempt, now(), backend.lease()).await? {
            Standing::Claimed => break,
            Standing::Running if Instant::now() >= deadline => return Ok(running().into()),
            Standing::Running => wakeup.wait(until(deadline)).await,
            Standing::Refused(status, body) => return Ok(Authorization::Kept(status, body)),
            Standing::Other => {
                let detail = "This Idempotency-Key was used for another order, method or redirect_url; use a new key for a new attempt.";
                return Ok(Problem::new(ProblemKind::KeyReused, detail).into());
            }
            Standing::Answered(key) => {
                let record = backend.store.operation(&key).await?;
                let answer = record.and_then(|record| record.answer);
                return answer
                    .map(|answer| Authorization::Operation(Box::new(answer)))
                    .ok_or_else(|| StoreError::missing("the answer of an attempt"));
            }
        }
    }
    let outcome = attempt_payment(backend, &wanted, deadline).await;
    let answered = matches!(
        &outcome,
        Err(Stop::Answer(
            Authorization::Operation(_) | Authorization::Kept(..)
        ))
    );
    if !answered && let Err(error) = backend.store.end(attempt, None).await {
        // The lease frees it all the same.
        tracing::error!(%error, "an attempt could not be freed");
    }
    backend.wakeups.wake(&topic);
    match outcome {
        Err(Stop::Answer(answer)) => Ok(answer),
        Err(Stop::Store(error)) => Err(error),
        Ok(never) => match never {},
    }
}

pub(super) fn until(deadline: Instant) -> Duration {
    // Another node's end of the attempt wakes nobody here; a second is soon enough.
    deadline
        .saturating_duration_since(Instant::now())
        .min(Duration::from_secs(1))
}

pub(super) fn running() -> Problem {
    let detail =
        "This attempt is still being worked on; repeat the request with the same Idempotency-Key.";
    Problem::new(ProblemKind::RequestRunning, detail).retry_after(1)
}

/// Goes on until there is an answer; hence no other end than by an error.
async fn attempt_payment(
    backend: &Backend,
    wanted: &AuthorizeOrder,
    deadline: Instant,
) -> Result<Infallible, Stop> {
    let mut tries = Tries::new(backend);
    loop {
        let draft = Draft::new(backend, wanted).map_err(StoreError::missing)?;
        match backend.store.reserve(&draft.record).await? {
            Reservation::NumberTaken => {}
            Reservation::Paid(record) => return Err(order_paid(&record).into()),
            Reservation::Live(record) => meet(backend, wanted, *record, deadline).await?,
            Reservation::Reserved => match draft.send(backend, &wanted.attempt).await? {
                Sent::Answered(record) => {
                    let answer = record
                        .answer
                        .ok_or_else(|| StoreError::missing("an answer"))?;
                    return Err(Stop::Answer(Authorization::Operation(Box::new(answer))));
                }
                Sent::Refused(problem) => {
                    let status = problem.kind().status().as_u16();
                    return Err(Stop::Answer(Authorization::Kept(status, problem.body())));
                }
                Sent::Doubtful(error) | Sent::Locked(error) => tries.again(&error)?,
            },
        }
    }
}

/// The requests of one attempt: a second one with a fresh number follows a quick failure, so
/// that a hiccup costs the payer nothing; after that the browser repeats its request.
struct Tries {
    made: u32,
    begun: Instant,
    patience: Duration,
}

impl Tries {
    fn new(backend: &Backend) -> Self {
        let patience = backend.config.pace.payment_timeout / 2;
        Self {
            made: 0,
            begun: Instant::now(),
            patience,
        }
    }

    fn again(&mut self, error: &ServiceError) -> Result<(), Problem> {
        self.made += 1;
        let wait = error.retry_after();
        if self.made < 2 && wait.is_none() && self.begun.elapsed() < self.patience {
            return Ok(());
        }
        Err(unavailable(wait))
    }
}

pub(super) fn unavailable(retry_after: Option<Duration>) -> Problem {
    let detail = "The payment service gave no usable answer and nothing was charged; repeat the request with the same Idempotency-Key.";
    let seconds = retry_after.map_or(1, |wait| wait.as_secs().max(1));
    Problem::new(ProblemKind::ServiceUnavailable, detail).retry_after(seconds)
}

/// The answer to whoever wants to pay a paid order, with the numbers of what paid it.
pub(crate) fn order_paid(record: &OperationRecord) -> Problem {
    let id = record.transaction_id().map(|id| id.as_str());
    Problem::new(
        ProblemKind::OrderPaid,
        "This order is paid; there is nothing more to pay.",
    )
    .with("merchant_code", record.key.merchant_code.as_str())
    .with("merchant_operation_number", record.key.number.as_str())
    .with("transaction_id", id)
}
