//! The only code that sends a cancellation to the service. A cancellation gives the payment back if
//! there is one by then, so the whole amount is reserved in the ledger before it leaves.

use super::Charges;
use crate::clock::{now, reading};
use crate::db::{DbError, Notes};
use crate::payment_service::{ServiceError, note_failure};
use crate::random::token;
use crate::send_window::SendWindow;
use crate::wakeups::Topic;
use payment_model::Timestamp;
use payment_rules::ledger::{
    Balance, EndCause, GivenBack, Ledger, Limits, NewReversal, Purpose, ReserveReversalOutcome,
    ReversalEnd, ReversalRecord,
};
use payment_rules::operation::{Asked, OperationKey, OperationRecord};
use staff_model::ReversalState;
use tokio::time::Instant;

/// The purpose of a cancellation, with who wants it and since when.
pub(super) struct Wanted {
    pub(super) purpose: Purpose,
    /// The member of staff who asks for it, if one does.
    pub(super) staff: Option<String>,
    /// Why, if no member of staff asks for it.
    pub(super) cause: Option<EndCause>,
    /// What that account may give back.
    pub(super) limits: Limits,
    pub(super) asked_at: Timestamp,
    /// The time for the request, from the answer on which it rests.
    pub(super) window: SendWindow,
}

/// A request that may leave.
struct Reservation {
    id: String,
    begun_at: Timestamp,
    window: SendWindow,
}

/// The result of a cancellation.
pub(super) enum CancellationResult {
    /// The operation as it is known now, by an answer or because nothing had to be sent.
    Known(Box<OperationRecord>),
    /// The service gave no usable answer, or refused.
    Failed(ServiceError),
    /// Nothing was sent, because money was given back or may be.
    InTheWay(Balance),
    /// Nothing was sent, because the limit of the account leaves less than the amount: these cents.
    OverLimit(u64),
    /// Nothing was sent, because the operation may have been paid or given back since the backup
    /// from which the database was restored.
    Fenced,
}

impl Wanted {
    /// For the server itself or a payer.
    pub(super) fn new(purpose: Purpose, asked_at: Timestamp) -> Self {
        Self {
            purpose,
            staff: None,
            cause: None,
            limits: Limits::default(),
            asked_at,
            window: SendWindow::open(),
        }
    }

    /// True when it rests on what the database knows. A payer's cancellation, and that of a code
    /// that is superfluous, rest on a state that the service answered right before.
    fn needs_the_past(&self) -> bool {
        self.staff.is_some() || self.purpose != Purpose::Cancel
    }
}

impl Charges {
    /// Cancels an operation at the service, once for all callers at the same time: the others wait
    /// for the running request and share its result.
    pub(super) async fn send_cancellation(
        &self,
        key: &OperationKey,
        wanted: Wanted,
    ) -> Result<CancellationResult, DbError> {
        if wanted.needs_the_past() && self.db.is_fenced(key).await? {
            return Ok(CancellationResult::Fenced);
        }
        let rests_on = wanted.window;
        let (outcome, begun_at, window) = self.reserve_cancellation(key, wanted).await?;
        match outcome {
            ReserveReversalOutcome::Created(id) => {
                let reservation = Reservation {
                    id,
                    begun_at,
                    window: window.and(rests_on),
                };
                self.send_reserved(key, &reservation).await
            }
            ReserveReversalOutcome::Running(id) => self.share_cancellation(key, &id).await,
            ReserveReversalOutcome::NotNeeded => self.stored(key).await,
            ReserveReversalOutcome::MoneyPending(balance) => {
                Ok(CancellationResult::InTheWay(balance))
            }
            ReserveReversalOutcome::OverLimit(left) => Ok(CancellationResult::OverLimit(left)),
        }
    }

    /// Reserves the whole amount.
    async fn reserve_cancellation(
        &self,
        key: &OperationKey,
        wanted: Wanted,
    ) -> Result<(ReserveReversalOutcome, Timestamp, SendWindow), DbError> {
        let timing = &self.settings.timing;
        let limits = wanted.limits;
        let mut new = NewReversal {
            id: token().map_err(DbError::missing)?,
            purpose: wanted.purpose,
            staff: wanted.staff,
            cause: wanted.cause,
            allowed: u64::MAX,
            asked_at: wanted.asked_at,
            // A token that was renewed in between repeats the request once.
            lost_for: timing.payment_timeout * 2 + timing.release_after,
        };
        let reserve = |ledger: &mut Ledger, new: NewReversal| {
            let (begun, window) = (reading(), SendWindow::open());
            let outcome = ledger.reserve_reversal(new, begun);
            (outcome, begun.now, window)
        };
        let Some(staff) = new.staff.clone() else {
            return self.change_ledger(key, |ledger| reserve(ledger, new)).await;
        };
        let change = |ledgers: &mut [Ledger], given_back: &[GivenBack]| {
            let both = ledgers.iter_mut().zip(given_back).next();
            let reserved = both.map(|(ledger, given_back)| {
                new.allowed = limits.left(*given_back, 0);
                let reserved = reserve(ledger, new);
                ledger.plan(now());
                reserved
            });
            (reserved, Notes::default())
        };
        let keys = std::slice::from_ref(key);
        let (_, reserved) = self.db.change_ledgers_for(&staff, keys, change).await?;
        reserved.ok_or_else(|| DbError::missing("a ledger"))
    }

