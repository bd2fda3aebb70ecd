use crate::support::{Harness, PUBLIC_URL, authorize_body};
use axum::body::Body;
use axum::http::Request;
use payment_model::{AuthorizeResponse, ProcessorResponse, Timestamp, TransactionState};
use serde_json::{Value, json};

#[tokio::test]
async fn a_qr_waits_with_its_image() {
    let harness = Harness::new();
    let reply = harness.authorize("1", "QR").await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.at("/success"), "true");
    assert_eq!(reply.at("/meta/status/code"), "00");
    let answer: AuthorizeResponse = serde_json::from_str(&reply.text).unwrap();
    let transaction = answer.transaction;
    assert_eq!(transaction.state, TransactionState::Pending);
    assert_eq!(transaction.continue_url, None);
    assert_eq!(transaction.channel, "ecommerce");
    assert_eq!(transaction.amount.as_str(), "12990");
    let states = transaction
        .lifecycle
        .iter()
        .map(|entry| entry.state.as_str());
    assert_eq!(states.collect::<Vec<_>>(), ["REGISTRADO", "PENDIENTE"]);
    let fifteen_minutes_later = crate::support::NOON + 900_000;
    let expiration = transaction
        .expiration_date
        .unwrap()
        .timestamp()
        .map(Timestamp::as_millis);
    assert_eq!(expiration, Some(fifteen_minutes_later));
    let Some(ProcessorResponse::Qr(qr)) = transaction.processor_response else {
        panic!("no QR response");
    };
    assert!(
        qr.qr_image
            .unwrap()
            .starts_with("data:image/png;base64,iVBORw0KGgo")
    );
    assert!(qr.qr_id.is_some() && qr.date.is_some() && qr.result_message.is_some());
}

#[tokio::test]
async fn installments_wait_with_the_way_to_the_lender() {
    let harness = Harness::new();
    let reply = harness.authorize("1", "INSTALLMENT").await;
    let id = reply.at("/transaction/transaction_id");
    let expected = format!("{PUBLIC_URL}/lender/{}", id.as_str().unwrap());
    assert_eq!(reply.at("/transaction/continue_url"), expected);
    assert_eq!(reply.at("/transaction/processor_response"), Value::Null);
    assert!(reply.at("/transaction/expiration_date").is_object());
    let echo = "/transaction/payment_method/method_details/redirect_url";
    assert_eq!(reply.at(echo), "https://shop.example/return?order=7");
}

#[tokio::test]
async fn every_answer_about_a_redirect_method_has_the_way_back() {
    let harness = Harness::new();
    let echo = "/operation/transactions/0/payment_method/method_details/redirect_url";
    for method in ["INSTALLMENT", "BANK_TRANSFER"] {
        let made = harness.create(method, method, "PENDIENTE").await;
        assert!(made.at(echo).is_string(), "{}", made.text);
        for details in [json!({}), json!({"redirect_url": null})] {
            let mut body = authorize_body("1", method);
            body["payment_method"]["method_details"] = details;
            let refused = harness.service("POST", "/charges", &body).await;
            assert_eq!(refused.status, 400, "{}", refused.text);
            assert!(refused.text.contains("redirect_url"), "{}", refused.text);
        }
    }
    let code = harness.create("code", "QR", "PENDIENTE").await;
    assert_eq!(code.at(echo), Value::Null);
}

#[tokio::test]
async fn a_number_is_good_for_one_operation_of_a_merchant() {
    let harness = Harness::new();
    let first = harness.authorize("1", "QR").await;
    let again = harness.authorize("1", "QR").await;
    assert_eq!((first.status.as_u16(), again.status.as_u16()), (200, 409));
    assert!(again.text.contains("merchant_operation_number"));
    assert_eq!(again.at("/transaction"), Value::Null);
    let mut other = authorize_body("1", "QR");
    other["merchant_code"] = json!("another");
    assert_eq!(
        harness.service("POST", "/charges", &other).await.status,
        200
    );
}

