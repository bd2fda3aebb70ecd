//! Looks at due operations and refunds without a request of a browser.

use super::gone_senders::GoneSenders;
use crate::clock::{moment, now, reading};
use crate::config::Timing;
use crate::db::{Db, DbError};
use crate::payments::Payments;
use crate::random::fraction;
use crate::tasks::Tasks;
use crate::wakeups::{Topic, Wakeups};
use payment_rules::operation::Phase;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// How many looks run at once. The client limits how many a second are sent.
const PARALLEL: usize = 32;
/// How many doubts are settled at once. Each takes a cancellation, which may be slow when the
/// service is in trouble and must not hold up the looks.
const DOUBTS: usize = 8;
/// For how long no other look at the same operation starts.
const LEASE: Duration = Duration::from_secs(30);
/// The longest sleep, and so the longest delay after a missed wake-up.
const LONGEST_SLEEP: Duration = Duration::from_secs(10);
/// The shortest sleep, so that the loop never keeps a processor busy.
const SHORTEST_SLEEP: Duration = Duration::from_millis(100);

/// The limits on looks that run at once.
struct Places {
    looks: Arc<Semaphore>,
    doubts: Arc<Semaphore>,
}

/// Takes due operations and refunds from the database and looks at them.
pub(crate) struct Reconciler {
    pub(crate) db: Db,
    pub(crate) payments: Payments,
    pub(crate) wakeups: Wakeups,
    pub(crate) tasks: Tasks,
    pub(crate) timing: Timing,
}

impl Reconciler {
    /// Runs until the server stops.
    pub(crate) async fn run(self) {
        let places = Places {
            looks: Arc::new(Semaphore::new(PARALLEL)),
            doubts: Arc::new(Semaphore::new(DOUBTS)),
        };
        let mut wakeup = self.wakeups.subscribe(Topic::Background);
        let mut gone_senders = GoneSenders::new(&self.timing, moment());
        while !self.tasks.is_stopping() {
            // Looks for a jump of the clock also while nothing else reads it.
            reading();
            let sleep = match self.step(&places, &mut gone_senders).await {
                Ok(sleep) => sleep,
                Err(error) => {
                    tracing::error!(%error, "what is due cannot be read from the database");
                    LONGEST_SLEEP
                }
            };
            let nap = async {
                tokio::time::sleep(SHORTEST_SLEEP.min(sleep)).await;
                wakeup.wait(sleep.saturating_sub(SHORTEST_SLEEP)).await;
            };
            tokio::select! {
                () = nap => {}
                () = self.tasks.stopped() => {}
            }
        }
    }

    /// Starts the due looks; returns the time until the next ones.
    async fn step(
        &self,
        places: &Places,
        gone_senders: &mut GoneSenders,
    ) -> Result<Duration, DbError> {
        gone_senders.give_up(&self.db, &self.db).await?;
        let free = u32::try_from(places.looks.available_permits()).unwrap_or(u32::MAX);
        if free > 0 {
            for record in self.db.take_due(moment(), LEASE, free).await? {
                let place = if record.phase == Phase::InDoubt {
                    &places.doubts
                } else {
                    &places.looks
                };
                // A look without a free place comes again when its lease ends.
                let Ok(permit) = Arc::clone(place).try_acquire_owned() else {
                    continue;
                };
                let payments = self.payments.clone();
                self.tasks.spawn(async move {
                    let number = record.key.number.clone();
                    if let Err(error) = payments.reconcile_operation(record).await {
                        let merchant_operation_number = number.as_str();
                        tracing::error!(%error, merchant_operation_number, "a look failed");
                    }
                    drop(permit);
                });
            }
        }
        let free = u32::try_from(places.looks.available_permits()).unwrap_or(u32::MAX);
        if free > 0 {
            let due = self.db.take_due_refunds(moment(), LEASE, free);
            for key in due.await? {
                let permit = Arc::clone(&places.looks).acquire_owned().await;
                let payments = self.payments.clone();
                self.tasks.spawn(async move {
                    if let Err(error) = payments.reconcile_refunds(&key).await {
                        let merchant_operation_number = key.number.as_str();
                        tracing::error!(%error, merchant_operation_number, "a look at refunds failed");
                    }
                    drop(permit);
                });
            }
        }
        let next = self.db.next_due(moment()).await?;
        let next_refunds = self.db.next_due_refunds(moment()).await?;
        let next = next.into_iter().chain(next_refunds).min();
        let rest = next.map_or(LONGEST_SLEEP, |due| {
            // A little more or less, so that many operations do not come due together.
            let rest = due.duration_since(now());
            rest.mul_f64(1.0 + 0.05 * fraction())
        });
        Ok(rest.clamp(SHORTEST_SLEEP, LONGEST_SLEEP))
    }
}
