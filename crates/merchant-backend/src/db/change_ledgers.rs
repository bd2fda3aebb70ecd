//! Changes ledgers, and writes the events and the audit records of the change with them.

use super::audit::{self, AuditRecord};
use super::connections::Db;
use super::due::unreadable;
use super::engine::Connection;
use super::error::DbError;
use super::given_back_by::given_back_by;
use super::ledgers::{load, save};
use super::news::Changed;
use super::scope::Scope;
use super::write_transaction::Writing;
use super::{change_operation, events, idempotency_keys, operations, refund_attempts, reversals};
use crate::clock::now;
use payment_model::Timestamp;
use payment_rules::ledger::{AttemptRecord, GivenBack, Ledger, RefundEnd};
use payment_rules::operation::OperationKey;
use payment_rules::payment::announce;
use std::collections::HashSet;

/// The rows to write together with a change.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Notes {
    /// The refunds that the change ended.
    pub(crate) ends: Vec<RefundEnd>,
    /// The acts of staff in the change.
    pub(crate) audit: Vec<AuditRecord>,
}

impl Notes {
    /// Notes that hold acts of staff only.
    pub(crate) fn of_staff(audit: impl IntoIterator<Item = AuditRecord>) -> Self {
        Self {
            ends: Vec::new(),
            audit: audit.into_iter().collect(),
        }
    }
}

/// Writes ledgers with their notes. Only this code ends a refund.
async fn write(
    connection: &mut Connection,
    ledgers: &[Ledger],
    notes: &Notes,
) -> Result<(), DbError> {
    for ledger in ledgers {
        save(connection, ledger).await?;
        announce_payment(connection, ledger).await?;
    }
    // The event of a refund's end is written in the same transaction, so that neither exists
    // without the other.
    for end in &notes.ends {
        let found = operations::find(&mut *connection, &end.key).await?;
        let record = found.ok_or_else(|| DbError::missing("the operation of a refund"))?;
        let standing = operations::announced_of_order(&mut *connection, &record.order_id).await?;
        events::add_refund(&mut *connection, end, &record, standing).await?;
    }
    for record in &notes.audit {
        audit::add(connection, record).await?;
    }
    Ok(())
}

/// Announces a payment that waited for the end of a request that might have given it back.
async fn announce_payment(connection: &mut Connection, ledger: &Ledger) -> Result<(), DbError> {
    if !ledger.is_paid() {
        return Ok(());
    }
    let before = operations::find(&mut *connection, &ledger.key).await?;
    let before = before.ok_or_else(|| DbError::missing("the operation of a ledger"))?;
    let mut record = before.clone();
    announce(&mut record, Some(ledger), now());
    if record != before {
        change_operation::write(connection, &before, &record).await?;
    }
    Ok(())
}

/// The operations with attempts or reversals that have been on their way for too long.
pub(super) async fn with_sending(
    connection: &mut Connection,
    begun_before: Timestamp,
    asked_before: Timestamp,
) -> Result<Vec<OperationKey>, DbError> {
    let attempts =
        refund_attempts::with_sending(&mut *connection, begun_before, asked_before).await?;
    let reversals = reversals::with_sending(&mut *connection, begun_before).await?;
    let mut seen = HashSet::new();
    let keys = attempts.into_iter().chain(reversals);
    Ok(keys.filter(|key| seen.insert(key.clone())).collect())
}

/// See [`Db::abandon_attempts`]. Some of them may have their answer by now.
pub(super) async fn abandon(
    connection: &mut Connection,
    sending: &[OperationKey],
    begun_before: Timestamp,
    asked_before: Timestamp,
    now: Timestamp,
) -> Result<(), DbError> {
    for key in sending {
        let mut ledger = match existing(connection, key).await {
            Ok(ledger) => ledger,
            Err(error) if error.is_away() => return Err(error),
            Err(error) => {
                unreadable(&error);
                continue;
            }
        };
        // The sender of the other items of a request may still be at work.
        let mut waiting = Vec::new();
        for attempt in ledger
            .attempts
            .iter()
            .filter(|one| one.waits_for_its_turn())
        {
            if idempotency_keys::runs(connection, &attempt.asker).await? {
                waiting.push(attempt.id.clone());
            }
        }
        let gone = |attempt: &AttemptRecord| {
            attempt.requested_at < asked_before && !waiting.contains(&attempt.id)
        };
        ledger.abandon(begun_before, gone, now);
        ledger.abandon_reversal(begun_before, now);
        ledger.plan(now);
        save(connection, &ledger).await?;
    }
    Ok(())
}

