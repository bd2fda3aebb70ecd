use crate::support::{Harness, Reply};
use payment_model::{RefundQueryResponse, RefundResponse};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn item(number: &str, kind: &str, amount: &str) -> Value {
    json!({"type": kind, "merchant_operation_number": number, "transaction_id": null,
        "refund_amount": amount, "additional_fields": {"attempt_id": "a1"}})
}

async fn refund(harness: &Harness, items: Vec<Value>) -> Reply {
    let body = json!({"merchant_code": "shop", "operations": items});
    harness.service("POST", "/refund", &body).await
}

async fn query(harness: &Harness, number: &str) -> Reply {
    harness
        .service("GET", &format!("/refund/shop/{number}"), &Value::Null)
        .await
}

#[tokio::test]
async fn a_settled_transaction_is_refunded_in_parts_and_not_a_cent_more() {
    let harness = Harness::new();
    let sale = harness.create("1", "INSTALLMENT", "LIQUIDADO").await;
    let reply = refund(&harness, vec![item("1", "PARTIAL", "990")]).await;
    assert_eq!(
        (
            reply.status.as_u16(),
            reply.at("/success"),
            reply.at("/action")
        ),
        (200, json!("true"), json!("refund"))
    );
    let answer: RefundResponse = serde_json::from_str(&reply.text).unwrap();
    let first = &answer.operations[0];
    assert_eq!(
        (first.state.as_str(), first.lifecycle.len()),
        ("REGISTERED", 1)
    );
    // The request sent null; the service resolves it.
    let resolved = sale.at("/operation/transactions/0/transaction_id");
    assert_eq!(reply.at("/operations/0/transaction_id"), resolved);
    assert_eq!(reply.at("/operations/0/additional_fields/attempt_id"), "a1");
    assert_eq!(reply.at("/operations/0/transaction_amount"), "12990");
    assert_eq!(reply.at("/operations/0/payment_method/name"), "INSTALLMENT");

    assert_eq!(
        refund(&harness, vec![item("1", "PARTIAL", "12001")])
            .await
            .status,
        400
    );
    assert_eq!(
        refund(&harness, vec![item("1", "PARTIAL", "12000")])
            .await
            .status,
        200
    );
    assert_eq!(
        refund(&harness, vec![item("1", "PARTIAL", "1")])
            .await
            .status,
        400
    );
    let reply = query(&harness, "1").await;
    assert_eq!(
        (reply.at("/success"), reply.at("/operations_count")),
        (json!("true"), json!("2"))
    );
    let answer: RefundQueryResponse = serde_json::from_str(&reply.text).unwrap();
    assert_eq!(answer.operations.len(), 2);
    assert_eq!(reply.at("/operations/1/transaction_id"), resolved);
}

#[tokio::test]
async fn a_refund_that_breaks_a_rule_is_refused_by_name() {
    let harness = Harness::new();
    harness.create("paid", "INSTALLMENT", "AUTORIZADO").await;
    harness.create("qr", "QR", "LIQUIDADO").await;
    harness.create("1", "CARD", "LIQUIDADO").await;
    let mut other_transaction = item("1", "TOTAL", "12990");
    other_transaction["transaction_id"] = json!("another");
    for (items, named) in [
        (vec![], "operations"),
        (vec![item("paid", "TOTAL", "12990")], "LIQUIDADO"),
        (vec![item("qr", "TOTAL", "12990")], "INSTALLMENT"),
        (
            vec![item("unknown", "TOTAL", "12990")],
            "operations[0].merchant_operation_number",
        ),
        (vec![item("1", "TOTAL", "12989")], "operations[0].type"),
        (vec![item("1", "HALF", "1")], "operations[0].type"),
        (
            vec![item("1", "PARTIAL", "0")],
            "operations[0].refund_amount",
        ),
        (
            vec![item("1", "PARTIAL", "1.00")],
            "operations[0].refund_amount",
        ),
        (
            vec![item("1", "PARTIAL", "1"), item("1", "PARTIAL", "12990")],
            "operations[1].refund_amount",
        ),
        (vec![other_transaction], "operations[0].transaction_id"),
        (vec![json!({"type": "TOTAL"})], "merchant_operation_number"),
    ] {
        let reply = refund(&harness, items.clone()).await;
        assert_eq!(reply.status, 400, "{items:?}");
        assert!(reply.text.contains(named), "{items:?} gave {}", reply.text);
    }
    // None of them registered an item, not even a good one beside a bad one.
    for number in ["paid", "qr", "1"] {
        assert_eq!(query(&harness, number).await.at("/operations_count"), "0");
    }
    assert_eq!(query(&harness, "unknown").await.status, 404);
}

