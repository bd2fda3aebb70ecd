use crate::support::Harness;
use payment_model::{CancelResponse, Outcome};
use serde_json::Value;

#[tokio::test]
async fn what_a_cancellation_does_depends_on_the_state() {
    let harness = Harness::new();
    for (from, status, to, accepted) in [
        ("REGISTRADO", 200, "CANCELADO", true),
        ("PENDIENTE", 200, "CANCELADO", true),
        ("AUTORIZADO", 200, "CANCELADO", true),
        ("CANCELADO", 200, "CANCELADO", false),
        ("DENEGADO", 200, "DENEGADO", false),
        ("EXPIRADO", 200, "EXPIRADO", false),
        ("INVALIDO", 200, "INVALIDO", false),
        ("EXTORNADO", 200, "EXTORNADO", false),
        ("LIQUIDADO", 409, "LIQUIDADO", false),
        ("NUEVO", 200, "NUEVO", false),
    ] {
        harness.create(from, "QR", from).await;
        let reply = harness.cancel(from).await;
        assert_eq!(reply.status, status, "{from}");
        assert_eq!(reply.at("/operation/state"), to, "{from}");
        assert_eq!(reply.at("/operation/transactions/0/state"), to, "{from}");
        let lifecycle = reply.at("/operation/transactions/0/lifecycle");
        let last = lifecycle.as_array().unwrap().last().unwrap();
        assert_eq!(last["state"], to, "{from}");
        let journal = harness.journal().await;
        assert_eq!(journal.last().unwrap()["accepted"], accepted, "{from}");
        assert_eq!(journal.last().unwrap()["state_after"], to, "{from}");
    }
    assert_eq!(harness.cancel("unknown").await.status, 404);
}

#[tokio::test]
async fn a_cancelled_operation_ends_in_canceled_with_all_that_went_before() {
    let harness = Harness::new();
    harness.authorize("1", "QR").await;
    let reply = harness.cancel("1").await;
    assert_eq!(reply.at("/operation/state"), "CANCELADO");
    let transaction = reply.at("/operation/transactions/0");
    assert_eq!(transaction["state"], "CANCELADO");
    assert_eq!(transaction["expiration_date"], Value::Null);
    let entries = transaction["lifecycle"].as_array().unwrap();
    let states: Vec<_> = entries.iter().map(|entry| &entry["state"]).collect();
    assert_eq!(states, ["REGISTRADO", "PENDIENTE", "CANCELADO"]);
}

#[tokio::test]
async fn a_paid_operation_is_reversed() {
    let harness = Harness::new();
    harness.authorize("1", "INSTALLMENT").await;
    harness.drive("1", "pay").await;
    let reply = harness.cancel("1").await;
    let answer: CancelResponse = serde_json::from_str(&reply.text).unwrap();
    assert_eq!(
        answer.operation.transactions[0].outcome(),
        Some(Outcome::Reversed)
    );
    let again = harness.cancel("1").await;
    assert_eq!(again.json()["operation"], reply.json()["operation"]);
}

#[tokio::test]
async fn a_cancellation_that_comes_too_late_learns_of_the_expiry() {
    let harness = Harness::new();
    harness.authorize("1", "QR").await;
    harness.move_clock(900).await;
    assert_eq!(harness.cancel("1").await.at("/operation/state"), "EXPIRADO");
}
