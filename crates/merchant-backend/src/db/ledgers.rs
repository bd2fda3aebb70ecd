//! The ledger of one operation, for those who read it without its order.

use super::connections::Db;
use super::engine::Connection;
use super::error::DbError;
use super::ledger_entries::{self, Of};
use super::operations;
use payment_rules::ledger::Ledger;
use payment_rules::operation::OperationKey;

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
