//! Saves the difference between an order as it was loaded and as a change left it, with the events of
//! the difference, so that neither exists without the other.

use super::engine::Connection;
use super::error::DbError;
use super::refund_tables::{save_attempt, save_refund, save_watch};
use super::return_and_reversal_tables::{save_return, save_reversal};
use super::{audit, events, exceptions, idempotency_keys, operations, orders, transaction_hints};
use payment_model::Timestamp;
use payment_rules::event::Event;
use payment_rules::ledger::Ledger;
use payment_rules::operation::{OperationKey, OperationRecord, Phase};
use payment_rules::order::OrderFacts;
use payment_rules::payment::{BlockReleaseRecord, Order, Payment, events_between};

/// Saves the difference; returns the events that it wrote.
///
/// # Errors
/// [`DbError::NumberTaken`] when a new operation has the number of one that exists.
pub(super) async fn save(
    connection: &mut Connection,
    before: &Order,
    after: &Order,
    now: Timestamp,
) -> Result<Vec<Event>, DbError> {
    for payment in &after.payments {
        let key = &payment.operation.key;
        let earlier = before.payment(key);
        save_operation(connection, earlier, &payment.operation, now).await?;
        let known = earlier.map(|earlier| &earlier.ledger);
        save_ledger(connection, known, &payment.ledger).await?;
        let known = earlier.and_then(|earlier| earlier.block_release.as_ref());
        if let Some(release) = payment.block_release.as_ref()
            && known != Some(release)
        {
            save_block_release(connection, key, release).await?;
        }
    }
    let (was, is) = (&before.facts, &after.facts);
    let state = |facts: &OrderFacts| (facts.state, facts.paid_twice, facts.unpaid_at);
    if state(was) != state(is) {
        orders::save_state(connection, is).await?;
    }
    exceptions::save(connection, before, after).await?;
    let events = events_between(before, after);
    for event in &events {
        events::add(connection, event, now).await?;
    }
    for record in &after.effects.audit {
        audit::add(connection, record).await?;
    }
    if let Some((claim, answer)) = &after.effects.answered {
        idempotency_keys::end(connection, claim, Some(answer)).await?;
    }
    Ok(events)
}

async fn save_operation(
    connection: &mut Connection,
    earlier: Option<&Payment>,
    operation: &OperationRecord,
    now: Timestamp,
) -> Result<(), DbError> {
    let earlier = earlier.map(|earlier| &earlier.operation);
    match earlier {
        Some(earlier) if earlier == operation => return Ok(()),
        Some(earlier) if earlier.is_attempt_of(operation) => {
            operations::write(&mut *connection, operation).await?;
        }
        // A new attempt; the number may be that of an earlier one whose request never left.
        _ => {
            if !operations::add(&mut *connection, operation).await? {
                return Err(DbError::NumberTaken);
            }
        }
    }
    if earlier.is_some_and(|earlier| earlier.phase == Phase::Sending) {
        // A notification may have named the transaction before the request was put in doubt.
        transaction_hints::make_due(connection, &operation.key, now).await?;
    }
    Ok(())
}

async fn save_ledger(
    connection: &mut Connection,
    earlier: Option<&Ledger>,
    ledger: &Ledger,
) -> Result<(), DbError> {
    let key = &ledger.key;
    for attempt in &ledger.attempts {
        if !earlier.is_some_and(|earlier| earlier.attempts.contains(attempt)) {
            save_attempt(connection, ledger, attempt).await?;
        }
    }
    for refund in &ledger.refunds {
        if !earlier.is_some_and(|earlier| earlier.refunds.contains(refund)) {
            save_refund(connection, key, refund).await?;
        }
    }
    for returned in &ledger.returns {
        if !earlier.is_some_and(|earlier| earlier.returns.contains(returned)) {
            save_return(connection, key, returned).await?;
        }
    }
    for reversal in &ledger.reversals {
        if !earlier.is_some_and(|earlier| earlier.reversals.contains(reversal)) {
            save_reversal(connection, key, reversal).await?;
        }
    }
    let known_watch = earlier.map(|earlier| earlier.watch).unwrap_or_default();
    if known_watch != ledger.watch {
        save_watch(connection, key, &ledger.watch).await?;
    }
    Ok(())
}

async fn save_block_release(
    connection: &mut Connection,
    key: &OperationKey,
    release: &BlockReleaseRecord,
) -> Result<(), DbError> {
    let released = release.released.as_ref();
    sqlx::query(
        "INSERT INTO block_releases (merchant_code, merchant_operation_number, blocked_since,
             asked_by, asked_at, reason, released_by, released_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (merchant_code, merchant_operation_number, blocked_since) DO UPDATE SET
             released_by = excluded.released_by, released_at = excluded.released_at",
    )
    .bind(key.merchant_code.as_str())
    .bind(key.number.as_str())
    .bind(release.blocked_since.as_millis())
    .bind(&release.asked_by)
    .bind(release.asked_at.as_millis())
    .bind(&release.reason)
    .bind(released.map(|(by, _)| by.as_str()))
    .bind(released.map(|(_, at)| at.as_millis()))
    .execute(connection)
    .await?;
    Ok(())
}
