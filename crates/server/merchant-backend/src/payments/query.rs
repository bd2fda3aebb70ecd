//! Asks the service for the state of an operation and stores the answer. All callers at the same time
//! share one query, and two queries are never closer than the interval.

use super::{DEFAULT_RETRY_AFTER, Payments};
use crate::clock::{now, reading};
use crate::db::{DbError, Turn};
use crate::payment_service::{ServiceError, Urgency, note_failure};
use crate::send_window::SendWindow;
use crate::single_flight::{Fetch, Fetched, Freshness, InFlight, fetch_shared};
use payment_model::Timestamp;
use payment_rules::operation::{OperationKey, OperationRecord, Phase, QuestionContext, Verdict};
use payment_rules::payment::{OperationAnswer, Payment};
use std::time::Duration;

/// The result of a query.
#[derive(Debug, Clone)]
pub(crate) struct Queried {
    pub(crate) record: OperationRecord,
    /// The outcome of the answer; `None` when a stored result was new enough.
    pub(crate) taken: Option<Verdict>,
    /// The send window of a request that rests on the result.
    pub(crate) window: SendWindow,
}

impl Queried {
    /// True when a new answer confirms the stored state, and no other one disagrees: only then may
    /// money leave that rests on the state.
    pub(crate) fn is_confirmed(&self) -> bool {
        self.taken == Some(Verdict::Believed) && !self.record.is_disputed()
    }

    /// True when a notification came after the query had begun.
    fn is_overtaken(&self) -> bool {
        self.taken.is_some_and(Verdict::is_believed) && self.record.hinted_at.is_some()
    }
}