#[tokio::test]
async fn a_wrong_body_is_refused_by_the_name_of_its_field() {
    let harness = Harness::new();
    let change = |pointer: &str, value: Value| {
        let mut body = authorize_body("1", "INSTALLMENT");
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        let fields = body.pointer_mut(parent).unwrap().as_object_mut().unwrap();
        if value.is_null() {
            fields.remove(name);
        } else {
            fields.insert(name.to_owned(), value);
        }
        body
    };
    for (pointer, value) in [
        ("/action", json!("refund")),
        ("/channel", json!("store")),
        ("/merchant_code", Value::Null),
        ("/merchant_code", json!("")),
        ("/merchant_operation_number", json!(7)),
        ("/merchant_operation_number", json!("9".repeat(101))),
        ("/payment_method/method_name", Value::Null),
        ("/payment_method/method_name", json!("CARD")),
        ("/payment_method/method_details", Value::Null),
        ("/payment_method/method_details/redirect_url", Value::Null),
        (
            "/payment_method/method_details/redirect_url",
            json!("/return"),
        ),
        (
            "/payment_method/method_details/redirect_url",
            json!("javascript:alert(1)"),
        ),
        ("/payment_method/method_details/callback_url", json!(1)),
        ("/payment_details/amount", json!(12990)),
        ("/payment_details/amount", json!("129.90")),
        ("/payment_details/amount", json!("-1")),
        ("/payment_details/currency", json!("")),
        ("/payment_details/billing", Value::Null),
        ("/payment_details/customer", json!("Ana")),
        ("/payment_details/product_details", Value::Null),
    ] {
        let reply = harness
            .service("POST", "/charges", &change(pointer, value.clone()))
            .await;
        let name = pointer.rsplit('/').next().unwrap();
        assert_eq!(reply.status, 400, "{pointer} {value}");
        assert!(
            reply.text.contains(name),
            "{pointer} {value} gave {}",
            reply.text
        );
    }
    for body in ["", "{", "[]", "null", "{} {}"] {
        let request = Request::post("/charges")
            .header("authorization", "Bearer kept-secret")
            .header("alg-api-version", "1709847567")
            .header("content-type", "application/json")
            .body(Body::from(body));
        assert_eq!(harness.send(request.unwrap()).await.status, 400, "{body:?}");
    }
    assert!(
        harness
            .journal()
            .await
            .iter()
            .all(|entry| entry["accepted"] == false)
    );
    assert_eq!(harness.authorize("1", "QR").await.status, 200);
}

#[tokio::test]
async fn a_body_beyond_reason_is_refused() {
    let harness = Harness::new();
    let mut body = authorize_body("1", "QR");
    body["padding"] = json!("x".repeat(2_000_000));
    assert_eq!(harness.service("POST", "/charges", &body).await.status, 413);
}

#[tokio::test]
async fn an_authorization_can_be_rejected_as_invalid() {
    let harness = Harness::new();
    harness
        .control("PUT", "/settings", &json!({"invalidate_next": 1}))
        .await;
    let reply = harness.authorize("1", "QR").await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.at("/transaction/state"), "INVALIDO");
    assert_eq!(reply.at("/transaction/processor_response"), Value::Null);
    assert_eq!(reply.at("/transaction/expiration_date"), Value::Null);
    assert_eq!(
        harness.authorize("2", "QR").await.at("/transaction/state"),
        "PENDIENTE"
    );
    let mut free = authorize_body("3", "QR");
    free["payment_details"]["amount"] = json!("0");
    let reply = harness.service("POST", "/charges", &free).await;
    assert_eq!(reply.at("/transaction/state"), "INVALIDO");
}

#[tokio::test]
async fn other_paths_and_methods_are_refused_and_journaled() {
    let harness = Harness::new();
    for (method, path, expected) in [
        ("GET", "/charges", 405),
        ("POST", "/charges/shop/1", 405),
        ("DELETE", "/charges/shop/1/t", 405),
        ("GET", "/elsewhere", 404),
        ("POST", "/charges/", 404),
        ("GET", "/charges/..%2f..%2frefund/1/t", 404),
        ("GET", "/charges/shop/1/t/more", 404),
    ] {
        let reply = harness.service(method, path, &Value::Null).await;
        assert_eq!(reply.status, expected, "{method} {path}");
        assert_ne!(reply.at("/meta/status/code"), "00");
        let journal = harness.journal().await;
        assert_eq!(journal.last().unwrap()["path"], path);
    }
}

#[tokio::test]
async fn other_methods_begin_when_a_test_wants_them_to() {
    let harness = Harness::new();
    assert_eq!(harness.authorize("1", "CARD").await.status, 400);
    let change = json!({"authorizable": ["CARD", "GIFT"]});
    let settings = harness.control("PUT", "/settings", &change).await;
    assert_eq!(settings.status, 200, "{}", settings.text);
    for (number, method) in [("2", "CARD"), ("3", "GIFT")] {
        let reply = harness.authorize(number, method).await;
        assert_eq!(
            reply.at("/transaction/state"),
            "PENDIENTE",
            "{}",
            reply.text
        );
        assert_eq!(reply.at("/transaction/payment_method/method_name"), method);
    }
    assert_eq!(harness.authorize("4", "WALLET").await.status, 400);
}
