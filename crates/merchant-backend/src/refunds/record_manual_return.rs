use super::Refunds;
use super::refusal::{NotGivenBack, RefundsUnknown};
use crate::charges::Queried;
use crate::clock::now;
use crate::db::{AuditRecord, DbError, Notes};
use crate::random::token;
use crate::shared_query::Freshness;
use payment_model::{Cents, Currency};
use payment_rules::idempotent_request::IdempotentRequest;
use payment_rules::ledger::{Asker, GivenBack, Ledger, Limits, NewReturn};
use payment_rules::operation::{OperationKey, OperationRecord};
use staff_model::{AuditAction, AuditFacts, AuditStep, ManualReturn};
use std::time::Duration;

/// When to ask again after an answer that decides nothing.
const SOON: Duration = Duration::from_secs(2);

/// Money that staff give back, or gave back, where the service cannot.
pub(crate) struct ReturnWanted {
    pub(crate) key: OperationKey,
    pub(crate) amount: u64,
    pub(crate) reason: String,
    pub(crate) asker: Asker,
    pub(crate) fingerprint: String,
    pub(crate) limits: Limits,
    /// The money has left: the return is recorded as an exception.
    pub(crate) already_made: bool,
}

impl Refunds {
    /// Reserves or records a return, or gives the earlier answer of the key.
    pub(crate) async fn record_return(
        &self,
        wanted: &ReturnWanted,
    ) -> Result<Result<ManualReturn, NotGivenBack>, DbError> {
        let request = IdempotentRequest::of_staff(&wanted.asker, &wanted.fingerprint);
        self.with_key(&request, self.run_return(wanted)).await
    }

    async fn run_return(
        &self,
        wanted: &ReturnWanted,
    ) -> Result<Result<ManualReturn, NotGivenBack>, DbError> {
        // A server that stopped before its answer may have recorded the return.
        if let Some(key) = self.db.returned_by(&wanted.asker).await? {
            let ledger = self.db.ledger(&key).await?;
            let returns = ledger.map(|ledger| ledger.returns).unwrap_or_default();
            let recorded = returns.iter().find(|record| record.asker == wanted.asker);
            if let Some(record) = recorded {
                return Ok(Ok(record.shown()));
            }
        }
        let Some(record) = self.db.operation(&wanted.key).await? else {
            return Ok(Err(NotGivenBack::NotFound));
        };
        // A return that was made is a fact. A new one may have been made since the backup.
        if !wanted.already_made && self.db.is_fenced(&wanted.key).await? {
            return Ok(Err(NotGivenBack::Restored));
        }
        // A return that was made is recorded also while the service is away; money that leaves after
        // it rests on a fresh state.
        if !wanted.already_made
            && record.is_paid()
            && let Some(why) = self.not_confirmed(record).await?
        {
            return Ok(Err(why));
        }
        let id = token().map_err(DbError::missing)?;
        let staff = &wanted.asker.staff;
        let change = |ledgers: &mut [Ledger], given_back: &[GivenBack]| {
            let given_back = given_back.first().copied().unwrap_or_default();
            let new = NewReturn {
                id: id.clone(),
                amount: wanted.amount,
                reason: wanted.reason.clone(),
                asker: wanted.asker.clone(),
                already_made: wanted.already_made,
                allowed: wanted.limits.left(given_back, 0),
            };
            let of = ledgers.first();
            let currency = of.map(|ledger| Currency::new(&*ledger.currency));
            let recorded = ledgers.iter_mut().next().map(|ledger| {
                let recorded = ledger.give_back(new, now());
                ledger.plan(now());
                recorded
            });
            let audit = recorded.iter().flatten().map(|record| {
                // A reservation announces a return; a record says that one was made.
                let step = if record.already_made {
                    AuditStep::Done
                } else {
                    AuditStep::Asked
                };
                let facts = AuditFacts {
                    amount: Some(Cents::new(record.amount)),
                    currency: currency.clone(),
                    id: Some(record.id.clone()),
                    reason: Some(record.reason.clone()),
                    ..AuditFacts::new(step)
                };
                AuditRecord::of_facts(staff, AuditAction::Return, &wanted.key, &facts)
            });
            let notes = Notes::of_staff(audit);
            (recorded, notes)
        };
        let keys = std::slice::from_ref(&wanted.key);
        let (_, recorded) = self.db.change_ledgers_for(staff, keys, change).await?;
        self.wakeups.changed(&wanted.key);
        Ok(recorded
            .ok_or_else(|| DbError::missing("a ledger"))?
            .map(|record| record.shown())
            .map_err(NotGivenBack::Return))
    }

    /// Why the state of a paid operation is not certain now, if it is not.
    async fn not_confirmed(
        &self,
        record: OperationRecord,
    ) -> Result<Option<NotGivenBack>, DbError> {
        let unknown = |wait| RefundsUnknown::StateUnknown(record.key.clone(), wait);
        match self.charges.query(record.clone(), Freshness::New).await {
            // A new state and a dispute are for the rules of the ledger.
            Ok(queried) if queried.is_confirmed() => Ok(None),
            Ok(Queried { record, .. }) if record.is_disputed() || !record.is_paid() => Ok(None),
            Ok(_) => Ok(Some(unknown(SOON).into())),
            Err(error) => Ok(Some(unknown(error.retry_after()?).into())),
        }
    }
}