async fn all(connection: &mut Connection, keys: &[OperationKey]) -> Result<Vec<Ledger>, DbError> {
    let mut ledgers = Vec::with_capacity(keys.len());
    for key in keys {
        ledgers.push(existing(connection, key).await?);
    }
    Ok(ledgers)
}

async fn existing(connection: &mut Connection, key: &OperationKey) -> Result<Ledger, DbError> {
    let found = load(connection, key).await?;
    found.ok_or_else(|| DbError::missing("an operation with refunds"))
}

impl Db {
    /// Changes the ledgers of existing operations in one transaction; returns the changed ledgers.
    pub(crate) async fn change_ledgers<R>(
        &self,
        keys: &[OperationKey],
        change: impl FnOnce(&mut [Ledger]) -> (R, Notes) + Send,
    ) -> Result<(Vec<Ledger>, R), DbError> {
        let mut transaction = self.write(Scope::Operations(keys)).await?;
        let mut ledgers = all(&mut transaction, keys).await?;
        let (result, notes) = change(&mut ledgers);
        self.finish(transaction, &ledgers, &notes).await?;
        Ok((ledgers, result))
    }

    /// Changes ledgers as [`Self::change_ledgers`] does, and passes what the staff account has
    /// already given back of each. A lock on the account keeps its concurrent requests out.
    pub(crate) async fn change_ledgers_for<R>(
        &self,
        staff: &str,
        keys: &[OperationKey],
        change: impl FnOnce(&mut [Ledger], &[GivenBack]) -> (R, Notes) + Send,
    ) -> Result<(Vec<Ledger>, R), DbError> {
        let mut transaction = self.write(Scope::Account(staff, keys)).await?;
        let mut ledgers = all(&mut transaction, keys).await?;
        let mut given_back = Vec::with_capacity(keys.len());
        for key in keys {
            given_back.push(given_back_by(&mut transaction, staff, key).await?);
        }
        let (result, notes) = change(&mut ledgers, &given_back);
        self.finish(transaction, &ledgers, &notes).await?;
        Ok((ledgers, result))
    }

    async fn finish(
        &self,
        mut transaction: Writing,
        ledgers: &[Ledger],
        notes: &Notes,
    ) -> Result<(), DbError> {
        write(&mut transaction, ledgers, notes).await?;
        for ledger in ledgers {
            let changed = Changed::Operation(ledger.key.clone());
            self.tell(&mut transaction, &changed).await?;
        }
        transaction.commit().await
    }

    /// Changes the ledger of one operation.
    pub(crate) async fn change_ledger<R>(
        &self,
        key: &OperationKey,
        change: impl FnOnce(&mut Ledger) -> (R, Notes) + Send,
    ) -> Result<(Ledger, R), DbError> {
        let mut transaction = self.write(Scope::Operation(key)).await?;
        let mut ledger = existing(&mut transaction, key).await?;
        let (result, notes) = change(&mut ledger);
        let ledgers = std::slice::from_ref(&ledger);
        self.finish(transaction, ledgers, &notes).await?;
        Ok((ledger, result))
    }

    /// Ends attempts, and puts reversals in doubt, if their sender is gone; see
    /// [`Ledger::abandon`].
    pub(crate) async fn abandon_attempts(
        &self,
        begun_before: Timestamp,
        asked_before: Timestamp,
        now: Timestamp,
    ) -> Result<(), DbError> {
        let mut reader = self.reader().await?;
        let sending = with_sending(&mut reader, begun_before, asked_before).await?;
        drop(reader);
        if sending.is_empty() {
            return Ok(());
        }
        let mut transaction = self.write(Scope::Operations(&sending)).await?;
        abandon(&mut transaction, &sending, begun_before, asked_before, now).await?;
        transaction.commit().await
    }
}

#[cfg(test)]
mod tests;