    async fn send_reserved(
        &self,
        key: &OperationKey,
        reservation: &Reservation,
    ) -> Result<CancellationResult, DbError> {
        let record = self.db.operation(key).await?;
        let record = record.ok_or_else(|| DbError::missing("an operation"))?;
        let asked = Asked::cancellation(&record, reading());
        let error = match self.service.cancel(key, reservation.window).await {
            Ok(response) => {
                let answer = (&response.merchant_code, &response.operation);
                // The end of the operation ends the reservation too, in the same transaction.
                let (_, record) = self.record_answer(key, answer, &asked, None).await?;
                let detail = "the payment service's answer ended nothing".to_owned();
                self.end_reversal(key, reservation, ReversalEnd::InDoubt(detail))
                    .await?;
                return Ok(CancellationResult::Known(Box::new(record)));
            }
            Err(error) => error,
        };
        note_failure(key, &error);
        let ending = if error.leaves_doubt() {
            ReversalEnd::InDoubt(format!("the payment service may carry it out: {error}"))
        } else {
            let status = match &error {
                ServiceError::Refused { status, .. } => Some(*status),
                ServiceError::Unauthorized => Some(401),
                _ => None,
            };
            ReversalEnd::NotDone(error.to_string(), status)
        };
        self.end_reversal(key, reservation, ending).await?;
        Ok(CancellationResult::Failed(error))
    }

    /// Waits for the running request of another caller.
    async fn share_cancellation(
        &self,
        key: &OperationKey,
        id: &str,
    ) -> Result<CancellationResult, DbError> {
        let deadline = Instant::now() + self.settings.timing.payment_timeout * 2;
        let mut wakeup = self.wakeups.subscribe(Topic::Operation(key.clone()));
        loop {
            let ledger = self.db.ledger(key).await?;
            let theirs = ledger.as_ref().and_then(|ledger| ledger.reversal(id));
            let theirs = theirs.ok_or_else(|| DbError::missing("a reversal"))?;
            if theirs.state == ReversalState::Done {
                return self.stored(key).await;
            }
            if theirs.state != ReversalState::Sending || Instant::now() >= deadline {
                return Ok(CancellationResult::Failed(failure(theirs)));
            }
            wakeup.wait_towards(deadline).await;
        }
    }
}

/// The failure that the sender of the shared request got.
fn failure(theirs: &ReversalRecord) -> ServiceError {
    match (theirs.state, theirs.service_status) {
        (_, Some(401)) => ServiceError::Unauthorized,
        (_, Some(status)) => ServiceError::Refused {
            status,
            messages: Vec::new(),
        },
        (ReversalState::NotDone, None) => ServiceError::NotSent("it was not sent"),
        _ => ServiceError::Timeout,
    }
}

impl Charges {
    async fn stored(&self, key: &OperationKey) -> Result<CancellationResult, DbError> {
        let record = self.db.operation(key).await?;
        let record = record.ok_or_else(|| DbError::missing("an operation"))?;
        Ok(CancellationResult::Known(Box::new(record)))
    }

    async fn end_reversal(
        &self,
        key: &OperationKey,
        reservation: &Reservation,
        ending: ReversalEnd,
    ) -> Result<(), DbError> {
        let Reservation { id, begun_at, .. } = reservation;
        self.change_ledger(key, |ledger| {
            if ledger.left_last(id, *begun_at) {
                ledger.end_reversal(id, ending.clone(), reading());
            }
        })
        .await?;
        self.wakeups.changed(key);
        Ok(())
    }

    async fn change_ledger<R>(
        &self,
        key: &OperationKey,
        change: impl FnOnce(&mut Ledger) -> R + Send,
    ) -> Result<R, DbError> {
        let change = |ledger: &mut Ledger| {
            let result = change(ledger);
            ledger.plan(now());
            (result, Notes::default())
        };
        let (_, result) = self.db.change_ledger(key, change).await?;
        Ok(result)
    }
}
