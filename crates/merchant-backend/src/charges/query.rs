//! Asking the service about an operation: one query for all who want to know at once, and
//! never two within the interval, whoever asks.

use super::Charges;
use super::query_result::{Freshness, Queried, QueryError};
use super::record_answer::Heard;
use super::shared_query::{Answer, Joined, SharedQueries, join};
use crate::clock::{millis, now};
use crate::db::{DbError, Turn};
use crate::domain::operation::{Asked, OperationKey, OperationRecord};
use crate::service::{Urgency, note_failure};
use std::sync::Arc;
use std::time::Duration;

impl Charges {
    /// Asks about an operation that has a transaction, and stores what came back.
    pub(crate) async fn query(&self, record: OperationRecord, freshness: Freshness) -> Answer {
        let key = record.key.clone();
        let mut receiver = {
            let joined = self.queries.with(|rounds| join(rounds, &record, freshness));
            match joined {
                Joined::Stored => {
                    return Ok(Queried {
                        record,
                        taken: None,
                    });
                }
                Joined::Round(receiver) => receiver,
                Joined::Hurried(receiver) => {
                    self.service.hurry(&key, freshness.urgency());
                    receiver
                }
                Joined::First(receiver) => {
                    let charges = self.clone();
                    self.tasks.spawn(async move { charges.drive(key).await });
                    receiver
                }
            }
        };
        let answer = receiver.wait_for(Option::is_some).await;
        answer.map_or(Err(QueryError::GivenUp), |answer| {
            answer.clone().unwrap_or(Err(QueryError::GivenUp))
        })
    }

    /// Runs the rounds of one operation until nobody queues any more. A task of its own: a caller
    /// that goes away takes nobody's answer with it.
    async fn drive(&self, key: OperationKey) {
        // Should this task break, the entry goes and its waiters are told.
        let entry = Entry {
            queries: Arc::clone(&self.queries),
            key: key.clone(),
        };
        loop {
            let urgency = self.queries.with(|all| {
                let queued = all.get(&key).and_then(|rounds| rounds.queued.as_ref());
                queued.map_or(Urgency::Background, |queued| queued.urgency)
            });
            self.service.turn(&key, urgency).await;
            let turn = self.wait_for_turn(&key).await;
            self.queries.with(|all| {
                if let Some(rounds) = all.get_mut(&key) {
                    rounds.running = rounds.queued.take().map(|queued| queued.sender);
                }
            });
            let answer = match turn {
                Ok(()) => self.ask(&key).await,
                Err(error) => Err(error.into()),
            };
            let more = self.queries.with(|all| {
                let rounds = all.get_mut(&key)?;
                if let Some(running) = rounds.running.take() {
                    running.send_replace(Some(answer));
                }
                if rounds.queued.is_none() {
                    all.remove(&key);
                    return None;
                }
                Some(())
            });
            if more.is_none() {
                break;
            }
        }
        drop(entry);
    }
}

struct Entry {
    queries: Arc<SharedQueries>,
    key: OperationKey,
}

impl Drop for Entry {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.queries.with(|all| all.remove(&self.key));
        }
    }
}

impl Charges {
    async fn wait_for_turn(&self, key: &OperationKey) -> Result<(), DbError> {
        let interval = millis(self.settings.pace.query_interval);
        loop {
            match self.db.take_turn(key, now(), interval).await? {
                Turn::Taken => return Ok(()),
                Turn::Wait(rest) => {
                    let rest = Duration::from_millis(rest.unsigned_abs());
                    tokio::time::sleep(rest).await;
                }
            }
        }
    }

    async fn ask(&self, key: &OperationKey) -> Answer {
        let found = self.db.operation(key).await?;
        let record = found.ok_or(QueryError::GivenUp)?;
        let id = record
            .transaction_id()
            .cloned()
            .ok_or(QueryError::GivenUp)?;
        let began = now();
        let asked = Asked::query(began);
        let response = self.service.query(key, &id).await;
        let units = self.settings.amount_units;
        match response {
            Ok(response) => {
                let told = response.operation.transaction(&id);
                let state = told.map(|transaction| transaction.state.clone());
                let heard = Heard { began, state };
                let (taken, record) = self
                    .record_answer(key, heard, move |record| {
                        let (code, operation) = (&response.merchant_code, &response.operation);
                        record.take(code, operation, units, asked, now())
                    })
                    .await?;
                Ok(Queried {
                    record,
                    taken: Some(taken),
                })
            }
            Err(error) => {
                note_failure(key, &error);
                // A rest that the service asked for slows all queries together, not this operation's.
                let plan = move |record: &mut OperationRecord| {
                    record.failures = record.failures.saturating_add(1);
                    record.plan(now());
                };
                self.db.change(key, plan, None).await?;
                Err(error.into())
            }
        }
    }
}
