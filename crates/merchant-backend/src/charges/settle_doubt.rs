//! Settles doubts: the service may have accepted an authorization although no answer came.
//!
//! A query needs a transaction id, which the server has only if a hint named one. A cancellation
//! needs none, and its answer has the whole operation. The server sends one only if the payer cannot
//! have received a code or a link of the operation. A cash code or a transfer may have reached the
//! payer by mail, and a cancellation could give a payment back: such an operation stays in doubt, on
//! the staff's list, until a hint names its transaction.

use super::Charges;
use super::ask_by_hint::AskedByHint;
use super::send_cancellation::{CancellationResult, Wanted};
use crate::clock::{now, reading};
use crate::db::DbError;
use crate::payment_service::ServiceError;
use payment_rules::ledger::Purpose;
use payment_rules::operation::{OperationKey, OperationRecord, SETTLED_FOR};

impl Charges {
    /// Settles a doubt in the background, but not while the service wants no cancellations.
    pub(crate) async fn settle_doubt_as_planned(
        &self,
        record: OperationRecord,
    ) -> Result<(), DbError> {
        let Some(rest) = self.service.no_cancellations_for() else {
            return self.settle_doubt(record).await;
        };
        let plan = |record: &mut OperationRecord| record.plan_after_rest(rest, now());
        let key = record.key;
        self.db.change(&key, plan).await?;
        Ok(())
    }

    /// Asks once; the background repeats it for a day while the doubt lasts.
    pub(crate) async fn settle_doubt(&self, record: OperationRecord) -> Result<(), DbError> {
        match self.ask_by_hint(&record).await? {
            AskedByHint::Known => return Ok(()),
            // The question comes before any cancellation, and is asked until it is answered.
            AskedByHint::Open(unaccepted) => return self.ask_again(&record.key, unaccepted).await,
            AskedByHint::NoHint => {}
        }
        // What a hint made due after a day is the staff's to cancel.
        let is_old = now().duration_since(record.created_at) >= SETTLED_FOR;
        let shown = record.is_shown_by_us() && !is_old;
        let key = record.key;
        if !shown {
            let plan = |record: &mut OperationRecord| record.plan(now());
            self.db.change(&key, plan).await?;
            return Ok(());
        }
        let wanted = Wanted::new(Purpose::SettleDoubt, now());
        match self.send_cancellation(&key, wanted).await? {
            CancellationResult::Known(_) => {}
            // Its code may have reached the payer between the backup and the restore, so that only
            // staff may cancel it, also later.
            CancellationResult::Fenced => {
                self.db
                    .change(&key, OperationRecord::leave_to_staff)
                    .await?;
            }
            CancellationResult::InTheWay(_) | CancellationResult::OverLimit(_) => {
                let failed = |record: &mut OperationRecord| record.query_failed(false, now());
                self.db.change(&key, failed).await?;
            }
            CancellationResult::Failed(error) => {
                let status = match error {
                    ServiceError::Refused { status, .. } => Some(status),
                    _ => None,
                };
                let may_arrive = self.may_arrive(&key).await?;
                let change = |record: &mut OperationRecord| {
                    record.settlement_failed(status, may_arrive, reading());
                };
                self.db.change(&key, change).await?;
            }
        }
        Ok(())
    }

    /// Asks about an operation that the service did not know, by the hints that came since.
    pub(super) async fn ask_about_lost(&self, record: OperationRecord) -> Result<(), DbError> {
        match self.ask_by_hint(&record).await? {
            AskedByHint::Known => Ok(()),
            AskedByHint::Open(unaccepted) => self.ask_again(&record.key, unaccepted).await,
            AskedByHint::NoHint => {
                let plan = |record: &mut OperationRecord| record.plan(now());
                self.db.change(&record.key, plan).await?;
                Ok(())
            }
        }
    }

    async fn ask_again(&self, key: &OperationKey, unaccepted: bool) -> Result<(), DbError> {
        let failed = |record: &mut OperationRecord| record.hinted_query_failed(unaccepted, now());
        self.db.change(key, failed).await?;
        Ok(())
    }

    /// True when an earlier cancellation, whose answer was lost, may still reach the operation.
    async fn may_arrive(&self, key: &OperationKey) -> Result<bool, DbError> {
        let ledger = self.db.ledger(key).await?;
        Ok(ledger.is_some_and(|ledger| ledger.pending_reversal().is_some()))
    }
}
