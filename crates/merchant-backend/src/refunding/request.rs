//! A request of staff to refund: every rule first, then every reservation, then one request to
//! the service after the other.

use super::look_up::{locked, look_up};
use super::reserve::{Reserved, reserve};
use super::send::{Sent, send, settle};
use super::staff_key::{Kept, with_key};
use crate::backend::Backend;
use crate::clock::Millis;
use crate::operation::{OperationKey, OperationRecord};
use crate::payment::{Freshness, query};
use crate::problem::{Problem, ProblemKind};
use crate::refund::{Asker, AttemptRecord, Ledger};
use crate::store::StoreError;
use payment_model::{
    Fields, MerchantCode, Meta, Refund, RefundType, TransactionId, TransactionState,
};
use serde_json::json;
use staff_model::{
    AttemptState, RefundRefusalItem, RefundRefusalReason, RefundResult, StaffRefundResponse,
};

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
    Store(StoreError),
}

impl From<Problem> for Stop {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// Refunds, or answers with what the key was answered before.
pub(crate) async fn refund(backend: &Backend, wanted: &RefundWanted) -> Result<Kept, StoreError> {
    let work = async {
        match run(backend, wanted).await {
            Ok(kept) => Ok(kept),
            Err(Stop::Problem(problem)) => Ok(Kept::Problem(problem)),
            Err(Stop::Store(error)) => Err(error),
        }
    };
    with_key(backend, &wanted.asker, &wanted.fingerprint, work).await
}

async fn run(backend: &Backend, wanted: &RefundWanted) -> Result<Kept, Stop> {
    // A server that stopped in the middle may have sent some of it.
    let earlier = attempts_of(backend, wanted).await?;
    if earlier
        .iter()
        .any(|(_, attempt)| attempt.state != AttemptState::Refused)
    {
        for (key, attempt) in &earlier {
            if attempt.state == AttemptState::InDoubt {
                settle(backend, key, &attempt.id).await?;
            }
        }
        return conclude(backend, wanted, Meta::default()).await;
    }
    let ids = allowed(backend, wanted).await?;
    let mut meta = Meta::default();
    let mut items = wanted.items.iter().zip(&ids);
    while let Some((item, id)) = items.next() {
        match send(backend, item, id).await? {
            Sent::Answered(told) => meta = told,
            Sent::Refused => {}
            // Whatever keeps this one from being sent keeps the rest from it as well.
            Sent::Locked => {
                let rest: Vec<_> = items.collect();
                give_up(
                    backend,
                    &rest,
                    "the payment service does not accept the access token",
                )
                .await?;
                if ids_refused(backend, wanted, &ids).await? {
                    return Err(locked().into());
                }
                break;
            }
            Sent::Silent => {
                let rest: Vec<_> = items.collect();
                give_up(backend, &rest, "the payment service stopped answering").await?;
                break;
            }
        }
    }
    conclude(backend, wanted, meta).await
}

/// Checks every rule until all items are reserved or one breaks a rule; answers with the ids
/// of the attempts.
async fn allowed(backend: &Backend, wanted: &RefundWanted) -> Result<Vec<String>, Stop> {
    let records = plain_rules(backend, wanted).await?;
    // A doubt that came up in between must have been looked up too.
    for _ in 0..5 {
        let mut checked = Vec::with_capacity(records.len());
        for (item, record) in wanted.items.iter().zip(&records) {
            checked.push(look(backend, item, record).await?);
        }
        match reserve(backend, &wanted.asker, &checked).await? {
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

/// The rules that need nothing of the service's; answers with the operations.
async fn plain_rules(
    backend: &Backend,
    wanted: &RefundWanted,
) -> Result<Vec<OperationRecord>, Stop> {
    let mut refusals = Vec::new();
    let mut records = Vec::with_capacity(wanted.items.len());
    for (index, item) in wanted.items.iter().enumerate() {
        let record = backend.store.operation(&item.key).await?;
        let earlier = wanted.items.iter().take(index);
        let twice = earlier.clone().any(|other| other.key == item.key);
        let reason = plain_reason(item, record.as_ref(), twice, wanted.limit);
        match (reason, record) {
            (None, Some(record)) => records.push(record),
            (reason, _) => refusals.push(RefundRefusalItem {
                index: u32::try_from(index).unwrap_or(u32::MAX),
                merchant_operation_number: item.key.number.as_str().to_owned(),
                reason: reason.unwrap_or(RefundRefusalReason::NotFound),
                left: None,
            }),
        }
    }
    if refusals.is_empty() {
        Ok(records)
    } else {
        Err(refused(&refusals).into())
    }
}

fn plain_reason(
    item: &ItemWanted,
    record: Option<&OperationRecord>,
    twice: bool,
    limit: Option<u64>,
) -> Option<RefundRefusalReason> {
    use RefundRefusalReason as Reason;
    let Some(record) = record else {
        return Some(Reason::NotFound);
    };
    let named = item.transaction_id.as_ref();
    if named.is_some_and(|id| record.transaction_id() != Some(id)) {
        return Some(Reason::NotFound);
    }
    match item.amount {
        _ if twice => Some(Reason::Twice),
        None | Some(0) => Some(Reason::Amount),
        Some(amount) if limit.is_some_and(|limit| amount > limit) => Some(Reason::OverLimit),
        Some(_) if matches!(item.kind, RefundType::Unknown(_)) => Some(Reason::Type),
        Some(_) if !record.method.is_refundable() => Some(Reason::MethodNotRefundable),
        Some(_) if record.transaction().is_none() => Some(Reason::NotSettled),
        Some(_) => None,
    }
}

/// Brings an item's operation and its refunds up to date.
async fn look<'a>(
    backend: &Backend,
    item: &'a ItemWanted,
    record: &OperationRecord,
) -> Result<Checked<'a>, Stop> {
    let stored = record.clone();
    let record = if stored.state() == Some(&TransactionState::Settled) {
        stored
    } else {
        let queried = query(backend, stored, Freshness::New).await;
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
    let looked = match look_up(backend, &item.key, Freshness::New).await {
        Ok(looked) => looked.proves()?,
        Err(error) => return Err(error.into_problem(&item.key)?.into()),
    };
    let transaction_id = record.transaction_id().cloned();
    Ok(Checked {
        item,
        amount: item.amount.unwrap_or_default(),
        transaction_id: transaction_id.ok_or_else(|| StoreError::missing("a transaction"))?,
        looked_at: looked.began,
    })
}

fn refused(refusals: &[RefundRefusalItem]) -> Problem {
    let detail = "No refund was sent, because at least one of them breaks a rule; `errors` has each with its reason.";
    Problem::new(ProblemKind::RefundRefused, detail).with("errors", json!(refusals))
}

/// Ends attempts that were reserved and will not be sent.
async fn give_up(
    backend: &Backend,
    rest: &[(&ItemWanted, &String)],
    why: &str,
) -> Result<(), StoreError> {
    for (item, id) in rest {
        super::send::give_up(backend, &item.key, id, why).await?;
    }
    Ok(())
}

async fn ids_refused(
    backend: &Backend,
    wanted: &RefundWanted,
    ids: &[String],
) -> Result<bool, StoreError> {
    let attempts = attempts_of(backend, wanted).await?;
    let mut of_run = attempts
        .iter()
        .filter(|(_, attempt)| ids.contains(&attempt.id));
    Ok(of_run
        .all(|(_, attempt)| attempt.state == AttemptState::Refused && attempt.messages.is_empty()))
}

/// The attempts under the key, the last one of each item, in the order of the items.
async fn attempts_of(
    backend: &Backend,
    wanted: &RefundWanted,
) -> Result<Vec<(OperationKey, AttemptRecord)>, StoreError> {
    let ledgers = ledgers_of(backend, wanted).await?;
    let attempts = wanted.items.iter().zip(0..).filter_map(|(item, index)| {
        let ledger = ledgers.iter().find(|ledger| ledger.key == item.key)?;
        let mut own = ledger.attempts.iter().rev();
        let own = own.find(|attempt| attempt.asker == wanted.asker && attempt.item == index)?;
        Some((item.key.clone(), own.clone()))
    });
    Ok(attempts.collect())
}

async fn ledgers_of(backend: &Backend, wanted: &RefundWanted) -> Result<Vec<Ledger>, StoreError> {
    let mut ledgers = Vec::new();
    for key in backend.store.attempted_by(&wanted.asker).await? {
        ledgers.extend(backend.store.ledger(&key).await?);
    }
    Ok(ledgers)
}

/// The answer, as everything stands now.
async fn conclude(backend: &Backend, wanted: &RefundWanted, meta: Meta) -> Result<Kept, Stop> {
    let attempts = attempts_of(backend, wanted).await?;
    if attempts.len() != wanted.items.len() {
        return Err(StoreError::missing("an attempt to refund").into());
    }
    let ledgers = ledgers_of(backend, wanted).await?;
    let refund_of = |key: &OperationKey, attempt: &AttemptRecord| -> Option<Refund> {
        let ledger = ledgers.iter().find(|ledger| ledger.key == *key)?;
        ledger
            .refund_of(attempt)
            .map(|record| record.refund.clone())
    };
    let all = attempts
        .iter()
        .all(|(_, attempt)| attempt.state == AttemptState::Registered);
    let response = StaffRefundResponse {
        success: if all { "true" } else { "false" }.to_owned(),
        action: "refund".to_owned(),
        merchant_code: wanted.merchant_code.clone(),
        operations: attempts
            .iter()
            .filter_map(|(key, attempt)| refund_of(key, attempt))
            .collect(),
        meta,
        results: attempts
            .iter()
            .map(|(key, attempt)| RefundResult {
                merchant_operation_number: key.number.as_str().to_owned(),
                attempt: attempt.shown(),
            })
            .collect(),
    };
    Ok(Kept::Answer(200, json!(response)))
}
