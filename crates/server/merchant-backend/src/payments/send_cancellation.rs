//! The request to cancel an operation. It gives the payment back if there is one by then, so the whole
//! amount is reserved in the ledger before the request leaves.

use super::Payments;
use super::keys::HeldClaim;
use crate::clock::{now, reading};
use crate::db::DbError;
use crate::payment_service::{ServiceError, note_failure};
use crate::random::token;
use crate::send_window::SendWindow;
use crate::wakeups::Topic;
use payment_model::Timestamp;
use payment_rules::ledger::{
    Balance, EndCause, Ledger, Limits, NewReversal, Purpose, ReserveReversalOutcome, ReversalRecord,
};
use payment_rules::operation::{OperationKey, OperationRecord, QuestionContext};
use payment_rules::outgoing::{Failed, SendFailure};
use payment_rules::payment::{OperationAnswer, Order};
use staff_model::ReversalState;
use tokio::time::Instant;

/// The cancellation that a caller asks for.
pub(super) struct Cancellation {
    pub(super) purpose: Purpose,
    /// The account of staff that asks for it, if one does.
    pub(super) staff: Option<String>,
    /// The claim of the request's idempotency key, if a program of the shop sent it.
    pub(super) claim: Option<HeldClaim>,
    /// Why, if no member of staff asks for it.
    pub(super) cause: Option<EndCause>,
    /// What that account may give back.
    pub(super) limits: Limits,
    /// A request that left since then is shared instead of sent again.
    pub(super) asked_at: Timestamp,
    /// The send window, from the answer on which the request rests.
    pub(super) window: SendWindow,
}

impl Cancellation {
    /// A cancellation by the server or a payer.
    pub(super) fn new(purpose: Purpose, asked_at: Timestamp) -> Self {
        Self {
            purpose,
            staff: None,
            claim: None,
            cause: None,
            limits: Limits::default(),
            asked_at,
            window: SendWindow::open(),
        }
    }
}

/// The result of a cancellation.
pub(super) enum CancellationOutcome {
    /// The operation as it is known now, by an answer or because nothing had to be sent.
    Known(Box<OperationRecord>),
    /// The service gave no usable answer, or refused.
    Failed(ServiceError),
    /// Nothing was sent, because money was given back or may be.
    MoneyPending(Balance),
    /// Nothing was sent, because the limit of the account leaves less than the amount: these cents.
    OverLimit(u64),
    /// Nothing was sent, because the operation may have been paid or given back since the backup
    /// from which the database was restored.
    Fenced,
}

/// A reserved request, which may leave within the window.
struct Reserved {
    id: String,
    begun_at: Timestamp,
    window: SendWindow,
}

impl Payments {
    /// Cancels an operation at the service, once for all callers at the same time: the others wait
    /// for the running request and share its result.
    pub(super) async fn send_cancellation(
        &self,
        key: &OperationKey,
        cancellation: Cancellation,
    ) -> Result<CancellationOutcome, DbError> {
        let rests_on = cancellation.window;
        let (outcome, begun_at, window) = self.reserve_cancellation(key, cancellation).await?;
        Ok(match outcome {
            ReserveReversalOutcome::Created(id) => {
                let window = window.and(rests_on);
                let reserved = Reserved {
                    id,
                    begun_at,
                    window,
                };
                self.send_reserved(key, &reserved).await?
            }
            ReserveReversalOutcome::Running(id) => self.share_cancellation(key, &id).await?,
            ReserveReversalOutcome::NotNeeded => {
                CancellationOutcome::Known(Box::new(self.operation(key).await?))
            }
            ReserveReversalOutcome::MoneyPending(balance) => {
                CancellationOutcome::MoneyPending(balance)
            }
            ReserveReversalOutcome::OverLimit(left) => CancellationOutcome::OverLimit(left),
            ReserveReversalOutcome::Fenced => CancellationOutcome::Fenced,
        })
    }

