//! Amounts beyond the setting `limits`: the service makes the operation, and wallet, lender and agent refuse to pay it.

use crate::support::{Harness, authorize_body};
use serde_json::{Value, json};

async fn with_limits(limits: Value) -> Harness {
    let harness = Harness::new();
    let change = json!({ "limits": limits });
    let reply = harness.control("PUT", "/settings", &change).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert_eq!(reply.at("/limits"), limits);
    harness
}

async fn authorize(harness: &Harness, number: &str, method: &str, amount: &str) -> Value {
    let mut body = authorize_body(number, method);
    body["payment_details"]["amount"] = json!(amount);
    let reply = harness.service("POST", "/charges", &body).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    reply.json()["transaction"].clone()
}

#[tokio::test]
async fn the_wallet_refuses_at_the_scan_and_the_operation_waits_on() {
    let harness = with_limits(json!({"QR": {"PEN": {"least": 600, "most": 50000}}})).await;
    let transaction = authorize(&harness, "1", "QR", "62000").await;
    assert_eq!(transaction["state"], "PENDIENTE");
    let response = &transaction["processor_response"];
    assert!(response["qr_image"].is_string());
    let scanned = format!("/phone?qr={}", response["qr_id"].as_str().unwrap());
    let page = harness.get(&scanned).await.text;
    for text in [
        "<h1>Aquí no se puede pagar este monto</h1>",
        "Aquí puedes pagar desde S/\u{a0}6.00 hasta S/\u{a0}500.00.",
        "S/\u{a0}620.00",
    ] {
        assert!(page.contains(text), "{text} is not in {page}");
    }
    assert!(!page.contains("/pay"), "{page}");
    let page = harness.get(&format!("{scanned}&lang=en")).await.text;
    assert!(page.contains("<h1>This amount cannot be paid here</h1>"));
    assert!(page.contains("You can pay here from S/\u{a0}6.00 up to S/\u{a0}500.00."));
    // Also a form of an earlier page pays nothing.
    assert_eq!(harness.post("/phone/1/pay").await.status, 303);
    assert_eq!(harness.state("1").await, "PENDIENTE");
    let reply = harness.drive("1", "pay").await;
    assert_eq!(reply.status, 409);
    let error = "\"pay\" is not possible: the setting limits takes from 600 up to 50000";
    assert_eq!(reply.at("/error"), error);
    assert_eq!(harness.state("1").await, "PENDIENTE");
}

#[tokio::test]
async fn what_is_within_the_limits_is_paid() {
    let harness = with_limits(json!({"QR": {"PEN": {"least": 600, "most": 50000}}})).await;
    for (number, method, amount) in [
        ("1", "QR", "600"),
        ("2", "QR", "50000"),
        ("3", "CASHCODE", "62000"),
    ] {
        authorize(&harness, number, method, amount).await;
        assert_eq!(harness.drive(number, "pay").await.status, 200, "{number}");
    }
    authorize(&harness, "4", "QR", "599").await;
    assert_eq!(harness.drive("4", "pay").await.status, 409);
    // The state after the start has no limits.
    harness.control("POST", "/reset", &Value::Null).await;
    authorize(&harness, "5", "QR", "599").await;
    assert_eq!(harness.drive("5", "pay").await.status, 200);
}

#[tokio::test]
async fn a_late_payment_is_refused_likewise() {
    let harness = with_limits(json!({"QR": {"PEN": {"most": 50000}}})).await;
    authorize(&harness, "1", "QR", "62000").await;
    harness.cancel("1").await;
    let late = json!({"late": true});
    let reply = harness.control("POST", "/operations/1/pay", &late).await;
    assert_eq!(reply.status, 409);
    assert!(reply.text.contains("takes up to 50000"), "{}", reply.text);
    let page = harness.get("/phone/1").await.text;
    assert!(page.contains("Este cobro fue anulado") && !page.contains("hasta"));
}

#[tokio::test]
async fn the_lender_the_bank_and_the_agent_have_limits_too() {
    let limits = json!({"INSTALLMENT": {"PEN": {"least": 100000}}, "BANK_TRANSFER": {"USD": {}, "CLP": {}},
        "CASHCODE": {"PEN": {"most": 1}}});
    let harness = with_limits(limits).await;
    for (number, method, page, sentence) in [
        ("1", "INSTALLMENT", "/lender/1", "desde S/\u{a0}1,000.00."),
        ("2", "BANK_TRANSFER", "/lender/2", "solo en CLP, USD."),
        ("3", "CASHCODE", "/agent/3", "hasta S/\u{a0}0.01."),
    ] {
        authorize(&harness, number, method, "62000").await;
        let shown = harness.get(page).await.text;
        let sentence = format!("Aquí puedes pagar {sentence}");
        assert!(shown.contains(&sentence), "{sentence} is not in {shown}");
        assert!(!shown.contains("method=\"post\""), "{shown}");
        let press = if method == "CASHCODE" {
            "pay"
        } else {
            "approve"
        };
        assert_eq!(harness.post(&format!("{page}/{press}")).await.status, 303);
        assert_eq!(harness.state(number).await, "PENDIENTE");
    }
}

#[tokio::test]
async fn wrong_limits_change_nothing_and_are_named() {
    let limits = json!({"QR": {"PEN": {"most": 50000}}});
    let harness = with_limits(limits.clone()).await;
    for (wrong, named) in [
        (json!({"QR": {"PEN": {"most": "5.00"}}}), "limits.QR.PEN"),
        (json!({"QR": {"PEN": {"max": 500}}}), "limits.QR.PEN"),
        (json!(["QR"]), "limits"),
    ] {
        let change = json!({"limits": wrong, "qr_expires_in_s": 30});
        let reply = harness.control("PUT", "/settings", &change).await;
        assert_eq!(reply.status, 400);
        assert!(reply.text.contains(named), "{}", reply.text);
    }
    let reply = harness.control("GET", "/settings", &Value::Null).await;
    assert_eq!(reply.at("/limits"), limits);
    assert_eq!(reply.at("/qr_expires_in_s"), 900);
}
