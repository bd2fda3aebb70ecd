use crate::support::Harness;
use payment_model::{PaymentMethodName, TransactionState};
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[tokio::test]
async fn every_state_of_every_method_can_be_created() {
    let harness = Harness::new();
    for method in PaymentMethodName::KNOWN {
        for state in TransactionState::KNOWN {
            let number = format!("{method}-{state}");
            let reply = harness
                .create(&number, method.as_str(), state.as_str())
                .await;
            let id = reply.at("/operation/transactions/0/transaction_id");
            let reply = harness.query(&number, id.as_str().unwrap()).await;
            assert_eq!(reply.at("/operation/transactions/0/state"), state.as_str());
            let lifecycle = reply.at("/operation/transactions/0/lifecycle");
            let lifecycle = lifecycle.as_array().unwrap();
            assert_eq!(lifecycle[0]["state"], "REGISTRADO");
            assert_eq!(lifecycle.last().unwrap()["state"], state.as_str());
            let pending = *state == TransactionState::Pending;
            assert_eq!(
                reply
                    .at("/operation/transactions/0/expiration_date")
                    .is_object(),
                pending
            );
        }
    }
    harness.create("new", "NUEVO", "NUEVO").await;
    assert_eq!(harness.state("new").await, "NUEVO");
}

#[tokio::test]
async fn each_state_has_a_reason_of_its_own() {
    let harness = Harness::new();
    let mut reasons = BTreeSet::new();
    for state in TransactionState::KNOWN {
        let made = harness.create(state.as_str(), "QR", state.as_str()).await;
        let id = made.at("/operation/transactions/0/transaction_id");
        let reply = harness.query(state.as_str(), id.as_str().unwrap()).await;
        let reason = reply.at("/operation/transactions/0/state_reason");
        let reason = reason.as_str().unwrap().to_owned();
        assert!(!reason.is_empty() && reasons.insert(reason), "{state}");
    }
}

#[tokio::test]
async fn every_state_can_be_reached_step_by_step() {
    let harness = Harness::new();
    for (steps, expected) in [
        (&["pay"][..], "AUTORIZADO"),
        (&["decline"], "DENEGADO"),
        (&["expire"], "EXPIRADO"),
        (&["invalidate"], "INVALIDO"),
        (&["pay", "settle"], "LIQUIDADO"),
        (&["pay", "reverse"], "EXTORNADO"),
        (&["pay", "settle", "reverse"], "EXTORNADO"),
    ] {
        let number = steps.join("-");
        harness.authorize(&number, "INSTALLMENT").await;
        for step in steps {
            assert_eq!(harness.drive(&number, step).await.status, 200, "{steps:?}");
        }
        assert_eq!(harness.state(&number).await, expected);
    }
}

#[tokio::test]
async fn a_step_that_leads_nowhere_is_refused_in_a_sentence() {
    let harness = Harness::new();
    harness.authorize("1", "QR").await;
    let reply = harness.drive("1", "settle").await;
    assert_eq!(reply.status, 409);
    assert!(
        reply.at("/error").as_str().unwrap().contains("PENDIENTE"),
        "{}",
        reply.text
    );
    assert_eq!(harness.drive("1", "explode").await.status, 404);
    assert_eq!(harness.drive("2", "pay").await.status, 404);
}

#[tokio::test]
async fn a_late_payment_lands_only_when_a_test_wants_it() {
    let harness = Harness::new();
    for state in ["EXPIRADO", "CANCELADO", "DENEGADO"] {
        harness.create(state, "QR", state).await;
        assert_eq!(harness.drive(state, "pay").await.status, 409);
        let path = format!("/operations/{state}/pay");
        let reply = harness.control("POST", &path, &json!({"late": true})).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        assert_eq!(harness.state(state).await, "AUTORIZADO");
    }
}

#[tokio::test]
async fn the_processor_speaks_where_the_specification_lets_it() {
    let harness = Harness::new();
    let pointer = "/operation/transactions/0/processor_response";
    for (method, state, fields) in [
        ("QR", "PENDIENTE", &[][..]),
        ("QR", "AUTORIZADO", &["date", "qr_id", "result_message"]),
        ("INSTALLMENT", "PENDIENTE", &[]),
        (
            "INSTALLMENT",
            "AUTORIZADO",
            &["credit_status", "operation_id"],
        ),
        (
            "INSTALLMENT",
            "DENEGADO",
            &["credit_status", "operation_id"],
        ),
        ("INSTALLMENT", "CANCELADO", &[]),
        (
            "CASHCODE",
            "PENDIENTE",
            &["cip", "cip_url", "result_message"],
        ),
        (
            "CASHCODE",
            "AUTORIZADO",
            &["cip", "operationNumber", "payment_date"],
        ),
        ("CASHCODE", "EXPIRADO", &[]),
        ("BANK_TRANSFER", "PENDIENTE", &[]),
        (
            "BANK_TRANSFER",
            "AUTORIZADO",
            &["operation_id", "origin_account", "request_id"],
        ),
        (
            "BANK_TRANSFER",
            "DENEGADO",
            &["operation_id", "origin_account", "request_id"],
        ),
        (
            "BANK_TRANSFER",
            "EXTORNADO",
            &["operation_id", "origin_account", "request_id"],
        ),
        ("CARD", "AUTORIZADO", &[]),
    ] {
        let number = format!("{method}-{state}");
        let response = harness.create(&number, method, state).await.at(pointer);
        let mut names = match response {
            Value::Object(fields) => fields.keys().cloned().collect::<Vec<_>>(),
            _ => Vec::new(),
        };
        names.sort();
        assert_eq!(names, fields, "{number}");
    }
}

#[tokio::test]
async fn dates_come_in_the_forms_that_the_specification_shows() {
    let harness = Harness::new();
    let pointer = "/operation/created_at/utc_time";
    let date = async |method| {
        harness
            .create(method, method, "PENDIENTE")
            .await
            .at(pointer)
    };
    assert_eq!(date("QR").await, "2026-11-21T12:00:00.000Z");
    assert_eq!(date("INSTALLMENT").await, "2026-11-21T12:00:00.000+00:00");
    assert_eq!(date("CASHCODE").await, "2026-11-21T12:00:00.000");
}

#[tokio::test]
async fn what_comes_after_a_payment_does_not_move_its_date() {
    let harness = Harness::new();
    let made = harness.create("1", "CASHCODE", "AUTORIZADO").await;
    let transaction = made.at("/operation/transactions/0/transaction_id");
    let date = async || {
        let reply = harness.query("1", transaction.as_str().unwrap()).await;
        reply.at("/operation/transactions/0/processor_response/payment_date")
    };
    let paid = date().await;
    assert!(paid.is_string());
    harness.move_clock(3600).await;
    for step in ["settle", "reverse"] {
        harness.drive("1", step).await;
        assert_eq!(date().await, paid, "{step}");
    }
}
