//! Money that staff give back by other means where the service cannot, or that they gave back already.
//!
//! A return is reserved in the ledger, within the limits of the account, before the money leaves. The
//! reservation ends when staff record that it was made, or when two of them give it up.

use super::errors::{RefundError, RefundsUnknownError};
use super::keys::HeldClaim;
use super::query::Queried;
use super::{DEFAULT_RETRY_AFTER, Payments};
use crate::clock::now;
use crate::db::DbError;
use crate::random::token;
use crate::single_flight::Freshness;
use payment_rules::idempotency::IdempotentRequest;
use payment_rules::ledger::{Limits, NewReturn, Requester, ReturnEnd, ReturnEndError, ReturnStep};
use payment_rules::operation::{OperationKey, OperationRecord};
use payment_rules::payment::{Order, RequestKind, ReturnEndKind};
use staff_model::ManualReturn;

/// A request of staff to reserve or to record a return.
pub(crate) struct RecordReturnCommand {
    pub(crate) key: OperationKey,
    /// In cents.
    pub(crate) amount: u64,
    pub(crate) reason: String,
    pub(crate) requester: Requester,
    pub(crate) fingerprint: String,
    pub(crate) limits: Limits,
    /// The money has left: the return is recorded as a fact.
    pub(crate) already_made: bool,
}

/// A request of staff to end a return.
pub(crate) struct EndReturnCommand {
    pub(crate) key: OperationKey,
    pub(crate) return_id: String,
    pub(crate) kind: ReturnEndKind,
    pub(crate) staff: String,
    pub(crate) reason: String,
}

impl Payments {
    /// Reserves or records a return, or gives the earlier answer of the key.
    pub(crate) async fn record_return(
        &self,
        command: &RecordReturnCommand,
    ) -> Result<ManualReturn, RefundError> {
        let request = IdempotentRequest::of_staff(&command.requester, &command.fingerprint);
        let run = async |claim: HeldClaim| self.run_return(command, &claim).await;
        self.run_once(&request, run).await
    }

    async fn run_return(
        &self,
        command: &RecordReturnCommand,
        claim: &HeldClaim,
    ) -> Result<ManualReturn, RefundError> {
        // A server that stopped before its answer may have recorded the return.
        let kind = RequestKind::Return;
        let earlier = self.db.operations_of_key(kind, &command.requester).await?;
        if let Some(key) = earlier.into_iter().next() {
            let ledger = self.db.ledger(&key).await?;
            let returns = ledger.map(|ledger| ledger.returns).unwrap_or_default();
            let recorded = returns
                .iter()
                .find(|record| record.requester == command.requester);
            if let Some(record) = recorded {
                return Ok(record.shown());
            }
        }
        let key = &command.key;
        let record = self.db.operation(key).await?;
        let record = record.ok_or(RefundError::NotFound)?;
        // A return that was made is a fact, also while the service cannot be asked. Money that leaves
        // after its reservation rests on a fresh state.
        if !command.already_made && record.is_paid() {
            let is_refundable = record.method.is_refundable();
            self.require_certain_state(record).await?;
            if is_refundable {
                // The service may have registered a refund that it refused.
                self.complete_refunds::<RefundError>(key).await?;
            }
        }
        let mut new = NewReturn {
            id: token().map_err(DbError::from)?,
            amount: command.amount,
            reason: command.reason.clone(),
            requester: command.requester.clone(),
            already_made: command.already_made,
            allowed: 0,
        };
        let record_return = |order: &mut Order, given_back| {
            new.allowed = command.limits.left(given_back, 0);
            order.record_return(key, new, now())
        };
        let staff = &command.requester.staff;
        let claim = claim.lock().await;
        let recorded = self
            .db
            .update_order_for(staff, Some(&claim), key, record_return);
        let (_, recorded) = recorded.await?;
        self.wakeups.changed(key);
        Ok(recorded.map_err(RefundError::Return)?.shown())
    }

    /// Asks for the state of a paid operation. A new state and a dispute are for the rules of the
    /// ledger.
    async fn require_certain_state(&self, record: OperationRecord) -> Result<(), RefundError> {
        let key = record.key.clone();
        let wait = match self.query(record, Freshness::New).await {
            Ok(queried) if queried.is_confirmed() => return Ok(()),
            Ok(Queried { record, .. }) if record.is_disputed() || !record.is_paid() => {
                return Ok(());
            }
            Ok(_) => DEFAULT_RETRY_AFTER * 2,
            Err(error) => error.retry_after()?,
        };
        Err(RefundsUnknownError::StateUnknown(key, wait).into())
    }

    /// Ends a return, or asks for its end where that takes two people.
    pub(crate) async fn end_return(
        &self,
        command: EndReturnCommand,
    ) -> Result<Result<ReturnStep, ReturnEndError>, DbError> {
        let end = ReturnEnd {
            by: command.staff,
            at: now(),
            reason: command.reason,
        };
        let key = &command.key;
        let (_, step) = self
            .update(key, |order| {
                order.end_return(key, &command.return_id, command.kind, end.clone())
            })
            .await?;
        Ok(step)
    }
}
