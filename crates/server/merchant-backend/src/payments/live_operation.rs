//! Handles the live operation that an order has already.

use super::Payments;
use super::authorize::{Authorization, AuthorizeError, order_paid};
use super::cancel::CancelOutcome;
use super::new_operation::Attempt;
use super::query::Queried;
use crate::clock::now;
use crate::db::DbError;
use crate::single_flight::Freshness;
use crate::wakeups::Topic;
use payment_model::Outcome;
use payment_rules::idempotency::{AuthorizationAnswer, Numbers};
use payment_rules::ledger::EndCause;
use payment_rules::operation::{OperationKey, OperationRecord, Phase, Verdict};
use payment_rules::payment::Payment;
use std::time::Duration;
use tokio::time::Instant;

/// When to ask again about an operation whose state is unknown.
const RETRY_AFTER_UNKNOWN: Duration = Duration::from_secs(5);
/// The longest that a payer is told to wait.
const MAX_RETRY_AFTER: Duration = Duration::from_mins(10);

/// Nothing is made and nothing ends: the payer did not say to leave the live code.
fn stays(live: &OperationRecord) -> Authorization {
    AuthorizeError::Live(Numbers::of(live), live.method.clone()).into()
}

impl Payments {
    /// Answers the attempt with the live operation, or ends that operation; `None` when the attempt may
    /// go on.
    pub(super) async fn resolve_live(
        &self,
        attempt: &Attempt<'_>,
        live: OperationRecord,
        deadline: Instant,
    ) -> Result<Option<Authorization>, DbError> {
        if live.phase == Phase::Sending {
            return self.wait_for_answer(&live, deadline).await;
        }
        let same = live.method == attempt.command.method.name();
        let waits = live.state().is_some_and(|state| state.is_waiting());
        let overdue = self.may_be_overdue(&live);
        if !same && waits && !overdue && !attempt.replaces(&live) {
            return Ok(Some(stays(&live)));
        }
        if !same || overdue {
            return self.withdraw_live(attempt, live, same).await;
        }
        let answer = live.answer.ok_or_else(|| DbError::missing("an answer"))?;
        let ended = AuthorizationAnswer::Operation(live.key);
        self.db.end(attempt.claim, Some(&ended)).await?;
        Ok(Some(Authorization::Operation(Box::new(answer))))
    }

    /// Waits for the answer to another attempt of this order.
    async fn wait_for_answer(
        &self,
        live: &OperationRecord,
        deadline: Instant,
    ) -> Result<Option<Authorization>, DbError> {
        let topic = Topic::Operation(live.key.clone());
        let mut wakeup = self.wakeups.subscribe(topic);
        loop {
            let record = self.db.operation(&live.key).await?;
            if record.is_none_or(|record| record.phase != Phase::Sending) {
                return Ok(None);
            }
            if Instant::now() >= deadline {
                return Ok(Some(AuthorizeError::Running.into()));
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
        attempt: &Attempt<'_>,
        live: OperationRecord,
        same: bool,
    ) -> Result<Option<Authorization>, DbError> {
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
            Some(_) if !attempt.replaces(&queried.record) => {
                return Ok(Some(stays(&queried.record)));
            }
            _ => {}
        }
        let cancelled = self.cancel_queried(queried, asked_at, EndCause::Replaced);
        match cancelled.await? {
            CancelOutcome::Ended(record) if record.outcome() == Some(Outcome::Reversed) => {
                Ok(Some(self.show_reversal(attempt, &record).await?))
            }
            CancelOutcome::Ended(_) => Ok(None),
            CancelOutcome::Paid(record) => Ok(Some(order_paid(&record))),
            CancelOutcome::Unconfirmed(why) => self.block(&key, why.retry_after()).await,
        }
    }

    /// For how long the service itself does not take a waiting code for overdue: up to a second too
    /// long, since its `Date` has whole seconds and `Retry-After` rounds up as well. Less could be
    /// too early by the same clock, and the payer would wait once more.
    fn not_overdue_for(&self, queried: &Queried) -> Option<Duration> {
        let waits =
            queried.record.state()?.is_waiting() && queried.taken == Some(Verdict::Believed);
        // Without a `Date` of the service only our own clock is left.
        let now = self.service.now().unwrap_or_else(now);
        let left = queried.record.overdue_from().duration_since(now);
        (waits && !left.is_zero()).then_some(left)
    }

    /// Nothing is made: the first code is still being confirmed. The key stays unspent.
    async fn block(
        &self,
        key: &OperationKey,
        wait: Option<Duration>,
    ) -> Result<Option<Authorization>, DbError> {
        let block = |payment: &mut Payment| payment.operation.block(now());
        let (payment, ()) = self.update_payment(key, block).await?;
        let wait = wait.unwrap_or(RETRY_AFTER_UNKNOWN).min(MAX_RETRY_AFTER);
        let numbers = Numbers::of(&payment.operation);
        Ok(Some(AuthorizeError::Unconfirmed(numbers, wait).into()))
    }
}
