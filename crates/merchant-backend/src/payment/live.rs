//! Meeting the live operation that an order has already.

use super::authorize::{Authorization, AuthorizeOrder, Stop, order_paid, running, until};
use super::cancel::{Cancelled, cancel};
use super::query::{Freshness, query};
use crate::backend::Backend;
use crate::clock::now;
use crate::operation::{OperationRecord, Phase};
use crate::store::{Ending, StoreError};
use crate::wakeups::Topic;
use tokio::time::Instant;

/// What to do about the live operation that an order has already; returns when it is gone
/// and the order may be tried again.
pub(super) async fn meet(
    backend: &Backend,
    wanted: &AuthorizeOrder,
    live: OperationRecord,
    deadline: Instant,
) -> Result<(), Stop> {
    if live.phase == Phase::Sending {
        return wait_for_answer(backend, &live, deadline).await;
    }
    if live.is_overdue(now()) {
        return retire(backend, live).await;
    }
    if live.method != wanted.method.name() {
        return match cancel(backend, live).await? {
            Cancelled::Ended(_) => Ok(()),
            Cancelled::Paid(record) => Err(order_paid(&record).into()),
            Cancelled::Unconfirmed(problem) => Err(problem.into()),
        };
    }
    let answer = live
        .answer
        .ok_or_else(|| StoreError::missing("an answer"))?;
    let ending = Ending::Operation(live.key);
    backend.store.end(&wanted.attempt, Some(ending)).await?;
    Err(Stop::Answer(Authorization::Operation(Box::new(answer))))
}

/// Another attempt of this order is on the way; what it gets, this one gets too.
async fn wait_for_answer(
    backend: &Backend,
    live: &OperationRecord,
    deadline: Instant,
) -> Result<(), Stop> {
    let topic = Topic::Operation(live.key.clone());
    let mut wakeup = backend.wakeups.subscribe(topic);
    loop {
        let record = backend.store.operation(&live.key).await?;
        if record.is_none_or(|record| record.phase != Phase::Sending) {
            return Ok(());
        }
        if Instant::now() >= deadline {
            return Err(running().into());
        }
        wakeup.wait(until(deadline)).await;
    }
}

/// The time to pay has passed by our clock: the service is asked once more, then the
/// operation makes way. It stays watched, because a payment may still land on it.
async fn retire(backend: &Backend, live: OperationRecord) -> Result<(), Stop> {
    let key = live.key.clone();
    match query(backend, live, Freshness::New).await {
        Ok(_) => {}
        Err(error) => return Err(error.into_problem()?.into()),
    }
    let change = |record: &mut OperationRecord| {
        if record.is_overdue(now()) {
            record.live = false;
        }
    };
    backend.store.change(&key, Box::new(change), None).await?;
    backend.wake(&key);
    Ok(())
}
