//! Wakes those that wait for a change in the database, by this process or by another one
//! (`background/other_nodes`). A missed wake-up costs time, never correctness.

use payment_model::IdempotencyKey;
use payment_rules::idempotent_request::Sender;
use payment_rules::operation::OperationKey;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;

/// The event that a waiter waits for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Topic {
    /// A change of an operation.
    Operation(OperationKey),
    /// The end of a request under an idempotency key.
    Key(Sender, IdempotencyKey),
    /// Work for the background.
    Background,
}

/// One waiter's subscription.
pub(crate) struct Wakeup {
    receiver: watch::Receiver<()>,
}

impl Wakeup {
    /// Waits for the next wake-up, or this long at the most.
    pub(crate) async fn wait(&mut self, longest: Duration) {
        // A receiver without a sender is never woken; the time limit covers that.
        let woken = async {
            if self.receiver.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        let _ = tokio::time::timeout(longest, woken).await;
    }

    /// Waits for the next wake-up, a second at the most, and not past a deadline.
    pub(crate) async fn wait_towards(&mut self, deadline: Instant) {
        let rest = deadline.saturating_duration_since(Instant::now());
        self.wait(rest.min(LONGEST_WAIT)).await;
    }
}

/// The longest wait before the database is read again, in case a wake-up was missed.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// Those who wait in this process; clones share them.
#[derive(Clone, Default)]
pub(crate) struct Wakeups(Arc<Mutex<HashMap<Topic, watch::Sender<()>>>>);

impl Wakeups {
    /// Begins to wait; every later wake-up counts.
    pub(crate) fn subscribe(&self, topic: Topic) -> Wakeup {
        let mut topics = self.topics();
        // Topics without a waiter are removed here, so that they do not pile up.
        if topics.len() >= 64 && topics.len().is_power_of_two() {
            topics.retain(|_, sender| sender.receiver_count() > 0);
        }
        let sender = topics
            .entry(topic)
            .or_insert_with(|| watch::Sender::new(()));
        Wakeup {
            receiver: sender.subscribe(),
        }
    }

    /// Wakes all waiters of the topic.
    pub(crate) fn wake(&self, topic: &Topic) {
        let mut topics = self.topics();
        if let Some(sender) = topics.get(topic) {
            if sender.receiver_count() == 0 {
                topics.remove(topic);
            } else {
                sender.send_replace(());
            }
        }
    }

    /// Wakes everybody, since changes may have been missed.
    pub(crate) fn wake_all(&self) {
        for sender in self.topics().values() {
            sender.send_replace(());
        }
    }

    /// Wakes the waiters of a changed operation, and the background, since the plan may have
    /// changed too.
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
    use super::{Topic, Wakeups};
    use payment_model::IdempotencyKey;
    use payment_rules::idempotent_request::Sender;
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
        assert!(wakeups.topics().len() <= 64);
    }
}
