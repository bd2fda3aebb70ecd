//! One answer for each key of a member of staff.

use super::Refunds;
use crate::clock::moment;
use crate::db::{DbError, RequestStanding};
use crate::domain::ledger::Asker;
use crate::http::problem::{Problem, ProblemKind};
use crate::wakeups::Topic;
use serde_json::Value;
use std::time::Duration;
use tokio::time::Instant;

/// The answer to a request of staff.
pub(crate) enum Kept {
    /// This key's answer for good: status and body.
    Answer(u16, Value),
    /// Nothing was done; the key's repetition runs again.
    Problem(Problem),
}

impl Refunds {
    /// Runs a request, or answers with what its key was answered before. Run this as a task of its
    /// own: it must not end with the request that began it.
    pub(super) async fn with_key(
        &self,
        asker: &Asker,
        fingerprint: &str,
        run: impl Future<Output = Result<Kept, DbError>> + Send,
    ) -> Result<Kept, DbError> {
        let deadline = Instant::now() + self.pace.key_wait;
        // A session is a hash, so that no name of an account is one.
        let topic = Topic::Attempt(format!("staff {}", asker.staff), asker.key.clone());
        let mut wakeup = self.wakeups.subscribe(topic.clone());
        loop {
            let lease = self.pace.refund_lease();
            let claimed = self.db.claim_request(asker, fingerprint, moment(), lease);
            match claimed.await? {
                RequestStanding::Claimed => break,
                RequestStanding::Answered(status, body) => return Ok(Kept::Answer(status, body)),
                RequestStanding::Other => {
                    let detail = "This Idempotency-Key was used for another request; use a new key for a new request.";
                    return Ok(Kept::Problem(Problem::new(ProblemKind::KeyReused, detail)));
                }
                RequestStanding::Running => {
                    let rest = deadline.saturating_duration_since(Instant::now());
                    if rest.is_zero() {
                        let detail = "This request is still being worked on; repeat it with the same Idempotency-Key.";
                        let problem = Problem::new(ProblemKind::RequestRunning, detail);
                        return Ok(Kept::Problem(problem.retry_after(1)));
                    }
                    wakeup.wait(rest.min(Duration::from_secs(1))).await;
                }
            }
        }
        let outcome = run.await;
        let answer = match &outcome {
            Ok(Kept::Answer(status, body)) => Some((*status, body.clone())),
            Ok(Kept::Problem(_)) | Err(_) => None,
        };
        // Without its end on disk nobody is told: the attempts are, and a repetition finds them.
        let ended = self.db.end_request(asker, answer).await;
        self.wakeups.wake(&topic);
        let outcome = outcome?;
        ended?;
        Ok(outcome)
    }
}
