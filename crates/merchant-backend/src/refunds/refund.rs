//! A request of staff to refund: every rule first, then every reservation, then one request to
//! the service after the other.

use super::Refunds;
use super::check::refused;
use super::look_up_answer::locked;
use super::reserve::Reserved;
use super::send_refund::Sent;
use super::staff_key::Kept;
use crate::charges::Freshness;
use crate::clock::Millis;
use crate::db::DbError;
use crate::domain::ledger::{Asker, AttemptRecord};
use crate::domain::operation::{OperationKey, OperationRecord};
use crate::http::problem::{Problem, ProblemKind};
use payment_model::{Fields, MerchantCode, Meta, RefundType, TransactionId, TransactionState};
use staff_model::AttemptState;

/// What a member of staff asks for, read from the body.
pub(crate) struct RefundWanted {
    pub(crate) asker: Asker,
    pub(crate) fingerprint: String,
    pub(crate) merchant_code: MerchantCode,
    pub(crate) items: Vec<ItemWanted>,
    /// The most that the account may give back at once, in cents.
    pub(crate) limit: Option<u64>,
}

/// One refund of it.
pub(crate) struct ItemWanted {
    pub(crate) key: OperationKey,
    pub(crate) transaction_id: Option<TransactionId>,
    pub(crate) kind: RefundType,
    /// `None` when it is no whole number of cents.
    pub(crate) amount: Option<u64>,
    pub(crate) fields: Fields,
}

/// An item with its operation, which exists.
pub(super) struct Checked<'a> {
    pub(super) item: &'a ItemWanted,
    pub(super) amount: u64,
    pub(super) transaction_id: TransactionId,
    /// When the look began that proves what it is checked against.
    pub(super) looked_at: Millis,
}

/// Why a request ends before anything was sent.
pub(super) enum Stop {
    Problem(Problem),
    Store(DbError),
}

impl From<Problem> for Stop {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl From<DbError> for Stop {
    fn from(error: DbError) -> Self {
        Self::Store(error)
    }
}

impl Refunds {
    /// Refunds, or answers with what the key was answered before.
    pub(crate) async fn refund(&self, wanted: &RefundWanted) -> Result<Kept, DbError> {
        let work = async {
            match self.run_refund(wanted).await {
                Ok(kept) => Ok(kept),
                Err(Stop::Problem(problem)) => Ok(Kept::Problem(problem)),
                Err(Stop::Store(error)) => Err(error),
            }
        };
        self.with_key(&wanted.asker, &wanted.fingerprint, work)
            .await
    }

    async fn run_refund(&self, wanted: &RefundWanted) -> Result<Kept, Stop> {
        // A server that stopped in the middle may have sent some of it.
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
            // Of what turned out never to have been let in, nothing was done.
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
                // Whatever keeps this one from being sent keeps the rest from it as well.
                Sent::Locked => {
                    let rest: Vec<_> = items.collect();
                    self.give_all_up(
                        &rest,
                        "the payment service does not accept the access token",
                    )
                    .await?;
                    if self.ids_refused(wanted, &ids).await? {
                        return Err(locked().into());
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

    /// Checks every rule until all items are reserved or one breaks a rule; answers with the ids
    /// of the attempts.
    async fn allowed(&self, wanted: &RefundWanted) -> Result<Vec<String>, Stop> {
        let records = self.plain_rules(wanted).await?;
        // A doubt that came up in between must have been looked up too.
        for _ in 0..5 {
            let mut checked = Vec::with_capacity(records.len());
            for (item, record) in wanted.items.iter().zip(&records) {
                checked.push(self.look(item, record).await?);
            }
            match self.reserve(&wanted.asker, &checked).await? {
                Reserved::All(ids) => return Ok(ids),
                Reserved::None(refusals) => return Err(refused(&refusals).into()),
                Reserved::LookAgain => {}
            }
        }
        let detail =
            "Other refunds of the same operations are under way, so nothing was sent; try again.";
        Err(Problem::new(ProblemKind::RefundsUnknown, detail)
            .retry_after(2)
            .into())
    }

    /// Brings an item's operation and its refunds up to date.
    async fn look<'a>(
        &self,
        item: &'a ItemWanted,
        record: &OperationRecord,
    ) -> Result<Checked<'a>, Stop> {
        let stored = record.clone();
        let record = if stored.state() == Some(&TransactionState::Settled) {
            stored
        } else {
            let queried = self.charges.query(stored, Freshness::New).await;
            match queried {
                Ok(queried) => queried.record,
                Err(error) => {
                    let _ = error.into_problem()?;
                    let detail = "The payment service did not say whether the operation is settled, so nothing was sent; try again.";
                    return Err(Problem::new(ProblemKind::RefundsUnknown, detail)
                        .retry_after(2)
                        .into());
                }
            }
        };
        let looked = match self.look_up(&item.key, Freshness::New).await {
            Ok(looked) => looked.proves()?,
            Err(error) => return Err(error.into_problem(&item.key)?.into()),
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
