//! Wakes requests and tasks that wait for a change in the database. The change may be made by this
//! process or by another one (`background/other_nodes`). Every waiter also has a timeout after which it
//! reads the database, so that a missed wake-up only delays it.

use payment_model::IdempotencyKey;
use payment_rules::idempotency::Sender;
use payment_rules::operation::OperationKey;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

/// What a waiter waits for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Topic {
    /// An operation was changed.
    Operation(OperationKey),
    /// A request under an idempotency key ended.
    Key(Sender, IdempotencyKey),
    /// A background task has new work.
    Background,
    /// An operation or a payment link was changed, which desks of staff show.
    Desk,
}

/// A waiter's subscription to a topic.
pub(crate) struct Wakeup {
    receiver: watch::Receiver<()>,
}

impl Wakeup {
    /// Waits for the next wake-up, with a timeout.
    pub(crate) async fn wait(&mut self, longest: Duration) {
        // A wake-up can no longer come after the sender was dropped; the timeout ends the wait.
        let woken = async {
            if self.receiver.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        let _ = tokio::time::timeout(longest, woken).await;
    }

    /// Waits for the next wake-up, for the poll interval, or until the deadline, whichever is first.
    pub(crate) async fn wait_towards(&mut self, deadline: Instant) {
        let remaining = deadline.saturating_duration_since(Instant::now());
        self.wait(remaining.min(POLL_INTERVAL)).await;
    }
}

/// After this time a waiter reads the database again, in case it missed a wake-up.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// From this number of topics on, topics without a waiter are removed.
const MIN_TOPICS_TO_PRUNE: usize = 64;

/// The subscriptions of this process. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Wakeups(Arc<Mutex<HashMap<Topic, watch::Sender<()>>>>);

impl Wakeups {
    /// Subscribes to a topic. Wake-ups from now on are not missed, even before the first wait.
    pub(crate) fn subscribe(&self, topic: Topic) -> Wakeup {
        let mut topics = self.topics();
        // Most topics are never woken after their waiter left, so they are removed here. Doing it only
        // at powers of two makes the cost of a subscription constant on average.
        if topics.len() >= MIN_TOPICS_TO_PRUNE && topics.len().is_power_of_two() {
            topics.retain(|_, sender| sender.receiver_count() > 0);
        }
        let sender = topics
            .entry(topic)
            .or_insert_with(|| watch::Sender::new(()));
        Wakeup {
            receiver: sender.subscribe(),
        }
    }

    /// Wakes all waiters of a topic; for an operation also those for desks.
    pub(crate) fn wake(&self, topic: &Topic) {
        if matches!(topic, Topic::Operation(_)) {
            self.wake(&Topic::Desk);
        }
        let mut topics = self.topics();
        if let Some(sender) = topics.get(topic) {
            if sender.receiver_count() == 0 {
                topics.remove(topic);
            } else {
                sender.send_replace(());
            }
        }
    }

    /// Wakes all waiters of all topics, since changes may have been missed.
    pub(crate) fn wake_all(&self) {
        for sender in self.topics().values() {
            sender.send_replace(());
        }
    }

    /// Wakes the waiters of a changed operation, and the background task, since the operation may be
    /// due at another time now.
    pub(crate) fn changed(&self, key: &OperationKey) {
        self.wake(&Topic::Operation(key.clone()));
        self.wake(&Topic::Background);
    }

    fn topics(&self) -> MutexGuard<'_, HashMap<Topic, watch::Sender<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::{MIN_TOPICS_TO_PRUNE, Topic, Wakeups};
    use payment_model::IdempotencyKey;
    use payment_rules::idempotency::Sender;
    use std::time::Duration;

    #[tokio::test(start_paused = true)]
    async fn only_waiters_of_the_topic_are_woken() {
        let wakeups = Wakeups::default();
        let topic = |key: &str| {
            let key = IdempotencyKey::new(key).unwrap();
            Topic::Key(Sender::Payer("session".to_owned()), key)
        };
        let (mut one, mut two) = (wakeups.subscribe(topic("1")), wakeups.subscribe(topic("2")));
        wakeups.wake(&topic("1"));
        let start = tokio::time::Instant::now();
        one.wait(Duration::from_secs(5)).await;
        assert_eq!(start.elapsed(), Duration::ZERO);
        two.wait(Duration::from_secs(5)).await;
        assert_eq!(start.elapsed(), Duration::from_secs(5));
    }

    #[tokio::test(start_paused = true)]
    async fn everybody_is_woken_when_something_may_have_been_missed() {
        let wakeups = Wakeups::default();
        let key = |key: &str| {
            Topic::Key(
                Sender::Staff(String::new()),
                IdempotencyKey::new(key).unwrap(),
            )
        };
        let (mut one, mut two) = (
            wakeups.subscribe(key("1")),
            wakeups.subscribe(Topic::Background),
        );
        wakeups.wake_all();
        let start = tokio::time::Instant::now();
        one.wait(Duration::from_secs(5)).await;
        two.wait(Duration::from_secs(5)).await;
        assert_eq!(start.elapsed(), Duration::ZERO);
    }

    #[test]
    fn topics_do_not_pile_up() {
        let wakeups = Wakeups::default();
        for number in 0..10_000 {
            let key = IdempotencyKey::new(number.to_string()).unwrap();
            drop(wakeups.subscribe(Topic::Key(Sender::Payer(String::new()), key)));
        }
        assert!(wakeups.topics().len() <= MIN_TOPICS_TO_PRUNE);
    }
}
