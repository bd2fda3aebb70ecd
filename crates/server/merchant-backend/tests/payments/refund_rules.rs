use crate::contract;
use crate::support::roles::{limited_refunder, refunder, viewer};
use crate::support::sales::settled_installments;
use crate::support::stack::{MERCHANT, Stack};
use crate::support::staff_client::{attempt, item, part, refusal, refusals, request};
use reqwest::Method;
use serde_json::{Value, json};
use staff_model::AttemptState;

#[tokio::test(flavor = "multi_thread")]
async fn every_item_that_breaks_a_rule_is_named_and_nothing_is_sent() {
    let stack = Stack::start().await;
    let sale = settled_installments(&stack).await;
    let other = settled_installments(&stack).await;
    let qr = stack.payer().await.pay_by_qr("q").await.number();
    stack.drive(&qr, "pay").await;
    let mut foreign = part(&other.number, 1);
    foreign["transaction_id"] = json!("another-one");
    let items = [
        part(&sale.number, 1000),
        part(&sale.number, 1),
        item("PARTIAL", &other.number, "0"),
        item("PARTIAL", &other.number, "1.50"),
        item("HALF", &other.number, "1"),
        foreign,
        part("unknown", 1),
        part(&qr, 1),
        part(&other.number, 1001),
    ];
    let limited_refunder = limited_refunder(&stack).await;
    let refused = refusals(&limited_refunder.refund("1", &items).await);
    let named: Vec<_> = refused
        .iter()
        .map(|item| (item.index, item.reason.as_str()))
        .collect();
    let expected = [
        (1, "twice"),
        (2, "amount"),
        (3, "twice"),
        (4, "twice"),
        (5, "not_found"),
        (6, "not_found"),
        (7, "method_not_refundable"),
        (8, "twice"),
    ];
    assert_eq!(named, expected);
    // The key belongs to its first request, although nothing was done.
    let reused = limited_refunder
        .refund("1", &[part(&other.number, 7)])
        .await;
    assert_eq!(reused.problem(), "idempotency-key-reused");
    assert_eq!(
        refusals(&limited_refunder.refund("1", &items).await).len(),
        8
    );
    assert!(stack.seen_at("POST", "/refund").await.is_empty());
    let right = limited_refunder
        .refund("3", &[part(&other.number, 1000)])
        .await;
    assert_eq!(attempt(&right).state, AttemptState::Registered);
}

#[tokio::test(flavor = "multi_thread")]
async fn refund_limit_and_type_are_checked_for_each_item() {
    let stack = Stack::start().await;
    let sale = settled_installments(&stack).await;
    let limited_refunder = limited_refunder(&stack).await;
    let check = async |key: &str, item: Value, reason: &str| {
        let refused = limited_refunder.refund(key, &[item]).await;
        assert_eq!(refusal(&refused).0.as_str(), reason);
    };
    check("1", part(&sale.number, 1001), "over_limit").await;
    check("2", item("HALF", &sale.number, "1"), "type").await;
    check("3", item("PARTIAL", &sale.number, "-1"), "amount").await;
    check(
        "4",
        item("PARTIAL", &sale.number, "9".repeat(30).as_str()),
        "amount",
    )
    .await;
    assert!(stack.seen_at("GET", "/refund").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_field_that_a_page_must_not_set_is_refused_by_name() {
    let stack = Stack::start().await;
    let sale = settled_installments(&stack).await;
    let refunder = refunder(&stack).await;
    let with = |name: &str, value: Value| {
        let mut item = part(&sale.number, 1);
        item[name] = value;
        request(&[item])
    };
    let fields = "operations[0].additional_fields";
    let many = vec![part(&sale.number, 1); 21];
    for (body, field) in [
        (request(&[]), "operations".to_owned()),
        (request(&many), "operations".to_owned()),
        (
            json!({"merchant_code": "other", "operations": [part(&sale.number, 1)]}),
            "merchant_code".to_owned(),
        ),
        (
            json!({"merchant_code": MERCHANT, "operations": [7]}),
            "operations[0]".to_owned(),
        ),
        (
            json!({"merchant_code": MERCHANT, "operations": [], "token": "x"}),
            "token".to_owned(),
        ),
        (
            with("refund_id", json!("x")),
            "operations[0].refund_id".to_owned(),
        ),
        (
            with("refund_amount", json!(1)),
            "operations[0].refund_amount".to_owned(),
        ),
        (with("additional_fields", json!([])), fields.to_owned()),
        (
            with("additional_fields", json!({"attempt_id": "mine"})),
            format!("{fields}.attempt_id"),
        ),
    ] {
        let answer = refunder
            .send(Method::POST, "/refund", Some("k"), Some(&body))
            .await;
        assert_eq!(answer.status, 400, "{body}: {}", answer.text);
        assert_eq!(answer.json()["field"], json!(field), "{}", answer.text);
    }
    let body = request(&[part(&sale.number, 1)]);
    let keyless = refunder
        .send(Method::POST, "/refund", None, Some(&body))
        .await;
    assert_eq!(keyless.problem(), "idempotency-key-required");
    assert!(stack.seen_at("POST", "/refund").await.is_empty());

    let own = with("additional_fields", json!({"ticket": 7}));
    let answer = refunder
        .send(Method::POST, "/refund", Some("k"), Some(&own))
        .await;
    let echoed = answer.json()["operations"][0]["additional_fields"].clone();
    assert_eq!(echoed["ticket"], 7);
    assert_eq!(echoed["attempt_id"], attempt(&answer).attempt_id);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_may_not_refund_changes_nothing() {
    let stack = Stack::start().await;
    let sale = settled_installments(&stack).await;
    let viewer = viewer(&stack).await;
    let items = [part(&sale.number, 1)];
    assert_eq!(viewer.refund("1", &items).await.status, 403);
    assert_eq!(viewer.release("x", "because").await.status, 403);
    assert_eq!(viewer.give_back("1", &sale.number, 1).await.status, 403);
    assert_eq!(viewer.refunds(&sale.number).await.status, 200);
    assert_eq!(viewer.refunds("unknown").await.status, 404);
    for path in ["/refund", "/returns", "/refund-attempts/x/release"] {
        let url = format!("{}/staff{path}", stack.base());
        let request = stack
            .client
            .post(url)
            .header("content-type", "application/json");
        let answer = contract::send(&stack.client, request, "{}").await;
        assert_eq!(answer.problem(), "sign-in-required", "{path}");
    }
    assert!(stack.seen_at("POST", "/refund").await.is_empty());
}
