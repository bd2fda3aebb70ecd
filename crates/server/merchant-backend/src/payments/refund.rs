//! Staff refund settled payments: every rule first, then every reservation, then one request to the
//! service after the other.
//!
//! An item's amount is reserved in its ledger, within the limits of the account, before its request
//! leaves, in one transaction for all items of the request: all are reserved or none. The reservation
//! ends when the service refuses the refund, when the request is known never to have left or never to
//! have been processed, or when another member of staff releases a doubt. A refund that the service has
//! registered replaces its reservation.

use super::Payments;
use super::errors::{RefundError, RefundsUnknownError};
use super::keys::HeldClaim;
use super::query::QueryError;
use super::send_refund::RefundSendOutcome;
use crate::clock::now;
use crate::db::DbError;
use crate::payment_service::ServiceError;
use crate::random::token;
use crate::send_window::SendWindow;
use crate::single_flight::Freshness;
use payment_model::{Cents, Fields, MerchantCode, Meta, RefundType, TransactionId};
use payment_rules::idempotency::IdempotentRequest;
use payment_rules::ledger::{
    AttemptRecord, GivenBack, Ledger, Limits, NewAttempt, NewRefund, Requester,
    ReserveRefundsOutcome,
};
use payment_rules::operation::{OperationKey, OperationRecord};
use payment_rules::payment::{Orders, RequestKind};
use staff_model::{
    AttemptState, RefundRefusalItem, RefundRefusalReason, RefundResult, StaffRefundResponse,
};

/// How often a request is checked anew because a doubt came up after the service's list was read.
const MAX_RESERVATION_ATTEMPTS: usize = 5;

/// A request of staff, read from the body.
pub(crate) struct RefundCommand {
    pub(crate) requester: Requester,
    pub(crate) fingerprint: String,
    pub(crate) merchant_code: MerchantCode,
    pub(crate) items: Vec<RefundItemCommand>,
    pub(crate) limits: Limits,
}

/// One item of the request.
pub(crate) struct RefundItemCommand {
    pub(crate) key: OperationKey,
    pub(crate) transaction_id: Option<TransactionId>,
    pub(crate) kind: RefundType,
    /// `None` when it is not a whole number of cents.
    pub(crate) amount: Option<u64>,
    pub(crate) fields: Fields,
}

impl Payments {
    /// Refunds, or returns the earlier answer of the key. Run this as a task of its own: it must not end
    /// with the request that began it.
    pub(crate) async fn refund(
        &self,
        command: &RefundCommand,
    ) -> Result<StaffRefundResponse, RefundError> {
        let request = IdempotentRequest::of_staff(&command.requester, &command.fingerprint);
        let run = async |claim: HeldClaim| self.run_refund(command, &claim).await;
        self.run_once(&request, run).await
    }

    /// Refunds under a key that the caller has claimed.
    pub(super) async fn run_refund(
        &self,
        command: &RefundCommand,
        claim: &HeldClaim,
    ) -> Result<StaffRefundResponse, RefundError> {
        if let Some(response) = self.resume(command).await? {
            return Ok(response);
        }
        let (refunds, mut window) = self.reserve(command, claim).await?;
        let mut meta = Meta::default();
        let mut items = command.items.iter().zip(&refunds);
        while let Some((item, refund)) = items.next() {
            // The only refund of a request was begun with its reservation.
            let window = match window.take() {
                Some(window) => Some(window),
                None => self.begin_refund(&item.key, &refund.attempt.id).await?,
            };
            let sent = match window {
                Some(window) => self.send_refund(refund, &item.fields, window).await?,
                None => RefundSendOutcome::Refused,
            };
            let why = match sent {
                RefundSendOutcome::Answered(answered) => {
                    meta = answered;
                    continue;
                }
                RefundSendOutcome::Refused => continue,
                RefundSendOutcome::TokenRejected => {
                    "the payment service does not accept the access token"
                }
                RefundSendOutcome::NoAnswer => "the payment service stopped answering",
            };
            // What stopped this refund would stop the rest as well.
            for (item, refund) in items {
                let id = &refund.attempt.id;
                self.give_attempt_up(&item.key, id, why).await?;
            }
            if matches!(sent, RefundSendOutcome::TokenRejected)
                && self.are_all_unprocessed(command, &refunds).await?
            {
                return Err(RefundsUnknownError::TokenRejected.into());
            }
            break;
        }
        Ok(self.response(command, meta).await?)
    }

