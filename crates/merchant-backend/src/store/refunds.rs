//! What is given back: attempts, refunds and returns of an operation, always read and written
//! together, so that a rule over them holds when it is on disk.

use super::due::{self, Due};
use super::refund_rows::{load, save};
use super::{
    Deed, Sqlite, StoreError, Turn, audit, operations, orders, outbox, refund_watches,
    reversal_rows, staff_requests,
};
use crate::clock::{Millis, Moment};
use crate::operation::OperationKey;
use crate::refund::{Asker, Ledger, RefundEnd};
use async_trait::async_trait;
use serde_json::Value;
use sqlx::SqliteConnection;

/// What is to be written together with a change.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Notes {
    /// Refunds that came to their end by it.
    pub(crate) ends: Vec<RefundEnd>,
    /// What somebody did by it.
    pub(crate) audit: Vec<Deed>,
}

/// A change of the ledgers of some operations; runs inside the transaction that writes it.
pub(crate) type LedgersChange = Box<dyn FnOnce(&mut [Ledger]) -> Notes + Send>;

/// Where a request of staff stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum RequestStanding {
    /// It is ours to run.
    Claimed,
    /// Somebody runs it right now.
    Running,
    /// It was answered with this status and body.
    Answered(u16, Value),
    /// The key belongs to another request.
    Other,
}

/// What must survive a restart about giving money back.
#[async_trait]
pub(crate) trait Refunds: Send + Sync {
    /// Everything about one operation; `None` when there is no such operation.
    async fn ledger(&self, key: &OperationKey) -> Result<Option<Ledger>, StoreError>;

    /// Changes the ledgers of operations that exist, all at once; answers with them as they
    /// are then.
    async fn change_ledgers(
        &self,
        keys: &[OperationKey],
        change: LedgersChange,
    ) -> Result<Vec<Ledger>, StoreError>;

    /// The operation that an attempt belongs to.
    async fn attempted(&self, attempt_id: &str) -> Result<Option<OperationKey>, StoreError>;

    /// The operations for which attempts were made under a key, in no order.
    async fn attempted_by(&self, asker: &Asker) -> Result<Vec<OperationKey>, StoreError>;

    /// The operation of a return that was recorded under a key.
    async fn returned_by(&self, asker: &Asker) -> Result<Option<OperationKey>, StoreError>;

    /// The operation that a return belongs to.
    async fn operation_of_return(
        &self,
        return_id: &str,
    ) -> Result<Option<OperationKey>, StoreError>;

    /// The operation that a reversal belongs to.
    async fn operation_of_reversal(
        &self,
        reversal_id: &str,
    ) -> Result<Option<OperationKey>, StoreError>;

    /// An operation has a reversal in doubt that could not be carried out any more when a
    /// query began then.
    async fn has_over_reversal(
        &self,
        key: &OperationKey,
        began: Millis,
    ) -> Result<bool, StoreError>;

    /// Claims a request of staff for running until the lease ends.
    async fn claim_request(
        &self,
        asker: &Asker,
        fingerprint: &str,
        at: Moment,
        lease: Millis,
    ) -> Result<RequestStanding, StoreError>;

    /// Ends a request: with an answer, or (`None`) so that its repetition runs again.
    async fn end_request(
        &self,
        asker: &Asker,
        answer: Option<(u16, Value)>,
    ) -> Result<(), StoreError>;

    /// Takes the turn to look an operation's refunds up, if the last one is long enough ago.
    async fn take_look_up(
        &self,
        key: &OperationKey,
        now: Millis,
        interval: Millis,
    ) -> Result<Turn, StoreError>;

    /// Takes operations whose refunds are due to be looked up, so that nobody else does until
    /// the lease ends.
    async fn take_due_refunds(
        &self,
        at: Moment,
        lease: Millis,
        limit: u32,
    ) -> Result<Vec<OperationKey>, StoreError>;

    /// When the next look-up is due, by the wall clock.
    async fn next_due_refunds(&self, at: Moment) -> Result<Option<Millis>, StoreError>;

    /// Ends attempts and puts reversals in doubt whose sender is gone; see [`Ledger::abandon`].
    async fn abandon_attempts(
        &self,
        begun_before: Millis,
        asked_before: Millis,
        now: Millis,
    ) -> Result<(), StoreError>;
}

/// Writes ledgers with their notes: the one place where a refund comes to its end.
async fn write(
    connection: &mut SqliteConnection,
    ledgers: &[Ledger],
    notes: &Notes,
) -> Result<(), StoreError> {
    for ledger in ledgers {
        save(connection, ledger).await?;
    }
    // What tells others of a refund's end is written here too, so that neither is ever without
    // the other.
    for end in &notes.ends {
        let found = operations::find(&mut *connection, &end.key).await?;
        let record = found.ok_or_else(|| StoreError::missing("the operation of a refund"))?;
        let standing = orders::standing(&mut *connection, &record.order_id).await?;
        outbox::add_refund(&mut *connection, end, &record, standing).await?;
    }
    for deed in &notes.audit {
        audit::add(connection, deed).await?;
    }
    Ok(())
}

