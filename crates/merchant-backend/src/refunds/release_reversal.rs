use super::Refunds;
use super::refusal::NotReleased;
use crate::charges::QueryError;
use crate::clock::{now, reading};
use crate::db::{AuditRecord, DbError, Notes};
use crate::payment_service::ServiceError;
use crate::shared_query::Freshness;
use payment_rules::ledger::{Ledger, Release, ReversalReleaseRefusal};
use payment_rules::operation::{OperationKey, Taken};
use staff_model::{AuditAction, Reversal};

/// A request to release a reversal's amount.
pub(crate) struct ReversalReleaseWanted {
    pub(crate) key: OperationKey,
    pub(crate) reversal_id: String,
    pub(crate) staff: String,
    pub(crate) reason: String,
}

impl Refunds {
    /// Asks for the operation's state, and releases a reversal in doubt if that state does not end
    /// it.
    pub(crate) async fn release_reversal(
        &self,
        wanted: ReversalReleaseWanted,
    ) -> Result<Result<Reversal, NotReleased>, DbError> {
        let key = wanted.key.clone();
        let record = self.db.operation(&key).await?;
        let record = record.ok_or_else(|| DbError::missing("an operation"))?;
        // Without a transaction the server cannot ask.
        if record.transaction().is_some() {
            let unknown = match self.charges.query(record, Freshness::New).await {
                Ok(queried) if queried.taken.is_some_and(Taken::is_believed) => None,
                Ok(_) => Some(ServiceError::Unreadable("not the operation's".to_owned())),
                Err(QueryError::Database(error)) => return Err(error),
                Err(error) => Some(error.of_service()),
            };
            if let Some(error) = unknown {
                return Ok(Err(NotReleased::StateNotKnown(error)));
            }
        }
        let change = |ledger: &mut Ledger| {
            let id = wanted.reversal_id.as_str();
            let reason = &wanted.reason;
            let release = Release {
                by: wanted.staff.clone(),
                at: now(),
                reason: wanted.reason.clone(),
            };
            let released = ledger.release_reversal(id, release, reading());
            let asked = matches!(released, Err(ReversalReleaseRefusal::SecondPerson));
            let audit = (released.is_ok() || asked).then(|| AuditRecord {
                staff: wanted.staff.clone(),
                action: AuditAction::ReleaseReversal,
                key: Some(ledger.key.clone()),
                detail: if asked {
                    format!("asked to release reversal {id}: {reason}")
                } else {
                    format!("released reversal {id}: {reason}")
                },
            });
            let notes = Notes::of_staff(audit);
            (released, notes)
        };
        let (_, released) = self.change_one(&key, change).await?;
        Ok(released
            .map(|reversal| reversal.shown())
            .map_err(NotReleased::Reversal))
    }
}
