//! Handles the live operation that an order has already.

use super::Charges;
use super::cancel_for_payer::Cancelled;
use super::payment_attempt::{Attempt, Authorization, Stop, Undecided};
use super::query_result::Queried;
use crate::clock::now;
use crate::db::DbError;
use crate::shared_query::Freshness;
use crate::wakeups::Topic;
use payment_model::Outcome;
use payment_rules::idempotent_answer::{AuthorizationAnswer, AuthorizationRefusal, Numbers};
use payment_rules::ledger::EndCause;
use payment_rules::operation::{OperationKey, OperationRecord, Phase, Taken};
use std::time::Duration;
use tokio::time::Instant;

/// When to ask again about an operation whose state is unknown.
const ASK_AGAIN: Duration = Duration::from_secs(5);
/// The longest that a payer is told to wait.
const LONGEST_WAIT: Duration = Duration::from_mins(10);

/// Nothing is made and nothing ends: the payer did not say to leave the live code. The key stays
/// unspent.
fn stays(live: &OperationRecord) -> Stop {
    Undecided::Live(Numbers::of(live), live.method.clone()).into()
}

impl Charges {
    /// Handles the live operation that an order has already. Returns when the attempt may go on.
    pub(super) async fn meet_live(
        &self,
        attempt: &Attempt,
        live: OperationRecord,
        deadline: Instant,
    ) -> Result<(), Stop> {
        if live.phase == Phase::Sending {
            return self.wait_for_answer(&live, deadline).await;
        }
        let same = live.method == attempt.method.name();
        let waits = live.state().is_some_and(|state| state.is_waiting());
        let overdue = self.may_be_overdue(&live);
        if !same && waits && !overdue && !attempt.replaces(&live) {
            return Err(stays(&live));
        }
        if !same || overdue {
            return self.withdraw_live(attempt, live, same).await;
        }
        let answer = live.answer.ok_or_else(|| DbError::missing("an answer"))?;
        let ended = AuthorizationAnswer::Operation(live.key);
        self.db.end(&attempt.claim, Some(&ended)).await?;
        Err(Stop::Answer(Authorization::Operation(Box::new(answer))))
    }

    /// Waits for the answer to another attempt of this order.
    async fn wait_for_answer(&self, live: &OperationRecord, deadline: Instant) -> Result<(), Stop> {
        let topic = Topic::Operation(live.key.clone());
        let mut wakeup = self.wakeups.subscribe(topic);
        loop {
            let record = self.db.operation(&live.key).await?;
            if record.is_none_or(|record| record.phase != Phase::Sending) {
                return Ok(());
            }
            if Instant::now() >= deadline {
                return Err(Undecided::Running.into());
            }
            wakeup.wait_towards(deadline).await;
        }
    }

    /// True when any clock takes the code for overdue: its payer may be asking for a new one. The
    /// service's clock decides in the end.
    fn may_be_overdue(&self, live: &OperationRecord) -> bool {
        let from = live.overdue_from();
        from <= now() || self.service.now().is_some_and(|now| from <= now)
    }

    /// Ends the operation at the service, so that another one can take its place. The server asks
    /// for the state first, and cancels only if a believed answer says that the operation still
    /// waits. If its end is not certain, it stays the order's live one: a payer who waits is better
    /// than two codes that can be paid.
    async fn withdraw_live(
        &self,
        attempt: &Attempt,
        live: OperationRecord,
        same: bool,
    ) -> Result<(), Stop> {
        let (key, asked_at) = (live.key.clone(), now());
        let queried = match self.query(live, Freshness::New).await {
            Ok(queried) => queried,
            Err(error) => {
                let wait = error.retry_after()?;
                return self.block(&key, Some(wait)).await;
            }
        };
        match self.not_overdue_for(&queried) {
            Some(wait) if same => return self.block(&key, Some(wait)).await,
            Some(_) if !attempt.replaces(&queried.record) => return Err(stays(&queried.record)),
            _ => {}
        }
        let cancelled = self.cancel_queried(queried, asked_at, EndCause::Replaced);
        match cancelled.await? {
            Cancelled::Ended(record) if record.outcome() == Some(Outcome::Reversed) => {
                Err(self.tell_given_back(attempt, &record).await?)
            }
            Cancelled::Ended(_) => Ok(()),
            Cancelled::Paid(record) => Err(Stop::paid(&record)),
            Cancelled::Unconfirmed(why) => self.block(&key, why.retry_after()).await,
        }
    }

    /// For how long the service itself does not take a waiting code for overdue: up to a second too
    /// long, since its `Date` has whole seconds and `Retry-After` rounds up as well. Less could be
    /// too early by the same clock, and the payer would wait once more.
    fn not_overdue_for(&self, queried: &Queried) -> Option<Duration> {
        let waits = queried.record.state()?.is_waiting() && queried.taken == Some(Taken::Believed);
        // Without a `Date` of the service only our own clock is left.
        let now = self.service.now().unwrap_or_else(now);
        let left = queried.record.overdue_from().duration_since(now);
        (waits && !left.is_zero()).then_some(left)
    }

    /// Nothing is made: the first code is still being confirmed. The key stays unspent.
    async fn block(&self, key: &OperationKey, wait: Option<Duration>) -> Result<(), Stop> {
        let block = |record: &mut OperationRecord| record.block(now());
        let (record, ()) = self.db.change(key, block).await?;
        let wait = wait.unwrap_or(ASK_AGAIN).min(LONGEST_WAIT);
        Err(Undecided::Unconfirmed(Numbers::of(&record), wait).into())
    }

    /// The withdrawal met a payment and gave it back. The payer is told so before there is a new
    /// code, and again when the same attempt asks again.
    pub(super) async fn tell_given_back(
        &self,
        attempt: &Attempt,
        record: &OperationRecord,
    ) -> Result<Stop, DbError> {
        let refusal = AuthorizationRefusal::PaymentReversed(Numbers::of(record));
        let told = |record: &mut OperationRecord| {
            record.reversal_was_shown();
            true
        };
        let answer = AuthorizationAnswer::Refused(refusal.clone());
        let db = &self.db;
        db.change_and_end(&record.key, told, &attempt.claim, &answer)
            .await?;
        Ok(refusal.into())
    }
}
