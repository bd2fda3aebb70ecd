//! Asks the service for the refunds of an operation, and stores the answer.

use super::Refunds;
use super::look_up_answer::{LookUpError, LookedUp};
use crate::clock::now;
use crate::db::{DbError, Notes, Turn};
use crate::payment_service::{Urgency, note_failure};
use crate::shared_query::{Askers, Freshness, Looked, Question, look};
use payment_model::{Meta, RefundQueryResponse};
use payment_rules::ledger::{Ledger, is_whole};
use payment_rules::operation::OperationKey;
use std::time::Duration;

type Answer = Result<LookedUp, LookUpError>;

impl Refunds {
    /// Looks the refunds of an operation up, once for all callers who want the same; never twice
    /// within the interval.
    pub(crate) async fn look_up(
        &self,
        key: &OperationKey,
        freshness: Freshness,
    ) -> Result<LookedUp, LookUpError> {
        if let Freshness::Recent { most: age, .. } = freshness
            && let Some(stored) = self.stored_since(key, age).await?
        {
            return Ok(stored);
        }
        match look(self, &self.charges.tasks, key, freshness, false).await {
            Looked::Answered(answer) => answer,
            Looked::Stored | Looked::GivenUp => Err(LookUpError::GivenUp),
        }
    }

    /// A look of the background: a failed one plans the next itself.
    pub(crate) async fn watch(&self, key: &OperationKey) -> Result<(), DbError> {
        let Some(ledger) = self.db.ledger(key).await? else {
            return Ok(());
        };
        if ledger.awaits_a_state() {
            self.look_at_state(key).await?;
        }
        if !ledger.awaits_a_list(now()) {
            return Ok(());
        }
        match self.look_up(key, Freshness::Planned).await {
            Err(LookUpError::Database(error)) => Err(error),
            Ok(_) | Err(LookUpError::Service(_) | LookUpError::Foreign | LookUpError::GivenUp) => {
                Ok(())
            }
        }
    }

    /// Asks for the state that ends a reversal in doubt, and plans the next look.
    async fn look_at_state(&self, key: &OperationKey) -> Result<(), DbError> {
        let record = self.db.operation(key).await?;
        let record = record.ok_or_else(|| DbError::missing("an operation"))?;
        let answered = self.charges.query(record, Freshness::Planned).await.is_ok();
        let change = move |ledger: &mut Ledger| {
            ledger.watch.failures = if answered {
                0
            } else {
                ledger.watch.failures + 1
            };
            ((), Notes::default())
        };
        self.change_one(key, change).await.map(|_| ())
    }

    async fn stored_since(
        &self,
        key: &OperationKey,
        age: Duration,
    ) -> Result<Option<LookedUp>, DbError> {
        let found = self.db.ledger(key).await?;
        let ledger = found.ok_or_else(|| DbError::missing("an operation with refunds"))?;
        let Some(began) = ledger.watch.whole_at else {
            return Ok(None);
        };
        let since = now().checked_duration_since(began);
        let recent = since.is_some_and(|since| since < age);
        Ok(recent.then(|| LookedUp {
            whole: true,
            began,
            count: ledger.refunds.len().to_string(),
            meta: Meta::accepted(),
            ledger,
        }))
    }

    async fn wait_for_turn(&self, key: &OperationKey) -> Result<(), DbError> {
        let interval = self.timing.query_interval;
        loop {
            match self.db.take_look_up(key, now(), interval).await? {
                Turn::Taken => return Ok(()),
                Turn::Wait(rest) => tokio::time::sleep(rest).await,
            }
        }
    }

    async fn failed(&self, key: &OperationKey) -> Result<(), DbError> {
        let change = move |ledgers: &mut [Ledger]| {
            for ledger in ledgers {
                ledger.watch.failures = ledger.watch.failures.saturating_add(1);
                ledger.plan(now());
            }
            ((), Notes::default())
        };
        let keys = std::slice::from_ref(key);
        self.db.change_ledgers(keys, change).await?;
        Ok(())
    }
}

impl Question for Refunds {
    type Answer = Answer;

    fn askers(&self) -> &Askers<Answer> {
        &self.look_ups
    }

    async fn turn(&self, key: &OperationKey, urgency: Urgency) -> Result<(), Answer> {
        self.service.look_up_turn(key, urgency).await;
        let turn = self.wait_for_turn(key).await;
        turn.map_err(|error| Err(error.into()))
    }

    async fn stored(&self, key: &OperationKey) -> Option<Answer> {
        let age = self.timing.query_interval;
        self.stored_since(key, age).await.ok().flatten().map(Ok)
    }

    fn hurry(&self, key: &OperationKey, urgency: Urgency) {
        self.service.hurry_look_up(key, urgency);
    }

    async fn ask(&self, key: &OperationKey) -> Answer {
        let began = now();
        let answer = self.service.query_refunds(key).await;
        let answer = match answer {
            Ok(list) if list.merchant_code == key.merchant_code => list,
            Ok(_) => {
                self.failed(key).await?;
                return Err(LookUpError::Foreign);
            }
            Err(error) => {
                note_failure(key, &error);
                self.failed(key).await?;
                return Err(error.into());
            }
        };
        let whole = is_whole(key, &answer);
        if !whole {
            let number = key.number.as_str();
            tracing::warn!(
                merchant_operation_number = number,
                "the payment service's list of refunds is not complete"
            );
        }
        let RefundQueryResponse {
            operations,
            operations_count: count,
            meta,
            ..
        } = answer;
        let ledger = self
            .told(key, operations, move |ledger| {
                if whole {
                    ledger.watch.failures = 0;
                    ledger.watch.whole_at = Some(began);
                    ledger.whole_list_came(began, now());
                } else {
                    ledger.watch.failures = ledger.watch.failures.saturating_add(1);
                }
            })
            .await?;
        Ok(LookedUp {
            ledger,
            whole,
            began,
            count,
            meta,
        })
    }
}
