//! Changes an operation: one script writes the change with all its effects, another one only its
//! plan.

use super::connections::Db;
use super::delayed_durability::is_only_planned;
use super::engine::Connection;
use super::error::DbError;
use super::scope::Scope;
use super::{events, idempotency_keys, ledgers, operation_row, operations, orders};
use crate::domain::idempotent_answer::AuthorizationAnswer;
use crate::domain::idempotent_request::IdempotentRequest;
use crate::domain::operation::{OperationKey, OperationRecord};
use crate::domain::purge::forgotten;

impl Db {
    /// Changes an operation, and with it its order, its attempt's end and its event, in one
    /// transaction; returns the changed operation.
    pub(crate) async fn change<R>(
        &self,
        key: &OperationKey,
        change: impl Fn(&mut OperationRecord) -> R + Send + Sync,
        ended: Option<(&IdempotentRequest, AuthorizationAnswer)>,
    ) -> Result<(OperationRecord, R), DbError> {
        let mut transaction = self.write(Scope::Operation(key)).await?;
        let found = operations::find(&mut transaction, key).await?;
        let before = found.ok_or_else(|| DbError("the operation is gone".to_owned()))?;
        let mut record = before.clone();
        let result = change(&mut record);
        forget_again(&mut transaction, &mut record).await?;
        if ended.is_none() && is_only_planned(&before, &record) {
            let mut transaction = self.write_delayed_instead(transaction).await?;
            transaction.plan(&record).await?;
            transaction.commit().await?;
            return Ok((record, result));
        }
        let was_paid = before.is_paid();
        operation_row::write(&mut transaction, &record).await?;
        let standing = operations::paid_of_order(&mut transaction, &record.order_id).await?;
        orders::follow(&mut transaction, &record.order_id, standing).await?;
        events::add_payment(&mut transaction, was_paid, &record, standing).await?;
        ledgers::follow(&mut transaction, &record, was_paid).await?;
        if let Some((request, answer)) = ended {
            idempotency_keys::end(&mut transaction, request, Some(&answer)).await?;
        }
        transaction.commit().await?;
        Ok((record, result))
    }
}

/// Removes the data of a forgotten payer, which an answer of the service can bring back.
async fn forget_again(
    connection: &mut Connection,
    record: &mut OperationRecord,
) -> Result<(), DbError> {
    if orders::is_purged(connection, &record.order_id).await? {
        record.operation = record.operation.as_ref().map(forgotten).transpose()?;
        record.answer = record.answer.as_ref().map(forgotten).transpose()?;
    }
    Ok(())
}
