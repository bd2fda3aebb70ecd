//! Ledgers: all that is given back of one operation, read and written as a whole, so that the rules
//! over it still hold on disk.

use super::connections::Db;
use super::engine::Connection;
use super::error::DbError;
use super::ledger_entries::{self, Of};
use super::noted::{self, Noted};
use super::{
    manual_returns, operations, orders, refund_attempts, refund_watches, refunds, reversals,
};
use payment_rules::ledger::{Ledger, RefundRecord};
use payment_rules::operation::{OperationKey, OperationRecord};
use payment_rules::purge::forgotten;

impl Db {
    /// The ledger of one operation; `None` without such an operation.
    pub(crate) async fn ledger(&self, key: &OperationKey) -> Result<Option<Ledger>, DbError> {
        // One transaction, since otherwise an attempt could be read without its refund.
        let mut transaction = self.read().await?;
        load(&mut transaction, key).await
    }
}

/// Reads the ledger of one operation.
pub(super) async fn load(
    connection: &mut Connection,
    key: &OperationKey,
) -> Result<Option<Ledger>, DbError> {
    let Some(operation) = operations::find(&mut *connection, key).await? else {
        return Ok(None);
    };
    let mut entries = ledger_entries::entries(connection, Of::Operation(key)).await?;
    let entries = entries.remove(key).unwrap_or_default();
    Ok(Some(Ledger::new(&operation, entries)))
}

/// Writes a ledger over its rows, and its new entries as new rows.
pub(super) async fn save(connection: &mut Connection, ledger: &Ledger) -> Result<(), DbError> {
    for attempt in &ledger.attempts {
        refund_attempts::save(connection, ledger, attempt).await?;
    }
    // An answer of the service can bring the payer's data back.
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
    follow_excess(connection, ledger).await?;
    refund_watches::save(connection, &ledger.key, &ledger.watch).await
}

/// Updates the exception that more is given back than is paid, after the operation's state.
pub(super) async fn follow(
    connection: &mut Connection,
    record: &OperationRecord,
    was_paid: bool,
) -> Result<(), DbError> {
    if was_paid != record.is_paid()
        && let Some(ledger) = load(connection, &record.key).await?
    {
        follow_excess(connection, &ledger).await?;
    }
    Ok(())
}

/// Keeps or ends the exception that more was given back than is paid.
async fn follow_excess(connection: &mut Connection, ledger: &Ledger) -> Result<(), DbError> {
    let detail = ledger.excess();
    noted::follow(connection, Noted::Excess, &ledger.key, detail.as_deref()).await
}
