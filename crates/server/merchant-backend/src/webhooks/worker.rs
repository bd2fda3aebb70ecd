//! Delivers each event to one receiver until it succeeds. The events of one order are delivered in order.
//! Each receiver has a worker of its own, so that a slow one delays no other.
//!
//! What a mail to a customer needs and no event stores is added when `order.waiting` is sent: the address of the page
//! and the cash code. Both are gone when the payer's data was removed.

use super::delivery::{EventSender, in_words};
use crate::ambient;
use crate::clock::{moment, now};
use crate::config::{EventReceiver, Timing};
use crate::db::{Db, DbError, DueEvent};
use crate::metrics::{Answered, Metrics};
use crate::orders::PayLinks;
use crate::random::fraction;
use crate::send_window::SendWindow;
use crate::tasks::Tasks;
use crate::trace;
use crate::wakeups::{Topic, Wakeups};
use payment_model::Timestamp;
use payment_rules::event::EventKind;
use payment_rules::operation::OperationKey;
use payment_rules::order::FullOrderId;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::{Id, JoinSet};

const MAX_PARALLEL_DELIVERIES: usize = 8;
/// The upper limit of the backoff between two deliveries of one event.
const MAX_RETRY_PAUSE: Duration = Duration::from_hours(1);
/// Other nodes write events without waking this worker, so it polls for them.
const POLL_INTERVAL: Duration = Duration::from_secs(10);
/// A command resumes a stopped receiver in the database, without waking this worker.
const STOPPED_POLL_INTERVAL: Duration = Duration::from_secs(1);
/// An event that is due but cannot be taken must not make the loop busy.
const MIN_SLEEP: Duration = Duration::from_millis(20);

/// The task that delivers due events to a receiver.
pub(crate) struct Worker {
    db: Db,
    wakeups: Wakeups,
    tasks: Tasks,
    timing: Timing,
    receiver: Arc<Receiver>,
    deliveries: JoinSet<()>,
    /// The events of the running deliveries. A delivery may outlast its lease, so this map prevents a
    /// second delivery of the same event by this node.
    events: HashMap<Id, i64>,
    metrics: Metrics,
}

/// The receiver of a worker.
struct Receiver {
    name: String,
    sender: EventSender,
    details: WaitingDetails,
}

impl Worker {
    /// The worker of a receiver; `None` if its client cannot be built.
    pub(crate) fn new(
        db: Db,
        wakeups: Wakeups,
        tasks: Tasks,
        receiver: &EventReceiver,
        links: PayLinks,
        timing: Timing,
        metrics: Metrics,
    ) -> Option<Self> {
        let name = receiver.name.clone();
        metrics.has_receiver(&name);
        let sender = EventSender::new(receiver, timing.event_timeout);
        let failed = |error| tracing::error!(alert = true, %error, receiver = name, "events cannot be delivered");
        let sender = sender.map_err(failed).ok()?;
        let details = WaitingDetails {
            db: db.clone(),
            links,
            with_cash_code: receiver.cash_code,
        };
        Some(Self {
            db,
            wakeups,
            tasks,
            timing,
            receiver: Arc::new(Receiver {
                name,
                sender,
                details,
            }),
            deliveries: JoinSet::new(),
            events: HashMap::new(),
            metrics,
        })
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
        let (db, name) = (&self.db, self.receiver.name.as_str());
        if db.receiver_is_stopped(name).await? {
            return Ok(STOPPED_POLL_INTERVAL);
        }
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
        for event in due_now(db, name, lease, free).await? {
            if self.events.values().any(|seq| *seq == event.seq) {
                continue;
            }
            let (seq, trace) = (event.seq, event.trace.clone());
            let first_pause = self.timing.event_pause;
            let (receiver, metrics) = (Arc::clone(&self.receiver), self.metrics.clone());
            let task = deliver(db.clone(), receiver, metrics, event, window, first_pause);
            let task = ambient::task(trace::in_background(trace, task));
            let id = self.deliveries.spawn(task).id();
            self.events.insert(id, seq);
        }
        let next = db.next_due_event(name, moment()).await?;
        let sleep = next.map_or(POLL_INTERVAL, |due| due.duration_since(now()));
        Ok(sleep.clamp(MIN_SLEEP, POLL_INTERVAL))
    }
}

