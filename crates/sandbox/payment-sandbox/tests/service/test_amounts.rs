//! Amounts that decide the outcome of their operations.

use crate::support::{Harness, Reply, authorize_body};
use serde_json::{Value, json};

async fn harness() -> Harness {
    let harness = Harness::new();
    let on = json!({"test_amounts": true});
    assert_eq!(harness.control("PUT", "/settings", &on).await.status, 200);
    harness
}

async fn begin(harness: &Harness, number: &str, amount: &str) -> Reply {
    let mut body = authorize_body(number, "QR");
    body["payment_details"]["amount"] = json!(amount);
    harness.service("POST", "/charges", &body).await
}

/// The states of an operation with this amount after these seconds.
async fn states(amount: &str, seconds: &[i64]) -> Vec<String> {
    let harness = harness().await;
    begin(&harness, "1", amount).await;
    let mut states = Vec::new();
    for offset in seconds {
        harness.move_clock(*offset).await;
        let state = harness.control("GET", "/operations/1", &Value::Null).await;
        let state = state.at("/operation/transactions/0/state");
        states.push(state.as_str().unwrap().to_owned());
    }
    states
}

#[tokio::test]
async fn the_last_two_digits_decide() {
    for (amount, expected) in [
        ("12901", &[(4, "PENDIENTE"), (5, "DENEGADO")][..]),
        ("12903", &[(29, "PENDIENTE"), (30, "EXPIRADO")]),
        ("12904", &[(60, "PENDIENTE")]),
        ("12905", &[(0, "INVALIDO")]),
        ("12907", &[(4, "PENDIENTE"), (5, "AUTORIZADO")]),
        ("12908", &[(4, "PENDIENTE"), (5, "AUTORIZADO")]),
        ("12909", &[(5, "AUTORIZADO"), (40, "EXTORNADO")]),
        ("12910", &[(30, "EXPIRADO"), (40, "AUTORIZADO")]),
        ("7", &[(5, "AUTORIZADO")]),
        ("12990", &[(60, "PENDIENTE")]),
        ("12911", &[(60, "PENDIENTE")]),
    ] {
        let seconds: Vec<i64> = expected.iter().map(|(at, _)| *at).collect();
        let wanted: Vec<&str> = expected.iter().map(|(_, state)| *state).collect();
        assert_eq!(states(amount, &seconds).await, wanted, "{amount}");
    }
}

#[tokio::test]
async fn an_outage_begins_nothing() {
    let harness = harness().await;
    let reply = begin(&harness, "1", "12906").await;
    assert_eq!(reply.status, 503);
    assert_eq!(reply.header("retry-after"), "5");
    let operation = harness.control("GET", "/operations/1", &Value::Null).await;
    assert_eq!(operation.status, 404);
}

#[tokio::test]
async fn a_slow_and_a_lost_answer_are_faults_of_the_request() {
    for (amount, fault) in [("12902", "delay"), ("12904", "drop")] {
        let harness = harness().await;
        if fault == "delay" {
            tokio::time::pause();
        }
        begin(&harness, "1", amount).await;
        let entry = &harness.journal().await[0];
        assert_eq!(entry["fault"], fault, "{amount}");
        assert_eq!(entry["accepted"], true, "{amount}");
    }
}

#[tokio::test]
async fn an_attempt_after_the_cancellation_of_an_unanswered_one_gets_its_answer() {
    let harness = harness().await;
    let lost = async |number| {
        begin(&harness, number, "12904").await;
        harness.journal().await.last().unwrap()["fault"] == "drop"
    };
    assert!(lost("1").await);
    assert!(lost("2").await, "the first one may still be paid");
    let cancel = harness.service("DELETE", "/charges/shop/2", &Value::Null);
    assert_eq!(cancel.await.status, 200);
    assert!(!lost("3").await);
    assert!(lost("4").await, "the next payment loses its answer, too");
}

#[tokio::test]
async fn they_decide_nothing_unless_they_are_on() {
    let harness = Harness::new();
    begin(&harness, "1", "12901").await;
    harness.move_clock(60).await;
    assert_eq!(harness.state("1").await, "PENDIENTE");
}
