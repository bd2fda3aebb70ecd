//! Looks at operations though no browser does, as each one's plan says.

use crate::backend::Backend;
use crate::clock::{JumpWatch, millis, moment, now};
use crate::operation::{OperationRecord, Phase};
use crate::order::OrderState;
use crate::payment::{Cancelled, Freshness, cancel, query, settle_doubt_as_planned};
use crate::random::fraction;
use crate::refunding::watch;
use crate::store::StoreError;
use crate::wakeups::Topic;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// Looks at once. How many a second are sent is the client's to limit.
const PARALLEL: usize = 32;
/// Doubts that are settled at once: each is a cancellation, which may be slow when the service is
/// in trouble, and must not hold up the looks.
const DOUBTS: usize = 8;
/// For how long a look is left to whoever took it.
const LEASE: Duration = Duration::from_secs(30);
/// The longest sleep: other nodes plan things too.
const LONGEST_SLEEP: Duration = Duration::from_secs(10);
/// The shortest one, so that nothing can make this a busy loop.
const SHORTEST_SLEEP: Duration = Duration::from_millis(100);

/// Runs until the server stops.
pub(crate) async fn run(backend: Backend) {
    let places = Places {
        looks: Arc::new(Semaphore::new(PARALLEL)),
        doubts: Arc::new(Semaphore::new(DOUBTS)),
    };
    let mut wakeup = backend.wakeups.subscribe(Topic::Sweep);
    let mut jumps = JumpWatch::new(moment());
    while !backend.stopping.is_cancelled() {
        if let Some(by_ms) = jumps.look(moment()) {
            tracing::warn!(by_ms, "the clock was set, or the machine slept");
        }
        let sleep = match sweep(&backend, &places, &jumps).await {
            Ok(sleep) => sleep,
            Err(error) => {
                tracing::error!(%error, "the sweeper cannot use the database");
                LONGEST_SLEEP
            }
        };
        backend.authorizes.retain_recent();
        backend.sign_ins.retain_recent();
        let nap = async {
            tokio::time::sleep(SHORTEST_SLEEP.min(sleep)).await;
            wakeup.wait(sleep.saturating_sub(SHORTEST_SLEEP)).await;
        };
        tokio::select! {
            () = nap => {}
            () = backend.stopping.cancelled() => {}
        }
    }
}

/// Where looks are made.
struct Places {
    looks: Arc<Semaphore>,
    doubts: Arc<Semaphore>,
}

/// Starts what is due; answers with the time until there is more.
async fn sweep(
    backend: &Backend,
    places: &Places,
    jumps: &JumpWatch,
) -> Result<Duration, StoreError> {
    abandon(backend, jumps).await?;
    let free = u32::try_from(places.looks.available_permits()).unwrap_or(u32::MAX);
    if free > 0 {
        for record in backend
            .store
            .take_due(moment(), millis(LEASE), free)
            .await?
        {
            let place = if record.phase == Phase::InDoubt {
                &places.doubts
            } else {
                &places.looks
            };
            // What finds no place comes again when its lease ends.
            let Ok(permit) = Arc::clone(place).try_acquire_owned() else {
                continue;
            };
            let task = backend.clone();
            backend.tasks.spawn(async move {
                let number = record.key.number.clone();
                if let Err(error) = look(&task, record).await {
                    tracing::error!(%error, merchant_operation_number = number.as_str(), "a look failed");
                }
                drop(permit);
            });
        }
    }
    let free = u32::try_from(places.looks.available_permits()).unwrap_or(u32::MAX);
    if free > 0 {
        let due = backend
            .store
            .take_due_refunds(moment(), millis(LEASE), free);
        for key in due.await? {
            let permit = Arc::clone(&places.looks).acquire_owned().await;
            let task = backend.clone();
            backend.tasks.spawn(async move {
                if let Err(error) = watch(&task, &key).await {
                    let number = key.number.as_str();
                    tracing::error!(%error, merchant_operation_number = number, "a look at refunds failed");
                }
                drop(permit);
            });
        }
    }
    let next = backend.store.next_due(moment()).await?;
    let next_refunds = backend.store.next_due_refunds(moment()).await?;
    let next = next.into_iter().chain(next_refunds).min();
    let rest = next.map_or(LONGEST_SLEEP, |due| {
        // A little more or less, so that many operations do not come due together.
        let rest = due.saturating_sub(now()).max(0);
        let rest = Duration::from_millis(rest.unsigned_abs());
        rest.mul_f64(1.0 + 0.05 * fraction())
    });
    Ok(rest.clamp(SHORTEST_SLEEP, LONGEST_SLEEP))
}

/// Gives up what was sent so long ago that whoever sent it is gone. Soon after a jump of the
/// clock nothing is given up: what has just been sent may look old.
async fn abandon(backend: &Backend, jumps: &JumpWatch) -> Result<(), StoreError> {
    let (sending, asking) = (backend.sending(), backend.refund_lease());
    let sent_before = now().saturating_sub(sending);
    if jumps.is_calm_for(sending) {
        backend.store.doubt_abandoned(sent_before, now()).await?;
    }
    if jumps.is_calm_for(sending.max(asking)) {
        let asked_before = now().saturating_sub(asking);
        let store = &backend.store;
        store
            .abandon_attempts(sent_before, asked_before, now())
            .await?;
    }
    Ok(())
}

async fn look(backend: &Backend, record: OperationRecord) -> Result<(), StoreError> {
    match record.phase {
        Phase::InDoubt => settle_doubt_as_planned(backend, record).await,
        Phase::Known if record.live && is_superfluous(backend, &record).await? => {
            // The order is paid by another operation: this code must not be paid as well.
            withdraw_superfluous(backend, record).await
        }
        Phase::Known => {
            // A failed look is planned again where it failed.
            let _ = query(backend, record, Freshness::Planned).await;
            Ok(())
        }
        Phase::Sending | Phase::Refused | Phase::Lost => Ok(()),
    }
}

/// Cancels a code that nobody needs any more. Where that fails, it comes again ever less often, and
/// not while the service wants no cancellations.
async fn withdraw_superfluous(
    backend: &Backend,
    record: OperationRecord,
) -> Result<(), StoreError> {
    let key = record.key.clone();
    let rest = backend.service.no_cancellations_for();
    if rest.is_none() && !matches!(cancel(backend, record).await?, Cancelled::Unconfirmed(_)) {
        return Ok(());
    }
    let rest = millis(rest.unwrap_or_default());
    let later = move |record: &mut OperationRecord| record.plan_withdrawal(now(), rest);
    backend.store.change(&key, Box::new(later), None).await?;
    Ok(())
}

async fn is_superfluous(backend: &Backend, record: &OperationRecord) -> Result<bool, StoreError> {
    let order = backend.store.order(&record.order_id).await?;
    Ok(order.is_some_and(|order| order.state == OrderState::Paid))
}