/// See [`Refunds::abandon_attempts`].
pub(super) async fn abandon(
    connection: &mut SqliteConnection,
    begun_before: Millis,
    asked_before: Millis,
    now: Millis,
) -> Result<(), StoreError> {
    let keys = refund_watches::with_sending(connection, begun_before, asked_before).await?;
    for key in keys {
        let mut ledger = existing(connection, &key).await?;
        ledger.abandon(begun_before, asked_before, now);
        ledger.abandon_reversal(begun_before, now);
        ledger.plan(now);
        save(connection, &ledger).await?;
    }
    Ok(())
}

async fn existing(
    connection: &mut SqliteConnection,
    key: &OperationKey,
) -> Result<Ledger, StoreError> {
    let found = load(connection, key).await?;
    found.ok_or_else(|| StoreError::missing("an operation with refunds"))
}

#[async_trait]
impl Refunds for Sqlite {
    async fn ledger(&self, key: &OperationKey) -> Result<Option<Ledger>, StoreError> {
        // One transaction, or an attempt could be read without its refund.
        let mut transaction = self.read().await?;
        load(&mut transaction, key).await
    }

    async fn change_ledgers(
        &self,
        keys: &[OperationKey],
        change: LedgersChange,
    ) -> Result<Vec<Ledger>, StoreError> {
        let mut transaction = self.write().await?;
        let mut ledgers = Vec::with_capacity(keys.len());
        for key in keys {
            ledgers.push(existing(&mut transaction, key).await?);
        }
        let notes = change(&mut ledgers);
        write(&mut transaction, &ledgers, &notes).await?;
        transaction.commit().await?;
        Ok(ledgers)
    }

    async fn attempted(&self, attempt_id: &str) -> Result<Option<OperationKey>, StoreError> {
        refund_watches::attempted(&mut *self.reader().await?, attempt_id).await
    }

    async fn attempted_by(&self, asker: &Asker) -> Result<Vec<OperationKey>, StoreError> {
        refund_watches::attempted_by(&mut *self.reader().await?, asker).await
    }

    async fn returned_by(&self, asker: &Asker) -> Result<Option<OperationKey>, StoreError> {
        refund_watches::returned_by(&mut *self.reader().await?, asker).await
    }

    async fn operation_of_return(
        &self,
        return_id: &str,
    ) -> Result<Option<OperationKey>, StoreError> {
        refund_watches::of_return(&mut *self.reader().await?, return_id).await
    }

    async fn operation_of_reversal(
        &self,
        reversal_id: &str,
    ) -> Result<Option<OperationKey>, StoreError> {
        refund_watches::of_reversal(&mut *self.reader().await?, reversal_id).await
    }

    async fn has_over_reversal(
        &self,
        key: &OperationKey,
        began: Millis,
    ) -> Result<bool, StoreError> {
        reversal_rows::is_over(&mut *self.reader().await?, key, began).await
    }

    async fn claim_request(
        &self,
        asker: &Asker,
        fingerprint: &str,
        at: Moment,
        lease: Millis,
    ) -> Result<RequestStanding, StoreError> {
        let mut transaction = self.write().await?;
        let claimed =
            staff_requests::claim(&mut transaction, asker, fingerprint, at, lease).await?;
        transaction.commit().await?;
        Ok(claimed)
    }

    async fn end_request(
        &self,
        asker: &Asker,
        answer: Option<(u16, Value)>,
    ) -> Result<(), StoreError> {
        let mut transaction = self.write().await?;
        staff_requests::end(&mut transaction, asker, answer).await?;
        transaction.commit().await
    }

    async fn take_look_up(
        &self,
        key: &OperationKey,
        now: Millis,
        interval: Millis,
    ) -> Result<Turn, StoreError> {
        let mut transaction = self.write_unsynced().await?;
        let turn = transaction.take_look_up(key, now, interval).await?;
        transaction.commit().await?;
        Ok(turn)
    }

    async fn take_due_refunds(
        &self,
        at: Moment,
        lease: Millis,
        limit: u32,
    ) -> Result<Vec<OperationKey>, StoreError> {
        let mut transaction = self.write_unsynced().await?;
        let rows = transaction.take_due(Due::RefundWatches, at, lease, limit);
        let rows = rows.await?;
        transaction.commit().await?;
        rows.iter().map(refund_watches::key).collect()
    }

    async fn next_due_refunds(&self, at: Moment) -> Result<Option<Millis>, StoreError> {
        due::next(&mut *self.reader().await?, Due::RefundWatches, at).await
    }

    async fn abandon_attempts(
        &self,
        begun_before: Millis,
        asked_before: Millis,
        now: Millis,
    ) -> Result<(), StoreError> {
        let mut transaction = self.write().await?;
        abandon(&mut transaction, begun_before, asked_before, now).await?;
        transaction.commit().await
    }
}

#[cfg(test)]
mod tests;
