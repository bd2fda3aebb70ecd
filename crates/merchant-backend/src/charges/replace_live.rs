//! Meeting the live operation that an order has already.

use super::Charges;
use super::authorize::{Authorization, AuthorizeOrder, Stop, numbered, order_paid, running, until};
use super::cancel_for_payer::Cancelled;
use super::query::{Freshness, Queried};
use crate::clock::{Millis, now};
use crate::db::{DbError, Ending};
use crate::domain::operation::{OperationKey, OperationRecord, Phase, Taken};
use crate::http::problem::{Problem, ProblemKind};
use crate::wakeups::Topic;
use payment_model::Outcome;
use tokio::time::Instant;

/// When to ask again about an operation that nobody can say anything about.
const ASK_AGAIN: u64 = 5;
/// The longest that a payer is told to wait, in seconds.
const LONGEST_WAIT: u64 = 600;

impl Charges {
    /// What to do about the live operation that an order has already; returns when it is gone
    /// and the order may be tried again.
    pub(super) async fn meet_live(
        &self,
        wanted: &AuthorizeOrder,
        live: OperationRecord,
        deadline: Instant,
    ) -> Result<(), Stop> {
        if live.phase == Phase::Sending {
            return self.wait_for_answer(&live, deadline).await;
        }
        let same = live.method == wanted.method.name();
        if !same || self.may_be_overdue(&live) {
            return self.withdraw_live(wanted, live, same).await;
        }
        let answer = live.answer.ok_or_else(|| DbError::missing("an answer"))?;
        let ending = Ending::Operation(live.key);
        self.db.end(&wanted.attempt, Some(ending)).await?;
        Err(Stop::Answer(Authorization::Operation(Box::new(answer))))
    }

    /// Another attempt of this order is on the way; what it gets, this one gets too.
    async fn wait_for_answer(&self, live: &OperationRecord, deadline: Instant) -> Result<(), Stop> {
        let topic = Topic::Operation(live.key.clone());
        let mut wakeup = self.wakeups.subscribe(topic);
        loop {
            let record = self.db.operation(&live.key).await?;
            if record.is_none_or(|record| record.phase != Phase::Sending) {
                return Ok(());
            }
            if Instant::now() >= deadline {
                return Err(running().into());
            }
            wakeup.wait(until(deadline)).await;
        }
    }

    /// Whether any clock takes the code for overdue, so that its payer may be asking for a new one.
    /// The service's clock decides; see [`withdraw`].
    fn may_be_overdue(&self, live: &OperationRecord) -> bool {
        let from = live.overdue_from();
        from <= now() || self.service.now().is_some_and(|now| from <= now)
    }

    /// Ends the operation at the service, so that another one can take its place: asked about first,
    /// and left alone unless a believed answer says that it still waits. Whenever its end is not
    /// certain the order keeps it: two codes that can be paid are worse than a payer who waits.
    async fn withdraw_live(
        &self,
        wanted: &AuthorizeOrder,
        live: OperationRecord,
        same: bool,
    ) -> Result<(), Stop> {
        let (key, asked_at) = (live.key.clone(), now());
        let queried = match self.query(live, Freshness::New).await {
            Ok(queried) => queried,
            Err(error) => {
                let wait = error.into_problem()?.patience();
                return self.block(&key, wait).await;
            }
        };
        if same && let Some(wait) = self.not_overdue_for(&queried) {
            return self.block(&key, Some(wait)).await;
        }
        match self.cancel_queried(queried, asked_at).await? {
            Cancelled::Ended(record) if record.outcome() == Some(Outcome::Reversed) => {
                Err(self.tell_given_back(wanted, &record).await?)
            }
            Cancelled::Ended(_) => Ok(()),
            Cancelled::Paid(record) => Err(order_paid(&record).into()),
            Cancelled::Unconfirmed(problem) => self.block(&key, problem.patience()).await,
        }
    }

    /// For how many seconds the service itself does not take a waiting code for overdue.
    fn not_overdue_for(&self, queried: &Queried) -> Option<u64> {
        let waits = queried.record.state()?.is_waiting() && queried.taken == Some(Taken::Believed);
        // A service that tells no time leaves only our own clock.
        let now: Millis = self.service.now().unwrap_or_else(now);
        let left = queried.record.overdue_from().saturating_sub(now);
        (waits && left > 0).then(|| left.unsigned_abs().div_ceil(1000))
    }

    /// Nothing is made: the first code is still being confirmed. The key stays unspent.
    async fn block(&self, key: &OperationKey, wait: Option<u64>) -> Result<(), Stop> {
        let block = |record: &mut OperationRecord| record.block(now());
        let (record, ()) = self.db.change(key, block, None).await?;
        let detail = "The first code of this order is still being confirmed, so there is no other one yet; do not pay it twice, and ask again after the time in Retry-After.";
        let wait = wait.unwrap_or(ASK_AGAIN).clamp(1, LONGEST_WAIT);
        let problem = Problem::new(ProblemKind::OperationUnconfirmed, detail).retry_after(wait);
        Err(numbered(problem, &record).into())
    }

    /// The withdrawal met a payment and gave it back; the payer is told before there is a new code, and
    /// whenever the same attempt asks again.
    pub(super) async fn tell_given_back(
        &self,
        wanted: &AuthorizeOrder,
        record: &OperationRecord,
    ) -> Result<Stop, DbError> {
        let detail = "The first code of this order was paid after its time, and that payment was given back; a new attempt with a new Idempotency-Key gets a new code.";
        let problem = numbered(Problem::new(ProblemKind::PaymentReversed, detail), record);
        let (status, body) = (problem.kind().status().as_u16(), problem.body());
        let ending = Ending::Problem(status, body.clone());
        let told = |record: &mut OperationRecord| record.blocked_since = None;
        let ended = Some((&wanted.attempt, ending));
        let key = &record.key;
        self.db.change(key, told, ended).await?;
        Ok(Stop::Answer(Authorization::Kept(status, body)))
    }
}
