//! What is given back: attempts, refunds and returns of an operation, always read and written
//! together, so that a rule over them holds when it is on disk.

use super::due::{self, Due};
use super::refund_rows::{load, save};
use super::{
    AuditRecord, Db, DbError, Turn, audit, events, operations, orders, refund_watches,
    reversal_rows,
};
use crate::clock::{Millis, Moment};
use crate::domain::ledger::{Asker, Ledger, RefundEnd};
use crate::domain::operation::OperationKey;
use sqlx::SqliteConnection;

/// What is to be written together with a change.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Notes {
    /// Refunds that came to their end by it.
    pub(crate) ends: Vec<RefundEnd>,
    /// What somebody did by it.
    pub(crate) audit: Vec<AuditRecord>,
}

/// Writes ledgers with their notes: the one place where a refund comes to its end.
async fn write(
    connection: &mut SqliteConnection,
    ledgers: &[Ledger],
    notes: &Notes,
) -> Result<(), DbError> {
    for ledger in ledgers {
        save(connection, ledger).await?;
    }
    // What tells others of a refund's end is written here too, so that neither is ever without
    // the other.
    for end in &notes.ends {
        let found = operations::find(&mut *connection, &end.key).await?;
        let record = found.ok_or_else(|| DbError::missing("the operation of a refund"))?;
        let standing = orders::standing(&mut *connection, &record.order_id).await?;
        events::add_refund(&mut *connection, end, &record, standing).await?;
    }
    for record in &notes.audit {
        audit::add(connection, record).await?;
    }
    Ok(())
}

/// See [`Db::abandon_attempts`].
pub(super) async fn abandon(
    connection: &mut SqliteConnection,
    begun_before: Millis,
    asked_before: Millis,
    now: Millis,
) -> Result<(), DbError> {
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
) -> Result<Ledger, DbError> {
    let found = load(connection, key).await?;
    found.ok_or_else(|| DbError::missing("an operation with refunds"))
}

impl Db {
    /// Everything about one operation; `None` when there is no such operation.
    pub(crate) async fn ledger(&self, key: &OperationKey) -> Result<Option<Ledger>, DbError> {
        // One transaction, or an attempt could be read without its refund.
        let mut transaction = self.read().await?;
        load(&mut transaction, key).await
    }

    /// Changes the ledgers of operations that exist, all at once; answers with them as they
    /// are then.
    pub(crate) async fn change_ledgers<R>(
        &self,
        keys: &[OperationKey],
        change: impl Fn(&mut [Ledger]) -> (R, Notes) + Send + Sync,
    ) -> Result<(Vec<Ledger>, R), DbError> {
        let mut transaction = self.write().await?;
        let mut ledgers = Vec::with_capacity(keys.len());
        for key in keys {
            ledgers.push(existing(&mut transaction, key).await?);
        }
        let (result, notes) = change(&mut ledgers);
        write(&mut transaction, &ledgers, &notes).await?;
        transaction.commit().await?;
        Ok((ledgers, result))
    }

    /// Changes the ledger of one operation.
    pub(crate) async fn change_ledger<R>(
        &self,
        key: &OperationKey,
        change: impl Fn(&mut Ledger) -> (R, Notes) + Send + Sync,
    ) -> Result<(Ledger, R), DbError> {
        let mut transaction = self.write().await?;
        let mut ledger = existing(&mut transaction, key).await?;
        let (result, notes) = change(&mut ledger);
        write(&mut transaction, std::slice::from_ref(&ledger), &notes).await?;
        transaction.commit().await?;
        Ok((ledger, result))
    }

    /// The operation that an attempt belongs to.
    pub(crate) async fn attempted(
        &self,
        attempt_id: &str,
    ) -> Result<Option<OperationKey>, DbError> {
        refund_watches::attempted(&mut *self.reader().await?, attempt_id).await
    }

    /// The operations for which attempts were made under a key, in no order.
    pub(crate) async fn attempted_by(&self, asker: &Asker) -> Result<Vec<OperationKey>, DbError> {
        refund_watches::attempted_by(&mut *self.reader().await?, asker).await
    }

    /// The operation of a return that was recorded under a key.
    pub(crate) async fn returned_by(&self, asker: &Asker) -> Result<Option<OperationKey>, DbError> {
        refund_watches::returned_by(&mut *self.reader().await?, asker).await
    }

    /// The operation that a return belongs to.
    pub(crate) async fn operation_of_return(
        &self,
        return_id: &str,
    ) -> Result<Option<OperationKey>, DbError> {
        refund_watches::of_return(&mut *self.reader().await?, return_id).await
    }

    /// The operation that a reversal belongs to.
    pub(crate) async fn operation_of_reversal(
        &self,
        reversal_id: &str,
    ) -> Result<Option<OperationKey>, DbError> {
        refund_watches::of_reversal(&mut *self.reader().await?, reversal_id).await
    }

    /// An operation has a reversal in doubt that could not be carried out any more when a
    /// query began then.
    pub(crate) async fn has_over_reversal(
        &self,
        key: &OperationKey,
        began: Millis,
    ) -> Result<bool, DbError> {
        reversal_rows::is_over(&mut *self.reader().await?, key, began).await
    }

    /// Takes the turn to look an operation's refunds up, if the last one is long enough ago.
    pub(crate) async fn take_look_up(
        &self,
        key: &OperationKey,
        now: Millis,
        interval: Millis,
    ) -> Result<Turn, DbError> {
        let mut transaction = self.write_unsynced().await?;
        let turn = transaction.take_look_up(key, now, interval).await?;
        transaction.commit().await?;
        Ok(turn)
    }

    /// Takes operations whose refunds are due to be looked up, so that nobody else does until
    /// the lease ends.
    pub(crate) async fn take_due_refunds(
        &self,
        at: Moment,
        lease: Millis,
        limit: u32,
    ) -> Result<Vec<OperationKey>, DbError> {
        let mut transaction = self.write_unsynced().await?;
        let rows = transaction.take_due(Due::RefundWatches, at, lease, limit);
        let rows = rows.await?;
        transaction.commit().await?;
        rows.iter().map(refund_watches::key).collect()
    }

    /// When the next look-up is due, by the wall clock.
    pub(crate) async fn next_due_refunds(&self, at: Moment) -> Result<Option<Millis>, DbError> {
        due::next(&mut *self.reader().await?, Due::RefundWatches, at).await
    }

    /// Ends attempts and puts reversals in doubt whose sender is gone; see [`Ledger::abandon`].
    pub(crate) async fn abandon_attempts(
        &self,
        begun_before: Millis,
        asked_before: Millis,
        now: Millis,
    ) -> Result<(), DbError> {
        let mut transaction = self.write().await?;
        abandon(&mut transaction, begun_before, asked_before, now).await?;
        transaction.commit().await
    }
}

#[cfg(test)]
mod tests;
