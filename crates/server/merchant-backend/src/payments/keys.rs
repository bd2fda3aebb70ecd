//! One answer for each idempotency key, also to a repetition during the first request; the lease of a request of staff
//! or of a program of the shop is renewed while it runs.

use super::Payments;
use super::errors::RefundError;
use crate::clock::moment;
use crate::db::{Db, DbError};
use crate::wakeups::{Topic, Wakeups};
use payment_model::IdempotencyKey;
use payment_rules::idempotency::{Claim, IdempotentRequest, KeyState};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, MutexGuard};
use tokio::time::Instant;

/// The claim of a running request, which each renewal of its lease replaces.
#[derive(Clone)]
pub(crate) struct HeldClaim {
    key: IdempotencyKey,
    claim: Arc<Mutex<Claim>>,
}

impl HeldClaim {
    fn new(claim: Claim) -> Self {
        Self {
            key: claim.request.key.clone(),
            claim: Arc::new(Mutex::new(claim)),
        }
    }

    pub(super) fn key(&self) -> IdempotencyKey {
        self.key.clone()
    }

    /// The claim, which is not renewed meanwhile. Lock it before a transaction that writes: a renewal
    /// waits for the writer with the claim locked.
    pub(super) async fn lock(&self) -> MutexGuard<'_, Claim> {
        self.claim.lock().await
    }

    async fn renew(&self, keys: &Keys, lease: Duration) {
        let mut claim = self.lock().await;
        match keys.renew(&claim, lease).await {
            Ok(Some(renewed)) => *claim = renewed,
            // Further reservations fail with `ClaimLost`. Attempts that are already reserved are still sent at
            // most once.
            Ok(None) => tracing::warn!("another server took a request of staff over"),
            Err(error) => tracing::warn!(%error, "a lease was not renewed"),
        }
    }
}

/// Runs a request, and renews its lease meanwhile: many items take longer than one lease, and a single
/// lease that covered them all would hold the key and the amounts of a server that stopped.
async fn run_renewed<T>(
    keys: &Keys,
    claim: &HeldClaim,
    lease: Duration,
    run: impl Future<Output = T> + Send,
) -> T {
    let mut run = pin!(run);
    loop {
        if let Ok(outcome) = tokio::time::timeout(lease / 3, &mut run).await {
            return outcome;
        }
        let mut renewal = pin!(claim.renew(keys, lease));
        // The run goes on meanwhile: it may hold what the renewal waits for.
        tokio::select! {
            () = &mut renewal => {}
            outcome = &mut run => {
                // A renewal that is stored and not noted would lose the claim.
                renewal.await;
                return outcome;
            }
        }
    }
}

impl Payments {
    /// Runs a request, or returns the earlier answer of its key. Run this as a task of its own: it
    /// must not end with the request that began it. The request reserves nothing without its claim.
    pub(super) async fn run_once<A, F>(
        &self,
        request: &IdempotentRequest,
        run: impl FnOnce(HeldClaim) -> F + Send,
    ) -> Result<A, RefundError>
    where
        A: Serialize + DeserializeOwned + PartialEq + Send + Sync,
        F: Future<Output = Result<A, RefundError>> + Send,
    {
        let deadline = Instant::now() + self.settings.timing.key_wait;
        let lease = self.settings.lease();
        let claim = match self.keys.claim(request, lease, deadline).await? {
            Ok(claim) => HeldClaim::new(claim),
            Err(KeyState::Answered(answer)) => return Ok(answer),
            Err(KeyState::Other) => return Err(RefundError::KeyReused),
            Err(KeyState::Running) => return Err(RefundError::Running),
        };
        let outcome = run_renewed(&self.keys, &claim, lease, run(claim.clone())).await;
        // If nothing was done, a repetition with the same key runs again. If the end cannot be stored,
        // the caller gets an error: the attempts are on disk, and a repetition finds them.
        let claim = claim.lock().await;
        let ended = self.keys.end(&claim, outcome.as_ref().ok()).await;
        let answer = outcome?;
        ended?;
        Ok(answer)
    }
}

