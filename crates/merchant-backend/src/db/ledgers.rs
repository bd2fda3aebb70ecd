//! Ledgers: everything about what is given back of one operation, read and written as a whole,
//! so that a rule over all of it holds when it is on disk.

use super::connections::Db;
use super::engine::Connection;
use super::error::DbError;
use super::{
    excesses, manual_returns, operations, orders, refund_attempts, refund_watches, refunds,
    reversals,
};
use crate::domain::ledger::{Ledger, RefundRecord};
use crate::domain::operation::{OperationKey, OperationRecord};
use crate::domain::purge::forgotten;

impl Db {
    /// Everything about one operation; `None` when there is no such operation.
    pub(crate) async fn ledger(&self, key: &OperationKey) -> Result<Option<Ledger>, DbError> {
        // One transaction, or an attempt could be read without its refund.
        let mut transaction = self.read().await?;
        load(&mut transaction, key).await
    }
}

/// Reads everything about one operation.
pub(super) async fn load(
    connection: &mut Connection,
    key: &OperationKey,
) -> Result<Option<Ledger>, DbError> {
    let Some(operation) = operations::find(&mut *connection, key).await? else {
        return Ok(None);
    };
    Ok(Some(Ledger {
        transaction_id: operation.transaction_id().cloned(),
        state: operation.state().cloned(),
        outcome: operation.outcome(),
        method: operation.method,
        amount: operation.amount,
        currency: operation.currency,
        key: operation.key,
        attempts: refund_attempts::of_operation(&mut *connection, key).await?,
        refunds: refunds::of_operation(&mut *connection, key).await?,
        returns: manual_returns::of_operation(&mut *connection, key).await?,
        reversals: reversals::of_operation(&mut *connection, key).await?,
        watch: refund_watches::of_operation(connection, key).await?,
    }))
}

/// Writes a ledger over its rows; all that is new in it becomes new rows.
pub(super) async fn save(connection: &mut Connection, ledger: &Ledger) -> Result<(), DbError> {
    for attempt in &ledger.attempts {
        refund_attempts::save(connection, ledger, attempt).await?;
    }
    // The service tells of its payer again when it is asked again.
    let operation = operations::find(&mut *connection, &ledger.key).await?;
    let purged = match operation {
        Some(operation) => orders::is_purged(&mut *connection, &operation.order_id).await?,
        None => false,
    };
    for record in &ledger.refunds {
        if purged {
            let refund = forgotten(&record.refund)?;
            let record = RefundRecord {
                refund,
                ..record.clone()
            };
            refunds::save(connection, &ledger.key, &record).await?;
        } else {
            refunds::save(connection, &ledger.key, record).await?;
        }
    }
    for returned in &ledger.returns {
        manual_returns::save(connection, &ledger.key, returned).await?;
    }
    for reversal in &ledger.reversals {
        reversals::save(connection, &ledger.key, reversal).await?;
    }
    excesses::follow(connection, ledger).await?;
    refund_watches::save(connection, &ledger.key, &ledger.watch).await
}

/// Lets the ledger follow its operation, whose state was written in the same transaction: a
/// cancellation or reversal ends the request for it, and what was given back may be too much.
pub(super) async fn follow(
    connection: &mut Connection,
    record: &OperationRecord,
    was_paid: bool,
) -> Result<(), DbError> {
    reversals::follow(connection, record).await?;
    if was_paid != record.is_paid()
        && let Some(ledger) = load(connection, &record.key).await?
    {
        excesses::follow(connection, &ledger).await?;
    }
    Ok(())
}
