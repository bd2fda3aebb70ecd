use super::{Fetch, Fetched, Freshness, InFlight, fetch_shared};
use crate::payment_service::Urgency;
use crate::tasks::Tasks;
use payment_rules::operation::OperationKey;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

const RECENT: Freshness = Freshness::Recent {
    most: Duration::from_millis(1),
    client: None,
};

/// A query that takes a second; its answer is the number of queries so far.
#[derive(Clone, Default)]
struct Count {
    in_flight: InFlight<u32>,
    asked: Arc<AtomicU32>,
    breaks: bool,
    stored: Option<u32>,
}

impl Fetch for Count {
    type Answer = u32;

    fn in_flight(&self) -> &InFlight<u32> {
        &self.in_flight
    }

    async fn turn(&self, _: &OperationKey, _: Urgency) -> Result<(), u32> {
        Ok(())
    }

    async fn stored(&self, _: &OperationKey) -> Option<u32> {
        // Others come in between.
        tokio::time::sleep(Duration::from_millis(10)).await;
        self.stored
    }

    fn raise_priority(&self, _: &OperationKey, _: Urgency) {}

    async fn fetch(&self, _: &OperationKey) -> u32 {
        assert!(!self.breaks);
        tokio::time::sleep(Duration::from_secs(1)).await;
        self.asked.fetch_add(1, Ordering::Relaxed) + 1
    }
}

impl Count {
    fn fetch_shared(
        &self,
        freshness: Freshness,
        stored_is_new: bool,
    ) -> tokio::task::JoinHandle<Option<u32>> {
        let fetch = self.clone();
        tokio::spawn(async move {
            let key = OperationKey::new("shop", "1");
            let tasks = Tasks::default();
            match fetch_shared(&fetch, &tasks, &key, freshness, stored_is_new).await {
                Fetched::Stored => Some(0),
                Fetched::Answered(count) => Some(count),
                Fetched::GivenUp => None,
            }
        })
    }
}

#[tokio::test(start_paused = true)]
async fn concurrent_callers_share_a_query_and_a_decision_gets_a_later_one() {
    let count = Count::default();
    let first = [
        count.fetch_shared(RECENT, false),
        count.fetch_shared(RECENT, false),
        count.fetch_shared(Freshness::Planned, false),
    ];
    tokio::time::sleep(Duration::from_millis(500)).await;
    // The first query has begun, so its answer may be old.
    let decides = [
        count.fetch_shared(Freshness::New, false),
        count.fetch_shared(Freshness::Hinted, true),
    ];
    let looks = count.fetch_shared(RECENT, false);
    for look in first.into_iter().chain([looks]) {
        assert_eq!(look.await.unwrap(), Some(1));
    }
    for look in decides {
        assert_eq!(look.await.unwrap(), Some(2));
    }
    assert_eq!(count.asked.load(Ordering::Relaxed), 2);
    assert!(count.in_flight.with(|all| all.is_empty()));
}

#[tokio::test(start_paused = true)]
async fn a_stored_answer_is_new_enough_for_readers_only() {
    let count = Count::default();
    assert_eq!(count.fetch_shared(RECENT, true).await.unwrap(), Some(0));
    assert_eq!(
        count.fetch_shared(Freshness::Planned, true).await.unwrap(),
        Some(1)
    );
    assert_eq!(
        count.fetch_shared(Freshness::New, true).await.unwrap(),
        Some(2)
    );
}

#[tokio::test(start_paused = true)]
async fn callers_of_a_query_that_panics_get_no_answer() {
    let count = Count {
        breaks: true,
        ..Count::default()
    };
    assert_eq!(
        count.fetch_shared(Freshness::New, false).await.unwrap(),
        None
    );
    assert!(count.in_flight.with(|all| all.is_empty()));
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_was_stored_meanwhile_is_enough_unless_a_decision_needs_it() {
    let count = Count {
        stored: Some(70),
        ..Count::default()
    };
    let looks = count.fetch_shared(RECENT, false);
    assert_eq!(looks.await.unwrap(), Some(70));
    let looks = count.fetch_shared(RECENT, false);
    tokio::time::sleep(Duration::from_millis(5)).await;
    let decides = count.fetch_shared(Freshness::New, false);
    assert_eq!(decides.await.unwrap(), Some(1));
    assert_eq!(looks.await.unwrap(), Some(1));
    assert!(count.in_flight.with(|all| all.is_empty()));
}