/// The keys of all requests, and the requests that wait for the end of another.
#[derive(Clone)]
pub(crate) struct Keys {
    db: Db,
    wakeups: Wakeups,
}

impl Keys {
    pub(crate) fn new(db: Db, wakeups: Wakeups) -> Self {
        Self { db, wakeups }
    }

    /// Claims a request until the lease ends, or tells why it does not run. If it runs already,
    /// waits for its end until the deadline.
    pub(crate) async fn claim<A: DeserializeOwned + PartialEq + Send>(
        &self,
        request: &IdempotentRequest,
        lease: Duration,
        deadline: Instant,
    ) -> Result<Result<Claim, KeyState<A>>, DbError> {
        loop {
            if let Some(state) = self.state_at_end(request, deadline).await? {
                return Ok(Err(state));
            }
            let claimed = self.db.claim(request, moment(), lease).await?;
            if claimed != Err(KeyState::Running) || Instant::now() >= deadline {
                return Ok(claimed);
            }
        }
    }

    /// Why a request does not run now; `None` when it could. If it runs already, waits for its end until the
    /// deadline.
    pub(crate) async fn state_at_end<A: DeserializeOwned + PartialEq + Send>(
        &self,
        request: &IdempotentRequest,
        deadline: Instant,
    ) -> Result<Option<KeyState<A>>, DbError> {
        let mut wakeup = self.wakeups.subscribe(topic(request));
        loop {
            // A repetition finds its answer without a turn of the writer.
            let state = self.db.key_state(request, moment()).await?;
            if state != Some(KeyState::Running) || Instant::now() >= deadline {
                return Ok(state);
            }
            wakeup.wait_towards(deadline).await;
        }
    }

    /// Renews the lease of a running request.
    pub(crate) async fn renew(
        &self,
        claim: &Claim,
        lease: Duration,
    ) -> Result<Option<Claim>, DbError> {
        self.db.renew(claim, moment(), lease).await
    }

    /// Ends a request, with its answer or with `None`, so that its repetition runs again, and wakes
    /// those that wait for it.
    pub(crate) async fn end<A: Serialize + Sync>(
        &self,
        claim: &Claim,
        answer: Option<&A>,
    ) -> Result<(), DbError> {
        let ended = self.db.end(claim, answer).await;
        self.ended(claim);
        ended
    }

    /// Wakes those that wait for a request whose end is on disk already.
    pub(crate) fn ended(&self, claim: &Claim) {
        self.wakeups.wake(&topic(&claim.request));
    }
}

fn topic(request: &IdempotentRequest) -> Topic {
    Topic::Key(request.sender.clone(), request.key.clone())
}

#[cfg(test)]
mod tests {
    use super::{HeldClaim, run_renewed};
    use crate::db::testing::Place;
    use crate::payments::Keys;
    use crate::wakeups::Wakeups;
    use payment_rules::idempotency::{IdempotentRequest, KeyState};
    use payment_rules::ledger::fixture::requester;
    use std::time::Duration;
    use tokio::time::{Instant, sleep};

    #[tokio::test]
    async fn a_run_of_several_leases_keeps_its_claim_also_while_it_reserves() {
        let place = Place::new().await;
        let keys = Keys::new(place.open().await, Wakeups::default());
        let request = IdempotentRequest::of_staff(&requester("ana"), "f");
        let lease = Duration::from_millis(300);
        let claimed = keys.claim::<String>(&request, lease, Instant::now());
        let first = claimed.await.unwrap().unwrap();
        let claim = HeldClaim::new(first.clone());
        let run = async {
            sleep(lease * 2).await;
            // A renewal is due meanwhile, and waits.
            let held = claim.lock().await;
            sleep(lease / 2).await;
            drop(held);
            sleep(lease).await;
        };
        run_renewed(&keys, &claim, lease, run).await;
        let last = claim.lock().await;
        assert!(last.until > first.until, "{last:?}");
        keys.end(&last, Some(&"answer".to_owned())).await.unwrap();
        let again = keys.claim::<String>(&request, lease, Instant::now());
        let answered = KeyState::Answered("answer".to_owned());
        assert_eq!(again.await.unwrap(), Err(answered));
    }
}
