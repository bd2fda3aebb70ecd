//! Asking the service for the refunds of an operation, and keeping what it tells.

use super::places::Round;
use crate::backend::Backend;
use crate::clock::{Millis, millis, now};
use crate::operation::OperationKey;
use crate::payment::Freshness;
use crate::problem::{Problem, ProblemKind};
use crate::refund::{Ledger, RefundEnd, is_whole};
use crate::service::ServiceError;
use crate::store::{Notes, StoreError, Turn};
use payment_model::{Meta, Refund, RefundQueryResponse};
use std::time::Duration;
use tokio::time::Instant;

/// What is known after asking.
#[derive(Debug, Clone)]
pub(crate) struct LookedUp {
    pub(crate) ledger: Ledger,
    /// Whether the list was all that the service has.
    pub(crate) whole: bool,
    /// When the look began.
    pub(crate) began: Millis,
    count: String,
    meta: Meta,
}

/// Why nothing was learned.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum LookUpError {
    #[error(transparent)]
    Service(#[from] ServiceError),
    #[error("the list is another merchant's")]
    Foreign,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Looks the refunds of an operation up, together with whoever wants the same; never twice
/// within the interval.
pub(crate) async fn look_up(
    backend: &Backend,
    key: &OperationKey,
    freshness: Freshness,
) -> Result<LookedUp, LookUpError> {
    let asked = Instant::now();
    let place = backend.look_ups.place(key);
    let mut last = place.lock().await;
    let shared = last.as_ref().filter(|round| round.began >= asked);
    if let Some(round) = shared {
        return round.answer.clone();
    }
    if let Freshness::Recent(age) = freshness
        && let Some(stored) = stored(backend, key, age).await?
    {
        return Ok(stored);
    }
    wait_for_turn(backend, key).await?;
    let began = Instant::now();
    let answer = ask(backend, key).await;
    *last = Some(Round {
        began,
        answer: answer.clone(),
    });
    answer
}

/// The look of the sweeper: a failed one is planned again where it failed.
pub(crate) async fn watch(backend: &Backend, key: &OperationKey) -> Result<(), StoreError> {
    match look_up(backend, key, Freshness::New).await {
        Err(LookUpError::Store(error)) => Err(error),
        Ok(_) | Err(LookUpError::Service(_) | LookUpError::Foreign) => Ok(()),
    }
}

async fn stored(
    backend: &Backend,
    key: &OperationKey,
    age: Millis,
) -> Result<Option<LookedUp>, StoreError> {
    let found = backend.store.ledger(key).await?;
    let ledger = found.ok_or_else(|| StoreError::missing("an operation with refunds"))?;
    let Some(began) = ledger.watch.whole_at else {
        return Ok(None);
    };
    let recent = (0..age).contains(&(now() - began));
    Ok(recent.then(|| LookedUp {
        whole: true,
        began,
        count: ledger.refunds.len().to_string(),
        meta: Meta::accepted(),
        ledger,
    }))
}

async fn wait_for_turn(backend: &Backend, key: &OperationKey) -> Result<(), StoreError> {
    let interval = millis(backend.config.pace.query_interval);
    loop {
        match backend.store.take_look_up(key, now(), interval).await? {
            Turn::Taken => return Ok(()),
            Turn::Wait(rest) => {
                let rest = Duration::from_millis(rest.unsigned_abs());
                tokio::time::sleep(rest).await;
            }
        }
    }
}

async fn ask(backend: &Backend, key: &OperationKey) -> Result<LookedUp, LookUpError> {
    let began = now();
    let answer = backend.service.query_refunds(key).await;
    let answer = match answer {
        Ok(list) if list.merchant_code == key.merchant_code => list,
        Ok(_) => {
            failed(backend, key, 0).await?;
            return Err(LookUpError::Foreign);
        }
        Err(error) => {
            backend.note_failure(key, &error);
            failed(backend, key, error.retry_after().map_or(0, millis)).await?;
            return Err(error.into());
        }
    };
    let whole = is_whole(key, &answer);
    if !whole {
        let number = key.number.as_str();
        tracing::warn!(
            merchant_operation_number = number,
            "the payment service's list of refunds is not complete"
        );
    }
    let RefundQueryResponse {
        operations,
        operations_count: count,
        meta,
        ..
    } = answer;
    let ledger = told(backend, key, operations, move |ledger| {
        if whole {
            ledger.watch.failures = 0;
            ledger.watch.whole_at = Some(began);
        } else {
            ledger.watch.failures += 1;
        }
    })
    .await?;
    Ok(LookedUp {
        ledger,
        whole,
        began,
        count,
        meta,
    })
}

/// Writes down what the service told of refunds.
pub(super) async fn told(
    backend: &Backend,
    key: &OperationKey,
    refunds: Vec<Refund>,
    and: impl FnOnce(&mut Ledger) + Send + 'static,
) -> Result<Ledger, StoreError> {
    let units = backend.config.amount_units;
    let change = move |ledger: &mut Ledger| {
        let ends = ledger.take(&refunds, units, now());
        and(ledger);
        Notes {
            ends,
            audit: Vec::new(),
        }
    };
    change_one(backend, key, change).await
}

/// Changes one ledger, plans the next look, and wakes whoever waits.
pub(super) async fn change_one(
    backend: &Backend,
    key: &OperationKey,
    change: impl FnOnce(&mut Ledger) -> Notes + Send + 'static,
) -> Result<Ledger, StoreError> {
    let (sender, receiver) = std::sync::mpsc::channel();
    let change = move |ledgers: &mut [Ledger]| {
        let Some(ledger) = ledgers.first_mut() else {
            return Notes::default();
        };
        let notes = change(ledger);
        ledger.plan(now());
        let _ = sender.send(notes.ends.clone());
        notes
    };
    let keys = std::slice::from_ref(key);
    let mut ledgers = backend.store.change_ledgers(keys, Box::new(change)).await?;
    for end in receiver.try_iter().flatten() {
        log(&end);
    }
    backend.wake(key);
    let ledger = ledgers.pop();
    ledger.ok_or_else(|| StoreError::missing("an operation with refunds"))
}

fn log(end: &RefundEnd) {
    let number = end.key.number.as_str();
    let (refund_id, state) = (end.refund.refund_id.as_str(), end.refund.state.as_str());
    tracing::info!(
        merchant_operation_number = number,
        refund_id,
        state,
        "a refund ended"
    );
}

async fn failed(backend: &Backend, key: &OperationKey, later: Millis) -> Result<(), StoreError> {
    let change = move |ledgers: &mut [Ledger]| {
        for ledger in ledgers {
            ledger.watch.failures += 1;
            ledger.plan(now() + later);
        }
        Notes::default()
    };
    let keys = std::slice::from_ref(key);
    backend.store.change_ledgers(keys, Box::new(change)).await?;
    Ok(())
}

impl LookedUp {
    /// The service's answer, with what is stored: a refund never goes backwards on a screen.
    pub(crate) fn response(self) -> RefundQueryResponse {
        let refunds: Vec<Refund> = self
            .ledger
            .refunds
            .into_iter()
            .map(|record| record.refund)
            .collect();
        RefundQueryResponse {
            success: true,
            merchant_code: self.ledger.key.merchant_code,
            operations_count: if self.whole {
                refunds.len().to_string()
            } else {
                self.count
            },
            operations: refunds,
            meta: self.meta,
        }
    }

    /// The look-up if it proves what is not in it, or what to tell staff.
    pub(super) fn proves(self) -> Result<Self, Problem> {
        if self.whole {
            return Ok(self);
        }
        let number = self.ledger.key.number.as_str();
        let detail = format!(
            "The payment service's list of the refunds of operation {number} is not complete, so nothing was done; try again."
        );
        Err(Problem::new(ProblemKind::RefundsUnknown, detail).retry_after(2))
    }
}

impl LookUpError {
    /// What staff are told; a failure of the store stays one.
    pub(crate) fn into_problem(self, key: &OperationKey) -> Result<Problem, StoreError> {
        let error = match self {
            Self::Store(error) => return Err(error),
            Self::Service(ServiceError::Unauthorized) => return Ok(locked()),
            Self::Service(error) => Some(error),
            Self::Foreign => None,
        };
        let number = key.number.as_str();
        let detail = format!(
            "The refunds of operation {number} could not be looked up at the payment service, so nothing was done; try again."
        );
        let wait = error.and_then(|error| error.retry_after());
        let seconds = wait.map_or(2, |wait| wait.as_secs().max(1));
        Ok(Problem::new(ProblemKind::RefundsUnknown, detail).retry_after(seconds))
    }
}

/// The service does not let this server in.
pub(super) fn locked() -> Problem {
    let detail = "The payment service does not accept this server's access token, so nothing was done; whoever runs the server must renew PAYMENT_TOKEN.";
    Problem::new(ProblemKind::ServiceToken, detail).retry_after(30)
}
