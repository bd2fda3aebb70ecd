//! Asks the service about an operation. All callers at the same time share one query, and two
//! queries are never closer than the interval.

use super::Charges;
use super::query_result::{Queried, QueryError};
use crate::clock::{now, reading};
use crate::db::{DbError, Turn};
use crate::payment_service::{ServiceError, Urgency, note_failure};
use crate::send_window::SendWindow;
use crate::shared_query::{Askers, Freshness, Looked, Question, look};
use payment_rules::operation::{Asked, OperationKey, OperationRecord};

type Answer = Result<Queried, QueryError>;

impl Charges {
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
        // One that was asked in the future was asked before the clock was set back.
        let age = now().checked_duration_since(asked);
        // After a notification the stored state is old, however recent.
        let is_new = record.hinted_at.is_none()
            && matches!((freshness, age), (Freshness::Recent { most, .. }, Some(age)) if age < most);
        match look(self, &self.tasks, &record.key, freshness, is_new).await {
            Looked::Stored => Ok(Queried {
                record,
                taken: None,
                window: SendWindow::open(),
            }),
            Looked::Answered(answer) => answer,
            Looked::GivenUp => Err(QueryError::GivenUp),
        }
    }

    pub(super) async fn wait_for_turn(&self, key: &OperationKey) -> Result<(), DbError> {
        let interval = self.settings.timing.query_interval;
        loop {
            match self.db.take_turn(key, now(), interval).await? {
                Turn::Taken => return Ok(()),
                Turn::Wait(rest) => tokio::time::sleep(rest).await,
            }
        }
    }
}

impl Question for Charges {
    type Answer = Answer;

    fn askers(&self) -> &Askers<Answer> {
        &self.queries
    }

    async fn turn(&self, key: &OperationKey, urgency: Urgency) -> Result<(), Answer> {
        self.service.turn(key, urgency).await;
        let turn = self.wait_for_turn(key).await;
        turn.map_err(|error| Err(error.into()))
    }

    fn hurry(&self, key: &OperationKey, urgency: Urgency) {
        self.service.hurry(key, urgency);
    }

    async fn ask(&self, key: &OperationKey) -> Answer {
        let found = self.db.operation(key).await?;
        let record = found.ok_or(QueryError::GivenUp)?;
        let id = record
            .transaction_id()
            .cloned()
            .ok_or(QueryError::GivenUp)?;
        let turn = record.queried_at;
        let cancellation = self.db.pending_cancellation(key).await?;
        let asked = Asked::query(&record, cancellation, reading());
        let response = self.service.query(key, &id).await;
        let window = SendWindow::open();
        match response {
            Ok(response) => {
                let answer = (&response.merchant_code, &response.operation);
                let (taken, record) = self.record_answer(key, answer, &asked, Some(turn)).await?;
                Ok(Queried {
                    record,
                    taken: Some(taken),
                    window,
                })
            }
            Err(error) => {
                note_failure(key, &error);
                // A rest that the service asked for slows all queries together, not only those of
                // this operation.
                let unaccepted = matches!(error, ServiceError::NotAccepted { .. });
                let failed = |record: &mut OperationRecord| record.query_failed(unaccepted, now());
                self.db.change(key, failed).await?;
                self.wakeups.changed(key);
                Err(error.into())
            }
        }
    }
}
