//! What a request of staff came to.

use super::request::RefundWanted;
use super::staff_key::Kept;
use crate::backend::Backend;
use crate::operation::OperationKey;
use crate::refund::{AttemptRecord, Ledger};
use crate::store::StoreError;
use payment_model::{Meta, Refund};
use serde_json::json;
use staff_model::{AttemptState, RefundResult, StaffRefundResponse};

/// The attempts under the key, the last one of each item, in the order of the items.
pub(super) async fn attempts_of(
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
pub(super) async fn conclude(
    backend: &Backend,
    wanted: &RefundWanted,
    meta: Meta,
) -> Result<Kept, StoreError> {
    let attempts = attempts_of(backend, wanted).await?;
    if attempts.len() != wanted.items.len() {
        return Err(StoreError::missing("an attempt to refund"));
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
