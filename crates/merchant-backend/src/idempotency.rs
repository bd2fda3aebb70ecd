//! Gives one answer for each idempotency key, also to a repetition during the first request.

use crate::clock::moment;
use crate::db::{Db, DbError};
use crate::wakeups::{Topic, Wakeups};
use payment_rules::idempotency::{Claim, IdempotentRequest, KeyState};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::time::Duration;
use tokio::time::Instant;

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
