//! A payer is shown the same of an answer whether the rest of it is kept or not: the tests run
//! with the feature `open-fields` and without it.

use payment_model::{CancelResponse, ProcessorResponse, QueryResponse, Transaction};
use serde_json::{Value, json};

fn transaction(method: &str, more: &Value) -> Value {
    json!({
        "transaction_id": "7af1", "state": "PENDIENTE", "amount": "387000", "currency": "604",
        "payment_method": {
            "method_name": method,
            "method_details": {"list": [1, -2.5, {}], "callback_url": null},
            "method_detail": {"callback_url": "c"},
        },
        "additional_fields": {"a": [[], 18_446_744_073_709_551_615_u64], "b": {"c": true}},
        "processor_response": more,
        "new": [{}],
    })
}

fn read(method: &str, more: &Value) -> Option<ProcessorResponse> {
    let read: Option<Transaction> = serde_json::from_value(transaction(method, more)).ok();
    read?.processor_response
}

#[test]
fn a_code_is_read_and_a_value_of_another_type_is_none() {
    let qr = |more: Value| match read("QR", &more) {
        Some(ProcessorResponse::Qr(qr)) => qr.qr_image,
        _ => None,
    };
    assert_eq!(
        qr(json!({"qr_image": "data:", "new": 1, "date": 7})).as_deref(),
        Some("data:")
    );
    for other in [json!(7), json!(["data:"]), json!({}), json!(null)] {
        assert_eq!(qr(json!({"qr_image": other})), None, "{other}");
    }
    for other in [json!("data:"), json!([]), json!(7), json!(true)] {
        let read = read("QR", &other);
        assert!(matches!(read, Some(ProcessorResponse::Other(_))), "{other}");
    }
    assert_eq!(read("QR", &json!(null)), None);
}

#[test]
fn every_method_has_its_texts() {
    let message = json!({"code": "0", "description": "ok", "new": 1});
    let cash = json!({"cip": "123", "operationNumber": "7", "result_message": message});
    let Some(ProcessorResponse::CashCode(cash)) = read("CASHCODE", &cash) else {
        panic!("a cash code is read as another method");
    };
    assert_eq!(cash.cip.as_deref(), Some("123"));
    assert_eq!(cash.operation_number.as_deref(), Some("7"));
    assert_eq!(
        cash.result_message.map(|m| m.description).as_deref(),
        Some("ok")
    );
    let bank = json!({"origin_account": "***1", "request_id": null, "operation_id": "9"});
    let Some(ProcessorResponse::BankTransfer(bank)) = read("BANK_TRANSFER", &bank) else {
        panic!("a transfer is read as another method");
    };
    assert_eq!(bank.origin_account.as_deref(), Some("***1"));
    assert_eq!(bank.request_id, None);
    assert_eq!(bank.operation_id.as_deref(), Some("9"));
}

#[test]
fn the_details_of_a_method_are_one_object_under_either_key() {
    let read = serde_json::from_value::<Transaction>(transaction("QR", &json!({})));
    let details = read
        .ok()
        .and_then(|read| read.payment_method.method_details);
    assert_eq!(details.as_ref().and_then(|d| d.callback_url()), Some("c"));
}

#[test]
fn an_object_that_is_none_makes_no_answer_unreadable() {
    let answer = |pointer: &str, value: Value| {
        let mut answer = json!({
            "success": true, "merchant_code": "1", "meta": null,
            "operation": {
                "merchant_operation_number": "2", "amount": "1", "currency": "604",
                "transactions": [transaction("QR", &json!({"qr_image": "data:"}))],
            },
        });
        if let Some(place) = answer.pointer_mut(pointer) {
            *place = value;
        }
        let query = serde_json::from_value::<QueryResponse>(answer.clone());
        let cancel = serde_json::from_value::<CancelResponse>(answer);
        assert_eq!(query.is_ok(), cancel.is_ok());
        query.is_ok()
    };
    let fields = "/operation/transactions/0/additional_fields";
    let details = "/operation/transactions/0/payment_method/method_details";
    for pointer in [fields, details] {
        assert!(answer(pointer, json!(null)));
        assert!(answer(pointer, json!({})));
        assert!(answer(pointer, json!([])), "{pointer}");
        assert!(answer(pointer, json!("text")), "{pointer}");
    }
}
