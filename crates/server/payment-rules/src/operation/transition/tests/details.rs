//! The details of a transaction that are stored, kept or removed.

use crate::fingerprint;
use crate::operation::fixture::{
    apply, authorized, operation, pending, reading, record, transaction,
};
use crate::operation::{OperationRecord, QuestionContext, Verdict};
use crate::service_answers::AmountUnits;
use crate::timing::instant;
use payment_model::{Amount, MerchantCode};
use serde_json::{Value, json};

/// The response of the processor after an answer that came while the other one was stored.
fn response_after(stored: Option<Value>, told: Option<Value>) -> Option<Value> {
    let with = |response: Option<Value>| {
        let mut waiting = transaction("PENDIENTE", &[]);
        if let Some(response) = response {
            waiting["processor_response"] = response;
        }
        waiting
    };
    let mut record = record();
    apply(&mut record, &with(stored), instant(1));
    apply(&mut record, &with(told), instant(2));
    let kept = record.transaction()?.processor_response.as_ref()?;
    Some(kept.to_value())
}

#[test]
fn a_waiting_operation_keeps_the_fields_of_its_code_that_an_answer_leaves_out() {
    let code = || json!({"date": "now", "qr_id": "7"});
    for (stored, told, kept) in [
        (None, None, None),
        (None, Some(code()), Some(code())),
        (Some(code()), None, Some(code())),
        (Some(code()), Some(json!(null)), Some(code())),
        (Some(code()), Some(json!("none")), Some(json!("none"))),
        (Some(json!("none")), Some(code()), Some(code())),
        (
            Some(code()),
            Some(json!({"date": null, "qr_id": "8", "request_id": "r"})),
            Some(json!({"date": "now", "qr_id": "8", "request_id": "r"})),
        ),
    ] {
        let after = response_after(stored.clone(), told.clone());
        assert_eq!(after, kept, "{stored:?} {told:?}");
    }
}

#[test]
fn the_picture_of_a_code_is_that_of_the_first_answer() {
    let image = |record: &OperationRecord| record.payers_number("qr_image");
    let mut record = pending();
    let first = image(&record);
    assert!(first.is_some());
    let mut later = transaction("PENDIENTE", &[]);
    later["processor_response"] = json!({"qr_image": "data:image/png;base64,BB==", "qr_id": "8"});
    apply(&mut record, &later, instant(2));
    assert_eq!(image(&record), first);
    assert_eq!(record.payers_number("qr_id").as_deref(), Some("8"));
    // Of an operation whose first answer was lost nobody has read the picture.
    let mut doubt = super::record();
    apply(&mut doubt, &later, instant(2));
    assert_eq!(image(&doubt), None);
}

#[test]
fn a_waiting_operation_keeps_its_address_until_another_one_comes_or_it_ends() {
    let with = |state: &str, url: Option<&str>| {
        let mut answer = transaction(state, &[]);
        if let Some(url) = url {
            answer["continue_url"] = json!(url);
        }
        answer
    };
    let mut record = record();
    let mut after = |answer: &Value| {
        apply(&mut record, answer, instant(1));
        record.transaction().unwrap().continue_url.clone()
    };
    let (first, second) = ("https://pay.example/1", "https://pay.example/2");
    assert_eq!(
        after(&with("PENDIENTE", Some(first))).as_deref(),
        Some(first)
    );
    assert_eq!(after(&with("PENDIENTE", None)).as_deref(), Some(first));
    assert_eq!(
        after(&with("PENDIENTE", Some(second))).as_deref(),
        Some(second)
    );
    assert_eq!(after(&with("EXPIRADO", None)), None);
}

#[test]
fn a_later_deadline_replaces_the_first_one() {
    let mut record = pending();
    for seconds in [1_800_000_000, 1_800_000_600, 1_800_000_300] {
        let mut answer = transaction("PENDIENTE", &[]);
        answer["expiration_date"] = json!({"unix_time": seconds});
        apply(&mut record, &answer, instant(1));
        assert_eq!(record.overdue_from(), instant((seconds + 60) * 1000));
    }
}