    /// Reserves the whole amount, for staff within the limits of the account.
    async fn reserve_cancellation(
        &self,
        key: &OperationKey,
        cancellation: Cancellation,
    ) -> Result<(ReserveReversalOutcome, Timestamp, SendWindow), DbError> {
        let settings = &self.settings;
        let mut new = NewReversal {
            id: token()?,
            purpose: cancellation.purpose,
            staff: cancellation.staff.clone(),
            key: cancellation.claim.as_ref().map(HeldClaim::key),
            cause: cancellation.cause,
            allowed: u64::MAX,
            asked_at: cancellation.asked_at,
            // A token that was renewed in between repeats the request once.
            may_run_for: settings.payment_timeout * 2 + settings.release_after,
        };
        let reserve = |ledger: &mut Ledger, new: NewReversal| {
            let (begun, window) = (reading(), SendWindow::open());
            let outcome = ledger.reserve_reversal(new, begun);
            ledger.plan(begun.now);
            (outcome, begun.now, window)
        };
        let reserved = match cancellation.staff {
            None => {
                let reserve = |order: &mut Order| {
                    let payment = order.payment_mut(key)?;
                    Some(reserve(&mut payment.ledger, new.clone()))
                };
                self.db.update_order(key, reserve).await?.1
            }
            Some(staff) => {
                let limits = cancellation.limits;
                let reserve = |order: &mut Order, given_back| {
                    new.allowed = limits.left(given_back, 0);
                    let payment = order.payment_mut(key)?;
                    Some(reserve(&mut payment.ledger, new))
                };
                let claim = match &cancellation.claim {
                    Some(claim) => Some(claim.lock().await),
                    None => None,
                };
                let claim = claim.as_deref();
                let reserved = self.db.update_order_for(&staff, claim, key, reserve);
                reserved.await?.1
            }
        };
        reserved.ok_or_else(|| DbError::missing("an operation"))
    }

    async fn send_reserved(
        &self,
        key: &OperationKey,
        reserved: &Reserved,
    ) -> Result<CancellationOutcome, DbError> {
        let record = self.operation(key).await?;
        let asked = QuestionContext::cancellation(&record, reading());
        let error = match self.service.cancel(key, reserved.window).await {
            Ok(response) => {
                let answer = OperationAnswer {
                    merchant_code: &response.merchant_code,
                    operation: &response.operation,
                    units: self.settings.amount_units,
                };
                // An end of the operation ends the reservation in the same transaction.
                let (_, record) = self.store_answer(key, answer, &asked, None).await?;
                let silent = "the payment service's answer ended nothing";
                let failed = SendFailure::NoAnswer.because(silent);
                self.end_reversal(key, reserved, failed).await?;
                return Ok(CancellationOutcome::Known(Box::new(record)));
            }
            Err(error) => error,
        };
        note_failure(key, &error);
        let detail = match error.leaves_doubt() {
            true => format!("the payment service may carry it out: {error}"),
            false => error.to_string(),
        };
        let failed = error.send_failure().because(detail);
        self.end_reversal(key, reserved, failed).await?;
        Ok(CancellationOutcome::Failed(error))
    }

    /// Ends the reservation, unless a later request has taken it over.
    async fn end_reversal(
        &self,
        key: &OperationKey,
        reserved: &Reserved,
        failed: Failed,
    ) -> Result<(), DbError> {
        self.update_payment(key, |payment| {
            let ledger = &mut payment.ledger;
            if ledger.left_last(&reserved.id, reserved.begun_at) {
                ledger.end_reversal(&reserved.id, failed.clone(), reading());
            }
            ledger.plan(now());
        })
        .await?;
        Ok(())
    }

    /// Waits for the running request of another caller.
    async fn share_cancellation(
        &self,
        key: &OperationKey,
        id: &str,
    ) -> Result<CancellationOutcome, DbError> {
        let deadline = Instant::now() + self.settings.payment_timeout * 2;
        let mut wakeup = self.wakeups.subscribe(Topic::Operation(key.clone()));
        loop {
            let ledger = self.db.ledger(key).await?;
            let running = ledger.as_ref().and_then(|ledger| ledger.reversal(id));
            let running = running.ok_or_else(|| DbError::missing("a reversal"))?;
            if running.state == ReversalState::Done {
                let record = self.operation(key).await?;
                return Ok(CancellationOutcome::Known(Box::new(record)));
            }
            if running.state != ReversalState::Sending || Instant::now() >= deadline {
                return Ok(CancellationOutcome::Failed(failure(running)));
            }
            wakeup.wait_towards(deadline).await;
        }
    }
}

/// The failure that the sender of the shared request got.
fn failure(reversal: &ReversalRecord) -> ServiceError {
    match (reversal.state, reversal.service_status) {
        (_, Some(401)) => ServiceError::Unauthorized,
        (_, Some(status)) => ServiceError::Refused {
            status,
            messages: Vec::new(),
        },
        (ReversalState::NotDone, None) => ServiceError::NotSent("it was not sent"),
        _ => ServiceError::Timeout,
    }
}
