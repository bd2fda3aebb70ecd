//! Delivers each event until it succeeds. The events of one order are delivered in order.

use super::delivery::{DeliveryError, EventSender};
use crate::clock::{moment, now};
use crate::config::{EventsConfig, Timing};
use crate::db::{Db, DbError, StoredEvent};
use crate::metrics::{Answered, Metrics};
use crate::random::fraction;
use crate::send_window::SendWindow;
use crate::tasks::Tasks;
use crate::wakeups::{Topic, Wakeups};
use payment_model::Timestamp;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::{Id, JoinSet};

const MAX_PARALLEL_DELIVERIES: usize = 8;
/// The upper limit of the backoff between two deliveries of one event.
const MAX_RETRY_PAUSE: Duration = Duration::from_hours(1);
/// Other nodes write events without waking this worker, so it polls for them.
const POLL_INTERVAL: Duration = Duration::from_secs(10);
/// An event that is due but cannot be taken must not make the loop busy.
const MIN_SLEEP: Duration = Duration::from_millis(20);
/// Events are kept for this time after their delivery, or after their creation if no receiver is
/// configured.
const RETENTION: Duration = Duration::from_hours(30 * 24);
const PRUNING_INTERVAL: Duration = Duration::from_hours(1);

/// The task that delivers due events.
pub(crate) struct Worker {
    db: Db,
    wakeups: Wakeups,
    tasks: Tasks,
    timing: Timing,
    /// `None` if no receiver is configured, or if its client cannot be built.
    sender: Option<Arc<EventSender>>,
    deliveries: JoinSet<()>,
    /// The events of the running deliveries. A delivery may outlast its lease, so this map prevents a
    /// second delivery of the same event by this node.
    events: HashMap<Id, i64>,
    prune_at: Timestamp,
    /// Without a receiver, undelivered events are removed as well.
    has_receiver: bool,
    metrics: Metrics,
}

impl Worker {
    pub(crate) fn new(
        db: Db,
        wakeups: Wakeups,
        tasks: Tasks,
        receiver: Option<&EventsConfig>,
        timing: Timing,
        metrics: Metrics,
    ) -> Self {
        let sender = receiver.and_then(|receiver| {
            let sender = EventSender::new(receiver, timing.event_timeout);
            let failed =
                |error| tracing::error!(alert = true, %error, "events cannot be delivered");
            sender.map_err(failed).ok().map(Arc::new)
        });
        Self {
            db,
            wakeups,
            tasks,
            timing,
            has_receiver: receiver.is_some(),
            sender,
            deliveries: JoinSet::new(),
            events: HashMap::new(),
            prune_at: Timestamp::MIN,
            metrics,
        }
    }