#[test]
fn the_token_of_the_callback_is_removed_under_any_name() {
    let details = json!({
        "callback_url": "https://shop.example/elsewhere",
        "back": "https://shop.example/api/callbacks/token",
        "list": [1, "https://shop.example/token"],
        "fields": {"deep": {"url": "/token"}},
        "holder": "ana", "word": "token", "longer": "https://shop.example/token/more",
        "numbers": [1, true, null],
    });
    let kept = |record: &OperationRecord| {
        let method = &record.transaction().unwrap().payment_method;
        let fields = &method.method_details.as_ref().unwrap().0;
        let mut names: Vec<_> = fields.keys().cloned().collect();
        names.sort();
        names
    };
    let harmless = ["holder", "longer", "numbers", "word"];
    let mut answer = authorized();
    let method = json!({"method_name": "QR", "method_details": details});
    answer.transaction.payment_method = serde_json::from_value(method).unwrap();
    let mut record = record();
    record.callback_hash = fingerprint("token");
    record.register(&answer, AmountUnits::Cents, instant(1));
    assert_eq!(kept(&record), harmless);
    let mut queried = transaction("PENDIENTE", &[]);
    queried["payment_method"]["method_details"] = details;
    apply(&mut record, &queried, instant(2));
    assert_eq!(kept(&record), harmless);
}

#[test]
fn the_first_answer_is_stored_as_it_came_and_dated_by_its_history() {
    let mut answer = authorized();
    answer.transaction.state = "AUTORIZADO".into();
    let mut record = record();
    record.register(&answer, AmountUnits::Cents, instant(7));
    let shown = record.answer.as_ref().unwrap();
    assert_eq!(shown.transaction.state.as_str(), "AUTORIZADO");
    let stored = record.operation.clone().unwrap();
    assert_eq!(stored.state.as_str(), "REGISTRADO");
    assert_eq!(stored.merchant_operation_number, record.key.number);
    let first = answer.transaction.lifecycle[0].date.clone();
    assert_eq!(stored.created_at, Some(first.clone()));
    assert_eq!(record.changed_at, instant(7));
    // A query that leaves the date out changes nothing about it.
    apply(&mut record, &transaction("PENDIENTE", &[]), instant(8));
    let queried = record.operation.unwrap();
    assert_eq!(queried.created_at, Some(first));
    assert_eq!(queried.state.as_str(), "PENDIENTE");
}

#[test]
fn an_answer_of_the_same_state_brings_its_new_details() {
    for state in ["PENDIENTE", "AUTORIZADO", "LIQUIDADO", "EXPIRADO"] {
        let mut record = pending();
        apply(&mut record, &transaction(state, &[]), instant(1));
        let mut answer = transaction(state, &[]);
        answer["processor_response"] = json!({"operation_id": "9"});
        apply(&mut record, &answer, instant(2));
        let number = record.payers_number("operation_id");
        assert_eq!(number.as_deref(), Some("9"), "{state}");
    }
}

#[test]
fn amounts_reach_payers_in_cents_whatever_the_unit_of_the_answers() {
    for (units, text) in [
        (AmountUnits::Units, "387"),
        (AmountUnits::Cents, "387.00"),
        (AmountUnits::Cents, "38700"),
    ] {
        let mut answer = authorized();
        answer.transaction.amount = Amount::new(text);
        let mut record = record();
        record.register(&answer, units, instant(1));
        let shown = record.answer.clone().unwrap();
        assert_eq!(shown.transaction.amount.as_str(), "38700", "{text}");
        let mut queried = operation(&transaction("AUTORIZADO", &[]));
        queried.amount = Amount::new(text);
        queried.transactions[0].amount = Amount::new(text);
        let question = QuestionContext::query(&record, None, reading(instant(2)));
        let verdict = record.apply_answer(
            &MerchantCode::new("shop"),
            &queried,
            units,
            &question,
            instant(2),
        );
        assert_eq!(verdict, Verdict::Believed);
        let stored = record.operation.unwrap();
        assert_eq!(stored.amount.as_str(), "38700", "{text}");
        assert_eq!(stored.transactions[0].amount.as_str(), "38700", "{text}");
    }
}
