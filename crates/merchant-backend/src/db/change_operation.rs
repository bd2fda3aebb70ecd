//! Changes an operation: one script writes the change with all its effects, another one only its
//! plan.

use super::connections::Db;
use super::delayed_durability::is_only_planned;
use super::due::unreadable;
use super::engine::Connection;
use super::error::DbError;
use super::news::Changed;
use super::scope::Scope;
use super::{
    events, idempotency_keys, ledgers, operation_row, operations, orders, reversals,
    transaction_hints,
};
use crate::clock::now;
use payment_model::Timestamp;
use payment_rules::idempotent_answer::AuthorizationAnswer;
use payment_rules::idempotent_request::Claim;
use payment_rules::ledger::Ledger;
use payment_rules::operation::{OperationKey, OperationRecord, Phase};
use payment_rules::payment::announce;
use payment_rules::purge::forgotten;

impl Db {
    /// Changes an operation, and with it its order and its event, in one transaction; returns the
    /// changed operation.
    pub(crate) async fn change<R>(
        &self,
        key: &OperationKey,
        change: impl FnOnce(&mut OperationRecord) -> R + Send,
    ) -> Result<(OperationRecord, R), DbError> {
        self.change_with(key, |record, _| change(record), |_| None)
            .await
    }

    /// Changes an operation, and with it its ledger while a request to cancel it is on its way or in
    /// doubt: otherwise there is none to change.
    pub(crate) async fn change_payment<R>(
        &self,
        key: &OperationKey,
        change: impl FnOnce(&mut OperationRecord, Option<&mut Ledger>) -> R + Send,
    ) -> Result<(OperationRecord, R), DbError> {
        self.change_with(key, change, |_| None).await
    }

    /// Changes an operation in the same way, and ends an attempt with its answer if the change says
    /// so.
    pub(crate) async fn change_and_end(
        &self,
        key: &OperationKey,
        change: impl FnOnce(&mut OperationRecord) -> bool + Send,
        claim: &Claim,
        answer: &AuthorizationAnswer,
    ) -> Result<(OperationRecord, bool), DbError> {
        let change = |record: &mut OperationRecord, _: Option<&mut Ledger>| change(record);
        self.change_with(key, change, |ends| ends.then_some((claim, answer)))
            .await
    }

    async fn change_with<'a, R>(
        &self,
        key: &OperationKey,
        change: impl FnOnce(&mut OperationRecord, Option<&mut Ledger>) -> R + Send,
        ended: impl FnOnce(&R) -> Option<(&'a Claim, &'a AuthorizationAnswer)> + Send,
    ) -> Result<(OperationRecord, R), DbError> {
        let mut transaction = self.write(Scope::Operation(key)).await?;
        let found = operations::find(&mut transaction, key).await?;
        let before = found.ok_or_else(|| DbError::Failed("the operation is gone".to_owned()))?;
        let mut record = before.clone();
        let mut ledger = match reversals::pending(&mut transaction, key).await? {
            Some(_) => ledgers::load(&mut transaction, key).await?,
            None => None,
        };
        let unchanged = ledger.clone();
        let result = change(&mut record, ledger.as_mut());
        let ended = ended(&result);
        announce(&mut record, ledger.as_ref(), now());
        forget_again(&mut transaction, &mut record).await?;
        if ended.is_none() && ledger == unchanged && is_only_planned(&before, &record) {
            let mut transaction = self.write_delayed_instead(transaction).await?;
            transaction.plan(&record).await?;
            transaction.commit().await?;
            return Ok((record, result));
        }
        write(&mut transaction, &before, &record).await?;
        if let Some(ledger) = ledger.filter(|ledger| Some(ledger) != unchanged.as_ref()) {
            ledgers::save(&mut transaction, &ledger).await?;
        }
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

    /// Puts operations in doubt whose request left before an instant and was never answered, since
    /// its sender is gone. Returns their number.
    pub(crate) async fn doubt_abandoned(
        &self,
        sent_before: Timestamp,
        now: Timestamp,
    ) -> Result<usize, DbError> {
        let sending = operations::with_sending(&mut *self.reader().await?, sent_before).await?;
        if sending.is_empty() {
            return Ok(0);
        }
        let mut transaction = self.write(Scope::Operations(&sending)).await?;
        let doubted = doubt_abandoned(&mut transaction, &sending, sent_before, now).await?;
        for key in &sending {
            let changed = Changed::Operation(key.clone());
            self.tell(&mut transaction, &changed).await?;
        }
        transaction.commit().await?;
        Ok(doubted)
    }
}

/// See [`Db::doubt_abandoned`]. Some of them may have their answer by now.
pub(super) async fn doubt_abandoned(
    connection: &mut Connection,
    sending: &[OperationKey],
    sent_before: Timestamp,
    now: Timestamp,
) -> Result<usize, DbError> {
    let mut doubted = 0_usize;
    for key in sending {
        let before = match operations::find(&mut *connection, key).await {
            Ok(Some(before)) if before.created_at < sent_before => before,
            Ok(_) => continue,
            Err(error) if error.is_away() => return Err(error),
            Err(error) => {
                unreadable(&error);
                continue;
            }
        };
        let mut record = before.clone();
        record.sender_is_gone(now);
        if record != before {
            write(&mut *connection, &before, &record).await?;
            doubted = doubted.saturating_add(1);
        }
    }
    Ok(doubted)
}

/// Writes an operation over its row, with the state of its order, the event of the change, and the
/// exception that more was given back than is paid.
pub(super) async fn write(
    connection: &mut Connection,
    before: &OperationRecord,
    record: &OperationRecord,
) -> Result<(), DbError> {
    operation_row::write(&mut *connection, record).await?;
    let standing = operations::announced_of_order(&mut *connection, &record.order_id).await?;
    orders::follow(&mut *connection, &record.order_id, standing).await?;
    events::add_payment(&mut *connection, before, record, standing).await?;
    if before.phase == Phase::Sending {
        // A notification may have named the transaction before the request was put in doubt.
        transaction_hints::make_due(&mut *connection, &record.key, now()).await?;
    }
    ledgers::follow(connection, record, before.is_paid()).await
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
