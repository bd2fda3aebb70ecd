//! Writing down what an answer of the service says.

use crate::backend::Backend;
use crate::clock::now;
use crate::operation::{OperationKey, OperationRecord, Phase, Taken};
use crate::store::StoreError;

/// Writes what an answer says about an operation, plans the next look, and wakes whoever
/// waits.
pub(super) async fn record_answer(
    backend: &Backend,
    key: &OperationKey,
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
    backend.wake(key);
    Ok((taken, record))
}