    /// The answer to a request that an earlier run of this key has sent in part, since its server
    /// stopped in the middle. `None` if nothing of it was processed.
    async fn resume(
        &self,
        command: &RefundCommand,
    ) -> Result<Option<StaffRefundResponse>, RefundError> {
        let ledgers = self.ledgers_of(command).await?;
        let earlier = attempts_in(&ledgers, command);
        let is_refused = |attempt: &AttemptRecord| attempt.state == AttemptState::Refused;
        let was_refused = earlier.iter().all(|(_, attempt)| is_refused(attempt));
        if was_refused {
            return Ok(None);
        }
        for (key, attempt) in &earlier {
            if attempt.state == AttemptState::InDoubt {
                self.settle_attempt(key, &attempt.id).await?;
            }
        }
        let ledgers = self.ledgers_of(command).await?;
        let settled = attempts_in(&ledgers, command);
        // A refund that never got access did nothing.
        if settled.iter().all(|(_, attempt)| is_refused(attempt)) {
            return Ok(None);
        }
        // The earlier run could not store how its request ended, or goes on without its claim. What is on its
        // way has no end that the key could keep as its answer.
        let is_sending = |attempt: &AttemptRecord| attempt.state == AttemptState::Sending;
        if settled.iter().any(|(_, attempt)| is_sending(attempt)) {
            return Err(RefundError::Running);
        }
        Ok(Some(response_of(command, &ledgers, Meta::default())?))
    }

    /// Checks every rule, and reserves all items or none; begins the only one of a request, which may leave within the
    /// window. Several take too long to store for a window that opens before.
    async fn reserve(
        &self,
        command: &RefundCommand,
        claim: &HeldClaim,
    ) -> Result<(Vec<NewRefund>, Option<SendWindow>), RefundError> {
        let records = self.check_stored(command).await?;
        let keys: Vec<_> = command.items.iter().map(|item| item.key.clone()).collect();
        for _ in 0..MAX_RESERVATION_ATTEMPTS {
            let mut refunds = Vec::with_capacity(records.len());
            for ((item, record), index) in command.items.iter().zip(&records).zip(0..) {
                refunds.push(self.check_at_service(command, item, record, index).await?);
            }
            let reserve = |orders: &mut Orders, given_back: &[GivenBack]| {
                let window = SendWindow::open();
                let limits = command.limits;
                let reserved = orders.reserve_refunds(&refunds, limits, given_back, now());
                (reserved, window)
            };
            let staff = &command.requester.staff;
            let claim = claim.lock().await;
            let reserved = self.db.update_orders_for(staff, &claim, &keys, reserve);
            let (outcome, window) = match reserved.await {
                Ok(reserved) => reserved,
                Err(error) => {
                    if error != DbError::ClaimLost {
                        self.void_begun(refunds);
                    }
                    return Err(error.into());
                }
            };
            match outcome {
                ReserveRefundsOutcome::Reserved => {
                    let window = (refunds.len() == 1).then_some(window);
                    return Ok((refunds, window));
                }
                ReserveRefundsOutcome::Refused(refusals) => {
                    return Err(RefundError::Rules(refusals));
                }
                // The answer is that of the other run; a repetition of the request finds it.
                ReserveRefundsOutcome::ReservedByOtherRun => return Err(RefundError::Running),
                // A doubt that came up in between needs another read of the list.
                ReserveRefundsOutcome::ListIsStale => {}
            }
        }
        Err(RefundsUnknownError::UnderWay.into())
    }

    /// Ends the refund that a reservation began whose commit reported an error. It may be stored all the same, and it is
    /// never sent.
    fn void_begun(&self, refunds: Vec<NewRefund>) {
        let Ok([NewRefund { key, attempt, .. }]) = <[NewRefund; 1]>::try_from(refunds) else {
            return;
        };
        self.repeat_while_away(move |payments| {
            let (key, id) = (key.clone(), attempt.id.clone());
            let why = "the database did not say whether it was stored";
            async move { payments.give_attempt_up(&key, &id, why).await }
        });
    }

    /// Checks what needs only stored data; returns the operations. Concurrent refunds are checked again under
    /// the lock, with the reservation.
    async fn check_stored(
        &self,
        command: &RefundCommand,
    ) -> Result<Vec<OperationRecord>, RefundError> {
        let mut refusals = Vec::new();
        let mut already_requested: u64 = 0;
        let mut records = Vec::with_capacity(command.items.len());
        for (index, item) in command.items.iter().enumerate() {
            let record = self.db.operation(&item.key).await?;
            let mut earlier = command.items.iter().take(index);
            let twice = earlier.any(|other| other.key == item.key);
            let left = command.limits.left(GivenBack::default(), already_requested);
            already_requested = already_requested.saturating_add(item.amount.unwrap_or_default());
            let reason = stored_reason(item, record.as_ref(), twice, left);
            match (reason, record) {
                (None, Some(record)) => records.push(record),
                (reason, _) => refusals.push(RefundRefusalItem {
                    index: u32::try_from(index).unwrap_or(u32::MAX),
                    merchant_operation_number: item.key.number.as_str().to_owned(),
                    reason: reason.unwrap_or(RefundRefusalReason::NotFound),
                    left: (reason == Some(RefundRefusalReason::OverLimit))
                        .then(|| Cents::new(left)),
                }),
            }
        }
        if refusals.is_empty() {
            Ok(records)
        } else {
            Err(RefundError::Rules(refusals))
        }
    }