/// Why a query brought nothing.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum QueryError {
    #[error(transparent)]
    Service(#[from] ServiceError),
    #[error(transparent)]
    Database(#[from] DbError),
    #[error("the query was given up")]
    GivenUp,
}

impl QueryError {
    /// The service's failure, or the one that this error is handled as.
    pub(crate) fn of_service(self) -> ServiceError {
        match self {
            Self::Service(error) => error,
            Self::GivenUp | Self::Database(_) => ServiceError::Timeout,
        }
    }

    /// How long to wait before asking again; a failure of the database stays one.
    pub(crate) fn retry_after(self) -> Result<Duration, DbError> {
        match self {
            Self::Service(error) => Ok(error.retry_after().unwrap_or(DEFAULT_RETRY_AFTER)),
            Self::GivenUp => Ok(DEFAULT_RETRY_AFTER),
            Self::Database(error) => Err(error),
        }
    }
}

type Answer = Result<Queried, QueryError>;

impl Payments {
    /// Asks about an operation that has a transaction, and stores what came back.
    pub(crate) async fn query(&self, record: OperationRecord, freshness: Freshness) -> Answer {
        let Freshness::Recent { .. } = freshness else {
            return self.query_once(record, freshness).await;
        };
        // A query that runs may have begun before the notification.
        let hinted = record.awaits_query();
        let freshness = if hinted { Freshness::Hinted } else { freshness };
        let queried = self.query_once(record, freshness).await?;
        if !queried.is_overtaken() {
            return Ok(queried);
        }
        let again = self.query_once(queried.record.clone(), Freshness::Hinted);
        Ok(again.await.unwrap_or(queried))
    }

    async fn query_once(&self, record: OperationRecord, freshness: Freshness) -> Answer {
        let asked = record.queried_at.unwrap_or(record.created_at);
        // An instant in the future was stored before the clock was set back.
        let age = now().checked_duration_since(asked);
        // After a notification the stored state is old, however recent.
        let is_new = record.hinted_at.is_none()
            && matches!((freshness, age), (Freshness::Recent { most, .. }, Some(age)) if age < most);
        let fetch = FetchState(self.clone());
        match fetch_shared(&fetch, &self.tasks, &record.key, freshness, is_new).await {
            Fetched::Stored => Ok(Queried {
                record,
                taken: None,
                window: SendWindow::open(),
            }),
            Fetched::Answered(answer) => answer,
            Fetched::GivenUp => Err(QueryError::GivenUp),
        }
    }

    /// Waits until the last query of the operation is as old as the interval, and takes the turn.
    pub(super) async fn wait_for_turn(&self, key: &OperationKey) -> Result<(), DbError> {
        let interval = self.settings.timing.query_interval;
        loop {
            match self.db.take_turn(key, now(), interval).await? {
                Turn::Taken => return Ok(()),
                Turn::Wait(wait) => tokio::time::sleep(wait).await,
            }
        }
    }

    /// Stores an accepted answer, plans the next query, and wakes the waiting requests.
    pub(super) async fn store_answer(
        &self,
        key: &OperationKey,
        answer: OperationAnswer<'_>,
        asked: &QuestionContext,
        turn: Option<Option<Timestamp>>,
    ) -> Result<(Verdict, OperationRecord), DbError> {
        let change = |payment: &mut Payment| {
            let before = Before::of(&payment.operation);
            let taken = payment.apply_answer(answer, asked, turn, now());
            (taken, before)
        };
        let (payment, (taken, before)) = self.update_payment(key, change).await?;
        log(&payment.operation, taken, &before);
        Ok((taken, payment.operation))
    }
}

impl Payments {
    /// Changes when an operation is polled next: by one statement if nothing else changes and the
    /// operation is as it was read, otherwise through its order.
    pub(super) async fn replan(
        &self,
        read: &OperationRecord,
        change: impl Fn(&mut OperationRecord) + Send + Sync,
    ) -> Result<(), DbError> {
        let mut planned = read.clone();
        change(&mut planned);
        if read.differs_only_in_plan(&planned) && self.db.plan(read, &planned).await? {
            self.wakeups.changed(&read.key);
            return Ok(());
        }
        let change = |payment: &mut Payment| change(&mut payment.operation);
        self.update_payment(&read.key, change).await.map(drop)
    }
}

/// Fetches the state of an operation.
#[derive(Clone)]
struct FetchState(Payments);

impl Fetch for FetchState {
    type Answer = Answer;

    fn in_flight(&self) -> &InFlight<Answer> {
        &self.0.queries
    }

    async fn turn(&self, key: &OperationKey, urgency: Urgency) -> Result<(), Answer> {
        self.0.service.turn(key, urgency).await;
        let turn = self.0.wait_for_turn(key).await;
        turn.map_err(|error| Err(error.into()))
    }

    fn raise_priority(&self, key: &OperationKey, urgency: Urgency) {
        self.0.service.raise_priority(key, urgency);
    }

    async fn fetch(&self, key: &OperationKey) -> Answer {
        let payments = &self.0;
        let found = payments.db.operation(key).await?;
        let record = found.ok_or(QueryError::GivenUp)?;
        let id = record.transaction_id().cloned();
        let id = id.ok_or(QueryError::GivenUp)?;
        let turn = record.queried_at;
        let cancellation = payments.db.pending_cancellation(key).await?;
        let asked = QuestionContext::query(&record, cancellation, reading());
        let response = payments.service.query(key, &id).await;
        let window = SendWindow::open();
        match response {
            Ok(response) => {
                let answer = OperationAnswer {
                    merchant_code: &response.merchant_code,
                    operation: &response.operation,
                    units: payments.settings.amount_units,
                };
                if cancellation.is_none()
                    && let Some(planned) = answer.confirmed(&record, &asked, turn, now())
                    && payments.db.plan(&record, &planned).await?
                {
                    payments.wakeups.changed(key);
                    return Ok(Queried {
                        record: planned,
                        taken: Some(Verdict::Believed),
                        window,
                    });
                }
                let stored = payments.store_answer(key, answer, &asked, Some(turn));
                let (taken, record) = stored.await?;
                Ok(Queried {
                    record,
                    taken: Some(taken),
                    window,
                })
            }
            Err(error) => {
                note_failure(key, &error);
                // A backoff that the service asked for slows all queries together, not only those of
                // this operation.
                let failure = error.of_query();
                payments
                    .replan(&record, |operation| {
                        operation.query_failed(&failure, now());
                        if operation.is_long_unanswered(now()) {
                            payments.service.note_unanswered(key, &failure.reason);
                        }
                    })
                    .await?;
                Err(error.into())
            }
        }
    }
}

/// What the log compares an operation with after an answer.
struct Before {
    was_doubtful: bool,
    outcome: Option<payment_model::Outcome>,
    was_contradicted: bool,
}

impl Before {
    fn of(record: &OperationRecord) -> Self {
        Self {
            was_doubtful: record.phase == Phase::InDoubt,
            outcome: record.outcome(),
            was_contradicted: record.contradiction.is_some(),
        }
    }
}

fn log(record: &OperationRecord, taken: Verdict, before: &Before) {
    let number = record.key.number.as_str();
    match taken {
        Verdict::Mismatch => tracing::error!(
            alert = true,
            merchant_operation_number = number,
            "an answer of the payment service is not the order's; it is not believed"
        ),
        Verdict::NoTransaction => tracing::warn!(
            merchant_operation_number = number,
            "an answer of the payment service has no transaction"
        ),
        Verdict::Contradicts if !before.was_contradicted => tracing::error!(
            alert = true,
            merchant_operation_number = number,
            "an answer of the payment service contradicts an earlier one or itself; staff have to ask the service what is true"
        ),
        _ if before.outcome != record.outcome() || before.was_doubtful => {
            let state = record.state().map(|state| state.as_str());
            tracing::info!(
                merchant_operation_number = number,
                state,
                "the state changed"
            );
        }
        Verdict::Believed | Verdict::Overtaken | Verdict::Contradicts => {}
    }
}
