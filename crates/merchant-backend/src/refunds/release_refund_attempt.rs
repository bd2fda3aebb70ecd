use super::Refunds;
use super::refusal::NotReleased;
use crate::clock::{now, reading};
use crate::db::{AuditRecord, DbError, Notes};
use crate::shared_query::Freshness;
use payment_rules::ledger::{Ledger, Looked, Release};
use payment_rules::operation::OperationKey;
use staff_model::{AuditAction, RefundAttempt};

/// A request to release an attempt's amount, with the member of staff and the reason.
pub(crate) struct ReleaseWanted {
    pub(crate) key: OperationKey,
    pub(crate) attempt_id: String,
    pub(crate) staff: String,
    pub(crate) reason: String,
}

impl Refunds {
    /// Releases an attempt that is still missing in the service's list.
    pub(crate) async fn release_attempt(
        &self,
        wanted: ReleaseWanted,
    ) -> Result<Result<RefundAttempt, NotReleased>, DbError> {
        let key = wanted.key.clone();
        let looked = match self.look_up(&key, Freshness::New).await {
            Ok(looked) => looked.proves(),
            Err(error) => Err(error.into_unknown(&key)?),
        };
        let began = match looked {
            Ok(looked) => looked.began,
            Err(unknown) => return Ok(Err(NotReleased::Unknown(unknown))),
        };
        let looked = Looked {
            began,
            lost_for: self.timing.release_after,
        };
        let change = |ledger: &mut Ledger| {
            let id = wanted.attempt_id.as_str();
            let detail = format!("released attempt {id}: {}", wanted.reason);
            let release = Release {
                by: wanted.staff.clone(),
                at: now(),
                reason: wanted.reason.clone(),
            };
            let released = ledger.release(id, release, looked, reading());
            let audit = released.iter().map(|_| AuditRecord {
                staff: wanted.staff.clone(),
                action: AuditAction::ReleaseAttempt,
                key: Some(ledger.key.clone()),
                detail: detail.clone(),
            });
            let notes = Notes::of_staff(audit);
            (released, notes)
        };
        let (_, released) = self.change_one(&key, change).await?;
        Ok(released
            .map(|attempt| attempt.shown())
            .map_err(NotReleased::Refund))
    }
}
