use crate::support::accounts::PASSWORD;
use crate::support::payer::Payer;
use crate::support::roles::refunder;
use crate::support::stack::{MERCHANT, Stack};
use reqwest::Method;
use serde_json::json;

/// Sends the body, and expects a problem that names the repeated field.
async fn refused(payer: &Payer, path: &str, body: &str, field: &str) {
    let headers = [("idempotency-key", "\"repeated\"")];
    let answer = payer.send(Method::POST, path, &headers, body).await;
    assert_eq!(
        (answer.status, answer.problem().as_str()),
        (400, "bad-request"),
        "{path} {body}: {}",
        answer.text
    );
    assert_eq!(answer.json()["field"], field, "{path} {body}");
    assert!(!answer.text.contains("canary"), "{}", answer.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_field_of_a_payer_is_refused_by_name() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    let id = &payer.order_id;
    for (body, field) in [
        (
            format!(
                r#"{{"order_id":"canary","order_id":"{id}","payment_method":{{"method_name":"QR"}}}}"#
            ),
            "order_id",
        ),
        (
            format!(
                r#"{{"order_id":"{id}","payment_method":{{"method_name":"INSTALLMENT","method_name":"QR"}}}}"#
            ),
            "payment_method.method_name",
        ),
        // An escaped name is the same name.
        (
            format!(
                r#"{{"order_id":"{id}","\u006frder_id":"{id}","payment_method":{{"method_name":"QR"}}}}"#
            ),
            "order_id",
        ),
        (
            format!(
                r#"{{"order_id":"{id}","payment_method":{{"method_name":"INSTALLMENT","method_details":{{"redirect_url":"https://shop.example/canary","redirect_url":"https://shop.example/"}}}}}}"#
            ),
            "payment_method.method_details.redirect_url",
        ),
    ] {
        refused(&payer, "/charges", &body, field).await;
    }
    for (body, field) in [
        (
            r#"{"items":[],"items":[{"sku":"cafe-250","quantity":1}]}"#,
            "items",
        ),
        (
            r#"{"items":[{"sku":"cafe-250","quantity":1},{"sku":"cafe-250","quantity":1,"quantity":9}]}"#,
            "items[1].quantity",
        ),
        (
            r#"{"items":[{"sku":"cafe-250","quantity":1}],"customer":{"email":"canary@example.com","email":""}}"#,
            "customer.email",
        ),
    ] {
        refused(&payer, "/orders", body, field).await;
    }
    assert!(stack.seen("POST").await.is_empty());
    assert_eq!(payer.shown().await["operations"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_field_of_staff_is_refused_by_name() {
    let stack = Stack::start().await;
    let refunder = refunder(&stack).await;
    let mut browser = stack.payer().await;
    let number = browser.pay_by_qr("k").await.number();
    browser.cookie = refunder.cookie.clone();
    let part = format!(r#""merchant_code":"{MERCHANT}","merchant_operation_number":"{number}""#);
    for (path, body, field) in [
        (
            "/staff/session",
            format!(r#"{{"name":"ana","password":"canary","password":"{PASSWORD}"}}"#),
            "password",
        ),
        (
            "/staff/refund",
            format!(
                r#"{{"merchant_code":"{MERCHANT}","operations":[{{"type":"PARTIAL","merchant_operation_number":"{number}","refund_amount":"1","refund_amount":"2"}}]}}"#
            ),
            "operations[0].refund_amount",
        ),
        (
            "/staff/returns",
            format!(r#"{{{part},"amount":1,"reason":"slip","amount":2}}"#),
            "amount",
        ),
        (
            "/staff/exceptions/resolve",
            format!(r#"{{{part},"kind":"paid_late","reason":"a","reason":"b"}}"#),
            "reason",
        ),
        (
            "/staff/refund-attempts/x/release",
            r#"{"reason":"a","reason":"b"}"#.to_owned(),
            "reason",
        ),
    ] {
        refused(&browser, path, &body, field).await;
    }
}
