//! Orders with payments, for tests.

use super::{Order, Payment};
use crate::idempotency::{Claim, IdempotentRequest, Sender};
use crate::ledger::{Ledger, LedgerEntries};
use crate::operation::{OperationKey, OperationRecord};
use crate::order::{FullOrderId, fixture};
use crate::timing::instant;
use payment_model::IdempotencyKey;

/// The key of an operation of [`order`].
pub fn key(number: usize) -> OperationKey {
    OperationKey::new("shop", number.to_string())
}

/// An order with these operations, numbered from 1, and empty ledgers.
pub fn order(operations: impl IntoIterator<Item = OperationRecord>) -> Order {
    let numbered = operations.into_iter().zip(1..);
    let payments = numbered.map(|(operation, number)| {
        let operation = OperationRecord {
            key: key(number),
            ..operation
        };
        let ledger = Ledger::new(&operation, LedgerEntries::default());
        Payment::new(operation, ledger)
    });
    Order::new(fixture::order("order"), payments.collect())
}

/// A payer's claim of an idempotency key.
pub fn claim() -> Claim {
    Claim {
        request: IdempotentRequest {
            sender: Sender::Payer("hash".to_owned()),
            key: IdempotencyKey::new("key").unwrap(),
            fingerprint: "f".to_owned(),
            order: Some(FullOrderId::new("shop", "order")),
        },
        until: instant(1),
    }
}
