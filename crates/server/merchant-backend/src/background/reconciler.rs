//! Reconciles due operations and refunds with the payment service in the background, and gives up the requests of
//! processes that have stopped.

use crate::clock::{believed_now, moment, now, reading};
use crate::db::{Db, DbError};
use crate::payments::Payments;
use crate::random::fraction;
use crate::tasks::Tasks;
use crate::trace;
use crate::wakeups::{Topic, Wakeups};
use payment_rules::operation::Phase;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// The client of the payment service limits the rate of the queries; this limits their concurrency.
const MAX_PARALLEL_QUERIES: usize = 32;
/// Operations in doubt have a limit of their own. Settling one takes a cancellation, which is slow
/// while the service has problems, and must not delay the queries.
const MAX_PARALLEL_DOUBTS: usize = 8;
/// No other node reconciles the same operation or refund during the lease.
const LEASE: Duration = Duration::from_secs(30);
/// The longest delay after a missed wake-up.
const MAX_SLEEP: Duration = Duration::from_secs(10);
/// Keeps the loop from becoming busy.
const MIN_SLEEP: Duration = Duration::from_millis(100);

/// Limits the concurrency of the reconciliations.
struct Slots {
    queries: Arc<Semaphore>,
    doubts: Arc<Semaphore>,
}

/// The task that takes due operations and refunds from the database and reconciles them.
pub(crate) struct Reconciler {
    pub(crate) db: Db,
    pub(crate) payments: Payments,
    pub(crate) wakeups: Wakeups,
    pub(crate) tasks: Tasks,
}

impl Reconciler {
    /// Runs until the server stops.
    pub(crate) async fn run(self) {
        let slots = Slots {
            queries: Arc::new(Semaphore::new(MAX_PARALLEL_QUERIES)),
            doubts: Arc::new(Semaphore::new(MAX_PARALLEL_DOUBTS)),
        };
        let mut wakeup = self.wakeups.subscribe(Topic::Background);
        while !self.tasks.is_stopping() {
            // Detects a jump of the clock even while nothing else reads the clock.
            reading();
            let sleep = match self.step(&slots).await {
                Ok(sleep) => sleep,
                Err(error) => {
                    tracing::error!(%error, "what is due cannot be read from the database");
                    MAX_SLEEP
                }
            };
            let nap = async {
                tokio::time::sleep(MIN_SLEEP.min(sleep)).await;
                wakeup.wait(sleep.saturating_sub(MIN_SLEEP)).await;
            };
            tokio::select! {
                () = nap => {}
                () = self.tasks.stopped() => {}
            }
        }
    }

    /// Starts the due reconciliations, and returns the time until the next ones are due.
    async fn step(&self, slots: &Slots) -> Result<Duration, DbError> {
        let settings = &self.payments.settings;
        give_up(&self.db, settings.sending(), settings.lease()).await?;
        let free = u32::try_from(slots.queries.available_permits()).unwrap_or(u32::MAX);
        if free > 0 {
            for record in self.db.take_due(moment(), LEASE, free).await? {
                let slot = if record.phase == Phase::InDoubt {
                    &slots.doubts
                } else {
                    &slots.queries
                };
                // Without a free slot, the operation is due again when its lease expires.
                let Ok(permit) = Arc::clone(slot).try_acquire_owned() else {
                    continue;
                };
                let payments = self.payments.clone();
                self.tasks.spawn(trace::in_background(None, async move {
                    let number = record.key.number.clone();
                    if let Err(error) = payments.reconcile_operation(record).await {
                        let merchant_operation_number = number.as_str();
                        tracing::error!(%error, merchant_operation_number, "reconciling an operation failed");
                    }
                    drop(permit);
                }));
            }
        }
        let free = u32::try_from(slots.queries.available_permits()).unwrap_or(u32::MAX);
        if free > 0 {
            let due = self.db.take_due_refunds(moment(), LEASE, free);
            for key in due.await? {
                let permit = Arc::clone(&slots.queries).acquire_owned().await;
                let payments = self.payments.clone();
                self.tasks.spawn(trace::in_background(None, async move {
                    if let Err(error) = payments.reconcile_refunds(&key).await {
                        let merchant_operation_number = key.number.as_str();
                        tracing::error!(%error, merchant_operation_number, "reconciling refunds failed");
                    }
                    drop(permit);
                }));
            }
        }
        let next = self.db.next_due(moment()).await?;
        let next_refunds = self.db.next_due_refunds(moment()).await?;
        let next = next.into_iter().chain(next_refunds).min();
        let sleep = next.map_or(MAX_SLEEP, |due| {
            // Jitter, so that several nodes do not wake at the same instant.
            let sleep = due.duration_since(now());
            sleep.mul_f64(1.0 + 0.05 * fraction())
        });
        Ok(sleep.clamp(MIN_SLEEP, MAX_SLEEP))
    }
}

