//! The one place that sends a cancellation to the service. Each gives the payment back if there
//! is one by then, so that the whole is reserved in the ledger before it leaves.

use super::authorize::until;
use super::record::{Heard, record_answer};
use crate::backend::Backend;
use crate::clock::{Millis, millis, now};
use crate::operation::{Asked, OperationKey, OperationRecord};
use crate::random::token;
use crate::refund::{Balance, Ledger, NewReversal, Purpose, Reserved, ReversalEnd, ReversalRecord};
use crate::service::ServiceError;
use crate::store::{Notes, StoreError};
use crate::wakeups::Topic;
use staff_model::ReversalState;
use tokio::time::Instant;

/// Why a cancellation is wanted, by whom and since when.
pub(super) struct Wanted {
    pub(super) purpose: Purpose,
    /// The member of staff who asks for it, if one does.
    pub(super) staff: Option<String>,
    pub(super) asked_at: Millis,
}

/// The result of it.
pub(super) enum Withdrawn {
    /// The operation as it is known now, by an answer or because nothing had to be sent.
    Known(Box<OperationRecord>),
    /// The service gave no usable answer, or refused.
    Failed(ServiceError),
    /// Nothing was sent, because something was given back or may be.
    InTheWay(Balance),
}

impl Wanted {
    /// For nobody of the staff.
    pub(super) fn new(purpose: Purpose, asked_at: Millis) -> Self {
        Self {
            purpose,
            staff: None,
            asked_at,
        }
    }
}

/// Cancels an operation at the service, once for all who want it at the same time: the others
/// wait for the request that is on its way and take what it comes to.
pub(super) async fn withdraw(
    backend: &Backend,
    key: &OperationKey,
    wanted: Wanted,
) -> Result<Withdrawn, StoreError> {
    match reserve(backend, key, wanted).await? {
        Reserved::Ours(id) => send(backend, key, &id).await,
        Reserved::Theirs(id) => share(backend, key, &id).await,
        Reserved::Needless => known(backend, key).await,
        Reserved::InTheWay(balance) => Ok(Withdrawn::InTheWay(balance)),
    }
}

async fn reserve(
    backend: &Backend,
    key: &OperationKey,
    wanted: Wanted,
) -> Result<Reserved, StoreError> {
    let pace = &backend.config.pace;
    let new = NewReversal {
        id: token().map_err(StoreError::missing)?,
        purpose: wanted.purpose,
        staff: wanted.staff,
        asked_at: wanted.asked_at,
        // A token that was renewed in between repeats the request once.
        lost_for: millis(pace.payment_timeout * 2 + pace.release_after),
    };
    let (sender, receiver) = std::sync::mpsc::channel();
    change(backend, key, move |ledger| {
        let _ = sender.send(ledger.reserve_reversal(new, now()));
    })
    .await?;
    receiver
        .try_recv()
        .map_err(|_| StoreError::missing("the outcome of a reservation"))
}

async fn send(backend: &Backend, key: &OperationKey, id: &str) -> Result<Withdrawn, StoreError> {
    let units = backend.config.amount_units;
    let began = now();
    let asked = Asked::cancellation(began);
    let error = match backend.service.cancel(key).await {
        Ok(response) => {
            let told = response.operation.transactions.first();
            let state = told.map(|transaction| transaction.state.clone());
            let take = move |record: &mut OperationRecord| {
                let (code, operation) = (&response.merchant_code, &response.operation);
                record.take(code, operation, units, asked, now())
            };
            // An end ends the reservation too, in the same transaction.
            let (_, record) = record_answer(backend, key, Heard { began, state }, take).await?;
            let detail = "the payment service's answer ended nothing".to_owned();
            end(backend, key, id, ReversalEnd::InDoubt(detail)).await?;
            return Ok(Withdrawn::Known(Box::new(record)));
        }
        Err(error) => error,
    };
    backend.note_failure(key, &error);
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
    end(backend, key, id, ending).await?;
    Ok(Withdrawn::Failed(error))
}

/// Waits for somebody else's request.
async fn share(backend: &Backend, key: &OperationKey, id: &str) -> Result<Withdrawn, StoreError> {
    let deadline = Instant::now() + backend.config.pace.payment_timeout * 2;
    let mut wakeup = backend.wakeups.subscribe(Topic::Operation(key.clone()));
    loop {
        let ledger = backend.store.ledger(key).await?;
        let theirs = ledger.as_ref().and_then(|ledger| ledger.reversal(id));
        let theirs = theirs.ok_or_else(|| StoreError::missing("a reversal"))?;
        if theirs.state == ReversalState::Done {
            return known(backend, key).await;
        }
        if theirs.state != ReversalState::Sending || Instant::now() >= deadline {
            return Ok(Withdrawn::Failed(failure(theirs)));
        }
        wakeup.wait(until(deadline)).await;
    }
}

/// The failure that the one who sent it was told.
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

async fn known(backend: &Backend, key: &OperationKey) -> Result<Withdrawn, StoreError> {
    let record = backend.store.operation(key).await?;
    let record = record.ok_or_else(|| StoreError::missing("an operation"))?;
    Ok(Withdrawn::Known(Box::new(record)))
}

async fn end(
    backend: &Backend,
    key: &OperationKey,
    id: &str,
    ending: ReversalEnd,
) -> Result<(), StoreError> {
    let id = id.to_owned();
    change(backend, key, move |ledger| {
        ledger.end_reversal(&id, ending, now());
    })
    .await?;
    backend.wake(key);
    Ok(())
}

async fn change(
    backend: &Backend,
    key: &OperationKey,
    change: impl FnOnce(&mut Ledger) + Send + 'static,
) -> Result<(), StoreError> {
    let change = move |ledgers: &mut [Ledger]| {
        if let Some(ledger) = ledgers.first_mut() {
            change(ledger);
            ledger.plan(now());
        }
        Notes::default()
    };
    let keys = std::slice::from_ref(key);
    backend.store.change_ledgers(keys, Box::new(change)).await?;
    Ok(())
}
