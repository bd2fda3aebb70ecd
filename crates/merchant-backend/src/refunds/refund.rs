//! A request of staff to refund: every rule first, then every reservation, then one request to
//! the service after the other.

use super::Refunds;
use super::refund_request::{Checked, ItemWanted, RefundWanted};
use super::refusal::{NotGivenBack, RefundsUnknown, Stop};
use super::reserve_attempts::Reserved;
use super::send_refund::Sent;
use crate::charges::QueryError;
use crate::db::DbError;
use crate::payment_service::ServiceError;
use crate::shared_query::Freshness;
use payment_model::Meta;
use payment_rules::idempotent_request::IdempotentRequest;
use payment_rules::ledger::AttemptRecord;
use payment_rules::operation::OperationRecord;
use staff_model::{AttemptState, StaffRefundResponse};

impl Refunds {
    /// Refunds, or gives the earlier answer of the key.
    pub(crate) async fn refund(
        &self,
        wanted: &RefundWanted,
    ) -> Result<Result<StaffRefundResponse, NotGivenBack>, DbError> {
        let work = async {
            match self.run_refund(wanted).await {
                Ok(response) => Ok(Ok(response)),
                Err(Stop::Refused(why)) => Ok(Err(why)),
                Err(Stop::Database(error)) => Err(error),
            }
        };
        let request = IdempotentRequest::of_staff(&wanted.asker, &wanted.fingerprint);
        self.with_key(&request, work).await
    }

    async fn run_refund(&self, wanted: &RefundWanted) -> Result<StaffRefundResponse, Stop> {
        // A server that stopped in the middle may have sent a part of it.
        let earlier = self.attempts_of(wanted).await?;
        if earlier
            .iter()
            .any(|(_, attempt)| attempt.state != AttemptState::Refused)
        {
            for (key, attempt) in &earlier {
                if attempt.state == AttemptState::InDoubt {
                    self.settle(key, &attempt.id).await?;
                }
            }
            let settled = self.attempts_of(wanted).await?;
            let is_refused = |attempt: &AttemptRecord| attempt.state == AttemptState::Refused;
            // A refund that never got access did nothing.
            if !settled.iter().all(|(_, attempt)| is_refused(attempt)) {
                return Ok(self.conclude(wanted, Meta::default()).await?);
            }
        }
        let ids = self.allowed(wanted).await?;
        let mut meta = Meta::default();
        let mut items = wanted.items.iter().zip(&ids);
        while let Some((item, id)) = items.next() {
            match self.send_refund(item, id).await? {
                Sent::Answered(told) => meta = told,
                Sent::Refused => {}
                // The cause that stopped this refund stops the rest as well.
                Sent::Locked => {
                    let rest: Vec<_> = items.collect();
                    self.give_all_up(
                        &rest,
                        "the payment service does not accept the access token",
                    )
                    .await?;
                    if self.ids_refused(wanted, &ids).await? {
                        return Err(RefundsUnknown::LockedOut.into());
                    }
                    break;
                }
                Sent::Silent => {
                    let rest: Vec<_> = items.collect();
                    self.give_all_up(&rest, "the payment service stopped answering")
                        .await?;
                    break;
                }
            }
        }
        Ok(self.conclude(wanted, meta).await?)
    }

    /// Checks every rule until all items are reserved or one breaks a rule; returns the ids of the
    /// attempts.
    async fn allowed(&self, wanted: &RefundWanted) -> Result<Vec<String>, Stop> {
        let records = self.plain_rules(wanted).await?;
        // A doubt that came up in between needs a look-up too.
        for _ in 0..5 {
            let mut checked = Vec::with_capacity(records.len());
            for (item, record) in wanted.items.iter().zip(&records) {
                checked.push(self.look(item, record).await?);
            }
            match self.reserve(&wanted.asker, wanted.limits, &checked).await? {
                Reserved::All(ids) => return Ok(ids),
                Reserved::None(refusals) => return Err(NotGivenBack::Rules(refusals).into()),
                Reserved::LookAgain => {}
            }
        }
        Err(RefundsUnknown::UnderWay.into())
    }

    /// Brings an item's operation and its refunds up to date.
    async fn look<'a>(
        &self,
        item: &'a ItemWanted,
        record: &OperationRecord,
    ) -> Result<Checked<'a>, Stop> {
        // The stored state may be old: a settled payment may have been given back since.
        let record = match self.charges.query(record.clone(), Freshness::New).await {
            Ok(queried) if queried.is_confirmed() => queried.record,
            Ok(_) => return Err(RefundsUnknown::SettlementUnknown.into()),
            Err(QueryError::Service(ServiceError::Unauthorized)) => {
                return Err(RefundsUnknown::LockedOut.into());
            }
            Err(error) => {
                error.retry_after()?;
                return Err(RefundsUnknown::SettlementUnknown.into());
            }
        };
        let looked = match self.look_up(&item.key, Freshness::New).await {
            Ok(looked) => looked.proves()?,
            Err(error) => return Err(error.into_unknown(&item.key)?.into()),
        };
        let transaction_id = record.transaction_id().cloned();
        Ok(Checked {
            item,
            amount: item.amount.unwrap_or_default(),
            transaction_id: transaction_id.ok_or_else(|| DbError::missing("a transaction"))?,
            looked_at: looked.began,
        })
    }

    /// Ends attempts that were reserved and will not be sent.
    async fn give_all_up(&self, rest: &[(&ItemWanted, &String)], why: &str) -> Result<(), DbError> {
        for (item, id) in rest {
            self.give_up(&item.key, id, why).await?;
        }
        Ok(())
    }

    async fn ids_refused(&self, wanted: &RefundWanted, ids: &[String]) -> Result<bool, DbError> {
        let attempts = self.attempts_of(wanted).await?;
        let mut of_run = attempts
            .iter()
            .filter(|(_, attempt)| ids.contains(&attempt.id));
        Ok(of_run.all(|(_, attempt)| {
            attempt.state == AttemptState::Refused && attempt.messages.is_empty()
        }))
    }
}
