use crate::support::payer::installment;
use crate::support::stack::Stack;
use reqwest::Method;
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn a_field_that_the_browser_must_not_set_is_refused_by_name() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    let check = async |change: fn(&mut Value), field: &str| {
        let mut body = installment(&payer.order_id, "https://shop.example/");
        change(&mut body);
        let answer = payer.authorize("k", &body).await;
        assert_eq!(
            (answer.status, answer.problem().as_str()),
            (400, "field-not-allowed"),
            "{field}"
        );
        assert_eq!(answer.json()["field"], field);
        assert!(answer.json()["detail"].as_str().unwrap().contains(field));
    };
    check(|b| b["amount"] = json!("1"), "amount").await;
    check(|b| b["currency"] = json!("USD"), "currency").await;
    check(|b| b["merchant_code"] = json!("x"), "merchant_code").await;
    check(
        |b| b["merchant_operation_number"] = json!("1"),
        "merchant_operation_number",
    )
    .await;
    check(|b| b["action"] = json!("authorize"), "action").await;
    check(|b| b["channel"] = json!("ecommerce"), "channel").await;
    check(|b| b["payment_details"] = json!({}), "payment_details").await;
    check(|b| b["__proto__"] = json!({}), "__proto__").await;
    check(
        |b| b["payment_method"]["amount"] = json!("1"),
        "payment_method.amount",
    )
    .await;
    let callback = "payment_method.method_details.callback_url";
    check(
        |b| b["payment_method"]["method_details"]["callback_url"] = json!("https://x"),
        callback,
    )
    .await;
    assert!(stack.seen("POST").await.is_empty());
    assert_eq!(payer.shown().await["operations"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_bodies_are_refused_by_field() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    let of_order = |method: &str| {
        let order_id = &payer.order_id;
        json!({"order_id": order_id, "payment_method": {"method_name": method}}).to_string()
    };
    let check = async |body: &str, status: u16, kind: &str, named: &str| {
        let headers = [("idempotency-key", "k")];
        let answer = payer.send(Method::POST, "/charges", &headers, body).await;
        assert_eq!(
            (answer.status, answer.problem().as_str()),
            (status, kind),
            "{body:.80}"
        );
        assert!(answer.text.contains(named), "{}", answer.text);
    };
    check(" ", 400, "bad-request", "empty").await;
    check("{", 400, "bad-request", "line 1").await;
    check("[]", 400, "bad-request", "object").await;
    check("null", 400, "bad-request", "object").await;
    check(&"[".repeat(10_000), 400, "bad-request", "JSON").await;
    check("{}", 400, "bad-request", "`payment_method`").await;
    let orderless = r#"{"payment_method":{"method_name":"QR"}}"#;
    check(orderless, 400, "bad-request", "`order_id`").await;
    let empty = r#"{"order_id":"","payment_method":{"method_name":"QR"}}"#;
    check(empty, 400, "bad-request", "`order_id`").await;
    check(r#"{"order_id":7}"#, 400, "bad-request", "order_id").await;
    check(r#"{"order_id":"x"}"#, 400, "bad-request", "payment_method").await;
    check(
        r#"{"order_id":"x","payment_method":"QR"}"#,
        400,
        "bad-request",
        "payment_method",
    )
    .await;
    check(
        r#"{"order_id":"x","payment_method":{}}"#,
        400,
        "bad-request",
        "payment_method.method_name",
    )
    .await;
    let method = "payment_method.method_name";
    check(
        r#"{"order_id":"x","payment_method":{"method_name":""}}"#,
        400,
        "bad-request",
        method,
    )
    .await;
    check(
        r#"{"order_id":"x","payment_method":["QR"]}"#,
        400,
        "bad-request",
        "`payment_method`",
    )
    .await;
    check(&of_order("CARD"), 422, "method-not-offered", method).await;
    check(&of_order("qr"), 422, "method-not-offered", method).await;
    let redirect = "redirect_url";
    check(
        r#"{"order_id":"x","payment_method":{"method_name":"INSTALLMENT"}}"#,
        400,
        "redirect-url-not-allowed",
        redirect,
    )
    .await;
    check(
        r#"{"order_id":"x","payment_method":{"method_name":"QR"}}"#,
        404,
        "not-found",
        "",
    )
    .await;
    check(
        &format!("{{\"order_id\":\"{}\"}}", "x".repeat(70_000)),
        413,
        "body-too-large",
        "64 KiB",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn redirect_urls_lead_to_the_merchants_pages_only() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    for url in [
        "https://evil.example/",
        "javascript:alert(1)",
        "//evil.example",
        "https://shop.example@evil.example/",
        "https://xn--shp-1na.example/",
        "http://shop.example/",
        "http://127.0.0.1:8080/other",
        "",
    ] {
        let answer = payer
            .authorize("k", &installment(&payer.order_id, url))
            .await;
        assert_eq!(
            (answer.status, answer.problem().as_str()),
            (400, "redirect-url-not-allowed"),
            "{url}"
        );
    }
    assert!(stack.seen("POST").await.is_empty());
    payer
        .authorize(
            "k",
            &installment(&payer.order_id, "http://127.0.0.1:8080/back/x"),
        )
        .await
        .number();
}

#[tokio::test(flavor = "multi_thread")]
async fn only_json_is_read_and_only_known_addresses_answer() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    for kind in [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/jsonx",
    ] {
        let headers = [("content-type", kind)];
        let answer = payer.send(Method::POST, "/charges", &headers, "{}").await;
        assert_eq!(
            (answer.status, answer.problem().as_str()),
            (415, "unsupported-media-type"),
            "{kind}"
        );
    }
    for (method, path, status, kind) in [
        (Method::GET, "/nowhere", 404, "not-found"),
        (Method::PUT, "/charges", 405, "method-not-allowed"),
        (Method::GET, "/orders", 405, "method-not-allowed"),
        (Method::POST, "/charges/a/b/c", 405, "method-not-allowed"),
    ] {
        let answer = payer.send(method, path, &[], "").await;
        assert_eq!(
            (answer.status, answer.problem().as_str()),
            (status, kind),
            "{path}"
        );
        assert_eq!(answer.header("allow").is_empty(), status == 404);
    }
    for path in ["/healthz", "/readyz"] {
        assert_eq!(payer.send(Method::GET, path, &[], "").await.status, 200);
        let url = stack.base().replace("/api", path);
        assert_eq!(stack.client.get(url).send().await.unwrap().status(), 200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_orders_are_refused_by_field() {
    let stack = Stack::start().await;
    let payer = stack.payer().await;
    for (body, named) in [
        (json!({}), "items"),
        (json!({"items": []}), "items"),
        (
            json!({"items": [{"sku": "none", "quantity": 1}]}),
            "items[0].sku",
        ),
        (
            json!({"items": [{"sku": "cafe-250", "quantity": 0}]}),
            "items[0].quantity",
        ),
        (
            json!({"items": [{"sku": "cafe-250", "quantity": -1}]}),
            "items[0].quantity",
        ),
        (
            json!({"items": [{"sku": "cafe-250", "quantity": "1"}]}),
            "items[0].quantity",
        ),
        (
            json!({"items": [{"sku": "cafe-250", "quantity": 1, "price": 1}]}),
            "items[0].price",
        ),
        (
            json!({"items": [{"sku": "cafe-250", "quantity": 1}], "amount": "1"}),
            "amount",
        ),
        (
            json!({"items": [{"sku": "cafe-250", "quantity": 1}], "customer": {"email": 7}}),
            "customer",
        ),
        (
            json!({"items": [{"sku": "cafe-250", "quantity": 1}], "customer": {"location": {"line_1": "é".repeat(255)}}}),
            "customer.location.line_1",
        ),
        (
            json!({"items": [{"sku": "cafe-250", "quantity": 1}], "customer": {"card": ""}}),
            "customer.card",
        ),
    ] {
        let answer = payer
            .send(Method::POST, "/orders", &[], &body.to_string())
            .await;
        assert_eq!(answer.status, 400, "{body}");
        assert!(
            answer.json()["detail"].as_str().unwrap().contains(named),
            "{}",
            answer.text
        );
    }
}
