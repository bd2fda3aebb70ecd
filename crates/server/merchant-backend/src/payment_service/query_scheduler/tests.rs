use super::{QueryScheduler, Urgency};
use payment_rules::operation::OperationKey;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::Instant;

/// The granted queries, each with the time of its permit.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<(String, Duration)>>>);

impl Log {
    fn names(&self) -> Vec<String> {
        let went = self.0.lock().unwrap();
        went.iter().map(|(name, _)| name.clone()).collect()
    }

    fn count(&self) -> usize {
        self.0.lock().unwrap().len()
    }
}

fn key(name: &str) -> OperationKey {
    OperationKey::new("shop", name)
}

/// Queues a query, and records when its permit was granted.
async fn queue(
    scheduler: &Arc<QueryScheduler>,
    log: &Log,
    start: Instant,
    name: &str,
    urgency: Urgency,
) {
    let (scheduler, log, name) = (Arc::clone(scheduler), log.clone(), name.to_owned());
    tokio::spawn(async move {
        scheduler.acquire(&key(&name), urgency).await;
        log.0.lock().unwrap().push((name, start.elapsed()));
    });
    // The spawned task runs now, so that queries are queued in the order of the calls.
    tokio::task::yield_now().await;
}

#[tokio::test(start_paused = true)]
async fn in_a_backoff_two_a_second_go_on_and_payers_first() {
    let scheduler = Arc::new(QueryScheduler::new(100));
    let (log, start) = (Log::default(), Instant::now());
    scheduler.back_off(Duration::from_secs(5));
    for name in ["b1", "b2", "b3"] {
        queue(&scheduler, &log, start, name, Urgency::Background).await;
    }
    queue(&scheduler, &log, start, "p1", Urgency::Payer(None)).await;
    queue(&scheduler, &log, start, "p2", Urgency::Payer(None)).await;
    queue(&scheduler, &log, start, "d1", Urgency::Decision).await;
    queue(&scheduler, &log, start, "d2", Urgency::Decision).await;
    tokio::time::sleep(Duration::from_millis(2600)).await;
    assert_eq!(log.names(), ["d1", "p1", "d2", "p2", "b1"]);
    for _ in 0..20 {
        queue(&scheduler, &log, start, "more", Urgency::Background).await;
    }
    // The backoff and its slow pace end after five seconds.
    tokio::time::sleep(Duration::from_millis(2300)).await;
    assert!(log.count() <= 10, "{}", log.count());
    tokio::time::sleep(Duration::from_millis(800)).await;
    assert_eq!(log.count(), 27);
}

#[tokio::test(start_paused = true)]
async fn payers_go_first_and_the_background_is_not_starved() {
    let scheduler = Arc::new(QueryScheduler::new(10));
    let (log, start) = (Log::default(), Instant::now());
    queue(&scheduler, &log, start, "first", Urgency::Payer(None)).await;
    for name in ["b1", "b2"] {
        queue(&scheduler, &log, start, name, Urgency::Background).await;
    }
    for _ in 0..9 {
        queue(&scheduler, &log, start, "p", Urgency::Payer(None)).await;
    }
    queue(&scheduler, &log, start, "d", Urgency::Decision).await;
    tokio::time::sleep(Duration::from_millis(10)).await;
    assert_eq!(
        log.names(),
        ["first", "d"],
        "decisions have a rate of their own"
    );
    tokio::time::sleep(Duration::from_millis(1150)).await;
    let names = log.names();
    assert_eq!(
        names,
        [
            "first", "d", "p", "p", "p", "b1", "p", "p", "p", "p", "b2", "p", "p"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_raised_query_goes_before_the_others_and_an_abandoned_one_takes_no_turn() {
    let scheduler = Arc::new(QueryScheduler::new(10));
    let (log, start) = (Log::default(), Instant::now());
    queue(&scheduler, &log, start, "first", Urgency::Background).await;
    tokio::time::sleep(Duration::from_millis(10)).await;
    {
        let gone_key = key("gone");
        let gone = scheduler.acquire(&gone_key, Urgency::Payer(None));
        let gone = tokio::time::timeout(Duration::from_millis(1), gone);
        assert!(gone.await.is_err());
    }
    for name in ["b1", "b2", "b3"] {
        queue(&scheduler, &log, start, name, Urgency::Background).await;
    }
    scheduler.raise_priority(&key("b3"), Urgency::Payer(None));
    scheduler.raise_priority(&key("nobody"), Urgency::Payer(None));
    tokio::time::sleep(Duration::from_millis(310)).await;
    assert_eq!(log.names(), ["first", "b3", "b1", "b2"]);
}

#[tokio::test(start_paused = true)]
async fn a_client_with_many_operations_delays_only_itself() {
    let scheduler = Arc::new(QueryScheduler::new(100));
    let (log, start) = (Log::default(), Instant::now());
    let of = |last: u8| Urgency::Payer(Some([203, 0, 113, last].into()));
    for n in 0..400 {
        queue(&scheduler, &log, start, &format!("greedy {n}"), of(1)).await;
    }
    for name in ["payer 1", "payer 2"] {
        queue(&scheduler, &log, start, name, of(2)).await;
    }
    queue(&scheduler, &log, start, "another", of(3)).await;
    scheduler.raise_priority(&key("greedy 200"), Urgency::Decision);
    tokio::time::sleep(Duration::from_millis(95)).await;
    let went = log.names();
    for name in ["payer 1", "payer 2", "another", "greedy 200"] {
        assert!(went.contains(&name.to_owned()), "{name} {went:?}");
    }
    assert!(went.contains(&"greedy 1".to_owned()), "{went:?}");
}