    /// Runs until the server stops.
    pub(crate) async fn run(mut self) {
        let tasks = self.tasks.clone();
        let mut wakeup = self.wakeups.subscribe(Topic::Background);
        while !tasks.is_stopping() {
            let sleep = self.step().await.unwrap_or_else(|error| {
                tracing::error!(%error, "the worker of events cannot use the database");
                POLL_INTERVAL
            });
            tokio::select! {
                Some(ended) = self.deliveries.join_next_with_id() => self.ended(ended),
                () = wakeup.wait(sleep) => {}
                () = tasks.stopped() => {}
            }
        }
        // Running deliveries may still succeed. The others are repeated after the next start.
        let running = async { while self.deliveries.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(self.timing.shutdown / 2, running).await;
        self.deliveries.shutdown().await;
    }

    fn ended(&mut self, ended: Result<(Id, ()), tokio::task::JoinError>) {
        let id = match ended {
            Ok((id, ())) => id,
            Err(error) => error.id(),
        };
        self.events.remove(&id);
    }

    /// Starts the due deliveries, and returns the time until the next ones are due.
    async fn step(&mut self) -> Result<Duration, DbError> {
        self.prune().await?;
        let Some(sender) = &self.sender else {
            return Ok(POLL_INTERVAL);
        };
        let db = &self.db;
        let free = MAX_PARALLEL_DELIVERIES.saturating_sub(self.events.len());
        if free == 0 {
            return Ok(POLL_INTERVAL);
        }
        let lease = self.timing.event_timeout * 2 + Duration::from_secs(10);
        let free = u32::try_from(free).unwrap_or(u32::MAX);
        // The window opens before the lease begins. Until the lease expires, no other node sends this
        // event or a later one of its order. A node that was halted may resume after others sent both,
        // and must not send then.
        let window = SendWindow::open();
        for event in due_now(db, lease, free).await? {
            if self.events.values().any(|seq| *seq == event.seq) {
                continue;
            }
            let seq = event.seq;
            let first_pause = self.timing.event_pause;
            let (sender, metrics) = (Arc::clone(sender), self.metrics.clone());
            let task = deliver(self.db.clone(), sender, metrics, event, window, first_pause);
            let id = self.deliveries.spawn(task).id();
            self.events.insert(id, seq);
        }
        let next = db.next_due_event(moment()).await?;
        let sleep = next.map_or(POLL_INTERVAL, |due| due.duration_since(now()));
        Ok(sleep.clamp(MIN_SLEEP, POLL_INTERVAL))
    }

    async fn prune(&mut self) -> Result<(), DbError> {
        if now() < self.prune_at {
            return Ok(());
        }
        let before = now().saturating_sub(RETENTION);
        self.db.prune_events(before, !self.has_receiver).await?;
        self.prune_at = now().saturating_add(PRUNING_INTERVAL);
        Ok(())
    }
}

/// Takes due events. A read comes first, so that a wake-up without due events costs no write.
async fn due_now(db: &Db, lease: Duration, limit: u32) -> Result<Vec<StoredEvent>, DbError> {
    let at = moment();
    match db.next_due_event(at).await? {
        Some(due) if due <= at.wall => db.take_due_events(at, lease, limit).await,
        _ => Ok(Vec::new()),
    }
}

async fn deliver(
    db: Db,
    sender: Arc<EventSender>,
    metrics: Metrics,
    event: StoredEvent,
    window: SendWindow,
    first_pause: Duration,
) {
    let (event_id, kind) = (event.id.as_str(), event.kind.as_str());
    let written = match sender.deliver(&event, window).await {
        Err(DeliveryError::LeaseExpired) => {
            tracing::warn!(event_id, kind, "an event was left to its next lease");
            return;
        }
        Ok(()) => {
            metrics.delivery(Answered::Yes);
            tracing::info!(event_id, kind, "an event was delivered");
            db.event_delivered(event.seq, now()).await
        }
        Err(DeliveryError::Failed(why)) => {
            metrics.delivery(Answered::No);
            let failures = event.failures.saturating_add(1);
            tracing::warn!(event_id, kind, failures, why, "an event was not delivered");
            let pause = pause(first_pause, event.failures).mul_f64(0.9 + 0.2 * fraction());
            let due_at = now().saturating_add(pause);
            db.event_failed(event.seq, due_at).await
        }
    };
    if let Err(error) = written {
        tracing::error!(%error, event_id, "what became of a delivery cannot be written down");
    }
}

/// The exponential backoff after a failed delivery.
fn pause(first: Duration, failures: u32) -> Duration {
    first
        .saturating_mul(1 << failures.min(16))
        .min(MAX_RETRY_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::pause;
    use std::time::Duration;

    #[test]
    fn pauses_grow_up_to_an_hour() {
        let first = Duration::from_secs(5);
        let pauses: Vec<u64> = (0..12).map(|n| pause(first, n).as_secs()).collect();
        assert_eq!(
            pauses,
            [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600]
        );
        assert_eq!(pause(first, u32::MAX).as_secs(), 3600);
    }
}