/// Gives up requests that were sent longer ago than `sending`, and attempts that run for longer than `asking`, unless
/// the clock jumped within that time: a request that was just sent may look old.
pub(super) async fn give_up(db: &Db, sending: Duration, asking: Duration) -> Result<(), DbError> {
    // The clock of the database's server is read first, so that its jump is seen here.
    db.follow_clock().await?;
    if let Some(now) = believed_now(sending, Duration::ZERO) {
        db.doubt_abandoned(now.saturating_sub(sending), now).await?;
    }
    if let Some(now) = believed_now(sending.max(asking), Duration::ZERO) {
        let (sent, asked) = (now.saturating_sub(sending), now.saturating_sub(asking));
        db.abandon_attempts(sent, asked, now).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::give_up;
    use crate::ambient::{Node, TestMachine};
    use crate::clock::now;
    use crate::database_address::DatabaseAddress;
    use crate::db::Db;
    use payment_model::{PaymentMethodName, Timestamp};
    use payment_rules::ledger::Ledger;
    use payment_rules::ledger::fixture::reserve;
    use payment_rules::operation::fixture::{record, with_state};
    use payment_rules::operation::{OperationKey, OperationRecord, Phase};
    use payment_rules::order::fixture::order;
    use payment_rules::timing::instant;
    use staff_model::AttemptState;
    use std::time::Duration;

    const SECOND: Duration = Duration::from_secs(1);
    const HOUR: Duration = Duration::from_hours(1);

    async fn send_authorization(db: &Db, at: Timestamp) -> OperationKey {
        db.add_order(&order("order")).await.unwrap();
        let sent = OperationRecord {
            created_at: at,
            ..record()
        };
        db.put(&sent).await.unwrap();
        sent.key
    }

    async fn send_refund(db: &Db, at: Timestamp) -> OperationKey {
        db.add_order(&order("settled")).await.unwrap();
        let settled = OperationRecord {
            key: OperationKey::new("shop", "2"),
            order_id: "settled".to_owned(),
            callback_hash: "2".to_owned(),
            method: PaymentMethodName::Installment,
            ..with_state("LIQUIDADO", instant(0))
        };
        db.put(&settled).await.unwrap();
        let begin = |ledger: &mut Ledger| {
            reserve(ledger, "attempt", 100, at);
            assert!(ledger.begin("attempt", at));
        };
        db.change_ledger(&settled.key, begin).await.unwrap();
        settled.key
    }

    async fn are_in_doubt(db: &Db, keys: &[OperationKey; 2]) -> (bool, bool) {
        let operation = db.operation(&keys[0]).await.unwrap().unwrap();
        let ledger = db.ledger(&keys[1]).await.unwrap().unwrap();
        let attempt = ledger.attempts[0].state;
        (
            operation.phase == Phase::InDoubt,
            attempt == AttemptState::InDoubt,
        )
    }

    #[tokio::test]
    async fn a_jump_of_the_clock_gives_up_no_request_that_was_just_sent() {
        let machine = TestMachine::new();
        let test = async {
            let directory = tempfile::tempdir().unwrap();
            // A file has no clock of its own.
            let file = DatabaseAddress::File(directory.path().join("db"));
            let db = Db::open(&file).await.unwrap();
            let (sending, asking) = (50 * SECOND, 100 * SECOND);
            give_up(&db, sending, asking).await.unwrap();
            let sent = now();
            let keys = [
                send_authorization(&db, sent).await,
                send_refund(&db, sent).await,
            ];
            for (passes, jumps, in_doubt) in [
                (SECOND, Duration::ZERO, false),
                (SECOND, HOUR, false),
                (10 * SECOND, Duration::ZERO, false),
                (HOUR, Duration::ZERO, true),
            ] {
                machine.passes(passes + jumps, passes);
                give_up(&db, sending, asking).await.unwrap();
                let found = are_in_doubt(&db, &keys).await;
                assert_eq!(found, (in_doubt, in_doubt), "{passes:?} {jumps:?}");
            }
        };
        Node::start_on(machine.clone()).run(test).await;
    }
}
