//! Changes an operation: one script writes the change with all its effects, another one only its
//! plan.

use super::connections::Db;
use super::delayed_durability::is_only_planned;
use super::engine::Connection;
use super::error::DbError;
use super::news::Changed;
use super::scope::Scope;
use super::{events, idempotency_keys, ledgers, operation_row, operations, orders};
use crate::domain::idempotent_answer::AuthorizationAnswer;
use crate::domain::idempotent_request::Claim;
use crate::domain::operation::{OperationKey, OperationRecord};
use crate::domain::purge::forgotten;

impl Db {
    /// Changes an operation, and with it its order and its event, in one transaction; returns the
    /// changed operation.
    pub(crate) async fn change<R>(
        &self,
        key: &OperationKey,
        change: impl Fn(&mut OperationRecord) -> R + Send + Sync,
    ) -> Result<(OperationRecord, R), DbError> {
        self.change_with(key, change, |_| None).await
    }

    /// Changes an operation in the same way, and ends an attempt with its answer if the change says
    /// so.
    pub(crate) async fn change_and_end(
        &self,
        key: &OperationKey,
        change: impl Fn(&mut OperationRecord) -> bool + Send + Sync,
        claim: &Claim,
        answer: &AuthorizationAnswer,
    ) -> Result<(OperationRecord, bool), DbError> {
        self.change_with(key, change, |ends| ends.then_some((claim, answer)))
            .await
    }

    async fn change_with<'a, R>(
        &self,
        key: &OperationKey,
        change: impl Fn(&mut OperationRecord) -> R + Send + Sync,
        ended: impl FnOnce(&R) -> Option<(&'a Claim, &'a AuthorizationAnswer)> + Send,
    ) -> Result<(OperationRecord, R), DbError> {
        let mut transaction = self.write(Scope::Operation(key)).await?;
        let found = operations::find(&mut transaction, key).await?;
        let before = found.ok_or_else(|| DbError::Failed("the operation is gone".to_owned()))?;
        let mut record = before.clone();
        let result = change(&mut record);
        let ended = ended(&result);
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
        if let Some((claim, answer)) = ended {
            idempotency_keys::end(&mut transaction, claim, Some(answer)).await?;
            let ended = Changed::key_of(&claim.request);
            self.tell(&mut transaction, &ended).await?;
        }
        let changed = Changed::Operation(key.clone());
        self.tell(&mut transaction, &changed).await?;
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
