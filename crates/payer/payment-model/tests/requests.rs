//! A merchant's requests are read strictly, and errors name the field.

#![expect(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

use payment_model::{AuthorizeRequest, Fields, RefundRequest};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use support::{SAMPLES, sample};

/// The error of a sample with one value replaced; empty when it was read all the same.
fn error<T: DeserializeOwned>(name: &str, pointer: &str, value: Value) -> String {
    let mut body = sample(name);
    *body.pointer_mut(pointer).unwrap() = value;
    let read = serde_json::from_value::<T>(body);
    read.err()
        .map(|error| error.to_string())
        .unwrap_or_default()
}

fn authorize(pointer: &str, value: Value) -> String {
    error::<AuthorizeRequest>("authorize_request_installment", pointer, value)
}

#[test]
fn another_action_or_channel_is_refused() {
    for wrong in [
        json!("refund"),
        json!("AUTHORIZE"),
        json!(""),
        json!(null),
        json!(7),
    ] {
        assert!(authorize("/action", wrong.clone()).contains("action to be \"authorize\""));
        assert!(authorize("/channel", wrong).contains("channel to be \"ecommerce\""));
    }
}

#[test]
fn the_details_of_a_method_are_checked_by_name() {
    let details = "/payment_method/method_details";
    assert_eq!(
        authorize(details, json!({"callback_url": "c"})),
        "payment_method.method_details.redirect_url must be present for INSTALLMENT"
    );
    assert_eq!(
        authorize(details, json!({"redirect_url": 7})),
        "payment_method.method_details.redirect_url must be a text"
    );
    assert_eq!(
        authorize(details, json!({"redirect_url": "r", "callback_url": []})),
        "payment_method.method_details.callback_url must be a text"
    );
    assert_eq!(
        authorize(details, json!({"redirect_url": "r", "new": 1})),
        ""
    );
}

#[test]
fn a_value_of_another_type_is_refused() {
    for (pointer, value) in [
        ("/merchant_code", json!(7)),
        ("/merchant_operation_number", json!(null)),
        ("/payment_method", json!("QR")),
        ("/payment_method/method_details", json!(null)),
        ("/payment_details", json!([])),
        ("/payment_details/amount", json!(387_000)),
        ("/payment_details/amount", json!(null)),
        ("/payment_details/currency", json!(604)),
        ("/payment_details/billing", json!(null)),
        ("/payment_details/shipping", json!("Ana")),
        ("/payment_details/customer/phone", json!("999")),
        ("/payment_details/product_details", json!({})),
        ("/payment_details/product_details", json!(null)),
    ] {
        assert_ne!(authorize(pointer, value.clone()), "", "{pointer} {value}");
    }
    for (pointer, value) in [
        ("/operations", json!(null)),
        ("/operations", json!({})),
        ("/operations/0/refund_amount", json!(1000)),
        ("/operations/0/merchant_operation_number", json!(null)),
        ("/operations/0/additional_fields", json!([])),
        ("/operations/0/transaction_id", json!(7)),
    ] {
        let error = error::<RefundRequest>("refund_request", pointer, value.clone());
        assert_ne!(error, "", "{pointer} {value}");
    }
}

#[test]
fn a_refund_item_may_leave_two_fields_out() {
    let body = json!({"merchant_code": "m", "operations": [
        {"type": "TOTAL", "merchant_operation_number": "n", "refund_amount": "1"}
    ]});
    let request: RefundRequest = serde_json::from_value(body).unwrap();
    let item = serde_json::to_value(&request.operations[0]).unwrap();
    assert_eq!(
        item,
        json!({"type": "TOTAL", "merchant_operation_number": "n", "transaction_id": null,
               "refund_amount": "1", "additional_fields": null})
    );
}

#[test]
fn debug_of_a_request_shows_neither_persons_nor_addresses() {
    for (name, _) in SAMPLES
        .iter()
        .filter(|(name, _)| name.starts_with("authorize_request"))
    {
        let request: AuthorizeRequest = serde_json::from_value(sample(name)).unwrap();
        let debug = format!("{request:?}");
        for secret in [
            "Ana",
            "Quispe",
            "example.com",
            "99999",
            "Principal",
            "shop.example",
        ] {
            assert!(!debug.contains(secret), "{name}: {secret}");
        }
        assert!(debug.contains("250207000001"), "{debug}");
    }
}

#[test]
fn a_request_keeps_its_products_as_they_are() {
    let read: AuthorizeRequest = serde_json::from_value(sample("authorize_request_qr")).unwrap();
    let product = Fields::from_iter([("sku".into(), json!("A-1")), ("quantity".into(), json!(2))]);
    assert_eq!(
        read.payment_details.product_details,
        [Value::Object(product), json!("anything")]
    );
}
