use super::{Askers, Freshness, Looked, Question, look};
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

/// A question that takes a second; its answer is the number of questions so far.
#[derive(Clone, Default)]
struct Count {
    askers: Askers<u32>,
    asked: Arc<AtomicU32>,
    breaks: bool,
    stored: Option<u32>,
}

impl Question for Count {
    type Answer = u32;

    fn askers(&self) -> &Askers<u32> {
        &self.askers
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

    async fn ask(&self, _: &OperationKey) -> u32 {
        assert!(!self.breaks);
        tokio::time::sleep(Duration::from_secs(1)).await;
        self.asked.fetch_add(1, Ordering::Relaxed) + 1
    }
}

impl Count {
    fn look(
        &self,
        freshness: Freshness,
        stored_is_new: bool,
    ) -> tokio::task::JoinHandle<Option<u32>> {
        let question = self.clone();
        tokio::spawn(async move {
            let key = OperationKey::new("shop", "1");
            let tasks = Tasks::default();
            match look(&question, &tasks, &key, freshness, stored_is_new).await {
                Looked::Stored => Some(0),
                Looked::Answered(count) => Some(count),
                Looked::GivenUp => None,
            }
        })
    }
}

#[tokio::test(start_paused = true)]
async fn all_who_look_at_once_share_a_question_and_who_decides_gets_a_later_one() {
    let count = Count::default();
    let first = [
        count.look(RECENT, false),
        count.look(RECENT, false),
        count.look(Freshness::Planned, false),
    ];
    tokio::time::sleep(Duration::from_millis(500)).await;
    // The first question has begun, so its answer may be old.
    let decides = [
        count.look(Freshness::New, false),
        count.look(Freshness::Hinted, true),
    ];
    let looks = count.look(RECENT, false);
    for look in first.into_iter().chain([looks]) {
        assert_eq!(look.await.unwrap(), Some(1));
    }
    for look in decides {
        assert_eq!(look.await.unwrap(), Some(2));
    }
    assert_eq!(count.asked.load(Ordering::Relaxed), 2);
    assert!(count.askers.with(|all| all.is_empty()));
}

#[tokio::test(start_paused = true)]
async fn a_stored_answer_is_new_enough_for_those_who_look_only() {
    let count = Count::default();
    assert_eq!(count.look(RECENT, true).await.unwrap(), Some(0));
    assert_eq!(count.look(Freshness::Planned, true).await.unwrap(), Some(1));
    assert_eq!(count.look(Freshness::New, true).await.unwrap(), Some(2));
}

#[tokio::test(start_paused = true)]
async fn who_waits_for_a_question_that_breaks_is_told() {
    let count = Count {
        breaks: true,
        ..Count::default()
    };
    assert_eq!(count.look(Freshness::New, false).await.unwrap(), None);
    assert!(count.askers.with(|all| all.is_empty()));
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_was_stored_meanwhile_is_enough_unless_somebody_decides_by_it() {
    let count = Count {
        stored: Some(70),
        ..Count::default()
    };
    let looks = count.look(RECENT, false);
    assert_eq!(looks.await.unwrap(), Some(70));
    let looks = count.look(RECENT, false);
    tokio::time::sleep(Duration::from_millis(5)).await;
    let decides = count.look(Freshness::New, false);
    assert_eq!(decides.await.unwrap(), Some(1));
    assert_eq!(looks.await.unwrap(), Some(1));
    assert!(count.askers.with(|all| all.is_empty()));
}
