//! The journal, for tests and on the page for developers.

use crate::support::{Harness, TOKEN};
use serde_json::{Value, json};

#[tokio::test]
async fn every_request_is_written_down_with_what_it_did() {
    let harness = Harness::new();
    harness.authorize("1", "QR").await;
    harness.authorize("1", "QR").await;
    harness.drive("1", "pay").await;
    harness.cancel("1").await;
    harness.cancel("2").await;
    let journal = harness.journal().await;
    let rows = journal
        .iter()
        .map(|entry| {
            json!([
                entry["seq"],
                entry["method"],
                entry["path"],
                entry["merchant_operation_number"],
                entry["amount"],
                entry["accepted"],
                entry["status"],
                entry["state_after"]
            ])
        })
        .collect::<Value>();
    assert_eq!(
        rows,
        json!([
            [1, "POST", "/charges", "1", "12990", true, 200, "PENDIENTE"],
            [2, "POST", "/charges", "1", "12990", false, 409, null],
            [
                3,
                "POST",
                "/sandbox/operations/1/pay",
                "1",
                "12990",
                true,
                200,
                "AUTORIZADO"
            ],
            [
                4,
                "DELETE",
                "/charges/shop/1",
                "1",
                "12990",
                true,
                200,
                "CANCELADO"
            ],
            [5, "DELETE", "/charges/shop/2", "2", null, false, 404, null],
        ])
    );
    assert!(journal.iter().all(|entry| entry["answered"] == "full"));
    assert_eq!(journal[0]["currency"], "PEN");
    assert_eq!(journal[0]["time"], "2026-11-21T12:00:00.000Z");
    let later = harness
        .control("GET", "/journal?after=4", &Value::Null)
        .await;
    assert_eq!(later.text.lines().count(), 1);
}

#[tokio::test]
async fn it_holds_no_token_and_no_person() {
    let harness = Harness::new();
    harness.authorize("1", "INSTALLMENT").await;
    harness.query("1", "unknown").await;
    let text = harness.control("GET", "/journal", &Value::Null).await.text;
    for secret in [
        TOKEN,
        "Canary",
        "Quispe",
        "canary@example.com",
        "999888777",
        "Lima",
    ] {
        assert!(!text.contains(secret), "{secret}");
    }
}

#[tokio::test]
async fn what_never_reached_the_service_is_written_down_too() {
    let harness = Harness::new();
    harness
        .faults(
            json!([{"kind": "drop", "when": "before"}, {"kind": "cut", "bytes": 3},
        {"kind": "delay", "ms": 1}, {"kind": "status", "status": 503}, {"kind": "malformed"}]),
        )
        .await;
    for _ in 0..5 {
        harness.authorize("1", "QR").await;
    }
    let rows = harness.journal().await.into_iter().map(|entry| {
        json!([
            entry["merchant_operation_number"],
            entry["accepted"],
            entry["answered"],
            entry["fault"],
            entry["status"]
        ])
    });
    assert_eq!(
        rows.collect::<Value>(),
        json!([
            ["1", false, "dropped", "drop", null],
            ["1", true, "cut", "cut", 200],
            ["1", false, "delayed", "delay", 409],
            ["1", false, "full", "status", 503],
            ["1", false, "full", "malformed", 200],
        ])
    );
}

#[tokio::test]
async fn numbers_go_on_after_it_was_cleared() {
    let harness = Harness::new();
    harness.cancel("1").await;
    assert_eq!(
        harness
            .control("DELETE", "/journal", &Value::Null)
            .await
            .status,
        204
    );
    harness.cancel("1").await;
    let journal = harness.journal().await;
    assert_eq!((journal.len(), &journal[0]["seq"]), (1, &json!(2)));
}

#[tokio::test]
async fn the_page_shows_requests_with_their_answers_and_states() {
    let harness = Harness::new();
    let empty = harness.get("/seen").await;
    assert!(empty.text.contains("Nothing yet"), "{}", empty.text);
    harness.authorize("4711", "QR").await;
    harness.drive("4711", "pay").await;
    let page = harness.get("/seen").await;
    assert_eq!(page.status, 200);
    assert!(
        page.header("content-security-policy")
            .contains("script-src 'self'")
    );
    for text in ["POST /charges", "4711", "12990 PEN", "AUTORIZADO", ">200<"] {
        assert!(page.text.contains(text), "{text} is not in {}", page.text);
    }
    let script = harness.get("/pages/seen.js").await;
    assert_eq!(
        script.header("content-type"),
        "text/javascript; charset=utf-8"
    );
}

#[tokio::test]
async fn what_a_request_says_is_escaped() {
    let harness = Harness::new();
    harness.get("/a&b").await;
    let page = harness.get("/seen").await;
    assert!(page.text.contains("/a&amp;b"), "{}", page.text);
}
