//! Changes orders: locks their rows, loads them whole, runs a change over them, and saves the difference with its events
//! in one durable transaction, so that neither exists without the other. A change that leaves only another plan for polling
//! does not wait for the disk.

use super::connections::Db;
use super::engine::Connection;
use super::error::DbError;
use super::load_order::{LoadBy, load};
use super::lock::Lock;
use super::notify::Change;
use super::requests::given_back_by;
use super::write_transaction::WriteTx;
use super::{
    audit, events, exceptions, idempotency_keys, operations, orders, payments, refused_codes,
};
use crate::clock::now;
use payment_model::Timestamp;
use payment_rules::event::{Event, EventDetails};
use payment_rules::idempotency::Claim;
use payment_rules::ledger::GivenBack;
use payment_rules::operation::{OperationKey, OperationRecord, Phase};
use payment_rules::order::OrderFacts;
use payment_rules::payment::{CountedCode, Effects, Order, Orders, Payment, events_between};

/// How often a change of a plan is tried.
const MAX_TRIES: u32 = 5;

impl Db {
    /// Changes the order of an operation; returns the changed order with the result of the change, which
    /// runs anew on the newly loaded order if only a plan was to be stored and it was out of date by then.
    /// After an error the change may be stored all the same: a repetition needs a change that can run
    /// again on its own result.
    pub(crate) async fn update_order<R>(
        &self,
        key: &OperationKey,
        mut change: impl FnMut(&mut Order) -> R + Send,
    ) -> Result<(Order, R), DbError> {
        for tried in 1..=MAX_TRIES {
            if let Some(changed) = self.try_to_update_order(key, &mut change).await? {
                return Ok(changed);
            }
            tracing::info!(
                merchant_operation_number = key.number.as_str(),
                tried,
                "an operation changed while its next query was planned"
            );
        }
        Err(DbError::Changing)
    }

    /// `None`, with nothing stored, if a notification or a turn came before the plan was stored: neither
    /// locks the order.
    async fn try_to_update_order<R>(
        &self,
        key: &OperationKey,
        change: &mut (impl FnMut(&mut Order) -> R + Send),
    ) -> Result<Option<(Order, R)>, DbError> {
        let mut transaction = self.write(Lock::Operation(key)).await?;
        let before = existing(&mut transaction, key).await?;
        let mut order = before.clone();
        let result = change(&mut order);
        order.conclude(&before, now())?;
        if is_only_polled(&before, &order) {
            let mut transaction = self.downgrade(transaction).await?;
            for payment in changed(&before, &order, key) {
                let planned = &payment.operation;
                let read = before.payment(&planned.key).unwrap_or(payment);
                let watch = &payment.ledger.watch;
                if read.ledger.watch != *watch {
                    transaction.plan_refund_poll(&planned.key, watch).await?;
                } else if !transaction.plan(&read.operation, planned).await? {
                    return Ok(None);
                }
            }
            transaction.commit().await?;
        } else {
            self.finish(transaction, vec![(before, &order)], key)
                .await?;
        }
        Ok(Some((order, result)))
    }

    /// Plans the next poll of an operation by one statement, without its order; false, with nothing
    /// stored, if the operation has changed since it was read.
    pub(crate) async fn plan(
        &self,
        read: &OperationRecord,
        planned: &OperationRecord,
    ) -> Result<bool, DbError> {
        let mut transaction = self.write_async_commit(Lock::None).await?;
        let is_planned = transaction.plan(read, planned).await?;
        transaction.commit().await?;
        Ok(is_planned)
    }

    /// Changes the order of an operation for an account of staff, and passes what the account has
    /// given back. A lock on the account keeps its concurrent requests out.
    ///
    /// A request with an idempotency key gives its claim: nothing changes if another run has the key by
    /// now ([`DbError::ClaimLost`]), since that run may have answered that nothing is given back.
    pub(crate) async fn update_order_for<R>(
        &self,
        staff: &str,
        claim: Option<&Claim>,
        key: &OperationKey,
        change: impl FnOnce(&mut Order, GivenBack) -> R + Send,
    ) -> Result<(Order, R), DbError> {
        let keys = std::slice::from_ref(key);
        let mut transaction = self.write(Lock::Account(staff, keys)).await?;
        if let Some(claim) = claim {
            require(&mut transaction, claim).await?;
        }
        let before = existing(&mut transaction, key).await?;
        let given_back = given_back_by(&mut transaction, staff, key).await?;
        let mut order = before.clone();
        let result = change(&mut order, given_back);
        order.conclude(&before, now())?;
        self.finish(transaction, vec![(before, &order)], key)
            .await?;
        Ok((order, result))
    }

