//! Operations and answers of the payment service for tests.

use super::{OperationKey, OperationRecord, QuestionContext, Verdict};
use crate::service_answers::AmountUnits;
use crate::timing::{Reading, instant};
use payment_model::{AuthorizeResponse, MerchantCode, Operation, PaymentMethodName, Timestamp};
use serde_json::{Value, json};
use std::time::Duration;

/// An operation of 387.00 PEN whose request is on the way.
pub fn record() -> OperationRecord {
    let order = crate::order::fixture::order("order");
    let key = OperationKey::new("shop", "1");
    OperationRecord::sending(
        key,
        &order,
        PaymentMethodName::Qr,
        "hash".to_owned(),
        instant(0),
    )
}

/// A transaction of that operation, with a lifecycle of these states.
pub fn transaction(state: &str, lifecycle: &[&str]) -> Value {
    let lifecycle: Vec<_> = lifecycle
        .iter()
        .map(|state| json!({"state": state, "date": {"unix_time": 1}}))
        .collect();
    json!({
        "transaction_id": "t", "channel": "ecommerce", "state": state, "state_reason": "",
        "amount": "38700", "currency": "604",
        "payment_method": {"method_name": "QR", "method_details": {"callback_url": "http://canary"}},
        "lifecycle": lifecycle,
    })
}

/// The answer of a query with this transaction.
pub fn operation(transaction: &Value) -> Operation {
    serde_json::from_value(json!({
        "merchant_operation_number": "1", "state": transaction["state"], "amount": "38700",
        "currency": "604", "transactions": [transaction],
    }))
    .unwrap()
}

/// The answer to the authorize request: pending, with a code.
pub fn authorized() -> AuthorizeResponse {
    let mut transaction = transaction("PENDIENTE", &["REGISTRADO", "PENDIENTE"]);
    transaction["processor_response"] =
        json!({"qr_image": "data:image/png;base64,AA==", "qr_id": "7"});
    serde_json::from_value(json!({
        "success": "true", "action": "authorize", "merchant_code": "shop",
        "merchant_operation_number": "1", "transaction": transaction,
    }))
    .unwrap()
}

/// The operation after its authorization.
pub fn pending() -> OperationRecord {
    let mut record = record();
    assert_eq!(
        record.register(&authorized(), AmountUnits::Cents, instant(0)),
        Verdict::Believed
    );
    record
}

/// Applies the answer to a query that began at this instant.
pub fn apply(record: &mut OperationRecord, transaction: &Value, now: Timestamp) -> Verdict {
    let question = QuestionContext::query(record, None, reading(now));
    apply_asked(record, transaction, &question, now)
}

/// A reading of a clock that was never set.
pub fn reading(now: Timestamp) -> Reading {
    Reading {
        now,
        stable_for: Duration::MAX,
    }
}

/// Applies the answer to this request.
pub fn apply_asked(
    record: &mut OperationRecord,
    transaction: &Value,
    question: &QuestionContext,
    now: Timestamp,
) -> Verdict {
    record.apply_answer(
        &MerchantCode::new("shop"),
        &operation(transaction),
        AmountUnits::Cents,
        question,
        now,
    )
}

/// The operation in this state, which it entered at this instant.
pub fn with_state(state: &str, now: Timestamp) -> OperationRecord {
    let mut record = pending();
    apply(&mut record, &transaction(state, &[state]), now);
    record
}