/// Takes due events. A read comes first, so that a wake-up without due events costs no write.
async fn due_now(
    db: &Db,
    receiver: &str,
    lease: Duration,
    limit: u32,
) -> Result<Vec<DueEvent>, DbError> {
    let at = moment();
    match db.next_due_event(receiver, at).await? {
        Some(due) if due <= at.wall => db.take_due_events(receiver, at, lease, limit).await,
        _ => Ok(Vec::new()),
    }
}

async fn deliver(
    db: Db,
    receiver: Arc<Receiver>,
    metrics: Metrics,
    mut event: DueEvent,
    window: SendWindow,
    first_pause: Duration,
) {
    let Receiver {
        name,
        sender,
        details,
    } = &*receiver;
    if let Err(error) = details.add(&mut event).await {
        tracing::error!(%error, event_id = event.id, receiver = name, "an event was left to its next lease");
        return;
    }
    let (event_id, kind) = (event.id.as_str(), event.kind.as_str());
    let begun = Instant::now();
    let Ok(outcome) = sender.deliver(&event, window).await else {
        tracing::warn!(
            event_id,
            kind,
            receiver = name,
            "an event was left to its next lease"
        );
        return;
    };
    let duration_ms = begun.elapsed().as_millis();
    let written = if outcome.is_accepted() {
        metrics.delivery(name, Answered::Yes);
        tracing::info!(
            event_id,
            kind,
            receiver = name,
            duration_ms,
            "an event was delivered"
        );
        db.event_delivered(event.seq, name, now()).await
    } else {
        metrics.delivery(name, Answered::No);
        let (failures, why) = (event.failures.saturating_add(1), in_words(outcome));
        tracing::warn!(
            event_id,
            kind,
            receiver = name,
            failures,
            why,
            duration_ms,
            "an event was not delivered"
        );
        let pause = pause(first_pause, event.failures).mul_f64(0.9 + 0.2 * fraction());
        let due_at = now().saturating_add(pause);
        if outcome.is_gone() {
            stop(&db, name, &event, due_at).await
        } else {
            db.event_failed(event.seq, name, due_at).await
        }
    };
    if let Err(error) = written {
        tracing::error!(%error, event_id, receiver = name, "what became of a delivery cannot be written down");
    }
}

/// Stops a receiver that wants no event any more.
async fn stop(db: &Db, name: &str, event: &DueEvent, due_at: Timestamp) -> Result<(), DbError> {
    let stopped = db.stop_receiver(event.seq, name, due_at, now());
    if stopped.await? {
        let event_id = event.id.as_str();
        tracing::error!(
            alert = true,
            receiver = name,
            event_id,
            "a receiver of events answered 410 and was stopped"
        );
    }
    Ok(())
}

/// The exponential backoff after a failed delivery.
fn pause(first: Duration, failures: u32) -> Duration {
    first
        .saturating_mul(1 << failures.min(16))
        .min(MAX_RETRY_PAUSE)
}

/// Adds the details to an event's body.
#[derive(Clone)]
pub(super) struct WaitingDetails {
    pub(super) db: Db,
    pub(super) links: PayLinks,
    /// The receiver asked for cash codes, which are as good as money.
    pub(super) with_cash_code: bool,
}

impl WaitingDetails {
    /// The body to send. An event of another type, and one that cannot be read, stays as it is.
    pub(super) async fn add(&self, event: &mut DueEvent) -> Result<(), DbError> {
        if event.kind != EventKind::OrderWaiting.as_str() {
            return Ok(());
        }
        let Ok(mut body) = serde_json::from_str::<Value>(&event.body) else {
            return Ok(());
        };
        let text = |name: &str| body["data"][name].as_str().map(str::to_owned);
        let (order_id, code) = (text("order_id"), text("merchant_code"));
        let number = text("merchant_operation_number");
        let (Some(order_id), Some(code), Some(number)) = (order_id, code, number) else {
            return Ok(());
        };
        let link = self.links.of(&FullOrderId::new(&*code, order_id)).await?;
        body["data"]["pay_url"] = json!(link.map(|link| link.url));
        if self.with_cash_code {
            let key = OperationKey::new(code, number);
            let record = self.db.operation(&key).await?;
            let cash_code = record.and_then(|record| record.payers_number("cip"));
            body["data"]["cash_code"] = json!(cash_code);
        }
        event.body = body.to_string();
        Ok(())
    }
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
