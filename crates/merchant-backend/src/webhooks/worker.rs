//! Delivers events until each has succeeded; the events of one order go one after the other.

use super::delivery::{Post, Undelivered};
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

/// How many deliveries run at once.
const PARALLEL: usize = 8;
/// The longest pause between two deliveries of one event.
const LONGEST_PAUSE: Duration = Duration::from_hours(1);
/// The longest sleep: other nodes write events too.
const LONGEST_SLEEP: Duration = Duration::from_secs(10);
/// For how long events are kept after they were delivered, or where nobody takes them.
const KEPT: Duration = Duration::from_hours(30 * 24);
/// How often old ones are removed.
const PRUNING: Duration = Duration::from_hours(1);

/// Delivers events.
pub(crate) struct Worker {
    db: Db,
    wakeups: Wakeups,
    tasks: Tasks,
    timing: Timing,
    /// `None` without an address for events; they stay in the store for some time.
    post: Option<Arc<Post>>,
    under_way: JoinSet<()>,
    /// The running deliveries. A delivery could outlast its lease in the store, so this list
    /// prevents a second one at the same time.
    events: HashMap<Id, i64>,
    prune_at: Timestamp,
    /// True when nobody takes events.
    unwanted: bool,
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
        let post = receiver.and_then(|receiver| {
            let post = Post::new(receiver, timing.event_timeout);
            let failed =
                |error| tracing::error!(alert = true, %error, "events cannot be delivered");
            post.map_err(failed).ok().map(Arc::new)
        });
        Self {
            db,
            wakeups,
            tasks,
            timing,
            unwanted: receiver.is_none(),
            post,
            under_way: JoinSet::new(),
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
                LONGEST_SLEEP
            });
            tokio::select! {
                Some(ended) = self.under_way.join_next_with_id() => self.ended(ended),
                () = wakeup.wait(sleep) => {}
                () = tasks.stopped() => {}
            }
        }
        // A running delivery may still succeed. Otherwise the event is sent again after the next
        // start.
        let rest = async { while self.under_way.join_next().await.is_some() {} };
        let patience = self.timing.shutdown / 2;
        let _ = tokio::time::timeout(patience, rest).await;
        self.under_way.shutdown().await;
    }

    fn ended(&mut self, ended: Result<(Id, ()), tokio::task::JoinError>) {
        let id = match ended {
            Ok((id, ())) => id,
            Err(error) => error.id(),
        };
        self.events.remove(&id);
    }

    /// Starts due deliveries; returns the time until the next ones.
    async fn step(&mut self) -> Result<Duration, DbError> {
        self.prune().await?;
        let Some(post) = &self.post else {
            return Ok(LONGEST_SLEEP);
        };
        let db = &self.db;
        let free = PARALLEL.saturating_sub(self.events.len());
        if free == 0 {
            return Ok(LONGEST_SLEEP);
        }
        let lease = self.timing.event_timeout * 2 + Duration::from_secs(10);
        let free = u32::try_from(free).unwrap_or(u32::MAX);
        // From before the lease: until it ends, no other node sends this event or a later one of its
        // order. A node that is halted wakes when others have sent both.
        let window = SendWindow::open();
        for event in due_now(db, lease, free).await? {
            if self.events.values().any(|seq| *seq == event.seq) {
                continue;
            }
            let seq = event.seq;
            let first_pause = self.timing.event_pause;
            let (post, metrics) = (Arc::clone(post), self.metrics.clone());
            let task = deliver(self.db.clone(), post, metrics, event, window, first_pause);
            let id = self.under_way.spawn(task).id();
            self.events.insert(id, seq);
        }
        let next = db.next_due_event(moment()).await?;
        let rest = next.map_or(LONGEST_SLEEP, |due| due.duration_since(now()));
        // Never a busy loop, whatever is due and cannot be taken.
        Ok(rest.clamp(Duration::from_millis(20), LONGEST_SLEEP))
    }

    async fn prune(&mut self) -> Result<(), DbError> {
        if now() < self.prune_at {
            return Ok(());
        }
        let before = now().saturating_sub(KEPT);
        self.db.prune_events(before, self.unwanted).await?;
        self.prune_at = now().saturating_add(PRUNING);
        Ok(())
    }
}

/// Takes what is due; a look first, so that a wake-up for nothing costs no write.
async fn due_now(db: &Db, lease: Duration, limit: u32) -> Result<Vec<StoredEvent>, DbError> {
    let at = moment();
    match db.next_due_event(at).await? {
        Some(due) if due <= at.wall => db.take_due_events(at, lease, limit).await,
        _ => Ok(Vec::new()),
    }
}

async fn deliver(
    db: Db,
    post: Arc<Post>,
    metrics: Metrics,
    event: StoredEvent,
    window: SendWindow,
    first_pause: Duration,
) {
    let (event_id, kind) = (event.id.as_str(), event.kind.as_str());
    let written = match post.deliver(&event, window).await {
        Err(Undelivered::Late) => {
            tracing::warn!(event_id, kind, "an event was left to its next lease");
            return;
        }
        Ok(()) => {
            metrics.delivery(Answered::Yes);
            tracing::info!(event_id, kind, "an event was delivered");
            db.event_delivered(event.seq, now()).await
        }
        Err(Undelivered::Failed(why)) => {
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

/// The pause after a failed delivery: twice as long each time.
fn pause(first: Duration, failures: u32) -> Duration {
    first
        .saturating_mul(1 << failures.min(16))
        .min(LONGEST_PAUSE)
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
