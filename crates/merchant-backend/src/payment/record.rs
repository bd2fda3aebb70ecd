//! Writing down what an answer of the service says.

use crate::backend::Backend;
use crate::clock::{Millis, now};
use crate::operation::{OperationKey, OperationRecord, Phase, Taken};
use crate::refund::Ledger;
use crate::store::{Notes, StoreError};
use payment_model::TransactionState;

/// An answer of the service, beyond the operation that is taken from it.
pub(super) struct Heard {
    /// When the request began that it answers.
    pub(super) began: Millis,
    /// The state that it tells, which may not be one that the stored one can become.
    pub(super) state: Option<TransactionState>,
}

/// Writes what an answer says about an operation, plans the next look, and wakes whoever
/// waits.
pub(super) async fn record_answer(
    backend: &Backend,
    key: &OperationKey,
    heard: Heard,
    take: impl FnOnce(&mut OperationRecord) -> Taken + Send + 'static,
) -> Result<(Taken, OperationRecord), StoreError> {
    let (sender, receiver) = std::sync::mpsc::channel();
    let change = move |record: &mut OperationRecord| {
        let was_doubtful = record.phase == Phase::InDoubt;
        let before = record.outcome();
        let taken = take(record);
        record.failures = match taken {
            Taken::Believed => 0,
            Taken::Mismatch | Taken::NoTransaction => record.failures.saturating_add(1),
        };
        record.plan(now());
        let _ = sender.send((taken, before, was_doubtful));
    };
    let record = backend.store.change(key, Box::new(change), None).await?;
    let (taken, before, was_doubtful) =
        receiver
            .try_recv()
            .unwrap_or((Taken::NoTransaction, None, false));
    let number = key.number.as_str();
    match taken {
        Taken::Mismatch => tracing::error!(
            alert = true,
            merchant_operation_number = number,
            "an answer of the payment service is not the order's; it is not believed"
        ),
        Taken::NoTransaction => tracing::warn!(
            merchant_operation_number = number,
            "an answer of the payment service has no transaction"
        ),
        Taken::Believed if before != record.outcome() || was_doubtful => {
            let state = record.state().map(|state| state.as_str());
            tracing::info!(
                merchant_operation_number = number,
                state,
                "the state changed"
            );
        }
        Taken::Believed => {}
    }
    // An end that the stored one cannot become is one all the same.
    let told = heard.state.as_ref();
    let stands = taken == Taken::Believed
        && (told == record.state() || told.is_some_and(TransactionState::is_final));
    if stands && backend.store.has_over_reversal(key, heard.began).await? {
        end_reversal(backend, key, heard.began).await?;
    }
    backend.wake(key);
    Ok((taken, record))
}

/// A state that is believed ends a reversal in doubt that could not arrive any more.
async fn end_reversal(
    backend: &Backend,
    key: &OperationKey,
    began: Millis,
) -> Result<(), StoreError> {
    let change = move |ledgers: &mut [Ledger]| {
        for ledger in ledgers {
            ledger.state_was_told(began, now());
            ledger.plan(now());
        }
        Notes::default()
    };
    let keys = std::slice::from_ref(key);
    backend.store.change_ledgers(keys, Box::new(change)).await?;
    Ok(())
}
