//! One answer for each idempotency key of staff.

use super::Refunds;
use super::refusal::NotGivenBack;
use crate::db::DbError;
use payment_rules::idempotent_request::{IdempotentRequest, Standing};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::time::Instant;

impl Refunds {
    /// Runs a request, or returns the earlier answer of its key. Run this as a task of its own: it
    /// must not end with the request that began it.
    pub(super) async fn with_key<A>(
        &self,
        request: &IdempotentRequest,
        run: impl Future<Output = Result<Result<A, NotGivenBack>, DbError>> + Send,
    ) -> Result<Result<A, NotGivenBack>, DbError>
    where
        A: Serialize + DeserializeOwned + PartialEq + Send + Sync,
    {
        let deadline = Instant::now() + self.timing.key_wait;
        let lease = self.timing.lease();
        let mut claim = match self.keys.claim(request, lease, deadline).await? {
            Ok(claim) => claim,
            Err(Standing::Answered(answer)) => return Ok(Ok(answer)),
            Err(Standing::Other) => return Ok(Err(NotGivenBack::KeyReused)),
            Err(Standing::Running) => return Ok(Err(NotGivenBack::Running)),
        };
        let mut run = std::pin::pin!(run);
        // Many items take longer than a lease, and one that lasted for all of them would hold the
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
        // If nothing was done, a repetition with the same key runs again.
        let answer = outcome.as_ref().ok().and_then(|done| done.as_ref().ok());
        // If the end cannot be stored, the caller gets an error: the attempts are on disk, and a
        // repetition finds them.
        let ended = self.keys.end(&claim, answer).await;
        let outcome = outcome?;
        ended?;
        Ok(outcome)
    }
}
