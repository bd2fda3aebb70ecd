//! Undoes what an attempt began before the database failed it.

use super::Charges;
use super::payment_attempt::Attempt;
use crate::clock::now;
use crate::db::DbError;
use payment_rules::idempotent_answer::AuthorizationAnswer;
use payment_rules::idempotent_request::Claim;
use payment_rules::operation::OperationRecord;
use std::time::Duration;
use tokio::time::Instant;

/// The pause before a change is tried again.
const PAUSE: Duration = Duration::from_millis(500);

impl Charges {
    /// Frees the key, so that its repetition runs again. While the database cannot do it, a task goes on:
    /// the payer would wait until the lease ends, although no request runs.
    pub(super) async fn free_key(&self, attempt: &Attempt) {
        let Err(error) = self.free(&attempt.claim).await else {
            return;
        };
        tracing::error!(%error, "an attempt could not be freed");
        let (charges, claim) = (self.clone(), attempt.claim.clone());
        self.tasks.spawn(async move {
            let patience = charges.patience();
            while patience.allows(charges.free(&claim).await) {
                tokio::time::sleep(PAUSE).await;
            }
        });
    }

    async fn free(&self, claim: &Claim) -> Result<(), DbError> {
        self.keys.end(claim, None::<&AuthorizationAnswer>).await
    }

    /// Ends an operation that was never sent, and may be on disk all the same: a commit that
    /// reported an error may have been carried out.
    pub(super) fn forget_unsent(&self, drafted: OperationRecord) {
        let charges = self.clone();
        self.tasks.spawn(async move {
            let patience = charges.patience();
            while patience.allows(charges.end_unsent(&drafted).await) {
                tokio::time::sleep(PAUSE).await;
            }
        });
    }

    async fn end_unsent(&self, drafted: &OperationRecord) -> Result<(), DbError> {
        let stored = self.db.operation(&drafted.key).await?;
        if !stored.is_some_and(|stored| stored.is_attempt_of(drafted)) {
            return Ok(());
        }
        let end = |record: &mut OperationRecord| record.void_unsent(drafted, now());
        self.db.change(&drafted.key, end).await?;
        self.wakeups.changed(&drafted.key);
        Ok(())
    }

    fn patience(&self) -> Patience {
        Patience {
            end: Instant::now() + self.settings.timing.lease(),
        }
    }
}

/// For how long a change is tried again: afterwards others end what was begun.
struct Patience {
    end: Instant,
}

impl Patience {
    fn allows(&self, tried: Result<(), DbError>) -> bool {
        tried.is_err_and(|error| error.is_away()) && Instant::now() < self.end
    }
}
