//! Ends the requests that were in flight when their process stopped: what had left becomes in doubt, and refund attempts
//! that were never sent release their amount.

use super::connections::Db;
use super::due::unreadable;
use super::engine::Connection;
use super::error::DbError;
use super::lock::Lock;
use super::notify::Change;
use super::update_order::existing;
use super::update_order::save;
use super::{idempotency_keys, payments, requests};
use payment_model::Timestamp;
use payment_rules::ledger::AttemptRecord;
use payment_rules::operation::OperationKey;
use payment_rules::payment::Order;

impl Db {
    /// Puts operations in doubt whose request left before an instant and was never answered. Returns
    /// their number.
    pub(crate) async fn doubt_abandoned(
        &self,
        sent_before: Timestamp,
        now: Timestamp,
    ) -> Result<usize, DbError> {
        let sending = payments::with_sending(&mut self.reader().await?, sent_before).await?;
        if sending.is_empty() {
            return Ok(0);
        }
        let mut transaction = self.write(Lock::Operations(&sending)).await?;
        let doubted = doubt_operations(&mut transaction, &sending, sent_before, now).await?;
        for key in &sending {
            let changed = Change::Operation(key.clone());
            self.notify_nodes(&mut transaction, &changed).await?;
        }
        transaction.commit().await?;
        Ok(doubted)
    }

    /// Ends refund attempts, and puts reversals in doubt; see
    /// [`payment_rules::ledger::Ledger::give_up_attempts`].
    pub(crate) async fn abandon_attempts(
        &self,
        begun_before: Timestamp,
        asked_before: Timestamp,
        now: Timestamp,
    ) -> Result<(), DbError> {
        let mut reader = self.reader().await?;
        let sending = requests::on_their_way(&mut reader, begun_before, asked_before).await?;
        drop(reader);
        if sending.is_empty() {
            return Ok(());
        }
        let mut transaction = self.write(Lock::Operations(&sending)).await?;
        abandon_attempts(&mut transaction, &sending, begun_before, asked_before, now).await?;
        transaction.commit().await
    }
}

/// Ends every request in flight; for the start of a process that has the database for itself.
pub(super) async fn abandon_all(
    connection: &mut Connection,
    now: Timestamp,
) -> Result<(), DbError> {
    let ever = Timestamp::MAX;
    let sending = payments::with_sending(&mut *connection, ever).await?;
    doubt_operations(&mut *connection, &sending, ever, now).await?;
    let sending = requests::on_their_way(&mut *connection, ever, ever).await?;
    abandon_attempts(connection, &sending, ever, ever, now).await
}

/// Some of the operations may have got their answer since they were listed.
async fn doubt_operations(
    connection: &mut Connection,
    sending: &[OperationKey],
    sent_before: Timestamp,
    now: Timestamp,
) -> Result<usize, DbError> {
    let mut doubted = 0_usize;
    for key in sending {
        let Some(before) = readable(connection, key).await? else {
            continue;
        };
        let mut order = before.clone();
        if let Some(payment) = order.payment_mut(key)
            && payment.operation.created_at < sent_before
        {
            payment.operation.sender_is_gone(now);
        }
        if order != before {
            order.conclude(&before, now)?;
            save(connection, &before, &order, now).await?;
            doubted = doubted.saturating_add(1);
        }
    }
    Ok(doubted)
}

async fn abandon_attempts(
    connection: &mut Connection,
    sending: &[OperationKey],
    begun_before: Timestamp,
    asked_before: Timestamp,
    now: Timestamp,
) -> Result<(), DbError> {
    for key in sending {
        let Some(before) = readable(connection, key).await? else {
            continue;
        };
        let mut order = before.clone();
        let Some(payment) = order.payment_mut(key) else {
            continue;
        };
        // The process that sends the other items of a request may still run.
        let mut waiting = Vec::new();
        let attempts = payment.ledger.attempts.iter();
        for attempt in attempts.filter(|attempt| attempt.waits_for_its_turn()) {
            if idempotency_keys::runs(connection, &attempt.requester).await? {
                waiting.push(attempt.id.clone());
            }
        }
        let gone = |attempt: &AttemptRecord| {
            attempt.requested_at < asked_before && !waiting.contains(&attempt.id)
        };
        payment.ledger.give_up_attempts(begun_before, gone, now);
        payment.ledger.give_up_reversal(begun_before, now);
        payment.ledger.plan(now);
        order.conclude(&before, now)?;
        save(connection, &before, &order, now).await?;
    }
    Ok(())
}

/// The order of an operation. An order with an unreadable row is `None`, with an alert, so that the
/// other orders are still processed.
async fn readable(
    connection: &mut Connection,
    key: &OperationKey,
) -> Result<Option<Order>, DbError> {
    match existing(connection, key).await {
        Ok(order) => Ok(Some(order)),
        Err(error) if error.is_away() => Err(error),
        Err(error) => {
            unreadable(&error);
            Ok(None)
        }
    }
}
