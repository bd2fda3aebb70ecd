//! Operations for the tests beside this file.

use super::{Asked, OperationKey, OperationRecord, Phase, Taken};
use crate::amount_units::AmountUnits;
use crate::reading::Reading;
use crate::reading::instant;
use payment_model::{AuthorizeResponse, MerchantCode, Operation, PaymentMethodName, Timestamp};
use serde_json::{Value, json};
use std::time::Duration;

/// An operation of 387.00 PEN whose request is on the way.
pub fn record() -> OperationRecord {
    OperationRecord {
        key: OperationKey::new("shop", "1"),
        order_id: "order".to_owned(),
        phase: Phase::Sending,
        live: true,
        method: PaymentMethodName::Qr,
        amount: 38_700,
        currency: "PEN".to_owned(),
        callback_hash: "hash".to_owned(),
        created_at: instant(0),
        changed_at: instant(0),
        queried_at: None,
        hinted_at: None,
        due_at: None,
        failures: 0,
        operation: None,
        answer: None,
        paid_late_at: None,
        mismatch: None,
        trouble: None,
        blocked_since: None,
        reversal_seen_at: None,
        number_taken_at: None,
        announced_at: None,
        contradiction: None,
        paid_again_at: None,
        unaccepted_since: None,
        code_may_be_out: false,
        attempt_hash: None,
        unsent: false,
        unknown_at: None,
        version: 0,
    }
}

/// A transaction of that operation; a lifecycle of these states.
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
        Taken::Believed
    );
    record
}

/// Takes a query's answer that came at once.
pub fn take(record: &mut OperationRecord, transaction: &Value, now: Timestamp) -> Taken {
    let asked = Asked::query(record, None, reading(now));
    take_asked(record, transaction, &asked, now)
}

/// A reading of a clock that was never set.
pub fn reading(now: Timestamp) -> Reading {
    Reading {
        now,
        even_for: Duration::MAX,
    }
}

/// Takes the answer to this request.
pub fn take_asked(
    record: &mut OperationRecord,
    transaction: &Value,
    asked: &Asked,
    now: Timestamp,
) -> Taken {
    record.take(
        &MerchantCode::new("shop"),
        &operation(transaction),
        AmountUnits::Cents,
        asked,
        now,
    )
}

/// The operation in a state that it went to at the given instant.
pub fn with_state(state: &str, now: Timestamp) -> OperationRecord {
    let mut record = pending();
    take(&mut record, &transaction(state, &[state]), now);
    record
}
