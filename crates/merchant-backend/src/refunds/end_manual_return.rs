use super::Refunds;
use crate::clock::now;
use crate::db::{AuditRecord, DbError, Notes};
use payment_rules::ledger::{Ledger, ReturnEnd, ReturnEndRefusal, ReturnStep};
use payment_rules::operation::OperationKey;
use staff_model::AuditAction;

/// A request of staff to end a return.
pub(crate) struct ReturnEndWanted {
    pub(crate) key: OperationKey,
    pub(crate) return_id: String,
    pub(crate) kind: ReturnEndKind,
    pub(crate) staff: String,
    pub(crate) reason: String,
}

/// How a return ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReturnEndKind {
    Made,
    GivenUp,
}

impl Refunds {
    /// Ends a return, or asks for its end where that takes two people.
    pub(crate) async fn end_return(
        &self,
        wanted: ReturnEndWanted,
    ) -> Result<Result<ReturnStep, ReturnEndRefusal>, DbError> {
        let key = wanted.key.clone();
        let change = |ledger: &mut Ledger| {
            let id = wanted.return_id.as_str();
            let end = ReturnEnd {
                by: wanted.staff.clone(),
                at: now(),
                reason: wanted.reason.clone(),
            };
            let step = match wanted.kind {
                ReturnEndKind::Made => ledger.return_was_made(id, end),
                ReturnEndKind::GivenUp => ledger.give_return_up(id, end),
            };
            let act = match (&step, wanted.kind) {
                (Ok(ReturnStep::Ended(_)), ReturnEndKind::Made) => {
                    Some((AuditAction::ReturnDone, "was made"))
                }
                (Ok(ReturnStep::Ended(_)), ReturnEndKind::GivenUp) => {
                    Some((AuditAction::ReturnGivenUp, "was given up"))
                }
                (Ok(ReturnStep::Asked(_)), _) => {
                    Some((AuditAction::AskReturnGivenUp, "is to be given up"))
                }
                (Ok(ReturnStep::Repeated(_)) | Err(_), _) => None,
            };
            let audit = act.map(|(action, verb)| AuditRecord {
                staff: wanted.staff.clone(),
                action,
                key: Some(ledger.key.clone()),
                detail: format!("return {id} {verb}: {}", wanted.reason),
            });
            (step, Notes::of_staff(audit))
        };
        let (_, step) = self.change_one(&key, change).await?;
        Ok(step)
    }
}
