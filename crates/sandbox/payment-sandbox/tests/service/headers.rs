use crate::support::{Harness, TOKEN, authorize_body};
use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

/// The status that these headers get for an authorization.
async fn status(harness: &Harness, headers: &[(&str, &str)]) -> u16 {
    status_at(harness, "/charges", headers, &authorize_body("1", "QR")).await
}

async fn status_at(harness: &Harness, path: &str, headers: &[(&str, &str)], body: &Value) -> u16 {
    let mut request = Request::post(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let body = Body::from(body.to_string());
    harness
        .send(request.body(body).unwrap())
        .await
        .status
        .as_u16()
}

#[tokio::test]
async fn each_header_is_checked_before_anything_happens() {
    let harness = Harness::new();
    let bearer = format!("Bearer {TOKEN}");
    let token = ("authorization", bearer.as_str());
    let version = ("alg-api-version", "1709847567");
    let form = ("content-type", "application/json");
    for (headers, expected) in [
        (vec![version, form], 401),
        (vec![("authorization", "Bearer other"), version, form], 401),
        (vec![("authorization", TOKEN), version, form], 401),
        (
            vec![("authorization", "Basic kept-secret"), version, form],
            401,
        ),
        (vec![("authorization", "Bearer "), version, form], 401),
        (vec![token, form], 400),
        (vec![token, ("alg-api-version", ""), form], 400),
        (vec![token, ("alg-api-version", "v1"), form], 400),
        (vec![token, version], 400),
        (vec![token, version, ("content-type", "text/plain")], 415),
        (
            vec![
                token,
                version,
                ("content-type", "application/x-www-form-urlencoded"),
            ],
            415,
        ),
    ] {
        assert_eq!(status(&harness, &headers).await, expected, "{headers:?}");
    }
    assert!(
        harness
            .journal()
            .await
            .iter()
            .all(|entry| entry["accepted"] == false)
    );
    let charset = ("content-type", "Application/JSON; charset=utf-8");
    let facilitator = ("payment-facilitator-code", "any");
    assert_eq!(
        status(&harness, &[token, version, charset, facilitator]).await,
        200
    );
}

#[tokio::test]
async fn an_expired_token_and_a_replaced_one_are_refused() {
    let harness = Harness::new();
    let headers = |token: &'static str| {
        [
            ("authorization", token),
            ("alg-api-version", "1709847567"),
            ("content-type", "application/json"),
        ]
    };
    let set = async |change| harness.control("PUT", "/settings", &change).await;
    set(json!({"token_expired": true})).await;
    assert_eq!(status(&harness, &headers("Bearer kept-secret")).await, 401);
    let reply = set(json!({"token_expired": false, "token": "fresh-secret"})).await;
    assert!(!reply.text.contains("secret"), "{}", reply.text);
    assert_eq!(status(&harness, &headers("Bearer kept-secret")).await, 401);
    assert_eq!(status(&harness, &headers("Bearer fresh-secret")).await, 200);
}

#[tokio::test]
async fn a_refund_needs_the_right_token_and_no_content_type() {
    let harness = Harness::new();
    harness.create("1", "INSTALLMENT", "LIQUIDADO").await;
    let body = json!({"merchant_code": "shop", "operations": [
        {"type": "PARTIAL", "merchant_operation_number": "1", "refund_amount": "100"}]});
    let version = ("alg-api-version", "1709847567");
    let status =
        async |headers: &[(&str, &str)]| status_at(&harness, "/refund", headers, &body).await;
    let expire = async |expired: bool| {
        let change = json!({"token_expired": expired});
        harness.control("PUT", "/settings", &change).await;
    };
    assert_eq!(status(&[version]).await, 401);
    assert_eq!(
        status(&[("authorization", "Bearer other"), version]).await,
        401
    );
    let right = [("authorization", "Bearer kept-secret"), version];
    expire(true).await;
    assert_eq!(status(&right).await, 401);
    expire(false).await;
    assert_eq!(status(&right).await, 200);
}

#[tokio::test]
async fn a_refusal_speaks_both_languages() {
    let harness = Harness::new();
    let request = Request::get("/charges/shop/1/t")
        .body(Body::empty())
        .unwrap();
    let reply = harness.send(request).await;
    assert_ne!(reply.at("/meta/status/code"), "00");
    assert_eq!(reply.at("/meta/status/message_ilgn/0/locale"), "es_PE");
    assert_eq!(reply.at("/meta/status/message_ilgn/1/locale"), "en_US");
}
