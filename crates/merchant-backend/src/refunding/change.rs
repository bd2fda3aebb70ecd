//! Writing down what became of refunds.

use crate::backend::Backend;
use crate::clock::now;
use crate::operation::OperationKey;
use crate::refund::{Ledger, RefundEnd};
use crate::store::{Notes, StoreError};
use payment_model::Refund;

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
