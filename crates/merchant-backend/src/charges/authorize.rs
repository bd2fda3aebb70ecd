//! An attempt to pay an order: at most one live operation, one answer for each key.

use super::Charges;
use super::retries::Tries;
use super::send_authorization::Sent;
use crate::clock::moment;
use crate::db::{Attempt, DbError, Ending, Reservation, Standing};
use crate::domain::operation::OperationRecord;
use crate::domain::order::Order;
use crate::http::problem::{Problem, ProblemKind};
use crate::wakeups::Topic;
use payment_model::{AuthorizeResponse, PaymentMethodName};
use serde_json::{Value, json};
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
    Store(DbError),
}

impl From<DbError> for Stop {
    fn from(error: DbError) -> Self {
        Self::Store(error)
    }
}

impl From<Problem> for Stop {
    fn from(problem: Problem) -> Self {
        Self::Answer(problem.into())
    }
}

impl Charges {
    /// Runs an attempt, or answers with what its key was answered before. Run this as a task of
    /// its own: it must not end with the request that began it.
    pub(crate) async fn authorize(&self, wanted: AuthorizeOrder) -> Result<Authorization, DbError> {
        let attempt = &wanted.attempt;
        let deadline = Instant::now() + self.settings.pace.key_wait;
        let topic = Topic::Attempt(attempt.session_hash.clone(), attempt.key.clone());
        let mut wakeup = self.wakeups.subscribe(topic.clone());
        loop {
            match self
                .db
                .claim(attempt, moment(), self.settings.pace.lease())
                .await?
            {
                Standing::Claimed => break,
                Standing::Running if Instant::now() >= deadline => return Ok(running().into()),
                Standing::Running => wakeup.wait(until(deadline)).await,
                Standing::Refused(status, body) => return Ok(Authorization::Kept(status, body)),
                Standing::Other => {
                    let detail = "This Idempotency-Key was used for another order, method or redirect_url; use a new key for a new attempt.";
                    return Ok(Problem::new(ProblemKind::KeyReused, detail).into());
                }
                Standing::Answered(key) => {
                    let record = self.db.operation(&key).await?;
                    let answer = record.and_then(|record| record.answer);
                    return answer
                        .map(|answer| Authorization::Operation(Box::new(answer)))
                        .ok_or_else(|| DbError::missing("the answer of an attempt"));
                }
            }
        }
        let outcome = self.attempt_payment(&wanted, deadline).await;
        let answered = matches!(
            &outcome,
            Err(Stop::Answer(
                Authorization::Operation(_) | Authorization::Kept(..)
            ))
        );
        if !answered && let Err(error) = self.db.end(attempt, None).await {
            // The lease frees it all the same.
            tracing::error!(%error, "an attempt could not be freed");
        }
        self.wakeups.wake(&topic);
        match outcome {
            Err(Stop::Answer(answer)) => Ok(answer),
            Err(Stop::Store(error)) => Err(error),
            Ok(never) => match never {},
        }
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

impl Charges {
    /// Goes on until there is an answer; hence no other end than by an error.
    async fn attempt_payment(
        &self,
        wanted: &AuthorizeOrder,
        deadline: Instant,
    ) -> Result<Infallible, Stop> {
        let mut tries = Tries::new(self.settings.pace.payment_timeout / 2);
        loop {
            let draft = self.draft(wanted).map_err(DbError::missing)?;
            match self.db.reserve(&draft.record).await? {
                Reservation::NumberTaken => {}
                Reservation::Paid(record) => return Err(order_paid(&record).into()),
                Reservation::Live(record) => self.meet_live(wanted, *record, deadline).await?,
                Reservation::GivenBack(record) => {
                    return Err(self.tell_given_back(wanted, &record).await?);
                }
                Reservation::TooMany => return Err(self.too_many(wanted).await?),
                Reservation::Reserved => {
                    match self.send_authorization(draft, &wanted.attempt).await? {
                        Sent::Answered(record) => {
                            let answer =
                                record.answer.ok_or_else(|| DbError::missing("an answer"))?;
                            return Err(Stop::Answer(Authorization::Operation(Box::new(answer))));
                        }
                        Sent::Refused(problem) => {
                            let status = problem.kind().status().as_u16();
                            return Err(Stop::Answer(Authorization::Kept(status, problem.body())));
                        }
                        Sent::Taken(problem) => tries.with_another_number(problem)?,
                        Sent::Doubtful(error) | Sent::Locked(error) => tries.again(&error)?,
                    }
                }
            }
        }
    }

    /// Somebody tries without end: every operation is a row for good and a request to the service. The
    /// payer reads in the own language what to do instead.
    async fn too_many(&self, wanted: &AuthorizeOrder) -> Result<Stop, DbError> {
        let detail = "This order was tried as often as an order can be; make a new order.";
        let message = |locale: &str, value: &str| json!({"locale": locale, "value": value});
        let messages = json!([
            message(
                "es_PE",
                "Este pedido ya se intentó pagar demasiadas veces. Vuelve a la tienda y haz un pedido nuevo."
            ),
            message(
                "en_US",
                "This order was tried too many times. Go back to the shop and make a new order."
            ),
            message(
                "pt_BR",
                "Este pedido já foi tentado vezes demais. Volte à loja e faça um novo pedido."
            ),
        ]);
        let problem =
            Problem::new(ProblemKind::TooManyOperations, detail).with("messages", messages);
        let (status, body) = (problem.kind().status().as_u16(), problem.body());
        let ending = Ending::Problem(status, body.clone());
        self.db.end(&wanted.attempt, Some(ending)).await?;
        Ok(Stop::Answer(Authorization::Kept(status, body)))
    }
}

/// The answer to whoever wants to pay a paid order, with the numbers of what paid it.
pub(crate) fn order_paid(record: &OperationRecord) -> Problem {
    let detail = "This order is paid; there is nothing more to pay.";
    numbered(Problem::new(ProblemKind::OrderPaid, detail), record)
}

/// A problem with the numbers of the operation that it is about.
pub(super) fn numbered(problem: Problem, record: &OperationRecord) -> Problem {
    let id = record.transaction_id().map(|id| id.as_str());
    problem
        .with("merchant_code", record.key.merchant_code.as_str())
        .with("merchant_operation_number", record.key.number.as_str())
        .with("transaction_id", id)
}