    /// Brings an item's operation and its refunds up to date: a settled payment may have been given
    /// back since.
    async fn check_at_service(
        &self,
        command: &RefundCommand,
        item: &RefundItemCommand,
        record: &OperationRecord,
        index: u32,
    ) -> Result<NewRefund, RefundError> {
        let record = match self.query(record.clone(), Freshness::New).await {
            Ok(queried) if queried.is_confirmed() => queried.record,
            Err(QueryError::Service(ServiceError::Unauthorized)) => {
                return Err(RefundsUnknownError::TokenRejected.into());
            }
            Err(QueryError::Database(error)) => return Err(error.into()),
            Ok(_) | Err(_) => return Err(RefundsUnknownError::SettlementUnknown.into()),
        };
        let list = self.complete_refunds::<RefundError>(&item.key).await?;
        let transaction_id = record.transaction_id().cloned();
        Ok(NewRefund {
            key: item.key.clone(),
            attempt: NewAttempt {
                id: token().map_err(DbError::from)?,
                kind: item.kind.clone(),
                amount: item.amount.unwrap_or_default(),
                requester: command.requester.clone(),
                item: index,
            },
            transaction_id: transaction_id.ok_or_else(|| DbError::missing("a transaction"))?,
            list_began_at: list.began,
        })
    }

    async fn are_all_unprocessed(
        &self,
        command: &RefundCommand,
        refunds: &[NewRefund],
    ) -> Result<bool, DbError> {
        let ledgers = self.ledgers_of(command).await?;
        let attempts = attempts_in(&ledgers, command);
        let is_of_run = |id: &str| refunds.iter().any(|refund| refund.attempt.id == id);
        let mut of_run = attempts
            .iter()
            .filter(|(_, attempt)| is_of_run(&attempt.id));
        Ok(of_run.all(|(_, attempt)| {
            attempt.state == AttemptState::Refused && attempt.messages.is_empty()
        }))
    }

    async fn ledgers_of(&self, command: &RefundCommand) -> Result<Vec<Ledger>, DbError> {
        let mut ledgers = Vec::new();
        for key in self
            .db
            .operations_of_key(RequestKind::Refund, &command.requester)
            .await?
        {
            ledgers.extend(self.db.ledger(&key).await?);
        }
        Ok(ledgers)
    }

    /// The answer, from the present state of the attempts.
    async fn response(
        &self,
        command: &RefundCommand,
        meta: Meta,
    ) -> Result<StaffRefundResponse, DbError> {
        response_of(command, &self.ledgers_of(command).await?, meta)
    }
}

fn stored_reason(
    item: &RefundItemCommand,
    record: Option<&OperationRecord>,
    twice: bool,
    left: u64,
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
        Some(_) if matches!(item.kind, RefundType::Unknown(_)) => Some(Reason::Type),
        Some(_) if !record.method.is_refundable() => Some(Reason::MethodNotRefundable),
        Some(_) if record.transaction().is_none() => Some(Reason::NotSettled),
        Some(amount) if amount > left => Some(Reason::OverLimit),
        Some(_) => None,
    }
}

/// The attempts under the key, the last one of each item, in the order of the items.
fn attempts_in<'a>(
    ledgers: &'a [Ledger],
    command: &'a RefundCommand,
) -> Vec<(&'a OperationKey, &'a AttemptRecord)> {
    let attempts = command.items.iter().zip(0..).filter_map(|(item, index)| {
        let ledger = ledgers.iter().find(|ledger| ledger.key == item.key)?;
        let mut own = ledger.attempts.iter().rev();
        let own =
            own.find(|attempt| attempt.requester == command.requester && attempt.item == index)?;
        Some((&item.key, own))
    });
    attempts.collect()
}

fn response_of(
    command: &RefundCommand,
    ledgers: &[Ledger],
    meta: Meta,
) -> Result<StaffRefundResponse, DbError> {
    let attempts = attempts_in(ledgers, command);
    if attempts.len() != command.items.len() {
        return Err(DbError::missing("an attempt to refund"));
    }
    let mut refunds = Vec::with_capacity(attempts.len());
    for (key, attempt) in &attempts {
        let ledger = ledgers.iter().find(|ledger| ledger.key == **key);
        let refund = ledger.and_then(|ledger| ledger.refund_of(attempt));
        refunds.extend(refund.map(|record| record.refund.clone()));
    }
    let is_registered = |attempt: &AttemptRecord| attempt.state == AttemptState::Registered;
    let all = attempts.iter().all(|(_, attempt)| is_registered(attempt));
    let result = |(key, attempt): &(&OperationKey, &AttemptRecord)| RefundResult {
        merchant_operation_number: key.number.as_str().to_owned(),
        attempt: attempt.shown(),
    };
    Ok(StaffRefundResponse {
        success: if all { "true" } else { "false" }.to_owned(),
        action: "refund".to_owned(),
        merchant_code: command.merchant_code.clone(),
        operations: refunds,
        meta,
        results: attempts.iter().map(result).collect(),
    })
}
