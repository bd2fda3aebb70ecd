//! One answer for each idempotency key of staff and of the shop's programs.

use super::Payments;
use crate::db::DbError;
use payment_rules::idempotency::{IdempotentRequest, KeyState};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::Instant;

/// Why a request under a key does not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyError {
    /// The key was used for another request.
    Reused,
    /// The same request is still running.
    Running,
}

impl Payments {
    /// Runs a request, or returns the earlier answer of its key. Run this as a task of its own: it
    /// must not end with the request that began it.
    pub(super) async fn run_once<A, E>(
        &self,
        request: &IdempotentRequest,
        run: impl Future<Output = Result<A, E>> + Send,
    ) -> Result<A, E>
    where
        E: From<KeyError> + From<DbError> + Send,
        A: Serialize + DeserializeOwned + PartialEq + Send + Sync,
    {
        let timing = &self.settings.timing;
        let deadline = Instant::now() + timing.key_wait;
        let lease = timing.lease();
        let mut claim = match self.keys.claim(request, lease, deadline).await? {
            Ok(claim) => claim,
            Err(KeyState::Answered(answer)) => return Ok(answer),
            Err(KeyState::Other) => return Err(KeyError::Reused.into()),
            Err(KeyState::Running) => return Err(KeyError::Running.into()),
        };
        let mut run = std::pin::pin!(run);
        // Many items take longer than one lease. A single lease that covered them all would hold the
        // key and the amounts of a server that stopped.
        let outcome = loop {
            match tokio::time::timeout(lease / 3, &mut run).await {
                Ok(outcome) => break outcome,
                Err(_) => match self.keys.renew(&claim, lease).await {
                    Ok(Some(renewed)) => claim = renewed,
                    // Nothing is sent twice either way: an attempt has one turn.
                    Ok(None) => tracing::warn!("another server took a request of staff over"),
                    Err(error) => tracing::warn!(%error, "a lease was not renewed"),
                },
            }
        };
        // If nothing was done, a repetition with the same key runs again. If the end cannot be stored,
        // the caller gets an error: the attempts are on disk, and a repetition finds them.
        let ended = self.keys.end(&claim, outcome.as_ref().ok()).await;
        let answer = outcome?;
        ended?;
        Ok(answer)
    }
}
