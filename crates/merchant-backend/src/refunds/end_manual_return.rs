use super::Refunds;
use super::refusal::NotEnded;
use crate::clock::now;
use crate::db::{AuditRecord, DbError, Notes};
use crate::domain::ledger::{Ledger, ReturnEnd};
use crate::domain::operation::OperationKey;
use staff_model::{AuditAction, ManualReturn, ReturnState};

/// A request of staff to end a reserved return.
pub(crate) struct ReturnEndWanted {
    pub(crate) key: OperationKey,
    pub(crate) return_id: String,
    /// Made or given up.
    pub(crate) state: ReturnState,
    pub(crate) staff: String,
    pub(crate) reason: String,
}

impl Refunds {
    /// Ends a return. A repetition of the same end succeeds; another end is refused.
    pub(crate) async fn end_return(
        &self,
        wanted: ReturnEndWanted,
    ) -> Result<Result<ManualReturn, NotEnded>, DbError> {
        let (key, state) = (wanted.key.clone(), wanted.state);
        let change = |ledger: &mut Ledger| {
            let id = wanted.return_id.as_str();
            let was_open = ledger
                .returned(id)
                .is_some_and(|returned| returned.state == ReturnState::Open);
            let (action, verb) = match state {
                ReturnState::Done => (AuditAction::ReturnDone, "was made"),
                _ => (AuditAction::ReturnGivenUp, "was given up"),
            };
            let audit = was_open.then(|| AuditRecord {
                staff: wanted.staff.clone(),
                action,
                key: Some(ledger.key.clone()),
                detail: format!("return {id} {verb}: {}", wanted.reason),
            });
            let end = ReturnEnd {
                by: wanted.staff.clone(),
                at: now(),
                reason: wanted.reason.clone(),
            };
            let notes = Notes::of_staff(audit);
            (ledger.end_return(id, state, end), notes)
        };
        let (_, ended) = self.change_one(&key, change).await?;
        let Some(ended) = ended else {
            return Ok(Err(NotEnded::NotFound));
        };
        if ended.state == state {
            return Ok(Ok(ended.shown()));
        }
        Ok(Err(NotEnded::Ended(ended.state)))
    }
}
