//! Saves the difference between an order as it was loaded and as a change left it, with the events of
//! the difference, so that neither exists without the other.

use super::engine::Connection;
use super::error::DbError;
use super::{audit, events, exceptions, idempotency_keys, orders, payments, transaction_hints};
use payment_model::Timestamp;
use payment_rules::event::Event;
use payment_rules::operation::Phase;
use payment_rules::order::OrderFacts;
use payment_rules::payment::{Order, events_between};

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
        let earlier = before.payment(&payment.operation.key);
        payments::save(connection, earlier, payment).await?;
        let was_sending = earlier.is_some_and(|one| one.operation.phase == Phase::Sending);
        if was_sending && earlier != Some(payment) {
            // A notification may have named the transaction before the request was put in doubt.
            transaction_hints::make_due(connection, &payment.operation.key, now).await?;
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
