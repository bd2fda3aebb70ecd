//! One answer for each idempotency key of staff.

use super::Payments;
use super::refund::RefundError;
use payment_rules::idempotency::{IdempotentRequest, KeyState};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::Instant;

impl Payments {
    /// Runs a request, or returns the earlier answer of its key. Run this as a task of its own: it
    /// must not end with the request that began it.
    pub(super) async fn run_once<A>(
        &self,
        request: &IdempotentRequest,
        run: impl Future<Output = Result<A, RefundError>> + Send,
    ) -> Result<A, RefundError>
    where
        A: Serialize + DeserializeOwned + PartialEq + Send + Sync,
    {
        let timing = &self.settings.timing;
        let deadline = Instant::now() + timing.key_wait;
        let lease = timing.lease();
        let mut claim = match self.keys.claim(request, lease, deadline).await? {
            Ok(claim) => claim,
            Err(KeyState::Answered(answer)) => return Ok(answer),
            Err(KeyState::Other) => return Err(RefundError::KeyReused),
            Err(KeyState::Running) => return Err(RefundError::Running),
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