    /// Changes the orders of several operations together, as [`Self::update_order_for`] does. What the
    /// account has given back is in the order of the keys.
    pub(crate) async fn update_orders_for<R>(
        &self,
        staff: &str,
        claim: &Claim,
        keys: &[OperationKey],
        change: impl FnOnce(&mut Orders, &[GivenBack]) -> R + Send,
    ) -> Result<R, DbError> {
        let mut transaction = self.write(Lock::Account(staff, keys)).await?;
        require(&mut transaction, claim).await?;
        let mut orders = Orders(Vec::with_capacity(keys.len()));
        let mut given_back = Vec::with_capacity(keys.len());
        for key in keys {
            if orders.order_mut(key).is_none() {
                orders.0.push(existing(&mut transaction, key).await?);
            }
            given_back.push(given_back_by(&mut transaction, staff, key).await?);
        }
        let before = orders.0.clone();
        let result = change(&mut orders, &given_back);
        for (order, before) in orders.0.iter_mut().zip(&before) {
            order.conclude(before, now())?;
        }
        let both = before.into_iter().zip(&orders.0).collect();
        if let Some(key) = keys.first() {
            self.finish(transaction, both, key).await?;
        }
        Ok(result)
    }

    /// Saves the differences, notifies the other nodes, and commits.
    async fn finish(
        &self,
        mut transaction: WriteTx,
        orders: Vec<(Order, &Order)>,
        key: &OperationKey,
    ) -> Result<(), DbError> {
        let mut events = Vec::new();
        for (before, order) in &orders {
            events.extend(save(&mut transaction, before, order, now()).await?);
            for payment in changed(before, order, key) {
                let changed = Change::Operation(payment.operation.key.clone());
                self.notify_nodes(&mut transaction, &changed).await?;
            }
            if let Some((claim, _)) = &order.effects.answered {
                let ended = Change::key_of(&claim.request);
                self.notify_nodes(&mut transaction, &ended).await?;
            }
        }
        transaction.commit().await?;
        events.iter().for_each(log);
        Ok(())
    }
}

async fn require(connection: &mut Connection, claim: &Claim) -> Result<(), DbError> {
    if idempotency_keys::holds_claim(connection, claim).await? {
        Ok(())
    } else {
        Err(DbError::ClaimLost)
    }
}

pub(super) async fn existing(
    connection: &mut Connection,
    key: &OperationKey,
) -> Result<Order, DbError> {
    let order = load(connection, LoadBy::Operation(key)).await?;
    order.ok_or_else(|| DbError::missing("the order of an operation"))
}

/// The payments that a change touched, and in any case the one that it was about.
fn changed<'a>(
    before: &'a Order,
    order: &'a Order,
    key: &'a OperationKey,
) -> impl Iterator<Item = &'a Payment> {
    order.payments.iter().filter(move |payment| {
        let own = &payment.operation.key;
        own == key || before.payment(own) != Some(*payment)
    })
}

/// True when a change touches only when operations are polled next.
fn is_only_polled(before: &Order, order: &Order) -> bool {
    let same_payments = before.payments.len() == order.payments.len()
        && before
            .payments
            .iter()
            .zip(&order.payments)
            .all(|(before, payment)| {
                before.differs_only_in_watch(payment)
                    || (before.operation.differs_only_in_plan(&payment.operation)
                        && before.ledger == payment.ledger
                        && before.block_release == payment.block_release)
            });
    same_payments && before.facts == order.facts && order.effects == Effects::default()
}

fn log(event: &Event) {
    if let (EventDetails::Refund(refund), Some(number)) = (&event.details, &event.number) {
        tracing::info!(
            merchant_operation_number = number.as_str(),
            refund_id = refund.refund_id,
            event = event.kind.as_str(),
            "a refund ended"
        );
    }
}

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
            operations::make_due(connection, &payment.operation.key, now).await?;
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
    let store = is.merchant_code.as_str();
    match after.effects.code {
        Some(CountedCode::Refused(at)) => refused_codes::add(connection, store, at).await?,
        Some(CountedCode::Right) if after.refused_codes > 0 => {
            refused_codes::reset(connection, store, Timestamp::MAX).await?;
        }
        Some(CountedCode::Right) | None => {}
    }
    Ok(events)
}

#[cfg(test)]
mod tests;
