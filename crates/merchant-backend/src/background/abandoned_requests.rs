//! Gives up requests that were sent so long ago that the process that sent them must have stopped:
//! their outcome is unknown.

use crate::clock::{Moment, moment};
use crate::clock_jumps::JumpWatch;
use crate::config::Timing;
use crate::db::{Db, DbError};
use std::time::Duration;

/// The clock by which ages are computed; tests replace it.
pub(super) trait Clock {
    /// Synchronizes with the database server's clock. SQLite has none.
    fn follow(&self) -> impl Future<Output = Result<(), DbError>> + Send;

    fn read(&self) -> Moment;
}

impl Clock for Db {
    fn follow(&self) -> impl Future<Output = Result<(), DbError>> + Send {
        self.follow_clock()
    }

    fn read(&self) -> Moment {
        moment()
    }
}

/// Gives up abandoned requests, and detects jumps of the clock, after which a request that was just
/// sent may look old.
pub(super) struct AbandonedRequests {
    jumps: JumpWatch,
    sending: Duration,
    asking: Duration,
}

impl AbandonedRequests {
    pub(super) fn new(timing: &Timing, at: Moment) -> Self {
        Self {
            jumps: JumpWatch::new(at),
            sending: timing.sending(),
            asking: timing.lease(),
        }
    }

    /// Gives up old requests, unless the clock jumped within that time.
    pub(super) async fn give_up(&mut self, db: &Db, clock: &impl Clock) -> Result<(), DbError> {
        // The clock is synchronized first, so that the check below detects its jump. The ages are
        // computed from the same reading, so no jump can happen in between.
        clock.follow().await?;
        let at = clock.read();
        if let Some(by) = self.jumps.look(at) {
            tracing::warn!(
                by_ms = by.as_millis(),
                "the clock was set, or the machine slept"
            );
        }
        let now = at.wall;
        let sent_before = now.saturating_sub(self.sending);
        if self.jumps.is_calm_for(self.sending) {
            db.doubt_abandoned(sent_before, now).await?;
        }
        if self.jumps.is_calm_for(self.sending.max(self.asking)) {
            let asked_before = now.saturating_sub(self.asking);
            db.abandon_attempts(sent_before, asked_before, now).await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{AbandonedRequests, Clock};
    use crate::clock::{Moment, instant};
    use crate::config::Timing;
    use crate::db::testing::Place;
    use crate::db::{Db, DbError};
    use payment_model::{PaymentMethodName, Timestamp};
    use payment_rules::ledger::Ledger;
    use payment_rules::ledger::fixture::reserve;
    use payment_rules::operation::fixture::{record, with_state};
    use payment_rules::operation::{OperationKey, OperationRecord, Phase};
    use payment_rules::order::fixture::order;
    use staff_model::AttemptState;
    use std::sync::atomic::{AtomicI64, Ordering};

    const MINUTE_MS: i64 = 60_000;
    const HOUR_MS: i64 = 60 * MINUTE_MS;

    /// A clock that follows a simulated server clock.
    #[derive(Default)]
    struct TestClock {
        steady: AtomicI64,
        /// By how much the server's clock is ahead.
        ahead: AtomicI64,
        /// The value of `ahead` at the last synchronization.
        followed: AtomicI64,
    }

    impl TestClock {
        fn passes(&self, time: i64) {
            self.steady.fetch_add(time, Ordering::Relaxed);
        }

        fn is_set_ahead(&self, by: i64) {
            self.ahead.fetch_add(by, Ordering::Relaxed);
        }
    }

    impl Clock for TestClock {
        async fn follow(&self) -> Result<(), DbError> {
            let ahead = self.ahead.load(Ordering::Relaxed);
            self.followed.store(ahead, Ordering::Relaxed);
            Ok(())
        }

        fn read(&self) -> Moment {
            let steady = self.steady.load(Ordering::Relaxed);
            let ahead = self.followed.load(Ordering::Relaxed);
            Moment {
                wall: instant(steady.saturating_add(ahead)),
                steady: instant(steady),
            }
        }
    }

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
    async fn a_jump_of_the_followed_clock_gives_up_no_request_that_was_just_sent() {
        let place = Place::new().await;
        let db = place.open().await;
        let clock = TestClock::default();
        clock.passes(HOUR_MS);
        let mut gone = AbandonedRequests::new(&Timing::default(), clock.read());
        let sent = instant(HOUR_MS);
        let keys = [
            send_authorization(&db, sent).await,
            send_refund(&db, sent).await,
        ];
        for (passes, ahead, in_doubt) in [
            (1_000, 0, false),
            // After a failover the database server has another clock.
            (1_000, HOUR_MS, false),
            (10_000, 0, false),
            (HOUR_MS, 0, true),
        ] {
            clock.passes(passes);
            clock.is_set_ahead(ahead);
            gone.give_up(&db, &clock).await.unwrap();
            let found = are_in_doubt(&db, &keys).await;
            assert_eq!(found, (in_doubt, in_doubt), "{passes} {ahead}");
        }
    }
}