#[tokio::test]
async fn several_operations_are_refunded_in_one_request() {
    let harness = Harness::new();
    harness.create("1", "CARD", "LIQUIDADO").await;
    harness.create("2", "WALLET", "LIQUIDADO").await;
    let items = vec![
        item("1", "TOTAL", "12990"),
        item("2", "PARTIAL", "1"),
        item("2", "PARTIAL", "2"),
    ];
    let reply = refund(&harness, items).await;
    assert_eq!(reply.json()["operations"].as_array().unwrap().len(), 3);
    assert!(
        reply
            .at("/operations/0/payment_method/masked_pan")
            .as_str()
            .unwrap()
            .contains('*')
    );
    let entry = harness.journal().await.pop().unwrap();
    assert_eq!(entry["refunds"].as_array().unwrap().len(), 3);
    assert_eq!(entry["refunds"][2]["amount"], "2");
}

#[tokio::test]
async fn a_refund_has_its_transactions_currency_and_a_reason_for_each_state() {
    let harness = Harness::new();
    let mut reasons = BTreeSet::new();
    for (number, steps) in [("1", ["process", "resolve"]), ("2", ["process", "reject"])] {
        let sale = json!({"merchant_code": "shop", "merchant_operation_number": number,
            "method_name": "INSTALLMENT", "state": "LIQUIDADO", "currency": "USD"});
        harness.control("POST", "/operations", &sale).await;
        let reply = refund(&harness, vec![item(number, "TOTAL", "12990")]).await;
        let id = reply.at("/operations/0/refund_id");
        let mut reason = reply.at("/operations/0/refund_reason");
        for step in steps {
            reasons.insert(reason.as_str().unwrap().to_owned());
            let path = format!("/refunds/{}/{step}", id.as_str().unwrap());
            harness.control("POST", &path, &Value::Null).await;
            let listed = query(&harness, number).await;
            assert_eq!(listed.at("/operations/0/currency"), "USD");
            reason = listed.at("/operations/0/refund_reason");
        }
        reasons.insert(reason.as_str().unwrap().to_owned());
    }
    assert!(reasons.len() == 4 && !reasons.contains(""), "{reasons:?}");
}

#[tokio::test]
async fn a_refund_goes_its_way_and_a_rejected_one_frees_its_amount() {
    let harness = Harness::new();
    harness.create("1", "INSTALLMENT", "LIQUIDADO").await;
    let total = || vec![item("1", "TOTAL", "12990")];
    let id = refund(&harness, total())
        .await
        .at("/operations/0/refund_id");
    let drive = async |word: &str| {
        let path = format!("/refunds/{}/{word}", id.as_str().unwrap());
        harness.control("POST", &path, &Value::Null).await
    };
    assert_eq!(drive("process").await.at("/state"), "IN_PROCESS");
    assert_eq!(drive("process").await.status, 409);
    assert_eq!(refund(&harness, total()).await.status, 400);
    assert_eq!(drive("reject").await.at("/state"), "REJECTED");
    assert_eq!(drive("resolve").await.status, 409);
    assert_eq!(drive("explode").await.status, 404);
    let reply = query(&harness, "1").await;
    let lifecycle = reply.at("/operations/0/lifecycle");
    let states = lifecycle
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["state"].clone());
    assert_eq!(
        states.collect::<Value>(),
        json!(["REGISTERED", "IN_PROCESS", "REJECTED"])
    );
    assert_eq!(refund(&harness, total()).await.status, 200);
    let unknown = harness
        .control("POST", "/refunds/unknown/resolve", &Value::Null)
        .await;
    assert_eq!(unknown.status, 404);
}

#[tokio::test]
async fn a_lost_answer_is_found_by_a_query() {
    let harness = Harness::new();
    harness.create("1", "INSTALLMENT", "LIQUIDADO").await;
    harness
        .faults(json!([{"kind": "drop", "when": "after", "path": "/refund"}]))
        .await;
    refund(&harness, vec![item("1", "PARTIAL", "5")]).await;
    let reply = query(&harness, "1").await;
    assert_eq!(reply.at("/operations/0/additional_fields/attempt_id"), "a1");
}
