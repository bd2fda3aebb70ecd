//! Stores the service's answers.

use super::Charges;
use crate::clock::now;
use crate::db::{DbError, Notes};
use crate::domain::ledger::Ledger;
use crate::domain::operation::{OperationKey, OperationRecord, Phase, Taken};
use payment_model::{Timestamp, TransactionState};

/// Facts about an answer of the service, besides the operation in it.
pub(super) struct Heard {
    /// When the request began that it answers.
    pub(super) began: Timestamp,
    /// The state that it tells, which may not be one that the stored one can become.
    pub(super) state: Option<TransactionState>,
}

impl Charges {
    /// Stores an answer about an operation, plans the next look, and wakes the waiting requests.
    pub(super) async fn record_answer(
        &self,
        key: &OperationKey,
        heard: Heard,
        take: impl Fn(&mut OperationRecord) -> Taken + Send + Sync,
    ) -> Result<(Taken, OperationRecord), DbError> {
        let change = |record: &mut OperationRecord| {
            let was_doubtful = record.phase == Phase::InDoubt;
            let before = record.outcome();
            let taken = take(record);
            record.failures = match taken {
                Taken::Believed => 0,
                Taken::Mismatch | Taken::NoTransaction => record.failures.saturating_add(1),
            };
            record.plan(now());
            (taken, before, was_doubtful)
        };
        let (record, (taken, before, was_doubtful)) = self.db.change(key, change).await?;
        let number = key.number.as_str();
        match taken {
            Taken::Mismatch => tracing::error!(
                alert = true,
                merchant_operation_number = number,
                "an answer of the payment service is not the order's; it is not believed"
            ),
            Taken::NoTransaction => tracing::warn!(
                merchant_operation_number = number,
                "an answer of the payment service has no transaction"
            ),
            Taken::Believed if before != record.outcome() || was_doubtful => {
                let state = record.state().map(|state| state.as_str());
                tracing::info!(
                    merchant_operation_number = number,
                    state,
                    "the state changed"
                );
            }
            Taken::Believed => {}
        }
        // An end in an answer ends a reversal even if the stored state does not permit it.
        let told = heard.state.as_ref();
        let stands = taken == Taken::Believed
            && (told == record.state() || told.is_some_and(TransactionState::is_final));
        if stands && self.db.has_over_reversal(key, heard.began).await? {
            self.end_doubtful_reversals(key, heard.began).await?;
        }
        self.wakeups.changed(key);
        Ok((taken, record))
    }

    /// A believed state ends a reversal in doubt that could not arrive any more.
    async fn end_doubtful_reversals(
        &self,
        key: &OperationKey,
        began: Timestamp,
    ) -> Result<(), DbError> {
        let change = move |ledgers: &mut [Ledger]| {
            for ledger in ledgers {
                ledger.state_was_told(began, now());
                ledger.plan(now());
            }
            ((), Notes::default())
        };
        let keys = std::slice::from_ref(key);
        self.db.change_ledgers(keys, change).await?;
        Ok(())
    }
}
